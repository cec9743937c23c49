/* SPDX-License-Identifier: Apache-2.0
 *
 * The shape of a launch's grid, given to a trace that is written already.
 */
#include <stdio.h>
#include <stdlib.h>

#include "engine/suite_fixture.h"
#include "recording/trace_fixture.h"

/* Of the test that runs: a recording, and its file. */
static recording *rec;
static const char *path;
static trace_err err;

static int begin(void **state)
{
    (void)state;
    rec = fixture_make(&fixture_small, 6);
    path = fixture_path("regrid");
    fixture_write(rec, path);
    return 0;
}

static int end(void **state)
{
    (void)state;
    remove(path);
    fixture_free(rec);
    return 0;
}

static unsigned version_of_file(void)
{
    size_t n;
    uint8_t *file = fixture_slurp(path, &n);
    const unsigned version = file[8];

    free(file);
    return version;
}

TEST_BETWEEN(a_header_has_the_lowest_version_that_can_say_it, begin, end)
{
    assert_int_equal(version_of_file(), 2);
    rec->launches[1].desc.grid_x = 0;
    for (unsigned sm = 0; sm < FIXTURE_SMS; sm++)
        for (size_t i = 0; i < rec->sm[sm].count; i++)
            rec->sm[sm].sample[i].setup.kernel.grid_x = 0;
    fixture_write(rec, path);
    assert_int_equal(version_of_file(), 1);
    fixture_expect(path, rec); /* 2-D, and nobody noted how wide */
}

/* In every place where the recording has its description. */
static void reshape(unsigned launch, uint32_t grid_x)
{
    rec->launches[launch].desc.grid_x = grid_x;
    rec->launches[launch].desc.is_2d = grid_x != 0;
    for (unsigned sm = 0; sm < FIXTURE_SMS; sm++)
        for (size_t i = 0; i < rec->sm[sm].count; i++)
            if (rec->sm[sm].sample[i].launch == launch)
                rec->sm[sm].sample[i].setup.kernel = rec->launches[launch].desc;
}

TEST_BETWEEN(a_grid_can_be_given_afterwards_and_nothing_else_changes, begin, end)
{
    size_t n;
    uint8_t *written = fixture_slurp(path, &n);

    for (unsigned launch = 0; launch < 3; launch++) {
        reshape(launch, 10);
        assert_true(trace_set_grid(path, launch, 10, &err));
        fixture_expect(path, rec);
    }
    for (unsigned launch = 0; launch < 3; launch++)
        reshape(launch, 0);
    assert_true(trace_set_grid(path, TRACE_NO_LAUNCH, 0, &err));
    fixture_expect(path, rec);
    assert_int_equal(version_of_file(), 1);
    reshape(1, 15);
    assert_true(trace_set_grid(path, 1, 15, &err));
    fixture_expect_bytes(path, written, n);
    free(written);
}

static void expect_not_regridded(const char *why, unsigned launch, uint32_t grid_x)
{
    size_t n;
    uint8_t *before = fixture_slurp(path, &n);

    assert_false(trace_set_grid(path, launch, grid_x, &err));
    fixture_says(&err, why);
    fixture_expect_bytes(path, before, n);
    assert_false(fixture_exists_unfinished(path));
    free(before);
}

TEST_BETWEEN(a_grid_that_cannot_be_leaves_the_file_as_it_is, begin, end)
{
    size_t n;
    uint8_t *file;

    expect_not_regridded("it has 3 launches", 3, 10);
    expect_not_regridded("not whole rows", 0, 7);
    expect_not_regridded("not whole rows", 0, 200);
    expect_not_regridded("not whole rows", TRACE_NO_LAUNCH, 60); /* one of three */
    file = fixture_slurp(path, &n);
    file[n / 2] ^= 0x10;
    fixture_spew(path, file, n);
    free(file);
    expect_not_regridded("a frame is damaged", 0, 10);
    assert_false(trace_set_grid("/nonexistent/x.blt", 0, 10, &err));
    fixture_says(&err, "/nonexistent/x.blt");
}
