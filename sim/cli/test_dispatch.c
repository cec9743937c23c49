/* SPDX-License-Identifier: Apache-2.0
 *
 * gwde beside a recorder's dispatcher: recorders that differ in one known way, and lists that cannot be.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/suite_fixture.h"
#include "recording/trace_fixture.h"
#include "cli/dispatch.h"

enum { MOST_SMS = 5, KERNELS = 2, EVENTS = 4096, NO = 255 };

/* Of the test that runs: three SMs for two CTAs each, two kernels of up to 100 CTAs. */
static struct {
    cta_list list;
    trace_launch launches[KERNELS];
    cta_event events[EVENTS];
    dispatch_how how;
    dispatch_counts counts[KERNELS], sum;
    char said[2048]; /* what differs, a line each */
} d;
static trace_err err;

static int set_up(void **state)
{
    (void)state;
    memset(&d, 0, sizeof d);
    for (unsigned i = 0; i < KERNELS; i++)
        d.launches[i] = (trace_launch){.desc = {.grid_ctas = 100, .threads_per_cta = 64, .regs_per_thread = 16, .warps_per_cta = 2, .nmax = 2},
                                       .limit = 2, .start_cycle = (uint64_t)1000 * i};
    d.list = (cta_list){.geometry = {.warps = 48, .slots = 4, .sms = 3, .issue_width = 2}, .launches = d.launches, .num_launches = KERNELS,
                        .events = d.events};
    d.how.cfg = gwde_cfg_default();
    d.how.cfg.sm.num_slots = 4;
    return 0;
}

#define DISPATCH_TEST(name) TEST_BETWEEN(name, set_up, NULL)

static void put(uint64_t cycle, unsigned launch, bool done, unsigned sm, unsigned slot)
{
    assert_true(d.list.num_events < EVENTS);
    d.events[d.list.num_events++] = (cta_event){.cycle = cycle, .cta = CTA_UNKNOWN, .launch = (uint16_t)launch, .sm = (uint16_t)sm,
                                                .slot = (uint8_t)slot, .done = done};
}

/* "10+2.0 11-2.0": in cycle 10 a launch on SM 2 into slot 0, in cycle 11 its exit. "|": the next kernel. */
static void play(const char *text)
{
    unsigned launch = 0;

    d.list.num_events = 0;
    for (const char *p = text; *p; p += strspn(p, " ")) {
        unsigned cycle, sm, slot;
        char sign;
        int n = 1;

        if (*p == '|') {
            launch++;
        } else {
            assert_int_equal(sscanf(p, "%u%c%u.%u%n", &cycle, &sign, &sm, &slot, &n), 4);
            put(cycle, launch, sign == '-', sm, slot);
        }
        p += n;
    }
}

static void note(void *context, const dispatch_difference *one)
{
    const size_t used = strlen(d.said);

    (void)context;
    snprintf(d.said + used, sizeof d.said - used, "%llu+%u.%u:%s:%d ", (unsigned long long)one->recorder->cycle, one->recorder->sm,
             one->recorder->slot, dispatch_kind_names[one->kind], one->sm == DISPATCH_NOBODY ? -1 : (int)one->sm);
}

static void compare(void)
{
    d.said[0] = '\0';
    d.sum = (dispatch_counts){.ctas = 0};
    if (!dispatch_compare(&d.list, &d.how, "list", d.counts, note, NULL, &err))
        fail_msg("%s", err.text);
    for (unsigned i = 0; i < KERNELS; i++)
        dispatch_add(&d.sum, &d.counts[i]);
}

static void expect(const char *text, const char *said)
{
    play(text);
    compare();
    if (strcmp(d.said, said) != 0)
        fail_msg("%s: \"%s\", not \"%s\"", text, d.said, said);
}

#define FULL "0+0.0 0+1.0 0+2.0 1+0.1 1+1.1 1+2.1 "

/* ---- one choice each -------------------------------------------------------------- */

DISPATCH_TEST(gwde_1_in_turn_is_what_gwde_does)
{
    expect(FULL "10-1.0 11+1.0 20-0.1 20-2.0 21+2.0 22+0.1 30-1.1 30-0.0 31+1.1 31+0.0", "");
    assert_int_equal(d.sum.ctas, 11);
    assert_int_equal(d.sum.kind[DISPATCH_SAME], 11);
    expect("0+0.0 0+1.0 5-0.0 5-1.0 | 7+0.0 7+1.0", "");
    assert_int_equal(d.counts[1].ctas, 2);
}

