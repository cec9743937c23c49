/* SPDX-License-Identifier: Apache-2.0
 *
 * The bench of the block tests can fail: what a test expects and is not so, twins that differ, an assertion that fires. Each
 * case runs as a test program of its own, of which only the verdict counts.
 */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sm/perfsat.h"

#define BENCH_BLOCK perfsat
#define BENCH_KERNELS
#include "engine/bench.h"
#include "engine/step_fixture.h"

/* ---- a test in a process of its own ------------------------------------------------- */

static int run_quietly(const struct CMUnitTest *test)
{
    const struct CMUnitTest tests[] = {*test};

    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
        return -1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}

static bool passes(const struct CMUnitTest *test)
{
    const pid_t child = fork();
    int status;

    assert_true(child >= 0);
    if (child == 0)
        _exit(run_quietly(test));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_in_range(WEXITSTATUS(status), 0, 1);
    return WEXITSTATUS(status) == 0;
}

/* ---- one side ----------------------------------------------------------------------- */

static const struct expectation {
    const char *of_this;
    bool kernel; /* started before it */
    bool holds;
} expectations[] = {
    {"limit_q=3 nmax_q=6 state_q=StWait limit_o=0 done_o=0", true, true},
    {"nmax_q=6 limit_q=4", true, false},  /* a register     */
    {"limit_q=3 limit_o=4", true, false}, /* an output      */
    {"state_q=StDone", false, false},
    {"limits_q=0", false, false},         /* no such signal */
    {"state_q=StNone", false, false},     /* no such state  */
    {"limit_q", false, false},            /* no value       */
};
static const struct expectation *expected; /* in the process of the test */

static void expect_it(bench *b)
{
    if (expected->kernel)
        start_kernel(b, 6);
    expect(b, "%s", expected->of_this);
}

static void values_of_the_cycle(bench *b)
{
    start_kernel(b, 6);
    cycle(b);
    expect(b, "limit_q=%u limit_o=0x3", 3U);
}

static void wrong_decision(bench *b)
{
    b->in.kernel_start = 1;
    b->in.nmax = 6;
    expect_decision(b, "perfsat PS-5 kernel_start: nmax=6 | limit=0 state=StWait | limit=4 state=StWait",
                    "kernel start: Nmax 6, limit 3, StWait");
}

/* A limit beyond Nmax: the block says so, unless somebody has put it there. */
static void loaded_nonsense(bench *b)
{
    load(b, &(perfsat_state){.nmax = 2, .limit = 3, .state = PERFSAT_DONE});
    cycles(b, 2);
}

static void nonsense_of_its_own(bench *b)
{
    loaded_nonsense(b);
    b->dut.loaded = false;
}

static void expect_verdicts(void (*run)(bench *b), bool model_passes, bool rtl_passes, const char *what)
{
    const struct CMUnitTest tests[] = {BOTH_SIDES("case", "perfsat", run)};

    if (passes(&tests[SIDE_MODEL]) != model_passes || passes(&tests[SIDE_RTL]) != rtl_passes)
        fail_msg("wrong verdict on: %s", what);
}

TEST(a_bench_sees_what_is_wrong)
{
    for (expected = expectations; expected < expectations + sizeof expectations / sizeof *expectations; expected++)
        expect_verdicts(expect_it, expected->holds, expected->holds, expected->of_this);
    expect_verdicts(values_of_the_cycle, true, true, "values of the cycle");
    expect_verdicts(wrong_decision, false, false, "a wrong decision");
    expect_verdicts(loaded_nonsense, true, true, "nonsense that was loaded");
    expect_verdicts(nonsense_of_its_own, true, false, "nonsense of its own");
}

static void every_variant_has_its_turn(bench *b)
{
    assert_string_not_equal(b->dut.block->name, "perfsat_tie1");
}

TEST(a_test_runs_on_each_of_its_variants)
{
    static const char *const last[] = {"perfsat", "perfsat_tie1", NULL}, *const none[] = {"perfsat", "no_block", NULL};
    const struct CMUnitTest tests[] = {EACH_VARIANT("case", last, every_variant_has_its_turn),
                                       EACH_VARIANT("case", none, every_variant_has_its_turn),
                                       BOTH_SIDES("case", "perfsat", every_variant_has_its_turn)};

    for (unsigned i = 0; i < 4; i++)
        assert_false(passes(&tests[i]));
    assert_true(passes(&tests[4]));
    assert_true(passes(&tests[5]));
}

/* ---- both sides ----------------------------------------------------------------------- */

static unsigned drawn; /* by the functions below, in the process of the test */

static bool every_second(step_fixture *f, void *registers, void *in)
{
    (void)f, (void)registers, (void)in;
    return ++drawn % 2 == 0;
}

static void count_cycles(void *in, const void *cfg, uint64_t *seed, unsigned n)
{
    (void)in, (void)cfg, (void)seed;
    assert_int_equal(n, drawn % 7);
    drawn++;
}

enum { OUTPUTS_DIFFER = 2, CASES = 4 };

/* Registers that only one side gets: a count that no output shows, or a limit that a kernel start overwrites. */
static bool one_side(step_fixture *f, void *registers, void *in)
{
    perfsat_state *s = registers;
    perfsat_in *inputs = in;

    inputs->enable = 1;
    inputs->kernel_start = drawn / OUTPUTS_DIFFER;
    s->nmax = s->limit = inputs->kernel_start;
    s->toggles = !inputs->kernel_start;
    dut_load(&f->side[drawn % LOCKSTEP_SIDES], registers);
    step_next(f, in);
    return true;
}

static void one_kernel(void *in, const void *cfg, uint64_t *seed, unsigned n)
{
    perfsat_in *inputs = in;

    (void)cfg, (void)seed;
    inputs->kernel_start = n == 0;
    inputs->nmax = 6;
}

TEST(twins_that_differ_are_seen)
{
    static const char *const two[] = {"perfsat", "perfsat_tie1", NULL};
    const struct CMUnitTest half = TWIN_STEPS("case", "perfsat", 1, 5, every_second);
    const struct CMUnitTest lost = TWIN_STEPS("case", "perfsat", 1, 1, one_side);
    const struct CMUnitTest cycles_of_two = TWIN_CYCLES("case", two, 1, 7, count_cycles);
    const struct CMUnitTest same = TWIN_CYCLES("case", two, 1, 7, one_kernel);
    void *test = half.initial_state;

    step_run_test(&test);
    assert_int_equal(drawn, 10);
    drawn = 0;
    test = cycles_of_two.initial_state;
    step_run_test(&test);
    assert_int_equal(drawn, 14);
    assert_true(passes(&same));
    for (drawn = 0; drawn < CASES; drawn++)
        assert_false(passes(&lost));
}
