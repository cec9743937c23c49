/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel alone: what mcke launches then, in mode QUOTAS with quotas that are not below the limits, is what gwde's model with default
 * parameters launches, in the same order. mcke takes a cycle longer, and serves an SM in every fourth cycle and not in every second one.
 * So the two are compared where both have come to rest, and then a CTA at most of each SM finishes.
 */
#include "blocks/mcke/bench.h"
#include "chip/gwde.h"

enum { MOST_LAUNCHES = 1024, ROUNDS = 60 };

typedef struct launch {
    uint32_t cta;
    unsigned sm, slot;
} launch;

typedef struct both {
    gwde_cfg cfg;
    gwde_state state;
    gwde_in in;
    gwde_out out;
    launch gwde[MOST_LAUNCHES], mcke[MOST_LAUNCHES]; /* since both came to rest last */
    unsigned num_gwde, num_mcke;
} both;

static void open_gwde(const bench *b, both *g)
{
    const mcke_cfg *cfg = config(b);

    memset(g, 0, sizeof *g);
    g->cfg = gwde_cfg_default();
    g->cfg.num_sms = cfg->num_sms;
    g->cfg.num_warps = cfg->sm.num_warps;
    g->cfg.reg_units = cfg->sm.reg_units;
    g->cfg.smem_units = cfg->sm.smem_units;
    g->cfg.sm.num_slots = cfg->sm.num_slots;
    gwde_reset(&g->state, &g->cfg);
}

/* A cycle of both, with the same inputs. */
static void step_both(bench *b, both *g)
{
    cycle(b);
    g->in.start = b->seen.start;
    g->in.grid = b->seen.grid;
    g->in.warps = b->seen.warps;
    g->in.regs = b->seen.regs;
    g->in.smem = b->seen.smem;
    for (unsigned i = 0; i < sms(b); i++) {
        g->in.sm[i].limit = b->seen.sm[i].limit;
        g->in.sm[i].req = b->seen.sm[i].req;
        g->in.sm[i].cta_done = b->seen.sm[i].cta_done;
    }
    gwde_step(&g->state, &g->cfg, &g->in, &g->out);
    if (b->out.start_valid && g->num_mcke < MOST_LAUNCHES)
        g->mcke[g->num_mcke++] = (launch){b->out.start_cta, b->out.start_sm, b->out.start_slot};
    if (g->out.start_valid && g->num_gwde < MOST_LAUNCHES)
        g->gwde[g->num_gwde++] = (launch){g->out.start_cta, g->out.start_sm, g->out.start_slot};
}

/* Nothing is started and nothing finishes until neither has anything to launch. */
static void rest(bench *b, both *g)
{
    b->in.start = 0;
    for (unsigned i = 0; i < sms(b); i++)
        b->in.sm[i].cta_done = 0;
    for (unsigned still = 0; still < 8 + config(b)->sm.num_slots; still++) {
        step_both(b, g);
        if (b->out.start_valid || g->out.start_valid)
            still = 0;
    }
}

static void expect_same(const bench *b, const both *g, unsigned k)
{
    assert_int_equal(g->num_gwde, g->num_mcke);
    for (unsigned n = 0; n < g->num_gwde; n++) {
        assert_int_equal(g->gwde[n].cta, g->mcke[n].cta);
        assert_int_equal(g->gwde[n].sm, g->mcke[n].sm);
        assert_int_equal(g->gwde[n].slot, g->mcke[n].slot);
    }
    assert_int_equal(b->out.idle >> k & 1, g->out.idle);
    assert_int_equal(b->out.exhausted >> k & 1, g->out.exhausted);
    assert_int_equal(b->out.too_big >> k & 1, g->out.too_big);
    for (unsigned i = 0; i < sms(b); i++) {
        assert_int_equal(b->out.sm[i].cta_active, g->out.sm[i].cta_active);
        assert_int_equal(b->out.sm[i].denied >> k & 1, g->out.sm[i].denied);
        assert_int_equal(resident(b, i, k), g->state.sm[i].count);
    }
}

static unsigned draw_need(uint64_t *seed, unsigned capacity)
{
    return random_one_in(seed, 9) ? random_below(seed, capacity + 2) : random_below(seed, capacity / 2 + 2) / (1 + random_below(seed, 9));
}

/* Who asks, with which limit. */
static void draw_sms(bench *b, uint64_t *seed, unsigned n, unsigned k)
{
    const unsigned slots = config(b)->sm.num_slots;

    for (unsigned i = 0; i < sms(b); i++) {
        b->in.sm[i].req = n % 3 == 0 || random_one_in(seed, n % 3 == 1 ? 2 : 8);
        if (random_one_in(seed, 4)) { /* the quota is the limit, or more */
            b->in.sm[i].limit = (uint8_t)random_below(seed, slots + 1);
            quota_on(b, i, k, b->in.sm[i].limit + random_below(seed, slots + 1 - b->in.sm[i].limit));
        }
    }
}

/* One of those that run, or none. */
static uint32_t draw_done(uint64_t *seed, uint32_t active, unsigned slots)
{
    const unsigned first = random_below(seed, slots);
    const uint32_t later = active >> first << first, from = later ? later : active;

    return from & (0u - from);
}

/* A cycle that may start a kernel, and in which a CTA at most of each SM finishes. */
static void draw_cycle(bench *b, uint64_t *seed, unsigned k)
{
    const cke_resources_cfg *sm = &config(b)->sm;

    b->in.start = 1;
    b->in.kernel = (uint8_t)k;
    b->in.grid = random_one_in(seed, 12) ? random_below(seed, 2) : random_below(seed, 1 + 6 * sms(b));
    needs(b, draw_need(seed, sm->num_warps), draw_need(seed, sm->reg_units), draw_need(seed, sm->smem_units));
    for (unsigned i = 0; i < sms(b); i++)
        b->in.sm[i].cta_done = random_one_in(seed, 5) ? 0 : draw_done(seed, b->out.sm[i].cta_active, sm->num_slots);
}

RULE_EACH(alone_as_gwde, "CKE-A1, GWDE-1 to GWDE-4: a kernel alone is dispatched as gwde does it", variants)
{
    uint64_t seed = 0xa10e + sms(b);
    both *g = malloc(sizeof *g);

    assert_non_null(g);
    for (unsigned k = 0; k < kernels(b); k++) {
        unsigned launches = 0, started = 0;

        dut_reset(&b->dut);
        prepare(b);
        open_gwde(b, g);
        for (unsigned n = 0; n < ROUNDS * 4; n++) {
            g->num_gwde = g->num_mcke = 0;
            draw_sms(b, &seed, n / 9, k);
            rest(b, g); /* a limit that rises as a CTA ends would leave the choice of two slots */
            draw_cycle(b, &seed, k);
            step_both(b, g);
            started += g->in.start && g->out.idle && g->in.grid;
            rest(b, g);
            expect_same(b, g, k);
            launches += g->num_gwde;
        }
        assert_true(started > 10 && launches > 2 * started);
    }
    free(g);
}
