/* SPDX-License-Identifier: Apache-2.0
 *
 * What stands in JSON: run.json, and the proofs of formal/status.json.
 */
#ifndef BALLAST_DIFF_JSON_RESULTS_H
#define BALLAST_DIFF_JSON_RESULTS_H

#include <cjson/cJSON.h>

#include "diff/result_table.h"

/* An object; NULL with one line. */
cJSON *json_read(const char *path, const char *remedy, trace_err *err);
/* The text of a string in it, "" if there is none. */
const char *json_text(const cJSON *object, const char *key);

/* All values of two objects but `left_out`, which NULL ends. */
void json_compare(const cJSON *before, const cJSON *after, diff_kind kind, const char *file, const char *const *left_out, changes *c);

extern const result_form json_proofs;
/* The rows of formal/status.json as a table of that form. False with one line. */
bool json_read_proofs(result_table *t, const cJSON *status, const char *path, trace_err *err);

#endif
