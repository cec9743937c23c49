/* SPDX-License-Identifier: Apache-2.0
 *
 * What holds in every cycle, whatever goes on: who is not in force holds still, register by
 * register, and the outputs are those of who is. On the model and on the RTL.
 */
#include "engine/random.h"
#include "engine/random_bus.h"
#include "engine/step_fixture.h"
#include "blocks/sm_governor/bench.h"
#include "blocks/sm_governor/invariant.h"

enum { PERIODS = 250, HOLD_CYCLES = 6000 }; /* of DYNCTA */

/* What has been seen: a run that does nothing would prove nothing. */
typedef struct seen {
    unsigned kernels[BALLAST_POLICIES], moves[BALLAST_POLICIES], done[BALLAST_POLICIES], paused[BALLAST_POLICIES];
    unsigned epochs, ticks, t_new, requests;
} seen;

typedef struct random_bench {
    bench *b; /* the test's */
    random_bus bus;
    uint64_t seed;
    seen seen;
} random_bench;

static void start_random(random_bench *r, bench *b, uint64_t seed)
{
    memset(r, 0, sizeof *r);
    r->b = b;
    r->seed = seed;
    random_bus_start(&r->bus, seed, config(b)->num_warps, config(b)->num_slots);
}

static unsigned draw(random_bench *r, unsigned n)
{
    return (unsigned)(random_next(&r->seed) % n);
}

static unsigned known(unsigned code)
{
    return code < BALLAST_POLICIES ? code : BALLAST_POLICY_STATIC;
}

/* Settings other than the policy change now and then; kernels are short, and some are long. */
static void random_inputs(random_bench *r)
{
    sm_governor_in *in = &r->b->in;
    const sm_obs *obs = random_bus_next(&r->bus);

    r->b->dut.block->model->bind(in, &r->b->dut.cfg, &obs, NULL);
    in->kernel_start = draw(r, 3 * config(r->b)->dyncta.period / 2) == 0;
    in->nmax = (uint8_t)draw(r, 16);
    keep_ranges(r->b);
    if (draw(r, 100) == 0) {
        in->static_limit = (uint8_t)draw(r, 16);
        in->t_idle = draw(r, 512);
        in->t_mem_l = draw(r, 512);
        in->t_mem_h = draw(r, 512);
        in->lcs_listen = draw(r, 4) == 0;
    }
    if (draw(r, 20) == 0) {
        in->scout_limit = (uint8_t)draw(r, 16);
        in->scout_done = draw(r, 3) == 0;
    }
    in->lcs_bcast_valid = draw(r, 50) == 0;
    in->lcs_bcast_limit = (uint8_t)draw(r, 16);
}

/* ---- registers ----------------------------------------------------------------------- */

/* A register of the part ("lcs.") that is not in `after` what it is in `before`, or NULL. */
static const block_port *moved(const random_bench *r, const char *part, const void *before, const void *after)
{
    const port_list *list = &r->b->dut.ports;
    unsigned compared = 0;

    for (const block_port *port = list->ports; port < list->ports + list->num; port++) {
        if (port->kind != PORT_REG || strncmp(port->name, part, strlen(part)) != 0)
            continue;
        if (block_port_get(port, before) != block_port_get(port, after))
            return port;
        compared++;
    }
    assert_true(compared > 0);
    return NULL;
}

static void expect_still(const random_bench *r, const char *part, const void *before, const void *after)
{
    const block_port *port = moved(r, part, before, after);

    if (port)
        fail_msg("%s has moved", port->name);
}

static void check_who_is_clocked(const random_bench *r)
{
    const sm_governor_state *before = &r->b->before, *after = state(r->b);
    const sm_governor_in *in = &r->b->in;
    const unsigned selected = in->kernel_start ? known(in->policy) : before->policy;

    assert_int_equal(after->policy, selected);
    if (selected != BALLAST_POLICY_PERFSAT)
        expect_still(r, "perfsat.", before, after);
    if (selected != BALLAST_POLICY_LCS)
        expect_still(r, "lcs.", before, after);
    if (selected != BALLAST_POLICY_DYNCTA)
        expect_still(r, "dyncta.", before, after);
    if (!in->kernel_start || (selected != BALLAST_POLICY_STATIC && selected != BALLAST_POLICY_SCOUT))
        assert_int_equal(after->fixed, before->fixed);
    else if (selected == BALLAST_POLICY_SCOUT)
        assert_int_equal(after->fixed, in->nmax);
    else
        assert_int_equal(after->fixed, in->static_limit == 0 || in->static_limit > in->nmax ? in->nmax
                                                                                            : in->static_limit);
    if (in->policy != BALLAST_POLICY_EQUALIZER)
        expect_still(r, "counters.", before, after);
    else
        assert_int_equal(after->counters.cycle, (before->counters.cycle + 1) % config(r->b)->counters.epoch);
}

