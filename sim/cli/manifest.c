/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/manifest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Takes the next field off *line; a quoted field may hold commas. */
static void take_field(char **line, char *field, size_t size)
{
    const bool quoted = **line == '"';
    size_t n = 0;

    *line += quoted;
    while (**line && **line != '\n' && **line != '\r' && (quoted ? **line != '"' : **line != ',')) {
        if (n + 1 < size)
            field[n++] = **line;
        ++*line;
    }
    field[n] = '\0';
    *line += quoted && **line == '"';
    *line += **line == ',';
}

static int find_column(char *header, const char *name)
{
    char field[MANIFEST_TEXT];

    for (int column = 0; *header && !strchr("\r\n", *header); column++) {
        take_field(&header, field, sizeof field);
        if (!strcmp(field, name))
            return column;
    }
    return -1;
}

static void get_field(char *line, int column, char *field, size_t size)
{
    for (int c = 0; c <= column; c++)
        take_field(&line, field, size);
}

static void read_entry(manifest_entry *e, const char *manifest_path, char *line, int file, int kernel, int program)
{
    const char *slash = strrchr(manifest_path, '/');
    char name[MANIFEST_TEXT];

    get_field(line, file, name, sizeof name);
    get_field(line, kernel, e->kernel, sizeof e->kernel);
    if (program >= 0)
        get_field(line, program, e->program, sizeof e->program);
    snprintf(e->path, sizeof e->path, "%.*s%s", slash ? (int)(slash - manifest_path + 1) : 0, manifest_path, name);
}

bool manifest_read(manifest *m, const char *path, char *err, size_t err_size)
{
    FILE *f = fopen(path, "r");
    char line[8192];
    int file = -1, kernel = -1, program = -1;

    m->num = 0;
    m->entries = calloc(MANIFEST_MAX, sizeof *m->entries);
    if (!f || !m->entries) {
        snprintf(err, err_size, "%s: %s", path, f ? "out of memory" : strerror(errno));
        if (f)
            fclose(f);
        return false;
    }
    if (fgets(line, sizeof line, f)) {
        file = find_column(line, "file");
        kernel = find_column(line, "kernel");
        program = find_column(line, "program");
    }
    while (file >= 0 && kernel >= 0 && m->num < MANIFEST_MAX && fgets(line, sizeof line, f))
        if (!strchr("\r\n", line[0]))
            read_entry(&m->entries[m->num++], path, line, file, kernel, program);
    if (m->num == MANIFEST_MAX && fgets(line, sizeof line, f)) {
        snprintf(err, err_size, "%s: more than %d recordings; split it", path, MANIFEST_MAX);
        m->num = 0;
        fclose(f);
        return false;
    }
    fclose(f);
    if (m->num == 0)
        snprintf(err, err_size, "%s: not a manifest (its first line must name the columns file and kernel)", path);
    return m->num > 0;
}

bool manifest_check(const manifest *m, const char *path, char *err, size_t err_size)
{
    for (unsigned i = 0; i < m->num; i++) {
        if (access(m->entries[i].path, R_OK) != 0) {
            snprintf(err, err_size, "%s: names %s: %s", path, m->entries[i].path, strerror(errno));
            return false;
        }
    }
    return true;
}

void manifest_free(manifest *m)
{
    free(m->entries);
    m->entries = NULL;
}
