/* SPDX-License-Identifier: Apache-2.0
 *
 * Linked into a test program in the place of cmocka's runner (ld --wrap): which of its tests fails with which mutant.
 * A test runs once as it is, watched: a mutant that would not have differed in any cycle cannot change its verdict. With each
 * of the others it runs again, as that mutant. Every run is a process of its own; one that does not end counts as failed.
 *   MUTATE_RESULT=FILE  gets a line "MUTANT,TEST" for every failure, in the end a line "end"
 *   MUTATE_SKIP=TEXT    leaves out tests whose name contains TEXT
 *   MUTATE_COMPARED=TEST runs this test only, which compares outputs and registers in every cycle, so that who differs is found
 * Exit 0, or 2 if a test fails without a mutant or the file cannot be written.
 */
#include <errno.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mutate/mutant_rtl.h"
#include "mutate/screen.h"

/* The names are ld's. */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
int __real__cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t num, CMFixtureFunction setup,
                                   CMFixtureFunction teardown);
int __wrap__cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t num, CMFixtureFunction setup,
                                   CMFixtureFunction teardown);

/* NOLINTEND(bugprone-reserved-identifier) */

typedef struct group {
    CMFixtureFunction setup, teardown;
    uint64_t *first; /* in memory that processes share */
    bool compared; /* every cycle is: who differs is found */
    FILE *out;
} group;

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

/* Runs one test as a mutant, or watched; *took is its processor time. */
static bool passes(const group *g, const struct CMUnitTest *test, unsigned mutant, double limit, double *took)
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
    if (child == 0) {
        be_quiet();
        limit_time(limit);
        if (mutant)
            mutant_select(mutant);
        else
            mutant_watch(g->first);
        status = __real__cmocka_run_group_tests("", test, 1, g->setup, g->teardown);
        mutant_watch_flush();
        _exit(status != 0);
    }
    while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {}
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) { /* the machine did that, not the test */
        fprintf(stderr, "mutate: test '%s' was killed\n", test->name);
        exit(2);
    }
    *took = (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec * 1e-6;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Compares outputs and registers in every cycle, so that who differs is found. */
static bool compares_all(const group *g, const struct CMUnitTest *test)
{
    static const char of_step_fixture[] = "twins: one step";

    return g->compared || !strncmp(test->name, of_step_fixture, sizeof of_step_fixture - 1);
}

/* False when the test fails by itself. */
static bool try_test(const group *g, const struct CMUnitTest *test)
{
    const unsigned num = mutant_netlist()->num_mutants;
    double limit, took;

    if (!passes(g, test, 0, 600, &took) || g->first[0] != SCREEN_NEVER) {
        fprintf(stderr, "mutate: test '%s' fails without a mutant\n", test->name);
        return false;
    }
    limit = 0.2 + 10 * took;
    for (unsigned m = 1; m <= num; m++)
        if (g->first[m] != SCREEN_NEVER && (compares_all(g, test) || !passes(g, test, m, limit, &took)))
            fprintf(g->out, "%u,%s\n", m, test->name);
    return true;
}

static bool wanted(const char *name)
{
    const char *skip = getenv("MUTATE_SKIP");
    const size_t length = strlen(name);
    const char *only = getenv("MUTATE_COMPARED");

    if (only && *only && strcmp(only, name) != 0)
        return false;
    return (length < 7 || strcmp(name + length - 7, "[model]") != 0) && !(skip && *skip && strstr(name, skip));
}

/* NOLINTNEXTLINE(bugprone-reserved-identifier) */
int __wrap__cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t num, CMFixtureFunction setup,
                                   CMFixtureFunction teardown)
{
    const char *path = getenv("MUTATE_RESULT");
    const size_t size = (mutant_netlist()->num_mutants + 1) * sizeof(uint64_t);
    const char *compared = getenv("MUTATE_COMPARED");
    group g = {setup, teardown, NULL, compared && *compared, NULL};

    (void)name;
    g.first = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (path)
        g.out = fopen(path, "w");
    if (!g.out || g.first == MAP_FAILED) {
        fprintf(stderr, "mutate: %s: %s\n", path ? path : "MUTATE_RESULT names no file", strerror(errno));
        exit(2);
    }
    for (size_t t = 0; t < num; t++)
        if (wanted(tests[t].name) && !try_test(&g, &tests[t]))
            exit(2);
    fprintf(g.out, "end\n");
    if (fclose(g.out) != 0) {
        fprintf(stderr, "mutate: %s: %s\n", path, strerror(errno));
        exit(2);
    }
    exit(0);
}
