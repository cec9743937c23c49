/* SPDX-License-Identifier: Apache-2.0
 *
 * The client in a closed loop: the activity simulator, which says what happens in its own words and in any order, gets the same decisions
 * in every cycle as it gets from the governors on its own buses.
 */
#include <stdlib.h>
#include <string.h>

#include "adapters/foreign_fixture.h"
#include "ballast/client_private.h"
#include "blocks/sm_governor/bind.h"
#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"
#include "gpu/governed.h"
#include "gpu/loop_fixture.h"

enum { CUT = 30000 }; /* cycles that are compared of a run */

typedef struct foreign_world {
    machine machine;
    workload workload;
} foreign_world;

/* A few of its SMs have all of its memory. */
static machine few(const char *name, unsigned sms)
{
    machine m = *machine_find(name);

    m.sms = sms;
    return m;
}

/* So that it comes to its end. */
static workload few_ctas(workload w)
{
    w.ctas = 16;
    w.insts = 60;
    w.launches = 2;
    return w;
}

/* Enough CTAs for this machine's slots. */
static workload many(workload w, unsigned ctas)
{
    w.ctas = ctas;
    return w;
}

static unsigned worlds(foreign_world *to)
{
    const foreign_world all[] = {
        {foreign_machine(), foreign_streaming()},
        {foreign_machine(), foreign_thrashing()},
        {foreign_machine(), few_ctas(foreign_grid_2d())},
        {few("fermi", 3), many(foreign_thrashing(), 200)},
        {few("kepler", 2), many(foreign_streaming(), 300)},
        {few("hopper", 2), many(foreign_thrashing(), 300)},
        {few("hopper", 1), many(foreign_grid_2d(), 120)},
    };

    memcpy(to, all, sizeof all);
    return sizeof all / sizeof all[0];
}

enum { WORLDS = 7 };

/* ---- a chip ------------------------------------------------------------------------ */

/* What has been seen, so that nothing is equal only because nothing happened. */
typedef struct seen {
    uint64_t cycles, limits, pauses, soft, levels, denials, done, stalls;
} seen;

static void note(seen *s, const foreign *f, const chip_governor_out *before, const chip_governor_out *out)
{
    const unsigned sms = sim_machine(f->sim)->sms;

    s->cycles++;
    s->levels += out->sm_level != before->sm_level || out->mem_level != before->mem_level;
    s->stalls += out->sm_stall;
    for (unsigned i = 0; i < sms; i++) {
        s->limits += out->sm[i].limit != before->sm[i].limit;
        s->pauses += out->sm[i].cta_paused != before->sm[i].cta_paused;
        s->soft += out->sm[i].pause_soft;
        s->denials += f->obs[i]->cta_denied;
        s->done += out->sm[i].done;
    }
}

static void compare_sm(const chip_governor_sm_out *want, ballast_client_decision got, uint64_t cycle, unsigned sm)
{
    if (want->limit != got.limit || want->cta_paused != got.paused_ctas || want->pause_soft != got.pause_soft || want->done != got.done ||
        want->req != (got.may_launch > 0))
        fail_msg("cycle %llu, SM %u: limit %u, paused %x, soft %u, done %u, request %u; the client says %u, %x, %u, %u, %u", (unsigned long long)cycle,
                 sm, want->limit, want->cta_paused, want->pause_soft, want->done, want->req, got.limit, got.paused_ctas, got.pause_soft, got.done,
                 got.may_launch);
}

/* Port by port what the governors get: that a decision has not come yet hides nothing. Of warps that have left, nobody asks whether they
 * are paused. */
