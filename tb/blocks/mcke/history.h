/* SPDX-License-Identifier: Apache-2.0
 *
 * What mcke's rules remember of a run, from its inputs and outputs alone (rules/rules.h): whose CTA each slot of each SM holds, how far
 * each grid is, whose turn it is, and which launch the last cycle has led to. What is free on an SM is added up slot by slot.
 */
#ifndef BALLAST_MCKE_HISTORY_H
#define BALLAST_MCKE_HISTORY_H

enum { MCKE_MOST_SLOTS = 32 };

/* An SM: a bit per slot. */
typedef struct mcke_history_sm {
    uint32_t held[BALLAST_CKE_MAX_KERNELS];   /* slots that hold something of this kernel         */
    uint32_t finished;                /* slots whose CTA has finished and has not returned        */
    uint16_t passed[BALLAST_CKE_MAX_KERNELS]; /* launches of this kernel elsewhere, since it began to take part here */
} mcke_history_sm;

typedef struct mcke_history {
    uint32_t grid[BALLAST_CKE_MAX_KERNELS], next[BALLAST_CKE_MAX_KERNELS]; /* its CTAs, and which is the next one to be launched */
    uint16_t regs[BALLAST_CKE_MAX_KERNELS], smem[BALLAST_CKE_MAX_KERNELS]; /* what one of them needs             */
    uint16_t waited[BALLAST_CKE_MAX_KERNELS];                      /* launches of others, since it began to take part */
    uint8_t warps[BALLAST_CKE_MAX_KERNELS], too_big[BALLAST_CKE_MAX_KERNELS];
    uint8_t asked_first[BALLAST_CKE_MAX_KERNELS];                  /* the SM that is asked first                 */
    uint8_t turn;                                          /* the kernel that is asked first                     */
    uint8_t launch, kernel, sm, slot;                      /* what the cycle before chose, of which kernel, where */
    uint8_t mode;                                          /* in which mode                                      */
    mcke_history_sm at[MCKE_MAX_SMS];
} mcke_history;

static inline void mcke_history_reset(mcke_history *h, const mcke_cfg *cfg)
{
    (void)cfg;
    *h = (mcke_history){.launch = 0};
}

/* ---- this cycle ------------------------------------------------------------------------ */

static inline unsigned mcke_ones(uint32_t set)
{
    unsigned n = 0;

    for (; set; set &= set - 1)
        n++;
    return n;
}

/* CTAs that have been chosen: those launched before this cycle, and the one of this cycle. */
static inline uint32_t mcke_chosen(const mcke_history *h, unsigned k)
{
    return h->next[k] + (h->launch && h->kernel == k);
}

static inline bool mcke_over(const mcke_history *h, unsigned k)
{
    return mcke_chosen(h, k) == h->grid[k];
}

static inline uint32_t mcke_all_held(const mcke_history *h, const mcke_cfg *cfg, unsigned i)
{
    uint32_t all = 0;

    for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
        all |= h->at[i].held[k];
    return all;
}

/* The slots of an SM that return or are going to. */
static inline uint32_t mcke_due(const mcke_history *h, const mcke_cfg *cfg, const mcke_in *in, unsigned i)
{
    return mcke_all_held(h, cfg, i) & (h->at[i].finished | in->sm[i].cta_done);
}

typedef struct mcke_amount {
    uint32_t warps, regs, smem;
} mcke_amount;

/* What all CTAs of an SM hold, one after another. */
static inline mcke_amount mcke_used(const mcke_history *h, const mcke_cfg *cfg, unsigned i)
{
    mcke_amount used = {0, 0, 0};

    for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
        for (unsigned n = mcke_ones(h->at[i].held[k]); n-- > 0;) {
            used.warps += h->warps[k];
            used.regs += h->regs[k];
            used.smem += h->smem[k];
        }
    return used;
}

/* The lowest slot that nobody holds; num_slots if there is none. */
static inline unsigned mcke_place(const mcke_history *h, const mcke_cfg *cfg, unsigned i)
{
    const uint32_t held = mcke_all_held(h, cfg, i);
    unsigned slot = 0;

    while (slot < cfg->sm.num_slots && (held >> slot & 1))
        slot++;
    return slot;
}

/* GWDE-2, CKE-A1. */
static inline bool mcke_fits(const mcke_history *h, const mcke_cfg *cfg, unsigned i, unsigned k)
{
    const mcke_amount used = mcke_used(h, cfg, i);

    return mcke_place(h, cfg, i) < cfg->sm.num_slots && used.warps + h->warps[k] <= cfg->sm.num_warps &&
           used.regs + h->regs[k] <= cfg->sm.reg_units && used.smem + h->smem[k] <= cfg->sm.smem_units;
}

