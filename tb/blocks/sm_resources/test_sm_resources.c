/* SPDX-License-Identifier: Apache-2.0
 *
 * The account of an SM's resources, each rule on the model and on the RTL. The last tests compare it with a list of CTAs, each
 * with what it took, that is added up anew in every cycle.
 */
#include "blocks/sm_resources/bench.h"
#include "engine/step_fixture.h"

static const bench_word words[] = {{"take", take, NULL}, {"done", done, NULL}, {NULL, NULL, NULL}};

static unsigned as_many_as_fit(bench *b)
{
    unsigned n = 0;

    for (cycle(b); b->out.fits; n++) {
        take(b, 1);
        cycle(b);
    }
    return n;
}

TEST(defaults)
{
    const sm_resources_cfg cfg = sm_resources_cfg_default();

    assert_int_equal(cfg.num_slots, 8);
    assert_int_equal(cfg.num_warps, 48);
    assert_int_equal(cfg.reg_units, 1024);
    assert_int_equal(cfg.smem_units, 384);
}

RULE_EACH(reset_state, "reset: nothing is held, everything is free", variants)
{
    const sm_resources_cfg *cfg = config(b);

    for (unsigned i = 0; i < 2; i++) { /* the second time with CTAs, and with one on its way back */
        expect(b, "held_q=0 returning_q=0 count_q=0 warps_q=%u regs_q=%u smem_q=%u", cfg->num_warps, cfg->reg_units,
               cfg->smem_units);
        play(b, "cycle fits_o=1 slot_o=0 count_o=0 active_o=0 due_o=0");
        needs(b, 1, 1, 0);
        take(b, 2);
        done(b, cfg->num_slots > 1 ? 3 : 1);
        dut_reset(&b->dut);
    }
}

/* ---- four resources ------------------------------------------------------------------------ */

RULE(gwde2_warps, "GWDE-2: the warps of an entire CTA", "sm_resources_small")
{
    needs(b, 3, 0, 0);
    assert_int_equal(as_many_as_fit(b), 2);
    play(b, "count_q=2 warps_q=1 regs_q=20 smem_q=6");
}

RULE(gwde2_registers, "GWDE-2: the registers of an entire CTA", "sm_resources_small")
{
    needs(b, 1, 7, 0);
    assert_int_equal(as_many_as_fit(b), 2);
    play(b, "count_q=2 warps_q=5 regs_q=6 smem_q=6");
}

RULE(gwde2_shared_memory, "GWDE-2: the shared memory of an entire CTA", "sm_resources_small")
{
    needs(b, 1, 1, 4);
    assert_int_equal(as_many_as_fit(b), 1);
    play(b, "count_q=1 warps_q=6 regs_q=19 smem_q=2");
}

RULE(gwde2_slots, "GWDE-2: a slot", "sm_resources_small")
{
    needs(b, 0, 0, 0);
    assert_int_equal(as_many_as_fit(b), 3);
    play(b, "held_q=7 count_q=3 warps_q=7 take=1 held_q=7 count_q=3 fits_o=0 slot_o=0");
}

RULE_EACH(gwde2_exact_fit, "GWDE-2: an exact fit is a fit, one unit more is none", variants)
{
    const sm_resources_cfg *cfg = config(b);

    for (unsigned more = 0; more < 8; more++) {
        dut_reset(&b->dut);
        needs(b, cfg->num_warps + (more & 1), cfg->reg_units + (more >> 1 & 1), cfg->smem_units + (more >> 2 & 1));
        play(b, "cycle fits_o=%u take=1 count_q=%u", more == 0, more == 0);
        if (more == 0)
            play(b, "warps_q=0 regs_q=0 smem_q=0 done=1 warps_q=%u regs_q=%u smem_q=%u count_q=0", cfg->num_warps, cfg->reg_units,
                 cfg->smem_units);
    }
}

RULE(take_where_nothing_fits, "GWDE-2: a launch without room has no effect", "sm_resources_small")
{
    needs(b, 4, 8, 2);
    play(b, "take=5 count_q=1 held_q=1 warps_q=3 regs_q=12 smem_q=4");
}

/* ---- slots --------------------------------------------------------------------------------- */

RULE(lowest_free_slot, "a CTA goes into the lowest free slot", "sm_resources")
{
    needs(b, 1, 1, 1);
    play(b, "take=1 slot_o=0 take=1 slot_o=1 take=3 slot_o=4 held_q=31");
    play(b, "done=2 done=8 cycle held_q=21 slot_o=1 take=1 slot_o=1 take=1 slot_o=3 take=1 slot_o=5 held_q=63");
    play(b, "take=2 slot_o=7 held_q=255 cycle slot_o=0 fits_o=0");
}

