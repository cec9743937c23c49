/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs of which CTAs are left out, beside the same as a whole; and that none are where something still changes.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"
#include "gpu/loop_run.h"

enum { CTAS = 600 };
#define PIECE UINT64_C(3000)

/* Loads that miss at times, CTAs that differ in length; a CTA takes some hundred cycles. */
static run_request request_of(uint8_t policy, uint8_t limit)
{
    machine m = fixture_machine();
    workload w = fixture_workload();
    run_request r;

    m.sms = 2;
    w.ctas = CTAS;
    w.threads_per_cta = 64;
    w.loads = 0.1;
    w.random = 0.5;
    w.footprint = 5000;
    w.spread = 0.2;
    r = run_default(&m, &w);
    r.policy = policy;
    r.static_limit = limit;
    return r;
}

static void run(run_request *r, uint32_t piece, run_result *result)
{
    r->steady = piece;
    run_one(r, result);
    assert_true(result->ok && result->finished);
}

static void assert_near(double is, double should, double part, const char *what)
{
    if (fabs(is - should) > part * fmax(fabs(should), 1e-9))
        fail_msg("%s is %g, not about %g", what, is, should);
}

static uint64_t sum(const uint64_t *counts, unsigned num)
{
    uint64_t all = 0;

    for (unsigned i = 0; i < num; i++)
        all += counts[i];
    return all;
}

/* What belongs together still does, as far as it is rounded. */
static void assert_adds_up(const run_result *r)
{
    uint64_t at_level = 0;

    assert_near((double)sum(r->counts.operations, OPERATIONS), (double)r->counts.instructions, 1e-3, "all operations");
    for (unsigned level = 0; level < 3; level++)
        at_level += sum(r->counts.at_level[level].operations, OPERATIONS);
    assert_near((double)at_level, (double)r->counts.instructions, 1e-3, "operations at all levels");
    assert_near((double)sum(r->counts.sm_ticks, 3), (double)r->counts.ticks, 1e-6, "time at all levels");
    assert_near(r->classes[0] + r->classes[1] + r->classes[2] + r->classes[3], 1, 1e-3, "all classes");
    assert_int_equal(r->kernels[0].instructions, r->counts.instructions);
    assert_int_equal(r->kernels[0].ctas, r->counts.ctas);
    assert_int_equal(r->kernels[0].cycles, r->counts.cycles);
}

/* How near: a policy that never decides differs from piece to piece. Over seeds 1 to 8, DYNCTA's classes are up to 2.5 % off. */
static void assert_like_the_whole(const run_result *is, const run_result *whole, double part)
{
    assert_int_equal(whole->left_out, 0);
    assert_int_equal(is->counts.instructions, whole->counts.instructions);
    assert_int_equal(is->counts.ctas, whole->counts.ctas);
    assert_near(is->seconds, whole->seconds, part, "time");
    assert_near(is->ipc, whole->ipc, part, "IPC");
    assert_near(is->mean_limit, whole->mean_limit, 0.03, "mean limit");
    assert_near(is->mean_resident, whole->mean_resident, 0.03, "CTAs");
    assert_near(is->classes[BALLAST_PS_ACTIVE], whole->classes[BALLAST_PS_ACTIVE], part, "active cycles");
    assert_near((double)is->counts.l1_misses, (double)whole->counts.l1_misses, part, "misses");
    assert_near((double)is->counts.memory.dram_lines, (double)whole->counts.memory.dram_lines, part, "lines from DRAM");
    assert_adds_up(is);
}

TEST(a_run_with_less_is_like_the_whole)
{
    static const struct {
        uint8_t policy, limit;
        int level;
        bool pairs;
        uint32_t piece; /* 0: PIECE. Those that never decide take samples of thousands of cycles */
    } cases[] = {{BALLAST_POLICY_STATIC, 0, BALLAST_VF_NORMAL, false, 0}, {BALLAST_POLICY_STATIC, 1, BALLAST_VF_NORMAL, false, 0},
                 {BALLAST_POLICY_STATIC, 3, BALLAST_VF_HIGH, false, 0},   {BALLAST_POLICY_STATIC, 0, BALLAST_VF_LOW, true, 0},
                 {BALLAST_POLICY_PERFSAT, 0, -1, false, 0},               {BALLAST_POLICY_LCS, 0, -1, false, 0},
                 {BALLAST_POLICY_DYNCTA, 0, -1, false, 16384},            {BALLAST_POLICY_EQUALIZER, 0, BALLAST_VF_NORMAL, false, 16384}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        run_request r = request_of(cases[i].policy, cases[i].limit);
        run_result whole, less;

        print_message("case %zu\n", i);
        r.sm_level = r.mem_level = cases[i].level;
        r.bcs = r.workload.is_2d = cases[i].pairs;
        r.workload.grid_x = cases[i].pairs ? 10 : 0;
        run(&r, 0, &whole);
        run(&r, cases[i].piece ? cases[i].piece : (uint32_t)PIECE, &less);
        assert_like_the_whole(&less, &whole, cases[i].piece ? 0.03 : 0.02);
        assert_in_range(less.left_out, cases[i].piece ? 0 : less.counts.cycles / 2, less.counts.cycles);
    }
}

