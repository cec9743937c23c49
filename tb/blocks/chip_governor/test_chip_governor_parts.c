/* SPDX-License-Identifier: Apache-2.0
 *
 * What each part of the chip gets in every cycle, and what becomes of what it says, sentence by sentence of
 * doc/blocks/chip_governor.md. The parts themselves are taken as they are: their reference models say what they make of these
 * inputs. On the model and on the RTL.
 */
#include "blocks/chip_governor/invariant.h"
#include "engine/random.h"
#include "engine/random_sms.h"

#define BENCH_BLOCK chip_governor
#include "engine/bench.h"

/* Of rtl/chip/chip_governor.sv; the last one is put together from its blocks, and has as many SMs as there are. */
static const char *const chips[] = {"chip_governor_top", "chip_governor_bcast", NULL};
static const char *const whole[] = {"chip_governor", NULL};
enum { CYCLES = 6000, PHASE = 400, WHOLE_CYCLES = 600 };

/* What the parts say in a cycle, and their registers after it. */
typedef struct said {
    sm_governor_out sm[BALLAST_MAX_SMS];
    vf_vote_out vote;
    vf_domain_out sm_domain, mem_domain;
    scout_out search;
    vf_scout_out levels;
    chip_governor_state next;
    chip_governor_out out;
} said;

/* ---- the parts --------------------------------------------------------------------------- */

static uint8_t is_search(const bench *c)
{
    return c->seen.sm[0].kernel_start ? c->seen.policy == BALLAST_POLICY_SCOUT : c->before.search;
}

/* What the domains show, and what the search for a limit shows from its registers. */
static void step_levels(const bench *c, said *s)
{
    const vf_domain_out *sm = &s->sm_domain, *mem = &s->mem_domain;
    const sm_governor_in *first = &c->seen.sm[0];
    scout_state search = c->before.scout;
    scout_out shown;

    scout_step(&search, &config(c)->scout, &(scout_in){.enable = 0}, &shown);
    vf_scout_step(&s->next.levels, &config(c)->levels,
                  &(vf_scout_in){.enable = is_search(c), .kernel_start = first->kernel_start, .issue_valid = first->issue_valid,
                                 .cta_done = !!first->cta_done, .look = shown.look, .ready = shown.done, .mode = c->seen.mode,
                                 .sm_level = sm->level, .sm_busy = sm->busy, .mem_level = mem->level, .mem_busy = mem->busy},
                  &s->levels);
}

/* SM 0's kernels under the policy scout, but while levels are compared. The hint comes from the table's registers: it is there before the search's say. */
static void step_search(const bench *c, said *s)
{
    const sm_governor_in *first = &c->seen.sm[0];
    const uint8_t its = is_search(c);
    limit_table_in known = {.enable = its, .kernel_start = first->kernel_start, .kernel_id = c->seen.kernel_id, .nmax = first->nmax};
    limit_table_state table = c->before.table;
    limit_table_out hint;

    limit_table_step(&table, &config(c)->table, &known, &hint);
    scout_step(&s->next.scout, &config(c)->scout,
               &(scout_in){.enable = its && !(s->levels.hold && !first->kernel_start), .kernel_start = first->kernel_start, .nmax = first->nmax, .hint = hint.hint,
                           .issue_valid = first->issue_valid, .cta_done = first->cta_done},
               &s->search);
    known.limit = s->search.limit;
    known.done = s->search.done;
    limit_table_step(&s->next.table, &config(c)->table, &known, &hint);
    s->next.search = its;
}

/* A governor gets its SM's fields, the chip's settings and what is searched. SM 0's T_new goes to those that listen, in the same cycle. */
static void step_sm(const bench *c, said *s, unsigned i)
{
    const bool listens = config(c)->lcs_scope == 1 && i != 0;
    sm_governor_in in = c->seen.sm[i];

    in.policy = c->seen.policy;
    in.static_limit = c->seen.static_limit;
    in.t_idle = c->seen.t_idle;
    in.t_mem_l = c->seen.t_mem_l;
    in.t_mem_h = c->seen.t_mem_h;
    in.scout_limit = s->search.limit;
    in.scout_done = s->search.done;
    in.lcs_listen = listens;
    in.lcs_bcast_valid = listens ? s->sm[0].t_new_valid : 0;
    in.lcs_bcast_limit = listens ? s->sm[0].t_new : 0;
    sm_governor_step(&s->next.sm[i], &config(c)->sm, &in, &s->sm[i]);
}

