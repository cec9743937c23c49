/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/whole_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool diff_fail(trace_err *err, const char *path, unsigned line, const char *what, const char *remedy)
{
    char where[32] = "";

    if (line)
        snprintf(where, sizeof where, " line %u:", line);
    snprintf(err->text, sizeof err->text, "%.300s:%s %s; %s", path, where, what, remedy);
    return false;
}

bool diff_there(const char *path)
{
    struct stat info;

    return lstat(path, &info) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

/* A FIFO without a writer would be waited for. */
static FILE *open_regular(const char *path)
{
    struct stat info;

    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        errno = S_ISDIR(info.st_mode) ? EISDIR : ESPIPE;
        return NULL;
    }
    return fopen(path, "r");
}

/* All of a stream; NULL with errno. */
static char *slurp(FILE *f, size_t *length)
{
    char *text = NULL;
    FILE *to = open_memstream(&text, length);
    char some[1 << 14];
    size_t got;
    bool ok;

    while (to && (got = fread(some, 1, sizeof some, f)) > 0)
        fwrite(some, 1, got, to);
    ok = to && !ferror(f) && !ferror(to);
    if (to && fclose(to) == 0 && ok)
        return text;
    free(text);
    return NULL;
}

char *diff_read(const char *path, const char *remedy, trace_err *err)
{
    FILE *f = open_regular(path);
    size_t length = 0;
    char *text;

    errno = f ? 0 : errno;
    text = f ? slurp(f, &length) : NULL;
    if (!text)
        diff_fail(err, path, 0, strerror(errno ? errno : ENOMEM), remedy);
    if (f)
        fclose(f);
    if (text && (strlen(text) != length || (length && text[length - 1] != '\n'))) {
        diff_fail(err, path, 0, strlen(text) != length ? "it is no text" : "its last line is cut off", remedy);
        free(text);
        return NULL;
    }
    return text;
}
