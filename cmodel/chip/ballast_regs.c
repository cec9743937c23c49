/* SPDX-License-Identifier: Apache-2.0
 *
 * An address is looked up first: what is there, and which values it takes. All that may be refused follows from that.
 */
#include "chip/ballast_regs.h"

#include "sm/dyncta.h"

/* Byte addresses of the page. */
enum {
    ID = 0x000, VERSION = 0x004, NUM_SMS = 0x008, NUM_SLOTS = 0x00c, DYN_PERIOD = 0x010, NUM_KERNELS = 0x014,
    POLICY = 0x040, STATIC_LIMIT = 0x044, T_IDLE = 0x048, T_MEM_L = 0x04c, T_MEM_H = 0x050, MODE = 0x054, BCS = 0x058,
    DISPATCH = 0x05c, QUOTA = 0x060, DOMAINS = 0x080, KERNEL = 0x090,
    GRID = 0x0a0, WIDTH = 0x0a4, TWO_D = 0x0a8, WARPS = 0x0ac, REGS = 0x0b0, SMEM = 0x0b4, NMAX = 0x0b8, START = 0x0bc,
    PENDING = 0x0c0, ENABLE = 0x0c4, KERNEL_ID = 0x0c8,
    SM_CHANGES = 0x100, MEM_CHANGES = 0x104, LIMIT_CHANGES = 0x108, DENIALS = 0x10c, KERNELS = 0x110, LAUNCHES = 0x120,
    DONE = 0x200, LIMIT = 0x400
};

/* Bits of PENDING; KERNEL_END is that of kernel 0. */
enum { REFUSED = 1, TOO_BIG = 2, IN_USE = 4, NO_CTA = 8, ABOVE = 16, KERNEL_END = 32, ALL_BITS = 511 };

enum { POLICIES = 6, KERNEL_IDS = 256, WHOLE_WORD = 0xf };

/* What is at an address. */
typedef struct place {
    bool there, writable;
    uint32_t value;       /* that a read gives             */
    uint32_t least, most; /* of the values that it takes   */
} place;

/* What a cycle adds to counters and sticky bits; of the SMs by groups. */
typedef struct events {
    uint32_t sm_changes, mem_changes, kernels;
    uint8_t changes_of[BALLAST_REGS_MAX_GROUPS], denials_of[BALLAST_REGS_MAX_GROUPS];
    uint16_t causes;
} events;

ballast_regs_cfg ballast_regs_cfg_default(void)
{
    return (ballast_regs_cfg){.num_kernels = 2, .num_sms = 15, .num_slots = 8, .num_warps = 48, .reg_units = 1024, .smem_units = 384,
                              .dyn_period = 2048, .watch_slots = 1};
}

static uint32_t at_most(uint32_t most, uint32_t value)
{
    return value < most ? value : most;
}

