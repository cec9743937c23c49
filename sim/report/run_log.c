/* SPDX-License-Identifier: Apache-2.0 */
#include "report/run_log.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/data.h"

enum { MAX_DECISIONS = 200000 };

static void put_value(FILE *f, const cJSON *item)
{
    if (cJSON_IsString(item))
        fputs(item->valuestring, f);
    else if (cJSON_IsBool(item))
        fputs(cJSON_IsTrue(item) ? "yes" : "no", f);
    else if (cJSON_IsNumber(item))
        fprintf(f, "%.10g", item->valuedouble);
    else
        fputs("-", f);
}

/* "limit 4 → 5, state StWeakInc → StStrongInc, period 812": what is not the same after as before, or was not there. */
static char *difference(const cJSON *before, const cJSON *after)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    const cJSON *item;
    bool some = false;

    if (!f)
        return NULL;
    cJSON_ArrayForEach(item, after) {
        const cJSON *old = cJSON_GetObjectItemCaseSensitive(before, item->string);

        if (old && cJSON_Compare(old, item, true))
            continue;
        fprintf(f, "%s%s ", some ? ", " : "", item->string);
        if (old) {
            put_value(f, old);
            fputs(" \xe2\x86\x92 ", f);
        }
        put_value(f, item);
        some = true;
    }
    fclose(f);
    return text;
}

static const char *const level_names[] = {"low", "normal", "high"};

static double as_number(const cJSON *item)
{
    for (unsigned i = 0; cJSON_IsString(item) && i < 3; i++)
        if (!strcmp(item->valuestring, level_names[i]))
            return i;
    return cJSON_IsNumber(item) ? item->valuedouble : -1;
}

static bool moves(const cJSON *before, const cJSON *after, bool chip, unsigned *value)
{
    const char *key = chip ? "level" : "limit";
    const double from = as_number(cJSON_GetObjectItemCaseSensitive(before, key));
    const double to = as_number(cJSON_GetObjectItemCaseSensitive(after, key));

    *value = to < 0 ? 0 : (unsigned)to;
    return from >= 0 && to >= 0 && from != to;
}

static char *text_of(const cJSON *line, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(line, key);

    return strdup(cJSON_IsString(item) ? item->valuestring : "");
}

static bool is_decision(const cJSON *line)
{
    return cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(line, "cycle")) &&
           cJSON_IsString(cJSON_GetObjectItemCaseSensitive(line, "words")) &&
           cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(line, "after"));
}

static bool is_start(const cJSON *line)
{
    const cJSON *event = cJSON_GetObjectItemCaseSensitive(line, "event");

    return cJSON_IsString(event) && !strcmp(event->valuestring, "kernel_start");
}

static void add(run_log *d, const cJSON *line, bool chip)
{
    const cJSON *before = cJSON_GetObjectItemCaseSensitive(line, "before");
    const cJSON *after = cJSON_GetObjectItemCaseSensitive(line, "after");
    run_log_entry *new = &d->items[d->num++];
    unsigned value;

    *new = (run_log_entry){.cycle = (uint64_t)cJSON_GetObjectItemCaseSensitive(line, "cycle")->valuedouble,
                      .where = text_of(line, "where"),
                      .rule = text_of(line, "rule"),
                      .words = text_of(line, "words"),
                      .inputs = difference(NULL, cJSON_GetObjectItemCaseSensitive(line, "inputs")),
                      .change = difference(before, after)};
    /* A kernel's first limit takes the place of what was left of the last kernel: no move. */
    if (!is_start(line) && moves(before, after, chip, &value)) {
        new->number = ++d->moved;
        new->value = value;
    }
}

static bool read_lines(run_log *d, FILE *f, const char *path, bool chip, trace_err *err)
{
    char *line = NULL;
    size_t size = 0;
    bool ok = true;

    for (unsigned n = 1; ok && getline(&line, &size, f) > 0; n++) {
        cJSON *json = cJSON_Parse(line);
        run_log_entry *items = d->num < MAX_DECISIONS ? data_grow(d->items, d->num, sizeof *items) : NULL;

        d->items = items ? items : d->items;
        if (!is_decision(json))
            ok = data_fail(err, path, n, "no decision");
        else if (!items)
            ok = data_fail(err, path, n, "more decisions than a page takes");
        else
            add(d, json, chip);
        cJSON_Delete(json);
    }
    free(line);
    return ok;
}

bool run_log_read(run_log *d, const char *path, bool chip, trace_err *err)
{
    FILE *f = fopen(path, "r");
    bool ok;

    *d = (run_log){.num = 0};
    if (!f)
        return data_fail(err, path, 0, strerror(errno));
    ok = read_lines(d, f, path, chip, err);
    fclose(f);
    return ok;
}

void run_log_free(run_log *d)
{
    for (unsigned i = 0; i < d->num; i++) {
        free(d->items[i].where);
        free(d->items[i].rule);
        free(d->items[i].inputs);
        free(d->items[i].change);
        free(d->items[i].words);
    }
    free(d->items);
    *d = (run_log){.num = 0};
}
