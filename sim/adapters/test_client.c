/* SPDX-License-Identifier: Apache-2.0
 *
 * The client's protocol: what a simulator may rely on, call by call (doc/use/client.md).
 */
#include "adapters/foreign_fixture.h"
#include "engine/suite_fixture.h"

enum { LONG = 600000 }; /* cycles in which a small kernel has long come to its end */

static unsigned count(uint32_t slots)
{
    return (unsigned)__builtin_popcount(slots);
}

/* A dispatcher that looks at may_launch alone keeps the limit, and the kernel comes to its end. */
TEST(may_launch_is_all_that_a_dispatcher_needs)
{
    const machine m = foreign_machine();
    const workload w = foreign_thrashing();

    for (unsigned policy = 0; policy < BALLAST_POLICIES; policy++) {
        ballast_client_settings settings = foreign_settings(&m);
        static foreign f;
        uint64_t cycle = 0;

        settings.policy = policy;
        settings.static_limit = 2;
        foreign_open(&f, &m, &w, &settings);
        f.by_request_alone = true;
        for (;; cycle++) {
            ballast_client_decision before[2];

            for (unsigned i = 0; i < 2; i++)
                before[i] = ballast_client_decision_of(f.clients[0], i);
            if (!foreign_step(&f))
                break;
            assert_true(cycle < LONG);
            for (unsigned i = 0; i < 2; i++) {
                assert_true(count(f.obs[i]->cta_start) <= before[i].may_launch);
                if (f.obs[i]->cta_start)
                    assert_true(count(f.obs[i]->cta_active & ~before[i].paused_ctas) <= before[i].limit + count(f.obs[i]->cta_done));
            }
        }
        foreign_close(&f);
    }
}

TEST(before_the_first_kernel_nothing_may_be_launched)
{
    ballast_client_settings settings = ballast_client_defaults();
    ballast_client *c;

    settings.check = false;
    c = ballast_client_open(&settings);
    for (unsigned cycle = 0; cycle < 5000; cycle++) {
        const ballast_client_decision d = ballast_client_decision_of(c, cycle % settings.sms);

        assert_int_equal(d.limit, 0);
        assert_int_equal(d.may_launch, 0);
        assert_int_equal(d.paused_warps, 0);
        assert_int_equal(ballast_client_domains_of(c).sm_level, BALLAST_VF_NORMAL);
        ballast_client_step(c);
    }
    assert_int_equal(ballast_client_status(c), 0);
    ballast_client_close(c);
}

/* In the cycle in which a kernel starts the outputs are those of before; in the next one as many CTAs may come as the limit says. */
TEST(the_first_ctas_come_in_the_cycle_of_the_start_or_two_later)
{
    const ballast_client_kernel kernel = {.nmax = 6, .warps_per_cta = 8};
    ballast_client *c = ballast_client_open(NULL);

    ballast_client_cta_start(c, 3, 0, 0);
    ballast_client_kernel_start(c, BALLAST_CLIENT_ALL_SMS, &kernel);
    ballast_client_step(c);
    assert_int_equal(ballast_client_decision_of(c, 3).may_launch, 0);
    ballast_client_step(c);
    assert_int_equal(ballast_client_decision_of(c, 3).limit, 6);
    assert_int_equal(ballast_client_decision_of(c, 3).may_launch, 5);
    assert_int_equal(ballast_client_decision_of(c, 4).may_launch, 6);
    for (unsigned slot = 1; slot < 6; slot++)
        ballast_client_cta_start(c, 3, slot, BALLAST_CLIENT_NEXT_CTA);
    ballast_client_step(c);
    assert_int_equal(ballast_client_decision_of(c, 3).may_launch, 0);
    ballast_client_cta_done(c, 3, 2);
    ballast_client_step(c); /* counts who is left, */
    assert_int_equal(ballast_client_decision_of(c, 3).may_launch, 0);
    ballast_client_step(c); /* and goes by that */
    assert_int_equal(ballast_client_decision_of(c, 3).may_launch, 1);
    ballast_client_cta_start(c, 3, 2, 6);
    ballast_client_cta_done(c, 3, 4);
    ballast_client_cta_done(c, 3, 5);
    ballast_client_cta_start(c, 3, 4, 7); /* a slot is left and taken in one cycle */
    ballast_client_step(c);
    assert_int_equal(ballast_client_decision_of(c, 3).may_launch, 0); /* nobody else while one comes */
    ballast_client_step(c);
    assert_int_equal(ballast_client_decision_of(c, 3).may_launch, 1);
    assert_string_equal(ballast_client_last_complaint(c), "");
    ballast_client_close(c);
}

