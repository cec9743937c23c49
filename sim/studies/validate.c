/* SPDX-License-Identifier: Apache-2.0 */
#include "studies/validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/class_names.h"
#include "plot/curves.h"

/* ---- recordings ------------------------------------------------------------------- */

/* Shares of the cycles in which the SM held a CTA. */
static void fill_classes(double shares[VALIDATE_CLASSES], const uint64_t held[BREAKDOWN_PARTS])
{
    const uint64_t classes[VALIDATE_CLASSES] = {
        [BALLAST_PS_ACTIVE] = held[BREAKDOWN_ACTIVE],
        [BALLAST_PS_PIPELINE] = held[BREAKDOWN_PIPELINE_ALU] + held[BREAKDOWN_PIPELINE_MEM],
        [BALLAST_PS_SCOREBOARD] = held[BREAKDOWN_SCOREBOARD_ALU] + held[BREAKDOWN_SCOREBOARD_MEM],
        [BALLAST_PS_IDLE] = held[BREAKDOWN_IDLE],
    };
    uint64_t all = 0;

    for (unsigned c = 0; c < VALIDATE_CLASSES; c++)
        all += classes[c];
    for (unsigned c = 0; c < VALIDATE_CLASSES; c++)
        shares[c] = all ? (double)classes[c] / (double)all : 0;
}

bool validate_recorded(validation *v, const char *name, const char *const *paths, unsigned num_paths, unsigned launch,
                       trace_err *err)
{
    breakdown b;
    sweep s;

    memset(v, 0, sizeof *v);
    snprintf(v->name, sizeof v->name, "%s", name);
    if (!breakdown_measure(&b, paths, num_paths, 0, launch, err))
        return false;
    s = sweep_of(&b);
    v->nmax = s.nmax;
    v->recorded_best = s.optimum;
    memcpy(v->recorded_ipc, s.ipc, sizeof s.ipc);
    for (unsigned limit = 1; limit <= s.nmax; limit++)
        fill_classes(v->recorded[limit], b.at[limit].held);
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

/* Mean of |simulated - recorded| over the limits: IPC in percent of the recorded, and shares in
 * percent of all cycles. */
static double ipc_error(const validation *v)
{
    double sum = 0;

    for (unsigned n = 1; n <= v->nmax; n++)
        sum += v->recorded_ipc[n] > 0 ? fabs(v->simulated_ipc[n] / v->recorded_ipc[n] - 1) : 0;
    return 100 * sum / v->nmax;
}

static double class_error(const validation *v)
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
            v->recorded_best, v->simulated_best, ipc_error(v), class_error(v));
    fprintf(f, "  %5s  %8s %9s", "limit", "IPC", "simulated");
    for (unsigned c = 0; c < VALIDATE_CLASSES; c++)
        fprintf(f, "  %16s", ballast_ps_class_names[c]);
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
        fprintf(f, ",recorded_%s,simulated_%s", ballast_ps_class_names[c], ballast_ps_class_names[c]);
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
