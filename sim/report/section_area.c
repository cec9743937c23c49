/* SPDX-License-Identifier: Apache-2.0
 *
 * What 'make area' has measured: BUILD/area/area.csv.
 */
#include <unistd.h>

#include "report/csv_table.h"
#include "report/sections.h"

static const csv_column columns[] = {
    {"block", "block", CSV_HEAD, NULL}, {"config", "geometry", CSV_TEXT, NULL}, {"flip_flops", ">flip-flops", CSV_COUNT, NULL},
    {"cells", ">cells", CSV_COUNT, NULL}, {"ge", ">GE", CSV_COUNT, NULL},
    {"lut4", ">LUT4", CSV_COUNT, NULL}, {"fo4", ">longest path, FO4", CSV_RIGHT, NULL},
    {"library", "library", CSV_TEXT, NULL}, {"verdict", "against the baseline", CSV_TEXT, NULL}, {0}};

bool section_area(FILE *f, const char *build, trace_err *err)
{
    char path[4300];
    bool ok = true;

    snprintf(path, sizeof path, "%s/area/area.csv", build);
    fputs("<section id=\"area\"><h2>What the hardware costs</h2>\n", f);
    if (access(path, F_OK) == 0)
        ok = csv_table(f, path, columns, "area-table",
                       "Every block, synthesized onto the cells of a library; GE: area in units of its two-input NAND.", err);
    else
        fputs("<p class=\"soft\">Not measured yet: <code>make area</code>, then <code>make report</code>.</p>", f);
    fputs("</section>\n", f);
    return ok;
}
