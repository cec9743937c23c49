/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/sm_private.h"

#include <stddef.h>

void lsu_clear(sim_sm *s)
{
    s->lsu_first = s->lsu_count = 0;
    s->num_misses = 0;
    s->num_idle = s->machine->mshrs;
    for (unsigned i = 0; i < s->num_idle; i++)
        s->idle_misses[i] = (uint16_t)i;
}

bool lsu_has_room(const sim_sm *s)
{
    return s->lsu_count < s->machine->lsu_queue;
}

void lsu_take(sim_sm *s, unsigned warp, enum operation op, unsigned window, uint32_t at)
{
    sm_access *a = &s->lsu[(s->lsu_first + s->lsu_count++) % MACHINE_MAX_LSU];
    const sm_warp *w = &s->warps[warp];

    a->warp = (uint8_t)warp;
    a->op = (uint8_t)op;
    a->window = (uint8_t)window;
    a->next = 0;
    a->num = 1;
    if (op != OP_SHARED)
        a->num = (uint8_t)program_lines(s->program, w->cta, w->index, at, a->lines);
    if (op == OP_LOAD)
        s->warps[warp].lines_left[window] = a->num;
}

/* ---- misses, a heap by time ------------------------------------------------------- */

static bool before(const sim_sm *s, uint16_t a, uint16_t b)
{
    const uint64_t first = s->misses[a].tick, second = s->misses[b].tick;

    return first < second || (first == second && a < b);
}

static void sift_up(sim_sm *s, unsigned at)
{
    while (at) {
        const unsigned parent = (at - 1) / 2;
        const uint16_t miss = s->heap[at];

        if (!before(s, miss, s->heap[parent]))
            return;
        s->heap[at] = s->heap[parent];
        s->heap[parent] = miss;
        at = parent;
    }
}

static void sift_down(sim_sm *s)
{
    unsigned at = 0, child;

    while ((child = 2 * at + 1) < s->num_misses) {
        const uint16_t miss = s->heap[at];

        if (child + 1 < s->num_misses && before(s, s->heap[child + 1], s->heap[child]))
            child++;
        if (!before(s, s->heap[child], miss))
            return;
        s->heap[at] = s->heap[child];
        s->heap[child] = miss;
        at = child;
    }
}

static sm_miss *find_miss(sim_sm *s, uint64_t line)
{
    for (unsigned i = 0; i < s->num_misses; i++)
        if (s->misses[s->heap[i]].line == line)
            return &s->misses[s->heap[i]];
    return NULL;
}

static sm_miss *ask_for(sim_sm *s, uint64_t line, uint64_t now)
{
    const uint16_t index = s->idle_misses[--s->num_idle];
    sm_miss *miss = &s->misses[index];

    miss->line = line;
    miss->notes = 0;
    miss->tick = memory_read(s->memory, s->id, line, now);
    s->heap[s->num_misses] = index;
    sift_up(s, s->num_misses++);
    return miss;
}

void lsu_arrivals(sim_sm *s, uint64_t now)
{
    while (s->num_misses && s->misses[s->heap[0]].tick <= now) {
        const uint16_t index = s->heap[0];

        s->heap[0] = s->heap[--s->num_misses];
        sift_down(s);
        s->idle_misses[s->num_idle++] = index;
        if (s->l1.infinite)
            cache_fill(&s->l1, s->misses[index].line);
        notes_do(s, &s->misses[index].notes);
    }
}

/* ---- one line per cycle ----------------------------------------------------------- */

static bool in_l1(sim_sm *s, uint64_t line, uint64_t now)
{
    const cache_line *place;

    if (s->l1.infinite)
        return cache_hit(&s->l1, line);
    place = cache_find(&s->l1, line);
    return place && place->ready <= now;
}

/* A miss takes its place in L1 at once, that of a line whose data are there. NULL if it has to wait: for such
 * a place, for one among the misses, or for the memory. */
static sm_miss *begin_miss(sim_sm *s, uint64_t line, uint64_t now)
{
    cache_line pushed_out, *place = NULL;
    sm_miss *miss;

    if (!s->num_idle || !memory_has_room(s->memory, line, now))
        return NULL;
    if (s->l1.ways && !s->l1.infinite) {
        place = cache_put(&s->l1, line, now, &pushed_out);
        if (!place)
            return NULL;
    }
    miss = ask_for(s, line, now);
    if (place)
        place->ready = miss->tick;
    return miss;
}

/* False if it has to wait. */
static bool load_line(sim_sm *s, const sm_access *a, uint64_t line, uint64_t now)
{
    sm_miss *miss;

    if (!notes_left(s))
        return false;
    if (in_l1(s, line, now)) {
        s->counts.l1_hits++;
        note_in(s, s->machine->l1_latency, LINE, a->warp, a->window);
        return true;
    }
    miss = find_miss(s, line);
    if (!miss)
        miss = begin_miss(s, line, now);
    if (!miss)
        return false;
    s->counts.l1_misses++;
    note_add(s, &miss->notes, LINE, a->warp, a->window);
    return true;
}

/* False if the line before it has not left yet, or the memory has no room. */
static bool store_line(sim_sm *s, uint64_t line, uint64_t now)
{
    if (!memory_can_send(s->memory, s->id, now) || !memory_has_room(s->memory, line, now))
        return false;
    memory_write(s->memory, s->id, line, now);
    return true;
}

/* False if it has to wait. */
static bool take_line(sim_sm *s, const sm_access *a, uint64_t now)
{
    switch (a->op) {
    case OP_SHARED: note_in(s, s->machine->shared_latency, RESULT, a->warp, a->window); return true;
    case OP_STORE: return store_line(s, a->lines[a->next], now);
    default: return load_line(s, a, a->lines[a->next], now);
    }
}

void lsu_step(sim_sm *s, uint64_t now)
{
    sm_access *a = &s->lsu[s->lsu_first];

    if (!s->lsu_count)
        return;
    if (!take_line(s, a, now) || ++a->next < a->num)
        return;
    s->lsu_first = (s->lsu_first + 1) % MACHINE_MAX_LSU;
    s->lsu_count--;
}
