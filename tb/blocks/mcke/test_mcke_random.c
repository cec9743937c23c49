/* SPDX-License-Identifier: Apache-2.0
 *
 * The dispatcher under random kernels, modes, requests, limits, quotas and finishes, against a list of CTAs; and the two sides on any
 * input.
 */
#include "blocks/mcke/bench.h"

/* ---- the rules once more: a list of CTAs, and queues of kernels and SMs --------------------- */

enum { MOST_SMS = 16, MOST_SLOTS = 16, NOBODY = -1 };

typedef struct job {
    uint32_t grid, chosen;
    unsigned need[3];
    bool too_big;
    unsigned order[MOST_SMS]; /* the SMs, as they are asked */
} job;

typedef struct oracle {
    int of[MOST_SMS][MOST_SLOTS]; /* whose CTA, or NOBODY */
    bool ended[MOST_SMS][MOST_SLOTS];
    int gone[MOST_SMS];           /* whose CTA has gone in the cycle before, and is counted still, or NOBODY */
    bool ready[MOST_SMS][BALLAST_CKE_MAX_KERNELS];
    unsigned pick;                /* the kernel that is next, */
    bool kept[MOST_SMS];          /* where it was ready       */
    job kernel[BALLAST_CKE_MAX_KERNELS];
    unsigned order[BALLAST_CKE_MAX_KERNELS]; /* the kernels, as they are asked */
    bool launch;                     /* in this cycle: */
    unsigned who, sm, slot;
} oracle;

/* From `first` on, in a circle. */
static void line_up(unsigned *order, unsigned count, unsigned first)
{
    for (unsigned n = 0; n < count; n++)
        order[n] = (first + n) % count;
}

static void oracle_reset(oracle *o, const mcke_cfg *cfg)
{
    memset(o, 0, sizeof *o);
    for (unsigned i = 0; i < MOST_SMS; i++) {
        o->gone[i] = NOBODY;
        for (unsigned n = 0; n < MOST_SLOTS; n++)
            o->of[i][n] = NOBODY;
    }
    line_up(o->order, cfg->sm.num_kernels, 0);
    for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
        line_up(o->kernel[k].order, cfg->num_sms, 0);
}

/* The CTA that is launched in this cycle, and is not counted yet. */
static bool is_new(const oracle *o, unsigned sm, unsigned slot)
{
    return o->launch && o->sm == sm && o->slot == slot;
}

/* CTAs of kernel k on an SM that are counted. */
static unsigned held(const oracle *o, const mcke_cfg *cfg, unsigned sm, unsigned k)
{
    unsigned n = o->gone[sm] == (int)k;

    for (unsigned i = 0; i < cfg->sm.num_slots; i++)
        n += o->of[sm][i] == (int)k && !is_new(o, sm, i);
    return n;
}

static bool has_slot(const oracle *o, const mcke_cfg *cfg, unsigned sm)
{
    bool has = false;

    for (unsigned i = 0; i < cfg->sm.num_slots; i++)
        has = has || o->of[sm][i] == NOBODY;
    return has;
}

static unsigned held_by_all(const oracle *o, const mcke_cfg *cfg, unsigned sm)
{
    unsigned n = 0;

    for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
        n += held(o, cfg, sm, k);
    return n;
}

/* What is left of resource r. */
static unsigned unused(const oracle *o, const mcke_cfg *cfg, unsigned sm, unsigned r)
{
    const unsigned all[] = {cfg->sm.num_warps, cfg->sm.reg_units, cfg->sm.smem_units};
    unsigned sum = 0;

    for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
        sum += held(o, cfg, sm, k) * o->kernel[k].need[r];
    assert_in_range(sum, 0, all[r]);
    return all[r] - sum;
}

static bool has_room(const oracle *o, const mcke_cfg *cfg, unsigned sm, unsigned k)
{
    bool room = has_slot(o, cfg, sm);

    for (unsigned r = 0; r < 3; r++)
        room = room && o->kernel[k].need[r] <= unused(o, cfg, sm, r);
    return room;
}