DISPATCH_TEST(the_first_cta_of_a_kernel_goes_to_sm_0)
{
    expect("0+0.0 5-0.0 | 7+1.0 7+2.0 7+0.0", "7+1.0:start:0 ");
    expect("0+2.0 0+0.0", "0+2.0:start:0 ");
    assert_int_equal(d.sum.kind[DISPATCH_START], 1);
    expect("0+0.0 5-0.0 40+2.0", "40+2.0:order:1 "); /* not the first, though none is there */
}

/* A difference is counted once: what follows is judged from where the recorder stands. */
DISPATCH_TEST(after_a_difference_the_model_is_where_the_recorder_is)
{
    expect("0+0.0 0+2.0 0+0.1 0+1.0 0+2.1", "0+2.0:order:1 ");
    expect(FULL "30-0.0 30-1.0 30-2.0 60+2.0 60+0.0 60+1.0 90-2.0 91+2.0", "60+2.0:order:0 ");
}

DISPATCH_TEST(gwde_3_above_the_limit_is_named_and_gone_with_its_exit)
{
    for (unsigned i = 0; i < KERNELS; i++)
        d.launches[i].limit = 1;
    expect("0+0.0 0+1.0 0+2.0 1+0.1 2-0.1 3-1.0 4+1.0", "1+0.1:limit:-1 ");
    expect("0+0.0 0+1.0 0+2.0 1+0.1 2-0.0 2-1.0 30+1.0 31+0.0", "1+0.1:limit:-1 "); /* and the turn goes on */
    play("0+0.0 0+1.0 0+2.0 1+0.1 2-0.1 2-1.0 3+1.0");
    for (unsigned i = 0, cta = 0; i < d.list.num_events; i++)
        d.events[i].cta = d.events[i].done ? CTA_UNKNOWN : cta++;
    compare();
    assert_int_equal(d.sum.other_cta, 0); /* and the numbers */
    d.list.config_limit = 1;
    expect("0+0.0 0+1.0 1+0.1", "1+0.1:limit:2 ");
    d.list.config_limit = 2; /* the configured limit counts */
    d.launches[0].limit = 2;
    expect(FULL, "");
}

DISPATCH_TEST(gwde_2_no_room_is_named_for_each_resource)
{
    const ballast_kernel_desc small = d.launches[0].desc;
    ballast_kernel_desc *desc = &d.launches[0].desc;

    desc->warps_per_cta = 25;
    expect("0+0.0 0+1.0 0+2.0 1+0.1", "1+0.1:room:-1 ");
    desc->warps_per_cta = 24;
    expect("0+0.0 0+1.0 0+2.0 1+0.1", "");
    desc->warps_per_cta = 25;
    d.list.config_limit = 2; /* not yet the limit */
    d.launches[0].limit = 1;
    expect("0+0.0 0+1.0 0+2.0 1+0.1", "1+0.1:room:-1 ");
    *desc = small;
    d.launches[0].limit = 2;
    desc->regs_per_thread = 257; /* 514 units of 1024 */
    expect("0+0.0 0+1.0 0+2.0 1+0.1", "1+0.1:room:-1 ");
    *desc = small;
    desc->smem_per_cta = 193 * 128;
    expect("0+0.0 0+1.0 0+2.0 1+0.1", "1+0.1:room:-1 ");
    desc->smem_per_cta = 192 * 128;
    expect("0+0.0 0+1.0 0+2.0 1+0.1", "");
    desc->smem_per_cta = 385 * 128; /* too big for any SM */
    expect("0+0.0 0+1.0", "0+0.0:room:-1 0+1.0:room:-1 ");
}

DISPATCH_TEST(gwde_2_more_room_than_the_recorder_sees_is_named)
{
    d.list.config_limit = 2;
    d.launches[0].limit = 1;
    expect("0+0.0 0+1.0 0+2.0 10-1.0 11+1.0", "11+1.0:more:0 ");
}

DISPATCH_TEST(an_sm_that_lost_a_cta_8_cycles_before_is_fresh)
{
    expect(FULL "10-1.0 10-2.0 18+2.0", "18+2.0:fresh:1 ");
    expect(FULL "10-1.0 10-2.0 19+2.0", "19+2.0:order:1 ");
}

DISPATCH_TEST(gwde_a3_depth_first_serves_an_sm_again_in_the_same_cycle)
{
    d.how.cfg.fill = GWDE_FILL_DF;
    expect("0+0.0 0+1.0 1+0.1 1+1.1", "0+1.0:once:0 ");
    expect("0+0.0 1+0.1 2+1.0 3+1.1 9-0.0 9-1.0 10+0.0", "");
    d.launches[0].limit = 1; /* nor does a CTA without room move the turn */
    expect("0+0.0 1+0.1 29-0.0 40+0.0", "1+0.1:limit:1 ");
}

