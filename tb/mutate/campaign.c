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
#include "mutate/run_test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mutate/mutant_rtl.h"
#include "mutate/screen.h"

typedef struct campaign {
    group group;
    bool compared; /* every cycle is: who differs is found */
    FILE *out;
} campaign;

/* Compares outputs and registers in every cycle, so that who differs is found. */
static bool compares_all(const campaign *c, const struct CMUnitTest *test)
{
    static const char of_step_fixture[] = "twins: one step";

    return c->compared || !strncmp(test->name, of_step_fixture, sizeof of_step_fixture - 1);
}

/* False when the test fails by itself. */
static bool try_test(const campaign *c, const struct CMUnitTest *test)
{
    const uint64_t *first = c->group.first;
    double limit, took;

    if (run_as(&c->group, test, 0, 600, &took) != TEST_PASSED || first[0] != SCREEN_NEVER) {
        fprintf(stderr, "mutate: test '%s' fails without a mutant\n", test->name);
        return false;
    }
    limit = run_limit(took);
    for (unsigned m = 1; m <= mutant_netlist()->num_mutants; m++) {
        verdict v = TEST_FAILED;

        if (first[m] == SCREEN_NEVER)
            continue;
        if (!compares_all(c, test))
            v = run_as(&c->group, test, m, limit, &took);
        if (v == TEST_KILLED) {
            fprintf(stderr, "mutate: test '%s' was killed\n", test->name);
            return false;
        }
        if (v != TEST_PASSED)
            fprintf(c->out, "%u,%s\n", m, test->name);
    }
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
    const char *compared = getenv("MUTATE_COMPARED");
    campaign c = {group_of(setup, teardown), compared && *compared, NULL};

    (void)name;
    if (path)
        c.out = fopen(path, "w");
    if (!c.out) {
        fprintf(stderr, "mutate: %s: %s\n", path ? path : "MUTATE_RESULT names no file", strerror(errno));
        exit(2);
    }
    for (size_t t = 0; t < num; t++)
        if (wanted(tests[t].name) && !try_test(&c, &tests[t]))
            exit(2);
    fprintf(c.out, "end\n");
    if (fclose(c.out) != 0) {
        fprintf(stderr, "mutate: %s: %s\n", path, strerror(errno));
        exit(2);
    }
    exit(0);
}
