/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/encoder.h"

void encoder_begin(encoder *e)
{
    e->before = e->now;
    e->cycles = 0;
    e->run = 0;
    e->class_run = 0;
    e->any_class = false;
    e->ops.n = e->warps.n = e->states.n = e->events.n = e->classes.n = 0;
}

/* ---- recorded classes ----------------------------------------------------------- */

static void flush_class_run(encoder *e)
{
    if (e->class_run == 0)
        return;
    if (e->class_run <= CLASS_RUN_MAX) {
        put_u8(&e->classes, e->class_run << CLASS_RUN_SHIFT | e->class_value);
    } else {
        put_u8(&e->classes, e->class_value);
        put_u16(&e->classes, e->class_run);
    }
    e->class_run = 0;
}

static void put_class(encoder *e, unsigned cls)
{
    const uint8_t value = (uint8_t)(cls == TRACE_NO_CLASS ? CLASS_NONE : cls);
    if (value != e->class_value || e->class_run == UINT16_MAX)
        flush_class_run(e);
    e->class_value = value;
    e->class_run++;
    e->any_class = e->any_class || value != CLASS_NONE;
}

/* ---- warp states ---------------------------------------------------------------- */

static void flush_run(encoder *e)
{
    if (e->run == 0)
        return;
    if (e->run <= OP_RUN_MAX - OP_CHANGES_MAX) {
        put_u8(&e->ops, OP_CHANGES_MAX + e->run);
    } else {
        put_u8(&e->ops, OP_RUN_LONG);
        put_u16(&e->ops, e->run);
    }
    e->run = 0;
}

static void put_changes(encoder *e, const sm_obs *obs, uint64_t changed, unsigned warps)
{
    unsigned n = 0;
    const size_t at = e->ops.n;
    put_u8(&e->ops, 0);
    for (unsigned w = 0; w < warps; w++) {
        if (!(changed >> w & 1))
            continue;
        unsigned flip = 0;
        for (unsigned b = 0; b < BALLAST_STATE_PLANES; b++)
            flip |= (unsigned)((obs->ws[b] ^ e->now.ws[b]) >> w & 1) << b;
        put_u8(&e->warps, w);
        put_u8(&e->states, flip);
        n++;
    }
    if (!e->ops.failed)
        e->ops.p[at] = (uint8_t)n;
}

static uint64_t changed_warps(const encoder *e, const sm_obs *obs)
{
    uint64_t changed = 0;
    for (unsigned b = 0; b < BALLAST_STATE_PLANES; b++)
        changed |= obs->ws[b] ^ e->now.ws[b];
    return changed;
}

/* ---- events --------------------------------------------------------------------- */

static uint64_t warps_of_slot(const sm_obs *obs, unsigned slot, unsigned warps)
{
    uint64_t mask = 0;
    for (unsigned w = 0; w < warps; w++)
        if (obs->warp_slot[w] == slot)
            mask |= UINT64_C(1) << w;
    return mask;
}

static void put_events(encoder *e, const sm_obs *obs, unsigned warps, unsigned kinds)
{
    put_u8(&e->events, kinds);
    if (kinds & EVENT_START) {
        put_u32(&e->events, obs->cta_start);
        for (unsigned s = 0; s < BALLAST_MAX_SLOTS; s++)
            if (obs->cta_start >> s & 1)
                put_u64(&e->events, warps_of_slot(obs, s, warps));
    }
    if (kinds & EVENT_DONE)
        put_u32(&e->events, obs->cta_done);
    if (kinds & EVENT_PAUSED)
        put_u64(&e->events, obs->paused ^ e->now.paused);
}

static unsigned event_kinds(const encoder *e, const sm_obs *obs)
{
    return (obs->cta_start ? EVENT_START : 0u) | (obs->cta_done ? EVENT_DONE : 0u) |
           (obs->paused != e->now.paused ? EVENT_PAUSED : 0u);
}

static void advance(encoder *e, const sm_obs *obs, unsigned warps)
{
    memcpy(e->now.ws, obs->ws, sizeof e->now.ws);
    e->now.paused = obs->paused;
    if (!obs->cta_start && !obs->cta_done)
        return;
    e->now.active = active_after(e->now.active, obs->cta_start, obs->cta_done);
    memcpy(e->now.warp_slot, obs->warp_slot, warps);
}

void encoder_cycle(encoder *e, const sm_obs *obs, unsigned warps, unsigned cls)
{
    const uint64_t changed = changed_warps(e, obs);
    const unsigned kinds = event_kinds(e, obs);
    put_class(e, cls);
    e->cycles++;
    if (!changed && !kinds) {
        e->run++;
        return;
    }
    flush_run(e);
    if (kinds) {
        put_u8(&e->ops, OP_EVENT);
        put_events(e, obs, warps, kinds);
    }
    put_changes(e, obs, changed, warps);
    advance(e, obs, warps);
}

void encoder_finish(encoder *e, frame_sizes *sizes)
{
    flush_run(e);
    flush_class_run(e);
    if (!e->any_class)
        e->classes.n = 0;
    *sizes = (frame_sizes){
        .ops = (uint32_t)e->ops.n,
        .changes = (uint32_t)e->warps.n,
        .events = (uint32_t)e->events.n,
        .classes = (uint32_t)e->classes.n,
    };
}

bool encoder_failed(const encoder *e)
{
    return e->ops.failed || e->warps.failed || e->states.failed || e->events.failed ||
           e->classes.failed;
}

void encoder_free(encoder *e)
{
    bytes_free(&e->ops);
    bytes_free(&e->warps);
    bytes_free(&e->states);
    bytes_free(&e->events);
    bytes_free(&e->classes);
}
