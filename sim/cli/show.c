/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show.h"

#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/say.h"
#include "files/placed_file.h"

enum { MOST_MARKS = 26, /* GTKWave has A to Z */
       FEW_MARKS = 4,
       MARKS_READ = 5   /* as many have room for their reasons, if the view says nothing */ };

/* ---- the replay ---------------------------------------------------------------------- */

static bool add_blocks(shown *s, char err[VIEW_ERR])
{
    s->replay.blocks[0] = NULL;
    for (unsigned i = 0; i < s->run.num_blocks; i++) {
        const block *b = block_find(s->run.blocks[i]);

        if (!b) {
            snprintf(err, VIEW_ERR, "%s: no block '%s' in this build", s->source, s->run.blocks[i]);
            return false;
        }
        s->replay.chip |= b->model->per_chip;
        replay_add_block(&s->replay, b);
    }
    return true;
}

/* What the view sets, then what the command line sets, which has the last word. */
static bool add_settings(shown *s, const replay_options *base, char err[VIEW_ERR])
{
    if (s->run.num_settings + base->num_settings > REPLAY_MAX_SETTINGS) {
        snprintf(err, VIEW_ERR, "%s: with these settings more than %d", s->source, REPLAY_MAX_SETTINGS);
        return false;
    }
    for (unsigned i = 0; i < s->run.num_settings; i++)
        s->replay.settings[i] = s->run.settings[i];
    memcpy(s->replay.settings + s->run.num_settings, base->settings, base->num_settings * sizeof base->settings[0]);
    s->replay.num_settings = s->run.num_settings + base->num_settings;
    return true;
}

static bool is_block(const char *name)
{
    const block *b = block_find(name);

    return b && !strcmp(b->name, b->model->block_name);
}

bool shown_prepare(shown *s, const char *views, const char *block_name, const replay_options *base, char err[VIEW_ERR])
{
    if (!is_block(block_name)) {
        snprintf(err, VIEW_ERR, "no view of a block '%s'; the blocks are the folders of %s", block_name, views);
        return false;
    }
    s->replay = *base;
    snprintf(s->block_name, sizeof s->block_name, "%s", block_name);
    snprintf(s->source, sizeof s->source, "%s/%s/view", views, block_name);
    return view_read_run(s->source, block_name, &s->run, err) && add_blocks(s, err) && add_settings(s, base, err);
}

bool shown_is_chip(const shown *s)
{
    return s->replay.chip;
}

static unsigned sm_of(const shown *s)
{
    return s->replay.sm > 0 ? (unsigned)s->replay.sm : 0;
}

int shown_play(const shown *s, const char *const *paths, unsigned num_paths, unsigned launch, const char *name, table *t,
               session_result *result)
{
    const chip_options chip = {.skew = CHIP_SKEW, .family = num_paths > 1, .launch = launch, .max_laps = MAX_LAPS};
    const family_options how = {.sm = sm_of(s), .launch = launch, .max_laps = MAX_LAPS};

    if (num_paths == 0)
        return replay_random(&s->replay, name, t, result);
    return shown_is_chip(s) ? replay_chip(&s->replay, paths, num_paths, &chip, name, t, result)
                            : replay_family(&s->replay, paths, num_paths, &how, name, t, result);
}

/* ---- where it opens --------------------------------------------------------------------- */

/* Those of the view's block that moved something, or, if none did, all of them. */
static void choose_marks(const shown *s, const wave_marks *all, const wave_range *range, wave_mark *room, wave_marks *chosen)
{
    bool moved = false;

    *chosen = (wave_marks){.mark = room};
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned m = 0; m < all->num && chosen->num < MOST_MARKS; m++) {
            const wave_mark *mark = &all->mark[m];
            const bool inside = !range || (mark->time >= range->first && mark->time <= range->last);

            if (!inside || strcmp(mark->block->model->block_name, s->run.marks) != 0 ||
                (mark->of_sm && !s->run.marks_sms))
                continue;
            moved |= mark->moved;
            if (pass && mark->moved == moved)
                room[chosen->num++] = *mark;
        }
    }
}

/* The first move of the limit after a kernel's start, or else the second decision. */
static const wave_mark *main_mark(const wave_marks *marks)
{
    for (unsigned m = 1; m < marks->num; m++)
        if (marks->mark[m].rank == 0)
            return &marks->mark[m];
    return &marks->mark[marks->num > 1];
}

/* The first decisions, with room for the words of the last. */
static wave_range open_range(const shown *s, const wave_marks *marks, uint64_t cycles)
{
    const unsigned most = s->run.decisions ? s->run.decisions : MARKS_READ, num = marks->num < most ? marks->num : most;
    const uint64_t around = s->run.around, marker = num ? main_mark(marks)->time : 0;
    const uint64_t first = num ? marks->mark[0].time : 0, span = num ? marks->mark[num - 1].time - first : 0;
    wave_range range = {0, cycles, marker, cycles};

    if (num && around)
        return (wave_range){marker > around ? marker - around : 0, marker + around, marker, cycles};
    if (num && s->run.last) {
        range = (wave_range){s->run.first, s->run.last, marker, cycles};
    } else if (span) {
        range.first = first > span / 20 ? first - span / 20 : 0;
        range.last = first + span + (num <= FEW_MARKS ? span * 11 / 10 : span / 2);
    }
    range.last = range.last < cycles ? range.last : cycles;
    return range.first < range.last ? range : (wave_range){0, cycles, 0, cycles};
}

