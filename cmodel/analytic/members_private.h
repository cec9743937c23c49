/* SPDX-License-Identifier: Apache-2.0
 *
 * For the models' own files: the checks of check.h for a member of *s, by its name, with `err` for the text.
 */
#ifndef BALLAST_ANALYTIC_MEMBERS_H
#define BALLAST_ANALYTIC_MEMBERS_H

#include "analytic/check.h"

#define POSITIVE(s, member) analytic_positive((s)->member, #member, err)
#define NOT_NEGATIVE(s, member) analytic_not_negative((s)->member, #member, err)
#define AT_LEAST_1(s, member) analytic_at_least_1((s)->member, #member, err)
#define WITHIN(s, member, least, most) analytic_within((s)->member, least, most, #member, err)
#define FINITE(s, member) analytic_finite((s)->member, #member, err)

#endif
