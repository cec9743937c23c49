/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "report/sections.h"

enum { PATH_SIZE = 4600 };

void section_picture(FILE *f, const char *path, bool drawn, const char *id, const char *title, unsigned min_width,
                     const char *caption)
{
    if (!drawn) {
        html_in(f, "<p class=\"soft\">No picture: gnuplot is missing, or could not write ",
                "; 'make setup' installs it, 'make report' writes this page anew.</p>\n", "%s", path);
        return;
    }
    fprintf(f, "<figure id=\"%s\"><div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-labelledby=\"%s-title\"><div style=\"min-width:%upx\">", id, id,
            min_width);
    html_svg(f, path, id, title);
    fprintf(f, "</div></div><figcaption>%s</figcaption></figure>\n", caption);
}

void section_when(FILE *f, const data_run *run)
{
    if (!run->settled) {
        fputs("moving", f);
        return;
    }
    fputs("cycle\xc2\xa0", f);
    html_count(f, run->decided);
    if (run->pass > 1)
        fprintf(f, " (pass\xc2\xa0%" PRIu64 ")", run->pass);
}

/* ---- what each policy came to ------------------------------------------------------------ */

static void put_policy(FILE *f, const data_run *run, const data_name *name)
{
    fputs("<tr>", f);
    html_row_head(f, "%s", name->title);
    html_cell_count(f, run->limit);
    html_cell_right(f, "%.1f", run->percent);
    fputs("<td class=\"n\">", f);
    section_when(f, run);
    fputs("</td>", f);
    html_cell_count(f, run->moves);
    html_cell_count(f, run->last_limit);
    html_cell_count(f, run->cycles);
    fputs("</tr>\n", f);
}

static void put_policies(FILE *f, const data_kernel *k, unsigned index)
{
    static const char *const head[] = {"policy", ">chosen limit", ">speed, % of fastest", ">decided in",
                                       ">moves", ">last limit", ">cycles watched", NULL};

    html_table_open(f, head, "What each policy came to on SM 0. Speed: of the recording at the chosen limit. Pass: the replay plays a short kernel again and "
                             "again; cycles count through all passes.",
                    "k%u-policies", index);
    for (unsigned p = 0; p < DATA_POLICIES; p++)
        if (k->runs[p].there)
            put_policy(f, &k->runs[p], &data_names[p]);
    html_table_close(f);
}

/* ---- the way there -------------------------------------------------------------------------- */

static void put_limits(FILE *f, const report_data *d, unsigned index, uint64_t last, bool close_up)
{
    const data_kernel *k = &d->kernels[index];
    char path[PATH_SIZE], id[32], title[2 * DATA_TEXT], caption[256];

    snprintf(path, sizeof path, "%s/%s.%s.svg", d->dir, k->name, close_up ? "close-up" : "policies");
    snprintf(id, sizeof id, "k%u-%s", index, close_up ? "close" : "limits");
    snprintf(title, sizeof title, "%s: CTA limit of every policy and VF levels over time%s", k->name,
             close_up ? ", the first part closer" : "");
    snprintf(caption, sizeof caption,
             close_up ? "The same, the first %" PRIu64 " cycles."
                      : "CTA limit over time, a lane per policy (dotted: the best recorded limit, %" PRIu64
                        "), and the VF levels that the "
                        "SMs of a chip vote for under Equalizer. A line ends where watching ended; thin: what was decided stays.",
             close_up ? last : k->best);
    section_picture(f, path, draw_limits(k, last, path), id, title, 760, caption);
}

static void put_pictures(FILE *f, const report_data *d, unsigned index)
{
    const uint64_t last = data_last_cycle(&d->kernels[index]), watched = data_watched(&d->kernels[index]);

    put_limits(f, d, index, last, false);
    if (watched && watched < last / 2)
        put_limits(f, d, index, watched, true);
}

static void put_regret(FILE *f, const report_data *d, unsigned index)
{
    const data_kernel *k = &d->kernels[index];
    char path[PATH_SIZE], id[32], title[2 * DATA_TEXT];

    snprintf(path, sizeof path, "%s/%s.regret.svg", d->dir, k->name);
    snprintf(id, sizeof id, "k%u-regret", index);
    snprintf(title, sizeof title, "%s: what every policy lost against the oracle, over time", k->name);
    section_picture(f, path, draw_regret(k, path), id, title, 760,
                    "Cycles that each policy has lost so far against the oracle, which has the fastest recorded limit in each "
                    "part of the launch (black) and changes it for nothing; where a line is level, the policy loses nothing.");
}

/* ---- all of it --------------------------------------------------------------------------------- */

void section_kernel(FILE *f, const report_data *d, unsigned index)
{
    const data_kernel *k = &d->kernels[index];

    fprintf(f, "<section class=\"kernel\" id=\"k%u\"><h2>Kernel ", index);
    html_in(f, "", "</h2>\n<p>", "%s", k->name);
    if (k->words[0])
        html_print(f, "%s. ", k->words);
    fprintf(f, "An SM can hold %" PRIu64 " CTAs; an exhaustive search over the recordings finds <b>%" PRIu64 "</b> best",
            k->nmax, k->best);
    if (k->model_limit)
        fprintf(f, ", the analytic models predict %" PRIu64, k->model_limit);
    fputs(".</p>\n", f);
    put_policies(f, k, index);
    fputs("<h3>Limit and VF level over time</h3>\n", f);
    put_pictures(f, d, index);
    kernel_lanes(f, k, index);
    if (!isnan(k->oracle_cost)) {
        fputs("<h3>Regret</h3>\n", f);
        put_regret(f, d, index);
    }
    fputs("<h3>What holds the SM back at each limit</h3>\n", f);
    kernel_stalls(f, d, index);
    fputs("<h3>Decisions</h3>\n", f);
    kernel_decisions(f, d, index);
    fputs("</section>\n", f);
}
