/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of gwde's RTL in every run (tb/formal/properties.c, doc/verification/proofs.md).
 */
/* Nothing is held on any SM. */
static inline bool gwde_empty(const gwde_state *s, const gwde_cfg *cfg)
{
    bool empty = true;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        empty &= s->sm[i].count == 0;
    return empty;
}

/* At most one slot of one SM is taken: one if a CTA is chosen, else none. */
static inline bool gwde_one_is_taken(const gwde_state *before, const gwde_state *after, const gwde_cfg *cfg)
{
    bool one = true, some = false;

    for (unsigned i = 0; i < cfg->num_sms; i++) {
        const uint32_t taken = after->sm[i].held & ~before->sm[i].held;

        one &= (taken & (taken - 1)) == 0 && !(taken && some);
        some |= taken != 0;
    }
    return one && some == after->start_valid;
}

#define BLOCK_PROPERTIES(P)                                                                                              \
    P(STATE, "GWDE-A1", "the turn is that of an SM", after->ptr < cfg->num_sms && (cfg->fill == GWDE_FILL_RR || after->ptr == 0)) \
    P(STATE, "GWDE-2", "a kernel that is too big has no CTA to launch", !after->too_big || after->left == 0)             \
    P(EVERY, "GWDE-2", "what a CTA needs changes only where none is left and none holds anything",                       \
      (after->warps == before->warps && after->regs == before->regs && after->smem == before->smem &&                    \
       after->too_big == before->too_big) || (in->start && before->left == 0 && gwde_empty(before, cfg)))                \
    P(EVERY, "GWDE-1", "one CTA of the grid less is left with each that is chosen, and with nothing else",               \
      before->left == 0 || after->left == before->left - after->start_valid)                                             \
    P(EVERY, "GWDE-1", "one slot of one SM is taken by a CTA that is chosen, and none without",                          \
      gwde_one_is_taken(before, after, cfg))
