/* SPDX-License-Identifier: Apache-2.0
 *
 * The warp scheduler for a long time: each side against the rules written down a third time, with a list of warps that is sorted in
 * the order of the policy, and ages as times. Both sides against each other on input that no SM has.
 */
#include "blocks/warp_scheduler/bench.h"
#include "blocks/warp_scheduler/invariant.h"
#include "engine/random.h"
#include "engine/step_fixture.h"

enum { MOST = BALLAST_MAX_WARPS, NOBODY = -1 };

/* ---- the rules once more ----------------------------------------------------------------- */

typedef struct oracle {
    long age[BALLAST_MAX_SLOTS], clock; /* when the CTA of a slot came */
    int last;
    bool held;
} oracle;

/* A warp as the oracle sees it in a cycle. */
typedef struct seen {
    int slot, partner; /* NOBODY: none */
    bool there, can;
} seen;

static void oracle_reset(oracle *o, const warp_scheduler_cfg *cfg)
{
    *o = (oracle){.last = (int)cfg->num_warps - 1};
    for (unsigned slot = 0; slot < cfg->num_slots; slot++)
        o->age[slot] = -(long)slot;
}

static int slot_number(const warp_scheduler_cfg *cfg, const warp_scheduler_in *in, int w)
{
    const int slot = (int)((in->slot0 >> w & 1) + 2 * (in->slot1 >> w & 1) + 4 * (in->slot2 >> w & 1) + 8 * (in->slot3 >> w & 1) +
                           16 * (in->slot4 >> w & 1));

    return slot < (int)cfg->num_slots ? slot : NOBODY;
}

static int partner_of(const warp_scheduler_cfg *cfg, const seen *warps, int w, int distance)
{
    const bool low = warps[w].slot % 2 == 0;
    const int other = low ? w + distance : w - distance;

    if (warps[w].slot == NOBODY || other < 0 || other >= (int)cfg->num_warps || warps[other].slot == NOBODY)
        return NOBODY;
    return warps[other].slot == warps[w].slot + (low ? 1 : -1) ? other : NOBODY;
}

/* Returns whether any warp can be picked. */
static bool look(const warp_scheduler_cfg *cfg, const warp_scheduler_in *in, seen warps[MOST])
{
    const int num = (int)cfg->num_warps;
    bool any = false;

    for (int soft = 0; soft <= in->pause_soft && !any; soft++) /* the paused ones are let in if nobody else was found */
        for (int w = 0; w < num; w++) {
            warps[w].slot = slot_number(cfg, in, w);
            warps[w].there = warps[w].slot != NOBODY && in->present >> w & 1 && (soft || !(in->paused >> w & 1));
            warps[w].can = warps[w].there && in->ready >> w & 1;
            any |= warps[w].can;
        }
    for (int w = 0; w < num; w++)
        warps[w].partner = partner_of(cfg, warps, w, in->warps_per_cta);
    return any;
}

static int oldest(const oracle *o, const warp_scheduler_cfg *cfg, const seen *warps)
{
    int best = NOBODY;

    for (int w = 0; w < (int)cfg->num_warps; w++)
        if (warps[w].can && (best == NOBODY || o->age[warps[w].slot] < o->age[warps[best].slot]))
            best = w;
    return best;
}

/* Walks once around from the warp after `from`: the first in fetch group `group`, or of all. */
static int around(const warp_scheduler_cfg *cfg, const seen *warps, int from, int group)
{
    const int num = (int)cfg->num_warps;

    for (int n = 1; n <= num; n++) {
        const int w = (from + n) % num;

        if (warps[w].can && (group == NOBODY || w / (int)cfg->group_size == group))
            return w;
    }
    return NOBODY;
}

static bool group_can(const seen *warps, int even)
{
    const int odd = warps[even].partner;

    return warps[even].slot % 2 == 0 && (warps[even].can || (odd != NOBODY && warps[odd].can));
}

/* The group of the pair after the one at `here`: a walk around the warps of its even slot. */
static int next_group(const warp_scheduler_cfg *cfg, const seen *warps, int pair, int here)
{
    const int num = (int)cfg->num_warps, start = cfg->sca_next ? -1 : here;
    int own = NOBODY;

    for (int n = 1; n <= num; n++) {
        const int w = (start + n) % num;

        if (warps[w].slot == NOBODY || warps[w].slot / 2 != pair || !group_can(warps, w))
            continue;
        if (w != here)
            return w;
        own = w;
    }
    return own;
}

