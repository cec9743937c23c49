/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels/fields.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* libconfig ends the whole program at a file that opens and cannot be read, such as a folder. */
static FILE *open_readable(const char *path)
{
    FILE *f = fopen(path, "r");

    if (f && getc(f) == EOF && ferror(f)) {
        const int why = errno;

        fclose(f);
        errno = why;
        return NULL;
    }
    if (f)
        rewind(f);
    return f;
}

bool fields_open(config_t *config, const char *path, char *err)
{
    FILE *f = open_readable(path);
    bool ok;

    if (!f) {
        snprintf(err, FIELDS_ERR, "%s: %s", path, strerror(errno));
        return false;
    }
    config_init(config);
    ok = config_read(config, f) == CONFIG_TRUE;
    if (!ok) {
        snprintf(err, FIELDS_ERR, "%s:%d: %s; write lines like 'threads = 256;'", path, config_error_line(config),
                 config_error_text(config));
        config_destroy(config);
    }
    fclose(f);
    return ok;
}

static bool refuse(const config_setting_t *at, const char *path, char *err, const char *what)
{
    snprintf(err, FIELDS_ERR, "%s:%u: %s %s", path, config_setting_source_line(at), config_setting_name(at), what);
    return false;
}

bool fields_number(const config_setting_t *s, double *value)
{
    switch (config_setting_type(s)) {
    case CONFIG_TYPE_INT: *value = config_setting_get_int(s); return true;
    case CONFIG_TYPE_INT64: *value = (double)config_setting_get_int64(s); return true;
    case CONFIG_TYPE_FLOAT: *value = config_setting_get_float(s); return true;
    case CONFIG_TYPE_BOOL: *value = config_setting_get_bool(s); return true;
    default: return false;
    }
}

/* Texts end up in CSV files and in the plots' commands. */
static bool is_plain(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || strchr(",'\"", *text))
            return false;
    return true;
}

static bool read_text(const config_setting_t *s, const char *path, char *to, size_t size, char *err)
{
    const char *text = config_setting_get_string(s);

    if (!text || !*text || strlen(text) >= size || !is_plain(text))
        return refuse(s, path, err, "must be a text in double quotes, not empty, not too long, without commas and quotes");
    memcpy(to, text, strlen(text) + 1);
    return true;
}

static bool read_count(const config_setting_t *s, const char *path, uint32_t *to, char *err)
{
    double value;

    if (!fields_number(s, &value) || value < 0 || value > UINT32_MAX || config_setting_type(s) == CONFIG_TYPE_FLOAT ||
        config_setting_type(s) == CONFIG_TYPE_BOOL)
        return refuse(s, path, err, "must be a whole number from 0 to 4294967295");
    *to = (uint32_t)value;
    return true;
}

static bool read_field(const config_setting_t *s, const char *path, const field *f, void *into, char *err)
{
    char *to = (char *)into + f->offset;

    switch (f->kind) {
    case FIELD_TEXT: return read_text(s, path, to, f->size, err);
    case FIELD_COUNT: return read_count(s, path, (uint32_t *)(void *)to, err);
    default: break;
    }
    return (config_setting_type(s) != CONFIG_TYPE_BOOL && fields_number(s, (double *)(void *)to)) ||
           refuse(s, path, err, "must be a number");
}

static const field *find(const field *fields, unsigned num, const char *key)
{
    for (unsigned i = 0; i < num; i++)
        if (!strcmp(fields[i].key, key))
            return &fields[i];
    return NULL;
}

static bool is_group(const char *const *groups, const char *key)
{
    for (; groups && *groups; groups++)
        if (!strcmp(*groups, key))
            return true;
    return false;
}

static bool all_there(const config_setting_t *group, const char *path, const field *fields, unsigned num, char *err)
{
    for (unsigned i = 0; i < num; i++)
        if (fields[i].required && !config_setting_get_member(group, fields[i].key)) {
            const char *name = config_setting_name(group);

            snprintf(err, FIELDS_ERR, "%s: %s is missing; add '%s = ...;'%s%s", path, fields[i].key, fields[i].key,
                     name ? " to the group " : "", name ? name : "");
            return false;
        }
    return true;
}

bool fields_read(const config_setting_t *group, const char *path, const field *fields, unsigned num,
                 const char *const *groups, void *into, char *err)
{
    for (int i = 0; i < config_setting_length(group); i++) {
        const config_setting_t *s = config_setting_get_elem(group, (unsigned)i);
        const field *f = find(fields, num, config_setting_name(s));

        if (!f && is_group(groups, config_setting_name(s)))
            continue;
        if (!f)
            return refuse(s, path, err, "is no key of such a file; doc/use/analytic.md, doc/use/workloads.md and doc/use/import_vcd.md list them");
        if (!read_field(s, path, f, into, err))
            return false;
    }
    return all_there(group, path, fields, num, err);
}
