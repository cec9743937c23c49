/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a paper's own example or table disagrees with its formula: what the paper prints, and
 * what each reading of the formula gives. `ballast analytic readings` prints them all.
 */
#ifndef BALLAST_READINGS_H
#define BALLAST_READINGS_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "analytic/switches.h"

enum { READING_VARIANTS = 3, READING_SETTINGS = 2, READING_EXAMPLE = 6, READING_NUMBERS = 2 };

typedef struct reading_variant {
    const char *name;                       /* "literal", "figure", "ceil", ...; NULL: no more     */
    const char *settings[READING_SETTINGS]; /* "EQ1=1": switches over what the papers print        */
    double numbers[READING_NUMBERS];        /* what is no switch                                   */
} reading_variant;

typedef struct reading_input {
    const model_switches *how;
    const double *about, *numbers; /* of the row, of the variant */
} reading_input;

typedef struct reading {
    const char *rule;    /* "MC-19"                                                     */
    const char *option;  /* name of the switch in doc and code: "CASE2_COMP_OR"         */
    const char *example; /* where the paper speaks: "Fig. 8, total in comp periods"     */
    const char *paper;   /* what it prints, as text; "-" if nothing                     */
    double (*value)(const reading_input *ask); /* what the model gives; NaN if it refuses */
    double about[READING_EXAMPLE]; /* of the example, as the function takes it          */
    reading_variant variant[READING_VARIANTS];
    unsigned usual; /* which is the default, if the option is no switch */
} reading;

typedef struct reading_table {
    const reading *row;
    unsigned num;
} reading_table;
extern const reading_table readings_slowdown, readings_mwp_cwp, readings_ipp, readings_throughput;
#define READING_TABLE(rows) {rows, sizeof(rows) / sizeof(rows)[0]}

/* What 'ballast analytic' takes if nobody says otherwise: of the switch, or else of what the row says. */
bool reading_is_default(const reading *r, const reading_variant *variant);
double reading_value(const reading *r, const reading_variant *variant);

/* All of them, and the switches of the command line; false if a model failed. */
bool readings_print(FILE *f, bool csv);

#endif
