/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

bool analytic_fail(analytic_err *err, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    return false;
}

bool analytic_positive(double value, const char *name, analytic_err *err)
{
    if (isfinite(value) && value > 0)
        return true;
    return analytic_fail(err, "%s is %g; give a number greater than 0", name, value);
}

bool analytic_not_negative(double value, const char *name, analytic_err *err)
{
    if (isfinite(value) && value >= 0)
        return true;
    return analytic_fail(err, "%s is %g; give 0 or more", name, value);
}

bool analytic_at_least_1(double value, const char *name, analytic_err *err)
{
    if (isfinite(value) && value >= 1)
        return true;
    return analytic_fail(err, "%s is %g; give 1 or more", name, value);
}

bool analytic_within(double value, double least, double most, const char *name, analytic_err *err)
{
    if (isfinite(value) && value >= least && value <= most)
        return true;
    return analytic_fail(err, "%s is %g; give %g to %g", name, value, least, most);
}

bool analytic_finite(double value, const char *name, analytic_err *err)
{
    if (isfinite(value))
        return true;
    return analytic_fail(err, "%s has no finite value; some input is too large or too small", name);
}