/* Perf-Sat decides in the same cycle: up to there all is simulated. */
TEST(a_search_is_simulated)
{
    run_request r = request_of(BALLAST_POLICY_PERFSAT, 0);
    run_result whole, less;

    run(&r, 0, &whole);
    run(&r, (uint32_t)PIECE, &less);
    assert_true(whole.decided[0] && whole.decided[1]);
    assert_true(whole.settled > 3 * PIECE);
    assert_int_equal(less.settled, whole.settled);
    assert_memory_equal(less.limits, whole.limits, sizeof less.limits);
    assert_true(less.counts.cycles - less.left_out > whole.settled + 3 * PIECE);
    r.workload.ctas = 20; /* it never decides */
    run(&r, (uint32_t)PIECE, &less);
    assert_false(less.decided[0]);
    assert_int_equal(less.left_out, 0);
}

/* A piece lasts until two turns of CTAs have ended. */
TEST(few_ctas_are_all_simulated)
{
    run_request r = request_of(BALLAST_POLICY_STATIC, 0);
    run_result whole, less;

    r.workload.ctas = 8 * 7; /* eight are there at once */
    r.workload.insts = 5000;
    run(&r, 0, &whole);
    assert_true(whole.counts.cycles > 4 * PIECE);
    run(&r, (uint32_t)PIECE, &less);
    assert_memory_equal(&less, &whole, sizeof less);
}

TEST(launches_and_mixes_are_whole)
{
    run_request r = request_of(BALLAST_POLICY_STATIC, 0);
    run_result less;

    r.workload.launches = 2;
    run(&r, (uint32_t)PIECE, &less);
    assert_int_equal(less.left_out, 0);
    r.workload.launches = 1;
    r.mix.num_others = 1;
    r.mix.others[0] = r.workload;
    for (unsigned k = 0; k < 2; k++)
        kernel_mix_set_quota(&r.mix, k, 4);
    run(&r, (uint32_t)PIECE, &less);
    assert_int_equal(less.left_out, 0);
}

/* One kernel's CTAs stay for ever, the other one's come and go beside them. */
TEST(a_kernel_beside_one_that_stays)
{
    run_request r = request_of(BALLAST_POLICY_STATIC, 0);
    run_result whole, less;

    r.mix.num_others = 1;
    r.mix.background = 1;
    r.mix.mode = MCKE_LEFTOVER;
    r.mix.others[0] = r.workload;
    r.workload.ctas = 2;
    r.workload.insts = 1 << 24;
    for (unsigned k = 0; k < 2; k++)
        kernel_mix_set_quota(&r.mix, k, 4);
    run(&r, 0, &whole);
    run(&r, (uint32_t)PIECE, &less);
    assert_in_range(less.left_out, whole.counts.cycles / 2, whole.counts.cycles);
    assert_int_equal(less.kernels[1].instructions, whole.kernels[1].instructions);
    assert_int_equal(less.kernels[1].ctas, CTAS);
    assert_int_equal(less.kernels[1].first, whole.kernels[1].first);
    assert_near((double)less.kernels[1].cycles, (double)whole.kernels[1].cycles, 0.02, "the second kernel's time");
    assert_near((double)less.kernels[0].cycles, (double)whole.kernels[0].cycles, 0.02, "the first kernel's time");
    assert_near((double)less.counts.instructions, (double)whole.counts.instructions, 0.02, "instructions of both");
    assert_true(whole.kernels[1].finished && less.kernels[1].finished && !less.kernels[0].finished);
}

