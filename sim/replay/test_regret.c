/* SPDX-License-Identifier: Apache-2.0
 *
 * Pace, oracle and regret: on made-up families whose every number is known by hand, and on recordings, held against counts made in
 * another way.
 */
#include <math.h>
#include <string.h>

#include "common/popcount.h"
#include "engine/random.h"
#include "engine/suite_fixture.h"
#include "replay/family.h"
#include "replay/regret.h"
#include "replay/scratch_fixture.h"

enum { LEAD = 3, TAIL = 9, LIMITS = 3, PATH = 600, HALF = PACE_SEGMENTS / 2, PART = 3 * PACE_SEGMENTS / 4,
       EACH = 128 / PACE_SEGMENTS /* instructions of a segment of most launches here */ };

/* A launch of one CTA that issues an instruction in the last of so many cycles, in both halves of the launch. */
typedef struct member {
    unsigned limit, instructions, cycles[2], half; /* half: where the second one begins */
} member;

static struct world {
    char dir[400], path[LIMITS + 1][PATH];
    const char *paths[LIMITS];
    unsigned num, nmax;
    replay_oracle oracle;
    pace pace;
    regret regret;
    trace_err err;
} w;

#define REGRET_TEST(name) TEST_BETWEEN(name, set_up, tear_down)

static int set_up(void **state)
{
    (void)state;
    memset(&w, 0, sizeof w);
    scratch_make(w.dir, sizeof w.dir);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return scratch_remove(w.dir);
}

static void must(bool done)
{
    if (!done)
        fail_msg("%s", w.err.text);
}

/* ---- a family ------------------------------------------------------------------------------ */

static void put(trace_writer *writer, uint64_t cycle, uint64_t last, bool issues)
{
    sm_setup setup = {.kernel = {.grid_ctas = 1, .threads_per_cta = 32, .warps_per_cta = 1, .nmax = (uint8_t)w.nmax}};
    sm_obs obs = {.setup = &setup, .kernel_start = cycle == 0};

    if (cycle >= LEAD && cycle <= last) {
        obs.cta_active = 1;
        obs.cta_start = cycle == LEAD;
        obs.cta_done = cycle == last;
        sm_obs_set_warp_state(&obs, 0, issues ? BALLAST_WARP_ISSUED_ALU : BALLAST_WARP_WAIT_MEM);
    }
    must(trace_writer_cycle(writer, 0, cycle, &obs, TRACE_NO_CLASS, &w.err));
}

/* The CTA lives for some cycles after its last instruction, which no segment has. */
static void record(const member *m)
{
    trace_launch launch = {.desc = {.grid_ctas = 1, .threads_per_cta = 32, .warps_per_cta = 1, .nmax = (uint8_t)w.nmax},
                           .limit = (uint8_t)m->limit, .name = "k"};
    const trace_meta meta = {.geometry = {.warps = 48, .slots = 8, .sms = 1, .issue_width = 1}, .kernel = "k",
                             .config_limit = (uint8_t)m->limit, .num_launches = 1, .launches = &launch};
    const unsigned second = m->instructions > m->half ? m->instructions - m->half : 0, first = m->instructions - second;
    const uint64_t border = LEAD + (uint64_t)first * m->cycles[0], end = border + (uint64_t)second * m->cycles[1];
    trace_writer *writer;
    char name[32];

    snprintf(name, sizeof name, "k.n%u.blt", m->limit);
    snprintf(w.path[w.num], PATH, "%s", scratch_path(w.dir, name));
    w.paths[w.num] = w.path[w.num];
    writer = trace_writer_open(w.paths[w.num++], &meta, &w.err);
    must(writer);
    for (uint64_t cycle = 0; cycle < end + 2 * TAIL; cycle++) {
        const uint64_t at = cycle < border ? cycle - LEAD : cycle - border;

        put(writer, cycle, end + TAIL, cycle >= LEAD && cycle < end && at % m->cycles[cycle >= border] == m->cycles[cycle >= border] - 1);
    }
    must(trace_writer_close(writer, &w.err));
}

static void make(unsigned nmax, const member *members, unsigned num)
{
    w.nmax = nmax;
    w.num = 0;
    for (unsigned i = 0; i < num; i++)
        record(&members[i]);
    must(replay_oracle_measure(&w.oracle, w.paths, w.num, 0, 0, &w.err));
}

#define MAKE(nmax, ...) make(nmax, (const member[]){__VA_ARGS__}, sizeof((const member[]){__VA_ARGS__}) / sizeof(member))

/* ---- a replay ------------------------------------------------------------------------------ */

/* The limit wanted in a segment, from 1; PACE_SEGMENTS + 1: behind the last. */
typedef unsigned (*wish)(unsigned segment);

