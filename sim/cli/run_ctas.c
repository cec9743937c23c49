/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run_ctas.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/commands.h"
#include "cli/cta_play.h"
#include "cli/dispatch.h"
#include "cli/run_data.h"
#include "cli/say.h"
#include "common/cta_needs.h"
#include "recording/csv.h"

enum { NAME = 128, WORDS = 512 };

/* A kernel whose CTAs are known on all SMs. */
typedef struct known_kernel {
    const run_family *family; /* NULL: there is none */
    unsigned lcs;             /* the limit that LCS chose, 0: it did not */
    char folder[PLACED_PATH], name[NAME];
    raw_import_options how;
    cta_list list;
    cta_source source;
} known_kernel;

typedef struct output {
    const char *dir;
    FILE *index;
    int status;
} output;

/* ---- which kernels ---------------------------------------------------------------------- */

static bool is_folder(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* vectors/fma.n6.blt: vectors/ctas/fma.n6. False if there is none. */
static bool folder_of(known_kernel *k, const char *path)
{
    const char *slash = strrchr(path, '/');
    const int place = slash ? (int)(slash - path) + 1 : 0;

    recording_name(k->name, sizeof k->name, path);
    snprintf(k->folder, sizeof k->folder, "%.*sctas/%s", place, path, k->name);
    return is_folder(k->folder);
}

static uint32_t parameter(const block *b, const char *name)
{
    const char *at = b ? strstr(b->params, name) : NULL;

    return at ? (uint32_t)strtoul(at + strlen(name), NULL, 10) : 0;
}

/* An SM of the recorded geometry has what this build's dispatcher gives out, if it is of the same. */
static void take_resources(raw_import_options *how)
{
    const block *dispatcher = block_find("gwde");

    if (how->geometry.warps != parameter(dispatcher, "NumWarps=") || how->geometry.slots != parameter(dispatcher, "NumSlots="))
        return;
    how->resources.threads = 32u * how->geometry.warps;
    how->resources.slots = how->geometry.slots;
    how->resources.registers = BALLAST_CTA_REG_UNIT * parameter(dispatcher, "RegUnits=");
    how->resources.shared_bytes = BALLAST_CTA_SMEM_UNIT * parameter(dispatcher, "SmemUnits=");
}

/* The recording says what the tables of its folder may not: the grid's width, and the chip. */
static bool fits(known_kernel *k, const char *path, bool two_d)
{
    trace_err err = {.text = ""};
    trace_reader *r = trace_open(path, NULL, &err);
    const trace_meta *meta = r ? trace_get_meta(r) : NULL;
    bool ok = meta && meta->num_launches && meta->launches[0].desc.is_2d == two_d;

    raw_import_defaults(&k->how);
    if (ok) {
        k->how.geometry = meta->geometry;
        take_resources(&k->how);
        k->how.grid_x = two_d ? meta->launches[0].desc.grid_x : 0;
    }
    trace_close(r);
    return ok;
}

static bool find_in(known_kernel *k, const run_family *f, bool two_d)
{
    for (unsigned i = f->family.num_paths; i-- > 0;)
        if (folder_of(k, f->family.paths[i]))
            return fits(k, f->family.paths[i], two_d);
    return false;
}

static int open_kernel(known_kernel *k, const run_replays *r, bool two_d)
{
    int status = EXIT_PASS;

    *k = (known_kernel){.family = NULL};
    for (unsigned f = 0; f < r->num && !k->family; f++)
        if (find_in(k, &r->families[f], two_d)) {
            k->family = &r->families[f];
            k->lcs = r->kernels[f].policy[BALLAST_POLICY_LCS].ran ? r->kernels[f].policy[BALLAST_POLICY_LCS].chosen : 0;
        }
    if (k->family && !dispatch_read(&k->list, &k->how, k->folder, k->name, &status))
        k->family = NULL;
    if (k->family)
        k->source = (cta_source){.list = &k->list, .name = k->family->family.program, .path = k->folder};
    return status;
}

/* ---- lists -------------------------------------------------------------------------------- */

static void put_index(output *o, const char *list, const char *title, const char *words)
{
    csv_put(o->index, list);
    putc(',', o->index);
    csv_put(o->index, title);
    putc(',', o->index);
    csv_put(o->index, words);
    putc('\n', o->index);
}

/* One picture: `ok` and err are those of the list's making; it is freed. */
static void put_list(output *o, const char *name, const char *dispatcher, const char *title, const char *words, cta_spans *spans, bool ok,
                     const trace_err *err)
{
    char path[RUN_DATA_PATH], list[2 * NAME];
    FILE *f;

    if (!ok) {
        o->status = complain("%s", err->text);
        return;
    }
    snprintf(list, sizeof list, "%s.%s.ctas.csv", name, dispatcher);
    f = run_data_open(path, o->dir, list);
    if (f)
        cta_spans_write(spans, f);
    cta_spans_free(spans);
    if (f && run_data_close(f, path))
        put_index(o, list, title, words);
    else
        o->status = EXIT_BAD_INPUT;
}

static void put_recorded(output *o, const known_kernel *k)
{
    const gwde_cfg cfg = dispatch_gwde(&k->how.resources, &k->how.geometry);
    char title[2 * NAME], words[WORDS];
    trace_err err;
    cta_spans spans;
    const bool ok = cta_play_recorded(&spans, &k->source, &cfg.bcs, &err);

    snprintf(title, sizeof title, "%s, as recorded", k->source.name);
    snprintf(words, sizeof words, "The recorder's own dispatcher, recording %s.", k->name);
    put_list(o, k->source.name, "recorder", title, words, &spans, ok, &err);
}

static void put_alone(output *o, const known_kernel *k, bool pairs)
{
    const gwde_cfg cfg = dispatch_gwde(&k->how.resources, &k->how.geometry);
    char title[2 * NAME];
    trace_err err;
    cta_spans spans;
    const bool ok = cta_play_alone(&spans, &k->source, &cfg, pairs, &err);

    snprintf(title, sizeof title, pairs ? "%s, gwde with pairs" : "%s, gwde", k->source.name);
    put_list(o, k->source.name, pairs ? "bcs" : "gwde", title,
             pairs ? "The same block with pairs of neighbours (BCS-1): both CTAs go to the same SM, in two cycles that follow each other, and only where "
                     "there is room for both."
                   : "Block gwde: the CTAs in turn, one launch per cycle on the whole chip. Each CTA takes as long as it was recorded.",
             &spans, ok, &err);
}

static void put_mixed(output *o, const known_kernel *first, const known_kernel *second)
{
    const mcke_cfg cfg = cta_mcke(&first->how.resources, &first->how.geometry);
    const unsigned slots = cfg.sm.num_slots, quota[CTA_PLAY_MOST] = {first->lcs && first->lcs < slots ? first->lcs : slots, slots};
    const cta_source both[CTA_PLAY_MOST] = {first->source, second->source};
    char title[3 * NAME], words[WORDS], name[2 * NAME];
    trace_err err;
    cta_spans spans;
    const bool ok = cta_play_mixed(&spans, both, &cfg, MCKE_QUOTAS, quota, &err);

    snprintf(name, sizeof name, "%.120s+%.120s", first->source.name, second->source.name);
    snprintf(title, sizeof title, "%.120s and %.120s at once, mcke", first->source.name, second->source.name);
    snprintf(words, sizeof words, "Block mcke, mode QUOTAS: the kernels take turns, an SM holds at most %u CTAs of %.100s%s and of %.100s what fits beside "
             "them. Each CTA takes as long as it was recorded.", quota[0], first->source.name, first->lcs ? ", LCS's choice for it," : "", second->source.name);
    put_list(o, name, "mcke", title, words, &spans, ok, &err);
}

/* ---- all ------------------------------------------------------------------------------------ */

static void put_all(output *o, const known_kernel *two_d, const known_kernel *one_d)
{
    if (two_d->family) {
        put_recorded(o, two_d);
        put_alone(o, two_d, false);
        put_alone(o, two_d, true);
    }
    if (one_d->family) {
        put_recorded(o, one_d);
        put_alone(o, one_d, false);
    }
    if (two_d->family && one_d->family)
        put_mixed(o, two_d, one_d);
}

int run_ctas(const char *dir, const run_replays *r)
{
    static known_kernel two_d, one_d;
    char path[RUN_DATA_PATH];
    output o = {.dir = dir, .index = run_data_open(path, dir, "dispatch.csv")};

    if (!o.index)
        return EXIT_BAD_INPUT;
    o.status = worse(open_kernel(&two_d, r, true), open_kernel(&one_d, r, false));
    fputs("list,title,words\n", o.index);
    put_all(&o, &two_d, &one_d);
    cta_list_free(&two_d.list);
    cta_list_free(&one_d.list);
    return run_data_close(o.index, path) ? o.status : EXIT_BAD_INPUT;
}