void ballast_regs_reset(ballast_regs_state *state, const ballast_regs_cfg *cfg)
{
    *state = (ballast_regs_state){
        .t_idle = at_most(cfg->dyn_period, DYNCTA_T_IDLE),
        .t_mem_l = at_most(cfg->dyn_period, DYNCTA_T_MEM_L),
        .t_mem_h = at_most(cfg->dyn_period, DYNCTA_T_MEM_H),
        .mode = 1,
        .nmax = (uint8_t)cfg->num_slots,
    };
    for (unsigned k = 0; k < cfg->num_kernels; k++)
        state->quota[k] = (uint8_t)cfg->num_slots;
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

static uint32_t kernel(const ballast_regs_in *in, unsigned k)
{
    return (uint32_t)((in->idle >> k & 1) | (in->exhausted >> k & 1) << 1 | (in->too_big >> k & 1) << 2);
}

/* What there is of each kernel. */
static place of_the_kernels(const ballast_regs_state *s, const ballast_regs_cfg *cfg, const ballast_regs_in *in)
{
    for (unsigned k = 0; k < cfg->num_kernels; k++) {
        if (in->paddr == QUOTA + 4 * k)
            return setting(s->quota[k], 0, cfg->num_slots);
        if (in->paddr == KERNEL + 4 * k)
            return read_only(kernel(in, k));
        if (in->paddr == LAUNCHES + 4 * k)
            return counter(s->launches[k]);
    }
    return (place){.there = false};
}

/* REG-9: the number of a kernel that is idle, and no other value. */
static place starter(const ballast_regs_state *s, const ballast_regs_cfg *cfg, const ballast_regs_in *in)
{
    const bool idle = in->pwdata < cfg->num_kernels && (in->idle >> in->pwdata & 1);

    return (place){.there = true, .writable = idle, .value = s->kernel, .least = 0, .most = cfg->num_kernels - 1};
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
    case VERSION: return read_only(0x00020000);
    case NUM_SMS: return read_only(cfg->num_sms);
    case NUM_SLOTS: return read_only(cfg->num_slots);
    case DYN_PERIOD: return read_only(cfg->dyn_period);
    case NUM_KERNELS: return read_only(cfg->num_kernels);
    case POLICY: return setting(s->policy, 0, POLICIES - 1);
    case STATIC_LIMIT: return setting(s->static_limit, 0, cfg->num_slots);
    case T_IDLE: return setting(s->t_idle, 0, cfg->dyn_period);
    case T_MEM_L: return setting(s->t_mem_l, 0, s->t_mem_h);
    case T_MEM_H: return setting(s->t_mem_h, s->t_mem_l, cfg->dyn_period);
    case MODE: return setting(s->mode, 0, 1);
    case BCS: return setting(s->bcs, 0, 1);
    case DOMAINS: return read_only(domains(in));
    case DISPATCH: return setting(s->dispatch, 0, 3);
    case GRID: return setting(s->grid, 0, UINT32_MAX);
    case WIDTH: return setting(s->width, 0, UINT32_MAX);
    case TWO_D: return setting(s->two_d, 0, 1);
    case WARPS: return setting(s->warps, 0, cfg->num_warps + 1);
    case REGS: return setting(s->regs, 0, cfg->reg_units + 1);
    case SMEM: return setting(s->smem, 0, cfg->smem_units + 1);
    case NMAX: return setting(s->nmax, 1, cfg->num_slots);
    case START: return starter(s, cfg, in);
    case PENDING: return setting(s->pending, 0, ALL_BITS);
    case ENABLE: return setting(s->enable, 0, ALL_BITS);
    case KERNEL_ID: return setting(s->kernel_id, 0, KERNEL_IDS - 1);
    case SM_CHANGES: return counter(s->sm_changes);
    case MEM_CHANGES: return counter(s->mem_changes);
    case LIMIT_CHANGES: return counter(s->limit_changes);
    case DENIALS: return counter(s->denials);
    case KERNELS: return counter(s->kernels);
    default: return in->paddr < DONE ? of_the_kernels(s, cfg, in) : of_the_sms(cfg, in);
    }
}

/* REG-1, REG-2. */
static bool allowed(const ballast_regs_state *s, const ballast_regs_in *in, const place *at)
{
    if (!s->setup || !at->there)
        return false;
    return !in->pwrite || (at->writable && in->pstrb == WHOLE_WORD && in->pwdata >= at->least && in->pwdata <= at->most);
}

/* What is there of each kernel. */
static void write_of_a_kernel(ballast_regs_state *s, const ballast_regs_cfg *cfg, uint32_t address, uint32_t value)
{
    for (unsigned k = 0; k < BALLAST_REGS_MAX_KERNELS && k < cfg->num_kernels; k++) {
        if (address == QUOTA + 4 * k)
            s->quota[k] = (uint8_t)value;
        if (address == LAUNCHES + 4 * k)
            s->launches_clear |= (uint8_t)(1u << k);
    }
}

/* REG-9. What a CTA needs may be more warps than an SM has: no CTA of it will run. */
static void start(ballast_regs_state *s, const ballast_regs_cfg *cfg, uint32_t value)
{
    s->start = 1;
    s->kernel = (uint8_t)value;
    s->wcta = (uint8_t)at_most(cfg->num_warps, s->warps);
}

/* REG-3. */
static void write(ballast_regs_state *s, const ballast_regs_cfg *cfg, uint32_t address, uint32_t value)
{
    switch (address) {
    case POLICY: s->policy = (uint8_t)value; break;
    case STATIC_LIMIT: s->static_limit = (uint8_t)value; break;
    case T_IDLE: s->t_idle = value; break;
    case T_MEM_L: s->t_mem_l = value; break;
    case T_MEM_H: s->t_mem_h = value; break;
    case MODE: s->mode = (uint8_t)value; break;
    case BCS: s->bcs = (uint8_t)value; break;
    case DISPATCH: s->dispatch = (uint8_t)value; break;
    case GRID: s->grid = value; break;
    case WIDTH: s->width = value; break;
    case TWO_D: s->two_d = (uint8_t)value; break;
    case WARPS: s->warps = (uint8_t)value; break;
    case REGS: s->regs = (uint16_t)value; break;
    case SMEM: s->smem = (uint16_t)value; break;
    case NMAX: s->nmax = (uint8_t)value; break;
    case KERNEL_ID: s->kernel_id = (uint8_t)value; break;
    case START: start(s, cfg, value); break;
    case PENDING: s->pending &= (uint16_t)~value; break;
    case ENABLE: s->enable = (uint16_t)value; break;
    case SM_CHANGES:
    case MEM_CHANGES:
    case LIMIT_CHANGES:
    case DENIALS:
    case KERNELS: s->clear |= (uint8_t)(1u << (address - SM_CHANGES) / 4); break;
    default: write_of_a_kernel(s, cfg, address, value); break;
    }
}

