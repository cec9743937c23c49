/* SPDX-License-Identifier: Apache-2.0
 *
 * What warps execute: the shares and distances of the body, and where the accesses go.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"

static workload mixed(void)
{
    return (workload){
        .name = "fixture", .ctas = 100, .threads_per_cta = 64, .launches = 1, .insts = 100, .alu_distance = 4,
        .load_distance = 12, .lines = 1, .warp_set = 4, .cta_set = 50, .neighbour_set = 20, .random = 0.1,
        .footprint = 1000, .loads = 0.25, .stores = 0.1, .shared = 0.1, .sfu = 0.2, .branches = 0.1,
        .warp_reuse = 0.4, .cta_reuse = 0.3, .neighbour_reuse = 0.2,
    };
}

/* Of the test that runs. */
static workload w;
static program p;
static uint64_t lines[PROGRAM_LINES];

static int set_up(void **state)
{
    (void)state;
    w = mixed();
    return 0;
}

#define PROGRAM_TEST(name) TEST_BETWEEN(name, set_up, NULL)

static void count(unsigned ops[OPERATIONS], unsigned localities[LOCALITIES])
{
    memset(ops, 0, OPERATIONS * sizeof *ops);
    memset(localities, 0, LOCALITIES * sizeof *localities);
    for (unsigned at = 0; at < PROGRAM_BODY; at++) {
        ops[p.body[at].op]++;
        if (p.body[at].op == OP_LOAD)
            localities[p.body[at].locality]++;
    }
}

static void near_share(unsigned number, double share, unsigned of)
{
    if (fabs(number - share * of) > 1)
        fail_msg("%u of %u, not %g", number, of, share);
}

static void every_share_is_met(void)
{
    const double alu = 1 - w.loads - w.stores - w.shared - w.sfu - w.branches;
    const double streams = 1 - w.warp_reuse - w.cta_reuse - w.neighbour_reuse - w.random;
    unsigned ops[OPERATIONS], localities[LOCALITIES];

    program_make(&p, &w, 1);
    count(ops, localities);
    near_share(ops[OP_LOAD], w.loads, PROGRAM_BODY);
    near_share(ops[OP_STORE], w.stores, PROGRAM_BODY);
    near_share(ops[OP_SHARED], w.shared, PROGRAM_BODY);
    near_share(ops[OP_SFU], w.sfu, PROGRAM_BODY);
    near_share(ops[OP_BRANCH], w.branches, PROGRAM_BODY);
    near_share(ops[OP_ALU] + ops[OP_BARRIER], alu, PROGRAM_BODY);
    near_share(localities[WARP_REUSE], w.warp_reuse, ops[OP_LOAD]);
    near_share(localities[CTA_REUSE], w.cta_reuse, ops[OP_LOAD]);
    near_share(localities[NEIGHBOUR_REUSE], w.neighbour_reuse, ops[OP_LOAD]);
    near_share(localities[RANDOM], w.random, ops[OP_LOAD]);
    near_share(localities[STREAM], streams, ops[OP_LOAD]);
}

PROGRAM_TEST(shares_are_shares_of_all_instructions)
{
    every_share_is_met();
    w.barrier_every = 32;
    every_share_is_met();
}

/* Neither kind takes from another however much there is of it. */
PROGRAM_TEST(large_shares_are_met_too)
{
    static const double shares[][5] = {{0.5, 0.5, 0, 0, 0}, {0.2, 0.2, 0.2, 0.2, 0.2}, {0.9, 0.1, 0, 0, 0}, {1, 0, 0, 0, 0},
                                       {0, 0, 0, 0, 1},     {0.01, 0.02, 0.03, 0.9, 0.04}, {0, 0, 0, 0, 0}};

    for (unsigned i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        w = mixed();
        w.loads = shares[i][0];
        w.stores = shares[i][1];
        w.shared = shares[i][2];
        w.sfu = shares[i][3];
        w.branches = shares[i][4];
        every_share_is_met();
        w.warp_reuse = w.cta_reuse = 0.5;
        w.neighbour_reuse = w.random = 0;
        every_share_is_met();
    }
}

/* At any place of the body what has come so far is right to within one. */
PROGRAM_TEST(shares_are_spread_evenly)
{
    unsigned loads = 0;

    program_make(&p, &w, 1);
    for (unsigned at = 0; at < PROGRAM_BODY; at++) {
        loads += p.body[at].op == OP_LOAD;
        assert_true(fabs(loads - w.loads * (at + 1)) <= 1);
    }
}

