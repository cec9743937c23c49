/* SPDX-License-Identifier: Apache-2.0
 *
 * What each part of the governor gets in every cycle, and what becomes of what it says, sentence by sentence of
 * doc/blocks/sm_governor.md. The parts themselves are taken as they are: their reference models say what they make of these
 * inputs. On the model and on the RTL.
 */
#include "engine/random.h"
#include "engine/random_bus.h"
#include "blocks/sm_governor/bench.h"
#include "blocks/sm_governor/invariant.h"

enum { CYCLES = 20000 };

/* What the parts say in a cycle. */
typedef struct said {
    stall_classifier_out classes;
    perfsat_out perfsat;
    lcs_out lcs;
    eq_counters_out counters;
    eq_decision_out decision;
    dyncta_out dyncta;
    cta_throttle_out throttle;
} said;

static unsigned known(unsigned code)
{
    return code < BALLAST_POLICIES ? code : BALLAST_POLICY_STATIC;
}

/* The policy whose block is enabled: at a kernel start already the new kernel's. */
static unsigned selected(const bench *b)
{
    return b->seen.kernel_start ? known(b->seen.policy) : b->before.policy;
}

/* ---- the parts --------------------------------------------------------------------------- */

static void classify(const bench *b, said *s, stall_classifier_state *next)
{
    const sm_governor_in *in = &b->seen;

    stall_classifier_step(next, &config(b)->classifier,
                          &(stall_classifier_in){.ws0 = in->ws0, .ws1 = in->ws1, .ws2 = in->ws2, .ws3 = in->ws3,
                                                 .paused = in->paused},
                          &s->classes);
}

/* Perf-Sat sees the class of the cycle before, and all CTAs. */
static void step_perfsat(const bench *b, said *s, perfsat_state *next)
{
    const sm_governor_in *in = &b->seen;

    perfsat_step(next, &config(b)->perfsat,
                 &(perfsat_in){.enable = selected(b) == BALLAST_POLICY_PERFSAT, .kernel_start = in->kernel_start, .nmax = in->nmax,
                               .ps_class = s->classes.ps_class, .cta_start = in->cta_start, .cta_done = in->cta_done,
                               .cta_active = in->cta_active},
                 &s->perfsat);
}

/* LCS counts running CTAs: paused ones are not active to it. */
static void step_lcs(const bench *b, said *s, lcs_state *next)
{
    const sm_governor_in *in = &b->seen;

    lcs_step(next, &config(b)->lcs,
             &(lcs_in){.enable = selected(b) == BALLAST_POLICY_LCS, .kernel_start = in->kernel_start, .nmax = in->nmax,
                       .issue_valid = in->issue_valid, .issue_slot = in->issue_slot, .cta_done = in->cta_done,
                       .cta_active = in->cta_active & ~b->before.throttle.paused, .listen = in->lcs_listen,
                       .bcast_valid = in->lcs_bcast_valid, .bcast_limit = in->lcs_bcast_limit},
             &s->lcs);
}

/* DYNCTA sees the class of two cycles before. */
static void step_dyncta(const bench *b, said *s, dyncta_state *next)
{
    const sm_governor_in *in = &b->seen;

    dyncta_step(next, &config(b)->dyncta,
                &(dyncta_in){.enable = selected(b) == BALLAST_POLICY_DYNCTA, .kernel_start = in->kernel_start, .nmax = in->nmax,
                             .lcs_class = s->classes.lcs_class, .t_idle = in->t_idle, .t_mem_l = in->t_mem_l, .t_mem_h = in->t_mem_h},
                &s->dyncta);
}

/* EQ-A20: whether warps are counted hangs on policy_i, not on the kernel's policy. PAUSE-2: paused warps are told to the counters. */
static void step_counters(const bench *b, said *s, eq_counters_state *next)
{
    const sm_governor_in *in = &b->seen;

    eq_counters_step(next, &config(b)->counters,
                     &(eq_counters_in){.enable = in->policy == BALLAST_POLICY_EQUALIZER, .kernel_start = in->kernel_start, .ws0 = in->ws0,
                                       .ws1 = in->ws1, .ws2 = in->ws2, .ws3 = in->ws3, .paused = in->paused},
                     &s->counters);
}

