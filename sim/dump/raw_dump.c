/* SPDX-License-Identifier: Apache-2.0 */
#include "dump/raw_dump.h"

#include <stdlib.h>
#include <string.h>

#include "recording/bytes.h"
#include "dump/dump.h"
#include "recording/format.h"
#include "recording/input.h"

enum { PROGRESS_CYCLES = 8192 };

typedef struct raw_dump {
    dump *from;
    const raw_tables *tables;
    unsigned index;                 /* of the SM that comes next in this cycle */
    bool runs;                      /* the first kernel has started */
    uint32_t active[TRACE_MAX_SMS]; /* CTA slots after the cycle before */
    dump_sm sm;
} raw_dump;

/* ---- one cycle -------------------------------------------------------------------- */

/* Whether a kernel has started by this cycle; what is before is not looked at. Without a signal of starts the table knows. */
static bool has_begun(const dump *from, const raw_tables *t, bool runs, bool *starts, trace_err *err)
{
    if (!dump_has_starts(from)) {
        *starts = false;
        return runs || dump_cycle(from) >= t->kernels[0].launch.start_cycle;
    }
    return dump_starts(from, starts, err) && (runs || *starts);
}

/* What a CTA slot says twice. */
static bool masks_agree(const dump *from, unsigned index, const dump_sm *sm, uint32_t before, trace_err *err)
{
    const uint32_t held = before | sm->start;

    return !dump_has_active(from) || held == sm->active ||
           dump_fail(from, err, "SM %u: cta_active is 0x%x, and by cta_start and cta_done it is 0x%x", dump_sm_number(from, index),
                     (unsigned)sm->active, (unsigned)held);
}

/* ---- tables ----------------------------------------------------------------------- */

/* The events of an SM as they come. */
typedef struct event_list {
    raw_event *event;
    size_t num, room;
    uint32_t active;
} event_list;

typedef struct scan {
    dump *from;
    raw_tables *tables;
    const raw_import_options *opt;
    uint64_t start[TRACE_MAX_LAUNCHES];
    unsigned num_starts;
    bool runs;
    event_list sm[TRACE_MAX_SMS];
} scan;

static bool add_start(scan *s, trace_err *err)
{
    if (s->num_starts == TRACE_MAX_LAUNCHES)
        return dump_fail(s->from, err, "more than %d kernels start; is kernel_start high for one cycle each?", TRACE_MAX_LAUNCHES);
    s->start[s->num_starts++] = dump_cycle(s->from);
    return true;
}

static bool add_event(scan *s, unsigned index, unsigned slot, bool done, trace_err *err)
{
    event_list *list = &s->sm[index];
    raw_event *event = with_room(list->event, list->num, &list->room, sizeof *event);

    if (!event)
        return dump_fail(s->from, err, "out of memory");
    list->event = event;
    list->event[list->num++] = (raw_event){.cycle = dump_cycle(s->from), .sm = (uint16_t)dump_sm_number(s->from, index),
                                           .slot = (uint8_t)slot, .done = done, .cta = UINT32_MAX, .line = dump_line(s->from)};
    return true;
}

/* A slot that is started and done was either refilled, or held a CTA for this one cycle. */
static bool add_slot(scan *s, unsigned index, const dump_sm *sm, unsigned slot, trace_err *err)
{
    const uint32_t bit = UINT32_C(1) << slot;
    const bool held = s->sm[index].active & bit, start = sm->start & bit, done = sm->done & bit, first = done && held;

    return (!first || add_event(s, index, slot, true, err)) && (!start || add_event(s, index, slot, false, err)) &&
           (first || !done || add_event(s, index, slot, true, err));
}

static bool scan_sm(scan *s, unsigned index, trace_err *err)
{
    dump_sm sm;
    uint32_t *active = &s->sm[index].active;

    if (!dump_look(s->from, index, &sm, err) || !masks_agree(s->from, index, &sm, *active, err))
        return false;
    for (unsigned slot = 0; slot < s->opt->geometry.slots; slot++)
        if (!add_slot(s, index, &sm, slot, err))
            return false;
    *active = active_after(*active, sm.start, sm.done);
    return true;
}

static bool scan_cycle(scan *s, trace_err *err)
{
    bool starts;

    s->runs = has_begun(s->from, s->tables, s->runs, &starts, err);
    if (err->text[0] || (starts && !add_start(s, err)))
        return false;
    for (unsigned i = 0; s->runs && i < dump_num_sms(s->from); i++)
        if (!scan_sm(s, i, err))
            return false;
    return true;
}

static bool go_on(const scan *s, uint64_t cycles, trace_err *err)
{
    const raw_import_options *opt = s->opt;

    return cycles % PROGRESS_CYCLES != 0 || !opt->progress ||
           opt->progress(opt->context, dump_consumed(s->from) / 2, dump_size(s->from)) || raw_interrupted(opt, err);
}

static bool scan_all(scan *s, trace_err *err)
{
    bool end = false;

    for (uint64_t n = 0; !end; n++)
        if (!dump_next(s->from, &end, err) || (!end && !scan_cycle(s, err)) || !go_on(s, n, err))
            return false;
    return true;
}

/* What the waveform does not say of a CTA: it is of the kernel that started last, and has the warps of its slot. */
static bool name_kernel(scan *s, raw_event *e, unsigned held[BALLAST_MAX_SLOTS], unsigned running, trace_err *err)
{
    unsigned warps;

    e->kernel = e->done ? held[e->slot] : running;
    held[e->slot] = e->kernel;
    warps = s->tables->kernels[e->kernel].launch.desc.warps_per_cta;
    if ((e->slot + 1u) * warps > s->opt->geometry.warps)
        return import_fail(err, s->opt->dump_path, UINT64_MAX, "SM %u, cycle %llu: slot %u needs warps beyond the geometry's %u", e->sm,
                           (unsigned long long)e->cycle, e->slot, s->opt->geometry.warps);
    e->first_warp = (uint8_t)(e->slot * warps);
    return true;
}

