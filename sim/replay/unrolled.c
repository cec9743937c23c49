/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/unrolled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/popcount.h"

/* ---- taking a launch in ----------------------------------------------------------------- */

typedef struct unrolling {
    unrolled *u;
    const unrolled_options *options;
    stall_classifier_out class; /* of the warps that came last */
    unsigned lanes, issued;
    unrolled_sums sums;
    uint64_t instructions;
} unrolling;

/* A place for one more; NULL: out of memory. */
static void *more(unrolled_list *list, size_t size)
{
    if (list->num == list->room) {
        const size_t room = 2 * list->room + 64;
        void *at = realloc(list->at, room * size);

        if (!at)
            return NULL;
        list->at = at;
        list->room = room;
    }
    return (unsigned char *)list->at + size * list->num++;
}

/* NULL: there is none yet. */
static const void *last_of(const unrolled_list *list, size_t size)
{
    return list->num ? (const unsigned char *)list->at + size * (list->num - 1) : NULL;
}

static bool begin_block(unrolling *x)
{
    unrolled_block *b = more(&x->u->blocks, sizeof *b);

    if (b)
        *b = (unrolled_block){.warps = x->u->warps.num, .issued = x->instructions, .before = x->sums};
    return b != NULL;
}

static void classify(unrolling *x, const unrolled_warps *w)
{
    const stall_classifier_in in = {w->ws[0], w->ws[1], w->ws[2], w->ws[3], w->paused};
    const sm_obs obs = {.ws = {w->ws[0], w->ws[1], w->ws[2], w->ws[3]}};

    x->class = stall_classifier_of(&x->options->classifier, &in);
    x->issued = ballast_popcount64(sm_obs_issued(&obs));
    x->lanes = x->issued < x->options->issue_width ? x->issued : x->options->issue_width;
}

/* The warps of a cycle, if they are others than before: 1, 0, or -1 without memory. */
static int take_warps(unrolling *x, const sm_obs *obs)
{
    const unrolled_warps *last = last_of(&x->u->warps, sizeof *last);
    unrolled_warps *w;

    if (last && !memcmp(last->ws, obs->ws, sizeof last->ws) && last->paused == obs->paused)
        return 0;
    w = more(&x->u->warps, sizeof *w);
    if (!w)
        return -1;
    memcpy(w->ws, obs->ws, sizeof w->ws);
    w->paused = obs->paused;
    classify(x, w);
    return 1;
}

/* In the cycles of `mask`, `n` of one block, the warps are those that came last. */
static void fill(unrolling *x, unrolled_block *b, uint64_t mask, unsigned n)
{
    const unsigned ps = x->class.ps_class, lcs = x->class.lcs_class;

    for (unsigned bit = 0; bit < 2; bit++) {
        b->ps[bit] |= ps >> bit & 1 ? mask : 0;
        b->lcs[bit] |= lcs >> bit & 1 ? mask : 0;
    }
    for (unsigned bit = 0; bit < UNROLLED_LANES; bit++)
        b->lanes[bit] |= x->lanes >> bit & 1 ? mask : 0;
    b->mem |= x->class.ps_mem ? mask : 0;
    x->sums.stalled += ps == BALLAST_PS_SCOREBOARD || ps == BALLAST_PS_PIPELINE ? n : 0;
    x->sums.idle += lcs == BALLAST_LCS_IDLE ? n : 0;
    x->sums.mem += lcs == BALLAST_LCS_MEM_STALL ? n : 0;
    x->sums.lanes += (uint64_t)x->lanes * n;
    x->instructions += (uint64_t)x->issued * n;
}

static bool take_cycles(unrolling *x, const sm_obs *obs, uint64_t n)
{
    int changed = -1;

    while (n) {
        const unsigned at = x->u->cycles % UNROLLED_BLOCK, here = n < UNROLLED_BLOCK - at ? (unsigned)n : UNROLLED_BLOCK - at;
        unrolled_block *b;

        if (at == 0 && !begin_block(x))
            return false;
        if (changed < 0 && (changed = take_warps(x, obs)) < 0)
            return false;
        b = (unrolled_block *)x->u->blocks.at + x->u->blocks.num - 1;
        b->changed |= (uint64_t)changed << at;
        changed = 0;
        fill(x, b, (~UINT64_C(0) >> (UNROLLED_BLOCK - here)) << at, here);
        x->u->cycles += here;
        n -= here;
    }
    return true;
}

