/* SPDX-License-Identifier: Apache-2.0
 *
 * Recordings through blocks' models alone, or under a policy of one's own: what `ballast lockstep`, `ballast family` and `ballast chip` do,
 * without RTL.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/block_models.h"
#include "engine/decision.h"
#include "policy/own_replay.h"
#include "python/played.h"
#include "python/runs.h"
#include "replay/decision_log.h"
#include "replay/interrupt.h"
#include "replay/sweep.h"

enum { MOST_CHAIN = 8, PARAMETERS = 1024, LOOK = 4096 /* cycles between two looks for an interrupt */ };

typedef struct replay {
    const kit_replay *request;
    played played;
    decision_log log;
    uint64_t cycles;
    unsigned limit;
    bool done;
    chip_governor_out chip; /* of a chip: its last outputs */
    lockstep *ls;
    block chain[MOST_CHAIN];
    char parameters[MOST_CHAIN][PARAMETERS];
    unsigned num_chain;
} replay;

/* ---- blocks ---------------------------------------------------------------------------- */

static void *no_rtl(uint32_t seed, const void *cfg, const port_list *ports)
{
    static char none;

    (void)seed, (void)cfg, (void)ports;
    return &none;
}

static void destroy_no_rtl(void *rtl)
{
    (void)rtl;
}

/* The value of a block's parameter; `without` if it has none of this name. */
static unsigned parameter(const block_model *model, const void *cfg, const char *name, unsigned without)
{
    block_param params[BLOCK_MAX_PARAMS];
    const unsigned num = model->list_params(cfg, params, BLOCK_MAX_PARAMS);

    for (unsigned n = 0; n < num; n++)
        if (!strcmp(params[n].name, name))
            return params[n].value;
    return without;
}

/* Appends NAME=VALUE if the block has such a parameter and `words` do not say it. */
static void add_parameter(const block_model *model, char words[PARAMETERS], const char *name, unsigned value)
{
    uint64_t cfg[BLOCK_MAX_STRUCT / sizeof(uint64_t)];
    char bad[64], own[64];

    model->configure(cfg, "", bad, sizeof bad);
    snprintf(own, sizeof own, "%s=", name);
    if (parameter(model, cfg, name, UINT32_MAX) != UINT32_MAX && !strstr(words, own))
        snprintf(words + strlen(words), PARAMETERS - strlen(words), "%s%s=%u", *words ? " " : "", name, value);
}

static bool in_chain(const replay *r, const block_model *model)
{
    for (unsigned i = 0; i < r->num_chain; i++)
        if (r->chain[i].model == model)
            return true;
    return false;
}

/* A block as large as the recorded SM, after those that it needs. */
static bool add_block(replay *r, const char *name, const char *parameters, char *err)
{
    static const block_rtl rtl = {.create = no_rtl, .destroy = destroy_no_rtl};
    const block_model *model = find_block_model(name);
    char *words;

    if (!model || model->per_chip != r->request->of_chip) {
        snprintf(err, KIT_ERR, model ? "%.60s: belongs to a chip; a recording is replayed as one SM" : "there is no block '%.60s'", name);
        return false;
    }
    if (in_chain(r, model))
        return true;
    for (const char *const *need = model->needs; *need; need++)
        if (!add_block(r, *need, "", err))
            return false;
    if (r->num_chain == MOST_CHAIN || strlen(parameters) > PARAMETERS / 2) {
        snprintf(err, KIT_ERR, "%s: too many blocks, or parameters", name);
        return false;
    }
    words = r->parameters[r->num_chain];
    snprintf(words, PARAMETERS, "%s", parameters);
    add_parameter(model, words, "NumSms", r->played.sms);
    add_parameter(model, words, "NumWarps", r->played.geometry.warps);
    add_parameter(model, words, "NumSlots", r->played.geometry.slots);
    add_parameter(model, words, "IssueWidth", r->played.geometry.issue_width);
    r->chain[r->num_chain++] = (block){model->block_name, words, model, &rtl};
    return true;
}

