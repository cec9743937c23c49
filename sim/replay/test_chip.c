/* SPDX-License-Identifier: Apache-2.0
 *
 * The SMs of a chip, from made-up recordings whose every cycle says which it is, and from a real
 * one. What has to come is said by other players: the recording's own reader, and a family
 * replay of one SM.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/random.h"
#include "engine/test.h"
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

typedef struct world {
    char dir[400];
    char path[FAMILY_NMAX + 1][PATH]; /* [0] for open loop, then the family by limit */
    const char *family[FAMILY_NMAX];
    family_options options;
    chip_player *chip;
    trace_err err;
} world;

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

static trace_writer *open_writer(world *w, const char *path, unsigned limit, trace_launch *launch)
{
    const trace_meta meta = {
        .geometry = {.warps = WARPS, .slots = SLOTS, .sms = GEOMETRY_SMS, .issue_width = 1},
        .kernel = "made up", .config_limit = (uint8_t)limit, .num_launches = 1, .launches = launch,
    };
    trace_writer *writer;

    *launch = (trace_launch){.name = "k", .limit = (uint8_t)limit, .start_cycle = START,
                             .desc = {.grid_ctas = 90, .threads_per_cta = 32, .warps_per_cta = 1, .nmax = FAMILY_NMAX}};
    writer = trace_writer_open(path, &meta, &w->err);
    if (!writer)
        fail_msg("%s", w->err.text);
    return writer;
}

static void write_cycle(world *w, trace_writer *writer, unsigned sm, uint64_t cycle, sm_obs *obs,
                        const trace_launch *launch)
{
    sm_setup setup = {.kernel = launch->desc};

    obs->setup = &setup;
    obs->kernel_start = cycle == START;
    for (unsigned warp = 0; warp < WARPS; warp++)
        setup.warp_slot[warp] = (uint8_t)(warp % SLOTS);
    if (offset_of(obs)) /* since the first CTA started, in slot 0 */
        setup.warp_slot[WARPS - 1] = 0;
    if (!trace_writer_cycle(writer, sm, cycle, obs, TRACE_NO_CLASS, &w->err))
        fail_msg("%s", w->err.text);
}

static void close_writer(world *w, trace_writer *writer)
{
    if (!trace_writer_close(writer, &w->err))
        fail_msg("%s", w->err.text);
}

/* Open loop: one CTA from the second cycle to the end. */
static void write_recording(world *w, const stream_plan *streams, unsigned num)
{
    trace_launch launch;
    trace_writer *writer = open_writer(w, w->path[0], FAMILY_NMAX, &launch);

    for (unsigned s = 0; s < num; s++)
        for (unsigned i = 0; i < streams[s].cycles; i++) {
            sm_obs obs = {.cta_active = i > 0, .cta_start = i == 1, .cta_done = i == streams[s].cycles - 1};

            set_id(&obs, 0, streams[s].sm, i);
            sm_obs_set_warp_state(&obs, 0, i == 0 ? WARP_EMPTY : i % 3 ? WARP_WAIT_MEM : WARP_ISSUED_ALU);
            write_cycle(w, writer, streams[s].sm, START + streams[s].first + i, &obs, &launch);
        }
    close_writer(w, writer);
}

/* A member of a family: CTAs in waves of as many as the limit allows, each of which issues in
 * turns. The SMs differ in what they have to do. */
static void write_member(world *w, unsigned limit, const unsigned *sms, unsigned num_sms)
{
    trace_launch launch;
    trace_writer *writer = open_writer(w, w->path[limit], limit, &launch);

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
                    sm_obs_set_warp_state(&obs, at % FAMILY_NMAX, WARP_ISSUED_ALU);
                set_id(&obs, limit, sms[s], offset++);
                write_cycle(w, writer, sms[s], cycle++, &obs, &launch);
            }
        }
    }
    close_writer(w, writer);
}

static void write_family(world *w, const unsigned *sms, unsigned num_sms)
{
    for (unsigned limit = 1; limit <= FAMILY_NMAX; limit++)
        write_member(w, limit, sms, num_sms);
}

/* ---- a chip ---------------------------------------------------------------------------- */

static int set_up(void **state)
{
    static const unsigned sms[] = {0, 1};
    static world w;

    memset(&w, 0, sizeof w);
    scratch_make(w.dir, sizeof w.dir);
    for (unsigned limit = 0; limit <= FAMILY_NMAX; limit++) {
        snprintf(w.path[limit], PATH, "%s/k.n%u.blt", w.dir, limit);
        if (limit)
            w.family[limit - 1] = w.path[limit];
    }
    write_family(&w, sms, 2);
    w.options = (family_options){.max_laps = 3};
    *state = &w;
    return 0;
}

