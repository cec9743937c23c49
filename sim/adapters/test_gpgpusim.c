/* SPDX-License-Identifier: Apache-2.0
 *
 * The adapter for GPGPU-Sim in a closed loop: the activity simulator, which speaks through GPGPU-Sim's names (adapters/gpgpusim), gets the
 * same decisions in every cycle as it gets from the governors on its own buses.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adapters/foreign_fixture.h"
#include "adapters/gpgpusim/standin_bench.h"
#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"
#include "gpu/governed.h"
#include "recording/trace.h"
#include "replay/scratch_fixture.h"
#include "sm/stall_classifier.h"

enum { CUT = 20000, PATH = 500 };

static const char *const variables[] = {"BALLAST_POLICY", "BALLAST_LIMIT", "BALLAST_MODE", "BALLAST_DYNCTA", "BALLAST_CHECK",
                                        "BALLAST_RECORD", "BALLAST_RECORD_SMS", "BALLAST_LOG"};
static char dir[400];

static int set_up(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof variables / sizeof variables[0]; i++)
        unsetenv(variables[i]);
    scratch_make(dir, sizeof dir);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    standin_close();
    return scratch_remove(dir);
}

#define ADAPTER_TEST(name) TEST_BETWEEN(name, set_up, tear_down)

/* ---- the activity simulator, through GPGPU-Sim's names ---------------------------------- */

typedef struct spoken {
    chip_sim *sim;
    sim_control control;
    const sm_obs *const *obs;
    unsigned launches, warps_per_cta;
    uint64_t seed;
} spoken;

static void open_spoken(spoken *s, const machine *m, const workload *w)
{
    const standin_machine lab = {m->sms, m->warps, m->slots, m->schedulers, 1, false};

    memset(s, 0, sizeof *s);
    s->sim = fixture_open(m, w, 1);
    s->control.sm_level = s->control.mem_level = BALLAST_VF_NORMAL;
    s->seed = 1;
    standin_open(&lab);
}

/* The dispatcher asks for the first time, and gets nothing yet. */
static void ask_for_kernel(spoken *s)
{
    const ballast_kernel_desc *desc = &s->obs[0]->setup->kernel;
    const standin_kernel k = {
        .uid = ++s->launches,
        .name = "a kernel, as \"mangled\"",
        .grid = {desc->grid_x ? desc->grid_x : desc->grid_ctas, desc->grid_x ? desc->grid_ctas / desc->grid_x : 1, 1},
        .block = {desc->threads_per_cta, 1, 1},
        .fit = desc->nmax,
        .regs = desc->regs_per_thread,
        .smem = (int)desc->smem_per_cta,
    };

    s->warps_per_cta = desc->warps_per_cta;
    standin_set_kernel(0, &k);
    for (unsigned i = 0; i < sim_machine(s->sim)->sms; i++)
        assert_false(standin_asks(i, 0));
}

static void speak_ctas(spoken *s, unsigned sm)
{
    const sm_obs *obs = s->obs[sm];
    uint32_t cta = 0;

    for (unsigned slot = 0; slot < BALLAST_MAX_SLOTS; slot++) {
        if (obs->cta_done >> slot & 1)
            standin_finished(sm, slot);
        if (!(obs->cta_start >> slot & 1))
            continue;
        assert_true(standin_asks(sm, 0));
        sim_cta_in(s->sim, sm, slot, &cta);
        standin_started(sm, 0, slot, cta);
    }
}

static void speak_warps(spoken *s, unsigned sm)
{
    uint8_t states[BALLAST_MAX_WARPS];

    for (unsigned w = 0; w < BALLAST_MAX_WARPS; w++)
        states[w] = (uint8_t)sm_obs_warp_state(s->obs[sm], w);
    standin_schedule(sm, states, &s->seed);
}

static uint8_t level_of(double period)
{
    return period > 1 ? BALLAST_VF_LOW : period < 1 ? BALLAST_VF_HIGH : BALLAST_VF_NORMAL;
}

static uint32_t paused_slots(const spoken *s, unsigned sm)
{
    const ballast_client_decision d = standin_decision(sm);
    uint32_t slots = 0;

    for (unsigned slot = 0; (slot + 1) * s->warps_per_cta <= sim_machine(s->sim)->warps && slot < BALLAST_MAX_SLOTS; slot++)
        slots |= (uint32_t)standin_paused(sm, slot * s->warps_per_cta) << slot;
    return d.pause_soft ? d.paused_ctas : slots;
}