/* What the actions mean to the domains hangs on their registers and the mode alone. */
static void ask_domains(const bench *c, said *s)
{
    vf_domain_state sm = c->before.sm_domain, mem = c->before.mem_domain;
    const vf_domain_in in = {.mode = c->seen.mode};

    vf_domain_step(&sm, &config(c)->sm_domain, &in, &s->sm_domain);
    vf_domain_step(&mem, &config(c)->mem_domain, &in, &s->mem_domain);
}

/* EQ-A20: the epochs of all SMs end together, so any says so. */
static void step_vote(const bench *c, said *s)
{
    const vf_domain_out *sm = &s->sm_domain, *mem = &s->mem_domain;
    vf_vote_in in = {.sm_comp_up = sm->comp_up, .sm_comp_down = sm->comp_down, .sm_mem_up = sm->mem_up, .sm_mem_down = sm->mem_down,
                     .mem_comp_up = mem->comp_up, .mem_comp_down = mem->comp_down, .mem_mem_up = mem->mem_up,
                     .mem_mem_down = mem->mem_down};

    for (unsigned i = 0; i < config(c)->num_sms; i++) {
        in.tick |= s->sm[i].epoch;
        in.comp[i / 64] |= (uint64_t)s->sm[i].comp << i % 64;
        in.mem[i / 64] |= (uint64_t)s->sm[i].mem << i % 64;
    }
    vf_vote_step(&s->next.vote, &config(c)->vote, &in, &s->vote);
}

static void step_domains(const bench *c, said *s)
{
    const vf_vote_out *vote = &s->vote;
    const vf_scout_out *levels = &s->levels;
    vf_domain_in sm = {.mode = c->seen.mode, .valid = vote->valid, .up = vote->sm_up, .down = vote->sm_down};
    vf_domain_in mem = {.mode = c->seen.mode, .valid = vote->valid, .up = vote->mem_up, .down = vote->mem_down};

    if (is_search(c)) {
        sm = (vf_domain_in){.mode = c->seen.mode, .valid = 1, .up = levels->sm_up, .down = levels->sm_down};
        mem = (vf_domain_in){.mode = c->seen.mode, .valid = 1, .up = levels->mem_up, .down = levels->mem_down};
    }
    vf_domain_step(&s->next.sm_domain, &config(c)->sm_domain, &sm, &s->sm_domain);
    vf_domain_step(&s->next.mem_domain, &config(c)->mem_domain, &mem, &s->mem_domain);
}

static void say_outputs(const bench *c, said *s)
{
    const vf_domain_out *sm = &s->sm_domain, *mem = &s->mem_domain;

    s->out = (chip_governor_out){.sm_level = sm->level, .sm_busy = sm->busy, .sm_stall = sm->stall, .mem_level = mem->level,
                                .mem_busy = mem->busy, .mem_stall = mem->stall};
    for (unsigned i = 0; i < config(c)->num_sms; i++)
        s->out.sm[i] = (chip_governor_sm_out){.cta_paused = s->sm[i].cta_paused, .limit = s->sm[i].limit, .req = s->sm[i].req,
                                             .pause_soft = s->sm[i].pause_soft, .done = s->sm[i].done};
}

/* ---- comparison ---------------------------------------------------------------------------- */

static void expect_all(const bench *c, enum port_kind kind, const void *expected, const void *actual)
{
    const port_list *list = &c->dut.ports;

    for (const block_port *port = list->ports; port < list->ports + list->num; port++) {
        char name[PORT_NAME + 4];

        if (port->kind != kind || block_port_get(port, expected) == block_port_get(port, actual))
            continue;
        port_full_name(port, name, sizeof name);
        fail_msg("%s is %u, not %u", name, (unsigned)block_port_get(port, actual), (unsigned)block_port_get(port, expected));
    }
}

/* Of the last cycle. */
static void expect_parts(const bench *c)
{
    static said s;

    memset(&s, 0, sizeof s);
    memcpy(&s.next, &c->before, c->dut.sizes.state);
    ask_domains(c, &s);
    step_levels(c, &s);
    step_search(c, &s);
    for (unsigned i = 0; i < config(c)->num_sms; i++)
        step_sm(c, &s, i);
    step_vote(c, &s);
    step_domains(c, &s);
    say_outputs(c, &s);
    expect_all(c, PORT_OUT, &s.out, &c->out);
    expect_all(c, PORT_REG, &s.next, state(c));
}

/* ---- what goes on --------------------------------------------------------------------------- */

