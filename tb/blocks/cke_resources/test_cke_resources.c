/* SPDX-License-Identifier: Apache-2.0
 *
 * The account of an SM that kernels share, each rule on the model and on the RTL. The last tests compare it with a list of CTAs, each
 * with what it took, that is added up anew in every cycle.
 */
#include "sm/cke_resources.h"

#define BENCH_BLOCK cke_resources
#include "engine/bench.h"
#include "engine/random.h"
#include "engine/step_fixture.h"

/* `small` has 3 slots, 7 warps, 20 register units, 6 shared memory units. */
static const char *const variants[] = {"cke_resources",      "cke_resources_slots1", "cke_resources_three",
                                       "cke_resources_four", "cke_resources_small",  NULL};

/* What a CTA of kernel k needs. */
static void needs(bench *b, unsigned k, unsigned warps, unsigned regs, unsigned smem)
{
    const cke_resources_cfg *cfg = config(b);

    b->in.warps = (uint32_t)ballast_cke_with_field(b->in.warps, k, cfg->num_warps + 1, warps);
    b->in.regs = ballast_cke_with_field(b->in.regs, k, cfg->reg_units + 1, regs);
    b->in.smem = ballast_cke_with_field(b->in.smem, k, cfg->smem_units + 1, smem);
}

/* One CTA of kernel k, in this cycle. */
static void come(bench *b, unsigned k)
{
    b->in.take = 1;
    b->in.kernel = (uint8_t)k;
    cycle(b);
    b->in.take = b->in.kernel = 0;
}

static void end(bench *b, unsigned slots)
{
    b->in.cta_done = slots;
    cycle(b);
    b->in.cta_done = 0;
}

/* The same, and the next cycle, which counts it. */
static void take(bench *b, unsigned k)
{
    come(b, k);
    cycle(b);
}

static void done(bench *b, unsigned slots)
{
    end(b, slots);
    cycle(b);
}

static const bench_word words[] = {{"come", come, NULL}, {"end", end, NULL}, {"take", take, NULL}, {"done", done, NULL}, {NULL, NULL, NULL}};

TEST(defaults)
{
    const cke_resources_cfg cfg = cke_resources_cfg_default();

    assert_int_equal(cfg.num_kernels, 2);
    assert_int_equal(cfg.num_slots, 8);
    assert_int_equal(cfg.num_warps, 48);
    assert_int_equal(cfg.reg_units, 1024);
    assert_int_equal(cfg.smem_units, 384);
}

RULE_EACH(reset_state, "reset: nothing is held, everything is free", variants)
{
    const cke_resources_cfg *cfg = config(b);

    for (unsigned i = 0; i < 2; i++) { /* the second time with CTAs of two kernels, and with one on its way back */
        expect(b, "held_q=0 returning_q=0 owner_q=0 ready_q=0 move_q=0 taken_q=0 ctas_q[0]=0 ctas_q[1]=0 warps_q=%u regs_q=%u smem_q=%u", cfg->num_warps,
               cfg->reg_units, cfg->smem_units);
        play(b, "cycle ready_o=0 taken_o=0 fits_o=%u slot_o=0 ctas_o=0 count_o=0 active_o=0 due_o=0 free_regs_o=%u free_smem_o=%u",
             (1u << cfg->num_kernels) - 1, cfg->reg_units, cfg->smem_units);
        needs(b, 0, 1, 1, 0);
        b->in.may = 3;
        play(b, "take=1 take=0 take=1");
        end(b, cfg->num_slots > 1 ? 3 : 1);
        b->in.may = 0;
        if (i == 0)
            play(b, "cycle come=0");
        dut_reset(&b->dut);
        needs(b, 0, 0, 0, 0);
    }
}

/* ---- four resources, shared -------------------------------------------------------------- */

