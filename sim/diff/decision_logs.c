/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/decision_logs.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "diff/whole_file.h"

#define LOG_END ".model.jsonl"
#define REMEDY "'make run' writes it anew"

enum { DESCRIBED = 1024 };

/* ---- one log ------------------------------------------------------------------------------ */

/* Its lines lie in `text`; a line ends where the next one begins, with a 0 byte. */
typedef struct decision_log {
    char *text;
    const char **line;
    unsigned num;
} decision_log;

static void log_free(decision_log *log)
{
    free(log->text);
    free(log->line);
    *log = (decision_log){.num = 0};
}

static unsigned count_lines(const char *text)
{
    unsigned num = 0;

    while ((text = strchr(text, '\n'))) {
        num++;
        text++;
    }
    return num;
}

static bool log_open(decision_log *log, const char *path, trace_err *err)
{
    char *at;

    *log = (decision_log){.text = diff_read(path, REMEDY, err)};
    if (!log->text)
        return false;
    log->line = malloc((count_lines(log->text) + 1) * sizeof *log->line);
    if (!log->line)
        return diff_fail(err, path, 0, "out of memory", "free some memory");
    for (at = log->text; *at; at += strlen(at) + 1) {
        log->line[log->num++] = at;
        *strchr(at, '\n') = '\0';
    }
    return true;
}

static const char *text_of(const cJSON *decision, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(decision, key);

    return cJSON_IsString(item) ? item->valuestring : "";
}

static cJSON *decision_of(const char *line)
{
    cJSON *decision = cJSON_ParseWithOpts(line, NULL, true);

    if (cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(decision, "cycle")) && *text_of(decision, "words"))
        return decision;
    cJSON_Delete(decision);
    return NULL;
}

/* Lines up to `same` are those of a log that has been checked. */
static bool log_check(const decision_log *log, unsigned same, const char *path, trace_err *err)
{
    for (unsigned i = same; i < log->num; i++) {
        cJSON *decision = decision_of(log->line[i]);

        if (!decision)
            return diff_fail(err, path, i + 1, "no decision", REMEDY);
        cJSON_Delete(decision);
    }
    return true;
}

/* ---- one log and the other ---------------------------------------------------------------- */

/* "@12807 SM0 PS-11: sample 3: stalled 517 < 600, limit 3 -> 4"; `number` counts from 0. */
static void describe(char text[DESCRIBED], const decision_log *log, unsigned number)
{
    cJSON *decision = number < log->num ? decision_of(log->line[number]) : NULL;

    if (decision)
        snprintf(text, DESCRIBED, "@%.0f %s %s: %s", cJSON_GetObjectItemCaseSensitive(decision, "cycle")->valuedouble,
                 text_of(decision, "where"), text_of(decision, "rule"), text_of(decision, "words"));
    else
        snprintf(text, DESCRIBED, "none");
    cJSON_Delete(decision);
}

/* A number that its words leave out may have changed: then the records themselves are shown. */
static void add_first(const char *name, const decision_log *old, const decision_log *new, unsigned number, changes *c)
{
    char before[DESCRIBED], after[DESCRIBED];
    const bool both = number < old->num && number < new->num;

    describe(before, old, number);
    describe(after, new, number);
    if (both && !strcmp(before, after))
        changes_add(c, DIFF_DECISION, old->line[number], new->line[number], "%s: decision %u", name, number + 1);
    else
        changes_add(c, DIFF_DECISION, before, after, "%s: decision %u", name, number + 1);
}

static void add_changes(const char *name, const decision_log *old, const decision_log *new, unsigned same, changes *c)
{
    char before[32], after[32];

    snprintf(before, sizeof before, "%u", old->num);
    snprintf(after, sizeof after, "%u", new->num);
    if (old->num != new->num)
        changes_add(c, DIFF_DECISION, before, after, "%s: decisions", name);
    if (same < old->num || same < new->num)
        add_first(name, old, new, same, c);
}

