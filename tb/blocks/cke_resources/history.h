/* SPDX-License-Identifier: Apache-2.0
 *
 * What cke_resources' rules remember of a run, from its inputs and outputs alone (rules/rules.h): for each slot whose CTA it holds, and
 * what that took when it came. What is free follows by adding that up anew in every cycle: of the CTAs that are counted, which are those
 * that hold a slot, but not the one that has just come, and the one that has just gone.
 */
#ifndef BALLAST_CKE_RESOURCES_HISTORY_H
#define BALLAST_CKE_RESOURCES_HISTORY_H

enum { CKE_RESOURCES_MOST_SLOTS = 32 };

typedef struct cke_resources_history {
    uint64_t regs_in, smem_in;                /* the needs of the cycle before                        */
    uint32_t held, finished;                  /* slots that hold a CTA; of these, CTAs that have finished */
    uint32_t fresh;                           /* the slot that a CTA came into in the cycle before: not counted yet */
    uint32_t warps_in;
    uint16_t regs[CKE_RESOURCES_MOST_SLOTS];  /* what the CTA of a slot took                          */
    uint16_t smem[CKE_RESOURCES_MOST_SLOTS];
    uint8_t warps[CKE_RESOURCES_MOST_SLOTS];
    uint8_t whose[CKE_RESOURCES_MOST_SLOTS];  /* its kernel                                           */
    struct {
        uint16_t regs, smem;
        uint8_t is, warps, whose;
    } gone;                                   /* the CTA that went in the cycle before: still counted */
    uint8_t ready;                            /* a bit per kernel: a CTA of it may come               */
    uint8_t broken;                           /* a kernel's needs changed while it held a slot, or a CTA came that did not fit: not in the contract */
} cke_resources_history;

static inline void cke_resources_history_reset(cke_resources_history *h, const cke_resources_cfg *cfg)
{
    (void)cfg;
    *h = (cke_resources_history){.broken = 0};
}

/* How many CTAs of kernel k are counted. */
static inline unsigned cke_resources_holds(const cke_resources_history *h, const cke_resources_cfg *cfg, unsigned k)
{
    unsigned n = h->gone.is && h->gone.whose == k;

    for (unsigned i = 0; i < cfg->num_slots; i++)
        n += (h->held >> i & 1) && !(h->fresh >> i & 1) && h->whose[i] == k;
    return n;
}

/* Kernel k holds nothing, not even what is to be counted. */
static inline bool cke_resources_has_nothing(const cke_resources_history *h, const cke_resources_cfg *cfg, unsigned k)
{
    bool nothing = cke_resources_holds(h, cfg, k) == 0;

    for (unsigned i = 0; i < cfg->num_slots; i++)
        nothing &= !(h->fresh >> i & 1) || h->whose[i] != k;
    return nothing;
}

static inline bool cke_resources_other_needs(const cke_resources_history *h, const cke_resources_cfg *cfg, const cke_resources_in *in,
                                             unsigned k)
{
    return ballast_cke_field(h->warps_in ^ in->warps, k, cfg->num_warps + 1) || ballast_cke_field(h->regs_in ^ in->regs, k, cfg->reg_units + 1) ||
           ballast_cke_field(h->smem_in ^ in->smem, k, cfg->smem_units + 1);
}

/* Up to this cycle the needs of every kernel stayed while it held a slot, and every CTA that came fitted. */
static inline bool cke_resources_sound(const cke_resources_history *h, const cke_resources_cfg *cfg, const cke_resources_in *in)
{
    bool sound = !h->broken;

    for (unsigned k = 0; k < cfg->num_kernels; k++)
        sound &= !cke_resources_other_needs(h, cfg, in, k) || cke_resources_has_nothing(h, cfg, k);
    return sound;
}

typedef struct cke_resources_used {
    uint32_t warps, regs, smem;
} cke_resources_used;

