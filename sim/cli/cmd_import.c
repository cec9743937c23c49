/* SPDX-License-Identifier: Apache-2.0
 *
 * `ballast import`: raw per-cycle recordings, or a waveform, to a trace.
 */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/import_options.h"
#include "cli/named_chip.h"
#include "cli/say.h"
#include "dump/raw_dump.h"
#include "gpu/machine.h"
#include "recording/raw_import.h"
#include "replay/interrupt.h"
#include "replay/progress.h"

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

/* A warp slot has 32 threads. */
void import_take_machine(void *user, char *name, const struct argp_state *state)
{
    raw_import_options *how = &((import_command *)user)->how;
    const machine *m;

    option_machine(&m, name, state);
    how->geometry = (trace_geometry){.warps = (uint16_t)m->warps, .slots = (uint16_t)m->slots, .sms = (uint16_t)m->sms,
                                     .issue_width = (uint16_t)m->schedulers};
    how->resources.threads = 32 * m->warps;
    how->resources.registers = m->registers;
    how->resources.shared_bytes = m->shared_bytes;
    how->resources.slots = m->slots;
}

static const option_row rows[] = {
    {"dir", 'd', "DIR", "Folder with cyc.bin or warps.csv, ker.csv and cta.csv, each plain or .xz", MEMBER(import_command, how.dir)},
    {"out", 'o', "FILE", "Trace to write", MEMBER(import_command, how.out_path)},
    {"sm", 's', "LIST", "SMs to import, for example 0,1 (default: all recorded ones)", .take = take_sms},
    {.doc = "The files one by one, instead of --dir:"},
    {"cyc", 0, "FILE", "Per-cycle records", MEMBER(import_command, how.cyc_path)},
    {"text", 0, "FILE", "The same as text, one line per change, in place of --cyc", MEMBER(import_command, how.text_path)},
    {"ker", 0, "FILE", "Kernel launches", MEMBER(import_command, how.ker_path)},
    {"cta", 0, "FILE", "CTA launches and exits", MEMBER(import_command, how.cta_path)},
    {.doc = "A waveform, VCD or FST, in place of --cyc and --cta:"},
    {"map", 'm', "FILE", "What its signals are (doc/use/import_vcd.md)", MEMBER(import_command, how.map_path)},
    {.doc = "What the trace says of itself:"},
    {"kernel", 'k', "NAME", "What was run", MEMBER(import_command, how.kernel)},
    {"config", 'c', "TEXT", "Simulated configuration", MEMBER(import_command, how.config)},
    {"recorder", 'r', "TEXT", "Program and version that recorded it", MEMBER(import_command, how.recorder)},
    {"limit", 'n', "N", "Configured CTAs per SM (default 0: none)",
     NUMBER(import_command, how.config_limit, 0, BALLAST_MAX_SLOTS)},
    {"grid-x", 0, "N", "All grids are 2-D, with N CTAs in a row (default 0: as ker.csv says, else 1-D)",
     NUMBER(import_command, how.grid_x, 0, UINT32_MAX)},
    IMPORT_FORMAT_ROW,
    IMPORT_GAP_ROW,
    IMPORT_MACHINE_ROWS,
    {0}};

static void check_dump(const raw_import_options *how, const struct argp_state *state)
{
    if (!how->map_path)
        argp_failure(state, EXIT_USAGE, 0, "%s: a waveform needs --map FILE, which says what its signals are (doc/use/import_vcd.md)", how->dump_path);
    if (!how->ker_path && !how->dir)
        argp_failure(state, EXIT_USAGE, 0, "%s: a waveform needs --ker FILE, which says what the kernels are (doc/use/import_raw.md)", how->dump_path);
    if (how->cyc_path || how->text_path || how->cta_path || how->format)
        argp_failure(state, EXIT_USAGE, 0, "%s: a waveform takes the place of --cyc, --text and --cta; leave them and --format out", how->dump_path);
}

static void check(void *user, arguments *given, const struct argp_state *state)
{
    raw_import_options *how = &((import_command *)user)->how;

    how->dump_path = given->num ? given->file[0] : NULL;
    how->source = given->num ? &raw_dump_source : NULL;
    if (!how->out_path)
        argp_failure(state, EXIT_USAGE, 0, "no --out");
    if (!how->dump_path && how->map_path)
        argp_failure(state, EXIT_USAGE, 0, "--map goes with a waveform; name a VCD or FST");
    if (how->dump_path) {
        check_dump(how, state);
        return;
    }
    if (how->cyc_path && how->text_path)
        argp_failure(state, EXIT_USAGE, 0, "--cyc and --text are the same in two forms; give one of them");
    if (!how->dir && ((!how->cyc_path && !how->text_path) || !how->ker_path || !how->cta_path))
        argp_failure(state, EXIT_USAGE, 0, "neither --dir nor all of --cyc (or --text), --ker and --cta");
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

void import_prepare(import_command *command)
{
    raw_import_defaults(&command->how);
    command->how.sms = command->sms;
    command->how.progress = show_progress;
    command->how.warn = warn;
    command->how.context = &command->how;
}

int cmd_import(int argc, char **argv)
{
    static const command_line line = {
        .examples = {"import --dir raw/pathfinder.n3 --sm 0,1 --out pathfinder.n3.blt",
                     "import tb.vcd --map tb.map --ker ker.csv --machine volta --out tb.blt"},
        .rows = rows, .check = check, .args_doc = "[WAVEFORM]", .file = "waveform", .example = "tb.vcd", .most = 1, .may_lack = true,
        .doc = "Converts a raw per-cycle recording of SM activity (doc/use/import_raw.md), or a waveform (doc/use/import_vcd.md), to a trace."
               "\vNothing is left behind when the recording is damaged or the import is interrupted."};
    import_command command;
    trace_err err;
    bool ok;

    import_prepare(&command);
    command_parse(&line, argc, argv, &command);
    interrupt_install();
    ok = raw_import(&command.how, &err);
    progress_clear();
    if (ok)
        return EXIT_PASS;
    complain("%s", err.text);
    return interrupted ? EXIT_STOPPED : EXIT_BAD_INPUT;
}
