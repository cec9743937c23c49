/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/vcd_export.h"

#include <inttypes.h>
#include <stdlib.h>

#include "recording/input.h"
#include "recording/raw_export.h"

enum { KERNEL_START, CTA_ACTIVE, CTA_START, CTA_DONE, CLASS, PAUSED, WARPS, SIGNALS = WARPS + BALLAST_MAX_WARPS };
enum { CODE_FIRST = '!', CODES = 94, STATE_BITS = 4, CLASS_BITS = 3, NO_CLASS = 4 };

typedef struct vcd_sm {
    bool known;
    uint64_t end; /* the cycle behind its last one */
    uint64_t value[SIGNALS];
} vcd_sm;

typedef struct vcd {
    FILE *f;
    trace_geometry geometry;
    bool began;
    uint64_t cycle; /* of the last line of time */
    uint64_t next_end; /* the first end of an SM that is not written */
    unsigned num;
    vcd_sm *sm;
} vcd;

static unsigned width_of(const vcd *v, unsigned signal)
{
    switch (signal) {
    case KERNEL_START: return 1;
    case CTA_ACTIVE:
    case CTA_START:
    case CTA_DONE: return v->geometry.slots;
    case CLASS: return CLASS_BITS;
    case PAUSED: return v->geometry.warps;
    default: return STATE_BITS;
    }
}

static unsigned num_signals(const vcd *v) { return WARPS + v->geometry.warps; }

/* The short name of a signal in the file. */
static void put_code(const vcd *v, unsigned index, unsigned signal)
{
    unsigned n = index * num_signals(v) + signal;

    do
        putc(CODE_FIRST + (int)(n % CODES), v->f);
    while (n /= CODES);
}

static void put_head(const vcd *v, const trace_reader *r)
{
    static const char *const names[WARPS] = {"kernel_start", "cta_active", "cta_start", "cta_done", "class", "paused"};

    fputs("$timescale 1 ns $end\n", v->f);
    for (unsigned i = 0; i < trace_num_sms(r); i++) {
        fprintf(v->f, "$scope module sm%u $end\n", trace_get_sm(r, i)->sm);
        for (unsigned s = 0; s < num_signals(v); s++) {
            fprintf(v->f, "$var wire %u ", width_of(v, s));
            put_code(v, i, s);
            if (s < WARPS)
                fprintf(v->f, " %s $end\n", names[s]);
            else
                fprintf(v->f, " warp%u $end\n", s - WARPS);
        }
        fputs("$upscope $end\n", v->f);
    }
    fputs("$enddefinitions $end\n", v->f);
}

static void put_value(const vcd *v, unsigned index, unsigned signal, uint64_t value)
{
    const unsigned width = width_of(v, signal);

    if (width > 1)
        putc('b', v->f);
    for (unsigned bit = width; bit-- > 0;)
        putc(value >> bit & 1 ? '1' : '0', v->f);
    if (width > 1)
        putc(' ', v->f);
    put_code(v, index, signal);
    putc('\n', v->f);
}

static uint64_t value_of(const sm_obs *o, uint8_t cls, unsigned signal)
{
    switch (signal) {
    case KERNEL_START: return o->kernel_start;
    case CTA_ACTIVE: return o->cta_active;
    case CTA_START: return o->cta_start;
    case CTA_DONE: return o->cta_done;
    case CLASS: return cls == TRACE_NO_CLASS ? NO_CLASS : cls;
    case PAUSED: return o->paused;
    default: return sm_obs_warp_state(o, signal - WARPS);
    }
}

/* The signals whose values are others than before. */
static void put_changes(vcd *v, unsigned index, uint64_t cycle, const sm_obs *obs, uint8_t cls)
{
    vcd_sm *sm = &v->sm[index];

    for (unsigned s = 0; s < num_signals(v); s++) {
        const uint64_t value = value_of(obs, cls, s);

        if (sm->known && value == sm->value[s])
            continue;
        if (!v->began || v->cycle != cycle)
            fprintf(v->f, "#%" PRIu64 "\n", cycle);
        v->began = true;
        v->cycle = cycle;
        put_value(v, index, s, value);
        sm->value[s] = value;
    }
    sm->known = true;
}

/* Nothing is recorded of an SM from its end on. */
static void put_ends(vcd *v, uint64_t cycle)
{
    static const sm_obs nothing;

    while (v->next_end <= cycle) {
        const uint64_t now = v->next_end;

        v->next_end = UINT64_MAX;
        for (unsigned i = 0; i < v->num; i++) {
            if (v->sm[i].end == now)
                put_changes(v, i, now, &nothing, TRACE_NO_CLASS);
            if (v->sm[i].end > now && v->sm[i].end < v->next_end)
                v->next_end = v->sm[i].end;
        }
    }
}

static bool visit(void *user, unsigned index, trace_reader *r, const sm_obs *obs, trace_err *err)
{
    vcd *v = user;
    uint8_t cls;

    if (!trace_recorded_class(r, &cls, err))
        return false;
    put_ends(v, trace_cycle(r));
    put_changes(v, index, trace_cycle(r), obs, cls);
    return true;
}

static void find_ends(vcd *v, const trace_reader *r)
{
    v->next_end = UINT64_MAX;
    for (unsigned i = 0; v->sm && i < v->num; i++) {
        const trace_sm_info *sm = trace_get_sm(r, i);

        v->sm[i].end = sm->first_cycle + sm->cycles;
        if (v->sm[i].end < v->next_end)
            v->next_end = v->sm[i].end;
    }
}

static bool put_cycles(vcd *v, const char *path, const trace_walk_options *options, trace_err *err)
{
    uint64_t end = 0;

    if (!trace_walk(path, visit, v, options, err))
        return false;
    for (unsigned i = 0; i < v->num; i++)
        end = v->sm[i].end > end ? v->sm[i].end : end;
    put_ends(v, end);
    if (v->cycle != end)
        fprintf(v->f, "#%" PRIu64 "\n", end);
    return true;
}

bool vcd_export(const char *path, FILE *to, FILE *ker, const trace_walk_options *options, trace_err *err)
{
    trace_reader *r = trace_open(path, NULL, err);
    vcd v = {.f = to};
    bool ok;

    if (!r)
        return false;
    v.geometry = trace_get_meta(r)->geometry;
    v.num = trace_num_sms(r);
    v.sm = calloc(v.num + 1u, sizeof *v.sm);
    ok = v.sm || import_fail(err, path, UINT64_MAX, "out of memory");
    if (ok) {
        find_ends(&v, r);
        put_head(&v, r);
        ok = put_cycles(&v, path, options, err);
    }
    if (ok && ker)
        raw_export_kernels(trace_get_meta(r), ker);
    free(v.sm);
    trace_close(r);
    return ok;
}
