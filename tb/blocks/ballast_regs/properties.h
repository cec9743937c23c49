/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of ballast_regs' RTL in every run (tb/formal/properties.c, doc/verification/proofs.md).
 */
static inline bool ballast_regs_legal(const ballast_regs_state *s, const ballast_regs_cfg *cfg)
{
    return s->policy <= BALLAST_POLICY_SCOUT && s->static_limit <= cfg->num_slots && s->t_idle <= cfg->dyn_period && s->t_mem_l <= s->t_mem_h &&
           s->t_mem_h <= cfg->dyn_period;
}

/* What the dispatcher and the governors are told of a kernel. */
static inline bool ballast_regs_describes(const ballast_regs_state *s, const ballast_regs_cfg *cfg)
{
    bool legal = s->warps <= cfg->num_warps + 1 && s->regs <= cfg->reg_units + 1 && s->smem <= cfg->smem_units + 1 && s->nmax >= 1 &&
                 s->nmax <= cfg->num_slots && s->kernel < cfg->num_kernels && s->wcta <= cfg->num_warps;

    for (unsigned k = 0; k < cfg->num_kernels; k++)
        legal &= s->quota[k] <= cfg->num_slots;
    return legal;
}

/* What software sets. */
static inline bool ballast_regs_settings_stay(const ballast_regs_state *before, const ballast_regs_state *after)
{
    bool same = true;

    for (unsigned k = 0; k < BALLAST_REGS_MAX_KERNELS; k++)
        same &= after->quota[k] == before->quota[k];
    return same && !after->start && after->kernel == before->kernel && after->wcta == before->wcta && after->dispatch == before->dispatch &&
           after->grid == before->grid && after->width == before->width && after->two_d == before->two_d && after->warps == before->warps &&
           after->regs == before->regs && after->smem == before->smem && after->nmax == before->nmax && after->kernel_id == before->kernel_id &&
           after->policy == before->policy && after->static_limit == before->static_limit && after->t_idle == before->t_idle &&
           after->t_mem_l == before->t_mem_l && after->t_mem_h == before->t_mem_h && after->mode == before->mode &&
           after->bcs == before->bcs && after->enable == before->enable;
}

/* No counter will fall, and no sticky bit goes. */
static inline bool ballast_regs_nothing_is_cleared(const ballast_regs_state *before, const ballast_regs_state *after)
{
    return !after->clear && !after->launches_clear && (before->pending & ~after->pending) == 0;
}

/* A counter falls only where it was to be cleared in the cycle before. */
static inline bool ballast_regs_counts(const ballast_regs_state *before, const ballast_regs_state *after)
{
    const uint32_t was[] = {before->sm_changes, before->mem_changes, before->limit_changes, before->denials, before->kernels};
    const uint32_t is[] = {after->sm_changes, after->mem_changes, after->limit_changes, after->denials, after->kernels};
    bool rise = true;

    for (unsigned n = 0; n < sizeof was / sizeof *was; n++)
        rise &= before->clear >> n & 1 || is[n] >= was[n];
    for (unsigned k = 0; k < BALLAST_REGS_MAX_KERNELS; k++)
        rise &= before->launches_clear >> k & 1 || after->launches[k] >= before->launches[k];
    return rise;
}

static inline bool ballast_regs_shown(const ballast_regs_state *s, const ballast_regs_out *out)
{
    return out->policy == s->policy && out->static_limit == s->static_limit && out->t_idle == s->t_idle && out->t_mem_l == s->t_mem_l &&
           out->t_mem_h == s->t_mem_h && out->mode == s->mode && out->bcs == s->bcs && out->dispatch == s->dispatch && out->start == s->start &&
           out->kernel == s->kernel && out->grid == s->grid && out->width == s->width && out->two_d == s->two_d && out->warps == s->warps &&
           out->regs == s->regs && out->smem == s->smem && out->nmax == s->nmax && out->kernel_id == s->kernel_id && out->wcta == s->wcta;
}

static inline bool ballast_regs_watches_nothing(const ballast_regs_state *s, const ballast_regs_cfg *cfg)
{
    uint32_t held = 0;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        held |= s->held[i];
    return held == 0;
}

#define BALLAST_REGS_ACCESS (in->psel && in->penable)
#define BALLAST_REGS_WRITES (BALLAST_REGS_ACCESS && in->pwrite && !out->pslverr)

#define BLOCK_PROPERTIES(P)                                                                                              \
    P(STATE, "REG-3", "every setting is within its range, and the thresholds are in order",                              \
      ballast_regs_legal(after, cfg))                                                                                    \
    P(STATE, "REG-9", "what is said of a kernel is what the dispatcher can take, and its number is that of a kernel",     \
      ballast_regs_describes(after, cfg))                                                                                \
    P(EVERY, "REG-9", "a kernel starts only behind a write that is taken", !after->start || BALLAST_REGS_WRITES)         \
    P(STATE, "REG-9", "in the cycle of a start no access is taken, so its description stands", !after->start || !after->setup) \
    P(EVERY, "REG-3", "the outputs are the settings", ballast_regs_shown(before, out))                                   \
    P(EVERY, "REG-2", "an access that is refused changes no setting and clears nothing",                                 \
      !out->pslverr || (ballast_regs_settings_stay(before, after) && ballast_regs_nothing_is_cleared(before, after)))    \
    P(EVERY, "REG-2", "an access that is refused is remembered as one", !out->pslverr || (after->pending & 1))           \
    P(EVERY, "REG-4", "a read changes no setting and clears nothing, nor does a cycle without an access",                \
      BALLAST_REGS_WRITES || (ballast_regs_settings_stay(before, after) && ballast_regs_nothing_is_cleared(before, after))) \
    P(EVERY, "REG-5", "a counter falls only behind a write that clears it", ballast_regs_counts(before, after))         \
    P(EVERY, "REG-1", "nothing is answered or refused outside of an ACCESS phase",                                       \
      BALLAST_REGS_ACCESS || (out->prdata == 0 && !out->pslverr))                                                        \
    P(EVERY, "REG-1", "there are no wait states", out->pready == 1)                                                      \
    P(EVERY, "REG-7", "the interrupt is any bit both pending and enabled", out->irq == ((before->pending & before->enable) != 0)) \
    P(STATE, "REG-6", "slots are watched only where that is wanted", cfg->watch_slots || ballast_regs_watches_nothing(after, cfg))
