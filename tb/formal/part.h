/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of a proof by parts, between step.c and part.c.
 */
#ifndef BALLAST_FORMAL_PART_H
#define BALLAST_FORMAL_PART_H

#include <stdint.h>

#include "step_part.h"

/* Per part, in the order of their steps: what it gives, its outputs and then its registers after the edge; what it takes: rst_ni,
 * its inputs and registers, and what is wrong with them. */
extern uint64_t part_given[], part_taken[];
extern unsigned part_steps, part_resets; /* so many have been made */

enum { PART_TAKES_WRONG = PART_TAKES - 1 };

enum {
    PART_WRONG_WIDTH = 1,  /* bits that a port or register has not */
    PART_WRONG_INPUTS = 2, /* inputs for which the part is not proved */
    PART_WRONG_CFG = 4,    /* a configuration for which it is not proved */
    PART_WRONG_RESET = 8,  /* one reset more than steps */
};

#endif
