/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/session.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replay/decision_log.h"
#include "replay/interrupt.h"
#include "files/placed_file.h"
#include "replay/session_private.h"
#include "wave/wave.h"

/* What watches a run. */
typedef struct watchers {
    const lockstep *ls;
    decision_log log;
    wave *wave;
} watchers;

static void on_cycle(void *self, const lockstep *ls, const sm_obs *const *obs, uint64_t cycle)
{
    (void)obs;
    wave_cycle(((watchers *)self)->wave, ls, cycle);
}

static void on_decision(void *self, enum lockstep_side side, const block *blk, uint64_t cycle,
                        const struct decisions *list)
{
    watchers *watch = self;

    decision_log_add(&watch->log, side, blk->name, cycle, list);
    if (watch->wave)
        wave_decided(watch->wave, watch->ls, side, blk, list);
}

/* Why there is no verdict; false. A difference that has been found stays one, whatever cannot be written of it. */
__attribute__((format(printf, 2, 3))) static bool refuse(session_result *result, const char *format, ...)
{
    const bool differs = result->verdict == SESSION_MISMATCH;
    va_list args;

    if (!differs)
        result->verdict = SESSION_BAD_INPUT;
    va_start(args, format);
    vsnprintf(differs ? result->lost : result->text, differs ? sizeof result->lost : sizeof result->text, format, args);
    va_end(args);
    return false;
}

/* A recording made for a larger SM than the blocks were built for cannot be played. */
static bool check_geometry(const lockstep *ls, const session_options *options, session_result *result)
{
    const unsigned warps = lockstep_param(ls, "NumWarps", BALLAST_MAX_WARPS);
    const unsigned slots = lockstep_param(ls, "NumSlots", BALLAST_MAX_SLOTS);
    const trace_geometry *g = options->meta ? &options->meta->geometry : NULL;

    if (!g || (g->warps <= warps && g->slots <= slots))
        return true;
    return refuse(result, "the recording has %u warps and %u CTA slots per SM, this build %u and %u; "
                          "build for it, e.g. make run CONFIG=hopper", g->warps, g->slots, warps, slots);
}

/* ---- outputs followed over the run ------------------------------------------------- */

static bool add_track(session_result *result, const block_port *port, const block_port **ports)
{
    session_track *track = &result->tracks[result->num_tracks];

    port_full_name(port, track->name, sizeof track->name);
    track->points = calloc(SESSION_MAX_POINTS, sizeof *track->points);
    if (!track->points)
        return false;
    ports[result->num_tracks++] = port;
    return true;
}

/* The port that BLOCK_LIMIT names. */
static const block_port *limit_port(const lockstep_instance *inst)
{
    for (unsigned p = 0; p < inst->ports.num; p++)
        if (inst->ports.ports[p].kind == PORT_OUT &&
            inst->ports.ports[p].offset == (size_t)inst->block->model->limit_offset)
            return &inst->ports.ports[p];
    return NULL;
}

static bool open_tracks(const lockstep *ls, const session_options *options, session_result *result,
                        const block_port **ports)
{
    const lockstep_instance *inst = ls->controller;
    const block_port *port = inst ? limit_port(inst) : NULL;
    bool ok = !port || add_track(result, port, ports);

    for (unsigned t = 0; ok && inst && t < options->num_tracks; t++) {
        port = port_find(&inst->ports, options->tracks[t]);
        ok = !port || result->num_tracks == SESSION_MAX_TRACKS || add_track(result, port, ports);
    }
    return ok || refuse(result, "out of memory");
}

static inline void follow_tracks(const lockstep *ls, session_result *result, const block_port *const *ports)
{
    for (unsigned t = 0; t < result->num_tracks && ports[t]; t++) {
        session_track *track = &result->tracks[t];
        const unsigned value = (unsigned)block_port_get(ports[t], ls->controller->out);
        const unsigned n = track->num_points;

        if ((n == 0 ? value != 0 : value != track->points[n - 1].value) && n < SESSION_MAX_POINTS)
            track->points[track->num_points++] = (session_point){ls->index, value};
    }
}

