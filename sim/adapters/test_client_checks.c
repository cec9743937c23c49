/* SPDX-License-Identifier: Apache-2.0
 *
 * A caller's mistakes: each gets its line, is counted, and leaves the client in order; without checks nothing is said, and the decisions
 * are the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/client.h"
#include "chip/chip_governor.h"
#include "engine/random.h"
#include "engine/suite_fixture.h"

enum { LINES = 64, LINE = 300 };

typedef struct heard {
    unsigned num;
    char line[LINES][LINE];
} heard;

static void hear(void *user, const char *line)
{
    heard *h = user;

    assert_true(h->num < LINES);
    snprintf(h->line[h->num++], LINE, "%s", line);
}

static heard said;

static ballast_client *open_fermi(bool check)
{
    ballast_client_settings s = ballast_client_defaults();

    memset(&said, 0, sizeof said);
    s.check = check;
    s.complain = hear;
    s.user = &said;
    return ballast_client_open(&s);
}

static const ballast_client_kernel kernel = {.name = "k", .nmax = 4, .warps_per_cta = 6, .grid = {100}, .block = {192}};

/* Cycle 0: the kernel starts, and CTA 0 on SM 3 in slot 1, which has warps 6 to 11. */
static void begin(ballast_client *c)
{
    ballast_client_kernel_start(c, BALLAST_CLIENT_ALL_SMS, &kernel);
    ballast_client_cta_start(c, 3, 1, 0);
    ballast_client_step(c);
}

/* ---- mistakes ------------------------------------------------------------------------ */

static void state_of_an_empty_slot(ballast_client *c) { ballast_client_warp_state(c, 3, 12, BALLAST_WARP_WAIT_MEM); }
static void issue_of_an_empty_slot(ballast_client *c) { ballast_client_issued(c, 2, 47, true); }
static void two_starts(ballast_client *c) { ballast_client_cta_start(c, 3, 1, 1); }
static void two_starts_at_once(ballast_client *c)
{
    ballast_client_cta_start(c, 0, 7, 1);
    ballast_client_cta_start(c, 0, 7, 2);
}
static void done_of_an_empty_slot(ballast_client *c) { ballast_client_cta_done(c, 3, 2); }
static void done_twice(ballast_client *c)
{
    ballast_client_cta_done(c, 3, 1);
    ballast_client_cta_done(c, 3, 1);
}
static void done_at_the_start(ballast_client *c)
{
    ballast_client_cta_done(c, 5, 0);
    ballast_client_cta_start(c, 5, 0, 1);
}
static void three_issues(ballast_client *c)
{
    ballast_client_issued(c, 3, 6, false);
    ballast_client_issued(c, 3, 7, true);
    ballast_client_warp_state(c, 3, 8, BALLAST_WARP_ISSUED_ALU);
}
static void no_sm(ballast_client *c) { ballast_client_cta_denied(c, 15); }
static void no_slot(ballast_client *c) { ballast_client_cta_done(c, 3, 8); }
static void no_warp(ballast_client *c) { ballast_client_issued(c, 3, 48, false); }
static void no_state(ballast_client *c) { ballast_client_warp_state(c, 3, 6, 11); }
static void no_class(ballast_client *c) { ballast_client_sm_class(c, 3, 4); }
static void start_with(ballast_client *c, uint32_t nmax, uint32_t warps)
{
    ballast_client_kernel k = kernel;

    k.nmax = nmax;
    k.warps_per_cta = warps;
    ballast_client_kernel_start(c, BALLAST_CLIENT_ALL_SMS, &k);
}
static void nmax_0(ballast_client *c) { start_with(c, 0, 6); }
static void nmax_9(ballast_client *c) { start_with(c, 9, 6); }
static void warps_49(ballast_client *c) { start_with(c, 4, 49); }
static void two_kernels(ballast_client *c)
{
    ballast_client_kernel_start(c, 0, &kernel);
    ballast_client_kernel_start(c, 0, &kernel);
}
static void five_ctas(ballast_client *c)
{
    for (unsigned slot = 2; slot < 6; slot++)
        ballast_client_cta_start(c, 3, slot, slot);
}
static void warps_beyond(ballast_client *c)
{
    start_with(c, 4, 14);
    ballast_client_cta_start(c, 0, 3, 0);
}
static void warps_of_another(ballast_client *c) { ballast_client_cta_start_in(c, 3, 0, 9, 0x7f); }
static void warps_that_are_not(ballast_client *c) { ballast_client_cta_start_in(c, 0, 0, 9, UINT64_C(1) << 50 | 1); }