/* A slot that returns at an edge is free in the next cycle, not in this one. */
RULE(slot_is_free_the_cycle_after, "a slot is free the cycle after its CTA has finished", "sm_resources_slots1")
{
    needs(b, 1, 1, 1);
    play(b, "take=1 held_q=1 active_o=0 cycle active_o=1 cta_done_i=1 take=1 fits_o=0 due_o=1 active_o=1 held_q=0 count_q=0");
    play(b, "cta_done_i=0 take=1 fits_o=1 held_q=1 count_q=1");
}

/* ---- returns ------------------------------------------------------------------------------- */

RULE(one_return_per_cycle, "several CTAs finish at once: one returns per cycle, the lowest first", "sm_resources")
{
    needs(b, 5, 100, 30);
    play(b, "take=6 held_q=63 warps_q=18 regs_q=424 smem_q=204");
    play(b, "done=52 active_o=63 due_o=1 held_q=59 returning_q=48 count_q=5 warps_q=23 regs_q=524 smem_q=234");
    play(b, "cycle active_o=11 due_o=1 count_o=5 held_q=43 returning_q=32 count_q=4 warps_q=28");
    play(b, "cycle active_o=11 due_o=1 held_q=11 returning_q=0 count_q=3 warps_q=33 regs_q=724 smem_q=294");
    play(b, "cycle active_o=11 due_o=0 held_q=11 count_q=3 warps_q=33");
}

RULE(lower_slot_overtakes, "a lower slot that finishes later returns first", "sm_resources")
{
    needs(b, 1, 1, 1);
    play(b, "take=8 done=224 held_q=223 returning_q=192 done=3 held_q=222 returning_q=194 cycle held_q=220 returning_q=192 "
            "cycle held_q=156 returning_q=128 cycle held_q=28 returning_q=0 cycle held_q=28 due_o=0");
}

RULE(done_of_nothing, "a CTA that is not there does not finish, nor does one twice", "sm_resources")
{
    needs(b, 2, 2, 2);
    play(b, "done=255 due_o=0 held_q=0 count_q=0 warps_q=48 take=3 done=248 due_o=0 held_q=7");
    play(b, "done=7 held_q=6 returning_q=6 done=6 held_q=4 returning_q=4 done=4 held_q=0 returning_q=0 count_q=0 warps_q=48 "
            "done=7 warps_q=48 regs_q=1024 smem_q=384 count_q=0");
}

RULE(launch_and_return, "a launch and a return in one cycle move nothing but slots", "sm_resources_small")
{
    needs(b, 2, 6, 1);
    play(b, "take=2 held_q=3 warps_q=3 regs_q=8 smem_q=4 take_i=1 done=1 slot_o=2 held_q=6 count_q=2 warps_q=3 regs_q=8 smem_q=4");
    play(b, "take_i=1 done=2 slot_o=0 held_q=5 count_q=2 warps_q=3");
}

/* What comes back at this edge is not there before it. */
RULE(full_until_returned, "what returns can be taken in the next cycle", "sm_resources_small")
{
    needs(b, 7, 0, 0);
    play(b, "take=1 warps_q=0 take_i=1 done=1 fits_o=0 held_q=0 warps_q=7 cycle fits_o=1 held_q=1 warps_q=0");
}

/* The contract says nothing of such needs, but what comes back (page). */
RULE(needs_that_change, "needs that change: what comes back is what they are then", "sm_resources_small")
{
    needs(b, 7, 20, 6);
    take(b, 1);
    needs(b, 1, 2, 3);
    play(b, "cycle fits_o=0 done=1 held_q=0 warps_q=1 regs_q=2 smem_q=3 cycle fits_o=1");
    needs(b, 1, 2, 4);
    play(b, "cycle fits_o=0");
}

/* ---- the rules once more: a list of CTAs, each with what it took ----------------------------- */

typedef struct oracle {
    struct {
        bool there, finished;
        unsigned warps, regs, smem;
    } cta[32];
} oracle;

static bool oracle_room(const oracle *o, const sm_resources_cfg *cfg, const sm_resources_in *in, unsigned *slot)
{
    unsigned warps = in->warps, regs = in->regs, smem = in->smem;

    *slot = cfg->num_slots;
    for (unsigned i = cfg->num_slots; i-- > 0;)
        if (o->cta[i].there) {
            warps += o->cta[i].warps;
            regs += o->cta[i].regs;
            smem += o->cta[i].smem;
        } else {
            *slot = i;
        }
    return *slot < cfg->num_slots && warps <= cfg->num_warps && regs <= cfg->reg_units && smem <= cfg->smem_units;
}

