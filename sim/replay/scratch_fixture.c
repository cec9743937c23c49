/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/scratch_fixture.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/test.h"

void scratch_make(char *dir, size_t size)
{
    const char *tmp = getenv("TMPDIR");

    snprintf(dir, size, "%s/ballast_player_XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(dir));
}

int scratch_remove(const char *path)
{
    DIR *dir = opendir(path);
    const struct dirent *entry;

    assert_non_null(dir);
    while ((entry = readdir(dir)))
        if (entry->d_name[0] != '.')
            assert_int_equal(unlinkat(dirfd(dir), entry->d_name, 0), 0);
    closedir(dir);
    return rmdir(path);
}
