/* SPDX-License-Identifier: Apache-2.0 */
#include "files/placed_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/soon.h"

enum { WRITERS = 1000, MODE_BITS = 07777 };

bool placed_possible(const char *path)
{
    struct stat info;

    if (stat(path, &info) != 0 || S_ISREG(info.st_mode))
        return true;
    errno = S_ISDIR(info.st_mode) ? EISDIR : EEXIST;
    return false;
}

/* ---- a temporary file of one's own -------------------------------------------------------- */

/* Also where the file system has no locks. */
static bool lock(int fd)
{
    return flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

/* The file that is open still has this name. */
static bool is_at(int fd, const char *name)
{
    struct stat here, there;

    return fstat(fd, &here) == 0 && lstat(name, &there) == 0 && here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

/* -1 with errno, EEXIST if another writer has it. */
static int create(const char *name)
{
    const int fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

    if (fd < 0 || (lock(fd) && is_at(fd, name)))
        return fd;
    close(fd); /* before the lock, somebody has held it for a file that was left */
    errno = EEXIST;
    return -1;
}

/* False: it is not what a killed writer has left. Who has the lock of a file with this name may remove it, and nobody else. */
static bool remove_left(const char *name)
{
    struct stat info;
    const bool is_file = lstat(name, &info) == 0 && S_ISREG(info.st_mode);
    const int fd = is_file ? open(name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
    bool gone;

    if (fd < 0)
        return false;
    gone = lock(fd) && is_at(fd, name) && unlink(name) == 0;
    close(fd);
    return gone;
}

static void name_temporary(placed_file *p, unsigned n)
{
    if (n)
        snprintf(p->temporary, sizeof p->temporary, "%s.%u.tmp", p->path, n);
    else
        snprintf(p->temporary, sizeof p->temporary, "%s.tmp", p->path);
}

static int create_anew(const char *name)
{
    int fd = create(name);

    if (fd >= 0 || errno != EEXIST)
        return fd;
    if (remove_left(name))
        return create(name);
    errno = EEXIST;
    return -1;
}

/* False with errno, EBUSY if there are `most` writers. */
static bool take(placed_file *p, unsigned most)
{
    p->lock = -1;
    errno = EEXIST;
    for (unsigned n = 0; p->lock < 0 && errno == EEXIST && n < most; n++) {
        name_temporary(p, n);
        p->lock = create_anew(p->temporary);
    }
    if (p->lock >= 0)
        return true;
    p->temporary[0] = '\0';
    errno = errno == EEXIST ? EBUSY : errno;
    return false;
}

static bool take_alone(placed_file *p)
{
    unsigned tries = 0;
    bool ok = take(p, 1);

    while (!ok && errno == EBUSY && again_soon(&tries))
        ok = take(p, 1);
    return ok;
}

/* ---- for writers -------------------------------------------------------------------------- */

static bool reserve(placed_file *p, const char *path, unsigned most)
{
    p->file = NULL;
    p->old = -1;
    p->temporary[0] = '\0';
    snprintf(p->path, sizeof p->path, "%s", path);
    return placed_possible(path) && (most == 1 ? take_alone(p) : take(p, most));
}

bool placed_reserve(placed_file *p, const char *path)
{
    return reserve(p, path, WRITERS);
}

bool placed_reserve_alone(placed_file *p, const char *path)
{
    return reserve(p, path, 1);
}

/* A stream of its own, so that the lock is held until the file is in its place. */
static bool open_stream(placed_file *p)
{
    const int fd = fcntl(p->lock, F_DUPFD_CLOEXEC, 0);

    p->file = fd < 0 ? NULL : fdopen(fd, "w");
    if (p->file)
        return true;
    if (fd >= 0)
        close(fd);
    return placed_close(p, false);
}

bool placed_open(placed_file *p, const char *path)
{
    return placed_reserve(p, path) && open_stream(p);
}

bool placed_change(placed_file *p, const char *path)
{
    struct stat info;
    char *real = realpath(path, NULL);
    bool ok = reserve(p, real ? real : path, 1);

    free(real);
    if (!ok)
        return false;
    p->old = open(p->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ok = p->old >= 0 && fstat(p->old, &info) == 0 && fchmod(p->lock, info.st_mode & MODE_BITS) == 0;
    return ok ? open_stream(p) : placed_close(p, false);
}

bool placed_finish(placed_file *p)
{
    bool ok;

    errno = EIO;
    ok = !ferror(p->file);
    if (ok && p->old >= 0)
        ok = fflush(p->file) == 0 && fsync(p->lock) == 0;
    ok &= fclose(p->file) == 0;
    p->file = NULL;
    return ok;
}

static bool put(placed_file *p)
{
    return (!p->file || placed_finish(p)) && rename(p->temporary, p->path) == 0;
}

/* Out of its place, it goes while it is locked: nobody else can have this name then. An old file that was open until now is removed
 * here, and not within the rename: that would take a hundred times as long. */
static void let_go(placed_file *p, bool is_put)
{
    const int why = errno;

    if (p->file)
        fclose(p->file);
    p->file = NULL;
    if (!is_put)
        unlink(p->temporary);
    close(p->lock);
    if (p->old >= 0)
        close(p->old);
    p->temporary[0] = '\0';
    errno = why;
}

bool placed_close(placed_file *p, bool keep)
{
    bool ok;

    if (!p->temporary[0])
        return false;
    ok = keep && put(p);
    let_go(p, ok);
    return ok;
}

bool placed_close_both(placed_file *first, placed_file *second)
{
    const bool is_first = put(first), are_both = is_first && put(second);

    let_go(first, is_first);
    let_go(second, are_both);
    return are_both;
}
