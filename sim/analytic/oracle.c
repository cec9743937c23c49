/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/kernel_file.h"
#include "plot/curves.h"

enum oracle_status oracle_predict(oracle *o, const oracle_source *source, const char *name, char *err)
{
    char path[4400], text[KERNEL_FILE_ERR];
    analytic_kernel kernel;
    analytic_err why;

    memset(o, 0, sizeof *o);
    snprintf(o->name, sizeof o->name, "%s", name);
    snprintf(path, sizeof path, "%s/%s.kernel", source->kernels, name);
    if (access(path, F_OK) != 0)
        return ORACLE_NO_PROFILE;
    if (!kernel_file_analytic(&kernel, path, text)) {
        snprintf(err, ORACLE_ERR, "%s", text);
        return ORACLE_BAD;
    }
    if (!analytic_predict(source->gpu, &kernel, &source->options, &o->prediction, &why)) {
        snprintf(err, ORACLE_ERR, "%s on %s: %s", path, source->gpu->name, why.text);
        return ORACLE_BAD;
    }
    return ORACLE_FINE;
}

static unsigned last_limit(const oracle *o)
{
    return o->measured.nmax < o->prediction.nmax ? o->measured.nmax : o->prediction.nmax;
}

double oracle_error(const oracle *o)
{
    double sum = 0;
    unsigned limits = 0;

    for (unsigned n = 1; n <= last_limit(o); n++)
        if (o->measured.ipc[n] > 0) {
            sum += fabs(o->prediction.point[n].ipc / o->measured.ipc[n] - 1);
            limits++;
        }
    return limits ? 100 * sum / limits : 0;
}

static const char *how_measured(const oracle *o)
{
    return o->simulated ? "simulated" : "recorded";
}

/* ---- text ------------------------------------------------------------------------- */

void oracle_print_header(FILE *f, const oracle *o)
{
    fprintf(f, "%-16s %4s  %-9s  %-9s %6s  %-8s", "kernel", "Nmax", how_measured(o), "model", "error", "category");
    for (unsigned c = 0; c < o->num_choices; c++)
        fprintf(f, "  %-9s", o->chooser[c]);
    fprintf(f, "\n");
}

static void cell(char *text, size_t size, const oracle *o, unsigned limit)
{
    if (limit)
        snprintf(text, size, "%u %4.0f%%", limit, sweep_speed(&o->measured, limit));
    else
        snprintf(text, size, "-");
}

void oracle_print(FILE *f, const oracle *o)
{
    char text[32];

    cell(text, sizeof text, o, o->prediction.best_limit);
    fprintf(f, "%-16s %4u  %-9u  %-9s %5.0f%%  ", o->name, o->measured.nmax, o->measured.optimum, text, oracle_error(o));
    if (o->prediction.has_category)
        fprintf(f, "%-8u", o->prediction.throughput.category);
    else
        fprintf(f, "%-8s", "-");
    for (unsigned c = 0; c < o->num_choices; c++) {
        cell(text, sizeof text, o, o->choice[c]);
        fprintf(f, "  %-9s", text);
    }
    fprintf(f, "\n");
}

/* ---- CSV -------------------------------------------------------------------------- */

void oracle_csv_header(FILE *f, const oracle *o)
{
    fprintf(f, "kernel,limit,%s_ipc,model_ipc,model_cycles,model_watts,model_joules,case,best_%s,best_model,category",
            how_measured(o), how_measured(o));
    for (unsigned c = 0; c < o->num_choices; c++)
        fprintf(f, ",%s", o->chooser[c]);
    fprintf(f, "\n");
}

void oracle_csv(FILE *f, const oracle *o)
{
    for (unsigned n = 1; n <= last_limit(o); n++) {
        const analytic_prediction_point *p = &o->prediction.point[n];

        fprintf(f, "%s,%u,%.4f,%.4f,%.0f,", o->name, n, o->measured.ipc[n], p->ipc, p->cycles);
        if (p->power.gpu_power > 0)
            fprintf(f, "%.2f,%.6g", p->power.gpu_power, p->energy);
        else
            fprintf(f, ","); /* not known */
        fprintf(f, ",%d,%u,%u,", (int)p->time.case_number, o->measured.optimum, o->prediction.best_limit);
        if (o->prediction.has_category)
            fprintf(f, "%u", o->prediction.throughput.category);
        for (unsigned c = 0; c < o->num_choices; c++)
            fprintf(f, ",%u", o->choice[c]);
        fprintf(f, "\n");
    }
}

/* ---- picture ---------------------------------------------------------------------- */

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