/* CKE-2. */
static inline bool mcke_not_home(const mcke_cfg *cfg, const mcke_in *in, unsigned i, unsigned k)
{
    return in->mode == MCKE_APART && i % cfg->sm.num_kernels != k;
}

/* GWDE-5, of a queue: a kernel before this one has CTAs left. */
static inline bool mcke_behind(const mcke_history *h, const mcke_in *in, unsigned k)
{
    bool behind = false;

    while (k-- > 0)
        behind |= !mcke_over(h, k);
    return in->mode == MCKE_QUEUE && behind;
}

/* GWDE-1 to GWDE-4, CKE-1, CKE-2. */
static inline bool mcke_may(const mcke_history *h, const mcke_cfg *cfg, const mcke_in *in, unsigned i, unsigned k)
{
    return in->sm[i].req && !mcke_over(h, k) && mcke_ones(mcke_all_held(h, cfg, i)) < in->sm[i].limit &&
           mcke_ones(h->at[i].held[k]) < ballast_cke_field(in->sm[i].quota, k, cfg->sm.num_slots) && !mcke_not_home(cfg, in, i, k) &&
           !mcke_behind(h, in, k) && mcke_fits(h, cfg, i, k);
}

static inline bool mcke_refuses(const mcke_history *h, const mcke_cfg *cfg, const mcke_in *in, unsigned i, unsigned k)
{
    return in->sm[i].req && (mcke_over(h, k) || mcke_not_home(cfg, in, i, k) ||
                             (!mcke_fits(h, cfg, i, k) && mcke_due(h, cfg, in, i) == 0));
}

static inline bool mcke_is_idle(const mcke_history *h, const mcke_cfg *cfg, unsigned k)
{
    uint32_t held = 0;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        held |= h->at[i].held[k];
    return mcke_over(h, k) && held == 0;
}

static inline bool mcke_in_turn(const mcke_in *in)
{
    return in->mode == MCKE_QUOTAS || in->mode == MCKE_APART;
}

/* How many are asked before this one, of `all` in a circle. */
static inline unsigned mcke_distance(unsigned from, unsigned of, unsigned all)
{
    return of >= from ? of - from : of + all - from;
}

/* ---- what is remembered ------------------------------------------------------------------ */

typedef struct mcke_found {
    bool may[BALLAST_CKE_MAX_KERNELS]; /* it takes part somewhere */
    unsigned sm[BALLAST_CKE_MAX_KERNELS]; /* where it is asked first */
} mcke_found;

static inline void mcke_look(const mcke_history *h, const mcke_cfg *cfg, const mcke_in *in, unsigned k, mcke_found *found)
{
    unsigned best = cfg->num_sms;

    found->sm[k] = 0;
    for (unsigned i = 0; i < cfg->num_sms; i++) {
        const unsigned distance = mcke_distance(h->asked_first[k], i, cfg->num_sms);

        if (distance < best && mcke_may(h, cfg, in, i, k)) {
            best = distance;
            found->sm[k] = i;
        }
    }
    found->may[k] = best < cfg->num_sms;
}

/* CKE-A1: the kernel that is asked first, of those that take part; num_kernels if there is none. */
static inline unsigned mcke_first_kernel(const mcke_history *h, const mcke_cfg *cfg, const mcke_in *in, const mcke_found *found)
{
    unsigned best = UINT32_MAX, which = cfg->sm.num_kernels;

    for (unsigned k = 0; k < cfg->sm.num_kernels; k++) {
        const unsigned distance = mcke_distance(mcke_in_turn(in) ? h->turn : 0, k, cfg->sm.num_kernels);

        if (found->may[k] && distance < best) {
            best = distance;
            which = k;
        }
    }
    return which;
}

/* How long each kernel, and each SM of the kernel that is chosen, has been passed over. */
static inline void mcke_remember_waits(mcke_history *h, const mcke_cfg *cfg, const mcke_in *in, const mcke_found *found, unsigned chosen)
{
    for (unsigned k = 0; k < cfg->sm.num_kernels; k++) {
        h->waited[k] = (uint16_t)(found->may[k] && k != chosen && mcke_in_turn(in) ? h->waited[k] + 1 : 0);
        for (unsigned i = 0; i < cfg->num_sms; i++) {
            uint16_t *passed = &h->at[i].passed[k];

            if (!mcke_may(h, cfg, in, i, k) || (k == chosen && i == found->sm[k]))
                *passed = 0;
            else if (k == chosen)
                (*passed)++;
        }
    }
}

