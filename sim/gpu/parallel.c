/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/parallel.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "replay/interrupt.h"

enum { MAX_JOBS = 256 };

/* The processes that run, and whose they are. */
typedef struct processes {
    pid_t pid[MAX_JOBS];
    unsigned index[MAX_JOBS];
    unsigned num;
} processes;

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

static bool start(processes *p, parallel_job job, void *user, unsigned index)
{
    pid_t pid;

    fflush(NULL); /* or the child says it again */
    pid = fork();
    if (pid == 0) {
        const bool ok = job(user, index);

        fflush(stdout);
        _exit(!ok);
    }
    if (pid < 0)
        return false;
    p->pid[p->num] = pid;
    p->index[p->num++] = index;
    return true;
}

/* Ctrl-C reaches them by itself, a signal to this process alone does not. */
static void stop(const processes *p)
{
    for (unsigned i = 0; interrupted && i < p->num; i++)
        kill(p->pid[i], SIGINT);
}

static unsigned take_out(processes *p, unsigned place)
{
    const unsigned index = p->index[place];

    p->num--;
    p->pid[place] = p->pid[p->num];
    p->index[place] = p->index[p->num];
    return index;
}

/* False if nobody was there to wait for. */
static bool wait_for_one(processes *p, parallel_end *end)
{
    for (;;) {
        pid_t pid;

        stop(p);
        pid = waitpid(-1, &end->status, 0);
        if (pid < 0 && errno != EINTR)
            return false;
        for (unsigned i = 0; pid > 0 && i < p->num; i++)
            if (p->pid[i] == pid) {
                end->index = take_out(p, i);
                return true;
            }
    }
}

static bool is_done(void *user, const parallel_end *end)
{
    (void)user;
    return end->status == 0;
}

static bool run_all(unsigned num, unsigned most, parallel_job job, parallel_ended ended, void *user)
{
    parallel_end end = {.num = num};
    processes p = {.num = 0};
    unsigned begun = 0;
    bool ok = true;

    while (p.num || (ok && begun < num)) {
        while (ok && begun < num && p.num < most) {
            ok = !interrupted && start(&p, job, user, begun);
            begun += ok;
        }
        if (!p.num)
            break;
        if (!wait_for_one(&p, &end))
            return false;
        end.ended++;
        ok &= ended(user, &end);
    }
    return ok && !interrupted;
}

bool parallel(unsigned num, unsigned jobs, parallel_job job, parallel_ended ended, void *user)
{
    const unsigned most = jobs == 0 ? cores() : jobs < MAX_JOBS ? jobs : MAX_JOBS;

    return run_all(num, most, job, ended ? ended : is_done, user);
}
