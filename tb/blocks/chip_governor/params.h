/* SPDX-License-Identifier: Apache-2.0
 *
 * The parameters of chip_governor's searches and of its table, for its own port list and that of a block around it.
 */
#ifndef BALLAST_CHIP_GOVERNOR_PARAMS_H
#define BALLAST_CHIP_GOVERNOR_PARAMS_H

/* P(RTL parameter, field of chip_governor_cfg). `at` comes before each field: where the configuration of chip_governor lies in that of
 * the block around it, or nothing. */
#define CHIP_GOVERNOR_SEARCH(P, at)    \
    P(ScoutSlice, at scout.slice)      \
    P(ScoutWindow, at scout.window)    \
    P(ScoutSettle, at scout.settle)    \
    P(ScoutWarmup, at scout.warmup)    \
    P(ScoutMargin, at scout.margin)    \
    P(ScoutBack, at scout.back)        \
    P(ScoutVerify, at scout.verify)    \
    P(ScoutDoubt, at scout.doubt)      \
    P(TableEntries, at table.entries)  \
    P(VfWindow, at levels.window)      \
    P(VfSettle, at levels.settle)      \
    P(VfWarmup, at levels.warmup)      \
    P(VfSmUp, at levels.sm_up)         \
    P(VfMemUp, at levels.mem_up)       \
    P(VfSmDown, at levels.sm_down)     \
    P(VfMemDown, at levels.mem_down)

#endif
