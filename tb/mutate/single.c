/* SPDX-License-Identifier: Apache-2.0 */
#include "mutate/single.h"

#include "mutate/must.h"


static unsigned words(const netlist *n)
{
    return (n->num_gates + 63) / 64;
}

void single_open(single *s, const netlist *n)
{
    s->n = n;
    s->value = must(calloc(netlist_variables(n), 1));
    s->dirty = must(calloc(words(n) + 1, sizeof *s->dirty));
    for (unsigned g = 0; g < n->num_gates; g++)
        s->dirty[g / 64] |= UINT64_C(1) << g % 64;
}

void single_close(single *s)
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

void single_set(single *s, uint32_t variable, uint8_t bit)
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
void single_settle(single *s)
{
    for (unsigned w = 0; w < words(s->n); w++) {
        while (s->dirty[w]) {
            const unsigned bit = (unsigned)__builtin_ctzll(s->dirty[w]);

            s->dirty[w] &= s->dirty[w] - 1;
            settle_gate(s, 64 * w + bit);
        }
    }
}
