/* SPDX-License-Identifier: Apache-2.0
 *
 * The pictures of a run for a paper or a slide: each is drawn anew for its size. doc/use/figure.md
 */
#ifndef BALLAST_FIGURE_H
#define BALLAST_FIGURE_H

#include "plot/chart.h"
#include "report/data.h"

enum { FIGURE_NAME = 2 * DATA_TEXT };

/* What a picture shows: of a run, or of each of its kernels. */
typedef struct figure_kind {
    const char *name, *words;
    bool by_kernel;
    /* Whether there is something to draw; it, for k if it is by kernel. */
    bool (*there)(const report_data *d, const data_kernel *k);
    void (*draw)(FILE *f, const chart_size *size, const report_data *d, const data_kernel *k);
} figure_kind;

/* NULL name ends them. */
extern const figure_kind figure_kinds[];

typedef struct figure {
    const figure_kind *kind;
    const data_kernel *kernel; /* NULL: of the run */
} figure;

/* "costs", "limits-chase". */
void figure_name(const figure *f, char name[FIGURE_NAME]);
/* Picture `index` of the run, in their order; false: there are no more. */
bool figure_at(const report_data *d, unsigned index, figure *f);

/* The single ones. */
void figure_costs(FILE *f, const chart_size *size, const report_data *d, const data_kernel *k);
void figure_limits(FILE *f, const chart_size *size, const report_data *d, const data_kernel *k);
void figure_regret(FILE *f, const chart_size *size, const report_data *d, const data_kernel *k);
void figure_stalls(FILE *f, const chart_size *size, const report_data *d, const data_kernel *k);
void figure_model(FILE *f, const chart_size *size, const report_data *d, const data_kernel *k);

#endif
