/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast lockstep: open-loop replay of recordings.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/commands.h"
#include "ballast/explained.h"
#include "ballast/replay_options.h"
#include "ballast/table.h"
#include "player/open_loop.h"
#include "session/interrupt.h"

enum { KEY_SALVAGE = 0x200 };

typedef struct lockstep_command {
    replay_options replay;
    bool salvage;
    char **files;
    int num_files;
} lockstep_command;

static const struct argp_option options[] = {
    {"salvage", KEY_SALVAGE, 0, 0, "Replay what precedes the damage in a damaged recording", 0}, {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    lockstep_command *command = state->input;

    (void)arg;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &command->replay; return 0;
    case KEY_SALVAGE: command->salvage = true; return 0;
    case ARGP_KEY_ARGS:
        command->files = state->argv + state->next;
        command->num_files = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "name a recording, e.g. vectors/pathfinder.n3.blt"); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static int replay_sm(const lockstep_command *command, const char *path, trace_reader *reader, unsigned sm)
{
    char prefix[4096], wave_path[4096 + 8], name[128];
    session_options session;
    session_result result;
    open_loop player;
    stimulus s;

    recording_name(name, sizeof name, path);
    snprintf(prefix, sizeof prefix, "%s/%s.sm%u", command->replay.out, name, sm);
    replay_session_options(&command->replay, sm, trace_get_meta(reader), prefix, wave_path,
                           sizeof wave_path, &session);
    session.explain_prefix = explain_prefix(prefix);
    if (!open_loop_start(&player, reader, sm)) {
        fprintf(stderr, "ballast: %s\n", player.err.text);
        return EXIT_BAD_INPUT;
    }
    s = open_loop_stimulus(&player);
    session_run(&session, &s, &result);
    table_row(stdout, name, "open", &session, &result);
    if (command->replay.print_log && result.log)
        fputs(result.log, stdout);
    print_failure(&session, &result);
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

static int replay_file(const lockstep_command *command, const char *path)
{
    const trace_open_options how = {.salvage = command->salvage};
    trace_err err = {.text = ""};
    trace_reader *reader = trace_open(path, &how, &err);
    int worst = EXIT_PASS;

    if (err.text[0])
        fprintf(stderr, "ballast: %s\n", err.text);
    if (!reader)
        return EXIT_BAD_INPUT;
    if (command->replay.sm >= 0 && !has_sm(reader, command->replay.sm)) {
        fprintf(stderr, "ballast: %s: has no SM %d; 'ballast info' lists its SMs\n", path, command->replay.sm);
        worst = EXIT_BAD_INPUT;
    }
    for (unsigned i = 0; i < trace_num_sms(reader) && worst != EXIT_STOPPED; i++) {
        const unsigned sm = trace_get_sm(reader, i)->sm;

        if (command->replay.sm < 0 || command->replay.sm == (int)sm) {
            const int status = replay_sm(command, path, reader, sm);

            worst = status > worst ? status : worst;
        }
    }
    trace_close(reader);
    return worst;
}

int cmd_lockstep(int argc, char **argv)
{
    static const struct argp_child children[] = {{&replay_argp, 0, 0, 0}, {0}};
    static const struct argp argp = {options, parse, "RECORDING...",
                                     "Replays recordings as recorded and compares RTL and C model on every "
                                     "output and register in every cycle.", children, 0, 0};
    lockstep_command command = {.salvage = false};
    int worst = EXIT_PASS;

    replay_options_default(&command.replay);
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, 0, &command);
    if (!replay_prepare_out(&command.replay))
        return EXIT_BAD_INPUT;
    interrupt_install();
    table_header(stdout);
    for (int i = 0; i < command.num_files && worst != EXIT_STOPPED; i++) {
        const int status = replay_file(&command, command.files[i]);

        worst = status > worst ? status : worst;
    }
    return worst;
}
