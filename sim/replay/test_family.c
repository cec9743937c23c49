/* SPDX-License-Identifier: Apache-2.0
 *
 * Family replay on made-up recordings whose every cycle says which it is, and on one real
 * family with the blocks in charge.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/random.h"
#include "engine/test.h"
#include "replay/family.h"
#include "replay/scratch_fixture.h"
#include "replay/session.h"

enum {
    NMAX = 4, WARPS = 48, SLOTS = 8, LAUNCHES = 2, SMS = 2,
    START = 10,     /* cycle of the first launch                             */
    LEAD = 3,       /* empty cycles at the start of a launch, kernel_start's included */
    WAVE = 48,      /* cycles that a CTA lives                               */
    GAP = 2,        /* empty cycles between two waves of CTAs                */
    TAIL = 5,       /* empty cycles at the end                               */
    CTAS = 12,      /* of one launch on one SM                               */
    MAX_CYCLES = LEAD + CTAS * (WAVE + GAP) + TAIL,
    PATH = 600, ANY = 99
};

/* One launch of one SM of a member: what happens in it and how far it has got by the end of
 * each cycle. */
typedef struct launch_shape {
    unsigned cycles;
    sm_obs obs[MAX_CYCLES];
    uint64_t instructions[MAX_CYCLES], ctas[MAX_CYCLES];
} launch_shape;

/* A recording to make; zeroes stand for the usual. */
typedef struct member_plan {
    unsigned limit;
    unsigned nmax, launches, slots; /* 0: NMAX, LAUNCHES, SLOTS                 */
    const char *kernel;             /* NULL: "k"; launches are called k0, k1 .. */
    unsigned ctas;                  /* on this SM: 0: CTAS, ANY: none           */
    unsigned idle_cycles;           /* of a launch without CTAs                 */
    unsigned only_launches;         /* 0: all; the SM's stream ends after so many */
} member_plan;

typedef struct world {
    char dir[400];
    char path[NMAX + 2][PATH]; /* by limit */
    const char *paths[NMAX + 2];
    unsigned num_paths;
    launch_shape shape[NMAX + 2]; /* of any launch, by limit */
    family_options options;
    family *family;
    trace_err err;
} world;

/* ---- recordings ------------------------------------------------------------------------ */

static void set_id(sm_obs *obs, unsigned limit, unsigned offset)
{
    obs->paused = (uint64_t)limit << 32 | offset;
}

static unsigned limit_of(const sm_obs *obs)
{
    return (unsigned)(obs->paused >> 32);
}

static unsigned offset_of(const sm_obs *obs)
{
    return (unsigned)(obs->paused & UINT32_MAX);
}

/* Cycle `at` of a wave of `n` CTAs: all start together, issue in turns and end together. */
static void wave_cycle(sm_obs *obs, unsigned n, unsigned at)
{
    const uint32_t slots = (UINT32_C(1) << n) - 1;

    obs->cta_active = slots;
    obs->cta_start = at == 0 ? slots : 0;
    obs->cta_done = at == WAVE - 1 ? slots : 0;
    for (unsigned w = 0; w < n; w++)
        sm_obs_set_warp_state(obs, w, WARP_WAIT_MEM);
    /* Nobody issues in a wave's first cycles: progress stands still for a while. */
    if (at >= NMAX && at % NMAX < n)
        sm_obs_set_warp_state(obs, at % NMAX, WARP_ISSUED_ALU);
}

static void add_cycle(launch_shape *l, unsigned limit, unsigned n, unsigned at)
{
    const unsigned i = l->cycles++;
    sm_obs *obs = &l->obs[i];

    assert_true(i < MAX_CYCLES);
    memset(obs, 0, sizeof *obs);
    obs->kernel_start = i == 0;
    if (n)
        wave_cycle(obs, n, at);
    set_id(obs, limit, i);
    l->instructions[i] = (i ? l->instructions[i - 1] : 0) + (sm_obs_issued(obs) != 0);
    l->ctas[i] = (i ? l->ctas[i - 1] : 0) + (n && at == WAVE - 1 ? n : 0);
}

