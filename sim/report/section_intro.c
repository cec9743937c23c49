/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/heat_map.h"
#include "report/sections.h"

/* ---- the verdict --------------------------------------------------------------------- */

/* Where the twins differ, from the replay's own report: its headline, and the first register or output. */
static void put_where(FILE *f, const report_data *d, const data_verdict *v)
{
    static const char *const starts[] = {"MISMATCH ", "  register ", "  output ", "  an assertion"};
    char path[4600], line[512];
    unsigned lines = 0;
    FILE *in;

    if (!strncmp(v->mode, "chip", 4))
        snprintf(path, sizeof path, "%s/%s.chip.mismatch.txt", d->dir, v->recording);
    else
        snprintf(path, sizeof path, "%s/%s.sm%" PRIu64 ".mismatch.txt", d->dir, v->recording, v->sm);
    in = strcmp(v->verdict, "MISMATCH") ? NULL : fopen(path, "r");
    while (in && lines < 2 && fgets(line, sizeof line, in))
        for (unsigned s = 0; s < sizeof starts / sizeof starts[0]; s++)
            if (!strncmp(line, starts[s], strlen(starts[s]))) {
                line[strcspn(line, "\n")] = 0;
                html_print(f, "%s%s. ", lines++ ? "First: " : "", line + strspn(line, " "));
            }
    if (in)
        fclose(in);
}

static void put_failures(FILE *f, const report_data *d)
{
    static const char *const head[] = {"recording", "mode", ">SM", "blocks", "verdict", "why", NULL};

    html_table_open(f, head, "Replays that did not pass.", "failures");
    for (unsigned i = 0; i < d->num_verdicts; i++) {
        const data_verdict *v = &d->verdicts[i];

        if (!strcmp(v->verdict, "pass"))
            continue;
        fputs("<tr>", f);
        html_row_head(f, "%s", v->recording);
        html_cell(f, "%s", v->mode);
        html_cell_count(f, v->sm);
        html_cell(f, "%s", v->blocks);
        html_in(f, "<td class=\"fail\">", "</td><td class=\"w\">", "%s", v->verdict);
        put_where(f, d, v);
        html_in(f, "", "</td></tr>\n", "%s", v->why);
    }
    html_table_close(f);
}

void section_verdict(FILE *f, const report_data *d, const evidence *e)
{
    const bool all = d->passed == d->num_verdicts;
    uint64_t cycles = 0, comparisons = 0;

    for (unsigned i = 0; i < d->num_verdicts; i++) {
        cycles += d->verdicts[i].cycles;
        comparisons += d->verdicts[i].comparisons;
    }
    fprintf(f, "<section class=\"verdict%s\" id=\"verdict\" aria-label=\"Verdict\">\n<p><strong>", all ? "" : " bad");
    if (all)
        fprintf(f, "%u replays, all equal.", d->num_verdicts);
    else
        fprintf(f, "%u of %u replays did not pass.", d->num_verdicts - d->passed, d->num_verdicts);
    fputs("</strong> Hardware (RTL) and C model of every block ran side by side through ", f);
    html_count(f, cycles);
    fputs(" SM cycles; ", f);
    html_count(f, comparisons);
    fprintf(f, " values of outputs and registers were compared%s. <a href=\"#replays\">All replays</a></p>\n",
            all ? ", and none differed" : "");
    if (!all)
        put_failures(f, d);
    evidence_banner(f, e);
    html_in(f, "<p class=\"soft\">Run of ", "</p></section>\n", "%s, finished %s, chip %s.", d->manifest, d->finished, d->chip);
}

/* ---- how to read this ------------------------------------------------------------------ */

static const char reading[] =
    "<section id=\"reading\"><h2>How to read this</h2>\n"
    "<p>A GPU kernel is cut into thread blocks (<abbr title=\"cooperative thread array\">CTA</abbr>s). Each streaming "
    "multiprocessor (SM) holds several at a time, at most <i>Nmax</i>. The <b>CTA limit</b> says how many it may hold just now: "
    "too few cannot hide the memory's latency, too many fight over caches and pipelines. Ballast's blocks watch what an SM's "
    "warps do and move that limit while the kernel runs, and voltage and frequency (VF) with it.</p>\n"
    "<dl><dt>Static</dt><dd>never moves the limit: it stays at what software has set, here Nmax.</dd>\n"
    "<dt>Perf-Sat</dt><dd>begins in the middle, counts stalled cycles per sample and walks towards fewer stalls until that "
    "stops paying; then it is done for the kernel.</dd>\n"
    "<dt>LCS</dt><dd>waits for the first CTA to finish and sets the limit once: all instructions issued until then, divided by "
    "those of the CTA that issued most.</dd>\n"
    "<dt>Equalizer</dt><dd>looks in every epoch of 4096 cycles at what warps wait for; after three epochs that say the same it "
    "takes one CTA more or fewer, and votes for a faster SM or a faster memory.</dd>\n"
    "<dt>DYNCTA</dt><dd>compares idle and memory-wait cycles of every period with thresholds: one CTA more or one fewer, "
    "for ever.</dd>\n"
    "<dt>Scout</dt><dd>counts instructions in windows of cycles and looks at other limits for a short time each: it keeps one that issues "
    "as much with fewer CTAs, or more with more, and goes back from the others.</dd></dl>\n"
    "<p>Each kernel was recorded at fixed limits, among them 1 and Nmax. In a <i>family replay</i> the policy's limit picks the "
    "recording that plays, or that of the next lower limit where it has none of its own. So one can see its way, and hold its "
    "choice against the <b>best recorded limit</b>: the fewest CTAs that no higher limit beats by 2&nbsp;%. Recordings do not "
    "obey the VF levels. In the pictures a lane is a policy, the thick line its limit, the dotted line the best recorded one, "
    "and a number is the decision of that number in the table beneath.</p></section>\n";

