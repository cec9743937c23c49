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

/* A launch of one CTA that issues an instruction in the last of so many cycles: the first 64, and the others. */
typedef struct member {
    unsigned limit, instructions, early, late;
} member;

static struct world {
    char dir[400], path[LIMITS + 1][PATH];
    const char *paths[LIMITS];
    unsigned num, nmax;
    breakdown breakdown;
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

/* ---- a family, and a replay of it ----------------------------------------------------------- */

/* The CTA lives for some cycles after its last instruction, which no segment has. */
static void record(const member *m)
{
    sm_setup setup = {.kernel = {.grid_ctas = 1, .threads_per_cta = 32, .warps_per_cta = 1, .nmax = (uint8_t)w.nmax}};
    trace_launch launch = {.desc = setup.kernel, .limit = (uint8_t)m->limit, .name = "k"};
    const trace_meta meta = {.geometry = {.warps = 48, .slots = 8, .sms = 1, .issue_width = 1}, .kernel = "k",
                             .config_limit = (uint8_t)m->limit, .num_launches = 1, .launches = &launch};
    trace_writer *writer = trace_writer_open(w.path[w.num], &meta, &w.err);
    unsigned left = m->early, issued = 0, after = 0;

    must(writer);
    for (uint64_t cycle = 0; after <= 2 * TAIL; cycle++) {
        const bool held = cycle >= LEAD && after <= TAIL, issues = held && issued < m->instructions && --left == 0;
        sm_obs obs = {.setup = &setup, .kernel_start = cycle == 0, .cta_active = held, .cta_start = cycle == LEAD, .cta_done = after == TAIL};

        if (held)
            sm_obs_set_warp_state(&obs, 0, issues ? BALLAST_WARP_ISSUED_ALU : BALLAST_WARP_WAIT_MEM);
        must(trace_writer_cycle(writer, 0, cycle, &obs, TRACE_NO_CLASS, &w.err));
        issued += issues;
        left = issues ? issued < 64 ? m->early : m->late : left;
        after += cycle >= LEAD && issued == m->instructions;
    }
    must(trace_writer_close(writer, &w.err));
    w.paths[w.num] = w.path[w.num];
    w.num++;
}

static void measure(const char *const *paths, unsigned num)
{
    must(breakdown_measure(&w.breakdown, paths, num, 0, 0, &w.err) && replay_oracle_measure(&w.oracle, &w.breakdown, paths, num, 0, 0, &w.err));
}

static void make(unsigned nmax, const member *members, unsigned num)
{
    w.nmax = nmax;
    w.num = 0;
    while (w.num < num) {
        snprintf(w.path[w.num], PATH, "%s%u.blt", scratch_path(w.dir, "k"), w.num);
        record(&members[w.num]);
    }
    measure(w.paths, w.num);
}

#define MAKE(nmax, ...) make(nmax, (const member[]){__VA_ARGS__}, sizeof((const member[]){__VA_ARGS__}) / sizeof(member))

/* Under the limit `early` in the first half of the segments, then `late`; `best` is the best fixed one. */
static void replay(unsigned early, unsigned late, unsigned laps, uint64_t most, unsigned best)
{
    const family_options options = {.max_laps = laps, .pace = &w.pace};
    family *f = family_open(w.paths, w.num, &options, &w.err);
    uint8_t limit = 0;
    stimulus s;

    must(f);
    s = family_stimulus(f);
    for (uint64_t cycles = 0; cycles < most && stimulus_next(&s, &(feedback){.limits = &limit}); cycles++)
        limit = (uint8_t)(w.pace.segment <= HALF ? early : late);
    family_close(f);
    regret_of(&w.regret, &w.oracle, &w.pace, best);
}

/* Lost by the end of each of these. */
static void expect_lost(unsigned segment, int cycles)
{
    assert_int_equal(w.regret.point[segment - 1].lost, cycles);
}

/* In the first launch, in percent. */
static void expect_percent(unsigned segments, double percent, double cost)
{
    assert_int_equal(w.regret.segments, segments);
    assert_true(fabs(w.regret.percent - percent) < 1e-9 && fabs(w.regret.cost - cost) < 1e-9); /* cmocka takes infinity for any number */
}

/* ---- by hand --------------------------------------------------------------------------------- */

/* Of two recordings with the same limit the first one counts. */
#define TWO_PHASES {1, 128, 1, 4}, {2, 128, 3, 2}, {2, 128, 1, 1}

REGRET_TEST(two_phases_have_two_limits)
{
    MAKE(2, TWO_PHASES);
    assert_int_equal(w.oracle.instructions, 128);
    assert_int_equal(w.oracle.phases, 2);
    for (unsigned k = 1; k <= PACE_SEGMENTS; k++) {
        const unsigned early = EACH * (k < HALF ? k : HALF), late = EACH * k - early;

        assert_int_equal(w.oracle.limit[k], late ? 2 : 1);
        assert_int_equal(w.oracle.cycles[1][k], early + 4 * late);
        assert_int_equal(w.oracle.cycles[2][k], 3 * early + 2 * late);
        assert_int_equal(w.oracle.dynamic[k], early + 2 * late);
    }
    assert_float_equal(replay_oracle_cost(&w.oracle, 2), 100 * (192.0 / 320 - 1), 1e-9);
}

REGRET_TEST(a_fixed_limit_loses_where_it_is_not_the_best)
{
    MAKE(2, TWO_PHASES);
    replay(1, 1, 1, UINT64_MAX, 2);
    expect_lost(HALF, 0);
    expect_lost(HALF + 1, 2 * EACH);
    expect_lost(PACE_SEGMENTS, 128);
    assert_int_equal(w.regret.point[0].cycle, 1 + EACH); /* the kernel's start, and the instructions */
    expect_percent(PACE_SEGMENTS, 100 * 128 / 192.0, 0);
    replay(2, 2, 3, UINT64_MAX, 2);
    expect_lost(HALF, 128);
    expect_lost(PACE_SEGMENTS, 128);
    expect_lost(3 * PACE_SEGMENTS, 3 * 128); /* further passes go on */
    assert_int_equal(w.regret.num, 3 * PACE_SEGMENTS);
    expect_percent(PACE_SEGMENTS, 100 * 128 / 192.0, 0); /* of the first */
}

/* A change costs the cycle that a family replay plays again in the new recording. Before the first instruction it keeps the distance from
 * the start, and costs nothing. */
REGRET_TEST(who_does_as_the_oracle_loses_nothing_but_the_changes)
{
    MAKE(2, TWO_PHASES);
    replay(1, 2, 3, UINT64_MAX, 1);
    expect_lost(HALF, 0);
    expect_lost(HALF + 1, 1);
    expect_lost(PACE_SEGMENTS + HALF, 1);
    expect_lost(3 * PACE_SEGMENTS, 3);
    expect_percent(PACE_SEGMENTS, 100 / 192.0, 100 * (193 / 320.0 - 1));
    MAKE(2, {1, 640, 4, 4}, {2, 640, 3, 2}); /* one phase: no change */
    assert_int_equal(w.oracle.phases, 1);
    replay(2, 2, 5, UINT64_MAX, 2);
    for (unsigned i = 1; i <= w.regret.num; i++)
        expect_lost(i, 0);
    expect_percent(PACE_SEGMENTS, 0, 0);
}

REGRET_TEST(a_limit_that_was_not_recorded_is_never_the_best)
{
    MAKE(3, {3, 128, 3, 2}, {1, 128, 1, 4});
    assert_int_equal(w.oracle.reached[2], 0);
    for (unsigned k = 1; k <= PACE_SEGMENTS; k++)
        assert_int_equal(w.oracle.limit[k], k <= HALF ? 1 : 3);
    replay(2, 2, 1, UINT64_MAX, 2); /* what plays is limit 1; there is nothing to compare its cost with */
    expect_lost(PACE_SEGMENTS, 128);
    expect_percent(PACE_SEGMENTS, 100 * 128 / 192.0, 0);
    assert_float_equal(replay_oracle_cost(&w.oracle, 2), 0, 1e-9);
}

REGRET_TEST(a_tie_keeps_the_limit_or_takes_fewer_ctas)
{
    MAKE(3, {3, 128, 2, 2}, {2, 128, 2, 5}, {1, 128, 4, 2});
    for (unsigned k = 1; k <= PACE_SEGMENTS; k++)
        assert_int_equal(w.oracle.limit[k], k <= HALF ? 2 : 1);
    MAKE(3, {3, 128, 2, 3}, {2, 128, 3, 3}, {1, 128, 4, 3});
    assert_int_equal(w.oracle.phases, 1);
    assert_int_equal(w.oracle.limit[PACE_SEGMENTS], 3);
}

/* Limit 1 has 96 of 128 instructions: other SMs have done the rest. Its pass has three of four segments, and so has the oracle's beside it. */
REGRET_TEST(a_recording_that_ends_before_is_left_out_from_there)
{
    MAKE(2, {1, 96, 1, 1}, {2, 128, 3, 2});
    assert_int_equal(w.oracle.reached[1], PART);
    assert_int_equal(w.oracle.limit[PART], 1);
    assert_int_equal(w.oracle.limit[PART + 1], 2);
    assert_int_equal(w.oracle.dynamic[PACE_SEGMENTS], 96 + 64);
    assert_float_equal(replay_oracle_cost(&w.oracle, 1), 0, 1e-9);
    replay(1, 1, 2, UINT64_MAX, 2);
    assert_int_equal(w.regret.num, 2 * PART);
    expect_lost(2 * PART, 0);
    expect_percent(PART, 0, 100 * (96 / 256.0 - 1));
    replay(2, 2, 2, UINT64_MAX, 1);
    expect_lost(PACE_SEGMENTS, 160);
    expect_percent(PACE_SEGMENTS, 100, 100 * (256 / 96.0 - 1)); /* the cost of what limit 1 has */
}

/* With fewer instructions than segments, several end in one cycle. */
REGRET_TEST(a_segment_may_be_longer_than_the_launch)
{
    for (unsigned length = 1; length <= 10; length += 9) {
        MAKE(2, {1, length, 5, 5}, {2, length, 2, 2});
        assert_int_equal(w.oracle.dynamic[1], 2);
        assert_int_equal(w.oracle.dynamic[PACE_SEGMENTS], 2 * length);
        assert_int_equal(w.oracle.phases, 1);
        replay(1, 1, 1, UINT64_MAX, 2);
        expect_lost(PACE_SEGMENTS, 3 * (int)length);
    }
}

REGRET_TEST(a_launch_without_instructions_has_no_regret)
{
    MAKE(2, {1, 0, 5, 5}, {2, 0, 2, 2});
    replay(1, 1, 2, UINT64_MAX, 2);
    expect_percent(0, 0, 0);
    assert_int_equal(w.oracle.instructions + w.oracle.phases + w.regret.num, 0);
    assert_float_equal(replay_oracle_cost(&w.oracle, 2), 0, 1e-9);
}

REGRET_TEST(a_replay_that_is_cut_off_has_what_it_got_through)
{
    MAKE(2, TWO_PHASES);
    replay(2, 2, 1, 1 + 3 * EACH * 5 + 1, 1);
    expect_percent(5, 200, 200);
    replay(2, 2, 1, 2, 1);
    expect_percent(0, 0, 0);
}

REGRET_TEST(of_many_passes_some_points_are_kept_and_the_last)
{
    static const unsigned laps[] = {15, 16, 17, 31, 127, 128, 200};

    MAKE(2, TWO_PHASES);
    for (unsigned i = 0; i < sizeof laps / sizeof laps[0]; i++) {
        const unsigned kept = laps[i] < 128 ? laps[i] : 128;

        replay(2, 2, laps[i], UINT64_MAX, 2);
        assert_true(w.regret.num <= REGRET_POINTS && w.regret.num > REGRET_POINTS / 2);
        expect_lost(PACE_SEGMENTS, 128);
        expect_lost(w.regret.num, (int)kept * 128);
        assert_int_equal(w.regret.point[w.regret.num - 1].cycle, 1 + kept * 320 + (kept - 1) * TAIL);
    }
}

REGRET_TEST(a_missing_file_is_named)
{
    MAKE(2, TWO_PHASES);
    remove(w.path[1]);
    assert_false(replay_oracle_measure(&w.oracle, &w.breakdown, w.paths, w.num, 0, 0, &w.err));
    assert_non_null(strstr(w.err.text, w.path[1]));
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
    measure(recorded, RECORDED);
    for (unsigned limit = 1; limit <= RECORDED; limit++)
        for (unsigned k = 1; k <= PACE_SEGMENTS; k += 3)
            assert_int_equal(w.oracle.cycles[limit][k], cycles_to(recorded[limit - 1], (w.oracle.instructions * k + PACE_SEGMENTS - 1) / PACE_SEGMENTS));
}

/* As the player counts them, in every cycle; also beyond those that are kept. */
TEST(a_cycle_is_in_its_pass)
{
    const family_options options = {.max_laps = SOME, .pace = &w.pace};
    family *f = family_open(recorded, RECORDED, &options, &w.err);
    stimulus s = family_stimulus(f);
    static unsigned pass[1 << 22];
    uint8_t limit = RECORDED;
    uint64_t cycles = 0;

    while (stimulus_next(&s, &(feedback){.limits = &limit})) {
        assert_true(++cycles < sizeof pass / sizeof *pass);
        pass[cycles] = family_laps(f);
        limit = (uint8_t)(1 + cycles / 5000 % RECORDED);
    }
    assert_int_equal(family_laps(f), SOME);
    family_close(f);
    for (uint64_t cycle = 1; cycle <= cycles; cycle++)
        assert_int_equal(pace_pass(&w.pace, cycle), pass[cycle]);
    assert_int_equal(pass[cycles], SOME);
    for (unsigned more = SOME; more <= PACE_PASSES; more++)
        pace_again(&w.pace, cycles + more);
    assert_int_equal(pace_pass(&w.pace, cycles), SOME);
    assert_int_equal(pace_pass(&w.pace, 2 * cycles + PACE_PASSES), 0);
}

/* The segment that has just ended, all of it at one limit: it took what it takes there, which is never less than the oracle's. */
static void expect_segment(unsigned limit)
{
    const unsigned k = w.pace.point[w.pace.num - 1].segment;
    const uint64_t took = w.pace.spent - (w.pace.num > 1 ? w.pace.point[w.pace.num - 2].spent : 0);

    assert_int_equal(took, w.oracle.cycles[limit][k] - w.oracle.cycles[limit][k - 1]);
    assert_true(took >= w.oracle.dynamic[k] - w.oracle.dynamic[k - 1]);
}

/* One in which the limit changes may be faster than the oracle's, which changes between segments only. */
TEST(a_segment_at_one_limit_is_never_faster_than_the_oracle)
{
    const family_options options = {.max_laps = SOME, .pace = &w.pace};
    family *f = family_open(recorded, RECORDED, &options, &w.err);
    const stimulus s = family_stimulus(f);
    unsigned num = 0, whole = 0;
    bool same = false; /* the limit since the segment began, in which a pass begins, too */
    uint8_t limit = RECORDED;
    uint64_t seed = 1;

    measure(recorded, RECORDED);
    while (stimulus_next(&s, &(feedback){.limits = &limit})) {
        if (w.pace.num > num) {
            if (same)
                expect_segment(limit);
            whole += same;
            same = true;
            num = w.pace.num;
        }
        if (random_next(&seed) % 6000 == 0) {
            limit = (uint8_t)(1 + random_next(&seed) % RECORDED);
            same = false;
        }
    }
    family_close(f);
    assert_true(whole > 5 * SOME && num > whole);
}
