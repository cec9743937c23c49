/* SPDX-License-Identifier: Apache-2.0
 *
 * Family replay on made-up recordings whose every cycle says which it is, and on one real
 * family with the blocks in charge.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/random.h"
#include "engine/suite_fixture.h"
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

static struct world {
    char dir[400];
    char path[NMAX + 2][PATH]; /* by limit */
    const char *paths[NMAX + 2];
    unsigned num_paths;
    launch_shape shape[NMAX + 2]; /* of any launch, by limit */
    family_options options;
    family *family;
    trace_err err;
} w;

/* A test of its own family; it is there when the test begins. */
#define FAMILY_TEST(name) TEST_BETWEEN(name, set_up, tear_down)

static void must(bool done)
{
    if (!done)
        fail_msg("%s", w.err.text);
}

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
    for (unsigned warp = 0; warp < n; warp++)
        sm_obs_set_warp_state(obs, warp, BALLAST_WARP_WAIT_MEM);
    /* Nobody issues in a wave's first cycles: progress stands still for a while. */
    if (at >= NMAX && at % NMAX < n)
        sm_obs_set_warp_state(obs, at % NMAX, BALLAST_WARP_ISSUED_ALU);
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

static void write_launch(trace_writer *writer, const trace_launch *launch, const launch_shape *shape)
{
    sm_setup setup = {.kernel = launch->desc};

    for (unsigned warp = 0; warp < WARPS; warp++)
        setup.warp_slot[warp] = (uint8_t)(warp % SLOTS);
    for (unsigned sm = 0; sm < SMS; sm++)
        for (unsigned i = 0; i < shape->cycles; i++) {
            sm_obs obs = shape->obs[i];

            obs.setup = &setup;
            must(trace_writer_cycle(writer, sm, launch->start_cycle + i, &obs, TRACE_NO_CLASS, &w.err));
        }
}

static void write_plan(const member_plan *plan)
{
    trace_launch launches[8];
    launch_shape *shape = &w.shape[plan->limit];
    trace_writer *writer;
    trace_meta meta;

    make_shape(shape, plan);
    meta = make_meta(plan, launches, shape->cycles);
    writer = trace_writer_open(w.path[plan->limit], &meta, &w.err);
    must(writer);
    for (unsigned i = 0; i < (plan->only_launches ? plan->only_launches : meta.num_launches); i++)
        write_launch(writer, &launches[i], shape);
    must(trace_writer_close(writer, &w.err));
}

/* ---- a family ----------------------------------------------------------------------------- */

static void name_all_but(unsigned missing)
{
    w.num_paths = 0;
    for (unsigned limit = 1; limit <= NMAX; limit++)
        if (limit != missing)
            w.paths[w.num_paths++] = w.path[limit];
}

static int set_up(void **state)
{
    (void)state;
    memset(&w, 0, sizeof w);
    scratch_make(w.dir, sizeof w.dir);
    for (unsigned limit = 1; limit <= NMAX + 1; limit++)
        snprintf(w.path[limit], PATH, "%s/k.n%u.blt", w.dir, limit);
    for (unsigned limit = 1; limit <= NMAX; limit++)
        write_plan(&(member_plan){.limit = limit});
    name_all_but(0);
    w.options = (family_options){.max_laps = 3};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    family_close(w.family);
    return scratch_remove(w.dir);
}

static const sm_obs *play(const stimulus *s, unsigned limit, bool converged)
{
    const uint8_t limits[] = {(uint8_t)limit};

    return stimulus_next(s, &(feedback){.limits = limits, .converged = converged});
}

static stimulus open_family(void)
{
    family_close(w.family);
    w.family = family_open(w.paths, w.num_paths, &w.options, &w.err);
    must(w.family);
    return family_stimulus(w.family);
}

static void expect_refused(const char *what)
{
    w.err.text[0] = '\0';
    w.family = family_open(w.paths, w.num_paths, &w.options, &w.err);
    assert_null(w.family);
    assert_string_not_equal(w.err.text, "");
    assert_null(strpbrk(w.err.text, "\n\r"));
    if (!strstr(w.err.text, what))
        fail_msg("'%s' is not in: %s", what, w.err.text);
}

/* ---- what is no family --------------------------------------------------------------------- */

FAMILY_TEST(a_missing_end_is_named)
{
    char what[32];

    for (unsigned limit = 1; limit <= NMAX; limit += NMAX - 1) {
        name_all_but(limit);
        snprintf(what, sizeof what, "at CTA limit %u;", limit);
        expect_refused(what);
    }
    w.num_paths = 0;
    expect_refused("no recordings");
}

