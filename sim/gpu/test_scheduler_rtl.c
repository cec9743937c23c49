/* SPDX-License-Identifier: Apache-2.0
 *
 * The Verilated schedulers beside the simulator's: the run is that without them, with every order; a difference in any scheduler
 * is found, named, and ends the run; what the build does not have is refused.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"
#include "gpu/loop_fixture.h"

enum { CYCLES = 3000 };

static machine two_sms(enum machine_scheduler scheduler)
{
    machine m = job_of("chip_governor_top").request.machine;

    m.sms = 2;
    m.scheduler = scheduler;
    return m;
}

static workload kernel_of(const machine *m)
{
    workload w = job_of("chip_governor_top").request.workload;

    w.ctas = 4 * m->sms * m->slots;
    return w;
}

/* Some CTAs are paused, hard or softly. */
static sim_control pausing(void)
{
    sim_control control = fixture_control();

    control.sm[0].paused = 2;
    control.sm[1].paused = 5;
    control.sm[1].soft = true;
    return control;
}

static uint64_t digest_of(chip_sim *sim, const sim_control *control)
{
    uint64_t digest = 0;
    const sm_obs *const *obs;

    for (unsigned c = 0; c < CYCLES && (obs = sim_step(sim, control)); c++)
        for (unsigned sm = 0; sm < 2; sm++)
            digest = bus_digest(digest, obs[sm], false);
    return digest;
}

TEST(the_run_is_the_same_with_rtl_beside_it)
{
    const sim_control control = pausing();

    for (unsigned scheduler = 0; scheduler < SCHEDULES; scheduler++) {
        const machine m = two_sms((enum machine_scheduler)scheduler);
        const workload w = kernel_of(&m);
        chip_sim *sim = fixture_open(&m, &w, 3);
        char err[LOOP_ERR] = "";
        scheduler_rtl r;
        uint64_t alone;

        alone = digest_of(sim, &control);
        assert_true(sim_rewind(sim));
        if (!scheduler_rtl_open(&r, sim, err))
            fail_msg("%s", err);
        for (unsigned again = 0; again < 2; again++) { /* a rewound run begins with a reset */
            assert_int_equal(digest_of(sim, &control), alone);
            assert_string_equal(r.err, "");
            assert_true(sim_rewind(sim));
        }
        sim_close(sim);
        scheduler_rtl_close(&r);
    }
}

/* Every register of one scheduler's RTL is flipped once; what the model has is another thing then. */
TEST(any_flipped_register_is_found)
{
    const sim_control control = fixture_control();
    const machine m = two_sms(SCHEDULE_GTO);
    const workload w = kernel_of(&m);
    chip_sim *sim = fixture_open(&m, &w, 3);
    char err[LOOP_ERR] = "", name[PORT_NAME + 4];
    warp_scheduler_state flipped;
    scheduler_rtl r;

    assert_true(scheduler_rtl_open(&r, sim, err));
    for (unsigned p = 0; p < r.ports.num; p++) {
        const block_port *port = &r.ports.ports[p];
        void *one = r.rtl[1 * m.schedulers + m.schedulers - 1];

        if (port->kind != PORT_REG || !strcmp(port->name, "hold"))
            continue; /* hold_q is written anew in every cycle, and read only where somebody can go on */
        assert_true(sim_rewind(sim));
        for (unsigned c = 0; c < 500; c++)
            sim_step(sim, &control);
        assert_string_equal(r.err, "");
        r.block->rtl->registers(one, &flipped);
        block_port_set(port, &flipped, block_port_get(port, &flipped) ^ (UINT64_C(1) << (port->width - 1)));
        r.block->rtl->load(one, &flipped);
        for (unsigned c = 0; c < 50 && !r.err[0]; c++)
            sim_step(sim, &control);
        port_full_name(port, name, sizeof name);
        if (strncmp(r.err, "model and RTL differ: SM 1, scheduler ", 38) != 0 && strncmp(port->name, "older", 5) != 0)
            fail_msg("%s: \"%s\"", name, r.err);
        if (!r.err[0])
            fail_msg("%s: not found", name);
    }
    sim_close(sim);
    scheduler_rtl_close(&r);
}

/* Outputs and registers that the model does not have are named. */
TEST(a_difference_is_named)
{
    const machine m = two_sms(SCHEDULE_LRR);
    const workload w = kernel_of(&m);
    chip_sim *sim = fixture_open(&m, &w, 3);
    const warp_scheduler_in in = {.enable = 1, .ready = 6, .present = 6};
    warp_scheduler_state before, after;
    warp_scheduler_out out;
    char err[LOOP_ERR] = "";
    scheduler_rtl r;

    assert_true(scheduler_rtl_open(&r, sim, err));
    warp_scheduler_reset(&before, &r.cfg);
    after = before;
    warp_scheduler_step(&after, &r.cfg, &in, &out);
    assert_int_equal(out.warp, 1);
    out.warp = 2;
    r.watch.stepped(r.watch.self, 1, 0, &before, &in, &out, &after);
    assert_non_null(strstr(r.err, "SM 1, scheduler 0, block warp_scheduler"));
    assert_non_null(strstr(r.err, "warp_o is 2 in the model, 1 in the RTL"));
    r.watch.begin(r.watch.self);
    assert_string_equal(r.err, "");
    out.warp = 1;
    after.hold = 0;
    r.watch.stepped(r.watch.self, 0, 1, &before, &in, &out, &after);
    assert_non_null(strstr(r.err, "SM 0, scheduler 1, block"));
    assert_non_null(strstr(r.err, "hold_q is 0 in the model, 1 in the RTL"));
    sim_close(sim);
    scheduler_rtl_close(&r);
}

static loop_result played;

/* A watch that lets one cycle of the RTL pass unseen. */
TEST(a_difference_ends_the_run)
{
    loop_job job = job_of("chip_governor_top");
    const sm_obs *const *obs;
    run_result result;
    char err[LOOP_ERR];
    loop_run run;
    stimulus s;

    job.rtl = true;
    play_rtl_of(&job, 0, NULL, &played);
    assert_string_equal(played.err, "");
    assert_true(played.ok);
    assert_true(loop_run_open(&run, &job, err));
    s = closed_loop_stimulus(&run.loop);
    assert_true(s.rewind(s.self));
    for (unsigned c = 0; c < 100; c++)
        assert_non_null(obs = s.next(s.self, &(feedback){.out = &run.models->out}));
    assert_string_equal(s.error(s.self), "");
    snprintf(run.schedulers.err, LOOP_ERR, "model and RTL differ");
    assert_null(s.next(s.self, &(feedback){.out = &run.models->out}));
    assert_string_equal(s.error(s.self), "model and RTL differ");
    assert_true(loop_run_close(&run, false, &result, err));
}

TEST(what_the_build_does_not_have_is_refused)
{
    loop_job job = job_of("chip_governor_top");
    char err[LOOP_ERR] = "";
    loop_run run;

    job.rtl = true;
    job.request.machine.fetch_group = 5;
    assert_false(loop_run_open(&run, &job, err));
    assert_non_null(strstr(err, "no RTL of warp_scheduler with "));
    assert_non_null(strstr(err, "fetch groups of 5"));
    assert_null(strchr(err, '\n'));
}
