/* SPDX-License-Identifier: Apache-2.0 */
#include "ballast/show.h"

#include <stdio.h>
#include <string.h>

#include "ballast/commands.h"
#include "ballast/views.h"

enum { CLOSE_UP = 75,       /* cycles on each side of a change that a combinational block shows */
       SHOWN_EPOCHS = 24,   /* of a block that never ends                                       */
       SHOWN_CHIP_EPOCHS = 8,   /* of a chip of up to 16 SMs */
       SHOWN_BIG_CHIP_EPOCHS = 2,
       EPOCH = 4096 };

/* A search is read over the whole run, a combinational block over some cycles around the first
 * change of the limit. */
static wave_range view_range(uint64_t cycles, uint64_t first_change, const block *b)
{
    wave_range range = {0, cycles, cycles};

    if (!b->rtl->clocked) {
        range.first = first_change > CLOSE_UP ? first_change - CLOSE_UP : 0;
        range.last = range.first + (uint64_t)2 * CLOSE_UP;
        range.marker = first_change;
    }
    return range;
}

/* `stem`'s view of a waveform of block `b`, which is or contains it. */
static void make_view(const show *s, const replay_options *replay, const char *prefix, const char *stem,
                      const block *b, const char *fst, uint64_t cycles, uint64_t first_change)
{
    const wave_range range = view_range(cycles, first_change, b);
    char source[4096], target[4096];

    snprintf(source, sizeof source, "%s/%s.gtkw", s->views, stem);
    snprintf(target, sizeof target, "%s/%s%s.gtkw", replay->out, prefix, stem);
    if (!view_make(source, target, b, fst, &range))
        fprintf(stderr, "ballast: %s: cannot make %s from it\n", source, target);
    else if (!prefix[0])
        printf("waveform view of %s: gtkwave %s\n", stem, target);
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
    const session_track *limit = session_limit_track(result);
    const uint64_t first_change = limit->num_points > 1 ? limit->points[1].cycle : 0;
    char fst[4096], prefix[160];

    snprintf(fst, sizeof fst, "%s/%s.sm0.fst", replay->out, name);
    snprintf(prefix, sizeof prefix, "%s.", name);
    for (const block *const *b = replay->blocks; *b; b++)
        make_view(s, replay, prefix, (*b)->model->stem, *b, fst, result->cycles, first_change);
    if (remember(&s->perfsat, paths, num_paths, launch, limit->num_points)) {
        snprintf(s->fst, sizeof s->fst, "%s", fst);
        s->cycles = result->cycles;
        s->first_change = first_change;
    }
}

/* ---- the other blocks --------------------------------------------------------------- */

/* The block after all that it needs. */
static void add_closure(replay_options *replay, const block *b)
{
    unsigned n = 0;

    for (const char *const *need = b->model->needs; *need; need++) {
        bool there = false;

        for (n = 0; replay->blocks[n]; n++)
            there |= !strcmp(replay->blocks[n]->name, *need);
        if (!there)
            add_closure(replay, block_find(*need));
    }
    for (n = 0; replay->blocks[n];)
        n++;
    replay->blocks[n] = b;
    replay->blocks[n + 1] = NULL;
}

static void show_sm_block(const show *s, const replay_options *replay, const block *b, table *t, int *status)
{
    const family_options how = {.launch = s->others.launch, .max_laps = MAX_LAPS};
    replay_options own = *replay;
    char name[160], fst[4096];
    family_outcome outcome;
    int result;

    own.blocks[0] = NULL;
    add_closure(&own, b);
    own.wave = true;
    own.print_log = false;
    own.max_cycles = (uint64_t)SHOWN_EPOCHS * EPOCH;
    snprintf(name, sizeof name, "shown.%s", b->name);
    result = replay_family(&own, s->others.paths, s->others.num_paths, &how, name, t, &outcome);
    if (result == EXIT_PASS) {
        const session_track *limit = session_limit_track(&outcome.result);

        snprintf(fst, sizeof fst, "%s/%s.sm0.fst", own.out, name);
        make_view(s, replay, "", b->name, b, fst, outcome.result.cycles,
                  limit->num_points > 1 ? limit->points[1].cycle : 0);
    }
    *status = result > *status ? result : *status;
    session_result_free(&outcome.result);
}

/* The chip's waveform shows its vote and its domains, too. */
static void show_chip(const show *s, const replay_options *replay, table *t, int *status)
{
    const chip_options how = {.skew = 13, .family = true, .launch = (int)s->others.launch, .max_laps = MAX_LAPS};
    replay_options own = *replay;
    char fst[4096];
    family_outcome outcome;
    int result;

    replay_options_chip(&own);
    if (!own.blocks[0])
        return;
    own.wave = true;
    own.print_log = false;
    own.max_cycles = (uint64_t)EPOCH * (replay_num_sms(&own) > 16 ? SHOWN_BIG_CHIP_EPOCHS : SHOWN_CHIP_EPOCHS);
    result = replay_chip(&own, s->others.paths, s->others.num_paths, &how, "shown.ballast", t, &outcome);
    snprintf(fst, sizeof fst, "%s/shown.ballast.chip.fst", own.out);
    for (const block *const *b = block_registry; result == EXIT_PASS && *b; b++)
        if ((*b)->model->per_chip && !strcmp((*b)->name, (*b)->model->stem))
            make_view(s, replay, "", (*b)->name, own.blocks[0], fst, outcome.result.cycles, 0);
    *status = result > *status ? result : *status;
    session_result_free(&outcome.result);
}

static bool is_perfsats(const block *b)
{
    return !strcmp(b->name, "perfsat") || !strcmp(b->name, "stall_classifier");
}

void show_blocks(const show *s, const replay_options *replay, int *status)
{
    table quiet;

    if (!s->perfsat.num_paths || !s->others.num_paths)
        return;
    table_begin(&quiet, NULL, NULL);
    quiet.silent = true;
    for (const block *const *b = block_registry; *b && *status != EXIT_STOPPED; b++) {
        if (strcmp((*b)->name, (*b)->model->stem) != 0 || (*b)->model->per_chip)
            continue;
        if (is_perfsats(*b))
            make_view(s, replay, "", (*b)->name, *b, s->fst, s->cycles, s->first_change);
        else
            show_sm_block(s, replay, *b, &quiet, status);
    }
    if (*status != EXIT_STOPPED)
        show_chip(s, replay, &quiet, status);
}
