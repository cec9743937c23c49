/* SPDX-License-Identifier: Apache-2.0
 *
 * cover-report --out DIR RECORDINGS TESTS [BLOCK...]: from the counts in both directories the table, the holes, DIR/cover.csv,
 * DIR/holes.csv, DIR/status.json and the page DIR/index.html. Run from the repository root. Exit status 1 when a line or a
 * functional point that no exclusion names has not been reached, 2 usage, 3 bad input.
 */
#include <stdio.h>
#include <string.h>

#include "cover/files.h"

static bool write_all(const char *out, const cover_data *d, char *err)
{
    static const struct {
        const char *name;
        bool (*put)(void *to, const cover_data *d);
    } files[] = {{"cover.csv", cover_put_csv},
                 {"holes.csv", cover_put_holes},
                 {"status.json", cover_put_status}, {"index.html", cover_put_page}};

    for (unsigned i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[4096];

        snprintf(path, sizeof path, "%s/%s", out, files[i].name);
        if (!cover_write(path, files[i].put, d, err))
            return false;
    }
    return true;
}

static int tell(const char *out, const cover_data *d)
{
    unsigned holes;

    cover_table(stdout, d);
    holes = cover_holes(stdout, d, COVER_FUNCTIONAL);
    holes += cover_holes(stdout, d, COVER_LINE);
    printf("report: %s/index.html\n", out);
    if (!holes)
        return 0;
    fflush(stdout);
    fprintf(stderr,
            "cover: %u lines or points are not reached; write the test, or say why not in tb/blocks/<block>/cover.exclude\n",
            holes);
    return 1;
}

int main(int argc, char **argv)
{
    cover_data d = {.num = 0};
    char err[COVER_ERR] = "";
    int status = 3;

    if (argc < 5 || strcmp(argv[1], "--out") != 0) {
        fputs("usage: cover-report --out DIR RECORDINGS TESTS [BLOCK...]\n", stderr);
        return 2;
    }
    if (cover_read(&d, argv[3], SUITE_RECORDINGS, err) && cover_read(&d, argv[4], SUITE_WHOLE, err) &&
        cover_choose(&d, argv + 5, err) && cover_finish(&d, err) && cover_exclude(&d, err) && write_all(argv[2], &d, err))
        status = tell(argv[2], &d);
    else
        fprintf(stderr, "cover: %s\n", err);
    cover_free(&d);
    return status;
}