DISPATCH_TEST(gwde_a1_a_turn_that_moves_in_every_cycle)
{
    d.how.cfg.rr_advance = GWDE_EVERY_CYCLE;
    expect("0+0.0 1+1.0 3+0.1 5+2.0", "");
    expect("4+0.0 5+1.0 7+0.1", ""); /* it begins with the kernel */
    expect("0+0.0 1+0.1", "1+0.1:order:1 ");
}

DISPATCH_TEST(another_slot_is_counted_and_its_exit_is_found)
{
    expect("0+0.3 0+1.0 0+2.0 1+0.0 1+1.1 1+2.1 5-0.3 6+0.3", "0+0.3:same:0 1+0.0:same:0 6+0.3:same:0 ");
    assert_int_equal(d.sum.other_slot, 3);
    assert_int_equal(d.sum.kind[DISPATCH_SAME], 7);
}

DISPATCH_TEST(the_order_of_ctas_is_compared_where_it_is_known)
{
    play("0+0.0 0+1.0 0+2.0 1+0.1");
    for (unsigned i = 0; i < 4; i++)
        d.events[i].cta = i;
    compare();
    assert_int_equal(d.sum.other_cta, 0);
    d.events[1].cta = 2;
    d.events[2].cta = 1;
    compare();
    assert_int_equal(d.sum.other_cta, 2);
    assert_int_equal(d.sum.kind[DISPATCH_SAME], 4);
}

/* gwde launches one CTA a cycle. */
DISPATCH_TEST(what_one_launch_a_cycle_puts_off)
{
    play(FULL);
    compare();
    assert_int_equal(d.sum.late, 5);
    assert_int_equal(d.sum.latest, 4); /* cycles 0 to 5 instead of 0 and 1 */
    play("0+0.0 1+1.0 2+2.0");
    compare();
    assert_int_equal(d.sum.late, 0);
    play("0+0.0 0+1.0 9+2.0");
    compare();
    assert_int_equal(d.sum.late, 1);
    assert_int_equal(d.sum.latest, 1);
}

/* A dispatcher that is told of an exit later: SM 0 has the turn, but its CTA went a cycle after that of SM 1. */
DISPATCH_TEST(gwde_2_what_a_cta_held_can_be_free_some_cycles_after_it)
{
    static const char *const list = FULL "10-1.0 11-0.0 12+1.0 13+0.0";

    expect(list, "12+1.0:fresh:0 ");
    d.how.free_after = 2;
    expect(list, "");
    d.how.free_after = 1;
    expect(list, "12+1.0:fresh:0 ");
    d.how.free_after = 3;
    expect(list, "12+1.0:limit:-1 13+0.0:limit:1 ");
    d.how.free_after = 2; /* the slot is still the model's when the recorder fills it, and the kernel ends before it is free */
    expect("0+0.0 0+1.0 0+2.0 0+0.1 0+1.1 0+2.1 10-1.0 11+1.0 12-1.0 13-1.1 15+1.0 16-0.0 16-0.1 16-1.0 16-2.0 16-2.1 | 17+0.0 17+1.0 17+2.0",
           "11+1.0:limit:-1 ");
}

/* ---- lists that cannot be --------------------------------------------------------- */

DISPATCH_TEST(lists_that_contradict_themselves_are_refused_with_a_line)
{
    static const struct {
        const char *text, *why;
    } lists[] = {
        {"0+0.0 1+0.0", "list: SM 0, slot 0, cycle 1: a CTA is launched into a slot that holds one"},
        {"0+0.0 1-1.0", "SM 1, slot 0, cycle 1: a CTA ends in a slot that holds none"},
        {"0+0.0 1-0.0 2-0.0", "cycle 2: a CTA ends in a slot that holds none"},
        {"0+0.0 | 1+1.0", "while those of another kernel run"},
        {"| | 0+0.0", "before the first kernel"},
        {"", "list: no CTA is launched in it"},
        {"0-0.0", "SM 0, slot 0, cycle 0: a CTA ends in a slot that holds none"},
    };

    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        play(lists[i].text);
        assert_false(dispatch_compare(&d.list, &d.how, "list", d.counts, NULL, NULL, &err));
        if (!strstr(err.text, lists[i].why) || strchr(err.text, '\n'))
            fail_msg("\"%s\", not \"%s\"", err.text, lists[i].why);
    }
    d.launches[0].desc.grid_ctas = 2;
    play("0+0.0 0+1.0 0+2.0");
    assert_false(dispatch_compare(&d.list, &d.how, "list", d.counts, NULL, NULL, &err));
    assert_non_null(strstr(err.text, "more CTAs than the grid has"));
    d.events[1].cta = 2;
    assert_false(dispatch_compare(&d.list, &d.how, "list", d.counts, NULL, NULL, &err));
    assert_non_null(strstr(err.text, "SM 1, slot 0, cycle 0: a CTA is launched that the grid does not have"));
    play("0+0.0 1-0.0 | 2+0.0 3-0.0 4+1.0");
    d.events[4].launch = 0;
    assert_false(dispatch_compare(&d.list, &d.how, "list", d.counts, NULL, NULL, &err));
    assert_non_null(strstr(err.text, "cycle 4: a CTA is launched of a kernel that was over"));
}

