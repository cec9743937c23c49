/* SPDX-License-Identifier: Apache-2.0
 *
 * The experiments of the papers, private to sim/studies, and what they share: values
 * of one kernel, means over kernels, rows "paper next to measured", bars.
 */
#ifndef BALLAST_EXPERIMENT_PAPERS_H
#define BALLAST_EXPERIMENT_PAPERS_H

#include "studies/experiment.h"

extern const experiment_paper perfsat_on_fermi, perfsat_on_kepler, lcs_paper, bcs_paper, equalizer_paper,
    dyncta_on_fermi, dyncta_on_lcs, mcke_mixes, leftover_pairs, leftover_rodinia;

/* A run of this kernel with no limit and nominal clocks. */
run_request experiment_request(const experiment *e, const experiment_study *s);
/* False with err if the run went wrong, or had to come to its end and did not. */
bool experiment_run_fine(const char *name, const run_result *r, bool to_end, const char *what, char *err, unsigned size);

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

/* A value of one kernel under one setting. */
typedef double experiment_value(const experiment *e, const experiment_study *s, unsigned setting);
/* Defines one by an expression in e, s and setting. */
#define EXPERIMENT_VALUE(name, ...)                                               \
    double name(const experiment *e, const experiment_study *s, unsigned setting) \
    {                                                                             \
        (void)e;                                                                  \
        (void)setting;                                                            \
        return __VA_ARGS__;                                                       \
    }

/* Time at the baseline over the time of the run, which came to its end; its energy over that of the baseline. */
experiment_value speedup_value, energy_value;
experiment_value limit_value, mean_limit_value;
/* These have no setting: speedup at the best static limit; CTAs per SM; what the names say. */
experiment_value optimum_value, grid_value, nmax_value, found_optimum_value, published_optimum_value;

/* ---- all kernels ------------------------------------------------------------------ */

/* Which kernels a mean takes: a mask of 1 << enum published_type and of these, or all of them. */
enum { OF_1D = 1 << 24, OF_2D = 1 << 25, OF_ALL = ~0 };
#define OF_TYPE(type) (1 << (type))

typedef struct experiment_mean {
    unsigned num; /* kernels                        */
    double geometric, arithmetic, least, most;
    const char *least_of, *most_of; /* which kernel's they are; "" without kernels */
} experiment_mean;

experiment_mean mean_over(const experiment *e, int types, experiment_value *value, unsigned setting);
/* A ratio as a change in percent: 1.07 is +7.0 %. */
double percent(double ratio);

/* ---- tables ----------------------------------------------------------------------- */

enum shown {
    SHOW_COUNT,   /* 12                                     */
    SHOW_PRINTED, /* 12, "-" if it is 0: not printed        */
    SHOW_TENTHS,  /* 12.3                                   */
    SHOW_SHARE,   /* of 1, in percent: 12.3                 */
    SHOW_WHOLE,   /* of 1, in whole percent                 */
    SHOW_CHANGE   /* a ratio as a change in percent: +12.3  */
};

/* A column of a table with a row per kernel, behind its name and type. */
typedef struct experiment_column {
    const char *heading;
    experiment_value *value;
    unsigned setting;
    enum shown shown;
} experiment_column;

/* What a row shows of the values of its kernels. */
enum summary {
    OF_CHANGES, /* geometric mean, as a change in percent         */
    OF_SHARES,  /* arithmetic mean, in percent                    */
    OF_COUNTS,  /* arithmetic mean                                */
    LEAST_CHANGE, MOST_CHANGE,
    MOST_TIMES  /* the largest ratio                              */
};

/* A row "what | paper | measured | kernels": kernels of these types under this setting; paper "-": it prints no such number. */
typedef struct experiment_row {
    const char *what, *paper;
    int types;
    unsigned setting;
    experiment_value *value;
    enum summary summary;
} experiment_row;

/* A row of one kernel's change; left out if it is not there. */
typedef struct experiment_named_row {
    const char *what, *paper, *kernel;
    unsigned setting;
    experiment_value *value;
} experiment_named_row;

/* Columns of kernels or rows of a summary: either ends with a NULL name. A %s in the title stands for the machine, in a
 * table of kernels for the machine and its slice. */
typedef struct experiment_table {
    const char *title;
    const experiment_column *columns;
    const experiment_row *rows;
} experiment_table;

/* The paper's tables. */
void report_tables(const experiment *e, experiment_report *report);
/* A new table of the report; one of rows "what | paper | measured | kernels", and such a row. */
experiment_grid *report_grid(experiment_report *report, const char *title, const char *headings);
experiment_grid *summary_grid(experiment_report *report, const char *title);
/* Adds such rows; they end with what NULL. */
void named_rows(const experiment *e, experiment_grid *g, const experiment_named_row *rows);
void summary_row(experiment_grid *g, const experiment_row *row, unsigned kernels, const char *measured);

/* ---- pictures --------------------------------------------------------------------- */

typedef struct experiment_bar {
    const char *name;
    experiment_value *value;
    unsigned setting;
} experiment_bar;

enum { BARS = 6 };

/* One panel of bars, a group of them per kernel. */
typedef struct experiment_panel {
    const char *title, *ylabel; /* a %s in the title stands for the machine */
    double line;                /* a horizontal line; below 0: none          */
    experiment_bar bars[BARS];  /* fewer end with name NULL                  */
} experiment_panel;

unsigned count_panels(const experiment_paper *paper);
void draw_panels(const experiment *e, FILE *plot);

#endif
