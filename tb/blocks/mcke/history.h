/* SPDX-License-Identifier: Apache-2.0
 *
 * What mcke's rules remember of a run, from its inputs and outputs alone (rules/rules.h): whose CTA each slot of each SM holds, how far
 * each grid is, whose turn it is, which kernels SMs are ready for, which one was chosen with which SMs, and which launch the last cycle
 * has led to. What is free on an SM is added up slot by slot, of the CTAs that are counted: not the one that is launched in this cycle,
 * but still the one that has gone in the cycle before.
 */
#ifndef BALLAST_MCKE_HISTORY_H
#define BALLAST_MCKE_HISTORY_H

enum { MCKE_MOST_SLOTS = 32 };

/* An SM: a bit per slot. */
typedef struct mcke_history_sm {
    uint32_t held[BALLAST_CKE_MAX_KERNELS];   /* slots that hold something of this kernel         */
    uint32_t finished;                /* slots whose CTA has finished and has not returned        */
    uint32_t fresh;                   /* the slot of the launch of this cycle                     */
    uint8_t gone;                     /* 1 + the kernel whose CTA has gone in the cycle before, 0 */
    uint8_t ready[BALLAST_CKE_MAX_KERNELS]; /* a kernel may get a CTA here                         */
    uint8_t kept;                     /* it was ready for the kernel that is picked               */
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
    uint8_t picked;                                        /* the kernel of which a CTA is next, where SMs were ready for it */
    uint8_t mode, mode_picked, mode_ready;                 /* in which mode the SMs of the launch, of that kernel, and of this cycle were found ready */
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

/* CTAs of kernel k on an SM that are counted. */
static inline unsigned mcke_counted(const mcke_history *h, unsigned i, unsigned k)
{
    return mcke_ones(h->at[i].held[k] & ~h->at[i].fresh) + (h->at[i].gone == k + 1);
}

static inline unsigned mcke_all_counted(const mcke_history *h, const mcke_cfg *cfg, unsigned i)
{
    unsigned n = 0;

    for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
        n += mcke_counted(h, i, k);
    return n;
}

/* The slots of an SM that return or are going to. */
static inline uint32_t mcke_due(const mcke_history *h, const mcke_cfg *cfg, const mcke_in *in, unsigned i)
{
    return mcke_all_held(h, cfg, i) & (h->at[i].finished | in->sm[i].cta_done);
}

typedef struct mcke_amount {
    uint32_t warps, regs, smem;
} mcke_amount;

/* What all CTAs of an SM hold that are counted, and that is launched in this cycle: one after another. */
static inline mcke_amount mcke_used_with(const mcke_history *h, const mcke_cfg *cfg, unsigned i, bool fresh)
{
    mcke_amount used = {0, 0, 0};

    for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
        for (unsigned n = mcke_counted(h, i, k) + (fresh && (h->at[i].held[k] & h->at[i].fresh)); n-- > 0;) {
            used.warps += h->warps[k];
            used.regs += h->regs[k];
            used.smem += h->smem[k];
        }
    return used;
}

static inline mcke_amount mcke_used(const mcke_history *h, const mcke_cfg *cfg, unsigned i)
{
    return mcke_used_with(h, cfg, i, false);
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
    return in->sm[i].req && !mcke_over(h, k) && mcke_all_counted(h, cfg, i) < in->sm[i].limit &&
           mcke_counted(h, i, k) < ballast_cke_field(in->sm[i].quota, k, cfg->sm.num_slots) && !mcke_not_home(cfg, in, i, k) &&
           !mcke_behind(h, in, k) && mcke_fits(h, cfg, i, k);
}

static inline bool mcke_refuses(const mcke_history *h, const mcke_cfg *cfg, const mcke_in *in, unsigned i, unsigned k)
{
    return in->sm[i].req && (mcke_over(h, k) || mcke_not_home(cfg, in, i, k) ||
                             (!mcke_fits(h, cfg, i, k) && mcke_due(h, cfg, in, i) == 0 && !h->at[i].gone));
}

static inline bool mcke_is_idle(const mcke_history *h, const mcke_cfg *cfg, unsigned k)
{
    uint32_t held = 0;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        held |= h->at[i].held[k] | (h->at[i].gone == k + 1);
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

/* Some SM is ready for kernel k. */
static inline bool mcke_anywhere(const mcke_history *h, const mcke_cfg *cfg, unsigned k)
{
    bool some = false;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        some |= h->at[i].ready[k];
    return some;
}

/* The SM that is asked first of those that were ready for the kernel that is picked, where no CTA has come since; num_sms: none. */
static inline unsigned mcke_first_sm(const mcke_history *h, const mcke_cfg *cfg)
{
    unsigned best = cfg->num_sms, which = cfg->num_sms;

    for (unsigned i = 0; i < cfg->num_sms; i++) {
        const unsigned distance = mcke_distance(h->asked_first[h->picked], i, cfg->num_sms);

        if (distance < best && h->at[i].kept && h->at[i].fresh == 0) {
            best = distance;
            which = i;
        }
    }
    return mcke_over(h, h->picked) ? cfg->num_sms : which;
}

/* CKE-A1: the kernel that is asked first, of those that SMs are ready for; num_kernels if there is none. */
static inline unsigned mcke_first_kernel(const mcke_history *h, const mcke_cfg *cfg, const mcke_in *in)
{
    unsigned best = UINT32_MAX, which = cfg->sm.num_kernels;

    for (unsigned k = 0; k < cfg->sm.num_kernels; k++) {
        const unsigned distance = mcke_distance(mcke_in_turn(in) ? h->turn : 0, k, cfg->sm.num_kernels);

        if (mcke_anywhere(h, cfg, k) && distance < best) {
            best = distance;
            which = k;
        }
    }
    return which;
}

/* How long each kernel, and each SM of the kernel that gets a launch, has been passed over: of those that were ready all the time. */
static inline void mcke_remember_waits(mcke_history *h, const mcke_cfg *cfg, const mcke_in *in)
{
    for (unsigned k = 0; k < cfg->sm.num_kernels; k++) {
        const bool own = h->launch && h->kernel == k;

        h->waited[k] = (uint16_t)(mcke_anywhere(h, cfg, k) && mcke_in_turn(in) && !own ? h->waited[k] + h->launch : 0);
        for (unsigned i = 0; i < cfg->num_sms; i++) {
            uint16_t *passed = &h->at[i].passed[k];

            *passed = (uint16_t)(h->at[i].ready[k] && !(own && h->sm == i) ? *passed + own : 0);
        }
    }
}

/* The launch of the next cycle: an SM for the kernel that is picked. */
static inline void mcke_remember_launch(mcke_history *h, const mcke_cfg *cfg)
{
    const unsigned k = h->picked, sm = mcke_first_sm(h, cfg);

    for (unsigned n = 0; n < cfg->sm.num_kernels; n++)
        h->next[n] = mcke_chosen(h, n);
    h->launch = sm < cfg->num_sms;
    h->mode = h->mode_picked;
    if (!h->launch)
        return;
    h->kernel = (uint8_t)k;
    h->sm = (uint8_t)sm;
    h->slot = (uint8_t)mcke_place(h, cfg, sm);
    h->turn = (uint8_t)(k + 1 == cfg->sm.num_kernels ? 0 : k + 1);
    h->asked_first[k] = (uint8_t)((sm + 1u) % cfg->num_sms);
}

/* The kernel that is picked, with the SMs that are ready for it. */
static inline void mcke_remember_kernel(mcke_history *h, const mcke_cfg *cfg, const mcke_in *in)
{
    const unsigned k = mcke_first_kernel(h, cfg, in);

    for (unsigned i = 0; i < cfg->num_sms; i++)
        h->at[i].kept = k < cfg->sm.num_kernels && h->at[i].ready[k];
    h->picked = (uint8_t)(k < cfg->sm.num_kernels ? k : 0);
    h->mode_picked = h->mode_ready;
}

/* What this cycle finds; not where a CTA comes or is launched. */
static inline void mcke_remember_ready(mcke_history *h, const mcke_cfg *cfg, const mcke_in *in, unsigned i, const bool *may)
{
    for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
        h->at[i].ready[k] = may[k] && !(h->launch && h->sm == i) && h->at[i].fresh == 0;
    h->mode_ready = in->mode;
}

/* The lowest of those that are due returns. */
static inline void mcke_remember_slots(mcke_history *h, const mcke_cfg *cfg, const mcke_in *in, unsigned i)
{
    const bool comes = h->launch && h->sm == i; /* then none goes */
    const uint32_t due = mcke_due(h, cfg, in, i), returns = comes ? 0 : due & (~due + 1);

    h->at[i].finished = due & ~returns;
    h->at[i].gone = 0;
    h->at[i].fresh = 0;
    for (unsigned k = 0; k < cfg->sm.num_kernels; k++) {
        h->at[i].gone |= (uint8_t)(h->at[i].held[k] & returns ? k + 1 : 0);
        h->at[i].held[k] &= ~returns;
    }
    if (!comes)
        return;
    h->at[i].fresh = UINT32_C(1) << (h->slot & 31);
    h->at[i].held[h->kernel] |= h->at[i].fresh;
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
    bool all_idle = true, may[MCKE_MAX_SMS][BALLAST_CKE_MAX_KERNELS];

    (void)out;
    for (unsigned i = 0; i < cfg->num_sms; i++)
        for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
            may[i][k] = mcke_may(h, cfg, in, i, k);
    for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
        all_idle &= mcke_is_idle(h, cfg, k);
    mcke_remember_launch(h, cfg);
    mcke_remember_waits(h, cfg, in);
    mcke_remember_kernel(h, cfg, in);
    for (unsigned i = 0; i < cfg->num_sms; i++) {
        mcke_remember_ready(h, cfg, in, i, may[i]);
        mcke_remember_slots(h, cfg, in, i);
    }
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
            same &= ballast_cke_field(out->sm[i].ctas, k, cfg->sm.num_slots) == mcke_counted(h, i, k);
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
        const mcke_amount used = mcke_used_with(h, cfg, i, true);

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
    H(TEST, "GWDE-1", "a CTA is launched two cycles after its kernel was picked with SMs that still can get one, and in no other", \
      out->start_valid == was->launch)                                                                                   \
    H(TEST, "CKE-A1", "in turn, it is of the first kernel from the turn on that was ready; else of the lowest one",      \
      !was->launch || out->start_kernel == was->kernel)                                                                  \
    H(TEST, "GWDE-A1", "it goes to the first SM from that kernel's turn on that was ready for it",                       \
      !was->launch || out->start_sm == was->sm)                                                                          \
    H(TEST, "GWDE-2", "into the lowest slot that held nothing", !was->launch || out->start_slot == was->slot)             \
    H(TEST, "GWDE-1", "the CTAs of each grid are launched in order, each once, and no other",                            \
      !was->launch || (out->start_cta == was->next[was->kernel] && was->next[was->kernel] < was->grid[was->kernel]))     \
    H(TEST, "CKE-2", "apart, a CTA is launched only on an SM of its kernel",                                             \
      !out->start_valid || was->mode != MCKE_APART || out->start_sm % cfg->sm.num_kernels == out->start_kernel)          \
    H(TEST, "GWDE-1", "the SM sees its launch, and no other SM one", mcke_launches_as_said(was, cfg, out))                \
    H(TEST, "GWDE-1", "a slot is active from the launch of its CTA until it has finished", mcke_active_as_said(was, cfg, out)) \
    H(TEST, "CKE-1", "a slot is that of the kernel whose CTA came into it, and the CTAs of each kernel are counted a cycle later", \
      mcke_owners_as_said(was, cfg, out))                                                                                \
    H(TEST, "CKE-A1", "what the CTAs of all kernels hold of an SM is never more than it has", mcke_within(was, cfg))     \
    H(TEST, "CKE-4", "what is unused is what an SM has without what its CTAs hold that are counted", mcke_unused_as_said(was, cfg, out))  \
    H(TEST, "GWDE-1", "denied: no CTA is left, the SM is another kernel's, or none fits and none is on its way back",    \
      mcke_denied_as_said(was, cfg, in, out))                                                                            \
    H(TEST, "GWDE-1", "exhausted: every CTA of the grid has been chosen", mcke_exhausted_as_said(was, cfg, out))         \
    H(TEST, "GWDE-1", "idle: exhausted, and nothing is held", mcke_idle_as_said(was, cfg, out))                           \
    H(TEST, "GWDE-2", "a kernel of which no CTA fits an empty SM is reported", mcke_too_big_as_said(was, cfg, out))      \
    H(TEST, "GWDE-A1", "an SM that stays ready for a kernel is passed over by fewer of its launches than there are SMs",     \
      mcke_sms_fair(was, cfg))                                                                                           \
    H(TEST, "CKE-A1", "in turn, a kernel that stays ready is passed over by fewer launches than there are kernels",       \
      mcke_kernels_fair(was, cfg))

#endif
