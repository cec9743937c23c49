/* SPDX-License-Identifier: Apache-2.0
 *
 * Where and when the CTAs of a simulated run were launched, and when they finished: a tap of the closed loop that writes CSV, a line per
 * CTA in the order of the launches. doc/use/simulator.md has the columns.
 */
#ifndef BALLAST_CTA_LOG_H
#define BALLAST_CTA_LOG_H

#include "gpu/closed_loop.h"

typedef struct cta_log cta_log;

/* NULL without memory. The simulator must outlive the log. */
cta_log *cta_log_open(const chip_sim *sim);
loop_tap cta_log_tap(cta_log *log);
/* Writes the list, unless `to` is NULL, and frees the log, also NULL. The file's own errors are the caller's to find. */
void cta_log_close(cta_log *log, FILE *to);

#endif
