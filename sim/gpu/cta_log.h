/* SPDX-License-Identifier: Apache-2.0
 *
 * Where and when the CTAs of a simulated run were launched, and when they finished: a tap of the closed loop that writes a CSV file, a line
 * per CTA in the order of the launches. doc/use/simulator.md has the columns.
 */
#ifndef BALLAST_CTA_LOG_H
#define BALLAST_CTA_LOG_H

#include "gpu/closed_loop.h"

typedef struct cta_log cta_log;

/* NULL with one line in err (LOOP_ERR bytes): no such file can be made, or no memory. The simulator must outlive the log. */
cta_log *cta_log_open(const char *path, const chip_sim *sim, char *err);
loop_tap cta_log_tap(cta_log *log);
/* Writes the file if `keep`; frees the log, also NULL. False with one line in err if it cannot be written: there is then no file. */
bool cta_log_close(cta_log *log, bool keep, char *err);

#endif
