/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "report/draw.h"
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