static void compare_ports(const sm_governor_in *want, const sm_governor_in *got, uint64_t cycle, unsigned sm)
{
    const uint64_t there = want->ws0 | want->ws1 | want->ws2 | want->ws3;
    const struct {
        const char *name;
        uint64_t want, got;
    } ports[] = {
#define PORT(field) {#field, want->field, got->field}
        PORT(ws0), PORT(ws1), PORT(ws2), PORT(ws3), PORT(issue_slot), PORT(issue_valid), PORT(cta_start), PORT(cta_done), PORT(cta_active), PORT(cta_denied),
        PORT(kernel_start), PORT(nmax), PORT(wcta), {"paused", want->paused & there, got->paused & there},
    };

    for (unsigned i = 0; i < sizeof ports / sizeof ports[0]; i++)
        if (ports[i].want != ports[i].got)
            fail_msg("cycle %llu, SM %u: the governor gets %s = %llx, but the bus has %llx", (unsigned long long)cycle, sm, ports[i].name,
                     (unsigned long long)ports[i].got, (unsigned long long)ports[i].want);
}

static void compare_settings(const chip_governor_in *want, const chip_governor_in *got)
{
    assert_int_equal(want->policy, got->policy);
    assert_int_equal(want->static_limit, got->static_limit);
    assert_int_equal(want->mode, got->mode);
    assert_int_equal(want->t_idle, got->t_idle);
    assert_int_equal(want->t_mem_l, got->t_mem_l);
    assert_int_equal(want->t_mem_h, got->t_mem_h);
}

static void compare_chip(const governed *g, const foreign *f, uint64_t cycle)
{
    const ballast_client_domains d = ballast_client_domains_of(f->clients[0]);
    const ballast_client_domains want = {g->out.sm_level, g->out.mem_level, g->out.sm_busy, g->out.mem_busy, g->out.sm_stall, g->out.mem_stall};

    assert_memory_equal(&d, &want, sizeof d);
    compare_settings(&g->in, f->clients[0]->in);
    for (unsigned i = 0; i < g->cfg.num_sms; i++)
        compare_ports(&g->in.sm[i], &f->clients[0]->in->sm[i], cycle, i);
    for (unsigned i = 0; i < g->cfg.num_sms; i++)
        compare_sm(&g->out.sm[i], ballast_client_decision_of(f->clients[0], i), cycle, i);
}

static void compare_buses(const sm_obs *const *ours, const sm_obs *const *theirs, unsigned sms, uint64_t cycle)
{
    for (unsigned i = 0; i < sms; i++)
        if (!sm_obs_equal(ours[i], theirs[i]))
            fail_msg("cycle %llu, SM %u: the two simulators do not do the same", (unsigned long long)cycle, i);
}

/* `change_at`: the cycle in which policy and mode become those of `after`, 0: never. */
typedef struct comparison {
    ballast_client_settings settings, after;
    uint64_t change_at;
} comparison;

static void set_governed(governed *g, const ballast_client_settings *s)
{
    g->in.policy = (uint8_t)s->policy;
    g->in.static_limit = (uint8_t)s->static_limit;
    g->in.mode = (uint8_t)s->mode;
    g->in.t_idle = s->t_idle;
    g->in.t_mem_l = s->t_mem_l;
    g->in.t_mem_h = s->t_mem_h;
    if (s->parameters) {
        const chip_governor_cfg geometry = g->cfg;

        g->cfg = *s->parameters;
        g->cfg.num_sms = geometry.num_sms;
        g->cfg.sm.num_warps = geometry.sm.num_warps;
        g->cfg.sm.num_slots = geometry.sm.num_slots;
        g->cfg.sm.issue_width = geometry.sm.issue_width;
        chip_governor_cfg_derive(&g->cfg);
        chip_governor_reset(&g->state, &g->cfg);
    }
}

