/* SPDX-License-Identifier: Apache-2.0
 *
 * What 'make area' has measured: BUILD/area/area.csv.
 */
#include <string.h>
#include <unistd.h>

#include "recording/csv.h"
#include "report/sections.h"

enum { CONFIG, BLOCK, FLIP_FLOPS, CELLS, NAND2, UM2, LUT4, FO4, VERDICT, COLUMNS };

static const char *const columns[COLUMNS] = {"config",   "block", "flip_flops", "cells",  "nand2",
                                             "area_um2", "lut4",  "fo4",        "verdict"};

static bool put_row(FILE *f, const csv *c, trace_err *err)
{
    fputs("<tr>", f);
    html_row_head(f, "%s", csv_text(c, BLOCK));
    html_cell(f, "%s", csv_text(c, CONFIG));
    for (unsigned i = FLIP_FLOPS; i <= LUT4; i++) {
        uint64_t value;

        if (!csv_text(c, i)[0]) {
            html_cell_right(f, "–");
            continue;
        }
        if (!csv_number(c, i, INT64_MAX, &value, err))
            return false;
        html_cell_count(f, value);
    }
    html_cell_right(f, "%s", csv_text(c, FO4));
    html_cell(f, "%s", csv_text(c, VERDICT));
    fputs("</tr>\n", f);
    return true;
}

static bool put_rows(FILE *f, csv *c, trace_err *err)
{
    static const char *const head[] = {"block", "geometry",           ">flip-flops",          ">cells", ">NAND2", ">µm²",
                                       ">LUT4", ">longest path, FO4", "against the baseline", NULL};

    html_table_open(f, head, "Every block, synthesized onto open 0.18 µm cells; NAND2: area in units of a two-input NAND.",
                    "area-table");
    while (csv_row(c, err))
        if (!put_row(f, c, err))
            return false;
    html_table_close(f);
    return err->text[0] == '\0';
}

bool section_area(FILE *f, const char *build, trace_err *err)
{
    char path[4300];
    bool ok;
    csv c;

    err->text[0] = '\0';
    snprintf(path, sizeof path, "%s/area/area.csv", build);
    fputs("<section id=\"area\"><h2>What the hardware costs</h2>\n", f);
    if (access(path, F_OK) != 0) {
        fputs("<p class=\"soft\">Not measured yet: <code>make area</code>, then <code>make report</code>.</p></section>\n", f);
        return true;
    }
    if (!csv_open(&c, path, columns, COLUMNS, COLUMNS, err))
        return false;
    ok = put_rows(f, &c, err);
    csv_close(&c);
    fputs("</section>\n", f);
    return ok;
}