bool shown_save(const shown *s, const char *target, const char *fst, const session_result *result,
                const wave_range *range, char err[VIEW_ERR])
{
    const view v = {.source = s->source, .block_name = s->block_name, .blocks = s->replay.blocks,
                    .num_sms = replay_num_sms(&s->replay), .sm = sm_of(s), .fst_path = fst};
    wave_mark room[MOST_MARKS];
    wave_marks marks;
    wave_range opens;

    choose_marks(s, &result->marks, range, room, &marks);
    opens = range ? *range : open_range(s, &marks, result->wave_full ? result->wave_last : result->cycles);
    if (range && marks.num)
        opens.marker = main_mark(&marks)->time;
    wave_marks_make_room(&marks, opens.first, opens.last);
    return view_make(&v, target, &opens, &marks, err);
}

/* ---- all blocks ---------------------------------------------------------------------- */

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

static void tell(const replay_options *replay, const char *block_name)
{
    printf("waveform view of %s: gtkwave %s/%s.gtkw\n", block_name, replay_told(replay), block_name);
}

bool show_remember(shown_family *best, const kernel_family *f, unsigned changes)
{
    if (best->num_paths && changes <= best->changes)
        return false;
    memcpy(best->paths, f->paths, f->num_paths * sizeof *f->paths);
    best->num_paths = f->num_paths;
    snprintf(best->name, sizeof best->name, "%s", f->name);
    best->launch = f->launch;
    best->changes = changes;
    return true;
}

bool show_family(const char *views, const replay_options *replay, const kernel_family *f, const session_result *result)
{
    shown *v = calloc(1, sizeof *v);
    char fst[4096], prefix[MANIFEST_TEXT + 32], err[VIEW_ERR];
    bool ok = v != NULL;

    snprintf(fst, sizeof fst, "%s/%s.sm0.fst", replay->out, f->name);
    snprintf(prefix, sizeof prefix, "%s.", f->name);
    for (unsigned i = 0; v && i < PERFSATS && block_find(perfsats[i]); i++) {
        if (!shown_prepare(v, views, perfsats[i], replay, err))
            ok = (complain("%s", err), false);
        else
            ok &= save(v, prefix, fst, result);
    }
    free(v);
    return ok;
}

static bool copy(const char *from, const char *target)
{
    FILE *source = fopen(from, "r");
    placed_file placed;
    bool ok;
    int c;

    if (!source)
        return complain("%s: cannot read (%m)", from), false;
    ok = placed_open(&placed, target);
    while (ok && (c = getc(source)) != EOF)
        putc(c, placed.file);
    ok = placed_close(&placed, ok && !ferror(source));
    fclose(source);
    if (!ok)
        complain("%s: cannot write (%m)", target);
    return ok;
}

/* The view that show_family has made of the best family, under the block's name alone: it names the waveform beside it. */
static int show_familys(const show *s, const replay_options *replay, const char *block_name)
{
    char from[4096 + MANIFEST_TEXT + 64], target[4096 + 64];

    for (const wave_viewer *const *viewer = wave_viewers; *viewer; viewer++) {
        snprintf(from, sizeof from, "%s/%s.%s.%s", replay->out, s->perfsat.name, block_name, (*viewer)->suffix);
        snprintf(target, sizeof target, "%s/%s.%s", replay->out, block_name, (*viewer)->suffix);
        if (!copy(from, target))
            return EXIT_BAD_INPUT;
    }
    tell(replay, block_name);
    return EXIT_PASS;
}

static uint64_t cycles_of(const shown *v)
{
    if (v->run.random)
        return v->run.random;
    if (!shown_is_chip(v))
        return (uint64_t)SHOWN_EPOCHS * EPOCH;
    return (uint64_t)(replay_num_sms(&v->replay) > 16 ? SHOWN_BIG_CHIP_EPOCHS : SHOWN_CHIP_EPOCHS) * EPOCH;
}

static int show_prepared(const show *s, const replay_options *replay, shown *v, table *t)
{
    const shown_family *f = &s->others;
    char name[160], fst[4096];
    session_result result;
    int status;

    v->replay.wave = true;
    v->replay.print_log = false;
    v->replay.max_cycles = replay_at_most(replay, cycles_of(v));
    snprintf(name, sizeof name, "shown.%s", v->block_name);
    status = shown_play(v, f->paths, v->run.random ? 0 : f->num_paths, f->launch, name, t, &result);
    snprintf(fst, sizeof fst, "%s/%s.%s.fst", v->replay.out, name, shown_is_chip(v) ? "chip" : "sm0");
    if (status == EXIT_PASS && save(v, "", fst, &result))
        tell(&v->replay, v->block_name);
    else if (status == EXIT_PASS)
        status = EXIT_BAD_INPUT;
    session_result_free(&result);
    return status;
}

/* The base blocks, in the registry's order; NULL after the last. */
static const block *base_block(unsigned index)
{
    for (const block *const *b = block_registry; *b; b++)
        if (!strcmp((*b)->name, (*b)->model->block_name) && index-- == 0)
            return *b;
    return NULL;
}

unsigned show_num_blocks(void)
{
    unsigned num = 0;

    while (base_block(num))
        num++;
    return num;
}

int show_block(const show *s, const replay_options *replay, unsigned index, table *t)
{
    const char *name = base_block(index)->name;
    shown *v;
    char err[VIEW_ERR] = "out of memory";
    int status;

    if (is_perfsats(name))
        return show_familys(s, replay, name);
    v = calloc(1, sizeof *v);
    status = v && shown_prepare(v, s->views, name, replay, err) ? show_prepared(s, replay, v, t) : complain("%s", err);
    free(v);
    return status;
}
