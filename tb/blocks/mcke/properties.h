/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of mcke's RTL in every run (tb/formal/properties.c, doc/verification/proofs.md).
 */
#include "blocks/mcke/sound.h"

// NOLINTBEGIN(bugprone-macro-parentheses): k is the name of a variable
#define MCKE_SOME(k, cfg, condition) \
    for (unsigned k = 0; k < (cfg)->sm.num_kernels; k++) \
        if (condition)
// NOLINTEND(bugprone-macro-parentheses)

/* Kernel k holds nothing on any SM. */
static inline bool mcke_holds_nothing(const mcke_state *s, const mcke_cfg *cfg, unsigned k)
{
    return !mcke_counts(s, cfg, k) && !mcke_launches_kernel(s, k);
}

/* With an SM, all above it are after a kernel's last one, and so all in a row up to the last. */
static inline bool mcke_after_in_line(const mcke_state *s, const mcke_cfg *cfg)
{
    bool in_line = s->after[0] == 0;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        in_line &= i + 1 >= cfg->num_sms || (s->after[i] & ~s->after[i + 1]) == 0;
    return in_line;
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

/* Whether SM i is after the one that has just got a CTA. */
static inline bool mcke_is_after(const mcke_state *s, unsigned i)
{
    bool after = false;

    for (unsigned n = 0; n < i; n++)
        after |= s->sm[n].taken;
    return after;
}

static inline bool mcke_sm_turns_move(const mcke_state *before, const mcke_state *after, const mcke_cfg *cfg, const mcke_in *in)
{
    bool right = true;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        MCKE_SOME(k, cfg, true) {
            const bool is = after->after[i] >> k & 1, was = before->after[i] >> k & 1;

            if (mcke_starts(before, cfg, in, k))
                right &= !is;
            else
                right &= is == (mcke_launches_kernel(after, k) ? mcke_is_after(after, i) : was);
        }
    return right;
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
        one &= (taken != 0) == after->sm[i].taken;
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

/* GWDE-2, from registers. */
static inline bool mcke_has_room(const mcke_state *s, const mcke_cfg *cfg, unsigned i, unsigned k)
{
    const uint32_t all = (uint32_t)((UINT64_C(1) << cfg->sm.num_slots) - 1);

    return (s->sm[i].held & all) != all && s->warps[k] <= s->sm[i].warps && s->regs[k] <= s->sm[i].regs &&
           s->smem[k] <= s->sm[i].smem;
}

/* CKE-2, GWDE-5: the mode lets kernel k come to SM i. */
static inline bool mcke_mode_lets(const mcke_state *s, const mcke_cfg *cfg, const mcke_in *in, unsigned i, unsigned k)
{
    bool lets = in->mode != MCKE_APART || i % cfg->sm.num_kernels == k;

    MCKE_SOME(n, cfg, n < k && s->left[n])
        lets &= in->mode != MCKE_QUEUE;
    return lets;
}

/* GWDE-2 to GWDE-4, CKE-1: a kernel is ready where it was wanted and had room, but not where a CTA comes or has just come. */
static inline bool mcke_ready_where_wanted(const mcke_state *before, const mcke_state *after, const mcke_cfg *cfg, const mcke_in *in)
{
    bool right = true;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        MCKE_SOME(k, cfg, true) {
            const bool takes_part = before->left[k] && mcke_wants(before, cfg, in, i, k) && mcke_has_room(before, cfg, i, k) &&
                                    mcke_mode_lets(before, cfg, in, i, k);

            right &= (after->sm[i].ready >> k & 1) == (takes_part && !before->sm[i].taken && !after->sm[i].taken);
        }
    return right;
}

/* Some SM is ready for kernel k. */
static inline bool mcke_some_ready(const mcke_state *s, const mcke_cfg *cfg, unsigned k)
{
    bool some = false;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        some |= s->sm[i].ready >> k & 1;
    return some;
}

static inline unsigned mcke_distance_of(unsigned from, unsigned to, unsigned all)
{
    return to >= from ? to - from : to + all - from;
}

/* CKE-A1, GWDE-5: of the kernels that SMs are ready for, the first one: from the turn on, behind the launch of this cycle, or of all. */
static inline bool mcke_kernel_is_first(const mcke_state *before, const mcke_state *after, const mcke_cfg *cfg, const mcke_in *in)
{
    const unsigned all = cfg->sm.num_kernels, turn = after->start_valid ? mcke_next_of(after->start_kernel, all) : before->turn;
    const unsigned from = in->mode == MCKE_LEFTOVER || in->mode == MCKE_QUEUE ? 0 : turn;
    bool first = true;

    MCKE_SOME(k, cfg, mcke_some_ready(before, cfg, k))
        first &= mcke_some_ready(before, cfg, after->kernel) && mcke_distance_of(from, after->kernel, all) <= mcke_distance_of(from, k, all);
    return first;
}

/* The SMs that were ready for it are kept, and no others. */
static inline bool mcke_row_is_ready(const mcke_state *before, const mcke_state *after, const mcke_cfg *cfg)
{
    bool right = true;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        right &= after->row[i] == (before->sm[i].ready >> after->kernel & 1);
    return right;
}

/* A CTA of the kernel that was chosen goes to an SM that was ready for it and has got none since; one goes if there is such an SM. */
static inline bool mcke_launch_is_of_row(const mcke_state *before, const mcke_state *after, const mcke_cfg *cfg)
{
    bool some = false, left = false, right = true;

    for (unsigned i = 0; i < cfg->num_sms; i++) {
        const bool could = before->row[i] && !before->sm[i].taken;

        some |= could;
        right &= could || !after->sm[i].taken;
    }
    MCKE_SOME(k, cfg, k == before->kernel)
        left = before->left[k] != 0;
    return right && after->start_valid == (some && left) && (!after->start_valid || after->start_kernel == before->kernel);
}

/* GWDE-A1: after its last SM, or else the lowest. */
static inline bool mcke_sm_is_first(const mcke_state *before, const mcke_state *after, const mcke_cfg *cfg)
{
    bool some_after = false, first = true, found = false;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        some_after |= before->row[i] && !before->sm[i].taken && (before->after[i] >> before->kernel & 1);
    for (unsigned i = 0; i < cfg->num_sms; i++) {
        const bool could = before->row[i] && !before->sm[i].taken && (!some_after || (before->after[i] >> before->kernel & 1));

        first &= !after->start_valid || after->sm[i].taken == (could && !found);
        found |= could;
    }
    return first;
}

#define BLOCK_PROPERTIES(P)                                                                                              \
    P(STATE, "CKE-A1", "the turn is that of a kernel", after->turn < cfg->sm.num_kernels)                                \
    P(STATE, "GWDE-A1", "the SMs after a kernel's last one are the highest", mcke_after_in_line(after, cfg))             \
    P(STATE, "GWDE-2", "of each SM, what is held is counted, and a kernel is ready only with a free slot", mcke_sms_sound(after, cfg)) \
    P(STATE, "GWDE-1", "the launch of the cycle is the one CTA that is not counted", mcke_launch_sound(after, cfg))      \
    P(STATE, "GWDE-1", "what is kept of an SM is of the kernel that was chosen, and has a slot", mcke_row_sound(after, cfg)) \
    P(STATE, "GWDE-2", "nothing that was found of a kernel lasts until its number may start anew", mcke_left_sound(after, cfg)) \
    P(STATE, "GWDE-2", "a kernel that is too big has no CTA to launch", mcke_too_big_has_none(after, cfg))               \
    P(EVERY, "GWDE-2", "what a kernel's CTAs need changes only where it starts, none is left and it holds nothing",      \
      mcke_needs_stay(before, after, cfg, in))                                                                           \
    P(EVERY, "GWDE-1", "one CTA of a kernel's grid less is left with each that is chosen, and the next one is named",    \
      mcke_grids_count(before, after, cfg, in))                                                                          \
    P(STEP, "GWDE-A1", "a kernel's turn among the SMs moves behind its launches, begins anew with its starts, and moves no further", \
      mcke_sm_turns_move(before, after, cfg, in))                                                                        \
    P(EVERY, "CKE-A1", "the turn among the kernels moves behind each launch, and begins anew where a start finds all idle", \
      mcke_kernel_turn_moves(before, after, cfg, in))                                                                              \
    P(STEP, "GWDE-1", "one slot of one SM is taken by a CTA that is chosen, and none without",                           \
      mcke_one_is_taken(before, after, cfg))                                                                             \
    P(EVERY, "CKE-1", "a kernel is ready where an SM asks, is below its limit, it is below its quota and an entire CTA fits", \
      mcke_ready_where_wanted(before, after, cfg, in))                                                                   \
    P(STEP, "GWDE-5", "of the kernels that are ready the first one is chosen: in turn, or the lowest",                   \
      mcke_kernel_is_first(before, after, cfg, in))                                                                      \
    P(EVERY, "GWDE-5", "it goes only where it was ready when it was chosen", mcke_row_is_ready(before, after, cfg))      \
    P(STEP, "GWDE-1", "a CTA comes where its kernel was ready and none has come since; where one can, it does",          \
      mcke_launch_is_of_row(before, after, cfg))                                                                         \
    P(STEP, "GWDE-A1", "it goes to the first such SM after the kernel's last one, or to the lowest",                     \
      mcke_sm_is_first(before, after, cfg))
