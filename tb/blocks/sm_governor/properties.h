/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of sm_governor's RTL in every run (rules/rules.h, doc/verification/proofs.md).
 */
#include "blocks/sm_governor/passed.h"

#define SM_GOVERNOR_CYCLE (&(sm_governor_cycle){was, before, after, in, out, cfg})

#define BLOCK_PROPERTIES(P)                                                                                              \
    P(STEP, "EQ-A12", "Equalizer: 1 <= limit <= Nmax while there is a kernel",                                           \
      before->policy != BALLAST_POLICY_EQUALIZER || before->throttle.nmax == 0 ||                                        \
          (out->limit >= 1 && out->limit <= before->throttle.nmax))                                                      \
    P(STEP, "PS-1", "Perf-Sat: the limit is the search's", before->policy != BALLAST_POLICY_PERFSAT || out->limit == before->perfsat.limit) \
    P(STEP, "LCS-2", "LCS: the limit is that of T_new", before->policy != BALLAST_POLICY_LCS || out->limit == before->lcs.limit) \
    P(STEP, "DYN-1", "DYNCTA: the limit is its own", before->policy != BALLAST_POLICY_DYNCTA || out->limit == before->dyncta.limit) \
    P(STATE, "EQ-A12", "the policy in force is one of the six",                                                         \
      after->policy < BALLAST_POLICIES)                                                                                  \
    P(STEP, "PAUSE-5", "no CTA is paused where one comes or goes, or with a kernel's start",                             \
      (!in->kernel_start && !in->cta_start && !in->cta_done) || (after->throttle.paused & ~before->throttle.paused) == 0) \
    P(TEST, "PAUSE-2", "the classifier gets the warps, and those that the bus says are paused",                             \
      sm_governor_classifier_is(SM_GOVERNOR_CYCLE))                                                                      \
    P(TEST, "PS-2", "Perf-Sat gets the class of the cycle before, the CTAs, and its kernels; its limit is in force",     \
      sm_governor_perfsat_is(SM_GOVERNOR_CYCLE))                                                                         \
    P(TEST, "LCS-4", "LCS gets the instructions, the CTAs that run, the broadcast, and its kernels; its limit is in force", \
      sm_governor_lcs_is(SM_GOVERNOR_CYCLE))                                                                             \
    P(TEST, "DYN-2", "DYNCTA gets the class of two cycles before, its thresholds, and its kernels; its limit is in force", \
      sm_governor_dyncta_is(SM_GOVERNOR_CYCLE))                                                                          \
    P(TEST, "EQ-3", "the counters get the warps, those that the bus says are paused, and every kernel, if Equalizer is wanted", \
      sm_governor_counters_are(SM_GOVERNOR_CYCLE))                                                                       \
    P(TEST, "EQ-7", "the votes are the decision about the sums of the epoch and Wcta, where it ends",                    \
      sm_governor_votes_are(SM_GOVERNOR_CYCLE))                                                                          \
    P(TEST, "EQ-10", "the throttle gets the epoch's decision under Equalizer, else the policy's limit, and may pause by the policy", \
      sm_governor_throttle_is(SM_GOVERNOR_CYCLE))