static void obey(spoken *s)
{
    s->control.sm_level = level_of(standin_period(false));
    s->control.mem_level = level_of(standin_period(true));
    for (unsigned i = 0; i < sim_machine(s->sim)->sms; i++) {
        const ballast_client_decision d = standin_decision(i);

        s->control.sm[i] = (sm_control){.req = standin_asks(i, 0), .limit = (uint8_t)d.limit, .paused = paused_slots(s, i), .soft = d.pause_soft};
    }
}

static bool step_spoken(spoken *s)
{
    s->obs = sim_step(s->sim, &s->control);
    if (!s->obs)
        return false;
    for (unsigned i = 0; i < sim_machine(s->sim)->sms; i++)
        speak_warps(s, i);
    for (unsigned i = 0; i < sim_machine(s->sim)->sms; i++)
        speak_ctas(s, i);
    if (s->obs[0]->kernel_start)
        ask_for_kernel(s);
    standin_cycle_end();
    obey(s);
    assert_string_equal(standin_fault(), "");
    return true;
}

static void close_spoken(spoken *s)
{
    standin_close();
    sim_close(s->sim);
}

/* ---- beside the governors on the simulator's own buses ---------------------------------- */

typedef struct foreign_world {
    machine machine;
    workload workload;
} foreign_world;

typedef struct seen {
    uint64_t cycles, limits, pauses, soft, levels, denials;
} seen;

static void note(seen *sum, const governed *g, const chip_governor_out *before, const sm_obs *const *obs)
{
    sum->cycles++;
    sum->levels += g->out.sm_level != before->sm_level || g->out.mem_level != before->mem_level;
    for (unsigned i = 0; i < g->cfg.num_sms; i++) {
        sum->limits += g->out.sm[i].limit != before->sm[i].limit;
        sum->pauses += g->out.sm[i].cta_paused != 0;
        sum->soft += g->out.sm[i].pause_soft && g->out.sm[i].cta_paused;
        sum->denials += obs[i]->cta_denied;
    }
}

static void compare_cycle(const governed *g, const spoken *s, const sm_obs *const *obs, uint64_t cycle)
{
    for (unsigned i = 0; i < g->cfg.num_sms; i++) {
        const chip_governor_sm_out *want = &g->out.sm[i];
        const ballast_client_decision got = standin_decision(i);

        if (!sm_obs_equal(obs[i], s->obs[i]))
            fail_msg("cycle %llu, SM %u: the two simulators do not do the same", (unsigned long long)cycle, i);
        if (want->limit != got.limit || want->cta_paused != got.paused_ctas || want->pause_soft != got.pause_soft || want->done != got.done ||
            want->req != (got.may_launch > 0))
            fail_msg("cycle %llu, SM %u: limit %u, paused %x, request %u; the adapter has %u, %x, %u", (unsigned long long)cycle, i, want->limit,
                     want->cta_paused, want->req, got.limit, got.paused_ctas, got.may_launch);
    }
}

static void compare_loops(const foreign_world *world, unsigned policy, unsigned mode, seen *sum)
{
    governed *g = malloc(sizeof *g);
    spoken *s = malloc(sizeof *s);
    chip_governor_out *before = calloc(1, sizeof *before);

    assert_true(g && s && before);
    governed_open(g, fixture_open(&world->machine, &world->workload, 1));
    g->in.policy = (uint8_t)policy;
    g->in.mode = (uint8_t)mode;
    open_spoken(s, &world->machine, &world->workload);
    for (uint64_t cycle = 0; cycle < CUT; cycle++) {
        const sm_obs *const *obs;
        bool goes_on;

        *before = g->out;
        obs = governed_step(g);
        goes_on = step_spoken(s);
        assert_int_equal(goes_on, obs != NULL);
        if (!obs)
            break;
        compare_cycle(g, s, obs, cycle);
        note(sum, g, before, obs);
    }
    close_spoken(s);
    sim_close(g->sim);
    free(before);
    free(s);
    free(g);
}

