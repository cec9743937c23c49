/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests: what a block decided in a cycle, in short. Test only.
 */
#ifndef BALLAST_DECISION_FIXTURE_H
#define BALLAST_DECISION_FIXTURE_H

#include "engine/decision.h"
#include "engine/block.h"

/* What an instance of a block decided in the cycle that led to the registers `after`; it stands here until the next call. */
void tell_of(const block_model *model, unsigned *count, const void *cfg, const void *before, const void *in,
             const void *out, const void *after);
unsigned told(void); /* how many */
/* Of one: "lcs LCS-5 kernel_start: nmax=4 | limit=0 state=StIdle | limit=4 state=StMonitor"; of a chip's SM the
 * event is "limit[3]". The text holds until the next call. */
const char *told_record(unsigned index);
/* Of all, as in the log. */
const char *told_words(void);

/* There is exactly this record, and these words. */
void expect_told(const char *record, const char *words);

#endif
