/* SPDX-License-Identifier: Apache-2.0
 *
 * The SMs of a chip, from made-up recordings whose every cycle says which it is, and from a real
 * one. What has to come is said by other players: the recording's own reader, and a family
 * replay of one SM.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/random.h"
#include "engine/suite_fixture.h"
#include "replay/chip.h"
#include "replay/scratch_fixture.h"

enum {
    WARPS = 48, SLOTS = 8, GEOMETRY_SMS = 8,
    START = 20,      /* cycle in which the kernel starts */
    MOST_STREAMS = 3,
    MOST_SMS = 15,
    FAMILY_NMAX = 3,
    FAMILY_CTAS_EACH = 6,
    FAMILY_WAVE = 40, /* cycles that a CTA of a family lives */
    STRIDE = 5,       /* from one SM's limit to the next one's */
    MOST_CYCLES = 100000,
    PATH = 600
};

/* One recorded SM. */
typedef struct stream_plan {
    unsigned sm, first, cycles; /* its number; its first cycle, counted from START */
} stream_plan;

static struct world {
    char dir[400];
    char path[FAMILY_NMAX + 1][PATH]; /* [0] for open loop, then the family by limit */
    const char *family[FAMILY_NMAX];
    family_options options;
    chip_player *chip;
    trace_err err;
} w;

/* A test with a family of SM 0 and 1; it is there when the test begins. */
#define CHIP_TEST(name) TEST_BETWEEN(name, set_up, tear_down)

static void must(bool done)
{
    if (!done)
        fail_msg("%s", w.err.text);
}

/* ---- recordings ------------------------------------------------------------------------ */

static void set_id(sm_obs *obs, unsigned limit, unsigned sm, unsigned offset)
{
    obs->paused = (uint64_t)limit << 40 | (uint64_t)sm << 32 | offset;
}

static unsigned limit_of(const sm_obs *obs)
{
    return (unsigned)(obs->paused >> 40);
}

static unsigned sm_of(const sm_obs *obs)
{
    return (unsigned)(obs->paused >> 32 & 0xff);
}

static unsigned offset_of(const sm_obs *obs)
{
    return (unsigned)(obs->paused & UINT32_MAX);
}

static trace_writer *open_writer(const char *path, unsigned limit, trace_launch *launch)
{
    const trace_meta meta = {
        .geometry = {.warps = WARPS, .slots = SLOTS, .sms = GEOMETRY_SMS, .issue_width = 1},
        .kernel = "made up", .config_limit = (uint8_t)limit, .num_launches = 1, .launches = launch,
    };
    trace_writer *writer;

    *launch = (trace_launch){.name = "k", .limit = (uint8_t)limit, .start_cycle = START,
                             .desc = {.grid_ctas = 90, .threads_per_cta = 32, .warps_per_cta = 1, .nmax = FAMILY_NMAX}};
    writer = trace_writer_open(path, &meta, &w.err);
    must(writer);
    return writer;
}

static void write_cycle(trace_writer *writer, unsigned sm, uint64_t cycle, sm_obs *obs, const trace_launch *launch)
{
    sm_setup setup = {.kernel = launch->desc};

    obs->setup = &setup;
    obs->kernel_start = cycle == START;
    for (unsigned warp = 0; warp < WARPS; warp++)
        setup.warp_slot[warp] = (uint8_t)(warp % SLOTS);
    if (offset_of(obs)) /* since the first CTA started, in slot 0 */
        setup.warp_slot[WARPS - 1] = 0;
    must(trace_writer_cycle(writer, sm, cycle, obs, TRACE_NO_CLASS, &w.err));
}

/* Open loop: one CTA from the second cycle to the end. */
static void write_recording(const stream_plan *streams, unsigned num)
{
    trace_launch launch;
    trace_writer *writer = open_writer(w.path[0], FAMILY_NMAX, &launch);

    for (unsigned s = 0; s < num; s++)
        for (unsigned i = 0; i < streams[s].cycles; i++) {
            sm_obs obs = {.cta_active = i > 0, .cta_start = i == 1, .cta_done = i == streams[s].cycles - 1};

            set_id(&obs, 0, streams[s].sm, i);
            sm_obs_set_warp_state(&obs, 0, i == 0 ? BALLAST_WARP_EMPTY : i % 3 ? BALLAST_WARP_WAIT_MEM : BALLAST_WARP_ISSUED_ALU);
            write_cycle(writer, streams[s].sm, START + streams[s].first + i, &obs, &launch);
        }
    must(trace_writer_close(writer, &w.err));
}