static int tear_down(void **state)
{
    world *w = *state;

    chip_close(w->chip);
    return scratch_remove(w->dir);
}

static stimulus take(world *w, chip_player *chip)
{
    chip_close(w->chip);
    w->chip = chip;
    if (!chip)
        fail_msg("%s", w->err.text);
    return chip_stimulus(chip);
}

static stimulus open_recording(world *w, const char *path, unsigned num_sms, unsigned skew)
{
    return take(w, chip_open(path, num_sms, skew, &w->err));
}

static stimulus open_family(world *w, unsigned num_sms, unsigned skew)
{
    return take(w, chip_open_family(w->family, FAMILY_NMAX, &w->options, num_sms, skew, &w->err));
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

static void expect_over(const stimulus *s)
{
    for (unsigned i = 0; i < 3; i++)
        assert_null(next(s));
    assert_string_equal(s->error(s->self), "");
}

/* ---- open loop ------------------------------------------------------------------------- */

/* What SM `sm` of the chip has to be doing, from a reader of its own. */
typedef struct expected_sm {
    trace_reader *reader;
    sm_kept last;
    unsigned begins; /* cycle of the run */
    bool begun, ended;
} expected_sm;

static void expect_stream(expected_sm *e, const char *path, unsigned index, uint64_t origin, unsigned delay)
{
    trace_err err;

    *e = (expected_sm){.reader = trace_open(path, NULL, &err)};
    assert_non_null(e->reader);
    e->begins = (unsigned)(trace_get_sm(e->reader, index)->first_cycle - origin) + delay;
    assert_true(trace_select_sm(e->reader, trace_get_sm(e->reader, index)->sm, &err));
}

static void expect_cycle(expected_sm *e, uint64_t cycle, const sm_obs *obs)
{
    trace_err err = {.text = ""};
    const sm_obs *want = cycle >= e->begins && !e->ended ? trace_next(e->reader, &err) : NULL;

    assert_string_equal(err.text, "");
    if (want) {
        assert_true(sm_obs_equal(obs, want));
        sm_keep(&e->last, want);
        e->begun = true;
    } else {
        e->ended = e->begun;
        expect_idle(obs, e->begun ? &e->last.obs : NULL);
    }
}

static uint64_t first_cycle(const char *path)
{
    trace_err err;
    trace_reader *r = trace_open(path, NULL, &err);
    uint64_t first = UINT64_MAX;

    assert_non_null(r);
    for (unsigned i = 0; i < trace_num_sms(r); i++)
        if (trace_get_sm(r, i)->first_cycle < first)
            first = trace_get_sm(r, i)->first_cycle;
    trace_close(r);
    return first;
}

/* Plays all of it against the readers; the number of cycles. */
static uint64_t play_against_readers(const stimulus *s, const char *path, unsigned recorded, unsigned num_sms,
                                     unsigned skew)
{
    expected_sm expected[MOST_SMS];
    const sm_obs *const *obs;
    uint64_t cycles = 0;
    bool all_ended = true;

    for (unsigned i = 0; i < num_sms; i++)
        expect_stream(&expected[i], path, i % recorded, first_cycle(path), i / recorded * skew);
    while ((obs = next(s))) {
        assert_true(cycles < MOST_CYCLES);
        assert_int_equal(s->cycle(s->self), cycles);
        for (unsigned i = 0; i < num_sms; i++)
            expect_cycle(&expected[i], cycles, obs[i]);
        cycles++;
    }
    expect_over(s);
    for (unsigned i = 0; i < num_sms; i++) {
        trace_err err;

        all_ended &= trace_next(expected[i].reader, &err) == NULL;
        trace_close(expected[i].reader);
    }
    assert_true(all_ended);
    return cycles;
}

static void every_sm_plays_its_stream_with_its_delay(void **state)
{
    static const stream_plan streams[MOST_STREAMS] = {{0, 0, 60}, {1, 0, 90}, {2, 0, 75}};
    static const struct {
        unsigned recorded, sms, skew;
        uint64_t cycles; /* until the last SM has finished */
    } cases[] = {
        {1, 1, 0, 60}, {1, 1, 50, 60}, {1, 4, 5, 75}, {1, 3, 100, 260}, {1, 3, 0, 60},
        {2, 2, 13, 90}, {2, 15, 13, 90 + 6 * 13}, {2, 15, 1, 90 + 6}, {2, 3, 40, 100},
        {3, 2, 4, 90}, {3, 3, 4, 90}, {3, 7, 0, 90}, {3, 8, 11, 90 + 2 * 11},
    };
    world *w = *state;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        stimulus s;

        write_recording(w, streams, cases[i].recorded);
        s = open_recording(w, w->path[0], cases[i].sms, cases[i].skew);
        assert_true(s.rewind(s.self));
        assert_int_equal(play_against_readers(&s, w->path[0], cases[i].recorded, cases[i].sms, cases[i].skew),
                         cases[i].cycles);
        assert_string_equal(chip_meta(w->chip)->kernel, "made up");
    }
}

