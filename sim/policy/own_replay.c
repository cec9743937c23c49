/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/own_replay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "policy/own_chip.h"
#include "replay/decision_log.h"
#include "replay/interrupt.h"
#include "replay/model_result.h"

typedef struct playing {
    const own_replay_options *options;
    const stimulus *s;
    session_result *result;
    own_chip *chip;
    chip_governor_out out;
    bool logs;
    decision_log log;
    decisions taken;
} playing;

static unsigned sms_of(const playing *p)
{
    return p->options->sms ? p->options->sms : 1;
}

static bool all_done(const playing *p)
{
    bool done = true;

    for (unsigned i = 0; i < sms_of(p); i++)
        done = done && p->out.sm[i].done;
    return done;
}

/* ---- open ---------------------------------------------------------------------------- */

static bool open(playing *p)
{
    chip_governor_cfg cfg = chip_governor_cfg_default();
    char err[OWN_ERR];

    cfg.num_sms = sms_of(p);
    cfg.sm = p->options->sm;
    p->logs = p->options->log_prefix || p->options->data;
    if (!model_result_open(p->result))
        return false;
    if (p->logs && !decision_log_open(&p->log, sms_of(p), p->options->number))
        return model_result_refuse(p->result, SESSION_BAD_INPUT, "out of memory");
    p->chip = own_chip_open(p->options->policy, &cfg, err);
    return p->chip || model_result_refuse(p->result, SESSION_BAD_INPUT, "%s", err);
}

/* ---- play ---------------------------------------------------------------------------- */

static bool cycle(playing *p, const sm_obs *const *obs)
{
    session_result *r = p->result;

    decisions_clear(&p->taken);
    if (!own_chip_step(p->chip, obs, &p->out, p->logs ? &p->taken : NULL))
        return model_result_refuse(r, interrupted ? SESSION_STOPPED : SESSION_BAD_INPUT, "%s", own_chip_error(p->chip));
    if (p->logs)
        decision_log_add(&p->log, SIDE_MODEL, own_chip_name(p->chip), p->s->cycle(p->s->self), &p->taken);
    r->cycles++;
    model_result_follow(r, p->out.sm[0].limit, p->out.sm[0].done);
    return !interrupted || model_result_refuse(r, SESSION_STOPPED, "stopped by a signal");
}

static void play(playing *p)
{
    const uint64_t most = p->options->max_cycles;
    feedback last = {.out = NULL};
    const sm_obs *const *obs;

    while ((!most || p->result->cycles < most) && (obs = p->s->next(p->s->self, &last)) && cycle(p, obs))
        last = (feedback){&p->out, &p->out.sm[0].limit, sizeof p->out.sm[0], all_done(p)};
    if (p->result->verdict == SESSION_PASS && p->s->error(p->s->self)[0])
        model_result_refuse(p->result, SESSION_BAD_INPUT, "%s", p->s->error(p->s->self));
}

/* ---- end ----------------------------------------------------------------------------- */

static void keep_log(playing *p)
{
    session_result *r = p->result;

    r->decisions = p->log.lines;
    if (p->log.failed)
        model_result_refuse(r, SESSION_BAD_INPUT, "out of memory for the decision log");
    else if (p->options->data)
        decision_log_write_data(&p->log, SIDE_MODEL, p->options->data);
    else if (!decision_log_save_side(&p->log, SIDE_MODEL, p->options->log_prefix))
        r->unwritten = !model_result_refuse(r, SESSION_BAD_INPUT, "%s.model.*: cannot write (%s)", p->options->log_prefix, strerror(errno));
    r->log = decision_log_take(&p->log);
}

void own_replay(const own_replay_options *options, const stimulus *s, session_result *result)
{
    const double start = session_clock();
    playing p = {.options = options, .s = s, .result = result};

    if (open(&p))
        play(&p);
    result->seconds = session_clock() - start;
    result->limit = p.out.sm[0].limit;
    result->converged = all_done(&p);
    if (options->last)
        *options->last = p.out;
    if (p.logs && result->verdict == SESSION_PASS)
        keep_log(&p);
    if (p.logs)
        decision_log_close(&p.log);
    decisions_free(&p.taken);
    own_chip_close(p.chip);
}