PROGRAM_TEST(barriers_have_their_distance)
{
    for (w.barrier_every = 1; w.barrier_every <= PROGRAM_BODY; w.barrier_every *= 2) {
        program_make(&p, &w, 1);
        for (unsigned at = 0; at < PROGRAM_BODY; at++)
            assert_int_equal(p.body[at].op == OP_BARRIER, at % w.barrier_every == w.barrier_every - 1);
    }
}

/* ---- distances -------------------------------------------------------------------- */

static const instruction *before(unsigned at, unsigned distance)
{
    return &p.body[(at + PROGRAM_BODY - distance) % PROGRAM_BODY];
}

PROGRAM_TEST(results_are_used_at_their_mean_distance)
{
    w = fixture_workload();
    for (w.alu_distance = 1; w.alu_distance < 40; w.alu_distance += 1.7) {
        double sum = 0;

        program_make(&p, &w, 1);
        for (unsigned at = 0; at < PROGRAM_BODY; at++) {
            assert_true(p.body[at].uses >= 1);
            assert_true(fabs(p.body[at].uses - w.alu_distance) <= w.alu_distance / 2 + 0.5);
            sum += p.body[at].uses;
        }
        assert_true(fabs(sum / PROGRAM_BODY - w.alu_distance) < 0.05 * w.alu_distance + 0.25);
    }
}

PROGRAM_TEST(instructions_read_so_many_registers)
{
    for (w.operands = 0; w.operands <= PROGRAM_OPERANDS; w.operands = w.operands > 0 ? w.operands + 0.25 : 1) {
        const double mean = w.operands > 0 ? w.operands : 2;
        unsigned sum = 0, alus = 0;

        program_make(&p, &w, 1);
        for (unsigned at = 0; at < PROGRAM_BODY; at++) {
            const instruction *i = &p.body[at];

            if (i->op != OP_ALU) {
                assert_int_equal(i->operands, 0);
                continue;
            }
            alus++;
            sum += i->operands;
            assert_true(i->operands >= 1 && fabs(i->operands - mean) < 1);
            assert_true(!i->uses || i->reads[0] == (at + PROGRAM_BODY - i->uses) % PROGRAM_WINDOW);
            for (unsigned n = 0; n < i->operands; n++)
                assert_true(i->reads[n] < PROGRAM_WINDOW);
        }
        assert_true(fabs(sum - mean * alus) <= 1);
    }
}

/* Two streaming accesses that follow each other, of as many lines as the larger kind has. */
PROGRAM_TEST(streams_are_dense)
{
    uint64_t first;

    w = fixture_workload();
    w.random = 0;
    w.loads = 1;
    w.lines = 3;
    w.store_lines = 5;
    program_make(&p, &w, 1);
    assert_int_equal(program_lines(&p, 2, 0, 7, lines), 3);
    first = lines[0];
    assert_int_equal(lines[2], first + 2);
    program_lines(&p, 2, 0, 8, lines);
    assert_int_equal(lines[0], first + 5);
}

PROGRAM_TEST(no_distance_is_longer_than_what_a_warp_keeps_track_of)
{
    w.alu_distance = w.load_distance = PROGRAM_WINDOW - 1;
    program_make(&p, &w, 1);
    for (unsigned at = 0; at < PROGRAM_BODY; at++) {
        assert_true(p.body[at].uses < PROGRAM_WINDOW);
        assert_true(p.body[at].uses_load < PROGRAM_WINDOW);
    }
}

/* A short-latency result by `uses`, a load's data by `uses_load`; branches and barriers use no result. */
PROGRAM_TEST(uses_point_at_results_and_loads)
{
    w.barrier_every = 32;
    program_make(&p, &w, 1);
    for (unsigned at = 0; at < PROGRAM_BODY; at++) {
        const instruction *i = &p.body[at];

        if (i->uses) {
            const uint8_t op = before(at, i->uses)->op;

            assert_true(op == OP_ALU || op == OP_SFU || op == OP_SHARED);
        }
        assert_int_equal(i->uses == 0, i->op == OP_BRANCH || i->op == OP_BARRIER);
        if (i->uses_load)
            assert_int_equal(before(at, i->uses_load)->op, OP_LOAD);
    }
}

static unsigned first_use(unsigned load)
{
    for (unsigned d = 1; d < PROGRAM_WINDOW; d++) {
        const instruction *i = &p.body[(load + d) % PROGRAM_BODY];

        if (i->uses == d || i->uses_load == d)
            return d;
    }
    return 0;
}

