/* SPDX-License-Identifier: Apache-2.0
 *
 * `ballast export`: a recording, or a decision log, in a form that other programs read.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/say.h"
#include "files/out_dir.h"
#include "files/placed_file.h"
#include "replay/perfetto_export.h"
#include "recording/raw_export.h"
#include "recording/vcd_export.h"
#include "replay/interrupt.h"
#include "replay/progress.h"

enum form { FORM_RAW, FORM_CSV, FORM_VCD, FORM_PERFETTO, FORMS };
static const char *const forms[] = {"raw", "csv", "vcd", "perfetto", NULL};

typedef struct export_command {
    uint8_t form;
    const char *out, *ker;
    uint32_t every;
} export_command;

static const option_row rows[] = {
    {"to", 't', "raw|csv|vcd|perfetto", "The form: doc/use/export.md", CHOICE(export_command, form, forms)},
    {"out", 'o', "PLACE", "raw and csv: the folder to write; vcd and perfetto: the file", MEMBER(export_command, out)},
    {"ker", 0, "FILE", "vcd: ker.csv, which an import of the VCD needs, too", MEMBER(export_command, ker)},
    {"every", 0, "N", "perfetto: cycles that a point of a counter stands for (128)", NUMBER(export_command, every, 1, 1 << 20)},
    {0}};

static void check(void *user, arguments *given, const struct argp_state *state)
{
    const export_command *command = user;

    if (!(given->given & 1))
        argp_failure(state, EXIT_USAGE, 0, "no --to; give raw, csv, vcd or perfetto");
    if (!command->out)
        argp_failure(state, EXIT_USAGE, 0, "no --out");
    if (command->ker && command->form != FORM_VCD)
        argp_failure(state, EXIT_USAGE, 0, "--ker goes with --to vcd");
    if (command->form != FORM_PERFETTO && given->num > 1)
        argp_failure(state, EXIT_USAGE, 0, "--to %s takes one recording", forms[command->form]);
}

static bool show_progress(void *context, uint64_t done, uint64_t total)
{
    if (total)
        progress_show("%s: %3u %%", (const char *)context, (unsigned)(100 * done / total));
    return !interrupted;
}

/* ---- a folder of tables --------------------------------------------------------------- */

enum { KER, CTA, RECORDS, TABLES };

/* All of them in their places, or none that is new. */
static bool close_all(placed_file *table, unsigned num, bool keep)
{
    bool ok = keep;

    for (unsigned i = 0; i < num && ok; i++)
        ok = placed_finish(&table[i]);
    for (unsigned i = 0; i < num; i++)
        if (!placed_close(&table[i], ok) && ok)
            ok = false;
    return ok;
}

/* The states of another recording in the other form: an import would find both. */
static const char *in_the_way(const char *folder, bool text)
{
    static const char *const ends[] = {"", ".xz"};
    static char place[PLACED_PATH];

    for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(place, sizeof place, "%s/%s%s", folder, text ? "cyc.bin" : "warps.csv", ends[i]);
        if (access(place, F_OK) == 0)
            return place;
    }
    return NULL;
}

static int export_tables(const export_command *command, const char *path, const trace_walk_options *how)
{
    const bool text = command->form == FORM_CSV;
    const char *const names[TABLES] = {"ker.csv", "cta.csv", text ? "warps.csv" : "cyc.bin"};
    placed_file table[TABLES] = {{.old = -1}, {.old = -1}, {.old = -1}};
    char place[PLACED_PATH], err[OUT_DIR_ERR];
    const char *other;
    trace_err why = {.text = ""};
    bool ok = true;

    if (!out_dir_take(command->out, err))
        return complain("%s", err);
    if ((other = in_the_way(command->out, text)))
        return complain("%s: of another recording, and an import would read it with this one; remove it, or name another folder", other);
    for (unsigned i = 0; ok && i < TABLES; i++) {
        snprintf(place, sizeof place, "%s/%s", command->out, names[i]);
        ok = placed_open(&table[i], place);
        if (!ok)
            complain("%s: cannot write (%m)", place);
    }
    if (ok) {
        const raw_export_files to = {.ker = table[KER].file, .cta = table[CTA].file, .cyc = text ? NULL : table[RECORDS].file,
                                     .warps = text ? table[RECORDS].file : NULL};

        ok = raw_export(path, &to, how, &why);
        progress_clear();
        if (!ok)
            complain("%s", why.text);
        if (ok && !close_all(table, TABLES, true))
            return complain("%s: cannot write (%m)", command->out);
    }
    if (!ok)
        close_all(table, TABLES, false);
    return ok ? EXIT_PASS : EXIT_BAD_INPUT;
}

/* ---- a file --------------------------------------------------------------------------- */

static bool fill(const export_command *command, const arguments *given, FILE *f, FILE *ker, const trace_walk_options *how, trace_err *err)
{
    const perfetto_options options = {.walk = *how, .every = command->every};

    if (command->form == FORM_VCD)
        return vcd_export(given->file[0], f, ker, how, err);
    return perfetto_export(given->file, given->num, f, &options, err);
}

static int export_file(const export_command *command, const arguments *given, const trace_walk_options *how)
{
    trace_err why = {.text = ""};
    const char *const place[] = {command->out, command->ker};
    const unsigned num = command->ker ? 2 : 1;
    placed_file to[2];
    bool ok;

    for (unsigned i = 0; i < num; i++)
        if (!placed_open(&to[i], place[i])) {
            complain("%s: cannot write (%m)", place[i]);
            close_all(to, i, false);
            return EXIT_BAD_INPUT;
        }
    ok = fill(command, given, to[0].file, num > 1 ? to[1].file : NULL, how, &why);
    progress_clear();
    if (!ok)
        complain("%s", why.text);
    if (!close_all(to, num, ok) && ok)
        return complain("%s: cannot write (%m)", command->out);
    return ok ? EXIT_PASS : EXIT_BAD_INPUT;
}

int cmd_export(int argc, char **argv)
{
    static const command_line line = {
        .examples = {"export --to raw --out raw/fma.n8 vectors/fma.n8.blt", "export --to perfetto --out fma.json vectors/fma.n8.blt",
                     "export -t perfetto -o log.json build/run/fma.perfsat.sm0.model.jsonl"},
        .rows = rows, .check = check, .args_doc = "RECORDING...", .file = "recording", .example = "vectors/fma.n8.blt",
        .doc = "Writes a recording as raw records, as CSV or as VCD, or recordings, decision logs and runs for Perfetto (doc/use/export.md)."
               "\vNo new file is left behind when it fails or is interrupted."};
    export_command command = {.every = 128};
    const arguments given = command_parse(&line, argc, argv, &command);
    const trace_walk_options how = {.progress = show_progress, .context = (void *)command.out};
    int status;

    interrupt_install();
    status = command.form == FORM_RAW || command.form == FORM_CSV ? export_tables(&command, given.file[0], &how)
                                                                  : export_file(&command, &given, &how);
    return interrupted ? EXIT_STOPPED : status;
}