static machine few(const char *name, unsigned sms)
{
    machine m = *machine_find(name);

    m.sms = sms;
    return m;
}

static workload many(workload w, unsigned ctas)
{
    w.ctas = ctas;
    return w;
}

static seen compare_policy(const char *name, unsigned policy, const char *mode)
{
    workload brief = foreign_grid_2d();
    seen sum = {0};

    brief.ctas = 16;
    brief.insts = 60;
    const foreign_world all[] = {
        {foreign_machine(), foreign_streaming()},
        {foreign_machine(), foreign_thrashing()},
        {foreign_machine(), brief},
        {few("fermi", 3), many(foreign_thrashing(), 200)},
        {few("hopper", 2), many(foreign_thrashing(), 300)},
    };

    setenv("BALLAST_POLICY", name, 1);
    setenv("BALLAST_MODE", mode, 1);
    for (unsigned w = 0; w < sizeof all / sizeof all[0]; w++)
        compare_loops(&all[w], policy, strcmp(mode, "energy") ? BALLAST_VF_PERFORMANCE : BALLAST_VF_ENERGY, &sum);
    return sum;
}

ADAPTER_TEST(a_chip_under_static)
{
    const seen s = compare_policy("static", BALLAST_POLICY_STATIC, "performance");

    assert_true(s.limits > 0 && s.denials > 0);
    assert_int_equal(s.pauses, 0);
}

ADAPTER_TEST(a_chip_under_perfsat)
{
    assert_true(compare_policy("perfsat", BALLAST_POLICY_PERFSAT, "performance").limits > 4);
}

ADAPTER_TEST(a_chip_under_lcs)
{
    assert_true(compare_policy("lcs", BALLAST_POLICY_LCS, "performance").limits > 4);
}

/* The levels, too: the simulator's clocks are what ballast_core_period and ballast_memory_period make of them. */
ADAPTER_TEST(a_chip_under_equalizer)
{
    const seen s = compare_policy("equalizer", BALLAST_POLICY_EQUALIZER, "performance"), e = compare_policy("equalizer", BALLAST_POLICY_EQUALIZER, "energy");

    assert_true(s.limits > 0 && s.pauses > 0 && s.levels > 0 && e.levels > 0 && s.denials > 0);
    assert_int_equal(s.soft, 0);
}

ADAPTER_TEST(a_chip_under_dyncta)
{
    const seen s = compare_policy("dyncta", BALLAST_POLICY_DYNCTA, "performance");

    assert_true(s.limits > 20 && s.soft > 0);
}

/* ---- the environment ---------------------------------------------------------------------- */

static const standin_machine lab = {2, 48, 8, 2, 2, false};
static const standin_kernel plain = {1, "plain", {9, 1, 1}, {64, 1, 1}, 4, 10, 0};

static void open_lab(void)
{
    standin_open(&lab);
    standin_set_kernel(0, &plain);
}

static void idle(unsigned cycles)
{
    while (cycles--)
        standin_cycle_end();
}

ADAPTER_TEST(without_a_policy_nothing_is_governed)
{
    open_lab();
    for (unsigned slot = 0; slot < 8; slot++) {
        assert_true(standin_asks(0, 0));
        standin_started(0, 0, slot, slot);
    }
    idle(3);
    assert_false(standin_paused(0, 0));
    assert_int_equal(standin_decision(0).may_launch, 0);
    assert_true(standin_period(false) == 1 && standin_period(true) == 1);
    standin_finished(0, 0);
}

ADAPTER_TEST(a_static_limit)
{
    unsigned ctas = 0;

    setenv("BALLAST_POLICY", "static", 1);
    setenv("BALLAST_LIMIT", "3", 1);
    setenv("BALLAST_LOG", scratch_path(dir, "log"), 1);
    open_lab();
    assert_false(standin_asks(0, 0)); /* the kernel begins */
    idle(2);
    while (ctas < 8 && standin_asks(0, 0)) {
        standin_started(0, 0, ctas, ctas);
        ctas++;
    }
    assert_int_equal(ctas, 3); /* also in one and the same cycle */
    idle(1);
    assert_false(standin_asks(0, 0));
    standin_finished(0, 1);
    idle(2);
    assert_true(standin_asks(0, 0));
    standin_close();
    char *log = scratch_slurp(scratch_path(dir, "log"));
    assert_string_equal(log, "1 0 3\n1 1 3\n");
    free(log);
}

