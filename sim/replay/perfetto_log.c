/* SPDX-License-Identifier: Apache-2.0
 *
 * A decision log (doc/use/decision_log.md): each decision lasts until the next one of the same place. What it was made from, and the
 * limit that it left, are points of counter tracks.
 */
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "recording/bytes.h"
#include "recording/input.h"
#include "replay/perfetto_events.h"

enum { WHERE = 64, NAME = 160 };

/* The decision of a place that is not over. */
typedef struct pending {
    char where[WHERE], name[NAME];
    unsigned tid;
    uint64_t from;
    char *args;
} pending;

typedef struct log_walk {
    perfetto *p;
    pending *open;
    size_t num, cap;
    uint64_t last; /* cycle of the line before */
} log_walk;

static const char *text_of(const cJSON *record, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(record, name);

    return cJSON_IsString(item) ? item->valuestring : NULL;
}

static bool number_of(const cJSON *record, const char *name, uint64_t *value)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(record, name);

    if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0 && item->valuedouble < 9e15))
        return false;
    *value = (uint64_t)item->valuedouble;
    return true;
}

static pending *place_of(log_walk *w, const cJSON *record, const char *where)
{
    pending *open;
    uint64_t sm;

    for (size_t i = 0; i < w->num; i++)
        if (!strcmp(w->open[i].where, where))
            return &w->open[i];
    open = with_room(w->open, w->num, &w->cap, sizeof *open);
    if (!open)
        return NULL;
    w->open = open;
    open += w->num++;
    *open = (pending){.tid = number_of(record, "sm", &sm) && sm < TRACE_MAX_SMS ? (unsigned)sm + 1 : PERFETTO_CHIP};
    snprintf(open->where, sizeof open->where, "%s", where);
    perfetto_thread(w->p, open->tid, where);
    return open;
}

static void close_slice(log_walk *w, pending *open, uint64_t until)
{
    if (open->args)
        perfetto_slice(w->p, open->tid, open->name, open->from, until > open->from ? until - open->from : 1, open->args);
    free(open->args);
    open->args = NULL;
}

static void put_counters(log_walk *w, const char *where, const cJSON *object, uint64_t cycle)
{
    const cJSON *item;

    cJSON_ArrayForEach(item, object)
        if (cJSON_IsNumber(item) && item->string)
            perfetto_counter(w->p, where, item->string, cycle, item->valuedouble);
}

/* A limit or a level that is another one after the decision is a mark of its place. A kernel's start moves nothing: it begins anew. */
static void put_move(log_walk *w, const pending *open, const cJSON *record, uint64_t cycle)
{
    static const char *const moving[] = {"limit", "level"};
    const cJSON *before = cJSON_GetObjectItemCaseSensitive(record, "before"), *after = cJSON_GetObjectItemCaseSensitive(record, "after");
    char text[NAME];

    for (unsigned i = 0; i < sizeof moving / sizeof *moving && strcmp(text_of(record, "event"), "kernel_start") != 0; i++) {
        const cJSON *old = cJSON_GetObjectItemCaseSensitive(before, moving[i]), *new = cJSON_GetObjectItemCaseSensitive(after, moving[i]);

        if (!old || !new || cJSON_IsNull(old) || cJSON_IsNull(new) || cJSON_Compare(old, new, true))
            continue;
        if (cJSON_IsNumber(old) && cJSON_IsNumber(new))
            snprintf(text, sizeof text, "%s %.0f -> %.0f", moving[i], old->valuedouble, new->valuedouble);
        else if (cJSON_IsString(old) && cJSON_IsString(new))
            snprintf(text, sizeof text, "%s %s -> %s", moving[i], old->valuestring, new->valuestring);
        else
            continue;
        perfetto_instant(w->p, open->tid, text, cycle);
    }
}

/* NULL, or what is wrong. */
static const char *take_record(log_walk *w, const cJSON *record)
{
    const char *where = text_of(record, "where"), *event = text_of(record, "event"), *rule = text_of(record, "rule");
    uint64_t cycle;
    pending *open;

    if (!where || !event || !rule || !number_of(record, "cycle", &cycle))
        return "no cycle, where, rule or event";
    if (cycle < w->last)
        return "earlier than the line before";
    w->last = cycle;
    open = place_of(w, record, where);
    if (!open)
        return "out of memory";
    close_slice(w, open, cycle);
    snprintf(open->name, sizeof open->name, "%s (%s)", event, rule);
    open->from = cycle;
    open->args = cJSON_PrintUnformatted(record);
    put_move(w, open, record, cycle);
    put_counters(w, open->where, cJSON_GetObjectItemCaseSensitive(record, "inputs"), cycle);
    put_counters(w, open->where, cJSON_GetObjectItemCaseSensitive(record, "after"), cycle);
    return open->args ? NULL : "out of memory";
}

static bool take_lines(log_walk *w, input *in, trace_err *err)
{
    const char *line;

    err->text[0] = '\0';
    while ((line = input_line(in, err))) {
        cJSON *record = *line ? cJSON_Parse(line) : NULL;
        const char *wrong = !*line ? NULL : cJSON_IsObject(record) ? take_record(w, record) : "no JSON object";

        cJSON_Delete(record);
        if (wrong)
            return import_fail(err, input_path(in), UINT64_MAX, "line %lu: %s; give a decision log of 'ballast run'", input_line_number(in),
                               wrong);
    }
    return !err->text[0];
}

bool perfetto_log(perfetto *p, const char *path, trace_err *err)
{
    input *in = input_open(path, err);
    log_walk w = {.p = p};
    bool ok;

    if (!in)
        return false;
    ok = take_lines(&w, in, err);
    for (size_t i = 0; i < w.num; i++)
        close_slice(&w, &w.open[i], w.last + 1);
    free(w.open);
    input_close(in);
    return ok;
}