static inline void mcke_remember_choice(mcke_history *h, const mcke_cfg *cfg, const mcke_in *in)
{
    mcke_found found;
    unsigned chosen;

    for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
        mcke_look(h, cfg, in, k, &found);
    chosen = mcke_first_kernel(h, cfg, in, &found);
    mcke_remember_waits(h, cfg, in, &found, chosen);
    for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
        h->next[k] = mcke_chosen(h, k);
    h->launch = chosen < cfg->sm.num_kernels;
    h->mode = in->mode;
    if (!h->launch)
        return;
    h->kernel = (uint8_t)chosen;
    h->sm = (uint8_t)found.sm[chosen];
    h->slot = (uint8_t)mcke_place(h, cfg, h->sm);
    h->turn = (uint8_t)((chosen + 1) % cfg->sm.num_kernels);
    h->asked_first[chosen] = (uint8_t)((h->sm + 1u) % cfg->num_sms);
}

/* The lowest of those that are due returns. */
static inline void mcke_remember_slots(mcke_history *h, const mcke_cfg *cfg, const mcke_in *in, unsigned i)
{
    const uint32_t due = mcke_due(h, cfg, in, i), returns = due & (~due + 1);

    h->at[i].finished = due & ~returns;
    for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
        h->at[i].held[k] &= ~returns;
}

static inline void mcke_remember_start(mcke_history *h, const mcke_cfg *cfg, const mcke_in *in)
{
    const unsigned k = in->kernel;

    h->warps[k] = in->warps;
    h->regs[k] = in->regs;
    h->smem[k] = in->smem;
    h->too_big[k] = in->warps > cfg->sm.num_warps || in->regs > cfg->sm.reg_units || in->smem > cfg->sm.smem_units;
    h->grid[k] = h->too_big[k] ? 0 : in->grid;
    h->next[k] = 0;
    h->asked_first[k] = 0;
}

static inline void mcke_remember(mcke_history *h, const mcke_cfg *cfg, const mcke_in *in, const mcke_out *out)
{
    const bool starts = in->start && in->kernel < cfg->sm.num_kernels && mcke_is_idle(h, cfg, in->kernel);
    bool all_idle = true;

    (void)out;
    for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
        all_idle &= mcke_is_idle(h, cfg, k);
    mcke_remember_choice(h, cfg, in);
    for (unsigned i = 0; i < cfg->num_sms; i++)
        mcke_remember_slots(h, cfg, in, i);
    if (h->launch)
        h->at[h->sm].held[h->kernel] |= UINT32_C(1) << (h->slot & 31);
    if (starts)
        mcke_remember_start(h, cfg, in);
    if (starts && all_idle)
        h->turn = 0;
}

/* ---- what follows from it ---------------------------------------------------------------- */

static inline bool mcke_launches_as_said(const mcke_history *h, const mcke_cfg *cfg, const mcke_out *out)
{
    bool same = true;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        same &= out->sm[i].cta_start == (h->launch && h->sm == i ? UINT32_C(1) << (h->slot & 31) : 0);
    return same;
}

static inline bool mcke_active_as_said(const mcke_history *h, const mcke_cfg *cfg, const mcke_out *out)
{
    bool same = true;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        same &= out->sm[i].cta_active == (mcke_all_held(h, cfg, i) & ~h->at[i].finished);
    return same;
}

static inline bool mcke_owners_as_said(const mcke_history *h, const mcke_cfg *cfg, const mcke_out *out)
{
    bool same = true;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        for (unsigned k = 0; k < cfg->sm.num_kernels; k++) {
            same &= ballast_cke_field(out->sm[i].ctas, k, cfg->sm.num_slots) == mcke_ones(h->at[i].held[k]);
            for (unsigned n = 0; n < cfg->sm.num_slots; n++)
                same &= !(h->at[i].held[k] >> n & 1) || ballast_cke_field(out->sm[i].cta_kernel, n, cfg->sm.num_kernels - 1) == k;
        }
    return same;
}

static inline bool mcke_unused_as_said(const mcke_history *h, const mcke_cfg *cfg, const mcke_out *out)
{
    bool same = true;

    for (unsigned i = 0; i < cfg->num_sms; i++) {
        const mcke_amount used = mcke_used(h, cfg, i);

        same &= used.regs + out->sm[i].free_regs == cfg->sm.reg_units && used.smem + out->sm[i].free_smem == cfg->sm.smem_units;
    }
    return same;
}

static inline bool mcke_denied_as_said(const mcke_history *h, const mcke_cfg *cfg, const mcke_in *in, const mcke_out *out)
{
    bool same = true;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
            same &= (out->sm[i].denied >> k & 1) == mcke_refuses(h, cfg, in, i, k);
    return same;
}