RULE(cke_a1_shared, "CKE-A1: what one kernel holds, no other one has", "cke_resources_small")
{
    needs(b, 0, 3, 8, 1);
    needs(b, 1, 2, 6, 2);
    play(b, "cycle fits_o=3 take=0 warps_q=4 regs_q=12 smem_q=5 ctas_q[0]=1 ctas_q[1]=0 come=1 slot_o=1 ctas_o=1 count_o=1 cycle");
    play(b, "warps_q=2 regs_q=6 smem_q=3 ctas_q[1]=1 cycle ctas_o=5 count_o=2 fits_o=2 owner_o=2 free_regs_o=6 free_smem_o=3");
    play(b, "take=1 warps_q=0 regs_q=0 smem_q=1 held_q=7 ctas_q[1]=2 cycle fits_o=0 count_o=3 slot_o=0");
}

RULE(gwde2_each, "GWDE-2: each of the four resources keeps one kernel out, and not the other", "cke_resources_small")
{
    static const unsigned much[][3] = {{4, 0, 0}, {0, 11, 0}, {0, 0, 4}}; /* of 7, 20, 6; twice is too much */

    for (unsigned n = 0; n < 3; n++)
        for (unsigned k = 0; k < 2; k++) {
            dut_reset(&b->dut);
            needs(b, k, much[n][0], much[n][1], much[n][2]);
            needs(b, 1 - k, 1, 1, 1);
            take(b, k);
            play(b, "cycle fits_o=%u cycle fits_o=%u count_o=1 take=%u take=%u cycle count_o=3 fits_o=0", 2u >> k, 2u >> k, 1 - k, 1 - k);
            expect(b, "ctas_q[%u]=1 ctas_q[%u]=2", k, 1 - k);
        }
}

RULE(gwde2_slots, "GWDE-2: a slot, for whichever kernel", "cke_resources_small")
{
    play(b, "take=0 take=1 take=0 held_q=7 ctas_q[0]=2 ctas_q[1]=1 cycle fits_o=0 slot_o=0 take=1 held_q=7 ctas_q[1]=1 owner_q=2 move_q=0");
}

RULE_EACH(gwde2_exact_fit, "GWDE-2: an exact fit is a fit, one unit more is none, for each kernel", variants)
{
    const cke_resources_cfg *cfg = config(b);

    for (unsigned more = 0; more < 8; more++)
        for (unsigned k = 0; k < cfg->num_kernels; k++) {
            dut_reset(&b->dut);
            for (unsigned n = 0; n < cfg->num_kernels; n++)
                needs(b, n, cfg->num_warps + 1, cfg->reg_units + 1, cfg->smem_units + 1);
            needs(b, k, cfg->num_warps + (more & 1), cfg->reg_units + (more >> 1 & 1), cfg->smem_units + (more >> 2 & 1));
            play(b, "cycle fits_o=%u", more == 0 ? 1u << k : 0);
            if (more == 0)
                play(b, "take=%u ctas_q[%u]=1 warps_q=0 regs_q=0 smem_q=0 done=1 warps_q=%u regs_q=%u smem_q=%u ctas_q[%u]=0", k, k, cfg->num_warps,
                     cfg->reg_units, cfg->smem_units, k);
        }
}

RULE(no_kernel, "CKE-1: a number that is no kernel launches nothing", "cke_resources_three")
{
    play(b, "take=3 held_q=0 ctas_q[0]=0 ctas_q[1]=0 ctas_q[2]=0 take=2 held_q=1 ctas_q[2]=1");
    play(b, "cycle owner_o=2");
}

/* ---- slots and returns ------------------------------------------------------------------------ */

RULE(counted_a_cycle_later, "CKE-A1: what comes or goes moves slots at once, and is counted a cycle later", "cke_resources")
{
    needs(b, 0, 5, 100, 30);
    needs(b, 1, 8, 40, 7);
    play(b, "come=1 taken_o=0 held_q=1 move_q=2 taken_q=1 ctas_q[1]=0 warps_q=48 regs_q=1024 smem_q=384");
    play(b, "cycle taken_o=1 ctas_o=0 active_o=1 due_o=0 held_q=1 move_q=0 taken_q=0 ctas_q[1]=1 warps_q=40 regs_q=984 smem_q=377");
    play(b, "cycle taken_o=0 ctas_o=16 end=1 active_o=1 due_o=1 held_q=0 move_q=2 taken_q=0 ctas_q[1]=1 warps_q=40");
    play(b, "cycle active_o=0 due_o=1 taken_o=0 ctas_o=16 free_regs_o=984 slot_o=0 move_q=0 ctas_q[1]=0 warps_q=48 regs_q=1024 smem_q=384");
    play(b, "cycle due_o=0 ctas_o=0");
}

