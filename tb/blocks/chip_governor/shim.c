/* SPDX-License-Identifier: Apache-2.0
 *
 * The RTL side of a whole chip: one Verilated sm_governor per SM, one scout, one limit_table, one vf_scout, one vf_vote and two vf_domains,
 * wired as rtl/chip/chip_governor.sv wires them.
 *
 * Verilator writes the code of a module anew for each of its instances, half a megabyte of C++
 * per governor, 145 MB for the 132 SMs of `hopper`: too much to compile. So a chip of full size is
 * put together here from blocks that are compiled once. rtl/chip/chip_governor.sv itself is Verilated
 * with few SMs (tb/blocks/chip_governor/variants) and runs through the same tests.
 */
#include <stdio.h>
#include <stdlib.h>

#include "chip/chip_governor.h"
#include "engine/block.h"

#ifndef VARIANT_PARAMS /* the makefile's: the configuration's parameters */
#define VARIANT_PARAMS ""
#endif

typedef struct part {
    const block_rtl *rtl;
    void *instance;
    size_t state; /* where its registers are in the chip's */
} part;

typedef struct chip {
    chip_governor_cfg cfg;
    part *parts, *end;                  /* of all */
    part *sm;                           /* the first of cfg.num_sms governors */
    part *scout, *table, *levels, *vote, *sm_domain, *mem_domain; /* `vote` and what is behind it wait for the governors */
    bool search, was_search;                     /* the chip's own register: in this cycle, and after the last edge */
    sm_governor_out *out; /* of the governors in this cycle */
    vf_scout_out asks;    /* of the search for levels in this cycle */
} chip;

/* ---- life ------------------------------------------------------------------------- */

static part *add_part(chip *c, const char *name, uint32_t seed, const void *cfg, size_t state)
{
    const block *b = block_find(name);
    port_list ports = {.num = 0};

    if (!b) {
        fprintf(stderr, "ballast: this program has no %s, which the chip is put together from; see 'command' in tb/blocks/*/targets\n",
                name);
        exit(3);
    }
    b->model->list_ports(cfg, &ports);
    *c->end = (part){b->rtl, b->rtl->create(seed, cfg, &ports), state};
    port_list_free(&ports);
    return c->end++;
}

/* The vote has one input per SM: as many as the base variant's, or as a variant's of its own. */
static const char *vote_for(unsigned num_sms)
{
    static char name[32];
    const block *base = block_find("vf_vote");
    vf_vote_cfg cfg;
    char bad[64];

    base->model->configure(&cfg, base->params, bad, sizeof bad);
    if (cfg.num_sms == num_sms)
        return base->name;
    snprintf(name, sizeof name, "vf_vote_sms%u", num_sms);
    if (!block_find(name)) {
        fprintf(stderr, "ballast: no Verilated vote for %u SMs; tb/blocks/vf_vote wants 'sms%u NumSms=%u' in variants and 'command vf_vote_sms%u' in "
                "targets\n", num_sms, num_sms, num_sms, num_sms);
        exit(3);
    }
    return name;
}

static void *create(uint32_t seed, const void *config, const port_list *ports)
{
    chip *c = calloc(1, sizeof *c);

    (void)ports;
    if (!c)
        abort();
    c->cfg = *(const chip_governor_cfg *)config;
    c->search = c->was_search = seed * UINT32_C(2654435761) >> 31; /* as random as the parts' */
    c->parts = c->end = c->sm = calloc(c->cfg.num_sms + 6, sizeof *c->parts);
    c->out = calloc(c->cfg.num_sms, sizeof *c->out);
    if (!c->parts || !c->out)
        abort();
    for (unsigned i = 0; i < c->cfg.num_sms; i++)
        add_part(c, "sm_governor", seed + i, &c->cfg.sm, offsetof(chip_governor_state, sm) + i * sizeof(sm_governor_state));
    c->scout = add_part(c, "scout", seed, &c->cfg.scout, offsetof(chip_governor_state, scout));
    c->table = add_part(c, "limit_table", seed, &c->cfg.table, offsetof(chip_governor_state, table));
    c->levels = add_part(c, "vf_scout", seed, &c->cfg.levels, offsetof(chip_governor_state, levels));
    c->vote = add_part(c, vote_for(c->cfg.num_sms), seed, &c->cfg.vote, offsetof(chip_governor_state, vote));
    c->sm_domain = add_part(c, "vf_domain", seed, &c->cfg.sm_domain, offsetof(chip_governor_state, sm_domain));
    c->mem_domain = add_part(c, "vf_domain_mem", seed, &c->cfg.mem_domain, offsetof(chip_governor_state, mem_domain));
    return c;
}

static void destroy(void *h)
{
    chip *c = h;

    for (part *p = c->parts; p < c->end; p++)
        p->rtl->destroy(p->instance);
    free(c->parts);
    free(c->out);
    free(c);
}

