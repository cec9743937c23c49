/* SPDX-License-Identifier: Apache-2.0 */
#include "mutate/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/transpose.h"
#include "mutate/must.h"

#define WORDS (SCREEN_LANES / 64)

typedef uint64_t lanes __attribute__((vector_size(SCREEN_LANES / 8), aligned(16)));

struct screen {
    const netlist *n;
    uint64_t *first;
    lanes *value;    /* by variable */
    lanes *expected; /* by output   */
    lanes *saved;    /* of a cone, of the registers in reset */
    bool *checked;   /* by output: there is something to expect */
    const screen_signal *in, *out;
    unsigned num_in, num_out;
    uint64_t *in_values, *out_values; /* [lane][signal] */
    uint64_t cycles[SCREEN_LANES];
    unsigned used; /* lanes */
};

static void *room(size_t count, size_t size)
{
    void *memory = must(aligned_alloc(32, (count * size + 63) / 32 * 32));

    memset(memory, 0, (count * size + 63) / 32 * 32);
    return memory;
}

screen *screen_open(const netlist *n, uint64_t *first)
{
    screen *s = room(1, sizeof *s);

    s->n = n;
    s->first = first;
    s->value = room(netlist_variables(n), sizeof *s->value);
    s->expected = room(n->num_outputs + 1, sizeof *s->expected);
    s->saved = room(netlist_variables(n), sizeof *s->saved);
    s->checked = room(n->num_outputs + 1, sizeof *s->checked);
    return s;
}

void screen_close(screen *s)
{
    free(s->value);
    free(s->expected);
    free(s->saved);
    free(s->checked);
    free(s->in_values);
    free(s->out_values);
    free(s);
}

void screen_signals(screen *s, const screen_signal *in, unsigned num_in, const screen_signal *out, unsigned num_out)
{
    s->in = in;
    s->num_in = num_in;
    s->out = out;
    s->num_out = num_out;
    free(s->in_values);
    free(s->out_values);
    s->in_values = room((size_t)(num_in + 1) * SCREEN_LANES, sizeof *s->in_values);
    s->out_values = room((size_t)(num_out + 1) * SCREEN_LANES, sizeof *s->out_values);
    memset(s->checked, 0, s->n->num_outputs);
    for (unsigned i = 0; i < num_out; i++)
        for (unsigned b = 0; b < out[i].width; b++)
            if (out[i].number[b] >= 0)
                s->checked[out[i].number[b]] = true;
}

void screen_next(screen *s, uint64_t cycle, uint64_t **in, uint64_t **out)
{
    if (s->used == SCREEN_LANES)
        screen_flush(s);
    *in = s->in_values + (size_t)s->used * s->num_in;
    *out = s->out_values + (size_t)s->used * s->num_out;
    s->cycles[s->used++] = cycle;
}

/* ---- lanes ------------------------------------------------------------------------- */

/* The values of one signal in all lanes, to the variables or outputs of its bits. */
static void spread(const screen_signal *signal, const uint64_t *values, size_t stride, lanes *to)
{
    for (unsigned w = 0; w < WORDS; w++) {
        uint64_t words[64];

        for (unsigned lane = 0; lane < 64; lane++)
            words[lane] = values[(w * 64 + lane) * stride];
        transpose(words);
        for (unsigned b = 0; b < signal->width; b++)
            if (signal->number[b] >= 0)
                to[signal->number[b]][w] = words[b];
    }
}

static inline lanes every(bool on)
{
    const lanes zero = {0};

    return on ? ~zero : zero;
}

static inline lanes inverted(literal l, lanes v)
{
    return l & 1 ? ~v : v;
}

static inline lanes gate_value(const screen *s, unsigned g)
{
    const netlist_gate gate = s->n->gates[g];

    return inverted(gate.a, s->value[gate.a / 2]) & inverted(gate.b, s->value[gate.b / 2]);
}

static inline lanes output_value(const screen *s, unsigned o)
{
    const literal l = s->n->outputs[o];

    return inverted(l, s->value[l / 2]);
}

static void evaluate(screen *s)
{
    lanes *gates = s->value + 1 + s->n->num_inputs;

    for (unsigned g = 0; g < s->n->num_gates; g++)
        gates[g] = gate_value(s, g);
}

/* ---- patterns ---------------------------------------------------------------------- */

static bool none(lanes v)
{
    uint64_t any = 0;

    for (unsigned w = 0; w < WORDS; w++)
        any |= v[w];
    return !any;
}

static lanes lanes_in_use(const screen *s)
{
    lanes used = {0};

    for (unsigned lane = 0; lane < s->used; lane++)
        used[lane / 64] |= UINT64_C(1) << lane % 64;
    return used;
}

