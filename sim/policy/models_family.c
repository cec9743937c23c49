/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/models_family.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/setting.h"
#include "replay/decision_log.h"
#include "replay/interrupt.h"
#include "replay/model_result.h"
#include "policy/span.h"
#include "sm/sm_governor.h"

struct models_family {
    const family *family;
    stall_classifier_cfg classifier;
    unrolled *member[BALLAST_MAX_SLOTS + 1]; /* by limit */
};

/* ---- opening ---------------------------------------------------------------------------- */

models_family *models_family_open(const family *f, trace_err *err)
{
    models_family *m = calloc(1, sizeof *m);
    const block *governor = block_find("sm_governor");
    unrolled_options options = {.sm = family_how(f)->sm, .launch = family_how(f)->launch};
    sm_governor_cfg cfg;
    char bad[64];

    if (!m || !governor) {
        snprintf(err->text, sizeof err->text, "%s", m ? "this build has no sm_governor" : "out of memory");
        free(m);
        return NULL;
    }
    governor->model->configure(&cfg, governor->params, bad, sizeof bad);
    options.classifier = m->classifier = cfg.classifier;
    options.issue_width = cfg.issue_width;
    m->family = f;
    for (unsigned limit = 1; limit <= family_launch(f)->desc.nmax; limit++) {
        trace_reader *r = family_member(f, limit);

        if (r && !(m->member[limit] = unrolled_open(r, &options, err))) {
            models_family_close(m);
            return NULL;
        }
    }
    return m;
}

void models_family_close(models_family *m)
{
    for (unsigned limit = 1; m && limit <= BALLAST_MAX_SLOTS; limit++)
        unrolled_close(m->member[limit]);
    free(m);
}

const unrolled *const *models_family_members(const models_family *m)
{
    return (const unrolled *const *)m->member;
}

/* ---- a replay --------------------------------------------------------------------------- */

typedef struct playing {
    const models_family *m;
    const models_play *how;
    session_result *result;
    const family_options *options;
    unsigned nmax;
    /* the model */
    const block_model *model;
    const span_model *span; /* NULL: it takes every cycle */
    port_list ports;
    lockstep_values cfg, in, out, registers[2];
    unsigned state; /* which of the registers are those after the last cycle */
    bool quiet;     /* the last cycle did nothing but count; so does the next one, as long as length and inputs allow */
    uint64_t steps;
    /* where it is */
    unsigned current; /* limit of the recording that plays */
    const unrolled *u;
    uint64_t next; /* its cycle that comes next */
    size_t event;  /* its last one that does not come after it */
    uint64_t due;  /* its cycle in which a segment of the pace ends; UINT64_MAX: none does */
    unsigned laps;
    uint64_t moves;
    bool at_lap_start;
    /* decisions */
    decision_log log;
    decisions taken;
    unsigned told;
} playing;

static unsigned limit_of(const playing *p)
{
    return p->out.bytes[p->model->limit_offset];
}

static bool is_done(const playing *p)
{
    return p->out.bytes[p->model->done_offset];
}

/* ---- where it is in the recordings: the same as replay/family.c does with readers -------------- */

static bool continues(const playing *p)
{
    return p->options->restart == FAMILY_CONTINUE;
}

static const unrolled_event *event_of(const playing *p)
{
    return &unrolled_events(p->u)[p->event];
}

static void find_due(playing *p)
{
    const pace *of = p->how->pace;
    const bool ends = of && of->segment <= PACE_SEGMENTS && p->u->instructions >= of->end;

    p->due = ends ? unrolled_find_issued(p->u, of->end) : UINT64_MAX;
}

static void go_to(playing *p, unsigned limit, uint64_t cycle)
{
    p->current = limit;
    p->u = p->m->member[limit];
    p->next = cycle;
    p->event = unrolled_event_of(p->u, cycle);
    p->quiet = false;
    find_due(p);
}

static const trace_launch *launch_of(const playing *p, unsigned limit)
{
    return &trace_get_meta(family_member(p->m->family, limit))->launches[p->options->launch];
}

