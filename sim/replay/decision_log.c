/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/decision_log.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/decision.h"

enum { FILES = LOCKSTEP_SIDES * DECISION_LOG_KINDS, PATH = 4096 };

bool decision_log_open(decision_log *log, unsigned num_sms, unsigned sm)
{
    bool ok = true;

    memset(log, 0, sizeof *log);
    lockstep_name_where(num_sms, sm, log->where, sizeof log->where);
    log->sm = num_sms > 1 ? DECISION_NO_SM : (int)sm;
    for (unsigned i = 0; i < FILES; i++) {
        log->text[i].stream = open_memstream(&log->text[i].text, &log->text[i].size);
        ok = ok && log->text[i].stream;
    }
    return ok;
}

static decision_text *text_of(decision_log *log, enum lockstep_side side, unsigned kind)
{
    return &log->text[side * DECISION_LOG_KINDS + kind];
}

void decision_log_add(decision_log *log, enum lockstep_side side, const char *instance, uint64_t cycle,
                      const decisions *list)
{
    const decision_place at = {cycle, log->where, log->sm, instance};
    FILE *words = text_of(log, side, DECISION_LOG_WORDS)->stream, *data = text_of(log, side, DECISION_LOG_DATA)->stream;

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
    return !log->failed && same(text_of(log, SIDE_MODEL, DECISION_LOG_DATA), text_of(log, SIDE_RTL, DECISION_LOG_DATA));
}

/* ---- files ----------------------------------------------------------------------- */

static const char *name_file(char path[PATH], const char *prefix, unsigned file, const char *end)
{
    static const char *const kinds[DECISION_LOG_KINDS] = {[DECISION_LOG_WORDS] = "log", [DECISION_LOG_DATA] = "jsonl"};

    snprintf(path, PATH, "%s.%s.%s%s", prefix, lockstep_side_names[file / DECISION_LOG_KINDS],
             kinds[file % DECISION_LOG_KINDS], end);
    return path;
}

static bool write_file(decision_text *text, const char *path)
{
    FILE *f = flush(text) ? fopen(path, "w") : NULL;
    bool ok = f && fwrite(text->text, 1, text->size, f) == text->size;

    if (f)
        ok &= fclose(f) == 0;
    return ok;
}

/* Nothing of them is left if one cannot be written. */
static bool save_files(decision_log *log, unsigned first, unsigned end, const char *prefix)
{
    unsigned written = first, named = first;
    char path[PATH], made[PATH];
    bool ok = !log->failed;
    int why;

    for (; ok && written < end; written++)
        ok = write_file(&log->text[written], name_file(made, prefix, written, ".tmp"));
    while (ok && named < end) {
        ok = rename(name_file(made, prefix, named, ".tmp"), name_file(path, prefix, named, "")) == 0;
        named += ok;
    }
    why = errno;
    for (unsigned i = first; !ok && i < written; i++)
        unlink(name_file(path, prefix, i, i < named ? "" : ".tmp"));
    errno = why;
    return ok;
}

bool decision_log_save(decision_log *log, const char *prefix)
{
    return save_files(log, 0, FILES, prefix);
}

bool decision_log_save_side(decision_log *log, enum lockstep_side side, const char *prefix)
{
    return save_files(log, side * DECISION_LOG_KINDS, (side + 1) * DECISION_LOG_KINDS, prefix);
}

void decision_log_write_data(decision_log *log, enum lockstep_side side, FILE *out)
{
    decision_text *data = text_of(log, side, DECISION_LOG_DATA);

    if (data->stream && flush(data))
        fwrite(data->text, 1, data->size, out);
}

char *decision_log_take(decision_log *log)
{
    decision_text *words = text_of(log, SIDE_MODEL, DECISION_LOG_WORDS);

    return flush(words) ? strdup(words->text) : NULL;
}

void decision_log_close(decision_log *log)
{
    for (unsigned i = 0; i < FILES; i++) {
        if (log->text[i].stream)
            fclose(log->text[i].stream);
        free(log->text[i].text);
        log->text[i] = (decision_text){.text = NULL};
    }
}
