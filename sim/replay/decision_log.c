/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/decision_log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/decision.h"

enum { KINDS = 2, MOST_FILES = KINDS * LOCKSTEP_SIDES, PATH = 4096 };

static bool open_text(decision_text *text)
{
    text->stream = open_memstream(&text->text, &text->size);
    return text->stream != NULL;
}

static void close_text(decision_text *text)
{
    if (text->stream)
        fclose(text->stream);
    free(text->text);
    memset(text, 0, sizeof *text);
}

bool decision_log_open(decision_log *log, unsigned num_sms, unsigned sm)
{
    bool ok = true;

    memset(log, 0, sizeof *log);
    lockstep_name_where(num_sms, sm, log->where, sizeof log->where);
    log->sm = num_sms > 1 ? DECISION_NO_SM : (int)sm;
    for (int side = 0; side < LOCKSTEP_SIDES; side++)
        ok = open_text(&log->side[side].words) && open_text(&log->side[side].data) && ok;
    return ok;
}

void decision_log_add(decision_log *log, enum lockstep_side side, const char *instance, uint64_t cycle,
                      const decisions *list)
{
    const decision_place at = {cycle, log->where, log->sm, instance};
    FILE *words = log->side[side].words.stream, *data = log->side[side].data.stream;

    log->failed |= list->failed;
    if (!list->num)
        return;
    fprintf(words, "cycle %" PRIu64 " %s ", cycle, log->where);
    decisions_print_words(list, words);
    putc('\n', words);
    for (unsigned i = 0; i < list->num; i++) {
        decision_print_json(&list->taken[i], &at, data);
        putc('\n', data);
    }
    log->lines += side == SIDE_MODEL;
}

static bool flush(decision_text *text)
{
    return fflush(text->stream) == 0 && !ferror(text->stream);
}

static bool same(decision_text *a, decision_text *b)
{
    return flush(a) && flush(b) && a->size == b->size && !memcmp(a->text, b->text, a->size);
}

/* The data have the words, too. */
bool decision_log_equal(decision_log *log)
{
    return !log->failed && same(&log->side[SIDE_MODEL].data, &log->side[SIDE_RTL].data);
}

/* ---- files ----------------------------------------------------------------------- */

typedef struct log_file {
    char path[PATH], made[PATH + 8]; /* made: under this name until all are */
    decision_text *text;
} log_file;

static unsigned add_files(decision_log *log, enum lockstep_side side, const char *prefix, log_file *files)
{
    decision_text *const texts[KINDS] = {&log->side[side].words, &log->side[side].data};
    static const char *const kinds[KINDS] = {"log", "jsonl"};

    for (int k = 0; k < KINDS; k++) {
        files[k].text = texts[k];
        snprintf(files[k].path, sizeof files[k].path, "%s.%s.%s", prefix, lockstep_side_names[side], kinds[k]);
        snprintf(files[k].made, sizeof files[k].made, "%s.tmp", files[k].path);
    }
    return KINDS;
}

static bool write_file(const log_file *file)
{
    FILE *f = flush(file->text) ? fopen(file->made, "w") : NULL;
    bool ok = f && fwrite(file->text->text, 1, file->text->size, f) == file->text->size;

    if (f)
        ok &= fclose(f) == 0;
    return ok;
}

/* Nothing of them is left if one cannot be written. */
static bool save_files(const log_file *files, unsigned num)
{
    unsigned written = 0, named = 0;
    bool ok = true;

    while (ok && written < num)
        ok = write_file(&files[written++]);
    while (ok && named < num && (ok = rename(files[named].made, files[named].path) == 0))
        named++;
    if (!ok) {
        for (unsigned i = 0; i < named; i++)
            unlink(files[i].path);
        for (unsigned i = named; i < written; i++)
            unlink(files[i].made);
    }
    return ok;
}

static bool save_sides(decision_log *log, enum lockstep_side first, unsigned sides, const char *prefix)
{
    log_file *files = calloc(MOST_FILES, sizeof *files);
    unsigned num = 0;
    bool ok = files && !log->failed;

    for (unsigned side = first; ok && side < first + sides; side++)
        num += add_files(log, (enum lockstep_side)side, prefix, files + num);
    ok = ok && save_files(files, num);
    free(files);
    return ok;
}

bool decision_log_save(decision_log *log, const char *prefix)
{
    return save_sides(log, SIDE_MODEL, LOCKSTEP_SIDES, prefix);
}

bool decision_log_save_side(decision_log *log, enum lockstep_side side, const char *prefix)
{
    return save_sides(log, side, 1, prefix);
}

char *decision_log_take(decision_log *log)
{
    return flush(&log->side[SIDE_MODEL].words) ? strdup(log->side[SIDE_MODEL].words.text) : NULL;
}

void decision_log_close(decision_log *log)
{
    for (int side = 0; side < LOCKSTEP_SIDES; side++) {
        close_text(&log->side[side].words);
        close_text(&log->side[side].data);
    }
}
