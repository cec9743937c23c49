/* SPDX-License-Identifier: Apache-2.0
 *
 * One SM with programs written by hand: each test holds what every warp did, cycle by cycle, against
 * what the machine's numbers say. activity_fixture.h has the letters.
 */
#include <string.h>

#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"

#define FETCH "NNNN" /* a new warp's first instruction */

/* ---- scoreboard and pipes --------------------------------------------------------- */

TEST(independent_instructions_issue_every_cycle)
{
    sm_lab *lab = lab_begin(NULL, 1, 1, "aaaa");

    lab_run_out(lab);
    lab_run(lab, 1);
    lab_expect(lab, 0, FETCH "IIII" "NNNN" "..");
    assert_int_equal(lab->sm.counts.instructions, 4);
    assert_int_equal(lab->sm.counts.operations[OP_ALU], 4);
}

TEST(a_dependent_instruction_issues_alu_latency_later)
{
    machine m = fixture_machine();

    for (m.alu_latency = 1; m.alu_latency <= 5; m.alu_latency += 4) {
        sm_lab *lab = lab_begin(&m, 1, 1, "aaa");

        lab->p.body[1].uses = lab->p.body[2].uses = 1;
        lab_run_out(lab);
        lab_expect(lab, 0, m.alu_latency == 1 ? FETCH "III" "." : FETCH "IAAAAIAAAAI" "NNNN" ".");
    }
}

TEST(a_distance_hides_latency)
{
    sm_lab *lab = lab_begin(NULL, 1, 1, "aaaaa");

    lab->p.body[3].uses = 3;
    lab->p.body[4].uses = 4;
    lab_run_out(lab);
    lab_expect(lab, 0, FETCH "IIIAAII" "NNNN" ".");
}

TEST(the_first_instructions_use_nothing_from_before_the_start)
{
    sm_lab *lab = lab_begin(NULL, 1, 1, "aa");

    lab->p.body[0].uses = 5;
    lab->p.body[1].uses_load = 2;
    lab_run_out(lab);
    lab_expect(lab, 0, FETCH "II");
}

TEST(sfu_takes_one_per_interval_and_has_its_latency)
{
    sm_lab *lab = lab_begin(NULL, 1, 1, "ssas");

    lab->p.body[3].uses = 2;
    lab_run_out(lab);
    /* Interval 3; the last one waits 9 from the second one on. */
    lab_expect(lab, 0, FETCH "IxxI" "I" "AAAAAAA" "I" "NNNNNNNN" ".");
    assert_int_equal(lab->sm.counts.operations[OP_SFU], 3);
}

TEST(a_busy_sfu_does_not_hold_up_other_pipes)
{
    machine m = fixture_machine();
    sm_lab *lab;

    m.sfu_interval = 6;
    lab = lab_begin(&m, 2, 1, "sas");
    lab_run_out(lab);
    /* Round robin, from warp 1 on. */
    lab_expect(lab, 1, FETCH "II" "xxxx" "l" "xxxxx" "I");
    lab_expect(lab, 0, FETCH "l" "xxxxx" "II" "xxxx" "l");
}

TEST(a_branch_leaves_the_warp_without_instructions)
{
    sm_lab *lab = lab_begin(NULL, 1, 1, "aja");

    lab_run_out(lab);
    lab_expect(lab, 0, FETCH "II" "NNN" "I");
    assert_int_equal(lab->sm.counts.operations[OP_BRANCH], 1);
}

/* ---- load/store unit -------------------------------------------------------------- */

enum { MISS = 10 + 13 + 17 + 2 + 10 }; /* of the fixture's memory, without load */

static unsigned cycle_of(const sm_lab *lab, unsigned warp, const char *letters, unsigned nth)
{
    for (unsigned c = 0; c < lab->cycles; c++)
        if (strchr(letters, lab->states[warp][c]) && nth-- == 0)
            return c;
    fail_msg("never");
    return 0;
}

