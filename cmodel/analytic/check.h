/* SPDX-License-Identifier: Apache-2.0
 *
 * What all analytic models share: an input that cannot be is refused with one line that names
 * it, and a result is a number. No model ever returns NaN or an infinity.
 *
 *     analytic_err err;
 *     if (!occupancy_compute(&gpu, &kernel, &result, &err))
 *         puts(err.text);   // "threads_per_block is 0; give 1 or more"
 *
 * The models of this folder compute in double precision. They keep no globals and take no heap.
 */
#ifndef BALLAST_ANALYTIC_CHECK_H
#define BALLAST_ANALYTIC_CHECK_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ANALYTIC_ERR_TEXT = 240 };

typedef struct analytic_err {
    char text[ANALYTIC_ERR_TEXT]; /* one line without newline: what, which value, what to do */
} analytic_err;

/* Writes the text; always false, so that a check can say `return analytic_fail(...)`. */
bool analytic_fail(analytic_err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Each is true if `value` will do; otherwise err says "<name> is <value>; give ...". */
bool analytic_positive(double value, const char *name, analytic_err *err);     /* finite, > 0  */
bool analytic_not_negative(double value, const char *name, analytic_err *err); /* finite, >= 0 */
bool analytic_within(double value, double least, double most, const char *name, analytic_err *err);
bool analytic_at_least_1(double value, const char *name, analytic_err *err);   /* finite, >= 1 */
/* A result: finite, or err says that the inputs are too large for a double. */
bool analytic_finite(double value, const char *name, analytic_err *err);

#ifdef __cplusplus
}
#endif
#endif
