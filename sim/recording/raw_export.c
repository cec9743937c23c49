/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/raw_export.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "recording/csv.h"
#include "recording/format.h"
#include "recording/input.h"
#include "recording/raw_record.h"
#include "recording/raw_text.h"

typedef struct export_sm {
    trace_reader *r;
    unsigned number;
    const sm_obs *obs;   /* of this cycle */
    uint32_t active;     /* CTA slots after the cycle before */
    uint64_t owned[BALLAST_MAX_SLOTS], leaving; /* warps, as raw_text has them */
    uint32_t kernel[BALLAST_MAX_SLOTS];
    uint8_t cls, states[BALLAST_MAX_WARPS]; /* as the last line said */
} export_sm;

typedef struct export {
    const raw_export_files *to;
    const char *path;
    const trace_meta *meta;
    trace_err *err;
    export_sm *sm; /* as many as are recorded */
} export;

static bool cannot(const export *x, const export_sm *s, const char *what)
{
    return import_fail(x->err, x->path, UINT64_MAX, "SM %u, cycle %llu: %s", s->number, (unsigned long long)trace_cycle(s->r), what);
}

/* ---- ker.csv ---------------------------------------------------------------------- */

void raw_export_kernels(const trace_meta *meta, FILE *f)
{
    fputs("kernel,name,grid_ctas,threads_per_cta,warps_per_cta,regs,smem,cta_per_sm,cycle,is_2d,grid_x,nmax\n", f);
    for (unsigned i = 0; i < meta->num_launches; i++) {
        const trace_launch *l = &meta->launches[i];
        const ballast_kernel_desc *d = &l->desc;

        fprintf(f, "%u,", i + 1);
        csv_put(f, l->name);
        fprintf(f, ",%" PRIu32 ",%u,%u,%u,%" PRIu32 ",%u,%" PRIu64 ",%u,%" PRIu32 ",%u\n", d->grid_ctas, d->threads_per_cta, d->warps_per_cta,
                d->regs_per_thread, d->smem_per_cta, l->limit, l->start_cycle, d->is_2d, d->grid_x, d->nmax);
    }
}

/* ---- cta.csv ---------------------------------------------------------------------- */

static void put_event(const export *x, const export_sm *s, unsigned slot, const char *event)
{
    const uint32_t kernel = s->kernel[slot];

    fprintf(x->to->cta, "%" PRIu64 ",%u,%u,%s,%" PRIu32 ",%u\n", trace_cycle(s->r), s->number, slot, event, kernel + 1,
            x->meta->launches[kernel].desc.warps_per_cta);
}

/* A trace does not say of which kernel a CTA is; it is the one that started last if its warps are where that one's are. */
static bool take_launch(const export *x, export_sm *s, unsigned slot)
{
    const unsigned n = x->meta->launches[trace_launch_index(s->r)].desc.warps_per_cta, first = slot * n;

    if (first + n > x->meta->geometry.warps)
        return cannot(x, s, "a CTA has not the warps that its slot and its kernel would give it; this cannot be exported so");
    for (unsigned w = first; w < first + n; w++)
        if (s->obs->setup->warp_slot[w] != slot)
            return cannot(x, s, "a CTA has not the warps that its slot and its kernel would give it; this cannot be exported so");
    s->kernel[slot] = trace_launch_index(s->r);
    s->owned[slot] = low_bits(n) << first;
    return true;
}

static bool put_ctas(const export *x, export_sm *s)
{
    const uint32_t start = s->obs->cta_start, done = s->obs->cta_done;

    if (start && trace_launch_index(s->r) == TRACE_NO_LAUNCH)
        return cannot(x, s, "a CTA starts before the first kernel; this cannot be exported so");
    if (s->obs->cta_active != (s->active | start))
        return cannot(x, s, "the CTAs are not those of the cycle before: the recording begins in the middle, or is cut here; this cannot "
                            "be exported so");
    for (unsigned slot = 0; slot < x->meta->geometry.slots; slot++) {
        const uint32_t bit = UINT32_C(1) << slot;

        if (done & s->active & bit) {
            put_event(x, s, slot, "done");
            s->leaving |= s->owned[slot];
        }
        if (!(start & bit))
            continue;
        if (!take_launch(x, s, slot))
            return false;
        put_event(x, s, slot, "launch");
        if (done & ~s->active & bit) {
            put_event(x, s, slot, "done");
            s->leaving |= s->owned[slot];
        }
    }
    s->active = active_after(s->active, start, done);
    return true;
}