static void replay_to(wish wanted, unsigned laps, unsigned best, uint64_t most)
{
    const family_options options = {.max_laps = laps, .pace = &w.pace};
    family *f = family_open(w.paths, w.num, &options, &w.err);
    uint8_t limit = 0;
    uint64_t cycles = 0;
    stimulus s;

    must(f);
    s = family_stimulus(f);
    while (cycles < most && stimulus_next(&s, &(feedback){.limits = &limit})) {
        cycles++;
        limit = (uint8_t)wanted(w.pace.next);
    }
    family_close(f);
    regret_of(&w.regret, &w.oracle, &w.pace, best);
}

static void replay(wish wanted, unsigned laps, unsigned best)
{
    replay_to(wanted, laps, best, UINT64_MAX);
}

static unsigned always_1(unsigned segment) { (void)segment; return 1; }
static unsigned always_2(unsigned segment) { (void)segment; return 2; }
static unsigned as_the_oracle(unsigned segment) { return segment <= HALF ? 1 : 2; }

/* Lost by the end of segment `segment` of the first pass. */
static int lost(unsigned segment)
{
    return (int)w.regret.point[segment - 1].cycles;
}

/* ---- by hand --------------------------------------------------------------------------------- */

/* 64 instructions at 1 or 3 cycles, 64 at 4 or 2. */
#define TWO_PHASES {1, 128, {1, 4}, 64}, {2, 128, {3, 2}, 64}

REGRET_TEST(two_phases_have_two_limits)
{
    MAKE(2, TWO_PHASES);
    assert_int_equal(w.oracle.instructions, 128);
    assert_int_equal(w.oracle.phases, 2);
    for (unsigned k = 1; k <= PACE_SEGMENTS; k++) {
        assert_int_equal(w.oracle.limit[k], k <= HALF ? 1 : 2);
        assert_int_equal(w.oracle.dynamic[k], k <= HALF ? EACH * k : 64 + 2 * EACH * (k - HALF));
        assert_int_equal(w.oracle.cycles[1][k], k <= HALF ? EACH * k : 64 + 4 * EACH * (k - HALF));
        assert_int_equal(w.oracle.cycles[2][k], k <= HALF ? 3 * EACH * k : 192 + 2 * EACH * (k - HALF));
    }
    assert_float_equal(replay_oracle_cost(&w.oracle, 2), 100 * (192.0 / 320 - 1), 1e-9);
}

REGRET_TEST(a_fixed_limit_loses_where_it_is_not_the_best)
{
    MAKE(2, TWO_PHASES);
    replay(always_1, 1, 2);
    assert_int_equal(w.regret.segments, PACE_SEGMENTS);
    assert_int_equal(w.regret.num, PACE_SEGMENTS);
    assert_int_equal(lost(HALF), 0);
    assert_int_equal(lost(HALF + 1), 2 * EACH);
    assert_int_equal(lost(PACE_SEGMENTS), 128);
    assert_int_equal(w.regret.point[0].cycle, 1 + EACH); /* the kernel's start, and the instructions */
    assert_float_equal(w.regret.percent, 100 * 128.0 / 192, 1e-9);
    assert_float_equal(w.regret.cost, 0, 1e-9);
    replay(always_2, 3, 2);
    assert_int_equal(lost(HALF), 128);
    assert_int_equal(lost(PACE_SEGMENTS), 128);
    assert_int_equal(w.regret.num, 3 * PACE_SEGMENTS);
    assert_int_equal(lost(3 * PACE_SEGMENTS), 3 * 128); /* further passes go on */
    assert_float_equal(w.regret.percent, 100 * 128.0 / 192, 1e-9); /* of the first */
}

/* A change costs the cycle that a family replay plays again in the new recording. Before the first instruction it keeps the distance from
 * the start, and costs nothing. */
REGRET_TEST(who_does_as_the_oracle_loses_nothing_but_the_changes)
{
    MAKE(2, TWO_PHASES);
    replay(as_the_oracle, 3, 1);
    assert_int_equal(lost(HALF), 0);
    assert_int_equal(lost(HALF + 1), 1);
    assert_int_equal(lost(PACE_SEGMENTS), 1);
    assert_int_equal(lost(PACE_SEGMENTS + HALF), 1);
    assert_int_equal(lost(3 * PACE_SEGMENTS), 3);
    assert_float_equal(w.regret.cost, 100 * (193.0 / 320 - 1), 1e-9);
    MAKE(2, {1, 640, {4, 4}, 320}, {2, 640, {3, 2}, 320}); /* one phase: no change */
    assert_int_equal(w.oracle.phases, 1);
    replay(always_2, 5, 2);
    for (unsigned i = 0; i < w.regret.num; i++)
        assert_int_equal(w.regret.point[i].cycles, 0);
    assert_float_equal(w.regret.percent, 0, 1e-9);
}

