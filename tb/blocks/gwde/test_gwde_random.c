/* SPDX-License-Identifier: Apache-2.0
 *
 * The dispatcher under random kernels, requests, limits and finishes, against a list of CTAs; and the two sides on any input.
 */
#include "blocks/gwde/bench.h"

/* ---- the rules once more: a list of CTAs -------------------------------------------------- */

enum { MOST_SMS = 16, MOST_SLOTS = 8 };

typedef struct resident {
    bool there, finished;
    unsigned warps, regs, smem;
} resident;

typedef struct oracle {
    resident cta[MOST_SMS][MOST_SLOTS];
    uint32_t grid, chosen; /* CTAs of the kernel, and of them chosen */
    unsigned warps, regs, smem;
    unsigned asked_first;
    bool too_big;
    unsigned counted; /* CTAs that are known to fit an empty SM */
    bool ready[MOST_SMS];
    unsigned into[MOST_SMS]; /* this slot */
    bool launch; /* in this cycle: */
    unsigned sm, slot;
} oracle;

static unsigned held(const oracle *o, const gwde_cfg *cfg, unsigned sm)
{
    unsigned n = 0;

    for (unsigned i = 0; i < cfg->sm.num_slots; i++)
        n += o->cta[sm][i].there;
    return n;
}

/* It becomes known that one more CTA fits an empty SM. */
static bool counts_on(const oracle *o, const gwde_cfg *cfg)
{
    const unsigned n = o->counted + 1;

    return n <= cfg->sm.num_slots && n * o->warps <= cfg->num_warps && n * o->regs <= cfg->reg_units && n * o->smem <= cfg->smem_units;
}

/* The lowest free slot if one more CTA fits, as far as that is known, else num_slots. */
static unsigned room(const oracle *o, const gwde_cfg *cfg, unsigned sm)
{
    unsigned warps = o->warps, regs = o->regs, smem = o->smem, slot = cfg->sm.num_slots;

    for (unsigned i = cfg->sm.num_slots; i-- > 0;) {
        const resident *cta = &o->cta[sm][i];

        warps += cta->warps;
        regs += cta->regs;
        smem += cta->smem;
        slot = cta->there ? slot : i;
    }
    if (held(o, cfg, sm) >= o->counted)
        return cfg->sm.num_slots;
    assert_true(warps <= cfg->num_warps && regs <= cfg->reg_units && smem <= cfg->smem_units);
    return slot;
}

static bool returning(const oracle *o, const gwde_cfg *cfg, const gwde_in *in, unsigned sm)
{
    for (unsigned i = 0; i < cfg->sm.num_slots; i++)
        if (o->cta[sm][i].there && (o->cta[sm][i].finished || in->sm[sm].cta_done >> i & 1))
            return true;
    return false;
}

static void expect_outputs(const bench *b, const oracle *o)
{
    const gwde_cfg *cfg = config(b);
    bool nothing = true;

    for (unsigned sm = 0; sm < cfg->num_sms; sm++) {
        const gwde_sm_in *in = &b->seen.sm[sm];
        uint32_t active = 0;

        for (unsigned i = 0; i < cfg->sm.num_slots; i++)
            active |= (uint32_t)(o->cta[sm][i].there && !o->cta[sm][i].finished) << i;
        nothing &= held(o, cfg, sm) == 0;
        assert_int_equal(b->out.sm[sm].cta_active, active);
        assert_int_equal(b->out.sm[sm].cta_start, o->launch && o->sm == sm ? 1u << o->slot : 0);
        assert_int_equal(b->out.sm[sm].denied, in->req && (o->chosen == o->grid || (room(o, cfg, sm) == cfg->sm.num_slots &&
                                                                                   !returning(o, cfg, &b->seen, sm) && !counts_on(o, cfg))));
    }
    expect(b, "exhausted_o=%u idle_o=%u too_big_o=%u start_valid_o=%u", o->chosen == o->grid, o->chosen == o->grid && nothing,
           o->too_big, o->launch);
    if (o->launch)
        expect_launch(b, o->chosen - 1, o->sm, o->slot);
}

static void finish_one(oracle *o, const gwde_cfg *cfg, const gwde_in *in, unsigned sm)
{
    bool given = false;

    for (unsigned i = 0; i < cfg->sm.num_slots; i++) {
        resident *cta = &o->cta[sm][i];

        cta->finished |= cta->there && (in->sm[sm].cta_done >> i & 1);
        if (cta->finished && !given) {
            *cta = (resident){.there = false};
            given = true;
        }
    }
}

static void choose(oracle *o, const gwde_cfg *cfg)
{
    unsigned found = cfg->num_sms;

    for (unsigned k = cfg->num_sms; k-- > 0;) {
        const unsigned sm = (o->asked_first + k) % cfg->num_sms;

        if (o->ready[sm])
            found = sm;
    }
    o->launch = found != cfg->num_sms;
    if (o->launch) {
        o->sm = found;
        o->slot = o->into[found];
    }
}

/* Who may be chosen in the next cycle: none on the account of the launch, and none after the last CTA. */
static void find_ready(oracle *o, const gwde_cfg *cfg, const gwde_in *in)
{
    const bool none = o->launch && (cfg->fill == GWDE_FILL_DF || o->chosen + 1 == o->grid);

    for (unsigned sm = 0; sm < cfg->num_sms; sm++) {
        o->into[sm] = room(o, cfg, sm);
        o->ready[sm] = in->sm[sm].req && held(o, cfg, sm) < in->sm[sm].limit && o->into[sm] < cfg->sm.num_slots && o->chosen != o->grid &&
                       !none && !(o->launch && o->sm == sm);
    }
}

