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
        .levels = vf_scout_cfg_default(),
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
    cfg->scout.issue_width = cfg->levels.issue_width = cfg->sm.issue_width;
}

void chip_governor_reset(chip_governor_state *state, const chip_governor_cfg *cfg)
{
    vf_vote_reset(&state->vote, &cfg->vote);
    vf_domain_reset(&state->sm_domain, &cfg->sm_domain);
    vf_domain_reset(&state->mem_domain, &cfg->mem_domain);
    scout_reset(&state->scout, &cfg->scout);
    limit_table_reset(&state->table, &cfg->table);
    vf_scout_reset(&state->levels, &cfg->levels);
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

/* What the searches make of a cycle: the limit, and what they ask of the domains. */
typedef struct searched {
    scout_out limit;
    vf_scout_out levels;
} searched;

/* What the domains show, before anything is asked of them. */
typedef struct shown {
    vf_domain_out sm, mem;
} shown;

/* The search for levels, beside that for a limit. */
static void step_levels(chip_governor_state *s, const chip_governor_cfg *cfg, const chip_governor_in *in, const shown *domains, searched *found)
{
    const sm_governor_in *first = &in->sm[0];
    const vf_scout_in seen = {.enable = s->search, .kernel_start = first->kernel_start, .issue_valid = first->issue_valid,
                              .cta_done = first->cta_done != 0, .look = found->limit.look, .ready = found->limit.done,
                              .mode = in->mode, .sm_level = domains->sm.level, .mem_level = domains->mem.level,
                              .sm_busy = domains->sm.busy, .mem_busy = domains->mem.busy};

    vf_scout_step(&s->levels, &cfg->levels, &seen, &found->levels);
}

/* SCT-9: they count on SM 0, from the start of a kernel that is theirs to the start of one that is not. VFS-8: while levels are
 * compared, the limit stays. */
static void step_search(chip_governor_state *s, const chip_governor_cfg *cfg, const chip_governor_in *in, const shown *domains, searched *found)
{
    const sm_governor_in *first = &in->sm[0];
    limit_table_in known;
    limit_table_out hint;
    scout_in seen;

    if (first->kernel_start)
        s->search = in->policy == BALLAST_POLICY_SCOUT;
    known = (limit_table_in){.enable = s->search, .kernel_start = first->kernel_start, .kernel_id = in->kernel_id, .nmax = first->nmax};
    limit_table_look(&s->table, &cfg->table, &known, &hint);
    seen = (scout_in){.kernel_start = first->kernel_start, .nmax = first->nmax, .hint = hint.hint,
                      .issue_valid = first->issue_valid, .cta_done = first->cta_done};
    scout_look(&s->scout, &cfg->scout, &seen, &found->limit);
    step_levels(s, cfg, in, domains, found);
    seen.enable = s->search && (!found->levels.hold || first->kernel_start);
    scout_step(&s->scout, &cfg->scout, &seen, &found->limit);
    known.limit = found->limit.limit;
    known.done = found->limit.done;
    limit_table_step(&s->table, &cfg->table, &known, &hint);
}

static void step_governors(chip_governor_state *s, const chip_governor_cfg *cfg, const chip_governor_in *in, const scout_out *search,
                           chip_governor_out *out, vf_vote_in *votes)
{
    sm_governor_out first = {.limit = 0};

    for (unsigned i = 0; i < cfg->num_sms; i++) {
        sm_governor_in governor;
        sm_governor_out o;

        inputs_of(cfg, in, i, search, &first, &governor);
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

/* What is asked of a domain, or nothing. */
static vf_domain_in request(uint8_t mode, uint8_t valid, uint8_t up, uint8_t down)
{
    return (vf_domain_in){.mode = mode, .valid = valid, .up = up, .down = down};
}

/* Votes of a kernel before one that is the search's are not heard. */
static void ask_domains(chip_governor_state *s, const chip_governor_cfg *cfg, uint8_t mode, const vf_scout_out *levels, const vf_vote_out *vote)
{
    const vf_domain_in to_sm = s->search ? request(mode, 1, levels->sm_up, levels->sm_down) : request(mode, vote->valid, vote->sm_up, vote->sm_down);
    const vf_domain_in to_mem = s->search ? request(mode, 1, levels->mem_up, levels->mem_down) : request(mode, vote->valid, vote->mem_up, vote->mem_down);

    vf_domain_edge(&s->sm_domain, &cfg->sm_domain, &to_sm);
    vf_domain_edge(&s->mem_domain, &cfg->mem_domain, &to_mem);
}

void chip_governor_step(chip_governor_state *state, const chip_governor_cfg *cfg, const chip_governor_in *in, chip_governor_out *out)
{
    vf_vote_in votes = {.tick = 0};
    vf_vote_out result;
    searched found;
    shown domains;

    vf_domain_show(&state->sm_domain, &cfg->sm_domain, &domains.sm);
    vf_domain_show(&state->mem_domain, &cfg->mem_domain, &domains.mem);
    step_search(state, cfg, in, &domains, &found);
    step_governors(state, cfg, in, &found.limit, out, &votes);
    if (state->vote.valid) { /* only then does anybody ask what the actions mean */
        vf_domain_answer(&state->sm_domain, &cfg->sm_domain, in->mode, &domains.sm);
        vf_domain_answer(&state->mem_domain, &cfg->mem_domain, in->mode, &domains.mem);
        chip_governor_meanings(&votes, &domains.sm, &domains.mem);
    }
    vf_vote_step(&state->vote, &cfg->vote, &votes, &result);
    ask_domains(state, cfg, in->mode, &found.levels, &result);
    out->sm_level = domains.sm.level;
    out->mem_level = domains.mem.level;
    out->sm_busy = domains.sm.busy;
    out->mem_busy = domains.mem.busy;
    out->sm_stall = domains.sm.stall;
    out->mem_stall = domains.mem.stall;
}
