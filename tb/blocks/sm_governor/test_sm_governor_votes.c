/* SPDX-License-Identifier: Apache-2.0
 *
 * The votes in every cycle, whatever the policies do: Algorithm 1 on the warps that the test itself has counted since the
 * last epoch, in the cycle that ends an epoch, and nothing in all others. On the model and on the RTL.
 */
#include "blocks/sm_governor/bench.h"
#include "engine/random.h"
#include "engine/random_bus.h"

enum { EPOCHS = 400 };

/* ---- what the votes are about (doc/blocks/eq_counters.md, doc/blocks/eq_decision.md) -------- */

typedef struct tally {
    unsigned active, waiting, alu, mem;
} tally;

typedef struct epoch_so_far {
    unsigned cycle; /* of the epoch */
    tally sums, seen; /* seen in the cycle before: in the sums when this one is over */
} epoch_so_far;

/* EQ-1 to EQ-3, EQ-A7 to EQ-A10: who counts where. */
static void count_warp(tally *t, unsigned warp_state, const eq_counters_cfg *cfg)
{
    t->active += warp_state == BALLAST_WARP_BARRIER || (warp_state >= BALLAST_WARP_WAIT_ALU && warp_state <= BALLAST_WARP_ISSUED_MEM);
    t->waiting += warp_state == BALLAST_WARP_WAIT_ALU || warp_state == BALLAST_WARP_WAIT_MEM;
    t->alu += warp_state == BALLAST_WARP_ALU_LOST || warp_state == BALLAST_WARP_ALU_BLOCKED ||
              (warp_state == BALLAST_WARP_ISSUED_ALU && !cfg->xalu_excl_issued);
    t->mem += warp_state == BALLAST_WARP_MEM_BLOCKED || (warp_state == BALLAST_WARP_MEM_LOST && cfg->xmem_incl_slot);
}

/* EQ-4: in a cycle of a sample every sample_cycles-th warp, so that each has its turn. */
static void count_warps(tally *t, unsigned cycle, const sm_governor_in *in, const sm_governor_cfg *cfg)
{
    for (unsigned w = cycle % cfg->counters.sample_cycles; w < cfg->num_warps; w += cfg->counters.sample_cycles)
        if (!(in->paused >> w & 1))
            count_warp(t, (unsigned)((in->ws0 >> w & 1) | (in->ws1 >> w & 1) << 1 | (in->ws2 >> w & 1) << 2 | (in->ws3 >> w & 1) << 3),
                       &cfg->counters);
}

/* EQ-4, EQ-A6, EQ-A20: the epochs are those of policy_i, the samples those of the kernel. */
static void take_sample(epoch_so_far *e, const sm_governor_in *in, const sm_governor_cfg *cfg)
{
    const eq_counters_cfg *c = &cfg->counters;
    const tally seen = e->seen, none = {.active = 0};

    if (in->policy != BALLAST_POLICY_EQUALIZER)
        return;
    if (e->cycle == 1)
        e->sums = none;
    if (in->kernel_start)
        e->sums = none;
    else
        e->sums = (tally){e->sums.active + seen.active, e->sums.waiting + seen.waiting, e->sums.alu + seen.alu, e->sums.mem + seen.mem};
    e->seen = none;
    if (e->cycle % c->sample_interval / c->sample_cycles == c->sample_phase / c->sample_cycles)
        count_warps(&e->seen, e->cycle, in, cfg);
    e->cycle = (e->cycle + 1) % c->epoch;
}

enum line { LINE_7, LINE_10, LINE_12, LINE_17, LINE_19, LINE_21, LINE_NONE, LINES };
enum vote { VOTE_NONE, VOTE_COMP, VOTE_MEM };
static const enum vote vote_of[LINES] = {VOTE_MEM, VOTE_COMP, VOTE_MEM, VOTE_COMP, VOTE_MEM, VOTE_COMP, VOTE_NONE};

/* EQ-7, EQ-8: the line of Algorithm 1. The sums stand for averages (EQ-A2). */
static enum line line_of(const tally *t, unsigned wcta, const sm_governor_cfg *cfg)
{
    const unsigned samples = cfg->counters.epoch / cfg->counters.sample_interval;
    const unsigned by = cfg->decision.avg_mode == BALLAST_EQ_AVG_TRUNC ? samples : 1;
    const unsigned scale = cfg->decision.avg_mode == BALLAST_EQ_AVG_EXACT_SUM ? samples : 1;
    const unsigned active = t->active / by, waiting = t->waiting / by, alu = t->alu / by, mem = t->mem / by;

