/* SPDX-License-Identifier: Apache-2.0 */
#include "files/placed_file.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

bool placed_possible(const char *path)
{
    struct stat info;

    if (stat(path, &info) != 0 || S_ISREG(info.st_mode))
        return true;
    errno = S_ISDIR(info.st_mode) ? EISDIR : EEXIST;
    return false;
}

bool placed_open(placed_file *p, const char *path)
{
    p->file = NULL;
    snprintf(p->path, sizeof p->path, "%s", path);
    snprintf(p->temporary, sizeof p->temporary, "%s.tmp", p->path);
    if (placed_possible(path))
        p->file = fopen(p->temporary, "w");
    return p->file != NULL;
}

bool placed_close(placed_file *p, bool keep)
{
    bool ok = p->file && keep;
    int why = errno;

    if (!p->file)
        return false;
    errno = EIO;
    ok &= !ferror(p->file);
    ok &= fclose(p->file) == 0;
    ok = ok && rename(p->temporary, p->path) == 0;
    if (ok)
        return true;
    why = keep ? errno : why;
    unlink(p->temporary);
    errno = why;
    return false;
}
