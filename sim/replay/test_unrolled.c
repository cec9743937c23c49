/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches that are decoded as a whole, against the reader, cycle by cycle and by its seeks: random recordings with frames that are cut, and a real
 * one.
 */
#include <stdio.h>
#include <string.h>

#include "engine/suite_fixture.h"
#include "recording/trace_fixture.h"
#include "replay/scratch_fixture.h"
#include "replay/unrolled.h"

static trace_err err;

static void must(bool done)
{
    if (!done)
        fail_msg("%s", err.text);
}

/* What the reader says of all cycles so far. */
typedef struct told {
    unrolled_sums sums;
    uint64_t cycles;
} told;

static void add(told *t, const unrolled_options *options, const sm_obs *obs, stall_classifier_out *class, unsigned *lanes)
{
    const stall_classifier_in in = {obs->ws[0], obs->ws[1], obs->ws[2], obs->ws[3], obs->paused};
    const unsigned issued = (unsigned)__builtin_popcountll(sm_obs_issued(obs));

    *class = stall_classifier_of(&options->classifier, &in);
    *lanes = issued < options->issue_width ? issued : options->issue_width;
    t->sums.stalled += class->ps_class == BALLAST_PS_SCOREBOARD || class->ps_class == BALLAST_PS_PIPELINE;
    t->sums.idle += class->lcs_class == BALLAST_LCS_IDLE;
    t->sums.mem += class->lcs_class == BALLAST_LCS_MEM_STALL;
    t->sums.lanes += *lanes;
    t->cycles++;
}

static void expect_cycle(const unrolled *u, const trace_reader *r, const sm_obs *obs, told *t, const unrolled_options *options)
{
    const size_t event = unrolled_event_of(u, t->cycles);
    const unrolled_block *b = &unrolled_blocks(u)[t->cycles / UNROLLED_BLOCK];
    const unsigned bit = t->cycles % UNROLLED_BLOCK;
    stall_classifier_out class;
    unrolled_sums sums;
    unsigned lanes;
    sm_obs is;

    unrolled_sum(u, t->cycles, &sums);
    assert_memory_equal(&sums, &t->sums, sizeof sums);
    unrolled_bus(u, t->cycles, event, &is);
    assert_true(sm_obs_equal(&is, obs));
    assert_int_equal(unrolled_issued(u, t->cycles), trace_launch_instructions(r));
    assert_int_equal(unrolled_events(u)[event].ctas, trace_launch_ctas(r));
    assert_int_equal(u->first_cycle + t->cycles, trace_cycle(r));
    add(t, options, obs, &class, &lanes);
    assert_int_equal(unrolled_lanes(u, t->cycles - 1), lanes);
    assert_int_equal((b->ps[0] >> bit & 1) | (b->ps[1] >> bit & 1) << 1, class.ps_class);
    assert_int_equal(b->mem >> bit & 1, class.ps_mem);
}

/* unrolled_same against the buses themselves. */
static void expect_same(const unrolled *u, uint64_t from, uint64_t most)
{
    const uint64_t same = unrolled_same(u, from, most);
    sm_obs first, other;

    unrolled_bus(u, from, 0, &first);
    for (uint64_t c = from; c < from + most; c++) {
        bool equal;

        unrolled_bus(u, c, 0, &other);
        equal = !memcmp(first.ws, other.ws, sizeof first.ws) && first.paused == other.paused;
        assert_true(c < from + same ? equal : c > from + same || !equal);
    }
}

static void expect_seeks(const unrolled *u, trace_reader *r, unsigned launch, unsigned step)
{
    for (uint64_t target = 0; target <= u->instructions + step; target += step) {
        must(trace_seek_instructions(r, launch, target, &err) && trace_next(r, &err));
        assert_int_equal(unrolled_find_issued(u, target) + u->first_cycle, trace_cycle(r));
    }
    for (uint64_t target = 0; target < 80; target++) {
        must(trace_seek_ctas(r, launch, target, &err) && trace_next(r, &err));
        assert_int_equal(unrolled_find_ctas(u, target) + u->first_cycle, trace_cycle(r));
    }
}

