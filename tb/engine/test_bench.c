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

static void right_values(bench *b)
{
    start_kernel(b, 6);
    expect(b, "limit_q=3 nmax_q=6 state_q=StWait limit_o=0 done_o=0");
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

static void add_limit(bench *b, unsigned more)
{
    play_script(b, common_words, __FILE__, __LINE__, "limit_q:=%u", state(b)->limit + more);
}

static void expect_rule(bench *b, const char *rule)
{
    tell(b);
    assert_memory_equal(told_record(0) + strlen("perfsat "), rule, strlen(rule));
}

static const bench_word words[] = {{"more", add_limit, NULL}, {"rule", NULL, expect_rule}, {NULL, NULL, NULL}};

static void played(bench *b)
{
    play(b, "kernel=%u rule=PS-5 limit_q=2", 4U);
}

#define START_LINE "kernel start: Nmax 6, limit 3, StWait"
#define START_RECORD "perfsat PS-5 kernel_start: nmax=6 | limit=0 state=StWait | limit=3 state=StWait"

/* Of a kernel's start, and of the cycle after it. */
static void expect_start(bench *b, const char *line, const char *record, const char *next)
{
    const bench_log rows[] = {{"kernel_start_i=1 nmax_i=6", line, {record}}, {"kernel_start_i=0", next, {NULL}}};

    expect_log(b, rows);
}

static void logged(bench *b)
{
    expect_start(b, START_LINE, START_RECORD, "");
}

static void wrong_line(bench *b)
{
    expect_start(b, "kernel start: Nmax 6, limit 4, StWait", NULL, "");
}

static void wrong_record(bench *b)
{
    expect_start(b, START_LINE, "perfsat PS-5 kernel_start", "");
}

static void no_line(bench *b)
{
    expect_start(b, "", NULL, "");
}

static void line_too_many(bench *b)
{
    expect_start(b, START_LINE, START_RECORD, START_LINE);
}

static void input_expected(bench *b)
{
    expect(b, "nmax_i=0");
}

static void a_bench_sees_what_is_wrong(void **t)
{
    static const struct {
        void (*run)(bench *b); /* or */
        const char *script;
        bool model, rtl; /* passes */
    } cases[] = {
        {right_values, NULL, true, true},
        {wrong_decision, NULL, false, false},
        {loaded_nonsense, NULL, true, true},
        {nonsense_of_its_own, NULL, true, false},
        {played, NULL, true, true},
        {input_expected, NULL, false, false},
        {logged, NULL, true, true},
        {wrong_line, NULL, false, false},
        {wrong_record, NULL, false, false},
        {no_line, NULL, false, false},
        {line_too_many, NULL, false, false},
        {NULL, "kernel=6 nmax_q=6  limit_q=3 state_q=StWait cycle limit_o=0x3", true, true},
        {NULL, "kernel=6 nmax_q=6 limit_q=4", false, false},
        {NULL, "kernel=6 cycle limit_q=3 limit_o=4", false, false},
        {NULL, "state_q=StDone", false, false},
        {NULL, "limits_q=0", false, false},
        {NULL, "state_q=StNone", false, false},
        {NULL, "limit_q", false, false},
        {NULL, "nmax_i=6 kernel_start_i=1 cycle kernel_start_i=0 cycle nmax_q=6", true, true},
        {NULL, "limit_q:=5 limit_q=5 limit_q:=3 more limit_q=4 more=3 limit_q=7 reset limit_q=0", true, true},
        {NULL, "limit_o:=5", false, false},
        {NULL, "nmax_i:=5", false, false},
        {NULL, "kernel=6 rule=PS-5", true, true},
        {NULL, "kernel=6 rule=PS-6", false, false},
        {NULL, "kernel=six", false, false},
        {NULL, "cycle=", false, false},
        {NULL, "cycle=2x", false, false},
        {NULL, "cycles=2", false, false},
    };

    (void)t;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct CMUnitTest function[] = {BOTH_SIDES("case", "perfsat", cases[i].run)};
        const struct CMUnitTest script[] = {SCRIPT("case", "perfsat", cases[i].script)};
        const struct CMUnitTest *tests = cases[i].run ? function : script;

        if (passes(&tests[SIDE_MODEL]) != cases[i].model || passes(&tests[SIDE_RTL]) != cases[i].rtl)
            fail_msg("case %zu, %s", i, cases[i].script ? cases[i].script : "a function");
    }
}

static void every_variant_has_its_turn(bench *b)
{
    assert_string_not_equal(b->dut.block->name, "perfsat_tie1");
}

static void a_test_runs_on_each_of_its_variants(void **t)
{
    static const char *const last[] = {"perfsat", "perfsat_tie1", NULL}, *const none[] = {"perfsat", "no_block", NULL};
    const struct CMUnitTest tests[] = {EACH_VARIANT("case", last, every_variant_has_its_turn),
                                       EACH_VARIANT("case", none, every_variant_has_its_turn),
                                       BOTH_SIDES("case", "perfsat", every_variant_has_its_turn)};

    (void)t;
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

static void twins_that_differ_are_seen(void **t)
{
    static const char *const two[] = {"perfsat", "perfsat_tie1", NULL};
    const struct CMUnitTest half = TWIN_STEPS("case", "perfsat", 1, 5, every_second);
    const struct CMUnitTest lost = TWIN_STEPS("case", "perfsat", 1, 1, one_side);
    const struct CMUnitTest cycles_of_two = TWIN_CYCLES("case", two, 1, 7, count_cycles);
    const struct CMUnitTest same = TWIN_CYCLES("case", two, 1, 7, one_kernel);
    void *state = half.initial_state;

    (void)t;
    step_run_test(&state);
    assert_int_equal(drawn, 10);
    drawn = 0;
    state = cycles_of_two.initial_state;
    step_run_test(&state);
    assert_int_equal(drawn, 14);
    assert_true(passes(&same));
    for (drawn = 0; drawn < CASES; drawn++)
        assert_false(passes(&lost));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bench_sees_what_is_wrong),
        cmocka_unit_test(a_test_runs_on_each_of_its_variants),
        cmocka_unit_test(twins_that_differ_are_seen),
    };

    return cmocka_run_group_tests_name("bench", tests, NULL, NULL);
}