    if (mem > wcta * scale)
        return LINE_7;
    if (alu > wcta * scale)
        return LINE_10;
    if (mem > 2 * scale)
        return LINE_12;
    if (waiting > active / 2)
        return alu > mem ? LINE_17 : LINE_19;
    return active == 0 ? LINE_21 : LINE_NONE;
}

/* ---- the run -------------------------------------------------------------------------------- */

typedef struct run {
    random_bus bus;
    uint64_t seed;
    enum work work;
    uint8_t policy;
    uint64_t at_random;         /* warps that do not do it */
    unsigned seen[LINES][2];    /* with a kernel of Equalizer in force, with one of another policy */
} run;

static void change(run *r, sm_governor_in *in)
{
    static const uint64_t most[] = {0, 0, 0x3, 0xff, 0xfffff, UINT64_MAX};

    r->work = (enum work)random_below(&r->seed, WORK_IDLE + 1);
    r->at_random = most[random_below(&r->seed, sizeof most / sizeof most[0])];
    r->policy = (uint8_t)(random_one_in(&r->seed, 3) ? random_below(&r->seed, 8) : BALLAST_POLICY_EQUALIZER);
    in->wcta = (uint8_t)random_below(&r->seed, 2 * WCTA);
}

static void draw_inputs(run *r, bench *b)
{
    const sm_obs *obs = random_bus_next(&r->bus);
    const uint8_t wcta = b->in.wcta;
    sm_governor_in *in = &b->in, same;

    b->dut.block->model->bind(in, &b->dut.cfg, &obs, NULL);
    in->wcta = wcta;
    if (random_one_in(&r->seed, config(b)->counters.epoch))
        change(r, in);
    in->kernel_start = random_one_in(&r->seed, 2 * config(b)->counters.epoch);
    in->policy = r->policy;
    if (in->kernel_start && random_one_in(&r->seed, 2)) /* for one cycle: the kernel is another policy's, the epoch goes on */
        in->policy = (uint8_t)random_below(&r->seed, 8);
    same = *in;
    show(&same, r->work);
    in->ws0 = (in->ws0 & r->at_random) | (same.ws0 & ~r->at_random);
    in->ws1 = (in->ws1 & r->at_random) | (same.ws1 & ~r->at_random);
    in->ws2 = (in->ws2 & r->at_random) | (same.ws2 & ~r->at_random);
    in->ws3 = (in->ws3 & r->at_random) | (same.ws3 & ~r->at_random);
    in->paused &= r->at_random;
}

static void votes(bench *b)
{
    const unsigned epoch = config(b)->counters.epoch;
    epoch_so_far e = {.cycle = 2}; /* the first epoch after reset has no cycle 0, and none 1 */
    run r = {.seed = 0x707e6};

    random_bus_start(&r.bus, r.seed, config(b)->num_warps, config(b)->num_slots);
    for (unsigned i = 0; i < EPOCHS * epoch; i++) {
        bool ends;
        enum line line;

        draw_inputs(&r, b);
        take_cycle(b);
        ends = b->in.policy == BALLAST_POLICY_EQUALIZER && e.cycle == 1;
        line = ends ? line_of(&e.sums, b->in.wcta, config(b)) : LINE_NONE;
        assert_int_equal(b->out.epoch, ends);
        assert_int_equal(b->out.comp, vote_of[line] == VOTE_COMP);
        assert_int_equal(b->out.mem, vote_of[line] == VOTE_MEM);
        if (ends)
            r.seen[line][b->before.policy != BALLAST_POLICY_EQUALIZER]++;
        take_sample(&e, &b->in, config(b));
    }
    for (unsigned line = 0; line < LINES; line++)
        for (unsigned other = 0; other < 2; other++)
            if (r.seen[line][other] == 0)
                fail_msg("%s: branch %u of Algorithm 1 was never taken under %s kernel", b->dut.block->name, line,
                         other ? "another policy's" : "Equalizer's");
}

int main(void)
{
    const struct CMUnitTest tests[] = {EACH_VARIANT("EQ-7, EQ-9, EQ-12 votes in every cycle", variants, votes)};

    return cmocka_run_group_tests_name("sm_governor_votes", tests, NULL, NULL);
}
