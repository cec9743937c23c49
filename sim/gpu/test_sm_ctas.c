/* SPDX-License-Identifier: Apache-2.0
 *
 * What an SM does with its CTAs: launch, barriers, exit, pause, and how that shows on the bus.
 * activity_fixture.h has the letters.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "gpu/activity_fixture.h"

#define FETCH "NNNN"

static void expect(const sm_lab *lab, unsigned warp, const char *states)
{
    assert_memory_equal(lab->states[warp], states, strlen(states));
}

static sm_lab *begin(const machine *m, unsigned warps_per_cta, unsigned ctas, const char *body)
{
    workload w = fixture_workload();
    sm_lab *lab;

    w.threads_per_cta = 32 * warps_per_cta;
    lab = lab_open(m, &w, body);
    for (unsigned i = 0; i < ctas; i++)
        lab_launch(lab, i);
    return lab;
}

/* ---- launch and exit -------------------------------------------------------------- */

static void the_kernels_start_is_shown_once_with_its_description(void **state)
{
    const machine m = fixture_machine();
    sm_lab *lab = begin(&m, 1, 0, "a");

    (void)state;
    assert_true(sm_empty(&lab->sm));
    lab_run(lab, 2);
    assert_int_equal(lab->seen[0].kernel_start, 1);
    assert_int_equal(lab->seen[1].kernel_start, 0);
    for (unsigned c = 0; c < 2; c++) {
        assert_memory_equal(&lab->seen[c].kernel, &lab->desc, sizeof lab->desc);
        assert_int_equal(lab->seen[c].cta_active | lab->seen[c].cta_start | lab->seen[c].cta_done, 0);
        assert_int_equal(lab->states[0][c], '.');
    }
    lab_close(lab);
}

static void slots_are_taken_from_below_and_warps_follow_them(void **state)
{
    const machine m = fixture_machine();
    sm_lab *lab = begin(&m, 2, 3, "a");

    (void)state;
    assert_false(sm_empty(&lab->sm));
    lab_run(lab, 2);
    assert_int_equal(lab->seen[0].cta_start, 7);
    assert_int_equal(lab->seen[0].cta_active, 7);
    assert_int_equal(lab->seen[1].cta_start, 0);
    assert_int_equal(lab->seen[1].cta_active, 7);
    for (unsigned warp = 0; warp < 6; warp++) {
        assert_int_equal(lab->seen[0].warp_slot[warp], warp / 2);
        assert_int_equal(lab->states[warp][0], 'N');
        assert_int_equal(lab->sm.warps[warp].cta, warp / 2);
        assert_int_equal(lab->sm.warps[warp].index, warp % 2);
    }
    assert_int_equal(lab->states[6][0], '.');
    assert_int_equal(lab->states[7][0], '.');
    lab_close(lab);
}

static void an_sm_has_room_for_nmax(void **state)
{
    machine m = fixture_machine();
    sm_lab *lab = begin(&m, 3, 2, "a"); /* 8 warps: two CTAs of 3 */

    (void)state;
    assert_int_equal(lab->desc.nmax, 2);
    assert_false(sm_has_room(&lab->sm));
    lab_run_out(lab);
    assert_true(sm_has_room(&lab->sm));
    lab_close(lab);
}

/* The last instruction's result is waited for; the slot is active in the cycle of the exit. */
static void a_cta_is_done_with_its_last_result(void **state)
{
    const machine m = fixture_machine();
    sm_lab *lab = begin(&m, 1, 1, "a");

    (void)state;
    lab_run(lab, 12);
    expect(lab, 0, FETCH "I" "NNNN" "...");
    for (unsigned c = 0; c < 12; c++) {
        assert_int_equal(lab->seen[c].cta_done, c == 9);
        assert_int_equal(lab->seen[c].cta_active, c <= 9);
        assert_int_equal(lab->seen[c].cta_start, c == 0);
    }
    assert_int_equal(lab->sm.counts.ctas, 1);
    lab_close(lab);
}

static void what_leaves_nothing_behind_ends_in_its_cycle(void **state)
{
    const machine m = fixture_machine();
    sm_lab *lab = begin(&m, 1, 1, "w");

    (void)state;
    lab_run(lab, 6);
    expect(lab, 0, FETCH "L" ".");
    assert_int_equal(lab->seen[4].cta_done, 1);
    assert_int_equal(lab->seen[4].cta_active, 1);
    assert_int_equal(lab->seen[5].cta_active, 0);
    lab_close(lab);
}

static void a_load_at_the_end_is_waited_for(void **state)
{
    const machine m = fixture_machine();
    sm_lab *lab = begin(&m, 1, 1, "l");

    (void)state;
    lab_run_out(lab);
    assert_int_equal(lab->cycles, 4 + 1 + (1 + 10 + 13 + 17 + 2 + 10));
    assert_int_equal(lab->seen[lab->cycles - 1].cta_done, 1);
    lab_close(lab);
}

