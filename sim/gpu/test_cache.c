/* SPDX-License-Identifier: Apache-2.0
 *
 * Tags, sets, LRU, and the cache without bound.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu/cache.h"

static void a_fill_hits_and_a_look_fills_nothing(void **state)
{
    cache c;

    (void)state;
    assert_true(cache_open(&c, 4, 2, false));
    assert_false(cache_hit(&c, 7));
    assert_false(cache_hit(&c, 7));
    cache_fill(&c, 7);
    assert_true(cache_hit(&c, 7));
    assert_true(cache_hit(&c, 7));
    assert_false(cache_hit(&c, 8));
    cache_close(&c);
}

static void line_0_and_the_largest_are_lines_like_others(void **state)
{
    const uint64_t largest = UINT64_C(1) << 62;

    (void)state;
    for (unsigned infinite = 0; infinite < 2; infinite++) {
        cache c;

        assert_true(cache_open(&c, 2, 2, infinite));
        assert_false(cache_hit(&c, 0));
        assert_false(cache_hit(&c, largest));
        cache_fill(&c, 0);
        assert_true(cache_hit(&c, 0));
        assert_false(cache_hit(&c, largest));
        cache_fill(&c, largest);
        assert_true(cache_hit(&c, 0));
        assert_true(cache_hit(&c, largest));
        cache_close(&c);
    }
}

/* One set: the order of use alone decides. */
static void the_least_recently_used_line_goes(void **state)
{
    cache c;

    (void)state;
    assert_true(cache_open(&c, 1, 3, false));
    cache_fill(&c, 1);
    cache_fill(&c, 2);
    cache_fill(&c, 3);
    assert_true(cache_hit(&c, 1)); /* 2 is the oldest now */
    cache_fill(&c, 4);
    assert_false(cache_hit(&c, 2));
    assert_true(cache_hit(&c, 1));
    assert_true(cache_hit(&c, 3));
    assert_true(cache_hit(&c, 4)); /* oldest first: 1, 3, 4 */
    cache_fill(&c, 5);
    assert_false(cache_hit(&c, 1));
    assert_true(cache_hit(&c, 3));
    cache_close(&c);
}

static void filling_again_makes_it_the_youngest_and_takes_no_second_place(void **state)
{
    cache c;

    (void)state;
    assert_true(cache_open(&c, 1, 3, false));
    cache_fill(&c, 0);
    cache_fill(&c, 1);
    cache_fill(&c, 2);
    cache_fill(&c, 2); /* pushes nothing out */
    cache_fill(&c, 0);
    assert_true(cache_hit(&c, 1));
    assert_true(cache_hit(&c, 2));
    assert_true(cache_hit(&c, 0));
    cache_fill(&c, 3);
    assert_true(cache_hit(&c, 0));
    assert_false(cache_hit(&c, 1));
    assert_true(cache_hit(&c, 2));
    assert_true(cache_hit(&c, 3));
    cache_close(&c);
}

static unsigned kept_of(cache *c, uint64_t lines, uint64_t stride)
{
    unsigned kept = 0;

    for (uint64_t i = 0; i < lines; i++)
        cache_fill(c, i * stride);
    for (uint64_t i = 0; i < lines; i++)
        kept += cache_hit(c, i * stride);
    return kept;
}

/* Sets are found by a hash: lines with a stride fill them all, and no more than all. */
static void as_many_lines_as_places_are_kept_with_any_stride(void **state)
{
    static const uint64_t strides[] = {1, 2, 32, 64, 128, 4096, UINT64_C(1) << 20, UINT64_C(1) << 40};

    (void)state;
    for (unsigned i = 0; i < sizeof strides / sizeof strides[0]; i++) {
        cache c;

        assert_true(cache_open(&c, 64, 4, false));
        assert_int_equal(kept_of(&c, 4096, strides[i]), 256);
        cache_clear(&c);
        assert_true(kept_of(&c, 128, strides[i]) > 110); /* half full: few conflicts */
        cache_close(&c);
    }
}

