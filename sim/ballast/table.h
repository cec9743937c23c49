/* SPDX-License-Identifier: Apache-2.0
 *
 * The verdict table: one line per replay.
 */
#ifndef BALLAST_TABLE_H
#define BALLAST_TABLE_H

#include "session/session.h"

void table_header(FILE *out);
void table_row(FILE *out, const char *recording, const char *mode, const session_options *options,
               const session_result *result);
const char *verdict_name(enum session_verdict verdict);

#endif