static seen compare_loops(const foreign_world *world, const comparison *c)
{
    governed *g = malloc(sizeof *g);
    foreign *f = malloc(sizeof *f);
    chip_governor_out *before = calloc(1, sizeof *before);
    seen s = {0};

    assert_non_null(g);
    assert_non_null(f);
    assert_non_null(before);
    governed_open(g, fixture_open(&world->machine, &world->workload, 1));
    g->each = true; /* its inputs are looked at in each cycle */
    set_governed(g, &c->settings);
    foreign_open(f, &world->machine, &world->workload, &c->settings);
    for (uint64_t cycle = 0;; cycle++) {
        const sm_obs *const *obs;
        bool goes_on;

        if (c->change_at && cycle == c->change_at) {
            set_governed(g, &c->after);
            assert_true(ballast_client_change(f->clients[0], &c->after));
        }
        *before = g->out;
        obs = governed_step(g);
        goes_on = foreign_step(f);
        assert_int_equal(goes_on, obs != NULL);
        if (!obs || cycle == CUT)
            break;
        compare_buses(obs, f->obs, g->cfg.num_sms, cycle);
        compare_chip(g, f, cycle);
        note(&s, f, before, &g->out);
    }
    foreign_close(f);
    sim_close(g->sim);
    free(before);
    free(f);
    free(g);
    return s;
}

static void add(seen *sum, const seen *s)
{
    sum->cycles += s->cycles;
    sum->limits += s->limits;
    sum->pauses += s->pauses;
    sum->soft += s->soft;
    sum->levels += s->levels;
    sum->denials += s->denials;
    sum->done += s->done;
    sum->stalls += s->stalls;
}

static seen compare_policy(unsigned policy, unsigned mode)
{
    foreign_world all[WORLDS];
    const unsigned num = worlds(all);
    seen sum = {0};

    assert_int_equal(num, WORLDS);
    for (unsigned w = 0; w < num; w++) {
        comparison c = {.settings = foreign_settings(&all[w].machine)};
        seen s;

        c.settings.policy = policy;
        c.settings.mode = mode;
        s = compare_loops(&all[w], &c);
        add(&sum, &s);
    }
    return sum;
}

TEST(chip_static)
{
    const seen s = compare_policy(BALLAST_POLICY_STATIC, BALLAST_VF_PERFORMANCE);

    assert_true(s.limits > 0 && s.denials > 0 && s.done > 0);
    assert_int_equal(s.pauses, 0);
}

/* Its search takes some thousand CTAs of an SM. */
TEST(chip_perfsat)
{
    foreign_world shorter = {foreign_machine(), many(foreign_grid_2d(), 4000)};
    comparison c = {.settings = foreign_settings(&shorter.machine)};
    seen s;

    compare_policy(BALLAST_POLICY_PERFSAT, BALLAST_VF_PERFORMANCE);
    shorter.workload.insts = 10;
    shorter.workload.barrier_every = 0;
    shorter.workload.launches = 1;
    c.settings.policy = BALLAST_POLICY_PERFSAT;
    s = compare_loops(&shorter, &c);
    assert_true(s.limits > 4 && s.done > 0);
}

TEST(chip_lcs)
{
    const seen s = compare_policy(BALLAST_POLICY_LCS, BALLAST_VF_PERFORMANCE);

    assert_true(s.limits > 4 && s.done > 0);
}

TEST(chip_equalizer)
{
    const seen s = compare_policy(BALLAST_POLICY_EQUALIZER, BALLAST_VF_PERFORMANCE), e = compare_policy(BALLAST_POLICY_EQUALIZER, BALLAST_VF_ENERGY);

    assert_true(s.limits > 0 && s.pauses > 0 && s.levels > 0 && e.levels > 0);
    assert_int_equal(s.soft, 0);
}

TEST(chip_dyncta)
{
    const seen s = compare_policy(BALLAST_POLICY_DYNCTA, BALLAST_VF_PERFORMANCE);

    assert_true(s.limits > 20 && s.pauses > 0 && s.soft > 0);
}

TEST(chip_with_a_limit_and_other_thresholds)
{
    const foreign_world w = {foreign_machine(), foreign_thrashing()};
    comparison c = {.settings = foreign_settings(&w.machine)};

    for (uint32_t limit = 1; limit <= 4; limit++) {
        c.settings.static_limit = limit;
        compare_loops(&w, &c);
    }
    c.settings.policy = BALLAST_POLICY_DYNCTA;
    c.settings.t_idle = 3;
    c.settings.t_mem_l = 900;
    c.settings.t_mem_h = 1100;
    assert_true(compare_loops(&w, &c).limits > 0);
}