/* False if the SM has nothing of the launch. */
static bool expect_launch(trace_reader *r, const unrolled_options *options, unsigned step)
{
    unrolled *u = unrolled_open(r, options, &err);
    told t = {.cycles = 0};
    const sm_obs *obs;

    if (!u)
        return false;
    must(trace_seek_launch(r, options->launch, &err));
    while ((obs = trace_next(r, &err)) && trace_launch_index(r) == options->launch)
        expect_cycle(u, r, obs, &t, options);
    must(!err.text[0]);
    assert_int_equal(t.cycles, u->cycles);
    assert_int_equal(unrolled_issued(u, u->cycles - 1), u->instructions);
    for (uint64_t c = 0; c < u->cycles; c += 37)
        expect_same(u, c, u->cycles - c < 150 ? u->cycles - c : 150);
    expect_seeks(u, r, options->launch, step);
    unrolled_close(u);
    return true;
}

static unrolled_options options_of(unsigned sm, unsigned launch, unsigned warps)
{
    unrolled_options options = {.sm = sm, .launch = launch, .classifier = stall_classifier_cfg_default(), .issue_width = 2};

    options.classifier.num_warps = warps;
    return options;
}

TEST(a_launch_of_a_random_recording_is_what_the_reader_says)
{
    const char *path = fixture_path("unrolled");
    unsigned launches = 0;

    for (uint32_t seed = 1; seed <= 4; seed++) {
        const fixture_shape shape = {.warps = 48, .slots = 8, .cycles = 2500, .launches = 3, .busy = seed == 1 ? 900 : seed == 2 ? 300 : 15};
        recording *rec = fixture_make(&shape, seed);
        trace_reader *r;

        fixture_write(rec, path);
        r = fixture_open_trace(path);
        for (unsigned sm = 0; sm < FIXTURE_SMS; sm++)
            for (unsigned launch = 0; launch < shape.launches; launch++) {
                const unrolled_options options = options_of(sm, launch, shape.warps);

                launches += expect_launch(r, &options, 1 + launch);
            }
        trace_close(r);
        fixture_free(rec);
    }
    remove(path);
    assert_true(launches >= 4 * 3 * 2);
}

TEST(a_launch_with_cuts_is_what_the_reader_says)
{
    static const fixture_piece pieces[] = {{0, 700}, {300, 500}, {100, 164}, {900, 1300}, {640, 641}, {64, 128}};
    const fixture_shape shape = {.warps = 48, .slots = 8, .cycles = 1500, .launches = 1, .busy = 200};
    const unrolled_options options = options_of(0, 0, shape.warps);
    const char *path = fixture_path("unrolled");
    recording *rec = fixture_make(&shape, 9);
    trace_reader *r;

    fixture_rearrange(rec, pieces, sizeof pieces / sizeof pieces[0]);
    fixture_write(rec, path);
    r = fixture_open_trace(path);
    assert_true(expect_launch(r, &options, 1));
    trace_close(r);
    fixture_free(rec);
    remove(path);
}

TEST(a_real_launch_is_what_the_reader_says)
{
    trace_reader *r = fixture_open_trace("vectors/srad.n3.blt");
    const unrolled_options options = options_of(1, 1, 48);

    assert_true(expect_launch(r, &options, 997));
    trace_close(r);
}

TEST(damage_is_said_with_its_place)
{
    const char *path = fixture_path("unrolled");
    recording *rec = fixture_make(&fixture_small, 3);
    const unrolled_options options = options_of(0, 2, 48);
    trace_reader *r;

    fixture_write(rec, path);
    r = fixture_open_trace(path);
    for (long place = 500; place < (long)trace_file_bytes(r) - 500; place += 500) /* in every frame */
        scratch_damage(path, place);
    assert_null(unrolled_open(r, &options, &err));
    assert_non_null(strstr(err.text, path));
    trace_close(r);
    fixture_free(rec);
    remove(path);
}