static void make_shape(launch_shape *l, const member_plan *plan)
{
    unsigned left = plan->ctas == ANY ? 0 : plan->ctas ? plan->ctas : CTAS;

    l->cycles = 0;
    for (unsigned i = 0; i < (plan->ctas == ANY ? plan->idle_cycles : LEAD); i++)
        add_cycle(l, plan->limit, 0, 0);
    while (left > 0) {
        const unsigned n = left < plan->limit ? left : plan->limit;

        for (unsigned at = 0; at < WAVE; at++)
            add_cycle(l, plan->limit, n, at);
        left -= n;
        for (unsigned i = 0; i < (left ? GAP : TAIL); i++)
            add_cycle(l, plan->limit, 0, 0);
    }
}

static trace_meta make_meta(const member_plan *plan, trace_launch *launches, unsigned cycles)
{
    const unsigned nmax = plan->nmax ? plan->nmax : NMAX;
    trace_meta meta = {
        .geometry = {.warps = WARPS, .slots = (uint16_t)(plan->slots ? plan->slots : SLOTS), .sms = SMS, .issue_width = 1},
        .kernel = "made up",
        .config_limit = (uint8_t)plan->limit,
        .num_launches = (uint16_t)(plan->launches ? plan->launches : LAUNCHES),
        .launches = launches,
    };

    for (unsigned i = 0; i < meta.num_launches; i++) {
        launches[i] = (trace_launch){.desc = {.grid_ctas = 60 + i, .threads_per_cta = 32, .warps_per_cta = 1, .nmax = (uint8_t)nmax},
                                     .limit = (uint8_t)(plan->limit < nmax ? plan->limit : nmax),
                                     .start_cycle = START + (uint64_t)i * cycles};
        snprintf(launches[i].name, sizeof launches[i].name, "%s%u", plan->kernel ? plan->kernel : "k", i);
    }
    return meta;
}

static void write_launch(trace_writer *w, const trace_launch *launch, const launch_shape *shape)
{
    sm_setup setup = {.kernel = launch->desc};
    trace_err err;

    for (unsigned warp = 0; warp < WARPS; warp++)
        setup.warp_slot[warp] = (uint8_t)(warp % SLOTS);
    for (unsigned sm = 0; sm < SMS; sm++)
        for (unsigned i = 0; i < shape->cycles; i++) {
            sm_obs obs = shape->obs[i];

            obs.setup = &setup;
            if (!trace_writer_cycle(w, sm, launch->start_cycle + i, &obs, TRACE_NO_CLASS, &err))
                fail_msg("%s", err.text);
        }
}

static void write_member(world *w, const member_plan *plan, const char *path)
{
    trace_launch launches[8];
    launch_shape *shape = &w->shape[plan->limit];
    trace_writer *writer;
    trace_meta meta;

    make_shape(shape, plan);
    meta = make_meta(plan, launches, shape->cycles);
    writer = trace_writer_open(path, &meta, &w->err);
    if (!writer)
        fail_msg("%s", w->err.text);
    for (unsigned i = 0; i < (plan->only_launches ? plan->only_launches : meta.num_launches); i++)
        write_launch(writer, &launches[i], shape);
    if (!trace_writer_close(writer, &w->err))
        fail_msg("%s", w->err.text);
}

static void write_plan(world *w, const member_plan *plan)
{
    write_member(w, plan, w->path[plan->limit]);
}

/* ---- a family ----------------------------------------------------------------------------- */

static int set_up(void **state)
{
    static world w;

    memset(&w, 0, sizeof w);
    scratch_make(w.dir, sizeof w.dir);
    for (unsigned limit = 1; limit <= NMAX; limit++) {
        const member_plan plan = {.limit = limit};

        snprintf(w.path[limit], PATH, "%s/k.n%u.blt", w.dir, limit);
        write_plan(&w, &plan);
        w.paths[w.num_paths++] = w.path[limit];
    }
    w.options = (family_options){.max_laps = 3};
    *state = &w;
    return 0;
}

static int tear_down(void **state)
{
    world *w = *state;

    family_close(w->family);
    return scratch_remove(w->dir);
}

static const sm_obs *play(const stimulus *s, unsigned limit, bool converged)
{
    const uint8_t limits[] = {(uint8_t)limit};

    return stimulus_next(s, &(feedback){.limits = limits, .converged = converged});
}

static stimulus open_family(world *w)
{
    family_close(w->family);
    w->family = family_open(w->paths, w->num_paths, &w->options, &w->err);
    if (!w->family)
        fail_msg("%s", w->err.text);
    return family_stimulus(w->family);
}