/* A member of a family: CTAs in waves of as many as the limit allows, each of which issues in
 * turns. The SMs differ in what they have to do. */
static void write_member(unsigned limit, const unsigned *sms, unsigned num_sms)
{
    trace_launch launch;
    trace_writer *writer = open_writer(w.path[limit], limit, &launch);

    for (unsigned s = 0; s < num_sms; s++) {
        unsigned left = FAMILY_CTAS_EACH + 2 * s, n = 0, offset = 0;
        uint64_t cycle = START;

        for (; left > 0; left -= n) {
            n = left < limit ? left : limit;
            for (unsigned at = 0; at <= FAMILY_WAVE; at++) {
                const uint32_t slots = (UINT32_C(1) << n) - 1;
                sm_obs obs = {.cta_active = at ? slots : 0, .cta_start = at == 1 ? slots : 0,
                              .cta_done = at == FAMILY_WAVE ? slots : 0};

                if (at && at % FAMILY_NMAX < n)
                    sm_obs_set_warp_state(&obs, at % FAMILY_NMAX, BALLAST_WARP_ISSUED_ALU);
                set_id(&obs, limit, sms[s], offset++);
                write_cycle(writer, sms[s], cycle++, &obs, &launch);
            }
        }
    }
    must(trace_writer_close(writer, &w.err));
}

static void write_family(const unsigned *sms, unsigned num_sms)
{
    for (unsigned limit = 1; limit <= FAMILY_NMAX; limit++)
        write_member(limit, sms, num_sms);
}

/* ---- a chip ---------------------------------------------------------------------------- */

static int set_up(void **state)
{
    (void)state;
    memset(&w, 0, sizeof w);
    scratch_make(w.dir, sizeof w.dir);
    for (unsigned limit = 0; limit <= FAMILY_NMAX; limit++) {
        snprintf(w.path[limit], PATH, "%s/k.n%u.blt", w.dir, limit);
        if (limit)
            w.family[limit - 1] = w.path[limit];
    }
    write_family((const unsigned[]){0, 1}, 2);
    w.options = (family_options){.max_laps = 3};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    chip_close(w.chip);
    return scratch_remove(w.dir);
}

static stimulus take(chip_player *chip)
{
    chip_close(w.chip);
    w.chip = chip;
    must(chip);
    return chip_stimulus(chip);
}

static stimulus open_recording(const char *path, unsigned num_sms, unsigned skew)
{
    return take(chip_open(path, num_sms, skew, &w.err));
}

static stimulus open_family(unsigned num_sms, unsigned skew)
{
    return take(chip_open_family(w.family, FAMILY_NMAX, &w.options, num_sms, skew, &w.err));
}

static const sm_obs *const *next(const stimulus *s)
{
    return s->next(s->self, &(feedback){.limits = NULL});
}

/* No warps, no CTAs, nothing happens; of what was before only the kernel is left. */
static void expect_idle(const sm_obs *obs, const sm_obs *last)
{
    static const sm_setup none;
    const sm_obs idle = {.setup = last ? last->setup : &none};

    assert_true(sm_obs_equal(obs, &idle));
}

/* ---- what has to come -------------------------------------------------------------------- */

/* What SM `sm` of the chip has to be doing: what a reader of its own has, or a family replay of its own. */
typedef struct expected_sm {
    trace_reader *reader;
    family *family;
    stimulus source; /* of the family */
    sm_kept last;
    uint64_t begins; /* cycle of the run */
    bool begun, ended;
} expected_sm;

static void expect_cycle(expected_sm *e, uint64_t cycle, uint8_t limit, const sm_obs *obs)
{
    const sm_obs *want = NULL;

    w.err.text[0] = '\0';
    if (cycle >= e->begins && !e->ended)
        want = e->family ? stimulus_next(&e->source, &(feedback){.limits = &limit}) : trace_next(e->reader, &w.err);
    assert_string_equal(w.err.text, "");
    if (want) {
        assert_true(sm_obs_equal(obs, want));
        sm_keep(&e->last, want);
        e->begun = true;
    } else {
        e->ended = e->begun;
        expect_idle(obs, e->begun ? &e->last.obs : NULL);
    }
}

static bool is_over(expected_sm *e)
{
    return e->family ? !stimulus_next(&e->source, &(feedback){.limits = NULL}) : !trace_next(e->reader, &w.err);
}

