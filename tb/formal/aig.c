/* SPDX-License-Identifier: Apache-2.0 */
#include "formal/aig.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void give_up(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fprintf(stderr, "stepir: ");
    vfprintf(stderr, format, args);
    fprintf(stderr, "\n");
    va_end(args);
    exit(2);
}

static void *allocate(void *old, size_t count, size_t size)
{
    void *p = realloc(old, count * size);

    if (!p)
        give_up("out of memory");
    return p;
}

void aig_open(aig *g)
{
    *g = (aig){.num = 1, .max = 1024, .table_size = 4096};
    g->nodes = allocate(NULL, g->max, sizeof *g->nodes);
    g->nodes[0] = (aig_node){{AIG_INPUT, AIG_INPUT}};
    g->table = calloc(g->table_size, sizeof *g->table);
    if (!g->table)
        give_up("out of memory");
}

void aig_close(aig *g)
{
    free(g->nodes);
    free(g->table);
}

static lit add_node(aig *g, lit a, lit b)
{
    if (g->num == g->max) {
        g->max *= 2;
        g->nodes = allocate(g->nodes, g->max, sizeof *g->nodes);
    }
    g->nodes[g->num] = (aig_node){{a, b}};
    return 2 * g->num++;
}

lit aig_input(aig *g)
{
    return add_node(g, AIG_INPUT, AIG_INPUT);
}

lit aig_unknown(aig *g, unsigned bit)
{
    return add_node(g, AIG_INPUT, bit % 8 ? AIG_UNKNOWN : AIG_UNKNOWN - 1);
}

static uint32_t *place_of(const aig *g, lit a, lit b)
{
    uint32_t at = (uint32_t)((a * UINT64_C(0x9e3779b97f4a7c15) + b * UINT64_C(0xc2b2ae3d27d4eb4f)) >> 32);

    for (;; at++) {
        uint32_t *entry = &g->table[at & (g->table_size - 1)];
        const aig_node *node = &g->nodes[*entry];

        if (!*entry || (node->fan[0] == a && node->fan[1] == b))
            return entry;
    }
}

static void grow_table(aig *g)
{
    free(g->table);
    g->table_size *= 2;
    g->table = calloc(g->table_size, sizeof *g->table);
    if (!g->table)
        give_up("out of memory");
    for (uint32_t n = 1; n < g->num; n++)
        if (g->nodes[n].fan[0] != AIG_INPUT)
            *place_of(g, g->nodes[n].fan[0], g->nodes[n].fan[1]) = n;
}

lit aig_and(aig *g, lit a, lit b)
{
    uint32_t *entry;

    if (a > b) {
        const lit swap = a;

        a = b;
        b = swap;
    }
    if (a == AIG_FALSE || a == aig_not(b))
        return AIG_FALSE;
    if (a == AIG_TRUE || a == b)
        return b;
    if (g->num * 2 > g->table_size)
        grow_table(g);
    entry = place_of(g, a, b);
    if (!*entry) {
        const lit made = add_node(g, a, b);

        *entry = made >> 1;
    }
    return 2 * *entry;
}

/* a = x & y, b = x & !y: together they are x. Paths that part and meet again look so. */
static bool meet(const aig *g, lit a, lit b, lit *both)
{
    const aig_node *x = &g->nodes[a >> 1], *y = &g->nodes[b >> 1];

    if ((a | b) & 1 || x->fan[0] == AIG_INPUT || y->fan[0] == AIG_INPUT)
        return false;
    for (unsigned i = 0; i < 2; i++)
        for (unsigned j = 0; j < 2; j++)
            if (x->fan[i] == y->fan[j] && x->fan[!i] == aig_not(y->fan[!j])) {
                *both = x->fan[i];
                return true;
            }
    return false;
}

lit aig_or(aig *g, lit a, lit b)
{
    lit both;

    if (meet(g, a, b, &both))
        return both;
    return aig_not(aig_and(g, aig_not(a), aig_not(b)));
}

lit aig_xor(aig *g, lit a, lit b)
{
    return aig_or(g, aig_and(g, a, aig_not(b)), aig_and(g, aig_not(a), b));
}

lit aig_mux(aig *g, lit select, lit then, lit otherwise)
{
    if (then == otherwise)
        return then;
    return aig_or(g, aig_and(g, select, then), aig_and(g, aig_not(select), otherwise));
}

static lit known_zero(aig *g, const lit *when, lit a)
{
    return aig_and(g, aig_not(a), aig_not(when[a >> 1]));
}

lit *aig_unknown_when(aig *g)
{
    const uint32_t num = g->num;
    lit *when = calloc(num, sizeof *when);

    if (!when)
        give_up("out of memory");
    for (uint32_t n = 1; n < num; n++) {
        const lit a = g->nodes[n].fan[0], b = g->nodes[n].fan[1];

        if (a == AIG_INPUT)
            when[n] = aig_is_unknown(g, n) ? AIG_TRUE : AIG_FALSE;
        else if (when[a >> 1] || when[b >> 1])
            when[n] = aig_and(g, aig_or(g, when[a >> 1], when[b >> 1]),
                              aig_not(aig_or(g, known_zero(g, when, a), known_zero(g, when, b))));
    }
    return when;
}

void aig_simulate(const aig *g, uint64_t *values)
{
    values[0] = 0;
    for (uint32_t n = 1; n < g->num; n++)
        if (g->nodes[n].fan[0] != AIG_INPUT)
            values[n] = aig_value(values, g->nodes[n].fan[0]) & aig_value(values, g->nodes[n].fan[1]);
}
