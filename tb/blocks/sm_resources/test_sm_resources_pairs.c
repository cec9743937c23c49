/* SPDX-License-Identifier: Apache-2.0
 *
 * The account in pair mode, each rule on the model and on the RTL. The random test compares it with a list of places, each for a
 * pair, that is added up anew in every cycle.
 */
#define BENCH_PREPARE
#include "blocks/sm_resources/bench.h"

static void prepare(bench *b)
{
    b->in.pair = 1;
}

/* The first CTA of a pair; the next cycle is that of its launch. */
static void open_pair(bench *b, unsigned n)
{
    (void)n;
    b->in.whole = b->in.take = 1;
    cycle(b);
    b->in.whole = b->in.take = 0;
}

static void second(bench *b, unsigned of)
{
    b->in.second = b->in.take = 1;
    b->in.first = (uint8_t)of;
    cycle(b);
    b->in.second = b->in.take = b->in.first = 0;
}

static void pairs(bench *b, unsigned n)
{
    while (n--) {
        open_pair(b, 1);
        second(b, b->out.slot);
    }
}

/* Is there room for a whole pair. */
static void ask_pair(bench *b, unsigned room)
{
    b->in.whole = 1;
    cycle(b);
    b->in.whole = 0;
    expect(b, "fits_o=%u", room);
}

static const bench_word words[] = {{"open", open_pair, NULL}, {"second", second, NULL}, {"pairs", pairs, NULL}, {"alone", take, NULL},
                                   {"done", done, NULL},      {"room", ask_pair, NULL}, {NULL, NULL, NULL}};

/* ---- where a CTA goes -------------------------------------------------------------------- */

RULE(bcs1_slots, "BCS-1: a pair is in the slots 2k and 2k+1, the lowest that are free together", "sm_resources")
{
    needs(b, 1, 1, 1);
    play(b, "open=1 slot_o=0 fits_o=1 held_q=1 count_q=1 second=0 slot_o=1 fits_o=1 active_o=1 held_q=3 count_q=2 warps_q=46");
    play(b, "pairs=1 slot_o=3 held_q=15 count_q=4 pairs=2 held_q=255 count_q=8 room=0 slot_o=0");
    play(b, "done=12 cycle held_q=243 open=1 slot_o=2 second=2 slot_o=3 held_q=255");
}

RULE(bcs_a4_alone, "BCS-A4: a CTA alone is in an even slot, and its partner slot stays empty", "sm_resources")
{
    needs(b, 1, 1, 1);
    play(b, "alone=1 slot_o=0 held_q=1 alone=1 slot_o=2 held_q=5 pairs=1 slot_o=5 held_q=53 alone=2 slot_o=0 fits_o=0 held_q=117");
    play(b, "count_q=5 room=0 done=1 due_o=1 held_q=116 room=1 slot_o=0 alone=1 slot_o=0 held_q=117");
}

RULE(odd_slots, "BCS-A4: the last of an odd number of slots is for a CTA alone", "sm_resources_odd")
{
    needs(b, 1, 1, 1);
    play(b, "pairs=2 held_q=15 room=0 slot_o=0 cycle fits_o=1 slot_o=4 alone=1 held_q=31 cycle fits_o=0");
    play(b, "done=16 due_o=1 held_q=15 second=4 fits_o=0 slot_o=0 held_q=15");
}

RULE(one_slot, "BCS-1: one slot is no place for a pair", "sm_resources_slots1")
{
    play(b, "room=0 cycle fits_o=1 second=0 fits_o=0 held_q=0 second=1 fits_o=0 held_q=0");
}

RULE(second_above_the_first, "BCS-1: the second CTA goes above the first one, and nowhere else", "sm_resources")
{
    needs(b, 1, 1, 1);
    play(b, "pairs=1 open=1 slot_o=2 second_i=1 first_i=0 take_i=1 cycle fits_o=0 slot_o=0 held_q=7");
    play(b, "first_i=2 cycle fits_o=1 slot_o=3 held_q=15 first_i=6 cycle slot_o=7 held_q=143 first_i=5 cycle slot_o=5 held_q=175");
}

/* ---- room -------------------------------------------------------------------------------- */

RULE(bcs1_room, "BCS-1, GWDE-2: a pair begins only where all four resources suffice for both", "sm_resources_small")
{
    needs(b, 3, 10, 3); /* of 7, 20, 6 */
    play(b, "room=1");
    needs(b, 4, 10, 3);
    play(b, "room=0 cycle fits_o=1");
    needs(b, 3, 11, 3);
    play(b, "room=0 cycle fits_o=1");
    needs(b, 3, 10, 4);
    play(b, "room=0 cycle fits_o=1");
    needs(b, 3, 10, 3);
    play(b, "pairs=1 warps_q=1 regs_q=0 smem_q=0 count_q=2 room=0 cycle fits_o=0");
    play(b, "done=3 warps_q=4 regs_q=10 smem_q=3 count_q=1 room=0 cycle warps_q=7 regs_q=20 smem_q=6 count_q=0 room=1");
}

