/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/own_chip.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/sm_governor/bind.h"
#include "policy/guard.h"

/* Behind each piece of the policy's memory: who writes there has written beyond its own. */
static const unsigned char fence[16] = "beyond your end";

typedef struct own_sm {
    void *cfg, *state;
    void *before; /* the state before this cycle, for describe */
    cta_throttle_state throttle;
    bool runs; /* a kernel has started before this cycle */
    sm_governor_in seen;
    ballast_policy_in in;
    ballast_policy_out out, last;
} own_sm;

enum { SM_DOMAIN, MEM_DOMAIN, DOMAINS };

/* A clock domain of the chip. */
typedef struct own_domain {
    vf_domain_state state;
    vf_domain_out out;
    int held;                         /* level to hold, or -1               */
    unsigned ask[BALLAST_ASK_DOWN + 1]; /* SMs that ask for it in this cycle  */
} own_domain;

struct own_chip {
    const own_policy *policy;
    const ballast_policy_functions *f;
    chip_governor_cfg cfg;
    own_sm *sm; /* [cfg.num_sms] */
    own_domain domain[DOMAINS];
    uint8_t mode;
    void *chip;
    uint32_t said[BALLAST_MAX_SMS], heard[BALLAST_MAX_SMS];
    uint64_t cycle;
    unsigned at; /* SM whose function is called */
    char line[DECISION_WORDS];
    bool told;
    char err[OWN_ERR];
};

__attribute__((format(printf, 2, 3))) static bool fail(own_chip *c, const char *format, ...)
{
    const int used = snprintf(c->err, OWN_ERR, "%.200s: ", c->policy->path);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(c->err + used, (size_t)(OWN_ERR - used), format, arguments);
    va_end(arguments);
    return false;
}

/* ---- memory -------------------------------------------------------------------------- */

static void *fenced(size_t size)
{
    unsigned char *memory = calloc(1, size + sizeof fence);

    if (memory)
        memcpy(memory + size, fence, sizeof fence);
    return memory;
}

static bool stands(const void *memory, size_t size)
{
    return memcmp((const unsigned char *)memory + size, fence, sizeof fence) == 0;
}

static bool allocate(own_chip *c)
{
    bool ok = (c->sm = calloc(c->cfg.num_sms, sizeof *c->sm)) && (c->chip = fenced(c->f->chip_size));

    for (unsigned i = 0; ok && i < c->cfg.num_sms; i++) {
        own_sm *sm = &c->sm[i];

        sm->cfg = fenced(c->f->cfg_size);
        sm->state = fenced(c->f->state_size);
        sm->before = fenced(c->f->state_size);
        ok = sm->cfg && sm->state && sm->before;
    }
    return ok;
}

void own_chip_close(own_chip *c)
{
    if (!c)
        return;
    for (unsigned i = 0; c->sm && i < c->cfg.num_sms; i++) {
        free(c->sm[i].cfg);
        free(c->sm[i].state);
        free(c->sm[i].before);
    }
    free(c->sm);
    free(c->chip);
    free(c);
}

const char *own_chip_name(const own_chip *c)
{
    return c->f->name;
}

const char *own_chip_error(const own_chip *c)
{
    return c->err;
}

/* ---- calls --------------------------------------------------------------------------- */

/* One function of the instance c->at; its name is for the failure. */
static bool call(own_chip *c, const char *name, void (*function)(void *user))
{
    const own_sm *sm = &c->sm[c->at];
    const char *why = NULL;

    if (c->policy->unguarded)
        function(c);
    else
        why = guard_call(function, c);
    if (why)
        return fail(c, "%s in %s, SM %u, cycle %" PRIu64 " of the run, which gives no result", why, name, c->at, c->cycle);
    if (!stands(sm->cfg, c->f->cfg_size) || !stands(sm->state, c->f->state_size) || !stands(c->chip, c->f->chip_size))
        return fail(c, "%s, SM %u, cycle %" PRIu64 " of the run: wrote beyond the end of its cfg, state or chip; do the sizes in "
                       BALLAST_POLICY_ENTRY " fit?", name, c->at, c->cycle);
    return true;
}

static void call_cfg(void *user)
{
    own_chip *c = user;
    const ballast_policy_place place = {
        .sm = c->at, .sms = c->cfg.num_sms, .warps = c->cfg.sm.num_warps, .slots = c->cfg.sm.num_slots,
        .issue_width = c->cfg.sm.issue_width, .options = c->policy->options};

    c->told = c->f->cfg(c->sm[c->at].cfg, &place, c->line, sizeof c->line);
}

