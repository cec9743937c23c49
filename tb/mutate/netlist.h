/* SPDX-License-Identifier: Apache-2.0
 *
 * A block cut at its flip-flops, as AND gates and inverters (AIGER): inputs and registers in, outputs and next registers out.
 * All mutants of the block are in it, each with an input of its own that switches it on, mut_1, mut_2, ...
 */
#ifndef BALLAST_NETLIST_H
#define BALLAST_NETLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 2 * variable + 1 if inverted. Variable 0 is the constant 0, then come the inputs, then the gates, each after its inputs. */
typedef uint32_t literal;

typedef struct netlist_gate {
    literal a, b;
} netlist_gate;

/* What a mutant can change. */
typedef struct netlist_cone {
    uint32_t *gates, *outputs; /* numbers of gates, in order; numbers of outputs */
    unsigned num_gates, num_outputs;
} netlist_cone;

typedef struct netlist {
    unsigned num_inputs, num_gates, num_outputs, num_mutants;
    char **input_names, **output_names; /* "limit_q[3]", "limit_q.next[3]" */
    netlist_gate *gates;
    literal *outputs;
    uint32_t *mutants;  /* [1..num_mutants]: the variable that switches it on */
    netlist_cone *cones; /* [1..num_mutants] */
    uint32_t *readers, *readers_from; /* gates that read variable v: readers[readers_from[v] .. readers_from[v + 1] - 1] */
} netlist;

/* False with a one-line text. It is there until the program ends. */
bool netlist_read(netlist *n, const char *path, char *err, size_t err_size);

static inline unsigned netlist_variables(const netlist *n)
{
    return 1 + n->num_inputs + n->num_gates;
}

/* The variable of an input, the number of an output; -1: there is none. */
int netlist_find_input(const netlist *n, const char *name);
int netlist_find_output(const netlist *n, const char *name);

#endif
