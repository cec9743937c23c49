/* SPDX-License-Identifier: Apache-2.0
 *
 * What an SM does with its CTAs: launch, barriers, exit, pause, and how that shows on the bus.
 * activity_fixture.h has the letters.
 */
#include <string.h>

#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"

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

TEST(when_a_cta_is_done)
{
    static const lab_row rows[] = {
        {"with its last result", "a", .states = {"I" "NNNN" "..."}, .done = 9},
        {"in its cycle if it leaves nothing behind", "w", .states = {"L" "."}, .done = 4},
        {"with its last line", "l", .done = LAB_FIRST + 1 + LAB_MISS},
        /* Round robin, from warp 0 on. */
        {"with its last warp", "w", 3, .states = {"L..", "kL.", "kkL"}, .done = 6},
    };

    LAB_CHECK(rows);
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

TEST(barriers)
{
    static const lab_row rows[] = {
        /* Round robin from warp 0 on: warps 0 and 1 are one CTA, 2 and 3 the other. */
        {"a barrier waits for all warps of its CTA, and for no others", "|a", 2, 2,
         .states = {"IB" "ll" "I", "lI" "lll" "I", "ll" "IB" "ll" "I", "ll" "lI" "ll" "lI"}},
        {"barriers in a row release one by one, the last one at the very end", "||||", .warps = 4, .ctas = 2},
        {"the next barrier waits anew", "|a|a", 2, .states = {"IBIl" "IBI", "lIlI" "lIlI"}},
        {"a barrier of one warp does not wait", "|||", .states = {"III"}},
        {"a barrier at the end is one", "|", 3, .states = {"IBB.", "lIB.", "llI."}},
    };

    LAB_CHECK(rows);
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
    lab_expect(lab, 0, "IIII" "NN");
    lab_expect(lab, 1, "llll" "ll");
    for (unsigned c = 0; c < 10; c++)
        assert_int_equal(lab->seen[c].paused, 2);
    lab->control.paused = 0;
    lab_run(lab, 4);
    lab_expect(lab, 1, "llllllIIII");
    assert_int_equal(lab->seen[lab->cycles - 1].paused, 0);
}

TEST(a_softly_paused_cta_comes_last)
{
    static const lab_row rows[] = {
        {"softly paused", "aaa", 1, 2, .uses = {{2, 1, 0}}, .control = {.paused = 1, .soft = true}, .cycles = 14,
         .states = {"llIIAAAA" "I", "IIAAAAIN"}},
    };

    LAB_CHECK(rows);
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
