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
#include <unistd.h>

#include "common/popcount.h"
#include "recording/format.h"
#include "recording/input.h"
#include "recording/raw_source.h"

enum { PROGRESS_RECORDS = 8192 };

/* What a CTA slot holds. */
typedef struct held_cta {
    unsigned kernel;
    uint64_t warps;
} held_cta;

/* One SM's stream while it is put together. */
typedef struct stream {
    bool started;
    uint64_t next_cycle;
    unsigned next_kernel;
    unsigned last_kernel;   /* the one that started last: others may still run */
    size_t event, event_end;
    uint32_t active; /* CTA slots in use after the last cycle */
    held_cta held[BALLAST_MAX_SLOTS];
    uint64_t owned;  /* warps of the CTAs that the slots hold, as far as the cycle has got */
    uint64_t used;   /* those that belonged to a CTA at any time in the cycle */
    sm_obs obs;
    sm_setup setup;
} stream;

typedef struct import {
    const raw_import_options *opt;
    const raw_format *format;
    raw_tables tables;
    const raw_source *from;
    void *records; /* of it */
    trace_writer *out;
    trace_err *err;
    stream sm[TRACE_MAX_SMS];
} import;

void raw_import_defaults(raw_import_options *opt)
{
    *opt = (raw_import_options){
        .geometry = {.warps = 48, .slots = 8, .sms = 15, .issue_width = 2},
        .max_gap = RAW_MAX_GAP,
        .resources = {.threads = 1536, .registers = 32768, .shared_bytes = 48 * 1024, .slots = 8, .register_unit = 4,
                      .shared_unit = 1, .warp_unit = 1},
    };
}

/* ---- one cycle of one SM -------------------------------------------------------- */

static bool bad_event(import *im, const raw_event *e, const char *what)
{
    char line[32] = "";

    if (e->line)
        snprintf(line, sizeof line, "line %lu: ", e->line);
    return import_fail(im->err, im->tables.cta_path, UINT64_MAX, "%sSM %u, slot %u, cycle %llu: %s", line, e->sm, e->slot,
                       (unsigned long long)e->cycle, what);
}

static const char *records_path(const import *im) { return im->from->path(im->records); }

static void start_kernel(import *im, stream *s)
{
    s->last_kernel = s->next_kernel++;
    s->setup.kernel = im->tables.kernels[s->last_kernel].launch.desc;
    s->obs.kernel_start = 1;
}

static bool start_cta(import *im, stream *s, const raw_event *e)
{
    const unsigned n = im->tables.kernels[e->kernel].launch.desc.warps_per_cta;
    const uint64_t warps = low_bits(n) << e->first_warp;

    if (s->owned & warps)
        return bad_event(im, e, "launch, but a CTA in another slot has some of its warps");
    s->obs.cta_start |= UINT32_C(1) << e->slot;
    s->held[e->slot] = (held_cta){e->kernel, warps};
    s->owned |= warps;
    s->used |= warps;
    for (unsigned w = e->first_warp; w < e->first_warp + n; w++)
        s->setup.warp_slot[w] = e->slot;
    return true;
}

static bool take_exit(import *im, stream *s, const raw_event *e)
{
    const uint32_t bit = UINT32_C(1) << e->slot;

    if (!((s->active | s->obs.cta_start) & bit) || (s->obs.cta_done & bit))
        return bad_event(im, e, "done, but the slot holds no CTA");
    if (e->kernel != s->held[e->slot].kernel)
        return bad_event(im, e, "done, but the slot holds a CTA of another kernel");
    s->obs.cta_done |= bit;
    s->owned &= ~s->held[e->slot].warps;
    return true;
}

static bool take_event(import *im, stream *s, const raw_event *e)
{
    const uint32_t bit = UINT32_C(1) << e->slot;

    if (e->done)
        return take_exit(im, s, e);
    if ((s->active & bit & ~s->obs.cta_done) || (s->obs.cta_start & bit))
        return bad_event(im, e, "launch, but the slot holds a CTA");
    if (e->kernel > s->last_kernel)
        return bad_event(im, e, "launch of a kernel that does not run yet, by ker.csv");
    return start_cta(im, s, e);
}