static void call_reset(void *user)
{
    own_chip *c = user;

    c->f->reset(c->sm[c->at].state, c->sm[c->at].cfg);
}

static void call_step(void *user)
{
    own_chip *c = user;
    own_sm *sm = &c->sm[c->at];

    c->f->step(sm->state, sm->cfg, &sm->in, &sm->out);
}

static void call_describe(void *user)
{
    own_chip *c = user;
    const own_sm *sm = &c->sm[c->at];

    c->told = c->f->describe(sm->before, sm->state, sm->cfg, &sm->in, &sm->out, c->line, sizeof c->line);
}

static void call_chip(void *user)
{
    own_chip *c = user;

    c->f->chip(c->chip, c->said, c->heard, c->cfg.num_sms);
}

/* ---- open ---------------------------------------------------------------------------- */

/* What a policy wrote as text: ended, and of one line. */
static void tidy(own_chip *c)
{
    c->line[sizeof c->line - 1] = '\0';
    for (char *p = c->line; *p; p++)
        if ((unsigned char)*p < ' ')
            *p = ' ';
}

static bool configure(own_chip *c)
{
    c->cycle = 0;
    for (c->at = 0; c->f->cfg && c->at < c->cfg.num_sms; c->at++) {
        memset(c->line, 0, sizeof c->line);
        if (!call(c, "cfg", call_cfg))
            return false;
        tidy(c);
        if (!c->told)
            return fail(c, "%s", c->line[0] ? c->line : "its cfg refuses this chip or these options, and does not say why");
    }
    return true;
}

void own_chip_clocks(own_chip *c, uint8_t mode, int sm_level, int mem_level)
{
    c->mode = mode;
    c->domain[SM_DOMAIN].held = sm_level;
    c->domain[MEM_DOMAIN].held = mem_level;
}

bool own_chip_reset(own_chip *c)
{
    c->err[0] = '\0';
    c->cycle = 0;
    for (unsigned d = 0; d < DOMAINS; d++)
        vf_domain_reset(&c->domain[d].state, &c->cfg.sm_domain);
    memset(c->chip, 0, c->f->chip_size);
    memset(c->heard, 0, sizeof c->heard);
    for (c->at = 0; c->at < c->cfg.num_sms; c->at++) {
        own_sm *sm = &c->sm[c->at];

        cta_throttle_reset(&sm->throttle, &c->cfg.sm.throttle);
        sm->runs = false;
        sm->last = (ballast_policy_out){.limit = 0};
        memset(sm->state, 0, c->f->state_size);
        if (!call(c, "reset", call_reset))
            return false;
    }
    return true;
}

own_chip *own_chip_open(const own_policy *policy, const chip_governor_cfg *cfg, char err[OWN_ERR])
{
    own_chip *c = calloc(1, sizeof *c);

    if (c) {
        c->policy = policy;
        c->f = policy->functions;
        c->cfg = *cfg;
    }
    if (!c || !allocate(c)) {
        snprintf(err, OWN_ERR, "%.300s: no memory for its state", policy->path);
        own_chip_close(c);
        return NULL;
    }
    own_chip_clocks(c, BALLAST_VF_PERFORMANCE, BALLAST_VF_NORMAL, BALLAST_VF_NORMAL);
    if (!policy->unguarded)
        guard_begin();
    if (configure(c) && own_chip_reset(c))
        return c;
    memcpy(err, c->err, OWN_ERR);
    own_chip_close(c);
    return NULL;
}

/* ---- a cycle ------------------------------------------------------------------------- */

static unsigned slot_width(unsigned slots)
{
    unsigned width = 1;

    while ((slots - 1) >> width)
        width++;
    return width;
}

/* The lanes of sm_governor one by one. */
static void take_lanes(const own_chip *c, own_sm *sm)
{
    const unsigned width = slot_width(c->cfg.sm.num_slots);

    sm->in.issued = 0;
    for (unsigned lane = 0; lane < BALLAST_POLICY_LANES && sm->seen.issue_valid >> lane & 1; lane++)
        sm->in.issue_slot[sm->in.issued++] = (uint8_t)(sm->seen.issue_slot >> lane * width & ((1U << width) - 1));
}

