/* SPDX-License-Identifier: Apache-2.0
 *
 * What an SM does with its CTAs: launch, barriers, exit, pause, and how that shows on the bus.
 * activity_fixture.h has the letters.
 */
#include <string.h>

#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"

#define FETCH "NNNN"

/* ---- launch and exit -------------------------------------------------------------- */

TEST(the_kernels_start_is_shown_once_with_its_description)
{
    sm_lab *lab = lab_begin(NULL, 1, 0, "a");

    assert_true(sm_empty(&lab->sm));
    lab_run(lab, 2);
    assert_int_equal(lab->seen[0].kernel_start, 1);
    assert_int_equal(lab->seen[1].kernel_start, 0);
    for (unsigned c = 0; c < 2; c++) {
        assert_memory_equal(&lab->seen[c].setup->kernel, &lab->desc, sizeof lab->desc);
        assert_int_equal(lab->seen[c].cta_active | lab->seen[c].cta_start | lab->seen[c].cta_done, 0);
        assert_int_equal(lab->states[0][c], '.');
    }
}

TEST(slots_are_taken_from_below_and_warps_follow_them)
{
    sm_lab *lab = lab_begin(NULL, 2, 3, "a");

    assert_false(sm_empty(&lab->sm));
    lab_run(lab, 2);
    assert_int_equal(lab->seen[0].cta_start, 7);
    assert_int_equal(lab->seen[0].cta_active, 7);
    assert_int_equal(lab->seen[1].cta_start, 0);
    assert_int_equal(lab->seen[1].cta_active, 7);
    for (unsigned warp = 0; warp < 6; warp++) {
        assert_int_equal(lab->seen[0].setup->warp_slot[warp], warp / 2);
        assert_int_equal(lab->states[warp][0], 'N');
        assert_int_equal(lab->sm.warps[warp].cta, warp / 2);
        assert_int_equal(lab->sm.warps[warp].index, warp % 2);
    }
    assert_int_equal(lab->states[6][0], '.');
    assert_int_equal(lab->states[7][0], '.');
}

TEST(an_sm_has_room_for_nmax)
{
    machine m = fixture_machine();
    sm_lab *lab = lab_begin(&m, 3, 2, "a"); /* 8 warps: two CTAs of 3 */

    assert_int_equal(lab->desc.nmax, 2);
    assert_false(sm_has_room(&lab->sm));
    lab_run_out(lab);
    assert_true(sm_has_room(&lab->sm));
}

/* The last instruction's result is waited for; the slot is active in the cycle of the exit. */
TEST(a_cta_is_done_with_its_last_result)
{
    sm_lab *lab = lab_begin(NULL, 1, 1, "a");

    lab_run(lab, 12);
    lab_expect(lab, 0, FETCH "I" "NNNN" "...");
    for (unsigned c = 0; c < 12; c++) {
        assert_int_equal(lab->seen[c].cta_done, c == 9);
        assert_int_equal(lab->seen[c].cta_active, c <= 9);
        assert_int_equal(lab->seen[c].cta_start, c == 0);
    }
    assert_int_equal(lab->sm.counts.ctas, 1);
}

TEST(what_leaves_nothing_behind_ends_in_its_cycle)
{
    sm_lab *lab = lab_begin(NULL, 1, 1, "w");

    lab_run(lab, 6);
    lab_expect(lab, 0, FETCH "L" ".");
    assert_int_equal(lab->seen[4].cta_done, 1);
    assert_int_equal(lab->seen[4].cta_active, 1);
    assert_int_equal(lab->seen[5].cta_active, 0);
}

TEST(a_load_at_the_end_is_waited_for)
{
    sm_lab *lab = lab_begin(NULL, 1, 1, "l");

    lab_run_out(lab);
    assert_int_equal(lab->cycles, 4 + 1 + (1 + 10 + 13 + 17 + 2 + 10));
    assert_int_equal(lab->seen[lab->cycles - 1].cta_done, 1);
}

TEST(a_cta_ends_with_its_last_warp)
{
    sm_lab *lab = lab_begin(NULL, 3, 1, "w");

    lab_run_out(lab); /* round robin, from warp 1 on */
    lab_expect(lab, 1, FETCH "L..");
    lab_expect(lab, 2, FETCH "kL.");
    lab_expect(lab, 0, FETCH "kkL");
    assert_int_equal(lab->sm.counts.ctas, 1);
    for (unsigned c = 0; c + 1 < lab->cycles; c++)
        assert_int_equal(lab->seen[c].cta_done, 0);
    assert_int_equal(lab->seen[lab->cycles - 1].cta_done, 1);
}

/* A slot is filled again in the cycle after its CTA was done, with fresh warps. */
TEST(a_slot_is_used_again)
{
    sm_lab *lab = lab_begin(NULL, 1, 2, "aw");

    lab->p.body[1].uses = 1;
    lab_run_out(lab);
    lab_launch(lab, 7);
    lab_run(lab, 1);
    assert_int_equal(lab->seen[lab->cycles - 1].cta_start, 1);
    assert_int_equal(lab->sm.warps[0].cta, 7);
    lab_run_out(lab);
    assert_int_equal(lab->sm.counts.ctas, 3);
    assert_int_equal(lab->sm.counts.instructions, 6);
}

/* ---- barriers --------------------------------------------------------------------- */