RULE(one_at_a_time, "CKE-A1: nothing comes before the CTA before it is counted", "cke_resources_small")
{
    needs(b, 0, 2, 1, 1);
    play(b, "come=0 held_q=1 come=0 held_q=1 ctas_q[0]=1 move_q=0 warps_q=5 come=1 held_q=3 come=1 held_q=3 come=1 held_q=7");
    play(b, "cycle ctas_q[0]=1 ctas_q[1]=2 come=0 held_q=7 move_q=0 cycle ctas_q[0]=1");
}

RULE(ready, "CKE-A1: a kernel is ready where it may come and fits, two cycles after a launch at the earliest", "cke_resources_small")
{
    needs(b, 0, 4, 1, 1);
    needs(b, 1, 1, 1, 1);
    play(b, "cycle ready_q=0 may_i=1 cycle ready_o=0 ready_q=1 may_i=2 cycle ready_o=1 ready_q=2 may_i=3 cycle ready_o=2 ready_q=3");
    play(b, "come=0 ready_o=3 ready_q=0 cycle ready_o=0 ready_q=0 cycle fits_o=2 ready_q=2 cycle ready_o=2 ready_q=2 held_q=1");
    play(b, "come=1 ready_q=0 end=1 ready_q=0 held_q=2 cycle fits_o=2 ready_q=2 cycle fits_o=3 ready_q=3 may_i=0 cycle ready_q=0");
}

RULE(gives_back_its_own, "CKE-A1: a CTA gives back what its own kernel's CTAs need", "cke_resources")
{
    needs(b, 0, 5, 100, 30);
    needs(b, 1, 8, 40, 7);
    play(b, "take=0 take=1 take=0 take=1 held_q=15 warps_q=22 regs_q=744 smem_q=310 cycle owner_o=10");
    play(b, "done=2 held_q=13 ctas_q[0]=2 ctas_q[1]=1 warps_q=30 regs_q=784 smem_q=317");
    play(b, "done=1 held_q=12 ctas_q[0]=1 warps_q=35 regs_q=884 smem_q=347 end=12 held_q=8 returning_q=12 ctas_q[0]=1 cycle ctas_q[0]=0");
    play(b, "warps_q=40 regs_q=984 smem_q=377 due_o=1 held_q=0 ctas_q[1]=1 cycle due_o=1 ctas_q[1]=0 warps_q=48 regs_q=1024 smem_q=384");
}

RULE(one_return_per_cycle, "GWDE-2: one returns per cycle, the lowest slot first, whoever holds it", "cke_resources")
{
    needs(b, 0, 5, 100, 30);
    needs(b, 1, 1, 1, 1);
    play(b, "take=1 take=0 take=1 take=0 take=1 take=0 held_q=63 warps_q=30 regs_q=721 smem_q=291");
    play(b, "end=52 active_o=63 due_o=1 held_q=59 returning_q=52 warps_q=30");
    play(b, "cycle active_o=11 due_o=1 held_q=43 returning_q=48 warps_q=31 regs_q=722 ctas_q[1]=2 ctas_q[0]=3 cycle held_q=11 returning_q=32");
    play(b, "warps_q=32 ctas_q[1]=1 cycle active_o=11 due_o=1 returning_q=0 warps_q=37 ctas_q[0]=2");
    play(b, "cycle due_o=0 held_q=11 warps_q=37 regs_q=823 smem_q=323");
}

RULE(return_waits, "CKE-A1: where a CTA comes, a return waits a cycle, and is not lost", "cke_resources_small")
{
    needs(b, 0, 2, 6, 1);
    needs(b, 1, 3, 1, 2);
    play(b, "take=0 take=1 held_q=3 warps_q=2 regs_q=13 smem_q=3 take_i=1 kernel_i=0 end=2 slot_o=2 due_o=1 held_q=7 returning_q=2 take_i=0");
    play(b, "cycle active_o=5 due_o=1 held_q=5 warps_q=0 regs_q=7 smem_q=2 ctas_q[0]=2 ctas_q[1]=1 move_q=2");
    play(b, "cycle due_o=1 warps_q=3 regs_q=8 smem_q=4 ctas_q[1]=0 cycle due_o=0");
}