FAMILY_TEST(a_missing_or_damaged_file_is_named)
{
    remove(w.path[3]);
    expect_refused(w.path[3]);
    scratch_spew(w.path[3], "not a recording\n");
    expect_refused(w.path[3]);
}

/* Each of them differs from the others in one thing. */
FAMILY_TEST(a_stranger_is_refused)
{
    static const member_plan strangers[] = {
        {.limit = 2, .kernel = "other"},
        {.limit = 2, .nmax = NMAX + 1},
        {.limit = 2, .slots = SLOTS + 1},
        {.limit = 2, .launches = LAUNCHES + 1},
    };

    for (size_t i = 0; i < sizeof strangers / sizeof strangers[0]; i++) {
        print_message("stranger %zu\n", i);
        write_plan(&strangers[i]);
        expect_refused("k.n2.blt: launch 1 is not the kernel of the other recordings");
    }
}

FAMILY_TEST(an_unknown_launch_is_named)
{
    w.options.launch = LAUNCHES;
    expect_refused("no launch number 3");
    w.options.launch = 0;
    w.options.sm = 7;
    expect_refused("SM 7");
}

/* Recorded with a configured limit above Nmax: the same as Nmax. Its cycles say who it is. */
FAMILY_TEST(of_two_members_with_one_limit_the_first_counts)
{
    stimulus s;

    write_plan(&(member_plan){.limit = NMAX + 1});
    w.paths[w.num_paths++] = w.path[NMAX + 1];
    s = open_family();
    assert_int_equal(limit_of(play(&s, 0, 0)), NMAX);
    w.paths[NMAX - 1] = w.path[NMAX + 1];
    w.paths[NMAX] = w.path[NMAX];
    s = open_family();
    assert_int_equal(limit_of(play(&s, 0, 0)), NMAX + 1);
    w.num_paths = NMAX;
    open_family();
    assert_string_equal(family_launch(w.family)->name, "k0");
}

FAMILY_TEST(a_limit_without_a_member_plays_the_next_lower_one)
{
    for (unsigned missing = 2; missing < NMAX; missing++) {
        stimulus s;

        name_all_but(missing);
        s = open_family();
        for (unsigned limit = NMAX; limit > 0; limit--) {
            play(&s, limit, 0);
            assert_int_equal(limit_of(play(&s, limit, 0)), limit == missing ? missing - 1 : limit);
        }
        play(&s, missing, 0);
        assert_int_equal(family_moves(w.family), NMAX - 2 + (missing > 2)); /* 1 itself plays in place of 2 */
    }
}

/* ---- what has to come next, from doc/use/replay.md -------------------------------------------- */

typedef struct expectation {
    unsigned limit, offset, laps;
    uint64_t played, moves;
    bool lap_starts; /* with the next cycle */
} expectation;

static unsigned equally_far(const expectation *e, unsigned limit)
{
    const launch_shape *from = &w.shape[e->limit], *to = &w.shape[limit];
    const bool ctas = w.options.progress == FAMILY_CTAS;
    const uint64_t target = ctas ? from->ctas[e->offset] : from->instructions[e->offset];
    unsigned at = 0;

    if (from->instructions[e->offset] == 0) /* nothing issued yet: the same distance, one on */
        return e->offset + 1 < to->cycles ? e->offset + 1 : to->cycles - 1;
    while (at < to->cycles - 1 && (ctas ? to->ctas[at] : to->instructions[at]) < target)
        at++;
    return at;
}

/* false: the replay ends here. */
static bool expect_step(expectation *e, unsigned limit, bool converged)
{
    unsigned next = e->played ? e->offset + 1 : 0;

    limit = limit > NMAX ? NMAX : limit;
    if (e->played && limit && limit != e->limit) {
        next = equally_far(e, limit);
        e->limit = limit;
        e->moves++;
    }
    for (;; next++) {
        const launch_shape *shape = &w.shape[e->limit];

        if (next >= shape->cycles) {
            if (converged || e->laps == w.options.max_laps)
                return false;
            e->laps++;
            e->lap_starts = true;
            next = 0;
        }
        if (shape->obs[next].cta_active || w.options.restart == FAMILY_NEW_LAUNCH || (e->laps == 1 && next == 0 && e->lap_starts))
            break;
    }
    e->offset = next;
    e->played++;
    return true;
}

