/* SPDX-License-Identifier: Apache-2.0
 *
 * Open, the end of a cycle, what comes of it.
 */
#include "ballast/client.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/client_private.h"
#include "common/popcount.h"

ballast_client_settings ballast_client_defaults(void)
{
    const chip_governor_cfg cfg = chip_governor_cfg_default();
    const sm_governor_in in = sm_governor_in_default();

    return (ballast_client_settings){
        .sms = cfg.num_sms,
        .warps = cfg.sm.num_warps,
        .slots = cfg.sm.num_slots,
        .issue_width = cfg.sm.issue_width,
        .scope = BALLAST_CLIENT_CHIP,
        .policy = in.policy,
        .static_limit = in.static_limit,
        .mode = BALLAST_VF_PERFORMANCE,
        .t_idle = in.t_idle,
        .t_mem_l = in.t_mem_l,
        .t_mem_h = in.t_mem_h,
        .check = true,
    };
}

/* ---- settings --------------------------------------------------------------------- */

typedef struct client_range {
    const char *name;
    uint32_t value, least, most;
} client_range;

static bool within(const ballast_client_settings *settings, const client_range *ranges, unsigned num)
{
    for (unsigned i = 0; i < num; i++)
        if (ranges[i].value < ranges[i].least || ranges[i].value > ranges[i].most) {
            ballast_client_say(settings, "%s is %u; give %u to %u", ranges[i].name, (unsigned)ranges[i].value, (unsigned)ranges[i].least,
                               (unsigned)ranges[i].most);
            return false;
        }
    return true;
}

static chip_governor_cfg parameters_of(const ballast_client_settings *settings)
{
    chip_governor_cfg cfg = settings->parameters ? *settings->parameters : chip_governor_cfg_default();

    cfg.num_sms = settings->sms;
    cfg.sm.num_warps = settings->warps;
    cfg.sm.num_slots = settings->slots;
    cfg.sm.issue_width = settings->issue_width;
    chip_governor_cfg_derive(&cfg);
    return cfg;
}

static bool geometry_is_possible(const ballast_client_settings *s)
{
    const client_range ranges[] = {
        {"scope", s->scope, BALLAST_CLIENT_CHIP, BALLAST_CLIENT_ONE_SM},
        {"sms", s->sms, 1, s->scope == BALLAST_CLIENT_ONE_SM ? 1 : BALLAST_MAX_SMS},
        {"warps", s->warps, 1, BALLAST_MAX_WARPS},
        {"slots", s->slots, 2, BALLAST_MAX_SLOTS},
        {"issue_width", s->issue_width, 1, 8},
    };

    return within(s, ranges, sizeof ranges / sizeof ranges[0]);
}

/* `at`: of the handle whose settings they are to be; `say_to`: who is told. */
static bool software_is_possible(const ballast_client_settings *s, const chip_governor_cfg *at, const ballast_client_settings *say_to)
{
    const uint32_t period = at->sm.dyncta.period;
    const client_range ranges[] = {
        {"policy", s->policy, 0, say_to->scope == BALLAST_CLIENT_ONE_SM ? BALLAST_POLICY_DYNCTA : BALLAST_POLICIES - 1}, /* a search is a chip's */
        {"static_limit", s->static_limit, 0, at->sm.num_slots},
        {"mode", s->mode, BALLAST_VF_ENERGY, BALLAST_VF_PERFORMANCE},
        {"t_idle", s->t_idle, 0, period},
        {"t_mem_l", s->t_mem_l, 0, period},
        {"t_mem_h", s->t_mem_h, 0, period},
    };

    return within(say_to, ranges, sizeof ranges / sizeof ranges[0]);
}

static void set_software(ballast_client *c)
{
    const ballast_client_settings *s = &c->settings;
    sm_governor_in *one = &c->in->sm[0];

    c->in->policy = one->policy = (uint8_t)s->policy;
    c->in->static_limit = one->static_limit = (uint8_t)s->static_limit;
    c->in->mode = (uint8_t)s->mode;
    c->in->t_idle = one->t_idle = s->t_idle;
    c->in->t_mem_l = one->t_mem_l = s->t_mem_l;
    c->in->t_mem_h = one->t_mem_h = s->t_mem_h;
}

/* ---- open and close ---------------------------------------------------------------- */

/* The structs of a chip, with as many elements of their sm[] as it has SMs. */
static bool open_parts(ballast_client *c)
{
    const size_t sms = c->settings.sms;

    c->in = calloc(1, offsetof(chip_governor_in, sm) + sms * sizeof c->in->sm[0]);
    c->out = calloc(1, offsetof(chip_governor_out, sm) + sms * sizeof c->out->sm[0]);
    c->state = calloc(1, offsetof(chip_governor_state, sm) + sms * sizeof c->state->sm[0]);
    return c->in && c->out && c->state;
}

static void free_all(ballast_client *c)
{
    if (!c)
        return;
    free(c->in);
    free(c->out);
    free(c->state);
    free(c);
}

ballast_client *ballast_client_open(const ballast_client_settings *settings)
{
    const ballast_client_settings s = settings ? *settings : ballast_client_defaults();
    chip_governor_cfg cfg;
    ballast_client *c;

    if (!geometry_is_possible(&s))
        return NULL;
    cfg = parameters_of(&s);
    if (!software_is_possible(&s, &cfg, &s))
        return NULL;
    c = calloc(1, sizeof *c + s.sms * sizeof c->sm[0]);
    if (c)
        c->settings = s;
    if (!c || !open_parts(c)) {
        ballast_client_say(&s, "out of memory for %u SMs", (unsigned)s.sms);
        free_all(c);
        return NULL;
    }
    c->settings.parameters = NULL; /* it was copied, and may go */
    c->cfg = cfg;
    c->out->sm_level = c->out->mem_level = BALLAST_VF_NORMAL;
    chip_governor_reset(c->state, &c->cfg);
    set_software(c);
    return c;
}