static int sequential(const oracle *o, const warp_scheduler_cfg *cfg, const seen *warps)
{
    const seen *last = &warps[o->last], *other = last->partner == NOBODY ? NULL : &warps[last->partner];
    const int members = last->there + (other && other->there), issuing = last->can + (other && other->can);

    if (!o->held || last->slot == NOBODY)
        return oldest(o, cfg, warps);
    if (issuing == 2 || (issuing == 1 && (members == 1 || cfg->sca_both_stall)))
        return other && other->can ? last->partner : o->last;

    const int here = last->slot % 2 && other ? last->partner : o->last;
    const int group = next_group(cfg, warps, last->slot / 2, here);

    if (group == NOBODY)
        return oldest(o, cfg, warps);
    return warps[group].can ? group : warps[group].partner;
}

static int oracle_pick(const oracle *o, const warp_scheduler_cfg *cfg, const warp_scheduler_in *in)
{
    seen warps[MOST];
    int w;

    if (!in->enable || !look(cfg, in, warps))
        return NOBODY;
    switch (in->policy) {
    case WARP_SCHEDULER_LRR: return around(cfg, warps, o->last, NOBODY);
    case WARP_SCHEDULER_GTO: return o->held && warps[o->last].can ? o->last : oldest(o, cfg, warps);
    case WARP_SCHEDULER_TLV:
        w = around(cfg, warps, o->last, o->last / (int)cfg->group_size);
        return w != NOBODY ? w : around(cfg, warps, o->last, NOBODY);
    default: return sequential(o, cfg, warps);
    }
}

static void oracle_step(oracle *o, const warp_scheduler_cfg *cfg, const warp_scheduler_in *in, int pick)
{
    if (!in->enable)
        return;
    o->held = pick != NOBODY;
    if (o->held)
        o->last = pick;
    for (unsigned slot = 0; slot < cfg->num_slots; slot++)
        if (in->cta_start >> slot & 1)
            o->age[slot] = ++o->clock;
}

static void check_against(const bench *b, const oracle *o, int pick)
{
    const unsigned slots = config(b)->num_slots;

    expect(b, "pick_o=%u warp_o=%u last_q=%u hold_q=%u", pick != NOBODY, pick == NOBODY ? 0u : (unsigned)pick, (unsigned)o->last, o->held);
    for (unsigned i = 0; i < slots; i++)
        for (unsigned j = 0; j < slots; j++)
            assert_int_equal(state(b)->older[i] >> j & 1, i < j && o->age[i] < o->age[j]);
}

/* ---- random inputs ------------------------------------------------------------------------ */

static uint64_t random_warps(uint64_t *seed, uint64_t all, unsigned density)
{
    uint64_t set = random_next(seed) ^ random_next(seed) << 32;

    while (density--)
        set &= random_next(seed) ^ random_next(seed) << 32;
    return set & all;
}

/* A map such as an SM has; seldom any at all. */
static void random_map(warp_scheduler_in *in, const warp_scheduler_cfg *cfg, uint64_t *seed)
{
    const unsigned per_cta = 1 + random_below(seed, random_one_in(seed, 2) ? cfg->num_warps : 8);
    const unsigned wild = random_one_in(seed, 4) ? 32 : random_one_in(seed, 4) ? cfg->num_slots + 1 : 0; /* slots */
    unsigned most = 1;

    while (most < cfg->num_warps)
        most = most << 1 | 1;
    in->warps_per_cta = (uint8_t)(random_one_in(seed, 4) ? random_next(seed) & most : per_cta);
    for (unsigned w = 0; w < cfg->num_warps; w++)
        put_warp(in, w, wild ? random_below(seed, wild) : w / per_cta % cfg->num_slots);
}

/* Warps stall and come back one by one, so that groups go on for some cycles. */
static void random_inputs(warp_scheduler_in *in, const warp_scheduler_cfg *cfg, uint64_t *seed, unsigned n)
{
    const uint64_t all = ~UINT64_C(0) >> (64 - cfg->num_warps);

    if (n == 0 || random_one_in(seed, 200))
        random_map(in, cfg, seed);
    if (random_one_in(seed, 100))
        in->ready = random_one_in(seed, 4) ? 0 : random_warps(seed, all, random_below(seed, 4));
    if (random_one_in(seed, 60))
        in->present = random_one_in(seed, 2) ? all : all & ~random_warps(seed, all, 1);
    if (random_one_in(seed, 60))
        in->paused = random_one_in(seed, 2) ? 0 : random_warps(seed, all, random_below(seed, 3));
    in->ready ^= random_warps(seed, all, 3 + n / 500 % 4);
    in->cta_start = 0;
    if (random_one_in(seed, 8))
        in->cta_start = (uint32_t)random_warps(seed, (UINT64_C(1) << cfg->num_slots) - 1, random_below(seed, 4));
    if (random_one_in(seed, 150))
        in->policy = (uint8_t)random_below(seed, 4);
    if (random_one_in(seed, 300))
        in->pause_soft = random_one_in(seed, 2);
    in->enable = !random_one_in(seed, 40);
}