DISPATCH_TEST(what_a_list_does_not_have_of_a_grid_is_counted)
{
    play("0+0.0 0+1.0 1-0.0 1-1.0 | 2+0.0");
    compare();
    assert_int_equal(d.counts[0].absent, 98);
    assert_int_equal(d.counts[1].absent, 99);
    assert_int_equal(d.sum.absent, 197);
    d.launches[0].desc.grid_ctas = 2;
    compare();
    assert_int_equal(d.counts[0].absent, 0);
}

/* ---- random recorders ------------------------------------------------------------- */

/* A recorder in the plainest words: in every cycle each SM in turn gets a CTA if it holds less than `most`; exits at random. */
static void record(unsigned sms, unsigned most, unsigned ctas, bool exits_first, uint32_t *rnd)
{
    bool held[MOST_SMS][4] = {{false}};
    unsigned left = ctas, resident = 0, turn = 0;

    for (uint64_t cycle = 0; left || resident; cycle++) {
        for (unsigned part = 0; part < 2; part++) {
            const unsigned first = turn;

            for (unsigned n = 0; n < sms; n++) {
                const unsigned sm = (first + n) % sms;
                unsigned count = 0, lowest = NO;

                for (unsigned slot = 0; slot < 4; slot++) {
                    count += held[sm][slot];
                    lowest = !held[sm][slot] && lowest == NO ? slot : lowest;
                }
                if (part == exits_first && left && count < most) {
                    put(cycle, 0, false, sm, lowest);
                    held[sm][lowest] = true;
                    turn = (sm + 1) % sms;
                    left--;
                    resident++;
                }
                for (unsigned slot = 0; slot < 4 && part != exits_first; slot++)
                    if (held[sm][slot] && fixture_random(rnd, 6) == 0) {
                        put(cycle, 0, true, sm, slot);
                        held[sm][slot] = false;
                        resident--;
                    }
            }
        }
    }
}

DISPATCH_TEST(a_plain_recorder_and_gwde_agree_whatever_happens)
{
    uint32_t rnd = 7;

    for (unsigned n = 0; n < 300; n++) {
        const unsigned sms = 1 + fixture_random(&rnd, MOST_SMS), most = 1 + fixture_random(&rnd, 4);

        set_up(NULL);
        d.list.geometry.sms = (uint16_t)sms;
        d.launches[0].limit = (uint8_t)most;
        record(sms, most, 1 + fixture_random(&rnd, 100), n & 1, &rnd);
        compare();
        if (d.said[0] || d.sum.ctas != d.sum.kind[DISPATCH_SAME])
            fail_msg("list %u, %u SMs for %u CTAs: %s", n, sms, most, d.said);
    }
}

/* Two launches of a sound list change places: what is wrong then shows. */
DISPATCH_TEST(a_planted_difference_shows)
{
    uint32_t rnd = 9;
    unsigned planted = 0;

    for (unsigned n = 0; n < 200; n++) {
        set_up(NULL);
        record(3, 2, 60, n & 1, &rnd);
        const size_t at = 1 + fixture_random(&rnd, (uint32_t)d.list.num_events - 2);
        cta_event *a = &d.events[at], *b = a + 1;

        if (a->done || b->done || a->cycle != b->cycle)
            continue;
        const cta_event was = *a;
        *a = *b;
        *b = was;
        compare();
        if (!d.sum.kind[DISPATCH_ORDER] && !d.sum.kind[DISPATCH_FRESH] && !d.sum.kind[DISPATCH_START] && !d.sum.kind[DISPATCH_ONCE])
            fail_msg("list %u: the swap at %zu goes unnoticed", n, at);
        planted++;
    }
    assert_in_range(planted, 20, 200);
}
