/* SPDX-License-Identifier: Apache-2.0 */
#include "mutate/circuit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/rtl_name.h"
#include "mutate/must.h"

enum { MAX_CIRCUITS = 64 };

static struct {
    char *name; /* NULL: that of MUTATE_NETLIST */
    circuit *circuit;
} circuits[MAX_CIRCUITS];
static unsigned num;
static uint64_t *watched;

/* ---- reading --------------------------------------------------------------------------- */

static const char *path_of(const char *name, char *text, size_t size)
{
    const char *folder = getenv(name ? "MUTATE_CIRCUITS" : "MUTATE_NETLIST");

    if (!folder) {
        fprintf(stderr, "mutate: %s is not set\n", name ? "MUTATE_CIRCUITS" : "MUTATE_NETLIST");
        exit(2);
    }
    if (!name)
        return folder;
    snprintf(text, size, "%s/%s.aag", folder, name);
    return text;
}

static circuit *read_circuit(const char *name)
{
    circuit *c = must(calloc(1, sizeof *c));
    char text[512], err[768];
    const char *path = path_of(name, text, sizeof text);

    if (!netlist_read(&c->n, path, err, sizeof err)) {
        fprintf(stderr, "mutate: %s\n", err);
        exit(2);
    }
    if (num && c->n.num_mutants != circuits[0].circuit->n.num_mutants) {
        fprintf(stderr, "mutate: %s: has other mutants than the block\n", path);
        exit(2);
    }
    return c;
}

static bool is(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

circuit *circuit_of(const char *name)
{
    for (unsigned i = 0; i < num; i++)
        if (is(circuits[i].name, name))
            return circuits[i].circuit;
    if (num == MAX_CIRCUITS) {
        fprintf(stderr, "mutate: more than %d netlists; raise MAX_CIRCUITS\n", (int)MAX_CIRCUITS);
        exit(2);
    }
    circuits[num].circuit = read_circuit(name);
    circuits[num].name = name ? must(strdup(name)) : NULL;
    return circuits[num++].circuit;
}

/* ---- watching -------------------------------------------------------------------------- */

static void stop_watching(circuit *c)
{
    if (!c->watcher)
        return;
    screen_flush(c->watcher);
    screen_close(c->watcher);
    c->watcher = NULL;
}

void circuits_watch(uint64_t *first)
{
    for (unsigned i = 0; i < num; i++)
        stop_watching(circuits[i].circuit);
    watched = first;
    for (unsigned m = 0; m <= circuit_of(NULL)->n.num_mutants; m++)
        first[m] = SCREEN_NEVER;
}

void circuits_flush(void)
{
    for (unsigned i = 0; i < num; i++)
        if (circuits[i].circuit->watcher)
            screen_flush(circuits[i].circuit->watcher);
}

screen *circuit_watcher(circuit *c)
{
    if (watched && !c->watcher) {
        c->watcher = screen_open(&c->n, watched);
        screen_signals(c->watcher, c->in, c->num_in + c->num_reg + 1, c->out, c->num_out + c->num_reg);
    }
    return c->watcher;
}

/* ---- names --------------------------------------------------------------------------- */

/* Bit `b` of a signal: "name[b]", "name" if it is the only one. */
static int find_bit(const netlist *n, const char *name, const char *suffix, unsigned b,
                    int (*find)(const netlist *, const char *))
{
    char text[RTL_NAME + 32];
    int found;

    snprintf(text, sizeof text, "%s%s[%u]", name, suffix, b);
    found = find(n, text);
    if (found < 0 && b == 0) {
        snprintf(text, sizeof text, "%s%s", name, suffix);
        found = find(n, text);
    }
    return found;
}

static void find_signal(const netlist *n, screen_signal *s, const block_port *port, const char *suffix,
                        int (*find)(const netlist *, const char *))
{
    rtl_name name = rtl_name_of(port);
    const size_t length = strlen(name.text);
    unsigned found = 0;

    if (name.element >= 0)
        snprintf(name.text + length, sizeof name.text - length, "[%d]", name.element);
    s->width = port->width;
    for (unsigned b = 0; b < port->width; b++)
        found += (s->number[b] = find_bit(n, name.text, suffix, name.lsb + b, find)) >= 0;
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

static void find_next(circuit *c)
{
    c->next_of_input = must(malloc((c->n.num_inputs + 1) * sizeof *c->next_of_input));
    for (unsigned v = 0; v <= c->n.num_inputs; v++)
        c->next_of_input[v] = -1;
    for (unsigned r = 0; r < c->num_reg; r++)
        for (unsigned b = 0; b < c->in[c->num_in + r].width; b++)
            c->next_of_input[c->in[c->num_in + r].number[b]] = c->out[c->num_out + r].number[b];
}

static void find_ports(circuit *c, const port_list *list, enum port_kind kind, unsigned from)
{
    for (unsigned p = 0; p < list->num; p++) {
        if (list->ports[p].kind != kind)
            continue;
        c->ports[from] = list->ports[p];
        if (kind != PORT_OUT)
            find_signal(&c->n, &c->in[kind == PORT_IN ? from : from - c->num_out], &c->ports[from], "", netlist_find_input);
        if (kind != PORT_IN)
            find_signal(&c->n, &c->out[from - c->num_in], &c->ports[from], kind == PORT_REG ? ".next" : "", netlist_find_output);
        from++;
    }
}

void circuit_know(circuit *c, const port_list *list)
{
    if (c->ports)
        return;
    c->num_in = count(list, PORT_IN);
    c->num_out = count(list, PORT_OUT);
    c->num_reg = count(list, PORT_REG);
    c->ports = must(calloc(list->num + 1, sizeof *c->ports));
    c->in = must(calloc(c->num_in + c->num_reg + 1, sizeof *c->in));
    c->out = must(calloc(c->num_out + c->num_reg + 1, sizeof *c->out));
    find_ports(c, list, PORT_IN, 0);
    find_ports(c, list, PORT_OUT, c->num_in);
    find_ports(c, list, PORT_REG, c->num_in + c->num_out);
    c->in[c->num_in + c->num_reg] = (screen_signal){.width = 1, .number = {netlist_find_input(&c->n, "rst_ni")}};
    find_next(c);
}
