/* SPDX-License-Identifier: Apache-2.0
 *
 * Positions in a recording. The list of frames narrows a position down to one frame; the
 * rest is decoding, with the found cycle left pending for trace_next.
 */
#include "recording/reader.h"

static bool unknown(const trace_reader *r, trace_err *err, const char *todo, const char *what,
                    unsigned long long n)
{
    return format_fail(err, r->path, UINT64_MAX, todo, "SM %u has no %s %llu", r->selected->info.sm,
                       what, n);
}

bool trace_select_sm(trace_reader *r, unsigned sm, trace_err *err)
{
    for (unsigned i = 0; i < r->num_sms; i++) {
        if (r->sms[i].info.sm != sm)
            continue;
        r->selected = &r->sms[i];
        r->frame = 0;
        r->loaded = false;
        r->at = (cursor){0};
        r->fault.text[0] = '\0';
        return true;
    }
    return format_fail(err, r->path, UINT64_MAX, "choose one that is recorded",
                       "SM %u is not in this recording", sm);
}

/* Makes frame `index` the loaded one, at its start or further. */
static bool stand_in(trace_reader *r, uint32_t index, trace_err *err)
{
    if (!r->loaded || r->frame != index || r->fault.text[0])
        return frame_load(r, index, err);
    return true;
}

typedef uint64_t position_fn(const trace_reader *r);

static uint64_t cycles_done(const trace_reader *r) { return r->at.pos; }

/* Decodes frame `index` up to its first cycle with position(r) >= target, or its last. */
static bool run_to(trace_reader *r, uint32_t index, position_fn *position, uint64_t target,
                   trace_err *err)
{
    if (!stand_in(r, index, err))
        return false;
    if (r->at.pos > 0 && position(r) >= target)
        decode_begin(r);
    while (r->at.pos == 0 || (position(r) < target && r->at.pos < r->head.d.cycles)) {
        if (decode_cycle(r))
            continue;
        r->at.end = 0;
        if (err)
            *err = r->fault;
        return false;
    }
    r->at.pending = true;
    r->at.end = 0;
    return true;
}

static const frame_descriptor *descriptor(const trace_reader *r, uint32_t index)
{
    return &reader_ref(r, index)->d;
}

/* First frame in [from, to) whose `end` reaches target, else the last one. */
static uint32_t find(const trace_reader *r, uint32_t from, uint32_t to,
                     uint64_t (*end)(const frame_descriptor *), uint64_t target)
{
    uint32_t last = to - 1;
    while (from < last) {
        const uint32_t mid = from + (last - from) / 2;
        if (end(descriptor(r, mid)) >= target)
            last = mid;
        else
            from = mid + 1;
    }
    return from;
}

static uint64_t end_cycle(const frame_descriptor *d) { return d->first_cycle + d->cycles - 1; }
static uint64_t end_instructions(const frame_descriptor *d)
{
    return d->instructions + d->frame_instructions;
}
static uint64_t end_ctas(const frame_descriptor *d) { return d->ctas + d->frame_ctas; }

/* Launches only grow along an SM's frames; those before the first have none. */
static unsigned launch_rank(const frame_descriptor *d)
{
    return d->launch == LAUNCH_NONE ? 0 : d->launch + 1u;
}

static bool launch_frames(const trace_reader *r, unsigned launch, uint32_t *from, uint32_t *to,
                          trace_err *err)
{
    const uint32_t n = r->selected->count;
    const unsigned rank = launch < r->meta.num_launches ? launch + 1 : UINT32_MAX;
    uint32_t i = 0;
    while (i < n && launch_rank(descriptor(r, i)) < rank)
        i++;
    *from = i;
    while (i < n && launch_rank(descriptor(r, i)) == rank)
        i++;
    *to = i;
    return *from < *to || unknown(r, err, "choose one that it runs", "cycle of launch", launch);
}

bool trace_seek_cycle(trace_reader *r, uint64_t cycle, trace_err *err)
{
    const trace_sm_info *info = &r->selected->info;
    if (cycle < info->first_cycle || cycle - info->first_cycle >= info->cycles)
        return unknown(r, err, "choose one that is recorded", "cycle", cycle);
    const uint32_t index = find(r, 0, r->selected->count, end_cycle, cycle);
    return run_to(r, index, cycles_done, cycle - descriptor(r, index)->first_cycle + 1, err);
}

bool trace_seek_launch(trace_reader *r, unsigned launch, trace_err *err)
{
    uint32_t from, to;
    return launch_frames(r, launch, &from, &to, err) && run_to(r, from, cycles_done, 1, err);
}

bool trace_seek_instructions(trace_reader *r, unsigned launch, uint64_t instructions, trace_err *err)
{
    uint32_t from, to;
    return launch_frames(r, launch, &from, &to, err) &&
           run_to(r, find(r, from, to, end_instructions, instructions), trace_launch_instructions,
                  instructions, err);
}

bool trace_seek_ctas(trace_reader *r, unsigned launch, uint64_t ctas, trace_err *err)
{
    uint32_t from, to;
    return launch_frames(r, launch, &from, &to, err) &&
           run_to(r, find(r, from, to, end_ctas, ctas), trace_launch_ctas, ctas, err);
}

/* ---- recorded classes ----------------------------------------------------------- */

static bool class_run(trace_reader *r)
{
    class_cursor *c = &r->cls;
    if (c->p == c->end)
        return false;
    unsigned run = *c->p >> CLASS_RUN_SHIFT;
    c->value = *c->p++ & ((1u << CLASS_RUN_SHIFT) - 1);
    if (run == 0) {
        if (c->end - c->p < 2)
            return false;
        run = get_u16(c->p);
        c->p += 2;
    }
    c->covered += run;
    return run > 0 && c->value <= CLASS_NONE;
}

bool trace_recorded_class(trace_reader *r, uint8_t *cls, trace_err *err)
{
    *cls = TRACE_NO_CLASS;
    if (!r->loaded || r->at.pos == 0 || r->head.sizes.raw[STREAM_CLASSES] == 0)
        return true;
    if (!r->cls.loaded && !frame_load_classes(r, err))
        return false;
    const uint64_t pos = r->at.pos - 1u;
    while (r->cls.covered <= pos)
        if (!class_run(r))
            return reader_fail(r, err, reader_ref(r, r->frame)->offset,
                               "a frame's class section is malformed");
    if (r->cls.value != CLASS_NONE)
        *cls = r->cls.value;
    return true;
}