/* Plays all of it, every SM under a limit of its own that changes at random; without a seed nobody has one. The number of
 * cycles. */
static unsigned play_against(expected_sm *expected, const stimulus *s, unsigned num_sms, uint64_t seed)
{
    uint8_t limits[STRIDE * MOST_SMS] = {0};
    const sm_obs *const *obs;
    unsigned cycles = 0;
    uint64_t moves = 0;

    for (; (obs = s->next(s->self, &(feedback){.limits = limits, .stride = STRIDE})); cycles++) {
        assert_true(cycles < MOST_CYCLES);
        assert_int_equal(s->cycle(s->self), cycles);
        for (unsigned i = 0; i < num_sms; i++)
            expect_cycle(&expected[i], cycles, limits[(size_t)i * STRIDE], obs[i]);
        for (unsigned i = 0; seed && i < sizeof limits; i++)
            if (random_next(&seed) % 25 == 0)
                limits[i] = (uint8_t)(random_next(&seed) % (FAMILY_NMAX + 2));
    }
    for (unsigned i = 0; i < 3; i++)
        assert_null(next(s)); /* and stays there */
    assert_string_equal(s->error(s->self), "");
    for (unsigned i = 0; i < num_sms; i++) {
        assert_true(is_over(&expected[i]));
        moves += expected[i].family ? family_moves(expected[i].family) : 0;
        family_close(expected[i].family);
        trace_close(expected[i].reader);
    }
    assert_true(!seed || moves >= UINT64_C(4) * num_sms);
    return cycles;
}

/* ---- open loop ------------------------------------------------------------------------- */

static expected_sm expect_stream(const char *path, unsigned index, unsigned delay)
{
    expected_sm e = {.reader = trace_open(path, NULL, &w.err)};
    uint64_t first = UINT64_MAX;

    must(e.reader);
    for (unsigned i = 0; i < trace_num_sms(e.reader); i++)
        if (trace_get_sm(e.reader, i)->first_cycle < first)
            first = trace_get_sm(e.reader, i)->first_cycle;
    e.begins = trace_get_sm(e.reader, index)->first_cycle - first + delay;
    must(trace_select_sm(e.reader, trace_get_sm(e.reader, index)->sm, &w.err));
    return e;
}

/* From the start, and from anywhere back to it. */
static void expect_replay(const char *path, unsigned recorded, unsigned num_sms, unsigned skew, unsigned cycles)
{
    const unsigned stops[] = {0, 12, cycles + 1};
    const stimulus s = open_recording(path, num_sms, skew);
    expected_sm expected[MOST_SMS];

    print_message("%u of %u SMs, %u cycles apart\n", num_sms, recorded, skew);
    for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++) {
        for (unsigned cycle = 0; cycle < stops[i]; cycle++)
            next(&s);
        assert_true(s.rewind(s.self));
        for (unsigned sm = 0; sm < num_sms; sm++)
            expected[sm] = expect_stream(path, sm % recorded, sm / recorded * skew);
        assert_int_equal(play_against(expected, &s, num_sms, 0), cycles);
        assert_true(s.rewind(s.self));
    }
}

CHIP_TEST(every_sm_plays_its_stream_with_its_delay)
{
    /* Streams that begin in different cycles stay as far apart as recorded; their numbers may have gaps. */
    static const stream_plan together[MOST_STREAMS] = {{0, 0, 60}, {1, 0, 90}, {2, 0, 75}},
                             apart[MOST_STREAMS] = {{2, 30, 40}, {5, 12, 90}, {7, 47, 60}};
    static const struct {
        const stream_plan *streams;
        unsigned recorded, sms, skew, cycles; /* cycles: until the last SM has finished */
    } cases[] = {
        {together, 1, 1, 0, 60}, {together, 1, 1, 50, 60}, {together, 1, 4, 5, 75}, {together, 1, 3, 100, 260},
        {together, 1, 3, 0, 60}, {together, 2, 2, 13, 90}, {together, 2, 15, 13, 90 + 6 * 13}, {together, 2, 15, 1, 90 + 6},
        {together, 2, 3, 40, 100}, {together, 3, 2, 4, 90}, {together, 3, 3, 4, 90}, {together, 3, 7, 0, 90},
        {together, 3, 8, 11, 90 + 2 * 11}, {apart, 3, 8, 9, 90 + 2 * 9},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_recording(cases[i].streams, cases[i].recorded);
        expect_replay(w.path[0], cases[i].recorded, cases[i].sms, cases[i].skew, cases[i].cycles);
        assert_string_equal(chip_meta(w.chip)->kernel, "made up");
    }
}