static void a_cta_ends_with_its_last_warp(void **state)
{
    const machine m = fixture_machine();
    sm_lab *lab = begin(&m, 3, 1, "w");

    (void)state;
    lab_run_out(lab); /* round robin, from warp 1 on */
    expect(lab, 1, FETCH "L..");
    expect(lab, 2, FETCH "kL.");
    expect(lab, 0, FETCH "kkL");
    assert_int_equal(lab->sm.counts.ctas, 1);
    for (unsigned c = 0; c + 1 < lab->cycles; c++)
        assert_int_equal(lab->seen[c].cta_done, 0);
    assert_int_equal(lab->seen[lab->cycles - 1].cta_done, 1);
    lab_close(lab);
}

/* A slot is filled again in the cycle after its CTA was done, with fresh warps. */
static void a_slot_is_used_again(void **state)
{
    const machine m = fixture_machine();
    sm_lab *lab = begin(&m, 1, 2, "aw");

    (void)state;
    lab->p.body[1].uses = 1;
    lab_run_out(lab);
    lab_launch(lab, 7);
    lab_run(lab, 1);
    assert_int_equal(lab->seen[lab->cycles - 1].cta_start, 1);
    assert_int_equal(lab->sm.warps[0].cta, 7);
    lab_run_out(lab);
    assert_int_equal(lab->sm.counts.ctas, 3);
    assert_int_equal(lab->sm.counts.instructions, 6);
    lab_close(lab);
}

/* ---- barriers --------------------------------------------------------------------- */

static void a_barrier_waits_for_all_and_only_its_cta(void **state)
{
    const machine m = fixture_machine();
    sm_lab *lab = begin(&m, 2, 2, "|a");

    (void)state;
    /* Round robin from warp 1 on: warps 0 and 1 are one CTA, 2 and 3 the other. */
    lab_run_out(lab);
    expect(lab, 1, FETCH "I" "BBB" "I");
    expect(lab, 2, FETCH "l" "IB" "ll" "I");
    expect(lab, 3, FETCH "l" "lI" "ll" "lI");
    expect(lab, 0, FETCH "l" "llI" "l" "llI");
    assert_int_equal(lab->sm.counts.operations[OP_BARRIER], 4);
    lab_close(lab);
}

static void a_barrier_waits_for_warps_that_wait_for_memory(void **state)
{
    const machine m = fixture_machine();
    sm_lab *lab = begin(&m, 2, 1, "l|a");

    (void)state;
    lab->p.body[1].uses_load = 1;
    lab_run_out(lab);
    for (unsigned warp = 0; warp < 2; warp++)
        assert_true(strchr(lab->states[warp], 'M') != NULL);
    assert_int_equal(lab->sm.counts.instructions, 6);
    lab_close(lab);
}

/* Many barriers, one directly after the other, and one at the very end. */
static void barriers_in_a_row_release_one_by_one(void **state)
{
    const machine m = fixture_machine();
    sm_lab *lab = begin(&m, 4, 2, "||||");

    (void)state;
    lab_run_out(lab);
    assert_int_equal(lab->sm.counts.operations[OP_BARRIER], 2 * 4 * 4);
    assert_int_equal(lab->sm.counts.ctas, 2);
    lab_close(lab);
}

static void the_next_barrier_waits_anew(void **state)
{
    const machine m = fixture_machine();
    sm_lab *lab = begin(&m, 2, 1, "|a|a");

    (void)state;
    lab_run_out(lab);
    expect(lab, 1, FETCH "IBIl" "IBI");
    expect(lab, 0, FETCH "lIlI" "lIlI");
    lab_close(lab);
}

static void a_barrier_of_one_warp_does_not_wait(void **state)
{
    const machine m = fixture_machine();
    sm_lab *lab = begin(&m, 1, 1, "|||");

    (void)state;
    lab_run_out(lab);
    expect(lab, 0, FETCH "III");
    lab_close(lab);
}

static void a_barrier_at_the_end_is_one(void **state)
{
    const machine m = fixture_machine();
    sm_lab *lab = begin(&m, 3, 1, "|");

    (void)state;
    lab_run(lab, 8);
    expect(lab, 1, FETCH "IBB.");
    expect(lab, 2, FETCH "lIB.");
    expect(lab, 0, FETCH "llI.");
    lab_close(lab);
}

/* Lengths differ only from CTA to CTA, but a warp that has left is not waited for either. */
static void a_warp_that_leaves_is_no_longer_waited_for(void **state)
{
    const machine m = fixture_machine();
    sm_lab *lab = begin(&m, 2, 1, "w|a");

    (void)state;
    lab->sm.warps[1].length = 1;
    lab_run_out(lab);
    assert_int_equal(lab->sm.counts.operations[OP_BARRIER], 1);
    assert_int_equal(lab->sm.counts.ctas, 1);
    lab_close(lab);
}

