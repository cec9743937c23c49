/* SPDX-License-Identifier: Apache-2.0
 *
 * The text form of per-cycle records: what its lines mean, and what is said about bad ones.
 */
#include <stdio.h>
#include <string.h>

#include "engine/suite_fixture.h"
#include "recording/raw_fixture.h"
#include "recording/trace_fixture.h"

/* Of the test that runs. */
static world w;
static raw_import_options opt;
static trace_err err;

static int set_up(void **state)
{
    (void)state;
    world_make_2(&w, &opt);
    remove(world_path(&w, "cyc.bin"));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    remove(world_path(&w, "warps.csv"));
    world_free(&w);
    return 0;
}

/* SM 0 has a CTA of two warps in slot 0 from cycle 5 to 8, and one in slot 1 from cycle 8 to 9; SM 3 one from 20 on, to 22. */
static void put_tables(void)
{
    w.ker.n = w.cta.n = 0;
    world_line(&w.ker, "kernel,name,grid_ctas,threads_per_cta,warps_per_cta,regs,smem,cta_per_sm,cycle\n1,k,40,64,2,22,0,3,5\n");
    world_line(&w.cta, "cycle,sm,slot,event,kernel,warps_per_cta\n5,0,0,launch,1,2\n8,0,0,done,1,2\n8,0,1,launch,1,2\n9,0,1,done,1,2\n"
                       "20,3,0,launch,1,2\n22,3,0,done,1,2\n");
    world_spew(&w, "ker.csv", w.ker.p, w.ker.n);
    world_spew(&w, "cta.csv", w.cta.p, w.cta.n);
}

static void put_text(const char *lines)
{
    char text[2000];

    snprintf(text, sizeof text, "cycle,sm,warp,state\n%s", lines);
    world_spew(&w, "warps.csv", text, strlen(text));
}

static void expect_cycle(trace_reader *r, uint64_t cycle, unsigned active, unsigned warp0, unsigned warp2, unsigned cls)
{
    const sm_obs *o = trace_next(r, &err);
    uint8_t recorded;

    if (!o) {
        fail_msg("%s", err.text);
        return;
    }
    assert_int_equal(trace_cycle(r), cycle);
    assert_int_equal(o->cta_active, active);
    assert_int_equal(sm_obs_warp_state(o, 0), warp0);
    assert_int_equal(sm_obs_warp_state(o, 2), warp2);
    assert_true(trace_recorded_class(r, &recorded, &err));
    assert_int_equal(recorded, cls);
}

TEST_BETWEEN(a_state_holds_until_the_next_line_or_the_end_of_the_cta, set_up, tear_down)
{
    trace_reader *r;

    put_tables();
    put_text("6,0,0,wait_mem\n6,0,class,scoreboard\n8,0,0,9\n8,0,class,3\n9,0,2,barrier\n9,0,class,none\n10,0,2,empty\n21,3,1,10\n");
    if (!raw_import(&opt, &err))
        fail_msg("%s", err.text);
    r = fixture_open_trace(w.out);
    assert_int_equal(trace_num_sms(r), 2);
    assert_true(trace_select_sm(r, 0, &err));
    expect_cycle(r, 5, 1, BALLAST_WARP_EMPTY, BALLAST_WARP_EMPTY, TRACE_NO_CLASS);
    expect_cycle(r, 6, 1, BALLAST_WARP_WAIT_MEM, BALLAST_WARP_EMPTY, BALLAST_PS_SCOREBOARD);
    expect_cycle(r, 7, 1, BALLAST_WARP_WAIT_MEM, BALLAST_WARP_EMPTY, BALLAST_PS_SCOREBOARD);
    expect_cycle(r, 8, 3, BALLAST_WARP_ISSUED_ALU, BALLAST_WARP_EMPTY, BALLAST_PS_ACTIVE);
    expect_cycle(r, 9, 2, BALLAST_WARP_EMPTY, BALLAST_WARP_BARRIER, TRACE_NO_CLASS);
    assert_null(trace_next(r, &err));
    assert_true(trace_select_sm(r, 3, &err));
    for (unsigned cycle = 5; cycle < 20; cycle++)
        expect_cycle(r, cycle, 0, BALLAST_WARP_EMPTY, BALLAST_WARP_EMPTY, TRACE_NO_CLASS);
    for (unsigned cycle = 20; cycle < 23; cycle++)
        assert_int_equal(sm_obs_warp_state(trace_next(r, &err), 1), cycle == 20 ? 0 : BALLAST_WARP_ISSUED_MEM);
    assert_null(trace_next(r, &err));
    trace_close(r);
}

TEST_BETWEEN(bad_lines_are_named, set_up, tear_down)
{
    static const struct {
        const char *text, *why;
    } rows[] = {
        {"6,0,0,waiting\n", "line 2: \"waiting\" is no state; give empty to issued_mem, or 0 to 10"},
        {"6,0,0,11\n", "line 2: \"11\" is no state"},
        {"6,0,class,5\n", "line 2: \"5\" is no class; give idle to none, or 0 to 4"},
        {"6,0,64,1\n", "line 2: column warp is \"64\""},
        {"6,256,0,1\n", "line 2: column sm is \"256\""},
        {"6,0,0,1\n5,0,0,1\n", "line 3: cycle 5 is earlier than that of the line before"},
        {"4,0,0,1\n", "line 2: SM 0 holds no CTA in cycle 4"},
        {"6,0,0,1\n10,0,0,1\n", "line 3: SM 0 holds no CTA in cycle 10"},
        {"6,1,0,1\n", "line 2: SM 1 holds no CTA in cycle 6"},
        {"6,0,2,1\n", "SM 0, cycle 6: a warp is in use that belongs to no CTA"},
        {"6,0,0\n", "line 2: \"\" is no state"},
        {"", "no record of a wanted SM"},
    };

    put_tables();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        put_text(rows[i].text);
        world_expect_refused(&w, &opt, "warps.csv", rows[i].why);
    }
    world_spew(&w, "warps.csv", "cycle,sm,warp\n", 14);
    world_expect_refused(&w, &opt, "warps.csv", "no column \"state\"");
}

TEST_BETWEEN(a_long_silence_is_refused, set_up, tear_down)
{
    put_tables();
    w.cta.n = 0;
    world_line(&w.cta, "cycle,sm,slot,event,kernel,warps_per_cta\n5,0,0,launch,1,2\n4000000000,0,0,done,1,2\n");
    world_spew(&w, "cta.csv", w.cta.p, w.cta.n);
    put_text("6,0,0,barrier\n");
    opt.max_gap = 1000;
    world_expect_refused(&w, &opt, "warps.csv", "SM 0 holds a CTA and nothing happens from cycle 6 on; if that is so, allow it with --max-gap");
}