/* The program ends with 2: nobody wants to wait for another policy than the one that was meant. */
static void expect_refusal(const char *variable, const char *value, bool concurrent)
{
    standin_machine m = lab;
    const pid_t child = fork();
    int status = 0;

    m.concurrent = concurrent;
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr))
            _exit(9);
        setenv("BALLAST_POLICY", "static", 1);
        setenv(variable, value, 1);
        standin_open(&m);
        standin_set_kernel(0, &plain);
        standin_asks(0, 0);
        _exit(0);
    }
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) != 2)
        fail_msg("%s=%s ends with %d", variable, value, WEXITSTATUS(status));
}

ADAPTER_TEST(what_cannot_be_ends_the_program)
{
    expect_refusal("BALLAST_POLICY", "perf-sat", false);
    expect_refusal("BALLAST_MODE", "", false);
    expect_refusal("BALLAST_LIMIT", "3x", false);
    expect_refusal("BALLAST_LIMIT", "-1", false);
    expect_refusal("BALLAST_LIMIT", "9", false); /* there are 8 slots */
    expect_refusal("BALLAST_LIMIT", "1,2", false);
    expect_refusal("BALLAST_DYNCTA", "1,2", false);
    expect_refusal("BALLAST_CHECK", "yes", false);
    expect_refusal("BALLAST_RECORD", "/nowhere/at/all", false);
    expect_refusal("BALLAST_LOG", "/nowhere/at/all", false);
    expect_refusal("BALLAST_POLICY", "static", true);
}

/* ---- kernels -------------------------------------------------------------------------------- */

/* A kernel of another stream begins on SM 1 while SM 0 still has the one before; SM 0 follows when it is empty. */
ADAPTER_TEST(a_kernel_may_begin_while_another_ends)
{
    standin_kernel second = plain;

    second.uid = 7;
    setenv("BALLAST_POLICY", "static", 1);
    open_lab();
    standin_set_kernel(1, &second);
    assert_false(standin_asks(0, 0));
    idle(2);
    assert_true(standin_asks(0, 0));
    standin_started(0, 0, 0, 0);
    idle(1);
    assert_false(standin_asks(1, 1));
    assert_false(standin_asks(0, 1)); /* it holds a CTA of the first */
    idle(2);
    assert_true(standin_asks(1, 1));
    assert_true(standin_asks(0, 0));
    standin_started(1, 1, 0, 0);
    standin_finished(0, 0);
    idle(1);
    assert_false(standin_asks(0, 1)); /* it begins here, too */
    idle(2);
    assert_true(standin_asks(0, 1));
    standin_started(0, 1, 3, 1);
    idle(1);
    standin_finished(0, 3);
    standin_finished(1, 0);
    idle(1);
}

/* Cycles until the limit of SM 0 is `limit`, while its first warps do `state`. */
static unsigned wait_for_limit(unsigned limit, unsigned state, unsigned warps)
{
    uint8_t states[BALLAST_MAX_WARPS] = {0};
    uint64_t seed = 1;

    memset(states, (int)state, warps);
    for (unsigned cycle = 0; cycle < 80000; cycle++) {
        if (standin_decision(0).limit == limit)
            return cycle;
        standin_schedule(0, states, &seed);
        idle(1);
    }
    fail_msg("the limit does not become %u", limit);
    return 0;
}

/* Equalizer takes back an increase for which the grid has no CTA. */
ADAPTER_TEST(an_empty_grid_is_a_denial)
{
    standin_kernel two = plain;

    two.grid[0] = 2;
    setenv("BALLAST_POLICY", "equalizer", 1);
    open_lab();
    standin_set_kernel(0, &two);
    standin_asks(0, 0);
    idle(2);
    for (unsigned slot = 0; slot < 2; slot++)
        standin_started(0, 0, slot, slot);
    idle(1);
    wait_for_limit(1, BALLAST_WARP_MEM_BLOCKED, 4);
    standin_finished(0, 1);
    idle(1);
    wait_for_limit(2, BALLAST_WARP_WAIT_ALU, 2);
    assert_true(wait_for_limit(1, BALLAST_WARP_WAIT_ALU, 2) < 10);
}

