/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show.h"

#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/say.h"
#include "cli/shown.h"

enum { SHOWN_EPOCHS = 24,       /* of a block that never ends */
       SHOWN_CHIP_EPOCHS = 8,   /* of a chip of up to 16 SMs  */
       SHOWN_BIG_CHIP_EPOCHS = 2,
       EPOCH = 4096 };

/* The blocks that a family's replay under Perf-Sat shows; all others get a run of their own. */
static const char *const perfsats[] = {"stall_classifier", "perfsat"};
enum { PERFSATS = sizeof perfsats / sizeof perfsats[0] };

static bool is_perfsats(const char *block_name)
{
    for (unsigned i = 0; i < PERFSATS; i++)
        if (!strcmp(perfsats[i], block_name))
            return true;
    return false;
}

/* OUT/<prefix><block_name>.gtkw */
static bool save(const shown *s, const char *prefix, const char *fst, const session_result *result)
{
    char target[4096], err[VIEW_ERR];
    bool ok;

    snprintf(target, sizeof target, "%s/%s%s.gtkw", s->replay.out, prefix, s->block_name);
    ok = shown_save(s, target, fst, result, NULL, err);
    if (!ok)
        complain("%s", err);
    return ok;
}

static void tell(const char *out, const char *block_name)
{
    printf("waveform view of %s: gtkwave %s/%s.gtkw\n", block_name, out, block_name);
}

bool show_remember(shown_family *best, const kernel_family *f, unsigned changes)
{
    if (best->num_paths && changes <= best->changes)
        return false;
    memcpy(best->paths, f->paths, f->num_paths * sizeof *f->paths);
    best->num_paths = f->num_paths;
    best->launch = f->launch;
    best->changes = changes;
    return true;
}

void show_family(show *s, const replay_options *replay, const kernel_family *f, const session_result *result)
{
    const bool best = show_remember(&s->perfsat, f, session_limit_track(result)->num_points);
    shown *v = calloc(1, sizeof *v);
    char fst[4096], prefix[MANIFEST_TEXT + 32], err[VIEW_ERR];

    snprintf(fst, sizeof fst, "%s/%s.sm0.fst", replay->out, f->name);
    snprintf(prefix, sizeof prefix, "%s.", f->name);
    for (unsigned i = 0; v && i < PERFSATS && block_find(perfsats[i]); i++) {
        if (!shown_prepare(v, s->views, perfsats[i], replay, err))
            complain("%s", err);
        else if (save(v, prefix, fst, result) && best)
            save(v, "", fst, result);
    }
    free(v);
}

/* ---- the other blocks --------------------------------------------------------------- */

static unsigned epochs_of(const shown *v)
{
    if (!shown_is_chip(v))
        return SHOWN_EPOCHS;
    return replay_num_sms(&v->replay) > 16 ? SHOWN_BIG_CHIP_EPOCHS : SHOWN_CHIP_EPOCHS;
}

static int show_prepared(const show *s, shown *v, table *t)
{
    const shown_family *f = &s->others;
    char name[160], fst[4096];
    session_result result;
    int status;

    v->replay.wave = true;
    v->replay.print_log = false;
    v->replay.max_cycles = (uint64_t)epochs_of(v) * EPOCH;
    snprintf(name, sizeof name, "shown.%s", v->block_name);
    status = shown_play(v, f->paths, f->num_paths, f->launch, name, t, &result);
    snprintf(fst, sizeof fst, "%s/%s.%s.fst", v->replay.out, name, shown_is_chip(v) ? "chip" : "sm0");
    if (status == EXIT_PASS && save(v, "", fst, &result))
        tell(v->replay.out, v->block_name);
    session_result_free(&result);
    return status;
}

void show_blocks(const show *s, const replay_options *replay, int *status)
{
    table quiet = {.silent = true};
    shown *v = calloc(1, sizeof *v);
    char err[VIEW_ERR] = "out of memory";

    for (const block *const *b = block_registry; s->perfsat.num_paths && s->others.num_paths && *b && *status != EXIT_STOPPED; b++) {
        if (strcmp((*b)->name, (*b)->model->block_name) != 0)
            continue;
        if (is_perfsats((*b)->name))
            tell(replay->out, (*b)->name);
        else if (!v || !shown_prepare(v, s->views, (*b)->name, replay, err))
            complain("%s", err);
        else
            *status = worse(*status, show_prepared(s, v, &quiet));
    }
    free(v);
}
