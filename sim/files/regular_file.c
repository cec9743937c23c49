/* SPDX-License-Identifier: Apache-2.0 */
#include "files/regular_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>

FILE *regular_open(const char *path)
{
    struct stat info;

    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        errno = S_ISDIR(info.st_mode) ? EISDIR : ESPIPE;
        return NULL;
    }
    return fopen(path, "rb");
}

static bool copy(FILE *from, FILE *to)
{
    char some[1 << 14];
    size_t got;

    while ((got = fread(some, 1, sizeof some, from)) > 0)
        if (fwrite(some, 1, got, to) != got)
            return false;
    return !ferror(from);
}

char *regular_read(const char *path, size_t *length)
{
    FILE *f = regular_open(path), *to;
    char *text = NULL;
    bool ok;
    int why;

    if (!f)
        return NULL;
    to = open_memstream(&text, length);
    ok = to && copy(f, to);
    why = ok ? ENOMEM : errno; /* what is copied and not kept */
    ok = to && fclose(to) == 0 && ok;
    fclose(f);
    if (ok)
        return text;
    free(text);
    errno = why;
    return NULL;
}
