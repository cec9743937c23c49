/* SPDX-License-Identifier: Apache-2.0
 *
 * And-inverter graphs: every function as two-input ANDs and negations, equal nodes shared. A literal is twice the node's
 * number, plus one when negated; node 0 is the constant.
 */
#ifndef BALLAST_AIG_H
#define BALLAST_AIG_H

#include <stdint.h>
#include <stdio.h>

typedef uint32_t lit;

enum { AIG_FALSE = 0, AIG_TRUE = 1 };

typedef struct aig_node {
    lit fan[2]; /* of an input: both AIG_INPUT */
} aig_node;

#define AIG_INPUT UINT32_MAX

typedef struct aig {
    aig_node *nodes;
    uint32_t num, max;
    uint32_t *table; /* nodes by their fan-in; 0: free */
    uint32_t table_size;
} aig;

void aig_open(aig *g); /* ends the program when memory runs out, as the others do */
void aig_close(aig *g);

lit aig_input(aig *g);
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

/* As BLIF; only what the outputs need. */
void aig_write_blif(const aig *g, FILE *f, const aig_name *inputs, unsigned num_inputs, const aig_name *outputs,
                    unsigned num_outputs);

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
