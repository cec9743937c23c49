/* SPDX-License-Identifier: Apache-2.0 */
#include "formal/memory.h"

#include <stdlib.h>
#include <string.h>

void memory_close(memory *m)
{
    free(m->objects);
}

pointer memory_new(memory *m, size_t size)
{
    pointer p = {1, arena(sizeof *p.places)};

    if (m->num == m->max) {
        m->max = m->max ? 2 * m->max : 64;
        m->objects = realloc(m->objects, m->max * sizeof *m->objects);
        if (!m->objects)
            give_up("out of memory");
    }
    m->objects[m->num].size = size;
    m->objects[m->num].bits = vec_unknown(m->g, (unsigned)(8 * size)).bits;
    m->objects[m->num].pointers = NULL;
    p.places[0] = (place){AIG_TRUE, m->num++, 0};
    return p;
}

/* ---- pointers ----------------------------------------------------------------------- */

static void add_place(const memory *m, pointer *p, place added)
{
    if (added.condition == AIG_FALSE)
        return;
    for (unsigned i = 0; i < p->num; i++) {
        place *old = &p->places[i];

        if (old->object == added.object && old->offset == added.offset) {
            old->condition = aig_or(m->g, old->condition, added.condition);
            return;
        }
    }
    p->places[p->num++] = added;
}

static void add_places(const memory *m, pointer *to, pointer from, lit condition)
{
    for (unsigned i = 0; i < from.num; i++) {
        place p = from.places[i];

        p.condition = aig_and(m->g, condition, p.condition);
        add_place(m, to, p);
    }
}

pointer pointer_select(const memory *m, lit condition, pointer then, pointer otherwise)
{
    pointer p = {0, arena((then.num + otherwise.num) * sizeof *p.places)};

    add_places(m, &p, then, condition);
    add_places(m, &p, otherwise, aig_not(condition));
    return p;
}

pointer pointer_add(pointer p, int64_t bytes)
{
    pointer moved = {p.num, arena(p.num * sizeof *moved.places)};

    for (unsigned i = 0; i < p.num; i++) {
        moved.places[i] = p.places[i];
        moved.places[i].offset += bytes;
    }
    return moved;
}

static bool is_constant(vec a)
{
    for (unsigned i = 0; i < a.width; i++)
        if (a.bits[i] > AIG_TRUE)
            return false;
    return true;
}

static int64_t constant(vec a)
{
    const vec wide = vec_extend(a, 64, true);
    uint64_t value = 0;

    for (unsigned i = 0; i < 64; i++)
        value |= (uint64_t)wide.bits[i] << i;
    return (int64_t)value;
}

pointer pointer_move(const memory *m, pointer p, vec index, uint64_t stride)
{
    const vec wide = vec_extend(index, 64, true);
    size_t most = 0;
    pointer moved;

    if (is_constant(index))
        return pointer_add(p, constant(index) * (int64_t)stride);
    if (!stride)
        return p;
    for (unsigned i = 0; i < p.num; i++)
        most += m->objects[p.places[i].object].size / stride + 2;
    moved = (pointer){0, arena(most * sizeof *moved.places)};
    for (unsigned i = 0; i < p.num; i++) {
        const place from = p.places[i];
        const int64_t size = (int64_t)m->objects[from.object].size, step = (int64_t)stride;
        const int64_t first = from.offset >= 0 ? -(from.offset / step) : (step - 1 - from.offset) / step;

        for (int64_t k = first; from.offset + k * step < size; k++) {
            const lit here = vec_equal(m->g, wide, vec_const(64, (uint64_t)k));

            add_place(m, &moved, (place){aig_and(m->g, from.condition, here), from.object, from.offset + k * step});
        }
    }
    return moved;
}

/* ---- under a condition -------------------------------------------------------------- */

/* Literals that hold where a condition does: of an AND, its sides, too. */
enum { MOST_HOLDING = 16 };
typedef struct holding {
    lit all[MOST_HOLDING];
    unsigned num;
} holding;

static holding holding_of(const aig *g, lit condition)
{
    holding h = {{condition}, condition != AIG_TRUE};

    for (unsigned i = 0; i < h.num; i++) {
        const aig_node *node = &g->nodes[h.all[i] >> 1];

        if (!(h.all[i] & 1) && node->fan[0] != AIG_INPUT && h.all[i] && h.num + 2 <= MOST_HOLDING) {
            h.all[h.num++] = node->fan[0];
            h.all[h.num++] = node->fan[1];
        }
    }
    return h;
}

static bool holds(const holding *h, lit a)
{
    for (unsigned i = 0; i < h->num; i++)
        if (h->all[i] == a)
            return true;
    return false;
}

enum { CHOICE = 2 }; /* ANDs on the way from a choice to what it is between */

/* What a bit is where that holds: what was stored under a condition and is read under the same is then what was stored, and no
 * choice between that and what was there before. */
static lit where(aig *g, const holding *h, lit bit, unsigned depth)
{
    const aig_node node = g->nodes[bit >> 1];
    lit a, b;

    if (holds(h, bit))
        return AIG_TRUE;
    if (holds(h, aig_not(bit)))
        return AIG_FALSE;
    if (!depth || bit <= AIG_TRUE || node.fan[0] == AIG_INPUT)
        return bit;
    a = where(g, h, node.fan[0], depth - 1);
    b = where(g, h, node.fan[1], depth - 1);
    if (a == node.fan[0] && b == node.fan[1])
        return bit;
    a = aig_and(g, a, b);
    return bit & 1 ? aig_not(a) : a;
}

