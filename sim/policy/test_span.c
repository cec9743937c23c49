/* SPDX-License-Identifier: Apache-2.0
 *
 * Spans that are taken at once, against the steps of the model: random buses, parameters and settings; counters that are about to be full.
 */
#include <stdio.h>
#include <string.h>

#include "engine/lockstep.h"
#include "engine/random.h"
#include "engine/suite_fixture.h"
#include "policy/span.h"
#include "sm/scout.h"
#include "sm/sm_governor.h"

/* Between two spans, one cycle in EVENTS has pulses: rarer ones, or longer spans, and the runs end before a kernel has come. */
enum { CYCLES = 6000, RUNS = 40, LONGEST = 100, EVENTS = 4 };

/* A model, and what its cycles are made from. */
static struct world {
    uint64_t seed;
    const block_model *model;
    const span_model *span;
    stall_classifier_cfg classifier;
    lockstep_values cfg, in, out, state;
    port_list ports;
    unsigned issue_width, slots;
    sm_obs obs;
    sm_setup setup;
    uint64_t leapt, stepped;
    unsigned wanted; /* spans of which something was wanted */
} w;

/* ---- the bus -------------------------------------------------------------------------------- */

/* Warps that issue, wait and stall; what issues is no more than there are lanes. */
static void draw_warps(void)
{
    const unsigned kind = random_below(&w.seed, 4);
    unsigned issued = 0;

    for (unsigned warp = 0; warp < 16; warp++) {
        unsigned state = kind == 0 ? BALLAST_WARP_WAIT_MEM : kind == 1 ? 0 : random_below(&w.seed, BALLAST_WARP_STATES);

        if (state >= BALLAST_WARP_ISSUED_ALU && ++issued > w.issue_width)
            state = BALLAST_WARP_ALU_LOST;
        sm_obs_set_warp_state(&w.obs, warp, state);
    }
    w.obs.paused = random_one_in(&w.seed, 3) ? random_next(&w.seed) : 0;
}

/* No pulses: the CTAs stay. */
static void draw_quiet(void)
{
    w.obs.cta_active &= ~w.obs.cta_done;
    w.obs.cta_start = w.obs.cta_done = 0;
    w.obs.kernel_start = w.obs.cta_denied = 0;
    if (random_one_in(&w.seed, 2))
        draw_warps();
}

static void draw_event(void)
{
    draw_quiet();
    w.obs.cta_start = random_set(&w.seed, w.slots, 6) & ~w.obs.cta_active;
    w.obs.cta_active |= w.obs.cta_start;
    w.obs.cta_done = random_one_in(&w.seed, 3) ? random_set(&w.seed, w.slots, 6) & w.obs.cta_active : 0;
    w.obs.kernel_start = random_one_in(&w.seed, 12);
    w.obs.cta_denied = random_one_in(&w.seed, 4);
    w.setup.kernel.nmax = (uint8_t)random_below(&w.seed, w.slots + 1);
    w.setup.kernel.warps_per_cta = (uint8_t)(1 + random_below(&w.seed, 8));
    for (unsigned warp = 0; warp < BALLAST_MAX_WARPS; warp++)
        w.setup.warp_slot[warp] = (uint8_t)random_below(&w.seed, w.slots + 1); /* also one that is none */
}

/* ---- cycles --------------------------------------------------------------------------------- */

static bool step(const lockstep_values *before)
{
    const sm_obs *bus = &w.obs;

    w.stepped++;
    return w.model->cycle(before, &w.state, &w.cfg, &bus, NULL, &w.in, &w.out);
}

static void add_cycle(span_sums *sums)
{
    const stall_classifier_in in = {w.obs.ws[0], w.obs.ws[1], w.obs.ws[2], w.obs.ws[3], w.obs.paused};
    const unsigned issued = (unsigned)__builtin_popcountll(sm_obs_issued(&w.obs));
    const stall_classifier_out class = stall_classifier_of(&w.classifier, &in);
    stall_classifier_out before;

    stall_classifier_step(&sums->last, &w.classifier, &in, &before);
    sums->cycles++;
    sums->stalled += class.ps_class == BALLAST_PS_SCOREBOARD || class.ps_class == BALLAST_PS_PIPELINE;
    sums->idle += class.lcs_class == BALLAST_LCS_IDLE;
    sums->mem += class.lcs_class == BALLAST_LCS_MEM_STALL;
    sums->last_lanes = issued < w.issue_width ? issued : w.issue_width;
    sums->lanes += sums->last_lanes;
    if (w.span->slots)
        w.span->slots(&w.cfg, &w.obs, 1, sums);
}