static void cycle_against_rules(bench *b, oracle *o)
{
    const int pick = oracle_pick(o, config(b), &b->in);

    cycle(b);
    oracle_step(o, config(b), &b->seen, pick);
    check_against(b, o, pick);
}

static void random_against_rules(bench *b)
{
    uint64_t seed = 0x6709 + config(b)->num_warps;
    oracle o;

    oracle_reset(&o, config(b));
    for (unsigned n = 0; n < 30000; n++) {
        random_inputs(&b->in, config(b), &seed, n);
        cycle_against_rules(b, &o);
    }
}

/* All warps are in two slots, but for some in a slot that there may not be, and partners are near. */
static void random_pair(warp_scheduler_in *in, const warp_scheduler_cfg *cfg, uint64_t *seed)
{
    const unsigned even = random_below(seed, cfg->num_slots) & ~1u;

    in->warps_per_cta = (uint8_t)(1 + random_below(seed, 3));
    for (unsigned w = 0; w < cfg->num_warps; w++) {
        const unsigned away = random_one_in(seed, 9) ? 8 * random_below(seed, 4) : 0;

        put_warp(in, w, (even + random_below(seed, 2) + away) % 32);
    }
}

static void one_pair_against_rules(bench *b)
{
    const uint64_t all = every_warp(b);
    uint64_t seed = 0x2ca + config(b)->num_warps;
    oracle o;

    oracle_reset(&o, config(b));
    b->in.policy = WARP_SCHEDULER_SCA;
    for (unsigned n = 0; n < 6000; n++) {
        if (n % 30 == 0)
            random_pair(&b->in, config(b), &seed);
        b->in.ready = random_warps(&seed, all, random_below(&seed, 6));
        cycle_against_rules(b, &o);
    }
}

/* LRR: whatever the others do, a warp that can issue waits for NumWarps - 1 picks at most. */
static void lrr_starves_nobody(bench *b)
{
    const warp_scheduler_cfg *cfg = config(b);
    uint64_t seed = 0x1225 + cfg->num_warps;
    unsigned waited = 0, most = 0, victim = 0;

    for (unsigned n = 0; n < 20000; n++) {
        random_inputs(&b->in, cfg, &seed, n);
        map_warps(b, (cfg->num_warps + cfg->num_slots - 1) / cfg->num_slots);
        b->in.policy = WARP_SCHEDULER_LRR;
        if (n / 3000 % 2)
            b->in.ready = every_warp(b);
        b->in.ready |= WARP(victim);
        b->in.present |= WARP(victim);
        b->in.paused &= ~WARP(victim);
        cycle(b);
        if (b->seen.enable)
            waited++;
        if (b->out.pick && b->out.warp == victim) {
            most = waited > most ? waited : most;
            waited = 0;
            victim = random_below(&seed, cfg->num_warps);
        }
        assert_in_range(waited, 0, cfg->num_warps - 1);
    }
    assert_in_range(most, 1, cfg->num_warps);
}

static void draw_inputs(void *inputs, const void *cfg, uint64_t *seed, unsigned n)
{
    random_inputs(inputs, cfg, seed, n);
}

/* Every order of ages, any last pick, any inputs; mostly the map of an SM. */
static bool draw_step(step_fixture *f, void *registers, void *inputs)
{
    const warp_scheduler_cfg *cfg = step_config(f);
    warp_scheduler_state *s = registers;
    warp_scheduler_in *in = inputs;

    step_draw(f, PORT_REG, s);
    step_draw(f, PORT_IN, in);
    if (step_random(f, 8))
        random_map(in, cfg, &f->seed);
    if (step_random(f, 2))
        in->ready &= random_warps(&f->seed, ~UINT64_C(0), 2);
    in->enable = step_random(f, 8) != 0;
    s->last = (uint8_t)step_random(f, cfg->num_warps);
    step_draw_order(f, s->older, cfg->num_slots);
    return !warp_scheduler_violated(s, cfg);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        EACH_VARIANT("random inputs against the rules, all variants", variants, random_against_rules),
        EACH_VARIANT("SCA-1 to SCA-4: all warps in one pair of CTAs, any way, against the rules", variants, one_pair_against_rules),
        EACH_VARIANT("LRR: nobody starves", variants, lrr_starves_nobody),
        TWIN_CYCLES("the same as the model on random input", variants, 0x5ca, 20000, draw_inputs),
        EACH_TWIN_STEPS("twins: one step from 60 000 states each, every order of ages", variants, 0x90a, 60000, draw_step),
    };
    return cmocka_run_group_tests_name("warp_scheduler, random", tests, NULL, NULL);
}