static vec all_where(aig *g, vec bits, lit taken)
{
    const holding h = holding_of(g, taken);
    vec v = vec_new(bits.width);

    for (unsigned i = 0; i < v.width; i++)
        v.bits[i] = h.num ? where(g, &h, bits.bits[i], CHOICE) : bits.bits[i];
    return v;
}

/* ---- access ------------------------------------------------------------------------- */

static bool fits(const memory *m, place p, size_t size)
{
    return p.offset >= 0 && (size_t)p.offset + size <= m->objects[p.object].size;
}

/* Every access that is made must have a place. */
static void check(memory *m, pointer p, size_t size, lit taken)
{
    lit somewhere = AIG_FALSE;

    for (unsigned i = 0; i < p.num; i++)
        if (fits(m, p.places[i], size))
            somewhere = aig_or(m->g, somewhere, p.places[i].condition);
    m->undefined = aig_or(m->g, m->undefined, aig_and(m->g, taken, aig_not(somewhere)));
}

vec memory_load(memory *m, pointer p, size_t size, lit taken)
{
    vec value = vec_new((unsigned)(8 * size));

    check(m, p, size, taken);
    for (unsigned i = 0; i < p.num; i++)
        if (fits(m, p.places[i], size)) {
            const lit *from = m->objects[p.places[i].object].bits + 8 * p.places[i].offset;
            const vec here = {value.width, (lit *)from};

            value = vec_or(m->g, value, vec_mask(m->g, p.places[i].condition, here));
        }
    return all_where(m->g, value, taken);
}

enum { POINTER = 8 }; /* bytes */

/* The pointers in `size` bytes at a place lead nowhere any more. */
static void forget_pointers(const memory *m, place at, size_t size, lit here)
{
    pointer *pointers = m->objects[at.object].pointers;

    for (size_t i = (size_t)at.offset / POINTER; pointers && i * POINTER < (size_t)at.offset + size; i++)
        pointers[i] = pointer_select(m, here, (pointer){0, NULL}, pointers[i]);
}

void memory_store(memory *m, pointer p, vec value, size_t size, lit taken)
{
    const vec bytes = vec_extend(value, (unsigned)(8 * size), false);

    check(m, p, size, taken);
    for (unsigned i = 0; i < p.num; i++)
        if (fits(m, p.places[i], size)) {
            const lit here = aig_and(m->g, taken, p.places[i].condition);
            lit *to = m->objects[p.places[i].object].bits + 8 * p.places[i].offset;

            for (unsigned b = 0; b < bytes.width; b++)
                to[b] = aig_mux(m->g, here, bytes.bits[b], to[b]);
            forget_pointers(m, p.places[i], size, here);
        }
}

/* ---- pointers in memory ------------------------------------------------------------- */

static bool is_aligned(place p)
{
    return p.offset % POINTER == 0;
}

/* What stands at a place, nowhere if it is no pointer. */
static pointer pointer_at(const memory *m, place p)
{
    const pointer *pointers = m->objects[p.object].pointers;

    return pointers && is_aligned(p) && fits(m, p, POINTER) ? pointers[p.offset / POINTER] : (pointer){0, NULL};
}

pointer memory_load_pointer(memory *m, pointer p, lit taken)
{
    pointer loaded;
    size_t most = 0;

    check(m, p, POINTER, taken);
    for (unsigned i = 0; i < p.num; i++)
        most += pointer_at(m, p.places[i]).num;
    loaded = (pointer){0, arena(most * sizeof *loaded.places)};
    for (unsigned i = 0; i < p.num; i++)
        add_places(m, &loaded, pointer_at(m, p.places[i]), p.places[i].condition);
    return loaded;
}

void memory_store_pointer(memory *m, pointer p, pointer value, lit taken)
{
    memory_store(m, p, vec_unknown(m->g, 8 * POINTER), POINTER, taken);
    for (unsigned i = 0; i < p.num; i++) {
        const place at = p.places[i];
        struct object *o = &m->objects[at.object];

        if (!fits(m, at, POINTER) || !is_aligned(at))
            continue;
        if (!o->pointers)
            o->pointers = arena((o->size / POINTER + 1) * sizeof *o->pointers);
        o->pointers[at.offset / POINTER] = pointer_select(m, aig_and(m->g, taken, at.condition), value, pointer_at(m, at));
    }
}

static bool has_pointers(const memory *m, pointer p)
{
    for (unsigned i = 0; i < p.num; i++)
        if (m->objects[p.places[i].object].pointers)
            return true;
    return false;
}

void memory_copy(memory *m, pointer to, pointer from, size_t size, lit taken)
{
    const size_t words = has_pointers(m, from) ? size / POINTER : 0;
    pointer *pointers = arena((words + 1) * sizeof *pointers);

    for (size_t i = 0; i < words; i++)
        pointers[i] = memory_load_pointer(m, pointer_add(from, (int64_t)(i * POINTER)), taken);
    memory_store(m, to, memory_load(m, from, size, taken), size, taken);
    for (size_t i = 0; i < words; i++)
        if (pointers[i].num)
            memory_store_pointer(m, pointer_add(to, (int64_t)(i * POINTER)), pointers[i], taken);
}
