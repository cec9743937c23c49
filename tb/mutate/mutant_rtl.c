/* SPDX-License-Identifier: Apache-2.0 */
#include "mutate/mutant_rtl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/random.h"
#include "mutate/circuit.h"
#include "mutate/must.h"

/* ---- a netlist in one state: only what changes is computed ----------------------------- */

typedef struct single {
    const netlist *n;
    uint8_t *value;  /* by variable */
    uint64_t *dirty; /* a bit per gate that has to be computed */
} single;

static unsigned words(const netlist *n)
{
    return (n->num_gates + 63) / 64;
}

static void single_open(single *s, const netlist *n)
{
    s->n = n;
    s->value = must(calloc(netlist_variables(n), 1));
    s->dirty = must(calloc(words(n) + 1, sizeof *s->dirty));
    for (unsigned g = 0; g < n->num_gates; g++)
        s->dirty[g / 64] |= UINT64_C(1) << g % 64;
}

static void single_close(single *s)
{
    free(s->value);
    free(s->dirty);
}

static void mark_readers(single *s, uint32_t variable)
{
    for (uint32_t r = s->n->readers_from[variable]; r < s->n->readers_from[variable + 1]; r++) {
        const uint32_t gate = s->n->readers[r];

        s->dirty[gate / 64] |= UINT64_C(1) << gate % 64;
    }
}

static void single_set(single *s, uint32_t variable, uint8_t bit)
{
    if (s->value[variable] == bit)
        return;
    s->value[variable] = bit;
    mark_readers(s, variable);
}

static void settle_gate(single *s, unsigned g)
{
    const netlist_gate gate = s->n->gates[g];
    const uint8_t value = (s->value[gate.a / 2] ^ (gate.a & 1)) & (s->value[gate.b / 2] ^ (gate.b & 1));

    single_set(s, 1 + s->n->num_inputs + g, value);
}

/* Readers of a gate come after it. */
static void single_settle(single *s)
{
    for (unsigned w = 0; w < words(s->n); w++) {
        while (s->dirty[w]) {
            const unsigned bit = (unsigned)__builtin_ctzll(s->dirty[w]);

            s->dirty[w] &= s->dirty[w] - 1;
            settle_gate(s, 64 * w + bit);
        }
    }
}

static uint8_t single_output(const single *s, unsigned output)
{
    const literal l = s->n->outputs[output];

    return s->value[l / 2] ^ (l & 1);
}

/* ---- the block --------------------------------------------------------------------------- */

typedef struct instance {
    circuit *w;
    single now;
    unsigned mutant;   /* that `now` is */
    uint64_t *before; /* values of w.in in this cycle */
    uint64_t *applied; /* the same, as `now` has them */
    uint64_t cycle;   /* since reset */
} instance;

static unsigned selected;

const netlist *mutant_netlist(void)
{
    return &circuit_of(NULL)->n;
}

void mutant_select(unsigned number)
{
    selected = number;
}

void mutant_watch(uint64_t *first)
{
    circuits_watch(first);
}

void mutant_watch_flush(void)
{
    circuits_flush();
}

/* ---- one cycle ----------------------------------------------------------------------- */

static const block_port *in_port(const instance *i, unsigned p) { return &i->w->ports[p]; }
static const block_port *out_port(const instance *i, unsigned p) { return &i->w->ports[i->w->num_in + p]; }
static const block_port *reg_port(const instance *i, unsigned p) { return &i->w->ports[i->w->num_in + i->w->num_out + p]; }

static void read_ports(const block_port *ports, unsigned num, const void *from, uint64_t *values)
{
    for (unsigned p = 0; p < num; p++)
        values[p] = block_port_get(&ports[p], from) & UINT64_MAX >> (64 - ports[p].width);
}

static void read_inputs(instance *i, const void *in, bool in_reset)
{
    read_ports(in_port(i, 0), i->w->num_in, in, i->before);
    i->before[i->w->num_in + i->w->num_reg] = !in_reset;
}

static void evaluate(instance *i)
{
    for (unsigned s = 0; s < i->w->num_in + i->w->num_reg + 1; s++) {
        uint64_t changed = i->before[s] ^ i->applied[s];

        for (; changed; changed &= changed - 1) {
            const int b = __builtin_ctzll(changed);

            if (i->w->in[s].number[b] >= 0)
                single_set(&i->now, (uint32_t)i->w->in[s].number[b], i->before[s] >> b & 1);
        }
        i->applied[s] = i->before[s];
    }
    if (i->mutant != selected) {
        if (i->mutant)
            single_set(&i->now, i->w->n.mutants[i->mutant], 0);
        if (selected)
            single_set(&i->now, i->w->n.mutants[selected], 1);
        i->mutant = selected;
    }
    single_settle(&i->now);
}

static uint64_t out_value(const instance *i, unsigned signal)
{
    const screen_signal *s = &i->w->out[signal];
    uint64_t value = 0;

    for (unsigned b = 0; b < s->width; b++)
        value |= (uint64_t)single_output(&i->now, (unsigned)s->number[b]) << b;
    return value;
}

