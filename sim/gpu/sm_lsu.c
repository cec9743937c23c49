/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/sm_private.h"

#include <stddef.h>

void lsu_clear(sim_sm *s)
{
    s->lsu_first = s->lsu_count = 0;
    s->first_miss = s->num_misses = 0;
    s->lsu_stuck = false;
    s->lsu_until = 0;
}

bool lsu_has_room(const sim_sm *s)
{
    return s->lsu_count < s->machine->lsu_queue;
}

void lsu_take(sim_sm *s, unsigned warp, enum operation op, unsigned window, uint32_t at)
{
    sm_access *a = &s->lsu[around(s->lsu_first + s->lsu_count++, s->machine->lsu_queue)];
    const sm_warp *w = &s->warps[warp];

    a->warp = (uint8_t)warp;
    a->op = (uint8_t)op;
    a->window = (uint8_t)window;
    a->next = 0;
    a->num = 1;
    if (op != OP_SHARED)
        a->num = (uint8_t)program_lines(w->program, w->cta, w->index, at, a->lines);
    if (op == OP_LOAD)
        s->lines_left[warp][window] = a->num;
}

/* ---- misses ----------------------------------------------------------------------- */

/* In the order in which they arrive. */
static sm_miss *miss_at(sim_sm *s, unsigned n)
{
    return &s->misses[around(s->first_miss + n, s->machine->mshrs)];
}

static sm_miss *find_miss(sim_sm *s, uint64_t line)
{
    for (unsigned n = 0; n < s->num_misses; n++)
        if (miss_at(s, n)->line == line)
            return miss_at(s, n);
    return NULL;
}

/* Most come back in the order in which they were asked for. */
static sm_miss *ask_for(sim_sm *s, uint64_t line, uint64_t now)
{
    const uint64_t tick = memory_read(s->memory, s->id, line, now);
    unsigned n = s->num_misses++;

    for (; n > 0 && miss_at(s, n - 1)->tick > tick; n--)
        *miss_at(s, n) = *miss_at(s, n - 1);
    *miss_at(s, n) = (sm_miss){.line = line, .tick = tick};
    return miss_at(s, n);
}

void lsu_arrivals(sim_sm *s, uint64_t now)
{
    while (s->num_misses && miss_at(s, 0)->tick <= now) {
        sm_miss *miss = miss_at(s, 0);

        if (s->l1.infinite)
            cache_fill(&s->l1, miss->line);
        notes_do(s, &miss->notes);
        s->first_miss = around(s->first_miss + 1, s->machine->mshrs);
        s->num_misses--;
        s->lsu_stuck = false;
    }
}

/* ---- one line per cycle ----------------------------------------------------------- */

enum where { IN_L1, ON_ITS_WAY, FAR_AWAY };

static bool l1_is_bounded(const sim_sm *s)
{
    return s->l1.ways && !s->l1.infinite;
}

/* A line on its way has its place in an L1 with a bound. */
static enum where where_is(sim_sm *s, uint64_t line, uint64_t now)
{
    if (l1_is_bounded(s)) {
        const cache_line *place = cache_find(&s->l1, line);

        if (!place)
            return FAR_AWAY;
        return place->ready <= now ? IN_L1 : ON_ITS_WAY;
    }
    if (cache_hit(&s->l1, line))
        return IN_L1;
    return find_miss(s, line) ? ON_ITS_WAY : FAR_AWAY;
}

/* A miss takes its place in L1 at once, that of a line whose data are there. NULL if it has to wait: for the memory, or, stuck until a
 * line arrives, for such a place or one among the misses. */
static sm_miss *begin_miss(sim_sm *s, unsigned warp, uint64_t line, uint64_t now)
{
    cache_line pushed_out = {0}, *place = NULL;
    sm_miss *miss;

    s->lsu_stuck = s->num_misses == s->machine->mshrs;
    s->lsu_until = memory_room_at(s->memory, line);
    if (s->lsu_stuck || s->lsu_until > now)
        return NULL;
    if (l1_is_bounded(s)) {
        place = cache_put(&s->l1, line, now, &pushed_out);
        s->lsu_stuck = !place;
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
    enum where where;
    sm_miss *miss;

    if (s->lsu_stuck || !notes_left(s))
        return false;
    where = where_is(s, line, now);
    if (where == IN_L1) {
        s->counts.l1_hits++;
        note_in(s, s->machine->l1_latency, LINE, a->warp, a->window);
        return true;
    }
    miss = where == ON_ITS_WAY ? find_miss(s, line) : begin_miss(s, a->warp, line, now);
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
    s->lsu_until = memory_sends_at(s->memory, s->id, line);
    if (s->lsu_until > now)
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

    if (!s->lsu_count || (lsu_waits(s, now) && !s->each))
        return;
    if (!take_line(s, a, now) || ++a->next < a->num)
        return;
    s->lsu_first = around(s->lsu_first + 1, s->machine->lsu_queue);
    s->lsu_count--;
}
