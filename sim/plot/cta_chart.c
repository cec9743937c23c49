/* SPDX-License-Identifier: Apache-2.0
 *
 * A path per colour holds all its bars: some twenty bytes for each CTA.
 */
#include "plot/cta_chart.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "files/placed_file.h"
#include "plot/svg_text.h"

enum {
    WIDTH = 960,
    LEFT = 58,
    RIGHT = 14,
    HEAD = 26,        /* the key                                   */
    FOOT = 44,        /* the time axis                             */
    HEIGHT = 560,     /* of the lanes, as far as they get this low */
    LANE_MOST = 11,
    LANE_LEAST = 3,
    LANES_MOST = 400, /* SMs beyond that are left out              */
    NUMBER = 9,       /* lanes that are lower have no numbers      */
    DIGIT = 6         /* pixels                                    */
};

/* Okabe and Ito's colours, dark and light in turn, so that neighbours differ in grey, too; the number's colour on each. */
static const struct {
    const char *fill, *text;
} colors[] = {{"#0072B2", "#ffffff"}, {"#E69F00", "#000000"}, {"#A8418F", "#ffffff"},
              {"#56B4E9", "#000000"}, {"#C24E00", "#ffffff"}, {"#2FB68C", "#000000"}};
enum { COLORS = sizeof colors / sizeof colors[0], NEUTRAL = COLORS };
static const char *const neutral = "#9AA0A6", *const neutral_text = "#000000";

typedef struct sheet {
    FILE *f;
    const cta_spans *spans;
    const cta_chart *how;
    const cta_shown *shown;
    unsigned slots;          /* lanes of an SM */
    double lane, group;      /* height of a lane, of an SM with the gap behind it */
} sheet;

/* ---- what is shown ---------------------------------------------------------------- */

