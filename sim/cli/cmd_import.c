/* SPDX-License-Identifier: Apache-2.0
 *
 * `ballast import`: raw per-cycle recordings to a trace.
 */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/say.h"
#include "recording/raw_import.h"
#include "replay/interrupt.h"
#include "replay/progress.h"

typedef struct import_command {
    raw_import_options how;
    uint8_t sms[TRACE_MAX_SMS];
} import_command;

static void take_sms(void *user, char *list, const struct argp_state *state)
{
    import_command *command = user;
    char *rest = NULL;

    command->how.num_sms = 0;
    for (const char *one = strtok_r(list, ",", &rest); one; one = strtok_r(NULL, ",", &rest)) {
        if (command->how.num_sms == TRACE_MAX_SMS)
            argp_failure(state, EXIT_USAGE, 0, "--sm: more than %d SMs", TRACE_MAX_SMS);
        command->sms[command->how.num_sms++] = (uint8_t)option_number(state, "sm", one, 0, TRACE_MAX_SMS - 1);
    }
    if (!command->how.num_sms)
        argp_failure(state, EXIT_USAGE, 0, "--sm needs a number");
}

static const option_row rows[] = {
    {"dir", 'd', "DIR", "Folder with cyc.bin, ker.csv and cta.csv, each plain or .xz", MEMBER(import_command, how.dir)},
    {"out", 'o', "FILE", "Trace to write", MEMBER(import_command, how.out_path)},
    {"sm", 's', "LIST", "SMs to import, for example 0,1 (default: all recorded ones)", .take = take_sms},
    {.doc = "The files one by one, instead of --dir:"},
    {"cyc", 0, "FILE", "Per-cycle records", MEMBER(import_command, how.cyc_path)},
    {"ker", 0, "FILE", "Kernel launches", MEMBER(import_command, how.ker_path)},
    {"cta", 0, "FILE", "CTA launches and exits", MEMBER(import_command, how.cta_path)},
    {.doc = "What the trace says of itself:"},
    {"kernel", 'k', "NAME", "What was run", MEMBER(import_command, how.kernel)},
    {"config", 'c', "TEXT", "Simulated configuration", MEMBER(import_command, how.config)},
    {"recorder", 'r', "TEXT", "Program and version that recorded it", MEMBER(import_command, how.recorder)},
    {"limit", 'n', "N", "Configured CTAs per SM (default 0: none)",
     NUMBER(import_command, how.config_limit, 0, BALLAST_MAX_SLOTS)},
    {.doc = "Geometry:"},
    {"warps", 0, "N", "Warp slots per SM (48)", NUMBER(import_command, how.geometry.warps, 0, UINT16_MAX)},
    {"max-gap", 0, "N", "Longest stretch of cycles in which an SM has no record (16777216)",
     NUMBER(import_command, how.max_gap, 0, UINT32_MAX)},
    {"slots", 0, "N", "CTA slots per SM (8)", NUMBER(import_command, how.geometry.slots, 0, UINT16_MAX)},
    {"sms", 0, "N", "SMs of the chip (15)", NUMBER(import_command, how.geometry.sms, 0, UINT16_MAX)},
    {"issue-width", 0, "N", "Instructions per SM and cycle (2)", NUMBER(import_command, how.geometry.issue_width, 0, UINT16_MAX)},
    {.doc = "An SM's resources, for Nmax:"},
    {"threads", 0, "N", "Threads (1536)", NUMBER(import_command, how.resources.threads, 0, UINT32_MAX)},
    {"registers", 0, "N", "Registers (32768)", NUMBER(import_command, how.resources.registers, 0, UINT32_MAX)},
    {"register-unit", 0, "N", "A thread's registers are rounded up to multiples of N (4)",
     NUMBER(import_command, how.resources.register_unit, 1, 1024)},
    {"shared", 0, "BYTES", "Shared memory (49152)", NUMBER(import_command, how.resources.shared_bytes, 0, UINT32_MAX)},
    {"cta-slots", 0, "N", "CTAs (8)", NUMBER(import_command, how.resources.slots, 0, UINT32_MAX)},
    {0}};

static void check(void *user, arguments *given, const struct argp_state *state)
{
    const raw_import_options *how = &((const import_command *)user)->how;

    (void)given;
    if (!how->out_path)
        argp_failure(state, EXIT_USAGE, 0, "no --out");
    if (!how->dir && (!how->cyc_path || !how->ker_path || !how->cta_path))
        argp_failure(state, EXIT_USAGE, 0, "neither --dir nor all of --cyc, --ker and --cta");
}

static void warn(void *context, const char *line)
{
    (void)context;
    fprintf(stderr, "ballast: %s\n", line);
}

static bool show_progress(void *context, uint64_t done, uint64_t total)
{
    const raw_import_options *o = context;
    if (total)
        progress_show("%s: %3u %%", o->out_path, (unsigned)(100 * done / total));
    return !interrupted;
}

int cmd_import(int argc, char **argv)
{
    static const command_line line = {
        .rows = rows, .check = check,
        .doc = "Converts a raw per-cycle recording of SM activity (doc/use/import_raw.md) to a trace."
               "\vNothing is left behind when the recording is damaged or the import is interrupted."};
    import_command command;
    trace_err err;
    bool ok;

    raw_import_defaults(&command.how);
    command.how.sms = command.sms;
    command.how.progress = show_progress;
    command.how.warn = warn;
    command.how.context = &command.how;
    command_parse(&line, argc, argv, &command);
    interrupt_install();
    ok = raw_import(&command.how, &err);
    progress_clear();
    if (ok)
        return EXIT_PASS;
    complain("%s", err.text);
    return interrupted ? EXIT_STOPPED : EXIT_BAD_INPUT;
}