/* As far after the start of the launch, or at its end. */
static bool find_distance(const playing *p, unsigned limit, uint64_t cycles, uint64_t *found)
{
    const unrolled *to = p->m->member[limit];
    const uint64_t target = launch_of(p, limit)->start_cycle + cycles;

    if (target < to->first_cycle)
        return model_result_refuse(p->result, SESSION_BAD_INPUT, "the recording at CTA limit %u begins after cycle %llu; play it without --side model",
                                   limit, (unsigned long long)target);
    *found = target - to->first_cycle < to->cycles ? target - to->first_cycle : to->cycles - 1;
    return true;
}

static bool move_to(playing *p, unsigned limit)
{
    const unrolled *to = p->m->member[limit];
    const uint64_t last = p->next - 1, issued = unrolled_issued(p->u, last);
    uint64_t cycle = 0;

    if (issued == 0) {
        if (!find_distance(p, limit, p->u->first_cycle + last - launch_of(p, p->current)->start_cycle + 1, &cycle))
            return false;
    } else if (p->options->progress == FAMILY_CTAS) {
        cycle = unrolled_find_ctas(to, unrolled_events(p->u)[unrolled_event_of(p->u, last)].ctas);
    } else {
        cycle = unrolled_find_issued(to, issued);
    }
    p->moves++;
    go_to(p, limit, cycle);
    return true;
}

static void begin_lap(playing *p)
{
    p->laps++;
    p->at_lap_start = true;
    if (p->laps > 1 && p->how->pace)
        pace_again(p->how->pace, p->result->cycles);
    go_to(p, p->current, 0);
}

/* The kernel starts once, or with every lap. */
static bool starts(const playing *p)
{
    return event_of(p)->cycle == p->next && event_of(p)->kernel_start && p->at_lap_start && (p->laps == 1 || !continues(p));
}

static void find_event(playing *p)
{
    while (unrolled_events(p->u)[p->event + 1].cycle <= p->next)
        p->event++;
}

/* Makes `next` the cycle to be played; false: the replay ends. */
static bool find_next(playing *p)
{
    const unsigned wanted = limit_of(p), limit = family_plays(p->m->family, wanted < p->nmax ? wanted : p->nmax);

    if (p->result->cycles > 0 && limit > 0 && limit != p->current && !move_to(p, limit))
        return false;
    for (;;) {
        if (p->next == p->u->cycles) {
            if (is_done(p) || p->laps >= p->options->max_laps)
                return false;
            begin_lap(p);
        }
        find_event(p);
        if (event_of(p)->active || starts(p) || !continues(p))
            return true;
        p->next = unrolled_events(p->u)[p->event + 1].cycle; /* empty cycles are left out, up to what ends them */
    }
}

/* ---- pace ------------------------------------------------------------------------------------ */

/* The cycles from `next` to before `to` are played: after `done` cycles of the replay. */
static void keep_pace(playing *p, uint64_t to, uint64_t done)
{
    const bool held = event_of(p)->active != 0;
    uint64_t from = p->next;

    if (!p->how->pace)
        return;
    while (p->due < to) {
        const uint64_t cycle = p->due < p->next ? p->next : p->due; /* after a move it may be over; several may end in one cycle */

        pace_wait(p->how->pace, held ? cycle + 1 - from : 0);
        pace_end_segment(p->how->pace, done + cycle - p->next + 1);
        from = cycle + 1;
        find_due(p);
    }
    pace_wait(p->how->pace, held ? to - from : 0);
}

/* ---- cycles ---------------------------------------------------------------------------------- */

static void log_decision(playing *p, const void *before, const void *after)
{
    decisions_clear(&p->taken);
    p->model->describe(&p->taken, &p->told, &p->cfg, before, &p->in, &p->out, after);
    if (p->taken.num || p->taken.failed)
        decision_log_add(&p->log, SIDE_MODEL, p->how->block->name, p->result->cycles, &p->taken);
}

