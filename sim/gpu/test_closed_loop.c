/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulator with governors in its loop: the same run with the C models and with RTL and models in
 * lockstep, whatever the policy; where it ends; what a mismatch and a failing tap do to it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"
#include "gpu/loop_fixture.h"
#include "replay/scratch_fixture.h"
#include "replay/interrupt.h"

#define TOP "chip_governor_top"
#define BCAST "chip_governor_bcast"

/* ---- the same run ----------------------------------------------------------------- */

static void expect_equal_results(const run_result *a, const run_result *b)
{
    assert_memory_equal(&a->counts, &b->counts, sizeof a->counts);
    assert_int_equal(a->finished, b->finished);
    assert_int_equal(a->nmax, b->nmax);
    assert_int_equal(a->limit, b->limit);
    assert_int_equal(a->done, b->done);
    assert_memory_equal(&a->seconds, &b->seconds, sizeof a->seconds);
    assert_memory_equal(&a->ipc, &b->ipc, sizeof a->ipc);
    assert_memory_equal(&a->mean_limit, &b->mean_limit, sizeof a->mean_limit);
    assert_memory_equal(&a->mean_resident, &b->mean_resident, sizeof a->mean_resident);
    assert_memory_equal(a->classes, b->classes, sizeof a->classes);
    assert_memory_equal(a->limits, b->limits, sizeof a->limits);
    assert_memory_equal(a->decided, b->decided, sizeof a->decided);
}

/* Of the last play of each side. */
static loop_result models, rtl, r;

typedef struct same_case {
    const char *name, *chip;
    uint8_t policy, mode, limit;
    bool held;         /* levels high and low, whatever is voted */
    unsigned max_cycles;
    unsigned launches; /* 0: one                                 */
} same_case;

static void expect_same(const loop_job *job)
{
    play_models_of(job, 0, &models);
    assert_string_equal(models.err, "");
    assert_true(models.ok);
    play_rtl_of(job, 0, NULL, &rtl);
    assert_string_equal(rtl.err, "");
    assert_true(rtl.ok);
    assert_true(models.trail.cycles > 1000);
    assert_int_equal(models.trail.cycles, rtl.trail.cycles);
    assert_int_equal(models.trail.cycles, rtl.session.cycles);
    assert_int_equal(models.trail.cycles, models.result.counts.cycles);
    assert_int_equal(models.trail.digest, rtl.trail.digest);
    assert_string_equal(models.log, rtl.log);
    expect_equal_results(&models.result, &rtl.result);
}

static void check_same(const same_case *c)
{
    loop_job job = job_of(c->chip);
    run_request *request = &job.request;

    request->policy = c->policy;
    request->mode = c->mode;
    request->static_limit = c->limit;
    request->max_cycles = c->max_cycles;
    if (c->launches) {
        request->workload.launches = c->launches;
        request->workload.ctas /= c->launches;
    }
    if (c->held) {
        request->sm_level = BALLAST_VF_HIGH;
        request->mem_level = BALLAST_VF_LOW;
    }
    expect_same(&job);
    assert_int_equal(models.result.finished, !c->max_cycles);
    if (c->max_cycles)
        assert_int_equal(models.trail.cycles, c->max_cycles);
    else
        assert_int_equal(models.result.counts.ctas, request->workload.ctas * request->workload.launches);
    if (c->policy == BALLAST_POLICY_STATIC) {
        assert_int_equal(models.result.limit, c->limit ? c->limit : models.result.nmax);
        assert_int_equal(models.trail.limit_changes, 1);
    } else if (!c->max_cycles) {
        assert_true(models.trail.limit_changes > 1);
    }
    if (c->held) {
        assert_int_equal(models.result.counts.sm_ticks[BALLAST_VF_HIGH], models.result.counts.ticks);
        assert_int_equal(models.result.counts.mem_ticks[BALLAST_VF_LOW], models.result.counts.ticks);
    } else if (c->policy == BALLAST_POLICY_EQUALIZER) {
        assert_true(models.trail.level_changes > 0);
        assert_non_null(strstr(models.log, "CompAction"));
    }
}

