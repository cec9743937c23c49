/* SPDX-License-Identifier: Apache-2.0
 *
 * Linked into a test program in the place of cmocka's runner (ld --wrap): which mutants do its tests notice when the reference
 * model has the same fault? Only a test whose expectation is its own can tell. So a test that enters the block's reference model
 * is left out: the model is compiled with -finstrument-functions, and the first call of one of its functions ends the test.
 *
 * Each test runs once as it is, watched: a mutant that would not have differed in any cycle cannot change its verdict. With each
 * of the others it runs again, as that mutant, until a test has failed; after them once more as it is.
 *   MUTATE_KILLED=FILE  numbers of mutants that need no other test, because an earlier program has killed them
 *   MUTATE_RESULT=FILE  gets lines of words between tabs:
 *     test TITLE HOW      rule: it judges; twins: it enters the model; idle: no mutant differs during it
 *     kill MUTANT HOW TITLE  fails, or does not end
 *     unclear MUTANT TITLE   it ended in another way, and so says nothing
 * Exit 0, or 2 if a test fails without a mutant or the file cannot be written.
 */
#include "mutate/run_test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mutate/circuit.h"
#include "mutate/mutant_rtl.h"
#include "mutate/must.h"

enum { BLOCK_SECONDS = 1800 };

/* The names of all netlists, NULL-terminated; made with the program. */
extern const char *const mutant_circuits[];

/* gcc calls these; the names are its own. NOLINTBEGIN(bugprone-reserved-identifier) */
void __cyg_profile_func_enter(void *function, void *caller);
void __cyg_profile_func_exit(void *function, void *caller);

void __cyg_profile_func_enter(void *function, void *caller)
{
    (void)function, (void)caller;
    run_leave();
}

void __cyg_profile_func_exit(void *function, void *caller)
{
    (void)function, (void)caller;
}
/* NOLINTEND(bugprone-reserved-identifier) */

typedef struct judge {
    group group;
    bool *killed; /* by a test of this program or of an earlier one */
    FILE *out;
} judge;

static bool alike_again(const judge *j, const struct CMUnitTest *test, double limit)
{
    double took;

    return run_as(&j->group, test, 0, limit, &took) == TEST_PASSED && j->group.first[0] == SCREEN_NEVER;
}

static void try_mutant(const judge *j, const struct CMUnitTest *test, unsigned m, double limit)
{
    double took;
    const verdict v = run_as(&j->group, test, m, limit, &took);

    if (v == TEST_PASSED)
        return;
    if (v != TEST_FAILED && v != TEST_ENDLESS) {
        fprintf(j->out, "unclear\t%u\t%s\n", m, test->name);
        return;
    }
    j->killed[m] = true;
    fprintf(j->out, "kill\t%u\t%s\t%s\n", m, v == TEST_FAILED ? "fails" : "does not end", test->name);
}

/* False when the block itself does not pass. */
static bool try_mutants(const judge *j, const struct CMUnitTest *test, double limit)
{
    const unsigned num = mutant_netlist()->num_mutants;
    uint64_t *differs = must(malloc((num + 1) * sizeof *differs));
    bool any = false, ran = false;

    memcpy(differs, j->group.first, (num + 1) * sizeof *differs);
    for (unsigned m = 1; m <= num; m++) {
        any |= differs[m] != SCREEN_NEVER;
        if (differs[m] == SCREEN_NEVER || j->killed[m])
            continue;
        try_mutant(j, test, m, limit);
        ran = true;
    }
    free(differs);
    fprintf(j->out, "test\t%s\t%s\n", test->name, any ? "rule" : "idle");
    return !ran || alike_again(j, test, limit);
}

/* False when the block itself does not pass. */
static bool try_test(const judge *j, const struct CMUnitTest *test)
{
    double took;
    const verdict v = run_as(&j->group, test, 0, BLOCK_SECONDS, &took);

    if (v == TEST_LEFT) {
        fprintf(j->out, "test\t%s\ttwins\n", test->name);
        return true;
    }
    return v == TEST_PASSED && j->group.first[0] == SCREEN_NEVER && try_mutants(j, test, run_limit(took));
}

static bool of_the_model(const char *name)
{
    static const char mark[] = "[model]";
    const size_t length = strlen(name), own = sizeof mark - 1;

    return length >= own && !strcmp(name + length - own, mark);
}

/* A file that is not there, or holds something else, ends the program. */
static bool *read_killed(const char *path)
{
    const unsigned num = mutant_netlist()->num_mutants;
    bool *killed = must(calloc(num + 1, sizeof *killed));
    FILE *in = path ? fopen(path, "r") : NULL;
    unsigned number;
    int found = 1;

    while (in && (found = fscanf(in, "%u", &number)) == 1 && number <= num)
        killed[number] = true;
    if (path && (!in || found != EOF)) {
        fprintf(stderr, "mutate: %s: no numbers of mutants\n", path);
        exit(2);
    }
    if (in)
        fclose(in);
    return killed;
}

static FILE *open_result(const char *path)
{
    FILE *out = path ? fopen(path, "w") : NULL;

    if (!out) {
        fprintf(stderr, "mutate: %s: %s\n", path ? path : "MUTATE_RESULT names no file", strerror(errno));
        exit(2);
    }
    return out;
}

/* NOLINTNEXTLINE(bugprone-reserved-identifier) */
int __wrap__cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t num, CMFixtureFunction setup,
                                   CMFixtureFunction teardown)
{
    judge j = {group_of(setup, teardown), read_killed(getenv("MUTATE_KILLED")), open_result(getenv("MUTATE_RESULT"))};

    (void)name;
    for (const char *const *of = mutant_circuits; *of; of++)
        circuit_of(*of);
    for (size_t t = 0; t < num; t++)
        if (!of_the_model(tests[t].name) && !try_test(&j, &tests[t])) {
            fprintf(stderr, "mutate: test '%s' fails without a mutant\n", tests[t].name);
            exit(2);
        }
    if (fclose(j.out) != 0) {
        fprintf(stderr, "mutate: %s: %s\n", getenv("MUTATE_RESULT"), strerror(errno));
        exit(2);
    }
    exit(0);
}