REGRET_TEST(a_limit_that_was_not_recorded_is_never_the_best)
{
    MAKE(3, {3, 128, {3, 2}, 64}, {1, 128, {1, 4}, 64});
    assert_int_equal(w.oracle.reached[2], 0);
    for (unsigned k = 1; k <= PACE_SEGMENTS; k++)
        assert_int_equal(w.oracle.limit[k], k <= HALF ? 1 : 3);
    replay(always_2, 1, 2); /* what plays is limit 1; there is nothing to compare its cost with */
    assert_int_equal(lost(PACE_SEGMENTS), 128);
    assert_float_equal(w.regret.cost, 0, 1e-9);
}

/* Of two that are equally fast. */
REGRET_TEST(a_tie_keeps_the_limit_or_takes_fewer_ctas)
{
    MAKE(3, {3, 128, {2, 2}, 64}, {2, 128, {2, 5}, 64}, {1, 128, {4, 2}, 64});
    for (unsigned k = 1; k <= PACE_SEGMENTS; k++)
        assert_int_equal(w.oracle.limit[k], k <= HALF ? 2 : 1);
    MAKE(3, {3, 128, {2, 3}, 64}, {2, 128, {3, 3}, 64}, {1, 128, {4, 3}, 64});
    assert_int_equal(w.oracle.phases, 1);
    assert_int_equal(w.oracle.limit[PACE_SEGMENTS], 3);
}

/* Limit 1 has 96 of 128 instructions: other SMs have done the rest. Its pass has three of four segments, and so has the oracle's beside it. */
REGRET_TEST(a_recording_that_ends_before_is_left_out_from_there)
{
    MAKE(2, {1, 96, {1, 1}, 64}, {2, 128, {3, 2}, 64});
    assert_int_equal(w.oracle.reached[1], PART);
    assert_int_equal(w.oracle.limit[PART], 1);
    assert_int_equal(w.oracle.limit[PART + 1], 2);
    assert_int_equal(w.oracle.dynamic[PACE_SEGMENTS], 96 + 64);
    assert_float_equal(replay_oracle_cost(&w.oracle, 1), 0, 1e-9);
    replay(always_1, 2, 2);
    assert_int_equal(w.regret.segments, PART);
    assert_int_equal(w.regret.num, 2 * PART);
    assert_int_equal(lost(PART), 0);
    assert_float_equal(w.regret.cost, 100 * (96 / 256.0 - 1), 1e-9);
    replay(always_2, 2, 1);
    assert_int_equal(lost(PACE_SEGMENTS), 160);
    assert_float_equal(w.regret.cost, 100 * (256 / 96.0 - 1), 1e-9);
}

/* Ten instructions, or one: segments are over in the cycle in which the one before was. */
REGRET_TEST(a_segment_may_be_longer_than_the_launch)
{
    static const unsigned lengths[] = {10, 1};

    for (unsigned i = 0; i < 2; i++) {
        MAKE(2, {1, lengths[i], {5, 5}, 64}, {2, lengths[i], {2, 2}, 64});
        assert_int_equal(w.oracle.dynamic[PACE_SEGMENTS], 2 * lengths[i]);
        assert_int_equal(w.oracle.phases, 1);
        assert_int_equal(w.oracle.dynamic[1], 2);
        replay(always_1, 1, 2);
        assert_int_equal(lost(PACE_SEGMENTS), 3 * lengths[i]);
    }
}

REGRET_TEST(a_launch_without_instructions_has_no_regret)
{
    MAKE(2, {1, 0, {5, 5}, 64}, {2, 0, {2, 2}, 64});
    replay(always_1, 2, 2);
    assert_int_equal(w.oracle.instructions + w.oracle.phases + w.regret.segments + w.regret.num, 0);
    assert_float_equal(w.regret.percent + w.regret.cost + replay_oracle_cost(&w.oracle, 2), 0, 1e-9);
}

REGRET_TEST(a_replay_that_is_cut_off_has_what_it_got_through)
{
    MAKE(2, TWO_PHASES);
    replay_to(always_2, 1, 1, 1 + 3 * EACH * 5 + 1);
    assert_int_equal(w.regret.segments, 5);
    assert_float_equal(w.regret.percent, 100 * (3 / 1.0 - 1), 1e-9);
    replay_to(always_2, 1, 1, 2);
    assert_int_equal(w.regret.segments + w.regret.num, 0);
}