static bool is_home(const mcke_cfg *cfg, const mcke_in *in, unsigned sm, unsigned k)
{
    return in->mode != MCKE_APART || sm % cfg->sm.num_kernels == k;
}

static bool may(const oracle *o, const mcke_cfg *cfg, const mcke_in *in, unsigned sm, unsigned k)
{
    for (unsigned before = 0; before < k; before++)
        if (in->mode == MCKE_QUEUE && o->kernel[before].chosen != o->kernel[before].grid)
            return false;
    return in->sm[sm].req && o->kernel[k].chosen != o->kernel[k].grid && held_by_all(o, cfg, sm) < in->sm[sm].limit &&
           held(o, cfg, sm, k) < ballast_cke_field(in->sm[sm].quota, k, cfg->sm.num_slots) && is_home(cfg, in, sm, k) &&
           has_room(o, cfg, sm, k);
}

static bool returning(const oracle *o, const mcke_cfg *cfg, const mcke_in *in, unsigned sm)
{
    for (unsigned i = 0; i < cfg->sm.num_slots; i++)
        if (o->of[sm][i] != NOBODY && (o->ended[sm][i] || (in->sm[sm].cta_done >> i & 1)))
            return true;
    return o->gone[sm] != NOBODY;
}

static bool is_idle(const oracle *o, const mcke_cfg *cfg, unsigned k)
{
    bool idle = o->kernel[k].chosen == o->kernel[k].grid;

    for (unsigned sm = 0; sm < cfg->num_sms; sm++)
        idle = idle && held(o, cfg, sm, k) == 0;
    return idle && !(o->launch && o->who == k);
}

static void expect_sm(const bench *b, const oracle *o, unsigned sm)
{
    const mcke_cfg *cfg = config(b);
    const mcke_sm_out *out = &b->out.sm[sm];
    unsigned active = 0;

    for (unsigned i = 0; i < cfg->sm.num_slots; i++) {
        active |= (unsigned)(o->of[sm][i] != NOBODY && !o->ended[sm][i]) << i;
        if (o->of[sm][i] != NOBODY)
            assert_int_equal(ballast_cke_field(out->cta_kernel, i, cfg->sm.num_kernels - 1), o->of[sm][i]);
    }
    assert_int_equal(out->cta_active, active);
    assert_int_equal(out->cta_start, o->launch && o->sm == sm ? 1u << o->slot : 0);
    assert_int_equal(out->free_regs, unused(o, cfg, sm, 1));
    assert_int_equal(out->free_smem, unused(o, cfg, sm, 2));
    for (unsigned k = 0; k < cfg->sm.num_kernels; k++) {
        const bool none = o->kernel[k].chosen == o->kernel[k].grid;
        const bool full = !has_room(o, cfg, sm, k) && !returning(o, cfg, &b->seen, sm);

        assert_int_equal(resident(b, sm, k), held(o, cfg, sm, k));
        assert_int_equal(out->denied >> k & 1, b->seen.sm[sm].req && (none || !is_home(cfg, &b->seen, sm, k) || full));
    }
}

static void expect_outputs(const bench *b, const oracle *o)
{
    const mcke_cfg *cfg = config(b);

    for (unsigned sm = 0; sm < cfg->num_sms; sm++)
        expect_sm(b, o, sm);
    for (unsigned k = 0; k < cfg->sm.num_kernels; k++) {
        assert_int_equal(b->out.idle >> k & 1, is_idle(o, cfg, k));
        assert_int_equal(b->out.exhausted >> k & 1, o->kernel[k].chosen == o->kernel[k].grid);
        assert_int_equal(b->out.too_big >> k & 1, o->kernel[k].too_big);
    }
    expect(b, "start_valid_o=%u", o->launch);
    if (o->launch)
        expect_launch(b, o->who, o->kernel[o->who].chosen - 1, o->sm, o->slot);
}