/* Everything about the cycle but the warps' states. */
static bool begin_cycle(import *im, stream *s, uint64_t cycle)
{
    const raw_tables *t = &im->tables;
    s->obs.kernel_start = 0;
    s->obs.cta_start = s->obs.cta_done = 0;
    s->obs.paused = 0;
    s->used = s->owned;
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
        return import_fail(im->err, records_path(im), UINT64_MAX,
                           "SM %u has no record from cycle %llu on and something again in cycle %llu; if it was really idle "
                           "so long, allow it with --max-gap",
                           sm, (unsigned long long)s->next_cycle, (unsigned long long)until);
    memset(s->obs.ws, 0, sizeof s->obs.ws);
    while (s->next_cycle < until) {
        if (!begin_cycle(im, s, s->next_cycle))
            return false;
        if (s->active)
            return import_fail(im->err, records_path(im), UINT64_MAX,
                               "SM %u holds CTAs in cycle %llu, but has no record of it; is the "
                               "file complete?", sm, (unsigned long long)s->next_cycle);
        if (!end_cycle(im, s, sm, TRACE_NO_CLASS))
            return false;
    }
    return true;
}

/* ---- records -------------------------------------------------------------------- */

static bool bad_record(import *im, const raw_record *r, const char *what)
{
    return raw_bad_record(records_path(im), r, what, im->err);
}

static bool set_states(import *im, stream *s, const raw_record *r)
{
    for (unsigned w = 0; w < im->format->warps; w++) {
        const unsigned state = raw_record_state(r, w);
        if (state >= BALLAST_WARP_STATES)
            return bad_record(im, r, "a warp has an unknown state code (11..15)");
        if (w < im->opt->geometry.warps)
            sm_obs_set_warp_state(&s->obs, w, state);
        else if (state)
            return bad_record(im, r, "a warp beyond the geometry is in use");
        if (state && im->format->owned && !(s->used >> w & 1))
            return bad_record(im, r, "a warp is in use that belongs to no CTA");
    }
    if (ballast_popcount64(sm_obs_issued(&s->obs)) > im->opt->geometry.issue_width)
        return bad_record(im, r, "more warps issue than the issue width allows");
    return true;
}

static bool set_paused(import *im, stream *s, const raw_record *r)
{
    s->obs.paused = r->paused;
    return !(r->paused & ~low_bits(im->opt->geometry.warps)) || bad_record(im, r, "a warp beyond the geometry is paused");
}

static bool agree(import *im, const stream *s, const raw_record *r)
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

static bool take_record(import *im, const raw_record *r)
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
           set_states(im, s, r) && set_paused(im, s, r) && agree(im, s, r) && end_cycle(im, s, r->sm, r->cls);
}

static bool report_progress(import *im)
{
    const raw_import_options *opt = im->opt;

    return !opt->progress || opt->progress(opt->context, im->from->consumed(im->records), im->from->size(im->records)) ||
           raw_interrupted(opt, im->err);
}

static bool take_records(import *im)
{
    for (uint64_t n = 0;; n++) {
        raw_record r;
        bool end;
        if (!im->from->next(im->records, &r, &end, im->err))
            return false;
        if (end)
            return true;
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
            return import_fail(im->err, records_path(im), UINT64_MAX,
                               "SM %u still holds CTAs after its last record; is the file complete?",
                               sm);
    }
    return any || import_fail(im->err, records_path(im), UINT64_MAX, "no record of a wanted SM");
}

