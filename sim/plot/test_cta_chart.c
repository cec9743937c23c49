/* SPDX-License-Identifier: Apache-2.0
 *
 * The picture of CTA dispatch: a bar for each CTA of the window and no other, where it belongs, in the colour that it should have.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/suite_fixture.h"
#include "plot/cta_chart.h"

enum { MANY = 5000 };

static cta_spans list;
static cta_shown shown;
static char path[64], *text;

static int set_up(void **state)
{
    int fd;

    (void)state;
    snprintf(path, sizeof path, "/tmp/cta_chart.XXXXXX");
    fd = mkstemp(path);
    return fd < 0 || close(fd);
}

static int tear_down(void **state)
{
    (void)state;
    cta_spans_free(&list);
    free(text);
    text = NULL;
    return unlink(path);
}

#define CHART_TEST(name) TEST_BETWEEN(name, set_up, tear_down)

static void add(const char *kernel, unsigned sm, unsigned slot, uint64_t start, uint64_t end, uint32_t cta, uint32_t pair)
{
    const cta_span span = {.start = start, .end = end, .cta = cta, .pair = pair, .kernel = (uint16_t)cta_spans_kernel(&list, kernel),
                           .sm = (uint16_t)sm, .slot = (uint8_t)slot};

    assert_true(cta_spans_add(&list, &span));
}

static void draw(const cta_chart *how)
{
    trace_err err;
    FILE *f;

    assert_true(cta_spans_sort(&list, "list", &err));
    assert_true(cta_chart_draw(&list, how, path, &shown));
    free(text);
    f = fopen(path, "r");
    text = calloc(1, 1 << 20);
    assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
    fclose(f);
    assert_non_null(strstr(text, "</svg>"));
}

static unsigned count(const char *from, const char *what)
{
    unsigned num = 0;

    for (const char *p = from; (p = strstr(p, what)); p++)
        num++;
    return num;
}

/* Bars of this colour, or of all: each goes back to its left edge, and nothing else does. */
static unsigned bars(const char *color)
{
    char head[64];
    const char *path_of, *end;
    unsigned num = 0;

    if (!color)
        return count(text, "h-");
    snprintf(head, sizeof head, "<path fill=\"%s\" d=\"", color);
    path_of = strstr(text, head);
    end = path_of ? strstr(path_of, "/>") : NULL;
    for (const char *p = path_of; p && p < end; p++)
        num += *p == 'z';
    return num;
}

static const char *const first = "#0072B2", *const second = "#E69F00", *const none = "#9AA0A6";

CHART_TEST(a_bar_for_each_cta_in_its_kernels_colour)
{
    add("one", 0, 0, 0, 100, 0, CTA_ALONE);
    add("two", 0, 1, 0, 50, 0, 7);
    add("one", 1, 0, 10, 100, 1, CTA_ALONE);
    draw(&(cta_chart){.most = 10, .color = CTA_BY_KERNEL});
    assert_int_equal(bars(NULL), 3);
    assert_int_equal(bars(first), 2);
    assert_int_equal(bars(second), 1);
    assert_non_null(strstr(text, ">one</text>"));
    assert_non_null(strstr(text, ">two</text>"));
    assert_non_null(strstr(text, ">SM 1</text>"));
    assert_null(strstr(text, ">SM 2</text>"));
    assert_int_equal(shown.bars, 3);
    assert_int_equal(shown.to, 100);
}

CHART_TEST(the_two_of_a_pair_have_one_colour_and_a_lone_one_none)
{
    add("k", 0, 0, 0, 100, 0, 0);
    add("k", 0, 1, 0, 100, 1, 0);
    add("k", 1, 0, 0, 100, 2, 1);
    add("k", 1, 1, 0, 100, 3, CTA_ALONE);
    assert_int_equal(cta_chart_color(&list), CTA_BY_PAIR);
    draw(&(cta_chart){.most = 10, .color = CTA_BY_PAIR});
    assert_int_equal(bars(first), 2);
    assert_int_equal(bars(second), 1);
    assert_int_equal(bars(none), 1);
    assert_non_null(strstr(text, ">in no pair</text>"));
    list.num = 0;
    add("k", 1, 1, 0, 100, 3, CTA_ALONE);
    assert_int_equal(cta_chart_color(&list), CTA_BY_KERNEL);
}