/* Issued in cycle t, the unit takes it in t + 1. */
TEST(shared_memory_takes_its_latency)
{
    sm_lab *lab = lab_begin(NULL, 1, 1, "ma");

    lab->p.body[1].uses = 1;
    lab_run_out(lab);
    lab_expect(lab, 0, FETCH "L" "AAAAAAA" "I"); /* 1 + 7 later */
}

TEST(a_miss_takes_the_memorys_time_and_a_hit_that_of_l1)
{
    workload w = fixture_workload();
    sm_lab *lab;

    w.footprint = 1;
    lab = lab_open(NULL, &w, "lala");
    lab->p.body[1].uses_load = lab->p.body[3].uses_load = 1;
    lab_launch(lab, 0);
    lab_run_out(lab);
    assert_int_equal(cycle_of(lab, 0, "I", 0) - cycle_of(lab, 0, "L", 0), 1 + MISS);
    assert_int_equal(cycle_of(lab, 0, "I", 1) - cycle_of(lab, 0, "L", 1), 1 + 11);
    for (unsigned c = cycle_of(lab, 0, "L", 0) + 1; c < cycle_of(lab, 0, "I", 0); c++)
        assert_int_equal(lab->states[0][c], 'M');
    assert_int_equal(lab->sm.counts.l1_hits, 1);
    assert_int_equal(lab->sm.counts.l1_misses, 1);
}

TEST(a_missing_load_is_named_before_a_missing_result)
{
    sm_lab *lab = lab_begin(NULL, 1, 1, "laa");

    lab->p.body[2].uses_load = 2;
    lab->p.body[2].uses = 1;
    lab_run_out(lab);
    lab_expect(lab, 0, FETCH "LIMMMMMMMM");
}

/* The SM's way out takes a line of a store in every second cycle. */
TEST(stores_wait_for_the_way_out)
{
    workload w = fixture_workload();
    sm_lab *lab;

    w.lines = 2;
    lab = lab_open(NULL, &w, "wwww");
    lab_launch(lab, 0);
    lab_run(lab, 16);
    lab_expect(lab, 0, FETCH "LLyLyyyL.");
}

/* A line that the memory has no room for waits, and so does all behind it. */
TEST(a_full_memory_pushes_back)
{
    machine m = fixture_machine();
    const workload w = fixture_workload();
    sm_lab *lab;

    m.l2_banks = 1;
    m.l2_interval = 20;
    m.l2_queue = 1;
    m.network_interval = 0;
    for (unsigned loads = 0; loads < 2; loads++) {
        lab = lab_open(&m, &w, loads ? "lllll" : "wwwww");
        lab_launch(lab, 0);
        lab_run(lab, 30);
        /* The bank has one, two are in the unit's queue; 20 cycles later there is room for another. */
        lab_expect(lab, 0, FETCH "LLL" "yyyyyyyyyyyyyyyyyy" "L");
    }
}

/* Three instructions of eight lines each, one line per cycle; the queue holds two. */
TEST(a_full_queue_pushes_back)
{
    machine m = fixture_machine();
    workload w = fixture_workload();
    sm_lab *lab;

    m.network_interval = 1;
    w.lines = 8;
    lab = lab_open(&m, &w, "wwww");
    lab_launch(lab, 0);
    lab_run_out(lab);
    assert_int_equal(lab->sm.counts.operations[OP_STORE], 4);
    lab_run(lab, 20); /* what is in the queue goes on without the warp */
    lab_expect(lab, 0, FETCH "LLyyyyyyLyyyyyyyL.");
    assert_int_equal(lab->mem.counts.writes, 4 * 8);
}

TEST(stores_have_as_many_lines_as_they_say)
{
    workload w = fixture_workload();
    sm_lab *lab;

    w.lines = 8;
    w.store_lines = 3;
    lab = lab_open(NULL, &w, "w");
    lab_launch(lab, 0);
    lab_run(lab, 20);
    assert_int_equal(lab->mem.counts.writes, 3);
}

