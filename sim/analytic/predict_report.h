/* SPDX-License-Identifier: Apache-2.0
 *
 * A prediction as text, as CSV and as a picture.
 */
#ifndef BALLAST_PREDICT_REPORT_H
#define BALLAST_PREDICT_REPORT_H

#include <stdio.h>

#include "analytic/predict.h"

void predict_report_text(FILE *f, const analytic_gpu *gpu, const analytic_kernel *kernel, const analytic_prediction *p);
/* One line per CTA limit. */
void predict_report_csv_header(FILE *f);
void predict_report_csv(FILE *f, const analytic_gpu *gpu, const analytic_kernel *kernel, const analytic_prediction *p);
/* IPC and power over the CTA limit, work per joule over the number of SMs. False without gnuplot. */
bool predict_report_draw(const analytic_gpu *gpu, const analytic_kernel *kernel, const analytic_prediction *p,
                         const analytic_predict_options *options, const char *path);

#endif