static void expect_refused(world *w, const char *what)
{
    w->err.text[0] = '\0';
    w->family = family_open(w->paths, w->num_paths, &w->options, &w->err);
    assert_null(w->family);
    assert_string_not_equal(w->err.text, "");
    assert_null(strpbrk(w->err.text, "\n\r"));
    if (!strstr(w->err.text, what))
        fail_msg("'%s' is not in: %s", what, w->err.text);
}

static void leave_out(world *w, unsigned limit)
{
    unsigned n = 0;

    for (unsigned i = 0; i < w->num_paths; i++)
        if (w->paths[i] != w->path[limit])
            w->paths[n++] = w->paths[i];
    w->num_paths = n;
}

/* ---- what is no family --------------------------------------------------------------------- */

static void a_missing_member_is_named(void **state)
{
    world *w = *state;
    char what[32];

    for (unsigned limit = 1; limit <= NMAX; limit++) {
        w->num_paths = NMAX;
        for (unsigned i = 0; i < NMAX; i++)
            w->paths[i] = w->path[i + 1];
        leave_out(w, limit);
        snprintf(what, sizeof what, "at CTA limit %u;", limit);
        expect_refused(w, what);
    }
    w->num_paths = 0;
    expect_refused(w, "no recordings");
}

static void a_missing_or_damaged_file_is_named(void **state)
{
    world *w = *state;
    FILE *f;

    remove(w->path[3]);
    expect_refused(w, w->path[3]);
    f = fopen(w->path[3], "w");
    assert_non_null(f);
    fputs("not a recording\n", f);
    fclose(f);
    expect_refused(w, w->path[3]);
}

/* Each of them differs from the others in one thing. */
static void a_stranger_is_refused(void **state)
{
    static const member_plan strangers[] = {
        {.limit = 2, .kernel = "other"},
        {.limit = 2, .nmax = NMAX + 1},
        {.limit = 2, .slots = SLOTS + 1},
        {.limit = 2, .launches = LAUNCHES + 1},
    };
    world *w = *state;

    for (size_t i = 0; i < sizeof strangers / sizeof strangers[0]; i++) {
        write_plan(w, &strangers[i]);
        expect_refused(w, "k.n2.blt: launch 1 is not the kernel of the other recordings");
    }
}

static void an_unknown_launch_is_named(void **state)
{
    world *w = *state;

    w->options.launch = LAUNCHES;
    expect_refused(w, "no launch number 3");
    w->options.launch = 0;
    w->options.sm = 7;
    expect_refused(w, "SM 7");
}

/* Recorded with a configured limit above Nmax: the same as Nmax. */
static void of_two_members_with_one_limit_the_first_counts(void **state)
{
    const member_plan wide = {.limit = NMAX + 1};
    world *w = *state;
    const sm_obs *obs;
    stimulus s;

    snprintf(w->path[NMAX + 1], PATH, "%s/k.n8.blt", w->dir);
    write_plan(w, &wide);
    w->paths[w->num_paths++] = w->path[NMAX + 1];
    s = open_family(w);
    obs = play(&s, 0, 0);
    assert_int_equal(limit_of(obs), NMAX);
    w->paths[NMAX - 1] = w->path[NMAX + 1];
    w->paths[NMAX] = w->path[NMAX];
    s = open_family(w);
    obs = play(&s, 0, 0);
    assert_int_equal(limit_of(obs), NMAX + 1); /* as its cycles say; it plays as NMAX */
    leave_out(w, NMAX);
    open_family(w);
    assert_string_equal(family_launch(w->family)->name, "k0");
}

/* ---- what has to come next, from doc/use/replay.md -------------------------------------------- */

typedef struct expectation {
    unsigned limit, offset, laps;
    uint64_t played, moves;
    bool lap_starts; /* with the next cycle */
} expectation;

static void expect_from_start(expectation *e)
{
    *e = (expectation){.limit = NMAX, .laps = 1, .lap_starts = true};
}

static unsigned equally_far(const world *w, const expectation *e, unsigned limit)
{
    const launch_shape *from = &w->shape[e->limit], *to = &w->shape[limit];
    const bool ctas = w->options.progress == FAMILY_CTAS;
    const uint64_t target = ctas ? from->ctas[e->offset] : from->instructions[e->offset];
    unsigned at = 0;

    if (from->instructions[e->offset] == 0) /* nothing issued yet: the same distance, one on */
        return e->offset + 1 < to->cycles ? e->offset + 1 : to->cycles - 1;
    while (at < to->cycles - 1 && (ctas ? to->ctas[at] : to->instructions[at]) < target)
        at++;
    return at;
}