/* The SMs stand still while their voltage changes, LCS listens to SM 0, an increase asks beyond paused CTAs. */
TEST(chip_with_other_parameters)
{
    const foreign_world all[] = {{foreign_machine(), foreign_streaming()}, {foreign_machine(), foreign_thrashing()}};
    chip_governor_cfg parameters = chip_governor_cfg_default();

    parameters.sm_domain.vrm_stall = 1;
    parameters.lcs_scope = 1;
    parameters.sm.lcs.throttle = LCS_THROTTLE_PAUSE;
    parameters.sm.throttle.inc_unpause_first = 0;
    parameters.sm.throttle.hyst_epochs = 1;
    parameters.sm.counters.epoch = 1024;
    for (unsigned policy = 0; policy < BALLAST_POLICIES; policy++) {
        seen sum = {0};

        for (unsigned w = 0; w < 2; w++) {
            comparison c = {.settings = foreign_settings(&all[w].machine)};
            seen s;

            c.settings.parameters = &parameters;
            c.settings.policy = policy;
            c.settings.mode = w ? BALLAST_VF_PERFORMANCE : BALLAST_VF_ENERGY;
            s = compare_loops(&all[w], &c);
            add(&sum, &s);
        }
        assert_true(policy != BALLAST_POLICY_EQUALIZER || (sum.stalls > 0 && sum.pauses > 0));
        assert_true(policy != BALLAST_POLICY_LCS || sum.pauses > 0);
    }
}

/* LTB-1: by the name, whatever pointer it comes with; SM 0's kernel counts; 0 without a name, and for the 256th name. */
TEST(launches_of_a_kernel_have_one_number)
{
    static const struct {
        const char *name;
        uint32_t sm;
        unsigned number;
    } starts[] = {{"first", BALLAST_CLIENT_ALL_SMS, 1}, {"second", 0, 2}, {NULL, BALLAST_CLIENT_ALL_SMS, 0}, {"first", 0, 1},
                  {"third", 1, 1}, {"", 0, 3}, {"second", BALLAST_CLIENT_ALL_SMS, 2}};
    ballast_client_settings settings = ballast_client_defaults();
    char name[16];
    ballast_client *c;

    settings.sms = 2;
    c = ballast_client_open(&settings);
    for (unsigned i = 0; i < sizeof starts / sizeof *starts; i++) {
        const ballast_client_kernel k = {.name = starts[i].name ? name : NULL, .nmax = 4, .warps_per_cta = 2};

        snprintf(name, sizeof name, "%s", starts[i].name ? starts[i].name : "");

        ballast_client_kernel_start(c, starts[i].sm, &k);
        assert_int_equal(c->in->kernel_id, starts[i].number);
        ballast_client_step(c);
    }
    for (unsigned i = 4; i <= 300; i++) {
        const ballast_client_kernel k = {.name = name, .nmax = 4, .warps_per_cta = 2};

        snprintf(name, sizeof name, "kernel %u", i);
        ballast_client_kernel_start(c, 0, &k);
        assert_int_equal(c->in->kernel_id, i <= 255 ? i : 0);
        ballast_client_step(c);
    }
    assert_string_equal(ballast_client_last_complaint(c), "");
    ballast_client_close(c);
}

/* A search watches SM 0 of a whole chip. */
TEST(one_sm_has_no_search)
{
    ballast_client_settings settings = ballast_client_defaults();
    ballast_client *c;

    settings.policy = BALLAST_POLICY_SCOUT;
    c = ballast_client_open(&settings);
    assert_non_null(c);
    ballast_client_close(c);
    settings.sms = 1;
    settings.scope = BALLAST_CLIENT_ONE_SM;
    assert_null(ballast_client_open(&settings));
    settings.policy = BALLAST_POLICY_DYNCTA;
    c = ballast_client_open(&settings);
    assert_non_null(c);
    settings.policy = BALLAST_POLICY_SCOUT;
    assert_false(ballast_client_change(c, &settings));
    ballast_client_close(c);
}

