/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a paper's own example or table disagrees with its formula: what the paper prints, and
 * what each reading of the formula gives. `ballast analytic readings` prints them all.
 */
#ifndef BALLAST_READINGS_H
#define BALLAST_READINGS_H

#include <stdbool.h>
#include <stdio.h>

enum { READINGS_MAX = 32, READING_VARIANTS = 4 };

typedef struct reading {
    const char *rule;    /* "MC-19"                                                     */
    const char *option;  /* name of the switch in doc and code: "CASE2_COMP_OR"         */
    const char *example; /* where the paper speaks: "Fig. 8, total in comp periods"     */
    const char *paper;   /* what it prints, as text; "-" if nothing                     */
    unsigned num;        /* readings                                                    */
    struct {
        const char *name; /* "literal", "figure", "ceil", ...                           */
        double value;     /* computed by the model, never written down                  */
        bool is_default;
    } variant[READING_VARIANTS];
} reading;

/* One more variant of the row. */
void reading_variant(reading *row, const char *name, double value, bool is_default);

/* Each fills `out` (READINGS_MAX places) and returns how many it wrote; 0 if a model failed. */
unsigned readings_slowdown(reading *out);
unsigned readings_mwp_cwp(reading *out);
unsigned readings_ipp(reading *out);
unsigned readings_throughput(reading *out);

/* All of them, and the switches of the command line; false if a model failed. */
bool readings_print(FILE *f, bool csv);

#endif
