/* SPDX-License-Identifier: Apache-2.0
 *
 * The table for readers, and as CSV.
 */
#include <inttypes.h>
#include <string.h>

#include "recording/csv.h"
#include "trend/trend.h"

/* ---- fields ------------------------------------------------------------------------------ */

void trend_say_count(const trend_count *count, enum trend_figure figure, char text[TREND_FIELD])
{
    if (!count->there)
        snprintf(text, TREND_FIELD, "-");
    else if (figure == TREND_AREA)
        snprintf(text, TREND_FIELD, "%" PRIu64 " in %" PRIu64 "%s", count->got, count->of, count->other ? "*" : "");
    else
        snprintf(text, TREND_FIELD, "%" PRIu64 "/%" PRIu64 "%s", count->got, count->of, count->other ? "*" : "");
}

void trend_say_speed(const trend_run *run, char text[TREND_FIELD])
{
    if (run->speed > 0)
        snprintf(text, TREND_FIELD, "%.2f", run->speed);
    else
        snprintf(text, TREND_FIELD, "-");
}

void trend_say_cost(const trend_cost *cost, char text[TREND_FIELD])
{
    if (cost->there)
        snprintf(text, TREND_FIELD, "%.1f/%.1f", cost->mean, cost->worst);
    else
        snprintf(text, TREND_FIELD, "-");
}

static void add_word(char *text, size_t size, const char *word)
{
    const size_t used = strlen(text);

    snprintf(text + used, size - used, "%s%s", used ? ", " : "", word);
}

void trend_say_missing(const trend *t, const trend_run *run, char *text, size_t size)
{
    *text = '\0';
    if (!run->finished[0])
        add_word(text, size, "date");
    if (!run->commit[0])
        add_word(text, size, "commit");
    for (unsigned i = 0; i < TREND_FIGURES; i++)
        if (!run->count[i].there)
            add_word(text, size, trend_names[i]);
    if (run->speed <= 0)
        add_word(text, size, "speed");
    for (unsigned p = 0; p < t->policies; p++)
        if (!run->cost[p].there)
            add_word(text, size, t->policy[p]);
}

/* ---- for readers --------------------------------------------------------------------------- */

static int widest_path(const trend *t)
{
    size_t width = strlen("run");

    for (unsigned r = 0; r < t->num; r++)
        width = strlen(t->run[r].path) > width ? strlen(t->run[r].path) : width;
    return (int)width;
}

static const char *or_dash(const char *text)
{
    return *text ? text : "-";
}

static void print_run(const trend *t, const trend_run *run, int width, FILE *f)
{
    static const int widths[TREND_FIGURES] = {9, 11, 11, 11, 15};
    char text[TREND_FIELD];

    fprintf(f, "%-*s  %-20s  %-20s", width, run->path, or_dash(run->finished), or_dash(run->commit));
    for (unsigned i = 0; i < TREND_FIGURES; i++) {
        trend_say_count(&run->count[i], i, text);
        fprintf(f, "  %*s", widths[i], text);
    }
    trend_say_speed(run, text);
    fprintf(f, "  %9s", text);
    for (unsigned p = 0; p < t->policies; p++) {
        trend_say_cost(&run->cost[p], text);
        fprintf(f, "  %12s", text);
    }
    putc('\n', f);
}

void trend_print(const trend *t, FILE *f)
{
    const int width = widest_path(t);
    char missing[1024];

    fprintf(f, "%-*s  %-20s  %-20s  %9s  %11s  %11s  %11s  %15s  %9s", width, "run", "finished", "commit", "equal", "proofs", "mutants", "coverage",
            "area, GE", "Mcycles/s");
    for (unsigned p = 0; p < t->policies; p++)
        fprintf(f, "  %12s", t->policy[p]);
    putc('\n', f);
    for (unsigned r = 0; r < t->num; r++)
        print_run(t, &t->run[r], width, f);
    fprintf(f, "\npolicies: what they cost in the first launch, percent over the best fixed limit: mean/worst of the kernels\n"
               "*: stale, or of unknown sources, when the run's page was written\n");
    for (unsigned r = 0; r < t->num; r++) {
        trend_say_missing(t, &t->run[r], missing, sizeof missing);
        if (*missing)
            fprintf(f, "%s does not have: %s\n", t->run[r].path, missing);
    }
}

/* ---- for programs -------------------------------------------------------------------------- */

/* ",proofs area" */
static void put_not_current(const trend_run *run, FILE *f)
{
    const char *before = ",";

    for (unsigned i = 0; i < TREND_FIGURES; i++)
        if (run->count[i].other) {
            fprintf(f, "%s%s", before, trend_names[i]);
            before = " ";
        }
    if (*before == ',')
        putc(',', f);
}

/* A field that is not there is empty. */
static void put_run(const trend *t, const trend_run *run, FILE *f)
{
    csv_put(f, run->path);
    putc(',', f);
    csv_put(f, run->finished);
    putc(',', f);
    csv_put(f, run->commit);
    for (unsigned i = 0; i < TREND_FIGURES; i++)
        if (run->count[i].there)
            fprintf(f, ",%" PRIu64 ",%" PRIu64, run->count[i].got, run->count[i].of);
        else
            fputs(",,", f);
    if (run->speed > 0)
        fprintf(f, ",%.3f", run->speed);
    else
        putc(',', f);
    put_not_current(run, f);
    for (unsigned p = 0; p < t->policies; p++)
        if (run->cost[p].there)
            fprintf(f, ",%.2f,%.1f", run->cost[p].mean, run->cost[p].worst);
        else
            fputs(",,", f);
    putc('\n', f);
}

void trend_csv(const trend *t, FILE *f)
{
    fputs("run,finished,commit,equal,replays,proved,proofs,killed,mutants,reached,points,ge,sizes,mcycles_per_s,not_current", f);
    for (unsigned p = 0; p < t->policies; p++)
        fprintf(f, ",%s_mean,%s_worst", t->policy[p], t->policy[p]);
    putc('\n', f);
    for (unsigned r = 0; r < t->num; r++)
        put_run(t, &t->run[r], f);
}
