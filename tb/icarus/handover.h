/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulator owns the program and calls back; the lockstep engine is written as if it owned it and called the RTL. So the
 * engine runs on a stack of its own, and the two hand over to each other: always one of them waits.
 */
#ifndef BALLAST_ICARUS_HANDOVER_H
#define BALLAST_ICARUS_HANDOVER_H

#include <stdbool.h>

/* Runs `body` up to its first handover_wait. False: no memory for its stack. */
bool handover_begin(void (*body)(void));
/* From `body`: everything that is due now happens in the simulator, then one unit of time passes. */
void handover_wait(void);

#endif
