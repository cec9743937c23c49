/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of a proof by parts, between step.c and part.c. STEP_PARTS of step_part.h lists their kinds.
 */
#ifndef BALLAST_FORMAL_PART_H
#define BALLAST_FORMAL_PART_H

#include <stdint.h>

#include "step_part.h"

/* Per part of a kind, in the order of their steps: what it gives, its outputs and then its registers after the edge; what it takes:
 * rst_ni, its inputs and registers, and what is wrong with them; the same of the look before the step, if there was one. So many looks,
 * steps and resets have been made. */
#define DECLARE_PART(block, count, takes, gives, first_take, first_give)                   \
    enum { part_count_##block = count, part_takes_##block = takes, part_gives_##block = gives }; \
    extern uint64_t part_given_##block[], part_taken_##block[], part_looked_##block[];     \
    extern unsigned part_looks_##block, part_steps_##block, part_resets_##block;
STEP_PARTS(DECLARE_PART)

enum {
    PART_WRONG_WIDTH = 1,   /* bits that a port or register has not */
    PART_WRONG_INPUTS = 2,  /* inputs for which the part is not proved */
    PART_WRONG_CFG = 4,     /* a configuration for which it is not proved */
    PART_WRONG_RESET = 8,   /* a reset before its step */
    PART_WRONG_COUNT = 16,  /* more steps, looks or resets than parts */
    PART_WRONG_MISSING = 32, /* no step */
    PART_WRONG_LOOK = 64    /* a look that is not of the step after it */
};

#endif
