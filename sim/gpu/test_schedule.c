/* SPDX-License-Identifier: Apache-2.0
 *
 * Who issues when several could: the three schedulers, several of them side by side, and the pipes
 * that they share. activity_fixture.h has the letters.
 */
#include <string.h>

#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"

#define GTO {M(scheduler), SCHEDULE_GTO}
#define TWO_LEVEL {M(scheduler), SCHEDULE_TWO_LEVEL}
#define TWO_SCHEDULERS {M(schedulers), 2}

TEST(who_is_next)
{
    static const lab_row rows[] = {
        {"lrr takes the next one around", "aaaa", 4, .order = "1230123012301230"},
        /* Warps can go on five cycles after their first. */
        {"lrr leaves out those that cannot", "aaaa", 3, .uses = {{1, 1, 0}}, .order = "120--120120120"},
        {"gto stays with its warp while it can", "aaaa", 3, .machine = {GTO}, .order = "000011112222"},
        /* Warp 0 waits once; warp 1 too, and hands back. */
        {"gto goes on with the new warp", "aaaaa", 2, .machine = {GTO, {M(alu_latency), 2}}, .uses = {{1, 1, 0}},
         .order = "0100001111"},
        /* When nobody of the upper level can, the others may. */
        {"two levels go round among the active ones", "aaa", 4, .machine = {TWO_LEVEL}, .order = "101010" "23"},
        /* 1 waits after its load and 2 comes up, then 0 and 3. */
        {"a warp that waits for memory gives way at once", "alaa", 4, .machine = {TWO_LEVEL}, .uses = {{2, 0, 1}},
         .order = "101" "20" "2" "33" "------"},
        {"so does one at a barrier", "|a", 4, .machine = {TWO_LEVEL}, .order = "1230"},
        /* While both wait, whoever is ready may issue, but gets no place: the two are first again. */
        {"a warp that waits for the ALU stays", "aaa", 3, .machine = {TWO_LEVEL, {M(alu_latency), 3}},
         .uses = {{1, 1, 0}, {2, 1, 0}}, .order = "102102102"},
        {"a paused warp holds no place among the active ones", "aaaa", 1, 5, .machine = {TWO_LEVEL, {M(slots), 8}},
         .control = {.paused = 3}, .cycles = 18, .order = "23232323" "4444" "--"},
    };

    LAB_CHECK(rows);
}

/* ---- loose round robin ------------------------------------------------------------ */

TEST(lrr_goes_around_the_highest_slot)
{
    machine m = fixture_machine();
    sm_lab *lab;

    m.warps = 64;
    m.slots = 32;
    m.registers = 65536;
    lab = lab_begin(&m, 32, 2, "aa");
    lab_run(lab, LAB_FIRST + 128);
    for (unsigned c = 0; c < 128; c++)
        assert_int_equal(lab->states[(c + 1) % 64][LAB_FIRST + c], 'I');
}

/* ---- greedy, then oldest ---------------------------------------------------------- */

/* Though warp 0, which waits once, is older. */
TEST(gto_keeps_a_warp_that_never_waits)
{
    machine m = fixture_machine();
    sm_lab *lab;

    m.scheduler = SCHEDULE_GTO;
    m.alu_latency = 2;
    lab = lab_begin(&m, 2, 1, "aaaaa");
    lab->p.body[1].uses = 1;
    lab->sm.warps[1].at = 2;
    lab_expect_order(lab, "01110000");
}

TEST(gto_prefers_the_oldest_cta_not_the_lowest_slot)
{
    machine m = fixture_machine();
    sm_lab *lab;

    m.scheduler = SCHEDULE_GTO;
    lab = lab_begin(&m, 1, 3, "jjjjjjjjjj");
    lab->sm.warps[0].length = 1; /* CTA 0 is through at once */
    while (!(lab->sm.obs.cta_done & 1))
        lab_run(lab, 1);
    lab_launch(lab, 3); /* in slot 0, the youngest */
    lab_run(lab, 6);
    /* All can issue every 4 cycles: 1 and 2 before 0. */
    assert_int_equal(lab->sm.order[0], 1);
    assert_int_equal(lab->sm.order[1], 2);
    assert_int_equal(lab->sm.order[2], 0);
    lab_run_out(lab);
    for (unsigned c = 0; c < lab->cycles; c++)
        if (lab->states[0][c] == 'I' && c > 12)
            assert_true(lab->states[1][c] != 'l' && lab->states[2][c] != 'l');
}

