/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of cke_resources' RTL in every run (tb/formal/properties.c, doc/verification/proofs.md).
 */
#include "blocks/cke_resources/slots.h"

#define CKE_TAKEN (after->held & ~before->held)
#define CKE_GIVEN (before->held & ~after->held)

#define CKE_LAUNCHES (in->take && !before->taken && in->kernel < cfg->num_kernels && (~before->held & cke_all(cfg)))

/* What is counted of a kernel once the CTA that came or went last is counted, too. */
static inline unsigned cke_will_be(const cke_resources_state *s, const cke_resources_cfg *cfg, unsigned k)
{
    const unsigned moves = s->move >> k & 1;

    return ballast_cke_field(s->taken ? s->ctas[k] + moves : s->ctas[k] - moves, 0, cfg->num_slots);
}

/* The slots of each kernel are as many more or fewer as its count says. They begin with none, so they stay as many as it says. */
static inline bool cke_counted(const cke_resources_state *before, const cke_resources_state *after, const cke_resources_cfg *cfg)
{
    bool counted = true;

    for (unsigned k = 0; k < cfg->num_kernels; k++) {
        const uint32_t were = cke_slots_of(before, cfg, before->held, k), are = cke_slots_of(after, cfg, after->held, k);
        int more = (int)cke_will_be(before, cfg, k) - (int)cke_will_be(after, cfg, k);

        for (unsigned i = 0; i < cfg->num_slots; i++)
            more += (int)(are >> i & 1) - (int)(were >> i & 1);
        counted &= ballast_cke_field((uint32_t)more, 0, cfg->num_slots) == 0;
    }
    return counted;
}

static inline bool cke_owned(const cke_resources_state *s, const cke_resources_cfg *cfg)
{
    uint32_t owned = 0;

    for (unsigned k = 0; k < cfg->num_kernels; k++)
        owned |= cke_slots_of(s, cfg, s->held, k);
    return owned == s->held;
}

/* A slot keeps its kernel while it is held; one that is launched into gets that of the launch. */
static inline bool cke_owners_stay(const cke_resources_state *before, const cke_resources_state *after, const cke_resources_cfg *cfg,
                                   const cke_resources_in *in)
{
    bool stay = true;

    for (unsigned i = 0; i < cfg->num_slots; i++) {
        const uint32_t is = ballast_cke_field(after->owner, i, cfg->num_kernels - 1), was = ballast_cke_field(before->owner, i, cfg->num_kernels - 1);

        if (after->held >> i & 1)
            stay &= is == (before->held >> i & 1 ? was : in->kernel);
    }
    return stay;
}

/* One kernel at most has something to be counted, and one has if a CTA came. */
static inline bool cke_one_moves(const cke_resources_state *s, const cke_resources_cfg *cfg)
{
    unsigned kernels = 0;

    for (unsigned k = 0; k < cfg->num_kernels; k++)
        kernels += s->move >> k & 1;
    return kernels <= 1 && (!s->taken || kernels == 1);
}

/* The bit of the kernel that a slot which is given back was of; 0 for none. At most one slot is. */
static inline unsigned cke_given_by(const cke_resources_state *s, const cke_resources_cfg *cfg, uint32_t given)
{
    unsigned kernels = 0;

    for (unsigned k = 0; k < cfg->num_kernels; k++)
        kernels |= (unsigned)(cke_slots_of(s, cfg, given, k) != 0) << k;
    return kernels;
}

/* What the CTA that came or went in the cycle before needs. */
static inline uint32_t cke_moved(const cke_resources_state *s, const cke_resources_cfg *cfg, uint64_t needs, uint32_t most)
{
    uint32_t need = 0;

    for (unsigned k = 0; k < cfg->num_kernels; k++)
        need |= s->move >> k & 1 ? ballast_cke_field(needs, k, most) : 0;
    return need;
}

static inline bool cke_moves(const cke_resources_state *before, uint32_t was, uint32_t is, uint32_t need, uint32_t most)
{
    return is == ballast_cke_field(before->taken ? (uint64_t)was - need : (uint64_t)was + need, 0, most);
}

#define CKE_NEED_OF_MOVE(what, most) cke_moved(before, cfg, in->what, cfg->most + 1)
#define CKE_MOVES(what, most) cke_moves(before, before->what, after->what, CKE_NEED_OF_MOVE(what, most), cfg->most + 1)

