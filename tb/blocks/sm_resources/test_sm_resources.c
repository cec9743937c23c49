/* SPDX-License-Identifier: Apache-2.0
 *
 * The account of an SM's slots, each rule on the model and on the RTL. The random test compares it with a list of CTAs that is counted
 * anew in every cycle.
 */
#include "blocks/sm_resources/bench.h"
#include "engine/step_fixture.h"

static const bench_word words[] = {{"take", take, NULL}, {"done", done, NULL}, {"room", room, NULL}, {NULL, NULL, NULL}};

TEST(defaults)
{
    const sm_resources_cfg cfg = sm_resources_cfg_default();

    assert_int_equal(cfg.num_slots, 8);
}

RULE_EACH(reset_state, "reset: nothing is held, nothing is ready", variants)
{
    for (unsigned i = 0; i < 2; i++) { /* the second time with CTAs, and with one on its way back */
        play(b, "held_q=0 returning_q=0 count_q=0 slot_q=0 ready_q=0 whole_q=0 second_q=0 pair_q=0");
        play(b, "room=1 cycle fits_o=1 ready_o=0 slot_o=0 count_o=0 active_o=0 due_o=0");
        room(b, config(b)->num_slots);
        b->in.pair = b->in.whole = 1;
        take(b, 2);
        done(b, config(b)->num_slots > 1 ? 3 : 1);
        b->in.may = 1;
        cycles(b, 2);
        b->in.pair = b->in.whole = b->in.may = 0;
        dut_reset(&b->dut);
    }
}

/* ---- room -------------------------------------------------------------------------------- */

RULE_EACH(gwde2_room, "GWDE-2: as many CTAs come as an empty SM has room for", variants)
{
    for (unsigned most = 0; most <= config(b)->num_slots; most++) {
        dut_reset(&b->dut);
        room(b, most);
        take(b, config(b)->num_slots + 1);
        play(b, "count_q=%u cycle fits_o=0", most);
    }
}

/* Where it may come, a CTA waits until it is taken. */
RULE(ready_waits, "GWDE-2: ready from the cycle after the one that found room, until a CTA comes", "sm_resources_small")
{
    play(b, "room=2 may_i=1 cycle fits_o=1 ready_o=0 ready_q=1 slot_q=0 cycle=3 ready_o=1 ready_q=1 held_q=0");
    play(b, "take_i=1 cycle ready_q=0 held_q=1 count_q=1 cycle ready_o=0 held_q=1 ready_q=0"); /* none in a row, taken or not */
    play(b, "take_i=0 cycle ready_q=1 slot_q=1 take_i=1 cycle held_q=3 take_i=0 cycle=2 fits_o=0 ready_q=0");
}

RULE(may_and_clear, "GWDE-2: ready only where a CTA may come and nothing is cleared", "sm_resources_small")
{
    play(b, "room=3 cycle fits_o=1 ready_q=0 may_i=1 clear_i=1 cycle fits_o=1 ready_q=0 clear_i=0 cycle ready_q=1");
    play(b, "clear_i=1 cycle ready_o=1 ready_q=0 clear_i=0 cycle ready_q=1 may_i=0 cycle ready_o=1 ready_q=0");
    play(b, "may_i=1 cycle ready_q=1 room=0 cycle fits_o=0 ready_o=1 ready_q=0");
}

RULE(take_where_not_ready, "GWDE-2: a launch where the SM is not ready has no effect", "sm_resources_small")
{
    play(b, "room=3 take_i=1 cycle=5 count_q=0 held_q=0 may_i=1 cycle=5 count_q=0 held_q=0 ready_q=0");
}

/* ---- slots --------------------------------------------------------------------------------- */

RULE(lowest_free_slot, "a CTA goes into the lowest free slot", "sm_resources")
{
    play(b, "room=8 take=1 slot_o=0 take=1 slot_o=1 take=3 slot_o=4 held_q=31");
    play(b, "done=2 done=8 held_q=21 take=1 slot_o=1 take=1 slot_o=3 take=1 slot_o=5 held_q=63");
    play(b, "take=2 slot_o=7 held_q=255 may_i=1 cycle fits_o=0 ready_q=0 slot_q=0");
}

/* A slot that returns at an edge is free in the next cycle, not in this one. */
RULE(slot_is_free_the_cycle_after, "a slot is found the cycle after its CTA has finished, and filled a cycle later", "sm_resources_slots1")
{
    play(b, "room=1 take=1 held_q=1 active_o=0 cycle active_o=1 may_i=1 cta_done_i=1 cycle fits_o=0 due_o=1 active_o=1 held_q=0 count_q=0");
    play(b, "cta_done_i=0 cycle fits_o=1 ready_q=1 take_i=1 cycle held_q=1 count_q=1");
}

/* What was found is not looked for again while it waits for its turn: a lower slot comes back. */
RULE(found_slot, "a CTA goes into the slot that was the lowest in the cycle before", "sm_resources")
{
    play(b, "room=8 take=2 may_i=1 cycle slot_q=2 done=1 slot_q=2 held_q=2 take_i=1 cycle slot_o=2 held_q=6");
    play(b, "take_i=0 cycle=2 slot_q=0 take_i=1 cycle held_q=7");
}

/* ---- returns ------------------------------------------------------------------------------- */

RULE(one_return_per_cycle, "several CTAs finish at once: one returns per cycle, the lowest first", "sm_resources")
{
    play(b, "room=8 take=6 held_q=63");
    play(b, "done=52 active_o=63 due_o=1 held_q=59 returning_q=48 count_q=5");
    play(b, "cycle active_o=11 due_o=1 count_o=5 held_q=43 returning_q=32 count_q=4");
    play(b, "cycle active_o=11 due_o=1 held_q=11 returning_q=0 count_q=3");
    play(b, "cycle active_o=11 due_o=0 held_q=11 count_q=3");
}

