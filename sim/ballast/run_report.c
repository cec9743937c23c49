/* SPDX-License-Identifier: Apache-2.0 */
#include "ballast/run_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plot/gnuplot.h"

struct run_report {
    char dir[4096];
    char path[4200], temporary[4200];
    FILE *file;
};

static const char style[] =
    "<style>body{font:15px/1.45 sans-serif;max-width:70em;margin:2em auto;padding:0 1em}"
    "pre{font:12.5px/1.35 monospace;background:#f6f6f4;padding:.8em;overflow-x:auto}"
    "h2{margin-top:2em}img{max-width:100%}.fail{color:#b00020;font-weight:bold}</style>";

static void put_escaped(FILE *f, const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            fputs("&lt;", f);
        else if (*text == '>')
            fputs("&gt;", f);
        else if (*text == '&')
            fputs("&amp;", f);
        else
            putc(*text, f);
    }
}

run_report *run_report_open(const char *out_dir)
{
    run_report *r = calloc(1, sizeof *r);

    if (!r)
        return NULL;
    snprintf(r->dir, sizeof r->dir, "%s", out_dir);
    snprintf(r->path, sizeof r->path, "%s/report.html", out_dir);
    snprintf(r->temporary, sizeof r->temporary, "%s.tmp", r->path);
    r->file = fopen(r->temporary, "w");
    if (!r->file) {
        free(r);
        return NULL;
    }
    fprintf(r->file, "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Ballast lockstep report</title>%s"
                     "</head><body><h1>Ballast lockstep report</h1>\n", style);
    fprintf(r->file, "<p>RTL and C model of every block, compared on every output and register in every cycle. In a "
                     "family the controller's CTA limit picks the recording. <a href=\"#table\">All replays</a></p>\n");
    return r;
}

/* ---- the curve ------------------------------------------------------------------- */

static bool write_data(const char *path, const session_result *result)
{
    const session_track *limit = session_limit_track(result);
    FILE *f = fopen(path, "w");

    if (!f)
        return false;
    for (unsigned i = 0; i < limit->num_points; i++)
        fprintf(f, "%" PRIu64 " %u\n", limit->points[i].cycle, limit->points[i].value);
    fprintf(f, "%" PRIu64 " %u\n", result->cycles, result->limit);
    return fclose(f) == 0;
}

static bool draw(const char *data, const char *picture, uint64_t cycles)
{
    FILE *plot = gnuplot_start(data);

    if (!plot)
        return false;
    gnuplot_svg(plot, picture, 900, 260);
    fprintf(plot, "set xlabel 'cycle of the run'\nset ylabel 'CTA limit'\nset xrange [0:%" PRIu64 "]\n", cycles);
    fprintf(plot, "set yrange [0:*]\nset ytics 1\nset grid\nunset key\nset format x '%%.1s%%c'\nset offsets 0,0,1,0\n");
    fprintf(plot, "plot '%s' using 1:2 with steps linewidth 2 linecolor rgb '#20639b'\n", data);
    return gnuplot_end(plot);
}

void run_report_family(run_report *r, const char *name, const session_result *result, const char *found)
{
    char data[4300], picture[4300];

    snprintf(data, sizeof data, "%s/%s.limit.dat", r->dir, name);
    snprintf(picture, sizeof picture, "%s/%s.limit.svg", r->dir, name);
    fprintf(r->file, "<h2>%s</h2>\n<p>%" PRIu64 " cycles, %s at %u CTAs per SM.</p>\n<p>Recordings: %s.</p>\n", name,
            result->cycles, result->converged ? "converged" : "not converged, stopped", result->limit, found);
    if (write_data(data, result) && draw(data, picture, result->cycles))
        fprintf(r->file, "<img src=\"%s.limit.svg\" alt=\"CTA limit of %s over time\">\n", name, name);
    fprintf(r->file, "<pre>");
    put_escaped(r->file, result->log ? result->log : "");
    fprintf(r->file, "</pre>\n");
}

/* ---- the policies ------------------------------------------------------------------ */

void run_report_policies(run_report *r, const policies_kernel *kernel, bool drawn)
{
    fprintf(r->file, "<h2>%s: the policies side by side</h2>\n<pre>", kernel->name);
    policies_print_header(r->file);
    policies_print(r->file, kernel);
    fprintf(r->file, "</pre>\n");
    if (drawn)
        fprintf(r->file, "<img src=\"%s.policies.svg\" alt=\"CTA limit of each policy and VF levels over time, %s\">\n",
                kernel->name, kernel->name);
}

/* ---- the models -------------------------------------------------------------------- */

void run_report_models(run_report *r, const oracle *const *all, unsigned num, bool drawn)
{
    fprintf(r->file, "<h2>The analytic models beside the recordings</h2>\n<pre>");
    oracle_print_header(r->file, all[0]);
    for (unsigned i = 0; i < num; i++)
        oracle_print(r->file, all[i]);
    fprintf(r->file, "</pre>\n");
    if (drawn)
        fprintf(r->file, "<img src=\"model.svg\" alt=\"Recorded and predicted IPC over the CTA limit, all kernels\">\n");
}

/* ---- the table ------------------------------------------------------------------- */

static void put_table(const run_report *r)
{
    char path[4200], line[1024];
    FILE *f;

    snprintf(path, sizeof path, "%s/table.txt", r->dir);
    f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        put_escaped(r->file, line);
    if (f)
        fclose(f);
}

void run_report_close(run_report *r, const table *t)
{
    fprintf(r->file, "<h2 id=\"table\">All replays</h2>\n<p%s>%u of %u passed.</p>\n<pre>",
            t->passed == t->rows ? "" : " class=\"fail\"", t->passed, t->rows);
    put_table(r);
    fprintf(r->file, "</pre>\n<p>Family rows write a waveform as they run, which slows them down.</p></body></html>\n");
    fclose(r->file);
    if (rename(r->temporary, r->path) == 0)
        printf("report: %s\n", r->path);
    free(r);
}

void run_report_abort(run_report *r)
{
    fclose(r->file);
    remove(r->temporary);
    free(r);
}
