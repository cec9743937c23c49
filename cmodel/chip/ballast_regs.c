/* SPDX-License-Identifier: Apache-2.0
 *
 * An address is looked up first: what is there, and which values it takes. All that may be refused follows from that.
 */
#include "chip/ballast_regs.h"

/* Byte addresses of the page. */
enum {
    ID = 0x000, VERSION = 0x004, NUM_SMS = 0x008, NUM_SLOTS = 0x00c, DYN_PERIOD = 0x010,
    POLICY = 0x040, STATIC_LIMIT = 0x044, T_IDLE = 0x048, T_MEM_L = 0x04c, T_MEM_H = 0x050, MODE = 0x054, BCS = 0x058,
    DOMAINS = 0x080, KERNEL = 0x084,
    PENDING = 0x0c0, ENABLE = 0x0c4,
    SM_CHANGES = 0x100, MEM_CHANGES = 0x104, LIMIT_CHANGES = 0x108, LAUNCHES = 0x10c, DENIALS = 0x110, KERNELS = 0x114,
    DONE = 0x200, LIMIT = 0x400
};

/* Bits of PENDING. */
enum { REFUSED = 1, TOO_BIG = 2, IN_USE = 4, NO_CTA = 8, ABOVE = 16, KERNEL_END = 32, ALL_BITS = 63 };

enum { POLICIES = 5, WHOLE_WORD = 0xf };

/* What is at an address. */
typedef struct place {
    bool there, writable;
    uint32_t value;       /* that a read gives             */
    uint32_t least, most; /* of the values that it takes   */
} place;

/* What a cycle adds to counters and sticky bits. */
typedef struct events {
    uint32_t sm_changes, mem_changes, limit_changes, launches, denials, kernels;
    uint8_t causes;
} events;

ballast_regs_cfg ballast_regs_cfg_default(void)
{
    return (ballast_regs_cfg){.num_sms = 15, .num_slots = 8, .dyn_period = 2048, .watch_slots = 1};
}

static uint32_t at_most(uint32_t most, uint32_t value)
{
    return value < most ? value : most;
}

void ballast_regs_reset(ballast_regs_state *state, const ballast_regs_cfg *cfg)
{
    *state = (ballast_regs_state){
        .t_idle = at_most(cfg->dyn_period, 16),
        .t_mem_l = at_most(cfg->dyn_period, 128),
        .t_mem_h = at_most(cfg->dyn_period, 384),
        .mode = 1,
    };
}

/* ---- addresses ------------------------------------------------------------------------------ */

static place read_only(uint32_t value)
{
    return (place){.there = true, .value = value};
}

static place setting(uint32_t value, uint32_t least, uint32_t most)
{
    return (place){true, true, value, least, most};
}

/* Only a 0 is taken, which clears it. */
static place counter(uint32_t value)
{
    return setting(value, 0, 0);
}

static uint32_t domains(const ballast_regs_in *in)
{
    return (uint32_t)(in->sm_level | in->mem_level << 2 | in->sm_busy << 4 | in->mem_busy << 5 | in->sm_stall << 6 | in->mem_stall << 7);
}

static uint32_t kernel(const ballast_regs_in *in)
{
    return (uint32_t)(in->idle | in->exhausted << 1 | in->too_big << 2);
}

/* What there is of each SM: a word, or a bit of one. */
static place of_the_sms(const ballast_regs_cfg *cfg, const ballast_regs_in *in)
{
    place found = {.there = false};

    for (unsigned i = 0; i < cfg->num_sms; i++) {
        if (in->paddr == LIMIT + 4 * i)
            found = read_only(in->sm[i].limit);
        if (in->paddr == DONE + 4 * (i / 32))
            found = read_only(found.value | (uint32_t)in->sm[i].done << i % 32);
    }
    return found;
}

static place look_up(const ballast_regs_state *s, const ballast_regs_cfg *cfg, const ballast_regs_in *in)
{
    switch (in->paddr) {
    case ID: return read_only(0x424c5354);
    case VERSION: return read_only(0x00010000);
    case NUM_SMS: return read_only(cfg->num_sms);
    case NUM_SLOTS: return read_only(cfg->num_slots);
    case DYN_PERIOD: return read_only(cfg->dyn_period);
    case POLICY: return setting(s->policy, 0, POLICIES - 1);
    case STATIC_LIMIT: return setting(s->static_limit, 0, cfg->num_slots);
    case T_IDLE: return setting(s->t_idle, 0, cfg->dyn_period);
    case T_MEM_L: return setting(s->t_mem_l, 0, s->t_mem_h);
    case T_MEM_H: return setting(s->t_mem_h, s->t_mem_l, cfg->dyn_period);
    case MODE: return setting(s->mode, 0, 1);
    case BCS: return setting(s->bcs, 0, 1);
    case DOMAINS: return read_only(domains(in));
    case KERNEL: return read_only(kernel(in));
    case PENDING: return setting(s->pending, 0, ALL_BITS);
    case ENABLE: return setting(s->enable, 0, ALL_BITS);
    case SM_CHANGES: return counter(s->sm_changes);
    case MEM_CHANGES: return counter(s->mem_changes);
    case LIMIT_CHANGES: return counter(s->limit_changes);
    case LAUNCHES: return counter(s->launches);
    case DENIALS: return counter(s->denials);
    case KERNELS: return counter(s->kernels);
    default: return of_the_sms(cfg, in);
    }
}

