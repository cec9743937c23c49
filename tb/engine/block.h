/* SPDX-License-Identifier: Apache-2.0
 *
 * What the lockstep engine knows of a block: its ports, its C model and its RTL, all behind
 * plain C functions. One descriptor per block variant is put together from the block's port
 * list (tb/blocks/<block>/ports.h) by tb/shim/; nothing else enumerates signals.
 *
 * `in`, `out` and `state` are the structs of the block's C model; the RTL side fills the
 * same structs, so both sides read alike.
 */
#ifndef BALLAST_BLOCK_H
#define BALLAST_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bus/sm_obs.h"
#include "engine/port.h"

#ifdef __cplusplus
extern "C" {
#endif

struct decisions; /* engine/decision.h */

#define BLOCK_MAX_STRUCT 768 /* bytes of the largest struct of a block with one instance per SM */
#define BLOCK_MAX_NEEDS 4    /* other blocks whose outputs a block reads  */
#define BLOCK_MAX_PARAMS 48
#define BLOCK_TEXT 256

struct lockstep_turns;

typedef struct block_param {
    const char *name; /* RTL spelling */
    uint32_t value;
} block_param;

/* Bytes in use of the structs in, out and state. A chip's end with one element per SM. */
typedef struct block_sizes {
    size_t in, out, state;
} block_sizes;

/* The C half: model and knowledge of the observation bus. */
typedef struct block_model {
    const char *block_name;      /* perfsat                              */
    const char *const *needs; /* block names, NULL-terminated       */
    bool per_chip;         /* one instance per chip, not per SM     */
    bool sees_all_sms;     /* its inputs have a field per SM        */
    bool looks;            /* it has a function BLOCK_look          */
    int limit_offset;      /* of the CTA limit in out, -1: none     */
    size_t limit_stride;   /* to the next SM's, per chip            */
    int done_offset;       /* of "converged" in out, -1: none       */
    /* Fill in the configuration, and what depends on it. */
    void (*configure)(void *cfg, const char *params, char *bad, size_t bad_size);
    block_sizes (*sizes)(const void *cfg);
    void (*list_ports)(const void *cfg, port_list *list);
    unsigned (*list_params)(const void *cfg, block_param *params, unsigned max);
    /* Of an input with a range, in a cycle with these inputs: the largest value that the contract allows; all ones when the
     * input is not read. */
    uint64_t (*most)(const void *cfg, const void *in, const block_port *port);
    void (*defaults)(void *in); /* of the inputs that software sets; bind leaves them alone */
    /* NULL, or how random runs change those inputs from one cycle to the next, where random values would lead nowhere. */
    void (*draw)(void *in, const void *cfg, uint64_t *seed);
    void (*reset)(void *state, const void *cfg);
    /* obs: the bus of every SM that the block sees, one for a block per SM. */
    void (*bind)(void *in, const void *cfg, const sm_obs *const *obs, const void *const *needs);
    void (*step)(void *state, const void *cfg, const void *in, void *out);
    /* bind and step in one call, from the registers `before` to `after`. True when the cycle
     * took a decision worth a line in the log. */
    bool (*cycle)(const void *before, void *after, const void *cfg, const sm_obs *const *obs,
                  const void *const *needs, void *in, void *out);
    /* The same question for a cycle that somebody else has run. */
    bool (*decides)(const void *cfg, const void *before, const void *in, const void *out, const void *after);
    /* Adds these decisions to the list, from one side's values only. `count` is the side's own, 0 at
     * the start, for numbering samples. None is added when a closer look finds nothing to say. */
    void (*describe)(struct decisions *list, unsigned *count, const void *cfg, const void *before,
                     const void *in, const void *out, const void *after);
} block_model;

/* Set when an assertion of any Verilated block has fired and nobody has asked for it yet. A plain variable, because it is
 * looked at on every cycle. */
extern bool rtl_assertion_pending;

/* The Verilated half. */
typedef struct block_rtl {
    bool clocked; /* false: combinational, no clock, no registers */
    /* cfg and ports: as the model fills them in for the same parameters. */
    void *(*create)(uint32_t seed, const void *cfg, const port_list *ports);
    void (*destroy)(void *rtl);
    void (*reset)(void *rtl);
    /* A whole cycle, nothing read back: for the bare-speed benchmark. */
    void (*cycle)(void *rtl, const void *in);
    /* A whole cycle against expected outputs (before the edge) and registers (after it). False
     * when something differs or an assertion has failed. */
    bool (*cycle_equal)(void *rtl, const void *in, const void *out, const void *state);
    /* The same in steps, for looking closely. */
    void (*settle)(void *rtl, const void *in);
    void (*edge)(void *rtl);
    void (*outputs)(void *rtl, void *out);
    void (*registers)(void *rtl, void *state);
    void (*load)(void *rtl, const void *state); /* overwrite every register */
    bool (*registers_equal)(void *rtl, const void *state);
    /* Message of an assertion that fired since the last call, or NULL. */
    const char *(*assertion)(void *rtl);
    /* NULL, or for RTL in a simulator with a kernel of its own: takes the cycles of a run there, one
     * after another, until they end (engine/lockstep.h). */
    void (*play)(void *rtl, const struct lockstep_turns *turns);
    /* NULL, or in a simulator with four states: which bits of port number `port` of the list were X or Z when outputs or
     * registers were last read. They read as 0. */
    uint64_t (*unknown)(void *rtl, unsigned port);
} block_rtl;

typedef struct block {
    const char *name;   /* variant: perfsat, perfsat_tie0 */
    const char *params; /* "Tie=0 NumSlots=16"            */
    const block_model *model;
    const block_rtl *rtl;
} block;

/* All variants of this build, blocks before those that need them. NULL-terminated. */
extern const block *const block_registry[];
const block *block_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
