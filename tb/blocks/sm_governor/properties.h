/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of sm_governor's RTL in every run (tb/formal/properties.c, doc/verification/proofs.md).
 */
#define SM_GOVERNOR_RESIDENT ((in->cta_active & ~in->cta_done) | in->cta_start)

#define BLOCK_PROPERTIES(P)                                                                                              \
    P(STEP, "EQ-A12", "Equalizer: 1 <= limit <= Nmax while there is a kernel",                                           \
      before->policy != POLICY_EQUALIZER || before->throttle.nmax == 0 ||                                                \
          (out->limit >= 1 && out->limit <= before->throttle.nmax))                                                      \
    P(STEP, "PS-1", "Perf-Sat: the limit is the search's", before->policy != POLICY_PERFSAT || out->limit == before->perfsat.limit) \
    P(STEP, "LCS-2", "LCS: the limit is that of T_new", before->policy != POLICY_LCS || out->limit == before->lcs.limit) \
    P(STEP, "DYN-1", "DYNCTA: the limit is its own", before->policy != POLICY_DYNCTA || out->limit == before->dyncta.limit) \
    P(STATE, "EQ-A12", "the policy in force is one of the five",                                                            \
      after->policy < POLICIES)                                                                                          \
    P(STEP, "PAUSE-5", "of the CTAs that stay, never is the last one paused",                                            \
      in->kernel_start || SM_GOVERNOR_RESIDENT == 0 || (SM_GOVERNOR_RESIDENT & ~after->throttle.paused) != 0)