/* All lines of a load are there before its user issues. */
TEST(a_load_is_there_with_its_last_line)
{
    machine m = fixture_machine();
    workload w = fixture_workload();
    sm_lab *lab;

    m.network_interval = 4;
    m.l2_interval = m.dram_interval = 0;
    m.l1_ways = 0;
    w.lines = 5;
    w.footprint = 1000000;
    lab = lab_open(&m, &w, "la");
    lab->p.body[1].uses_load = 1;
    lab_launch(lab, 0);
    lab_run_out(lab);
    /* Five lines over the link, one per 4 cycles. */
    assert_int_equal(cycle_of(lab, 0, "I", 0) - cycle_of(lab, 0, "L", 0), 1 + MISS + 2 + 4 * 4);
    assert_int_equal(lab->mem.counts.reads, 5);
}

/* A line that is missing takes its place in L1 at once, and not that of another one under way. */
TEST(a_set_full_of_lines_under_way_holds_up_the_unit)
{
    machine m = fixture_machine();
    workload w = fixture_workload();
    sm_lab *lab;

    m.l1_sets = 1;
    m.network_interval = m.l2_interval = m.dram_interval = 0;
    m.l2_ways = 0;
    w.lines = 3;
    w.footprint = 1000000;
    for (m.l1_ways = 2; m.l1_ways <= 3; m.l1_ways++) {
        const unsigned waited = m.l1_ways == 2 ? MISS - 2 - 2 : 0; /* the third line, for the first one's arrival */

        lab = lab_open(&m, &w, "la");
        lab->p.body[1].uses_load = 1;
        lab_launch(lab, 0);
        lab_run_out(lab);
        assert_int_equal(cycle_of(lab, 0, "I", 0) - cycle_of(lab, 0, "L", 0), 1 + 2 + MISS - 2 + waited);
    }
}

/* With two places for misses, lines come two at a time. */
TEST(misses_are_limited)
{
    machine m = fixture_machine();
    workload w = fixture_workload();

    m.network_interval = m.l2_interval = m.dram_interval = 0;
    m.l2_ways = m.l1_ways = 0;
    w.lines = 6;
    w.footprint = 1000000;
    for (m.mshrs = 1; m.mshrs <= 8; m.mshrs *= 2) {
        sm_lab *lab = lab_open(&m, &w, "la");
        const unsigned rounds = (6 + m.mshrs - 1) / m.mshrs, last = (6 - 1) % m.mshrs;
        const unsigned took = MISS - 2;

        lab->p.body[1].uses_load = 1;
        lab_launch(lab, 0);
        lab_run_out(lab);
        assert_int_equal(cycle_of(lab, 0, "I", 0) - cycle_of(lab, 0, "L", 0), 1 + rounds * took + last);
        assert_int_equal(lab->mem.counts.reads, 6);
    }
}

TEST(a_line_on_its_way_is_asked_for_once)
{
    machine m = fixture_machine();
    workload w = fixture_workload();
    sm_lab *lab;

    m.mshrs = 1; /* those that merge need no place of their own */
    w.footprint = 1;
    w.threads_per_cta = 4 * 32;
    lab = lab_open(&m, &w, "la");
    lab->p.body[1].uses_load = 1;
    lab_launch(lab, 0);
    lab_run_out(lab);
    assert_int_equal(lab->mem.counts.reads, 1);
    assert_int_equal(lab->sm.counts.l1_misses, 4);
    assert_int_equal(lab->sm.counts.l1_hits, 0);
    /* Warp 1 was the first to ask; all go on with its line, one per cycle. */
    for (unsigned warp = 0; warp < 4; warp++) {
        assert_int_equal(lab->states[warp][4 + 1 + MISS - 1], 'M');
        assert_true(strchr("Il", lab->states[warp][4 + 1 + MISS]) != NULL);
    }
}

