/* SPDX-License-Identifier: Apache-2.0
 *
 * The hot path: one call is one cycle, and most cycles differ little from the one before.
 * A cycle inside an unchanged run costs a few additions; a changed one a few operations
 * per warp that changes. Nothing in a frame is trusted, its checksum notwithstanding.
 */
#include "common/popcount.h"
#include "recording/reader.h"

void decode_begin(trace_reader *r)
{
    const frame_header *h = &r->head;
    const uint32_t *raw = h->sizes.raw;
    const uint8_t *p = r->streams.p;
    memcpy(r->obs.ws, h->before.ws, sizeof r->obs.ws);
    memcpy(r->setup.warp_slot, h->before.warp_slot, sizeof r->setup.warp_slot);
    r->obs.paused = h->before.paused;
    r->obs.cta_start = r->obs.cta_done = 0;
    r->obs.cta_active = h->before.active;
    r->setup.kernel = (ballast_kernel_desc){0};
    r->setup.kernel_id = 0;
    if (h->d.launch != LAUNCH_NONE) {
        r->setup.kernel = r->meta.launches[h->d.launch].desc;
        r->setup.kernel_id = sm_kernel_id(r->meta.launches[h->d.launch].name);
    }
    r->obs.kernel_start = h->d.flags & FRAME_KERNEL_START;
    r->at = (cursor){
        .instructions = h->d.instructions,
        .ctas = h->d.ctas,
        .active_after = h->before.active,
        .issued = ballast_popcount64(sm_obs_issued(&r->obs)),
        .pulses = r->obs.kernel_start ? 2 : 0,
        .end = h->d.cycles,
    };
    r->at.op = p;
    r->at.op_end = r->at.warp = p + raw[STREAM_OPS];
    r->at.warp_end = r->at.state = r->at.warp + raw[STREAM_WARPS];
    r->at.event = r->at.state + raw[STREAM_STATES];
    r->at.event_end = r->at.event + raw[STREAM_EVENTS];
    r->cls = (class_cursor){0};
    r->fault.text[0] = '\0';
}

__attribute__((cold, noinline)) static bool corrupt(trace_reader *r, const char *what)
{
    reader_fail(r, &r->fault, reader_ref(r, r->frame)->offset, what);
    return false;
}

/* ---- events (rare) -------------------------------------------------------------- */

static bool take(cursor *at, void *value, unsigned n)
{
    if ((size_t)(at->event_end - at->event) < n)
        return false;
    const uint64_t v = get_le(at->event, n);
    at->event += n;
    if (n == 1)
        *(uint8_t *)value = (uint8_t)v;
    else if (n == 4)
        *(uint32_t *)value = (uint32_t)v;
    else
        *(uint64_t *)value = v;
    return true;
}

static bool take_starts(trace_reader *r)
{
    if (!take(&r->at, &r->obs.cta_start, 4))
        return false;
    for (unsigned s = 0; s < BALLAST_MAX_SLOTS; s++) {
        uint64_t warps;
        if (!(r->obs.cta_start >> s & 1))
            continue;
        if (!take(&r->at, &warps, 8) || (warps & r->warp_limit))
            return false;
        for (unsigned w = 0; w < BALLAST_MAX_WARPS; w++)
            if (warps >> w & 1)
                r->setup.warp_slot[w] = (uint8_t)s;
    }
    return true;
}

__attribute__((noinline)) static bool take_events(trace_reader *r)
{
    uint8_t kinds;
    uint64_t paused = 0;
    if (!take(&r->at, &kinds, 1) || kinds == 0 || kinds > EVENT_ALL)
        return false;
    if ((kinds & EVENT_START) && !take_starts(r))
        return false;
    if ((kinds & EVENT_DONE) && !take(&r->at, &r->obs.cta_done, 4))
        return false;
    if ((kinds & EVENT_PAUSED) && !take(&r->at, &paused, 8))
        return false;
    r->obs.paused ^= paused;

    const uint32_t was = r->at.active_after;
    const uint32_t start = r->obs.cta_start, done = r->obs.cta_done;
    if (((start | done) & ~low_bits(r->meta.geometry.slots)) || (paused & r->warp_limit) ||
        slot_conflicts(was, start, done))
        return false;
    r->obs.cta_active = was | start;
    r->at.active_after = active_after(was, start, done);
    if (!r->obs.kernel_start)
        r->at.ctas += ballast_popcount64(done);
    r->at.pulses = 1;
    return true;
}