/* false: the replay ends here. */
static bool expect_step(const world *w, expectation *e, unsigned limit, bool converged)
{
    unsigned next = e->played ? e->offset + 1 : 0;

    limit = limit > NMAX ? NMAX : limit;
    if (e->played && limit && limit != e->limit) {
        next = equally_far(w, e, limit);
        e->limit = limit;
        e->moves++;
    }
    for (;; next++) {
        const launch_shape *shape = &w->shape[e->limit];

        if (next >= shape->cycles) {
            if (converged || e->laps == w->options.max_laps)
                return false;
            e->laps++;
            e->lap_starts = true;
            next = 0;
        }
        if (shape->obs[next].cta_active || w->options.restart == FAMILY_NEW_LAUNCH || (e->laps == 1 && next == 0 && e->lap_starts))
            break;
    }
    e->offset = next;
    e->played++;
    return true;
}

static void expect_cycle(const world *w, expectation *e, const sm_obs *obs)
{
    const bool starts = e->lap_starts && e->offset == 0 && (e->laps == 1 || w->options.restart == FAMILY_NEW_LAUNCH);

    assert_non_null(obs);
    if (limit_of(obs) != e->limit || offset_of(obs) != e->offset)
        fail_msg("cycle %" PRIu64 ": is %u of limit %u, should be %u of limit %u", e->played, offset_of(obs),
                 limit_of(obs), e->offset, e->limit);
    assert_int_equal(obs->kernel_start, starts);
    assert_int_equal(obs->setup->kernel.grid_ctas, 60 + w->options.launch);
    assert_memory_equal(obs->ws, w->shape[e->limit].obs[e->offset].ws, sizeof obs->ws);
    assert_int_equal(obs->cta_start, w->shape[e->limit].obs[e->offset].cta_start);
    e->lap_starts = false;
}

/* Plays to the end under a limit that changes at random, against the expectation; the number of
 * moves. */
static uint64_t play_at_random(world *w, const stimulus *s, uint64_t seed, uint64_t converges_after)
{
    unsigned limit = 0;
    expectation e;

    expect_from_start(&e);
    for (;;) {
        const bool converged = e.played >= converges_after;
        const sm_obs *obs;

        if (random_next(&seed) % 40 == 0)
            limit = (unsigned)(random_next(&seed) % (NMAX + 3));
        obs = play(s, limit, converged);
        if (!expect_step(w, &e, limit, converged)) {
            assert_null(obs);
            assert_null(play(s, e.limit, converged)); /* and stays there */
            break;
        }
        expect_cycle(w, &e, obs);
        assert_int_equal(s->cycle(s->self), e.played);
    }
    assert_string_equal(s->error(s->self), "");
    assert_int_equal(family_laps(w->family), e.laps);
    assert_int_equal(family_moves(w->family), e.moves);
    return e.moves;
}

static void any_replay_is_as_documented(void **state)
{
    world *w = *state;

    for (unsigned how = 0; how < 8; how++) {
        uint64_t moves = 0;
        stimulus s;

        w->options.progress = how & 1 ? FAMILY_CTAS : FAMILY_INSTRUCTIONS;
        w->options.restart = how & 2 ? FAMILY_NEW_LAUNCH : FAMILY_CONTINUE;
        w->options.launch = how >> 2;
        w->options.sm = how & 1;
        s = open_family(w);
        for (uint64_t seed = 1; seed <= 40; seed++) {
            assert_true(s.rewind(s.self));
            moves += play_at_random(w, &s, seed * 7919, seed % 2 ? UINT64_MAX : 30 * seed);
        }
        assert_true(moves > 100);
    }
}

/* ---- the rules one by one ------------------------------------------------------------------ */

static void the_unthrottled_member_starts(void **state)
{
    world *w = *state;
    const stimulus s = open_family(w);
    const sm_obs *obs = play(&s, 2, 0); /* a limit before the first cycle is nobody's */

    assert_int_equal(limit_of(obs), NMAX);
    assert_int_equal(offset_of(obs), 0);
    assert_int_equal(obs->kernel_start, 1);
    assert_int_equal(obs->setup->kernel.nmax, NMAX);
    assert_int_equal(family_moves(w->family), 0);
    obs = play(&s, 2, 0);
    assert_int_equal(limit_of(obs), 2);
    assert_int_equal(obs->kernel_start, 0);
    assert_int_equal(family_moves(w->family), 1);
    assert_int_equal(family_laps(w->family), 1);
    assert_int_equal(family_meta(w->family)->config_limit, NMAX);
}

