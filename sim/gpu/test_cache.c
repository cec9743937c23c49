/* SPDX-License-Identifier: Apache-2.0
 *
 * Tags, sets, LRU, and the cache without bound.
 */
#include "engine/suite_fixture.h"
#include "gpu/cache.h"

static cache c;

/* A new one in place of the one before. */
static void begin(uint32_t sets, uint32_t ways, bool infinite)
{
    static bool open;

    if (open)
        cache_close(&c);
    open = cache_open(&c, sets, ways, infinite ? CACHE_INFINITE : 0);
    assert_true(open);
}

/* +7 fills line 7, ?7 hits it, !7 does not. */
TEST(what_is_kept)
{
    static const struct {
        const char *name;
        uint32_t sets, ways;
        const char *steps;
    } rows[] = {
        {"a fill hits and a look fills nothing", 4, 2, "!7 !7 +7 ?7 ?7 !8"},
        /* One set: the order of use alone decides. */
        {"the least recently used line goes", 1, 3, "+1 +2 +3 ?1 +4 !2 ?1 ?3 ?4 +5 !1 ?3"},
        {"filling again makes it the youngest and takes no second place", 1, 3, "+0 +1 +2 +2 +0 ?1 ?2 ?0 +3 ?0 !1 ?2 ?3"},
    };

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        begin(rows[i].sets, rows[i].ways, false);
        for (const char *step = rows[i].steps; *step; step += step[2] ? 3 : 2) {
            const uint64_t line = (uint64_t)(step[1] - '0');

            if (*step == '+')
                cache_fill(&c, line);
            else if (cache_hit(&c, line) != (*step == '?'))
                fail_msg("%s: %s", rows[i].name, step);
        }
    }
}

TEST(line_0_and_the_largest_are_lines_like_others)
{
    const uint64_t largest = UINT64_C(1) << 62;

    for (unsigned infinite = 0; infinite < 2; infinite++) {
        begin(2, 2, infinite);
        assert_false(cache_hit(&c, 0));
        assert_false(cache_hit(&c, largest));
        cache_fill(&c, 0);
        assert_true(cache_hit(&c, 0));
        assert_false(cache_hit(&c, largest));
        cache_fill(&c, largest);
        assert_true(cache_hit(&c, 0));
        assert_true(cache_hit(&c, largest));
    }
}

static unsigned kept_of(uint64_t lines, uint64_t stride)
{
    unsigned kept = 0;

    for (uint64_t i = 0; i < lines; i++)
        cache_fill(&c, i * stride);
    for (uint64_t i = 0; i < lines; i++)
        kept += cache_hit(&c, i * stride);
    return kept;
}

/* Sets are found by a hash: lines with a stride fill them all, and no more than all. */
TEST(as_many_lines_as_places_are_kept_with_any_stride)
{
    static const uint64_t strides[] = {1, 2, 32, 64, 128, 4096, UINT64_C(1) << 20, UINT64_C(1) << 40};

    for (unsigned i = 0; i < sizeof strides / sizeof strides[0]; i++) {
        begin(64, 4, false);
        assert_int_equal(kept_of(4096, strides[i]), 256);
        cache_clear(&c);
        assert_true(kept_of(128, strides[i]) > 110); /* half full: few conflicts */
    }
}

TEST(sets_that_are_no_power_of_two_are_all_used)
{
    begin(3, 5, false);
    assert_int_equal(kept_of(1000, 1), 15);
}

TEST(without_ways_nothing_hits)
{
    for (unsigned infinite = 0; infinite < 2; infinite++) {
        begin(16, 0, infinite);
        cache_fill(&c, 3);
        assert_false(cache_hit(&c, 3));
        cache_clear(&c);
    }
}

TEST(without_bound_every_line_stays)
{
    enum { LINES = 100000 };
    begin(1, 1, true);
    assert_int_equal(kept_of(LINES, 1), LINES);
    assert_int_equal(kept_of(LINES, 1), LINES); /* again */
    assert_false(cache_hit(&c, LINES));
}

TEST(clearing_forgets_all)
{
    for (unsigned infinite = 0; infinite < 2; infinite++) {
        begin(8, 4, infinite);
        assert_true(kept_of(3000, 1) > 0);
        cache_clear(&c);
        for (uint64_t line = 0; line < 3000; line++)
            assert_false(cache_hit(&c, line));
        cache_fill(&c, 5);
        assert_true(cache_hit(&c, 5));
    }
}

TEST(a_line_takes_its_notes_with_it)
{
    cache_line pushed_out, *place;

    begin(1, 2, false);
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
    begin(1, 0, false);
    assert_null(cache_put(&c, 7, 0, &pushed_out));
    assert_int_equal(pushed_out.tag, 0);
}

/* As many lines in a row as there are places, from a multiple of the sets on: nothing is pushed out. At random something would be. */
TEST(a_folded_cache_holds_as_many_lines_in_a_row_as_it_has_places)
{
    for (uint32_t sets = 32; sets <= 64; sets *= 2)
        for (uint64_t from = 0; from < 9000; from += sets) {
            cache folded;
            unsigned kept = 0;

            assert_true(cache_open(&folded, sets, 4, CACHE_FOLDED));
            for (uint64_t line = from; line < from + (uint64_t)4 * sets; line++)
                cache_fill(&folded, line);
            for (uint64_t line = from; line < from + (uint64_t)4 * sets; line++)
                kept += cache_hit(&folded, line);
            cache_close(&folded);
            assert_int_equal(kept, 4 * sets);
        }
}

/* Fermi's L1 of 32 sets: lines in one set, by the published function of the bits 7 to 11, 13, 14, 15, 17, 19 of their addresses. */
TEST(fermis_sets)
{
    static const struct {
        uint64_t a, b;
        bool same;
    } rows[] = {{0, 1, false}, {0, 32, true}, {1, 64, true}, {2, 128, true}, {4, 256, true}, {0, 512, true}, {8, 1024, true},
                {0, 2048, true}, {16, 4096, true}, {0, 64, false}, {0, 1024, false}, {0, 4096, false}, {0, 8192, true}};

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cache one;

        assert_true(cache_open(&one, 32, 1, CACHE_FOLDED));
        cache_fill(&one, rows[i].a);
        cache_fill(&one, rows[i].b);
        assert_true(cache_hit(&one, rows[i].a) != rows[i].same);
        cache_close(&one);
    }
}