/* The first SM of the kernel that is next, of those that are kept and have not just got a CTA: the launch of the next cycle. */
static void choose_sm(oracle *o, const mcke_cfg *cfg)
{
    const job *k = &o->kernel[o->pick];
    const bool was = o->launch, left = k->chosen != k->grid;
    const unsigned last = o->sm;

    o->launch = false;
    for (unsigned m = 0; m < cfg->num_sms && left && !o->launch; m++) {
        const unsigned sm = k->order[m];

        if (!o->kept[sm] || (was && last == sm))
            continue;
        o->launch = true;
        o->who = o->pick;
        o->sm = sm;
    }
    for (unsigned i = cfg->sm.num_slots; i-- > 0 && o->launch;)
        if (o->of[o->sm][i] == NOBODY)
            o->slot = i;
}

/* The first kernel that is ready somewhere. */
static void choose_kernel(oracle *o, const mcke_cfg *cfg, const mcke_in *in)
{
    const bool in_turn = in->mode == MCKE_QUOTAS || in->mode == MCKE_APART;
    bool found = false;

    memset(o->kept, 0, sizeof o->kept);
    for (unsigned n = 0; n < cfg->sm.num_kernels && !found; n++) {
        const unsigned k = in_turn ? o->order[n] : n;

        for (unsigned sm = 0; sm < cfg->num_sms; sm++) {
            o->kept[sm] = o->ready[sm][k];
            found = found || o->ready[sm][k];
        }
        o->pick = k;
    }
}

/* Where no CTA comes, the lowest that has ended goes. */
static void finish_on(oracle *o, const mcke_cfg *cfg, const mcke_in *in, unsigned sm)
{
    bool moved = o->launch && o->sm == sm;

    o->gone[sm] = NOBODY;
    for (unsigned i = 0; i < cfg->sm.num_slots; i++) {
        o->ended[sm][i] |= o->of[sm][i] != NOBODY && (in->sm[sm].cta_done >> i & 1);
        if (o->ended[sm][i] && !moved) {
            o->gone[sm] = o->of[sm][i];
            o->of[sm][i] = NOBODY;
            o->ended[sm][i] = false;
            moved = true;
        }
    }
}

static void begin(oracle *o, const mcke_cfg *cfg, const mcke_in *in)
{
    job *k = &o->kernel[in->kernel];

    *k = (job){.grid = in->grid, .need = {in->warps, in->regs, in->smem},
               .too_big = in->warps > cfg->sm.num_warps || in->regs > cfg->sm.reg_units || in->smem > cfg->sm.smem_units};
    if (k->too_big)
        k->grid = 0;
    line_up(k->order, cfg->num_sms, 0);
}

static void oracle_step(oracle *o, const mcke_cfg *cfg, const mcke_in *in)
{
    const bool starts = in->start && in->kernel < cfg->sm.num_kernels && is_idle(o, cfg, in->kernel);
    const bool was = o->launch;
    const unsigned last = o->sm;
    bool all_idle = true, found[MOST_SMS][BALLAST_CKE_MAX_KERNELS];

    for (unsigned k = 0; k < cfg->sm.num_kernels; k++) {
        all_idle = all_idle && is_idle(o, cfg, k);
        for (unsigned sm = 0; sm < cfg->num_sms; sm++)
            found[sm][k] = may(o, cfg, in, sm, k) && !(was && last == sm);
    }
    choose_sm(o, cfg);
    if (o->launch) {
        o->kernel[o->who].chosen++;
        line_up(o->kernel[o->who].order, cfg->num_sms, o->sm + 1);
        line_up(o->order, cfg->sm.num_kernels, o->who + 1);
    }
    choose_kernel(o, cfg, in);
    for (unsigned sm = 0; sm < cfg->num_sms; sm++) {
        finish_on(o, cfg, in, sm);
        for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
            o->ready[sm][k] = found[sm][k] && !(o->launch && o->sm == sm);
    }
    if (o->launch)
        o->of[o->sm][o->slot] = (int)o->who;
    if (starts)
        begin(o, cfg, in);
    if (starts && all_idle)
        line_up(o->order, cfg->sm.num_kernels, 0);
}

