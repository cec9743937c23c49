/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/whole_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "files/regular_file.h"

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

char *diff_read(const char *path, const char *remedy, trace_err *err)
{
    size_t length = 0;
    char *text = regular_read(path, &length);

    if (!text)
        diff_fail(err, path, 0, strerror(errno), remedy);
    if (text && (strlen(text) != length || (length && text[length - 1] != '\n'))) {
        diff_fail(err, path, 0, strlen(text) != length ? "it is no text" : "its last line is cut off", remedy);
        free(text);
        return NULL;
    }
    return text;
}
