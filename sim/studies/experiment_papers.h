/* SPDX-License-Identifier: Apache-2.0
 *
 * The experiments of the papers, private to sim/studies, and what they share: values
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
#define OF_TYPE(type) (1 << (type))

typedef struct experiment_mean {
    unsigned num; /* kernels                        */
    double geometric, arithmetic, least, most;
} experiment_mean;

experiment_mean mean_over(const experiment *e, int types, experiment_value value, unsigned setting);
/* Time at the baseline over the time of the run, which came to its end; its energy over that of the baseline. */
double speedup_value(const experiment *e, const experiment_study *s, unsigned setting);
double energy_value(const experiment *e, const experiment_study *s, unsigned setting);
/* Speedup at the best static limit; no setting. */
double optimum_value(const experiment *e, const experiment_study *s, unsigned setting);

double limit_value(const experiment *e, const experiment_study *s, unsigned setting);
double mean_limit_value(const experiment *e, const experiment_study *s, unsigned setting);
/* No setting. */
double nmax_value(const experiment *e, const experiment_study *s, unsigned setting);
double found_optimum_value(const experiment *e, const experiment_study *s, unsigned setting);
double published_optimum_value(const experiment *e, const experiment_study *s, unsigned setting);
double grid_value(const experiment *e, const experiment_study *s, unsigned setting); /* CTAs per SM */

/* ---- tables and pictures ---------------------------------------------------------- */

enum shown {
    SHOW_COUNT,   /* 12                                     */
    SHOW_PRINTED, /* 12, "-" if it is 0: not printed        */
    SHOW_TENTHS,  /* 12.3                                   */
    SHOW_SHARE,   /* of 1, in percent: 12.3                 */
    SHOW_WHOLE,   /* of 1, in whole percent                 */
    SHOW_CHANGE   /* a ratio as a change in percent: +12.3  */
};

typedef struct experiment_column {
    const char *heading;
    experiment_value value;
    unsigned setting;
    enum shown shown;
} experiment_column;

/* A new table of the report. */
experiment_grid *report_grid(experiment_report *report, const char *title, const char *headings);
/* One with a row per kernel: name, type, and these columns, which end with heading NULL. The title's %s stands for the machine
 * and its slice. */
void kernel_grid(const experiment *e, experiment_report *report, const char *title, const experiment_column *columns);
/* "what | paper | measured | kernels"; paper "-": it prints no such number. */
experiment_grid *summary_grid(experiment_report *report, const char *title);
void summary_row(experiment_grid *g, const char *what, const char *paper, unsigned kernels, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* What a row shows of the values of its kernels. */
enum summary {
    OF_CHANGES, /* geometric mean, as a change in percent         */
    OF_SHARES,  /* arithmetic mean, in percent                    */
    OF_COUNTS,  /* arithmetic mean                                */
    LEAST_CHANGE, MOST_CHANGE,
    MOST_TIMES  /* the largest ratio                              */
};

/* A row of a summary: kernels of these types under this setting. */
typedef struct experiment_row {
    const char *what, *paper;
    int types;
    unsigned setting;
    experiment_value value;
    enum summary summary;
} experiment_row;

void summary_rows(const experiment *e, experiment_grid *g, const experiment_row *rows, unsigned num);
#define SUMMARY_ROWS(e, g, rows) summary_rows(e, g, rows, sizeof(rows) / sizeof(rows)[0])
/* A ratio as a change in percent: 1.07 is +7.0 %. */
double percent(double ratio);

/* One panel of bars, a group of them per kernel. */
typedef struct experiment_bars {
    const char *title, *ylabel;
    const char *names; /* of the bars, with '|' between them */
    double line;       /* a horizontal line; below 0: none   */
    double (*value)(const experiment *e, const experiment_study *s, unsigned bar);
} experiment_bars;

void draw_bars(const experiment *e, FILE *plot, const experiment_bars *bars);

#endif
