/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cmd_sim.h"

#include <stdio.h>
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
    snprintf(text, sizeof text, "%s.model.*: cannot write; choose another directory with --out", prefix);
    outcome->log = decision_log_take(log);
    if (!decision_log_save_side(log, SIDE_MODEL, prefix))
        fail(outcome, EXIT_BAD_INPUT, text);
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

enum { SETTING = 64, OWN_SETTINGS = 4 };
_Static_assert((int)OWN_SETTINGS <= REPLAY_OWN_SETTINGS, "there is room for them");

static void play_session(const sim_play *play, const replay_options *replay, loop_run *run, sim_outcome *outcome)
{
    static const launch_starts none = {.num = 0};
    const trace_meta meta = sim_record_meta(&play->job->request, &none, NULL);
    stimulus source = closed_loop_stimulus(&run->loop);
    session_options options;
    session_result result;
    replay_paths paths = {.prefix = ""};
    char err[LOOP_ERR];

    replay_prepare(replay, play->name, -1, &meta, &paths, &options);
    options.max_cycles = 0; /* the loop itself ends there */
    snprintf(outcome->explain, sizeof outcome->explain, "%s", paths.explain);
    session_run(&options, &source, &result);
    if (result.verdict != SESSION_PASS)
        fail(outcome, replay_exit_status(result.verdict), result.text);
    if (run->schedulers.err[0] || run->dispatch.err[0]) { /* beside the session, which knows of no such difference */
        outcome->explain[0] = '\0';
        fail(outcome, EXIT_MISMATCH, run->schedulers.err[0] ? run->schedulers.err : run->dispatch.err);
    }
    print_wave_end(&options, &result);
    if (!loop_run_close(run, outcome->status == EXIT_PASS, &outcome->result, err))
        fail(outcome, EXIT_BAD_INPUT, err);
    if (play->replay->print_log && result.log)
        outcome->log = strdup(result.log);
    session_result_free(&result);
}

/* Settings are what the request says, then what --set says, which has the last word. */
static void play_rtl(const sim_play *play, sim_outcome *outcome)
{
    const run_request *request = &play->job->request;
    const char *chip = play->job->chip->name;
    replay_options replay = *play->replay;
    char own[OWN_SETTINGS][SETTING], err[LOOP_ERR];
    loop_run run;

    snprintf(own[0], SETTING, "%s.policy=%s", chip, policies_names[request->policy]);
    snprintf(own[1], SETTING, "%s.static_limit=%u", chip, request->static_limit);
    snprintf(own[2], SETTING, "%s.mode=%u", chip, request->mode);
    snprintf(own[3], SETTING, "%s.kernel_id=%u", chip, request->mix.num_others == 0);
    for (unsigned i = 0; i < OWN_SETTINGS; i++)
        replay.settings[i] = own[i];
    memcpy(replay.settings + OWN_SETTINGS, play->replay->settings, replay.num_settings * sizeof replay.settings[0]);
    replay.num_settings += OWN_SETTINGS;
    if (loop_run_open(&run, play->job, err))
        play_session(play, &replay, &run, outcome);
    else
        fail_loop(outcome, err);
}

void sim_play_run(const sim_play *play, sim_outcome *outcome)
{
    memset(outcome, 0, sizeof *outcome);
    (play->rtl ? play_rtl : play_models)(play, outcome);
}

void sim_play_complain(const sim_outcome *outcome)
{
    const session_options session = {.explain_prefix = outcome->explain};
    const bool explained = outcome->status == EXIT_MISMATCH && outcome->explain[0];
    session_result result = {.verdict = explained ? SESSION_MISMATCH : SESSION_BAD_INPUT};

    snprintf(result.text, sizeof result.text, "%s", outcome->text);
    if (outcome->status != EXIT_PASS)
        print_failure(&session, &result);
}