/* An SM may give its CTAs any warps; those that are paused are named as the SM has them. */
TEST(ctas_may_have_any_warps)
{
    const ballast_client_kernel kernel = {.nmax = 4, .warps_per_cta = 2};
    ballast_client_settings settings = ballast_client_defaults();
    ballast_client_decision d = {.limit = 0};
    ballast_client *c;

    settings.sms = 1;
    settings.policy = BALLAST_POLICY_DYNCTA;
    settings.t_idle = 2048;
    settings.t_mem_l = settings.t_mem_h = 0;
    c = ballast_client_open(&settings);
    ballast_client_kernel_start(c, 0, &kernel);
    for (unsigned slot = 0; slot < 4; slot++)
        ballast_client_cta_start_in(c, 0, slot, slot, UINT64_C(1) << slot | UINT64_C(1) << (40 + slot));
    for (unsigned cycle = 0; cycle < 9000; cycle++) {
        for (unsigned slot = 0; slot < 4; slot++) {
            ballast_client_warp_state(c, 0, slot, BALLAST_WARP_WAIT_MEM);
            ballast_client_warp_state(c, 0, 40 + slot, BALLAST_WARP_WAIT_MEM);
        }
        ballast_client_step(c);
        d = ballast_client_decision_of(c, 0);
    }
    assert_int_equal(d.limit, 1);
    assert_int_equal(d.paused_ctas, 0xe); /* the youngest go first */
    assert_true(d.paused_warps == (UINT64_C(0xe) | UINT64_C(0xe) << 40));
    assert_true(d.pause_soft);
    assert_string_equal(ballast_client_last_complaint(c), "");
    ballast_client_close(c);
}

/* Of paused warps nothing is counted (PAUSE-2): with the plane, an SM whose only issues are those of paused warps is idle to DYNCTA, and
 * its limit rises; without it, it would be active, and with 0 idle cycles the limit would hold. */
static unsigned limit_with(bool say)
{
    const ballast_client_kernel k = {.nmax = 8, .warps_per_cta = 6};
    ballast_client_settings settings = ballast_client_defaults();
    ballast_client *c;
    unsigned limit;

    settings.sms = 1;
    settings.policy = BALLAST_POLICY_DYNCTA;
    settings.t_mem_l = 0;
    c = ballast_client_open(&settings);
    ballast_client_kernel_start(c, 0, &k);
    ballast_client_cta_start(c, 0, 0, 0);
    ballast_client_step(c);
    for (unsigned cycle = 0; cycle < 3000; cycle++) {
        ballast_client_issued(c, 0, 3, false);
        if (say)
            ballast_client_paused(c, 0, 8);
        ballast_client_step(c);
    }
    limit = ballast_client_decision_of(c, 0).limit;
    assert_string_equal(ballast_client_last_complaint(c), "");
    ballast_client_close(c);
    return limit;
}

TEST(paused_warps_are_not_counted)
{
    assert_int_equal(limit_with(false), 4);
    assert_int_equal(limit_with(true), 5);
}

TEST(what_is_said_to_nobody_changes_nothing)
{
    ballast_client_step(NULL);
    ballast_client_kernel_start(NULL, 0, NULL);
    ballast_client_cta_start(NULL, 0, 0, 0);
    ballast_client_cta_done(NULL, 0, 0);
    ballast_client_cta_denied(NULL, 0);
    ballast_client_warp_state(NULL, 0, 0, 0);
    ballast_client_warp_states(NULL, 0, NULL);
    ballast_client_issued(NULL, 0, 0, false);
    ballast_client_paused(NULL, 0, 0);
    ballast_client_sm_class(NULL, 0, 0);
    assert_int_equal(ballast_client_decision_of(NULL, 0).limit, 0);
    assert_int_equal(ballast_client_domains_of(NULL).sm_level, BALLAST_VF_NORMAL);
    assert_false(ballast_client_votes_of(NULL).epoch);
    assert_int_equal(ballast_client_status(NULL), 0);
    assert_int_equal(ballast_client_complaints(NULL), 0);
    assert_string_equal(ballast_client_last_complaint(NULL), "");
    assert_false(ballast_client_record(NULL, "x", NULL, 0));
    assert_false(ballast_client_record_end(NULL));
    assert_false(ballast_client_change(NULL, NULL));
    ballast_client_close(NULL);
}