/* A start is seen by the policy's block in its cycle, with this kernel's Nmax. */
static void check_kernel_start(const random_bench *r)
{
    const sm_governor_state *after = state(r->b);
    const unsigned nmax = r->b->in.nmax;

    assert_int_equal(after->throttle.nmax, nmax);
    assert_int_equal(after->throttle.num_blocks, nmax);
    assert_int_equal(after->throttle.paused, 0);
    assert_int_equal(after->throttle.request, 0);
    assert_int_equal(r->b->out.req, 0);
    switch (after->policy) {
    case BALLAST_POLICY_PERFSAT: assert_int_equal(after->perfsat.limit, (nmax + 1) / 2); break;
    case BALLAST_POLICY_LCS: assert_int_equal(after->lcs.limit, nmax); break;
    case BALLAST_POLICY_DYNCTA: assert_int_equal(after->dyncta.limit, nmax == 1 ? 1 : nmax / 2); break;
    default: break;
    }
}

/* ---- outputs ------------------------------------------------------------------------- */

static unsigned limit_in_force(const sm_governor_state *s, const sm_governor_in *in)
{
    switch (s->policy) {
    case BALLAST_POLICY_PERFSAT: return s->perfsat.limit;
    case BALLAST_POLICY_LCS: return s->lcs.limit;
    case BALLAST_POLICY_EQUALIZER: return s->throttle.num_blocks + s->throttle.request;
    case BALLAST_POLICY_DYNCTA: return s->dyncta.limit;
    case BALLAST_POLICY_SCOUT: return in->scout_limit != 0 && in->scout_limit <= s->fixed ? in->scout_limit : s->fixed;
    default: return s->fixed;
    }
}

static bool done_in_force(const sm_governor_state *s, const sm_governor_in *in)
{
    switch (s->policy) {
    case BALLAST_POLICY_PERFSAT: return s->perfsat.state == PERFSAT_DONE;
    case BALLAST_POLICY_LCS: return s->lcs.state == LCS_ST_THROTTLE || s->lcs.state == LCS_ST_LAZY;
    case BALLAST_POLICY_STATIC: return s->fixed != 0;
    case BALLAST_POLICY_SCOUT: return in->scout_done;
    default: return false;
    }
}

static bool may_pause(const sm_governor_cfg *cfg, const sm_governor_state *s)
{
    const bool lazy = s->lcs.state == LCS_ST_THROTTLE || s->lcs.state == LCS_ST_LAZY;

    return s->policy == BALLAST_POLICY_EQUALIZER || s->policy == BALLAST_POLICY_DYNCTA || s->policy == BALLAST_POLICY_SCOUT ||
           (s->policy == BALLAST_POLICY_LCS && cfg->lcs.throttle == LCS_THROTTLE_PAUSE && lazy);
}

static void check_outputs(const random_bench *r)
{
    const sm_governor_state *s = &r->b->before;
    const sm_governor_in *in = &r->b->in;
    const sm_governor_out *out = &r->b->out;

    assert_int_equal(out->limit, limit_in_force(s, in));
    assert_int_equal(out->done, done_in_force(s, in));
    assert_int_equal(out->pause_soft, s->policy == BALLAST_POLICY_DYNCTA);
    assert_int_equal(out->cta_paused, s->throttle.paused);
    if (s->throttle.nmax == 0)
        assert_int_equal(out->req, 0);
    assert_int_equal(out->epoch, in->policy == BALLAST_POLICY_EQUALIZER && s->counters.cycle == 1);
    if (!out->epoch)
        assert_int_equal(out->comp | out->mem, 0);
    assert_int_equal(out->comp & out->mem, 0);
    if (!out->t_new_valid)
        assert_int_equal(out->t_new, 0);
}

