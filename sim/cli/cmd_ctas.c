/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast ctas: which CTA ran where and when, as a picture or as a list, under the recorder's dispatcher or one of the project's.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/cta_play.h"
#include "cli/dispatch.h"
#include "cli/import_options.h"
#include "cli/say.h"
#include "plot/cta_chart.h"

enum { NAME = 128 };
enum { BY_RECORDER, BY_GWDE, BY_BCS, BY_MCKE };
enum { COLOR_AS_FITS, COLOR_KERNEL, COLOR_PAIR };

typedef struct ctas_command {
    import_command import;
    const char *picture;
    uint8_t by, color, mode;
    uint32_t quota, most;
    uint64_t from, to;
} ctas_command;

static const char *const dispatchers[] = {"RECORDER", "GWDE", "BCS", "MCKE", NULL};
static const char *const colors[] = {"AUTO", "KERNEL", "PAIR", NULL};
static const char *const modes[] = {"QUOTAS", "LEFTOVER", "APART", "QUEUE", NULL};

static const option_row rows[] = {
    {"picture", 'p', "FILE.svg", "Draw it: SMs and their slots over time, a bar per CTA. Without, the list goes to standard output as CSV",
     MEMBER(ctas_command, picture)},
    {"by", 'b', "DISPATCHER", "RECORDER: as it was recorded (default). GWDE: by that block; BCS: with pairs of CTAs; MCKE: two recordings "
     "at once. A CTA takes as long as it was recorded", CHOICE(ctas_command, by, dispatchers)},
    {"grid-x", 'x', "N", "CTAs in a row of the grid, for pairs (default: as ker.csv says)", NUMBER(ctas_command, import.how.grid_x, 0, UINT32_MAX)},
    {"mode", 0, "MODE", "Of MCKE: QUOTAS (default), LEFTOVER, APART or QUEUE", CHOICE(ctas_command, mode, modes)},
    {"quota", 0, "N", "Of MCKE: CTAs of the first recording's kernels that an SM holds at most (default: as many as fit)",
     NUMBER(ctas_command, quota, 1, BALLAST_MAX_SLOTS)},
    {.doc = "The picture:"},
    {"color", 0, "BY", "KERNEL or PAIR (default: by pair, if there are any)", CHOICE(ctas_command, color, colors)},
    {"from", 0, "CYCLE", "Where it begins (default 0)", NUMBER(ctas_command, from, 0, INT64_MAX)},
    {"to", 0, "CYCLE", "Where it ends (default: with the last CTA)", NUMBER(ctas_command, to, 1, INT64_MAX)},
    {"most", 0, "N", "CTAs that are drawn; it ends before there are more (default 1000)", NUMBER(ctas_command, most, 1, 100000)},
    IMPORT_MACHINE_ROWS,
    {0}};

/* ---- the list ------------------------------------------------------------------------- */

static bool is_csv(const char *path)
{
    const size_t length = strlen(path);

    return length > 4 && !strcmp(path + length - 4, ".csv");
}

typedef struct recordings {
    cta_list list[CTA_PLAY_MOST];
    char name[CTA_PLAY_MOST][NAME];
    cta_source source[CTA_PLAY_MOST];
} recordings;

/* False with the exit status: what can not be used is bad input here, also a trace that was left out. */
static bool read_recordings(const ctas_command *command, const arguments *files, recordings *r, int *status)
{
    bool ok = true;

    for (unsigned i = 0; ok && i < files->num; i++) {
        recording_name(r->name[i], sizeof r->name[i], files->file[i]);
        ok = dispatch_read(&r->list[i], &command->import.how, files->file[i], r->name[i], status);
        r->source[i] = (cta_source){.list = &r->list[i], .name = r->name[i], .path = files->file[i]};
    }
    *status = ok ? EXIT_PASS : EXIT_BAD_INPUT;
    return ok;
}

static bool play_mixed(const ctas_command *command, const recordings *r, cta_spans *spans, trace_err *err)
{
    const unsigned slots = r->list[0].geometry.slots;
    const unsigned quota[CTA_PLAY_MOST] = {command->quota && command->quota < slots ? command->quota : slots, slots};
    const mcke_cfg cfg = cta_mcke(&command->import.how.resources, &r->list[0].geometry);

    return cta_play_mixed(spans, r->source, &cfg, command->mode, quota, err);
}

