/* SPDX-License-Identifier: Apache-2.0
 *
 * An experiment's table: as text, as CSV, and full.
 */
#include "engine/suite_fixture.h"
#include "replay/scratch_fixture.h"
#include "studies/experiment_grid.h"

static void expect_printed(void (*print)(FILE *f, const experiment_grid *g), const experiment_grid *g, const char *text)
{
    FILE *f = scratch_stream();

    print(f, g);
    assert_string_equal(scratch_text(f), text);
}

TEST(tables_as_text_and_csv)
{
    experiment_grid g;

    grid_begin(&g, "Title", "name|a|long heading");
    grid_row(&g);
    grid_cell(&g, "%s", "kernel");
    grid_cell(&g, "%d", 12345);
    grid_cell(&g, "%s", "x, \"y\"");
    expect_printed(grid_text, &g, "Title\n\n  name        a  long heading\n  kernel  12345        x, \"y\"\n\n");
    expect_printed(grid_csv, &g, "name,a,long heading\nkernel,12345,\"x, \"\"y\"\"\"\n");
    grid_free(&g);
}

TEST(tables_take_no_more_than_they_hold)
{
    experiment_grid g;

    grid_begin(&g, "T", "a");
    for (unsigned row = 0; row < GRID_ROWS + 10; row++)
        grid_row(&g);
    for (unsigned column = 0; column < GRID_COLUMNS + 10; column++)
        grid_cell(&g, "%u", column);
    assert_int_equal(g.rows, GRID_ROWS);
    assert_string_equal(g.cells[GRID_ROWS - 1][GRID_COLUMNS - 1], "15");
    grid_free(&g);
}