static unsigned equal_lines(const decision_log *old, const decision_log *new)
{
    unsigned same = 0;

    while (same < old->num && same < new->num && !strcmp(old->line[same], new->line[same]))
        same++;
    return same;
}

static bool compare(const char *before, const char *after, const char *name, changes *c, trace_err *err)
{
    char path[DIFF_PATH], other[DIFF_PATH];
    decision_log old, new = {.num = 0};
    unsigned same;
    bool ok;

    snprintf(path, sizeof path, "%s/%s" LOG_END, before, name);
    snprintf(other, sizeof other, "%s/%s" LOG_END, after, name);
    ok = log_open(&old, path, err) && log_open(&new, other, err);
    same = equal_lines(&old, &new);
    ok = ok && log_check(&old, 0, path, err) && log_check(&new, same, other, err);
    if (ok)
        add_changes(name, &old, &new, same, c);
    log_free(&old);
    log_free(&new);
    return ok;
}

static bool one_only(const char *folder, bool gone, const char *name, changes *c, trace_err *err)
{
    char path[DIFF_PATH], text[64];
    decision_log log;
    bool ok;

    snprintf(path, sizeof path, "%s/%s" LOG_END, folder, name);
    ok = log_open(&log, path, err) && log_check(&log, 0, path, err);
    snprintf(text, sizeof text, gone ? "%u decisions" : "added: %u decisions", log.num);
    if (ok)
        changes_add(c, DIFF_DECISION, gone ? text : "none", gone ? "gone" : text, "%s", name);
    log_free(&log);
    return ok;
}

/* ---- all ----------------------------------------------------------------------------------- */

typedef struct log_list {
    char **name;
    unsigned num;
} log_list;

static void list_free(log_list *list)
{
    for (unsigned i = 0; i < list->num; i++)
        free(list->name[i]);
    free(list->name);
}

static bool list_add(log_list *list, const char *file)
{
    const size_t length = strlen(file), end = strlen(LOG_END);
    char **more;

    if (length <= end || strcmp(file + length - end, LOG_END) != 0)
        return true;
    more = list->num % 64 ? list->name : realloc(list->name, (list->num + 64) * sizeof *more);
    if (!more)
        return false;
    list->name = more;
    more[list->num] = strndup(file, length - end);
    return more[list->num] && ++list->num;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool list_read(log_list *list, const char *folder, trace_err *err)
{
    DIR *d = opendir(folder);
    const struct dirent *entry;
    bool ok = d != NULL;

    while (ok && (entry = readdir(d)))
        ok = list_add(list, entry->d_name);
    if (!ok)
        diff_fail(err, folder, 0, strerror(errno), "name a folder that 'ballast run' wrote");
    if (d)
        closedir(d);
    if (list->num)
        qsort(list->name, list->num, sizeof *list->name, by_text);
    return ok;
}

static bool compare_lists(const char *before, const log_list *old, const char *after, const log_list *new, changes *c, trace_err *err)
{
    unsigned i = 0, k = 0;
    bool ok = true;

    while (ok && (i < old->num || k < new->num)) {
        const int order = i == old->num ? 1 : k == new->num ? -1 : strcmp(old->name[i], new->name[k]);

        c->compared[DIFF_DECISION]++;
        if (order < 0)
            ok = one_only(before, true, old->name[i], c, err);
        else if (order > 0)
            ok = one_only(after, false, new->name[k], c, err);
        else
            ok = compare(before, after, old->name[i], c, err);
        i += order <= 0;
        k += order >= 0;
    }
    return ok;
}

bool decision_logs_compare(const char *before, const char *after, changes *c, trace_err *err)
{
    log_list old = {.num = 0}, new = {.num = 0};
    const bool ok = list_read(&old, before, err) && list_read(&new, after, err) && compare_lists(before, &old, after, &new, c, err);

    list_free(&old);
    list_free(&new);
    return ok;
}