static unsigned next_of(const gwde_cfg *cfg, unsigned sm)
{
    return sm == cfg->num_sms - 1 ? 0 : sm + 1;
}

static void oracle_step(oracle *o, const gwde_cfg *cfg, const gwde_in *in)
{
    bool idle = o->chosen == o->grid;

    for (unsigned sm = 0; sm < cfg->num_sms; sm++)
        idle &= held(o, cfg, sm) == 0;
    choose(o, cfg);
    find_ready(o, cfg, in);
    o->counted += counts_on(o, cfg);
    for (unsigned sm = 0; sm < cfg->num_sms; sm++)
        finish_one(o, cfg, in, sm);
    if (o->launch) {
        o->cta[o->sm][o->slot] = (resident){true, false, o->warps, o->regs, o->smem};
        o->chosen++;
    }
    if (cfg->fill == GWDE_FILL_RR && (o->launch || cfg->rr_advance == GWDE_EVERY_CYCLE))
        o->asked_first = next_of(cfg, cfg->rr_advance == GWDE_EVERY_CYCLE ? o->asked_first : o->sm);
    if (in->start && idle) {
        o->too_big = in->warps > cfg->num_warps || in->regs > cfg->reg_units || in->smem > cfg->smem_units;
        o->grid = o->too_big ? 0 : in->grid;
        o->chosen = o->asked_first = 0;
        o->counted = !o->too_big;
        o->warps = in->warps;
        o->regs = in->regs;
        o->smem = in->smem;
    }
}

/* ---- random inputs -------------------------------------------------------------------------- */

static unsigned draw_need(uint64_t *seed, unsigned capacity)
{
    return random_one_in(seed, 9) ? random_below(seed, capacity + 2) : random_below(seed, capacity / 2 + 2) / (1 + random_below(seed, 9));
}

static void draw_inputs(void *inputs, const void *config, uint64_t *seed, unsigned n)
{
    static const unsigned lives[] = {2, 8, 40, 150};
    const gwde_cfg *cfg = config;
    const unsigned life = lives[n / 500 % 4], few = n / 2000 % 3;
    gwde_in *in = inputs;

    in->start = random_one_in(seed, 4);
    in->grid = random_one_in(seed, 12) ? random_below(seed, 2) : random_below(seed, 12 * cfg->num_sms);
    in->warps = (uint8_t)draw_need(seed, cfg->num_warps);
    in->regs = (uint16_t)draw_need(seed, cfg->reg_units);
    in->smem = (uint16_t)draw_need(seed, cfg->smem_units);
    for (unsigned i = 0; i < cfg->num_sms; i++) {
        in->sm[i].req = few == 0 || random_one_in(seed, few == 1 ? 3 : 12);
        if (random_one_in(seed, 60))
            in->sm[i].limit = (uint8_t)random_below(seed, cfg->sm.num_slots + 1);
        in->sm[i].cta_done = random_set(seed, cfg->sm.num_slots, life);
    }
}

RULE_EACH(random_against_a_list, "GWDE-1 to GWDE-4: random kernels and SMs against a list of CTAs", variants)
{
    uint64_t seed = 0x6bde + sms(b);
    unsigned launches = 0, kernels = 0;
    oracle o = {0};

    for (unsigned n = 0; n < 20000; n++) {
        draw_inputs(&b->in, config(b), &seed, n);
        cycle(b);
        expect_outputs(b, &o);
        oracle_step(&o, config(b), &b->seen);
        launches += o.launch;
        kernels += b->seen.start && b->out.idle && b->seen.grid;
    }
    assert_true(launches > 300 && kernels > 20);
}

/* Every SM's CTAs come to an end: then every CTA of the grid has been launched once, and all is free again. */
RULE_EACH(kernels_come_to_an_end, "GWDE-1: every CTA of every grid once, in order, and all comes back", variants)
{
    uint64_t seed = 0xe4d + sms(b);

    for (unsigned kernel = 0; kernel < 30; kernel++) {
        const uint32_t grid = 1 + random_below(&seed, 60);
        uint32_t launched = 0;
        unsigned n = 0;

        needs(b, random_below(&seed, config(b)->num_warps + 1), random_below(&seed, config(b)->reg_units + 1),
              random_below(&seed, config(b)->smem_units + 1));
        start(b, grid);
        do {
            for (unsigned i = 0; i < sms(b); i++)
                b->in.sm[i].cta_done = random_set(&seed, config(b)->sm.num_slots, 4);
            cycle(b);
            if (b->out.start_valid)
                assert_int_equal(b->out.start_cta, launched++);
            assert_true(++n < 10000);
        } while (!b->out.idle);
        assert_int_equal(launched, grid);
        for (unsigned i = 0; i < sms(b); i++)
            expect(b, "sm[%u].held_q=0 sm[%u].count_q=0", i, i);
    }
}

/* ---- twins ---------------------------------------------------------------------------------- */

SUITE_TESTS(twins, TWIN_CYCLES("twins: random kernels and SMs", variants, 0xb1d, 8000, draw_inputs),
            EACH_TWIN_STEPS("twins: one step from 2 000 states", variants, 0x3c4, 2000, step_draw_any))