RULE(launch_beside_a_count, "CKE-A1: a CTA comes while a return of its kernel, or of another, is counted", "cke_resources_small")
{
    needs(b, 0, 2, 6, 1);
    needs(b, 1, 3, 1, 2);
    play(b, "take=0 take=1 end=1 held_q=2 move_q=1 come=0 fits_o=1 slot_o=0 held_q=3 ctas_q[0]=0 warps_q=4 cycle warps_q=2 ctas_q[0]=1 regs_q=13");
    play(b, "end=2 come=0 slot_o=1 held_q=3 ctas_q[1]=0 warps_q=5 regs_q=14 smem_q=5 cycle warps_q=3 regs_q=8 smem_q=4 ctas_q[0]=2 cycle owner_o=0");
}

/* What comes back is not there before it is counted. */
RULE(full_until_counted, "CKE-A1: what one kernel gives back, another can take two cycles later", "cke_resources_small")
{
    needs(b, 0, 7, 0, 0);
    needs(b, 1, 1, 20, 6);
    play(b, "take=0 warps_q=0 may_i=2 end=1 fits_o=0 held_q=0 warps_q=0 ready_q=0 cycle fits_o=0 warps_q=7 ready_q=0");
    play(b, "cycle fits_o=3 ready_q=2 come=1 ready_o=2 held_q=1 cycle warps_q=6 regs_q=0 owner_o=1");
}

RULE(slot_changes_hands, "CKE-1: a slot is that of the kernel that came into it last", "cke_resources_three")
{
    play(b, "take=2 take=1 take=0 cycle owner_o=6 done=1 held_q=6 take=1 cycle owner_o=5 held_q=7 done=4 take=2 cycle owner_o=37 held_q=7");
    play(b, "ctas_q[0]=0 ctas_q[1]=2 ctas_q[2]=1");
}

RULE(done_of_nothing, "a CTA that is not there does not finish, nor does one twice", "cke_resources")
{
    needs(b, 0, 2, 2, 2);
    needs(b, 1, 3, 3, 3);
    play(b, "done=255 due_o=0 held_q=0 warps_q=48 take=0 take=1 take=0 done=248 due_o=0 held_q=7");
    play(b, "end=7 held_q=6 returning_q=7 end=7 held_q=4 returning_q=6 end=6 held_q=0 returning_q=4 end=7 returning_q=0 warps_q=48");
    play(b, "done=7 due_o=0 warps_q=48 regs_q=1024 smem_q=384 ctas_q[0]=0 ctas_q[1]=0");
}

/* Its bit of returning_q is 0 again in time. */
RULE(slot_at_once_again, "GWDE-2: a slot that has just returned is held again by a CTA that has not finished", "cke_resources_small")
{
    play(b, "take=0 end=1 held_q=0 returning_q=1 come=1 slot_o=0 held_q=1 returning_q=0 cycle active_o=1 due_o=0 owner_o=1 cycle active_o=1 held_q=1");
}

/* The contract says nothing of such needs, but what comes back (page). */
RULE(needs_that_change, "needs that change: what comes back is what they are then", "cke_resources_small")
{
    needs(b, 1, 7, 20, 6);
    take(b, 1);
    needs(b, 1, 1, 2, 3);
    play(b, "cycle fits_o=1 done=1 held_q=0 warps_q=1 regs_q=2 smem_q=3 cycle fits_o=3");
    needs(b, 0, 1, 2, 4);
    play(b, "cycle fits_o=2");
}

/* ---- the rules once more: a list of CTAs, each with what it took ----------------------------- */

typedef struct oracle {
    struct {
        bool there, finished;
        unsigned kernel, warps, regs, smem;
    } cta[33]; /* the last one: it has left its slot, and is counted still */
    int fresh; /* the one that has come, and is not counted yet, or -1 */
    unsigned ready;
} oracle;

static bool oracle_counts(const oracle *o, unsigned i)
{
    return o->cta[i].there && (int)i != o->fresh;
}

