/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/replay.h"

#include <string.h>

#include "cli/commands.h"
#include "cli/explained.h"
#include "replay/open_loop.h"
#include "engine/random_sms.h"
#include "replay/sweep.h"

typedef struct replay_paths {
    char prefix[4096], wave[4096 + 8], explain[4096 + 16];
} replay_paths;

/* What a run writes is OUT/<name>.sm<N>.*, of a chip OUT/<name>.chip.* */
static void prepare(const replay_options *replay, const char *name, int sm, const trace_meta *meta,
                    replay_paths *paths, session_options *session)
{
    if (sm >= 0)
        snprintf(paths->prefix, sizeof paths->prefix, "%s/%s.sm%d", replay->out, name, sm);
    else
        snprintf(paths->prefix, sizeof paths->prefix, "%s/%s.chip", replay->out, name);
    snprintf(paths->wave, sizeof paths->wave, "%s.fst", paths->prefix);
    snprintf(paths->explain, sizeof paths->explain, "%s.mismatch", paths->prefix);
    replay_session_options(replay, sm > 0 ? (unsigned)sm : 0, meta, session);
    session->log_prefix = paths->prefix;
    session->wave_path = replay->wave ? paths->wave : NULL;
    session->explain_prefix = paths->explain;
}

int replay_open_loop(const replay_options *replay, const char *path, trace_reader *reader, unsigned sm, table *t,
                     session_result *outcome)
{
    session_options session;
    session_result result;
    replay_paths paths = {.prefix = ""};
    open_loop player;
    char name[128];
    stimulus s;

    recording_name(name, sizeof name, path);
    prepare(replay, name, (int)sm, trace_get_meta(reader), &paths, &session);
    if (outcome)
        memset(outcome, 0, sizeof *outcome);
    if (!open_loop_start(&player, reader, sm)) {
        fprintf(stderr, "ballast: %s\n", player.err.text);
        return EXIT_BAD_INPUT;
    }
    s = open_loop_stimulus(&player);
    session_run(&session, &s, &result);
    table_row(t, name, "open", &session, &result);
    if (replay->print_log && result.log)
        fputs(result.log, stdout);
    print_failure(&session, &result);
    print_wave_end(&session, &result);
    if (outcome)
        *outcome = result;
    else
        session_result_free(&result);
    return replay_exit_status(result.verdict);
}

static bool has_sm(const trace_reader *reader, int sm)
{
    for (unsigned i = 0; i < trace_num_sms(reader); i++)
        if (trace_get_sm(reader, i)->sm == sm)
            return true;
    return false;
}

int replay_recording(const replay_options *replay, const char *path, bool salvage, table *t)
{
    const trace_open_options how = {.salvage = salvage};
    trace_err err = {.text = ""};
    trace_reader *reader = trace_open(path, &how, &err);
    int worst = EXIT_PASS;

    if (err.text[0])
        fprintf(stderr, "ballast: %s\n", err.text);
    if (!reader)
        return EXIT_BAD_INPUT;
    if (replay->sm >= 0 && !has_sm(reader, replay->sm)) {
        fprintf(stderr, "ballast: %s: has no SM %d; 'ballast info' lists its SMs\n", path, replay->sm);
        worst = EXIT_BAD_INPUT;
    }
    for (unsigned i = 0; i < trace_num_sms(reader) && worst < EXIT_BAD_INPUT; i++) {
        const unsigned sm = trace_get_sm(reader, i)->sm;

        if (replay->sm < 0 || replay->sm == (int)sm) {
            const int status = replay_open_loop(replay, path, reader, sm, t, NULL);

            worst = status > worst ? status : worst;
        }
    }
    trace_close(reader);
    return worst;
}

static void describe_sweep(char *text, size_t size, const char *const *paths, unsigned num_paths, unsigned sm,
                           unsigned launch)
{
    trace_err err;
    size_t used;
    sweep s;

    text[0] = '\0';
    if (!sweep_measure(&s, paths, num_paths, sm, launch, &err))
        return;
    used = (size_t)snprintf(text, size, "instructions per cycle at limit 1..%u:", s.nmax);
    for (unsigned limit = 1; limit <= s.nmax && used < size; limit++)
        used += (size_t)snprintf(text + used, size - used, " %.3f", s.ipc[limit]);
    if (used < size)
        snprintf(text + used, size - used, "; the fewest CTAs that no higher limit beats by 2 %%: %u (PS-E4)", s.optimum);
}

static void print_family_log(const family_outcome *outcome, const family *f)
{
    fputs(outcome->result.log, stdout);
    if (outcome->result.verdict != SESSION_PASS)
        return;
    printf("%u passes over the kernel, %llu changes of recording%s\n", family_laps(f),
           (unsigned long long)family_moves(f),
           outcome->result.converged ? "" : "; not converged, allow more with --max-laps");
    printf("%s\n", outcome->found);
}