/* The model takes the cycle `next`. */
static void step(playing *p)
{
    const void *before = &p->registers[p->state];
    void *after = &p->registers[!p->state];
    const sm_obs *bus;
    bool decides;
    sm_obs obs;

    bus = &obs;
    unrolled_bus(p->u, p->next, p->event, &obs);
    obs.kernel_start = starts(p);
    p->at_lap_start = false;
    keep_pace(p, p->next + 1, p->result->cycles);
    decides = p->model->cycle(before, after, &p->cfg, &bus, NULL, &p->in, &p->out);
    p->state = !p->state;
    p->next++;
    p->steps++;
    p->result->cycles++;
    if (decides && p->how->log)
        log_decision(p, before, after);
    model_result_follow(p->result, limit_of(p), is_done(p));
    p->quiet = p->span && !obs.kernel_start && !obs.cta_start && !obs.cta_done && p->span->length(before, &p->cfg, &p->in) > 0 &&
               p->span->rests(before, after);
}

/* Up to the next event, and no further than the replay goes. */
static uint32_t span_length(const playing *p)
{
    const uint64_t to_event = event_of(p)->cycle == p->next ? 0 : unrolled_events(p->u)[p->event + 1].cycle - p->next;
    const uint64_t left = p->how->max_cycles ? p->how->max_cycles - p->result->cycles : UINT64_MAX;
    const uint32_t length = p->quiet ? p->span->length(&p->registers[p->state], &p->cfg, &p->in) : 0;
    const uint64_t most = to_event < left ? to_event : left;

    return most < length ? (uint32_t)most : length;
}

static void sum_slots(const playing *p, uint32_t n, span_sums *sums)
{
    sm_obs obs;

    for (uint64_t at = p->next, to = at + n; at < to;) {
        const uint64_t same = unrolled_same(p->u, at, to - at);

        unrolled_bus(p->u, at, p->event, &obs);
        p->span->slots(&p->cfg, &obs, (uint32_t)same, sums);
        at += same;
    }
}

static void watch(playing *p, uint32_t n)
{
    void *state = &p->registers[p->state];
    sm_obs obs;

    for (uint32_t at = 0, same; at < n; at += same) {
        same = p->span->blind(state, &p->cfg);
        if (!same)
            unrolled_bus(p->u, p->next + at, p->event, &obs);
        p->span->look(state, &p->cfg, same ? NULL : &obs, same < n - at ? same : n - at);
        same += !same;
    }
}

/* sm_governor's alone are asked for. */
static void last_registers(const playing *p, uint32_t n, span_sums *sums)
{
    const stall_classifier_cfg *cfg = &p->m->classifier;
    stall_classifier_out before;
    sm_obs obs;

    for (uint32_t back = n < 2 ? n : 2; back; back--) {
        unrolled_bus(p->u, p->next + n - back, p->event, &obs);
        stall_classifier_step(&sums->last, cfg, &(stall_classifier_in){obs.ws[0], obs.ws[1], obs.ws[2], obs.ws[3], obs.paused}, &before);
    }
}

static void sum(const playing *p, uint32_t n, span_sums *sums)
{
    const unsigned wants = p->span->wants(&p->registers[p->state], &p->in);
    unrolled_sums from, to;

    *sums = (span_sums){.cycles = n};
    last_registers(p, n, sums);
    if (wants & SPAN_SLOTS)
        sum_slots(p, n, sums);
    if (!(wants & (SPAN_STALLED | SPAN_CLASSES | SPAN_LANES)))
        return;
    unrolled_sum(p->u, p->next, &from);
    unrolled_sum(p->u, p->next + n, &to);
    sums->stalled = (uint32_t)(to.stalled - from.stalled);
    sums->idle = (uint32_t)(to.idle - from.idle);
    sums->mem = (uint32_t)(to.mem - from.mem);
    sums->lanes = (uint32_t)(to.lanes - from.lanes);
    sums->last_lanes = unrolled_lanes(p->u, p->next + n - 1);
}

/* The cycles from `next` on in which the model does nothing but count; 0: it has to take the next one. */
static uint32_t pass(playing *p)
{
    const uint32_t n = span_length(p);
    span_sums sums;

    if (!n)
        return 0;
    sum(p, n, &sums);
    if (p->span->wants(&p->registers[p->state], &p->in) & SPAN_WARPS)
        watch(p, n);
    p->span->pass(&p->registers[p->state], &p->cfg, &p->in, &sums);
    keep_pace(p, p->next + n, p->result->cycles);
    p->next += n;
    p->result->cycles += n;
    return n;
}