static bool check_wanted(import *im)
{
    for (unsigned i = 0; i < im->opt->num_sms; i++)
        if (!im->sm[im->opt->sms[i]].started)
            return import_fail(im->err, records_path(im), UINT64_MAX,
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

static bool import_files(import *im, const raw_files *files)
{
    if (!im->from->tables(im->opt, files, &im->tables, im->err) ||
        !(im->records = im->from->open(&im->tables, im->opt, files, im->err)) || !open_output(im))
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
    const raw_resources *have = &opt->resources;
    const raw_format *last;

    if (opt->format > RAW_VERSIONS)
        return import_fail(err, opt->out_path, UINT64_MAX, "there is no version %u of raw records; give --format 1 or 2", opt->format);
    last = raw_format_last(opt->format);
    if (g->warps < 1 || g->slots < 1 || g->sms < 1 || g->sms > TRACE_MAX_SMS || !raw_format_find(opt->format, g))
        return import_fail(err, opt->out_path, UINT64_MAX,
                           "raw records of version %u hold 1 to %u warps, %u CTA slots and %d SMs; give --warps, --slots and --sms "
                           "within that", last->version, last->warps, last->slots, TRACE_MAX_SMS);
    return (have->register_unit && have->shared_unit && have->warp_unit) ||
           import_fail(err, opt->out_path, UINT64_MAX,
                       "registers, shared memory and warps are given out at least one by one; give --register-unit, --shared-unit and "
                       "--warp-unit from 1");
}

static bool is_there(const char *dir, const char *name)
{
    static const char *const packed[] = {"", ".xz"};
    char path[4400];
    bool found = false;

    for (unsigned i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s%s", dir, name, packed[i]);
        found |= access(path, F_OK) == 0;
    }
    return found;
}

static bool is_text(const raw_import_options *opt)
{
    return opt->text_path || (!opt->cyc_path && !is_there(opt->dir, "cyc.bin") && is_there(opt->dir, "warps.csv"));
}

static const raw_source *choose_source(const raw_import_options *opt)
{
    if (opt->source)
        return opt->source;
    return is_text(opt) ? &raw_text_source : &raw_cyc_source;
}

static raw_files find_files(const raw_import_options *opt, const raw_source *from)
{
    const bool text = from == &raw_text_source;
    const char *records = opt->source ? opt->dump_path : text ? opt->text_path : opt->cyc_path;

    return (raw_files){.records = raw_file(records, opt->dir, text ? "warps.csv" : "cyc.bin"),
                       .ker = raw_file(opt->ker_path, opt->dir, "ker.csv"),
                       .cta = raw_file(opt->source ? "" : opt->cta_path, opt->dir, "cta.csv")};
}

static bool import_with(import *im, const raw_files *files)
{
    const bool ok = import_files(im, files);

    if (im->out)
        trace_writer_abort(im->out);
    if (im->records)
        im->from->close(im->records);
    raw_tables_free(&im->tables);
    return ok;
}

bool raw_import(const raw_import_options *opt, trace_err *err)
{
    trace_err ignored = {.text = ""};
    err = err ? err : &ignored;
    if (opt->source ? !opt->dump_path || !opt->map_path || (!opt->dir && !opt->ker_path)
                    : !opt->dir && ((!opt->cyc_path && !opt->text_path) || !opt->ker_path || !opt->cta_path))
        return import_fail(err, opt->out_path, UINT64_MAX,
                           "nothing to import; give a directory, all three files, or a waveform, its map and ker.csv");
    if (!check_geometry(opt, err))
        return false;
    const raw_source *from = choose_source(opt);
    raw_files files = find_files(opt, from);
    import *im = calloc(1, sizeof *im);
    bool ok = false;
    if (files.records && files.ker && files.cta && im) {
        im->opt = opt;
        im->from = from;
        im->format = from == &raw_cyc_source ? raw_format_find(opt->format, &opt->geometry) : raw_format_last(0);
        im->err = err;
        ok = import_with(im, &files);
    } else {
        import_fail(err, opt->out_path, UINT64_MAX, "out of memory");
    }
    free(im);
    free(files.cta);
    free(files.ker);
    free(files.records);
    return ok;
}