/* EQ-7: Algorithm 1 sees the counters' sums and the kernel's Wcta. */
static void decide(const bench *b, said *s)
{
    const eq_counters_out *sums = &s->counters;

    eq_decision_step(NULL, &config(b)->decision,
                     &(eq_decision_in){.active = sums->active, .waiting = sums->waiting, .xalu = sums->xalu, .xmem = sums->xmem,
                                       .wcta = b->seen.wcta},
                     &s->decision);
}

static unsigned target(const bench *b, const said *s)
{
    switch (b->before.policy) {
    case BALLAST_POLICY_STATIC: return b->before.fixed;
    case BALLAST_POLICY_PERFSAT: return s->perfsat.limit;
    case BALLAST_POLICY_LCS: return s->lcs.limit;
    case BALLAST_POLICY_DYNCTA: return s->dyncta.limit;
    case BALLAST_POLICY_SCOUT: return b->seen.scout_limit == 0 || b->seen.scout_limit > b->before.fixed ? b->before.fixed : b->seen.scout_limit;
    default: return 0;
    }
}

static bool may_pause(const bench *b, const said *s)
{
    const unsigned policy = b->before.policy;

    return policy == BALLAST_POLICY_EQUALIZER || policy == BALLAST_POLICY_DYNCTA || policy == BALLAST_POLICY_SCOUT ||
           (policy == BALLAST_POLICY_LCS && s->lcs.pause);
}

/* It serves every policy. Equalizer's kernel moves it by decisions, the others by their limit. */
static void step_throttle(const bench *b, said *s, cta_throttle_state *next)
{
    const sm_governor_in *in = &b->seen;
    const bool equalizer = b->before.policy == BALLAST_POLICY_EQUALIZER;

    cta_throttle_step(next, &config(b)->throttle,
                      &(cta_throttle_in){.enable = 1, .kernel_start = in->kernel_start, .nmax = in->nmax,
                                         .tick = s->counters.epoch_end && equalizer, .inc = s->decision.inc, .dec = s->decision.dec,
                                         .follow = !equalizer, .target = (uint8_t)target(b, s), .pause_en = may_pause(b, s),
                                         .denied = in->cta_denied, .cta_start = in->cta_start, .cta_done = in->cta_done,
                                         .cta_active = in->cta_active},
                      &s->throttle);
}

/* ---- the governor -------------------------------------------------------------------------- */

static void step_own(const bench *b, sm_governor_state *next)
{
    const sm_governor_in *in = &b->seen;
    const bool fits = in->static_limit != 0 && in->static_limit <= in->nmax;

    next->policy = (uint8_t)selected(b);
    if (in->kernel_start && selected(b) == BALLAST_POLICY_STATIC)
        next->fixed = fits ? in->static_limit : in->nmax;
    if (in->kernel_start && selected(b) == BALLAST_POLICY_SCOUT)
        next->fixed = in->nmax;
}

static bool has_decided(const bench *b, const said *s)
{
    switch (b->before.policy) {
    case BALLAST_POLICY_STATIC: return b->before.fixed != 0;
    case BALLAST_POLICY_PERFSAT: return s->perfsat.done;
    case BALLAST_POLICY_LCS: return s->lcs.done;
    case BALLAST_POLICY_SCOUT: return b->seen.scout_done;
    default: return false;
    }
}

static sm_governor_out outputs(const bench *b, const said *s)
{
    const bool epoch = s->counters.epoch_end;

    return (sm_governor_out){.cta_paused = s->throttle.paused, .limit = s->throttle.limit, .req = s->throttle.req,
                             .pause_soft = b->before.policy == BALLAST_POLICY_DYNCTA, .done = has_decided(b, s), .epoch = epoch,
                             .comp = epoch && s->decision.comp, .mem = epoch && s->decision.mem,
                             .t_new_valid = s->lcs.t_new_valid, .t_new = s->lcs.t_new};
}