/* ---- a recording ------------------------------------------------------------------------------ */

/* Cycles of SM 1 with a CTA: the class, as the schedulers counted it, is the classifier's, and the states are the simulator's own. */
static unsigned agreeing(trace_reader *r, const machine *m, const workload *load)
{
    governed *g = malloc(sizeof *g);
    stall_classifier_cfg cfg = stall_classifier_cfg_default();
    trace_err err = {.text = ""};
    unsigned agree = 0;
    const sm_obs *obs;

    assert_non_null(g);
    governed_open(g, fixture_open(m, load, 1));
    cfg.num_warps = m->warps;
    while ((obs = trace_next(r, &err))) {
        const sm_obs *const *own = governed_step(g);
        const stall_classifier_in in = {obs->ws[0], obs->ws[1], obs->ws[2], obs->ws[3], obs->paused};
        stall_classifier_out out;
        uint8_t class;

        out = stall_classifier_of(&cfg, &in);
        assert_true(trace_recorded_class(r, &class, &err));
        assert_non_null(own);
        for (unsigned w = 0; w < m->warps; w++)
            if (sm_obs_warp_state(obs, w) != sm_obs_warp_state(own[1], w))
                fail_msg("warp %u: the adapter says state %u, and it is %u", w, sm_obs_warp_state(obs, w), sm_obs_warp_state(own[1], w));
        if (!obs->cta_active)
            continue;
        assert_int_equal(class, out.ps_class);
        agree++;
    }
    sim_close(g->sim);
    free(g);
    return agree;
}

ADAPTER_TEST(a_recording_agrees)
{
    const machine m = foreign_machine();
    const workload w = many(foreign_thrashing(), 20);
    char path[PATH];
    trace_err err = {.text = ""};
    trace_reader *r;
    spoken s;

    setenv("BALLAST_RECORD", dir, 1);
    setenv("BALLAST_RECORD_SMS", "1", 1);
    open_spoken(&s, &m, &w);
    while (step_spoken(&s)) {
    }
    close_spoken(&s);
    snprintf(path, sizeof path, "%s/imported.blt", dir);
    foreign_import(&m, dir, path);
    r = trace_open(path, NULL, &err);
    assert_non_null(r);
    assert_int_equal(trace_num_sms(r), 1);
    assert_int_equal(trace_get_sm(r, 0)->sm, 1);
    assert_true(agreeing(r, &m, &w) > 1000);
    trace_close(r);
}

/* ---- more than one instruction of a warp in a cycle --------------------------------------------- */

/* Low half of byte 8 of each record of cyc.bin: the state of warp 0. */
static void expect_states(const char *want)
{
    FILE *f = fopen(scratch_path(dir, "cyc.bin"), "rb");
    uint8_t record[32];
    char found[20] = "";

    assert_non_null(f);
    while (fread(record, sizeof record, 1, f) == 1)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%x", record[8] & 15u);
    fclose(f);
    assert_string_equal(found, want);
}

/* The second one is told of the next cycle in which the warp does not issue, and of none after its CTA. */
ADAPTER_TEST(a_second_instruction_is_told_later)
{
    static const uint8_t states[][48] = {{9}, {10}, {3}, {9}, {3}, {2}, {9}};
    uint64_t seed = 1;

    setenv("BALLAST_RECORD", dir, 1);
    setenv("BALLAST_RECORD_SMS", "0", 1);
    open_lab();
    standin_asks(0, 0);
    idle(2);
    standin_started(0, 0, 0, 0);
    idle(1);
    for (unsigned i = 0; i < sizeof states / sizeof states[0]; i++) {
        standin_schedule(0, states[i], &seed);
        if (i == 0 || i == 3 || i == 6)
            standin_issues_again(0, 0, i == 0);
        if (i == 6)
            standin_finished(0, 0);
        idle(1);
    }
    standin_started(0, 0, 0, 1);
    for (unsigned i = 0; i < 3; i++) {
        idle(1);
        standin_schedule(0, states[5], &seed);
    }
    standin_finished(0, 0);
    idle(1);
    standin_close();
    assert_string_equal(standin_fault(), "");
    expect_states("09aa9929" "0222");
}
