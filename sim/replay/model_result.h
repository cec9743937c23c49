/* SPDX-License-Identifier: Apache-2.0
 *
 * The result of a replay in which only a model, or a policy of one's own, decides: nothing is compared, and limit and end are followed.
 */
#ifndef BALLAST_MODEL_RESULT_H
#define BALLAST_MODEL_RESULT_H

#include "replay/session.h"

/* Begins empty, with tracks of limit_o and done_o. False: no memory, which it says. */
bool model_result_open(session_result *result);
/* Why there is no PASS; false. */
__attribute__((format(printf, 3, 4))) bool model_result_refuse(session_result *result, enum session_verdict verdict, const char *format, ...);
/* What is decided after result->cycles. */
void model_result_follow(session_result *result, unsigned limit, bool done);

#endif