/* ---- cycles --------------------------------------------------------------------- */

static inline void clear_pulses(trace_reader *r)
{
    r->obs.kernel_start = 0;
    r->obs.cta_start = r->obs.cta_done = 0;
    r->obs.cta_active = r->at.active_after;
}

typedef uint64_t plane_pair __attribute__((vector_size(16)));

/* For each state code, the planes in which its bit is one, as masks. */
#define PLANE_MASK(state, bit) ((state) >> (bit) & 1 ? UINT64_MAX : 0)
#define STATE_PLANES(s) \
    {{PLANE_MASK(s, 0), PLANE_MASK(s, 1)}, {PLANE_MASK(s, 2), PLANE_MASK(s, 3)}}
static const plane_pair state_planes[16][2] = {
    STATE_PLANES(0),  STATE_PLANES(1),  STATE_PLANES(2),  STATE_PLANES(3),
    STATE_PLANES(4),  STATE_PLANES(5),  STATE_PLANES(6),  STATE_PLANES(7),
    STATE_PLANES(8),  STATE_PLANES(9),  STATE_PLANES(10), STATE_PLANES(11),
    STATE_PLANES(12), STATE_PLANES(13), STATE_PLANES(14), STATE_PLANES(15),
};

enum { BATCH = 3 };
_Static_assert(BATCH <= DECODE_SLACK + 1, "a batch may read past the end of the streams");

/* n warps change state. How many is hard to predict for the CPU, so they are taken in
 * batches without a branch in them; a batch's surplus has an empty mask. */
static inline bool apply_changes(trace_reader *r, unsigned n)
{
    if ((size_t)(r->at.warp_end - r->at.warp) < n)
        return corrupt(r, "a frame has fewer state changes than it announces");
    const uint8_t *warp = r->at.warp, *state = r->at.state;
    plane_pair changed = {0, 0}, low = {0, 0}, high = {0, 0};
    unsigned i = 0;
    do {
        for (unsigned k = 0; k < BATCH; k++) {
            const uint64_t bit = (uint64_t)(i + k < n) << (warp[i + k] & 63);
            const plane_pair mask = {bit, bit};
            const plane_pair *planes = state_planes[state[i + k] & 15];
            changed |= mask;
            low |= planes[0] & mask;
            high |= planes[1] & mask;
        }
        i += BATCH;
    } while (i < n);
    r->at.warp = warp + n;
    r->at.state = state + n;

    uint64_t *ws = r->obs.ws;
    const uint64_t kept = ~changed[0];
    ws[0] = (ws[0] & kept) | low[0];
    ws[1] = (ws[1] & kept) | low[1];
    ws[2] = (ws[2] & kept) | high[0];
    ws[3] = (ws[3] & kept) | high[1];
    r->at.issued = ballast_popcount64(sm_obs_issued(&r->obs));
    if ((changed[0] & r->warp_limit) | reserved_states(ws))
        return corrupt(r, "a frame gives a warp a state that does not exist");
    return true;
}

/* The frame's claims about itself, checked once all its cycles are decoded. */
static bool check_end(trace_reader *r)
{
    const frame_descriptor *d = &r->head.d;
    if (r->at.op != r->at.op_end || r->at.run || r->at.warp != r->at.warp_end ||
        r->at.event != r->at.event_end)
        return corrupt(r, "a frame holds more than its cycles");
    if (r->at.instructions != d->instructions + d->frame_instructions ||
        r->at.ctas != d->ctas + d->frame_ctas)
        return corrupt(r, "a frame's progress is not what its cycles add up to");
    return true;
}

static inline bool count_cycle(trace_reader *r)
{
    r->at.pos++;
    r->at.instructions += r->at.issued;
    return r->at.pos < r->head.d.cycles || check_end(r);
}

static inline bool next_op(trace_reader *r, unsigned *op)
{
    if (r->at.op == r->at.op_end)
        return corrupt(r, "a frame ends before its last cycle");
    *op = *r->at.op++;
    return true;
}