/* A run without the fault that was asked for has not shown that it would be found. */
static void expect_injected(const session_options *options, session_result *result)
{
    for (unsigned f = 0; f < options->num_faults && result->verdict == SESSION_PASS; f++) {
        char text[BLOCK_TEXT];

        if (options->faults[f].index < result->cycles)
            continue;
        fault_print(&options->faults[f], text, sizeof text);
        refuse(result, "fault %s: not injected, because the run ends after %" PRIu64
               " cycles; choose a cycle below that", text, result->cycles);
        result->verdict = SESSION_NO_FAULT;
    }
}

/* A run as it goes. */
typedef struct session_play {
    lockstep *ls;
    const session_options *options;
    const stimulus *s;
    session_result *result;
    const wave *wave; /* or NULL */
    const block_port *tracked[SESSION_MAX_TRACKS];
} session_play;

static inline const sm_obs *const *next_cycle(void *self, uint64_t *cycle)
{
    const session_play *p = self;
    const bool enough = p->options->max_cycles && p->ls->index >= p->options->max_cycles;
    const sm_obs *const *obs = enough ? NULL : lockstep_next(p->ls, p->s);

    p->ls->careful = p->wave && wave_wants(p->wave, p->ls->index);
    if (obs)
        *cycle = p->s->cycle(p->s->self);
    return obs;
}

static inline bool after_cycle(void *self, bool equal)
{
    session_play *p = self;

    if (!equal) {
        p->result->verdict = SESSION_MISMATCH;
        return false;
    }
    follow_tracks(p->ls, p->result, p->tracked);
    if (interrupted) {
        p->result->verdict = SESSION_STOPPED;
        snprintf(p->result->text, sizeof p->result->text, "stopped by a signal");
    }
    return !interrupted;
}

static void take_cycles(session_play *p)
{
    const lockstep_instance *first = &p->ls->instances[0];
    const sm_obs *const *obs;
    uint64_t cycle;

    if (p->ls->num_instances && first->block->rtl->play) {
        first->block->rtl->play(first->rtl, &(lockstep_turns){p, p->ls, next_cycle, after_cycle});
        return;
    }
    while ((obs = next_cycle(p, &cycle)) && after_cycle(p, lockstep_cycle_all(p->ls, obs, cycle)))
        ;
}

static void play(lockstep *ls, const session_options *options, const stimulus *s, const wave *shown,
                 session_result *result)
{
    session_play p = {.ls = ls, .options = options, .s = s, .result = result, .wave = shown};
    const double start = session_clock();

    if (!open_tracks(ls, options, result, p.tracked))
        return;
    result->verdict = SESSION_PASS;
    take_cycles(&p);
    result->seconds = session_clock() - start;
    if (s->error(s->self)[0])
        refuse(result, "%s", s->error(s->self));
    const feedback last = lockstep_feedback(ls);
    result->cycles = ls->index;
    result->comparisons = ls->index * ls->comparisons;
    result->limit = feedback_limit(&last, 0);
    result->converged = last.converged;
    expect_injected(options, result);
}

static bool start_watching(lockstep *ls, const session_options *options, watchers *watch,
                           session_result *result)
{
    ls->observer.self = watch;
    ls->observer.decision = on_decision;
    watch->ls = ls;
    watch->wave = NULL;
    if (!decision_log_open(&watch->log, ls->num_sms, ls->sm))
        return refuse(result, "out of memory");
    if (!options->wave_path)
        return true;
    watch->wave = wave_open(options->wave_path, ls, options->extent ? options->extent : &wave_everything, result->text,
                            sizeof result->text);
    ls->observer.cycle = on_cycle;
    result->unwritten = !watch->wave;
    return watch->wave != NULL;
}