/* ---- what goes on around -------------------------------------------------------------------- */

static void look_at_sm(events *e, const ballast_regs_state *s, const ballast_regs_cfg *cfg, const ballast_regs_in *in, unsigned i)
{
    const ballast_regs_sm_in *sm = &in->sm[i];

    e->changes_of[i / BALLAST_REGS_GROUP] += sm->limit != s->last_limit[i];
    e->denials_of[i / BALLAST_REGS_GROUP] += sm->denied;
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
        .kernels = s->start,
    };

    if (s->started && (in->too_big >> s->kernel & 1))
        e.causes |= TOO_BIG;
    e.causes |= (uint16_t)((s->running & in->idle) * KERNEL_END);
    for (unsigned i = 0; i < cfg->num_sms; i++)
        look_at_sm(&e, s, cfg, in, i);
    return e;
}

/* It stays at its end. */
static void count(uint32_t *counter, bool clear, uint32_t n)
{
    if (clear)
        *counter = 0;
    *counter = n > UINT32_MAX - *counter ? UINT32_MAX : *counter + n;
}

/* What was cleared by the cycle before, and what is known of the SMs by now. */
static void add(ballast_regs_state *s, const ballast_regs_cfg *cfg, const ballast_regs_in *in, const events *e)
{
    count(&s->sm_changes, s->clear & 1, e->sm_changes);
    count(&s->mem_changes, s->clear & 2, e->mem_changes);
    count(&s->limit_changes, s->clear & 4, s->num_changes);
    count(&s->denials, s->clear & 8, s->num_denials);
    count(&s->kernels, s->clear & 16, e->kernels);
    for (unsigned k = 0; k < cfg->num_kernels; k++)
        count(&s->launches[k], s->launches_clear >> k & 1, in->start_valid && in->start_kernel == k);
    s->clear = s->launches_clear = 0;
}

/* What the SMs add takes two cycles. */
static void add_up(ballast_regs_state *s, const ballast_regs_cfg *cfg, const events *e)
{
    s->num_changes = s->num_denials = 0;
    for (unsigned g = 0; g * BALLAST_REGS_GROUP < cfg->num_sms; g++) {
        s->num_changes = (uint16_t)(s->num_changes + s->changes_of[g]);
        s->num_denials = (uint16_t)(s->num_denials + s->denials_of[g]);
        s->changes_of[g] = e->changes_of[g];
        s->denials_of[g] = e->denials_of[g];
    }
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
    s->running = (uint8_t)(~in->idle & ((1u << cfg->num_kernels) - 1));
    for (unsigned i = 0; i < cfg->num_sms; i++) {
        s->last_limit[i] = in->sm[i].limit;
        s->held[i] = cfg->watch_slots ? held_after(s->held[i], &in->sm[i]) : 0;
    }
}

static void show_quotas(const ballast_regs_state *s, const ballast_regs_cfg *cfg, ballast_regs_out *out)
{
    unsigned width = 0;

    while (cfg->num_slots >> width)
        width++;
    for (unsigned k = 0; k < cfg->num_kernels; k++)
        out->quota |= (uint32_t)s->quota[k] << k * width;
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
        .dispatch = state->dispatch,
        .start = state->start,
        .kernel = state->kernel,
        .two_d = state->two_d,
        .warps = state->warps,
        .regs = state->regs,
        .smem = state->smem,
        .grid = state->grid,
        .width = state->width,
        .nmax = state->nmax,
        .kernel_id = state->kernel_id,
        .wcta = state->wcta,
    };
    show_quotas(state, cfg, out);
    state->started = state->start;
    state->start = 0;
    add(state, cfg, in, &now);
    add_up(state, cfg, &now);
    if (taken && in->pwrite)
        write(state, cfg, in->paddr, in->pwdata);
    state->pending |= now.causes;
    if (access && !taken)
        state->pending |= REFUSED;
    remember(state, cfg, in);
}
