/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of eq_counters's RTL in every run (tb/formal/properties.c, doc/verification/proofs.md).
 */
/* Samples that the sums hold: those of this epoch; in its first cycle those of the one that has ended. */
#define EQ_COUNTERS_SAMPLES(s)                                                                                           \
    ((s)->cycle == 0 ? cfg->epoch / cfg->sample_interval                                                                 \
                     : (s)->cycle / cfg->sample_interval + ((s)->cycle % cfg->sample_interval > cfg->sample_phase))
#define EQ_COUNTERS_MOST (cfg->num_warps * EQ_COUNTERS_SAMPLES(after))

#define BLOCK_PROPERTIES(P)                                                                                              \
    P(STATE, "EQ-5", "active is at most warps x samples", after->active <= EQ_COUNTERS_MOST)                             \
    P(STATE, "EQ-5", "waiting is at most warps x samples", after->waiting <= EQ_COUNTERS_MOST)                           \
    P(STATE, "EQ-5", "X_alu is at most warps x samples", after->xalu <= EQ_COUNTERS_MOST)                                \
    P(STATE, "EQ-5", "X_mem is at most warps x samples", after->xmem <= EQ_COUNTERS_MOST)                                \
    P(EVERY, "EQ-4", "an epoch has its full number of cycles",                                                           \
      !in->enable || after->cycle == (before->cycle + 1) % cfg->epoch)                                                   \
    P(EVERY, "EQ-4", "without enable everything holds",                                                                  \
      in->enable || (after->cycle == before->cycle && after->active == before->active &&                                 \
          after->waiting == before->waiting && after->xalu == before->xalu && after->xmem == before->xmem))