/* Three warps that are ready in the same cycle, the oldest CTA in the highest slot. */
TEST(gto_orders_by_age_among_those_that_are_ready)
{
    machine m = fixture_machine();
    sm_lab *lab;

    m.scheduler = SCHEDULE_GTO;
    lab = lab_begin(&m, 1, 3, "a");
    memcpy(lab->sm.order, (const uint8_t[]){2, 0, 1}, 3);
    lab->sm.last[0] = 7;
    lab_expect_order(lab, "201");
}

/* ---- several schedulers ----------------------------------------------------------- */

static machine wide(unsigned schedulers, unsigned alu_width)
{
    machine m = fixture_machine();

    m.schedulers = schedulers;
    m.alu_width = alu_width;
    return m;
}

static unsigned count_in(const sm_lab *lab, unsigned cycle, const char *letters)
{
    unsigned n = 0;

    for (unsigned warp = 0; warp < lab->m.warps; warp++)
        n += strchr(letters, lab->states[warp][cycle]) != NULL;
    return n;
}

TEST(each_scheduler_issues_for_its_own_warps)
{
    for (unsigned n = 1; n <= MACHINE_MAX_SCHEDULERS; n++) {
        const machine m = wide(n, n);
        sm_lab *lab = lab_begin(&m, 8, 1, "aaaaaaaa");

        lab_run(lab, LAB_FIRST + 8);
        for (unsigned c = LAB_FIRST; c < LAB_FIRST + 8; c++) {
            assert_int_equal(count_in(lab, c, "I"), n);
            for (unsigned s = 0; s < n; s++) {
                unsigned mine = 0;

                for (unsigned warp = s; warp < 8; warp += n)
                    mine += lab->states[warp][c] == 'I';
                assert_int_equal(mine, 1);
            }
            assert_int_equal(count_in(lab, c, "l"), 8 - n);
        }
    }
}

TEST(pipes_are_shared)
{
    static const lab_row rows[] = {
        /* The schedulers take turns in coming first. */
        {"one ALU", "aaaa", 2, .machine = {TWO_SCHEDULERS, {M(alu_width), 1}}, .states = {"IlIlI", "lIlIl"}},
        {"the LSU takes both, the ALU one", "waaa", 2, .machine = {TWO_SCHEDULERS, {M(alu_width), 1}}, .states = {"Ll", "LI"}},
        {"one SFU", "ss", 2, .machine = {TWO_SCHEDULERS, {M(alu_width), 2}}, .states = {"Ixx" "lxx" "I", "lxx" "Ixx" "l"}},
    };

    LAB_CHECK(rows);
}

TEST(alu_width_limits_the_alu_alone)
{
    const machine m = wide(2, 1);
    sm_lab *lab = lab_begin(&m, 2, 1, "waaa");

    lab->sm.warps[1].at = 1;
    lab_expect(lab, 0, "L");
    lab_expect(lab, 1, "I");
}

TEST(the_queue_is_shared)
{
    machine m = wide(2, 2);
    sm_lab *lab;

    m.lsu_queue = 1; /* one place: one of the two schedulers */
    m.network_interval = 1;
    lab = lab_begin(&m, 4, 1, "w");
    lab_run(lab, LAB_FIRST + 4);
    for (unsigned c = LAB_FIRST; c < LAB_FIRST + 4; c++)
        assert_int_equal(count_in(lab, c, "L"), 1);
}

/* One place in the queue, both schedulers always want it, and the oldest CTA has a warp in each: its warps
 * come first, whichever scheduler they belong to. */
TEST(no_scheduler_is_left_behind_at_the_queue)
{
    machine m = wide(2, 2);
    sm_lab *lab;

    m.scheduler = SCHEDULE_GTO;
    m.lsu_queue = 1;
    lab = lab_begin(&m, 2, 4, "wwwwww");
    lab_run(lab, LAB_FIRST + 26); /* a line leaves in every second cycle */
    for (unsigned warp = 0; warp < 2; warp++)
        assert_int_equal(lab->sm.warps[warp].at, 6);
    assert_int_equal(lab->sm.warps[6].at + lab->sm.warps[7].at, 0);
}

TEST(who_lost_the_queue_shows_it)
{
    sm_lab *lab = lab_begin(NULL, 3, 1, "w");

    lab_run(lab, LAB_FIRST + 2);
    assert_int_equal(count_in(lab, LAB_FIRST, "L"), 1);
    assert_int_equal(count_in(lab, LAB_FIRST, "k"), 2);
    assert_int_equal(count_in(lab, LAB_FIRST + 1, "k"), 1);
}
