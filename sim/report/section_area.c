/* SPDX-License-Identifier: Apache-2.0
 *
 * What 'make area' and 'make energy' have measured: BUILD/area/area.csv, policies.csv and chips.csv, BUILD/energy/energy.csv and saving.csv. A
 * table per question.
 */
#include <unistd.h>

#include "report/csv_table.h"
#include "report/sections.h"

typedef struct question {
    const char *file, *id, *caption, *command; /* command: named if there is no file */
    csv_column columns[CSV_TABLE_COLUMNS];
} question;

static const question questions[] = {
    {"area/area.csv", "area-table",
     "Every block, synthesized onto the cells of a library; GE: area in units of its two-input NAND; the longest path from and to.", "make area",
     {{"block", "block", CSV_HEAD, NULL}, {"config", "geometry", CSV_TEXT, NULL}, {"flip_flops", ">flip-flops", CSV_COUNT, NULL},
      {"cells", ">cells", CSV_COUNT, NULL}, {"ge", ">GE", CSV_COUNT, NULL}, {"lut4", ">LUT4", CSV_COUNT, NULL},
      {"fo4", ">longest path, FO4", CSV_RIGHT, NULL}, {"start", "from", CSV_TEXT, NULL}, {"end", "to", CSV_TEXT, NULL},
      {"library", "library", CSV_TEXT, NULL}, {"verdict", "against the baseline", CSV_TEXT, NULL}}},
    {"area/policies.csv", "policy-cost-table", "An SM with one policy alone: the blocks that it takes, added up.", NULL,
     {{"policy", "policy", CSV_HEAD, NULL}, {"config", "geometry", CSV_TEXT, NULL}, {"flip_flops", ">flip-flops", CSV_COUNT, NULL},
      {"ge", ">GE", CSV_COUNT, NULL}, {"fo4", ">longest path, FO4", CSV_RIGHT, NULL}, {"slowest", "in", CSV_TEXT, NULL},
      {"blocks", "blocks", CSV_TEXT, NULL}}},
    {"area/chips.csv", "chip-cost-table", "A whole chip, put together of its blocks, and its longest path.", NULL,
     {{"config", "geometry", CSV_HEAD, NULL}, {"sms", ">SMs", CSV_COUNT, NULL}, {"flip_flops", ">flip-flops", CSV_COUNT, NULL},
      {"ge", ">GE", CSV_COUNT, NULL}, {"fo4", ">longest path, FO4", CSV_RIGHT, NULL}, {"block", "in", CSV_TEXT, NULL},
      {"start", "from", CSV_TEXT, NULL}, {"end", "to", CSV_TEXT, NULL}}},
    {"energy/energy.csv", "energy-table",
     "Energy of the netlists under a recording, in pJ per cycle of the SM; resting: with a clock gate per part.", "make energy",
     {{"block", "block", CSV_HEAD, NULL}, {"policy", "policy", CSV_TEXT, NULL}, {"recording", "recording", CSV_TEXT, NULL},
      {"cycles", ">cycles", CSV_COUNT, NULL}, {"decisions", ">decisions", CSV_COUNT, NULL}, {"pj_per_cycle", ">pJ per cycle", CSV_RIGHT, NULL},
      {"pj_per_cycle_resting", ">resting", CSV_RIGHT, NULL}, {"pj_per_decision", ">pJ per decision", CSV_RIGHT, NULL},
      {"technology", "technology", CSV_TEXT, NULL}}},
    {"energy/saving.csv", "saving-table", "What a policy saves in the simulator, and what its governors cost, in J of a whole chip and kernel.", NULL,
     {{"kernel", "kernel", CSV_HEAD, NULL}, {"policy", "policy", CSV_TEXT, NULL}, {"joules_static", ">static", CSV_RIGHT, NULL},
      {"joules", ">with it", CSV_RIGHT, NULL}, {"saved", ">saved", CSV_RIGHT, NULL}, {"cost", ">governors", CSV_RIGHT, NULL},
      {"cost_percent", ">percent of saved", CSV_RIGHT, NULL}}},
};

bool section_area(FILE *f, const char *build, trace_err *err)
{
    char path[4300];
    bool ok = true;

    fputs("<section id=\"area\"><h2>What the hardware costs</h2>\n", f);
    for (unsigned i = 0; ok && i < sizeof questions / sizeof *questions; i++) {
        const question *q = &questions[i];

        snprintf(path, sizeof path, "%s/%s", build, q->file);
        if (access(path, F_OK) == 0)
            ok = csv_table(f, path, q->columns, q->id, q->caption, err);
        else if (q->command)
            fprintf(f, "<p class=\"soft\">Not measured yet: <code>%s</code>, then <code>make report</code>.</p>\n", q->command);
    }
    fputs("</section>\n", f);
    return ok;
}