/* What the CTAs of some slots hold, and the one that has gone. */
static inline cke_resources_used cke_resources_use_of(const cke_resources_history *h, const cke_resources_cfg *cfg, uint32_t slots)
{
    cke_resources_used used = {0, 0, 0};

    if (h->gone.is)
        used = (cke_resources_used){h->gone.warps, h->gone.regs, h->gone.smem};
    for (unsigned i = 0; i < cfg->num_slots; i++)
        if (slots >> i & 1) {
            used.warps += h->warps[i];
            used.regs += h->regs[i];
            used.smem += h->smem[i];
        }
    return used;
}

static inline cke_resources_used cke_resources_use(const cke_resources_history *h, const cke_resources_cfg *cfg)
{
    return cke_resources_use_of(h, cfg, h->held & ~h->fresh);
}

static inline uint32_t cke_resources_all(const cke_resources_cfg *cfg)
{
    return (uint32_t)((UINT64_C(1) << cfg->num_slots) - 1);
}

/* Slot i of a set has no lower one beside it. */
static inline bool cke_resources_first(uint32_t set, unsigned i)
{
    return (set >> i & 1) && (set & ((UINT32_C(1) << i) - 1)) == 0;
}

static inline uint32_t cke_resources_ends(const cke_resources_history *h, const cke_resources_in *in)
{
    return h->held & (h->finished | in->cta_done);
}

static inline void cke_resources_remember_launch(cke_resources_history *h, const cke_resources_cfg *cfg, const cke_resources_in *in, unsigned i)
{
    h->held |= UINT32_C(1) << i;
    h->fresh = UINT32_C(1) << i;
    h->whose[i] = in->kernel;
    for (unsigned k = 0; k < cfg->num_kernels; k++)
        if (k == in->kernel) {
            h->warps[i] = (uint8_t)ballast_cke_field(in->warps, k, cfg->num_warps + 1);
            h->regs[i] = (uint16_t)ballast_cke_field(in->regs, k, cfg->reg_units + 1);
            h->smem[i] = (uint16_t)ballast_cke_field(in->smem, k, cfg->smem_units + 1);
        }
}

static inline void cke_resources_remember_return(cke_resources_history *h, unsigned i)
{
    h->held &= ~(UINT32_C(1) << i);
    h->finished &= ~(UINT32_C(1) << i);
    h->gone.is = 1;
    h->gone.whose = h->whose[i];
    h->gone.warps = h->warps[i];
    h->gone.regs = h->regs[i];
    h->gone.smem = h->smem[i];
}

static inline void cke_resources_remember(cke_resources_history *h, const cke_resources_cfg *cfg, const cke_resources_in *in,
                                          const cke_resources_out *out)
{
    const uint32_t ends = cke_resources_ends(h, in);
    const bool counted = h->fresh == 0, comes = in->kernel < cfg->num_kernels && h->held != cke_resources_all(cfg);
    const bool taken = in->take && counted && comes;

    h->broken = !cke_resources_sound(h, cfg, in) || (taken && !(out->fits >> in->kernel & 1));
    h->warps_in = in->warps;
    h->regs_in = in->regs;
    h->smem_in = in->smem;
    h->finished = ends;
    h->ready = taken || !counted ? 0 : in->may & out->fits;
    h->fresh = 0;
    h->gone.is = 0;
    for (unsigned i = 0; i < cfg->num_slots; i++) {
        if (taken && out->slot == i)
            cke_resources_remember_launch(h, cfg, in, i);
        if (!taken && cke_resources_first(ends, i)) /* one CTA comes or goes per cycle; the lowest goes */
            cke_resources_remember_return(h, i);
    }
}

/* ---- what follows from it ---------------------------------------------------------------- */

/* GWDE-2, CKE-A1: all four resources, for an entire CTA of kernel k. */
static inline bool cke_resources_room(const cke_resources_history *h, const cke_resources_cfg *cfg, const cke_resources_in *in, unsigned k)
{
    const cke_resources_used used = cke_resources_use(h, cfg);

    return h->held != cke_resources_all(cfg) && used.warps + ballast_cke_field(in->warps, k, cfg->num_warps + 1) <= cfg->num_warps &&
           used.regs + ballast_cke_field(in->regs, k, cfg->reg_units + 1) <= cfg->reg_units &&
           used.smem + ballast_cke_field(in->smem, k, cfg->smem_units + 1) <= cfg->smem_units;
}