/* A window that the run does not reach the end of is a mistake; a run that failed has its own reason to end. */
static bool reaches_window(const session_options *options, session_result *result)
{
    const wave_extent *extent = options->extent;
    const uint64_t needed = !extent ? 0 : extent->last != UINT64_MAX ? extent->last : extent->first;

    if (!needed || result->verdict != SESSION_PASS || result->cycles > needed)
        return true;
    return refuse(result, "no waveform: its window, cycle %" PRIu64 " to %" PRIu64 ", reaches beyond the end of the run, "
                          "which has cycles 0 to %" PRIu64, extent->first, needed, result->cycles - 1);
}

static void finish_wave(lockstep *ls, const session_options *options, wave *w, session_result *result)
{
    const bool ran = result->verdict == SESSION_PASS || result->verdict == SESSION_MISMATCH;

    if (!reaches_window(options, result) || !ran) {
        wave_abort(w);
        return;
    }
    result->wave_full = wave_is_full(w, &result->wave_last);
    result->marks = wave_take_marks(w);
    if (!wave_close(w, ls))
        result->unwritten = !refuse(result, "%s: cannot write the waveform (%s)", options->wave_path, strerror(errno));
}

/* What an earlier run explained must not be taken for this one's. */
static void forget_explanation(const session_options *options)
{
    static const char *const suffixes[] = {"txt", "fst", "gtkw", "sucl", "blt", "state"};
    char path[EXPLAIN_PATH];

    for (size_t i = 0; options->explain_prefix && i < sizeof suffixes / sizeof suffixes[0]; i++)
        remove(explain_file(path, options, suffixes[i]));
}

static void stop_watching(lockstep *ls, const session_options *options, watchers *watch,
                          session_result *result)
{
    const bool keep = result->verdict == SESSION_PASS || result->verdict == SESSION_MISMATCH;

    if (keep)
        forget_explanation(options);
    if (watch->wave)
        finish_wave(ls, options, watch->wave, result);
    result->decisions = watch->log.lines;
    result->logs_equal = decision_log_equal(&watch->log);
    if (watch->log.failed)
        refuse(result, "out of memory for the decision log");
    else if (keep && options->log_prefix && !decision_log_save(&watch->log, options->log_prefix))
        result->unwritten = !refuse(result, "%s.*.log: cannot write (%s)", options->log_prefix, strerror(errno));
    result->log = decision_log_take(&watch->log);
}

static void explain_mismatch(const session_options *options, const stimulus *s, session_result *result)
{
    placed_file text;
    char path[EXPLAIN_PATH];

    if (!options->explain_prefix) {
        snprintf(result->text, sizeof result->text, "model and RTL differ in cycle %" PRIu64 " of the run", result->cycles - 1);
        return;
    }
    snprintf(result->text, sizeof result->text, "model and RTL differ, see %s.txt", explain_told(options));
    if (placed_open(&text, explain_file(path, options, "txt")))
        explain(options, s, result->cycles - 1, text.file);
    if (placed_close(&text, true))
        return;
    snprintf(result->text, sizeof result->text, "model and RTL differ; cannot write %s (%s)", path, strerror(errno));
    result->unwritten = true;
}

void session_run(const session_options *options, const stimulus *s, session_result *result)
{
    lockstep *ls = calloc(1, sizeof *ls);
    watchers watch = {.wave = NULL};

    memset(result, 0, sizeof *result);
    result->verdict = ls ? session_open(ls, options, result->text, sizeof result->text) : SESSION_BAD_INPUT;
    if (result->verdict != SESSION_PASS) {
        free(ls);
        return;
    }
    result->verdict = SESSION_BAD_INPUT;
    if (check_geometry(ls, options, result) && start_watching(ls, options, &watch, result)) {
        if (s->rewind(s->self))
            play(ls, options, s, watch.wave, result);
        else
            refuse(result, "%s", s->error(s->self));
        stop_watching(ls, options, &watch, result);
        if (result->verdict == SESSION_PASS && !result->logs_equal) {
            result->verdict = SESSION_MISMATCH;
            snprintf(result->text, sizeof result->text, "the two sides' decision logs differ");
        } else if (result->verdict == SESSION_MISMATCH) {
            explain_mismatch(options, s, result);
        }
    }
    decision_log_close(&watch.log);
    lockstep_close(ls);
    free(ls);
}
