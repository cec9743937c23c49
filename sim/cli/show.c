/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/shown.h"

enum { SHOWN_EPOCHS = 24,       /* of a block that never ends */
       SHOWN_CHIP_EPOCHS = 8,   /* of a chip of up to 16 SMs  */
       SHOWN_BIG_CHIP_EPOCHS = 2,
       EPOCH = 4096 };

/* The blocks that a family's replay under Perf-Sat shows; all others get a run of their own. */
static const char *const perfsats[] = {"stall_classifier", "perfsat", NULL};

static bool is_perfsats(const char *block_name)
{
    const char *const *name = perfsats;

    while (*name && strcmp(*name, block_name) != 0)
        name++;
    return *name != NULL;
}

static void complain(const char *err)
{
    fprintf(stderr, "ballast: %s\n", err);
}

/* OUT/<prefix><block_name>.gtkw */
static bool save(const shown *s, const char *prefix, const char *fst, const session_result *result)
{
    char target[4096], err[VIEW_ERR];
    bool ok;

    snprintf(target, sizeof target, "%s/%s%s.gtkw", s->replay.out, prefix, s->block_name);
    ok = shown_save(s, target, fst, result, NULL, err);
    if (!ok)
        complain(err);
    return ok;
}

static void tell(const char *out, const char *block_name)
{
    printf("waveform view of %s: gtkwave %s/%s.gtkw\n", block_name, out, block_name);
}

/* Whether this one has more to show than the one before. */
static bool remember(shown_family *f, const char *const *paths, unsigned num_paths, unsigned launch, unsigned changes)
{
    if (f->num_paths && changes <= f->changes)
        return false;
    memcpy(f->paths, paths, num_paths * sizeof *paths);
    f->num_paths = num_paths;
    f->launch = launch;
    f->changes = changes;
    return true;
}

void show_equalizer(show *s, const char *const *paths, unsigned num_paths, unsigned launch, unsigned changes)
{
    remember(&s->others, paths, num_paths, launch, changes);
}

void show_family(show *s, const replay_options *replay, const char *name, const char *const *paths,
                 unsigned num_paths, unsigned launch, const session_result *result)
{
    const bool best = remember(&s->perfsat, paths, num_paths, launch, session_limit_track(result)->num_points);
    shown *v = calloc(1, sizeof *v);
    char fst[4096], prefix[160], err[VIEW_ERR];

    snprintf(fst, sizeof fst, "%s/%s.sm0.fst", replay->out, name);
    snprintf(prefix, sizeof prefix, "%s.", name);
    for (const char *const *block_name = perfsats; v && *block_name && block_find(*block_name); block_name++) {
        if (!shown_prepare(v, s->views, *block_name, replay, err))
            complain(err);
        else if (save(v, prefix, fst, result) && best)
            save(v, "", fst, result);
    }
    free(v);
}

/* ---- the other blocks --------------------------------------------------------------- */

static int replay_sm(const show *s, shown *v, const char *name, table *t, family_outcome *outcome)
{
    const family_options how = {.launch = s->others.launch, .max_laps = MAX_LAPS};

    v->replay.max_cycles = (uint64_t)SHOWN_EPOCHS * EPOCH;
    return replay_family(&v->replay, s->others.paths, s->others.num_paths, &how, name, t, outcome);
}

static int replay_all_sms(const show *s, shown *v, const char *name, table *t, family_outcome *outcome)
{
    const chip_options how = {.skew = 13, .family = true, .launch = (int)s->others.launch, .max_laps = MAX_LAPS};
    const unsigned epochs = replay_num_sms(&v->replay) > 16 ? SHOWN_BIG_CHIP_EPOCHS : SHOWN_CHIP_EPOCHS;

    v->replay.max_cycles = (uint64_t)epochs * EPOCH;
    return replay_chip(&v->replay, s->others.paths, s->others.num_paths, &how, name, t, outcome);
}

static void show_block(const show *s, const replay_options *replay, const char *block_name, table *t, int *status)
{
    shown *v = calloc(1, sizeof *v);
    char err[VIEW_ERR], name[160], fst[4096];
    family_outcome outcome;
    int result;

    if (!v || !shown_prepare(v, s->views, block_name, replay, err)) {
        complain(v ? err : "out of memory");
        free(v);
        return;
    }
    memset(&outcome, 0, sizeof outcome);
    v->replay.wave = true;
    v->replay.print_log = false;
    snprintf(name, sizeof name, "shown.%s", block_name);
    result = (shown_is_chip(v) ? replay_all_sms : replay_sm)(s, v, name, t, &outcome);
    snprintf(fst, sizeof fst, "%s/%s.%s.fst", v->replay.out, name, shown_is_chip(v) ? "chip" : "sm0");
    if (result == EXIT_PASS && save(v, "", fst, &outcome.result))
        tell(replay->out, block_name);
    *status = result > *status ? result : *status;
    session_result_free(&outcome.result);
    free(v);
}

void show_blocks(const show *s, const replay_options *replay, int *status)
{
    table quiet;

    if (!s->perfsat.num_paths || !s->others.num_paths)
        return;
    table_begin(&quiet, NULL, NULL);
    quiet.silent = true;
    for (const block *const *b = block_registry; *b && *status != EXIT_STOPPED; b++) {
        if (strcmp((*b)->name, (*b)->model->block_name) != 0)
            continue;
        if (is_perfsats((*b)->name))
            tell(replay->out, (*b)->name);
        else
            show_block(s, replay, (*b)->name, &quiet, status);
    }
}
