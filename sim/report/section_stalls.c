/* SPDX-License-Identifier: Apache-2.0
 *
 * The stall breakdown over the CTA limit, as in Fig. 5 of the Perf-Sat paper.
 */
#include "report/draw.h"
#include "report/sections.h"

static double share(const data_kernel *k, unsigned limit, unsigned part)
{
    return 100 * (double)k->stalls.at[limit].part[part] / (double)k->stalls.at[limit].cycles;
}

static void put_row(FILE *f, const data_kernel *k, unsigned limit)
{
    fprintf(f, "<tr%s>", limit == k->best ? " class=\"best\"" : "");
    html_row_head(f, "%u%s", limit, limit == k->best ? " best" : "");
    html_cell_right(f, "%.3f", data_ipc(k, limit));
    html_cell_right(f, "%.1f", data_best_ipc(k) > 0 ? 100 * data_ipc(k, limit) / data_best_ipc(k) : 0);
    for (unsigned p = 0; p < BREAKDOWN_PARTS; p++)
        html_cell_right(f, "%.1f", share(k, limit, p));
    html_cell_count(f, k->stalls.at[limit].cycles);
    fputs("</tr>\n", f);
}

static void put_table(FILE *f, const data_kernel *k, unsigned index)
{
    static const char *const head[] = {"limit", ">IPC", ">% of fastest", ">active", ">pipeline ALU", ">pipeline mem",
                                       ">scoreb. ALU", ">scoreb. mem", ">idle", ">cycles", NULL};

    html_table_open(f, head, "The exhaustive search: every recorded limit, its instructions per cycle (IPC), and the shares of "
                             "the cycles in percent.", "k%u-stalls", index);
    for (unsigned limit = 1; limit <= k->nmax; limit++)
        if (k->stalls.at[limit].cycles)
            put_row(f, k, limit);
    html_table_close(f);
}

static const char caption[] =
    "Share of the SM's cycles by class, per CTA limit; faint: the memory's part. Active: at least one warp issued. "
    "Pipeline: warps were ready, the units were not. Scoreboard: warps waited for results. Idle: neither. Above each bar its "
    "speed, in percent of the fastest. More CTAs pay as long as scoreboard shrinks by more than pipeline grows.";

void kernel_stalls(FILE *f, const report_data *d, unsigned index)
{
    const data_kernel *k = &d->kernels[index];
    char path[4600], id[32], title[2 * DATA_TEXT];

    snprintf(path, sizeof path, "%s/%s.stalls.svg", d->dir, k->name);
    snprintf(id, sizeof id, "k%u-bars", index);
    snprintf(title, sizeof title, "%s: shares of active, pipeline, scoreboard and idle cycles at every CTA limit", k->name);
    fputs("<div class=\"pair\">\n<div>", f);
    section_picture(f, path, draw_stalls(k, path), id, title, 340, caption);
    fputs("</div>\n<div>", f);
    put_table(f, k, index);
    fputs("</div></div>\n", f);
}