/* Lanes are in the order of cycles; but a run may consist of several parts. */
static void differs(screen *s, unsigned mutant, lanes difference)
{
    for (unsigned lane = 0; lane < s->used && s->first[mutant] == SCREEN_NEVER; lane++)
        if (difference[lane / 64] >> lane % 64 & 1)
            s->first[mutant] = s->cycles[lane];
}

static void check_itself(screen *s, lanes used)
{
    lanes difference = {0};

    for (unsigned o = 0; o < s->n->num_outputs; o++)
        if (s->checked[o])
            difference |= output_value(s, o) ^ s->expected[o];
    if (!none(difference & used))
        differs(s, 0, difference & used);
}

/* Computes the cone with the mutant on, in place, and puts back what was there. */
static void try_mutant(screen *s, unsigned mutant, lanes used)
{
    const netlist_cone *cone = &s->n->cones[mutant];
    lanes *gates = s->value + 1 + s->n->num_inputs;
    lanes difference = {0};

    s->value[s->n->mutants[mutant]] = every(true);
    for (unsigned i = 0; i < cone->num_gates; i++) {
        s->saved[i] = gates[cone->gates[i]];
        gates[cone->gates[i]] = gate_value(s, cone->gates[i]);
    }
    for (unsigned i = 0; i < cone->num_outputs; i++)
        if (s->checked[cone->outputs[i]])
            difference |= output_value(s, cone->outputs[i]) ^ s->expected[cone->outputs[i]];
    s->value[s->n->mutants[mutant]] = every(false);
    for (unsigned i = 0; i < cone->num_gates; i++)
        gates[cone->gates[i]] = s->saved[i];
    if (!none(difference & used))
        differs(s, mutant, difference & used);
}

void screen_flush(screen *s)
{
    const lanes used = lanes_in_use(s);

    if (!s->used)
        return;
    for (unsigned i = 0; i < s->num_in; i++)
        spread(&s->in[i], s->in_values + i, s->num_in, s->value);
    for (unsigned i = 0; i < s->num_out; i++)
        spread(&s->out[i], s->out_values + i, s->num_out, s->expected);
    evaluate(s);
    check_itself(s, used);
    for (unsigned m = 1; m <= s->n->num_mutants; m++)
        if (s->first[m] == SCREEN_NEVER)
            try_mutant(s, m, used);
    s->used = 0;
}

/* ---- reset ------------------------------------------------------------------------- */

/* Next registers to `saved`, by input. */
static void clock_lanes(screen *s, const int *next_of_input)
{
    evaluate(s);
    for (unsigned v = 1; v <= s->n->num_inputs; v++)
        if (next_of_input[v] >= 0)
            s->saved[v] = output_value(s, (unsigned)next_of_input[v]);
}

static void load_lanes(screen *s, const int *next_of_input)
{
    for (unsigned v = 1; v <= s->n->num_inputs; v++)
        if (next_of_input[v] >= 0)
            s->value[v] = s->saved[v];
}

/* Lane 0 is the block itself, the others have a mutant each. */
static void reset_some(screen *s, unsigned first_mutant, unsigned num, uint64_t cycle, const int *next_of_input)
{
    lanes difference = {0};

    for (unsigned k = 0; k < num; k++)
        s->value[s->n->mutants[first_mutant + k]][(k + 1) / 64] = UINT64_C(1) << (k + 1) % 64;
    for (int edge = 0; edge < 2; edge++) {
        clock_lanes(s, next_of_input);
        load_lanes(s, next_of_input);
    }
    for (unsigned v = 1; v <= s->n->num_inputs; v++)
        if (next_of_input[v] >= 0)
            difference |= s->value[v] ^ every(s->value[v][0] & 1);
    for (unsigned k = 0; k < num; k++) {
        s->value[s->n->mutants[first_mutant + k]] = every(false);
        if (difference[(k + 1) / 64] >> (k + 1) % 64 & 1 && s->first[first_mutant + k] == SCREEN_NEVER)
            s->first[first_mutant + k] = cycle;
    }
}

void screen_reset(screen *s, const uint64_t *in, uint64_t cycle, const int *next_of_input)
{
    for (unsigned m = 1; m <= s->n->num_mutants; m += SCREEN_LANES - 1) {
        const unsigned left = s->n->num_mutants - m + 1;

        for (unsigned i = 0; i < s->num_in; i++)
            for (unsigned b = 0; b < s->in[i].width; b++)
                if (s->in[i].number[b] >= 0)
                    s->value[s->in[i].number[b]] = every(in[i] >> b & 1);
        reset_some(s, m, left < SCREEN_LANES - 1 ? left : SCREEN_LANES - 1, cycle, next_of_input);
    }
}