static unsigned oracle_count(const oracle *o, unsigned kernel)
{
    unsigned n = 0;

    for (unsigned i = 0; i < 33; i++)
        n += oracle_counts(o, i) && o->cta[i].kernel == kernel;
    return n;
}

static unsigned oracle_slot(const oracle *o, const cke_resources_cfg *cfg)
{
    unsigned slot = 0;

    while (slot < cfg->num_slots && o->cta[slot].there)
        slot++;
    return slot;
}

/* What is free, and what kernel k needs. */
static void oracle_free(const oracle *o, const cke_resources_cfg *cfg, unsigned *warps, unsigned *regs, unsigned *smem)
{
    *warps = cfg->num_warps;
    *regs = cfg->reg_units;
    *smem = cfg->smem_units;
    for (unsigned i = 0; i < 33; i++)
        if (oracle_counts(o, i)) {
            *warps -= o->cta[i].warps;
            *regs -= o->cta[i].regs;
            *smem -= o->cta[i].smem;
        }
}

typedef struct needed {
    unsigned warps, regs, smem;
} needed;

static void check(const bench *b, const oracle *o, const needed *need)
{
    const cke_resources_cfg *cfg = config(b);
    const unsigned slot = oracle_slot(o, cfg);
    unsigned warps, regs, smem, fits = 0, all = 0, active = 0, due = o->cta[32].there;

    oracle_free(o, cfg, &warps, &regs, &smem);
    for (unsigned k = 0; k < cfg->num_kernels; k++) {
        const bool enough = need[k].warps <= warps && need[k].regs <= regs && need[k].smem <= smem;

        fits |= (unsigned)(slot < cfg->num_slots && enough) << k;
        all += oracle_count(o, k);
        assert_int_equal(ballast_cke_field(b->out.ctas, k, cfg->num_slots), oracle_count(o, k));
    }
    for (unsigned i = 0; i < cfg->num_slots; i++) {
        active |= (unsigned)(o->cta[i].there && !o->cta[i].finished) << i;
        due |= o->cta[i].there && (o->cta[i].finished || (b->seen.cta_done >> i & 1));
        if (o->cta[i].there)
            assert_int_equal(ballast_cke_field(b->out.owner, i, cfg->num_kernels - 1), o->cta[i].kernel);
    }
    expect(b, "fits_o=%u slot_o=%u count_o=%u active_o=%u due_o=%u free_regs_o=%u free_smem_o=%u ready_o=%u taken_o=%u", fits,
           slot < cfg->num_slots ? slot : 0, all, active, due, regs, smem, o->ready, o->fresh >= 0);
}

/* But for a slot; a number that is no kernel needs nothing. */
static bool oracle_enough(const oracle *o, const cke_resources_cfg *cfg, const needed *need, unsigned k)
{
    unsigned warps, regs, smem;

    oracle_free(o, cfg, &warps, &regs, &smem);
    return k >= cfg->num_kernels || (need[k].warps <= warps && need[k].regs <= regs && need[k].smem <= smem);
}

static void oracle_step(oracle *o, const bench *b, const needed *need)
{
    const cke_resources_cfg *cfg = config(b);
    const unsigned slot = oracle_slot(o, cfg), k = b->seen.kernel;
    const bool launch = b->seen.take && o->fresh < 0 && k < cfg->num_kernels && slot < cfg->num_slots;
    bool moved = launch;

    o->ready = launch || o->fresh >= 0 ? 0 : b->seen.may & b->out.fits;
    memset(&o->cta[32], 0, sizeof o->cta[32]);
    for (unsigned i = 0; i < cfg->num_slots; i++) {
        o->cta[i].finished |= o->cta[i].there && (b->seen.cta_done >> i & 1);
        if (o->cta[i].finished && !moved) {
            o->cta[32] = o->cta[i];
            memset(&o->cta[i], 0, sizeof o->cta[i]);
            moved = true;
        }
    }
    o->fresh = launch ? (int)slot : -1;
    if (launch) {
        o->cta[slot].there = true;
        o->cta[slot].kernel = k;
        o->cta[slot].warps = need[k].warps;
        o->cta[slot].regs = need[k].regs;
        o->cta[slot].smem = need[k].smem;
    }
}

