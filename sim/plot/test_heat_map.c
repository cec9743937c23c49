/* SPDX-License-Identifier: Apache-2.0
 *
 * What is in the picture of a table by hand.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/suite_fixture.h"
#include "plot/heat_map.h"
#include "recording/trace_fixture.h"

enum { MANY = 40 };

/* The pieces must be there in this order. */
static void expect_drawn(const heat_map *m, const char *const *pieces)
{
    const char *path = fixture_path("heat_map.svg"), *at;
    char *text = NULL;
    size_t size = 0;
    FILE *f;

    assert_true(heat_map_draw(m, path));
    f = fopen(path, "r");
    assert_true(f && getdelim(&text, &size, '\0', f) > 0);
    fclose(f);
    for (at = text; at && *pieces; pieces++) {
        at = strstr(at, *pieces);
        if (!at)
            fail_msg("no '%s'", *pieces);
        at += strlen(*pieces);
    }
    free(text);
    remove(path);
}

TEST(cells_mean_and_worst)
{
    static const char *const rows[] = {"a", "none"}, *const columns[] = {"<k>", "l", "m"};
    const double costs[] = {-2, NAN, 411.5, NAN, NAN, NAN};
    const heat_map m = {"title", "unit", 2, 3, rows, columns, costs};

    expect_drawn(&m, (const char *const[]){"title", "&lt;k&gt;", ">mean<", ">worst<", ">a<", "#FEE838", "0,0,0", ">-2.0<", "#EBEBEB", ">–<", "#00224E",
                                           "255,255,255", ">412<", "#00224E", ">205<", ">412<", ">none<", ">–<", ">–<", ">–<", ">–<", ">–<", "unit", NULL});
}

static double part(const char *color, unsigned at)
{
    const char digits[] = {color[at], color[at + 1], '\0'};
    const double value = (double)strtoul(digits, NULL, 16) / 255;

    return value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

/* As WCAG 2.1 has it (1.4.3). */
TEST(every_number_has_the_contrast_that_text_needs)
{
    char color[HEAT_COLOR];

    for (int step = -100; step < 2400; step++) {
        const double cost = step / 20.0;
        const double text = heat_is_dark(cost) ? 1 : 0;
        double cell;

        heat_color(cost, color);
        cell = 0.2126 * part(color, 1) + 0.7152 * part(color, 3) + 0.0722 * part(color, 5);
        assert_true((fmax(text, cell) + 0.05) / (fmin(text, cell) + 0.05) >= 4.5);
    }
}

TEST(narrow_cells_have_whole_percents)
{
    const char *columns[MANY];
    double costs[MANY];

    for (unsigned i = 0; i < MANY; i++) {
        columns[i] = "k";
        costs[i] = i ? 1 : -0.04;
    }
    expect_drawn(&(heat_map){"", "", 1, MANY, columns, columns, costs}, (const char *const[]){"font-size=\"10\"", ">0<", ">1<", ">1<", NULL});
}