static void expect_cycle(expectation *e, const sm_obs *obs)
{
    const bool starts = e->lap_starts && e->offset == 0 && (e->laps == 1 || w.options.restart == FAMILY_NEW_LAUNCH);

    assert_non_null(obs);
    if (limit_of(obs) != e->limit || offset_of(obs) != e->offset)
        fail_msg("cycle %" PRIu64 ": is %u of limit %u, should be %u of limit %u", e->played, offset_of(obs),
                 limit_of(obs), e->offset, e->limit);
    assert_int_equal(obs->kernel_start, starts);
    assert_int_equal(obs->setup->kernel.grid_ctas, 60 + w.options.launch);
    assert_int_equal(obs->setup->kernel.nmax, NMAX);
    assert_memory_equal(obs->ws, w.shape[e->limit].obs[e->offset].ws, sizeof obs->ws);
    assert_int_equal(obs->cta_start, w.shape[e->limit].obs[e->offset].cta_start);
    e->lap_starts = false;
}

/* Plays to the end under a limit that changes at random, against the expectation; the number of
 * moves. */
static uint64_t play_at_random(const stimulus *s, uint64_t seed, uint64_t converges_after)
{
    expectation e = {.limit = NMAX, .laps = 1, .lap_starts = true};
    unsigned limit = 0;

    for (;;) {
        const bool converged = e.played >= converges_after;
        const sm_obs *obs;

        if (random_next(&seed) % 40 == 0)
            limit = (unsigned)(random_next(&seed) % (NMAX + 3));
        obs = play(s, limit == NMAX + 2 ? 200 : limit, converged);
        if (!expect_step(&e, limit, converged)) {
            assert_null(obs);
            assert_null(play(s, e.limit, converged)); /* and stays there */
            break;
        }
        expect_cycle(&e, obs);
        assert_int_equal(s->cycle(s->self), e.played);
    }
    assert_string_equal(s->error(s->self), "");
    assert_int_equal(family_laps(w.family), e.laps);
    assert_int_equal(family_moves(w.family), e.moves);
    return e.moves;
}

/* From its start, and from anywhere back to it. */
static uint64_t replay_at_random(void)
{
    uint64_t moves = 0;

    for (unsigned how = 0; how < 8; how++) {
        stimulus s;

        w.options = (family_options){.progress = how & 1 ? FAMILY_CTAS : FAMILY_INSTRUCTIONS,
                                     .restart = how & 2 ? FAMILY_NEW_LAUNCH : FAMILY_CONTINUE,
                                     .launch = how >> 2, .sm = how & 1, .max_laps = 1 + how % 3};
        s = open_family();
        assert_int_equal(family_meta(w.family)->config_limit, NMAX);
        for (uint64_t seed = 1; seed <= 40; seed++) {
            for (unsigned i = 0; i < 9 * seed; i++)
                play(&s, 1 + i / 60 % NMAX, 0);
            assert_true(s.rewind(s.self));
            assert_int_equal(s.cycle(s.self), 0);
            moves += play_at_random(&s, seed * 7919, seed % 2 ? UINT64_MAX : 30 * seed);
        }
    }
    return moves;
}

FAMILY_TEST(any_replay_is_as_documented)
{
    assert_true(replay_at_random() > 500);
}

/* Another SM took the rest of the grid. */
FAMILY_TEST(a_member_that_never_gets_so_far_goes_on_at_its_end)
{
    write_plan(&(member_plan){.limit = 2, .ctas = 2});
    assert_true(replay_at_random() > 500);
}

/* A launch of which the SM gets no CTA makes no progress, and is as long as the others need. */
FAMILY_TEST(an_idle_sm_keeps_its_distance_from_the_start)
{
    for (unsigned limit = 1; limit <= NMAX; limit++)
        write_plan(&(member_plan){.limit = limit, .ctas = ANY, .idle_cycles = 50 * limit});
    assert_true(replay_at_random() > 100);
}

