/* SPDX-License-Identifier: Apache-2.0 */
#include "files/out_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/soon.h"

#define UNFINISHED "unfinished"
#define FILES ".files" /* of a result, one name a line; in OUT/unfinished: all of them are there */

enum { PATH = 4096, LINE = 512 };

static bool fail(char err[OUT_DIR_ERR], const char *path, const char *what)
{
    snprintf(err, OUT_DIR_ERR, "%s: %s (%s); choose another directory with --out", path, what, strerror(errno));
    return false;
}

bool out_dir_make(const char *path)
{
    char part[PATH];
    struct stat info;

    for (size_t i = 1; i <= strlen(path) && i < sizeof part; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return false;
    }
    if (stat(path, &info) != 0)
        return false;
    errno = ENOTDIR;
    return S_ISDIR(info.st_mode);
}

static void join(char path[PATH], const char *dir, const char *name)
{
    snprintf(path, PATH, "%s/%s", dir, name);
}

static bool exists(const char *dir, const char *name)
{
    char path[PATH];

    join(path, dir, name);
    return access(path, F_OK) == 0;
}

/* ---- lists of files ------------------------------------------------------------------- */

static bool next_name(FILE *list, char name[LINE])
{
    if (!list || !fgets(name, LINE, list))
        return false;
    name[strcspn(name, "\n")] = '\0';
    return true;
}

static FILE *open_list(const char *dir, const char *mode)
{
    char path[PATH];

    join(path, dir, FILES);
    return fopen(path, mode);
}

static bool is_listed(const char *dir, const char *wanted)
{
    FILE *list = open_list(dir, "r");
    char name[LINE];
    bool found = false;

    while (!found && next_name(list, name))
        found = !strcmp(name, wanted);
    if (list)
        fclose(list);
    return found;
}

static int is_shown(const struct dirent *one)
{
    return one->d_name[0] != '.';
}

/* Appears as a whole: it says that nothing is missing. By name: each file system has an order of its own. */
static bool write_list(const char *dir)
{
    char path[PATH], temporary[PATH];
    struct dirent **all = NULL;
    const int num = scandir(dir, &all, is_shown, alphasort);
    FILE *list;
    bool ok;

    join(path, dir, FILES);
    join(temporary, dir, FILES ".tmp");
    list = num >= 0 ? fopen(temporary, "w") : NULL;
    for (int i = 0; i < num; i++) {
        if (list)
            fprintf(list, "%s\n", all[i]->d_name);
        free(all[i]);
    }
    free(all);
    ok = list && !ferror(list);
    if (list)
        ok &= fclose(list) == 0;
    return ok && rename(temporary, path) == 0;
}

/* ---- the new result for the old one --------------------------------------------------------- */

static void remove_old(const char *path, const char *inside)
{
    FILE *list = open_list(path, "r");
    char name[LINE], old[PATH];

    while (next_name(list, name))
        if (name[0] && !strchr(name, '/') && !is_listed(inside, name)) {
            join(old, path, name);
            unlink(old);
        }
    if (list)
        fclose(list);
}

/* A file cannot take the place of a directory: found out before the first one is moved. */
static bool is_free(const char *path, const char *inside)
{
    DIR *all = opendir(inside);
    const struct dirent *one;
    char place[PATH];
    struct stat info;
    bool ok = all != NULL;

    while (ok && (one = readdir(all))) {
        join(place, path, one->d_name);
        ok = one->d_name[0] == '.' || lstat(place, &info) != 0 || !S_ISDIR(info.st_mode);
    }
    if (all)
        closedir(all);
    errno = EISDIR;
    return ok;
}

/* Does the same again where it was interrupted: what has been moved is not there any more. */
static bool move_up(const char *path, const char *inside)
{
    FILE *list = open_list(inside, "r");
    char name[LINE], from[PATH], to[PATH];
    bool ok = list != NULL;

    while (ok && next_name(list, name)) {
        join(from, inside, name);
        join(to, path, name);
        ok = rename(from, to) == 0 || errno == ENOENT;
    }
    if (list)
        fclose(list);
    return ok;
}

static bool complete(const char *path, const char *inside)
{
    char from[PATH], to[PATH];

    join(from, inside, FILES);
    join(to, path, FILES);
    remove_old(path, inside);
    return move_up(path, inside) && rename(from, to) == 0 && rmdir(inside) == 0;
}

/* ---- for commands --------------------------------------------------------------------------- */

static bool lock_soon(int fd)
{
    for (unsigned tries = 0; flock(fd, LOCK_EX | LOCK_NB) != 0;) {
        if (errno != EWOULDBLOCK)
            return true; /* some network file systems have no locks of directories */
        if (!again_soon(&tries))
            return false;
    }
    return true;
}

/* What to do if another command has it. Held until the process ends. */
static bool lock(const char *path, const char *todo, char err[OUT_DIR_ERR])
{
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd < 0) {
        snprintf(err, OUT_DIR_ERR, "%s: cannot be opened (%s)", path, strerror(errno));
        return false;
    }
    if (lock_soon(fd))
        return true;
    close(fd);
    snprintf(err, OUT_DIR_ERR, "%s: another command writes there now; %s", path, todo);
    return false;
}

bool out_dir_lock(const char *path, char err[OUT_DIR_ERR])
{
    return lock(path, "the same command again when it has ended", err);
}

bool out_dir_take(const char *path, char err[OUT_DIR_ERR])
{
    char inside[PATH];

    if (!out_dir_make(path))
        return fail(err, path, "cannot make this directory");
    if (access(path, W_OK | X_OK) != 0)
        return fail(err, path, "cannot write there");
    if (!lock(path, "wait for it, or choose another directory with --out", err))
        return false;
    join(inside, path, UNFINISHED);
    return !exists(inside, FILES) || complete(path, inside) || fail(err, path, "cannot be completed");
}

static bool empty(const char *dir)
{
    DIR *all = opendir(dir);
    const struct dirent *one;
    char path[PATH];

    while (all && (one = readdir(all)))
        if (strcmp(one->d_name, ".") != 0 && strcmp(one->d_name, "..") != 0) {
            join(path, dir, one->d_name);
            unlink(path);
        }
    return all && closedir(all) == 0;
}

bool out_dir_begin(const char *path, char *inside, size_t size, char err[OUT_DIR_ERR])
{
    snprintf(inside, size, "%s/" UNFINISHED, path);
    return (mkdir(inside, 0777) == 0 || errno == EEXIST) && empty(inside) ? true : fail(err, inside, "cannot make this directory");
}

bool out_dir_commit(const char *path, char err[OUT_DIR_ERR])
{
    char inside[PATH];
    sigset_t all, before;
    bool ok;

    join(inside, path, UNFINISHED);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    ok = (is_free(path, inside) && write_list(inside) && complete(path, inside)) || fail(err, path, "cannot take the result");
    sigprocmask(SIG_SETMASK, &before, NULL);
    return ok;
}
