/* SPDX-License-Identifier: Apache-2.0
 *
 * The picture of a sweep, of the table that 'ballast query picture' has left: BUILD/sweep.csv. Most runs have none.
 */
#include <unistd.h>

#include "plot/cost_table.h"
#include "report/sections.h"

static bool there(const char *build, char path[4300])
{
    snprintf(path, 4300, "%s/sweep.csv", build);
    return access(path, F_OK) == 0;
}

void section_sweep_link(FILE *f, const char *build)
{
    char path[4300];

    if (there(build, path))
        fputs("<li><a href=\"#sweep\">Sweep</a></li>\n", f);
}

bool section_sweep(FILE *f, const char *out, const char *build, trace_err *err)
{
    char path[4300], picture[4300];

    if (!there(build, path))
        return true;
    snprintf(picture, sizeof picture, "%s/sweep.svg", out);
    if (!cost_table_draw(path, picture, err))
        return false;
    fputs("<section id=\"sweep\"><h2>A sweep</h2>\n", f);
    section_picture(f, picture, true, "sweep-costs", "Mean costs of a sweep", 640, "Mean over all runs of a sweep, from its store (<code>ballast query picture</code>).");
    fputs("</section>\n", f);
    return true;
}