/* GWDE-2, CKE-A1: no SM's CTAs hold more than it has. */
static inline bool mcke_within(const mcke_history *h, const mcke_cfg *cfg)
{
    bool within = true;

    for (unsigned i = 0; i < cfg->num_sms; i++) {
        const mcke_amount used = mcke_used(h, cfg, i);

        within &= used.warps <= cfg->sm.num_warps && used.regs <= cfg->sm.reg_units && used.smem <= cfg->sm.smem_units;
    }
    return within;
}

static inline bool mcke_sms_fair(const mcke_history *h, const mcke_cfg *cfg)
{
    bool fair = true;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
            fair &= h->at[i].passed[k] < cfg->num_sms;
    return fair;
}

static inline bool mcke_kernels_fair(const mcke_history *h, const mcke_cfg *cfg)
{
    bool fair = true;

    for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
        fair &= h->waited[k] < cfg->sm.num_kernels;
    return fair;
}

/* Bit k of a set says this of kernel k. */
static inline bool mcke_idle_as_said(const mcke_history *h, const mcke_cfg *cfg, const mcke_out *out)
{
    bool same = true;

    for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
        same &= (out->idle >> k & 1) == mcke_is_idle(h, cfg, k);
    return same;
}

static inline bool mcke_exhausted_as_said(const mcke_history *h, const mcke_cfg *cfg, const mcke_out *out)
{
    bool same = true;

    for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
        same &= (out->exhausted >> k & 1) == mcke_over(h, k);
    return same;
}

static inline bool mcke_too_big_as_said(const mcke_history *h, const mcke_cfg *cfg, const mcke_out *out)
{
    bool same = true;

    for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
        same &= (out->too_big >> k & 1) == h->too_big[k];
    return same;
}

/* The account of every SM is followed for all SMs at once, in tests. */
#define BLOCK_HISTORY_TESTED

#define BLOCK_HISTORY_RULES(H)                                                                                           \
    H(TEST, "GWDE-1", "a CTA is launched the cycle after a kernel has taken part somewhere, and in no other",            \
      out->start_valid == was->launch)                                                                                   \
    H(TEST, "CKE-A1", "in turn, it is of the first kernel from the turn on that took part; else of the lowest one",      \
      !was->launch || out->start_kernel == was->kernel)                                                                  \
    H(TEST, "GWDE-A1", "it goes to the first SM from that kernel's turn on where it took part",                          \
      !was->launch || out->start_sm == was->sm)                                                                          \
    H(TEST, "GWDE-2", "into the lowest slot that held nothing", !was->launch || out->start_slot == was->slot)             \
    H(TEST, "GWDE-1", "the CTAs of each grid are launched in order, each once, and no other",                            \
      !was->launch || (out->start_cta == was->next[was->kernel] && was->next[was->kernel] < was->grid[was->kernel]))     \
    H(TEST, "CKE-2", "apart, a CTA is launched only on an SM of its kernel",                                             \
      !out->start_valid || was->mode != MCKE_APART || out->start_sm % cfg->sm.num_kernels == out->start_kernel)          \
    H(TEST, "GWDE-1", "the SM sees its launch, and no other SM one", mcke_launches_as_said(was, cfg, out))                \
    H(TEST, "GWDE-1", "a slot is active from the launch of its CTA until it has finished", mcke_active_as_said(was, cfg, out)) \
    H(TEST, "CKE-1", "a slot is that of the kernel whose CTA came into it, and the slots of each kernel are counted",    \
      mcke_owners_as_said(was, cfg, out))                                                                                \
    H(TEST, "CKE-A1", "what the CTAs of all kernels hold of an SM is never more than it has", mcke_within(was, cfg))     \
    H(TEST, "CKE-4", "what is unused is what an SM has without what its CTAs hold", mcke_unused_as_said(was, cfg, out))  \
    H(TEST, "GWDE-1", "denied: no CTA is left, the SM is another kernel's, or none fits and none is on its way back",    \
      mcke_denied_as_said(was, cfg, in, out))                                                                            \
    H(TEST, "GWDE-1", "exhausted: every CTA of the grid has been chosen", mcke_exhausted_as_said(was, cfg, out))         \
    H(TEST, "GWDE-1", "idle: exhausted, and nothing is held", mcke_idle_as_said(was, cfg, out))                           \
    H(TEST, "GWDE-2", "a kernel of which no CTA fits an empty SM is reported", mcke_too_big_as_said(was, cfg, out))      \
    H(TEST, "GWDE-A1", "an SM where a kernel takes part is passed over by fewer of its launches than there are SMs",     \
      mcke_sms_fair(was, cfg))                                                                                           \
    H(TEST, "CKE-A1", "in turn, a kernel that takes part is passed over by fewer launches than there are kernels",       \
      mcke_kernels_fair(was, cfg))

#endif