typedef struct row {
    const char *name;
    void (*wrong)(ballast_client *c);
    const char *line;
    bool in_the_call; /* it is said at once, and not when the cycle ends */
} row;

static const row rows[] = {
    {"a state for a warp of an empty slot", state_of_an_empty_slot,
     "ballast client: cycle 1, SM 3, warp 12: it has a state, but belongs to no CTA; say EMPTY, or nothing, of a warp that is not there", false},
    {"an issue of a warp of an empty slot", issue_of_an_empty_slot,
     "ballast client: cycle 1, SM 2, warp 47: it has a state, but belongs to no CTA; say EMPTY, or nothing, of a warp that is not there", false},
    {"a start in a slot that is taken", two_starts,
     "ballast client: cycle 1, SM 3, slot 1: a CTA starts, but the slot holds one; call ballast_client_cta_done when that finishes", false},
    {"two starts in one cycle", two_starts_at_once, "ballast client: cycle 1, SM 0, slot 7: two CTAs start in one cycle; a slot holds one", true},
    {"done of an empty slot", done_of_an_empty_slot,
     "ballast client: cycle 1, SM 3, slot 2: a CTA finishes, but the slot is empty; call ballast_client_cta_start when it is launched", false},
    {"done twice", done_twice, "ballast client: cycle 1, SM 3, slot 1: a CTA finishes twice; call ballast_client_cta_done once", true},
    {"done in the cycle of the start", done_at_the_start,
     "ballast client: cycle 1, SM 5, slot 0: a CTA finishes in the cycle of its launch; call ballast_client_cta_done in a later cycle (it is taken in "
     "the next one)", false},
    {"more issues than the width", three_issues,
     "ballast client: cycle 1, SM 3: 3 warps issue, but the issue width is 2; give ballast_client_open as many as the SM can issue in a cycle", false},
    {"no such SM", no_sm, "ballast client: cycle 1: there is no SM 15; there are 0 to 14", true},
    {"no such slot", no_slot, "ballast client: cycle 1, SM 3: there is no CTA slot 8; there are 0 to 7", true},
    {"no such warp", no_warp, "ballast client: cycle 1, SM 3: there is no warp 48; there are 0 to 47", true},
    {"no such state", no_state, "ballast client: cycle 1, SM 3, warp 6: there is no state 11; there are 0 to 10", true},
    {"no such class", no_class, "ballast client: cycle 1, SM 3: there is no class 4; there are 0 to 3", true},
    {"nmax too small", nmax_0, "ballast client: cycle 1: the kernel's nmax is 0; give 1 to 8", true},
    {"nmax too large", nmax_9, "ballast client: cycle 1: the kernel's nmax is 9; give 1 to 8", true},
    {"too many warps per CTA", warps_49, "ballast client: cycle 1: the kernel's warps_per_cta is 49; give 1 to 48", true},
    {"two kernels in a cycle", two_kernels,
     "ballast client: cycle 1, SM 0: two kernels start in one cycle; start the second one in the next, or only the one that the SM gets CTAs of", true},
    {"more CTAs than nmax", five_ctas,
     "ballast client: cycle 1, SM 3: 5 CTAs are there, but the kernel's nmax is 4; give ballast_client_kernel_start as many as fit", false},
    {"a CTA whose warps the SM has not", warps_beyond,
     "ballast client: cycle 1, SM 0, slot 3: a CTA of 14 warps needs warps 42 to 55, but the SM has 48; give it its warps with "
     "ballast_client_cta_start_in", false},
    {"a CTA with warps of another one", warps_of_another,
     "ballast client: cycle 1, SM 3, slot 0: a CTA gets warp 6, which another CTA has; a warp belongs to one CTA", false},
    {"a CTA with warps that are not there", warps_that_are_not,
     "ballast client: cycle 1, SM 0, slot 0: a CTA gets warp 50, but the SM has 48; their numbers begin with 0", false},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

TEST(each_mistake_has_its_line)
{
    for (unsigned i = 0; i < ROWS; i++) {
        ballast_client *c = open_fermi(true);

        begin(c);
        assert_int_equal(said.num, 0);
        rows[i].wrong(c);
        assert_int_equal(said.num, rows[i].in_the_call);
        ballast_client_step(c);
        if (said.num != 1 || strcmp(said.line[0], rows[i].line) != 0)
            fail_msg("%s: %u lines, the first is '%s'", rows[i].name, said.num, said.line[0]);
        assert_string_equal(ballast_client_last_complaint(c), rows[i].line);
        assert_int_equal(ballast_client_complaints(c), 1);
        assert_int_equal(ballast_client_status(c), BALLAST_CLIENT_COMPLAINED);
        for (unsigned n = 0; n < 3; n++) /* and then all is well */
            ballast_client_step(c);
        assert_int_equal(said.num, 1);
        assert_int_equal(ballast_client_status(c), BALLAST_CLIENT_COMPLAINED);
        ballast_client_close(c);
    }
}

TEST(without_checks_nothing_is_said_and_decided_is_the_same)
{
    for (unsigned i = 0; i < ROWS; i++) {
        ballast_client *checked = open_fermi(true), *unchecked = open_fermi(false);

        begin(checked);
        begin(unchecked);
        rows[i].wrong(checked);
        said.num = 0;
        rows[i].wrong(unchecked);
        assert_int_equal(said.num, 0);
        for (unsigned n = 0; n < 5; n++) {
            ballast_client_step(checked);
            said.num = 0;
            ballast_client_step(unchecked);
            assert_int_equal(said.num, 0);
            for (unsigned sm = 0; sm < 15; sm++) {
                const ballast_client_decision a = ballast_client_decision_of(checked, sm), b = ballast_client_decision_of(unchecked, sm);

                assert_int_equal(a.may_launch, b.may_launch);
                assert_int_equal(a.limit, b.limit);
            }
        }
        assert_int_equal(ballast_client_status(unchecked), 0);
        assert_int_equal(ballast_client_complaints(unchecked), 0);
        ballast_client_close(checked);
        ballast_client_close(unchecked);
    }
}

/* What could not be is not seen: the SM is as if it had not been said. */
TEST(a_mistake_is_left_out)
{
    ballast_client *c = open_fermi(true);

    begin(c);
    ballast_client_step(c);
    assert_int_equal(ballast_client_decision_of(c, 3).may_launch, 3);
    two_starts(c);
    done_of_an_empty_slot(c);
    ballast_client_step(c);
    assert_int_equal(ballast_client_decision_of(c, 3).may_launch, 3);
    done_at_the_start(c); /* taken a cycle late */
    ballast_client_step(c);
    assert_int_equal(ballast_client_decision_of(c, 5).may_launch, 0); /* nobody else while one comes */
    ballast_client_step(c);
    assert_int_equal(ballast_client_decision_of(c, 5).may_launch, 4);
    ballast_client_close(c);
}

TEST(before_the_first_kernel)
{
    ballast_client *c = open_fermi(true);

    ballast_client_step(c);
    ballast_client_step(c);
    assert_int_equal(said.num, 1); /* once */
    assert_string_equal(said.line[0], "ballast client: cycle 0: a cycle ends before the first kernel; call ballast_client_kernel_start first, and "
                                      "step from that cycle on");
    ballast_client_cta_start(c, 1, 2, 0);
    ballast_client_step(c);
    assert_string_equal(said.line[1], "ballast client: cycle 2, SM 1, slot 2: a CTA starts, but no kernel has; call ballast_client_kernel_start "
                                      "before, or in the same cycle");
    ballast_client_close(c);
}

TEST(many_complaints_are_counted_and_not_all_written)
{
    ballast_client *c = open_fermi(true);

    begin(c);
    for (unsigned n = 0; n < 100; n++)
        no_sm(c);
    assert_int_equal(said.num, 21);
    assert_string_equal(said.line[20], "ballast client: more complaints are counted, and not written");
    assert_int_equal(ballast_client_complaints(c), 100);
    ballast_client_close(c);
}

/* ---- open and change ------------------------------------------------------------------- */

typedef struct wrong_setting {
    size_t at;
    uint32_t value;
    const char *line;
} wrong_setting;

#define AT(member) offsetof(ballast_client_settings, member)
static const wrong_setting wrong_settings[] = {
    {AT(sms), 0, "ballast client: sms is 0; give 1 to 256"},
    {AT(sms), 257, "ballast client: sms is 257; give 1 to 256"},
    {AT(warps), 0, "ballast client: warps is 0; give 1 to 64"},
    {AT(warps), 65, "ballast client: warps is 65; give 1 to 64"},
    {AT(slots), 1, "ballast client: slots is 1; give 2 to 32"},
    {AT(slots), 33, "ballast client: slots is 33; give 2 to 32"},
    {AT(issue_width), 0, "ballast client: issue_width is 0; give 1 to 8"},
    {AT(issue_width), 9, "ballast client: issue_width is 9; give 1 to 8"},
    {AT(scope), 2, "ballast client: scope is 2; give 0 to 1"},
    {AT(policy), 6, "ballast client: policy is 6; give 0 to 5"},
    {AT(static_limit), 9, "ballast client: static_limit is 9; give 0 to 8"},
    {AT(mode), 2, "ballast client: mode is 2; give 0 to 1"},
    {AT(t_idle), 2049, "ballast client: t_idle is 2049; give 0 to 2048"},
    {AT(t_mem_l), 2049, "ballast client: t_mem_l is 2049; give 0 to 2048"},
    {AT(t_mem_h), UINT32_MAX, "ballast client: t_mem_h is 4294967295; give 0 to 2048"},
};

static ballast_client_settings with(const wrong_setting *w)
{
    ballast_client_settings s = ballast_client_defaults();

    memcpy((char *)&s + w->at, &w->value, sizeof w->value);
    s.complain = hear;
    s.user = &said;
    return s;
}

TEST(settings_that_cannot_be_are_refused)
{
    for (unsigned i = 0; i < sizeof wrong_settings / sizeof wrong_settings[0]; i++) {
        ballast_client *c = open_fermi(true);
        const ballast_client_settings s = with(&wrong_settings[i]);

        assert_null(ballast_client_open(&s));
        assert_int_equal(said.num, 1);
        assert_string_equal(said.line[0], wrong_settings[i].line);
        if (wrong_settings[i].at >= AT(policy)) {
            assert_false(ballast_client_change(c, &s));
            assert_string_equal(said.line[1], wrong_settings[i].line);
        }
        ballast_client_close(c);
    }
}

TEST(one_sm_is_one)
{
    ballast_client_settings s = ballast_client_defaults();

    memset(&said, 0, sizeof said);
    s.complain = hear;
    s.user = &said;
    s.scope = BALLAST_CLIENT_ONE_SM;
    assert_null(ballast_client_open(&s));
    assert_string_equal(said.line[0], "ballast client: sms is 15; give 1 to 1");
}

TEST(the_largest_and_the_smallest_chip)
{
    ballast_client_settings s = ballast_client_defaults();
    ballast_client *large, *small;

    s.sms = 256;
    s.warps = 64;
    s.slots = 32;
    s.issue_width = 8;
    large = ballast_client_open(&s);
    s.sms = 1;
    s.warps = 1;
    s.slots = 2;
    s.issue_width = 1;
    small = ballast_client_open(&s);
    for (unsigned n = 0; n < 2; n++) {
        ballast_client *c = n ? small : large;
        const ballast_client_kernel k = {.nmax = n ? 1 : 32, .warps_per_cta = n ? 1 : 2};

        ballast_client_kernel_start(c, BALLAST_CLIENT_ALL_SMS, &k);
        for (uint32_t sm = 0; sm < (n ? 1u : 256u); sm++)
            for (uint32_t slot = 0; slot < k.nmax; slot++)
                ballast_client_cta_start(c, sm, slot, BALLAST_CLIENT_NEXT_CTA);
        for (unsigned cycle = 0; cycle < 10; cycle++) {
            for (uint32_t w = 0; w < (n ? 1u : 8u); w++)
                ballast_client_issued(c, n ? 0 : 255, n ? 0 : 8 * w, false);
            ballast_client_step(c);
        }
        assert_int_equal(ballast_client_decision_of(c, n ? 0 : 255).limit, k.nmax);
        assert_string_equal(ballast_client_last_complaint(c), "");
        ballast_client_close(c);
    }
}

/* ---- whatever a caller does ------------------------------------------------------------- */

static uint32_t any(uint64_t *seed, uint32_t usual)
{
    return random_below(seed, 16) ? random_below(seed, usual + 2) : (uint32_t)random_next(seed);
}

static void do_anything(ballast_client *c, uint64_t *seed)
{
    const ballast_client_kernel k = {.nmax = any(seed, 8), .warps_per_cta = any(seed, 12), .grid = {any(seed, 9), any(seed, 9)},
                                     .block = {any(seed, 64), any(seed, 9), any(seed, 9)}};
    const uint32_t sm = any(seed, 3), at = any(seed, 8);
    const uint64_t few = random_next(seed) << 11;
    ballast_client_settings s = ballast_client_defaults();

    switch (random_below(seed, 12)) {
    case 0: ballast_client_kernel_start(c, random_below(seed, 2) ? sm : BALLAST_CLIENT_ALL_SMS, &k); break;
    case 1: ballast_client_cta_start(c, sm, at, any(seed, 9)); break;
    case 2: ballast_client_cta_start_in(c, sm, at, any(seed, 9), random_next(seed) << 11 & few); break;
    case 3: ballast_client_cta_done(c, sm, at); break;
    case 4: ballast_client_cta_denied(c, sm); break;
    case 5: ballast_client_warp_state(c, sm, any(seed, 48), any(seed, 11)); break;
    case 6: ballast_client_issued(c, sm, any(seed, 48), at & 1); break;
    case 7: ballast_client_paused(c, sm, random_next(seed)); break;
    case 8: ballast_client_sm_class(c, sm, any(seed, 4)); break;
    case 9:
        s.policy = any(seed, BALLAST_POLICIES);
        s.static_limit = any(seed, 8);
        ballast_client_change(c, &s);
        break;
    default: ballast_client_step(c); break;
    }
}

/* Nothing is read or written that is not there (the sanitizers look), and an SM never holds what it cannot. */
TEST(whatever_a_caller_does)
{
    uint64_t seed = 0xc11e;

    for (unsigned run = 0; run < 40; run++) {
        ballast_client_settings s = ballast_client_defaults();
        ballast_client *c;

        s.sms = 3;
        s.policy = run % BALLAST_POLICIES;
        s.check = run % 2;
        s.complain = hear;
        s.user = &said;
        c = ballast_client_open(&s);
        for (unsigned n = 0; n < 5000; n++) {
            said.num = 0;
            do_anything(c, &seed);
            for (uint32_t sm = 0; sm < 4; sm++) {
                const ballast_client_decision d = ballast_client_decision_of(c, sm);

                assert_true(d.limit <= 8 && d.may_launch <= d.limit && d.paused_ctas < 0x100);
            }
        }
        assert_int_equal(ballast_client_complaints(c) > 0, s.check);
        ballast_client_close(c);
    }
}
