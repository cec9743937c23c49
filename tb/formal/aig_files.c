/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "formal/aig.h"

/* ---- BLIF --------------------------------------------------------------------------- */

bool *aig_reached(const aig *g, const aig_name *functions, unsigned num)
{
    bool *needed = calloc(g->num, sizeof *needed);

    if (!needed)
        give_up("out of memory");
    for (unsigned i = 0; i < num; i++)
        needed[functions[i].function >> 1] = true;
    for (uint32_t n = g->num - 1; n > 0; n--)
        if (needed[n] && g->nodes[n].fan[0] != AIG_INPUT)
            needed[g->nodes[n].fan[0] >> 1] = needed[g->nodes[n].fan[1] >> 1] = true;
    return needed;
}

static void write_names(FILE *f, const char *keyword, const aig_name *names, unsigned num)
{
    fprintf(f, ".%s", keyword);
    for (unsigned i = 0; i < num; i++)
        fprintf(f, "%s%s", i % 8 ? " " : " \\\n ", names[i].name);
    fprintf(f, "\n");
}

/* Unknowns that are not among the inputs: 0. */
static void write_unknowns(const aig *g, FILE *f, const bool *needed, const aig_name *inputs, unsigned num_inputs)
{
    bool *given = calloc(g->num, sizeof *given);

    if (!given)
        give_up("out of memory");
    for (unsigned i = 0; i < num_inputs; i++)
        given[inputs[i].function >> 1] = true;
    for (uint32_t n = 1; n < g->num; n++)
        if (needed[n] && aig_is_unknown(g, n) && !given[n])
            fprintf(f, ".names n%u\n", n);
    free(given);
}

void aig_write_blif(const aig *g, FILE *f, const aig_name *inputs, unsigned num_inputs, unsigned used,
                    const aig_name *outputs, unsigned num_outputs)
{
    bool *needed = aig_reached(g, outputs, num_outputs);

    fprintf(f, ".model step\n");
    write_names(f, "inputs", inputs, num_inputs);
    write_names(f, "outputs", outputs, num_outputs);
    fprintf(f, ".names n0\n");
    for (unsigned i = 0; i < used; i++)
        fprintf(f, ".names %s n%u\n1 1\n", inputs[i].name, inputs[i].function >> 1);
    write_unknowns(g, f, needed, inputs, used);
    for (uint32_t n = 1; n < g->num; n++) {
        const lit *fan = g->nodes[n].fan;

        if (needed[n] && fan[0] != AIG_INPUT)
            fprintf(f, ".names n%u n%u n%u\n%u%u 1\n", fan[0] >> 1, fan[1] >> 1, n, !(fan[0] & 1), !(fan[1] & 1));
    }
    for (unsigned i = 0; i < num_outputs; i++)
        fprintf(f, ".names n%u %s\n%u 1\n", outputs[i].function >> 1, outputs[i].name, !(outputs[i].function & 1));
    fprintf(f, ".end\n");
    free(needed);
}

/* ---- AIGER -------------------------------------------------------------------------- */

typedef struct file {
    FILE *f;
    const char *path;
    unsigned *ands; /* lines of three literals */
    unsigned *outputs;
    lit *map; /* from the file's variables; AIG_INPUT: not known yet */
    unsigned variables, inputs, latches, num_outputs, num_ands;
} file;

static unsigned number(const file *r)
{
    unsigned value;

    if (fscanf(r->f, " %u", &value) != 1 || value > 2 * r->variables + 1)
        give_up("%s: no ASCII AIGER file, or a damaged one", r->path);
    return value;
}

static lit mapped(const file *r, unsigned literal)
{
    const lit base = r->map[literal >> 1];

    if (base == AIG_INPUT)
        give_up("%s: literal %u is not defined before it is used", r->path, literal);
    return base ^ (literal & 1);
}

/* Inputs come without their names, which follow at the end. */
static void read_body(file *r, unsigned *inputs)
{
    for (unsigned i = 0; i < r->inputs; i++)
        inputs[i] = number(r);
    for (unsigned i = 0; i < r->num_outputs; i++)
        r->outputs[i] = number(r);
    for (unsigned i = 0; i < 3 * r->num_ands; i++)
        r->ands[i] = number(r);
}

/* Yosys gives no name to what is undefined. */
static void build(aig *g, file *r, const unsigned *inputs)
{
    for (unsigned i = 0; i < r->inputs; i++)
        if (r->map[inputs[i] >> 1] == AIG_INPUT)
            r->map[inputs[i] >> 1] = aig_unknown(g, 0);
    for (unsigned i = 0; i < r->num_ands; i++) {
        const unsigned *a = &r->ands[3 * (size_t)i];

        r->map[a[0] >> 1] = aig_and(g, mapped(r, a[1]), mapped(r, a[2]));
    }
}

static void read_symbols(aig *g, file *r, const unsigned *inputs, const aig_reader *reader)
{
    char kind, name[128];
    bool built = false;
    unsigned index;

    while (fscanf(r->f, " %c%u %127s", &kind, &index, name) == 3) {
        if (kind == 'i' && index < r->inputs) {
            r->map[inputs[index] >> 1] = reader->find(reader->self, name);
        } else if (kind == 'o' && index < r->num_outputs) {
            if (!built)
                build(g, r, inputs);
            built = true;
            reader->found(reader->self, name, mapped(r, r->outputs[index]));
        } else {
            break;
        }
    }
}

void aig_read_aiger(aig *g, const char *path, const aig_reader *reader)
{
    file r = {.f = fopen(path, "r"), .path = path};
    unsigned *inputs;

    if (!r.f)
        give_up("%s: %s", path, strerror(errno));
    if (fscanf(r.f, "aag %u %u %u %u %u", &r.variables, &r.inputs, &r.latches, &r.num_outputs, &r.num_ands) != 5 ||
        r.latches || r.variables > 1u << 28 || r.inputs > r.variables || r.num_ands > r.variables ||
        r.num_outputs > 1u << 24)
        give_up("%s: no combinational ASCII AIGER file", path);
    inputs = calloc(r.inputs + 1u, sizeof *inputs);
    r.outputs = calloc(r.num_outputs + 1u, sizeof *r.outputs);
    r.ands = calloc(3 * (size_t)r.num_ands + 1, sizeof *r.ands);
    r.map = malloc((r.variables + 1u) * sizeof *r.map);
    if (!inputs || !r.outputs || !r.ands || !r.map)
        give_up("out of memory");
    memset(r.map, 0xff, (r.variables + 1u) * sizeof *r.map);
    r.map[0] = AIG_FALSE;
    read_body(&r, inputs);
    read_symbols(g, &r, inputs, reader);
    fclose(r.f);
    free(inputs);
    free(r.outputs);
    free(r.ands);
    free(r.map);
}