static bool apply_settings(replay *r, char *err)
{
    char *text = strdup(r->request->settings), *rest = NULL;
    bool ok = text != NULL;

    for (char *one = ok ? strtok_r(text, "\n", &rest) : NULL; one && ok; one = strtok_r(NULL, "\n", &rest))
        ok = lockstep_set(r->ls, one, err, KIT_ERR);
    free(text);
    return ok;
}

/* Parameters may make a block smaller than the SM, of which it would then not see all. */
static bool fit(const replay *r, char *err)
{
    const trace_geometry *g = &r->played.geometry;
    const lockstep_instance *last = &r->ls->instances[r->ls->num_instances - 1];
    const unsigned warps = parameter(last->block->model, &last->cfg, "NumWarps", g->warps);
    const unsigned slots = parameter(last->block->model, &last->cfg, "NumSlots", g->slots);

    if (r->ls->num_sms != r->played.sms) {
        snprintf(err, KIT_ERR, "%u SMs are played, the block has %u; sms says how many", r->played.sms, r->ls->num_sms);
        return false;
    }
    if (warps >= g->warps && slots >= g->slots)
        return true;
    snprintf(err, KIT_ERR, "the recording has %u warps and %u CTA slots per SM, the block has %u and %u", g->warps, g->slots, warps, slots);
    return false;
}

static bool open_blocks(replay *r, char *err)
{
    const block *blocks[MOST_CHAIN + 1] = {NULL};

    if (!add_block(r, r->request->block, r->request->parameters, err))
        return false;
    for (unsigned i = 0; i < r->num_chain; i++)
        blocks[i] = &r->chain[i];
    r->ls = calloc(1, sizeof *r->ls);
    if (!r->ls || !lockstep_open(r->ls, blocks, r->request->sm, 1, err, KIT_ERR) || !fit(r, err) || !apply_settings(r, err))
        return false;
    for (unsigned i = 0; i < r->ls->num_instances; i++) {
        lockstep_instance *inst = &r->ls->instances[i];

        inst->block->model->reset(inst->state, &inst->cfg);
        memcpy(inst->in, inst->settings, inst->sizes.in);
    }
    return true;
}

static void log_instance(replay *r, lockstep_instance *inst, uint64_t cycle)
{
    const block_model *model = inst->block->model;
    const void *before = inst->registers[inst->state == inst->registers[0]];

    if (!model->decides(&inst->cfg, before, inst->in, inst->out, inst->state))
        return;
    decisions_clear(r->ls->taken);
    model->describe(r->ls->taken, &inst->decision_count[SIDE_MODEL], &inst->cfg, before, inst->in, inst->out, inst->state);
    decision_log_add(&r->log, SIDE_MODEL, inst->block->name, cycle, r->ls->taken);
}

static bool going(const replay *r)
{
    return (!r->request->max_cycles || r->cycles < r->request->max_cycles) && !(r->cycles % LOOK == 0 && interrupted);
}

static void play_blocks(replay *r)
{
    stimulus *s = &r->played.stimulus;
    const sm_obs *const *obs;
    feedback last = {.out = NULL};

    while (going(r) && (obs = lockstep_next(r->ls, s))) {
        lockstep_models(r->ls, obs);
        r->ls->index++;
        r->cycles++;
        for (unsigned i = 0; i < r->ls->num_instances; i++)
            log_instance(r, &r->ls->instances[i], s->cycle(s->self));
        last = lockstep_feedback(r->ls);
    }
    r->limit = feedback_limit(&last, 0);
    r->done = last.converged;
    if (r->request->of_chip && last.out)
        memcpy(&r->chip, last.out, r->ls->controller->sizes.out);
}

/* ---- a policy of one's own ---------------------------------------------------------------- */

