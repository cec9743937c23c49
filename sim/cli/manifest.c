/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/manifest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recording/csv.h"
#include "recording/sha256.h"

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

/* ---- digests --------------------------------------------------------------------- */

static bool same_file(const char *a, const char *b)
{
    struct stat x, y;

    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* The row is about this file, which stands in its first column, beside the manifest. */
static bool lists(const char *row, const char *path, const char *recording)
{
    const char *slash = strrchr(path, '/');
    char named[8192];

    snprintf(named, sizeof named, "%.*s%.*s", slash ? (int)(slash - path + 1) : 0, path, (int)strcspn(row, ","), row);
    return same_file(named, recording);
}

static unsigned copy_rows(FILE *to, FILE *from, const char *path, const char *recording, const char *digest)
{
    unsigned renewed = 0;
    char *row = NULL;
    size_t size = 0;

    while (getline(&row, &size, from) > 0) {
        char *last = strrchr(row, ',');

        if (last && lists(row, path, recording)) {
            fprintf(to, "%.*s,%s\n", (int)(last - row), row, digest);
            renewed++;
        } else {
            fputs(row, to);
        }
    }
    free(row);
    return renewed;
}

static bool ends_with_digests(FILE *f)
{
    char *head = NULL;
    size_t size = 0;
    const bool ok = getline(&head, &size, f) > 0 && !strncmp(head, "file,", 5) && strstr(head, ",sha256\n");

    free(head);
    rewind(f);
    return ok;
}

bool manifest_renew(const char *path, const char *recording, const char *next, placed_file *to, char *err, size_t err_size)
{
    const bool taken = placed_change(to, path);
    const int why = errno;
    FILE *from = placed_possible(path) ? fopen(path, "r") : NULL; /* a FIFO would wait */
    char digest[SHA256_TEXT];

    *err = '\0';
    if (!from)
        snprintf(err, err_size, "%s: cannot open: %s", path, strerror(errno));
    else if (!ends_with_digests(from))
        snprintf(err, err_size, "%s: no manifest with digests: its first column is file, its last one sha256", path);
    else if (!sha256_file(next, digest))
        snprintf(err, err_size, "%s: cannot read: %s", next, strerror(errno));
    else if (!taken)
        snprintf(err, err_size, "%s: cannot write: %s", path, why == EBUSY ? "another command writes it now" : strerror(why));
    else if (!copy_rows(to->file, from, path, recording, digest))
        snprintf(err, err_size, "%s: does not list %s", path, recording);
    else if (ferror(from) || !placed_finish(to))
        snprintf(err, err_size, "%s: cannot write: %s", path, strerror(errno));
    if (from)
        fclose(from);
    return !*err || placed_close(to, false);
}
