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

#ifdef __cplusplus
extern "C" {
#endif

#define LOCKSTEP_MAX_BLOCKS 32
#define LOCKSTEP_MAX_FAULTS 16

/* A struct of any block with one instance per SM. */
typedef union lockstep_values {
    unsigned char bytes[BLOCK_MAX_STRUCT];
    uint64_t align;
} lockstep_values;

enum lockstep_side { SIDE_MODEL, SIDE_RTL, LOCKSTEP_SIDES };
extern const char *const lockstep_side_names[LOCKSTEP_SIDES];

/* One side's view of one careful cycle. */
typedef struct lockstep_view {
    void *before; /* registers during the cycle */
    void *out;    /* outputs during the cycle   */
    void *after;  /* registers after its edge   */
} lockstep_view;

/* in, out and the states are structs of the block's C model, `sizes` bytes of them in use. */
typedef struct lockstep_instance {
    const block *block;
    void *rtl;
    lockstep_values cfg;
    block_sizes sizes;
    port_list ports;
    unsigned comparisons; /* per cycle */
    const void *needs[BLOCK_MAX_NEEDS];
    void *memory;   /* of everything below */
    void *settings; /* what `in` starts from: the inputs that software sets */
    void *in;
    void *out; /* of the model */
    /* The model's registers: the two take turns, state points to the ones after the last edge. */
    void *registers[2];
    void *state;
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
    uint64_t unknown;          /* bits that are X or Z in the RTL, where a simulator knows such */
    char text[BLOCK_TEXT];
} lockstep_mismatch;

typedef struct lockstep lockstep;

/* The cycles of a run one by one, for RTL that takes them in a simulator of its own (block_rtl.play). */
typedef struct lockstep_turns {
    void *self;
    lockstep *ls; /* with one instance */
    /* The bus of all SMs in the next cycle and the recording's number of it; NULL: the run is over. */
    const sm_obs *const *(*next)(void *self, uint64_t *cycle);
    /* After lockstep_judge and lockstep_cycle_done; false: the run is over. */
    bool (*judged)(void *self, bool equal);
} lockstep_turns;

typedef struct lockstep_observer {
    void *self;
    /* After every careful cycle; all instances' views are filled. */
    void (*cycle)(void *self, const lockstep *ls, const sm_obs *const *obs, uint64_t cycle);
    /* What a block decided, as one side sees it: at least one. */
    void (*decision)(void *self, enum lockstep_side side, const block *blk, uint64_t cycle,
                     const struct decisions *list);
} lockstep_observer;

struct lockstep {
    lockstep_instance instances[LOCKSTEP_MAX_BLOCKS];
    unsigned num_instances;
    unsigned comparisons; /* per cycle, over all instances */
    const lockstep_instance *controller; /* its limit steers a family replay, or NULL */
    unsigned num_sms; /* that the blocks see: those of the chip, if there is one, else 1 */
    unsigned sm;
    bool careful; /* take the careful way every cycle */
    uint64_t stir_seed, stir; /* 0: settings keep their values; else they change at random (engine/stir.h),
                                * and inputs that are not read have any value (engine/ranges.h) */
    fault faults[LOCKSTEP_MAX_FAULTS];
    unsigned num_faults;
    lockstep_observer observer;
    struct decisions *taken; /* by one block, seen by one side, in this cycle */
    uint64_t index; /* cycles done */
    lockstep_mismatch mismatch;
};

/* blocks: NULL-terminated, each after the ones it needs. Returns false with a one-line text. */
bool lockstep_open(lockstep *ls, const block *const *blocks, unsigned sm, uint32_t seed,
                   char *err, size_t err_size);
void lockstep_close(lockstep *ls);
bool lockstep_add_fault(lockstep *ls, const fault *f, char *err, size_t err_size);
/* "block.input=value" for an input that software sets, by number or by the value's name. Holds
 * from the next reset on. */
bool lockstep_set(lockstep *ls, const char *setting, char *err, size_t err_size);

/* Overwrites every register of both sides with `state` of the block's model. */
void lockstep_load(lockstep_instance *inst, const void *state);
/* Resets both sides and compares every register. */
bool lockstep_reset(lockstep *ls);
/* One cycle with the bus of ls->num_sms SMs; false at a difference. After a fast cycle
 * mismatch.port may be unknown (both port and text empty): only a careful cycle names it. */
bool lockstep_cycle_all(lockstep *ls, const sm_obs *const *obs, uint64_t cycle);
/* The same for one SM. */
bool lockstep_cycle(lockstep *ls, const sm_obs *obs, uint64_t cycle);
/* Bits of the port that were X or Z when the RTL was last read. */
uint64_t lockstep_unknown(const lockstep_instance *inst, unsigned port);
/* The rest of a cycle that both sides have taken: plants the faults that are due, compares, logs the decision if it is one.
 * In the instance `in`, `out` and `state` are the model's of this cycle, `before` are its registers before the edge; the
 * RTL's view is filled. A fault in the model changes `out` and `state`. False at a difference. */
bool lockstep_judge(lockstep *ls, lockstep_instance *inst, const void *before, bool decides, uint64_t cycle);
/* Ends a careful cycle, after all instances. */
void lockstep_cycle_done(lockstep *ls, const sm_obs *const *obs, uint64_t cycle);
/* The models' half of a cycle only: inputs, outputs and registers, no RTL. */
void lockstep_models(lockstep *ls, const sm_obs *const *obs);
/* The stimulus's next cycle for all SMs; NULL at its end. */
const sm_obs *const *lockstep_next(const lockstep *ls, const stimulus *s);
/* The controller's outputs in the last cycle; nothing without a controller. */
feedback lockstep_feedback(const lockstep *ls);

/* "SM0", or "chip" when the blocks see more than one SM. */
void lockstep_where(const lockstep *ls, char *text, size_t size);
void lockstep_name_where(unsigned num_sms, unsigned sm, char *text, size_t size);

/* Largest geometry that the instances of this run can take. */
unsigned lockstep_param(const lockstep *ls, const char *name, unsigned fallback);

#ifdef __cplusplus
}
#endif
#endif