REGRET_TEST(of_many_passes_some_points_are_kept_and_the_last)
{
    static const unsigned laps[] = {15, 16, 17, 31, 127, 128, 200};

    MAKE(2, TWO_PHASES);
    for (unsigned i = 0; i < sizeof laps / sizeof laps[0]; i++) {
        const unsigned kept = laps[i] < 128 ? laps[i] : 128;

        replay(always_2, laps[i], 2);
        assert_true(w.regret.num <= REGRET_POINTS && w.regret.num > PACE_SEGMENTS + (REGRET_POINTS - PACE_SEGMENTS) / 2 - 1);
        assert_int_equal(w.regret.point[w.regret.num - 1].cycles, kept * 128);
        assert_int_equal(w.regret.point[w.regret.num - 1].cycle, 1 + kept * 320 + (kept - 1) * (TAIL + 1));
        for (unsigned p = 1; p < w.regret.num; p++)
            assert_true(w.regret.point[p].cycle > w.regret.point[p - 1].cycle);
    }
}

REGRET_TEST(damage_and_a_missing_file_are_named)
{
    MAKE(2, TWO_PHASES);
    remove(w.path[1]);
    assert_false(replay_oracle_measure(&w.oracle, w.paths, w.num, 0, 0, &w.err));
    assert_non_null(strstr(w.err.text, w.path[1]));
    assert_false(replay_oracle_measure(&w.oracle, w.paths, 1, 7, 0, &w.err));
    assert_non_null(strstr(w.err.text, "SM 7"));
}

/* ---- on recordings ------------------------------------------------------------------------------ */

static const char *const recorded[] = {"vectors/pathfinder.n1.blt", "vectors/pathfinder.n2.blt", "vectors/pathfinder.n3.blt",
                                       "vectors/pathfinder.n4.blt", "vectors/pathfinder.n5.blt", "vectors/pathfinder.n8.blt"};
enum { RECORDED = 6, SOME = 40 };

/* Cycles with a CTA up to the first one by whose end so many instructions were issued; 0: there is none. */
static uint64_t cycles_to(const char *path, uint64_t instructions)
{
    trace_reader *r = trace_open(path, NULL, &w.err);
    uint64_t held = 0, issued = 0;
    const sm_obs *obs;

    must(r && trace_select_sm(r, 0, &w.err));
    while (issued < instructions && (obs = trace_next(r, &w.err))) {
        held += obs->cta_active != 0;
        issued += ballast_popcount64(sm_obs_issued(obs));
    }
    trace_close(r);
    return issued < instructions ? 0 : held;
}

TEST(recordings_are_measured_to_the_cycle)
{
    must(replay_oracle_measure(&w.oracle, recorded, RECORDED, 0, 0, &w.err));
    assert_int_equal(w.oracle.nmax, RECORDED);
    for (unsigned limit = 1; limit <= RECORDED; limit++)
        for (unsigned k = 1; k <= PACE_SEGMENTS; k += 3)
            assert_int_equal(w.oracle.cycles[limit][k], cycles_to(recorded[limit - 1], (w.oracle.instructions * k + PACE_SEGMENTS - 1) / PACE_SEGMENTS));
}

/* A segment that was played at one limit, with the cycle before it, took what it takes there: never less than the oracle's. One in which
 * the limit changed may have less, because the oracle changes between segments only; never by all that it has. */
TEST(a_segment_at_one_limit_is_never_faster_than_the_oracle)
{
    const family_options options = {.max_laps = 2, .pace = &w.pace};
    uint64_t seed = 1;
    unsigned whole = 0;

    must(replay_oracle_measure(&w.oracle, recorded, RECORDED, 0, 0, &w.err));
    for (unsigned round = 0; round < SOME; round++) {
        family *f = family_open(recorded, RECORDED, &options, &w.err);
        const stimulus s = family_stimulus(f);
        unsigned num = 0, since = 0; /* segments over; cycles since the limit changed */
        uint8_t limit = RECORDED;
        uint64_t start = 0;

        while (w.pace.num < 2 * PACE_SEGMENTS && stimulus_next(&s, &(feedback){.limits = &limit})) {
            const pace_point *at = w.pace.num ? &w.pace.point[w.pace.num - 1] : NULL;

            since++;
            if (w.pace.num == num + 1 && at->segment > 1 && since > at->cycle - start) {
                const uint64_t took = at->spent - w.pace.point[w.pace.num - 2].spent, least = w.oracle.dynamic[at->segment] - w.oracle.dynamic[at->segment - 1];

                assert_int_equal(took, w.oracle.cycles[limit][at->segment] - w.oracle.cycles[limit][at->segment - 1]);
                assert_true(took >= least);
                whole++;
            }
            start = w.pace.num > num ? at->cycle : start;
            num = w.pace.num;
            if (random_next(&seed) % 6000 == 0) {
                limit = (uint8_t)(1 + random_next(&seed) % RECORDED);
                since = 0;
            }
        }
        family_close(f);
    }
    assert_true(whole > 5 * SOME);
}
