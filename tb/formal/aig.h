/* SPDX-License-Identifier: Apache-2.0
 *
 * And-inverter graphs: every function as two-input ANDs and negations, equal nodes shared. A literal is twice the node's
 * number, plus one when negated; node 0 is the constant.
 */
#ifndef BALLAST_AIG_H
#define BALLAST_AIG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef uint32_t lit;

enum { AIG_FALSE = 0, AIG_TRUE = 1 };

typedef struct aig_node {
    lit fan[2]; /* of an input: both AIG_INPUT; of an unknown: AIG_INPUT, AIG_UNKNOWN or AIG_UNKNOWN - 1 */
} aig_node;

#define AIG_INPUT UINT32_MAX
#define AIG_UNKNOWN (UINT32_MAX - 1)

typedef struct aig {
    aig_node *nodes;
    uint32_t num, max;
    uint32_t *table; /* nodes by their fan-in; 0: free */
    uint32_t table_size;
} aig;

void aig_open(aig *g); /* ends the program when memory runs out, as the others do */
void aig_close(aig *g);

lit aig_input(aig *g);
/* An input that nobody sets: what C, LLVM or Verilog leaves undefined. `bit`: its place in a word of memory. */
lit aig_unknown(aig *g, unsigned bit);
lit aig_and(aig *g, lit a, lit b);

static inline lit aig_not(lit a)
{
    return a ^ 1;
}

lit aig_or(aig *g, lit a, lit b);
lit aig_xor(aig *g, lit a, lit b);
lit aig_mux(aig *g, lit select, lit then, lit otherwise);

/* 64 patterns at once: values[node] of the inputs are given, the rest is computed. */
void aig_simulate(const aig *g, uint64_t *values);

static inline uint64_t aig_value(const uint64_t *values, lit a)
{
    return values[a >> 1] ^ (a & 1 ? ~UINT64_C(0) : 0);
}

/* A function that is named in a netlist. */
typedef struct aig_name {
    const char *name;
    lit function;
} aig_name;

static inline bool aig_is_unknown(const aig *g, uint32_t node)
{
    return node && g->nodes[node].fan[0] == AIG_INPUT && g->nodes[node].fan[1] != AIG_INPUT;
}

/* What -ftrivial-auto-var-init=pattern of gcc makes of it: bytes 0xFE. */
static inline bool aig_pattern_of_unknown(const aig *g, uint32_t node)
{
    return g->nodes[node].fan[1] == AIG_UNKNOWN;
}

/* For each node when it is not known: a function of the inputs that is true at least where the node hangs on an unknown. A 0 makes an
 * AND known; that both sides of a choice are the same is not seen. To be freed. */
lit *aig_unknown_when(aig *g);

/* The nodes that these functions hang on; to be freed. */
bool *aig_reached(const aig *g, const aig_name *functions, unsigned num);

/* As BLIF; only what the outputs need. Of the inputs the first `used` are: an unknown that is not among them is 0. */
void aig_write_blif(const aig *g, FILE *f, const aig_name *inputs, unsigned num_inputs, unsigned used,
                    const aig_name *outputs, unsigned num_outputs);

/* Reads ASCII AIGER with a symbol table. `find` gives the literal of an input by name, `found` gets every output. */
typedef struct aig_reader {
    void *self;
    lit (*find)(void *self, const char *name);
    void (*found)(void *self, const char *name, lit function);
} aig_reader;

void aig_read_aiger(aig *g, const char *path, const aig_reader *reader);

/* Says "stepir: ..." and ends the program. */
__attribute__((noreturn, format(printf, 1, 2))) void give_up(const char *format, ...);

#endif
