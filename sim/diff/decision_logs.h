/* SPDX-License-Identifier: Apache-2.0
 *
 * The decision logs of two runs: DIR/NAME.model.jsonl (doc/use/decision_log.md).
 */
#ifndef BALLAST_DIFF_DECISION_LOGS_H
#define BALLAST_DIFF_DECISION_LOGS_H

#include "diff/changes.h"
#include "recording/trace.h"

/* Of each log how many decisions it has, if that has changed, and the first decision that is another. False with one line if a log is
 * damaged, or a folder cannot be read. */
bool decision_logs_compare(const char *before, const char *after, changes *c, trace_err *err);

#endif