static void assert_same(const lockstep_values *leapt)
{
    for (unsigned p = 0; p < w.ports.num; p++) {
        const block_port *port = &w.ports.ports[p];

        if (port->kind == PORT_REG && block_port_get(port, leapt) != block_port_get(port, &w.state))
            fail_msg("%s is %llu after the span, %llu after its steps", port->name, (unsigned long long)block_port_get(port, leapt),
                     (unsigned long long)block_port_get(port, &w.state));
    }
}

/* What is not wanted of a span must not matter. */
static void forget_unwanted(span_sums *sums, unsigned wants)
{
    const uint32_t junk = 0x5a5a5a5a;

    if (!(wants & SPAN_STALLED))
        sums->stalled = junk;
    if (!(wants & SPAN_CLASSES))
        sums->idle = sums->mem = junk;
    if (!(wants & SPAN_LANES))
        sums->lanes = sums->last_lanes = junk;
    for (unsigned slot = 0; !(wants & SPAN_SLOTS) && slot < BALLAST_MAX_SLOTS; slot++)
        sums->slots[slot] = sums->last_slots[slot] = junk;
}

/* A cycle of a span that looks at warps; before it, so many went by unseen. Returns how many have, after it. */
static uint32_t watch(lockstep_values *leapt, uint32_t unseen)
{
    if (unseen < w.span->blind(leapt, &w.cfg))
        return unseen + 1;
    w.span->look(leapt, &w.cfg, NULL, unseen);
    w.span->look(leapt, &w.cfg, &w.obs, 1);
    return 0;
}

/* After a cycle that did nothing but count: as many as the length allows, or some fewer. */
static void leap(void)
{
    const uint32_t length = w.span->length(&w.state, &w.cfg, &w.in), most = length < LONGEST ? length : LONGEST;
    const uint32_t n = most && random_one_in(&w.seed, 2) ? 1 + random_below(&w.seed, most) : most;
    const unsigned wants = w.span->wants(&w.state, &w.in);
    const lockstep_values out = w.out, in = w.in;
    lockstep_values leapt = w.state, before;
    span_sums sums = {.cycles = 0};
    uint32_t unseen = 0;

    for (uint32_t i = 0; i < n; i++) {
        draw_quiet();
        add_cycle(&sums);
        if (wants & SPAN_WARPS)
            unseen = watch(&leapt, unseen);
        before = w.state;
        assert_false(step(&before));
        assert_memory_equal(&w.out, &out, w.model->sizes(&w.cfg).out);
    }
    if (wants & SPAN_WARPS)
        w.span->look(&leapt, &w.cfg, NULL, unseen);
    forget_unwanted(&sums, wants);
    w.span->pass(&leapt, &w.cfg, &in, &sums);
    assert_same(&leapt);
    w.leapt += n;
    w.wanted += wants && n;
}

static void run(void)
{
    bool quiet = false;

    while (w.stepped < CYCLES) {
        lockstep_values before;
        bool pulse;

        if (quiet)
            leap();
        if (random_one_in(&w.seed, EVENTS))
            draw_event();
        else
            draw_quiet();
        pulse = w.obs.kernel_start || w.obs.cta_start || w.obs.cta_done || w.obs.cta_denied;
        before = w.state;
        step(&before);
        quiet = !pulse && w.span->length(&before, &w.cfg, &w.in) && w.span->rests(&before, &w.state);
    }
}

/* ---- models --------------------------------------------------------------------------------- */

static void begin(const char *name, uint64_t seed)
{
    char bad[64];

    memset(&w, 0, sizeof w);
    w.seed = seed * UINT64_C(0x9e3779b97f4a7c15); /* the first numbers of small seeds are alike */
    w.model = block_find(name)->model;
    w.span = span_find(name);
    assert_true(w.model && w.span);
    w.model->configure(&w.cfg, "", bad, sizeof bad);
    assert_string_equal(bad, "");
    w.model->list_ports(&w.cfg, &w.ports);
    w.model->reset(&w.state, &w.cfg);
    w.model->defaults(&w.in);
    w.obs.setup = &w.setup;
    w.classifier = stall_classifier_cfg_default();
}

