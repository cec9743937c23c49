/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/walk.h"

#include <stdlib.h>

#include "recording/input.h"

enum { PROGRESS_CYCLES = 65536 };

typedef struct walker {
    trace_reader *r;
    const sm_obs *obs; /* of its next cycle; NULL: it has ended */
} walker;

typedef struct walk {
    walker *sm;
    unsigned num;
    uint64_t total;
} walk;

static bool begin_sm(walker *sm, const char *path, unsigned number, trace_err *err)
{
    sm->r = trace_open(path, NULL, err);
    if (sm->r && trace_select_sm(sm->r, number, err))
        sm->obs = trace_next(sm->r, err);
    return sm->obs != NULL;
}

static bool begin(walk *w, const char *path, trace_err *err)
{
    trace_reader *first = trace_open(path, NULL, err);
    bool ok = first != NULL;

    if (!first)
        return false;
    w->sm = calloc(trace_num_sms(first) + 1u, sizeof *w->sm);
    if (!w->sm) {
        import_fail(err, path, UINT64_MAX, "out of memory");
        ok = false;
    }
    while (ok && w->num < trace_num_sms(first)) {
        const trace_sm_info *info = trace_get_sm(first, w->num);

        w->total += info->cycles;
        ok = begin_sm(&w->sm[w->num++], path, info->sm, err);
    }
    trace_close(first);
    return ok;
}

static void end(walk *w)
{
    for (unsigned i = 0; i < w->num; i++)
        trace_close(w->sm[i].r);
    free(w->sm);
}

/* The one that is least far; NULL: all have ended. */
static walker *least(const walk *w)
{
    walker *found = NULL;

    for (unsigned i = 0; i < w->num; i++)
        if (w->sm[i].obs && (!found || trace_cycle(w->sm[i].r) < trace_cycle(found->r)))
            found = &w->sm[i];
    return found;
}

bool trace_walk(const char *path, trace_visit *visit, void *user, const trace_walk_options *options, trace_err *err)
{
    walk w = {.num = 0};
    bool ok = begin(&w, path, err);
    uint64_t done = 0;

    for (walker *sm = least(&w); ok && sm; sm = least(&w)) {
        ok = visit(user, (unsigned)(sm - w.sm), sm->r, sm->obs, err);
        if (!ok)
            break;
        sm->obs = trace_next(sm->r, err);
        ok = sm->obs || !err->text[0];
        if (ok && ++done % PROGRESS_CYCLES == 0 && options->progress && !options->progress(options->context, done, w.total))
            ok = import_fail(err, path, UINT64_MAX, "interrupted; nothing was written");
    }
    end(&w);
    return ok;
}
