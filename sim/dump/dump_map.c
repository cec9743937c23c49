/* SPDX-License-Identifier: Apache-2.0 */
#include "dump/dump_map.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kernels/fields.h"
#include "recording/input.h"
#include "recording/raw_text.h"

const char *const dump_field_names[DUMP_FIELDS] = {"state", "issued_alu", "issued_mem", "paused", "cta_start", "cta_done", "cta_active",
                                                  "class", "kernel_start", "when", "clock"};

/* What the file says, as it stands there. */
typedef struct texts {
    dump_map map;
    char edge[16];
} texts;

#define SIGNAL(field, name, required) {name, FIELD_TEXT, offsetof(texts, map.signal[field]), DUMP_NAME, required}

static const field keys[] = {
    SIGNAL(DUMP_STATE, "state", true),
    SIGNAL(DUMP_CTA_START, "cta_start", true),
    SIGNAL(DUMP_CTA_DONE, "cta_done", true),
    SIGNAL(DUMP_ISSUED_ALU, "issued_alu", false),
    SIGNAL(DUMP_ISSUED_MEM, "issued_mem", false),
    SIGNAL(DUMP_PAUSED, "paused", false),
    SIGNAL(DUMP_CTA_ACTIVE, "cta_active", false),
    SIGNAL(DUMP_CLASS, "class", false),
    SIGNAL(DUMP_KERNEL_START, "kernel_start", false),
    SIGNAL(DUMP_WHEN, "when", false),
    SIGNAL(DUMP_CLOCK, "clock", false),
    {"edge", FIELD_TEXT, offsetof(texts, edge), sizeof ((texts *)0)->edge, false},
    {"period", FIELD_COUNT, offsetof(texts, map.period), 0, false},
    {"first_cycle", FIELD_COUNT, offsetof(texts, map.first_cycle), 0, false},
};

bool dump_map_fail(const dump_map *map, trace_err *err, const char *what, ...)
{
    va_list args;

    va_start(args, what);
    import_fail_in(err, map->path, 0, what, args);
    va_end(args);
    return false;
}

static bool fail_at(const dump_map *map, const config_setting_t *s, trace_err *err, const char *what)
{
    return dump_map_fail(map, err, "line %u: %s %s", config_setting_source_line(s), config_setting_name(s), what);
}

/* ---- values ----------------------------------------------------------------------- */

static bool add_value(dump_map *map, dump_codes *codes, const config_setting_t *of, const config_setting_t *s, unsigned code, trace_err *err)
{
    double value = -1;

    if (codes->num == DUMP_VALUES)
        return fail_at(map, of, err, "is one value too many; give up to 64 together");
    if (config_setting_type(s) == CONFIG_TYPE_FLOAT || !fields_number(s, &value) || value < 0 || value > UINT32_MAX)
        return fail_at(map, of, err, "must be a whole number, or several as [1, 2]");
    for (unsigned i = 0; i < codes->num; i++)
        if (codes->value[i] == (uint64_t)value)
            return fail_at(map, of, err, "has a value that another word has, too");
    codes->value[codes->num] = (uint64_t)value;
    codes->code[codes->num++] = code;
    return true;
}

static bool add_word(dump_map *map, dump_codes *codes, const config_setting_t *s, unsigned code, trace_err *err)
{
    if (!config_setting_is_aggregate(s))
        return add_value(map, codes, s, s, code, err);
    for (int i = 0; i < config_setting_length(s); i++)
        if (!add_value(map, codes, s, config_setting_get_elem(s, (unsigned)i), code, err))
            return false;
    return true;
}

/* A group of words, each with the values that mean it. */
static bool read_codes(dump_map *map, const config_t *file, const char *group, bool (*find)(const char *word, unsigned *code), dump_codes *codes,
                       trace_err *err)
{
    const config_setting_t *s = config_lookup(file, group);
    unsigned code;

    if (!s)
        return true;
    if (!config_setting_is_group(s))
        return fail_at(map, s, err, "must be a group: { word = value; }");
    for (int i = 0; i < config_setting_length(s); i++) {
        const config_setting_t *one = config_setting_get_elem(s, (unsigned)i);

        if (!find(config_setting_name(one), &code))
            return fail_at(map, one, err, "is no such word; doc/use/import_raw.md lists them");
        if (!add_word(map, codes, one, code, err))
            return false;
    }
    return codes->num > 0 || fail_at(map, s, err, "has no word; leave it out, or give one");
}

bool dump_code(const dump_codes *codes, uint64_t value, unsigned most, unsigned *code)
{
    if (!codes->num && value <= most) {
        *code = (unsigned)value;
        return true;
    }
    for (unsigned i = 0; i < codes->num; i++)
        if (codes->value[i] == value) {
            *code = codes->code[i];
            return true;
        }
    return false;
}

/* ---- all of it -------------------------------------------------------------------- */

static bool take_edge(dump_map *map, const char *edge, trace_err *err)
{
    map->falling = !strcmp(edge, "falling");
    if (edge[0] && !map->falling && strcmp(edge, "rising") != 0)
        return dump_map_fail(map, err, "edge is \"%s\"; give rising or falling", edge);
    if (!map->signal[DUMP_CLOCK][0] == !map->period)
        return dump_map_fail(map, err, "give either clock, a signal, or period, the time units of a cycle");
    if (map->period && (edge[0] || map->first_cycle))
        return dump_map_fail(map, err, "edge and first_cycle go with clock; with period the number of a cycle is its time");
    return true;
}

static bool read_file(texts *all, const config_t *file, trace_err *err)
{
    static const char *const groups[] = {"states", "classes", NULL};
    char why[FIELDS_ERR];
    dump_map *map = &all->map;

    if (!fields_read(config_root_setting(file), map->path, keys, sizeof keys / sizeof *keys, groups, all, why)) {
        snprintf(err->text, sizeof err->text, "%s", why);
        return false;
    }
    return take_edge(map, all->edge, err) && read_codes(map, file, "states", raw_text_find_state, &map->states, err) &&
           read_codes(map, file, "classes", raw_text_find_class, &map->classes, err);
}

bool dump_map_read(dump_map *map, const char *path, trace_err *err)
{
    static texts all;
    char why[FIELDS_ERR];
    config_t file;
    bool ok;

    all = (texts){.edge = ""};
    if (strlen(path) >= sizeof all.map.path)
        return import_fail(err, path, UINT64_MAX, "a path of more than %zu characters", sizeof all.map.path - 1);
    memcpy(all.map.path, path, strlen(path) + 1);
    if (!fields_open(&file, path, why)) {
        snprintf(err->text, sizeof err->text, "%s", why);
        return false;
    }
    ok = read_file(&all, &file, err);
    config_destroy(&file);
    *map = all.map;
    return ok;
}
