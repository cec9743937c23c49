/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of cta_throttle's RTL in every run (tb/formal/properties.c, doc/verification/proofs.md).
 */
#define CTA_THROTTLE_RUNS (in->enable && !in->kernel_start)

/* PAUSE-1, PAUSE-3: what has been judged holds for this cycle, and the search has found one. */
#define CTA_THROTTLE_FOUND(up_)                                                                                          \
    (CTA_THROTTLE_RUNS && before->nmax && in->pause_en && before->judged && !in->cta_start && !in->cta_done &&           \
     !in->tick && before->tests && before->up == (up_) && (in->cta_active >> before->slot & 1) &&                        \
     (before->paused >> before->slot & 1) == (up_))

/* EQ-10: with this decision there are enough of them in a row. */
#define CTA_THROTTLE_FIRES(up)                                                                                           \
    (in->tick && ((up) ? in->inc && !in->dec : in->dec && !in->inc) &&                                                   \
     ((!cfg->hyst_same_dir || before->run_up == (up)) ? before->run + 1u >= cfg->hyst_epochs : cfg->hyst_epochs == 1))

#define BLOCK_PROPERTIES(P)                                                                                              \
    P(STATE, "EQ-A12", "1 <= numBlocks <= Nmax while there is a kernel, else 0",                                         \
      after->nmax ? after->num_blocks >= 1 && after->num_blocks <= after->nmax : after->num_blocks == 0)                 \
    P(STEP, "EQ-10", "numBlocks moves by one CTA at a time until a kernel starts",                                       \
      !CTA_THROTTLE_RUNS || after->num_blocks == before->num_blocks || after->num_blocks == before->num_blocks + 1 ||    \
          after->num_blocks + 1 == before->num_blocks)                                                                   \
    P(STEP, "EQ-10", "numBlocks falls only after enough agreeing decisions in a row",                                    \
      !CTA_THROTTLE_RUNS || after->num_blocks >= before->num_blocks || CTA_THROTTLE_FIRES(0))                            \
    P(STEP, "EQ-10", "numBlocks rises only after enough agreeing decisions in a row, at once or when the CTA comes",     \
      !CTA_THROTTLE_RUNS || after->num_blocks <= before->num_blocks || before->request || CTA_THROTTLE_FIRES(1))         \
    P(STEP, "EQ-11", "a CTA is waited for only after enough agreeing decisions in a row",                                \
      !CTA_THROTTLE_RUNS || before->request || !after->request || CTA_THROTTLE_FIRES(1))                                 \
    P(STEP, "PAUSE-1", "whom the search has found is paused when too many run",                                           \
      !CTA_THROTTLE_FOUND(0) || !before->many || before->request || (after->paused >> before->slot & 1))                 \
    P(STEP, "PAUSE-3", "whom the search has found is resumed when too few run",                                          \
      !CTA_THROTTLE_FOUND(1) || !before->few || !(after->paused >> before->slot & 1))                                    \
    P(STEP, "PAUSE-1", "the search goes on where nobody is found, and waits where somebody is",                          \
      !in->enable || !after->tests ||                                                                                    \
          (after->next != before->next) == (!before->tests || !(in->cta_active >> before->slot & 1) ||                   \
                                            (before->paused >> before->slot & 1) != before->up) ||                       \
          cfg->num_slots == 1)                                                                                           \
    P(STEP, "PAUSE-1", "at most one CTA more is paused or resumed per cycle",                                            \
      !CTA_THROTTLE_RUNS || ((after->paused & ~before->paused) & ((after->paused & ~before->paused) - 1)) == 0)          \
    P(EVERY, "contract", "without enable every register holds",                                                          \
      in->enable || (before->num_blocks == after->num_blocks && before->nmax == after->nmax &&                           \
          before->run == after->run && before->run_up == after->run_up && before->request == after->request &&           \
          before->paused == after->paused && before->known == after->known && before->judged == after->judged &&         \
          before->many == after->many && before->few == after->few && before->fresh == after->fresh &&                   \
          before->moves == after->moves && before->slot == after->slot && before->tests == after->tests &&               \
          before->up == after->up && before->next == after->next && before->count[0] == after->count[0] &&               \
          before->order[0] == after->order[0] && before->order[cfg->num_slots - 1] == after->order[cfg->num_slots - 1]))