/* Needs that have changed may be more than is free, or give back more than the SM has. */
#define CKE_WRAPS(what, most) \
    (before->taken ? CKE_NEED_OF_MOVE(what, most) > before->what : before->what + CKE_NEED_OF_MOVE(what, most) > cfg->most)

/* What is free grows where nothing has come. */
#define CKE_GROWS(what, most) (before->taken || CKE_WRAPS(what, most) || after->what >= before->what)

#define CKE_ENOUGH(what, most, k) (ballast_cke_field(in->what, k, cfg->most + 1) <= before->what)

static inline bool cke_fits_in_what_is_free(const cke_resources_state *before, const cke_resources_cfg *cfg, const cke_resources_in *in,
                                            const cke_resources_out *out)
{
    const bool slot = (~before->held & cke_all(cfg)) != 0;
    bool same = true;

    for (unsigned k = 0; k < cfg->num_kernels; k++)
        same &= (out->fits >> k & 1) ==
                (slot && CKE_ENOUGH(warps, num_warps, k) && CKE_ENOUGH(regs, reg_units, k) && CKE_ENOUGH(smem, smem_units, k));
    return same;
}

/* Counts that a launch or a return leaves in range; the rules of states say so of every run. With one slot a count has one bit, which wraps
 * where it is not that of the slots: no count goes up without a launch, or down without a return. */
static inline bool cke_counts_move(const cke_resources_state *before, const cke_resources_state *after, const cke_resources_cfg *cfg)
{
    bool move = true;

    for (unsigned k = 0; k < cfg->num_kernels; k++) {
        const unsigned moves = before->move >> k & 1;

        move &= before->ctas[k] <= cfg->num_slots && after->ctas[k] <= cfg->num_slots &&
                (before->taken ? after->ctas[k] == before->ctas[k] + moves : after->ctas[k] + moves == before->ctas[k]);
    }
    return move;
}

/* What the counts of the kernels gain, or lose, in needs of a CTA of each. */
static inline uint32_t cke_gained(const cke_resources_state *of, const cke_resources_state *over, const cke_resources_cfg *cfg, uint64_t needs,
                                  uint32_t most)
{
    uint32_t sum = 0;

    for (unsigned k = 0; k < cfg->num_kernels; k++)
        sum += of->ctas[k] > over->ctas[k] ? ballast_cke_field(needs, k, most) : 0;
    return sum;
}

/* The step of an induction over the sum of what is free and, of each kernel, its count times its need. No solver gets through the products,
 * nor need it: where a count moves by one, its product moves by the need. Needs that change while their kernel holds nothing change nothing.
 * Where the sum is what the SM has, what returns is part of it, so nothing wraps. */
static inline bool cke_conserved(const cke_resources_state *before, const cke_resources_state *after, const cke_resources_cfg *cfg,
                                 uint64_t needs, uint32_t was, uint32_t is, uint32_t most)
{
    return !cke_counts_move(before, after, cfg) ||
           is + cke_gained(after, before, cfg, needs, most + 1) == was + cke_gained(before, after, cfg, needs, most + 1);
}

/* The sum itself, with its products. */
static inline uint32_t cke_sum(const cke_resources_state *s, const cke_resources_cfg *cfg, uint64_t needs, uint32_t free, uint32_t most)
{
    uint32_t sum = free;

    for (unsigned k = 0; k < cfg->num_kernels; k++)
        sum += s->ctas[k] * ballast_cke_field(needs, k, most);
    return sum;
}

#define CKE_CONSERVED(what, most) \
    (CKE_WRAPS(what, most) || !cke_one_moves(before, cfg) || CKE_CONSERVED_BY(what, most))
#define CKE_CONSERVED_BY(what, most) cke_conserved(before, after, cfg, in->what, before->what, after->what, cfg->most)
#define CKE_SUM_STAYS(what, most)                                                                                        \
    (CKE_WRAPS(what, most) || !cke_counts_move(before, after, cfg) ||                                                    \
     cke_sum(before, cfg, in->what, before->what, cfg->most + 1) != cfg->most ||                                         \
     cke_sum(after, cfg, in->what, after->what, cfg->most + 1) == cfg->most)

#define CKE_FINISHED (before->held & (before->returning | in->cta_done))

