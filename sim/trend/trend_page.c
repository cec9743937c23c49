/* SPDX-License-Identifier: Apache-2.0
 *
 * The table as a page, in the look of a run's report, with a picture of the mean costs over the runs.
 */
#include <math.h>
#include <string.h>

#include "report/html.h"
#include "report/pen.h"
#include "report/sections.h"
#include "trend/trend.h"

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
    "<title>Ballast: runs over time</title>\n<style>\n%s.paper{background:#fff;max-width:60rem;overflow-x:auto}.paper svg{display:block;width:100%%;min-width:38rem;height:auto}"
    ".paper svg text{fill:#1c2126}.paper svg [fill=\"white\"]{fill:#fff}</style>\n</head>\n<body>\n"
    "<header><h1>Ballast: runs over time</h1></header>\n<main>\n";

/* A policy's pen as in the report; others have one of the rest. */
static chart_pen pen_of(const char *policy)
{
    for (unsigned r = 0; r < DATA_RUNS; r++)
        if (!strcmp(data_names[r].key, policy))
            return pen_of_run(r);
    return (chart_pen){"#1c2126", "1 2", 1};
}

/* Where a run does not know a cost the line is not broken: it goes on at the next one. */
static void put_costs(const chart *c, chart_area *a, const trend *t, unsigned p)
{
    static chart_point points[TREND_RUNS];
    const chart_pen pen = pen_of(t->policy[p]);
    unsigned num = 0;

    for (unsigned r = 0; r < t->num; r++)
        if (t->run[r].cost[p].there)
            points[num++] = (chart_point){r + 1, t->run[r].cost[p].mean};
    chart_line(c, a, points, num, &pen);
    for (unsigned i = 0; i < num; i++)
        chart_dot(c, a, points[i].x, points[i].y, pen.color);
}

static void put_picture(const trend *t, FILE *f)
{
    const chart_size size = {.width = 800, .most = 340, .font = 14, .small = 13, .line = 2};
    const chart c = {.f = f, .size = &size, .height = 340};
    chart_area a = {70, 14, 710, 230, 0.8, t->num + 0.2, 0, 1};
    const char *names[TREND_POLICIES];
    chart_pen pens[TREND_POLICIES];

    for (unsigned r = 0; r < t->num; r++)
        for (unsigned p = 0; p < t->policies; p++)
            if (t->run[r].cost[p].there) {
                a.y0 = fmin(a.y0, 1.05 * t->run[r].cost[p].mean);
                a.y1 = fmax(a.y1, 1.05 * t->run[r].cost[p].mean);
            }
    for (unsigned p = 0; p < t->policies; p++) {
        names[p] = t->policy[p];
        pens[p] = pen_of(t->policy[p]);
    }
    fputs("<figure id=\"costs\"><div class=\"scroll paper\" tabindex=\"0\" role=\"region\" aria-label=\"Picture of the costs\">", f);
    chart_begin(&c, "Mean cost of each policy, run after run");
    chart_x_axis(&c, &a, true, "run, by date");
    chart_y_axis(&c, &a, "mean cost, %");
    for (unsigned p = 0; p < t->policies; p++)
        put_costs(&c, &a, t, p);
    chart_frame(&c, &a);
    chart_key(&c, 70, 295, pens, names, t->policies);
    chart_end(&c);
    fputs("</div><figcaption>What each policy costs in the first launch, in percent over the best fixed limit: the mean of the kernels. The numbers are those of "
          "the table's rows.</figcaption></figure>\n", f);
}

static void put_run(const trend *t, unsigned r, FILE *f)
{
    const trend_run *run = &t->run[r];
    const bool all = run->count[TREND_EQUAL].got == run->count[TREND_EQUAL].of;
    char text[TREND_FIELD];

    fprintf(f, "<tr><td class=\"n\">%u</td>", r + 1);
    html_row_head(f, "%s", run->path);
    html_cell(f, "%s", run->finished[0] ? run->finished : "-");
    html_cell(f, "%s", run->commit[0] ? run->commit : "-");
    for (unsigned i = 0; i < TREND_FIGURES; i++) {
        trend_say_count(&run->count[i], i, text);
        html_in(f, i == TREND_EQUAL ? all ? "<td class=\"n pass\">" : "<td class=\"n fail\">" : "<td class=\"n\">", "</td>", "%s", text);
    }
    trend_say_speed(run, text);
    html_cell_right(f, "%s", text);
    for (unsigned p = 0; p < t->policies; p++) {
        trend_say_cost(&run->cost[p], text);
        html_cell_right(f, "%s", text);
    }
    fputs("</tr>\n", f);
}

static void put_table(const trend *t, FILE *f)
{
    const char *names[11 + TREND_POLICIES] = {">", "run", "finished", "commit", ">equal", ">proofs", ">mutants", ">coverage", ">area, GE", ">Mcycles/s"};
    char policies[TREND_POLICIES][TREND_NAME + 1];

    for (unsigned p = 0; p < t->policies; p++) {
        snprintf(policies[p], sizeof policies[p], ">%s", t->policy[p]);
        names[10 + p] = policies[p];
    }
    html_table_open(f, names,
                    "Replays that are equal, of all; proofs, killed mutants and reached points of coverage, of all; the area of all sizes; SM cycles that "
                    "were replayed in a second; per policy mean and worst cost. *: stale, or of unknown sources, when the run's page was written.", "runs");
    for (unsigned r = 0; r < t->num; r++)
        put_run(t, r, f);
    html_table_close(f);
}

void trend_page(const trend *t, FILE *f)
{
    char missing[1024];

    fprintf(f, head, report_style);
    fprintf(f, "<section><h2>%u run%s</h2>\n", t->num, t->num == 1 ? "" : "s");
    put_table(t, f);
    fputs("<ul class=\"soft\">\n", f);
    for (unsigned r = 0; r < t->num; r++) {
        trend_say_missing(t, &t->run[r], missing, sizeof missing);
        if (*missing)
            html_in(f, "<li>", "</li>\n", "%s does not have: %s", t->run[r].path, missing);
    }
    fputs("</ul></section>\n<section><h2>Costs</h2>\n", f);
    put_picture(t, f);
    fputs("</section>\n</main>\n</body>\n</html>\n", f);
}