static bool take_setup(unrolled *u, const sm_setup *setup)
{
    const sm_setup *last = last_of(&u->setups, sizeof *last);
    sm_setup *place;

    if (last && sm_setup_equal(last, setup))
        return true;
    place = more(&u->setups, sizeof *place);
    if (place)
        *place = *setup;
    return place != NULL;
}

static bool is_event(const unrolled *u, const trace_reader *r, const sm_obs *obs)
{
    const unrolled_event *last = last_of(&u->events, sizeof *last);

    return !last || obs->kernel_start || obs->cta_start || obs->cta_done || obs->cta_active != last->active || trace_may_have_new_setup(r);
}

static bool take_event(unrolled *u, const trace_reader *r, const sm_obs *obs)
{
    unrolled_event *e;

    if (!is_event(u, r, obs))
        return true;
    e = take_setup(u, obs->setup) ? more(&u->events, sizeof *e) : NULL;
    if (e)
        *e = (unrolled_event){u->cycles, trace_launch_ctas(r), u->setups.num - 1, obs->cta_active, obs->cta_start, obs->cta_done, obs->kernel_start};
    return e != NULL;
}

static bool no_memory(trace_err *err)
{
    err->offset = UINT64_MAX;
    snprintf(err->text, sizeof err->text, "out of memory for a recording that is decoded as a whole; replay it without --side model");
    return false;
}

/* What a recording says of progress is what its cycles add up to: the reader has checked it. A cut-out begins with some. */
static bool take_launch(unrolling *x, trace_reader *r, trace_err *err)
{
    const sm_obs *obs;

    while ((obs = trace_next(r, err)) && trace_launch_index(r) == x->options->launch) {
        const uint32_t repeats = trace_repeats(r);

        if (x->u->cycles == 0) {
            x->u->first_cycle = trace_cycle(r);
            x->instructions = trace_launch_instructions(r) - ballast_popcount64(sm_obs_issued(obs));
        }
        if (!take_event(x->u, r, obs) || !take_cycles(x, obs, 1u + repeats))
            return no_memory(err);
        if (!trace_repeat(r, repeats, err))
            return false;
    }
    return !err->text[0];
}

/* What stands behind the last cycle. */
static bool end(unrolling *x, trace_err *err)
{
    unrolled_event *last = more(&x->u->events, sizeof *last);

    x->u->instructions = x->instructions;
    if (!last || !begin_block(x))
        return no_memory(err);
    *last = (unrolled_event){.cycle = x->u->cycles};
    x->u->events.num--;
    return true;
}

unrolled *unrolled_open(trace_reader *r, const unrolled_options *options, trace_err *err)
{
    unrolled *u = calloc(1, sizeof *u);
    unrolling x = {.u = u, .options = options};

    err->text[0] = '\0';
    if (!u)
        no_memory(err);
    else if (trace_select_sm(r, options->sm, err) && trace_seek_launch(r, options->launch, err) && take_launch(&x, r, err) && end(&x, err))
        return u;
    unrolled_close(u);
    return NULL;
}

void unrolled_close(unrolled *u)
{
    if (!u)
        return;
    free(u->blocks.at);
    free(u->warps.at);
    free(u->events.at);
    free(u->setups.at);
    free(u);
}

/* ---- asking ----------------------------------------------------------------------------- */

/* Of the block's cycles up to this one. */
static uint64_t up_to(uint64_t cycle)
{
    return ~UINT64_C(0) >> (UNROLLED_BLOCK - 1 - cycle % UNROLLED_BLOCK);
}

static uint64_t before(uint64_t cycle)
{
    return (UINT64_C(1) << cycle % UNROLLED_BLOCK) - 1;
}

static const unrolled_block *block_of(const unrolled *u, uint64_t cycle)
{
    return &unrolled_blocks(u)[cycle / UNROLLED_BLOCK];
}

static const unrolled_warps *warps_of(const unrolled *u, uint64_t cycle)
{
    const unrolled_block *b = block_of(u, cycle);

    return (const unrolled_warps *)u->warps.at + b->warps + ballast_popcount64(b->changed & up_to(cycle)) - 1;
}

size_t unrolled_event_of(const unrolled *u, uint64_t cycle)
{
    size_t from = 0, to = u->events.num;

    while (to - from > 1) {
        const size_t middle = from + (to - from) / 2;

        if (unrolled_events(u)[middle].cycle <= cycle)
            from = middle;
        else
            to = middle;
    }
    return from;
}