/* ---- records ---------------------------------------------------------------------- */

static void put_record(const export *x, const export_sm *s, uint8_t cls)
{
    const raw_record record = {.cycle = trace_cycle(s->r), .resident = s->active, .done = s->obs->cta_done, .sm = (uint8_t)s->number, .cls = cls};
    uint8_t p[RAW_MAX_RECORD];

    raw_record_put(&record, s->obs, p);
    fwrite(p, sizeof p, 1, x->to->cyc);
}

static void put_changes(const export *x, export_sm *s, uint8_t cls)
{
    const uint64_t cycle = trace_cycle(s->r);

    if (cls != s->cls)
        fprintf(x->to->warps, "%" PRIu64 ",%u,class,%s\n", cycle, s->number, raw_text_class(cls));
    s->cls = cls;
    for (unsigned w = 0; w < x->meta->geometry.warps; w++) {
        const unsigned state = sm_obs_warp_state(s->obs, w);

        if (state != s->states[w])
            fprintf(x->to->warps, "%" PRIu64 ",%u,%u,%s\n", cycle, s->number, w, raw_text_state(state));
        s->states[w] = (uint8_t)state;
    }
}

/* The CTAs that ended before take the states of their warps with them. */
static void leave(export_sm *s)
{
    for (unsigned w = 0; s->leaving; w++, s->leaving >>= 1)
        if (s->leaving & 1)
            s->states[w] = BALLAST_WARP_EMPTY;
}

static bool put_cycle(const export *x, export_sm *s)
{
    const uint64_t in_use = s->obs->ws[0] | s->obs->ws[1] | s->obs->ws[2] | s->obs->ws[3];
    uint8_t cls;

    leave(s);
    if (s->obs->paused)
        return cannot(x, s, "warps are paused; this cannot be exported so");
    if (!trace_recorded_class(s->r, &cls, x->err) || !put_ctas(x, s))
        return false;
    if (trace_cycle(s->r) > UINT32_MAX && x->to->cyc)
        return cannot(x, s, "cycle numbers of cyc.bin end at 4294967295; export it as csv");
    if (!s->active && !s->obs->cta_done)
        return !in_use || cannot(x, s, "warps have states and the SM holds no CTA; this cannot be exported so");
    if (x->to->cyc && (s->active || in_use || cls != TRACE_NO_CLASS)) /* else the recorder had no record of it either */
        put_record(x, s, cls);
    if (x->to->warps)
        put_changes(x, s, cls);
    return true;
}

/* ---- all of it -------------------------------------------------------------------- */

static bool visit(void *user, unsigned index, trace_reader *r, const sm_obs *obs, trace_err *err)
{
    const export *x = user;
    export_sm *s = &x->sm[index];

    (void)err;
    s->r = r;
    s->number = trace_get_sm(r, index)->sm;
    s->obs = obs;
    return put_cycle(x, s);
}

static export_sm *make_sms(unsigned num)
{
    export_sm *sm = calloc(num + 1u, sizeof *sm);

    for (unsigned i = 0; sm && i < num; i++)
        sm[i].cls = TRACE_NO_CLASS;
    return sm;
}

bool raw_export(const char *path, const raw_export_files *to, const trace_walk_options *options, trace_err *err)
{
    export x = {.to = to, .path = path, .err = err};
    trace_reader *r = trace_open(path, NULL, err);
    bool ok = r != NULL;

    if (!ok)
        return false;
    x.meta = trace_get_meta(r);
    x.sm = make_sms(trace_num_sms(r));
    raw_export_kernels(x.meta, to->ker);
    fputs("cycle,sm,slot,event,kernel,warps_per_cta\n", to->cta);
    if (to->warps)
        fputs("cycle,sm,warp,state\n", to->warps);
    ok = x.sm ? trace_walk(path, visit, &x, options, err) : import_fail(err, path, UINT64_MAX, "out of memory");
    free(x.sm);
    trace_close(r);
    return ok;
}
