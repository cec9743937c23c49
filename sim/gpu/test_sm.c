/* SPDX-License-Identifier: Apache-2.0
 *
 * One SM with programs written by hand: each row holds what every warp did, cycle by cycle, against
 * what the machine's numbers say. activity_fixture.h has the letters.
 */
#include <string.h>

#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"

/* ---- scoreboard and pipes --------------------------------------------------------- */

TEST(pipes)
{
    static const lab_row rows[] = {
        {"independent instructions issue every cycle", "aaaa", .states = {"IIII" "NNNN" ".."}},
        {"a dependent instruction issues ALU latency later", "aaa", .uses = {{1, 1, 0}, {2, 1, 0}},
         .states = {"IAAAAIAAAAI" "NNNN" "."}},
        {"the shortest latency", "aaa", .machine = {{M(alu_latency), 1}}, .uses = {{1, 1, 0}, {2, 1, 0}}, .states = {"III" "."}},
        {"a distance hides latency", "aaaaa", .uses = {{3, 3, 0}, {4, 4, 0}}, .states = {"IIIAAII" "NNNN" "."}},
        {"the first instructions use nothing from before the start", "aa", .uses = {{0, 5, 0}, {1, 0, 2}}, .states = {"II"}},
        /* Interval 3; the last one waits 9 from the second one on. */
        {"the SFU takes one per interval and has its latency", "ssas", .uses = {{3, 2, 0}},
         .states = {"IxxI" "I" "AAAAAAA" "I" "NNNNNNNN" "."}},
        /* Round robin, from warp 0 on. */
        {"a busy SFU does not hold up other pipes", "sas", 2, .machine = {{M(sfu_interval), 6}},
         .states = {"II" "xxxx" "l" "xxxxx" "I", "l" "xxxxx" "II" "xxxx" "l"}},
        {"a branch leaves the warp without instructions", "aja", .states = {"II" "NNN" "I"}},
    };

    LAB_CHECK(rows);
}

/* ---- load/store unit -------------------------------------------------------------- */

TEST(load_store_unit)
{
    static const lab_row rows[] = {
        /* Issued in cycle t, the unit takes it in t + 1: 1 + 7 later. */
        {"shared memory takes its latency", "ma", .uses = {{1, 1, 0}}, .states = {"L" "AAAAAAA" "I"}},
        {"a missing load is named before a missing result", "laa", .uses = {{2, 1, 2}}, .states = {"LIMMMMMMMM"}},
        /* The SM's way out takes a line of a store in every second cycle. */
        {"stores wait for the way out", "wwww", .workload = {{W(lines), 2}}, .states = {"LLyLyyyL."}},
        /* The bank has one, two are in the unit's queue; 20 cycles later there is room for another. */
        {"a full memory pushes stores back", "wwwww", .cycles = 30, .states = {"LLL" "yyyyyyyyyyyyyyyyyy" "L"},
         .machine = {{M(l2_banks), 1}, {M(l2_interval), 20}, {M(l2_queue), 1}, {M(network_interval), 0}}},
        {"a full memory pushes loads back", "lllll", .cycles = 30, .states = {"LLL" "yyyyyyyyyyyyyyyyyy" "L"},
         .machine = {{M(l2_banks), 1}, {M(l2_interval), 20}, {M(l2_queue), 1}, {M(network_interval), 0}}},
        /* One line per cycle; the queue holds two instructions and goes on without the warp. */
        {"a full queue pushes back", "wwww", .cycles = 60, .machine = {{M(network_interval), 1}}, .workload = {{W(lines), 8}},
         .states = {"LLyyyyyyLyyyyyyyL."}, .writes = UINT64_C(4) * 8},
        {"stores have as many lines as they say", "w", .workload = {{W(lines), 8}, {W(store_lines), 3}}, .cycles = 24,
         .writes = 3},
    };

    LAB_CHECK(rows);
}

/* Parts of the memory without an interval; MISS - 2 is what a line takes then. */
#define NO_WAIT {M(network_interval), 0}, {M(l2_interval), 0}, {M(dram_interval), 0}
#define USED_LOAD "la", .uses = {{1, 0, 1}}
#define LINES(num) .workload = {{W(lines), num}, {W(footprint), 1000000}}

TEST(a_load_is_there_with_its_last_line)
{
    enum { MISS = LAB_MISS - 2, LONE = 1 + MISS };
    static const lab_row rows[] = {
        {"five lines over the link, one per 4 cycles", USED_LOAD, LINES(5), .took = 1 + LAB_MISS + 2 + 4 * 4, .reads = 5,
         .machine = {{M(network_interval), 4}, {M(l2_interval), 0}, {M(dram_interval), 0}, {M(l1_ways), 0}}},
        {"one access may ask for a line several times", USED_LOAD, .workload = {{W(lines), 32}, {W(footprint), 1}}, .reads = 1,
         .l1_lines = 32},
        /* A line that is missing takes its place in L1 at once, and not that of another one under way: the third line
         * waits for the first one's arrival. */
        {"a set full of lines under way holds up the unit", USED_LOAD, LINES(3), .took = LONE + 2 + MISS - 2,
         .machine = {NO_WAIT, {M(l1_sets), 1}, {M(l2_ways), 0}, {M(l1_ways), 2}}},
        {"a set with room does not", USED_LOAD, LINES(3), .took = LONE + 2,
         .machine = {NO_WAIT, {M(l1_sets), 1}, {M(l2_ways), 0}, {M(l1_ways), 3}}},
        /* Lines come as many at a time as there are places for misses. */
        {"one miss at a time", USED_LOAD, LINES(6), .took = 1 + 6 * MISS, .reads = 6,
         .machine = {NO_WAIT, {M(l2_ways), 0}, {M(l1_ways), 0}, {M(mshrs), 1}}},
        {"two misses at a time", USED_LOAD, LINES(6), .took = 1 + 3 * MISS + 1, .reads = 6,
         .machine = {NO_WAIT, {M(l2_ways), 0}, {M(l1_ways), 0}, {M(mshrs), 2}}},
        {"four misses at a time", USED_LOAD, LINES(6), .took = 1 + 2 * MISS + 1, .reads = 6,
         .machine = {NO_WAIT, {M(l2_ways), 0}, {M(l1_ways), 0}, {M(mshrs), 4}}},
        {"all misses at a time", USED_LOAD, LINES(6), .took = LONE + 5, .reads = 6,
         .machine = {NO_WAIT, {M(l2_ways), 0}, {M(l1_ways), 0}, {M(mshrs), 8}}},
    };

    LAB_CHECK(rows);
}