void unrolled_bus(const unrolled *u, uint64_t cycle, size_t event, sm_obs *obs)
{
    const unrolled_warps *w = warps_of(u, cycle);
    const unrolled_event *e = &unrolled_events(u)[event];
    const bool pulse = e->cycle == cycle;

    *obs = (sm_obs){.paused = w->paused,
                    .setup = (const sm_setup *)u->setups.at + e->setup,
                    .cta_active = e->active,
                    .cta_start = pulse ? e->start : 0,
                    .cta_done = pulse ? e->done : 0,
                    .kernel_start = pulse ? e->kernel_start : 0};
    memcpy(obs->ws, w->ws, sizeof obs->ws);
}

uint64_t unrolled_same(const unrolled *u, uint64_t cycle, uint64_t most)
{
    uint64_t found = cycle + 1;

    while (found - cycle < most) {
        const uint64_t left = block_of(u, found)->changed >> found % UNROLLED_BLOCK;

        if (left) {
            found += (unsigned)__builtin_ctzll(left);
            break;
        }
        found += UNROLLED_BLOCK - found % UNROLLED_BLOCK;
    }
    return found - cycle < most ? found - cycle : most;
}

static unsigned bits_of(const uint64_t *words, unsigned num, uint64_t cycle)
{
    unsigned value = 0;

    for (unsigned bit = 0; bit < num; bit++)
        value |= (unsigned)(words[bit] >> cycle % UNROLLED_BLOCK & 1) << bit;
    return value;
}

unsigned unrolled_lanes(const unrolled *u, uint64_t cycle)
{
    return bits_of(block_of(u, cycle)->lanes, UNROLLED_LANES, cycle);
}

void unrolled_sum(const unrolled *u, uint64_t cycle, unrolled_sums *sums)
{
    const unrolled_block *b = block_of(u, cycle);
    const uint64_t some = before(cycle);

    *sums = b->before;
    if (!some)
        return;
    sums->stalled += ballast_popcount64((b->ps[0] ^ b->ps[1]) & some);
    sums->idle += ballast_popcount64(~b->lcs[0] & ~b->lcs[1] & some);
    sums->mem += ballast_popcount64(b->lcs[0] & ~b->lcs[1] & some);
    for (unsigned bit = 0; bit < UNROLLED_LANES; bit++)
        sums->lanes += (uint64_t)ballast_popcount64(b->lanes[bit] & some) << bit;
}

static uint64_t issued_in(const unrolled *u, uint64_t cycle)
{
    sm_obs obs = {.paused = 0};

    memcpy(obs.ws, warps_of(u, cycle)->ws, sizeof obs.ws);
    return ballast_popcount64(sm_obs_issued(&obs));
}

/* By the end of the cycles before `to` of the block in which `from` is the first; stops where `enough` is reached. */
static uint64_t add_issued(const unrolled *u, uint64_t *from, uint64_t to, uint64_t enough)
{
    uint64_t sum = block_of(u, *from)->issued;

    while (*from < to) {
        const uint64_t n = unrolled_same(u, *from, to - *from), each = issued_in(u, *from);

        if (sum + n * each >= enough) {
            const uint64_t needed = enough > sum ? (enough - sum + each - 1) / each : 1; /* each > 0: else it was enough before */

            *from += needed - 1;
            return sum + needed * each;
        }
        sum += n * each;
        *from += n;
    }
    return sum;
}

uint64_t unrolled_issued(const unrolled *u, uint64_t cycle)
{
    uint64_t from = cycle - cycle % UNROLLED_BLOCK;

    return add_issued(u, &from, cycle + 1, UINT64_MAX);
}

uint64_t unrolled_find_issued(const unrolled *u, uint64_t instructions)
{
    uint64_t from = 0, to = u->blocks.num - 1, cycle;

    if (u->instructions < instructions)
        return u->cycles - 1;
    while (to - from > 1) { /* the block at `from` begins below */
        const uint64_t middle = from + (to - from) / 2;

        if (unrolled_blocks(u)[middle].issued < instructions)
            from = middle;
        else
            to = middle;
    }
    cycle = from * UNROLLED_BLOCK;
    to = cycle + UNROLLED_BLOCK < u->cycles ? cycle + UNROLLED_BLOCK : u->cycles;
    add_issued(u, &cycle, to, instructions);
    return cycle < u->cycles ? cycle : u->cycles - 1;
}

uint64_t unrolled_find_ctas(const unrolled *u, uint64_t ctas)
{
    size_t from = 0, to = u->events.num;

    while (from < to) {
        const size_t middle = from + (to - from) / 2;

        if (unrolled_events(u)[middle].ctas < ctas)
            from = middle + 1;
        else
            to = middle;
    }
    return from < u->events.num ? unrolled_events(u)[from].cycle : u->cycles - 1;
}
