/* SPDX-License-Identifier: Apache-2.0
 *
 * One test of a cmocka program, as a mutant, in a process of its own.
 */
#ifndef BALLAST_RUN_TEST_H
#define BALLAST_RUN_TEST_H

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
#include <cmocka.h>

typedef struct group {
    CMFixtureFunction setup, teardown;
    uint64_t *first; /* in memory that processes share: which mutants a watched run would have noticed (screen.h) */
} group;

typedef enum verdict {
    TEST_PASSED,
    TEST_FAILED,
    TEST_ENDLESS, /* more processor time than it was given     */
    TEST_CRASHED, /* anything else                              */
    TEST_KILLED,  /* SIGKILL: the machine did that, not the test */
    TEST_LEFT,    /* ended by run_leave                   */
} verdict;

group group_of(CMFixtureFunction setup, CMFixtureFunction teardown);
/* `mutant` 0: the block itself, watched. *took is the processor time. */
verdict run_as(const group *g, const struct CMUnitTest *test, unsigned mutant, double limit, double *took);
/* In the test's process: ends it. */
_Noreturn void run_leave(void);
/* The processor time that a mutant is given where the block itself took so long. */
double run_limit(double took);

/* cmocka's runner: the linker puts another function in its place (ld --wrap; the names are ld's). */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
int __real__cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t num, CMFixtureFunction setup,
                                   CMFixtureFunction teardown);
int __wrap__cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t num, CMFixtureFunction setup,
                                   CMFixtureFunction teardown);
/* NOLINTEND(bugprone-reserved-identifier) */

#endif
