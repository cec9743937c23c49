/* SPDX-License-Identifier: Apache-2.0
 *
 * Which mutants would differ from the block in some cycle of a run, and in which cycle first. Each cycle of the run is a
 * pattern: inputs and registers in, expected outputs and next registers out. Patterns are taken many at a time, and of a mutant
 * only what it can change is computed (parallel-pattern single-fault simulation). As long as a mutant has not differed, it is
 * in the same state as the block, so nothing is lost by looking at each cycle alone.
 */
#ifndef BALLAST_SCREEN_H
#define BALLAST_SCREEN_H

#include "mutate/netlist.h"

#define SCREEN_NEVER UINT64_MAX
#define SCREEN_LANES 128

typedef struct screen screen;

/* A signal of up to 64 bits; `number` of a bit: the variable of an input, the number of an output; -1: not in the netlist. */
typedef struct screen_signal {
    unsigned width;
    int number[64];
} screen_signal;

/* first[0..num_mutants]: the cycle in which mutant m differed first. It is set where it is SCREEN_NEVER, so that several screens may
 * have one list. Number 0 is the netlist itself: whether it ever was not what was expected. */
screen *screen_open(const netlist *n, uint64_t *first);
void screen_close(screen *s);
/* What a pattern consists of; both lists stay where they are. After screen_flush. */
void screen_signals(screen *s, const screen_signal *in, unsigned num_in, const screen_signal *out, unsigned num_out);
/* Room for the next pattern's values, as many as there are signals. */
void screen_next(screen *s, uint64_t cycle, uint64_t **in, uint64_t **out);
/* Takes what is waiting. */
void screen_flush(screen *s);
/* Two edges in reset, for every mutant from the same registers: `in` has the values of the input signals, next_of_input[v] the
 * output that is the next value of input variable v, -1 if that is no register. */
void screen_reset(screen *s, const uint64_t *in, uint64_t cycle, const int *next_of_input);

#endif
