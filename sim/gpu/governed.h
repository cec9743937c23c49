/* SPDX-License-Identifier: Apache-2.0
 *
 * The activity simulator with the C models in its loop: the chip's governors see its buses and
 * steer it from the next cycle on.
 */
#ifndef BALLAST_GOVERNED_H
#define BALLAST_GOVERNED_H

#include "gpu/chip_sim.h"
#include "chip/chip_governor.h"
#include "policy/own_chip.h"
#include "policy/span.h"

/* The cycles of an SM that its governor has not taken: it does nothing but count in them (policy/span.h). */
typedef struct governed_span {
    uint32_t left;   /* so many more may be, unless something happens */
    uint8_t wants;   /* which sums                                    */
    bool denied;     /* its SM asks for a CTA in vain, in all of them */
    stall_classifier_in warps[2]; /* of the last two, by whether they are odd */
    span_sums sums;
} governed_span;

typedef struct governed {
    chip_sim *sim;
    chip_governor_cfg cfg;
    chip_governor_in in; /* settings stand in it: policy, static_limit, mode */
    chip_governor_out out;
    chip_governor_state state;
    sim_control control;
    own_chip *own; /* decides instead of the models, or NULL; it is not the loop's to close */
    bool failed;   /* it could not: own_chip_error says why */
    bool each;     /* the models take every cycle of every SM: in, out and state are those of the cycle */
    const span_model *span;
    uint32_t to_epoch; /* cycles until all of Equalizer's counters say that an epoch has ended */
    governed_span spans[MACHINE_MAX_SMS];
} governed;

/* The governors' geometry follows the machine; every other parameter is at its default. The
 * settings may be changed in g->in afterwards. */
void governed_open(governed *g, chip_sim *sim);
/* One cycle: the buses, NULL at the end, and if g->failed. Without g->each the outputs are those of the cycle; the registers are, too, after
 * governed_settle. */
const sm_obs *const *governed_step(governed *g);
void governed_settle(governed *g);
/* The same, of g->own; its decisions are added to the list if there is one. */
const sm_obs *const *governed_step_own(governed *g, decisions *list);

/* What a chip's outputs mean for the simulator. */
void governed_control(sim_control *control, const chip_governor_out *out, unsigned sms);

#endif
