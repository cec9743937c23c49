/* SPDX-License-Identifier: Apache-2.0
 *
 * What a simulated run measured, in words or as a line of CSV.
 */
#ifndef BALLAST_SIM_REPORT_H
#define BALLAST_SIM_REPORT_H

#include <stdio.h>

#include "gpu/run.h"

void sim_report_print(FILE *f, const run_request *request, const run_result *result, const char *side);
void sim_report_csv_header(FILE *f);
void sim_report_csv(FILE *f, const run_request *request, const run_result *result, const char *side);
/* The same kernel at the limits 1..num: a line each, and the optimum of PS-E4 if all
 * runs have come to their end. */
void sim_report_family(FILE *f, const run_request *request, const run_result *const *results, unsigned num);

#endif
