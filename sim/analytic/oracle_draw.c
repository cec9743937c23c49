/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "analytic/oracle.h"
#include "plot/curves.h"

/* From measured IPC to percent of the fastest, so that all kernels have one scale. */
static double percent(const oracle *o)
{
    return o->measured.ipc[1] > 0 ? sweep_speed(&o->measured, 1) / o->measured.ipc[1] : 0;
}

static void fill(curves_panel *panel, const oracle *o)
{
    snprintf(panel->title, sizeof panel->title, "%s", o->name);
    panel->points = o->measured.nmax;
    for (unsigned n = 1; n <= o->measured.nmax; n++) {
        panel->y[0][n] = o->measured.ipc[n] > 0 ? percent(o) * o->measured.ipc[n] : -1;
        panel->y[1][n] = n <= o->prediction.nmax ? percent(o) * o->prediction.point[n].ipc : -1;
    }
    for (unsigned c = 0; c < o->num_choices && c < CURVES_MARKS; c++)
        panel->mark[c] = o->choice[c];
}

bool oracle_draw(const oracle *const *all, unsigned num, const char *path)
{
    curves how = {.x = "CTA limit", .y = "IPC, % of best", .num_series = 2, .series = {"recorded", "model"}};
    curves_panel *panels = calloc(num ? num : 1, sizeof *panels);
    bool drawn;

    if (num && all[0]->simulated)
        how.series[0] = "simulated";
    for (unsigned i = 0; panels && i < num; i++)
        fill(&panels[i], all[i]);
    for (unsigned c = 0; num && c < all[0]->num_choices; c++)
        how.marks[how.num_marks++] = all[0]->chooser[c];
    drawn = panels && curves_draw(&how, panels, num, path);
    free(panels);
    return drawn;
}
