/* SPDX-License-Identifier: Apache-2.0 */
#include "mutate/run_test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mutate/mutant_rtl.h"

enum { STATUS_FAILED = 1, STATUS_LEFT = 77 };

group group_of(CMFixtureFunction setup, CMFixtureFunction teardown)
{
    const size_t size = (mutant_netlist()->num_mutants + 1) * sizeof(uint64_t);
    void *first = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (first == MAP_FAILED) {
        fprintf(stderr, "mutate: %s\n", strerror(errno));
        exit(2);
    }
    return (group){setup, teardown, first};
}

static void be_quiet(void)
{
    const int nowhere = open("/dev/null", O_WRONLY);

    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
    }
}

/* Processor time, so that a busy machine makes no difference. */
static void limit_time(double seconds)
{
    const struct itimerval timer = {.it_value = {.tv_sec = (time_t)seconds, .tv_usec = (suseconds_t)(seconds * 1e6) % 1000000}};

    setitimer(ITIMER_PROF, &timer, NULL);
}

double run_limit(double took)
{
    return 0.2 + 10 * took;
}

_Noreturn static void run_here(const group *g, const struct CMUnitTest *test, unsigned mutant, double limit)
{
    int status;

    be_quiet();
    limit_time(limit);
    if (mutant)
        mutant_select(mutant);
    else
        mutant_watch(g->first);
    status = __real__cmocka_run_group_tests("", test, 1, g->setup, g->teardown);
    mutant_watch_flush();
    _exit(status ? STATUS_FAILED : 0);
}

_Noreturn void run_leave(void)
{
    _exit(STATUS_LEFT);
}

static verdict verdict_of(int status)
{
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGPROF ? TEST_ENDLESS : WTERMSIG(status) == SIGKILL ? TEST_KILLED : TEST_CRASHED;
    switch (WEXITSTATUS(status)) {
    case 0: return TEST_PASSED;
    case STATUS_FAILED: return TEST_FAILED;
    case STATUS_LEFT: return TEST_LEFT;
    default: return TEST_CRASHED;
    }
}

verdict run_as(const group *g, const struct CMUnitTest *test, unsigned mutant, double limit, double *took)
{
    int status = 0;
    struct rusage usage;
    pid_t child;

    fflush(NULL);
    child = fork();
    if (child < 0) {
        fprintf(stderr, "mutate: no process: %s\n", strerror(errno));
        exit(2);
    }
    if (child == 0)
        run_here(g, test, mutant, limit);
    while (wait4(child, &status, 0, &usage) < 0)
        if (errno != EINTR)
            return TEST_CRASHED;
    *took = (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec * 1e-6;
    return verdict_of(status);
}
