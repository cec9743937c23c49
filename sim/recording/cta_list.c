/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/cta_list.h"

#include <stdlib.h>
#include <string.h>

#include "recording/format.h"
#include "recording/input.h"
#include "recording/raw_tables.h"

static bool add(cta_list *list, const cta_event *e)
{
    cta_event *events = with_room(list->events, list->num_events, &list->cap_events, sizeof *events);

    if (!events)
        return false;
    list->events = events;
    events[list->num_events++] = *e;
    return true;
}

void cta_list_free(cta_list *list)
{
    free(list->launches);
    free(list->events);
    *list = (cta_list){.num_events = 0};
}

/* ---- tables ----------------------------------------------------------------------- */

static int by_line(const void *a, const void *b)
{
    const raw_event *x = a, *y = b;

    return (x->line > y->line) - (x->line < y->line);
}

static bool take_tables(cta_list *list, const raw_tables *t)
{
    bool ok = true;

    list->num_launches = t->num_kernels;
    list->launches = malloc(t->num_kernels * sizeof *list->launches);
    for (unsigned i = 0; list->launches && i < t->num_kernels; i++)
        list->launches[i] = t->kernels[i].launch;
    for (size_t i = 0; ok && i < t->num_events; i++) {
        const raw_event *e = &t->events[i];

        ok = add(list, &(cta_event){.cycle = e->cycle, .cta = e->cta, .launch = (uint16_t)e->kernel, .sm = e->sm, .slot = e->slot,
                                    .done = e->done});
    }
    return ok && list->launches;
}

/* What the tables say of one event, and not only each for itself. In the order of the lines. */
static bool is_sound(const raw_tables *t, trace_err *err)
{
    uint16_t held[TRACE_MAX_SMS][BALLAST_MAX_SLOTS] = {{0}}; /* 1 + the kernel; 0: nothing */

    for (size_t i = 0; i < t->num_events; i++) {
        const raw_event *e = &t->events[i];
        const raw_kernel *k = &t->kernels[e->kernel];
        uint16_t *slot = &held[e->sm][e->slot];

        if (e->cycle < k->launch.start_cycle)
            return import_fail(err, t->cta_path, UINT64_MAX, "line %lu: cycle %llu is before kernel %llu begins", e->line,
                               (unsigned long long)e->cycle, (unsigned long long)k->uid);
        if (e->done && *slot && *slot != e->kernel + 1)
            return import_fail(err, t->cta_path, UINT64_MAX, "line %lu: the CTA that ends is not one of kernel %llu", e->line,
                               (unsigned long long)k->uid);
        *slot = e->done ? 0 : (uint16_t)(e->kernel + 1);
    }
    return true;
}

static bool geometry_ok(const raw_import_options *opt)
{
    const trace_geometry *g = &opt->geometry;

    return g->warps >= 1 && g->warps <= BALLAST_MAX_WARPS && g->slots >= 1 && g->slots <= BALLAST_MAX_SLOTS && g->sms >= 1 &&
           g->sms <= TRACE_MAX_SMS;
}

bool cta_list_of_tables(cta_list *list, const raw_import_options *opt, trace_err *err)
{
    char *ker = raw_file(opt->ker_path, opt->dir, "ker.csv"), *cta = raw_file(opt->cta_path, opt->dir, "cta.csv");
    raw_tables tables = {.num_kernels = 0};
    bool ok = ker && cta;

    *list = (cta_list){.geometry = opt->geometry, .config_limit = opt->config_limit};
    err->text[0] = '\0';
    if (ok && !(ok = geometry_ok(opt))) {
        import_fail(err, opt->dir, UINT64_MAX, "a chip has 1 to %d SMs with 1 to %d warps and 1 to %d CTA slots; give --sms, --warps and "
                    "--slots within that", TRACE_MAX_SMS, BALLAST_MAX_WARPS, BALLAST_MAX_SLOTS);
    } else if (ok && raw_tables_load(&tables, opt, ker, cta, err)) {
        if (tables.num_events)
            qsort(tables.events, tables.num_events, sizeof *tables.events, by_line);
        ok = is_sound(&tables, err) && take_tables(list, &tables);
    }
    if (!ok && !err->text[0])
        import_fail(err, opt->dir, UINT64_MAX, "out of memory");
    raw_tables_free(&tables);
    free(cta);
    free(ker);
    return !err->text[0];
}

/* ---- trace ------------------------------------------------------------------------ */

/* Where something stands within its cycle. */
enum { BEFORE_LAUNCHES, LAUNCH, AFTER_LAUNCHES };

/* What of an exit is known only at the end: whether the recording has refilled slots. Kept in `cta` until then. */
enum { EXIT_OLD, EXIT_OF_THIS_CYCLE };