static void reset(void *h)
{
    chip *c = h;

    c->search = c->was_search = false;
    for (const part *p = c->parts; p < c->end; p++)
        p->rtl->reset(p->instance);
}

/* ---- a cycle ---------------------------------------------------------------------- */

static void settle_part(const part *p, const void *in, void *out)
{
    p->rtl->settle(p->instance, in);
    p->rtl->outputs(p->instance, out);
}

static void play_part(const part *p, const void *in, void *out)
{
    p->rtl->cycle(p->instance, in);
    p->rtl->outputs(p->instance, out);
}

/* What the domains show does not depend on what is asked of them. */
static vf_scout_in levels_seen(const chip *c, const chip_governor_in *in, bool its, const scout_out *limit)
{
    const vf_domain_in idle = {.mode = in->mode};
    const sm_governor_in *first = &in->sm[0];
    vf_domain_out sm, mem;

    settle_part(c->sm_domain, &idle, &sm);
    settle_part(c->mem_domain, &idle, &mem);
    return (vf_scout_in){.enable = its, .kernel_start = first->kernel_start, .issue_valid = first->issue_valid, .cta_done = first->cta_done != 0,
                         .look = limit->look, .ready = limit->done, .mode = in->mode, .sm_level = sm.level, .mem_level = mem.level,
                         .sm_busy = sm.busy, .mem_busy = mem.busy};
}

/* SM 0's kernel is the search's from its start on. The hint does not depend on the search, nor what the search shows on whether it may go
 * on, so they settle first without. */
static void search(chip *c, const chip_governor_in *in, scout_out *out, void (*one)(const part *p, const void *in, void *out))
{
    const sm_governor_in *first = &in->sm[0];
    const bool its = first->kernel_start ? in->policy == BALLAST_POLICY_SCOUT : c->was_search;
    limit_table_in known = {.enable = its, .kernel_start = first->kernel_start, .kernel_id = in->kernel_id, .nmax = first->nmax};
    scout_in seen = {.kernel_start = first->kernel_start, .nmax = first->nmax, .issue_valid = first->issue_valid,
                     .cta_done = first->cta_done};
    limit_table_out hint;
    vf_scout_in for_levels;

    settle_part(c->table, &known, &hint);
    seen.hint = hint.hint;
    settle_part(c->scout, &seen, out);
    for_levels = levels_seen(c, in, its, out);
    one(c->levels, &for_levels, &c->asks);
    seen.enable = its && (first->kernel_start || !c->asks.hold);
    one(c->scout, &seen, out);
    known.limit = out->limit;
    known.done = out->done;
    one(c->table, &known, &hint);
    c->search = its;
}

/* `one`: settles a governor, or plays its cycle; what it says is of the cycle either way. */
static void governors(chip *c, const chip_governor_in *in, vf_vote_in *votes, void (*one)(const part *p, const void *in, void *out))
{
    scout_out searched;

    search(c, in, &searched, one);
    for (unsigned i = 0; i < c->cfg.num_sms; i++) {
        sm_governor_in governor = in->sm[i];

        governor.policy = in->policy;
        governor.static_limit = in->static_limit;
        governor.t_idle = in->t_idle;
        governor.t_mem_l = in->t_mem_l;
        governor.t_mem_h = in->t_mem_h;
        governor.scout_limit = searched.limit;
        governor.scout_done = searched.done;
        governor.lcs_listen = c->cfg.lcs_scope == 1 && i != 0;
        governor.lcs_bcast_valid = i != 0 && c->out[0].t_new_valid;
        governor.lcs_bcast_limit = i != 0 ? c->out[0].t_new : 0;
        one(&c->sm[i], &governor, &c->out[i]);
        votes->tick |= c->out[i].epoch;
        votes->comp[i / 64] |= (uint64_t)c->out[i].comp << i % 64;
        votes->mem[i / 64] |= (uint64_t)c->out[i].mem << i % 64;
    }
}

/* The answers of the domains do not depend on the vote, so they settle first without it. */
static void settle_domains(chip *c, const chip_governor_in *in, vf_vote_in *votes)
{
    const vf_domain_in idle = {.mode = in->mode};
    vf_domain_out sm, mem;
    vf_vote_out result;

    settle_part(c->sm_domain, &idle, &sm);
    settle_part(c->mem_domain, &idle, &mem);
    votes->sm_comp_up = sm.comp_up;
    votes->sm_comp_down = sm.comp_down;
    votes->sm_mem_up = sm.mem_up;
    votes->sm_mem_down = sm.mem_down;
    votes->mem_comp_up = mem.comp_up;
    votes->mem_comp_down = mem.comp_down;
    votes->mem_mem_up = mem.mem_up;
    votes->mem_mem_down = mem.mem_down;
    settle_part(c->vote, votes, &result);
    if (c->search)
        result = (vf_vote_out){1, c->asks.sm_up, c->asks.sm_down, c->asks.mem_up, c->asks.mem_down};
    settle_part(c->sm_domain, &(vf_domain_in){in->mode, result.valid, result.sm_up, result.sm_down}, &sm);
    settle_part(c->mem_domain, &(vf_domain_in){in->mode, result.valid, result.mem_up, result.mem_down}, &mem);
}