static void play(playing *p)
{
    const uint64_t most = p->how->max_cycles;

    while ((!most || p->result->cycles < most) && find_next(p)) {
        if (!pass(p))
            step(p);
        if (interrupted) {
            model_result_refuse(p->result, SESSION_STOPPED, "stopped by a signal");
            return;
        }
    }
}

/* ---- begin and end --------------------------------------------------------------------------- */

static unsigned param(const playing *p, const char *name, unsigned fallback)
{
    block_param params[BLOCK_MAX_PARAMS];
    const unsigned n = p->model->list_params(&p->cfg, params, BLOCK_MAX_PARAMS);

    for (unsigned i = 0; i < n; i++)
        if (!strcmp(params[i].name, name))
            return params[i].value;
    return fallback;
}

static bool fits(const playing *p)
{
    const trace_geometry *g = &family_meta(p->m->family)->geometry;
    const unsigned warps = param(p, "NumWarps", BALLAST_MAX_WARPS), slots = param(p, "NumSlots", BALLAST_MAX_SLOTS);

    return (g->warps <= warps && g->slots <= slots) ||
           model_result_refuse(p->result, SESSION_BAD_INPUT,
                               "the recording has %u warps and %u CTA slots per SM, this build %u and %u; build for it, e.g. make run CONFIG=hopper",
                               g->warps, g->slots, warps, slots);
}

static bool set(playing *p)
{
    char err[sizeof p->result->text];
    setting s;

    for (unsigned i = 0; i < p->how->num_settings; i++) {
        if (!setting_read(&s, p->how->settings[i], err, sizeof err))
            return model_result_refuse(p->result, SESSION_BAD_INPUT, "%s", err);
        if (strcmp(s.block, p->how->block->name) != 0)
            return model_result_refuse(p->result, SESSION_BAD_INPUT, "setting %s: no block %s in this run", s.text, s.block);
        if (!setting_apply(&s, &p->ports, &p->in, err, sizeof err))
            return model_result_refuse(p->result, SESSION_BAD_INPUT, "%s", err);
    }
    return true;
}

static bool begin(playing *p)
{
    char bad[64];

    p->model->configure(&p->cfg, p->how->block->params, bad, sizeof bad);
    p->model->list_ports(&p->cfg, &p->ports);
    p->model->defaults(&p->in);
    p->model->reset(&p->registers[0], &p->cfg);
    if (!model_result_open(p->result) || !fits(p) || !set(p))
        return false;
    if (p->how->log && !decision_log_open(&p->log, 1, p->options->sm))
        return model_result_refuse(p->result, SESSION_BAD_INPUT, "out of memory");
    p->current = p->nmax;
    if (p->how->pace)
        pace_start(p->how->pace, p->m->member[p->nmax]->instructions);
    begin_lap(p);
    return true;
}

static void end(playing *p)
{
    session_result *r = p->result;

    if (p->how->log) {
        r->decisions = p->log.lines;
        if (p->log.failed)
            model_result_refuse(r, SESSION_BAD_INPUT, "out of memory for the decision log");
        r->log = decision_log_take(&p->log);
        decision_log_close(&p->log);
    }
    decisions_free(&p->taken);
    port_list_free(&p->ports);
}

void models_family_play(const models_family *m, const models_play *how, session_result *result, models_told *told)
{
    const double start = session_clock();
    playing p = {.m = m, .how = how, .result = result, .options = family_how(m->family), .nmax = family_launch(m->family)->desc.nmax,
                 .model = how->block->model, .span = how->each ? NULL : span_find(how->block->model->block_name)};

    if (begin(&p))
        play(&p);
    result->seconds = session_clock() - start;
    result->limit = limit_of(&p);
    result->converged = is_done(&p);
    if (told)
        *told = (models_told){p.laps, p.moves, p.steps, p.registers[p.state]};
    end(&p);
}
