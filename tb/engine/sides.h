/* SPDX-License-Identifier: Apache-2.0
 *
 * For test tables: the same test function on the model and on the RTL.
 */
#ifndef BALLAST_SIDES_H
#define BALLAST_SIDES_H

#include "engine/dut.h"

static const enum lockstep_side side_model = SIDE_MODEL, side_rtl = SIDE_RTL;

#define BOTH_SIDES(name, function)                                                      \
    {name " [model]", function, NULL, NULL, (void *)(uintptr_t)&side_model},            \
    {name " [rtl]", function, NULL, NULL, (void *)(uintptr_t)&side_rtl}

static inline enum lockstep_side side_of(void **test)
{
    return *(const enum lockstep_side *)*test;
}

#endif