static void end(void)
{
    port_list_free(&w.ports);
}

/* Short periods, narrow counters, every way to choose. */
static void draw_governor(uint8_t policy)
{
    sm_governor_cfg *cfg = (sm_governor_cfg *)&w.cfg;
    sm_governor_in *in = (sm_governor_in *)&w.in;

    in->policy = policy;
    in->lcs_listen = random_one_in(&w.seed, 5);
    in->lcs_bcast_valid = random_one_in(&w.seed, 2);
    in->lcs_bcast_limit = 2;
    in->t_idle = random_below(&w.seed, 8);
    in->t_mem_l = random_below(&w.seed, 8);
    in->t_mem_h = 8 + random_below(&w.seed, 8);
    in->static_limit = (uint8_t)random_below(&w.seed, 4);
    in->scout_limit = (uint8_t)random_below(&w.seed, 4);
    cfg->num_warps = 16;
    cfg->num_slots = 3 + random_below(&w.seed, 6);
    cfg->issue_width = 1 + random_below(&w.seed, 4);
    cfg->count_w = 4 + random_below(&w.seed, random_one_in(&w.seed, 2) ? 2 : 12);
    cfg->lcs.count_w = 5 + random_below(&w.seed, random_one_in(&w.seed, 2) ? 2 : 12);
    cfg->counters.epoch = 16u << random_below(&w.seed, 5);
    cfg->counters.sample_interval = 2u << random_below(&w.seed, 3);
    cfg->counters.sample_phase = random_below(&w.seed, cfg->counters.sample_interval);
    cfg->counters.sample_cycles = 1u << random_below(&w.seed, 4);
    if (cfg->counters.sample_cycles > cfg->counters.sample_interval)
        cfg->counters.sample_cycles = cfg->counters.sample_interval;
    cfg->dyncta.period = 2 + random_below(&w.seed, 60);
    cfg->perfsat.settle = random_below(&w.seed, 3);
    cfg->lcs.throttle = random_below(&w.seed, 2);
    sm_governor_cfg_derive(cfg);
    w.classifier = cfg->classifier;
    w.issue_width = cfg->issue_width;
    w.slots = cfg->num_slots;
}

static void draw_scout(bool enable)
{
    scout_cfg *cfg = (scout_cfg *)&w.cfg;

    cfg->issue_width = 1 + random_below(&w.seed, 4);
    cfg->slice = 8u << random_below(&w.seed, 5);
    cfg->window = 2u << random_below(&w.seed, 2);
    ((scout_in *)&w.in)->enable = enable;
    w.issue_width = cfg->issue_width;
    w.slots = cfg->num_slots;
}

TEST(the_governor_counts_as_its_steps_do)
{
    uint64_t leapt[BALLAST_POLICIES] = {0};
    unsigned wanted[BALLAST_POLICIES] = {0};

    for (unsigned n = 0; n < RUNS * BALLAST_POLICIES; n++) {
        begin("sm_governor", n + 1);
        draw_governor((uint8_t)(n % BALLAST_POLICIES));
        run();
        leapt[n % BALLAST_POLICIES] += w.leapt;
        wanted[n % BALLAST_POLICIES] += w.wanted;
        end();
    }
    for (unsigned p = 0; p < BALLAST_POLICIES; p++)
        assert_true(leapt[p] > CYCLES); /* there was something to compare */
    assert_true(wanted[BALLAST_POLICY_PERFSAT] > 2 * RUNS && wanted[BALLAST_POLICY_LCS] > 2 * RUNS && wanted[BALLAST_POLICY_DYNCTA] > 2 * RUNS);
}

TEST(the_search_counts_as_its_steps_do)
{
    uint64_t leapt = 0;

    for (unsigned n = 0; n < RUNS; n++) {
        begin("scout", n + 1);
        draw_scout(n % 8 != 0);
        run();
        leapt += w.leapt;
        end();
    }
    assert_true(leapt > CYCLES);
}

TEST(of_other_blocks_there_are_no_spans)
{
    assert_null(span_find("perfsat"));
}
