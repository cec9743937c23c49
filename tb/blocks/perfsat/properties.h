/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of perfsat's RTL in every run (tb/formal/properties.c, doc/verification/proofs.md).
 */
#define PERFSAT_SAMPLES(s) ((s)->state >= PERFSAT_FIRST && (s)->state <= PERFSAT_STRONG_DEC)
#define PERFSAT_UP(s) ((s)->state == PERFSAT_WEAK_INC || (s)->state == PERFSAT_STRONG_INC)
#define PERFSAT_RUNS (in->enable && !in->kernel_start)

/* PS-4, PS-A2: this sample has fewer stalled cycles than the one that it is compared with. */
#define PERFSAT_STALLED (before->stalled + (in->ps_class == BALLAST_PS_SCOREBOARD || in->ps_class == BALLAST_PS_PIPELINE))
#define PERFSAT_BETTER                                                                                                   \
    (PERFSAT_STALLED < before->prev || (PERFSAT_STALLED == before->prev && (cfg->tie == 1 || (cfg->tie == 0 && !PERFSAT_UP(before)))))

#define BLOCK_PROPERTIES(P)                                                                                              \
    P(STATE, "PS-17", "1 <= limit <= Nmax while there is a kernel, else 0",                                               \
      after->nmax ? after->limit >= 1 && after->limit <= after->nmax : after->limit == 0)                                \
    P(STATE, "PS-3", "a sample has no more stalled cycles than cycles",                                                  \
      !PERFSAT_SAMPLES(after) || after->stalled <= after->period - after->timer)                                         \
    P(STEP, "PS-7", "the search moves only where a sample ends",                                                         \
      !PERFSAT_RUNS || out->sample_end || !PERFSAT_SAMPLES(before) ||                                                    \
          (after->state == before->state && after->limit == before->limit && after->direction == before->direction))     \
    P(STEP, "PS-7", "the limit moves by one CTA at a time until a kernel starts",                                        \
      !PERFSAT_RUNS || before->limit == after->limit || after->limit == before->limit + 1 ||                             \
          after->limit + 1 == before->limit)                                                                             \
    P(STEP, "PS-9", "a direction is decided only by a sample that agrees with the one before it",                       \
      !PERFSAT_RUNS || before->direction || !after->direction ||                                                         \
          (out->sample_end && PERFSAT_BETTER && (before->history || !PERFSAT_UP(before))))                               \
    P(STEP,  "PS-9", "the first agreeing sample is remembered only where a sample was better",                           \
      !PERFSAT_RUNS || before->history || !after->history || (out->sample_end && (PERFSAT_BETTER || cfg->toggle_hist)))  \
    P(STEP, "PS-10", "undecided, the walk goes down only after a sample that was worse",                                 \
      !PERFSAT_RUNS || before->direction || after->direction || !PERFSAT_UP(before) ||                                   \
          after->state != PERFSAT_WEAK_DEC || (out->sample_end && !PERFSAT_BETTER))                                      \
    P(EVERY, "PS-17", "once converged, the limit stays until the next kernel",                                           \
      !PERFSAT_RUNS || before->state != PERFSAT_DONE || (after->state == PERFSAT_DONE && after->limit == before->limit)) \
    P(EVERY, "contract", "without enable every register holds",                                                          \
      in->enable || (before->state == after->state && before->limit == after->limit && before->nmax == after->nmax &&    \
          before->history == after->history && before->direction == after->direction &&                                  \
          before->toggles == after->toggles && before->period == after->period && before->timer == after->timer &&       \
          before->stalled == after->stalled && before->prev == after->prev && before->settled == after->settled))
