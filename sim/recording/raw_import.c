/* SPDX-License-Identifier: Apache-2.0
 *
 * Merges the per-cycle records with the kernels and CTA events into one stream per SM, and
 * refuses what does not agree. A cycle without a record means that the SM was empty when
 * the cycle ended.
 */
#include "recording/raw_import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/popcount.h"
#include "recording/input.h"
#include "recording/raw_tables.h"

enum { RECORD_BYTES = 32, RECORD_WARPS = 48, RECORD_SLOTS = 8, PROGRESS_RECORDS = 8192 };

typedef struct record {
    uint64_t offset; /* in cyc.bin, unpacked */
    uint64_t cycle;
    uint8_t sm, cls, resident, done;
    const uint8_t *states;
} record;

/* One SM's stream while it is put together. */
typedef struct stream {
    bool started;
    uint64_t next_cycle;
    unsigned next_kernel;
    unsigned wanted_kernel; /* the one that runs */
    size_t event, event_end;
    uint32_t active; /* CTA slots in use after the last cycle */
    sm_obs obs;
    sm_setup setup;
} stream;

typedef struct import {
    const raw_import_options *opt;
    raw_tables tables;
    input *cyc;
    trace_writer *out;
    trace_err *err;
    stream sm[TRACE_MAX_SMS];
} import;

void raw_import_defaults(raw_import_options *opt)
{
    *opt = (raw_import_options){
        .geometry = {.warps = 48, .slots = 8, .sms = 15, .issue_width = 2},
        .max_gap = RAW_MAX_GAP,
        .resources = {.threads = 1536, .registers = 32768, .shared_bytes = 48 * 1024, .slots = 8, .register_unit = 4},
    };
}

/* ---- one cycle of one SM -------------------------------------------------------- */

static bool bad_event(import *im, const raw_event *e, const char *what)
{
    return import_fail(im->err, im->tables.cta_path, UINT64_MAX, "line %lu: SM %u, slot %u, cycle %llu: %s",
                       e->line, e->sm, e->slot, (unsigned long long)e->cycle, what);
}

static void start_kernel(import *im, stream *s)
{
    s->wanted_kernel = s->next_kernel++;
    s->setup.kernel = im->tables.kernels[s->wanted_kernel].launch.desc;
    s->obs.kernel_start = 1;
}

static void start_cta(stream *s, unsigned slot)
{
    const unsigned n = s->setup.kernel.warps_per_cta;
    s->obs.cta_start |= UINT32_C(1) << slot;
    for (unsigned w = slot * n; w < (slot + 1) * n; w++)
        s->setup.warp_slot[w] = (uint8_t)slot;
}

static bool take_event(import *im, stream *s, const raw_event *e)
{
    const uint32_t bit = UINT32_C(1) << e->slot;
    if (e->done) {
        if (!((s->active | s->obs.cta_start) & bit) || (s->obs.cta_done & bit))
            return bad_event(im, e, "done, but the slot holds no CTA");
        s->obs.cta_done |= bit;
        return true;
    }
    if ((s->active & bit & ~s->obs.cta_done) || (s->obs.cta_start & bit))
        return bad_event(im, e, "launch, but the slot holds a CTA");
    if (e->kernel != s->wanted_kernel)
        return bad_event(im, e, "launch of a kernel that does not run then; concurrent kernels "
                                "cannot be imported");
    start_cta(s, e->slot);
    return true;
}

/* Everything about the cycle but the warps' states. */
static bool begin_cycle(import *im, stream *s, uint64_t cycle)
{
    const raw_tables *t = &im->tables;
    s->obs.kernel_start = 0;
    s->obs.cta_start = s->obs.cta_done = 0;
    if (s->next_kernel < t->num_kernels && t->kernels[s->next_kernel].launch.start_cycle == cycle)
        start_kernel(im, s);
    for (; s->event < s->event_end && t->events[s->event].cycle <= cycle; s->event++) {
        const raw_event *e = &t->events[s->event];
        if (e->cycle < cycle)
            return bad_event(im, e, "before the first kernel starts");
        if (!take_event(im, s, e))
            return false;
    }
    s->obs.cta_active = s->active | s->obs.cta_start;
    s->active = (s->active & ~s->obs.cta_done) |
                (s->obs.cta_start & (s->active | ~s->obs.cta_done));
    return true;
}

static bool end_cycle(import *im, stream *s, unsigned sm, uint8_t cls)
{
    return trace_writer_cycle(im->out, sm, s->next_cycle++, &s->obs, cls, im->err);
}