static const sm_obs *play_to(const stimulus *s, unsigned limit, unsigned offset)
{
    const sm_obs *obs;

    do {
        obs = play(s, limit, 0);
        assert_non_null(obs);
    } while (offset_of(obs) < offset);
    assert_int_equal(offset_of(obs), offset);
    assert_int_equal(limit_of(obs), limit);
    return obs;
}

/* From some place of one member to each other one and back: never behind, never a cycle too far. */
static void a_move_goes_to_equal_instructions(void **state)
{
    static const unsigned places[] = {LEAD + 4, LEAD + 20, LEAD + WAVE + 10, LEAD + 2 * (WAVE + GAP) + 30};
    world *w = *state;
    const stimulus s = open_family(w);

    for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++)
        for (unsigned limit = 1; limit < NMAX; limit++) {
            const launch_shape *to = &w->shape[limit];
            const sm_obs *obs;
            uint64_t progress;
            unsigned at;

            assert_true(s.rewind(s.self));
            play_to(&s, NMAX, places[i]);
            progress = w->shape[NMAX].instructions[places[i]];
            obs = play(&s, limit, 0);
            at = offset_of(obs);
            assert_int_equal(limit_of(obs), limit);
            assert_true(to->instructions[at] == progress);
            assert_true(at == 0 || to->instructions[at - 1] < progress);
        }
}

static void a_move_goes_to_equal_ctas(void **state)
{
    world *w = *state;
    const sm_obs *obs;
    stimulus s;

    w->options.progress = FAMILY_CTAS;
    s = open_family(w);
    play_to(&s, NMAX, LEAD + WAVE + 20); /* 4 CTAs have finished */
    obs = play(&s, 3, 0);          /* the second wave of 3 ends with 6 */
    assert_int_equal(w->shape[3].ctas[offset_of(obs)], 6);
    assert_int_equal(w->shape[3].ctas[offset_of(obs) - 1], 3);
    obs = play(&s, 1, 0);
    assert_int_equal(w->shape[1].ctas[offset_of(obs)], 6);
    assert_int_equal(w->shape[1].ctas[offset_of(obs) - 1], 5);
}

/* Another SM took the rest of the grid. */
static void a_member_that_never_gets_so_far_goes_on_at_its_end(void **state)
{
    const member_plan small = {.limit = 2, .ctas = 2};
    world *w = *state;
    const sm_obs *obs;
    stimulus s;

    write_plan(w, &small);
    w->options.restart = FAMILY_NEW_LAUNCH;
    for (unsigned progress = 0; progress < 2; progress++) {
        w->options.progress = progress ? FAMILY_CTAS : FAMILY_INSTRUCTIONS;
        s = open_family(w);
        play_to(&s, NMAX, LEAD + 2 * WAVE);
        obs = play(&s, 2, 0);
        assert_int_equal(limit_of(obs), 2);
        assert_int_equal(offset_of(obs), w->shape[2].cycles - 1);
        obs = play(&s, 2, 0); /* then the next lap */
        assert_int_equal(offset_of(obs), 0);
        assert_int_equal(family_laps(w->family), 2);
    }
}

/* A launch of which the SM gets no CTA makes no progress, and is as long as the others need. */
static void an_idle_sm_keeps_its_distance_from_the_start(void **state)
{
    world *w = *state;
    const sm_obs *obs;
    stimulus s;

    for (unsigned limit = 1; limit <= NMAX; limit++) {
        const member_plan idle = {.limit = limit, .ctas = ANY, .idle_cycles = 50 * limit};

        write_plan(w, &idle);
    }
    w->options.restart = FAMILY_NEW_LAUNCH;
    for (w->options.launch = 0; w->options.launch < LAUNCHES; w->options.launch++) {
        s = open_family(w);
        play_to(&s, NMAX, 70);
        obs = play(&s, 3, 0);
        assert_int_equal(limit_of(obs), 3);
        assert_int_equal(offset_of(obs), 71);
        obs = play(&s, 1, 0);
        assert_string_equal(s.error(s.self), "");
        assert_int_equal(limit_of(obs), 1);
        assert_int_equal(offset_of(obs), 49); /* its last one */
    }
}