/* The same, said without a reader. */
static void who_plays_what_and_when(void **state)
{
    static const stream_plan streams[] = {{0, 0, 50}, {1, 0, 50}};
    world *w = *state;
    const sm_obs *const *obs;
    stimulus s;

    write_recording(w, streams, 2);
    s = open_recording(w, w->path[0], 5, 7);
    for (unsigned cycle = 0; cycle <= 14; cycle++)
        obs = next(&s);
    assert_int_equal(sm_of(obs[0]), 0);
    assert_int_equal(sm_of(obs[1]), 1);
    assert_int_equal(sm_of(obs[2]), 0);
    assert_int_equal(sm_of(obs[3]), 1);
    assert_int_equal(offset_of(obs[0]), 14);
    assert_int_equal(offset_of(obs[1]), 14);
    assert_int_equal(offset_of(obs[2]), 7);
    assert_int_equal(offset_of(obs[3]), 7);
    assert_int_equal(offset_of(obs[4]), 0);
    assert_int_equal(obs[4]->kernel_start, 1);
    assert_int_equal(obs[3]->kernel_start, 0);
}

/* Streams that begin in different cycles stay as far apart as recorded; numbers with gaps. */
static void a_stream_begins_in_its_own_cycle(void **state)
{
    static const stream_plan streams[] = {{2, 30, 40}, {5, 12, 90}, {7, 47, 60}};
    world *w = *state;
    const sm_obs *const *obs;
    stimulus s;

    write_recording(w, streams, 3);
    s = open_recording(w, w->path[0], 8, 9);
    /* SM 7 plays the second stream, the first to begin, 2 * 9 cycles late. */
    assert_int_equal(play_against_readers(&s, w->path[0], 3, 8, 9), 90 + 2 * 9);
    assert_true(s.rewind(s.self));
    obs = next(&s);
    expect_idle(obs[0], NULL);
    assert_int_equal(sm_of(obs[1]), 5);
    assert_int_equal(offset_of(obs[1]), 0);
}

static void streams_may_begin_together(void **state)
{
    static const stream_plan streams[] = {{0, 30, 40}, {1, 12, 90}};
    world *w = *state;
    stimulus s;

    write_recording(w, streams, 2);
    s = open_recording(w, w->path[0], 4, 0);
    chip_begin_together(w->chip);
    for (unsigned cycle = 0; cycle < 40; cycle++) {
        const sm_obs *const *obs = next(&s);

        for (unsigned i = 0; i < 4; i++) {
            assert_int_equal(sm_of(obs[i]), i % 2);
            assert_int_equal(offset_of(obs[i]), cycle);
        }
    }
}

static void an_sm_is_empty_before_and_after(void **state)
{
    static const stream_plan streams[] = {{0, 0, 30}};
    world *w = *state;
    stimulus s;

    write_recording(w, streams, 1);
    s = open_recording(w, w->path[0], 3, 40);
    for (unsigned cycle = 0; cycle < 110; cycle++) {
        const sm_obs *const *obs = next(&s);

        assert_non_null(obs);
        for (unsigned i = 0; i < 3; i++) {
            const bool before = cycle < i * 40, after = cycle >= i * 40 + 30;

            assert_int_equal(obs[i]->cta_active != 0, !before && !after && cycle != i * 40);
            assert_int_equal(obs[i]->setup->kernel.nmax, before ? 0 : FAMILY_NMAX);
            if (before || after)
                assert_true(obs[i]->ws[0] == 0 && obs[i]->ws[1] == 0 && obs[i]->ws[2] == 0 && obs[i]->ws[3] == 0);
        }
    }
    expect_over(&s);
}

