/* SPDX-License-Identifier: Apache-2.0
 *
 * Who issues when several could: each order of `warp_scheduler`, several schedulers side by side, what they see of the SM, and the
 * pipes that they share. activity_fixture.h has the letters.
 */
#include <string.h>

#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"

#define GTO {M(scheduler), SCHEDULE_GTO}
#define TWO_LEVEL {M(scheduler), SCHEDULE_TWO_LEVEL}
#define SCA {M(scheduler), SCHEDULE_SCA}
#define TWO_SCHEDULERS {M(schedulers), 2}

TEST(who_is_next)
{
    static const lab_row rows[] = {
        {"lrr takes the next one around", "aaaa", 4, .order = "0123012301230123"},
        /* Warps can go on five cycles after their first. */
        {"lrr leaves out those that cannot", "aaaa", 3, .uses = {{1, 1, 0}}, .order = "012--012012012"},
        {"gto stays with its warp while it can", "aaaa", 3, .machine = {GTO}, .order = "000011112222"},
        /* Warp 0 waits once; warp 1 too, and hands back. */
        {"gto goes on with the new warp", "aaaaa", 2, .machine = {GTO, {M(alu_latency), 2}}, .uses = {{1, 1, 0}},
         .order = "0100001111"},
        /* Warp 1 issued last, nobody could in the next three cycles: the oldest goes first. */
        {"greediness ends where all wait", "aaa", 2, .machine = {GTO}, .uses = {{1, 1, 0}}, .order = "01---0011"},
        {"two levels go round in a fetch group", "aaa", 4, .machine = {TWO_LEVEL}, .order = "010101" "232323"},
        /* 0 and 1 have issued; their group is left in the cycle in which both wait, and comes again when the other does. */
        {"a fetch group is left when all of it stalls", "aaa", 4, .machine = {TWO_LEVEL}, .uses = {{1, 1, 0}},
         .order = "01" "23" "-" "0101" "2323"},
        {"so at a barrier", "|a", 4, .machine = {TWO_LEVEL}, .order = "0123" "2301"},
        {"paused warps are not picked", "aaaa", 1, 5, .machine = {TWO_LEVEL, {M(slots), 8}},
         .control = {.paused = 3}, .cycles = 18, .order = "23232323" "4444" "--"},
        {"softly paused ones when no other can be", "aa", 1, 3, .control = {.paused = 3, .soft = true}, .order = "220101"},
        /* Warps 0 and 2 are of the two CTAs of a pair, so are 1 and 3. */
        {"sca takes the warps of neighbours in turn", "aaa", 2, 2, .machine = {SCA}, .order = "02020" "13131" "23"},
        {"sca leaves a group when one of it stalls", "aaa", 2, 2, .machine = {SCA}, .uses = {{1, 1, 0}}, .order = "0123" "-" "01012323"},
        {"sca passes by a paused neighbour", "aa", 2, 2, .machine = {SCA}, .control = {.paused = 2}, .cycles = 10, .order = "0011--"},
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
        assert_int_equal(lab->states[c % 64][LAB_FIRST + c], 'I');
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
    lab_run(lab, 1);
    lab->sm.schedulers[0].state.older[0] = 2; /* 2, 0, 1 */
    lab->sm.schedulers[0].state.older[1] = 0;
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

/* Warp k of scheduler i is the SM's warp k x schedulers + i, in every port. */
TEST(each_scheduler_sees_its_own_warps_side_by_side)
{
    for (unsigned n = 1; n <= MACHINE_MAX_SCHEDULERS; n++) {
        machine m = wide(n, n);
        sm_lab *lab;

        m.warps = 60;
        m.slots = 20;
        lab = lab_begin(&m, 3, 20, "a|aaa");
        lab->control.paused = 0x5a5a5;
        for (unsigned c = 0; c < 30; c++) {
            lab_run(lab, 1);
            for (unsigned i = 0; i < n; i++) {
                const warp_scheduler_in *in = &lab->sm.schedulers[i].in;

                for (unsigned warp = i; c >= LAB_FIRST && c < LAB_FIRST + 6 && warp < 60; warp += n) {
                    const uint64_t planes[] = {in->slot0, in->slot1, in->slot2, in->slot3, in->slot4};

                    assert_int_equal(in->present >> warp / n & 1, 1);
                    assert_int_equal(in->paused >> warp / n & 1, 0x5a5a5 >> warp / 3 & 1);
                    for (unsigned b = 0; b < 5; b++)
                        assert_int_equal(planes[b] >> warp / n & 1, warp / 3 >> b & 1);
                }
                assert_int_equal((in->present | in->paused | in->ready | in->slot0) >> (60 + n - 1) / n, 0);
                assert_int_equal(in->warps_per_cta, 3 % n ? (60 + n - 1) / n : 3 / n);
            }
        }
    }
}

/* With two schedulers, 0 and 4 are the same warp of two neighbours, of one scheduler; so are 1 and 5. */
TEST(sca_pairs_within_each_scheduler)
{
    machine m = wide(2, 2);
    sm_lab *lab;

    m.scheduler = SCHEDULE_SCA;
    lab = lab_begin(&m, 4, 2, "aaa");
    lab_expect(lab, 0, "IlIlI");
    lab_expect(lab, 4, "lIlIl");
    lab_expect(lab, 1, "IlIlI");
    lab_expect(lab, 5, "lIlIl");
    lab_expect(lab, 2, "lllllI");
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