TEST(same_run_on_both_sides)
{
    static const same_case rows[] = {
        {"static, Nmax", TOP, BALLAST_POLICY_STATIC, BALLAST_VF_PERFORMANCE, .limit = 0},
        {"static, 2", TOP, BALLAST_POLICY_STATIC, BALLAST_VF_PERFORMANCE, .limit = 2},
        {"static, cut off", TOP, BALLAST_POLICY_STATIC, BALLAST_VF_PERFORMANCE, .max_cycles = 1234},
        {"perfsat", TOP, BALLAST_POLICY_PERFSAT, BALLAST_VF_PERFORMANCE, .limit = 0},
        {"lcs", TOP, BALLAST_POLICY_LCS, BALLAST_VF_PERFORMANCE, .limit = 0},
        {"equalizer", TOP, BALLAST_POLICY_EQUALIZER, BALLAST_VF_PERFORMANCE, .limit = 0},
        {"equalizer, energy", TOP, BALLAST_POLICY_EQUALIZER, BALLAST_VF_ENERGY, .limit = 0},
        {"equalizer, levels held", TOP, BALLAST_POLICY_EQUALIZER, BALLAST_VF_PERFORMANCE, .held = true},
        {"dyncta", TOP, BALLAST_POLICY_DYNCTA, BALLAST_VF_PERFORMANCE, .limit = 0},
        {"dyncta, three launches", TOP, BALLAST_POLICY_DYNCTA, BALLAST_VF_PERFORMANCE, .launches = 3},
        {"bcast: perfsat, energy", BCAST, BALLAST_POLICY_PERFSAT, BALLAST_VF_ENERGY, .limit = 0},
        {"bcast: lcs", BCAST, BALLAST_POLICY_LCS, BALLAST_VF_PERFORMANCE, .limit = 0},
        {"bcast: equalizer", BCAST, BALLAST_POLICY_EQUALIZER, BALLAST_VF_PERFORMANCE, .limit = 0},
        {"bcast: equalizer, energy", BCAST, BALLAST_POLICY_EQUALIZER, BALLAST_VF_ENERGY, .limit = 0},
        {"whole chip: perfsat", "chip_governor", BALLAST_POLICY_PERFSAT, BALLAST_VF_PERFORMANCE, .max_cycles = 6000},
        {"whole chip: lcs", "chip_governor", BALLAST_POLICY_LCS, BALLAST_VF_PERFORMANCE, .max_cycles = 6000},
        {"whole chip: equalizer", "chip_governor", BALLAST_POLICY_EQUALIZER, BALLAST_VF_PERFORMANCE, .max_cycles = 6000},
        {"whole chip: dyncta", "chip_governor", BALLAST_POLICY_DYNCTA, BALLAST_VF_PERFORMANCE, .max_cycles = 6000},
    };

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_message("%s\n", rows[i].name);
        check_same(&rows[i]);
    }
}

/* The paths above are not idle: CTAs are paused and refused somewhere. */
TEST(governors_have_something_to_do)
{
    loop_job job = job_of(TOP);

    job.request.policy = BALLAST_POLICY_EQUALIZER;
    job.request.mode = BALLAST_VF_ENERGY;
    play_models_of(&job, 0, &r);
    assert_true(r.trail.pauses > 0);
    assert_true(r.trail.denials > 0);
}

/* ---- what the stimulus sees --------------------------------------------------------- */

typedef struct spy {
    sm_obs obs[4];
    const sm_obs *buses[4];
    unsigned calls, nulls, rewinds;
    bool wrong;
} spy;

enum { SPY_CYCLES = 20, SPY_LIMIT = 3, SPY_NMAX = 6 };

/* SM 0 starts a kernel in the first cycle; its limit is out from the second on. */
static const sm_obs *const *spy_next(void *self, const feedback *last)
{
    static const sm_setup setup = {.kernel = {1, 0, 32, 0, 1, SPY_NMAX, 0}};
    spy *s = self;
    const chip_governor_out *o = last->out;

    s->nulls += !o;
    s->wrong |= s->calls > 0 ? !o : o != NULL;
    s->wrong |= s->calls > 1 && o && o->sm[0].limit != SPY_LIMIT;
    for (unsigned i = 0; i < 4; i++) {
        s->obs[i] = (sm_obs){.setup = &setup, .kernel_start = s->calls == 0};
        s->buses[i] = &s->obs[i];
    }
    return s->calls++ < SPY_CYCLES ? s->buses : NULL;
}

