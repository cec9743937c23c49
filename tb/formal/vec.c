/* SPDX-License-Identifier: Apache-2.0 */
#include "formal/vec.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory ------------------------------------------------------------------------- */

typedef struct chunk {
    struct chunk *next;
    uint64_t memory[];
} chunk;

enum { CHUNK = 1 << 20 };

static chunk *chunks;
static size_t chunk_free, chunk_used;

void *arena(size_t size)
{
    void *taken;

    size = (size + 7) / 8 * 8;
    if (size > chunk_free) {
        const size_t wanted = size > CHUNK ? size : CHUNK;
        chunk *c = calloc(1, sizeof *c + wanted);

        if (!c)
            give_up("out of memory");
        c->next = chunks;
        chunks = c;
        chunk_free = wanted;
        chunk_used = 0;
    }
    taken = (char *)chunks->memory + chunk_used;
    chunk_used += size;
    chunk_free -= size;
    return taken;
}

void arena_close(void)
{
    while (chunks) {
        chunk *c = chunks;

        chunks = c->next;
        free(c);
    }
    chunk_free = 0;
}

/* ---- wiring ------------------------------------------------------------------------- */

vec vec_new(unsigned width)
{
    return (vec){width, arena(width * sizeof(lit))};
}

vec vec_const(unsigned width, uint64_t value)
{
    vec v = vec_new(width);

    for (unsigned i = 0; i < width && i < 64; i++)
        v.bits[i] = value >> i & 1 ? AIG_TRUE : AIG_FALSE;
    return v;
}

vec vec_unknown(aig *g, unsigned width)
{
    vec v = vec_new(width);

    for (unsigned i = 0; i < width; i++)
        v.bits[i] = aig_unknown(g, i);
    return v;
}

vec vec_slice(vec a, unsigned low, unsigned width)
{
    return (vec){width, a.bits + low};
}

vec vec_join(vec low, vec high)
{
    vec v = vec_new(low.width + high.width);

    memcpy(v.bits, low.bits, low.width * sizeof(lit));
    memcpy(v.bits + low.width, high.bits, high.width * sizeof(lit));
    return v;
}

vec vec_extend(vec a, unsigned width, bool sign)
{
    vec v;

    if (width <= a.width)
        return vec_slice(a, 0, width);
    v = vec_new(width);
    for (unsigned i = 0; i < width; i++)
        v.bits[i] = i < a.width ? a.bits[i] : sign ? a.bits[a.width - 1] : AIG_FALSE;
    return v;
}

/* ---- bit by bit --------------------------------------------------------------------- */

vec vec_not(vec a)
{
    vec v = vec_new(a.width);

    for (unsigned i = 0; i < a.width; i++)
        v.bits[i] = aig_not(a.bits[i]);
    return v;
}

static vec each(aig *g, vec a, vec b, lit (*op)(aig *, lit, lit))
{
    vec v = vec_new(a.width);

    for (unsigned i = 0; i < a.width; i++)
        v.bits[i] = op(g, a.bits[i], b.bits[i]);
    return v;
}

vec vec_and(aig *g, vec a, vec b)
{
    return each(g, a, b, aig_and);
}

vec vec_or(aig *g, vec a, vec b)
{
    return each(g, a, b, aig_or);
}

vec vec_xor(aig *g, vec a, vec b)
{
    return each(g, a, b, aig_xor);
}

vec vec_mux(aig *g, lit select, vec then, vec otherwise)
{
    vec v = vec_new(then.width);

    for (unsigned i = 0; i < then.width; i++)
        v.bits[i] = aig_mux(g, select, then.bits[i], otherwise.bits[i]);
    return v;
}

vec vec_mask(aig *g, lit on, vec a)
{
    vec v = vec_new(a.width);

    for (unsigned i = 0; i < a.width; i++)
        v.bits[i] = aig_and(g, on, a.bits[i]);
    return v;
}

/* ---- numbers ------------------------------------------------------------------------ */

static lit majority(aig *g, lit a, lit b, lit c)
{
    return aig_or(g, aig_and(g, a, b), aig_and(g, c, aig_or(g, a, b)));
}