/* Where the values that this cycle must have are to be put, outputs and next registers; NULL: nobody wants to know. */
static uint64_t *pattern(instance *i)
{
    screen *watcher = circuit_watcher(i->w);
    uint64_t *in, *out;

    if (!watcher)
        return NULL;
    screen_next(watcher, i->cycle, &in, &out);
    memcpy(in, i->before, (i->w->num_in + i->w->num_reg + 1) * sizeof *in);
    return out;
}

/* ---- block_rtl ----------------------------------------------------------------------- */

void *mutant_create(const char *name, uint32_t seed, const port_list *ports)
{
    instance *i = must(calloc(1, sizeof *i));
    uint64_t random = seed;

    i->w = circuit_of(name);
    circuit_know(i->w, ports);
    single_open(&i->now, &i->w->n);
    i->applied = must(calloc(i->w->num_in + i->w->num_reg + 1, sizeof *i->applied));
    i->before = must(calloc(i->w->num_in + i->w->num_reg + 1, sizeof *i->before));
    for (unsigned r = 0; r < i->w->num_reg; r++) /* as the RTL's registers: anything */
        i->before[i->w->num_in + r] = random_next(&random) & (UINT64_MAX >> (64 - reg_port(i, r)->width));
    return i;
}

static void *create(uint32_t seed, const void *cfg, const port_list *ports)
{
    (void)cfg;
    return mutant_create(NULL, seed, ports);
}

static void destroy(void *h)
{
    instance *i = h;

    single_close(&i->now);
    free(i->applied);
    free(i->before);
    free(i);
}

static void settle(void *h, const void *in)
{
    read_inputs(h, in, false);
    evaluate(h);
}

static void take_next(instance *i)
{
    for (unsigned r = 0; r < i->w->num_reg; r++)
        i->before[i->w->num_in + r] = out_value(i, i->w->num_out + r);
}

static void edge(void *h)
{
    instance *i = h;
    uint64_t *expected = pattern(i);

    for (unsigned s = 0; expected && s < i->w->num_out + i->w->num_reg; s++)
        expected[s] = out_value(i, s);
    take_next(i);
    i->cycle++;
}

static void reset(void *h)
{
    instance *i = h;
    screen *watcher = circuit_watcher(i->w);

    memset(i->before, 0, i->w->num_in * sizeof *i->before);
    i->before[i->w->num_in + i->w->num_reg] = 0;
    if (watcher && i->w->num_reg) {
        screen_flush(watcher);
        screen_reset(watcher, i->before, 0, i->w->next_of_input);
    }
    for (int n = 0; n < 2; n++) {
        evaluate(i);
        take_next(i);
    }
    i->cycle = 0;
}

static void cycle(void *h, const void *in)
{
    settle(h, in);
    edge(h);
}

static void outputs(void *h, void *out)
{
    const instance *i = h;

    for (unsigned p = 0; p < i->w->num_out; p++)
        block_port_set(out_port(i, p), out, out_value(i, p));
}

static void registers(void *h, void *state)
{
    const instance *i = h;

    for (unsigned r = 0; r < i->w->num_reg; r++)
        block_port_set(reg_port(i, r), state, i->before[i->w->num_in + r]);
}

static void load(void *h, const void *state)
{
    instance *i = h;

    read_ports(reg_port(i, 0), i->w->num_reg, state, i->before + i->w->num_in);
}

static bool registers_equal(void *h, const void *state)
{
    const instance *i = h;

    for (unsigned r = 0; r < i->w->num_reg; r++)
        if (block_port_get(reg_port(i, r), state) != i->before[i->w->num_in + r])
            return false;
    return true;
}

static bool outputs_equal(const instance *i, const void *out)
{
    for (unsigned p = 0; p < i->w->num_out; p++)
        if (block_port_get(out_port(i, p), out) != out_value(i, p))
            return false;
    return true;
}

/* Watched, the block itself is computed with its mutants, many cycles at a time; so here it is taken to be as expected, and
 * mutant 0 says if it was not. */
static bool cycle_equal(void *h, const void *in, const void *out, const void *state)
{
    instance *i = h;
    uint64_t *expected;
    bool equal;

    read_inputs(i, in, false);
    expected = selected ? NULL : pattern(i);
    if (expected) {
        read_ports(out_port(i, 0), i->w->num_out, out, expected);
        read_ports(reg_port(i, 0), i->w->num_reg, state, expected + i->w->num_out);
        memcpy(i->before + i->w->num_in, expected + i->w->num_out, i->w->num_reg * sizeof *expected);
        i->cycle++;
        return true;
    }
    evaluate(i);
    equal = outputs_equal(i, out);
    edge(i);
    return equal && registers_equal(i, state);
}

static const char *assertion(void *h)
{
    (void)h;
    return NULL;
}

const block_rtl mutant_rtl = {true, create, destroy,   reset,     cycle, cycle_equal,     settle,
                              edge, outputs, registers, load, registers_equal, assertion, NULL, NULL};
const block_rtl mutant_rtl_unclocked = {false, create, destroy,   reset,     cycle, cycle_equal,     settle,
                                        edge,  outputs, registers, load, registers_equal, assertion, NULL, NULL};