static void sets_that_are_no_power_of_two_are_all_used(void **state)
{
    cache c;

    (void)state;
    assert_true(cache_open(&c, 3, 5, false));
    assert_int_equal(kept_of(&c, 1000, 1), 15);
    cache_close(&c);
}

static void without_ways_nothing_hits(void **state)
{
    (void)state;
    for (unsigned infinite = 0; infinite < 2; infinite++) {
        cache c;

        assert_true(cache_open(&c, 16, 0, infinite));
        cache_fill(&c, 3);
        assert_false(cache_hit(&c, 3));
        cache_clear(&c);
        cache_close(&c);
    }
}

static void without_bound_every_line_stays(void **state)
{
    enum { LINES = 100000 };
    cache c;

    (void)state;
    assert_true(cache_open(&c, 1, 1, true));
    assert_int_equal(kept_of(&c, LINES, 1), LINES);
    assert_int_equal(c.seen_count, LINES);
    assert_true(c.seen_size >= 2 * LINES);
    assert_int_equal(kept_of(&c, LINES, 1), LINES); /* again: no new ones */
    assert_int_equal(c.seen_count, LINES);
    assert_false(cache_hit(&c, LINES));
    cache_close(&c);
}

static void clearing_forgets_all(void **state)
{
    (void)state;
    for (unsigned infinite = 0; infinite < 2; infinite++) {
        cache c;

        assert_true(cache_open(&c, 8, 4, infinite));
        assert_true(kept_of(&c, 3000, 1) > 0);
        cache_clear(&c);
        assert_int_equal(c.seen_count, 0);
        for (uint64_t line = 0; line < 3000; line++)
            assert_false(cache_hit(&c, line));
        cache_fill(&c, 5);
        assert_true(cache_hit(&c, 5));
        cache_close(&c);
    }
}

static void a_line_takes_its_notes_with_it(void **state)
{
    cache c;
    cache_line pushed_out, *place;

    (void)state;
    assert_true(cache_open(&c, 1, 2, false));
    assert_null(cache_find(&c, 7));
    place = cache_put(&c, 7, 0, &pushed_out);
    assert_int_equal(pushed_out.tag, 0);
    assert_int_equal(cache_number(place), 7);
    assert_false(place->dirty);
    place->dirty = true;
    place->ready = 99;
    assert_non_null(cache_put(&c, 8, 0, &pushed_out));
    assert_int_equal(pushed_out.tag, 0);
    place = cache_find(&c, 7); /* to the front, 8 is the oldest now */
    assert_true(place && place->dirty && place->ready == 99);
    place = cache_put(&c, 9, 0, &pushed_out);
    assert_int_equal(cache_number(&pushed_out), 8);
    assert_false(pushed_out.dirty);
    place->ready = 120;
    assert_null(cache_put(&c, 10, 98, &pushed_out)); /* neither has its data yet */
    assert_int_equal(pushed_out.tag, 0);
    cache_put(&c, 10, 99, &pushed_out);
    assert_int_equal(cache_number(&pushed_out), 7);
    assert_true(pushed_out.dirty && pushed_out.ready == 99);
    cache_close(&c);
    assert_true(cache_open(&c, 1, 0, false));
    assert_null(cache_put(&c, 7, 0, &pushed_out));
    assert_int_equal(pushed_out.tag, 0);
    cache_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fill_hits_and_a_look_fills_nothing),
        cmocka_unit_test(line_0_and_the_largest_are_lines_like_others),
        cmocka_unit_test(the_least_recently_used_line_goes),
        cmocka_unit_test(filling_again_makes_it_the_youngest_and_takes_no_second_place),
        cmocka_unit_test(as_many_lines_as_places_are_kept_with_any_stride),
        cmocka_unit_test(sets_that_are_no_power_of_two_are_all_used),
        cmocka_unit_test(without_ways_nothing_hits),
        cmocka_unit_test(without_bound_every_line_stays),
        cmocka_unit_test(clearing_forgets_all),
        cmocka_unit_test(a_line_takes_its_notes_with_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
