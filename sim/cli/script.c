/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/script.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/say.h"
#include "files/data_dir.h"

int become_script(const char *script, int argc, char **argv)
{
    const char *title = strrchr(argv[0], ' '); /* "ballast COMMAND" */
    char own[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    const char **words = length > 0 ? calloc((size_t)argc + 4, sizeof *words) : NULL;
    int status;

    if (!words)
        return complain("cannot find out where this program is (%m)");
    own[length] = '\0';
    words[0] = "python3";
    words[1] = data_path(script);
    words[2] = title ? title + 1 : argv[0];
    words[3] = own;
    memcpy(words + 4, argv + 1, (size_t)(argc - 1) * sizeof *words);
    if (access(words[1], R_OK) == 0)
        execvp(words[0], (char **)words);
    status = errno == ENOENT && access(words[1], R_OK) == 0 ? complain("python3 is missing, which reads stores of sweeps; install it") : complain("%s: %m", words[1]);
    free(words);
    return status;
}

bool is_store(const char *path)
{
    static const char magic[16] = "SQLite format 3";
    char begin[sizeof magic] = "";
    FILE *f = fopen(path, "rb");
    const bool is = f && fread(begin, sizeof begin, 1, f) == 1 && !memcmp(begin, magic, sizeof magic);

    if (f)
        fclose(f);
    return is;
}

bool names_store(const arguments *given)
{
    for (unsigned i = 0; i < given->num; i++)
        if (is_store(given->file[i]))
            return true;
    return false;
}
