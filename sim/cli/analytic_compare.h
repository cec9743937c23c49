/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast analytic compare: every kernel of a manifest, predicted and recorded, with the limits that
 * policies chose in an earlier 'ballast run'.
 */
#ifndef BALLAST_MODEL_COMPARE_H
#define BALLAST_MODEL_COMPARE_H

#include "analytic/oracle.h"

typedef struct model_compare {
    const char *manifest;
    const char *policies; /* a policies.csv, or NULL */
    oracle_source source;
    bool csv;
    const char *plot;     /* an SVG file, or NULL */
} model_compare;

/* Prints to stdout; an exit status. */
int model_compare_run(const model_compare *compare);

#endif