static bool name_kernels(scan *s, event_list *list, trace_err *err)
{
    unsigned held[BALLAST_MAX_SLOTS] = {0}, running = 0;

    for (size_t i = 0; i < list->num; i++) {
        while (running + 1 < s->tables->num_kernels && s->tables->kernels[running + 1].launch.start_cycle <= list->event[i].cycle)
            running++;
        if (!name_kernel(s, &list->event[i], held, running, err))
            return false;
    }
    return true;
}

/* All SMs' events in one list, by SM. */
static bool join(scan *s, trace_err *err)
{
    raw_tables *t = s->tables;
    size_t all = 0, at = 0;

    for (unsigned i = 0; i < dump_num_sms(s->from); i++)
        all += s->sm[i].num;
    t->events = calloc(all + 1, sizeof *t->events);
    t->cta_path = strdup(s->opt->dump_path);
    if (!t->events || !t->cta_path)
        return import_fail(err, s->opt->dump_path, UINT64_MAX, "out of memory");
    for (unsigned i = 0; i < dump_num_sms(s->from); at += s->sm[i++].num) {
        if (!name_kernels(s, &s->sm[i], err))
            return false;
        if (s->sm[i].num)
            memcpy(t->events + at, s->sm[i].event, s->sm[i].num * sizeof *t->events);
    }
    t->num_events = all;
    return true;
}

static bool fill_tables(scan *s, const char *ker_path, trace_err *err)
{
    const bool starts = dump_has_starts(s->from);

    return raw_tables_kernels(s->tables, s->opt, ker_path, starts, err) && scan_all(s, err) &&
           (!starts || raw_tables_starts(s->tables, ker_path, s->start, s->num_starts, err)) && join(s, err);
}

static bool load_tables(const raw_import_options *opt, const raw_files *files, raw_tables *t, trace_err *err)
{
    scan *s = calloc(1, sizeof *s);
    bool ok;

    if (!s)
        return import_fail(err, opt->dump_path, UINT64_MAX, "out of memory");
    s->opt = opt;
    s->tables = t;
    s->from = dump_open(opt, err);
    ok = s->from && fill_tables(s, files->ker, err);
    for (unsigned i = 0; i < TRACE_MAX_SMS; i++)
        free(s->sm[i].event);
    dump_close(s->from);
    free(s);
    return ok;
}

/* ---- records ---------------------------------------------------------------------- */

/* Of a cycle in which there is nothing to say of the SM there is no record. */
static bool says_something(const dump_sm *sm, uint32_t active)
{
    static const uint8_t nothing[sizeof sm->states];

    return active || sm->done || sm->paused || sm->cls != TRACE_NO_CLASS || memcmp(sm->states, nothing, sizeof nothing) != 0;
}

/* The SM that comes next in this cycle. */
static bool take_sm(raw_dump *r, raw_record *record, bool *found, trace_err *err)
{
    const unsigned index = r->index++;
    uint32_t *active = &r->active[index];

    if (!dump_look(r->from, index, &r->sm, err))
        return false;
    *active = active_after(*active, r->sm.start, r->sm.done);
    *found = says_something(&r->sm, *active);
    *record = (raw_record){.offset = UINT64_MAX, .cycle = dump_cycle(r->from), .resident = *active, .done = r->sm.done, .paused = r->sm.paused,
                           .sm = (uint8_t)dump_sm_number(r->from, index), .cls = r->sm.cls, .states = r->sm.states};
    return true;
}

static bool next_cycle(raw_dump *r, bool *end, trace_err *err)
{
    bool starts;

    do {
        if (!dump_next(r->from, end, err))
            return false;
        r->runs = !*end && has_begun(r->from, r->tables, r->runs, &starts, err);
        if (err->text[0])
            return false;
    } while (!*end && !r->runs);
    r->index = 0;
    return true;
}

static bool next_record(void *records, raw_record *record, bool *end, trace_err *err)
{
    raw_dump *r = records;
    bool found = false;

    *end = false;
    while (!found) {
        if (r->index == dump_num_sms(r->from) && (!next_cycle(r, end, err) || *end))
            return *end;
        if (!take_sm(r, record, &found, err))
            return false;
    }
    return true;
}

static void close_records(void *records)
{
    raw_dump *r = records;

    dump_close(r->from);
    free(r);
}

static void *open_records(const raw_tables *t, const raw_import_options *opt, const raw_files *files, trace_err *err)
{
    raw_dump *r = calloc(1, sizeof *r);

    (void)files;
    if (!r) {
        import_fail(err, opt->dump_path, UINT64_MAX, "out of memory");
        return NULL;
    }
    r->tables = t;
    r->from = dump_open(opt, err);
    if (!r->from) {
        close_records(r);
        return NULL;
    }
    r->index = dump_num_sms(r->from);
    return r;
}

static const char *path(const void *records) { return dump_path(((const raw_dump *)records)->from); }

/* The first half was the tables'. */
static uint64_t consumed(const void *records)
{
    const raw_dump *r = records;

    return dump_size(r->from) / 2 + dump_consumed(r->from) / 2;
}

static uint64_t size(const void *records) { return dump_size(((const raw_dump *)records)->from); }

const raw_source raw_dump_source = {.tables = load_tables, .open = open_records, .close = close_records, .next = next_record, .path = path,
                                    .consumed = consumed, .size = size};