int replay_family(const replay_options *replay, const char *const *paths, unsigned num_paths,
                  const family_options *options, const char *name, table *t, family_outcome *outcome)
{
    session_options session;
    family_outcome own;
    replay_paths out = {.prefix = ""};
    trace_err err = {.text = ""};
    family *f = family_open(paths, num_paths, options, &err);
    int status = EXIT_BAD_INPUT;
    stimulus s;

    memset(&own, 0, sizeof own);
    if (!f) {
        fprintf(stderr, "ballast: %s\n", err.text);
    } else {
        prepare(replay, name, (int)options->sm, family_meta(f), &out, &session);
        s = family_stimulus(f);
        session_run(&session, &s, &own.result);
        status = replay_exit_status(own.result.verdict);
        if (status == EXIT_PASS && (outcome || replay->print_log))
            describe_sweep(own.found, sizeof own.found, paths, num_paths, options->sm, options->launch);
        table_row(t, name, "family", &session, &own.result);
        if (replay->print_log && own.result.log)
            print_family_log(&own, f);
        print_failure(&session, &own.result);
        print_wave_end(&session, &own.result);
        family_close(f);
    }
    if (outcome)
        *outcome = own;
    else
        session_result_free(&own.result);
    return status;
}

/* ---- a chip ---------------------------------------------------------------------- */

static unsigned longest_launch(const char *path, trace_err *err)
{
    trace_reader *r = trace_open(path, NULL, err);
    const unsigned launch = r ? family_longest_launch(r, NULL) : 0;

    trace_close(r);
    return launch;
}

static chip_player *open_chip(const replay_options *replay, const char *const *paths, unsigned num_paths,
                              const chip_options *options, trace_err *err)
{
    const unsigned num_sms = replay_num_sms(replay);
    family_options how = {.max_laps = options->max_laps};

    if (!options->family) {
        chip_player *player = chip_open(paths[0], num_sms, options->skew, err);

        if (player && options->together)
            chip_begin_together(player);
        return player;
    }
    how.launch = options->launch >= 0 ? (unsigned)options->launch : longest_launch(paths[0], err);
    return chip_open_family(paths, num_paths, &how, num_sms, options->skew, err);
}

int replay_chip(const replay_options *replay, const char *const *paths, unsigned num_paths,
                const chip_options *options, const char *given_name, table *t, family_outcome *outcome)
{
    replay_paths out = {.prefix = ""};
    trace_err err = {.text = ""};
    session_options session;
    family_outcome own;
    chip_player *player = open_chip(replay, paths, num_paths, options, &err);
    char name[128];
    stimulus s;

    memset(&own, 0, sizeof own);
    if (!player) {
        fprintf(stderr, "ballast: %s\n", err.text);
        return EXIT_BAD_INPUT;
    }
    recording_name(name, sizeof name, paths[0]);
    if (options->family)
        name[strcspn(name, ".")] = '\0';
    if (given_name)
        snprintf(name, sizeof name, "%s", given_name);
    prepare(replay, name, -1, chip_meta(player), &out, &session);
    s = chip_stimulus(player);
    session_run(&session, &s, &own.result);
    table_row(t, name, options->family ? "chip f" : "chip", &session, &own.result);
    if (replay->print_log && own.result.log)
        fputs(own.result.log, stdout);
    print_failure(&session, &own.result);
    print_wave_end(&session, &own.result);
    chip_close(player);
    const int status = replay_exit_status(own.result.verdict);

    if (outcome)
        *outcome = own;
    else
        session_result_free(&own.result);
    return status;
}

/* ---- random ------------------------------------------------------------------------ */

int replay_random(const replay_options *replay, table *t)
{
    static random_sms player;
    replay_paths paths = {.prefix = ""};
    session_options session;
    session_result result;
    char name[128];
    stimulus s;

    snprintf(name, sizeof name, "random%u", (unsigned)replay->seed);
    prepare(replay, name, replay_num_sms(replay) > 1 ? -1 : 0, NULL, &paths, &session);
    session.stir_seed = replay->seed;
    random_sms_start(&player, replay->seed, replay_num_sms(replay), replay_param(replay, "NumWarps", BALLAST_MAX_WARPS),
                     replay_param(replay, "NumSlots", BALLAST_MAX_SLOTS), replay->max_cycles);
    s = random_sms_stimulus(&player);
    session_run(&session, &s, &result);
    table_row(t, name, "random", &session, &result);
    if (replay->print_log && result.log)
        fputs(result.log, stdout);
    print_failure(&session, &result);
    print_wave_end(&session, &result);
    session_result_free(&result);
    return replay_exit_status(result.verdict);
}
