/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of mcke's RTL in every run (tb/formal/properties.c, doc/verification/proofs.md).
 */
// NOLINTBEGIN(bugprone-macro-parentheses): k is the name of a variable
#define MCKE_SOME(k, cfg, condition) \
    for (unsigned k = 0; k < (cfg)->sm.num_kernels; k++) \
        if (condition)
// NOLINTEND(bugprone-macro-parentheses)

/* Kernel k holds nothing on any SM. */
static inline bool mcke_holds_nothing(const mcke_state *s, const mcke_cfg *cfg, unsigned k)
{
    bool empty = true;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        empty &= s->sm[i].ctas[k] == 0;
    return empty;
}

static inline bool mcke_turns_in_range(const mcke_state *s, const mcke_cfg *cfg)
{
    bool in_range = s->turn < cfg->sm.num_kernels;

    MCKE_SOME(k, cfg, s->ptr[k] >= cfg->num_sms)
        in_range = false;
    return in_range;
}

static inline bool mcke_too_big_has_none(const mcke_state *s, const mcke_cfg *cfg)
{
    bool none = true;

    MCKE_SOME(k, cfg, s->too_big >> k & 1)
        none &= s->left[k] == 0;
    return none;
}

static inline bool mcke_starts(const mcke_state *before, const mcke_cfg *cfg, const mcke_in *in, unsigned k)
{
    return in->start && in->kernel == k && before->left[k] == 0 && mcke_holds_nothing(before, cfg, k);
}

static inline bool mcke_needs_stay(const mcke_state *before, const mcke_state *after, const mcke_cfg *cfg, const mcke_in *in)
{
    bool stay = true;

    MCKE_SOME(k, cfg, !mcke_starts(before, cfg, in, k))
        stay &= after->warps[k] == before->warps[k] && after->regs[k] == before->regs[k] && after->smem[k] == before->smem[k] &&
                ((after->too_big ^ before->too_big) >> k & 1) == 0;
    return stay;
}

static inline bool mcke_grids_count(const mcke_state *before, const mcke_state *after, const mcke_cfg *cfg, const mcke_in *in)
{
    bool count = true;

    MCKE_SOME(k, cfg, !mcke_starts(before, cfg, in, k))
        count &= after->left[k] == before->left[k] - (after->start_valid && after->start_kernel == k) &&
                 after->cta[k] == before->cta[k] + (before->start_valid && before->start_kernel == k);
    return count;
}

/* Behind `last`, or the first one. */
static inline unsigned mcke_next_of(unsigned last, unsigned all)
{
    return last + 1 == all ? 0 : last + 1;
}

static inline bool mcke_sm_turns_move(const mcke_state *before, const mcke_state *after, const mcke_cfg *cfg, const mcke_in *in)
{
    bool stay = true;

    MCKE_SOME(k, cfg, true) {
        const bool launched = after->start_valid && after->start_kernel == k;

        if (mcke_starts(before, cfg, in, k))
            stay &= after->ptr[k] == 0;
        else
            stay &= after->ptr[k] == (launched ? mcke_next_of(after->start_sm, cfg->num_sms) : before->ptr[k]);
    }
    return stay;
}

/* CKE-A1: behind each launch; and with a start where no kernel has or holds anything, to kernel 0. */
static inline bool mcke_kernel_turn_moves(const mcke_state *before, const mcke_state *after, const mcke_cfg *cfg, const mcke_in *in)
{
    bool starts = false, idle = true;

    MCKE_SOME(k, cfg, true) {
        starts |= mcke_starts(before, cfg, in, k);
        idle &= before->left[k] == 0 && mcke_holds_nothing(before, cfg, k);
    }
    if (starts && idle)
        return after->turn == 0;
    return after->turn == (after->start_valid ? mcke_next_of(after->start_kernel, cfg->sm.num_kernels) : before->turn);
}

/* What SM i gets of a cycle. */
static inline uint32_t mcke_taken(const mcke_state *before, const mcke_state *after, unsigned i)
{
    return after->sm[i].held & ~before->sm[i].held;
}

/* At most one slot of one SM is taken: one if a CTA is chosen, else none. */
static inline bool mcke_one_is_taken(const mcke_state *before, const mcke_state *after, const mcke_cfg *cfg)
{
    bool one = true, some = false;

    for (unsigned i = 0; i < cfg->num_sms; i++) {
        const uint32_t taken = mcke_taken(before, after, i);

        one &= (taken & (taken - 1)) == 0 && !(taken && some);
        one &= taken == 0 || after->start_sm == i;
        some |= taken != 0;
    }
    return one && some == after->start_valid;
}

/* All CTAs of an SM, of the counts of its kernels; each is at most 32. */
static inline unsigned mcke_resident(const mcke_state *s, const mcke_cfg *cfg, unsigned i)
{
    unsigned n = 0;

    for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
        n += s->sm[i].ctas[k];
    return ballast_cke_field(n, 0, cfg->sm.num_slots);
}

