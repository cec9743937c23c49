/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "plot/curves.h"
#include "report/sections.h"

static void put_quantity(FILE *f, double value, double factor, int digits)
{
    if (value < 0)
        html_cell_right(f, "–");
    else
        html_cell_right(f, "%.*f", digits, factor * value);
}

static void put_row(FILE *f, const data_kernel *k, const data_model_line *line)
{
    fprintf(f, "<tr%s>", line->limit == k->best ? " class=\"best\"" : "");
    html_row_head(f, "%s", k->name);
    html_cell_count(f, line->limit);
    html_cell_right(f, "%.4f", line->recorded_ipc);
    html_cell_right(f, "%.4f", line->model_ipc);
    html_cell_count(f, (uint64_t)line->cycles);
    put_quantity(f, line->watts, 1, 1);
    put_quantity(f, line->joules, 1000, 3);
    html_cell(f, "%s%s", line->limit == k->best ? "best recorded " : "",
              line->limit == k->model_limit ? "best by the model" : "");
    fputs("</tr>\n", f);
}

static void put_table(FILE *f, const report_data *d)
{
    static const char *const head[] = {
        "kernel", ">limit", ">recorded IPC", ">model IPC", ">model cycles", ">power, W", ">energy, mJ", "", NULL};

    fputs("<details><summary>Every kernel and limit in numbers</summary>\n", f);
    html_table_open(f, head, "Recorded instructions per cycle, and what the models say of the same limit. Power and energy are "
                             "the models' alone: a recording has none.", "models-table");
    for (unsigned k = 0; k < d->num_kernels; k++)
        for (unsigned n = 1; n < DATA_MODEL_LINES; n++)
            if (d->kernels[k].model[n].limit)
                put_row(f, &d->kernels[k], &d->kernels[k].model[n]);
    html_table_close(f);
    fputs("</details>\n", f);
}

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

static bool draw_models(const report_data *d, const char *path)
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

void section_models(FILE *f, const report_data *d)
{
    char path[4600];

    if (!d->has_models)
        return;
    fputs("<section id=\"models\"><h2>What equations say before anything runs</h2>\n<p>The papers' closed-form models "
          "(MWP-CWP for time, IPP for power) beside the recordings: instructions per cycle over the CTA limit, in percent of "
          "the fastest recorded limit; triangles mark what each policy chose.</p>\n", f);
    snprintf(path, sizeof path, "%s/model.svg", d->dir);
    section_picture(f, path, draw_models(d, path), "models-curves",
                    "Recorded and predicted instructions per cycle over the CTA limit, every kernel", 900,
                    "Recorded and predicted speed over the CTA limit.");
    put_table(f, d);
    fputs("</section>\n", f);
}