CHIP_TEST(a_real_recording_plays_on_a_full_chip)
{
    expect_replay("vectors/hotspot.n2.blt", 2, 15, 13, 32381);
    assert_string_equal(chip_meta(w.chip)->kernel, "hotspot");
}

/* The same, said without a reader. */
CHIP_TEST(who_plays_what_and_when)
{
    static const stream_plan streams[] = {{0, 0, 50}, {1, 0, 50}};
    static const unsigned offsets[] = {14, 14, 7, 7, 0};
    const sm_obs *const *obs;
    stimulus s;

    write_recording(streams, 2);
    s = open_recording(w.path[0], 5, 7);
    for (unsigned cycle = 0; cycle <= 14; cycle++)
        obs = next(&s);
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(sm_of(obs[i]), i % 2);
        assert_int_equal(offset_of(obs[i]), offsets[i]);
        assert_int_equal(obs[i]->kernel_start, offsets[i] == 0);
    }
}

CHIP_TEST(streams_may_begin_together)
{
    static const stream_plan streams[] = {{0, 30, 40}, {1, 12, 90}};
    stimulus s;

    write_recording(streams, 2);
    s = open_recording(w.path[0], 4, 0);
    chip_begin_together(w.chip);
    for (unsigned cycle = 0; cycle < 40; cycle++) {
        const sm_obs *const *obs = next(&s);

        for (unsigned i = 0; i < 4; i++) {
            assert_int_equal(sm_of(obs[i]), i % 2);
            assert_int_equal(offset_of(obs[i]), cycle);
        }
    }
}

/* ---- a family ---------------------------------------------------------------------------- */

/* One SM of the chip: a family replay of its own that begins later. */
static expected_sm expect_family(unsigned sm, unsigned begins)
{
    expected_sm e = {.begins = begins};
    family_options own = w.options;

    own.sm = sm;
    e.family = family_open(w.family, FAMILY_NMAX, &own, &w.err);
    must(e.family);
    e.source = family_stimulus(e.family);
    return e;
}

CHIP_TEST(every_sm_moves_by_its_own_limit)
{
    static const struct {
        unsigned recorded[2], sms, skew;
    } cases[] = {{{0, 1}, 1, 0}, {{0, 1}, 2, 9}, {{0, 1}, 5, 9}, {{0, 1}, 15, 13}, {{0, 1}, 4, 0}, {{0, 1}, 3, 700},
                 {{3, 6}, 5, 4}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expected_sm expected[MOST_SMS];
        stimulus s;

        print_message("case %zu\n", i);
        write_family(cases[i].recorded, 2);
        s = open_family(cases[i].sms, cases[i].skew);
        for (uint64_t seed = 1; seed <= 4; seed++) {
            for (unsigned cycle = 0; cycle < 40 * (seed - 1); cycle++) /* from anywhere */
                next(&s);
            assert_true(s.rewind(s.self));
            for (unsigned sm = 0; sm < cases[i].sms; sm++)
                expected[sm] = expect_family(cases[i].recorded[sm % 2], sm / 2 * cases[i].skew);
            play_against(expected, &s, cases[i].sms, seed * 7919);
            assert_true(s.rewind(s.self));
        }
        assert_int_equal(chip_meta(w.chip)->config_limit, FAMILY_NMAX);
    }
}

/* Of more SMs than families can play at once, the others follow, their own limits unheeded. */
CHIP_TEST(a_large_chip_follows_its_first_sms)
{
    enum { SKEW = 3, LAG = CHIP_FAMILIES / 2 * SKEW, MORE = CHIP_FAMILIES + 5, SOME = 400 };
    static sm_kept played[SOME][MORE];
    const stimulus s = open_family(MORE, SKEW);
    uint8_t limits[MORE] = {0};
    uint64_t seed = 7919;
    unsigned cycle = 0;
    const sm_obs *const *obs;

    for (; (obs = s.next(s.self, &(feedback){.limits = limits, .stride = 1})) && cycle < SOME; cycle++)
        for (unsigned i = 0; i < MORE; i++) {
            sm_keep(&played[cycle][i], obs[i]);
            if (i < CHIP_FAMILIES)
                assert_true(obs[i]->cta_active == 0 || sm_of(obs[i]) == i % 2);
            else if (cycle >= LAG)
                assert_true(sm_obs_equal(obs[i], &played[cycle - LAG][i - CHIP_FAMILIES].obs));
            else
                expect_idle(obs[i], NULL);
            if (random_next(&seed) % 25 == 0)
                limits[i] = (uint8_t)(1 + random_next(&seed) % FAMILY_NMAX);
        }
    assert_int_equal(cycle, SOME);
}