/* A lab whose loads all go to one line. */
static sm_lab *one_line(const machine *m, unsigned warps, const char *body)
{
    workload w = fixture_workload();
    sm_lab *lab;

    w.threads_per_cta = 32 * warps;
    w.footprint = 1;
    lab = lab_open(m, &w, body);
    lab_launch(lab, 0);
    return lab;
}

TEST(a_miss_takes_the_memorys_time_and_a_hit_that_of_l1)
{
    sm_lab *lab = one_line(NULL, 1, "lala");

    lab->p.body[1].uses_load = lab->p.body[3].uses_load = 1;
    lab_run_out(lab);
    assert_int_equal(lab_cycle_of(lab, 0, "I", 0) - lab_cycle_of(lab, 0, "L", 0), 1 + LAB_MISS);
    assert_int_equal(lab_cycle_of(lab, 0, "I", 1) - lab_cycle_of(lab, 0, "L", 1), 1 + 11);
    for (unsigned c = lab_cycle_of(lab, 0, "L", 0) + 1; c < lab_cycle_of(lab, 0, "I", 0); c++)
        assert_int_equal(lab->states[0][c], 'M');
    assert_int_equal(lab->sm.counts.l1_hits, 1);
    assert_int_equal(lab->sm.counts.l1_misses, 1);
}

TEST(a_line_on_its_way_is_asked_for_once)
{
    machine m = fixture_machine();
    sm_lab *lab;

    m.mshrs = 1; /* those that merge need no place of their own */
    lab = one_line(&m, 4, "la");
    lab->p.body[1].uses_load = 1;
    lab_run_out(lab);
    assert_int_equal(lab->mem.counts.reads, 1);
    assert_int_equal(lab->sm.counts.l1_misses, 4);
    assert_int_equal(lab->sm.counts.l1_hits, 0);
    /* Warp 1 was the first to ask; all go on with its line, one per cycle. */
    for (unsigned warp = 0; warp < 4; warp++) {
        assert_int_equal(lab->states[warp][LAB_FIRST + 1 + LAB_MISS - 1], 'M');
        assert_true(strchr("Il", lab->states[warp][LAB_FIRST + 1 + LAB_MISS]) != NULL);
    }
}

/* A line of the L2 overtakes one of DRAM that was asked for before it. */
TEST(lines_arrive_in_the_order_of_their_times)
{
    machine m = fixture_machine();
    unsigned overtaken, overtakes;
    sm_lab *lab;

    m.l1_ways = 0;
    m.l2_interval = 1;
    lab = one_line(&m, 1, "lallaa");
    lab->p.body[2].locality = STREAM;
    lab->p.body[1].uses_load = lab->p.body[4].uses_load = 1; /* the line that was there before */
    lab->p.body[5].uses_load = 3;
    lab_run_out(lab);
    overtaken = lab_cycle_of(lab, 0, "L", 1);
    overtakes = lab_cycle_of(lab, 0, "L", 2);
    assert_int_equal(overtakes, overtaken + 1);
    assert_int_equal(lab_cycle_of(lab, 0, "I", 1), overtakes + 1 + LAB_MISS - 17 + 1); /* 1 for the link */
    assert_int_equal(lab_cycle_of(lab, 0, "I", 2), overtaken + 1 + LAB_MISS);
}

/* A warp keeps track of so many results; one more waits for the oldest. */
TEST(a_result_that_is_late_stops_its_warp_one_window_later)
{
    enum { LATE = 300 };
    const unsigned full = LAB_FIRST + PROGRAM_WINDOW;
    machine m = fixture_machine();
    char body[PROGRAM_WINDOW + 2];

    m.dram_latency = m.sfu_latency = LATE;
    for (unsigned load = 0; load < 2; load++) {
        const unsigned there = load ? LAB_FIRST + 1 + LAB_MISS - 17 + LATE : LAB_FIRST + LATE;
        sm_lab *lab;

        memset(body, 'a', sizeof body);
        body[0] = load ? 'l' : 's';
        body[PROGRAM_WINDOW + 1] = '\0';
        lab = lab_begin(&m, 1, 1, body);
        lab_run_out(lab);
        assert_int_equal(lab->states[0][full - 1], 'I');
        for (unsigned c = full; c < there; c++)
            assert_int_equal(lab->states[0][c], load ? 'M' : 'A');
        assert_int_equal(lab->states[0][there], 'I');
    }
}

TEST(a_kernel_starts_with_an_empty_l1)
{
    sm_lab *lab = one_line(NULL, 1, "l");

    lab_run_out(lab);
    sm_start_kernel(&lab->sm, &lab->p, &lab->desc);
    lab_run(lab, 1);
    lab_launch(lab, 1);
    lab_run_out(lab);
    assert_int_equal(lab->sm.counts.l1_misses, 2);
    assert_int_equal(lab->mem.counts.l2_hits, 1); /* the L2 keeps it */
}
