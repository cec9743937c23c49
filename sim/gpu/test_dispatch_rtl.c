/* SPDX-License-Identifier: Apache-2.0
 *
 * The Verilated dispatcher beside the simulator's: runs of one and of two kernels in which nothing differs, and that what is planted in
 * between is found and named.
 */
#include <string.h>

#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"
#include "gpu/dispatch_rtl.h"

enum { MOST_CYCLES = 60000, NEVER = 1 << 30 };

/* Between the simulator and the lockstep: hands on what it sees, but changes a copy of it in one cycle. */
typedef struct forger {
    const dispatch_watch *to;
    unsigned cycle, at; /* at: the cycle of the change */
    enum { IN_OUT, IN_STATE, IN_INPUT } what;
    bool mixed;
    union {
        gwde_state gwde;
        mcke_state mcke;
    } state;
    union {
        gwde_out gwde;
        mcke_out mcke;
    } out;
    union {
        gwde_in gwde;
        mcke_in mcke;
    } in;
} forger;

static void forged_begin(void *self)
{
    const forger *f = self;

    f->to->begin(f->to->self);
}

static void change(forger *f)
{
    uint8_t *slot = f->mixed ? &f->out.mcke.start_slot : &f->out.gwde.start_slot;
    uint32_t *left = f->mixed ? &f->state.mcke.left[1] : &f->state.gwde.left;

    switch (f->what) {
    case IN_OUT: *slot ^= 1; break;
    case IN_STATE: *left ^= 4; break;
    case IN_INPUT: /* nobody asks */
        for (unsigned i = 0; i < 15; i++)
            *(f->mixed ? &f->in.mcke.sm[i].req : &f->in.gwde.sm[i].req) = 0;
        break;
    }
}

static void forged(void *self, const void *before, const void *in, const void *out, const void *after)
{
    forger *f = self;
    const size_t state = f->mixed ? sizeof f->state.mcke : sizeof f->state.gwde, outs = f->mixed ? sizeof f->out.mcke : sizeof f->out.gwde;

    memcpy(&f->state, after, state);
    memcpy(&f->out, out, outs);
    memcpy(&f->in, in, f->mixed ? sizeof f->in.mcke : sizeof f->in.gwde);
    if (f->cycle++ == f->at)
        change(f);
    f->to->stepped(f->to->self, before, &f->in, &f->out, &f->state);
}

/* ---- a run ------------------------------------------------------------------------ */

static workload small_kernel(const char *name, unsigned threads)
{
    workload w = fixture_workload();

    snprintf(w.name, sizeof w.name, "%s", name);
    w.ctas = 200;
    w.threads_per_cta = threads;
    w.spread = 0.5;
    return w;
}

static dispatch_rtl r;
static forger f;

/* With a change in cycle `at` of the dispatcher. Returns the cycles. */
static uint64_t run(bool mixed, int what, unsigned at)
{
    const workload first = small_kernel("first", 128), second = small_kernel("second", 96);
    kernel_mix mix = {.num_others = 1, .mode = MCKE_QUOTAS, .others = {second}};
    const sim_control control = fixture_control();
    const loop_tap tap = dispatch_rtl_tap(&r);
    uint64_t cycles = 0;
    char err[LOOP_ERR];
    chip_sim *sim;

    kernel_mix_set_quota(&mix, 0, 3);
    kernel_mix_set_quota(&mix, 1, 8);
    sim = sim_open_mix(machine_find("fermi"), &first, mixed ? &mix : NULL, 1, err, sizeof err);
    assert_non_null(sim);
    if (!dispatch_rtl_open(&r, sim, err))
        fail_msg("%s", err);
    f = (forger){.to = &r.watch, .at = at, .what = what, .mixed = mixed};
    sim_watch_dispatcher(sim, &(dispatch_watch){&f, forged_begin, forged});
    while (!tap.cycle(tap.self, cycles, NULL, NULL) && sim_step(sim, &control))
        assert_true(++cycles < MOST_CYCLES);
    sim_close(sim);
    return cycles;
}

TEST(nothing_differs)
{
    for (unsigned mixed = 0; mixed < 2; mixed++) {
        const uint64_t cycles = run(mixed, IN_OUT, NEVER);

        assert_string_equal(r.err, "");
        assert_true(cycles > 500);
        assert_int_equal(r.cycles, cycles + 1); /* the one before the first, too, and in the last call none is left */
        dispatch_rtl_close(&r);
    }
}

TEST(a_difference_ends_the_run_and_is_named)
{
    static const struct {
        bool mixed;
        int what;
        unsigned at;
        const char *says;
    } cases[] = {
        {false, IN_OUT, 20, "block gwde, its cycle 20: start_slot_o is "}, {false, IN_STATE, 300, "block gwde, its cycle 300: left_q is "},
        {false, IN_INPUT, 5, "block gwde, its cycle 5: "},
        {true, IN_OUT, 20, "block mcke, its cycle 20: start_slot_o is "}, {true, IN_STATE, 300, "block mcke, its cycle 300: left_q[1] is "},
        {true, IN_INPUT, 5, "block mcke, its cycle 5: "},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint64_t cycles = run(cases[i].mixed, cases[i].what, cases[i].at);

        if (!strstr(r.err, cases[i].says) || strncmp(r.err, "model and RTL differ: ", 22) != 0)
            fail_msg("case %zu: \"%s\"", i, r.err);
        assert_int_equal(cycles, cases[i].at + 1);
        dispatch_rtl_close(&r);
    }
}

/* A simulator at its start again has a dispatcher after reset. */
TEST(a_rewind_resets_the_rtl)
{
    const workload w = small_kernel("w", 64);
    const sim_control control = fixture_control();
    char err[LOOP_ERR];
    chip_sim *sim = sim_open(machine_find("fermi"), &w, 1, err, sizeof err);

    assert_non_null(sim);
    assert_true(dispatch_rtl_open(&r, sim, err));
    for (unsigned i = 0; i < 100; i++)
        sim_step(sim, &control);
    assert_true(sim_rewind(sim));
    assert_int_equal(r.cycles, 0);
    while (sim_step(sim, &control))
        ;
    assert_string_equal(r.err, "");
    assert_true(r.cycles > 100);
    sim_close(sim);
    dispatch_rtl_close(&r);
}

TEST(a_build_without_such_rtl_is_refused)
{
    const workload w = small_kernel("w", 64);
    machine m = *machine_find("fermi");
    char err[LOOP_ERR];
    chip_sim *sim;

    m.sms = 6; /* no variant has so many */
    sim = sim_open(&m, &w, 1, err, sizeof err);
    assert_non_null(sim);
    assert_false(dispatch_rtl_open(&r, sim, err));
    assert_non_null(strstr(err, "no RTL of gwde for 6 SMs"));
    assert_non_null(strstr(err, "--side model"));
    sim_close(sim);
    dispatch_rtl_close(&r);
}
