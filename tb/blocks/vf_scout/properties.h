/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of vf_scout's RTL in every run (tb/formal/properties.c, doc/verification/proofs.md).
 */
#define VF_SCOUT_SAME(what) (before->what == after->what)
#define VF_SCOUT_ALL_HOLD                                                                                                \
    (VF_SCOUT_SAME(state) && VF_SCOUT_SAME(step) && VF_SCOUT_SAME(mode) && VF_SCOUT_SAME(domain) && VF_SCOUT_SAME(stage) && \
     VF_SCOUT_SAME(sm_moved) && VF_SCOUT_SAME(mem_moved) && VF_SCOUT_SAME(better) && VF_SCOUT_SAME(first) &&             \
     VF_SCOUT_SAME(ready) && VF_SCOUT_SAME(known) && VF_SCOUT_SAME(odd) && VF_SCOUT_SAME(timer) && VF_SCOUT_SAME(acc) && \
     VF_SCOUT_SAME(base))

static inline uint8_t vf_scout_wanted(const vf_scout_state *s, uint8_t moved)
{
    return (uint8_t)(moved ? (s->mode ? BALLAST_VF_HIGH : BALLAST_VF_LOW) : BALLAST_VF_NORMAL);
}

static inline bool vf_scout_compares(const vf_scout_state *s)
{
    return s->state >= VF_SCOUT_ST_BASE && s->state <= VF_SCOUT_ST_BACK;
}

/* VFS-5: this cycle counts. */
static inline bool vf_scout_calm(const vf_scout_state *s, const vf_scout_in *in)
{
    return in->sm_level == vf_scout_wanted(s, s->sm_moved) && in->mem_level == vf_scout_wanted(s, s->mem_moved) && !in->sm_busy && !in->mem_busy &&
           !in->look && (s->state != VF_SCOUT_ST_REST || in->ready);
}

/* VFS-6 */
static inline bool vf_scout_again(const vf_scout_state *s, const vf_scout_in *in)
{
    return in->mode != s->mode || (s->state == VF_SCOUT_ST_REST && in->ready && !s->ready);
}

static inline bool vf_scout_fresh(const vf_scout_state *s)
{
    return s->state == VF_SCOUT_ST_BASE && s->step == VF_SCOUT_SETTLE && !s->sm_moved && !s->mem_moved && !s->domain && !s->stage && s->timer == 0 &&
           s->acc == 0;
}

/* VFS-3, VFS-4: the look's count n pays beside a count b. The part of n that the change may cost, or has to bring, is on the side of b. */
static inline bool vf_scout_pays(const vf_scout_state *s, const vf_scout_cfg *cfg, uint32_t n, uint32_t b)
{
    if (s->mode && !s->domain)
        return n + (n >> cfg->sm_up) >= b;
    if (s->mode)
        return n >= b + (n >> cfg->mem_up);
    if (!s->domain)
        return n >= b + (n >> cfg->sm_down);
    return n + (n >> cfg->mem_down) >= b;
}

#define VF_SCOUT_RUNS (in->enable && !in->kernel_start && before->state > VF_SCOUT_ST_WAIT)
#define VF_SCOUT_COUNTS (VF_SCOUT_RUNS && vf_scout_calm(before, in) && !vf_scout_again(before, in))
#define VF_SCOUT_BACK_JUDGED (VF_SCOUT_COUNTS && before->state == VF_SCOUT_ST_BACK && before->step == VF_SCOUT_JUDGE)
#define VF_SCOUT_REST_JUDGED (VF_SCOUT_COUNTS && before->state == VF_SCOUT_ST_REST && before->step == VF_SCOUT_JUDGE)
#define VF_SCOUT_PAID (before->base >= before->acc)
#define VF_SCOUT_APART (before->known && before->acc > before->base / 4)

