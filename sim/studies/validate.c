/* SPDX-License-Identifier: Apache-2.0 */
#include "studies/validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/class_names.h"
#include "plot/curves.h"

/* ---- recordings ------------------------------------------------------------------- */

/* Shares of the cycles in which the SM held a CTA. */
static bool measure_classes(const char *path, unsigned launch, double shares[VALIDATE_CLASSES], unsigned *limit,
                            trace_err *err)
{
    trace_reader *r = trace_open(path, NULL, err);
    stall_classifier_cfg cfg = stall_classifier_cfg_default();
    uint64_t cycles[VALIDATE_CLASSES] = {0}, all = 0;
    const sm_obs *obs;

    if (!r)
        return false;
    err->text[0] = '\0';
    cfg.num_warps = trace_get_meta(r)->geometry.warps;
    *limit = trace_get_meta(r)->launches[launch].limit;
    if (trace_select_sm(r, 0, err) && trace_seek_launch(r, launch, err))
        while ((obs = trace_next(r, err)) && trace_launch_index(r) == launch) {
            const stall_classifier_in in = {obs->ws[0], obs->ws[1], obs->ws[2], obs->ws[3], obs->paused};
            stall_classifier_state none = {0};
            stall_classifier_out out;

            if (!obs->cta_active)
                continue;
            stall_classifier_step(&none, &cfg, &in, &out);
            cycles[out.ps_class]++;
            all++;
        }
    trace_close(r);
    for (unsigned c = 0; c < VALIDATE_CLASSES; c++)
        shares[c] = all ? (double)cycles[c] / (double)all : 0;
    return !err->text[0];
}

bool validate_recorded(validation *v, const char *name, const char *const *paths, unsigned num_paths, unsigned launch,
                       trace_err *err)
{
    sweep s;

    memset(v, 0, sizeof *v);
    snprintf(v->name, sizeof v->name, "%s", name);
    if (!sweep_measure(&s, paths, num_paths, 0, launch, err))
        return false;
    v->nmax = s.nmax;
    v->recorded_best = s.optimum;
    memcpy(v->recorded_ipc, s.ipc, sizeof s.ipc);
    for (unsigned i = 0; i < num_paths; i++) {
        double shares[VALIDATE_CLASSES];
        unsigned limit;

        if (!measure_classes(paths[i], launch, shares, &limit, err))
            return false;
        memcpy(v->recorded[limit], shares, sizeof shares);
    }
    return true;
}

/* ---- simulator -------------------------------------------------------------------- */

void validate_requests(const validation *v, const machine *m, const workload *w, run_request *requests)
{
    for (unsigned n = 1; n <= v->nmax; n++) {
        requests[n - 1] = run_default(m, w);
        requests[n - 1].static_limit = (uint8_t)n;
    }
}

void validate_results(validation *v, const run_result *results)
{
    sweep s = {.nmax = v->nmax};

    for (unsigned n = 1; n <= v->nmax; n++) {
        v->simulated_ipc[n] = s.ipc[n] = results[n - 1].ipc;
        memcpy(v->simulated[n], results[n - 1].classes, sizeof v->simulated[n]);
    }
    v->simulated_best = sweep_optimum(&s);
}

/* ---- differences ------------------------------------------------------------------ */

double validate_ipc_error(const validation *v)
{
    double sum = 0;

    for (unsigned n = 1; n <= v->nmax; n++)
        sum += v->recorded_ipc[n] > 0 ? fabs(v->simulated_ipc[n] / v->recorded_ipc[n] - 1) : 0;
    return 100 * sum / v->nmax;
}

double validate_class_error(const validation *v)
{
    double sum = 0;

    for (unsigned n = 1; n <= v->nmax; n++)
        for (unsigned c = 0; c < VALIDATE_CLASSES; c++)
            sum += fabs(v->simulated[n][c] - v->recorded[n][c]);
    return 100 * sum / v->nmax / VALIDATE_CLASSES;
}

/* ---- output ----------------------------------------------------------------------- */

void validate_print(FILE *f, const validation *v)
{
    fprintf(f, "%s: best limit %u recorded, %u simulated; IPC differs by %.0f %%, shares of cycles by %.1f points (means)\n", v->name,
            v->recorded_best, v->simulated_best, validate_ipc_error(v), validate_class_error(v));
    fprintf(f, "  %5s  %8s %9s", "limit", "IPC", "simulated");
    for (unsigned c = 0; c < VALIDATE_CLASSES; c++)
        fprintf(f, "  %16s", ps_class_names[c]);
    fprintf(f, "\n");
    for (unsigned n = 1; n <= v->nmax; n++) {
        fprintf(f, "  %5u  %8.3f %9.3f", n, v->recorded_ipc[n], v->simulated_ipc[n]);
        for (unsigned c = 0; c < VALIDATE_CLASSES; c++)
            fprintf(f, "    %5.1f%% %5.1f%% ", 100 * v->recorded[n][c], 100 * v->simulated[n][c]);
        fprintf(f, "\n");
    }
}

void validate_csv_header(FILE *f)
{
    fprintf(f, "kernel,limit,recorded_ipc,simulated_ipc");
    for (unsigned c = 0; c < VALIDATE_CLASSES; c++)
        fprintf(f, ",recorded_%s,simulated_%s", ps_class_names[c], ps_class_names[c]);
    fprintf(f, ",recorded_best,simulated_best\n");
}

void validate_csv(FILE *f, const validation *v)
{
    for (unsigned n = 1; n <= v->nmax; n++) {
        fprintf(f, "%s,%u,%.4f,%.4f", v->name, n, v->recorded_ipc[n], v->simulated_ipc[n]);
        for (unsigned c = 0; c < VALIDATE_CLASSES; c++)
            fprintf(f, ",%.4f,%.4f", v->recorded[n][c], v->simulated[n][c]);
        fprintf(f, ",%u,%u\n", v->recorded_best, v->simulated_best);
    }
}

bool validate_draw(const validation *all, unsigned num, const char *path)
{
    static const curves how = {.x = "CTA limit", .y = "IPC of an SM", .num_series = 2, .series = {"recorded", "simulated"}};
    curves_panel *panels = calloc(num ? num : 1, sizeof *panels);
    bool drawn = false;

    for (unsigned i = 0; panels && i < num; i++) {
        snprintf(panels[i].title, sizeof panels[i].title, "%s", all[i].name);
        panels[i].points = all[i].nmax;
        memcpy(panels[i].y[0], all[i].recorded_ipc, sizeof all[i].recorded_ipc);
        memcpy(panels[i].y[1], all[i].simulated_ipc, sizeof all[i].simulated_ipc);
    }
    drawn = panels && curves_draw(&how, panels, num, path);
    free(panels);
    return drawn;
}
