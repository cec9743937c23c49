/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/perfetto_export.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/popcount.h"
#include "recording/input.h"
#include "replay/perfetto_events.h"

/* What is counted of an SM: the mean over a window, but for the CTAs, which are those at its end. */
enum { WAIT_MEM, WAIT_ALU, READY, ISSUED, RESIDENT, COUNTERS };
static const char *const counters[COUNTERS] = {"warps waiting for memory", "warps waiting for an ALU result", "warps ready", "instructions per cycle",
                                               "CTAs"};

typedef struct counted_sm {
    char where[16];
    uint64_t from, cycles, sum[COUNTERS];
    double shown[COUNTERS]; /* the last points */
    bool has_shown;
    unsigned launch;        /* the slice that is open, TRACE_NO_LAUNCH: none */
    uint64_t launched, end;
} counted_sm;

typedef struct counting {
    perfetto *p;
    const trace_meta *meta;
    uint32_t every;
    counted_sm *sm;
} counting;

static void close_window(const counting *c, counted_sm *sm)
{
    for (unsigned i = 0; i < COUNTERS && sm->cycles; i++) {
        const double value = i == RESIDENT ? (double)sm->sum[i] : (double)sm->sum[i] / (double)sm->cycles;

        if (!sm->has_shown || value < sm->shown[i] || value > sm->shown[i])
            perfetto_counter(c->p, sm->where, counters[i], sm->from, value);
        sm->shown[i] = value;
        sm->sum[i] = 0;
    }
    sm->has_shown |= sm->cycles > 0;
    sm->cycles = 0;
}

static void close_launch(const counting *c, const counted_sm *sm, unsigned tid)
{
    if (sm->launch != TRACE_NO_LAUNCH)
        perfetto_slice(c->p, tid, c->meta->launches[sm->launch].name, sm->launched, sm->end - sm->launched, NULL);
}

static void count(counted_sm *sm, const sm_obs *o)
{
    const uint64_t low = ~o->ws[3], issued = sm_obs_issued(o);

    sm->sum[WAIT_MEM] += ballast_popcount64(low & o->ws[2] & ~o->ws[1] & ~o->ws[0]);
    sm->sum[WAIT_ALU] += ballast_popcount64(low & ~o->ws[2] & o->ws[1] & o->ws[0]);
    sm->sum[READY] += ballast_popcount64((low & o->ws[2] & (o->ws[1] | o->ws[0])) | (~low & ~o->ws[2] & ~o->ws[1] & ~o->ws[0]));
    sm->sum[ISSUED] += ballast_popcount64(issued);
    sm->sum[RESIDENT] = ballast_popcount64(o->cta_active & ~(o->cta_done & ~o->cta_start));
}

static bool visit(void *user, unsigned index, trace_reader *r, const sm_obs *obs, trace_err *err)
{
    const counting *c = user;
    counted_sm *sm = &c->sm[index];
    const uint64_t cycle = trace_cycle(r);

    (void)err;
    if (trace_launch_index(r) != sm->launch) {
        close_launch(c, sm, trace_get_sm(r, index)->sm + 1u);
        sm->launch = trace_launch_index(r);
        sm->launched = cycle;
    }
    if (!sm->cycles)
        sm->from = cycle;
    count(sm, obs);
    sm->end = cycle + 1;
    if (++sm->cycles == c->every)
        close_window(c, sm);
    return true;
}

static bool put_recording(perfetto *p, const char *path, const perfetto_options *options, trace_err *err)
{
    trace_reader *r = trace_open(path, NULL, err);
    const unsigned num = r ? trace_num_sms(r) : 0;
    counting c = {.p = p, .every = options->every, .sm = calloc(num + 1u, sizeof *c.sm)};
    bool ok = r && c.sm;

    if (r && !c.sm)
        import_fail(err, path, UINT64_MAX, "out of memory");
    if (r)
        c.meta = trace_get_meta(r);
    for (unsigned i = 0; ok && i < num; i++) {
        snprintf(c.sm[i].where, sizeof c.sm[i].where, "SM%u", trace_get_sm(r, i)->sm);
        c.sm[i].launch = TRACE_NO_LAUNCH;
        perfetto_thread(p, trace_get_sm(r, i)->sm + 1u, c.sm[i].where);
    }
    ok = ok && trace_walk(path, visit, &c, &options->walk, err);
    for (unsigned i = 0; ok && i < num; i++) {
        close_window(&c, &c.sm[i]);
        close_launch(&c, &c.sm[i], trace_get_sm(r, i)->sm + 1u);
    }
    free(c.sm);
    trace_close(r);
    return ok;
}

static bool is_log(const char *path)
{
    static const char end[] = ".jsonl";
    const size_t n = strlen(path);

    return n >= sizeof end && !strcmp(path + n - (sizeof end - 1), end);
}

static bool put_file(perfetto *p, const char *path, const perfetto_options *options, trace_err *err)
{
    const char *slash = strrchr(path, '/');

    p->pid++;
    perfetto_process(p, slash ? slash + 1 : path);
    return is_log(path) ? perfetto_log(p, path, err) : put_recording(p, path, options, err);
}

static int is_model_log(const struct dirent *entry)
{
    static const char end[] = ".model.jsonl";
    const size_t n = strlen(entry->d_name);

    return n >= sizeof end && !strcmp(entry->d_name + n - (sizeof end - 1), end);
}

/* The decisions of a run: the logs of the reference models, which equal those of the RTL, or a verdict says otherwise. */
static bool put_run(perfetto *p, const char *folder, const perfetto_options *options, trace_err *err)
{
    char path[4400];
    struct dirent **entry = NULL;
    const int num = scandir(folder, &entry, is_model_log, alphasort);
    bool ok = num > 0;

    if (!ok)
        import_fail(err, folder, UINT64_MAX, "no decision log in this folder; name a run, a recording or a log");
    for (int i = 0; i < num; i++) {
        snprintf(path, sizeof path, "%.4000s/%s", folder, entry[i]->d_name);
        ok = ok && put_file(p, path, options, err);
        free(entry[i]);
    }
    free(entry);
    return ok;
}

static bool is_folder(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool perfetto_export(const char *const *paths, unsigned num, FILE *to, const perfetto_options *options, trace_err *err)
{
    perfetto p = {.f = to};
    bool ok = true;

    fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", to);
    for (unsigned i = 0; ok && i < num; i++)
        ok = is_folder(paths[i]) ? put_run(&p, paths[i], options, err) : put_file(&p, paths[i], options, err);
    fputs("\n]}\n", to);
    return ok;
}