/* Of an epoch under another policy's kernel, and of somebody else's broadcast, nothing remains. */
static void check_side_effects(const random_bench *r)
{
    const sm_governor_state *before = &r->b->before, *after = state(r->b);
    const sm_governor_out *out = &r->b->out;

    if (!may_pause(config(r->b), before))
        assert_int_equal(after->throttle.paused, 0);
    if (before->policy != BALLAST_POLICY_EQUALIZER) {
        assert_int_equal(after->throttle.run, 0);
        assert_int_equal(after->throttle.request, 0);
        if (!r->b->in.kernel_start)
            assert_int_equal(after->throttle.num_blocks, before->throttle.num_blocks);
    } else if (!out->epoch && !r->b->in.kernel_start) {
        assert_int_equal(after->throttle.run, before->throttle.run);
    }
    if (out->t_new_valid) {
        assert_int_equal(before->policy, BALLAST_POLICY_LCS);
        assert_int_equal(before->lcs.state, LCS_ST_THROTTLE);
        assert_int_equal(before->lcs.limit, out->t_new);
    }
}

static void look(random_bench *r)
{
    const sm_governor_state *before = &r->b->before, *after = state(r->b);
    seen *s = &r->seen;

    s->kernels[after->policy] += r->b->in.kernel_start;
    s->moves[before->policy] += !r->b->in.kernel_start && limit_in_force(before, &r->b->in) != limit_in_force(after, &r->b->in);
    s->done[before->policy] += r->b->out.done;
    s->paused[before->policy] += r->b->out.cta_paused != 0;
    s->epochs += r->b->out.epoch;
    s->ticks += r->b->out.epoch && before->policy == BALLAST_POLICY_EQUALIZER;
    s->t_new += r->b->out.t_new_valid;
    s->requests += r->b->out.req;
}

static void expect_something_seen(const random_bench *r)
{
    const seen *s = &r->seen;

    for (unsigned p = 0; p < BALLAST_POLICIES; p++) {
        assert_true(s->kernels[p] > 5);
        if (p != BALLAST_POLICY_STATIC && p != BALLAST_POLICY_EQUALIZER && p != BALLAST_POLICY_SCOUT)
            assert_true(s->moves[p] > 2);
        assert_int_equal(s->done[p] > 0, p <= BALLAST_POLICY_LCS || p == BALLAST_POLICY_SCOUT);
    }
    assert_int_equal(s->paused[BALLAST_POLICY_STATIC] + s->paused[BALLAST_POLICY_PERFSAT], 0);
    assert_true(s->paused[BALLAST_POLICY_DYNCTA] > 10);
    assert_true(s->paused[BALLAST_POLICY_SCOUT] > 10);
    assert_int_equal(s->paused[BALLAST_POLICY_LCS] > 0, config(r->b)->lcs.throttle == LCS_THROTTLE_PAUSE);
    assert_true(s->epochs > s->ticks);
    assert_true(s->ticks > 0);
    assert_true(s->t_new > 2);
    assert_true(s->requests > 100);
}

/* Policies change at any time; so who is in force and what policy_i says often differ. */
static void every_cycle_obeys(bench *b)
{
    const unsigned period = config(b)->dyncta.period;
    random_bench r;

    start_random(&r, b, 0x90e + config(b)->perfsat.settle + period);
    for (unsigned i = 0; i < PERIODS * period; i++) {
        random_inputs(&r);
        if (draw(&r, period / 2) == 0)
            b->in.policy = (uint8_t)(draw(&r, 4) == 0 ? BALLAST_POLICY_EQUALIZER : draw(&r, 8));
        take_cycle(b);
        check_who_is_clocked(&r);
        check_outputs(&r);
        check_side_effects(&r);
        if (b->in.kernel_start)
            check_kernel_start(&r);
        look(&r);
    }
    expect_something_seen(&r);
}

/* One policy for a long time, over many kernels: the registers of all others are at the end what
 * they were at the beginning, and its own are not. */
static void unselected_parts_hold_still(bench *b)
{
    /* Of the search outside there is only what fits. */
    static const char *const parts[] = {"fixed", "perfsat.", "lcs.", "counters.", "dyncta."};
    enum { PARTS = sizeof parts / sizeof *parts };

    for (unsigned code = 0; code < 8; code++) {
        random_bench r;
        sm_governor_state first;

        reopen_bench(b, "sm_governor_fast");
        start_random(&r, b, 0x57111 + code);
        for (unsigned i = 0; i < HOLD_CYCLES; i++) { /* each part in the middle of something */
            random_inputs(&r);
            b->in.kernel_start = i % 1500 == 1000;
            b->in.policy = (uint8_t)((i + 500) / 1500 % BALLAST_POLICIES);
            b->in.nmax = 8;
            take_cycle(b);
        }
        for (unsigned p = 1; p < PARTS; p++)
            assert_non_null(moved(&r, parts[p], &(sm_governor_state){.policy = 0}, state(b)));
        random_inputs(&r);
        b->in.policy = (uint8_t)code;
        b->in.kernel_start = 1;
        keep_ranges(b);
        take_cycle(b);
        first = b->before;
        for (unsigned i = 0; i < HOLD_CYCLES; i++) {
            random_inputs(&r);
            take_cycle(b);
        }
        for (unsigned p = 0; p < PARTS; p++) {
            if (p == BALLAST_POLICY_STATIC && known(code) == BALLAST_POLICY_SCOUT)
                continue;
            if (p != known(code))
                expect_still(&r, parts[p], &first, state(b));
            else if (p != BALLAST_POLICY_STATIC)
                assert_non_null(moved(&r, parts[p], &first, state(b)));
        }
        assert_non_null(moved(&r, "throttle.", &first, state(b)));
    }
}

