/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/scratch_fixture.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/test.h"

void scratch_make(char *dir, size_t size)
{
    const char *tmp = getenv("TMPDIR");

    snprintf(dir, size, "%s/ballast_test_XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(dir));
}

const char *scratch_path(const char *dir, const char *name)
{
    static char path[600];

    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static unsigned count(const char *path, const char *part, bool remove_them)
{
    DIR *dir = opendir(path);
    const struct dirent *entry;
    unsigned n = 0;

    assert_non_null(dir);
    while ((entry = readdir(dir))) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") || !strstr(entry->d_name, part))
            continue;
        n++;
        if (remove_them)
            assert_int_equal(unlinkat(dirfd(dir), entry->d_name, 0), 0);
    }
    closedir(dir);
    return n;
}

unsigned scratch_count(const char *dir, const char *part)
{
    return count(dir, part, false);
}

int scratch_remove(const char *dir)
{
    count(dir, "", true);
    return rmdir(dir);
}

static FILE *open_file(const char *path, const char *mode)
{
    FILE *f = fopen(path, mode);

    if (!f) {
        fail_msg("%s cannot be opened", path);
        abort(); /* for tools that do not know that fail_msg does not return */
    }
    return f;
}

char *scratch_slurp(const char *path)
{
    FILE *f = open_file(path, "r");
    char *text = NULL;
    size_t n = 0;

    if (getdelim(&text, &n, '\0', f) < 0 && text)
        text[0] = '\0';
    fclose(f);
    assert_non_null(text);
    return text;
}

void scratch_spew(const char *path, const char *text)
{
    FILE *f = open_file(path, "w");

    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

void scratch_damage(const char *path, long before_end)
{
    FILE *f = open_file(path, "r+b");

    assert_int_equal(fseek(f, -before_end, SEEK_END), 0);
    fputs("\x55\xaa\x55", f);
    assert_int_equal(fclose(f), 0);
}

static char *text;
static size_t size;

FILE *scratch_stream(void)
{
    FILE *f;

    free(text);
    text = NULL;
    f = open_memstream(&text, &size);
    assert_non_null(f);
    return f;
}

const char *scratch_text(FILE *stream)
{
    assert_int_equal(fclose(stream), 0);
    return text;
}