typedef struct counts {
    unsigned cycles, starts, empty;
} counts;

static counts play_through(const stimulus *s, unsigned limit)
{
    counts n = {0};
    const sm_obs *obs;

    while ((obs = play(s, limit, 0))) {
        n.cycles++;
        n.starts += obs->kernel_start;
        n.empty += !obs->cta_active;
    }
    assert_string_equal(s->error(s->self), "");
    return n;
}

static void one_long_kernel_has_one_start_and_no_empty_cycles(void **state)
{
    world *w = *state;
    const stimulus s = open_family(w);
    const counts n = play_through(&s, NMAX);

    assert_int_equal(n.starts, 1);
    assert_int_equal(n.empty, 1); /* that one */
    assert_int_equal(n.cycles, 1 + 3 * (CTAS / NMAX) * WAVE);
    assert_int_equal(family_laps(w->family), 3);
}

static void a_new_launch_starts_with_every_lap(void **state)
{
    world *w = *state;
    stimulus s;
    counts n;

    w->options.restart = FAMILY_NEW_LAUNCH;
    s = open_family(w);
    n = play_through(&s, NMAX);
    assert_int_equal(n.starts, 3);
    assert_int_equal(n.cycles, 3 * w->shape[NMAX].cycles);
    assert_int_equal(n.empty, n.cycles - 3 * (CTAS / NMAX) * WAVE);
}

static void laps_are_counted_and_limited(void **state)
{
    world *w = *state;

    for (w->options.max_laps = 1; w->options.max_laps < 6; w->options.max_laps++) {
        const stimulus s = open_family(w);

        assert_int_equal(play_through(&s, 2).cycles, 1 + w->options.max_laps * (CTAS / 2) * WAVE);
        assert_int_equal(family_laps(w->family), w->options.max_laps);
        assert_null(play(&s, 2, 0));
        assert_int_equal(family_laps(w->family), w->options.max_laps);
    }
}

static void a_converged_controller_ends_it_with_the_lap(void **state)
{
    world *w = *state;
    const stimulus s = open_family(w);
    unsigned rest = 0;

    play_to(&s, NMAX, LEAD + 7);
    while (play(&s, NMAX, 1))
        rest++;
    assert_int_equal(rest, (CTAS / NMAX) * WAVE - 8);
    assert_int_equal(family_laps(w->family), 1);
    assert_string_equal(s.error(s.self), "");
}

static void a_limit_above_nmax_counts_as_nmax(void **state)
{
    static const unsigned limits[] = {NMAX + 1, 200, 0, NMAX};
    world *w = *state;
    const stimulus s = open_family(w);

    for (unsigned i = 0; i < 20; i++)
        assert_int_equal(limit_of(play(&s, limits[i % 4], 0)), NMAX);
    assert_int_equal(family_moves(w->family), 0);
    play(&s, 1, 0);
    assert_int_equal(limit_of(play(&s, 0, 0)), 1); /* none: it stays */
    assert_int_equal(limit_of(play(&s, 99, 0)), NMAX);
    assert_int_equal(family_moves(w->family), 2);
}

static void rewound_it_plays_the_same_again(void **state)
{
    enum { SOME = 700 };
    static sm_kept first[SOME];
    world *w = *state;
    const stimulus s = open_family(w);

    for (int pass = 0; pass < 2; pass++) {
        assert_true(s.rewind(s.self));
        assert_int_equal(s.cycle(s.self), 0);
        for (unsigned i = 0; i < SOME; i++) {
            const sm_obs *obs = play(&s, 1 + i / 60 % NMAX, 0);

            assert_non_null(obs);
            if (pass == 0)
                sm_keep(&first[i], obs);
            else
                assert_true(sm_obs_equal(obs, &first[i].obs));
        }
        assert_true(family_moves(w->family) > 5);
    }
}

static void damage_in_a_member_ends_the_replay(void **state)
{
    world *w = *state;
    FILE *f = fopen(w->path[2], "r+b");
    stimulus s;

    /* Near the end of the last launch's frame of SM 1: index and footer take some 250 bytes. */
    assert_non_null(f);
    assert_int_equal(fseek(f, -300, SEEK_END), 0);
    fputs("\x55\xaa\x55", f);
    fclose(f);
    w->options.launch = LAUNCHES - 1;
    w->options.sm = SMS - 1;
    s = open_family(w);
    assert_non_null(play(&s, 0, 0));
    assert_null(play(&s, 2, 0));
    assert_non_null(strstr(s.error(s.self), w->path[2]));
    assert_null(strpbrk(s.error(s.self), "\n\r"));
    assert_true(s.rewind(s.self));
    assert_string_equal(s.error(s.self), "");
    assert_non_null(play(&s, 0, 0));
}