TEST(a_barrier_waits_for_all_and_only_its_cta)
{
    sm_lab *lab = lab_begin(NULL, 2, 2, "|a");

    /* Round robin from warp 1 on: warps 0 and 1 are one CTA, 2 and 3 the other. */
    lab_run_out(lab);
    lab_expect(lab, 1, FETCH "I" "BBB" "I");
    lab_expect(lab, 2, FETCH "l" "IB" "ll" "I");
    lab_expect(lab, 3, FETCH "l" "lI" "ll" "lI");
    lab_expect(lab, 0, FETCH "l" "llI" "l" "llI");
    assert_int_equal(lab->sm.counts.operations[OP_BARRIER], 4);
}

TEST(a_barrier_waits_for_warps_that_wait_for_memory)
{
    sm_lab *lab = lab_begin(NULL, 2, 1, "l|a");

    lab->p.body[1].uses_load = 1;
    lab_run_out(lab);
    for (unsigned warp = 0; warp < 2; warp++)
        assert_true(strchr(lab->states[warp], 'M') != NULL);
    assert_int_equal(lab->sm.counts.instructions, 6);
}

/* Many barriers, one directly after the other, and one at the very end. */
TEST(barriers_in_a_row_release_one_by_one)
{
    sm_lab *lab = lab_begin(NULL, 4, 2, "||||");

    lab_run_out(lab);
    assert_int_equal(lab->sm.counts.operations[OP_BARRIER], 2 * 4 * 4);
    assert_int_equal(lab->sm.counts.ctas, 2);
}

TEST(the_next_barrier_waits_anew)
{
    sm_lab *lab = lab_begin(NULL, 2, 1, "|a|a");

    lab_run_out(lab);
    lab_expect(lab, 1, FETCH "IBIl" "IBI");
    lab_expect(lab, 0, FETCH "lIlI" "lIlI");
}

TEST(a_barrier_of_one_warp_does_not_wait)
{
    sm_lab *lab = lab_begin(NULL, 1, 1, "|||");

    lab_run_out(lab);
    lab_expect(lab, 0, FETCH "III");
}

TEST(a_barrier_at_the_end_is_one)
{
    sm_lab *lab = lab_begin(NULL, 3, 1, "|");

    lab_run(lab, 8);
    lab_expect(lab, 1, FETCH "IBB.");
    lab_expect(lab, 2, FETCH "lIB.");
    lab_expect(lab, 0, FETCH "llI.");
}

/* Lengths differ only from CTA to CTA, but a warp that has left is not waited for either. */
TEST(a_warp_that_leaves_is_no_longer_waited_for)
{
    sm_lab *lab = lab_begin(NULL, 2, 1, "w|a");

    lab->sm.warps[1].length = 1;
    lab_run_out(lab);
    assert_int_equal(lab->sm.counts.operations[OP_BARRIER], 1);
    assert_int_equal(lab->sm.counts.ctas, 1);
}

TEST(a_warp_that_leaves_releases_those_at_the_barrier)
{
    sm_lab *lab = lab_begin(NULL, 2, 1, "wjw|");

    lab->p.body[1].op = OP_LOAD; /* warp 1 ends with it, late */
    lab->sm.warps[1].length = 2;
    lab_run_out(lab);
    assert_true(strchr(lab->states[0], 'B') != NULL);
    assert_int_equal(lab->sm.counts.ctas, 1);
}

/* ---- pause ------------------------------------------------------------------------ */

TEST(a_paused_cta_does_not_issue_and_shows_what_it_could)
{
    sm_lab *lab = lab_begin(NULL, 1, 2, "aaaa");

    lab->control.paused = 2;
    lab_run(lab, 10);
    lab_expect(lab, 0, FETCH "IIII" "NN");
    lab_expect(lab, 1, FETCH "llll" "ll");
    for (unsigned c = 0; c < 10; c++)
        assert_int_equal(lab->seen[c].paused, 2);
    lab->control.paused = 0;
    lab_run(lab, 4);
    lab_expect(lab, 1, FETCH "llllllIIII");
    assert_int_equal(lab->seen[lab->cycles - 1].paused, 0);
}

TEST(a_softly_paused_cta_comes_last)
{
    sm_lab *lab = lab_begin(NULL, 1, 2, "aaa");

    lab->p.body[2].uses = 1;
    lab->control = (sm_control){.paused = 1, .soft = true};
    lab_run(lab, 14);
    lab_expect(lab, 0, FETCH "llIIAAAA" "I");
    lab_expect(lab, 1, FETCH "IIAAAAIN");
}

/* What a paused CTA has under way comes back all the same (PAUSE-A5). */
TEST(a_paused_ctas_loads_arrive)
{
    sm_lab *lab = lab_begin(NULL, 1, 1, "la");

    lab->p.body[1].uses_load = 1;
    lab_run(lab, 6);
    lab->control.paused = 1;
    lab_run(lab, 100);
    assert_int_equal(lab->states[0][20], 'M');
    assert_int_equal(lab->states[0][lab->cycles - 1], 'l');
    lab->control.paused = 0;
    lab_run_out(lab);
    assert_int_equal(lab->sm.counts.instructions, 2);
}

TEST(a_paused_cta_that_has_issued_all_ends)
{
    sm_lab *lab = lab_begin(NULL, 1, 1, "a");

    lab_run(lab, 5);
    lab->control.paused = 1;
    lab_run_out(lab);
    assert_int_equal(lab->cycles, 10);
    assert_int_equal(lab->seen[9].paused, 0); /* nobody is there any more */
}

TEST(only_slots_with_a_cta_are_paused)
{
    sm_lab *lab = lab_begin(NULL, 1, 1, "aa");

    lab->control.paused = 0xfffffffe;
    lab_run_out(lab);
    for (unsigned c = 0; c < lab->cycles; c++)
        assert_int_equal(lab->seen[c].paused, 0);
}
