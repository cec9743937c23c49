/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/span.h"

#include <stddef.h>
#include <string.h>

#include "blocks/sm_governor/bind.h"
#include "sm/scout.h"

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* ---- sm_governor: the block of the policy in force, and Equalizer's counters ---------------- */

static uint32_t perfsat_length(const perfsat_state *s, const perfsat_cfg *cfg)
{
    switch (s->state) {
    case PERFSAT_WAIT:
    case PERFSAT_MEASURE:
    case PERFSAT_DONE: return SPAN_FOR_EVER;
    default: return cfg->settle && !s->settled ? 0 : s->timer ? s->timer - 1 : 0;
    }
}

/* All slots stop when one of them is half full: in each cycle of the span, none is. */
static uint32_t monitor_length(const lcs_state *s, const lcs_cfg *cfg)
{
    const uint32_t half = UINT32_C(1) << (cfg->count_w - 1);
    uint32_t most = 0;

    for (unsigned slot = 0; slot < cfg->num_slots; slot++)
        most = s->inst[slot] > most ? s->inst[slot] : most;
    return most >= half || s->finish ? 0 : 1 + (half - 1 - most) / cfg->issue_width;
}

static uint32_t lcs_length(const lcs_state *s, const lcs_cfg *cfg, const sm_governor_in *in)
{
    switch (s->state) {
    case LCS_ST_MONITOR: return in->lcs_listen ? 0 : monitor_length(s, cfg);
    case LCS_ST_THROTTLE: /* it waits for CTAs to end: the others are at rest */
    case LCS_ST_IDLE:
    case LCS_ST_LAZY: return SPAN_FOR_EVER;
    default: return 0;
    }
}

static uint32_t dyncta_length(const dyncta_state *s, const dyncta_cfg *cfg)
{
    if (!s->nmax)
        return SPAN_FOR_EVER;
    return s->timer + 1 < cfg->period ? cfg->period - 1 - s->timer : 0;
}

uint32_t span_of_epoch(const eq_counters_state *s, const eq_counters_cfg *cfg)
{
    return (1 - s->cycle) & (cfg->epoch - 1);
}

/* Up to the first cycle of the next sample. A sample is looked at in each of its cycles, and the cycle after it adds what the last one has seen. */
static uint32_t governor_blind(const void *state, const void *config)
{
    const eq_counters_state *s = &((const sm_governor_state *)state)->counters;
    const eq_counters_cfg *cfg = &((const sm_governor_cfg *)config)->counters;
    const uint32_t first = cfg->sample_phase / cfg->sample_cycles * cfg->sample_cycles;
    const uint32_t past = (s->cycle - first) & (cfg->sample_interval - 1); /* since it began */

    return past <= cfg->sample_cycles ? 0 : cfg->sample_interval - past;
}

/* The counters alone step: nothing else of a governor goes by the warps that they have selected, but at the end of an epoch. */
static void governor_look(void *state, const void *config, const sm_obs *obs, uint32_t cycles)
{
    eq_counters_state *s = &((sm_governor_state *)state)->counters;
    const eq_counters_cfg *cfg = &((const sm_governor_cfg *)config)->counters;
    eq_counters_out out;

    if (obs)
        eq_counters_step(s, cfg, &(eq_counters_in){.ws0 = obs->ws[0], .ws1 = obs->ws[1], .ws2 = obs->ws[2], .ws3 = obs->ws[3], .paused = obs->paused, .enable = 1}, &out);
    else
        s->cycle = (s->cycle + cycles) & (cfg->epoch - 1);
}

static uint32_t policy_length(const sm_governor_state *s, const sm_governor_cfg *cfg, const sm_governor_in *in)
{
    switch (s->policy) {
    case BALLAST_POLICY_PERFSAT: return perfsat_length(&s->perfsat, &cfg->perfsat);
    case BALLAST_POLICY_LCS: return lcs_length(&s->lcs, &cfg->lcs, in);
    case BALLAST_POLICY_DYNCTA: return dyncta_length(&s->dyncta, &cfg->dyncta);
    default: return SPAN_FOR_EVER;
    }
}