/* In a calm phase a kernel runs long enough for its policy to decide. */
static void random_inputs(bench *c, random_sms *sms, uint64_t *seed, bool calm)
{
    chip_governor_in *in = &c->in;

    c->dut.block->model->bind(in, &c->dut.cfg, random_sms_next(sms), NULL);
    if (random_one_in(seed, calm ? PHASE : 4))
        in->policy = (uint8_t)(calm ? random_below(seed, BALLAST_POLICIES) : random_below(seed, 8));
    in->mode = random_one_in(seed, 2);
    in->kernel_id = (uint8_t)random_below(seed, 6);
    in->static_limit = (uint8_t)random_below(seed, 16);
    in->t_idle = random_below(seed, 512);
    in->t_mem_l = random_below(seed, 512);
    in->t_mem_h = random_below(seed, 512);
    for (unsigned i = 0; i < config(c)->num_sms; i++) {
        in->sm[i].kernel_start = random_one_in(seed, calm ? PHASE / 2 : 10);
        in->sm[i].nmax = (uint8_t)random_below(seed, 16);
        in->sm[i].wcta = (uint8_t)random_below(seed, 1 + random_below(seed, config(c)->sm.num_warps));
        in->sm[i].paused = random_one_in(seed, 2) ? 0 : random_next(seed) & ((UINT64_C(1) << config(c)->sm.num_warps) - 1);
        in->sm[i].issue_valid = (uint8_t)random_below(seed, 1u << config(c)->sm.issue_width);
        in->sm[i].issue_slot = random_next(seed) & ((UINT64_C(1) << 3 * config(c)->sm.issue_width) - 1);
    }
    keep_ranges(c);
}

static void any_domain(vf_domain_state *s, const vf_domain_cfg *cfg, uint64_t *seed)
{
    s->level = s->next = (uint8_t)random_below(seed, BALLAST_VF_HIGH + 1);
    s->timer = 0;
    if (random_one_in(seed, 4)) {
        s->next = s->level == BALLAST_VF_NORMAL ? (uint8_t)(random_one_in(seed, 2) ? BALLAST_VF_HIGH : BALLAST_VF_LOW) : BALLAST_VF_NORMAL;
        s->timer = 1 + random_below(seed, cfg->transition);
    }
}

/* Equalizer's sums at the end of an epoch, any votes of the last one, any levels. */
static void jump(bench *c, uint64_t *seed)
{
    static chip_governor_state s;
    const unsigned sms = config(c)->num_sms;

    memcpy(&s, state(c), c->dut.sizes.state);
    for (unsigned i = 0; i < sms; i++) {
        eq_counters_state *sums = &s.sm[i].counters;

        sums->cycle = 1;
        sums->active = random_below(seed, config(c)->sm.num_warps * config(c)->sm.decision.samples + 1);
        sums->waiting = random_below(seed, sums->active + 1);
        sums->xalu = random_below(seed, sums->active + 1);
        sums->xmem = random_below(seed, sums->active + 1);
        s.sm[i].policy = (uint8_t)random_below(seed, BALLAST_POLICIES);
        s.sm[i].fixed = (uint8_t)random_below(seed, config(c)->sm.num_slots + 1);
    }
    s.search = s.sm[0].policy == BALLAST_POLICY_SCOUT;
    s.vote.counted = random_one_in(seed, 2);
    for (unsigned g = 0; s.vote.counted && g < vf_vote_groups(&config(c)->vote); g++) {
        const unsigned left = sms - g * VF_VOTE_GROUP, here = left < VF_VOTE_GROUP ? left : VF_VOTE_GROUP;

        s.vote.comp_of[g] = (uint8_t)random_below(seed, here + 1);
        s.vote.mem_of[g] = (uint8_t)random_below(seed, here - s.vote.comp_of[g] + 1);
    }
    s.vote.comp_count = (uint16_t)random_below(seed, sms + 1);
    s.vote.mem_count = (uint16_t)random_below(seed, sms - s.vote.comp_count + 1);
    s.vote.valid = random_one_in(seed, 2);
    any_domain(&s.sm_domain, &config(c)->sm_domain, seed);
    any_domain(&s.mem_domain, &config(c)->mem_domain, seed);
    assert_int_equal(chip_governor_violated(&s, config(c)), 0);
    load(c, &s);
}

static void run(bench *c, unsigned n)
{
    static random_sms sms;
    uint64_t seed = 0xc41b;

    random_sms_start(&sms, seed, config(c)->num_sms, config(c)->sm.num_warps, config(c)->sm.num_slots, n);
    for (unsigned i = 0; i < n; i++) {
        const bool calm = i / PHASE % 2;

        random_inputs(c, &sms, &seed, calm);
        if (!calm && random_one_in(&seed, 2))
            jump(c, &seed);
        take_cycle(c);
        expect_parts(c);
    }
}

RULE_EACH(parts_get_their_inputs, "each part gets its inputs, and the outputs are the parts'", chips)
{
    run(b, CYCLES);
}

RULE_EACH(all_parts_get_their_inputs, "each part gets its inputs, with all SMs", whole)
{
    run(b, WHOLE_CYCLES);
}
