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

/* One row: what is printed, what was measured, what we compute. */
typedef struct pairs_row {
    const char *name;             /* "S1-S2"                              */
    double printed_estimate;      /* x                                    */
    double measured;              /* x                                    */
    double printed_error;         /* %, absolute                          */
    slowdown_result ours;
    double error;                 /* Eq. 6.1 of ours, %, with its sign    */
    bool estimate_matches;        /* ours is the printed estimate         */
    bool measured_within_3;       /* |error| <= 3 %                       */
} pairs_row;

enum { PAIRS_TABLE_6_3 = 50, PAIRS_TABLE_6_5 = 7 };

/* Prints the table and its summary to `out` (NULL: nothing is printed), as text or CSV; the summary
 * goes to *summary as well (NULL: not wanted). False with err if a pair cannot be computed with these
 * options; the summary is not touched then. NULL options are the defaults. In CSV the summary lines
 * begin with '#'. k1 takes 1 s, as the thesis gives no times: launch_overhead and exec_time_k2 are in
 * units of k1's time here. */
bool pairs_table_6_3(FILE *out, bool csv, const slowdown_options *options, pairs_summary *summary,
                     analytic_err *err);
bool pairs_table_6_5(FILE *out, bool csv, const slowdown_options *options, pairs_summary *summary,
                     analytic_err *err);

/* One row, 0 to PAIRS_TABLE_... - 1. */
bool pairs_row_6_3(unsigned index, const slowdown_options *options, pairs_row *row, analytic_err *err);
bool pairs_row_6_5(unsigned index, const slowdown_options *options, pairs_row *row, analytic_err *err);

#endif