void section_reading(FILE *f)
{
    fputs(reading, f);
}

/* ---- policies side by side --------------------------------------------------------------- */

/* How dear a policy is, as a step of the colours: first launch, percent over the best fixed limit. They are those of the heat map. */
static unsigned step_of(double cost)
{
    static const double above[] = {2, 5, 20, 50};
    unsigned step = 0;

    while (step < sizeof above / sizeof *above && cost > above[step])
        step++;
    return step;
}

static void put_choice(FILE *f, const data_run *run)
{
    if (!run->there) {
        html_cell(f, "–");
        return;
    }
    if (isnan(run->cost))
        fputs("<td>", f);
    else
        fprintf(f, "<td class=\"h%u\">", step_of(run->cost));
    fprintf(f, "<b>%" PRIu64 "</b> %.1f\xc2\xa0%%", run->limit, run->percent);
    fputs(" <span class=\"soft\">", f);
    section_when(f, run);
    fputs("</span></td>", f);
}

/* A row for the oracle and each policy, a column for each kernel. */
static bool draw_costs(const report_data *d, const char *path)
{
    const size_t kernels = d->num_kernels;
    const char *rows[1 + DATA_POLICIES] = {"Oracle"}, **columns = calloc(kernels, sizeof *columns);
    double *costs = calloc((1 + DATA_POLICIES) * kernels, sizeof *costs);
    const heat_map map = {"What each policy costs", "percent: first launch, cycles over those of the best fixed limit", 1 + DATA_POLICIES, d->num_kernels,
                          rows, columns, costs};
    bool drawn;

    for (unsigned k = 0; columns && costs && k < kernels; k++) {
        columns[k] = d->kernels[k].name;
        costs[k] = d->kernels[k].oracle_cost;
        for (unsigned p = 0; p < DATA_POLICIES; p++) {
            rows[1 + p] = data_names[p].title;
            costs[(1 + p) * kernels + k] = d->kernels[k].runs[p].cost;
        }
    }
    drawn = columns && costs && heat_map_draw(&map, path);
    free(columns);
    free(costs);
    return drawn;
}

void section_overview(FILE *f, const report_data *d)
{
    const char *head[5 + DATA_POLICIES] = {"kernel", ">Nmax", ">best", ">model"};
    char path[4600];

    if (!d->num_kernels)
        return;
    for (unsigned p = 0; p < DATA_POLICIES; p++)
        head[4 + p] = data_names[p].title;
    fputs("<section id=\"policies\"><h2>The policies side by side</h2>\n", f);
    snprintf(path, sizeof path, "%s/policies.svg", d->dir);
    section_picture(f, path, draw_costs(d, path), "costs", "What each policy costs on each kernel, in percent", 760,
                    "Cycles of the first launch, as far as it was watched and the search included, over those of the best recorded limit, in "
                    "percent; the oracle has the fastest recorded limit in each part of the launch, and changes it for nothing.");
    html_table_open(f, head,
                    "Per kernel: Nmax, the best recorded limit and the one that the analytic models predict; per policy "
                    "the limit that it chose (bold), that recording's speed in percent of the fastest one's, and the "
                    "cycle of the decision with the pass over the kernel, if that is not the first, or “moving” where the limit did not come to rest. The "
                    "colour is the cost of the picture above: up to 2, 5, 20, 50 percent, or more.", "overview");
    for (unsigned k = 0; k < d->num_kernels; k++) {
        const data_kernel *kernel = &d->kernels[k];

        fprintf(f, "<tr><th scope=\"row\"><a href=\"#k%u\">", k);
        html_in(f, "", "</a></th>", "%s", kernel->name);
        html_cell_count(f, kernel->nmax);
        html_cell_count(f, kernel->best);
        if (kernel->model_limit)
            html_cell_count(f, kernel->model_limit);
        else
            html_cell_right(f, "–");
        for (unsigned p = 0; p < DATA_POLICIES; p++)
            put_choice(f, &kernel->runs[p]);
        fputs("</tr>\n", f);
    }
    html_table_close(f);
    fputs("</section>\n", f);
}