static uint64_t spy_cycle(void *self)
{
    return ((const spy *)self)->calls - 1;
}

static int spy_rewind(void *self)
{
    ((spy *)self)->calls = 0;
    ((spy *)self)->rewinds++;
    return 1;
}

static const char *spy_error(void *self)
{
    (void)self;
    return "";
}

static void run_spy(spy *s, const char *name, const char *const *settings, unsigned num_settings)
{
    const block *blocks[2] = {block_find(name), NULL};
    const session_options options = {.blocks = blocks, .seed = 1, .settings = settings, .num_settings = num_settings};
    const stimulus source = {s, spy_next, spy_cycle, spy_rewind, spy_error};
    session_result result;

    memset(s, 0, sizeof *s);
    session_run(&options, &source, &result);
    assert_int_equal(result.verdict, SESSION_PASS);
    session_result_free(&result);
}

TEST(outputs_come_back_from_the_second_cycle_on)
{
    const char *const settings[] = {"chip_governor_top.policy=static", "chip_governor_top.static_limit=3"};
    spy s = {.calls = 0};

    run_spy(&s, "chip_governor_top", settings, 2);
    assert_int_equal(s.calls, SPY_CYCLES + 1);
    assert_int_equal(s.nulls, 1);
    assert_false(s.wrong);
}

TEST(without_a_controller_there_are_no_outputs)
{
    spy s = {.calls = 0};

    run_spy(&s, "stall_classifier", NULL, 0);
    assert_int_equal(s.nulls, SPY_CYCLES + 1);
}

/* ---- the end ---------------------------------------------------------------------- */

TEST(progress_is_one_line_that_goes_away)
{
    loop_job job = job_of(TOP);
    char *text = NULL;
    size_t size = 0;

    job.progress = open_memstream(&text, &size);
    play_models_of(&job, 0, &r);
    fclose(job.progress);
    assert_true(r.ok);
    assert_non_null(strstr(text, "\r  0 % of the CTAs\r"));
    assert_true(size > 40 && size < 2000);
    assert_null(strchr(text, '\n'));
    assert_string_equal(text + size - 4, "\r\033[K");
    free(text);
}

TEST(a_failing_tap_ends_the_run)
{
    loop_job job = job_of(TOP);

    play_models_of(&job, 77, &r);
    assert_false(r.ok);
    assert_string_equal(r.err, "the tap was told to fail");
    assert_int_equal(r.trail.cycles, 78);
    play_rtl_of(&job, 77, NULL, &r);
    assert_int_equal(r.session.verdict, SESSION_BAD_INPUT);
    assert_string_equal(r.err, "the tap was told to fail");
    assert_int_equal(r.trail.cycles, 78);
}

/* ... and is forgotten when it begins again. */
TEST(after_a_failure_it_can_be_played_again)
{
    loop_job job = job_of(TOP);
    loop_trail trail;
    char err[LOOP_ERR];
    run_result result;
    loop_run run;
    stimulus s;

    assert_true(loop_run_open(&run, &job, err));
    closed_loop_tap(&run.loop, trail_tap(&trail, job.request.machine.sms));
    trail.fail_at = 1;
    s = closed_loop_stimulus(&run.loop);
    assert_true(s.rewind(s.self));
    assert_non_null(s.next(s.self, &(feedback){.out = NULL}));
    assert_int_equal(s.cycle(s.self), 0);
    assert_non_null(s.next(s.self, &(feedback){.out = &run.models->out}));
    assert_null(s.next(s.self, &(feedback){.out = &run.models->out}));
    assert_string_equal(s.error(s.self), "the tap was told to fail");
    assert_true(s.rewind(s.self));
    assert_string_equal(s.error(s.self), "");
    assert_non_null(s.next(s.self, &(feedback){.out = NULL}));
    assert_int_equal(s.cycle(s.self), 0);
    assert_true(loop_run_close(&run, false, &result, err));
}