/* ---- random inputs -------------------------------------------------------------------------- */

static unsigned draw_need(uint64_t *seed, unsigned capacity)
{
    return random_one_in(seed, 9) ? random_below(seed, capacity + 2) : random_below(seed, capacity / 2 + 2) / (1 + random_below(seed, 9));
}

static void draw_inputs(void *inputs, const void *config, uint64_t *seed, unsigned n)
{
    static const unsigned lives[] = {2, 8, 40, 150};
    const mcke_cfg *cfg = config;
    const unsigned life = lives[n / 500 % 4], few = n / 2000 % 3, slots = cfg->sm.num_slots;
    mcke_in *in = inputs;

    if (random_one_in(seed, 40))
        in->mode = (uint8_t)random_below(seed, 4);
    in->start = random_one_in(seed, 3);
    in->kernel = (uint8_t)random_below(seed, cfg->sm.num_kernels == 2 ? 2 : 4);
    in->grid = random_one_in(seed, 12) ? random_below(seed, 2) : random_below(seed, 8 * cfg->num_sms);
    in->warps = (uint8_t)draw_need(seed, cfg->sm.num_warps);
    in->regs = (uint16_t)draw_need(seed, cfg->sm.reg_units);
    in->smem = (uint16_t)draw_need(seed, cfg->sm.smem_units);
    for (unsigned i = 0; i < cfg->num_sms; i++) {
        in->sm[i].req = few == 0 || random_one_in(seed, few == 1 ? 3 : 12);
        if (random_one_in(seed, 60))
            in->sm[i].limit = (uint8_t)random_below(seed, slots + 1);
        if (random_one_in(seed, 30))
            in->sm[i].quota = (uint32_t)ballast_cke_with_field(in->sm[i].quota, random_below(seed, cfg->sm.num_kernels), slots,
                                                               random_below(seed, slots + 1));
        in->sm[i].cta_done = random_set(seed, slots, life);
    }
}

RULE_EACH(random_against_a_list, "CKE-1, CKE-2, CKE-A1, GWDE-1 to GWDE-5: random kernels and SMs against a list of CTAs", variants)
{
    uint64_t seed = 0xc4ebde + sms(b);
    unsigned launches[BALLAST_CKE_MAX_KERNELS] = {0}, modes[4] = {0};
    oracle *o = malloc(sizeof *o);

    assert_non_null(o);
    oracle_reset(o, config(b));
    for (unsigned n = 0; n < 20000; n++) {
        draw_inputs(&b->in, config(b), &seed, n);
        cycle(b);
        expect_outputs(b, o);
        oracle_step(o, config(b), &b->seen);
        launches[o->who] += o->launch;
        modes[b->seen.mode] += o->launch;
    }
    for (unsigned k = 0; k < kernels(b); k++)
        assert_in_range(launches[k], 100, 20000);
    for (unsigned m = 0; m < 4; m++)
        assert_in_range(modes[m], 50, 20000);
    free(o);
}

