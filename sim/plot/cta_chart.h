/* SPDX-License-Identifier: Apache-2.0
 *
 * A picture of CTA dispatch: SMs from top to bottom, their slots as lanes, time to the right, a bar per CTA. Its colour says of which
 * kernel or of which pair it is, the number in it which CTA of its grid. SVG that needs nothing but itself; doc/use/dispatch.md.
 */
#ifndef BALLAST_CTA_CHART_H
#define BALLAST_CTA_CHART_H

#include "recording/cta_spans.h"

enum cta_color { CTA_BY_KERNEL, CTA_BY_PAIR };

typedef struct cta_chart {
    uint64_t from, to; /* cycles of the window; to 0: up to the last exit, as far as `most` lets it */
    size_t most;       /* bars; the window ends before there are more                               */
    enum cta_color color;
} cta_chart;

/* What is in the picture. */
typedef struct cta_shown {
    uint64_t from, to;
    size_t bars, all;  /* CTAs that are shown, and those of the list */
    unsigned sms, all_sms;
} cta_shown;

/* By pair, if a CTA has one. */
enum cta_color cta_chart_color(const cta_spans *spans);
/* What the chart leaves room for. `spans` are sorted. */
void cta_chart_window(const cta_spans *spans, const cta_chart *how, cta_shown *shown);
/* Into a file, which is there as a whole or not at all. False with errno. */
bool cta_chart_draw(const cta_spans *spans, const cta_chart *how, const char *path, cta_shown *shown);
/* Whether the CTA has a bar. */
bool cta_chart_shows(const cta_shown *shown, const cta_span *span);
/* "600 of 2112 CTAs, cycles 0 to 43211": a sentence without its end, of at most `size` bytes. */
void cta_chart_say(const cta_shown *shown, char *text, size_t size);

#endif
