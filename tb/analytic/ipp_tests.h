/* SPDX-License-Identifier: Apache-2.0
 *
 * Assertions for the tests of the ipp models.
 */
#ifndef BALLAST_IPP_TESTS_H
#define BALLAST_IPP_TESTS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "analytic/ipp_params.h"

/* A figure printed with so many digits: `tolerance` is half of the last one. */
static inline void near_at(double value, double expected, double tolerance, const char *file, int line)
{
    if (!(fabs(value - expected) <= tolerance)) {
        print_error("%s:%d: %.12g is not %.12g +- %g\n", file, line, value, expected, tolerance);
        fail();
    }
}
#define assert_near(value, expected, tolerance) near_at(value, expected, tolerance, __FILE__, __LINE__)
/* The same up to rounding errors. */
static inline void same_at(double value, double expected, const char *file, int line)
{
    near_at(value, expected, 1e-11 * (1 + fabs(expected)), file, line);
}
#define assert_same(value, expected) same_at(value, expected, __FILE__, __LINE__)

/* `call` says no, and names `what`. */
#define assert_refused(call, err, what)                                  \
    do {                                                                 \
        (err).text[0] = 0;                                               \
        assert_false(call);                                              \
        if (strstr((err).text, what) == NULL) {                          \
            print_error("\"%s\" does not say %s\n", (err).text, what);   \
            fail();                                                      \
        }                                                                \
    } while (0)

static inline ipp_params copy_of(const char *name)
{
    const ipp_params *params = ipp_params_find(name);

    assert_non_null(params);
    return *params;
}

/* What is no number greater than 0, and of it what is no number of 0 or more. */
static const double not_positive[] = {0, -1, NAN, INFINITY, -INFINITY};
static const double negative[] = {-1, NAN, INFINITY, -INFINITY};
#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

#endif
