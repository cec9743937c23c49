/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/replay.h"

#include <string.h>

#include "cli/commands.h"
#include "cli/say.h"
#include "engine/random_sms.h"
#include "replay/open_loop.h"
#include "replay/sweep.h"

/* What is played, under which name. */
typedef struct played {
    const char *name, *mode;
    int sm; /* -1: a chip */
    const trace_meta *meta;
    uint64_t stir_seed; /* 0: settings stay */
    stimulus stimulus;
} played;

void replay_prepare(const replay_options *replay, const char *name, int sm, const trace_meta *meta, replay_paths *paths,
                    session_options *session)
{
    char where[16];

    snprintf(where, sizeof where, sm >= 0 ? "sm%d" : "chip", sm);
    snprintf(paths->prefix, sizeof paths->prefix, "%s/%s.%s", replay->out, name, where);
    snprintf(paths->wave, sizeof paths->wave, "%s.fst", paths->prefix);
    snprintf(paths->explain, sizeof paths->explain, "%s.mismatch", paths->prefix);
    snprintf(paths->told, sizeof paths->told, "%s/%s.%s.mismatch", replay_told(replay), name, where);
    replay_session_options(replay, sm > 0 ? (unsigned)sm : 0, meta, session);
    session->log_prefix = paths->prefix;
    session->wave_path = replay->wave ? paths->wave : NULL;
    session->explain_prefix = paths->explain;
    session->explain_told = paths->told;
}

static int play(const replay_options *replay, const played *what, table *t, session_result *outcome)
{
    replay_paths paths = {.prefix = ""};
    session_options session;
    session_result own = {.cycles = 0}, *result = outcome ? outcome : &own;
    int status;

    replay_prepare(replay, what->name, what->sm, what->meta, &paths, &session);
    session.stir_seed = what->stir_seed;
    session_run(&session, &what->stimulus, result);
    status = replay_exit_status(result->verdict);
    table_row(t, what->name, what->mode, &session, result);
    if (replay->print_log && result->log)
        fputs(result->log, stdout);
    print_failure(&session, result);
    print_wave_end(&session, result);
    if (!outcome)
        session_result_free(result);
    return status;
}

/* Nothing was played, which the table says, too. */
static int refuse(const replay_options *replay, const played *what, table *t, session_result *outcome, const char *why)
{
    session_options session;

    if (outcome)
        memset(outcome, 0, sizeof *outcome);
    replay_session_options(replay, what->sm > 0 ? (unsigned)what->sm : 0, NULL, &session);
    table_unplayed(t, what->name, what->mode, &session, why);
    return complain("%s", why);
}

int replay_sm(const replay_options *replay, const char *name, trace_reader *reader, unsigned sm, table *t,
              session_result *outcome)
{
    open_loop player;
    played what = {.name = name, .mode = "open", .sm = (int)sm, .meta = trace_get_meta(reader)};

    if (!open_loop_start(&player, reader, sm))
        return refuse(replay, &what, t, outcome, player.err.text);
    what.stimulus = open_loop_stimulus(&player);
    return play(replay, &what, t, outcome);
}

bool replay_has_sm(const trace_reader *reader, const char *path, int sm)
{
    for (unsigned i = 0; i < trace_num_sms(reader); i++)
        if (trace_get_sm(reader, i)->sm == sm)
            return true;
    complain("%s: has no SM %d; 'ballast info' lists its SMs", path, sm);
    return false;
}

int replay_recording(const replay_options *replay, const char *path, const char *name, bool salvage, table *t)
{
    const trace_open_options how = {.salvage = salvage};
    trace_err err = {.text = ""};
    trace_reader *reader = trace_open(path, &how, &err);
    int status = EXIT_PASS;

    if (!reader)
        return refuse(replay, &(played){.name = name, .mode = "open"}, t, NULL, err.text);
    if (err.text[0])
        complain("%s", err.text);
    if (replay->sm >= 0 && !replay_has_sm(reader, path, replay->sm))
        status = EXIT_BAD_INPUT;
    for (unsigned i = 0; i < trace_num_sms(reader) && status < EXIT_BAD_INPUT; i++) {
        const unsigned sm = trace_get_sm(reader, i)->sm;

        if (replay->sm < 0 || replay->sm == (int)sm)
            status = worse(status, replay_sm(replay, name, reader, sm, t, NULL));
    }
    trace_close(reader);
    return status;
}