static void expect_all(const bench *b, enum port_kind kind, const void *expected, const void *actual)
{
    const port_list *list = &b->dut.ports;

    for (const block_port *port = list->ports; port < list->ports + list->num; port++)
        if (port->kind == kind && block_port_get(port, expected) != block_port_get(port, actual))
            fail_msg("%s is %u, not %u", port->name, (unsigned)block_port_get(port, actual),
                     (unsigned)block_port_get(port, expected));
}

/* Of the last cycle. */
static void expect_parts(const bench *b)
{
    sm_governor_state next = b->before;
    sm_governor_out out;
    said s;

    memset(&s, 0, sizeof s);
    classify(b, &s, &next.classifier);
    step_perfsat(b, &s, &next.perfsat);
    step_lcs(b, &s, &next.lcs);
    step_dyncta(b, &s, &next.dyncta);
    step_counters(b, &s, &next.counters);
    decide(b, &s);
    step_throttle(b, &s, &next.throttle);
    step_own(b, &next);
    out = outputs(b, &s);
    expect_all(b, PORT_OUT, &out, &b->out);
    expect_all(b, PORT_REG, &next, state(b));
}

/* ---- what goes on --------------------------------------------------------------------------- */

/* Mostly few warps, so that a single one makes a difference. */
static void random_warps(sm_governor_in *in, unsigned warps, uint64_t *seed)
{
    uint64_t some = UINT64_C(1) << random_below(seed, warps);

    if (random_one_in(seed, 2))
        for (unsigned more = 0; more < 2; more++)
            some |= UINT64_C(1) << random_below(seed, warps);
    in->paused = random_one_in(seed, 2) ? 0 : UINT64_C(1) << random_below(seed, warps);
    if (random_one_in(seed, 4))
        return;
    in->ws0 = some & random_next(seed);
    in->ws1 = some & random_next(seed);
    in->ws2 = some & random_next(seed);
    in->ws3 = some & random_next(seed);
}

static void random_inputs(bench *b, random_bus *bus, uint64_t *seed)
{
    sm_governor_in *in = &b->in;
    const unsigned lanes = config(b)->issue_width;
    const sm_obs *obs = random_bus_next(bus);

    b->dut.block->model->bind(in, &b->dut.cfg, &obs, NULL);
    random_warps(in, config(b)->num_warps, seed);
    in->issue_valid = (uint8_t)random_below(seed, 1u << lanes);
    in->issue_slot = random_next(seed) & ((UINT64_C(1) << 3 * lanes) - 1);
    in->wcta = (uint8_t)random_below(seed, 1 + random_below(seed, config(b)->num_warps));
    in->kernel_start = random_one_in(seed, 20);
    in->nmax = (uint8_t)random_below(seed, 16);
    if (random_one_in(seed, 8))
        in->policy = (uint8_t)random_below(seed, 8);
    in->static_limit = (uint8_t)random_below(seed, 16);
    in->t_idle = random_below(seed, 512);
    in->t_mem_l = random_below(seed, 512);
    in->t_mem_h = random_below(seed, 512);
    in->lcs_listen = random_one_in(seed, 4);
    in->lcs_bcast_valid = random_one_in(seed, 8);
    in->lcs_bcast_limit = (uint8_t)random_below(seed, 16);
    keep_ranges(b);
}

static uint32_t beside(uint64_t *seed, uint64_t value, uint32_t most)
{
    const uint64_t near = value + random_below(seed, 3);

    return near == 0 ? 0 : near - 1 > most ? most : (uint32_t)(near - 1);
}

