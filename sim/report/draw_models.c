/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "plot/curves.h"
#include "report/draw.h"

static void fill(curves_panel *panel, const data_kernel *k)
{
    double best = 0;

    snprintf(panel->title, sizeof panel->title, "%.60s", k->name);
    panel->points = (unsigned)k->nmax;
    for (unsigned n = 1; n <= k->nmax; n++)
        best = k->model[n].recorded_ipc > best ? k->model[n].recorded_ipc : best;
    for (unsigned n = 1; n <= k->nmax && n < CURVES_POINTS; n++) {
        const data_model_line *line = &k->model[n];
        const bool known = line->limit && best > 0;

        panel->y[0][n] = known && line->recorded_ipc > 0 ? 100 * line->recorded_ipc / best : -1;
        panel->y[1][n] = known ? 100 * line->model_ipc / best : -1;
    }
    for (unsigned p = 0; p < DATA_POLICIES; p++)
        panel->mark[p] = (unsigned)k->runs[p].limit;
}

bool draw_models(const report_data *d, const char *path)
{
    curves how = {.x = "CTA limit", .y = "IPC, % of best", .num_series = 2, .series = {"recorded", "model"}};
    curves_panel *panels = calloc(d->num_kernels ? d->num_kernels : 1, sizeof *panels);
    unsigned num = 0;
    bool drawn;

    for (unsigned k = 0; panels && k < d->num_kernels; k++)
        if (d->kernels[k].model_limit)
            fill(&panels[num++], &d->kernels[k]);
    for (unsigned p = 0; p < DATA_POLICIES; p++)
        how.marks[how.num_marks++] = data_names[p].key;
    drawn = panels && curves_draw(&how, panels, num, path);
    free(panels);
    return drawn;
}