/* REG-1, REG-2. */
static bool allowed(const ballast_regs_state *s, const ballast_regs_in *in, const place *at)
{
    if (!s->setup || !at->there)
        return false;
    return !in->pwrite || (at->writable && in->pstrb == WHOLE_WORD && in->pwdata >= at->least && in->pwdata <= at->most);
}

/* REG-3. */
static void write(ballast_regs_state *s, uint32_t address, uint32_t value)
{
    switch (address) {
    case POLICY: s->policy = (uint8_t)value; break;
    case STATIC_LIMIT: s->static_limit = (uint8_t)value; break;
    case T_IDLE: s->t_idle = value; break;
    case T_MEM_L: s->t_mem_l = value; break;
    case T_MEM_H: s->t_mem_h = value; break;
    case MODE: s->mode = (uint8_t)value; break;
    case BCS: s->bcs = (uint8_t)value; break;
    case PENDING: s->pending &= (uint8_t)~value; break;
    case ENABLE: s->enable = (uint8_t)value; break;
    case SM_CHANGES: s->sm_changes = 0; break;
    case MEM_CHANGES: s->mem_changes = 0; break;
    case LIMIT_CHANGES: s->limit_changes = 0; break;
    case LAUNCHES: s->launches = 0; break;
    case DENIALS: s->denials = 0; break;
    case KERNELS: s->kernels = 0; break;
    default: break;
    }
}

/* ---- what goes on around -------------------------------------------------------------------- */

static void look_at_sm(events *e, const ballast_regs_state *s, const ballast_regs_cfg *cfg, const ballast_regs_in *in, unsigned i)
{
    const ballast_regs_sm_in *sm = &in->sm[i];

    e->limit_changes += sm->limit != s->last_limit[i];
    e->denials += sm->denied;
    if (sm->cta_start & s->held[i] & ~sm->cta_done)
        e->causes |= IN_USE;
    if (sm->cta_done & ~sm->cta_active)
        e->causes |= NO_CTA;
    if (sm->limit > cfg->num_slots)
        e->causes |= ABOVE;
}

/* REG-5, REG-6: but for an access that is refused. */
static events look_around(const ballast_regs_state *s, const ballast_regs_cfg *cfg, const ballast_regs_in *in)
{
    events e = {
        .sm_changes = in->sm_busy && !s->sm_busy,
        .mem_changes = in->mem_busy && !s->mem_busy,
        .launches = in->start_valid,
        .kernels = in->start && in->idle,
    };

    if (s->started && in->too_big)
        e.causes |= TOO_BIG;
    if (s->running && in->idle)
        e.causes |= KERNEL_END;
    for (unsigned i = 0; i < cfg->num_sms; i++)
        look_at_sm(&e, s, cfg, in, i);
    return e;
}

/* It stays at its end. */
static void count(uint32_t *counter, uint32_t n)
{
    *counter = n > UINT32_MAX - *counter ? UINT32_MAX : *counter + n;
}

static void add(ballast_regs_state *s, const events *e)
{
    count(&s->sm_changes, e->sm_changes);
    count(&s->mem_changes, e->mem_changes);
    count(&s->limit_changes, e->limit_changes);
    count(&s->launches, e->launches);
    count(&s->denials, e->denials);
    count(&s->kernels, e->kernels);
    s->pending |= e->causes;
}

/* A CTA that takes the place of one that finishes stays. */
static uint32_t held_after(uint32_t held, const ballast_regs_sm_in *sm)
{
    const uint32_t replaced = held & sm->cta_start;

    return sm->cta_active & (~sm->cta_done | replaced);
}

/* For the next cycle. */
static void remember(ballast_regs_state *s, const ballast_regs_cfg *cfg, const ballast_regs_in *in)
{
    s->setup = in->psel && !in->penable;
    s->sm_busy = in->sm_busy;
    s->mem_busy = in->mem_busy;
    s->started = in->start && in->idle;
    s->running = !in->idle;
    for (unsigned i = 0; i < cfg->num_sms; i++) {
        s->last_limit[i] = in->sm[i].limit;
        s->held[i] = cfg->watch_slots ? held_after(s->held[i], &in->sm[i]) : 0;
    }
}

void ballast_regs_step(ballast_regs_state *state, const ballast_regs_cfg *cfg, const ballast_regs_in *in, ballast_regs_out *out)
{
    const place at = look_up(state, cfg, in);
    const bool access = in->psel && in->penable;
    const bool taken = access && allowed(state, in, &at);
    const events now = look_around(state, cfg, in);

    *out = (ballast_regs_out){
        .prdata = taken && !in->pwrite ? at.value : 0,
        .pready = 1,
        .pslverr = access && !taken,
        .irq = (state->pending & state->enable) != 0,
        .policy = state->policy,
        .static_limit = state->static_limit,
        .mode = state->mode,
        .bcs = state->bcs,
        .t_idle = state->t_idle,
        .t_mem_l = state->t_mem_l,
        .t_mem_h = state->t_mem_h,
    };
    if (taken && in->pwrite)
        write(state, in->paddr, in->pwdata);
    add(state, &now);
    if (access && !taken)
        state->pending |= REFUSED;
    remember(state, cfg, in);
}