static void oracle_step(oracle *o, const sm_resources_cfg *cfg, const sm_resources_in *in, sm_resources_out *out)
{
    unsigned slot, first = cfg->num_slots;

    memset(out, 0, sizeof *out);
    out->fits = oracle_room(o, cfg, in, &slot);
    out->slot = (uint8_t)(slot < cfg->num_slots ? slot : 0);
    for (unsigned i = 0; i < cfg->num_slots; i++) {
        out->count = (uint8_t)(out->count + o->cta[i].there);
        out->active |= (uint32_t)(o->cta[i].there && !o->cta[i].finished) << i;
        o->cta[i].finished |= o->cta[i].there && (in->cta_done >> i & 1);
        if (o->cta[i].finished && first == cfg->num_slots)
            first = i;
    }
    out->due = first < cfg->num_slots;
    if (out->due)
        memset(&o->cta[first], 0, sizeof o->cta[first]);
    if (in->take && out->fits) {
        o->cta[slot].there = true;
        o->cta[slot].warps = in->warps;
        o->cta[slot].regs = in->regs;
        o->cta[slot].smem = in->smem;
    }
}

static void check(const bench *b, const oracle *o, const sm_resources_out *out)
{
    const sm_resources_cfg *cfg = config(b);
    unsigned warps = 0, regs = 0, smem = 0;

    expect(b, "fits_o=%u slot_o=%u count_o=%u active_o=%u due_o=%u", out->fits, out->slot, out->count, out->active, out->due);
    for (unsigned i = 0; i < cfg->num_slots; i++) {
        warps += o->cta[i].warps;
        regs += o->cta[i].regs;
        smem += o->cta[i].smem;
    }
    expect(b, "warps_q=%u regs_q=%u smem_q=%u", cfg->num_warps - warps, cfg->reg_units - regs, cfg->smem_units - smem);
}

RULE_EACH(random_against_a_list, "GWDE-2: random launches and finishes against a list of CTAs", variants)
{
    uint64_t seed = 0x6d4e + config(b)->num_slots;
    oracle o = {0};

    for (unsigned n = 0; n < 30000; n++) {
        const unsigned busy = 1 + n / 1000 % 9;
        sm_resources_out expected;

        if (state(b)->held == 0)
            needs(b, draw_need(&seed, config(b)->num_warps), draw_need(&seed, config(b)->reg_units), draw_need(&seed, config(b)->smem_units));
        b->in.take = launching(n) && !random_one_in(&seed, 3);
        draw_finishes(b, &seed, n, busy);
        cycle(b);
        oracle_step(&o, config(b), &b->seen, &expected);
        check(b, &o, &expected);
    }
}

/* ---- twins --------------------------------------------------------------------------------- */

/* Anything at all, needs that change included. */
static void draw_inputs(void *inputs, const void *cfg, uint64_t *seed, unsigned n)
{
    const sm_resources_cfg *c = cfg;
    sm_resources_in *in = inputs;

    in->take = random_one_in(seed, 2);
    in->pair = n / 300 % 2;
    in->whole = random_one_in(seed, 2);
    in->second = random_one_in(seed, 3);
    in->first = (uint8_t)random_below(seed, c->num_slots);
    in->cta_done = random_set(seed, c->num_slots, 4);
    if (random_one_in(seed, 20)) {
        in->warps = (uint8_t)draw_need(seed, c->num_warps);
        in->regs = (uint16_t)draw_need(seed, c->reg_units);
        in->smem = (uint16_t)draw_need(seed, c->smem_units);
    }
}

SUITE_TESTS(twins, TWIN_CYCLES("twins: any inputs", variants, 0x1d2, 20000, draw_inputs),
            EACH_TWIN_STEPS("twins: one step from 10 000 states", variants, 0x3c4, 10000, step_draw_any))

/* ---- the log ------------------------------------------------------------------------------- */

RULE(log_of_launches, "log: launches", "sm_resources")
{
    needs(b, 8, 280, 24);
    b->in.take = 1;
    expect_decision(b, "sm_resources GWDE-2 launch: slot=0 | count=0 warps=48 regs=1024 smem=384 | count=1 warps=40 regs=744 smem=360",
                    "CTA in slot 0: 1 held, free 40 warps, 744 register units, 360 shared memory units");
}