TEST(who_wants_to_see_all_ctas_does)
{
    loop_job job = {.request = request_of(BALLAST_POLICY_STATIC, 0)};
    char err[LOOP_ERR];
    run_result less;

    job.request.steady = (uint32_t)PIECE;
    job.ctas = tmpfile();
    assert_non_null(job.ctas);
    assert_true(loop_run_models(&job, NULL, &less, err));
    fclose(job.ctas);
    assert_int_equal(less.left_out, 0);
}

/* ---- what is not steady -------------------------------------------------------------- */

enum { END = 60000 };

/* What a controller made by hand does from a cycle on, one thing after the other. */
typedef struct drift {
    const char *name;
    unsigned limit_every, sm_level_every, mem_level_every; /* cycles; 0: never */
    double told_limit, told_ctas; /* with each cycle the measures grow by so much more */
    bool undecided;
    uint8_t policy;
} drift;

static uint64_t leap_of(const drift *d)
{
    const run_request request = request_of(BALLAST_POLICY_STATIC, 0);
    static sim_control control;
    static chip_governor_out out;
    chip_sim *sim = fixture_open(&request.machine, &request.workload, 1);
    const sm_obs *const *obs;
    run_watch watch;
    uint64_t at = 0;
    steady s;

    run_watch_begin(&watch, &request.machine);
    steady_open(&s, sim, &watch, &(run_request){.policy = d->policy, .steady = (uint32_t)PIECE});
    for (unsigned c = 0; c < END && !at; c++) {
        control.sm_level = d->sm_level_every && c / d->sm_level_every % 2 ? BALLAST_VF_HIGH : BALLAST_VF_NORMAL;
        control.mem_level = d->mem_level_every && c / d->mem_level_every % 2 ? BALLAST_VF_HIGH : BALLAST_VF_NORMAL;
        for (unsigned i = 0; i < request.machine.sms; i++) {
            out.sm[i] = (chip_governor_sm_out){.limit = d->limit_every && c / d->limit_every % 2 ? 1 : 4, .req = 1, .done = !d->undecided};
            control.sm[i] = (sm_control){.req = true, .limit = out.sm[i].limit};
        }
        obs = sim_step(sim, &control);
        if (!obs)
            break;
        run_watch_cycle(&watch, obs, &out);
        watch.limit += d->told_limit * c;
        watch.resident += d->told_ctas * c;
        assert_null(steady_tap(&s).cycle(&s, c, obs, &out));
        at = sim_left_out(sim) ? c : 0;
    }
    sim_close(sim);
    return at;
}

TEST(what_changes_is_not_steady)
{
    static const drift none = {.name = "nothing"}, never = {.name = "never decides", .undecided = true, .policy = BALLAST_POLICY_EQUALIZER}, drifts[] = {
        {.name = "limit", .limit_every = 3200}, {.name = "SM level", .sm_level_every = 3200},
        {.name = "memory level", .mem_level_every = 3200}, {.name = "told limit", .told_limit = 0.001},
        {.name = "told CTAs", .told_ctas = 0.001}, {.name = "what has not decided", .undecided = true, .policy = BALLAST_POLICY_LCS}};
    const uint64_t first = leap_of(&none);

    assert_in_range(first, 3 * PIECE, END);
    assert_int_equal(leap_of(&never), first);
    for (size_t i = 0; i < sizeof drifts / sizeof drifts[0]; i++)
        if (leap_of(&drifts[i]))
            fail_msg("%s changes, and CTAs are left out", drifts[i].name);
}

/* ---- the dispatcher ------------------------------------------------------------------ */

TEST(a_leap_of_pairs_is_in_whole_rows)
{
    const machine m = fixture_machine();
    uint32_t first;
    dispatcher d;

    dispatcher_open(&d, &m);
    d.state.left = 105;
    d.state.cta = 30;
    assert_int_equal(dispatcher_leap(&d, 4, &first), 101);
    assert_int_equal(first, 30);
    assert_int_equal(d.state.left, 4);
    assert_int_equal(d.state.cta, 131);
    assert_int_equal(dispatcher_leap(&d, 4, &first), 0);
    assert_int_equal(dispatcher_leap(&d, 5, &first), 0);
    d.state.left = 105;
    d.state.bcs.on = 1;
    d.in.width = 7;
    assert_int_equal(dispatcher_leap(&d, 4, &first), 98);
    d.state.left = 105;
    d.in.width = 0;
    assert_int_equal(dispatcher_leap(&d, 4, &first), 100);
}
