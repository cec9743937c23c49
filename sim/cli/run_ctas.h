/* SPDX-License-Identifier: Apache-2.0
 *
 * What 'ballast run' leaves for the report's pictures of CTA dispatch: DIR/dispatch.csv, which names the lists, and the lists
 * (recording/cta_spans.h). Shown are the first kernel with a 2-D grid, the first one with a 1-D grid, and both at once: of each the
 * last recording that has a list of its CTAs on all SMs beside it (ctas/NAME, as in vectors). doc/use/report.md
 */
#ifndef BALLAST_RUN_CTAS_H
#define BALLAST_RUN_CTAS_H

#include "cli/run_replays.h"

/* The exit status; a list that is damaged has a line on stderr, and is left out. */
int run_ctas(const char *dir, const run_replays *r);

#endif
