/* SPDX-License-Identifier: Apache-2.0
 *
 * What programs of a build for coverage have left: Verilator's counts (*.dat) and the shim's toggles (*.toggles).
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cover/points.h"

/* ---- Verilator's file: C '\1key\2value\1key\2value...' count --------------------------------- */

static bool field(const char *line, const char *key, char *value, size_t size)
{
    char mark[16];
    const char *at;

    snprintf(mark, sizeof mark, "\1%s\2", key);
    at = strstr(line, mark);
    if (!at)
        return false;
    at += strlen(mark);
    snprintf(value, size, "%.*s", (int)strcspn(at, "\1'"), at);
    return true;
}

/* "rtl/sm/perfsat.sv" and "tb/blocks/perfsat/cover.sv" are of the block perfsat. */
static bool block_of(const char *path, bool user, char *block_name, size_t size)
{
    const char *slash = strrchr(path, '/');
    static const char points[] = "tb/blocks/", tail[] = ".sv";
    size_t length;

    if (user && strncmp(path, points, strlen(points)) != 0)
        return false;
    if (user)
        return snprintf(block_name, size, "%.*s", (int)strcspn(path + strlen(points), "/"), path + strlen(points)) > 0;
    slash = slash ? slash + 1 : path;
    length = strlen(slash);
    if (length <= strlen(tail) || strcmp(slash + length - strlen(tail), tail) != 0)
        return false;
    snprintf(block_name, size, "%.*s", (int)(length - strlen(tail)), slash);
    return true;
}

static void count(cover_point *p, cover_suite suite, uint64_t hits)
{
    p->hits[suite] += hits;
    if (suite != SUITE_WHOLE)
        p->hits[SUITE_WHOLE] += hits;
}

static bool read_count(cover_data *d, const char *line, cover_suite suite)
{
    char path[1024], page[COVER_TEXT], block_name[COVER_TEXT], name[COVER_TEXT], number[32], lines[COVER_TEXT] = "";
    const char *end = strrchr(line, '\'');
    unsigned at, column;
    cover_point *p;
    bool user;

    if (!end || !field(line, "f", path, sizeof path) || !field(line, "page", page, sizeof page) ||
        !field(line, "o", name, sizeof name) || !field(line, "l", number, sizeof number))
        return false;
    at = (unsigned)strtoul(number, NULL, 10);
    if (!field(line, "n", number, sizeof number))
        return false;
    column = (unsigned)strtoul(number, NULL, 10);
    field(line, "S", lines, sizeof lines);
    user = strncmp(page, "v_user", 6) == 0;
    if (!block_of(path, user, block_name, sizeof block_name) || (!user && strncmp(path, "rtl/", 4) != 0))
        return true; /* the lines of a cover file */
    p = cover_point_of(cover_block_of(d, block_name), user ? COVER_FUNCTIONAL : COVER_LINE, name, at, user ? 0 : column, 0);
    snprintf(p->lines, sizeof p->lines, "%s", lines);
    count(p, suite, strtoull(end + 1, NULL, 10));
    return true;
}

/* ---- toggles ---------------------------------------------------------------------------------- */

/* A bit of a signal is one point for all variants of the block in which the signal is as wide: elsewhere the same number may
 * be another field. */
static void read_bits(cover_block *b, const char *signal, bool base, const char *risen, const char *fallen, cover_suite suite)
{
    const unsigned width = (unsigned)strlen(risen);

    for (unsigned bit = 0; risen[bit]; bit++) {
        cover_point *p = cover_point_of(b, COVER_TOGGLE, signal, 0, width, bit);

        p->base |= base;
        for (unsigned s = suite; s < COVER_SUITES; s++) {
            p->risen[s] |= risen[bit] == '1';
            p->fallen[s] |= fallen[bit] == '1';
        }
    }
}

static bool read_toggle(cover_data *d, char *line, cover_suite suite)
{
    char *word[7], *rest = line;

    for (unsigned i = 0; i < 7; i++)
        if (!(word[i] = strsep(&rest, " ")))
            return false;
    if (rest || strcmp(word[0], "toggle") != 0 || strlen(word[5]) != strtoul(word[4], NULL, 10) ||
        strlen(word[5]) != strlen(word[6]))
        return false;
    read_bits(cover_block_of(d, word[1]), word[3], strcmp(word[1], word[2]) == 0, word[5], word[6], suite);
    return true;
}

/* ---- files ------------------------------------------------------------------------------------- */

static bool damaged(const char *path, unsigned line, char *err)
{
    snprintf(err, COVER_ERR, "%s: line %u is damaged; 'make cover' writes it anew", path, line);
    return false;
}

static bool read_lines(cover_data *d, const char *path, bool toggles, cover_suite suite, char *err)
{
    FILE *f = fopen(path, "r");
    char *line = NULL;
    size_t size = 0;
    unsigned number = 0;
    bool ok = true, ended = false;

    if (!f)
        return snprintf(err, COVER_ERR, "%s: cannot be read (%s)", path, strerror(errno)), false;
    while (ok && getline(&line, &size, f) >= 0) {
        number++;
        line[strcspn(line, "\n")] = '\0';
        if (strcmp(line, toggles ? "end" : "# end") == 0)
            ended = true;
        else if (toggles)
            ok = !ended && read_toggle(d, line, suite);
        else
            ok = !ended && (line[0] == '#' || (line[0] == 'C' && read_count(d, line, suite)));
    }
    free(line);
    fclose(f);
    return ok && ended && number ? true : damaged(path, number, err);
}

static int is_data(const struct dirent *e)
{
    const size_t length = strlen(e->d_name);

    return (length > 4 && strcmp(e->d_name + length - 4, ".dat") == 0) ||
           (length > 8 && strcmp(e->d_name + length - 8, ".toggles") == 0);
}

bool cover_read(cover_data *d, const char *directory, cover_suite suite, char *err)
{
    struct dirent **files;
    const int num = scandir(directory, &files, is_data, alphasort);
    bool ok = true;

    if (num < 0)
        return snprintf(err, COVER_ERR, "%s: cannot be read (%s)", directory, strerror(errno)), false;
    for (int i = 0; i < num; i++) {
        char path[4096];

        snprintf(path, sizeof path, "%s/%s", directory, files[i]->d_name);
        if (ok)
            ok = read_lines(d, path, strstr(files[i]->d_name, ".toggles") != NULL, suite, err);
        free(files[i]);
    }
    free(files);
    return ok;
}
