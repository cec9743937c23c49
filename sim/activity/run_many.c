/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs side by side, each in a process of its own that writes its result into shared memory.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "activity/run.h"
#include "session/interrupt.h"

enum { MAX_JOBS = 256 };

static unsigned cores(void)
{
    const long n = sysconf(_SC_NPROCESSORS_ONLN);

    return n < 1 ? 1 : n > MAX_JOBS ? MAX_JOBS : (unsigned)n;
}

/* The processes that run at present, and whose results theirs are. */
typedef struct processes {
    pid_t pid[MAX_JOBS];
    unsigned index[MAX_JOBS];
    unsigned num;
} processes;

static bool start(processes *j, const run_request *requests, run_result *shared, unsigned index)
{
    const pid_t child = fork();

    if (child == 0) {
        run_one(&requests[index], &shared[index]);
        _exit(0);
    }
    if (child < 0)
        return false;
    j->pid[j->num] = child;
    j->index[j->num++] = index;
    return true;
}

/* Ctrl-C reaches the processes by itself, a signal to this one alone does not. */
static void stop(const processes *j)
{
    for (unsigned i = 0; interrupted && i < j->num; i++)
        kill(j->pid[i], SIGINT);
}

static void ended_with(run_result *result, int status)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return;
    memset(result, 0, sizeof *result);
    snprintf(result->err, RUN_ERR, "the process of this run came to an end of its own (%s %d)",
             WIFSIGNALED(status) ? "signal" : "exit status", WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

/* False if nobody was there to wait for. */
static bool wait_for_one(processes *j, run_result *shared)
{
    int status;

    for (;;) {
        pid_t child;

        stop(j);
        child = wait(&status);
        if (child < 0 && errno != EINTR)
            return false;
        for (unsigned i = 0; child > 0 && i < j->num; i++)
            if (j->pid[i] == child) {
                ended_with(&shared[j->index[i]], status);
                j->num--;
                j->pid[i] = j->pid[j->num];
                j->index[i] = j->index[j->num];
                return true;
            }
    }
}

static bool run_all(const run_request *requests, run_result *shared, unsigned num, unsigned most, run_progress progress,
                    void *user)
{
    processes j = {.num = 0};
    unsigned begun = 0;
    bool ok = true;

    while (j.num || (ok && begun < num)) {
        while (ok && begun < num && j.num < most) {
            ok = !interrupted && start(&j, requests, shared, begun);
            begun += ok;
        }
        if (!j.num)
            break;
        if (!wait_for_one(&j, shared))
            return false;
        if (progress)
            progress(user, begun - j.num, num);
    }
    return ok && !interrupted;
}

bool run_many(const run_request *requests, run_result *results, unsigned num, unsigned jobs, run_progress progress,
              void *user)
{
    const size_t size = num * sizeof *results;
    run_result *shared;
    bool ok;

    memset(results, 0, size);
    if (num == 0)
        return true;
    shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return false;
    ok = run_all(requests, shared, num, jobs ? (jobs < MAX_JOBS ? jobs : MAX_JOBS) : cores(), progress, user);
    memcpy(results, shared, size);
    for (unsigned i = 0; !ok && i < num; i++)
        results[i].ok = false;
    munmap(shared, size);
    return ok;
}
