/* SPDX-License-Identifier: Apache-2.0
 *
 * The experiments of the papers, private to sim/gpu/experiment*.c, and what they share: values
 * of one kernel, means over kernels, rows "paper next to measured", bars.
 */
#ifndef BALLAST_EXPERIMENT_PAPERS_H
#define BALLAST_EXPERIMENT_PAPERS_H

#include "studies/experiment.h"

extern const experiment_paper perfsat_on_fermi, perfsat_on_kepler, lcs_paper, equalizer_paper, dyncta_on_fermi,
    dyncta_on_lcs;

/* ---- one kernel ------------------------------------------------------------------- */

const run_result *result_at(const experiment *e, const experiment_study *s, unsigned setting);
/* At Nmax: the baseline of all papers. */
const run_result *baseline_of(const experiment *e, const experiment_study *s);
/* Time at the baseline over the time of r, which ran to its end. */
double speedup_of(const experiment *e, const experiment_study *s, const run_result *r);
/* Energy of r over that of the baseline. */
double energy_ratio(const experiment *e, const experiment_study *s, const run_result *r);
/* CTA limit at the end, mean over SMs. */
double limit_of(const experiment *e, const run_result *r);
/* Share of the SMs whose policy has decided, and for `limit`. */
double decided_share(const experiment *e, const run_result *r);
double hit_share(const experiment *e, const run_result *r, unsigned limit);
const char *type_of(const experiment_study *s);

/* ---- all kernels ------------------------------------------------------------------ */

typedef double (*experiment_value)(const experiment *e, const experiment_study *s, unsigned setting);

/* Which kernels a mean takes: a mask of 1 << enum published_type, or all of them. */
enum { OF_ALL = ~0 };
static inline int of_type(enum published_type type)
{
    return 1 << type;
}

typedef struct experiment_mean {
    unsigned num; /* kernels                        */
    double geometric, arithmetic, least, most;
} experiment_mean;

experiment_mean mean_over(const experiment *e, int types, experiment_value value, unsigned setting);
double speedup_value(const experiment *e, const experiment_study *s, unsigned setting);
double energy_value(const experiment *e, const experiment_study *s, unsigned setting);
/* Speedup at the best static limit; no setting. */
double optimum_value(const experiment *e, const experiment_study *s, unsigned setting);

/* ---- tables and pictures ---------------------------------------------------------- */

/* A new table of the report. */
experiment_grid *report_grid(experiment_report *report, const char *title, const char *headings);
/* "what | paper | measured | kernels"; paper "-": it prints no such number. */
experiment_grid *summary_grid(experiment_report *report, const char *title);
void summary_row(experiment_grid *g, const char *what, const char *paper, unsigned kernels, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* A ratio as a change in percent: 1.07 is +7.0 %. */
double percent(double ratio);
void summary_percent(experiment_grid *g, const char *what, const char *paper, const experiment_mean *mean);

/* One panel of bars, a group of them per kernel. */
typedef struct experiment_bars {
    const char *title, *ylabel;
    const char *names; /* of the bars, with '|' between them */
    double line;       /* a horizontal line; below 0: none   */
    double (*value)(const experiment *e, const experiment_study *s, unsigned bar);
} experiment_bars;

void draw_bars(const experiment *e, FILE *plot, const experiment_bars *bars);

#endif