/* Cycles without a record up to, not including, `until`. */
static bool empty_cycles(import *im, stream *s, unsigned sm, uint64_t until)
{
    if (until > s->next_cycle && until - s->next_cycle > im->opt->max_gap)
        return import_fail(im->err, input_path(im->cyc), UINT64_MAX,
                           "SM %u has no record from cycle %llu on and something again in cycle %llu; if it was really idle "
                           "so long, allow it with --max-gap",
                           sm, (unsigned long long)s->next_cycle, (unsigned long long)until);
    memset(s->obs.ws, 0, sizeof s->obs.ws);
    while (s->next_cycle < until) {
        if (!begin_cycle(im, s, s->next_cycle))
            return false;
        if (s->active)
            return import_fail(im->err, input_path(im->cyc), UINT64_MAX,
                               "SM %u holds CTAs in cycle %llu, but has no record of it; is the "
                               "file complete?", sm, (unsigned long long)s->next_cycle);
        if (!end_cycle(im, s, sm, TRACE_NO_CLASS))
            return false;
    }
    return true;
}

/* ---- records -------------------------------------------------------------------- */

static bool bad_record(import *im, const record *r, const char *what)
{
    return import_fail(im->err, input_path(im->cyc), r->offset, "SM %u, cycle %llu: %s", r->sm,
                       (unsigned long long)r->cycle, what);
}