TEST(settings_may_change_in_any_cycle)
{
    const foreign_world w = {foreign_machine(), foreign_thrashing()};
    comparison c = {.settings = foreign_settings(&w.machine), .after = foreign_settings(&w.machine)};

    c.settings.policy = BALLAST_POLICY_DYNCTA;
    c.after.policy = BALLAST_POLICY_EQUALIZER;
    c.after.mode = BALLAST_VF_ENERGY;
    for (c.change_at = 1; c.change_at < 20000; c.change_at += 6007)
        compare_loops(&w, &c);
}

/* ---- single SMs -------------------------------------------------------------------- */

/* The governor on the bus of an SM. */
typedef struct single {
    sm_governor_cfg cfg;
    sm_governor_in in;
    sm_governor_out out;
    sm_governor_state state;
} single;

static void open_single(single *s, const machine *m, unsigned policy)
{
    s->cfg = sm_governor_cfg_default();
    s->cfg.num_warps = m->warps;
    s->cfg.num_slots = m->slots;
    s->cfg.issue_width = m->schedulers;
    sm_governor_cfg_derive(&s->cfg);
    s->in = sm_governor_in_default();
    s->in.policy = (uint8_t)policy;
    sm_governor_reset(&s->state, &s->cfg);
}

static bool step_single(single *s, const sm_obs *obs, const ballast_client *client, uint64_t cycle, unsigned sm)
{
    const sm_governor_out *o = &s->out;
    const chip_governor_sm_out want = {0};
    const ballast_client_votes votes = ballast_client_votes_of(client);
    chip_governor_sm_out mine = want;

    sm_governor_bind(&s->in, &s->cfg, &obs, NULL);
    sm_governor_step(&s->state, &s->cfg, &s->in, &s->out);
    compare_ports(&s->in, &client->in->sm[0], cycle, sm);
    mine = (chip_governor_sm_out){o->cta_paused, o->limit, o->pause_soft, o->req, o->done};
    compare_sm(&mine, ballast_client_decision_of(client, 0), cycle, sm);
    assert_int_equal(votes.epoch, o->epoch);
    assert_int_equal(votes.comp, o->comp);
    assert_int_equal(votes.mem, o->mem);
    assert_int_equal(votes.t_new_valid, o->t_new_valid);
    assert_int_equal(votes.t_new, o->t_new);
    return o->comp || o->mem || o->t_new_valid;
}

/* How often an SM has voted, or told of a limit. */
static unsigned compare_singles(const foreign_world *world, unsigned policy)
{
    ballast_client_settings settings = foreign_settings(&world->machine);
    foreign *f = malloc(sizeof *f);
    single *singles = calloc(world->machine.sms, sizeof *singles);
    unsigned said = 0;

    assert_non_null(f);
    assert_non_null(singles);
    settings.scope = BALLAST_CLIENT_ONE_SM;
    settings.sms = 1;
    settings.policy = policy;
    foreign_open(f, &world->machine, &world->workload, &settings);
    for (unsigned i = 0; i < world->machine.sms; i++)
        open_single(&singles[i], &world->machine, policy);
    for (uint64_t cycle = 0; cycle < CUT && foreign_step(f); cycle++) {
        for (unsigned i = 0; i < world->machine.sms; i++)
            said += step_single(&singles[i], f->obs[i], f->clients[i], cycle, i);
    }
    foreign_close(f);
    free(singles);
    free(f);
    return said;
}

TEST(single_sms_under_every_policy)
{
    foreign_world all[WORLDS];
    const unsigned num = worlds(all);

    for (unsigned policy = 0; policy <= BALLAST_POLICY_DYNCTA; policy++) {
        unsigned said = 0;

        for (unsigned w = 0; w < num; w++)
            said += compare_singles(&all[w], policy);
        if (policy == BALLAST_POLICY_EQUALIZER || policy == BALLAST_POLICY_LCS)
            assert_true(said > 4);
        else
            assert_int_equal(said, 0);
    }
}
