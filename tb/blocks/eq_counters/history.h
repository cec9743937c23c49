/* SPDX-License-Identifier: Apache-2.0
 *
 * What eq_counters' rules remember of a run, from its inputs alone (rules/rules.h): the cycle of the epoch, and its sums.
 */
#ifndef BALLAST_EQ_COUNTERS_HISTORY_H
#define BALLAST_EQ_COUNTERS_HISTORY_H

typedef struct eq_counters_history {
    uint32_t cycles; /* of the epoch that are over and in its sums: a whole epoch where it ends */
    uint32_t active, waiting, xalu, xmem;
    uint32_t late_active, late_waiting, late_xalu, late_xmem; /* seen in the cycle before */
} eq_counters_history;

/* The first epoch has no cycle 0, and none 1. */
static inline void eq_counters_history_reset(eq_counters_history *h, const eq_counters_cfg *cfg)
{
    (void)cfg;
    *h = (eq_counters_history){.cycles = 1};
}

/* The page's table: in which of the four sums a warp in this state is, as bits. */
enum { EQ_COUNTERS_ACTIVE = 1, EQ_COUNTERS_WAITING = 2, EQ_COUNTERS_XALU = 4, EQ_COUNTERS_XMEM = 8 };

static inline unsigned eq_counters_sums_of(unsigned state, const eq_counters_cfg *cfg)
{
    switch (state) {
    case BALLAST_WARP_BARRIER:
    case BALLAST_WARP_ISSUED_MEM: return EQ_COUNTERS_ACTIVE;
    case BALLAST_WARP_WAIT_ALU:
    case BALLAST_WARP_WAIT_MEM: return EQ_COUNTERS_ACTIVE | EQ_COUNTERS_WAITING;
    case BALLAST_WARP_ALU_LOST:
    case BALLAST_WARP_ALU_BLOCKED: return EQ_COUNTERS_ACTIVE | EQ_COUNTERS_XALU;
    case BALLAST_WARP_MEM_LOST: return EQ_COUNTERS_ACTIVE | (cfg->xmem_incl_slot ? EQ_COUNTERS_XMEM : 0);
    case BALLAST_WARP_MEM_BLOCKED: return EQ_COUNTERS_ACTIVE | EQ_COUNTERS_XMEM;
    case BALLAST_WARP_ISSUED_ALU: return EQ_COUNTERS_ACTIVE | (cfg->xalu_excl_issued ? 0 : EQ_COUNTERS_XALU);
    default: return 0; /* EMPTY, NO_INST, reserved codes */
    }
}

/* Which one this is. */
static inline uint32_t eq_counters_now(const eq_counters_history *h, const eq_counters_cfg *cfg)
{
    return (h->cycles + 1) % cfg->epoch;
}

/* EQ-A6: the aligned cycles of an interval that sample_phase is one of. */
static inline bool eq_counters_samples(const eq_counters_history *h, const eq_counters_cfg *cfg)
{
    return eq_counters_now(h, cfg) % cfg->sample_interval / cfg->sample_cycles == cfg->sample_phase / cfg->sample_cycles;
}

/* A warp is looked at in the sample's cycle with its remainder. PAUSE-2: a paused warp is in none. */
static inline void eq_counters_sample(eq_counters_history *h, const eq_counters_cfg *cfg, const eq_counters_in *in)
{
    for (unsigned w = 0; w < cfg->num_warps; w++) {
        const bool turn = w % cfg->sample_cycles == eq_counters_now(h, cfg) % cfg->sample_cycles;
        const unsigned state = (unsigned)((in->ws0 >> w & 1) | (in->ws1 >> w & 1) << 1 | (in->ws2 >> w & 1) << 2 |
                                          (in->ws3 >> w & 1) << 3);
        const unsigned sums = in->paused >> w & 1 || !turn ? 0 : eq_counters_sums_of(state, cfg);

        h->late_active += sums & 1;
        h->late_waiting += sums >> 1 & 1;
        h->late_xalu += sums >> 2 & 1;
        h->late_xmem += sums >> 3 & 1;
    }
}

/* What the cycle before has seen counts in this one. */
static inline void eq_counters_catch_up(eq_counters_history *h)
{
    *h = (eq_counters_history){.cycles = h->cycles, .active = h->active + h->late_active, .waiting = h->waiting + h->late_waiting,
                               .xalu = h->xalu + h->late_xalu, .xmem = h->xmem + h->late_xmem};
}

static inline void eq_counters_remember(eq_counters_history *h, const eq_counters_cfg *cfg, const eq_counters_in *in,
                                        const eq_counters_out *out)
{
    (void)out;
    if (!in->enable)
        return;
    if (h->cycles == cfg->epoch) {
        h->active = h->waiting = h->xalu = h->xmem = 0;
        h->cycles = 0;
    }
    if (in->kernel_start) /* all of that was another kernel's */
        *h = (eq_counters_history){.cycles = h->cycles};
    eq_counters_catch_up(h);
    if (eq_counters_samples(h, cfg))
        eq_counters_sample(h, cfg, in);
    h->cycles++;
}

/* The sums are not told: that two sums of 48 warps are equal takes solvers minutes. The rules about them are tested. */
#define BLOCK_RECALLS
static inline void eq_counters_recall(eq_counters_history *h, const eq_counters_state *s, const eq_counters_cfg *cfg)
{
    h->cycles = s->cycle == 1 ? cfg->epoch : (s->cycle + cfg->epoch - 1) % cfg->epoch;
}

static inline bool eq_counters_coupled(const eq_counters_history *h, const eq_counters_state *s, const eq_counters_cfg *cfg)
{
    (void)h;
    return s->cycle < cfg->epoch;
}

#define BLOCK_HISTORY_RULES(H)                                                                                           \
    H(RUN, "EQ-4", "an epoch ends when Epoch cycles are over, once, in an enabled cycle",                                \
      out->epoch_end == (in->enable && was->cycles == cfg->epoch))                                                       \
    H(TEST, "EQ-3", "Active: in each sample the warps that are not paused and have an instruction", out->active == was->active) \
    H(TEST, "EQ-3", "Waiting: in each sample those that wait for the scoreboard", out->waiting == was->waiting)           \
    H(TEST, "EQ-3", "X_alu: in each sample those that an ALU has not taken", out->xalu == was->xalu)                      \
    H(TEST, "EQ-3", "X_mem: in each sample those that the LSU holds back", out->xmem == was->xmem)

#endif