static record parse_record(const uint8_t p[RECORD_BYTES], uint64_t offset)
{
    return (record){
        .offset = offset,
        .cycle = (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24,
        .sm = p[4],
        .cls = p[5] >> 4 & 3,
        .resident = p[6],
        .done = p[7],
        .states = p + 8,
    };
}

static bool set_states(import *im, stream *s, const record *r)
{
    for (unsigned w = 0; w < RECORD_WARPS; w++) {
        const unsigned state = r->states[w / 2] >> 4 * (w % 2) & 15;
        if (state >= BALLAST_WARP_STATES)
            return bad_record(im, r, "a warp has an unknown state code (11..15)");
        if (w < im->opt->geometry.warps)
            sm_obs_set_warp_state(&s->obs, w, state);
        else if (state)
            return bad_record(im, r, "a warp beyond the geometry is in use");
    }
    if (ballast_popcount64(sm_obs_issued(&s->obs)) > im->opt->geometry.issue_width)
        return bad_record(im, r, "more warps issue than the issue width allows");
    return true;
}

static bool agree(import *im, const stream *s, const record *r)
{
    if (r->done != s->obs.cta_done)
        return bad_record(im, r, "its mask of finished CTAs is not what cta.csv says");
    if (r->resident != s->active)
        return bad_record(im, r, "its mask of resident CTAs is not what cta.csv says");
    return true;
}

static void start_stream(import *im, stream *s, unsigned sm)
{
    const trace_launch *first = &im->tables.kernels[0].launch;
    s->started = true;
    s->obs.setup = &s->setup;
    s->next_cycle = first->start_cycle;
    raw_tables_range(&im->tables, sm, &s->event, &s->event_end);
    for (unsigned w = 0; w < im->opt->geometry.warps; w++) {
        const unsigned slot = w / first->desc.warps_per_cta;
        s->setup.warp_slot[w] = (uint8_t)(slot < im->opt->geometry.slots ? slot : 0);
    }
}

static bool wanted(const raw_import_options *opt, unsigned sm)
{
    for (unsigned i = 0; i < opt->num_sms; i++)
        if (opt->sms[i] == sm)
            return true;
    return opt->num_sms == 0;
}

static bool take_record(import *im, const record *r)
{
    if (r->sm >= im->opt->geometry.sms)
        return bad_record(im, r, "no such SM in the geometry");
    if (!wanted(im->opt, r->sm))
        return true;
    stream *s = &im->sm[r->sm];
    if (!s->started)
        start_stream(im, s, r->sm);
    if (r->cycle < s->next_cycle)
        return bad_record(im, r, "not after the record before it, or before the first kernel");
    return empty_cycles(im, s, r->sm, r->cycle) && begin_cycle(im, s, r->cycle) &&
           set_states(im, s, r) && agree(im, s, r) && end_cycle(im, s, r->sm, r->cls);
}

static bool report_progress(import *im)
{
    const raw_import_options *opt = im->opt;
    return !opt->progress ||
           opt->progress(opt->context, input_consumed(im->cyc), input_size(im->cyc)) ||
           import_fail(im->err, opt->out_path, UINT64_MAX, "interrupted; nothing was written");
}

static bool take_records(import *im)
{
    uint8_t p[RECORD_BYTES];
    for (uint64_t n = 0;; n++) {
        size_t got;
        if (!input_read(im->cyc, p, sizeof p, &got, im->err))
            return false;
        if (got == 0)
            return true;
        if (got < sizeof p)
            return import_fail(im->err, input_path(im->cyc), n * RECORD_BYTES,
                               "ends inside a 32-byte record; copy it again");
        const record r = parse_record(p, n * RECORD_BYTES);
        if (!take_record(im, &r) || (n % PROGRESS_RECORDS == 0 && !report_progress(im)))
            return false;
    }
}

/* Exits that the recorder saw after an SM's last record. */
static bool finish_streams(import *im)
{
    bool any = false;
    for (unsigned sm = 0; sm < TRACE_MAX_SMS; sm++) {
        stream *s = &im->sm[sm];
        if (!s->started)
            continue;
        any = true;
        if (s->event < s->event_end &&
            !empty_cycles(im, s, sm, im->tables.events[s->event_end - 1].cycle + 1))
            return false;
        if (s->active)
            return import_fail(im->err, input_path(im->cyc), UINT64_MAX,
                               "SM %u still holds CTAs after its last record; is the file complete?",
                               sm);
    }
    return any || import_fail(im->err, input_path(im->cyc), UINT64_MAX, "no record of a wanted SM");
}

static bool check_wanted(import *im)
{
    for (unsigned i = 0; i < im->opt->num_sms; i++)
        if (!im->sm[im->opt->sms[i]].started)
            return import_fail(im->err, input_path(im->cyc), UINT64_MAX,
                               "no record of SM %u; choose one that is recorded", im->opt->sms[i]);
    return true;
}

/* ---- all of it ------------------------------------------------------------------ */

static bool copy_text(char to[TRACE_TEXT], const char *from, const char *which, trace_err *err)
{
    if (!from)
        from = "";
    const size_t n = strlen(from);
    if (n >= TRACE_TEXT)
        return import_fail(err, which, UINT64_MAX, "longer than %d bytes; shorten it", TRACE_TEXT - 1);
    memcpy(to, from, n + 1);
    return true;
}

static bool open_output(import *im)
{
    const raw_import_options *opt = im->opt;
    trace_meta meta = {.geometry = opt->geometry,
                       .config_limit = opt->config_limit,
                       .num_launches = (uint16_t)im->tables.num_kernels};
    if (!copy_text(meta.kernel, opt->kernel, "kernel name", im->err) ||
        !copy_text(meta.config, opt->config, "configuration text", im->err) ||
        !copy_text(meta.recorder, opt->recorder, "recorder text", im->err))
        return false;
    meta.launches = malloc(meta.num_launches * sizeof *meta.launches);
    if (!meta.launches)
        return import_fail(im->err, opt->out_path, UINT64_MAX, "out of memory");
    for (unsigned i = 0; i < meta.num_launches; i++)
        meta.launches[i] = im->tables.kernels[i].launch;
    im->out = trace_writer_open(opt->out_path, &meta, im->err);
    free(meta.launches);
    return im->out != NULL;
}

static bool import_files(import *im, const char *cyc, const char *ker, const char *cta)
{
    if (!raw_tables_load(&im->tables, im->opt, ker, cta, im->err))
        return false;
    im->cyc = input_open(cyc, im->err);
    if (!im->cyc || !open_output(im))
        return false;
    if (!take_records(im) || !finish_streams(im) || !check_wanted(im))
        return false;
    const bool ok = trace_writer_close(im->out, im->err);
    im->out = NULL;
    return ok;
}

static bool check_geometry(const raw_import_options *opt, trace_err *err)
{
    const trace_geometry *g = &opt->geometry;
    if (g->warps < 1 || g->warps > RECORD_WARPS || g->slots < 1 || g->slots > RECORD_SLOTS ||
        g->sms < 1 || g->sms > TRACE_MAX_SMS)
        return import_fail(err, opt->out_path, UINT64_MAX,
                           "raw records hold 1 to %d warps, %d CTA slots and %d SMs; give --warps, --slots and --sms "
                           "within that", RECORD_WARPS, RECORD_SLOTS, TRACE_MAX_SMS);
    return opt->resources.register_unit ||
           import_fail(err, opt->out_path, UINT64_MAX, "registers are given out at least one by one; give --register-unit from 1");
}

bool raw_import(const raw_import_options *opt, trace_err *err)
{
    trace_err ignored = {.text = ""};
    err = err ? err : &ignored;
    if (!opt->dir && (!opt->cyc_path || !opt->ker_path || !opt->cta_path))
        return import_fail(err, opt->out_path, UINT64_MAX,
                           "nothing to import; give a directory or all three files");
    if (!check_geometry(opt, err))
        return false;
    char *cyc = raw_file(opt->cyc_path, opt->dir, "cyc.bin");
    char *ker = raw_file(opt->ker_path, opt->dir, "ker.csv");
    char *cta = raw_file(opt->cta_path, opt->dir, "cta.csv");
    import *im = calloc(1, sizeof *im);
    bool ok = false;
    if (cyc && ker && cta && im) {
        im->opt = opt;
        im->err = err;
        ok = import_files(im, cyc, ker, cta);
        if (im->out)
            trace_writer_abort(im->out);
        input_close(im->cyc);
        raw_tables_free(&im->tables);
    } else {
        import_fail(err, opt->out_path, UINT64_MAX, "out of memory");
    }
    free(im);
    free(cta);
    free(ker);
    free(cyc);
    return ok;
}