static uint32_t governor_length(const void *state, const void *config, const void *inputs)
{
    const sm_governor_state *s = state;
    const sm_governor_cfg *cfg = config;
    const sm_governor_in *in = inputs;
    const uint32_t length = policy_length(s, cfg, in);

    return in->policy == BALLAST_POLICY_EQUALIZER ? least(length, span_of_epoch(&s->counters, &cfg->counters)) : length;
}

static bool perfsat_samples(const perfsat_state *s)
{
    return s->state != PERFSAT_WAIT && s->state != PERFSAT_MEASURE && s->state != PERFSAT_DONE;
}

static unsigned governor_wants(const void *state, const void *inputs)
{
    const sm_governor_state *s = state;
    const unsigned wants = ((const sm_governor_in *)inputs)->policy == BALLAST_POLICY_EQUALIZER ? SPAN_WARPS : 0;

    if (s->policy == BALLAST_POLICY_PERFSAT && perfsat_samples(&s->perfsat))
        return wants | SPAN_STALLED;
    if (s->policy == BALLAST_POLICY_LCS && s->lcs.state == LCS_ST_MONITOR)
        return wants | SPAN_SLOTS;
    return s->policy == BALLAST_POLICY_DYNCTA && s->dyncta.nmax ? wants | SPAN_CLASSES : wants;
}

static void governor_slots(const void *config, const sm_obs *obs, uint32_t cycles, span_sums *sums)
{
    const lcs_cfg *cfg = &((const sm_governor_cfg *)config)->lcs;
    const unsigned width = lcs_slot_width(cfg);
    lcs_in in;

    lcs_bind_lanes(&in, cfg, obs);
    memset(sums->last_slots, 0, sizeof sums->last_slots);
    for (unsigned valid = in.issue_valid; valid; valid &= valid - 1) {
        const unsigned slot = in.issue_slot >> (unsigned)__builtin_ctz(valid) * width & ((1u << width) - 1);

        sums->slots[slot] += cycles;
        sums->last_slots[slot]++;
    }
}

static uint32_t stalls(const stall_classifier_state *s, const stall_classifier_cfg *cfg)
{
    const uint8_t class = stall_classifier_ps_before(s, cfg);

    return class == BALLAST_PS_SCOREBOARD || class == BALLAST_PS_PIPELINE;
}

/* Perf-Sat reads the class of the cycle before. */
static void perfsat_pass(sm_governor_state *governor, const sm_governor_cfg *cfg, const span_sums *sums)
{
    perfsat_state *s = &governor->perfsat;
    const uint64_t most = (UINT64_C(1) << cfg->perfsat.count_w) - 1, period = s->period + (uint64_t)sums->cycles * s->nmax;

    if (s->state == PERFSAT_MEASURE && sums->cycles) {
        s->period = (uint32_t)(period < most ? period : most); /* PS-6: Nmax in each cycle, as far as its register goes */
    } else if (perfsat_samples(s)) {
        s->stalled += sums->stalled + stalls(&governor->classifier, &cfg->classifier) - stalls(&sums->last, &cfg->classifier);
        s->timer -= sums->cycles;
    }
}

/* Of the two cycles that the classifier's registers are of: how many have this class. */
static uint32_t underway(const stall_classifier_state *s, const stall_classifier_cfg *cfg, uint8_t class)
{
    return (s->lcs_class == class) + (stall_classifier_lcs_before(s, cfg) == class);
}

/* DYNCTA reads the class of two cycles before. */
static void dyncta_pass(sm_governor_state *s, const stall_classifier_cfg *cfg, const stall_classifier_state *last, const span_sums *sums)
{
    if (!s->dyncta.nmax)
        return;
    s->dyncta.timer += sums->cycles;
    s->dyncta.idle += sums->idle + underway(&s->classifier, cfg, BALLAST_LCS_IDLE) - underway(last, cfg, BALLAST_LCS_IDLE);
    s->dyncta.mem += sums->mem + underway(&s->classifier, cfg, BALLAST_LCS_MEM_STALL) - underway(last, cfg, BALLAST_LCS_MEM_STALL);
}

