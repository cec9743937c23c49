/* SPDX-License-Identifier: Apache-2.0
 *
 * Who issues when several could: the three schedulers, several of them side by side, and the pipes
 * that they share. activity_fixture.h has the letters.
 */
#include <string.h>

#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"

enum { FIRST = 4 }; /* cycle in which new warps can issue */

/* The warps that issue from the first possible cycle on, one digit per cycle, - for none. */
static void expect_order(sm_lab *lab, const char *order)
{
    lab_run(lab, FIRST + (unsigned)strlen(order) - lab->cycles);
    for (unsigned c = 0; order[c]; c++) {
        char who = '-';

        for (unsigned warp = 0; warp < lab->m.warps; warp++)
            if (strchr("IL", lab->states[warp][FIRST + c]))
                who = (char)('0' + warp);
        if (who != order[c])
            fail_msg("cycle %u: %c, not %c", c, who, order[c]);
    }
}

/* ---- loose round robin ------------------------------------------------------------ */

TEST(lrr_takes_the_next_one_around)
{
    sm_lab *lab = lab_begin(NULL, 4, 1, "aaaa");

    expect_order(lab, "1230123012301230");
}

TEST(lrr_leaves_out_those_that_cannot)
{
    sm_lab *lab = lab_begin(NULL, 3, 1, "aaaa");

    lab->p.body[1].uses = 1; /* five cycles after the first */
    expect_order(lab, "120--120120120");
}

TEST(lrr_goes_around_the_highest_slot)
{
    machine m = fixture_machine();
    sm_lab *lab;

    m.warps = 64;
    m.slots = 32;
    m.registers = 65536;
    lab = lab_begin(&m, 32, 2, "aa");
    lab_run(lab, FIRST + 128);
    for (unsigned c = 0; c < 128; c++)
        assert_int_equal(lab->states[(c + 1) % 64][FIRST + c], 'I');
}

/* ---- greedy, then oldest ---------------------------------------------------------- */

TEST(gto_stays_with_its_warp_while_it_can)
{
    machine m = fixture_machine();
    sm_lab *lab;

    m.scheduler = SCHEDULE_GTO;
    lab = lab_begin(&m, 3, 1, "aaaa");
    expect_order(lab, "000011112222");
}

TEST(gto_goes_on_with_the_new_warp_when_the_old_one_can_again)
{
    machine m = fixture_machine();
    sm_lab *lab;

    m.scheduler = SCHEDULE_GTO;
    m.alu_latency = 2;
    lab = lab_begin(&m, 2, 1, "aaaaa");
    lab->p.body[1].uses = 1; /* warp 0 waits once; warp 1 too, and hands back */
    expect_order(lab, "0100001111");
    lab = lab_begin(&m, 2, 1, "aaaaa");
    lab->p.body[1].uses = 1;
    lab->sm.warps[1].at = 2; /* warp 1 never waits: it keeps the turn, though warp 0 is older */
    expect_order(lab, "01110000");
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
    expect_order(lab, "201");
}

/* ---- two levels ------------------------------------------------------------------- */

TEST(two_levels_go_round_among_the_active_ones)
{
    machine m = fixture_machine();
    sm_lab *lab;

    m.scheduler = SCHEDULE_TWO_LEVEL;
    lab = lab_begin(&m, 4, 1, "aaa");
    expect_order(lab, "101010" "23"); /* nobody of the upper level can: the others may */
}

TEST(a_warp_that_waits_for_memory_gives_way_at_once)
{
    machine m = fixture_machine();
    sm_lab *lab;

    m.scheduler = SCHEDULE_TWO_LEVEL;
    lab = lab_begin(&m, 4, 1, "alaa");
    lab->p.body[2].uses_load = 1;
    /* 1 waits after its load and 2 comes up, then 0 and 3. */
    expect_order(lab, "101" "20" "2" "33" "------");
}

TEST(so_does_one_at_a_barrier)
{
    machine m = fixture_machine();
    sm_lab *lab;

    m.scheduler = SCHEDULE_TWO_LEVEL;
    lab = lab_begin(&m, 4, 1, "|a");
    expect_order(lab, "1230");
}

TEST(a_warp_that_waits_for_the_alu_stays)
{
    machine m = fixture_machine();
    sm_lab *lab;

    m.scheduler = SCHEDULE_TWO_LEVEL;
    m.alu_latency = 3;
    lab = lab_begin(&m, 3, 1, "aaa");
    lab->p.body[1].uses = lab->p.body[2].uses = 1;
    /* While both wait, whoever is ready may issue, but gets no place: the two are first again. */
    expect_order(lab, "102102102");
}

TEST(a_paused_warp_holds_no_place_among_the_active_ones)
{
    machine m = fixture_machine();
    sm_lab *lab;

    m.scheduler = SCHEDULE_TWO_LEVEL;
    m.slots = 8;
    lab = lab_begin(&m, 1, 5, "aaaa");
    lab->control.paused = 3;
    expect_order(lab, "23232323" "4444" "--");
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

        lab_run(lab, FIRST + 8);
        for (unsigned c = FIRST; c < FIRST + 8; c++) {
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

TEST(alu_width_limits_the_alu_alone)
{
    const machine m = wide(2, 1);
    sm_lab *lab = lab_begin(&m, 2, 1, "aaaa");

    lab_run(lab, FIRST + 5);
    /* The schedulers take turns in coming first. */
    assert_memory_equal(lab->states[0] + FIRST, "IlIlI", 5);
    assert_memory_equal(lab->states[1] + FIRST, "lIlIl", 5);
    lab = lab_begin(&m, 2, 1, "aaaa");
    lab->p.body[0].op = OP_STORE; /* the LSU takes both */
    lab_run(lab, FIRST + 2);
    assert_memory_equal(lab->states[0] + FIRST, "Ll", 2);
    assert_memory_equal(lab->states[1] + FIRST, "LI", 2);
    lab = lab_begin(&m, 2, 1, "aaaa");
    lab->p.body[0].op = OP_STORE;
    lab->sm.warps[1].at = 1;
    lab_run(lab, FIRST + 1);
    assert_int_equal(lab->states[0][FIRST], 'L');
    assert_int_equal(lab->states[1][FIRST], 'I');
}

TEST(the_sfu_and_the_queue_are_shared)
{
    const machine m = wide(2, 2);
    sm_lab *lab = lab_begin(&m, 2, 1, "ss");

    lab_run(lab, FIRST + 7);
    assert_memory_equal(lab->states[0] + FIRST, "Ixx" "lxx" "I", 7);
    assert_memory_equal(lab->states[1] + FIRST, "lxx" "Ixx" "l", 7);
    lab = lab_begin(&m, 4, 1, "w");
    lab->m.lsu_queue = 1; /* one place: one of the two schedulers */
    lab->m.network_interval = 1;
    lab_run(lab, FIRST + 4);
    for (unsigned c = FIRST; c < FIRST + 4; c++)
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
    lab_run(lab, FIRST + 26); /* a line leaves in every second cycle */
    for (unsigned warp = 0; warp < 2; warp++)
        assert_int_equal(lab->sm.warps[warp].at, 6);
    assert_int_equal(lab->sm.warps[6].at + lab->sm.warps[7].at, 0);
}

TEST(who_lost_the_queue_shows_it)
{
    sm_lab *lab = lab_begin(NULL, 3, 1, "w");

    lab_run(lab, FIRST + 2);
    assert_int_equal(count_in(lab, FIRST, "L"), 1);
    assert_int_equal(count_in(lab, FIRST, "k"), 2);
    assert_int_equal(count_in(lab, FIRST + 1, "k"), 1);
}
