/* SPDX-License-Identifier: Apache-2.0
 *
 * The account in pair mode, each rule on the model and on the RTL. The random test compares it with a list of places, each for a
 * pair, that is counted anew in every cycle.
 */
#define BENCH_PREPARE
#include "blocks/sm_resources/bench.h"

static void prepare(bench *b)
{
    b->in.pair = 1;
    b->in.most = (uint8_t)config(b)->num_slots;
}

/* The first CTA of a pair. The next cycle is the second one's. */
static void open_pair(bench *b, unsigned n)
{
    b->in.whole = 1;
    take(b, n);
    b->in.whole = 0;
}

/* Pairs: a cycle that finds a place, the first CTA, the second one. */
static void pairs(bench *b, unsigned n)
{
    while (n--) {
        open_pair(b, 1);
        cycle(b);
    }
}

/* Is there room for a whole pair. */
static void ask_pair(bench *b, unsigned is)
{
    b->in.whole = 1;
    cycle(b);
    b->in.whole = 0;
    expect(b, "fits_o=%u", is);
}

static const bench_word words[] = {{"open", open_pair, NULL}, {"pairs", pairs, NULL}, {"alone", take, NULL}, {"done", done, NULL},
                                   {"room", ask_pair, NULL},  {"most", room, NULL},   {NULL, NULL, NULL}};

/* ---- where a CTA goes -------------------------------------------------------------------- */

RULE(bcs1_slots, "BCS-1: a pair is in the slots 2k and 2k+1, the lowest that are free together", "sm_resources")
{
    play(b, "open=1 ready_o=1 whole_o=1 slot_o=0 held_q=1 count_q=1 second_q=1 cycle second_o=1 slot_o=0 active_o=1 held_q=3 count_q=2");
    play(b, "second_q=0 pairs=1 slot_o=2 held_q=15 count_q=4 pairs=2 held_q=255 count_q=8 room=0");
    play(b, "done=12 cycle held_q=243 open=1 slot_o=2 cycle held_q=255");
}

/* The second CTA needs nobody who asks, and nothing is ready before it has come. */
RULE(second_follows, "BCS-1: the second CTA comes in the cycle after the first one, and nothing else", "sm_resources")
{
    play(b, "open=1 may_i=1 whole_i=1 take_i=1 cycle second_o=1 ready_o=0 held_q=3 ready_q=0 take_i=0 cycle second_o=0 ready_q=1 slot_q=2");
}

RULE(bcs_a4_alone, "BCS-A4: a CTA alone is in an even slot, and its partner slot stays empty", "sm_resources")
{
    play(b, "alone=1 slot_o=0 whole_o=0 held_q=1 second_q=0 alone=1 slot_o=2 held_q=5 pairs=1 slot_o=4 held_q=53 alone=1 slot_o=6 held_q=117");
    play(b, "alone=1 ready_o=0 held_q=117 count_q=5 room=0 done=1 due_o=1 held_q=116 room=1 alone=1 slot_o=0 held_q=117");
}

RULE(odd_slots, "BCS-A4: the last of an odd number of slots is for a CTA alone", "sm_resources_odd")
{
    play(b, "pairs=2 held_q=15 room=0 cycle fits_o=1 slot_q=4 alone=1 held_q=31 cycle fits_o=0");
    play(b, "done=16 due_o=1 held_q=15 room=0 cycle fits_o=1");
}

RULE(one_slot, "BCS-1: one slot is no place for a pair", "sm_resources_slots1")
{
    play(b, "room=0 cycle fits_o=1 pairs=1 held_q=0 alone=1 held_q=1");
}

/* ---- room -------------------------------------------------------------------------------- */

RULE(bcs1_room, "BCS-1, GWDE-2: a pair begins only where there is room for both", "sm_resources")
{
    play(b, "most=1 room=0 cycle fits_o=1 most=2 room=1 pairs=1 count_q=2 room=0 cycle fits_o=0");
    play(b, "most=3 room=0 cycle fits_o=1 most=4 room=1 cycle fits_o=1 pairs=1 count_q=4 room=0 most=6 done=3 count_q=3 room=1");
}

/* ---- delayed assignment ------------------------------------------------------------------ */

RULE(bcs3_both, "BCS-3, BCS-A3: what a pair holds comes back when both have finished", "sm_resources")
{
    for (unsigned lower = 0; lower < 2; lower++) {
        const unsigned one = lower ? 1 : 2, other = lower ? 2 : 1;

        play(b, "pairs=1 cycle active_o=3 done=%u active_o=3 due_o=0", one);
        play(b, "held_q=3 returning_q=%u count_q=2 cycle=9 active_o=%u due_o=0 count_o=2", one, other);
        play(b, "held_q=3 done=%u due_o=1 active_o=%u held_q=2 returning_q=2 count_q=1", other, other);
        play(b, "cycle due_o=1 active_o=0 held_q=0 returning_q=0 count_q=0 cycle due_o=0");
    }
    play(b, "pairs=1 done=3 due_o=1 held_q=2 cycle held_q=0 count_q=0");
}