static bool play(const ctas_command *command, const recordings *r, cta_spans *spans, trace_err *err)
{
    const gwde_cfg cfg = dispatch_gwde(&command->import.how.resources, &r->list[0].geometry);

    switch (command->by) {
    case BY_GWDE: return cta_play_alone(spans, &r->source[0], &cfg, false, err);
    case BY_BCS: return cta_play_alone(spans, &r->source[0], &cfg, true, err);
    case BY_MCKE: return play_mixed(command, r, spans, err);
    default: return cta_play_recorded(spans, &r->source[0], &cfg.bcs, err);
    }
}

/* Sorted; the exit status, with a line on stderr. */
static int take_spans(const ctas_command *command, const arguments *files, cta_spans *spans)
{
    trace_err err = {.text = ""};
    recordings r = {.name = {""}};
    int status = EXIT_PASS;

    *spans = (cta_spans){.num = 0};
    if (is_csv(files->file[0]))
        return cta_spans_read(spans, files->file[0], &err) ? EXIT_PASS : complain("%s", err.text);
    if (read_recordings(command, files, &r, &status) && !play(command, &r, spans, &err))
        status = complain("%s", err.text);
    for (unsigned i = 0; i < CTA_PLAY_MOST; i++)
        cta_list_free(&r.list[i]);
    return status;
}

/* ---- what becomes of it ----------------------------------------------------------------- */

static int draw(const ctas_command *command, const cta_spans *spans)
{
    cta_chart how = {.from = command->from, .to = command->to, .most = command->most};
    char shown_text[160];
    cta_shown shown;

    how.color = command->color == COLOR_AS_FITS ? cta_chart_color(spans) : command->color == COLOR_PAIR ? CTA_BY_PAIR : CTA_BY_KERNEL;
    cta_chart_window(spans, &how, &shown);
    if (!shown.bars)
        return complain("%s: no CTA runs from cycle %" PRIu64 " to %" PRIu64 "; choose others with --from and --to", command->picture, shown.from,
                        shown.to);
    if (!cta_chart_draw(spans, &how, command->picture, &shown))
        return complain("%s: cannot write it (%m); choose another place", command->picture);
    cta_chart_say(&shown, shown_text, sizeof shown_text);
    printf("%s: %s\n", command->picture, shown_text);
    return EXIT_PASS;
}

static void check(void *user, arguments *given, const struct argp_state *state)
{
    const ctas_command *command = user;
    const unsigned wanted = command->by == BY_MCKE ? CTA_PLAY_MOST : 1;

    if (given->num != wanted)
        argp_failure(state, EXIT_USAGE, 0, "--by %s takes %u recording%s", dispatchers[command->by], wanted, wanted > 1 ? "s" : "");
    for (unsigned i = 0; i < given->num; i++)
        if (is_csv(given->file[i]) && command->by != BY_RECORDER)
            argp_failure(state, EXIT_USAGE, 0, "%s is a list of CTAs, which does not say what they need; --by %s takes recordings", given->file[i],
                         dispatchers[command->by]);
    if (command->by != BY_MCKE && (command->mode || command->quota))
        argp_failure(state, EXIT_USAGE, 0, "--mode and --quota are for --by MCKE");
    if (command->to && command->to <= command->from)
        argp_failure(state, EXIT_USAGE, 0, "--to must be above --from");
}

int cmd_ctas(int argc, char **argv)
{
    static const command_line line = {
        .examples = {"ctas --picture hotspot.svg --by BCS --grid-x 16 vectors/ctas/hotspot.n8",
                     "ctas --picture mix.svg --by MCKE --quota 2 vectors/ctas/hotspot.n8 vectors/ctas/bfs.n8"},
        .rows = rows, .check = check, .args_doc = "RECORDING...", .file = "recording", .example = "vectors/ctas/hotspot.n8",
        .most = CTA_PLAY_MOST,
        .doc = "Which CTA ran where and when: as a picture or as a list (doc/use/dispatch.md)."
               "\vA recording is a folder with ker.csv and cta.csv (doc/use/import_raw.md), a trace that has all SMs of its chip, or a list "
               "FILE.csv as this command writes it."};
    static ctas_command command;
    cta_spans spans;
    arguments files;
    int status;

    command.most = 1000;
    import_prepare(&command.import);
    files = command_parse(&line, argc, argv, &command);
    status = take_spans(&command, &files, &spans);
    if (status == EXIT_PASS && command.picture)
        status = draw(&command, &spans);
    else if (status == EXIT_PASS)
        cta_spans_write(&spans, stdout);
    cta_spans_free(&spans);
    return status;
}