static bool play_own(replay *r, const kit_governor *g, FILE *out, char *err)
{
    own_replay_options options = {.policy = g->own, .sm = sm_governor_cfg_default(), .number = r->request->sm,
                                  .sms = r->played.sms, .last = &r->chip, .max_cycles = r->request->max_cycles, .data = out};
    session_result result;

    options.sm.num_warps = r->played.geometry.warps;
    options.sm.num_slots = r->played.geometry.slots;
    options.sm.issue_width = r->played.geometry.issue_width;
    sm_governor_cfg_derive(&options.sm);
    own_replay(&options, &r->played.stimulus, &result);
    if (result.verdict != SESSION_PASS && !interrupted)
        snprintf(err, KIT_ERR, "%s", result.text);
    r->cycles = result.cycles;
    r->limit = result.limit;
    r->done = result.converged;
    session_result_free(&result);
    return result.verdict == SESSION_PASS;
}

/* ---- all ------------------------------------------------------------------------------ */

static void put_sweep(const replay *r, const sweep *s, FILE *out)
{
    const family *f = r->played.family;

    fprintf(out, ", \"passes\": %u, \"changes\": %" PRIu64 ", \"best_limit\": %u, \"ipc\": [", family_laps(f), family_moves(f), s->optimum);
    for (unsigned limit = 1; limit <= s->nmax; limit++)
        fprintf(out, "%s%.6f", limit > 1 ? ", " : "", s->ipc[limit]);
    fprintf(out, "]");
}

static bool put_chip(const replay *r, FILE *out)
{
    const chip_governor_out *o = &r->chip;

    fprintf(out, "{\"cycles\": %" PRIu64 ", \"sms\": %u, \"sm_level\": %u, \"memory_level\": %u, \"limits\": [", r->cycles, r->played.sms,
            o->sm_level, o->mem_level);
    for (unsigned i = 0; i < r->played.sms; i++)
        fprintf(out, "%s%u", i ? ", " : "", o->sm[i].limit);
    fprintf(out, "], \"decided\": [");
    for (unsigned i = 0; i < r->played.sms; i++)
        fprintf(out, "%s%s", i ? ", " : "", o->sm[i].done ? "true" : "false");
    fprintf(out, "]}\n");
    return true;
}

static bool put_answer(replay *r, FILE *out, char *err)
{
    const played *p = &r->played;
    trace_err why = {.text = ""};
    sweep s;

    if (r->request->of_chip)
        return put_chip(r, out);
    if (p->family && !sweep_measure(&s, p->paths, p->num_paths, p->how.sm, p->how.launch, &why)) {
        snprintf(err, KIT_ERR, "%s", why.text);
        return false;
    }
    fprintf(out, "{\"cycles\": %" PRIu64 ", \"limit\": %u, \"done\": %s", r->cycles, r->limit, r->done ? "true" : "false");
    if (p->family)
        put_sweep(r, &s, out);
    fprintf(out, "}\n");
    return true;
}

/* Decisions, then the answer. */
static bool play_opened(replay *r, const kit_governor *g, FILE *out, char *err)
{
    if (g->own)
        return play_own(r, g, out, err) && put_answer(r, out, err);
    if (!decision_log_open(&r->log, r->played.sms, r->request->sm))
        snprintf(err, KIT_ERR, "no memory");
    else if (open_blocks(r, err))
        play_blocks(r);
    if (!err[0] && !interrupted)
        snprintf(err, KIT_ERR, "%s", r->played.stimulus.error(r->played.stimulus.self));
    if (err[0] || interrupted)
        return false;
    decision_log_write_data(&r->log, SIDE_MODEL, out);
    return put_answer(r, out, err);
}

static bool play(const void *user, FILE *out, char *err)
{
    replay r = {.request = user};
    kit_governor g = {.own = NULL};
    bool ok = (!r.request->policy[0] || kit_governor_open(&g, r.request->policy, &KIT_CALLS_OF(r.request), err)) &&
              played_open(&r.played, r.request, err) && play_opened(&r, &g, out, err);

    if (r.ls)
        lockstep_close(r.ls);
    free(r.ls);
    decision_log_close(&r.log);
    played_close(&r.played);
    kit_governor_close(&g);
    return ok;
}

int kit_play(const kit_replay *request, int fd, bool apart)
{
    return kit_run(play, request, fd, apart);
}
