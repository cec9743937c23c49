/* SPDX-License-Identifier: Apache-2.0
 *
 * What vf_scout's rules remember of a run, from its inputs and outputs alone (rules/rules.h): whether a kernel waits for its first
 * search, for how long nobody has looked, and whether a CTA has finished.
 */
#ifndef BALLAST_VF_SCOUT_HISTORY_H
#define BALLAST_VF_SCOUT_HISTORY_H

typedef struct vf_scout_history {
    uint16_t quiet;  /* cycles without a look, at most Warmup                            */
    uint8_t runs;    /* there is a kernel                                                */
    uint8_t waits;   /* it has not been searched                                         */
    uint8_t cta;     /* a CTA of it has finished                                         */
    uint8_t ready;   /* the limit was decided in the cycle before                        */
} vf_scout_history;

static inline void vf_scout_history_reset(vf_scout_history *h, const vf_scout_cfg *cfg)
{
    (void)cfg;
    *h = (vf_scout_history){.runs = 0};
}

static inline void vf_scout_waits(vf_scout_history *h, const vf_scout_cfg *cfg, const vf_scout_in *in)
{
    h->waits = !(h->quiet == cfg->warmup && !in->look && (h->cta || h->ready));
    if (!h->waits || in->look)
        h->quiet = 0;
    else if (h->quiet < cfg->warmup)
        h->quiet++;
}

static inline void vf_scout_remember(vf_scout_history *h, const vf_scout_cfg *cfg, const vf_scout_in *in, const vf_scout_out *out)
{
    (void)out;
    if (!in->enable)
        return;
    if (in->kernel_start) {
        *h = (vf_scout_history){.runs = 1, .waits = 1};
        return;
    }
    if (h->waits)
        vf_scout_waits(h, cfg, in);
    if (h->runs) {
        h->cta = h->cta || in->cta_done;
        h->ready = in->ready;
    }
}

static inline bool vf_scout_coupled(const vf_scout_history *h, const vf_scout_state *s, const vf_scout_cfg *cfg)
{
    return h->runs <= 1 && h->waits <= h->runs && h->cta <= h->runs && h->ready <= h->runs && h->runs == (s->state != VF_SCOUT_ST_IDLE) &&
           h->waits == (s->state == VF_SCOUT_ST_WAIT) && h->quiet <= cfg->warmup && h->quiet == (h->waits ? s->timer : 0) &&
           h->cta == (h->runs && !s->first) && h->ready == s->ready;
}

#define VF_SCOUT_ASKS (out->sm_up || out->sm_down || out->mem_up || out->mem_down)

#define BLOCK_HISTORY_RULES(H)                                                                                           \
    H(RUN, "VFS-1", "before a search both levels go to normal, and stay there",                                          \
      (was->runs && !was->waits) || !in->enable ||                                                                       \
          (out->sm_up == (!in->sm_busy && in->sm_level == BALLAST_VF_LOW) &&                                             \
           out->sm_down == (!in->sm_busy && in->sm_level > BALLAST_VF_NORMAL) &&                                         \
           out->mem_up == (!in->mem_busy && in->mem_level == BALLAST_VF_LOW) &&                                          \
           out->mem_down == (!in->mem_busy && in->mem_level > BALLAST_VF_NORMAL)))                                       \
    H(RUN, "VFS-8", "the limit is never held before the first search", (was->runs && !was->waits) || !out->hold)         \
    H(RUN, "contract", "what is disabled asks for nothing", in->enable || !(VF_SCOUT_ASKS || out->hold))

#endif
