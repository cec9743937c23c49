/* SPDX-License-Identifier: Apache-2.0
 *
 * mutant_blif NETLIST MUTANT GOLD.blif GATE.blif: the block and one of its mutants as two circuits for tb/flow/prover.py, with
 * nothing but the outputs that the mutant can change. Exit 0, or 2.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mutate/netlist.h"

static void mark_inputs_of(const netlist *n, const netlist_cone *cone, bool *used)
{
    for (unsigned i = 0; i < cone->num_outputs; i++)
        used[n->outputs[cone->outputs[i]] / 2] = true;
    for (unsigned g = n->num_gates; g-- > 0;) {
        if (!used[1 + n->num_inputs + g])
            continue;
        used[n->gates[g].a / 2] = true;
        used[n->gates[g].b / 2] = true;
    }
}

static void print_inputs(FILE *out, const netlist *n)
{
    fputs(".inputs", out);
    for (unsigned i = 0; i < n->num_inputs; i++)
        if (strncmp(n->input_names[i], "mut_", 4) != 0)
            fprintf(out, " %s", n->input_names[i]);
    putc('\n', out);
}

static void print_name(FILE *out, const netlist *n, uint32_t variable)
{
    if (variable >= 1 && variable <= n->num_inputs)
        fprintf(out, " %s", n->input_names[variable - 1]);
    else
        fprintf(out, " n%u", variable);
}

static void print_circuit(FILE *out, const netlist *n, const netlist_cone *cone, const bool *used, uint32_t on)
{
    fputs(".model m\n", out);
    print_inputs(out, n);
    fputs(".outputs", out);
    for (unsigned i = 0; i < cone->num_outputs; i++)
        fprintf(out, " %s", n->output_names[cone->outputs[i]]);
    fputs("\n.names n0\n", out);
    for (unsigned i = 0; i < n->num_inputs; i++)
        if (!strncmp(n->input_names[i], "mut_", 4))
            fprintf(out, ".names %s\n%s", n->input_names[i], i + 1 == on ? "1\n" : "");
    for (unsigned g = 0; g < n->num_gates; g++) {
        if (!used[1 + n->num_inputs + g])
            continue;
        fputs(".names", out);
        print_name(out, n, n->gates[g].a / 2);
        print_name(out, n, n->gates[g].b / 2);
        fprintf(out, " n%u\n%d%d 1\n", 1 + n->num_inputs + g, !(n->gates[g].a & 1), !(n->gates[g].b & 1));
    }
    for (unsigned i = 0; i < cone->num_outputs; i++) {
        fputs(".names", out);
        print_name(out, n, n->outputs[cone->outputs[i]] / 2);
        fprintf(out, " %s\n%d 1\n", n->output_names[cone->outputs[i]], !(n->outputs[cone->outputs[i]] & 1));
    }
    fputs(".end\n", out);
}

static bool write_circuit(const char *path, const netlist *n, const netlist_cone *cone, const bool *used, uint32_t on)
{
    FILE *out = fopen(path, "w");
    bool ok;

    if (!out)
        return false;
    print_circuit(out, n, cone, used, on);
    ok = !ferror(out);
    return fclose(out) == 0 && ok;
}

int main(int argc, char **argv)
{
    const unsigned mutant = argc == 5 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
    char err[256];
    bool *used;
    netlist n;

    if (argc != 5) {
        fprintf(stderr, "usage: mutant_blif NETLIST MUTANT GOLD.blif GATE.blif\n");
        return 2;
    }
    if (!netlist_read(&n, argv[1], err, sizeof err)) {
        fprintf(stderr, "mutant_blif: %s\n", err);
        return 2;
    }
    used = calloc(netlist_variables(&n), sizeof *used);
    if (!used || mutant < 1 || mutant > n.num_mutants) {
        fprintf(stderr, "mutant_blif: %s has mutants 1 to %u\n", argv[1], n.num_mutants);
        free(used);
        return 2;
    }
    mark_inputs_of(&n, &n.cones[mutant], used);
    if (!write_circuit(argv[3], &n, &n.cones[mutant], used, 0) ||
        !write_circuit(argv[4], &n, &n.cones[mutant], used, n.mutants[mutant])) {
        fprintf(stderr, "mutant_blif: %s or %s: %s\n", argv[3], argv[4], strerror(errno));
        free(used);
        return 2;
    }
    free(used);
    netlist_free(&n);
    return 0;
}