static void a_real_recording_plays_on_a_full_chip(void **state)
{
    const char *path = "vectors/hotspot.n2.blt";
    world *w = *state;
    const stimulus s = open_recording(w, path, 15, 13);

    assert_int_equal(play_against_readers(&s, path, 2, 15, 13), 32381);
    assert_string_equal(chip_meta(w->chip)->kernel, "hotspot");
}

/* ---- a family ---------------------------------------------------------------------------- */

/* One SM of the chip: a family replay of its own that begins later. */
typedef struct expected_family {
    family *family;
    stimulus source;
    sm_kept last;
    unsigned begins;
    bool begun, ended;
} expected_family;

static void expect_family(world *w, expected_family *e, unsigned sm, unsigned begins)
{
    family_options own = w->options;

    own.sm = sm;
    *e = (expected_family){.family = family_open(w->family, FAMILY_NMAX, &own, &w->err), .begins = begins};
    if (!e->family)
        fail_msg("%s", w->err.text);
    e->source = family_stimulus(e->family);
}

static void expect_family_cycle(expected_family *e, uint64_t cycle, uint8_t limit, const sm_obs *obs)
{
    const sm_obs *want = cycle >= e->begins && !e->ended ? stimulus_next(&e->source, &(feedback){.limits = &limit}) : NULL;

    if (want) {
        assert_true(sm_obs_equal(obs, want));
        sm_keep(&e->last, want);
        e->begun = true;
    } else {
        e->ended = e->begun;
        expect_idle(obs, e->begun ? &e->last.obs : NULL);
    }
}

/* Every SM under limits of its own that change at random. */
static void play_family_at_random(world *w, const stimulus *s, const unsigned *sms, unsigned num_sms, unsigned skew,
                                  uint64_t seed)
{
    uint8_t limits[STRIDE * MOST_SMS] = {0};
    expected_family expected[MOST_SMS];
    const sm_obs *const *obs;
    uint64_t cycle = 0, moves = 0;

    for (unsigned i = 0; i < num_sms; i++)
        expect_family(w, &expected[i], sms[i % 2], i / 2 * skew);
    while ((obs = s->next(s->self, &(feedback){.limits = limits, .stride = STRIDE}))) {
        assert_true(cycle < MOST_CYCLES);
        for (unsigned i = 0; i < num_sms; i++)
            expect_family_cycle(&expected[i], cycle, limits[(size_t)i * STRIDE], obs[i]);
        for (unsigned i = 0; i < sizeof limits; i++)
            if (random_next(&seed) % 25 == 0)
                limits[i] = (uint8_t)(random_next(&seed) % (FAMILY_NMAX + 2));
        cycle++;
    }
    assert_string_equal(s->error(s->self), "");
    for (unsigned i = 0; i < num_sms; i++) {
        assert_null(stimulus_next(&expected[i].source, &(feedback){.limits = NULL}));
        moves += family_moves(expected[i].family);
        family_close(expected[i].family);
    }
    assert_true(moves >= UINT64_C(4) * num_sms);
}

static void every_sm_moves_by_its_own_limit(void **state)
{
    static const unsigned sms[] = {0, 1};
    static const struct { unsigned sms, skew; } cases[] = {{1, 0}, {2, 9}, {5, 9}, {15, 13}, {4, 0}, {3, 700}};
    world *w = *state;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const stimulus s = open_family(w, cases[i].sms, cases[i].skew);

        for (uint64_t seed = 1; seed <= 4; seed++) {
            assert_true(s.rewind(s.self));
            play_family_at_random(w, &s, sms, cases[i].sms, cases[i].skew, seed * 7919);
        }
        assert_int_equal(chip_meta(w->chip)->config_limit, FAMILY_NMAX);
    }
}

/* Recorded SMs that are not called 0 and 1. */
static void a_family_of_other_sms_plays_them(void **state)
{
    static const unsigned sms[] = {3, 6};
    world *w = *state;
    stimulus s;

    write_family(w, sms, 2);
    s = open_family(w, 5, 4);
    assert_true(s.rewind(s.self));
    play_family_at_random(w, &s, sms, 5, 4, 7919);
}

/* SM 2's limit falls, nobody else's. */
static void a_limit_moves_its_sm_only(void **state)
{
    uint8_t limits[4] = {FAMILY_NMAX, FAMILY_NMAX, FAMILY_NMAX, FAMILY_NMAX};
    world *w = *state;
    const stimulus s = open_family(w, 4, 0);
    const sm_obs *const *obs;

    for (unsigned cycle = 0; cycle < 10; cycle++)
        assert_non_null(s.next(s.self, &(feedback){.limits = limits, .stride = 1}));
    limits[2] = 1;
    obs = s.next(s.self, &(feedback){.limits = limits, .stride = 1});
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(limit_of(obs[i]), i == 2 ? 1 : FAMILY_NMAX);
}

