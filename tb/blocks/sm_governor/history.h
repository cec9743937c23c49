/* SPDX-License-Identifier: Apache-2.0
 *
 * What sm_governor's rules remember of a run, from its inputs alone (rules/rules.h): the policy in force, the static limit, and the
 * classes of the two cycles before. From these, the inputs and the outputs follow the inputs of every block inside, in every cycle
 * (blocks/sm_governor/passed.h).
 */
#ifndef BALLAST_SM_GOVERNOR_HISTORY_H
#define BALLAST_SM_GOVERNOR_HISTORY_H

typedef struct sm_governor_history {
    uint8_t policy; /* of the last kernel that has started     */
    uint8_t fixed;  /* limit of the last static kernel, Nmax of the last one under scout */
    uint8_t ps_class, lcs_class; /* of the cycle before         */
    uint8_t lcs_earlier;         /* lcs_class of the one before that */
} sm_governor_history;

static inline void sm_governor_history_reset(sm_governor_history *h, const sm_governor_cfg *cfg)
{
    (void)cfg;
    *h = (sm_governor_history){.policy = BALLAST_POLICY_STATIC, .ps_class = BALLAST_PS_IDLE, .lcs_class = BALLAST_LCS_IDLE, .lcs_earlier = BALLAST_LCS_IDLE};
}

static inline stall_classifier_out sm_governor_classes(const sm_governor_cfg *cfg, const sm_governor_in *in)
{
    const stall_classifier_in warps = {.ws0 = in->ws0, .ws1 = in->ws1, .ws2 = in->ws2, .ws3 = in->ws3, .paused = in->paused};

    return stall_classifier_of(&cfg->classifier, &warps);
}

/* The policy of the kernel that starts in this cycle. A code without a meaning is the static policy. */
static inline uint8_t sm_governor_chosen(const sm_governor_in *in)
{
    return in->policy == BALLAST_POLICY_PERFSAT || in->policy == BALLAST_POLICY_LCS || in->policy == BALLAST_POLICY_EQUALIZER || in->policy == BALLAST_POLICY_DYNCTA ||
                   in->policy == BALLAST_POLICY_SCOUT
               ? in->policy
               : BALLAST_POLICY_STATIC;
}

static inline void sm_governor_remember(sm_governor_history *h, const sm_governor_cfg *cfg, const sm_governor_in *in,
                                        const sm_governor_out *out)
{
    const stall_classifier_out classes = sm_governor_classes(cfg, in);

    (void)out;
    h->lcs_earlier = h->lcs_class;
    h->lcs_class = classes.lcs_class;
    h->ps_class = classes.ps_class;
    if (!in->kernel_start)
        return;
    h->policy = sm_governor_chosen(in);
    if (h->policy == BALLAST_POLICY_STATIC)
        h->fixed = in->static_limit >= 1 && in->static_limit <= in->nmax ? in->static_limit : in->nmax;
    else if (h->policy == BALLAST_POLICY_SCOUT)
        h->fixed = in->nmax;
}

/* Not the classes: one is a count of warps, and the rules that need it are tested only. */
#define BLOCK_RECALLS
static inline void sm_governor_recall(sm_governor_history *h, const sm_governor_state *s, const sm_governor_cfg *cfg)
{
    (void)cfg;
    h->policy = s->policy;
    h->fixed = s->fixed;
}

static inline bool sm_governor_coupled(const sm_governor_history *h, const sm_governor_state *s, const sm_governor_cfg *cfg)
{
    (void)s, (void)cfg;
    return h->policy < BALLAST_POLICIES;
}

#define BLOCK_HISTORY_RULES(H)                                                                                           \
    H(RUN, "PAUSE-4", "under DYNCTA, paused warps come last", out->pause_soft == (was->policy == BALLAST_POLICY_DYNCTA)) \
    H(RUN, "PS-1", "a static limit is fixed once there is a kernel; Equalizer and DYNCTA never end",                     \
      was->policy == BALLAST_POLICY_PERFSAT || was->policy == BALLAST_POLICY_LCS || was->policy == BALLAST_POLICY_SCOUT || out->done == (was->policy == BALLAST_POLICY_STATIC && was->fixed != 0)) \
    H(RUN, "PS-1", "static: the limit is what software says, or what fits", was->policy != BALLAST_POLICY_STATIC || out->limit == was->fixed) \
    H(RUN, "SCT-9", "under scout the limit is the search's where so many CTAs fit, else what fits, and it ends with the search", \
      was->policy != BALLAST_POLICY_SCOUT ||                                                                             \
          (out->done == in->scout_done && out->limit == (in->scout_limit - 1u < was->fixed ? in->scout_limit : was->fixed))) \
    H(RUN, "EQ-A20", "an epoch ends under Equalizer only, and only then does the SM vote",                               \
      !out->epoch ? !out->comp && !out->mem : in->policy == BALLAST_POLICY_EQUALIZER)

#endif
