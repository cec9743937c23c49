/* SPDX-License-Identifier: Apache-2.0 */
#include "adapters/foreign_fixture.h"

#include <string.h>

#include "engine/random.h"
#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"
#include "recording/raw_import.h"

/* ---- machine and kernels ---------------------------------------------------------- */

machine foreign_machine(void)
{
    machine m = fixture_machine();

    m.sms = 2;
    m.schedulers = m.alu_width = 2;
    return m;
}

/* Every load pushes back. */
workload foreign_streaming(void)
{
    return (workload){
        .name = "streaming", .ctas = 200, .threads_per_cta = 64, .launches = 1, .insts = 60, .alu_distance = 1,
        .load_distance = 20, .lines = 8, .warp_set = 1, .cta_set = 1, .neighbour_set = 1, .random = 0,
        .footprint = 1000, .loads = 0.5,
    };
}

/* Long enough for several epochs, with memory trouble, and two launches. */
workload foreign_thrashing(void)
{
    return (workload){
        .name = "thrashing", .ctas = 120, .threads_per_cta = 64, .launches = 2, .insts = 150, .alu_distance = 1,
        .load_distance = 2, .lines = 1, .warp_set = 6, .cta_set = 1, .neighbour_set = 1, .random = 0.1,
        .footprint = 1000, .spread = 0.3, .loads = 0.3, .warp_reuse = 0.9, .barrier_every = 64,
    };
}

/* Two dimensions, shared memory and registers, and CTAs whose last warp is not full. */
workload foreign_grid_2d(void)
{
    return (workload){
        .name = "grid \"2d\", of whole rows", .ctas = 40, .threads_per_cta = 48, .regs_per_thread = 9, .shared_per_cta = 256, .launches = 3,
        .is_2d = true, .grid_x = 8, .insts = 250, .alu_distance = 2, .load_distance = 3, .lines = 2, .warp_set = 2, .cta_set = 4,
        .cta_reuse = 0.4, .neighbour_set = 1, .random = 0.1, .footprint = 500, .spread = 0.2, .loads = 0.2, .shared = 0.1, .sfu = 0.05,
        .barrier_every = 60,
    };
}

ballast_client_settings foreign_settings(const machine *m)
{
    ballast_client_settings s = ballast_client_defaults();

    s.sms = m->sms;
    s.warps = m->warps;
    s.slots = m->slots;
    s.issue_width = m->schedulers;
    return s;
}

/* ---- what is said ----------------------------------------------------------------- */

enum call_kind { KERNEL, START, DONE, DENIED, STATE, ISSUED, CLASS, PAUSED };

typedef struct call {
    enum call_kind kind;
    ballast_client *client;
    unsigned sm; /* as the client counts */
    unsigned at, value;
    const sm_obs *obs;
} call;

enum { CALLS = MACHINE_MAX_SMS * 8 }; /* of the chips that tests have */

typedef struct calls {
    unsigned num;
    call call[CALLS];
} calls;

static void add(calls *to, enum call_kind kind, const call *of, unsigned at, unsigned value)
{
    call *c = &to->call[to->num++];

    assert_true(to->num < CALLS);
    *c = *of;
    c->kind = kind;
    c->at = at;
    c->value = value;
}

static bool is_issue(unsigned state)
{
    return state == BALLAST_WARP_ISSUED_ALU || state == BALLAST_WARP_ISSUED_MEM;
}

/* An issue as a state, or as an issue beside a state of before, or both. */
static void add_warp(calls *to, const call *of, unsigned warp, unsigned state, uint64_t *seed)
{
    const bool issue = is_issue(state) && random_below(seed, 4);

    if (issue)
        add(to, ISSUED, of, warp, state == BALLAST_WARP_ISSUED_MEM);
    if (!issue || random_below(seed, 2))
        add(to, STATE, of, warp, issue ? 1 + random_below(seed, BALLAST_WARP_ISSUED_ALU - 1) : state);
}

/* As schedulers count it: the best that any warp has. */
static unsigned class_of(const sm_obs *obs)
{
    unsigned best = BALLAST_PS_IDLE;

    for (unsigned w = 0; w < BALLAST_MAX_WARPS; w++) {
        static const uint8_t classes[BALLAST_WARP_STATES] = {0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 3};
        const unsigned class = classes[sm_obs_warp_state(obs, w)];

        best = class > best ? class : best;
    }
    return best;
}

static void add_sm(calls *to, foreign *f, const call *of, unsigned sm)
{
    const sm_obs *obs = f->obs[sm];
    uint32_t cta = 0;

    for (unsigned slot = 0; slot < BALLAST_MAX_SLOTS; slot++) {
        if (obs->cta_done >> slot & 1)
            add(to, DONE, of, slot, 0);
        if (obs->cta_start >> slot & 1) {
            sim_cta_in(f->sim, sm, slot, &cta);
            add(to, START, of, slot, cta);
        }
    }
    for (unsigned w = 0; w < BALLAST_MAX_WARPS; w++)
        if (sm_obs_warp_state(obs, w))
            add_warp(to, of, w, sm_obs_warp_state(obs, w), &f->seed);
    if (obs->cta_denied)
        add(to, DENIED, of, 0, 0);
    if (f->says_class)
        add(to, CLASS, of, 0, class_of(obs));
    if (f->control.sm_stall) /* it stands still, and with it its pauses */
        add(to, PAUSED, of, 0, 0);
}