static void settle(void *h, const void *inputs)
{
    vf_vote_in votes = {.tick = 0};

    governors(h, inputs, &votes, settle_part);
    settle_domains(h, inputs, &votes);
}

static void edge(void *h)
{
    chip *c = h;

    c->was_search = c->search;
    for (const part *p = c->parts; p < c->end; p++)
        p->rtl->edge(p->instance);
}

static void edges_of_chip(chip *c)
{
    c->was_search = c->search;
    for (const part *p = c->vote; p < c->end; p++)
        p->rtl->edge(p->instance);
}

/* The governors play their cycle in one go: nobody waits for their edges. */
static void cycle(void *h, const void *in)
{
    vf_vote_in votes = {.tick = 0};

    governors(h, in, &votes, play_part);
    settle_domains(h, in, &votes);
    edges_of_chip(h);
}

/* ---- reading ---------------------------------------------------------------------- */

static void chip_outputs(const chip *c, chip_governor_out *out)
{
    vf_domain_out sm, mem;

    c->sm_domain->rtl->outputs(c->sm_domain->instance, &sm);
    c->mem_domain->rtl->outputs(c->mem_domain->instance, &mem);
    out->sm_level = sm.level;
    out->mem_level = mem.level;
    out->sm_busy = sm.busy;
    out->mem_busy = mem.busy;
    out->sm_stall = sm.stall;
    out->mem_stall = mem.stall;
}

static chip_governor_sm_out sm_outputs(const chip *c, unsigned i)
{
    const sm_governor_out *o = &c->out[i];

    return (chip_governor_sm_out){o->cta_paused, o->limit, o->pause_soft, o->req, o->done};
}

static void outputs(void *h, void *outputs)
{
    const chip *c = h;
    chip_governor_out *out = outputs;

    chip_outputs(c, out);
    for (unsigned i = 0; i < c->cfg.num_sms; i++)
        out->sm[i] = sm_outputs(c, i);
}

static void registers(void *h, void *registers)
{
    const chip *c = h;

    for (const part *p = c->parts; p < c->end; p++)
        p->rtl->registers(p->instance, (char *)registers + p->state);
    ((chip_governor_state *)registers)->search = c->was_search;
}

static void load(void *h, const void *registers)
{
    chip *c = h;

    c->search = c->was_search = ((const chip_governor_state *)registers)->search;
    for (const part *p = c->parts; p < c->end; p++)
        p->rtl->load(p->instance, (const char *)registers + p->state);
}

static bool outputs_equal(const chip *c, const chip_governor_out *out)
{
    chip_governor_out own;
    bool equal;

    chip_outputs(c, &own);
    equal = own.sm_level == out->sm_level && own.mem_level == out->mem_level && own.sm_busy == out->sm_busy &&
            own.mem_busy == out->mem_busy && own.sm_stall == out->sm_stall && own.mem_stall == out->mem_stall;
    for (unsigned i = 0; i < c->cfg.num_sms; i++) {
        const chip_governor_sm_out sm = sm_outputs(c, i), *expected = &out->sm[i];

        equal &= sm.cta_paused == expected->cta_paused && sm.limit == expected->limit &&
                 sm.pause_soft == expected->pause_soft && sm.req == expected->req && sm.done == expected->done;
    }
    return equal;
}

static bool registers_equal(void *h, const void *registers)
{
    const chip *c = h;
    bool equal = ((const chip_governor_state *)registers)->search == c->was_search;

    for (const part *p = c->parts; p < c->end; p++)
        equal &= p->rtl->registers_equal(p->instance, (const char *)registers + p->state);
    return equal;
}

static bool cycle_equal(void *h, const void *in, const void *out, const void *state)
{
    cycle(h, in);
    return outputs_equal(h, out) && registers_equal(h, state) && !rtl_assertion_pending;
}

/* Which SM's it is stands in the message only as the instance's name; assertions are kept for all
 * blocks together. */
static const char *assertion(void *h)
{
    const chip *c = h;

    return c->vote->rtl->assertion(c->vote->instance);
}

static const block_rtl functions = {true,  create, destroy,   reset, cycle,           cycle_equal, settle,
                                    edge,  outputs, registers, load,  registers_equal, assertion, NULL, NULL};

extern const block_model chip_governor_model;
extern const block chip_governor_block;
const block chip_governor_block = {"chip_governor", VARIANT_PARAMS, &chip_governor_model, &functions};