/* Also when ALU results are used at once: loads have a distance of their own. */
PROGRAM_TEST(every_load_is_used_at_its_mean_distance)
{
    static const double shares[] = {0.02, 0.1, 0.3, 0.6, 1};
    static const double distances[] = {1, 2, 8, 30, 50};

    for (unsigned s = 0; s < sizeof shares / sizeof shares[0]; s++)
        for (unsigned i = 0; i < sizeof distances / sizeof distances[0]; i++) {
            unsigned loads = 0, used = 0;
            double sum = 0;

            w = fixture_workload();
            w.loads = shares[s];
            w.load_distance = distances[i];
            program_make(&p, &w, 1);
            for (unsigned at = 0; at < PROGRAM_BODY; at++)
                if (p.body[at].op == OP_LOAD) {
                    loads++;
                    used += first_use(at) != 0;
                    sum += first_use(at);
                }
            if (used < loads && (shares[s] < 1 || used < 0.97 * loads)) /* the last places may be out of reach */
                fail_msg("share %g, distance %g: %u of %u are used", shares[s], distances[i], used, loads);
            /* Where there are only loads they are in each other's way. */
            if (fabs(sum / loads - distances[i]) > distances[i] / sqrt(loads) + shares[s] * (1 + 0.2 * distances[i]))
                fail_msg("share %g, distance %g: %g", shares[s], distances[i], sum / loads);
        }
}

/* ---- lengths ---------------------------------------------------------------------- */

PROGRAM_TEST(ctas_differ_by_the_spread)
{
    enum { CTAS = 2000 };
    uint32_t least = UINT32_MAX, most = 0;
    double sum = 0;

    w = fixture_workload();
    w.insts = 10000;
    w.spread = 0.2;
    program_make(&p, &w, 1);
    for (uint32_t cta = 0; cta < CTAS; cta++) {
        const uint32_t length = program_length(&p, cta);

        least = length < least ? length : least;
        most = length > most ? length : most;
        sum += length;
    }
    assert_in_range(least, 9000, 9020);
    assert_in_range(most, 10980, 11000);
    assert_true(fabs(sum / CTAS - 10000) < 50);
    w.spread = 0;
    for (uint32_t cta = 0; cta < CTAS; cta++)
        assert_int_equal(program_length(&p, cta), 10000);
    w.spread = 1;
    w.insts = 1; /* never without an instruction */
    for (uint32_t cta = 0; cta < CTAS; cta++)
        assert_int_equal(program_length(&p, cta), 1);
}

/* ---- lines ------------------------------------------------------------------------ */

static uint64_t region_of(uint64_t line)
{
    return line >> 56;
}

static uint64_t within_region(uint64_t line)
{
    return line & ((UINT64_C(1) << 56) - 1);
}

/* A program of loads with this locality. */
static void loads_of(enum locality locality)
{
    w.loads = 1;
    w.stores = w.shared = w.sfu = w.branches = 0;
    w.warp_reuse = locality == WARP_REUSE;
    w.cta_reuse = locality == CTA_REUSE;
    w.neighbour_reuse = locality == NEIGHBOUR_REUSE;
    w.random = locality == RANDOM;
    program_make(&p, &w, 1);
}

PROGRAM_TEST(accesses_stay_in_their_data)
{
    w.lines = 3;
    for (enum locality l = STREAM; l < LOCALITIES; l++) {
        loads_of(l);
        for (uint32_t cta = 0; cta < 5; cta++)
            for (uint32_t warp = 0; warp < 2; warp++)
                for (uint32_t at = 0; at < 300; at++) {
                    assert_int_equal(program_lines(&p, cta, warp, at, lines), 3);
                    for (unsigned n = 0; n < 3; n++) {
                        const uint64_t line = within_region(lines[n]);

                        assert_int_equal(region_of(lines[n]), l);
                        if (l == WARP_REUSE)
                            assert_int_equal(line / 4, cta * 2 + warp);
                        if (l == CTA_REUSE)
                            assert_int_equal(line / 50, cta);
                        if (l == NEIGHBOUR_REUSE)
                            assert_in_range(line, cta * 10, cta * 10 + 19);
                        if (l == RANDOM)
                            assert_in_range(line, 0, 999);
                    }
                }
    }
}