/* GWDE-3, GWDE-4, CKE-1. */
static inline bool mcke_wants(const mcke_state *s, const mcke_cfg *cfg, const mcke_in *in, unsigned i, unsigned k)
{
    return in->sm[i].req && mcke_resident(s, cfg, i) < in->sm[i].limit &&
           s->sm[i].ctas[k] < ballast_cke_field(in->sm[i].quota, k, cfg->sm.num_slots);
}

static inline bool mcke_launch_is_wanted(const mcke_state *before, const mcke_state *after, const mcke_cfg *cfg, const mcke_in *in)
{
    bool wanted = true;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        MCKE_SOME(k, cfg, mcke_taken(before, after, i) && after->start_kernel == k)
            wanted &= mcke_wants(before, cfg, in, i, k);
    return wanted;
}

/* GWDE-2, from registers. */
static inline bool mcke_has_room(const mcke_state *s, const mcke_cfg *cfg, unsigned i, unsigned k)
{
    const uint32_t all = (uint32_t)((UINT64_C(1) << cfg->sm.num_slots) - 1);

    return (s->sm[i].held & all) != all && s->warps[k] <= s->sm[i].warps && s->regs[k] <= s->sm[i].regs &&
           s->smem[k] <= s->sm[i].smem;
}

/* CKE-2. */
static inline bool mcke_launch_is_at_home(const mcke_state *after, const mcke_cfg *cfg, const mcke_in *in)
{
    bool home = true;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        home &= after->start_sm != i || after->start_kernel == i % cfg->sm.num_kernels;
    return in->mode != MCKE_APART || !after->start_valid || home;
}

/* GWDE-5: of the kernels below that of the launch, in QUEUE none has a CTA left; in LEFTOVER none could have one placed. */
static inline bool mcke_lower_come_first(const mcke_state *before, const mcke_state *after, const mcke_cfg *cfg, const mcke_in *in)
{
    bool first = true;

    MCKE_SOME(k, cfg, after->start_valid && k < after->start_kernel && before->left[k]) {
        first &= in->mode != MCKE_QUEUE;
        for (unsigned i = 0; i < cfg->num_sms; i++)
            first &= in->mode != MCKE_LEFTOVER || !mcke_wants(before, cfg, in, i, k) || !mcke_has_room(before, cfg, i, k);
    }
    return first;
}

/* Where something fits somewhere and the mode does not forbid it, something is chosen. */
static inline bool mcke_work_is_done(const mcke_state *before, const mcke_state *after, const mcke_cfg *cfg, const mcke_in *in)
{
    bool some = false;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        MCKE_SOME(k, cfg, before->left[k] && mcke_wants(before, cfg, in, i, k))
            some |= mcke_has_room(before, cfg, i, k);
    return in->mode == MCKE_APART || in->mode == MCKE_QUEUE || some == after->start_valid;
}

#define BLOCK_PROPERTIES(P)                                                                                              \
    P(STATE, "GWDE-A1", "the turns are those of an SM and of a kernel", mcke_turns_in_range(after, cfg))                 \
    P(STATE, "GWDE-2", "a kernel that is too big has no CTA to launch", mcke_too_big_has_none(after, cfg))               \
    P(EVERY, "GWDE-2", "what a kernel's CTAs need changes only where it starts, none is left and it holds nothing",      \
      mcke_needs_stay(before, after, cfg, in))                                                                           \
    P(EVERY, "GWDE-1", "one CTA of a kernel's grid less is left with each that is chosen, and the next one is named",    \
      mcke_grids_count(before, after, cfg, in))                                                                          \
    P(EVERY, "GWDE-A1", "a kernel's turn among the SMs moves behind its launches, begins anew with its starts, and moves no further", \
      mcke_sm_turns_move(before, after, cfg, in))                                                                        \
    P(EVERY, "CKE-A1", "the turn among the kernels moves behind each launch, and begins anew where a start finds all idle", \
      mcke_kernel_turn_moves(before, after, cfg, in))                                                                              \
    P(EVERY, "GWDE-1", "one slot of one SM is taken by a CTA that is chosen, and none without",                          \
      mcke_one_is_taken(before, after, cfg))                                                                             \
    P(EVERY, "CKE-1", "a CTA comes only where the SM asks, is below its limit, and the kernel is below its quota there", \
      mcke_launch_is_wanted(before, after, cfg, in))                                                                     \
    P(EVERY, "CKE-2", "apart, a kernel's CTAs come only to its own SMs", mcke_launch_is_at_home(after, cfg, in))         \
    P(EVERY, "GWDE-5", "of what is left over, a lower kernel could use nothing", mcke_lower_come_first(before, after, cfg, in)) \
    P(EVERY, "CKE-A1", "where a CTA of any kernel could go somewhere, one goes",                                         \
      mcke_work_is_done(before, after, cfg, in))