bool replay_longest_launch(const char *path, unsigned *launch)
{
    trace_err err = {.text = ""};
    trace_reader *reader = trace_open(path, NULL, &err);

    if (!reader)
        return complain("%s", err.text), false;
    *launch = family_longest_launch(reader, NULL);
    trace_close(reader);
    return true;
}

void replay_print_sweep(const char *const *paths, unsigned num_paths, const family_options *options)
{
    trace_err err;
    sweep s;

    if (!sweep_measure(&s, paths, num_paths, options->sm, options->launch, &err))
        return;
    printf("instructions per cycle at limit 1..%u:", s.nmax);
    for (unsigned limit = 1; limit <= s.nmax; limit++)
        if (s.ipc[limit] > 0)
            printf(" %.3f", s.ipc[limit]);
        else
            printf(" -");
    printf("; the fewest CTAs that no higher limit beats by 2 %%: %u (PS-E4)\n", s.optimum);
}

int replay_family(const replay_options *replay, const char *const *paths, unsigned num_paths, const family_options *options,
                  const char *name, table *t, session_result *outcome)
{
    trace_err err = {.text = ""};
    family *f = family_open(paths, num_paths, options, &err);
    session_result own = {.cycles = 0}, *result = outcome ? outcome : &own;
    played what = {.name = name, .mode = "family", .sm = (int)options->sm};
    int status;

    if (!f)
        return refuse(replay, &what, t, outcome, err.text);
    what.meta = family_meta(f);
    what.stimulus = family_stimulus(f);
    status = play(replay, &what, t, result);
    if (replay->print_log && result->log && status == EXIT_PASS) {
        printf("%u passes over the kernel, %llu changes of recording%s\n", family_laps(f), (unsigned long long)family_moves(f),
               result->converged ? "" : "; not converged, allow more with --max-laps");
        replay_print_sweep(paths, num_paths, options);
    }
    family_close(f);
    if (!outcome)
        session_result_free(result);
    return status;
}

static chip_player *open_chip(const replay_options *replay, const char *const *paths, unsigned num_paths,
                              const chip_options *options, trace_err *err)
{
    const family_options how = {.launch = options->launch, .max_laps = options->max_laps};
    const unsigned num_sms = replay_num_sms(replay);
    chip_player *player;

    if (options->family)
        return chip_open_family(paths, num_paths, &how, num_sms, options->skew, err);
    player = chip_open(paths[0], num_sms, options->skew, err);
    if (player && options->together)
        chip_begin_together(player);
    return player;
}

int replay_chip(const replay_options *replay, const char *const *paths, unsigned num_paths, const chip_options *options,
                const char *name, table *t, session_result *outcome)
{
    trace_err err = {.text = ""};
    chip_player *player = open_chip(replay, paths, num_paths, options, &err);
    char own[128];
    played what = {.name = name ? name : own, .mode = options->family ? "chip f" : "chip", .sm = -1};
    int status;

    (options->family ? family_name : recording_name)(own, sizeof own, paths[0]);
    if (!player)
        return refuse(replay, &what, t, outcome, err.text);
    what.meta = chip_meta(player);
    what.stimulus = chip_stimulus(player);
    status = play(replay, &what, t, outcome);
    chip_close(player);
    return status;
}

int replay_random(const replay_options *replay, const char *name, table *t, session_result *outcome)
{
    static random_sms player;
    const unsigned sms = replay_num_sms(replay);
    char of_seed[128];
    played what = {.name = name ? name : of_seed, .mode = "random", .sm = sms > 1 ? -1 : 0, .stir_seed = replay->seed};

    snprintf(of_seed, sizeof of_seed, "random%u", (unsigned)replay->seed);
    random_sms_start(&player, replay->seed, sms, replay_param(replay, "NumWarps", BALLAST_MAX_WARPS),
                     replay_param(replay, "NumSlots", BALLAST_MAX_SLOTS), replay->max_cycles);
    what.stimulus = random_sms_stimulus(&player);
    return play(replay, &what, t, outcome);
}