static void the_longest_launch_is_found(void **state)
{
    const member_plan cut = {.limit = 3, .launches = 3, .only_launches = 1};
    world *w = *state;
    trace_reader *r = trace_open(w->path[1], NULL, &w->err);

    assert_non_null(r);
    assert_int_equal(family_longest_launch(r, NULL), 0); /* of two alike the first */
    assert_int_equal(family_longest_launch(r, "k1"), 1);
    trace_close(r);
    /* A stream that ends with the first launch has nothing of the third. */
    write_plan(w, &cut);
    r = trace_open(w->path[3], NULL, &w->err);
    assert_non_null(r);
    assert_int_equal(family_longest_launch(r, NULL), 0);
    trace_close(r);
}

/* ---- a real family ---------------------------------------------------------------------------- */

static const struct {
    const char *name;
    unsigned limit, laps;
    uint64_t cycles;
    const char *last_line;
} real[] = {
    {"pathfinder", 5, 0, 571956, "cycle 570060 SM0 sample 6: stalled 23139 > 20092, limit 6 -> 5, StDone\n"},
    /* the one that README.md shows */
    {"pathlong", 6, 3, 683162, "cycle 664738 SM0 sample 7: stalled 2560 < 4833, limit 6 -> 6, StDone\n"},
};

static void play_real(family *f, session_result *result)
{
    const block *blocks[LOCKSTEP_MAX_BLOCKS + 1] = {block_find("stall_classifier"), block_find("perfsat"), NULL};
    const session_options options = {.blocks = blocks, .seed = 1, .meta = family_meta(f)};
    const stimulus s = family_stimulus(f);

    session_run(&options, &s, result);
}

static void a_real_family_converges(void **state)
{
    static const unsigned limits[] = {1, 2, 3, 4, 5, 8};

    (void)state;
    for (size_t i = 0; i < sizeof real / sizeof real[0]; i++) {
        const family_options options = {.max_laps = 64};
        const char *paths[6];
        char path[6][PATH];
        session_result result;
        trace_err err;
        family *f;

        for (unsigned n = 0; n < 6; n++) {
            snprintf(path[n], PATH, "vectors/%s.n%u.blt", real[i].name, limits[n]);
            paths[n] = path[n];
        }
        f = family_open(paths, 6, &options, &err);
        if (!f)
            fail_msg("%s", err.text);
        play_real(f, &result);
        assert_string_equal(result.text, "");
        assert_true(result.converged && result.logs_equal);
        assert_int_equal(result.limit, real[i].limit);
        assert_true(strlen(result.log) > strlen(real[i].last_line));
        assert_string_equal(result.log + strlen(result.log) - strlen(real[i].last_line), real[i].last_line);
        assert_int_equal(result.cycles, real[i].cycles);
        if (real[i].laps)
            assert_int_equal(family_laps(f), real[i].laps);
        session_result_free(&result);
        family_close(f);
    }
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_missing_member_is_named),
        TEST(a_missing_or_damaged_file_is_named),
        TEST(a_stranger_is_refused),
        TEST(an_unknown_launch_is_named),
        TEST(of_two_members_with_one_limit_the_first_counts),
        TEST(any_replay_is_as_documented),
        TEST(the_unthrottled_member_starts),
        TEST(a_move_goes_to_equal_instructions),
        TEST(a_move_goes_to_equal_ctas),
        TEST(a_member_that_never_gets_so_far_goes_on_at_its_end),
        TEST(an_idle_sm_keeps_its_distance_from_the_start),
        TEST(one_long_kernel_has_one_start_and_no_empty_cycles),
        TEST(a_new_launch_starts_with_every_lap),
        TEST(laps_are_counted_and_limited),
        TEST(a_converged_controller_ends_it_with_the_lap),
        TEST(a_limit_above_nmax_counts_as_nmax),
        TEST(rewound_it_plays_the_same_again),
        TEST(damage_in_a_member_ends_the_replay),
        TEST(the_longest_launch_is_found),
        cmocka_unit_test(a_real_family_converges),
    };

    return cmocka_run_group_tests_name("family", tests, NULL, NULL);
}
