/* SPDX-License-Identifier: Apache-2.0 */
#include "activity/parallel.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "session/interrupt.h"

enum { MAX_JOBS = 256 };

/* The processes that run; 0: a free place. */
typedef struct children {
    pid_t pid[MAX_JOBS];
    unsigned most, running;
    bool told; /* of Ctrl-C */
} children;

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

static bool start(children *c, parallel_job job, void *user, unsigned index)
{
    unsigned place = 0;
    pid_t pid;

    fflush(NULL);
    pid = fork();
    if (pid == 0) {
        const bool ok = job(user, index);

        fflush(NULL);
        _exit(!ok);
    }
    while (c->pid[place])
        place++;
    c->pid[place] = pid > 0 ? pid : 0;
    c->running += pid > 0;
    return pid > 0;
}

static void pass_on(children *c)
{
    for (unsigned i = 0; i < c->most && interrupted && !c->told; i++)
        if (c->pid[i])
            kill(c->pid[i], SIGINT);
    c->told = interrupted != 0;
}

/* Until one has ended; false if that one failed. */
static bool wait_for_one(children *c)
{
    int status;
    pid_t pid;

    while ((pid = waitpid(-1, &status, 0)) < 0 && errno == EINTR)
        pass_on(c);
    for (unsigned i = 0; i < c->most; i++)
        if (c->pid[i] == pid)
            c->pid[i] = 0;
    c->running--;
    return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool parallel(unsigned num, unsigned jobs, parallel_job job, parallel_progress progress, void *user)
{
    children c = {.most = jobs == 0 ? cores() : jobs < MAX_JOBS ? jobs : MAX_JOBS};
    unsigned begun = 0, ended = 0;
    bool ok = true;

    while (c.running || (ok && begun < num)) {
        while (ok && begun < num && c.running < c.most) {
            ok = !interrupted && start(&c, job, user, begun);
            begun += ok;
        }
        if (!c.running)
            break;
        pass_on(&c);
        ok &= wait_for_one(&c);
        ended++;
        if (progress)
            progress(user, ended, num);
    }
    return ok && ended == num;
}