/* A random walk under all policies in turn; in every cycle DYNCTA stands at the end of a sample, with counts beside the
 * thresholds, and Equalizer's sums are any that a sample can give. */
static bool draw_step(step_fixture *f, void *registers, void *inputs)
{
    const sm_governor_cfg *cfg = step_config(f);
    sm_governor_state *s = registers;
    sm_governor_in *in = inputs;
    const uint32_t period = 2048, sum = 48 * 32;

    memcpy(s, f->side[SIDE_MODEL].state, sizeof *s);
    step_draw(f, PORT_IN, in);
    in->kernel_start = step_random(f, 16) == 0;
    s->policy = (uint8_t)step_random(f, BALLAST_POLICIES);
    s->fixed = (uint8_t)step_random(f, 16);
    s->classifier.active = (uint8_t)step_random(f, 2);
    s->classifier.waiting = (uint8_t)step_random(f, 2);
    s->classifier.ready = (uint8_t)step_random(f, 2);
    s->dyncta.nmax = (uint8_t)step_random(f, 9);
    s->dyncta.limit = (uint8_t)(s->dyncta.nmax ? 1 + step_random(f, s->dyncta.nmax) : 0);
    s->dyncta.timer = s->dyncta.nmax ? period - 1 : 0;
    s->dyncta.idle = (uint32_t)step_near(f, in->t_idle, s->dyncta.timer);
    s->dyncta.mem = (uint32_t)step_near(f, step_random(f, 2) ? in->t_mem_l : in->t_mem_h, s->dyncta.timer - s->dyncta.idle);
    s->counters.cycle = (uint32_t)(step_random(f, 2) ? 1 : step_value(f, 4095));
    s->counters.active_turn = step_value(f, 7); /* 48 warps in 16 cycles */
    s->counters.waiting_turn = step_value(f, 7);
    s->counters.xalu_turn = step_value(f, 7);
    s->counters.xmem_turn = step_value(f, 7);
    s->counters.active = (uint32_t)step_value(f, sum);
    s->counters.waiting = (uint32_t)step_value(f, sum);
    s->counters.xalu = (uint32_t)(step_random(f, 2) ? step_near(f, 32 * (uint64_t)in->wcta, sum) : step_value(f, sum));
    s->counters.xmem = (uint32_t)(step_random(f, 2) ? step_near(f, 32 * (uint64_t)in->wcta, sum) : step_value(f, sum));
    if (step_random(f, 2)) { /* LCS counts the CTAs that are not paused until few enough are left */
        s->lcs.state = LCS_ST_THROTTLE;
        s->lcs.finish = 0;
        memset(s->lcs.step, 0, sizeof s->lcs.step);
        s->lcs.decided = step_random(f, 4) == 0;
        s->lcs.active[0] = (uint8_t)step_random(f, 9);
        s->lcs.nmax = (uint8_t)(1 + step_random(f, 8));
        s->lcs.limit = (uint8_t)(1 + step_random(f, s->lcs.nmax));
        s->throttle.nmax = s->throttle.num_blocks = s->lcs.nmax;
        s->throttle.paused = (uint32_t)step_random(f, 256);
    }
    assert_false(sm_governor_violated(s, cfg));
    return true;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        EACH_VARIANT("every cycle obeys", variants, every_cycle_obeys),
        BOTH_SIDES("unselected parts hold still", "sm_governor_fast", unselected_parts_hold_still),
        TWIN_STEPS("twins: one step from 40 000 states, every policy", "sm_governor", 0x90f, 40000, draw_step),
    };
    return cmocka_run_group_tests_name("sm_governor_random", tests, NULL, NULL);
}
