/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/sim_play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/policies.h"
#include "cli/replay.h"
#include "cli/say.h"

static void fail(sim_outcome *outcome, int status, const char *text)
{
    outcome->status = status;
    snprintf(outcome->text, sizeof outcome->text, "%s", text);
}

/* "" from the loop is Ctrl-C. */
static void fail_loop(sim_outcome *outcome, const char *err)
{
    fail(outcome, err[0] ? EXIT_BAD_INPUT : EXIT_STOPPED, err[0] ? err : "stopped by a signal");
}

/* ---- the C models alone ----------------------------------------------------------- */

/* Only the model's side has decided anything. */
static void keep_log(const sim_play *play, decision_log *log, sim_outcome *outcome)
{
    char prefix[4096], text[4096 + 64];

    snprintf(prefix, sizeof prefix, "%s/%s.chip", play->replay->out, play->name);
    outcome->log = decision_log_take(log);
    if (!decision_log_save_side(log, SIDE_MODEL, prefix)) {
        snprintf(text, sizeof text, "%s.model.*: cannot write; choose another directory with --out", prefix);
        fail(outcome, EXIT_BAD_INPUT, text);
    }
}

static void play_models(const sim_play *play, sim_outcome *outcome)
{
    const bool logs = play->replay->print_log;
    decision_log log = {.lines = 0};
    char err[LOOP_ERR];

    if (logs && !decision_log_open(&log, play->job->request.machine.sms, 0))
        fail(outcome, EXIT_BAD_INPUT, "out of memory");
    else if (!loop_run_models(play->job, logs ? &log : NULL, &outcome->result, err))
        fail_loop(outcome, err);
    else if (logs)
        keep_log(play, &log, outcome);
    decision_log_close(&log);
}

/* ---- RTL and models in lockstep --------------------------------------------------- */

enum { SETTING = 64, OWN_SETTINGS = 3 };

typedef struct rtl_session {
    session_options options;
    trace_meta meta;
    replay_paths paths;
    char own[OWN_SETTINGS][SETTING];
    const char *settings[OWN_SETTINGS + REPLAY_MAX_SETTINGS];
} rtl_session;

/* What the request says, then what --set says, which has the last word. */
static void prepare_settings(rtl_session *s, const sim_play *play)
{
    const run_request *request = &play->job->request;
    const char *chip = play->job->chip->name;

    snprintf(s->own[0], SETTING, "%s.policy=%s", chip, policies_names[request->policy]);
    snprintf(s->own[1], SETTING, "%s.static_limit=%u", chip, request->static_limit);
    snprintf(s->own[2], SETTING, "%s.mode=%u", chip, request->mode);
    for (unsigned i = 0; i < OWN_SETTINGS; i++)
        s->settings[i] = s->own[i];
    memcpy(s->settings + OWN_SETTINGS, play->replay->settings, play->replay->num_settings * sizeof s->settings[0]);
    s->options.settings = s->settings;
    s->options.num_settings = OWN_SETTINGS + play->replay->num_settings;
}

static void prepare(rtl_session *s, const sim_play *play, sim_outcome *outcome)
{
    static const launch_starts none = {.num = 0};

    s->meta = sim_record_meta(&play->job->request, &none, NULL);
    replay_prepare(play->replay, play->name, -1, &s->meta, &s->paths, &s->options);
    s->options.max_cycles = 0; /* the loop itself ends there */
    snprintf(outcome->explain, sizeof outcome->explain, "%s", s->paths.explain);
    prepare_settings(s, play);
}

static void play_session(const sim_play *play, rtl_session *s, loop_run *run, sim_outcome *outcome)
{
    session_result result;
    stimulus source = closed_loop_stimulus(&run->loop);
    char err[LOOP_ERR];

    prepare(s, play, outcome);
    session_run(&s->options, &source, &result);
    if (result.verdict != SESSION_PASS)
        fail(outcome, replay_exit_status(result.verdict), result.text);
    print_wave_end(&s->options, &result);
    if (!loop_run_close(run, outcome->status == EXIT_PASS, &outcome->result, err))
        fail(outcome, EXIT_BAD_INPUT, err);
    if (play->replay->print_log && result.log)
        outcome->log = strdup(result.log);
    session_result_free(&result);
}

static void play_rtl(const sim_play *play, sim_outcome *outcome)
{
    rtl_session *s = calloc(1, sizeof *s);
    char err[LOOP_ERR];
    loop_run run;

    if (!s)
        fail(outcome, EXIT_BAD_INPUT, "out of memory");
    else if (!loop_run_open(&run, play->job, err))
        fail_loop(outcome, err);
    else
        play_session(play, s, &run, outcome);
    free(s);
}

void sim_play_run(const sim_play *play, sim_outcome *outcome)
{
    memset(outcome, 0, sizeof *outcome);
    (play->rtl ? play_rtl : play_models)(play, outcome);
}

void sim_play_complain(const sim_outcome *outcome)
{
    const session_options session = {.explain_prefix = outcome->explain};
    session_result result = {.verdict = outcome->status == EXIT_MISMATCH && outcome->explain[0] ? SESSION_MISMATCH : SESSION_BAD_INPUT};

    snprintf(result.text, sizeof result.text, "%s", outcome->text);
    if (outcome->status != EXIT_PASS)
        print_failure(&session, &result);
}