/* DYNCTA at the end of a period, counts beside its thresholds. */
static void end_of_period(bench *b, sm_governor_state *s, uint64_t *seed)
{
    const uint32_t last = config(b)->dyncta.period - 1;

    s->dyncta.nmax = (uint8_t)(1 + random_below(seed, config(b)->num_slots));
    s->dyncta.limit = (uint8_t)(1 + random_below(seed, s->dyncta.nmax));
    s->dyncta.timer = last;
    s->dyncta.idle = beside(seed, b->in.t_idle, last);
    s->dyncta.mem = beside(seed, random_one_in(seed, 2) ? b->in.t_mem_l : b->in.t_mem_h, last - s->dyncta.idle);
}

/* Equalizer at the end of an epoch, sums beside the thresholds. */
static void end_of_epoch(bench *b, sm_governor_state *s, uint64_t *seed)
{
    const uint32_t samples = config(b)->decision.samples, most = config(b)->num_warps * samples;
    const unsigned warps = (config(b)->num_warps - 1) / config(b)->counters.sample_cycles + 1;
    const uint64_t turn = warps < 64 ? (UINT64_C(1) << warps) - 1 : UINT64_MAX;

    s->counters.cycle = random_one_in(seed, 4) ? 0 : 1;
    s->counters.active_turn = random_next(seed) & turn;
    s->counters.waiting_turn = random_next(seed) & s->counters.active_turn;
    s->counters.xalu_turn = random_next(seed) & s->counters.active_turn;
    s->counters.xmem_turn = random_next(seed) & s->counters.active_turn;
    s->counters.active = random_below(seed, most + 1);
    s->counters.waiting = random_below(seed, s->counters.active + 1);
    s->counters.xalu = beside(seed, random_one_in(seed, 2) ? b->in.wcta * (uint64_t)samples : random_below(seed, most), most);
    s->counters.xmem = beside(seed, random_one_in(seed, 2) ? b->in.wcta * (uint64_t)samples : random_below(seed, most), most);
}

/* LCS that has decided, with CTAs that it wants to be rid of. */
static void lcs_decided(bench *b, sm_governor_state *s, uint64_t *seed)
{
    s->lcs.state = random_one_in(seed, 2) ? LCS_ST_THROTTLE : LCS_ST_LAZY;
    s->lcs.nmax = (uint8_t)(1 + random_below(seed, config(b)->num_slots));
    s->lcs.limit = (uint8_t)(1 + random_below(seed, s->lcs.nmax));
    s->throttle.paused = random_below(seed, 1u << config(b)->num_slots);
}

static void perfsat_decided(bench *b, sm_governor_state *s, uint64_t *seed)
{
    s->perfsat.state = PERFSAT_DONE;
    s->perfsat.nmax = (uint8_t)(1 + random_below(seed, config(b)->num_slots));
    s->perfsat.limit = (uint8_t)(1 + random_below(seed, s->perfsat.nmax));
}

/* To a state that a run takes long to reach. */
static void jump(bench *b, uint64_t *seed)
{
    static void (*const jumps[])(bench *, sm_governor_state *, uint64_t *) = {end_of_period, end_of_epoch, lcs_decided, perfsat_decided};
    sm_governor_state s = *state(b);

    s.policy = (uint8_t)random_below(seed, BALLAST_POLICIES);
    s.fixed = (uint8_t)random_below(seed, config(b)->num_slots + 1);
    s.classifier.active = random_one_in(seed, 2);
    s.classifier.waiting = random_one_in(seed, 2);
    s.classifier.ready = random_one_in(seed, 2);
    jumps[random_below(seed, sizeof jumps / sizeof jumps[0])](b, &s, seed);
    if (sm_governor_violated(&s, config(b)) == 0)
        load(b, &s);
}

RULE_EACH(parts_get_their_inputs, "each part gets its inputs, and the outputs are the parts'", variants)
{
    uint64_t seed = 0x9a27;
    random_bus bus;

    random_bus_start(&bus, seed, config(b)->num_warps, config(b)->num_slots);
    for (unsigned i = 0; i < CYCLES; i++) {
        random_inputs(b, &bus, &seed);
        if (random_one_in(&seed, 3))
            jump(b, &seed);
        take_cycle(b);
        expect_parts(b);
    }
}