vec vec_add_carry(aig *g, vec a, vec b, lit carry)
{
    vec v = vec_new(a.width + 1);

    for (unsigned i = 0; i < a.width; i++) {
        v.bits[i] = aig_xor(g, aig_xor(g, a.bits[i], b.bits[i]), carry);
        carry = majority(g, a.bits[i], b.bits[i], carry);
    }
    v.bits[a.width] = carry;
    return v;
}

vec vec_add(aig *g, vec a, vec b)
{
    return vec_slice(vec_add_carry(g, a, b, AIG_FALSE), 0, a.width);
}

vec vec_sub(aig *g, vec a, vec b)
{
    return vec_slice(vec_add_carry(g, a, vec_not(b), AIG_TRUE), 0, a.width);
}

static vec shifted(vec a, unsigned by)
{
    vec v = vec_new(a.width);

    for (unsigned i = by; i < a.width; i++)
        v.bits[i] = a.bits[i - by];
    return v;
}

vec vec_mul(aig *g, vec a, vec b)
{
    vec sum = vec_new(a.width);

    for (unsigned i = 0; i < a.width; i++)
        if (b.bits[i] != AIG_FALSE)
            sum = vec_add(g, sum, vec_mask(g, b.bits[i], shifted(a, i)));
    return sum;
}

vec vec_div(aig *g, vec a, vec b, vec *rest)
{
    vec quotient = vec_new(a.width), left = vec_new(a.width + 1);
    const vec divisor = vec_extend(b, a.width + 1, false);

    for (unsigned i = a.width; i-- > 0;) {
        left = shifted(left, 1);
        left.bits[0] = a.bits[i];
        quotient.bits[i] = aig_not(vec_less(g, left, divisor, false));
        left = vec_mux(g, quotient.bits[i], vec_sub(g, left, divisor), left);
    }
    *rest = vec_slice(left, 0, a.width);
    return quotient;
}

/* One by one from the highest, as Yosys counts the ones of a vector: two counts of the same bits are one circuit. */
vec vec_popcount(aig *g, vec a)
{
    vec ones = vec_new(0);

    for (unsigned i = a.width, most = 1; i-- > 0; most++) {
        const unsigned width = 32 - (unsigned)__builtin_clz(most); /* bits of the most that it can be */

        ones = vec_add_carry(g, vec_extend(ones, width, false), vec_new(width), a.bits[i]);
    }
    return vec_extend(ones, a.width, false);
}

vec vec_shift(aig *g, vec a, vec by, enum shift kind)
{
    const lit fill = kind == SHIFT_RIGHT_SIGN ? a.bits[a.width - 1] : AIG_FALSE;

    for (unsigned s = 0; s < by.width; s++) {
        vec moved = vec_new(a.width);

        for (unsigned i = 0; i < a.width; i++) {
            const uint64_t step = s < 32 ? UINT64_C(1) << s : UINT64_C(1) << 32;
            const bool inside = kind == SHIFT_LEFT ? i >= step : i + step < a.width;

            moved.bits[i] = !inside ? fill : a.bits[kind == SHIFT_LEFT ? i - step : i + step];
        }
        a = vec_mux(g, by.bits[s], moved, a);
    }
    return a;
}

lit vec_any(aig *g, vec a)
{
    lit any = AIG_FALSE;

    for (unsigned i = 0; i < a.width; i++)
        any = aig_or(g, any, a.bits[i]);
    return any;
}

lit vec_equal(aig *g, vec a, vec b)
{
    return aig_not(vec_any(g, vec_xor(g, a, b)));
}

/* a < b: a - b borrows. With a sign the top bits change their meaning. */
lit vec_less(aig *g, vec a, vec b, bool sign)
{
    lit less = AIG_FALSE;

    for (unsigned i = 0; i < a.width; i++) {
        const bool top = sign && i == a.width - 1;
        const lit x = top ? b.bits[i] : a.bits[i], y = top ? a.bits[i] : b.bits[i];

        less = majority(g, aig_not(x), y, less);
    }
    return less;
}