#define BLOCK_PROPERTIES(P)                                                                                              \
    P(STATE, "CKE-1", "every slot that is held is that of a kernel", cke_owned(after, cfg))                              \
    P(STATE, "CKE-1", "one CTA at most is to be counted", cke_one_moves(after, cfg))                                     \
    P(STATE, "CKE-A1", "no kernel is ready while a CTA that has come is not counted", !after->taken || after->ready == 0) \
    P(EVERY, "CKE-1", "a kernel's count goes up and down with the slots that it holds", cke_counted(before, after, cfg)) \
    P(EVERY, "CKE-A1", "a CTA of any kernel fits where a slot is free and all that it needs, and only there",            \
      cke_fits_in_what_is_free(before, cfg, in, out))                                                                    \
    P(EVERY, "CKE-A1", "a kernel is ready where it may come and fits, all is counted, and nothing is launched; and only there", \
      after->ready == (CKE_LAUNCHES || before->taken ? 0 : in->may & out->fits))                                         \
    P(EVERY, "GWDE-2", "a launch takes the slot that it names, the lowest free one, and no other",                       \
      CKE_TAKEN == (CKE_LAUNCHES ? UINT32_C(1) << out->slot : 0) &&                                                      \
          ((CKE_TAKEN - (CKE_TAKEN != 0)) & ~before->held) == 0)                                                         \
    P(EVERY, "GWDE-2", "without a launch the lowest slot whose CTA has finished returns, of whichever kernel, and no other", \
      CKE_GIVEN == (CKE_LAUNCHES ? 0 : CKE_FINISHED & (~CKE_FINISHED + 1)))                                              \
    P(EVERY, "GWDE-2", "a slot whose CTA has finished is not active again before it has returned",                       \
      (CKE_FINISHED & after->held & ~after->returning) == 0)                                                             \
    P(EVERY, "GWDE-2", "a CTA that comes has not finished", (CKE_TAKEN & after->returning) == 0)                         \
    P(EVERY, "CKE-1", "the kernel of what came or went is counted next",                                                 \
      after->taken == (CKE_TAKEN != 0) &&                                                                                \
          after->move == (CKE_LAUNCHES ? 1u << in->kernel : cke_given_by(before, cfg, CKE_GIVEN)))                       \
    P(EVERY, "CKE-1", "a slot keeps its kernel while it is held", cke_owners_stay(before, after, cfg, in))               \
    P(EVERY, "CKE-A1", "a launch takes what its kernel needs, a return gives back what its own kernel needs, a cycle later", \
      CKE_MOVES(warps, num_warps) && CKE_MOVES(regs, reg_units) && CKE_MOVES(smem, smem_units))                          \
    P(STATE, "GWDE-2", "where a kernel is ready a slot is free", !after->ready || (~after->held & cke_all(cfg)))         \
    P(STATE, "CKE-A1", "only kernels are ready", after->ready >> cfg->num_kernels == 0)                                  \
    P(EVERY, "GWDE-2", "what is free grows where nothing has come: so a CTA of a kernel that is ready goes on fitting",  \
      CKE_GROWS(warps, num_warps) && CKE_GROWS(regs, reg_units) && CKE_GROWS(smem, smem_units))                          \
    P(EVERY, "CKE-4", "what is unused is what is free",                                                                  \
      out->free_regs == before->regs && out->free_smem == before->smem)                                                  \
    P(EVERY, "GWDE-2", "what is free moves against the kernels' counts, by what a CTA of each needs, so their sum stays: warps", \
      CKE_CONSERVED(warps, num_warps))                                                                                   \
    P(EVERY, "GWDE-2", "what is free moves against the kernels' counts, by what a CTA of each needs, so their sum stays: registers", \
      CKE_CONSERVED(regs, reg_units))                                                                                    \
    P(EVERY, "GWDE-2", "what is free moves against the kernels' counts, by what a CTA of each needs, so their sum stays: shared memory", \
      CKE_CONSERVED(smem, smem_units))                                                                                   \
    P(TEST, "GWDE-2", "what is free, and what the CTAs of all kernels hold, stay what the SM has: warps",                \
      CKE_SUM_STAYS(warps, num_warps))                                                                                   \
    P(TEST, "GWDE-2", "what is free, and what the CTAs of all kernels hold, stay what the SM has: registers",            \
      CKE_SUM_STAYS(regs, reg_units))                                                                                    \
    P(TEST, "GWDE-2", "what is free, and what the CTAs of all kernels hold, stay what the SM has: shared memory",        \
      CKE_SUM_STAYS(smem, smem_units))
