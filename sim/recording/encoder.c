/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/encoder.h"

#include "common/popcount.h"

_Static_assert(FRAME_CYCLES <= UINT16_MAX, "a run that fills a frame has to fit");

void encoder_begin(encoder *e)
{
    e->before = e->now;
    e->cycles = 0;
    e->run = 0;
    e->class_run = 0;
    e->any_class = false;
    for (unsigned i = 0; i < STREAMS; i++)
        e->stream[i].n = 0;
}

/* ---- recorded classes ----------------------------------------------------------- */

static void flush_class_run(encoder *e)
{
    if (e->class_run == 0)
        return;
    if (e->class_run <= CLASS_RUN_MAX) {
        put_u8(&e->stream[STREAM_CLASSES], e->class_run << CLASS_RUN_SHIFT | e->class_value);
    } else {
        put_u8(&e->stream[STREAM_CLASSES], e->class_value);
        put_u16(&e->stream[STREAM_CLASSES], e->class_run);
    }
    e->class_run = 0;
}

static void put_class(encoder *e, unsigned cls)
{
    const uint8_t value = (uint8_t)(cls == TRACE_NO_CLASS ? CLASS_NONE : cls);
    if (value != e->class_value)
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
    if (e->run == 1) { /* as a cycle with no changes: among busy cycles faster to decode */
        put_u8(&e->stream[STREAM_OPS], 0);
    } else if (e->run <= OP_RUN_MAX - OP_CHANGES_MAX) {
        put_u8(&e->stream[STREAM_OPS], OP_CHANGES_MAX + e->run);
    } else {
        put_u8(&e->stream[STREAM_OPS], OP_RUN_LONG);
        put_u16(&e->stream[STREAM_OPS], e->run);
    }
    e->run = 0;
}

static void put_changes(encoder *e, const sm_obs *obs, uint64_t changed, unsigned warps)
{
    put_u8(&e->stream[STREAM_OPS], ballast_popcount64(changed));
    for (unsigned w = 0; w < warps; w++) {
        if (!(changed >> w & 1))
            continue;
        put_u8(&e->stream[STREAM_WARPS], w);
        put_u8(&e->stream[STREAM_STATES], sm_obs_warp_state(obs, w));
    }
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
        if (obs->setup->warp_slot[w] == slot)
            mask |= UINT64_C(1) << w;
    return mask;
}

static void put_events(encoder *e, const sm_obs *obs, unsigned warps, unsigned kinds)
{
    put_u8(&e->stream[STREAM_EVENTS], kinds);
    if (kinds & EVENT_START) {
        put_u32(&e->stream[STREAM_EVENTS], obs->cta_start);
        for (unsigned s = 0; s < BALLAST_MAX_SLOTS; s++)
            if (obs->cta_start >> s & 1)
                put_u64(&e->stream[STREAM_EVENTS], warps_of_slot(obs, s, warps));
    }
    if (kinds & EVENT_DONE)
        put_u32(&e->stream[STREAM_EVENTS], obs->cta_done);
    if (kinds & EVENT_PAUSED)
        put_u64(&e->stream[STREAM_EVENTS], obs->paused ^ e->now.paused);
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
    memcpy(e->now.warp_slot, obs->setup->warp_slot, warps);
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
        put_u8(&e->stream[STREAM_OPS], OP_EVENT);
        put_events(e, obs, warps, kinds);
    }
    put_changes(e, obs, changed, warps);
    advance(e, obs, warps);
}

void encoder_finish(encoder *e, uint32_t raw[STREAMS])
{
    flush_run(e);
    flush_class_run(e);
    if (!e->any_class)
        e->stream[STREAM_CLASSES].n = 0;
    for (unsigned i = 0; i < STREAMS; i++)
        raw[i] = (uint32_t)e->stream[i].n;
}

bool encoder_failed(const encoder *e)
{
    for (unsigned i = 0; i < STREAMS; i++)
        if (e->stream[i].failed)
            return true;
    return false;
}

void encoder_free(encoder *e)
{
    for (unsigned i = 0; i < STREAMS; i++)
        bytes_free(&e->stream[i]);
}