/* Of more SMs than families can play at once, the others follow, their own limits unheeded. */
static void a_large_chip_follows_its_first_sms(void **state)
{
    enum { SKEW = 3, LAG = CHIP_FAMILIES / 2 * SKEW, MORE = CHIP_FAMILIES + 5, SOME = 400 };
    static sm_kept played[SOME][MORE];
    world *w = *state;
    const stimulus s = open_family(w, MORE, SKEW);
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

static void without_a_controller_nobody_is_throttled(void **state)
{
    world *w = *state;
    const stimulus s = open_family(w, 3, 5);
    const sm_obs *const *obs;
    unsigned cycles = 0;

    while ((obs = next(&s)) && ++cycles)
        for (unsigned i = 0; i < 3; i++)
            assert_true(obs[i]->cta_active == 0 || limit_of(obs[i]) == FAMILY_NMAX);
    assert_true(cycles > 3 * FAMILY_WAVE);
}

/* ---- back to the start --------------------------------------------------------------------- */

static void expect_same_again(const stimulus *s, unsigned num_sms, unsigned stop_after)
{
    enum { SOME = 260 };
    static sm_kept first[SOME][MOST_SMS];
    uint8_t limits[MOST_SMS];

    for (unsigned pass = 0; pass < 3; pass++) {
        const unsigned cycles = pass == 1 ? stop_after : SOME; /* from anywhere */

        assert_true(s->rewind(s->self));
        for (unsigned cycle = 0; cycle < cycles; cycle++) {
            const sm_obs *const *obs;

            for (unsigned i = 0; i < num_sms; i++)
                limits[i] = (uint8_t)(1 + (cycle / 30 + i) % FAMILY_NMAX);
            obs = s->next(s->self, &(feedback){.limits = limits, .stride = 1});
            assert_non_null(obs);
            assert_int_equal(s->cycle(s->self), cycle);
            for (unsigned i = 0; i < num_sms; i++)
                if (pass == 0)
                    sm_keep(&first[cycle][i], obs[i]);
                else
                    assert_true(sm_obs_equal(obs[i], &first[cycle][i].obs));
        }
    }
}

static void rewound_it_plays_the_same_again(void **state)
{
    static const stream_plan streams[] = {{0, 0, 200}, {1, 10, 180}};
    static const unsigned stops[] = {0, 1, 12, 150, 250};
    world *w = *state;

    write_recording(w, streams, 2);
    for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++) {
        stimulus s = open_recording(w, w->path[0], 9, 20);

        expect_same_again(&s, 9, stops[i]);
        s = open_family(w, 6, 11);
        expect_same_again(&s, 6, stops[i]);
    }
}

static void rewound_after_its_end_it_plays_again(void **state)
{
    static const stream_plan streams[] = {{0, 0, 30}, {1, 0, 40}};
    world *w = *state;
    stimulus s;

    write_recording(w, streams, 2);
    s = open_recording(w, w->path[0], 7, 6);
    for (unsigned pass = 0; pass < 3; pass++) {
        assert_true(s.rewind(s.self));
        assert_int_equal(play_against_readers(&s, w->path[0], 2, 7, 6), 52);
    }
}

/* ---- what cannot be played ------------------------------------------------------------------ */

static void expect_refusal(world *w, chip_player *chip, const char *what)
{
    assert_null(chip);
    assert_string_not_equal(w->err.text, "");
    assert_null(strpbrk(w->err.text, "\n\r"));
    if (!strstr(w->err.text, what))
        fail_msg("'%s' is not in: %s", what, w->err.text);
    w->err.text[0] = '\0';
}

static void what_cannot_be_played_is_said_in_one_line(void **state)
{
    static const stream_plan streams[] = {{0, 0, 30}};
    world *w = *state;
    FILE *f;

    write_recording(w, streams, 1);
    expect_refusal(w, chip_open("none.blt", 4, 0, &w->err), "none.blt");
    expect_refusal(w, chip_open(w->path[0], 0, 0, &w->err), "0 SMs");
    expect_refusal(w, chip_open(w->path[0], CHIP_MAX_SMS + 1, 0, &w->err), "257 SMs");
    expect_refusal(w, chip_open(w->path[0], 4, CHIP_MAX_SKEW + 1, &w->err), "100001 cycles");
    f = fopen(w->path[0], "w");
    assert_non_null(f);
    fputs("not a recording\n", f);
    fclose(f);
    expect_refusal(w, chip_open(w->path[0], 4, 0, &w->err), w->path[0]);
}

