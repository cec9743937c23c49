/* SPDX-License-Identifier: Apache-2.0
 *
 * The lockstep engine: drives the RTL and the C model of several blocks with one SM's
 * observation bus and compares every output and every register on every cycle.
 *
 * A cycle is checked in one of two ways. The fast way hands the expected values to the shim,
 * which only says equal or not. The careful way reads everything back on both sides; it is
 * taken for cycles with a decision to log, an injected fault or an observer.
 */
#ifndef BALLAST_LOCKSTEP_H
#define BALLAST_LOCKSTEP_H

#include "engine/block.h"
#include "engine/fault.h"
#include "engine/stimulus.h"

#define LOCKSTEP_MAX_BLOCKS 32
#define LOCKSTEP_MAX_PORTS 64
#define LOCKSTEP_MAX_FAULTS 16

/* A struct of any block. */
typedef union lockstep_values {
    unsigned char bytes[BLOCK_MAX_STRUCT];
    uint64_t align;
} lockstep_values;

enum lockstep_side { SIDE_MODEL, SIDE_RTL, LOCKSTEP_SIDES };
extern const char *const lockstep_side_names[LOCKSTEP_SIDES];

/* One side's view of one careful cycle. */
typedef struct lockstep_view {
    lockstep_values before; /* registers during the cycle */
    lockstep_values out;    /* outputs during the cycle   */
    lockstep_values after;  /* registers after its edge   */
} lockstep_view;

typedef struct lockstep_instance {
    const block *block;
    void *rtl;
    lockstep_values cfg;
    block_port ports[LOCKSTEP_MAX_PORTS];
    unsigned num_ports;
    unsigned comparisons; /* per cycle */
    const void *needs[BLOCK_MAX_NEEDS];
    lockstep_values in;
    lockstep_values out; /* of the model */
    /* The model's registers: the two take turns, state points to the ones after the last edge. */
    lockstep_values registers[2];
    lockstep_values *state;
    lockstep_view view[LOCKSTEP_SIDES]; /* filled on careful cycles */
    unsigned decision_count[LOCKSTEP_SIDES];
    bool loaded; /* registers were overwritten: what assertions remember is not theirs */
} lockstep_instance;

/* The first difference found. */
typedef struct lockstep_mismatch {
    bool found;
    const lockstep_instance *instance;
    const block_port *port; /* NULL: an assertion of the RTL failed, see `text` */
    uint64_t index;         /* cycle, counted from 0 in this run              */
    uint64_t cycle;         /* the recording's number of that cycle           */
    uint64_t expected, actual; /* model, RTL */
    char text[BLOCK_TEXT];
} lockstep_mismatch;

typedef struct lockstep lockstep;

typedef struct lockstep_observer {
    void *self;
    /* After every careful cycle; all instances' views are filled. */
    void (*cycle)(void *self, const lockstep *ls, const sm_obs *obs, uint64_t cycle);
    /* A line for the decision log of one side. */
    void (*decision)(void *self, enum lockstep_side side, const block *blk, uint64_t cycle,
                     const char *text);
} lockstep_observer;

struct lockstep {
    lockstep_instance instances[LOCKSTEP_MAX_BLOCKS];
    unsigned num_instances;
    unsigned comparisons; /* per cycle, over all instances */
    const lockstep_instance *controller; /* its limit steers a family replay, or NULL */
    unsigned sm;
    bool careful; /* take the careful way every cycle */
    fault faults[LOCKSTEP_MAX_FAULTS];
    unsigned num_faults;
    lockstep_observer observer;
    uint64_t index; /* cycles done */
    lockstep_mismatch mismatch;
};

/* blocks: NULL-terminated, each after the ones it needs. Returns false with a one-line text. */
bool lockstep_open(lockstep *ls, const block *const *blocks, unsigned sm, uint32_t seed,
                   char *err, size_t err_size);
void lockstep_close(lockstep *ls);
bool lockstep_add_fault(lockstep *ls, const fault *f, char *err, size_t err_size);

/* Overwrites every register of both sides with `state` of the block's model. */
void lockstep_load(lockstep_instance *inst, const void *state);
/* Resets both sides and compares every register. */
bool lockstep_reset(lockstep *ls);
/* One cycle; false at a difference. After a fast cycle mismatch.port may be unknown (both
 * port and text empty): only a careful cycle names it. */
bool lockstep_cycle(lockstep *ls, const sm_obs *obs, uint64_t cycle);
/* The models' half of a cycle only: inputs, outputs and registers, no RTL. */
void lockstep_models(lockstep *ls, const sm_obs *obs);
/* The controller's outputs in the last cycle; 0 without a controller. */
unsigned lockstep_limit(const lockstep *ls);
bool lockstep_converged(const lockstep *ls);

/* Largest geometry that the instances of this run can take. */
unsigned lockstep_param(const lockstep *ls, const char *name, unsigned fallback);

#endif