/* LCS-1: what a cycle issues is added in the next one. */
static void lcs_pass(lcs_state *s, const span_sums *sums)
{
    for (unsigned slot = 0; s->state == LCS_ST_MONITOR && slot < BALLAST_MAX_SLOTS; slot++) {
        s->inst[slot] += s->step[slot] + sums->slots[slot] - sums->last_slots[slot];
        s->step[slot] = (uint8_t)sums->last_slots[slot];
    }
}

static void governor_pass(void *state, const void *config, const void *inputs, const span_sums *sums)
{
    sm_governor_state *s = state;
    const sm_governor_cfg *cfg = config;
    stall_classifier_state last = sums->last;

    (void)inputs;
    if (!sums->cycles)
        return;
    if (sums->cycles == 1)
        last.lcs_class = stall_classifier_lcs_before(&s->classifier, &cfg->classifier);
    switch (s->policy) {
    case BALLAST_POLICY_PERFSAT: perfsat_pass(s, cfg, sums); break;
    case BALLAST_POLICY_LCS: lcs_pass(&s->lcs, sums); break;
    case BALLAST_POLICY_DYNCTA: dyncta_pass(s, &cfg->classifier, &last, sums); break;
    default: break;
    }
    s->classifier = last;
}

/* What counts is everything that governor_pass and governor_look write. */
static bool governor_rests(const void *before, const void *after)
{
    const sm_governor_state *b = before, *a = after;
    sm_governor_state same;

    memcpy(&same, a, sizeof same);
    same.perfsat.period = b->perfsat.period;
    same.perfsat.timer = b->perfsat.timer;
    same.perfsat.stalled = b->perfsat.stalled;
    memcpy(same.lcs.inst, b->lcs.inst, sizeof same.lcs.inst);
    memcpy(same.lcs.step, b->lcs.step, sizeof same.lcs.step);
    same.counters = b->counters;
    same.dyncta.timer = b->dyncta.timer;
    same.dyncta.idle = b->dyncta.idle;
    same.dyncta.mem = b->dyncta.mem;
    same.classifier = b->classifier;
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): padding that differs costs a step of the model, and changes nothing
    return !memcmp(&same, b, sizeof same);
}

/* ---- scout: the cycles of a slice that count ------------------------------------------------- */

static uint32_t scout_length(const void *state, const void *config, const void *inputs)
{
    const scout_state *s = state;
    const scout_cfg *cfg = config;
    const scout_in *in = inputs;

    if (!in->enable || s->state == SCOUT_ST_IDLE)
        return SPAN_FOR_EVER;
    return s->step == SCOUT_COUNT && s->timer + 1u < cfg->slice ? cfg->slice - 1 - s->timer : 0;
}

static bool scout_counts(const scout_state *s, const scout_in *in)
{
    return in->enable && s->state != SCOUT_ST_IDLE;
}

static unsigned scout_wants(const void *state, const void *inputs)
{
    return scout_counts(state, inputs) ? SPAN_LANES : 0;
}

/* SCT-2: what a cycle issues is added in the next one. */
static void scout_pass(void *state, const void *config, const void *inputs, const span_sums *sums)
{
    scout_state *s = state;

    if (!scout_counts(s, inputs) || !sums->cycles)
        return;
    s->acc = (s->acc + s->arg + sums->lanes - sums->last_lanes) & ((UINT32_C(2) << scout_count_width(config)) - 1);
    s->arg = sums->last_lanes;
    s->timer = (uint16_t)(s->timer + sums->cycles);
}

static bool scout_rests(const void *before, const void *after)
{
    const scout_state *b = before;
    scout_state same;

    memcpy(&same, after, sizeof same);
    same.acc = b->acc;
    same.arg = b->arg;
    same.timer = b->timer;
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): padding that differs costs a step of the model, and changes nothing
    return !memcmp(&same, b, sizeof same);
}

/* ---- by name --------------------------------------------------------------------------------- */

const span_model *span_find(const char *block)
{
    static const span_model models[] = {
        {"sm_governor", governor_length, governor_slots, governor_blind, governor_look, governor_wants, governor_pass, governor_rests},
        {"scout", scout_length, NULL, NULL, NULL, scout_wants, scout_pass, scout_rests},
    };

    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
        if (!strcmp(models[i].block, block))
            return &models[i];
    return NULL;
}
