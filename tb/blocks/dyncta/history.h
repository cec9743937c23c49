/* SPDX-License-Identifier: Apache-2.0
 *
 * What dyncta's rules remember of a run, from its inputs and its limit alone (rules/rules.h): the period under way, and what the
 * last cycle decided of the limit.
 */
#ifndef BALLAST_DYNCTA_HISTORY_H
#define BALLAST_DYNCTA_HISTORY_H

enum dyncta_cause { DYNCTA_NOTHING, DYNCTA_START, DYNCTA_IDLE, DYNCTA_FEW_MEM, DYNCTA_MANY_MEM, DYNCTA_BETWEEN };

typedef struct dyncta_history {
    uint32_t cycles, idle, mem; /* of this period: all, those of class IDLE, those of class MEM_STALL */
    uint8_t nmax;               /* 0: no kernel                                                    */
    uint8_t cause;              /* enum dyncta_cause: what was decided in the cycle before         */
    uint8_t limit;              /* what the limit was then                                         */
} dyncta_history;

static inline void dyncta_history_reset(dyncta_history *h, const dyncta_cfg *cfg)
{
    (void)cfg;
    *h = (dyncta_history){.cause = DYNCTA_NOTHING};
}

/* DYN-2: the first that holds, and what is equal to a threshold is not beyond it. */
static inline uint8_t dyncta_cause_of(const dyncta_history *h, const dyncta_in *in)
{
    if (h->idle > in->t_idle)
        return DYNCTA_IDLE;
    if (h->mem < in->t_mem_l)
        return DYNCTA_FEW_MEM;
    return h->mem > in->t_mem_h ? DYNCTA_MANY_MEM : DYNCTA_BETWEEN;
}

static inline void dyncta_remember(dyncta_history *h, const dyncta_cfg *cfg, const dyncta_in *in, const dyncta_out *out)
{
    h->cause = DYNCTA_NOTHING;
    h->limit = out->limit;
    if (!in->enable)
        return;
    if (in->kernel_start) {
        *h = (dyncta_history){.nmax = in->nmax, .cause = DYNCTA_START, .limit = out->limit};
        return;
    }
    if (h->nmax == 0)
        return;
    h->cycles++;
    h->idle += in->lcs_class == BALLAST_LCS_IDLE;
    h->mem += in->lcs_class == BALLAST_LCS_MEM_STALL;
    if (h->cycles == cfg->period) {
        h->cause = dyncta_cause_of(h, in);
        h->cycles = h->idle = h->mem = 0;
    }
}

/* The limit that follows from what is remembered. */
static inline unsigned dyncta_limit_now(const dyncta_history *h)
{
    switch (h->cause) {
    case DYNCTA_START: return h->nmax == 1 ? 1 : h->nmax / 2u;
    case DYNCTA_IDLE:
    case DYNCTA_FEW_MEM: return h->limit < h->nmax ? h->limit + 1u : h->nmax;
    case DYNCTA_MANY_MEM: return h->limit > 1 ? h->limit - 1u : 1;
    default: return h->limit;
    }
}

static inline bool dyncta_coupled(const dyncta_history *h, const dyncta_state *s, const dyncta_cfg *cfg)
{
    return s->nmax == h->nmax && s->limit == dyncta_limit_now(h) && s->timer == h->cycles && s->idle == h->idle &&
           s->mem == h->mem && h->cycles < cfg->period && h->idle <= h->cycles && h->mem <= h->cycles - h->idle &&
           h->cause <= DYNCTA_BETWEEN && (h->nmax || h->cause <= DYNCTA_START);
}

#define DYNCTA_RUNS (in->enable && !in->kernel_start && was->nmax != 0)

#define BLOCK_HISTORY_RULES(H)                                                                                           \
    H(RUN, "DYN-1", "a kernel starts with half of Nmax, rounded down, but with one CTA at least if one fits",            \
      was->cause != DYNCTA_START || out->limit == (was->nmax == 1 ? 1 : was->nmax / 2u))                                 \
    H(RUN, "DYN-2", "a sample ends where Period cycles are over, the last one included",                                 \
      out->sample_end == (DYNCTA_RUNS && was->cycles + 1 == cfg->period))                                                \
    H(RUN, "DYN-2", "more idle cycles than t_idle: one CTA more, up to Nmax",                                            \
      was->cause != DYNCTA_IDLE || out->limit == (was->limit < was->nmax ? was->limit + 1u : was->nmax))                 \
    H(RUN, "DYN-2", "else fewer waiting cycles than t_mem_l: one CTA more, up to Nmax",                                  \
      was->cause != DYNCTA_FEW_MEM || out->limit == (was->limit < was->nmax ? was->limit + 1u : was->nmax))              \
    H(RUN, "DYN-2", "else more waiting cycles than t_mem_h: one CTA fewer, down to one",                                 \
      was->cause != DYNCTA_MANY_MEM || out->limit == (was->limit > 1 ? was->limit - 1u : 1))                             \
    H(RUN, "DYN-2", "else the limit stays", was->cause != DYNCTA_BETWEEN || out->limit == was->limit)                    \
    H(RUN, "DYN-3", "the limit moves only where a sample has ended or a kernel has started",                             \
      was->cause != DYNCTA_NOTHING || out->limit == was->limit)

#endif