RULE(lower_slot_overtakes, "a lower slot that finishes later returns first", "sm_resources")
{
    play(b, "room=8 take=8 done=224 held_q=223 returning_q=192 done=3 held_q=222 returning_q=194 cycle held_q=220 returning_q=192 "
            "cycle held_q=156 returning_q=128 cycle held_q=28 returning_q=0 cycle held_q=28 due_o=0");
}

RULE(done_of_nothing, "a CTA that is not there does not finish, nor does one twice", "sm_resources")
{
    play(b, "room=8 done=255 due_o=0 held_q=0 count_q=0 take=3 done=248 due_o=0 held_q=7");
    play(b, "done=7 held_q=6 returning_q=6 done=6 held_q=4 returning_q=4 done=4 held_q=0 returning_q=0 count_q=0 done=7 count_q=0");
}

RULE(launch_and_return, "a launch and a return in one cycle move nothing but slots", "sm_resources_small")
{
    play(b, "room=3 take=2 held_q=3 may_i=1 cycle ready_q=1 slot_q=2 take_i=1 done=1 held_q=6 count_q=2");
}

/* What comes back at this edge is not there before it. */
RULE(full_until_returned, "what returns can be found in the next cycle", "sm_resources_small")
{
    play(b, "room=1 take=1 may_i=1 done=1 fits_o=0 held_q=0 ready_q=0 cycle fits_o=1 ready_q=1");
}

/* ---- the rules once more: a list of CTAs ----------------------------------------------------- */

typedef struct oracle {
    bool there[32], finished[32];
    bool ready;
    unsigned slot;
} oracle;

static unsigned ctas(const oracle *o)
{
    unsigned n = 0;

    for (unsigned i = 0; i < 32; i++)
        n += o->there[i];
    return n;
}

static void check(const bench *b, const oracle *o)
{
    uint32_t active = 0;

    for (unsigned i = 0; i < 32; i++)
        active |= (uint32_t)(o->there[i] && !o->finished[i]) << i;
    expect(b, "count_o=%u active_o=%u ready_o=%u", ctas(o), active, o->ready);
    if (o->ready)
        expect(b, "slot_o=%u", o->slot);
}

static void oracle_step(oracle *o, const sm_resources_cfg *cfg, const sm_resources_in *in)
{
    const bool comes = o->ready && in->take, room_left = ctas(o) < in->most;
    const unsigned into = o->slot;
    unsigned first = 0, slot = 0;

    while (slot < cfg->num_slots && o->there[slot])
        slot++;
    for (unsigned i = 0; i < cfg->num_slots; i++)
        o->finished[i] |= o->there[i] && (in->cta_done >> i & 1);
    while (first < cfg->num_slots && !o->finished[first])
        first++;
    if (first < cfg->num_slots)
        o->there[first] = o->finished[first] = false;
    if (comes)
        o->there[into] = true;
    o->ready = in->may && !in->take && !in->clear && room_left && slot < cfg->num_slots;
    o->slot = slot;
}

RULE_EACH(random_against_a_list, "GWDE-2: random launches and finishes against a list of CTAs", variants)
{
    uint64_t seed = 0x6d4e + config(b)->num_slots;
    oracle o = {.ready = false};

    for (unsigned n = 0; n < 30000; n++) {
        const unsigned busy = 1 + n / 1000 % 9;

        if (state(b)->held == 0 && !state(b)->ready)
            room(b, random_below(&seed, config(b)->num_slots + 1));
        b->in.may = !random_one_in(&seed, 5);
        b->in.clear = random_one_in(&seed, 9);
        b->in.take = launching(n) && random_one_in(&seed, 2);
        draw_finishes(b, &seed, n, busy);
        cycle(b);
        check(b, &o);
        oracle_step(&o, config(b), &b->seen);
        assert_true(ctas(&o) <= b->seen.most || state(b)->held == 0);
    }
}

/* ---- twins --------------------------------------------------------------------------------- */

/* Anything at all, pair mode that changes included. */
static void draw_inputs(void *inputs, const void *cfg, uint64_t *seed, unsigned n)
{
    const sm_resources_cfg *c = cfg;
    sm_resources_in *in = inputs;

    in->may = !random_one_in(seed, 4);
    in->clear = random_one_in(seed, 9);
    in->take = random_one_in(seed, 2);
    in->pair = n / 300 % 2 ? 1 : random_one_in(seed, 50);
    in->whole = random_one_in(seed, 2);
    in->cta_done = random_set(seed, c->num_slots, 1 + n / 900 % 9);
    if (random_one_in(seed, 20))
        in->most = (uint8_t)random_below(seed, c->num_slots + 1);
}

SUITE_TESTS(twins, TWIN_CYCLES("twins: any inputs", variants, 0x1d2, 20000, draw_inputs),
            EACH_TWIN_STEPS("twins: one step from 10 000 states", variants, 0x3c4, 10000, step_draw_any))

/* ---- the log ------------------------------------------------------------------------------- */

RULE(log_of_launches, "log: launches", "sm_resources")
{
    room(b, 6);
    b->in.may = 1;
    cycle(b);
    b->in.take = 1;
    expect_decision(b, "sm_resources GWDE-2 launch: slot=0 | count=0 | count=1", "CTA in slot 0: 1 held, room for 6");
}
