/* SPDX-License-Identifier: Apache-2.0 */
#include "chip/chip_governor.h"

chip_governor_cfg chip_governor_cfg_default(void)
{
    chip_governor_cfg cfg = {
        .num_sms = 15,
        .sm = sm_governor_cfg_default(),
        .vote = vf_vote_cfg_default(),
        .sm_domain = vf_domain_cfg_default(),
        .mem_domain = vf_domain_cfg_default(),
        .scout = scout_cfg_default(),
        .table = limit_table_cfg_default(),
    };
    chip_governor_cfg_derive(&cfg);
    return cfg;
}

void chip_governor_set_defaults(chip_governor_in *in)
{
    const sm_governor_in sm = sm_governor_in_default();

    in->t_idle = sm.t_idle;
    in->t_mem_l = sm.t_mem_l;
    in->t_mem_h = sm.t_mem_h;
    in->policy = sm.policy;
    in->static_limit = sm.static_limit;
    in->mode = BALLAST_VF_PERFORMANCE;
}

chip_governor_in chip_governor_in_default(void)
{
    chip_governor_in in = {.policy = 0};

    chip_governor_set_defaults(&in);
    return in;
}

/* What the domains have in common is set in sm_domain. */
void chip_governor_cfg_derive(chip_governor_cfg *cfg)
{
    sm_governor_cfg_derive(&cfg->sm);
    cfg->vote.num_sms = cfg->num_sms;
    cfg->mem_domain = cfg->sm_domain;
    cfg->sm_domain.domain = VF_DOMAIN_SM;
    cfg->mem_domain.domain = VF_DOMAIN_MEM;
    cfg->scout.num_slots = cfg->table.num_slots = cfg->sm.num_slots;
    cfg->table.id_w = 8; /* of kernel_id */
    cfg->scout.issue_width = cfg->sm.issue_width;
}

void chip_governor_reset(chip_governor_state *state, const chip_governor_cfg *cfg)
{
    vf_vote_reset(&state->vote, &cfg->vote);
    vf_domain_reset(&state->sm_domain, &cfg->sm_domain);
    vf_domain_reset(&state->mem_domain, &cfg->mem_domain);
    scout_reset(&state->scout, &cfg->scout);
    limit_table_reset(&state->table, &cfg->table);
    state->search = 0;
    for (unsigned i = 0; i < cfg->num_sms; i++)
        sm_governor_reset(&state->sm[i], &cfg->sm);
}

/* What the chip knows of SM i's governor: its own signals, and what is the same for all. */
static void inputs_of(const chip_governor_cfg *cfg, const chip_governor_in *in, unsigned i, const scout_out *search,
                      const sm_governor_out *first, sm_governor_in *governor)
{
    *governor = in->sm[i];
    governor->policy = in->policy;
    governor->static_limit = in->static_limit;
    governor->t_idle = in->t_idle;
    governor->t_mem_l = in->t_mem_l;
    governor->t_mem_h = in->t_mem_h;
    governor->scout_limit = search->limit;
    governor->scout_done = search->done;
    governor->lcs_listen = cfg->lcs_scope == 1 && i != 0;
    /* SM 0 does not listen: what it would hear is the output that it is about to give. */
    governor->lcs_bcast_valid = governor->lcs_listen ? first->t_new_valid : 0;
    governor->lcs_bcast_limit = governor->lcs_listen ? first->t_new : 0;
}