static bool add_slots(cta_list *list, const cta_event *like, uint32_t slots, uint32_t cta)
{
    cta_event e = *like;

    e.cta = cta;
    for (e.slot = 0; e.slot < BALLAST_MAX_SLOTS; e.slot++)
        if (slots >> e.slot & 1 && !add(list, &e))
            return false;
    return true;
}

/* `active`: slots that held a CTA before the cycle. */
static bool add_cycle(cta_list *list, trace_reader *r, unsigned sm, const sm_obs *obs, uint32_t active)
{
    const cta_event started = {.cycle = trace_cycle(r), .launch = (uint16_t)trace_launch_index(r), .sm = (uint16_t)sm};
    cta_event ended = started;

    ended.done = true;
    return add_slots(list, &ended, obs->cta_done & active, EXIT_OLD) && add_slots(list, &started, obs->cta_start, CTA_UNKNOWN) &&
           add_slots(list, &ended, obs->cta_done & ~active, EXIT_OF_THIS_CYCLE);
}

static bool add_sm(cta_list *list, trace_reader *r, unsigned sm, const char *path, bool *refills, trace_err *err)
{
    uint32_t active = 0;
    const sm_obs *obs;
    bool ok = trace_select_sm(r, sm, err), first = true;

    while (ok && (obs = trace_next(r, err))) {
        if (first && (obs->cta_active & ~obs->cta_start))
            return import_fail(err, path, UINT64_MAX, "SM %u holds CTAs when the recording begins, and nothing says since when", sm);
        first = false;
        *refills |= (active & obs->cta_start) != 0;
        if ((obs->cta_start || obs->cta_done) && !add_cycle(list, r, sm, obs, active))
            return import_fail(err, path, UINT64_MAX, "out of memory");
        active = active_after(active, obs->cta_start, obs->cta_done);
    }
    return ok && !err->text[0];
}

static unsigned place(const cta_event *e, bool exits_first)
{
    if (!e->done)
        return LAUNCH;
    return exits_first && e->cta == EXIT_OLD ? BEFORE_LAUNCHES : AFTER_LAUNCHES;
}

static int compare(const cta_event *x, const cta_event *y, bool exits_first)
{
    const unsigned a = place(x, exits_first), b = place(y, exits_first);

    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    if (a != b)
        return a < b ? -1 : 1;
    return x->sm != y->sm ? (int)x->sm - y->sm : (int)x->slot - y->slot;
}

static int with_exits_first(const void *a, const void *b) { return compare(a, b, true); }
static int with_launches_first(const void *a, const void *b) { return compare(a, b, false); }

/* The launches of one cycle, sorted by SM, begin behind `last`. */
static void rotate(cta_event *e, size_t n, unsigned last)
{
    size_t first = 0;
    cta_event *copy;

    while (first < n && e[first].sm <= last)
        first++;
    copy = first % n ? malloc(n * sizeof *copy) : NULL;
    for (size_t i = 0; copy && i < n; i++)
        copy[i] = e[(first + i) % n];
    if (copy)
        memcpy(e, copy, n * sizeof *copy);
    free(copy);
}

static void take_turns(cta_list *list)
{
    unsigned last = list->geometry.sms;
    size_t n;

    for (size_t at = 0; at < list->num_events; at += n) {
        const cta_event *e = &list->events[at];

        n = 1;
        if (e->done)
            continue;
        while (at + n < list->num_events && !e[n].done && e[n].cycle == e->cycle)
            n++;
        rotate(&list->events[at], n, last);
        last = list->events[at + n - 1].sm;
    }
}

bool cta_list_of_trace(cta_list *list, trace_reader *r, const char *path, trace_err *err)
{
    const trace_meta *meta = trace_get_meta(r);
    bool ok = true, refills = false;

    *list = (cta_list){.geometry = meta->geometry, .config_limit = meta->config_limit, .num_launches = meta->num_launches};
    err->text[0] = '\0';
    list->launches = malloc((meta->num_launches + 1u) * sizeof *list->launches);
    if (!list->launches)
        return import_fail(err, path, UINT64_MAX, "out of memory");
    memcpy(list->launches, meta->launches, meta->num_launches * sizeof *list->launches);
    for (unsigned i = 0; ok && i < trace_num_sms(r); i++)
        ok = add_sm(list, r, trace_get_sm(r, i)->sm, path, &refills, err);
    if (!ok)
        return false;
    if (list->num_events)
        qsort(list->events, list->num_events, sizeof *list->events, refills ? with_exits_first : with_launches_first);
    take_turns(list);
    return true;
}