static int by_cycle(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static unsigned slots_of(const cta_spans *spans)
{
    unsigned slots = 1;

    for (size_t i = 0; i < spans->num; i++)
        slots = spans->span[i].slot >= slots ? spans->span[i].slot + 1u : slots;
    return slots;
}

bool cta_chart_shows(const cta_shown *shown, const cta_span *span)
{
    return span->sm < shown->sms && span->start < shown->to && (span->end > shown->from || span->start >= shown->from);
}

/* The launch at which there would be too many bars; UINT64_MAX: there is none. */
static uint64_t one_too_many(const cta_spans *spans, const cta_shown *shown, size_t most)
{
    uint64_t *starts = malloc((spans->num + 1) * sizeof *starts), at = UINT64_MAX;
    size_t num = 0;

    for (size_t i = 0; starts && i < spans->num; i++)
        if (cta_chart_shows(shown, &spans->span[i]))
            starts[num++] = spans->span[i].start;
    if (num > most) {
        qsort(starts, num, sizeof *starts, by_cycle);
        at = starts[most];
    }
    free(starts);
    return at;
}

enum cta_color cta_chart_color(const cta_spans *spans)
{
    bool pairs = false;

    for (size_t i = 0; i < spans->num; i++)
        pairs |= spans->span[i].pair != CTA_ALONE;
    return pairs ? CTA_BY_PAIR : CTA_BY_KERNEL;
}

void cta_chart_window(const cta_spans *spans, const cta_chart *how, cta_shown *shown)
{
    const unsigned slots = slots_of(spans);
    uint64_t last = 0, least = how->from + 1, end;

    *shown = (cta_shown){.from = how->from, .all = spans->num};
    for (size_t i = 0; i < spans->num; i++) {
        last = spans->span[i].end > last ? spans->span[i].end : last;
        shown->all_sms = spans->span[i].sm >= shown->all_sms ? spans->span[i].sm + 1u : shown->all_sms;
    }
    shown->sms = shown->all_sms * slots <= LANES_MOST ? shown->all_sms : LANES_MOST / slots;
    shown->to = how->to ? how->to : last;
    end = one_too_many(spans, shown, how->most);
    shown->to = end < shown->to ? end : shown->to;
    shown->to = shown->to > least ? shown->to : least;
    for (size_t i = 0; i < spans->num; i++)
        shown->bars += cta_chart_shows(shown, &spans->span[i]);
}

void cta_chart_say(const cta_shown *shown, char *text, size_t size)
{
    int used;

    if (shown->bars == shown->all)
        used = snprintf(text, size, "all %zu CTAs", shown->all);
    else
        used = snprintf(text, size, "%zu of %zu CTAs", shown->bars, shown->all);
    if (shown->sms < shown->all_sms && used > 0 && (size_t)used < size)
        used += snprintf(text + used, size - (size_t)used, ", SMs 0 to %u of %u", shown->sms - 1, shown->all_sms);
    if (used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, ", cycles %" PRIu64 " to %" PRIu64, shown->from, shown->to);
}

/* ---- places ----------------------------------------------------------------------- */

static double x_of(const sheet *s, uint64_t cycle)
{
    const cta_shown *w = s->shown;
    const uint64_t at = cycle < w->from ? w->from : cycle > w->to ? w->to : cycle;

    return LEFT + (double)(at - w->from) * (WIDTH - LEFT - RIGHT) / (double)(w->to - w->from);
}

static double y_of(const sheet *s, unsigned sm, unsigned slot)
{
    return HEAD + sm * s->group + slot * s->lane;
}

static double bottom(const sheet *s)
{
    return HEAD + s->shown->sms * s->group;
}

static unsigned color_of(const sheet *s, const cta_span *span)
{
    if (s->how->color == CTA_BY_KERNEL)
        return span->kernel % COLORS;
    return span->pair == CTA_ALONE ? NEUTRAL : span->pair % COLORS;
}

/* ---- key and axes ----------------------------------------------------------------- */

static double put_key(const sheet *s, double x, unsigned color, const char *name)
{
    fprintf(s->f, "<rect x=\"%.0f\" y=\"6\" width=\"12\" height=\"12\" fill=\"%s\"/><text x=\"%.0f\" y=\"16\">", x,
            color < COLORS ? colors[color].fill : neutral, x + 17);
    svg_text(s->f, name);
    fputs("</text>\n", s->f);
    return x + 17 + 7.2 * (double)strlen(name) + 18;
}

/* Kernels that have a bar in the window. */
static unsigned shown_kernels(const sheet *s, bool *there)
{
    unsigned num = 0;

    for (size_t i = 0; i < s->spans->num; i++) {
        const cta_span *span = &s->spans->span[i];

        if (cta_chart_shows(s->shown, span) && !there[span->kernel]) {
            there[span->kernel] = true;
            num++;
        }
    }
    return num;
}

static void put_kernels(const sheet *s)
{
    bool *there = calloc(s->spans->num_kernels + 1, sizeof *there);
    double x = LEFT;
    unsigned left = there ? shown_kernels(s, there) : 0;

    for (unsigned k = 0; there && k < s->spans->num_kernels; k++) {
        const char *name = s->spans->kernel[k];

        if (!there[k])
            continue;
        if (x + 35 + 7.2 * (double)strlen(name) > WIDTH - 150) {
            fprintf(s->f, "<text x=\"%.0f\" y=\"16\">and %u more, in turn</text>\n", x, left);
            break;
        }
        x = put_key(s, x, k % COLORS, *name ? name : "CTA");
        left--;
    }
    free(there);
}

static void put_pairs(const sheet *s)
{
    bool alone = false;
    double x = LEFT;

    for (size_t i = 0; i < s->spans->num; i++)
        alone |= s->spans->span[i].pair == CTA_ALONE && cta_chart_shows(s->shown, &s->spans->span[i]);
    for (unsigned c = 0; c < COLORS; c++, x += 14)
        fprintf(s->f, "<rect x=\"%.0f\" y=\"6\" width=\"12\" height=\"12\" fill=\"%s\"/>\n", x, colors[c].fill);
    fprintf(s->f, "<text x=\"%.0f\" y=\"16\">the two CTAs of a pair have the same colour; pairs in turn</text>\n", x + 5);
    if (alone)
        put_key(s, x + 420, NEUTRAL, "in no pair");
}

/* Some eight round steps, all in the same unit. */
static void put_times(const sheet *s)
{
    const uint64_t span = s->shown->to - s->shown->from;
    const char *unit = s->shown->to >= 1000000 ? "M" : s->shown->to >= 10000 ? "k" : "";
    const double one = *unit == 'M' ? 1e6 : *unit ? 1e3 : 1;
    double step = pow(10, floor(log10((double)span)));
    const double y = bottom(s);

    step /= (double)span / step < 1.5 ? 5 : (double)span / step < 3.5 ? 2 : 1;
    step = step < 1 ? 1 : step;
    for (uint64_t n = (uint64_t)ceil((double)s->shown->from / step); (double)n * step <= (double)s->shown->to; n++) {
        const double at = (double)n * step, x = x_of(s, (uint64_t)at);

        fprintf(s->f, "<path stroke=\"gray\" d=\"M%.1f %d V%.1f\"/><text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%g%s</text>\n", x, HEAD - 3,
                y + 4, x, y + 17, at / one, at > 0 ? unit : "");
    }
    fprintf(s->f, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"middle\">cycle</text>\n", (LEFT + WIDTH - RIGHT) / 2, y + 34);
}

/* Names as close as they can be read. */
static void put_sms(const sheet *s)
{
    const unsigned every = s->group >= 12 ? 1 : (unsigned)ceil(12 / s->group);

    for (unsigned sm = 0; sm < s->shown->sms; sm++) {
        const double y = y_of(s, sm, 0);

        if (sm % every == 0)
            fprintf(s->f, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">SM %u</text>\n", LEFT - 6, y + (s->group - 2) / 2 + 4, sm);
        if (sm)
            fprintf(s->f, "<path stroke=\"gray\" d=\"M%d %.1f H%d\"/>\n", LEFT, y - 1, WIDTH - RIGHT);
    }
}

/* ---- bars ------------------------------------------------------------------------- */

static double width_of(const sheet *s, const cta_span *span)
{
    const double width = x_of(s, span->end) - x_of(s, span->start);

    return width > 0.6 ? width : 0.6; /* one can be seen, however short */
}

/* A sliver is left free, so that CTAs that follow each other in a slot can be told apart. */
static void put_bars(const sheet *s, unsigned color)
{
    bool some = false;

    for (size_t i = 0; i < s->spans->num; i++) {
        const cta_span *span = &s->spans->span[i];
        double width;

        if (!cta_chart_shows(s->shown, span) || color_of(s, span) != color)
            continue;
        if (!some)
            fprintf(s->f, "<path fill=\"%s\" d=\"", color < COLORS ? colors[color].fill : neutral);
        some = true;
        width = width_of(s, span);
        width = width > 2 ? width - 0.7 : width;
        fprintf(s->f, "M%.1f %.1fh%.1fv%.1fh-%.1fz", x_of(s, span->start), y_of(s, span->sm, span->slot), width, s->lane - 0.8, width);
    }
    if (some)
        fputs("\"/>\n", s->f);
}

/* In a group of their colour, which a page's own colour of text does not take away. */
static void put_numbers(const sheet *s, const char *text_color)
{
    const bool white = !strcmp(text_color, "#ffffff");

    fprintf(s->f, "<g fill=\"rgb(%s)\" font-size=\"9\" text-anchor=\"middle\">\n", white ? "255,255,255" : "0,0,0");
    for (size_t i = 0; i < s->spans->num; i++) {
        const cta_span *span = &s->spans->span[i];
        const unsigned color = color_of(s, span);
        char number[16];

        if (!cta_chart_shows(s->shown, span) || span->cta == CTA_UNKNOWN || strcmp(color < COLORS ? colors[color].text : neutral_text, text_color) != 0)
            continue;
        if (snprintf(number, sizeof number, "%" PRIu32, span->cta) * DIGIT + 2 < width_of(s, span))
            fprintf(s->f, "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", (x_of(s, span->start) + x_of(s, span->end)) / 2,
                    y_of(s, span->sm, span->slot) + s->lane - 2.2, number);
    }
    fputs("</g>\n", s->f);
}

static void put_sheet(const sheet *s)
{
    const unsigned height = (unsigned)ceil(bottom(s)) + FOOT;

    fprintf(s->f, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %u\">\n<rect x=\"0\" y=\"0\" width=\"%d\" height=\"%u\" "
                  "fill=\"white\"/>\n<g font-family=\"sans-serif\" font-size=\"12\">\n", WIDTH, height, WIDTH, height);
    if (s->how->color == CTA_BY_KERNEL)
        put_kernels(s);
    else
        put_pairs(s);
    put_times(s);
    put_sms(s);
    for (unsigned color = 0; color <= NEUTRAL; color++)
        put_bars(s, color);
    if (s->lane >= NUMBER) {
        put_numbers(s, "#ffffff");
        put_numbers(s, "#000000");
    }
    fputs("</g>\n</svg>\n", s->f);
}

bool cta_chart_draw(const cta_spans *spans, const cta_chart *how, const char *path, cta_shown *shown)
{
    sheet s = {.spans = spans, .how = how, .shown = shown, .slots = slots_of(spans)};
    placed_file place;

    cta_chart_window(spans, how, shown);
    s.lane = fmin(LANE_MOST, fmax(LANE_LEAST, (double)HEIGHT / (shown->sms * s.slots)));
    s.group = s.lane * s.slots + (s.lane >= NUMBER ? 4 : 3);
    if (!placed_open(&place, path))
        return false;
    s.f = place.file;
    put_sheet(&s);
    return placed_close(&place, true);
}