/* SCT-9: it counts on SM 0, from the start of a kernel that is its to the start of one that is not. */
static void step_search(chip_governor_state *s, const chip_governor_cfg *cfg, const chip_governor_in *in, scout_out *out)
{
    const sm_governor_in *first = &in->sm[0];
    limit_table_in known;
    limit_table_out hint;
    scout_in seen;

    if (first->kernel_start)
        s->search = in->policy == BALLAST_POLICY_SCOUT;
    known = (limit_table_in){.enable = s->search, .kernel_start = first->kernel_start, .kernel_id = in->kernel_id, .nmax = first->nmax};
    limit_table_look(&s->table, &cfg->table, &known, &hint);
    seen = (scout_in){.enable = s->search, .kernel_start = first->kernel_start, .nmax = first->nmax, .hint = hint.hint,
                      .issue_valid = first->issue_valid, .cta_done = first->cta_done};
    scout_step(&s->scout, &cfg->scout, &seen, out);
    known.limit = out->limit;
    known.done = out->done;
    limit_table_step(&s->table, &cfg->table, &known, &hint);
}

static void step_governors(chip_governor_state *s, const chip_governor_cfg *cfg, const chip_governor_in *in, chip_governor_out *out,
                           vf_vote_in *votes)
{
    sm_governor_out first = {.limit = 0};
    scout_out search;

    step_search(s, cfg, in, &search);
    for (unsigned i = 0; i < cfg->num_sms; i++) {
        sm_governor_in governor;
        sm_governor_out o;

        inputs_of(cfg, in, i, &search, &first, &governor);
        sm_governor_step(&s->sm[i], &cfg->sm, &governor, &o);
        if (i == 0)
            first = o;
        out->sm[i] = (chip_governor_sm_out){o.cta_paused, o.limit, o.pause_soft, o.req, o.done};
        votes->tick |= o.epoch;
        votes->comp[i / 64] |= (uint64_t)o.comp << i % 64;
        votes->mem[i / 64] |= (uint64_t)o.mem << i % 64;
    }
}

void chip_governor_meanings(vf_vote_in *votes, const vf_domain_out *sm, const vf_domain_out *mem)
{
    votes->sm_comp_up = sm->comp_up;
    votes->sm_comp_down = sm->comp_down;
    votes->sm_mem_up = sm->mem_up;
    votes->sm_mem_down = sm->mem_down;
    votes->mem_comp_up = mem->comp_up;
    votes->mem_comp_down = mem->comp_down;
    votes->mem_mem_up = mem->mem_up;
    votes->mem_mem_down = mem->mem_down;
}

/* What the vote asks of a domain, or nothing. */
static vf_domain_in request(uint8_t mode, uint8_t valid, uint8_t up, uint8_t down)
{
    return (vf_domain_in){.mode = mode, .valid = valid, .up = up, .down = down};
}

void chip_governor_step(chip_governor_state *state, const chip_governor_cfg *cfg, const chip_governor_in *in, chip_governor_out *out)
{
    vf_vote_in votes = {.tick = 0};
    vf_vote_out result;
    vf_domain_out sm, mem;
    vf_domain_in to_sm, to_mem;

    step_governors(state, cfg, in, out, &votes);
    vf_domain_show(&state->sm_domain, &cfg->sm_domain, &sm);
    vf_domain_show(&state->mem_domain, &cfg->mem_domain, &mem);
    if (state->vote.valid) { /* only then does anybody ask what the actions mean */
        vf_domain_answer(&state->sm_domain, &cfg->sm_domain, in->mode, &sm);
        vf_domain_answer(&state->mem_domain, &cfg->mem_domain, in->mode, &mem);
        chip_governor_meanings(&votes, &sm, &mem);
    }
    vf_vote_step(&state->vote, &cfg->vote, &votes, &result);
    to_sm = request(in->mode, result.valid, result.sm_up, result.sm_down);
    to_mem = request(in->mode, result.valid, result.mem_up, result.mem_down);
    vf_domain_edge(&state->sm_domain, &cfg->sm_domain, &to_sm);
    vf_domain_edge(&state->mem_domain, &cfg->mem_domain, &to_mem);
    out->sm_level = sm.level;
    out->mem_level = mem.level;
    out->sm_busy = sm.busy;
    out->mem_busy = mem.busy;
    out->sm_stall = sm.stall;
    out->mem_stall = mem.stall;
}
