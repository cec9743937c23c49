/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/parallel.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "replay/interrupt.h"

enum { MAX_JOBS = 256 };

void *parallel_shared(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

void parallel_unshare(void *memory, size_t size)
{
    if (memory)
        munmap(memory, size);
}

static unsigned cores(void)
{
    const long n = sysconf(_SC_NPROCESSORS_ONLN);

    return n < 1 ? 1 : n > MAX_JOBS ? MAX_JOBS : (unsigned)n;
}

/* Its process; -1 if it could not be started. */
static pid_t start(parallel_job job, void *user, unsigned index)
{
    const pid_t parent = getpid();
    pid_t pid;

    fflush(NULL); /* or the child says it again */
    pid = fork();
    if (pid == 0) {
        bool ok;

        prctl(PR_SET_PDEATHSIG, SIGKILL); /* what it does is of use to its parent alone */
        if (getppid() != parent) /* which was gone before */
            _exit(1);
        ok = job(user, index);

        fflush(stdout);
        _exit(!ok);
    }
    return pid;
}

/* Of pids[0..num-1], 0: not running. False if nobody was there to wait for. */
static bool wait_for_one(pid_t *pids, unsigned num, parallel_end *end)
{
    for (;;) {
        pid_t pid;

        /* Ctrl-C reaches them by itself, a signal to this process alone does not. */
        for (unsigned i = 0; interrupted && i < num; i++)
            if (pids[i])
                kill(pids[i], SIGINT);
        pid = waitpid(-1, &end->status, 0);
        if (pid < 0 && errno != EINTR)
            return false;
        for (end->index = 0; pid > 0 && end->index < num; end->index++)
            if (pids[end->index] == pid) {
                pids[end->index] = 0;
                return true;
            }
    }
}

static bool is_done(void *user, const parallel_end *end)
{
    (void)user;
    return end->status == 0;
}

static bool run_all(pid_t *pids, unsigned most, parallel_job job, parallel_ended ended, void *user, parallel_end end)
{
    unsigned begun = 0;
    bool ok = true;

    while (end.ended < begun || (ok && begun < end.num)) {
        while (ok && begun < end.num && begun - end.ended < most) {
            ok = !interrupted && (pids[begun] = start(job, user, begun)) > 0;
            begun += ok;
        }
        if (end.ended == begun)
            break;
        if (!wait_for_one(pids, begun, &end))
            return false;
        end.ended++;
        ok &= ended(user, &end);
    }
    return ok && !interrupted;
}

bool parallel(unsigned num, unsigned jobs, parallel_job job, parallel_ended ended, void *user)
{
    const unsigned most = jobs == 0 ? cores() : jobs < MAX_JOBS ? jobs : MAX_JOBS;
    pid_t *pids = calloc(num + 1, sizeof *pids);
    const bool ok = pids && run_all(pids, most, job, ended ? ended : is_done, user, (parallel_end){.num = num});

    free(pids);
    return ok;
}