RULE_EACH(exact_pair, "BCS-1, GWDE-2: twice the needs fit exactly, one unit more does not", variants)
{
    const sm_resources_cfg *cfg = config(b);
    const unsigned free[] = {cfg->num_warps, cfg->reg_units, cfg->smem_units};

    for (unsigned more = 0; more < 8 && cfg->num_slots > 1; more++) {
        const bool fits = more == 0;

        needs(b, free[0] / 2 + (more & 1), free[1] / 2 + (more >> 1 & 1), free[2] / 2 + (more >> 2 & 1));
        play(b, "room=%u", fits);
    }
}

RULE(second_asks_for_one, "BCS-1: the second CTA asks for what one needs, with whole_i, too", "sm_resources_small")
{
    static const unsigned much[][3] = {{4, 0, 0}, {0, 11, 0}, {0, 0, 4}}; /* of 7, 20, 6 */

    for (unsigned n = 0; n < 3; n++) {
        needs(b, much[n][0], much[n][1], much[n][2]);
        play(b, "whole_i=1 second_i=1 cycle fits_o=1 slot_o=1 second_i=0 cycle fits_o=0");
    }
}

/* ---- delayed assignment ------------------------------------------------------------------ */

RULE(bcs3_both, "BCS-3, BCS-A3: what a pair holds comes back when both have finished", "sm_resources")
{
    needs(b, 6, 100, 30);
    for (unsigned lower = 0; lower < 2; lower++) {
        const unsigned one = lower ? 1 : 2, other = lower ? 2 : 1;

        play(b, "pairs=1 cycle active_o=3 warps_q=36 regs_q=824 smem_q=324 done=%u active_o=3 due_o=0", one);
        play(b, "held_q=3 returning_q=%u count_q=2 warps_q=36 cycle=9 active_o=%u due_o=0 count_o=2", one, other);
        play(b, "held_q=3 warps_q=36 done=%u due_o=1 active_o=%u held_q=2 returning_q=2 count_q=1 warps_q=42", other, other);
        play(b, "cycle due_o=1 active_o=0 held_q=0 returning_q=0 count_q=0 warps_q=48 regs_q=1024 smem_q=384 cycle due_o=0");
    }
    play(b, "pairs=1 done=3 due_o=1 held_q=2 cycle held_q=0 count_q=0");
}

RULE(bcs6_half_occupied, "BCS-6: two pairs, each with one CTA left, hold all and let no other in", "sm_resources_odd")
{
    needs(b, 15, 1, 1); /* four fit */
    play(b, "pairs=2 warps_q=3 done=6 due_o=0 cycle active_o=9 count_o=4 held_q=15 returning_q=6 room=0 cycle fits_o=0");
    play(b, "done=1 due_o=1 held_q=14 room=0 held_q=12 count_q=2 returning_q=4 room=1 slot_o=0 pairs=1 slot_o=1 held_q=15 returning_q=4");
    play(b, "done=8 due_o=1 held_q=11 returning_q=8 cycle held_q=3");
}

RULE(bcs_a3_same_pair, "BCS-A3: CTAs of two pairs that have finished are no pair", "sm_resources")
{
    needs(b, 1, 1, 1);
    play(b, "pairs=4 done=85 due_o=0 cycle active_o=170 count_o=8 held_q=255 returning_q=85 room=0 done=128 due_o=1 held_q=191 room=0");
    play(b, "held_q=63 room=1 slot_o=6");
}

RULE(first_ends_at_once, "BCS-3: the first CTA ends before the second one is launched", "sm_resources")
{
    needs(b, 4, 4, 4);
    play(b, "open=1 cta_done_i=1 second=0 due_o=0 fits_o=1 slot_o=1 held_q=3 returning_q=1 cta_done_i=0 cycle=3 active_o=2 due_o=0 held_q=3");
    play(b, "done=2 due_o=1 held_q=2 cycle held_q=0 warps_q=48");
}

RULE(alone_waits_for_nobody, "BCS-A4: a CTA alone returns at once", "sm_resources")
{
    needs(b, 4, 4, 4);
    play(b, "pairs=1 alone=1 pairs=1 held_q=55 done=5 due_o=1 held_q=51 returning_q=1 count_q=4 cycle active_o=50 due_o=0 held_q=51");
}

/* Several at once: pairs return slot by slot, the lowest first, and those that wait stay. */
RULE(returns_in_turn, "BCS-3, GWDE-2: one slot returns per cycle, of whole pairs alone", "sm_resources")
{
    needs(b, 4, 4, 4);
    play(b, "pairs=4 done=244 held_q=239 returning_q=228 cycle due_o=1 held_q=207");
}

RULE(without_pairs, "BCS-2: without pair mode the other inputs of pairs say nothing", "sm_resources")
{
    needs(b, 20, 4, 4);
    play(b, "pair_i=0 whole_i=1 second_i=1 first_i=4 take_i=1 cycle slot_o=0 fits_o=1 cycle slot_o=1 fits_o=1 cycle slot_o=2 fits_o=0");
    play(b, "take_i=0 done=1 due_o=1 held_q=2 done=2 due_o=1 held_q=0 warps_q=48");
}

