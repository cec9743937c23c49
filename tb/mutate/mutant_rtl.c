/* SPDX-License-Identifier: Apache-2.0 */
#include "mutate/mutant_rtl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/random.h"
#include "engine/rtl_name.h"
#include "mutate/must.h"
#include "mutate/screen.h"

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

/* The signals of a block in its netlist. */
typedef struct wiring {
    block_port *ports; /* inputs, outputs, registers, in this order */
    unsigned num_in, num_out, num_reg;
    screen_signal *in;   /* inputs, registers, rst_ni     */
    screen_signal *out;  /* outputs, next registers       */
    int *next_of_input;  /* by variable: a register's next value, an output of the netlist */
} wiring;

typedef struct instance {
    const wiring *w;
    single now;
    unsigned mutant;   /* that `now` is */
    uint64_t *before; /* values of w.in in this cycle */
    uint64_t *applied; /* the same, as `now` has them */
    uint64_t cycle;   /* since reset */
} instance;

static netlist shared;
static unsigned selected;
static uint64_t *watched;
static screen *watcher;
static wiring shared_wiring; /* of all instances: there is one netlist */
static bool signals_known; /* by the watcher */

const netlist *mutant_netlist(void)
{
    const char *path = getenv("MUTATE_NETLIST");
    char err[256];

    if (shared.num_inputs)
        return &shared;
    if (!path || !netlist_read(&shared, path, err, sizeof err)) {
        fprintf(stderr, "mutate: %s\n", path ? err : "MUTATE_NETLIST names no netlist");
        exit(2);
    }
    return &shared;
}

void mutant_select(unsigned number)
{
    selected = number;
}

void mutant_watch(uint64_t *first)
{
    mutant_watch_flush();
    if (watcher)
        screen_close(watcher);
    watched = first;
    watcher = screen_open(mutant_netlist(), first);
    signals_known = false;
}

void mutant_watch_flush(void)
{
    if (watcher)
        screen_flush(watcher);
}

/* ---- names --------------------------------------------------------------------------- */

/* Bit `b` of a signal: "name[b]", "name" if it is the only one. */
static int find_bit(const char *name, const char *suffix, unsigned b, int (*find)(const netlist *, const char *))
{
    char text[RTL_NAME + 32];
    int found;

    snprintf(text, sizeof text, "%s%s[%u]", name, suffix, b);
    found = find(mutant_netlist(), text);
    if (found < 0 && b == 0) {
        snprintf(text, sizeof text, "%s%s", name, suffix);
        found = find(mutant_netlist(), text);
    }
    return found;
}

static void find_signal(screen_signal *s, const block_port *port, const char *suffix,
                        int (*find)(const netlist *, const char *))
{
    rtl_name name = rtl_name_of(port);
    const size_t length = strlen(name.text);
    unsigned found = 0;

    if (name.element >= 0)
        snprintf(name.text + length, sizeof name.text - length, "[%d]", name.element);
    s->width = port->width;
    for (unsigned b = 0; b < port->width; b++)
        found += (s->number[b] = find_bit(name.text, suffix, name.lsb + b, find)) >= 0;
    if (found != port->width) {
        fprintf(stderr, "mutate: %s%s of the port list is not in the netlist, or not as wide\n", name.text, suffix);
        exit(2);
    }
}

static unsigned count(const port_list *list, enum port_kind kind)
{
    unsigned n = 0;

    for (unsigned p = 0; p < list->num; p++)
        n += list->ports[p].kind == kind;
    return n;
}

static void find_next(wiring *w)
{
    const unsigned inputs = mutant_netlist()->num_inputs;

    w->next_of_input = must(malloc((inputs + 1) * sizeof *w->next_of_input));
    for (unsigned v = 0; v <= inputs; v++)
        w->next_of_input[v] = -1;
    for (unsigned r = 0; r < w->num_reg; r++)
        for (unsigned b = 0; b < w->in[w->num_in + r].width; b++)
            w->next_of_input[w->in[w->num_in + r].number[b]] = w->out[w->num_out + r].number[b];
}

static void find_signals(wiring *w, const port_list *list)
{
    const unsigned in = count(list, PORT_IN), out = count(list, PORT_OUT), reg = count(list, PORT_REG);
    unsigned n = 0;

    *w = (wiring){.num_in = in, .num_out = out, .num_reg = reg};
    w->ports = must(calloc(list->num + 1, sizeof *w->ports));
    w->in = must(calloc(in + reg + 1, sizeof *w->in));
    w->out = must(calloc(out + reg + 1, sizeof *w->out));
    for (enum port_kind kind = PORT_IN; kind <= PORT_REG; kind++)
        for (unsigned p = 0; p < list->num; p++) {
            if (list->ports[p].kind != kind)
                continue;
            w->ports[n] = list->ports[p];
            if (kind != PORT_OUT)
                find_signal(&w->in[kind == PORT_IN ? n : n - out], &w->ports[n], "", netlist_find_input);
            if (kind != PORT_IN)
                find_signal(&w->out[n - in], &w->ports[n], kind == PORT_REG ? ".next" : "", netlist_find_output);
            n++;
        }
    w->in[in + reg] = (screen_signal){.width = 1, .number = {netlist_find_input(mutant_netlist(), "rst_ni")}};
    find_next(w);
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
            single_set(&i->now, mutant_netlist()->mutants[i->mutant], 0);
        if (selected)
            single_set(&i->now, mutant_netlist()->mutants[selected], 1);
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

/* ---- watching ------------------------------------------------------------------------ */

static bool watching(instance *i)
{
    if (!watcher)
        return false;
    if (!signals_known) {
        screen_signals(watcher, i->w->in, i->w->num_in + i->w->num_reg + 1, i->w->out, i->w->num_out + i->w->num_reg);
        signals_known = true;
    }
    return true;
}

/* Where the values that this cycle must have are to be put, outputs and next registers; NULL: nobody wants to know. */
static uint64_t *pattern(instance *i)
{
    uint64_t *in, *out;

    if (!watching(i))
        return NULL;
    screen_next(watcher, i->cycle, &in, &out);
    memcpy(in, i->before, (i->w->num_in + i->w->num_reg + 1) * sizeof *in);
    return out;
}

/* ---- block_rtl ----------------------------------------------------------------------- */

static void *create(uint32_t seed, const void *cfg, const port_list *ports)
{
    instance *i = must(calloc(1, sizeof *i));
    uint64_t random = seed;

    (void)cfg;
    if (!shared_wiring.ports)
        find_signals(&shared_wiring, ports);
    i->w = &shared_wiring;
    single_open(&i->now, mutant_netlist());
    i->applied = must(calloc(i->w->num_in + i->w->num_reg + 1, sizeof *i->applied));
    i->before = must(calloc(i->w->num_in + i->w->num_reg + 1, sizeof *i->before));
    for (unsigned r = 0; r < i->w->num_reg; r++) /* as the RTL's registers: anything */
        i->before[i->w->num_in + r] = random_next(&random) & (UINT64_MAX >> (64 - reg_port(i, r)->width));
    return i;
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

    memset(i->before, 0, i->w->num_in * sizeof *i->before);
    i->before[i->w->num_in + i->w->num_reg] = 0;
    if (watching(i) && i->w->num_reg) {
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