static inline bool cke_resources_fits_as_said(const cke_resources_history *h, const cke_resources_cfg *cfg, const cke_resources_in *in,
                                              const cke_resources_out *out)
{
    bool same = true;

    for (unsigned k = 0; k < cfg->num_kernels; k++)
        same &= (out->fits >> k & 1) == cke_resources_room(h, cfg, in, k);
    return same;
}

static inline bool cke_resources_within(const cke_resources_history *h, const cke_resources_cfg *cfg)
{
    const cke_resources_used used = cke_resources_use_of(h, cfg, h->held);

    return used.warps <= cfg->num_warps && used.regs <= cfg->reg_units && used.smem <= cfg->smem_units;
}

static inline bool cke_resources_counts_as_said(const cke_resources_history *h, const cke_resources_cfg *cfg, const cke_resources_out *out)
{
    unsigned all = 0;
    bool same = true;

    for (unsigned k = 0; k < cfg->num_kernels; k++) {
        const unsigned n = cke_resources_holds(h, cfg, k);

        same &= ballast_cke_field(out->ctas, k, cfg->num_slots) == n;
        all += n;
    }
    return same && out->count == all;
}

static inline bool cke_resources_owners_as_said(const cke_resources_history *h, const cke_resources_cfg *cfg, const cke_resources_out *out)
{
    bool same = true;

    for (unsigned i = 0; i < cfg->num_slots; i++)
        same &= !(h->held >> i & 1) || ballast_cke_field(out->owner, i, cfg->num_kernels - 1) == h->whose[i];
    return same;
}

static inline bool cke_resources_slot_is(const cke_resources_history *h, const cke_resources_cfg *cfg, unsigned slot)
{
    const uint32_t free = ~h->held & cke_resources_all(cfg);

    return free == 0 ? slot == 0 : slot < cfg->num_slots && cke_resources_first(free, slot);
}

/* A history that is only tested. */
#define BLOCK_HISTORY_TESTED

#define BLOCK_HISTORY_RULES(H)                                                                                           \
    H(TEST, "CKE-A1", "a CTA of a kernel fits where a slot is free, and what is counted of the CTAs of all kernels leaves enough", \
      !cke_resources_sound(was, cfg, in) || cke_resources_fits_as_said(was, cfg, in, out))                               \
    H(TEST, "GWDE-2", "what the CTAs of all kernels hold is never more than the SM has",                                 \
      was->broken || cke_resources_within(was, cfg))                                                                     \
    H(TEST, "GWDE-2", "a CTA goes into the lowest slot that holds nothing", cke_resources_slot_is(was, cfg, out->slot))  \
    H(TEST, "CKE-1", "the CTAs of each kernel are counted, a cycle after they come and go",                             \
      cke_resources_counts_as_said(was, cfg, out))                                                                       \
    H(TEST, "CKE-1", "a slot is that of the kernel whose CTA came into it", cke_resources_owners_as_said(was, cfg, out)) \
    H(TEST, "GWDE-2", "a slot is active until its CTA has finished", out->active == (was->held & ~was->finished))        \
    H(TEST, "GWDE-2", "a CTA that has finished is due until it has returned, in its turn",                               \
      out->due == (cke_resources_ends(was, in) != 0 || was->gone.is))                                                    \
    H(TEST, "GWDE-2", "a CTA that has just come is named until it is counted", out->taken == (was->fresh != 0))          \
    H(TEST, "CKE-A1", "a kernel is ready where one of its CTAs may come and fitted a cycle before, and none has come since", \
      out->ready == was->ready)                                                                                          \
    H(TEST, "CKE-4", "what is unused is what the SM has without what each CTA took when it came",                        \
      was->broken || (out->free_regs + cke_resources_use(was, cfg).regs == cfg->reg_units &&                             \
                      out->free_smem + cke_resources_use(was, cfg).smem == cfg->smem_units))

#endif