static void start_kernel(const call *c)
{
    const ballast_kernel_desc *desc = &c->obs->setup->kernel;
    const ballast_client_kernel kernel = {
        .name = "a kernel, of the \"foreign\" simulator",
        .nmax = desc->nmax,
        .warps_per_cta = desc->threads_per_cta % 64 ? desc->warps_per_cta : 0,
        .grid = {desc->grid_x ? desc->grid_x : desc->grid_ctas, desc->grid_x ? desc->grid_ctas / desc->grid_x : 0},
        .block = {desc->threads_per_cta},
        .regs_per_thread = desc->regs_per_thread,
        .smem_per_cta = desc->smem_per_cta,
    };

    ballast_client_kernel_start(c->client, c->value ? BALLAST_CLIENT_ALL_SMS : c->sm, &kernel);
}

static void say(const call *c)
{
    switch (c->kind) {
    case KERNEL: start_kernel(c); break;
    case START: ballast_client_cta_start(c->client, c->sm, c->at, c->value); break;
    case DONE: ballast_client_cta_done(c->client, c->sm, c->at); break;
    case DENIED: ballast_client_cta_denied(c->client, c->sm); break;
    case STATE: ballast_client_warp_state(c->client, c->sm, c->at, c->value); break;
    case ISSUED: ballast_client_issued(c->client, c->sm, c->at, c->value); break;
    case CLASS: ballast_client_sm_class(c->client, c->sm, c->value); break;
    case PAUSED: ballast_client_paused(c->client, c->sm, c->obs->paused); break;
    }
}

static void say_all(calls *all, uint64_t *seed)
{
    for (unsigned left = all->num; left; left--) {
        call *chosen = &all->call[random_below(seed, left)];

        say(chosen);
        *chosen = all->call[left - 1];
    }
}

static bool per_sm(const foreign *f)
{
    return f->num_clients > 1 || sim_machine(f->sim)->sms == 1;
}

static void tell(foreign *f)
{
    static calls all;

    all.num = 0;
    for (unsigned i = 0; i < sim_machine(f->sim)->sms; i++) {
        const call of = {.client = f->clients[per_sm(f) ? i : 0], .sm = per_sm(f) ? 0 : i, .obs = f->obs[i]};

        add_sm(&all, f, &of, i);
        if (f->obs[i]->kernel_start && (per_sm(f) || i == 0))
            add(&all, KERNEL, &of, 0, true);
    }
    say_all(&all, &f->seed);
}

/* ---- what is done ------------------------------------------------------------------ */

static void obey(foreign *f)
{
    const ballast_client_domains d = ballast_client_domains_of(f->clients[0]);

    f->control.sm_level = d.sm_level;
    f->control.mem_level = d.mem_level;
    f->control.sm_stall = d.sm_stall;
    f->control.mem_stall = d.mem_stall;
    for (unsigned i = 0; i < sim_machine(f->sim)->sms; i++) {
        const ballast_client_decision o = per_sm(f) ? ballast_client_decision_of(f->clients[i], 0) : ballast_client_decision_of(f->clients[0], i);

        f->control.sm[i] = (sm_control){.req = o.may_launch > 0, .limit = f->by_request_alone ? 0 : (uint8_t)o.limit, .paused = o.paused_ctas, .soft = o.pause_soft};
    }
}

void foreign_open(foreign *f, const machine *m, const workload *w, const ballast_client_settings *settings)
{
    memset(f, 0, sizeof *f);
    f->sim = fixture_open(m, w, 1);
    f->control.sm_level = f->control.mem_level = BALLAST_VF_NORMAL;
    f->num_clients = settings->scope == BALLAST_CLIENT_ONE_SM ? m->sms : 1;
    f->seed = 1;
    for (unsigned i = 0; i < f->num_clients; i++) {
        f->clients[i] = ballast_client_open(settings);
        assert_non_null(f->clients[i]);
    }
}

bool foreign_step(foreign *f)
{
    f->obs = sim_step(f->sim, &f->control);
    if (!f->obs)
        return false;
    tell(f);
    for (unsigned i = 0; i < f->num_clients; i++)
        ballast_client_step(f->clients[i]);
    obey(f);
    return true;
}

void foreign_close(foreign *f)
{
    for (unsigned i = 0; i < f->num_clients; i++) {
        assert_string_equal(ballast_client_last_complaint(f->clients[i]), "");
        assert_int_equal(ballast_client_status(f->clients[i]), 0);
        ballast_client_close(f->clients[i]);
    }
    sim_close(f->sim);
}

void foreign_import(const machine *m, const char *folder, const char *path)
{
    raw_import_options options;
    trace_err err = {.text = ""};

    raw_import_defaults(&options);
    options.dir = folder;
    options.out_path = path;
    options.geometry = (trace_geometry){(uint16_t)m->warps, (uint16_t)m->slots, (uint16_t)m->sms, (uint16_t)m->schedulers};
    options.resources.threads = m->warps * 32;
    options.resources.registers = m->registers;
    options.resources.shared_bytes = m->shared_bytes;
    options.resources.slots = m->slots;
    options.resources.register_unit = 1;
    if (!raw_import(&options, &err))
        fail_msg("%s", err.text);
}
