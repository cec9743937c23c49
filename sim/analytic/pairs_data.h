/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels and measurements of Tables 6.2 to 6.5 of Quintanilla Cruz, MSc thesis 2017, as printed;
 * private to sim/analytic.
 */
#ifndef BALLAST_PAIRS_DATA_H
#define BALLAST_PAIRS_DATA_H

#include "analytic/pairs.h"

/* Table 6.2 does not list registers. 16 of a thread never limit: an SM of the K40c has 32 registers for
 * each of the threads that it may hold. */
#define PAIRS_SYNTHETIC_REGS 16

enum { PAIRS_SYNTHETIC = 2 * PAIRS_TABLE_6_3, PAIRS_RODINIA = PAIRS_TABLE_6_5 + 1 };

typedef struct pairs_app {
    const char *app;    /* "kNN"    */
    const char *kernel; /* "euclid" */
    occupancy_kernel config;
} pairs_app;

typedef struct pairs_printed {
    const char *name;             /* "S1-S2"       */
    double estimate, actual, error; /* x, x, %      */
} pairs_printed;

extern const occupancy_kernel pairs_synthetic[PAIRS_SYNTHETIC];
extern const pairs_app pairs_rodinia[PAIRS_RODINIA];
extern const pairs_printed pairs_printed_6_3[PAIRS_TABLE_6_3];
extern const pairs_printed pairs_printed_6_5[PAIRS_TABLE_6_5];

#endif
