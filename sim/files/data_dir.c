/* SPDX-License-Identifier: Apache-2.0 */
#include "files/data_dir.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const places[] = {"/../share/ballast", "/../..", "/../../.."}; /* of the executable's folder: build/CONFIG[/test] */

/* A folder that has the data, without dots and links. */
static bool has_data(const char *folder, char found[PATH_MAX])
{
    char inside[PATH_MAX];

    if (!realpath(folder, found))
        return false;
    return (size_t)snprintf(inside, sizeof inside, "%s/sim/kernels", found) < sizeof inside && access(inside, R_OK | X_OK) == 0;
}

static bool find(char found[PATH_MAX])
{
    char own[PATH_MAX], folder[PATH_MAX + 32];
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);

    if (length <= 0)
        return false;
    own[length] = '\0';
    *strrchr(own, '/') = '\0';
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(folder, sizeof folder, "%s%s", own, places[i]);
        if (has_data(folder, found))
            return true;
    }
    return false;
}

const char *data_dir(void)
{
    static char found[PATH_MAX];
    char here[PATH_MAX];

    if (!found[0] && (!find(found) || (getcwd(here, sizeof here) && !strcmp(here, found))))
        snprintf(found, sizeof found, ".");
    return found;
}

const char *data_path(const char *name)
{
    const size_t size = strlen(data_dir()) + strlen(name) + 2;
    char *path = strcmp(data_dir(), ".") != 0 ? malloc(size) : NULL;

    if (!path)
        return name;
    snprintf(path, size, "%s/%s", data_dir(), name);
    return path;
}