/* So that several CTAs fit, mostly; now and then all that the SM has, and one more. */
static unsigned draw_need(uint64_t *seed, unsigned capacity)
{
    return random_one_in(seed, 6) ? random_below(seed, capacity + 2) : random_below(seed, capacity / 2 + 2) / (1 + random_below(seed, 6));
}

RULE_EACH(random_against_a_list, "CKE-A1, GWDE-2: random launches and finishes of several kernels against a list of CTAs", variants)
{
    const cke_resources_cfg *cfg = config(b);
    uint64_t seed = 0xc4e + cfg->num_slots;
    unsigned launched[BALLAST_CKE_MAX_KERNELS] = {0};
    needed need[BALLAST_CKE_MAX_KERNELS] = {{0, 0, 0}};
    oracle o = {.fresh = -1};

    for (unsigned n = 0; n < 30000; n++) {
        const unsigned busy = 1 + n / 1000 % 9;

        for (unsigned k = 0; k < cfg->num_kernels; k++)
            if (oracle_count(&o, k) == 0 && (o.fresh < 0 || o.cta[o.fresh].kernel != k) && random_one_in(&seed, 4)) {
                need[k] = (needed){draw_need(&seed, cfg->num_warps), draw_need(&seed, cfg->reg_units), draw_need(&seed, cfg->smem_units)};
                needs(b, k, need[k].warps, need[k].regs, need[k].smem);
            }
        b->in.may = (uint8_t)random_below(&seed, 1u << cfg->num_kernels);
        b->in.kernel = (uint8_t)random_below(&seed, cfg->num_kernels == 2 ? 2 : 4);
        b->in.take = n % 150 < 120 && !random_one_in(&seed, 3) && oracle_enough(&o, cfg, need, b->in.kernel);
        b->in.cta_done = random_set(&seed, cfg->num_slots, n % 150 < 120 ? 1 + busy * busy : 3);
        cycle(b);
        check(b, &o, need);
        if (b->seen.take && b->seen.kernel < cfg->num_kernels)
            launched[b->seen.kernel] += (b->out.fits >> b->seen.kernel & 1) && o.fresh < 0; /* it fitted, or there was no slot */
        oracle_step(&o, b, need);
    }
    for (unsigned k = 0; k < cfg->num_kernels; k++)
        assert_in_range(launched[k], 300, 30000);
}

/* ---- twins --------------------------------------------------------------------------------- */

/* Anything at all, needs that change included. */
static void draw_inputs(void *inputs, const void *cfg, uint64_t *seed, unsigned n)
{
    const cke_resources_cfg *c = cfg;
    cke_resources_in *in = inputs;
    const unsigned k = random_below(seed, c->num_kernels);

    in->may = (uint8_t)random_below(seed, 1u << c->num_kernels);
    in->take = random_one_in(seed, 2);
    in->kernel = (uint8_t)random_below(seed, c->num_kernels == 2 ? 2 : 4);
    in->cta_done = random_set(seed, c->num_slots, n / 300 % 2 ? 4 : 20);
    if (random_one_in(seed, 20)) {
        in->warps = (uint32_t)ballast_cke_with_field(in->warps, k, c->num_warps + 1, draw_need(seed, c->num_warps));
        in->regs = ballast_cke_with_field(in->regs, k, c->reg_units + 1, draw_need(seed, c->reg_units));
        in->smem = ballast_cke_with_field(in->smem, k, c->smem_units + 1, draw_need(seed, c->smem_units));
    }
}

SUITE_TESTS(twins, TWIN_CYCLES("twins: any inputs", variants, 0x1d2, 20000, draw_inputs),
            EACH_TWIN_STEPS("twins: one step from 10 000 states", variants, 0x3c4, 10000, step_draw_any))

/* ---- the log ------------------------------------------------------------------------------- */

RULE(log_of_launches, "log: launches", "cke_resources")
{
    needs(b, 1, 8, 280, 24);
    come(b, 1);
    expect_decision(b, "cke_resources GWDE-2 launch: kernel=1 | ctas=0 warps=48 regs=1024 smem=384 | ctas=1 warps=40 regs=744 smem=360",
                    "CTA of kernel 1: it holds 1, free 40 warps, 744 register units, 360 shared memory units");
}