static void take_inputs(const own_chip *c, own_sm *sm, const sm_obs *obs)
{
    const stall_classifier_in warps = {obs->ws[0], obs->ws[1], obs->ws[2], obs->ws[3], obs->paused};
    const stall_classifier_out classes = stall_classifier_of(&c->cfg.sm.classifier, &warps);

    sm_governor_observe(&sm->seen, &c->cfg.sm, obs);
    memcpy(sm->in.ws, obs->ws, sizeof sm->in.ws);
    sm->in.paused = obs->paused;
    sm->in.warp_slot = obs->setup->warp_slot;
    sm->in.cta_start = obs->cta_start;
    sm->in.cta_done = obs->cta_done;
    sm->in.cta_active = obs->cta_active;
    sm->in.cta_paused = sm->throttle.paused;
    sm->in.heard = c->heard[c->at];
    sm->in.ps_class = classes.ps_class;
    sm->in.lcs_class = classes.lcs_class;
    sm->in.kernel_start = obs->kernel_start;
    sm->in.nmax = sm->seen.nmax;
    sm->in.warps_per_cta = sm->seen.wcta;
    sm->in.cta_denied = obs->cta_denied;
    sm->in.kernel_id = obs->setup->kernel_id;
    sm->in.mode = c->mode;
    sm->in.sm_level = c->domain[SM_DOMAIN].out.level;
    sm->in.mem_level = c->domain[MEM_DOMAIN].out.level;
    sm->in.sm_busy = c->domain[SM_DOMAIN].out.busy;
    sm->in.mem_busy = c->domain[MEM_DOMAIN].out.busy;
    take_lanes(c, sm);
}

/* In the cycle of a kernel's start nobody acts on the limit: it may be that of the kernel before. Of a kernel that does not fit, none is right. */
static bool check_limit(own_chip *c, const own_sm *sm)
{
    if (!sm->runs || !sm->throttle.nmax || sm->in.kernel_start || (sm->out.limit >= 1 && sm->out.limit <= sm->throttle.nmax))
        return true;
    return fail(c, "limit %u in step, SM %u, cycle %" PRIu64 " of the run, where 1 to %u (nmax) are allowed", sm->out.limit, c->at, c->cycle,
                sm->throttle.nmax);
}

static bool check_asks(own_chip *c, const own_sm *sm)
{
    const bool of_sm = sm->out.sm_ask > BALLAST_ASK_DOWN;

    if (!of_sm && sm->out.mem_ask <= BALLAST_ASK_DOWN)
        return true;
    return fail(c, "%s %u in step, SM %u, cycle %" PRIu64 " of the run, where 0 to %d are allowed (enum ballast_policy_ask)",
                of_sm ? "sm_ask" : "mem_ask", of_sm ? sm->out.sm_ask : sm->out.mem_ask, c->at, c->cycle, BALLAST_ASK_DOWN);
}

/* As sm_governor carries out the limit of its policies. */
static void throttle(const own_chip *c, own_sm *sm, chip_governor_sm_out *out)
{
    const bool limited = sm->runs && sm->out.limit <= c->cfg.sm.num_slots;
    const cta_throttle_in in = {
        .enable = 1,
        .kernel_start = sm->in.kernel_start,
        .nmax = sm->in.nmax,
        .follow = 1,
        .target = limited ? sm->out.limit : 0,
        .pause_en = sm->out.pause != 0,
        .denied = sm->in.cta_denied,
        .cta_start = sm->in.cta_start,
        .cta_done = sm->in.cta_done,
        .cta_active = sm->in.cta_active,
    };
    cta_throttle_out o;

    cta_throttle_step(&sm->throttle, &c->cfg.sm.throttle, &in, &o);
    *out = (chip_governor_sm_out){o.paused, o.limit, sm->out.pause_soft != 0, o.req, sm->out.done != 0};
    sm->runs |= sm->in.kernel_start;
}

