/* SPDX-License-Identifier: Apache-2.0
 *
 * One cycle from chosen registers: RTL and model get the same registers and inputs and must give the same outputs and next
 * registers. For what a run from reset reaches rarely: a threshold met exactly at the end of a long period, a counter one
 * below its end. A test draws values, makes them legal, and checks.
 */
#ifndef BALLAST_STEP_FIXTURE_H
#define BALLAST_STEP_FIXTURE_H

#include <stdbool.h>

#include "engine/dut.h"

typedef struct step_fixture {
    dut side[LOCKSTEP_SIDES];
    const port_list *ports; /* either side's */
    uint64_t seed;
} step_fixture;

const void *step_config(const step_fixture *f);
uint64_t step_random(step_fixture *f, uint64_t below);
/* A value of up to `most`: often 0, the most, or one beside them. */
uint64_t step_value(step_fixture *f, uint64_t most);
/* A value next to `value` or equal to it, from 0 to `most`. */
uint64_t step_near(step_fixture *f, uint64_t value, uint64_t most);
/* Draws every signal of a kind; a setting keeps its default half of the time. */
void step_draw(step_fixture *f, enum port_kind kind, void *values);
/* Draws an order of `num` slots by age: bit j of older[i], i < j, says that slot i is older than slot j. */
void step_draw_order(step_fixture *f, uint32_t *older, unsigned num);
/* One cycle from the registers that both sides have. Fails with the first signal that differs and with all registers and
 * inputs. */
void step_next(step_fixture *f, const void *in);

/* ---- in the table of a test program -------------------------------------------------- */

/* Draws registers and inputs, zero so far; false: these cannot be. Inputs are then brought into the ranges of the port list where
 * they are read (engine/ranges.h), here and for input_drawing. */
typedef bool step_drawing(step_fixture *f, void *registers, void *in);
/* One of a block whose registers and inputs may be anything. */
step_drawing step_draw_any;
/* Changes inputs, of which software's begin with their defaults, for cycle `n`. */
typedef void input_drawing(void *in, const void *cfg, uint64_t *seed, unsigned n);

typedef struct step_test {
    const char *const *variants; /* NULL-terminated */
    uint64_t seed;
    unsigned n; /* of each variant */
    step_drawing *draw_step;
    input_drawing *draw_inputs;
} step_test;

void step_run_test(void **test);
/* `n` steps, each from registers of its own. */
#define EACH_TWIN_STEPS(name, variants, seed, n, draw) \
    {name, step_run_test, NULL, NULL, &(step_test){variants, seed, n, draw, NULL}}
#define TWIN_STEPS(name, variant, seed, n, draw) \
    EACH_TWIN_STEPS(name, ((const char *const[]){variant, NULL}), seed, n, draw)
/* `n` cycles from reset on, under each variant. */
#define TWIN_CYCLES(name, variants, seed, n, draw) \
    {name, step_run_test, NULL, NULL, &(step_test){variants, seed, n, NULL, draw}}

#endif