/* ---- the rules once more: a list of places -------------------------------------------------- */

enum { MOST_PLACES = 16 };

typedef struct place {
    bool there[2], finished[2];
} place;

typedef struct oracle {
    place at[MOST_PLACES];
    unsigned num;   /* places; the last one may be half */
    bool half;
    bool opened;    /* a first CTA was launched, in */
    unsigned which; /* this place                   */
} oracle;

static unsigned ctas(const oracle *o)
{
    unsigned n = 0;

    for (unsigned k = 0; k < o->num; k++)
        n += (unsigned)o->at[k].there[0] + o->at[k].there[1];
    return n;
}

static bool suffices(const oracle *o, const sm_resources_cfg *cfg, const sm_resources_in *in, unsigned more)
{
    const unsigned n = ctas(o) + more;

    return n * in->warps <= cfg->num_warps && n * in->regs <= cfg->reg_units && n * in->smem <= cfg->smem_units;
}

/* The place for a pair or for one CTA, or num. */
static unsigned empty_place(const oracle *o, bool pair)
{
    unsigned k = 0;

    while (k < o->num && (o->at[k].there[0] || o->at[k].there[1] || (pair && o->half && k == o->num - 1)))
        k++;
    return k;
}

/* All of its CTAs have finished; what is still launched runs. */
static bool over(const oracle *o, unsigned k)
{
    const place *p = &o->at[k];

    return (p->there[0] || p->there[1]) && (!p->there[0] || p->finished[0]) && (!p->there[1] || p->finished[1]) &&
           !(o->opened && o->which == k);
}

static unsigned first_over(const oracle *o)
{
    unsigned k = 0;

    while (k < o->num && !over(o, k))
        k++;
    return k;
}

static void finish(oracle *o, uint32_t slots)
{
    for (unsigned k = 0; k < o->num; k++)
        for (unsigned i = 0; i < 2; i++)
            o->at[k].finished[i] |= o->at[k].there[i] && (slots >> (2 * k + i) & 1);
}

static uint32_t active(const oracle *o)
{
    uint32_t set = 0;

    for (unsigned k = 0; k < o->num; k++)
        for (unsigned i = 0; i < 2; i++)
            set |= (uint32_t)(o->at[k].there[i] && !o->at[k].finished[i]) << (2 * k + i);
    return set;
}

static void give_back(oracle *o, unsigned k)
{
    const unsigned i = o->at[k].there[0] ? 0 : 1;

    o->at[k].there[i] = o->at[k].finished[i] = false;
}

/* A cycle: its outputs, then what it changes. */
static void check_cycle(bench *b, oracle *o)
{
    const sm_resources_in *in = &b->seen;
    const bool fits_second = o->opened && suffices(o, config(b), in, 1);
    const unsigned k = o->opened ? o->which : empty_place(o, in->whole), slot = 2 * k + o->opened;
    const bool fits = o->opened ? fits_second : k < o->num && suffices(o, config(b), in, in->whole ? 2 : 1);
    unsigned back;

    expect(b, "count_o=%u active_o=%u fits_o=%u slot_o=%u", ctas(o), active(o), fits, k < o->num ? slot : 0);
    finish(o, in->cta_done);
    back = first_over(o);
    expect(b, "due_o=%u", back < o->num);
    if (o->opened)
        assert_true(fits); /* there was room for both */
    if (back < o->num)
        give_back(o, back);
    if (in->take && fits)
        o->at[k].there[slot % 2] = true;
    o->opened = in->take && fits && in->whole;
    o->which = k;
}

RULE_EACH(random_against_places, "BCS-1, BCS-3, BCS-A3, BCS-A4: random pairs and CTAs alone against a list of places", variants)
{
    uint64_t seed = 0x9a1 + config(b)->num_slots;
    oracle o = {.num = (config(b)->num_slots + 1) / 2, .half = config(b)->num_slots % 2};
    unsigned launched = 0;

    for (unsigned n = 0; n < 30000; n++) {
        const unsigned busy = 1 + n / 1000 % 7;

        if (ctas(&o) == 0)
            needs(b, draw_small_need(&seed, config(b)->num_warps), draw_small_need(&seed, config(b)->reg_units),
                  draw_small_need(&seed, config(b)->smem_units));
        b->in.second = o.opened;
        b->in.first = (uint8_t)(o.opened ? 2 * o.which : random_below(&seed, config(b)->num_slots));
        b->in.whole = !o.opened && !random_one_in(&seed, 4);
        b->in.take = o.opened || (launching(n) && !random_one_in(&seed, 3));
        draw_finishes(b, &seed, n, busy);
        cycle(b);
        check_cycle(b, &o);
        launched += b->seen.second;
    }
    assert_true(config(b)->num_slots == 1 || launched > 500);
}