RULE(bcs6_half_occupied, "BCS-6: two pairs, each with one CTA left, hold all and let no other in", "sm_resources_odd")
{
    play(b, "most=4 pairs=2 done=6 due_o=0 cycle active_o=9 count_o=4 held_q=15 returning_q=6 room=0 cycle fits_o=0");
    play(b, "done=1 due_o=1 held_q=14 room=0 held_q=12 count_q=2 returning_q=4 room=1 slot_q=0 pairs=1 held_q=15 returning_q=4");
    play(b, "done=8 due_o=1 held_q=11 returning_q=8 cycle held_q=3");
}

RULE(bcs_a3_same_pair, "BCS-A3: CTAs of two pairs that have finished are no pair", "sm_resources")
{
    play(b, "pairs=4 done=85 due_o=0 cycle active_o=170 count_o=8 held_q=255 returning_q=85 room=0 done=128 due_o=1 held_q=191 room=0");
    play(b, "held_q=63 room=1 slot_q=6");
}

RULE(first_ends_at_once, "BCS-3: the first CTA ends before the second one is launched", "sm_resources")
{
    play(b, "open=1 done=1 due_o=0 second_o=1 held_q=3 returning_q=1 cycle=3 active_o=2 due_o=0 held_q=3");
    play(b, "done=2 due_o=1 held_q=2 cycle held_q=0");
}

RULE(alone_waits_for_nobody, "BCS-A4: a CTA alone returns at once", "sm_resources")
{
    play(b, "pairs=1 alone=1 pairs=1 held_q=55 done=5 due_o=1 held_q=51 returning_q=1 count_q=4 cycle active_o=50 due_o=0 held_q=51");
}

/* Several at once: pairs return slot by slot, the lowest first, and those that wait stay. */
RULE(returns_in_turn, "BCS-3, GWDE-2: one slot returns per cycle, of whole pairs alone", "sm_resources")
{
    play(b, "pairs=4 done=244 held_q=239 returning_q=228 cycle due_o=1 held_q=207");
}

RULE(without_pairs, "BCS-2: without pair mode the other input of pairs says nothing", "sm_resources")
{
    play(b, "pair_i=0 whole_i=1 alone=1 slot_o=0 whole_o=0 held_q=1 second_q=0 alone=1 slot_o=1 held_q=3");
    play(b, "done=1 due_o=1 held_q=2 done=2 due_o=1 held_q=0");
}

/* What is held keeps to the mode in which it came. */
RULE(mode_of_what_is_held, "BCS-3: a pair waits for its partner in the mode in which it came", "sm_resources")
{
    play(b, "pairs=1 pair_q=1 pair_i=0 done=1 due_o=0 held_q=3 done=2 due_o=1 cycle held_q=0 alone=1 pair_q=0");
}

/* ---- the rules once more: a list of places -------------------------------------------------- */

enum { MOST_PLACES = 16 };

typedef struct place {
    bool there[2], finished[2];
} place;

typedef struct oracle {
    place at[MOST_PLACES];
    unsigned num;   /* places; the last one may be half                */
    bool half;
    bool opened;    /* a first CTA has come, to `which`                */
    unsigned ready; /* how many CTAs may come, 0, 1 or 2, to `which`   */
    unsigned which;
} oracle;

static unsigned ctas(const oracle *o)
{
    unsigned n = 0;

    for (unsigned k = 0; k < o->num; k++)
        n += (unsigned)o->at[k].there[0] + o->at[k].there[1];
    return n;
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
    const unsigned more = in->whole ? 2 : 1, k = empty_place(o, in->whole);
    const bool fits = k < o->num && ctas(o) + more <= in->most, comes = o->ready && in->take, second = o->opened;
    unsigned back;

    expect(b, "count_o=%u active_o=%u fits_o=%u ready_o=%u second_o=%u", ctas(o), active(o), fits, o->ready != 0, second);
    if (o->ready)
        expect(b, "slot_o=%u whole_o=%u", 2 * o->which, o->ready == 2);
    finish(o, in->cta_done);
    back = first_over(o);
    expect(b, "due_o=%u", back < o->num);
    if (back < o->num)
        give_back(o, back);
    if (comes || second)
        o->at[o->which].there[second] = true;
    o->opened = comes && o->ready == 2;
    o->ready = fits && in->may && !in->clear && !in->take && !second ? more : 0;
    if (!comes)
        o->which = k;
}

RULE_EACH(random_against_places, "BCS-1, BCS-3, BCS-A3, BCS-A4: random pairs and CTAs alone against a list of places", variants)
{
    uint64_t seed = 0x9a1 + config(b)->num_slots;
    oracle o = {.num = (config(b)->num_slots + 1) / 2, .half = config(b)->num_slots % 2};
    unsigned launched = 0;

    for (unsigned n = 0; n < 30000; n++) {
        const unsigned busy = 1 + n / 1000 % 7;

        if (ctas(&o) == 0 && !o.ready)
            b->in.most = (uint8_t)random_below(&seed, config(b)->num_slots + 1);
        b->in.may = !random_one_in(&seed, 5);
        b->in.clear = random_one_in(&seed, 9);
        b->in.whole = !random_one_in(&seed, 4);
        b->in.take = launching(n) && random_one_in(&seed, 2);
        draw_finishes(b, &seed, n, busy);
        cycle(b);
        launched += o.opened;
        check_cycle(b, &o);
        assert_true(ctas(&o) <= b->seen.most || ctas(&o) == 0);
    }
    assert_true(config(b)->num_slots == 1 || launched > 500);
}
