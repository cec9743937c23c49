/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/sm_private.h"

#include <stddef.h>

void lsu_clear(sim_sm *s)
{
    s->lsu_first = s->lsu_count = 0;
    s->num_misses = 0;
    s->next_arrival = UINT64_MAX;
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
        a->num = (uint8_t)program_lines(w->program, w->cta, w->index, at, a->lines);
    if (op == OP_LOAD)
        s->warps[warp].lines_left[window] = a->num;
}

/* ---- misses ----------------------------------------------------------------------- */

static sm_miss *find_miss(sim_sm *s, uint64_t line)
{
    for (unsigned i = 0; i < s->num_misses; i++)
        if (s->misses[i].line == line)
            return &s->misses[i];
    return NULL;
}

static sm_miss *ask_for(sim_sm *s, uint64_t line, uint64_t now)
{
    sm_miss *miss = &s->misses[s->num_misses++];

    *miss = (sm_miss){.line = line, .tick = memory_read(s->memory, s->id, line, now)};
    if (miss->tick < s->next_arrival)
        s->next_arrival = miss->tick;
    return miss;
}

/* In which order those of one cycle arrive makes no difference. */
void lsu_arrivals(sim_sm *s, uint64_t now)
{
    if (now < s->next_arrival)
        return;
    s->next_arrival = UINT64_MAX;
    for (unsigned i = 0; i < s->num_misses;) {
        sm_miss *miss = &s->misses[i];

        if (miss->tick <= now) {
            if (s->l1.infinite)
                cache_fill(&s->l1, miss->line);
            notes_do(s, &miss->notes);
            *miss = s->misses[--s->num_misses];
            continue;
        }
        if (miss->tick < s->next_arrival)
            s->next_arrival = miss->tick;
        i++;
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
static sm_miss *begin_miss(sim_sm *s, unsigned warp, uint64_t line, uint64_t now)
{
    cache_line pushed_out = {0}, *place = NULL;
    sm_miss *miss;

    if (s->num_misses == s->machine->mshrs || !memory_has_room(s->memory, line, now))
        return NULL;
    if (s->l1.ways && !s->l1.infinite) {
        place = cache_put(&s->l1, line, now, &pushed_out);
        if (!place)
            return NULL;
    }
    miss = ask_for(s, line, now);
    if (place) {
        place->ready = miss->tick;
        place->owner = (uint8_t)warp;
        if (pushed_out.tag && s->machine->scheduler == SCHEDULE_CCWS)
            ccws_throw_out(&s->ccws, pushed_out.owner, cache_number(&pushed_out));
    }
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
        miss = begin_miss(s, a->warp, line, now);
    if (!miss)
        return false;
    s->counts.l1_misses++;
    if (s->machine->scheduler == SCHEDULE_CCWS)
        ccws_miss(&s->ccws, a->warp, line, s->cycle, s->counts.instructions - s->issued_before,
                  (unsigned)__builtin_popcountll(s->resident));
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