/* A line for what the policy says of the cycle, or, if it says nothing, for a limit that moves. */
static bool describe(own_chip *c, const own_sm *sm, decisions *list)
{
    const bool moves = sm->runs && sm->out.limit != sm->last.limit;
    decision *d;

    c->told = false;
    memset(c->line, 0, sizeof c->line);
    if (c->f->describe && !call(c, "describe", call_describe))
        return false;
    tidy(c);
    if (!c->told && !moves)
        return true;
    d = decision_new(list, c->f->name, "", c->told ? "described" : "limit");
    if (c->cfg.num_sms > 1) {
        d->sm = (int)c->at;
        decision_words(d, "SM %u: ", c->at);
    }
    decision_input(d, "nmax", sm->in.nmax);
    decision_change(d, "limit", sm->last.limit, sm->out.limit);
    if (c->told)
        decision_words(d, "%s", c->line);
    else
        decision_words(d, "limit %u -> %u", sm->last.limit, sm->out.limit);
    return true;
}

static bool step_sm(own_chip *c, const sm_obs *obs, chip_governor_sm_out *out, decisions *list)
{
    own_sm *sm = &c->sm[c->at];

    take_inputs(c, sm, obs);
    sm->out = (ballast_policy_out){.limit = 0};
    if (list)
        memcpy(sm->before, sm->state, c->f->state_size);
    if (!call(c, "step", call_step) || !check_limit(c, sm) || !check_asks(c, sm))
        return false;
    throttle(c, sm, out);
    if (list && !describe(c, sm, list))
        return false;
    c->said[c->at] = sm->out.share;
    c->domain[SM_DOMAIN].ask[sm->out.sm_ask]++;
    c->domain[MEM_DOMAIN].ask[sm->out.mem_ask]++;
    sm->last = sm->out;
    return true;
}

/* ---- clocks -------------------------------------------------------------------------- */

static const vf_domain_cfg *domain_cfg(const own_chip *c, unsigned d)
{
    return d == SM_DOMAIN ? &c->cfg.sm_domain : &c->cfg.mem_domain;
}

static void show_domains(own_chip *c, chip_governor_out *out)
{
    for (unsigned d = 0; d < DOMAINS; d++) {
        own_domain *of = &c->domain[d];

        memset(of->ask, 0, sizeof of->ask);
        vf_domain_show(&of->state, domain_cfg(c, d), &of->out);
        if (of->held >= 0)
            of->out = (vf_domain_out){.level = (uint8_t)of->held};
    }
    out->sm_level = c->domain[SM_DOMAIN].out.level;
    out->sm_busy = c->domain[SM_DOMAIN].out.busy;
    out->sm_stall = c->domain[SM_DOMAIN].out.stall;
    out->mem_level = c->domain[MEM_DOMAIN].out.level;
    out->mem_busy = c->domain[MEM_DOMAIN].out.busy;
    out->mem_stall = c->domain[MEM_DOMAIN].out.stall;
}

static bool most_ask(const own_chip *c, const own_domain *of, enum ballast_policy_ask ask)
{
    return of->held < 0 && 2 * of->ask[ask] > c->cfg.num_sms;
}

static void tell_level(const own_chip *c, unsigned d, decisions *list)
{
    static const char *const names[DOMAINS] = {"SM", "memory"}, *const levels[] = {"low", "normal", "high"};
    const vf_domain_state *s = &c->domain[d].state;
    decision *told = decision_new(list, c->f->name, "", "request");

    decision_input(told, "cycles", s->timer);
    decision_change(told, d == SM_DOMAIN ? "sm_level" : "mem_level", s->level, s->next);
    decision_words(told, "%s domain %s -> %s in %u cycles", names[d], levels[s->level], levels[s->next], (unsigned)s->timer);
}

static void clock_domains(own_chip *c, decisions *list)
{
    for (unsigned d = 0; d < DOMAINS; d++) {
        own_domain *of = &c->domain[d];
        const bool rests = of->state.timer == 0;
        const vf_domain_in in = {.mode = c->mode, .valid = 1, .up = most_ask(c, of, BALLAST_ASK_UP), .down = most_ask(c, of, BALLAST_ASK_DOWN)};

        vf_domain_edge(&of->state, domain_cfg(c, d), &in);
        if (list && rests && of->state.timer)
            tell_level(c, d, list);
    }
}

bool own_chip_step(own_chip *c, const sm_obs *const *obs, chip_governor_out *out, decisions *list)
{
    show_domains(c, out);
    for (c->at = 0; c->at < c->cfg.num_sms; c->at++)
        if (!step_sm(c, obs[c->at], &out->sm[c->at], list))
            return false;
    c->at = 0;
    if (c->f->chip && !call(c, "chip", call_chip))
        return false;
    clock_domains(c, list);
    c->cycle++;
    return true;
}
