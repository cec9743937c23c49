/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel alone: what mcke launches then, in mode QUOTAS with quotas that are not below the limits, is in every cycle what gwde's
 * model with default parameters launches.
 */
#include "blocks/mcke/bench.h"
#include "chip/gwde.h"

typedef struct both {
    gwde_cfg cfg;
    gwde_state state;
    gwde_in in;
    gwde_out out;
    uint8_t count[GWDE_MAX_SMS]; /* CTAs of each SM in this cycle */
} both;

static void open_gwde(const bench *b, both *g)
{
    const mcke_cfg *cfg = config(b);

    memset(g, 0, sizeof *g);
    g->cfg = gwde_cfg_default();
    g->cfg.num_sms = cfg->num_sms;
    g->cfg.sm = (sm_resources_cfg){cfg->sm.num_slots, cfg->sm.num_warps, cfg->sm.reg_units, cfg->sm.smem_units};
    gwde_reset(&g->state, &g->cfg);
}

/* The same inputs, and its cycle. */
static void step_gwde(const bench *b, both *g)
{
    g->in.start = b->seen.start;
    g->in.grid = b->seen.grid;
    g->in.warps = b->seen.warps;
    g->in.regs = b->seen.regs;
    g->in.smem = b->seen.smem;
    for (unsigned i = 0; i < sms(b); i++) {
        g->in.sm[i].limit = b->seen.sm[i].limit;
        g->in.sm[i].req = b->seen.sm[i].req;
        g->in.sm[i].cta_done = b->seen.sm[i].cta_done;
        g->count[i] = g->state.sm[i].count;
    }
    gwde_step(&g->state, &g->cfg, &g->in, &g->out);
}

static void expect_same(const bench *b, const both *g, unsigned k)
{
    expect(b, "start_valid_o=%u", g->out.start_valid);
    if (g->out.start_valid)
        expect_launch(b, k, g->out.start_cta, g->out.start_sm, g->out.start_slot);
    assert_int_equal(b->out.idle >> k & 1, g->out.idle);
    assert_int_equal(b->out.exhausted >> k & 1, g->out.exhausted);
    assert_int_equal(b->out.too_big >> k & 1, g->out.too_big);
    for (unsigned i = 0; i < sms(b); i++) {
        assert_int_equal(b->out.sm[i].cta_start, g->out.sm[i].cta_start);
        assert_int_equal(b->out.sm[i].cta_active, g->out.sm[i].cta_active);
        assert_int_equal(b->out.sm[i].denied >> k & 1, g->out.sm[i].denied);
        assert_int_equal(resident(b, i, k), g->count[i]);
    }
}

static unsigned draw_need(uint64_t *seed, unsigned capacity)
{
    return random_one_in(seed, 9) ? random_below(seed, capacity + 2) : random_below(seed, capacity / 2 + 2) / (1 + random_below(seed, 9));
}

static void draw_inputs(bench *b, uint64_t *seed, unsigned n, unsigned k)
{
    static const unsigned lives[] = {2, 8, 40, 150};
    const cke_resources_cfg *sm = &config(b)->sm;

    b->in.start = random_one_in(seed, 4);
    b->in.kernel = (uint8_t)k;
    b->in.grid = random_one_in(seed, 12) ? random_below(seed, 2) : random_below(seed, 1 + 12 * sms(b));
    needs(b, draw_need(seed, sm->num_warps), draw_need(seed, sm->reg_units), draw_need(seed, sm->smem_units));
    for (unsigned i = 0; i < sms(b); i++) {
        b->in.sm[i].req = n / 2000 % 3 == 0 || random_one_in(seed, n / 2000 % 3 == 1 ? 2 : 8);
        if (random_one_in(seed, 60)) { /* the quota is the limit, or more */
            b->in.sm[i].limit = (uint8_t)random_below(seed, sm->num_slots + 1);
            quota_on(b, i, k, b->in.sm[i].limit + random_below(seed, sm->num_slots + 1 - b->in.sm[i].limit));
        }
        b->in.sm[i].cta_done = random_set(seed, sm->num_slots, lives[n / 500 % 4]);
    }
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
        for (unsigned n = 0; n < 8000; n++) {
            draw_inputs(b, &seed, n, k);
            cycle(b);
            step_gwde(b, g);
            expect_same(b, g, k);
            launches += g->out.start_valid;
            started += g->in.start && g->out.idle && g->in.grid;
        }
        assert_true(launches > 100 && started > 10);
    }
    free(g);
}