/* Time goes from 58 to 946, an SM is below the one before. */
CHART_TEST(a_bar_is_where_its_cycles_and_its_slot_are)
{
    double x[2], y[2], width;
    const char *p;

    add("k", 0, 0, 0, 100, 0, CTA_ALONE);
    add("k", 1, 1, 50, 100, 1, CTA_ALONE);
    draw(&(cta_chart){.most = 10});
    p = strstr(strstr(text, "<path fill="), "d=\"M");
    assert_int_equal(sscanf(p, "d=\"M%lf %lfh%lf", &x[0], &y[0], &width), 3);
    assert_float_equal(x[0], 58, 0.1);
    assert_float_equal(width, 888, 1);
    p = strchr(p, 'z');
    assert_int_equal(sscanf(p, "zM%lf %lfh%lf", &x[1], &y[1], &width), 3);
    assert_float_equal(x[1], 502, 0.1);
    assert_float_equal(width, 444, 1);
    assert_true(y[1] - y[0] > 25); /* three lanes of 11 and a gap */
    assert_int_equal(count(text, "font-size=\"9\""), 2);
    assert_non_null(strstr(text, ">1</text>")); /* its number */
}

CHART_TEST(the_window_is_obeyed_and_said)
{
    char said[128];

    for (unsigned i = 0; i < 10; i++)
        add("k", 0, 0, UINT64_C(10) * i, UINT64_C(10) * i + 10, i, CTA_ALONE);
    draw(&(cta_chart){.most = 100, .from = 20, .to = 50});
    assert_int_equal(bars(NULL), 3);
    cta_chart_say(&shown, said, sizeof said);
    assert_string_equal(said, "3 of 10 CTAs, cycles 20 to 50");
    draw(&(cta_chart){.most = 100, .from = 25, .to = 50});
    assert_int_equal(bars(NULL), 3); /* the first one is cut */
    draw(&(cta_chart){.most = 4, .from = 20});
    assert_int_equal(bars(NULL), 4);
    assert_int_equal(shown.to, 60);
    draw(&(cta_chart){.most = 100, .from = 1000});
    assert_int_equal(shown.bars, 0);
    draw(&(cta_chart){.most = 100});
    cta_chart_say(&shown, said, sizeof said);
    assert_string_equal(said, "all 10 CTAs, cycles 0 to 100");
}

CHART_TEST(many_ctas_and_many_sms_do_not_blow_it_up)
{
    char said[128];

    for (unsigned i = 0; i < MANY; i++) {
        const uint64_t start = UINT64_C(100) * (i / (132 * 32));

        add("k", i % 132, i / 132 % 32, start, start + 100, i, CTA_ALONE);
    }
    draw(&(cta_chart){.most = 600});
    assert_in_range(bars(NULL), 1, 600);
    assert_int_equal(bars(NULL), shown.bars);
    assert_true(strlen(text) < 40000);
    assert_int_equal(shown.sms, 12); /* 400 lanes */
    cta_chart_say(&shown, said, sizeof said);
    assert_non_null(strstr(said, "SMs 0 to 11 of 132"));
}

CHART_TEST(names_are_no_markup_and_the_key_has_an_end)
{
    for (unsigned i = 0; i < 100; i++) {
        char name[32];

        snprintf(name, sizeof name, "<i>kernel & %u", i);
        add(name, 0, 0, i, i + 1, 0, CTA_ALONE);
    }
    draw(&(cta_chart){.most = 1000});
    assert_null(strstr(text, "<i>"));
    assert_non_null(strstr(text, "&lt;i&gt;kernel &amp; 0"));
    assert_non_null(strstr(text, " more, in turn</text>"));
    assert_true(count(text, "&lt;i&gt;") < 10);
}

CHART_TEST(where_nothing_can_be_written_there_is_nothing)
{
    add("k", 0, 0, 0, 1, 0, CTA_ALONE);
    assert_false(cta_chart_draw(&list, &(cta_chart){.most = 1}, "/nowhere/at/all.svg", &shown));
}