/* One long kernel has one start and, but for that cycle, none without CTAs; a new launch starts with every lap. */
FAMILY_TEST(cycles_are_as_many_as_there_are)
{
    enum { LAP = CTAS / NMAX * WAVE, SLOW_LAP = CTAS / 2 * WAVE, EMPTY = LEAD + (CTAS / NMAX - 1) * GAP + TAIL };
    static const struct {
        enum family_restart restart;
        unsigned max_laps, limit;
        bool converged;
        unsigned laps, cycles, starts, empty;
    } cases[] = {
        {FAMILY_CONTINUE, 3, NMAX, false, 3, 1 + 3 * LAP, 1, 1},
        {FAMILY_CONTINUE, 3, NMAX, true, 1, 1 + LAP, 1, 1},
        {FAMILY_CONTINUE, 1, 2, false, 1, 1 + SLOW_LAP, 1, 1},
        {FAMILY_CONTINUE, 5, 2, false, 5, 1 + 5 * SLOW_LAP, 1, 1},
        {FAMILY_NEW_LAUNCH, 3, NMAX, false, 3, 3 * (LAP + EMPTY), 3, 3 * EMPTY},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned cycles = 0, starts = 0, empty = 0;
        const sm_obs *obs;
        stimulus s;

        print_message("case %zu\n", i);
        w.options = (family_options){.restart = cases[i].restart, .max_laps = cases[i].max_laps};
        s = open_family();
        for (; (obs = play(&s, cases[i].limit, cases[i].converged)); cycles++) {
            starts += obs->kernel_start;
            empty += !obs->cta_active;
        }
        assert_int_equal(cycles, cases[i].cycles);
        assert_int_equal(starts, cases[i].starts);
        assert_int_equal(empty, cases[i].empty);
        assert_int_equal(family_laps(w.family), cases[i].laps);
    }
}

FAMILY_TEST(damage_in_a_member_ends_the_replay)
{
    stimulus s;

    /* Near the end of the last launch's frame of SM 1: index and footer take some 250 bytes. */
    scratch_damage(w.path[2], 300);
    w.options.launch = LAUNCHES - 1;
    w.options.sm = SMS - 1;
    s = open_family();
    assert_non_null(play(&s, 0, 0));
    assert_null(play(&s, 2, 0));
    assert_non_null(strstr(s.error(s.self), w.path[2]));
    assert_null(strpbrk(s.error(s.self), "\n\r"));
    assert_true(s.rewind(s.self));
    assert_string_equal(s.error(s.self), "");
    assert_non_null(play(&s, 0, 0));
}

static unsigned longest_launch(unsigned member, const char *kernel)
{
    trace_reader *r = trace_open(w.path[member], NULL, &w.err);
    unsigned longest;

    must(r);
    longest = family_longest_launch(r, kernel);
    trace_close(r);
    return longest;
}

FAMILY_TEST(the_longest_launch_is_found)
{
    assert_int_equal(longest_launch(1, NULL), 0); /* of two alike the first */
    assert_int_equal(longest_launch(1, "k1"), 1);
    /* A stream that ends with the first launch has nothing of the third. */
    write_plan(&(member_plan){.limit = 3, .launches = 3, .only_launches = 1});
    assert_int_equal(longest_launch(3, NULL), 0);
}

/* ---- a real family ---------------------------------------------------------------------------- */

static const struct {
    const char *name;
    unsigned limit, laps;
    uint64_t cycles;
    const char *last_line;
} real[] = {
    {"pathfinder", 5, 18, 571956, "cycle 570060 SM0 sample 6: stalled 23138 > 20092, limit 6 -> 5, StDone\n"},
    /* the one that README.md shows */
    {"pathlong", 6, 3, 683162, "cycle 664738 SM0 sample 7: stalled 2560 < 4833, limit 6 -> 6, StDone\n"},
};

TEST(a_real_family_converges)
{
    static const unsigned limits[] = {1, 2, 3, 4, 5, 8};
    const block *blocks[] = {block_find("stall_classifier"), block_find("perfsat"), NULL};

    for (size_t i = 0; i < sizeof real / sizeof real[0]; i++) {
        const family_options options = {.max_laps = 64};
        session_options how = {.blocks = blocks, .seed = 1};
        const char *paths[6];
        char path[6][PATH];
        session_result result;
        trace_err err;
        stimulus s;
        family *f;

        for (unsigned n = 0; n < 6; n++) {
            snprintf(path[n], PATH, "vectors/%s.n%u.blt", real[i].name, limits[n]);
            paths[n] = path[n];
        }
        f = family_open(paths, 6, &options, &err);
        if (!f)
            fail_msg("%s", err.text);
        how.meta = family_meta(f);
        s = family_stimulus(f);
        session_run(&how, &s, &result);
        assert_string_equal(result.text, "");
        assert_true(result.converged && result.logs_equal);
        assert_int_equal(result.limit, real[i].limit);
        assert_true(strlen(result.log) > strlen(real[i].last_line));
        assert_string_equal(result.log + strlen(result.log) - strlen(real[i].last_line), real[i].last_line);
        assert_int_equal(result.cycles, real[i].cycles);
        assert_int_equal(family_laps(f), real[i].laps);
        session_result_free(&result);
        family_close(f);
    }
}