TEST(ctrl_c_stops_both_sides)
{
    loop_job job = job_of(TOP);

    interrupted = 1;
    play_models_of(&job, 0, &r);
    assert_false(r.ok);
    assert_string_equal(r.err, "");
    play_rtl_of(&job, 0, NULL, &r);
    assert_int_equal(r.session.verdict, SESSION_STOPPED);
    interrupted = 0;
}

/* ---- a mismatch ------------------------------------------------------------------- */

static char *slurp_text(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = calloc(1, 1 << 16);

    assert_non_null(f);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 16) - 1, f) > 0);
    fclose(f);
    return text;
}

static bool there(const char *prefix, const char *end)
{
    char path[600];
    FILE *f;

    snprintf(path, sizeof path, "%s%s", prefix, end);
    f = fopen(path, "r");
    if (f)
        fclose(f);
    return f != NULL;
}

/* The loop is played a second time to explain; that is nothing for the taps. The difference is found in
 * the cycle of the fault, with the register's name, and can be reproduced. */
TEST(a_mismatch_is_explained)
{
    loop_job job = job_of(TOP);
    static const launch_starts none;
    const trace_meta meta = sim_record_meta(&job.request, &none, NULL);
    session_options options = {.seed = 1, .history = 4, .num_faults = 1, .program = "ballast", .meta = &meta};
    char dir[400], prefix[500], text_path[520], *text;
    fault f;

    scratch_make(dir, sizeof dir);
    snprintf(prefix, sizeof prefix, "%s/x", dir);
    assert_true(fault_parse(&f, "rtl:chip_governor_top.sm[2].throttle.num_blocks_q[0]@2000"));
    options.faults = &f;
    options.explain_prefix = prefix;
    job.request.policy = BALLAST_POLICY_EQUALIZER;
    play_rtl_of(&job, 0, &options, &r);
    assert_int_equal(r.session.verdict, SESSION_MISMATCH);
    assert_int_equal(r.session.cycles, 2001);
    assert_int_equal(r.trail.cycles, 2000); /* not the one that differs */
    snprintf(text_path, sizeof text_path, "%s.txt", prefix);
    text = slurp_text(text_path);
    assert_non_null(strstr(text, "MISMATCH in chip_governor_top on SM2, cycle 2000 (cycle 2000 of the run)"));
    assert_non_null(strstr(text, "sm[2].throttle.num_blocks_q"));
    assert_non_null(strstr(text, "Reproducer: 1 cycle"));
    assert_true(there(prefix, ".blt") && there(prefix, ".state") && there(prefix, ".fst"));
    free(text);
    scratch_remove(dir);
}

/* ---- refusals --------------------------------------------------------------------- */

TEST(chips_and_kernels_that_do_not_fit_are_refused)
{
    static const struct {
        const char *chip;
        fixture_set machine[2], workload[2];
        const char *says;
    } rows[] = {
        {TOP, {{M(sms), 4}}, {{0}}, "has 3 SMs"},
        {TOP, {{M(warps), 40}}, {{W(threads_per_cta), 32}}, "warps"},
        {TOP, {{M(slots), 7}}, {{0}}, "CTA slots"},
        {TOP, {{M(schedulers), 1}}, {{0}}, "schedulers"},
        {"sm_governor", {{0}}, {{0}}, "sm_governor is no chip"},
        {TOP, {{0}}, {{W(shared_per_cta), UINT32_MAX}}, "shared"},
    };

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        loop_job job = job_of(TOP);

        job.chip = block_find(rows[i].chip);
        fixture_change(&job.request.machine, rows[i].machine);
        fixture_change(&job.request.workload, rows[i].workload);
        play_models_of(&job, 0, &r);
        if (r.ok || !strstr(r.err, rows[i].says) || strchr(r.err, '\n'))
            fail_msg("%s: \"%s\"", rows[i].says, r.err);
    }
}
