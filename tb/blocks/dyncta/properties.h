/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of dyncta's RTL in every run (tb/formal/properties.c, doc/verification/proofs.md).
 */
#define BLOCK_PROPERTIES(P)                                                                                              \
    P(STATE, "DYN-1", "1 <= limit <= Nmax while there is a kernel, else 0",                                              \
      after->nmax ? after->limit >= 1 && after->limit <= after->nmax : after->limit == 0)                                \
    P(STATE, "DYN-2", "idle and waiting cycles together are at most those of the sample",                                \
      after->idle + after->mem <= after->timer)                                                                          \
    P(STEP, "DYN-3", "the limit moves by one CTA, and only where a sample ends, until a kernel starts",                 \
      in->kernel_start || after->limit == before->limit ||                                                               \
          (out->sample_end && (after->limit == before->limit + 1 || after->limit + 1 == before->limit)))                 \
    P(EVERY, "contract", "without enable every register holds",                                                          \
      in->enable || (before->limit == after->limit && before->nmax == after->nmax && before->timer == after->timer &&    \
          before->idle == after->idle && before->mem == after->mem))
