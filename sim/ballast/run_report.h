/* SPDX-License-Identifier: Apache-2.0
 *
 * OUT/report.html: the verdict table, and for each family the limit over time (drawn by
 * gnuplot) with the decisions in words.
 */
#ifndef BALLAST_RUN_REPORT_H
#define BALLAST_RUN_REPORT_H

#include "ballast/policies.h"
#include "ballast/table.h"

typedef struct run_report run_report;

run_report *run_report_open(const char *out_dir);
/* `found`: what an exhaustive search over the recordings finds, in words. */
void run_report_family(run_report *r, const char *name, const session_result *result, const char *found);
/* The policies side by side; drawn: there is a picture DIR/<kernel>.policies.svg. */
void run_report_policies(run_report *r, const policies_kernel *kernel, bool drawn);
/* The analytic models beside the recordings; drawn: there is a picture DIR/model.svg. */
void run_report_models(run_report *r, const oracle *const *all, unsigned num, bool drawn);
void run_report_close(run_report *r, const table *t);
void run_report_abort(run_report *r); /* leaves no report */

#endif