#define BLOCK_PROPERTIES(P)                                                                                              \
    P(EVERY, "contract", "without enable every register holds, and nothing is asked for",                                \
      in->enable || (VF_SCOUT_ALL_HOLD && !out->sm_up && !out->sm_down && !out->mem_up && !out->mem_down && !out->hold))  \
    P(EVERY, "VFS-2", "a domain at rest is asked for a step towards its target, and no other",                           \
      !in->enable || (out->sm_up == (!in->sm_busy && in->sm_level < vf_scout_wanted(before, before->sm_moved)) &&        \
                      out->sm_down == (!in->sm_busy && in->sm_level > vf_scout_wanted(before, before->sm_moved)) &&      \
                      out->mem_up == (!in->mem_busy && in->mem_level < vf_scout_wanted(before, before->mem_moved)) &&    \
                      out->mem_down == (!in->mem_busy && in->mem_level > vf_scout_wanted(before, before->mem_moved))))   \
    P(EVERY, "VFS-8", "the limit is held while levels are compared, but for a look that is under way",                   \
      !in->enable || out->hold == (vf_scout_compares(before) && !in->look))                                              \
    P(EVERY, "VFS-1", "a kernel starts at normal levels, and waits for a CTA",                                           \
      !in->enable || !in->kernel_start ||                                                                                \
          (after->state == VF_SCOUT_ST_WAIT && !after->sm_moved && !after->mem_moved && after->first && after->timer == 0)) \
    P(STEP, "VFS-1", "the first search begins after Warmup cycles without a look, with a CTA that has finished or a decided limit", \
      !in->enable || in->kernel_start || before->state != VF_SCOUT_ST_WAIT ||                                            \
          (!in->look && before->timer == cfg->warmup && (!before->first || before->ready) ? vf_scout_fresh(after)         \
                                                                                           : after->state == VF_SCOUT_ST_WAIT)) \
    P(STEP, "VFS-1", "a look begins the wait anew",                                                                      \
      !in->enable || in->kernel_start || before->state != VF_SCOUT_ST_WAIT || !in->look || after->timer == 0)            \
    P(STATE, "VFS-2", "one domain is looked at, the SMs' first",                                                         \
      after->state == VF_SCOUT_ST_REST || (after->domain ? after->mem_moved : after->sm_moved) == (after->state == VF_SCOUT_ST_LOOK)) \
    P(STEP, "VFS-2", "a change is kept if it pays beside both windows, and undone otherwise",                            \
      !VF_SCOUT_BACK_JUDGED || (!before->stage && VF_SCOUT_PAID != before->better) ||                                    \
          (before->domain ? after->mem_moved : after->sm_moved) == (VF_SCOUT_PAID && before->better))                    \
    P(STEP, "VFS-2", "if it pays beside one, long windows decide, once",                                                 \
      !VF_SCOUT_BACK_JUDGED || before->stage || VF_SCOUT_PAID == before->better ||                                       \
          (after->stage && after->state == VF_SCOUT_ST_BASE && VF_SCOUT_SAME(domain)))                                   \
    P(STEP, "VFS-2", "after the SMs the memory, then rest",                                                              \
      !VF_SCOUT_BACK_JUDGED || after->stage ||                                                                           \
          (before->domain ? after->state == VF_SCOUT_ST_REST : after->state == VF_SCOUT_ST_BASE && after->domain))       \
    P(STEP, "VFS-3", "performance: a look is worth more by what the SMs' clock brings, less by what the memory's has to bring", \
      !VF_SCOUT_COUNTS || before->state != VF_SCOUT_ST_LOOK || before->step != VF_SCOUT_WEIGH || !before->mode ||        \
          (after->acc >= before->base) == vf_scout_pays(before, cfg, before->acc, before->base))                         \
    P(STEP, "VFS-4", "energy: a look is worth less by what the SMs' clock costs, more by what the memory's may cost",    \
      !VF_SCOUT_COUNTS || before->state != VF_SCOUT_ST_LOOK || before->step != VF_SCOUT_WEIGH || before->mode ||         \
          (after->acc >= before->base) == vf_scout_pays(before, cfg, before->acc, before->base))                         \
    P(STEP, "VFS-2", "what a look is worth is judged beside the window before, and kept for the one after",              \
      !VF_SCOUT_COUNTS || before->state != VF_SCOUT_ST_LOOK || before->step != VF_SCOUT_JUDGE ||                         \
          (after->better == (before->acc >= before->base) && after->base == before->acc && after->state == VF_SCOUT_ST_BACK)) \
    P(STEP, "VFS-5", "a cycle that is not at its levels, or in a look, begins the wait anew",                            \
      !VF_SCOUT_RUNS || vf_scout_again(before, in) || vf_scout_calm(before, in) ||                                       \
          (after->step == VF_SCOUT_SETTLE && after->timer == 0 && after->acc == 0 && VF_SCOUT_SAME(state)))              \
    P(STEP, "VFS-5", "a window begins after Settle cycles, and counts every instruction",                                \
      !VF_SCOUT_COUNTS || (before->step == VF_SCOUT_SETTLE                                                               \
                               ? (after->step == VF_SCOUT_COUNT) == (before->timer + 1u == cfg->settle) && after->acc == 0 \
                               : before->step != VF_SCOUT_COUNT ||                                                       \
                                     after->acc == before->acc + (uint32_t)__builtin_popcount(in->issue_valid)))         \
    P(STEP, "VFS-6", "a decided limit or another mode begins a search at normal levels",                                 \
      !VF_SCOUT_RUNS || !vf_scout_again(before, in) || (vf_scout_fresh(after) && after->mode == in->mode))               \
    P(STEP, "VFS-7", "a window at the levels that were decided is measured by how far it is from the rate",              \
      !VF_SCOUT_COUNTS || before->state != VF_SCOUT_ST_REST || before->step != VF_SCOUT_WEIGH || !before->known ||       \
          after->acc == (before->acc > before->base ? before->acc - before->base : before->base - before->acc))          \
    P(STEP, "VFS-7", "two windows in a row more than a quarter from the rate begin a search, one does not",              \
      !VF_SCOUT_REST_JUDGED || (VF_SCOUT_APART && before->odd ? vf_scout_fresh(after)                                    \
                                                              : after->state == VF_SCOUT_ST_REST && after->odd == VF_SCOUT_APART)) \
    P(STEP, "VFS-7", "levels that were decided stay, until a search",                                                    \
      !VF_SCOUT_RUNS || before->state != VF_SCOUT_ST_REST || vf_scout_fresh(after) ||                                    \
          (VF_SCOUT_SAME(sm_moved) && VF_SCOUT_SAME(mem_moved) && VF_SCOUT_SAME(mode)))