/* One access may touch a line several times. */
TEST(a_load_may_ask_for_a_line_twice)
{
    workload w = fixture_workload();
    sm_lab *lab;

    w.lines = 32;
    w.footprint = 1;
    lab = lab_open(NULL, &w, "la");
    lab->p.body[1].uses_load = 1;
    lab_launch(lab, 0);
    lab_run_out(lab);
    assert_int_equal(lab->mem.counts.reads, 1);
    assert_int_equal(lab->sm.counts.l1_hits + lab->sm.counts.l1_misses, 32);
}

/* A line of the L2 overtakes one of DRAM that was asked for before it. */
TEST(lines_arrive_in_the_order_of_their_times)
{
    machine m = fixture_machine();
    workload w = fixture_workload();
    unsigned overtaken, overtakes;
    sm_lab *lab;

    m.l1_ways = 0;
    m.l2_interval = 1;
    w.footprint = 1;
    lab = lab_open(&m, &w, "lallaa");
    lab->p.body[2].locality = STREAM;
    lab->p.body[1].uses_load = lab->p.body[4].uses_load = 1; /* the line that was there before */
    lab->p.body[5].uses_load = 3;
    lab_launch(lab, 0);
    lab_run_out(lab);
    overtaken = cycle_of(lab, 0, "L", 1);
    overtakes = cycle_of(lab, 0, "L", 2);
    assert_int_equal(overtakes, overtaken + 1);
    assert_int_equal(cycle_of(lab, 0, "I", 1), overtakes + 1 + MISS - 17 + 1); /* 1 for the link */
    assert_int_equal(cycle_of(lab, 0, "I", 2), overtaken + 1 + MISS);
}

/* A warp keeps track of so many results; one more waits for the oldest. */
TEST(a_load_that_is_late_stops_its_warp_one_window_later)
{
    machine m = fixture_machine();
    char body[PROGRAM_WINDOW + 2] = "l";
    sm_lab *lab;

    m.dram_latency = 1000;
    memset(body + 1, 'a', PROGRAM_WINDOW);
    lab = lab_begin(&m, 1, 1, body);
    lab_run_out(lab);
    assert_int_equal(lab->states[0][4 + PROGRAM_WINDOW - 1], 'I');
    assert_int_equal(lab->states[0][4 + PROGRAM_WINDOW], 'M');
    assert_int_equal(cycle_of(lab, 0, "I", PROGRAM_WINDOW - 1), 4 + 1 + MISS - 17 + 1000);
}

TEST(so_does_a_result_that_is_late)
{
    machine m = fixture_machine();
    char body[PROGRAM_WINDOW + 2] = "s";
    sm_lab *lab;

    m.sfu_latency = 300;
    memset(body + 1, 'a', PROGRAM_WINDOW);
    lab = lab_begin(&m, 1, 1, body);
    lab_run_out(lab);
    assert_int_equal(lab->states[0][4 + PROGRAM_WINDOW - 1], 'I');
    assert_int_equal(lab->states[0][4 + PROGRAM_WINDOW], 'A');
    assert_int_equal(lab->states[0][4 + 299], 'A');
    assert_int_equal(lab->states[0][4 + 300], 'I');
}

TEST(a_kernel_starts_with_an_empty_l1)
{
    workload w = fixture_workload();
    sm_lab *lab;

    w.footprint = 1;
    lab = lab_open(NULL, &w, "l");
    lab_launch(lab, 0);
    lab_run_out(lab);
    sm_start_kernel(&lab->sm, &lab->p, &lab->desc);
    lab_run(lab, 1);
    lab_launch(lab, 1);
    lab_run_out(lab);
    assert_int_equal(lab->sm.counts.l1_misses, 2);
    assert_int_equal(lab->mem.counts.l2_hits, 1); /* the L2 keeps it */
}