/* Every SM's CTAs come to an end: then every CTA of every grid has been launched once, and all is free again. */
RULE_EACH(kernels_come_to_an_end, "GWDE-1: every CTA of every grid once, in order, and all comes back", variants)
{
    const cke_resources_cfg *sm = &config(b)->sm;
    uint64_t seed = 0xe4d + sms(b);

    for (unsigned run = 0; run < 20; run++) {
        uint32_t grid[BALLAST_CKE_MAX_KERNELS] = {0}, launched[BALLAST_CKE_MAX_KERNELS] = {0};
        unsigned n = 0;

        b->in.mode = (uint8_t)(run % 4);
        for (unsigned k = 0; k < kernels(b); k++) {
            grid[k] = 1 + random_below(&seed, 40);
            needs(b, random_below(&seed, sm->num_warps + 1), random_below(&seed, sm->reg_units + 1), random_below(&seed, sm->smem_units + 1));
            ask(b, 0);
            start(b, k, grid[k]);
        }
        ask(b, 1);
        if (b->in.mode == MCKE_APART && sms(b) < kernels(b))
            b->in.mode = MCKE_QUOTAS; /* else a kernel has no SM */
        do {
            for (unsigned i = 0; i < sms(b); i++)
                b->in.sm[i].cta_done = random_set(&seed, sm->num_slots, 4);
            cycle(b);
            if (b->out.start_valid)
                assert_int_equal(b->out.start_cta, launched[b->out.start_kernel]++);
            assert_true(++n < 10000);
        } while (b->out.idle != (1u << kernels(b)) - 1);
        for (unsigned k = 0; k < kernels(b); k++)
            assert_int_equal(launched[k], grid[k]);
        for (unsigned i = 0; i < sms(b); i++)
            expect(b, "sm[%u].held_q=0 sm[%u].warps_q=%u sm[%u].regs_q=%u sm[%u].smem_q=%u", i, i, sm->num_warps, i, sm->reg_units, i,
                   sm->smem_units);
    }
}

/* No kernel is passed over more often than there are others, in turn, while some SM is ready for it. */
RULE_EACH(cke_a1_fair, "CKE-A1: who is ready all the time waits for each other kernel once at most", variants)
{
    uint64_t seed = 77;
    unsigned passed[BALLAST_CKE_MAX_KERNELS] = {0}, most = 0;

    for (unsigned k = 0; k < kernels(b); k++)
        start(b, k, 1000000); /* they need nothing but slots */
    for (unsigned n = 0; n < 10000; n++) {
        bool ready[BALLAST_CKE_MAX_KERNELS] = {false};

        for (unsigned i = 0; i < sms(b); i++) {
            quota_on(b, i, 0, random_one_in(&seed, 2) ? config(b)->sm.num_slots : 0);
            b->in.sm[i].cta_done = random_one_in(&seed, 4) ? 1 : 0;
        }
        for (unsigned k = 0; k < kernels(b); k++)
            for (unsigned i = 0; i < sms(b); i++)
                ready[k] = ready[k] || (state(b)->sm[i].ready >> k & 1);
        cycle(b);
        for (unsigned k = 0; k < kernels(b); k++) {
            const bool launch = state(b)->start_valid, own = launch && state(b)->start_kernel == k;

            passed[k] = ready[k] && !own ? passed[k] + launch : 0;
            most = passed[k] > most ? passed[k] : most;
            assert_in_range(passed[k], 0, kernels(b) - 1);
        }
    }
    assert_true(most > 0 || sms(b) == 1);
}

/* With one SM all kernels become ready at once, and none comes twice before another one. */
RULE(cke_a1_fair_on_one, "CKE-A1: kernels that share a single SM come in turn", "mcke_sms1")
{
    unsigned next = 0;

    start(b, 0, 1000000);
    start(b, 1, 1000000);
    for (unsigned n = 0; n < 3000; n++) {
        b->in.sm[0].cta_done = n % 5 < 2;
        cycle(b);
        if (b->out.start_valid && b->out.start_cta > 0)
            assert_int_equal(b->out.start_cta, next / 2);
        next += b->out.start_valid;
    }
    assert_in_range(next, 300, 3000);
}

/* ---- twins ---------------------------------------------------------------------------------- */

SUITE_TESTS(twins, TWIN_CYCLES("twins: random kernels and SMs", variants, 0xb1d, 8000, draw_inputs),
            EACH_TWIN_STEPS("twins: one step from 2 000 states", variants, 0x3c4, 2000, step_draw_any))