/* A run has been read from the stream: its first cycle. */
static bool begin_run(trace_reader *r, unsigned op)
{
    uint32_t run = op - OP_CHANGES_MAX;
    if (op == OP_RUN_LONG) {
        if (r->at.op_end - r->at.op < 2)
            return corrupt(r, "a frame ends in the middle of a run");
        run = get_u16(r->at.op);
        r->at.op += 2;
    }
    if (run == 0)
        return corrupt(r, "a frame has a run of no cycles");
    r->at.run = run - 1;
    return count_cycle(r);
}

/* Once in trace_next, where it is hot, and once in decode_cycle. */
__attribute__((always_inline)) static inline bool step(trace_reader *r)
{
    if (r->at.pulses && --r->at.pulses == 0)
        clear_pulses(r);
    if (r->at.run) {
        r->at.run--;
        return count_cycle(r);
    }
    unsigned op = 0;
    if (!next_op(r, &op))
        return false;
    if (op > OP_CHANGES_MAX && op != OP_EVENT)
        return begin_run(r, op);
    if (op == OP_EVENT) {
        if (!take_events(r))
            return corrupt(r, "a frame has a malformed event");
        if (!next_op(r, &op))
            return false;
        if (op > OP_CHANGES_MAX)
            return corrupt(r, "a frame has an event without its cycle");
    }
    return apply_changes(r, op) && count_cycle(r);
}

bool decode_cycle(trace_reader *r)
{
    return step(r);
}

/* ---- across frames -------------------------------------------------------------- */

/* The frames of an SM are pieces of one stream, so each has to start where the decoder stands
 * at the end of the one before, unless it says that the stream has a cut there. */
static bool continues(const trace_reader *r, const sm_obs *was, uint32_t active)
{
    const frame_snapshot *s = &r->head.before;
    if (r->head.d.flags & FRAME_CUT)
        return true;
    return memcmp(s->ws, was->ws, sizeof s->ws) == 0 && s->active == active &&
           s->paused == was->paused &&
           memcmp(s->warp_slot, was->setup->warp_slot, r->meta.geometry.warps) == 0;
}

static bool next_frame(trace_reader *r, trace_err *err)
{
    sm_kept was;
    const uint32_t active = r->at.active_after;
    const bool sequel = r->loaded;
    const uint32_t index = r->loaded ? r->frame + 1 : r->frame;
    if (index == r->selected->count) {
        err->text[0] = '\0';
        err->offset = UINT64_MAX;
        return false;
    }
    sm_keep(&was, &r->obs);
    if (!frame_load(r, index, err))
        return false;
    if (sequel && !continues(r, &was.obs, active)) {
        corrupt(r, "a frame does not continue the one before it");
        r->at.end = 0;
        *err = r->fault;
        return false;
    }
    return true;
}

/* Whatever is not the next cycle of a loaded, intact frame. */
static bool leave_hot_path(trace_reader *r, trace_err *err)
{
    if (r->at.pending) {
        r->at.pending = false;
        r->at.end = r->head.d.cycles;
        return true;
    }
    if (r->fault.text[0]) {
        *err = r->fault;
        return false;
    }
    return next_frame(r, err) && (decode_cycle(r) || (*err = r->fault, false));
}

const sm_obs *trace_next(trace_reader *r, trace_err *err)
{
    if (r->at.pos < r->at.end) {
        if (step(r))
            return &r->obs;
        r->at.end = 0;
        if (err)
            *err = r->fault;
        return NULL;
    }
    trace_err ignored;
    return leave_hot_path(r, err ? err : &ignored) ? &r->obs : NULL;
}

/* ---- several cycles at once ----------------------------------------------------- */

uint32_t trace_repeats(const trace_reader *r)
{
    return r->at.pulses || r->at.pos >= r->at.end ? 0 : r->at.run;
}

bool trace_repeat(trace_reader *r, uint32_t n, trace_err *err)
{
    if (n == 0)
        return true;
    r->at.run -= n;
    r->at.pos += n - 1;
    r->at.instructions += (uint64_t)r->at.issued * (n - 1);
    if (count_cycle(r))
        return true;
    r->at.end = 0;
    if (err)
        *err = r->fault;
    return false;
}

bool trace_may_have_new_setup(const trace_reader *r)
{
    return r->obs.cta_start || r->at.pos == 1;
}