void ballast_client_close(ballast_client *client)
{
    if (client && client->record)
        ballast_client_record_end(client);
    free_all(client);
}

bool ballast_client_change(ballast_client *client, const ballast_client_settings *settings)
{
    ballast_client_settings *now;

    if (!client || !settings || !software_is_possible(settings, &client->cfg, &client->settings))
        return false;
    now = &client->settings;
    now->policy = settings->policy;
    now->static_limit = settings->static_limit;
    now->mode = settings->mode;
    now->t_idle = settings->t_idle;
    now->t_mem_l = settings->t_mem_l;
    now->t_mem_h = settings->t_mem_h;
    set_software(client);
    return true;
}

/* ---- the end of a cycle -------------------------------------------------------------- */

static void step_governors(ballast_client *c)
{
    sm_governor_out *o = &c->one;

    if (c->settings.scope == BALLAST_CLIENT_CHIP) {
        chip_governor_step(c->state, &c->cfg, c->in, c->out);
        return;
    }
    sm_governor_step(&c->state->sm[0], &c->cfg.sm, &c->in->sm[0], o);
    c->out->sm[0] = (chip_governor_sm_out){o->cta_paused, o->limit, o->pause_soft, o->req, o->done};
}

static uint64_t warps_of(const client_sm *s, uint32_t slots)
{
    uint64_t warps = 0;

    for (; slots; slots &= slots - 1)
        warps |= s->warps[client_lowest(slots)];
    return warps;
}

/* A request is for one CTA more than those that run, and goes on until there are as many as the limit. */
static uint32_t wanted(const client_sm *s, const chip_governor_sm_out *o, uint32_t paused)
{
    const unsigned running = ballast_popcount64(s->held & ~paused);

    return o->req && o->limit > running ? o->limit - running : 0;
}

/* The CTAs are now those after the cycle. A CTA that came into a paused slot is not the one that was paused; but `paused` holds for one
 * cycle more as the governor gave it out, and who obeys in time pauses what is there then. */
static void decide(client_sm *s, const chip_governor_sm_out *o)
{
    s->decision = (ballast_client_decision){
        .paused_warps = warps_of(s, o->cta_paused & s->held),
        .paused_ctas = o->cta_paused,
        .may_launch = wanted(s, o, o->cta_paused & ~s->start),
        .limit = o->limit,
        .pause_soft = o->pause_soft,
        .done = o->done,
    };
}

static void move_ctas(client_sm *s)
{
    s->held &= ~s->done;
    for (uint32_t left = s->start; left; left &= left - 1) {
        const unsigned slot = client_lowest(left);

        s->warps[slot] = s->start_warps[slot];
        s->cta[slot] = s->start_cta[slot];
        s->launch[slot] = s->kernel.number;
        s->per_cta[slot] = s->kernel.warps_per_cta;
    }
    s->held |= s->start;
}

static void begin_cycle(client_sm *s)
{
    memset(s->ws, 0, sizeof s->ws);
    memset(s->start_warps, 0, sizeof s->start_warps);
    s->issued = s->to_memory = s->paused = 0;
    s->start = 0;
    s->done = s->late;
    s->late = 0;
    s->paused_said = s->kernel_start = s->denied = s->class_said = s->stray_said = false;
}

static void forget_early(ballast_client *c)
{
    if (c->launches || c->early_said)
        return;
    c->early_said = true;
    ballast_client_complain(c, (client_place){-1, -1, -1},
                            "a cycle ends before the first kernel; call ballast_client_kernel_start first, and step from that cycle on");
}

void ballast_client_step(ballast_client *client)
{
    ballast_client *c = client;

    if (!c)
        return;
    forget_early(c);
    for (unsigned i = 0; i < c->settings.sms; i++) {
        ballast_client_settle(c, i);
        ballast_client_pack(c, i, &c->in->sm[i]);
    }
    if (c->record)
        ballast_client_record_cycle(c);
    step_governors(c);
    for (unsigned i = 0; i < c->settings.sms; i++) {
        move_ctas(&c->sm[i]);
        decide(&c->sm[i], &c->out->sm[i]);
        begin_cycle(&c->sm[i]);
    }
    c->cycle++;
}

/* ---- what comes of it ----------------------------------------------------------------- */

ballast_client_decision ballast_client_decision_of(const ballast_client *client, uint32_t sm)
{
    return client && sm < client->settings.sms ? client->sm[sm].decision : (ballast_client_decision){.limit = 0};
}

ballast_client_domains ballast_client_domains_of(const ballast_client *client)
{
    const chip_governor_out *o = client ? client->out : NULL;

    if (!o)
        return (ballast_client_domains){.sm_level = BALLAST_VF_NORMAL, .mem_level = BALLAST_VF_NORMAL};
    return (ballast_client_domains){.sm_level = o->sm_level, .mem_level = o->mem_level, .sm_busy = o->sm_busy, .mem_busy = o->mem_busy,
                                    .sm_stall = o->sm_stall, .mem_stall = o->mem_stall};
}

ballast_client_votes ballast_client_votes_of(const ballast_client *client)
{
    const sm_governor_out *o = client ? &client->one : NULL;

    if (!o)
        return (ballast_client_votes){.epoch = false};
    return (ballast_client_votes){.epoch = o->epoch, .comp = o->comp, .mem = o->mem, .t_new_valid = o->t_new_valid, .t_new = o->t_new};
}
