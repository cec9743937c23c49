/* SPDX-License-Identifier: Apache-2.0 */
#include "report/pen.h"

#include <string.h>

#include "report/sections.h"

/* gnuplot's "(14,3)" as SVG's "14 3", shorter. */
static const char *dashes_of(const char *dashes)
{
    return !strcmp(dashes, "solid") ? "" : !strcmp(dashes, "(14,3)") ? "6 1.6" : "6 1.6 1.6 1.6";
}

chart_pen pen_of_run(unsigned run)
{
    return (chart_pen){draw_styles[run].color, dashes_of(draw_styles[run].dashes), 1};
}
