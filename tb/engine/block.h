/* SPDX-License-Identifier: Apache-2.0
 *
 * What the lockstep engine knows of a block: its ports, its C model and its RTL, all behind
 * plain C functions. One descriptor per block variant is put together from the block's port
 * list (tb/<block>/<block>_ports.h) by tb/shim/; nothing else enumerates signals.
 *
 * `in`, `out` and `state` are the structs of the block's C model; the RTL side fills the
 * same structs, so both sides read alike.
 */
#ifndef BALLAST_BLOCK_H
#define BALLAST_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/sm_obs.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BLOCK_MAX_STRUCT 256 /* bytes of the largest in/out/state struct */
#define BLOCK_MAX_NEEDS 4    /* other blocks whose outputs a block reads  */
#define BLOCK_TEXT 256

enum port_kind { PORT_IN, PORT_OUT, PORT_REG };

typedef struct block_port {
    const char *name;     /* as in the C struct; RTL: name_i, name_o, name_q      */
    enum port_kind kind;
    unsigned width;       /* bits                                                 */
    size_t offset, size;  /* of the field in in / out / state                     */
    const char *const *names; /* names of its values, NULL for a plain number     */
    unsigned num_names;
} block_port;

typedef struct block_param {
    const char *name; /* RTL spelling */
    uint32_t value;
} block_param;

/* The C half: model and knowledge of the observation bus. */
typedef struct block_model {
    const char *stem;      /* perfsat                              */
    const char *const *needs; /* stems, NULL-terminated             */
    size_t in_size, out_size, state_size;
    int limit_offset;      /* of the CTA limit in out, -1: none     */
    int done_offset;       /* of "converged" in out, -1: none       */
    /* Fill in the configuration and the ports that depend on it. */
    void (*configure)(void *cfg, const char *params, char *bad, size_t bad_size);
    unsigned (*list_ports)(const void *cfg, block_port *ports, unsigned max);
    unsigned (*list_params)(const void *cfg, block_param *params, unsigned max);
    void (*reset)(void *state, const void *cfg);
    void (*bind)(void *in, const sm_obs *obs, const void *const *needs);
    void (*step)(void *state, const void *cfg, const void *in, void *out);
    /* bind and step in one call, from the registers `before` to `after`. True when the cycle
     * took a decision worth a line in the log. */
    bool (*cycle)(const void *before, void *after, const void *cfg, const sm_obs *obs,
                  const void *const *needs, void *in, void *out);
    /* That line, from one side's values only. `count` is the side's own, 0 at the start,
     * for numbering samples. False when there is nothing to say. */
    bool (*describe)(char *text, size_t size, unsigned *count, const void *before, const void *in,
                     const void *out, const void *after);
} block_model;

/* The Verilated half. */
typedef struct block_rtl {
    bool clocked; /* false: combinational, no clock, no registers */
    void *(*create)(uint32_t seed);
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
    /* Message of an assertion that fired since the last call, or NULL. */
    const char *(*assertion)(void *rtl);
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

static inline uint64_t block_port_get(const block_port *p, const void *base)
{
    const unsigned char *field = (const unsigned char *)base + p->offset;

    switch (p->size) {
    case 1: return *field;
    case 2: return *(const uint16_t *)(const void *)field;
    case 4: return *(const uint32_t *)(const void *)field;
    default: return *(const uint64_t *)(const void *)field;
    }
}

static inline void block_port_set(const block_port *p, void *base, uint64_t value)
{
    unsigned char *field = (unsigned char *)base + p->offset;

    switch (p->size) {
    case 1: *field = (uint8_t)value; break;
    case 2: *(uint16_t *)(void *)field = (uint16_t)value; break;
    case 4: *(uint32_t *)(void *)field = (uint32_t)value; break;
    default: *(uint64_t *)(void *)field = value; break;
    }
}

#ifdef __cplusplus
}
#endif
#endif