static void what_is_no_family_is_said_in_one_line(void **state)
{
    world *w = *state;

    expect_refusal(w, chip_open_family(w->family, 0, &w->options, 4, 0, &w->err), "no recordings");
    expect_refusal(w, chip_open_family(w->family, 2, &w->options, 4, 0, &w->err), "limit 3");
    expect_refusal(w, chip_open_family(w->family, FAMILY_NMAX, &w->options, CHIP_MAX_SMS + 1, 0, &w->err), "257 SMs");
    expect_refusal(w, chip_open_family(w->family, FAMILY_NMAX, &w->options, 4, CHIP_MAX_SKEW + 1, &w->err),
                   "100001 cycles");
    w->options.launch = 1;
    expect_refusal(w, chip_open_family(w->family, FAMILY_NMAX, &w->options, 4, 0, &w->err), "launch number 2");
    w->options.launch = 0;
    remove(w->path[2]);
    expect_refusal(w, chip_open_family(w->family, FAMILY_NMAX, &w->options, 4, 0, &w->err), w->path[2]);
}

/* As large as it may be, and as far apart. */
static void the_largest_chip_plays(void **state)
{
    static const stream_plan streams[] = {{0, 0, 30}, {1, 0, 30}};
    world *w = *state;
    const sm_obs *const *obs;
    stimulus s;

    write_recording(w, streams, 2);
    s = open_recording(w, w->path[0], CHIP_MAX_SMS, 3);
    for (unsigned cycle = 0; cycle < 127 * 3 + 1; cycle++)
        obs = next(&s);
    assert_int_equal(sm_of(obs[CHIP_MAX_SMS - 1]), 1);
    assert_int_equal(obs[CHIP_MAX_SMS - 1]->kernel_start, 1);
    s = open_recording(w, w->path[0], 3, CHIP_MAX_SKEW);
    for (unsigned cycle = 0; cycle < CHIP_MAX_SKEW; cycle++)
        expect_idle(next(&s)[2], NULL);
    assert_int_equal(next(&s)[2]->kernel_start, 1);
}

static void damage_ends_the_replay(void **state)
{
    static const stream_plan streams[] = {{0, 0, 30000}, {1, 0, 30000}};
    world *w = *state;
    unsigned cycles = 0;
    stimulus s;
    FILE *f;

    write_recording(w, streams, 2);
    f = fopen(w->path[0], "r+b");
    assert_non_null(f);
    /* Near the end of SM 1's last frame. */
    assert_int_equal(fseek(f, -400, SEEK_END), 0);
    fputs("\x55\xaa\x55", f);
    fclose(f);
    s = open_recording(w, w->path[0], 4, 5);
    for (unsigned pass = 0; pass < 2; pass++) {
        assert_true(s.rewind(s.self));
        assert_string_equal(s.error(s.self), "");
        for (cycles = 0; next(&s); cycles++)
            assert_true(cycles < 30000);
        assert_true(cycles > 10000);
        assert_non_null(strstr(s.error(s.self), w->path[0]));
        assert_null(strpbrk(s.error(s.self), "\n\r"));
    }
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_sm_plays_its_stream_with_its_delay),
        TEST(who_plays_what_and_when),
        TEST(a_stream_begins_in_its_own_cycle),
        TEST(streams_may_begin_together),
        TEST(an_sm_is_empty_before_and_after),
        TEST(a_real_recording_plays_on_a_full_chip),
        TEST(every_sm_moves_by_its_own_limit),
        TEST(a_family_of_other_sms_plays_them),
        TEST(a_limit_moves_its_sm_only),
        TEST(a_large_chip_follows_its_first_sms),
        TEST(without_a_controller_nobody_is_throttled),
        TEST(rewound_it_plays_the_same_again),
        TEST(rewound_after_its_end_it_plays_again),
        TEST(what_cannot_be_played_is_said_in_one_line),
        TEST(what_is_no_family_is_said_in_one_line),
        TEST(the_largest_chip_plays),
        TEST(damage_ends_the_replay),
    };

    return cmocka_run_group_tests_name("chip player", tests, NULL, NULL);
}