/* Bit n is set if the CTA ever uses line `first` + n. */
static uint64_t used_of(uint32_t cta, uint64_t first)
{
    uint64_t used = 0;

    for (uint32_t warp = 0; warp < 2; warp++)
        for (uint32_t at = 0; at < 2000; at++) {
            const unsigned num = program_lines(&p, cta, warp, at, lines);

            for (unsigned n = 0; n < num; n++)
                if (within_region(lines[n]) - first < 64)
                    used |= UINT64_C(1) << (within_region(lines[n]) - first);
        }
    return used;
}

PROGRAM_TEST(all_of_a_set_is_used)
{
    loads_of(WARP_REUSE);
    assert_int_equal(used_of(0, 0), 0xff); /* two warps of 4 lines each */
    loads_of(CTA_REUSE);
    assert_int_equal(used_of(1, 50), (UINT64_C(1) << 50) - 1);
    loads_of(RANDOM);
    assert_int_equal(used_of(1, 936), ~UINT64_C(0));
}

/* As loops do: line after line, also from one time through the body to the next, whatever else is in it. */
PROGRAM_TEST(a_warp_goes_around_its_set)
{
    uint64_t next = 0;

    w.warp_set = 7;
    w.lines = 3;
    program_make(&p, &w, 1);
    for (uint32_t at = 0; at < 1000; at++) {
        if (program_at(&p, at)->op != OP_LOAD || program_at(&p, at)->locality != WARP_REUSE)
            continue;
        program_lines(&p, 5, 1, at, lines);
        for (unsigned n = 0; n < 3; n++) /* 5 x 2 + 1 warps of 7 lines come before */
            assert_int_equal(within_region(lines[n]), UINT64_C(77) + next++ % 7);
    }
    assert_true(next > 200);
}

/* Half of a CTA's lines are those of the one before, half those of the one after. */
PROGRAM_TEST(neighbours_share_half_of_their_lines)
{
    loads_of(NEIGHBOUR_REUSE);
    for (uint32_t cta = 0; cta < 3; cta++) {
        const uint64_t first = UINT64_C(10) * cta, mine = used_of(cta, first);

        assert_int_equal(mine, (1u << 20) - 1);
        assert_int_equal(mine & used_of(cta + 1, first), 0xffc00);
        assert_int_equal(mine & used_of(cta + 2, first), 0);
    }
    w.neighbour_set = 1; /* of one line they can share nothing */
    assert_int_equal(used_of(0, 0) & used_of(1, 0), 0);
}

/* The neighbour is that in x: the last CTA of a row and the first of the next one share nothing. */
PROGRAM_TEST(rows_of_the_grid_share_nothing)
{
    w.is_2d = true;
    w.grid_x = 3;
    loads_of(NEIGHBOUR_REUSE);
    assert_int_equal(used_of(1, 10) & used_of(2, 10), 0xffc00);
    assert_int_equal(used_of(2, 20), (1u << 20) - 1);
    assert_int_equal(used_of(2, 20) & used_of(3, 20), 0);
    assert_int_equal(used_of(3, 40), (1u << 20) - 1);
    assert_int_equal(used_of(3, 40) & used_of(4, 40), 0xffc00);
}

static void expect_shared(enum locality locality, uint32_t a, uint32_t b, bool shared)
{
    uint64_t other[PROGRAM_LINES];
    unsigned same = 0;

    loads_of(locality);
    for (uint32_t warp = 0; warp < 2; warp++)
        for (uint32_t at = 0; at < 100; at++) {
            assert_int_equal(program_lines(&p, a, warp, at, lines), 1);
            assert_int_equal(program_lines(&p, b, warp, at, other), 1);
            same += lines[0] == other[0];
        }
    assert_int_equal(same, shared ? 200 : 0);
}

/* BCS-5: rows of 16 words are half a line, so two neighbours have the same lines, at the same places of their programs. */
PROGRAM_TEST(short_rows_share_lines)
{
    static const struct {
        uint32_t cta_x, grid_x, a, b;
        bool shared;
    } cases[] = {
        {16, 0, 0, 1, true}, {16, 0, 1, 2, false}, {16, 0, 2, 3, true}, {16, 4, 6, 7, true},
        {16, 3, 0, 1, true}, {16, 3, 1, 2, false}, {16, 3, 2, 3, false}, {16, 3, 3, 4, true}, /* rows of odd width: 2 is alone */
        {16, 1, 0, 1, false}, {8, 0, 0, 3, true}, {8, 0, 3, 4, false}, {32, 0, 0, 1, false}, {48, 0, 0, 1, false}, {0, 0, 0, 1, false},
    };

    w.is_2d = true;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        w.cta_x = cases[i].cta_x;
        w.grid_x = cases[i].grid_x;
        expect_shared(STREAM, cases[i].a, cases[i].b, cases[i].shared);
        w.cta_set = 1 << 20; /* no two draws meet */
        expect_shared(CTA_REUSE, cases[i].a, cases[i].b, cases[i].shared);
        expect_shared(WARP_REUSE, cases[i].a, cases[i].b, false);
    }
}

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

