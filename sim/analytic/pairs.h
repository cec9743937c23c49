/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel pairs of Quintanilla Cruz, MSc thesis 2017, recomputed with the slowdown model: Table 6.3
 * (50 synthetic pairs) and Table 6.5 (7 Rodinia pairs), each row with the thesis' own estimate and the
 * measured slowdown beside ours. `ballast analytic` prints them.
 */
#ifndef BALLAST_PAIRS_H
#define BALLAST_PAIRS_H

#include <stdio.h>

#include "analytic/slowdown.h"

/* Table 6.2 does not list registers. 16 of a thread never limit: an SM of the K40c has 32 registers for
 * each of the threads that it may hold. */
#define PAIRS_SYNTHETIC_REGS 16

/* A row as printed. */
typedef struct pairs_printed {
    const char *name; /* "S1-S2" */
    occupancy_kernel k1, k2;
    double estimate, actual, error; /* x, x, % (absolute) */
} pairs_printed;

enum { PAIRS_MAX = 50 };
typedef struct pairs_table {
    const char *title;
    const pairs_printed *row;
    unsigned num; /* rows, up to PAIRS_MAX */
} pairs_table;
extern const pairs_table pairs_6_3, pairs_6_5;

/* A row as we compute it. */
typedef struct pairs_row {
    slowdown_result ours;
    double error;           /* Eq. 6.1 of ours, %, with its sign    */
    bool estimate_matches;  /* ours is the printed estimate         */
    bool measured_within_3; /* |error| <= 3 %                       */
} pairs_row;

typedef struct pairs_summary {
    unsigned pairs;
    unsigned estimates;    /* printed estimates that we give, to the printed digits      */
    unsigned within_3;     /* pairs whose measured slowdown we give within 3 %           */
    double mean_error;     /* of |error| of Eq. 6.1, %                                   */
    double median_error;   /* %                                                          */
    double worst_error;    /* %                                                          */
    const char *worst;     /* which pair: "S53-S54"                                      */
    double printed_mean;   /* mean of the errors that the thesis prints, %               */
} pairs_summary;

/* False with err if a pair cannot be computed with these options (NULL: the defaults); *row and *summary are
 * not touched then. k1 takes 1 s, as the thesis gives no times: launch_overhead and exec_time_k2 are in units
 * of k1's time here. */
bool pairs_row_compute(const pairs_printed *printed, const slowdown_options *options, pairs_row *row,
                       analytic_err *err);
/* All rows and their summary to `out` (NULL: nothing is printed), as text or CSV, where the summary's lines
 * begin with '#'; the summary also to *summary (NULL: not wanted). */
bool pairs_print(const pairs_table *table, FILE *out, bool csv, const slowdown_options *options,
                 pairs_summary *summary, analytic_err *err);

#endif
