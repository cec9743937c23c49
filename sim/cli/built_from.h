/* SPDX-License-Identifier: Apache-2.0
 *
 * What this command was built from: made with each build (sim/report/built_from.py).
 */
#ifndef BALLAST_BUILT_FROM_H
#define BALLAST_BUILT_FROM_H

/* A sum over RTL, models and what they are fed with; the commit, "" if it is not known. */
extern const char built_from_sources[], built_from_commit[];

#endif
