/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/manifest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recording/csv.h"

enum { FILE_NAME, KERNEL, PROGRAM, COLUMNS };

static void take_row(manifest_entry *e, const char *manifest_path, const csv *row)
{
    const char *slash = strrchr(manifest_path, '/');
    const int folder = slash ? (int)(slash - manifest_path + 1) : 0;

    snprintf(e->path, sizeof e->path, "%.*s%s", folder, manifest_path, csv_text(row, FILE_NAME));
    snprintf(e->kernel, sizeof e->kernel, "%s", csv_text(row, KERNEL));
    snprintf(e->program, sizeof e->program, "%s", csv_text(row, PROGRAM));
}

static void read_rows(manifest *m, const char *path, csv *rows, trace_err *err)
{
    while (csv_row(rows, err)) {
        if (m->num == MANIFEST_MAX) {
            csv_fail(rows, err, "more than %d recordings; split it", MANIFEST_MAX);
            return;
        }
        take_row(&m->entries[m->num++], path, rows);
    }
    if (!m->num && !err->text[0])
        csv_fail(rows, err, "a manifest without a recording");
}

bool manifest_read(manifest *m, const char *path, char *err, size_t err_size)
{
    static const char *const columns[COLUMNS] = {"file", "kernel", "program"};
    trace_err why = {.text = ""};
    csv rows;

    m->num = 0;
    m->entries = calloc(MANIFEST_MAX, sizeof *m->entries);
    if (!m->entries) {
        snprintf(why.text, sizeof why.text, "%s: out of memory", path);
    } else if (csv_open(&rows, path, columns, PROGRAM, COLUMNS, &why)) {
        read_rows(m, path, &rows, &why);
        csv_close(&rows);
    }
    snprintf(err, err_size, "%s", why.text);
    return !why.text[0];
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