CHIP_TEST(without_a_controller_nobody_is_throttled)
{
    const stimulus s = open_family(3, 5);
    const sm_obs *const *obs;
    unsigned cycles = 0;

    while ((obs = next(&s)) && ++cycles)
        for (unsigned i = 0; i < 3; i++)
            assert_true(obs[i]->cta_active == 0 || limit_of(obs[i]) == FAMILY_NMAX);
    assert_true(cycles > 3 * FAMILY_WAVE);
}

/* ---- what cannot be played ------------------------------------------------------------------ */

static void expect_refusal(const chip_player *chip, const char *what)
{
    assert_null(chip);
    assert_string_not_equal(w.err.text, "");
    assert_null(strpbrk(w.err.text, "\n\r"));
    if (!strstr(w.err.text, what))
        fail_msg("'%s' is not in: %s", what, w.err.text);
    w.err.text[0] = '\0';
}

static const stream_plan short_streams[] = {{0, 0, 30}, {1, 0, 30}};

static void expect_no_family(unsigned num_paths, const char *what)
{
    expect_refusal(chip_open_family(w.family, num_paths, &w.options, 4, 0, &w.err), what);
}

CHIP_TEST(what_cannot_be_played_is_said_in_one_line)
{
    static const struct {
        unsigned sms, skew;
        const char *what;
    } cases[] = {{0, 0, "0 SMs"}, {CHIP_MAX_SMS + 1, 0, "257 SMs"}, {4, CHIP_MAX_SKEW + 1, "100001 cycles"}};

    write_recording(short_streams, 1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_refusal(chip_open(w.path[0], cases[i].sms, cases[i].skew, &w.err), cases[i].what);
        expect_refusal(chip_open_family(w.family, FAMILY_NMAX, &w.options, cases[i].sms, cases[i].skew, &w.err), cases[i].what);
    }
    expect_refusal(chip_open("none.blt", 4, 0, &w.err), "none.blt");
    scratch_spew(w.path[0], "not a recording\n");
    expect_refusal(chip_open(w.path[0], 4, 0, &w.err), w.path[0]);
    expect_no_family(0, "no recordings");
    expect_no_family(2, "limit 3");
    w.options.launch = 1;
    expect_no_family(FAMILY_NMAX, "launch number 2");
    w.options.launch = 0;
    remove(w.path[2]);
    expect_no_family(FAMILY_NMAX, w.path[2]);
}

/* As large as it may be, and as far apart. */
CHIP_TEST(the_largest_chip_plays)
{
    const sm_obs *const *obs;
    stimulus s;

    write_recording(short_streams, 2);
    s = open_recording(w.path[0], CHIP_MAX_SMS, 3);
    for (unsigned cycle = 0; cycle < 127 * 3 + 1; cycle++)
        obs = next(&s);
    assert_int_equal(sm_of(obs[CHIP_MAX_SMS - 1]), 1);
    assert_int_equal(obs[CHIP_MAX_SMS - 1]->kernel_start, 1);
    s = open_recording(w.path[0], 3, CHIP_MAX_SKEW);
    for (unsigned cycle = 0; cycle < CHIP_MAX_SKEW; cycle++)
        expect_idle(next(&s)[2], NULL);
    assert_int_equal(next(&s)[2]->kernel_start, 1);
}

CHIP_TEST(damage_ends_the_replay)
{
    static const stream_plan streams[] = {{0, 0, 30000}, {1, 0, 30000}};
    unsigned cycles;
    stimulus s;

    write_recording(streams, 2);
    scratch_damage(w.path[0], 400); /* near the end of SM 1's last frame */
    s = open_recording(w.path[0], 4, 5);
    for (unsigned pass = 0; pass < 2; pass++) {
        assert_true(s.rewind(s.self));
        assert_string_equal(s.error(s.self), "");
        for (cycles = 0; next(&s); cycles++)
            assert_true(cycles < 30000);
        assert_true(cycles > 10000);
        assert_non_null(strstr(s.error(s.self), w.path[0]));
        assert_null(strpbrk(s.error(s.self), "\n\r"));
    }
}
