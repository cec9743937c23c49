/* SPDX-License-Identifier: Apache-2.0 */
#include "mutate/netlist.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mutate/must.h"

static bool read_literals(FILE *in, unsigned how_many, const netlist *n, literal *to)
{
    for (unsigned i = 0; i < how_many; i++)
        if (fscanf(in, "%u", &to[i]) != 1 || to[i] >= 2 * netlist_variables(n))
            return false;
    return true;
}

static bool read_gates(FILE *in, netlist *n)
{
    for (unsigned g = 0; g < n->num_gates; g++) {
        const literal own = 2 * (1 + n->num_inputs + g);
        literal words[3];

        if (!read_literals(in, 3, n, words) || words[0] != own || words[1] >= own || words[2] >= own)
            return false;
        n->gates[g] = (netlist_gate){words[1], words[2]};
    }
    return true;
}

/* Lines "i12 limit_q[3]", "o4 limit_o", in any order; of several names the first. */
static bool read_names(FILE *in, netlist *n)
{
    unsigned number, missing = n->num_inputs + n->num_outputs;
    char kind, name[500];

    while (fscanf(in, " %c%u %499s%*[^\n]", &kind, &number, name) == 3 && (kind == 'i' || kind == 'o')) {
        char **names = kind == 'i' ? n->input_names : n->output_names;

        if (number >= (kind == 'i' ? n->num_inputs : n->num_outputs) || names[number])
            return false;
        names[number] = must(strdup(name));
        missing--;
    }
    return missing == 0;
}

static int find(char *const *names, unsigned num, const char *name)
{
    for (unsigned i = 0; i < num; i++)
        if (!strcmp(name, names[i]))
            return (int)i;
    return -1;
}

int netlist_find_input(const netlist *n, const char *name)
{
    const int found = find(n->input_names, n->num_inputs, name);

    return found < 0 ? -1 : found + 1;
}

int netlist_find_output(const netlist *n, const char *name)
{
    return find(n->output_names, n->num_outputs, name);
}

static void find_readers(netlist *n)
{
    const unsigned variables = netlist_variables(n);
    uint32_t *at = must(calloc(variables + 1, sizeof *at));

    n->readers = must(malloc((2 * (size_t)n->num_gates + 1) * sizeof *n->readers));
    n->readers_from = must(calloc(variables + 2, sizeof *n->readers_from));
    for (unsigned g = 0; g < n->num_gates; g++) {
        n->readers_from[n->gates[g].a / 2 + 1]++;
        n->readers_from[n->gates[g].b / 2 + 1]++;
    }
    for (unsigned v = 0; v < variables; v++) {
        n->readers_from[v + 1] += n->readers_from[v];
        at[v] = n->readers_from[v];
    }
    for (unsigned g = 0; g < n->num_gates; g++) {
        n->readers[at[n->gates[g].a / 2]++] = g;
        n->readers[at[n->gates[g].b / 2]++] = g;
    }
    free(at);
}

static void find_cone(const netlist *n, uint32_t from, netlist_cone *cone, bool *in_cone)
{
    memset(in_cone, 0, netlist_variables(n));
    in_cone[from] = true;
    cone->gates = must(malloc((n->num_gates + 1) * sizeof *cone->gates));
    cone->outputs = must(malloc((n->num_outputs + 1) * sizeof *cone->outputs));
    for (unsigned g = 0; g < n->num_gates; g++) {
        if (!in_cone[n->gates[g].a / 2] && !in_cone[n->gates[g].b / 2])
            continue;
        in_cone[1 + n->num_inputs + g] = true;
        cone->gates[cone->num_gates++] = g;
    }
    for (unsigned o = 0; o < n->num_outputs; o++)
        if (in_cone[n->outputs[o] / 2])
            cone->outputs[cone->num_outputs++] = o;
    cone->gates = must(realloc(cone->gates, (cone->num_gates + 1) * sizeof *cone->gates));
    cone->outputs = must(realloc(cone->outputs, (cone->num_outputs + 1) * sizeof *cone->outputs));
}

/* Mutants are numbered from 1 without a gap. */
static bool find_mutants(netlist *n)
{
    bool *in_cone = must(malloc(netlist_variables(n)));
    bool complete = true;
    unsigned number;

    n->mutants = must(calloc(n->num_inputs + 1, sizeof *n->mutants));
    for (unsigned i = 0; i < n->num_inputs; i++) {
        if (sscanf(n->input_names[i], "mut_%u", &number) != 1)
            continue;
        n->num_mutants++;
        if (number >= 1 && number <= n->num_inputs)
            n->mutants[number] = i + 1;
    }
    n->cones = must(calloc(n->num_mutants + 1, sizeof *n->cones));
    for (unsigned m = 1; m <= n->num_mutants; m++) {
        complete &= n->mutants[m] != 0;
        find_cone(n, n->mutants[m], &n->cones[m], in_cone);
    }
    free(in_cone);
    return complete;
}

static bool read_all(netlist *n, FILE *in)
{
    unsigned variables, latches;
    bool ok = true;

    if (fscanf(in, "aag %u %u %u %u %u", &variables, &n->num_inputs, &latches, &n->num_outputs, &n->num_gates) != 5 ||
        latches != 0 || variables != n->num_inputs + n->num_gates || variables > 1u << 24 || n->num_outputs > 1u << 24)
        return false;
    n->input_names = must(calloc(n->num_inputs + 1, sizeof *n->input_names));
    n->output_names = must(calloc(n->num_outputs + 1, sizeof *n->output_names));
    n->outputs = must(calloc(n->num_outputs + 1, sizeof *n->outputs));
    n->gates = must(calloc(n->num_gates + 1, sizeof *n->gates));
    for (unsigned i = 0; i < n->num_inputs && ok; i++) {
        literal own;
        ok = read_literals(in, 1, n, &own) && own == 2 * (i + 1);
    }
    if (!ok || !read_literals(in, n->num_outputs, n, n->outputs) || !read_gates(in, n) || !read_names(in, n))
        return false;
    find_readers(n);
    return find_mutants(n);
}

bool netlist_read(netlist *n, const char *path, char *err, size_t err_size)
{
    FILE *in = fopen(path, "r");
    bool ok;

    memset(n, 0, sizeof *n);
    if (!in) {
        snprintf(err, err_size, "%s: %s", path, strerror(errno));
        return false;
    }
    ok = read_all(n, in);
    fclose(in);
    if (!ok)
        snprintf(err, err_size, "%s: not an AIGER netlist as Yosys writes it (ascii, symbols, no latches)", path);
    return ok;
}