static void a_warp_that_leaves_releases_those_at_the_barrier(void **state)
{
    const machine m = fixture_machine();
    sm_lab *lab = begin(&m, 2, 1, "wjw|");

    (void)state;
    lab->p.body[1].op = OP_LOAD; /* warp 1 ends with it, late */
    lab->sm.warps[1].length = 2;
    lab_run_out(lab);
    assert_true(strchr(lab->states[0], 'B') != NULL);
    assert_int_equal(lab->sm.counts.ctas, 1);
    lab_close(lab);
}

/* ---- pause ------------------------------------------------------------------------ */

static void a_paused_cta_does_not_issue_and_shows_what_it_could(void **state)
{
    const machine m = fixture_machine();
    sm_lab *lab = begin(&m, 1, 2, "aaaa");

    (void)state;
    lab->control.paused = 2;
    lab_run(lab, 10);
    expect(lab, 0, FETCH "IIII" "NN");
    expect(lab, 1, FETCH "llll" "ll");
    for (unsigned c = 0; c < 10; c++)
        assert_int_equal(lab->seen[c].paused, 2);
    lab->control.paused = 0;
    lab_run(lab, 4);
    expect(lab, 1, FETCH "llllllIIII");
    assert_int_equal(lab->seen[lab->cycles - 1].paused, 0);
    lab_close(lab);
}

static void a_softly_paused_cta_comes_last(void **state)
{
    const machine m = fixture_machine();
    sm_lab *lab = begin(&m, 1, 2, "aaa");

    (void)state;
    lab->p.body[2].uses = 1;
    lab->control = (sm_control){.paused = 1, .soft = true};
    lab_run(lab, 14);
    expect(lab, 0, FETCH "llIIAAAA" "I");
    expect(lab, 1, FETCH "IIAAAAIN");
    lab_close(lab);
}

/* What a paused CTA has under way comes back all the same (PAUSE-A5). */
static void a_paused_ctas_loads_arrive(void **state)
{
    const machine m = fixture_machine();
    sm_lab *lab = begin(&m, 1, 1, "la");

    (void)state;
    lab->p.body[1].uses_load = 1;
    lab_run(lab, 6);
    lab->control.paused = 1;
    lab_run(lab, 100);
    assert_int_equal(lab->states[0][20], 'M');
    assert_int_equal(lab->states[0][lab->cycles - 1], 'l');
    lab->control.paused = 0;
    lab_run_out(lab);
    assert_int_equal(lab->sm.counts.instructions, 2);
    lab_close(lab);
}

static void a_paused_cta_that_has_issued_all_ends(void **state)
{
    const machine m = fixture_machine();
    sm_lab *lab = begin(&m, 1, 1, "a");

    (void)state;
    lab_run(lab, 5);
    lab->control.paused = 1;
    lab_run_out(lab);
    assert_int_equal(lab->cycles, 10);
    assert_int_equal(lab->seen[9].paused, 0); /* nobody is there any more */
    lab_close(lab);
}

static void only_slots_with_a_cta_are_paused(void **state)
{
    const machine m = fixture_machine();
    sm_lab *lab = begin(&m, 1, 1, "aa");

    (void)state;
    lab->control.paused = 0xfffffffe;
    lab_run_out(lab);
    for (unsigned c = 0; c < lab->cycles; c++)
        assert_int_equal(lab->seen[c].paused, 0);
    lab_close(lab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_kernels_start_is_shown_once_with_its_description),
        cmocka_unit_test(slots_are_taken_from_below_and_warps_follow_them),
        cmocka_unit_test(an_sm_has_room_for_nmax),
        cmocka_unit_test(a_cta_is_done_with_its_last_result),
        cmocka_unit_test(what_leaves_nothing_behind_ends_in_its_cycle),
        cmocka_unit_test(a_load_at_the_end_is_waited_for),
        cmocka_unit_test(a_cta_ends_with_its_last_warp),
        cmocka_unit_test(a_slot_is_used_again),
        cmocka_unit_test(a_barrier_waits_for_all_and_only_its_cta),
        cmocka_unit_test(a_barrier_waits_for_warps_that_wait_for_memory),
        cmocka_unit_test(barriers_in_a_row_release_one_by_one),
        cmocka_unit_test(the_next_barrier_waits_anew),
        cmocka_unit_test(a_barrier_at_the_end_is_one),
        cmocka_unit_test(a_barrier_of_one_warp_does_not_wait),
        cmocka_unit_test(a_warp_that_leaves_is_no_longer_waited_for),
        cmocka_unit_test(a_warp_that_leaves_releases_those_at_the_barrier),
        cmocka_unit_test(a_paused_cta_does_not_issue_and_shows_what_it_could),
        cmocka_unit_test(a_softly_paused_cta_comes_last),
        cmocka_unit_test(a_paused_ctas_loads_arrive),
        cmocka_unit_test(a_paused_cta_that_has_issued_all_ends),
        cmocka_unit_test(only_slots_with_a_cta_are_paused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