PROGRAM_TEST(a_stream_touches_each_line_once)
{
    enum { CTAS = 4, WARPS = 2, AT = 150, LINES = 3, ALL = CTAS * WARPS * AT * LINES };
    uint64_t *all = calloc(ALL, sizeof *all);
    unsigned n = 0;

    assert_non_null(all);
    w.lines = LINES;
    w.insts = 100;
    w.spread = 1; /* lengths of 50 to 150 */
    loads_of(STREAM);
    for (uint32_t cta = 0; cta < CTAS; cta++)
        for (uint32_t warp = 0; warp < WARPS; warp++)
            for (uint32_t at = 0; at < AT; at++) {
                const unsigned num = program_lines(&p, cta, warp, at, lines);

                memcpy(&all[n], lines, num * sizeof *all);
                n += num;
            }
    assert_int_equal(n, ALL);
    qsort(all, ALL, sizeof *all, by_value);
    for (unsigned i = 1; i < ALL; i++)
        assert_true(all[i - 1] < all[i]);
    free(all);
}

PROGRAM_TEST(the_largest_kernel_stays_in_its_regions)
{
    w.ctas = w.insts = w.warp_set = w.cta_set = w.neighbour_set = 1 << 24;
    w.footprint = UINT32_MAX;
    w.threads_per_cta = 2048;
    w.lines = PROGRAM_LINES;
    for (enum locality l = STREAM; l < LOCALITIES; l++) {
        loads_of(l);
        program_lines(&p, w.ctas - 1, 63, w.insts - 1, lines);
        for (unsigned n = 0; n < PROGRAM_LINES; n++)
            assert_int_equal(region_of(lines[n]), l);
    }
}

PROGRAM_TEST(stores_stream)
{
    w.loads = 0;
    w.stores = 1;
    w.warp_reuse = 1;
    w.cta_reuse = w.neighbour_reuse = w.random = 0;
    w.lines = 2;
    program_make(&p, &w, 1);
    assert_int_equal(program_lines(&p, 3, 1, 9, lines), 2);
    assert_int_equal(region_of(lines[0]), STREAM);
    w.store_lines = 7;
    assert_int_equal(program_lines(&p, 3, 1, 9, lines), 7);
    p.body[9].op = OP_LOAD;
    assert_int_equal(program_lines(&p, 3, 1, 9, lines), 2);
}

/* ---- seeds ------------------------------------------------------------------------ */

PROGRAM_TEST(a_seed_gives_one_program_and_another_seed_another)
{
    uint64_t of_a[PROGRAM_LINES], of_b[PROGRAM_LINES];
    program a, b;

    w.spread = 0.5;
    w.insts = 100000;
    program_make(&a, &w, 7);
    program_make(&b, &w, 7);
    assert_memory_equal(a.body, b.body, sizeof a.body);
    program_make(&b, &w, 8);
    assert_memory_not_equal(a.body, b.body, sizeof a.body);
    assert_int_not_equal(program_length(&a, 0), program_length(&b, 0));
    loads_of(RANDOM);
    a = p;
    b = a;
    b.seed++;
    w.lines = PROGRAM_LINES;
    program_lines(&a, 0, 0, 0, of_a);
    program_lines(&b, 0, 0, 0, of_b);
    assert_memory_not_equal(of_a, of_b, sizeof of_a);
    program_lines(&a, 0, 0, 0, of_b);
    assert_memory_equal(of_a, of_b, sizeof of_a);
}

/* One time through the body and the next touch other lines. */
PROGRAM_TEST(places_repeat_and_lines_do_not)
{
    uint64_t first[PROGRAM_LINES], again[PROGRAM_LINES];
    unsigned same = 0;

    loads_of(RANDOM);
    for (uint32_t at = 0; at < PROGRAM_BODY; at++) {
        assert_ptr_equal(program_at(&p, at), program_at(&p, at + PROGRAM_BODY));
        program_lines(&p, 0, 0, at, first);
        program_lines(&p, 0, 0, at + PROGRAM_BODY, again);
        same += first[0] == again[0];
    }
    assert_true(same < 10);
}
