/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast figure: a picture of a run for a paper or a slide, as SVG, PDF or PNG.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/say.h"
#include "figure/figure.h"
#include "files/placed_file.h"
#include "files/run_quietly.h"
#include "plot/cost_table.h"

enum size { COLUMN, SLIDE };
enum form { SVG, PDF, PNG };
static const char *const sizes[] = {"column", "slide", NULL}, *const ends[] = {".svg", ".pdf", ".png"}, *const forms[] = {"svg", "pdf", "png"};
/* Of a PNG: a column with 600 dots per inch, a slide of a usual screen. */
static const char *const pixels[] = {"2008", "1920"};

typedef struct figure_command {
    const char *run, *out, *table;
    uint8_t size;
} figure_command;

static void draw(FILE *f, const figure_command *command, const report_data *d, const figure *one)
{
    one->kind->draw(f, command->size == SLIDE ? &chart_slide : &chart_column, d, one->kernel);
}

/* From a file with SVG to one of the other forms, by a program of Debian's librsvg2-bin. */
static bool convert(FILE *from, const placed_file *to, enum form form, enum size size)
{
    char *const words[] = {"rsvg-convert", "-f", (char *)forms[form], "-o", (char *)to->temporary, form == PNG ? "-w" : NULL, (char *)pixels[size], NULL};
    const int status = run_quietly(words, from);

    if (status == NOT_STARTED)
        return complain("rsvg-convert is missing, which makes %s of SVG; install librsvg2-bin, or name a file .svg", forms[form]), false;
    return status == 0 || (complain("%s: rsvg-convert does not write it; is there room?", to->path), false);
}

static bool write_svg(const figure_command *command, const report_data *d, const figure *one, const char *path)
{
    placed_file to;
    bool ok = placed_open(&to, path);

    if (ok)
        draw(to.file, command, d, one);
    ok = placed_close(&to, ok);
    return ok || (complain("%s: cannot write (%m); choose another file with --out", path), false);
}

static bool write_other(const figure_command *command, const report_data *d, const figure *one, const char *path, enum form form)
{
    const int memory = memfd_create("svg", MFD_CLOEXEC);
    FILE *svg = memory >= 0 ? fdopen(memory, "w+") : NULL;
    placed_file to;
    bool ok;

    assert(form == PNG || form == PDF);
    if (!svg)
        return complain("no memory for the picture (%m)"), false;
    if (!placed_reserve(&to, path)) {
        complain("%s: cannot write (%m); choose another file with --out", path);
        fclose(svg);
        return false;
    }
    draw(svg, command, d, one);
    ok = fflush(svg) == 0 || (complain("no memory for the picture (%m)"), false);
    ok = ok && convert(svg, &to, form, command->size);
    fclose(svg);
    if (!placed_close(&to, ok) && ok)
        return complain("%s: cannot write (%m); choose another file with --out", path), false;
    return ok;
}

/* By the end of the file's name; FORMS are no such. */
static int form_of(const char *path)
{
    const size_t length = strlen(path);

    for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++)
        if (length > strlen(ends[i]) && !strcmp(path + length - strlen(ends[i]), ends[i]))
            return (int)i;
    return -1;
}

static int write_one(const figure_command *command, const report_data *d, const figure *one)
{
    char name[FIGURE_NAME], path[FIGURE_NAME + 8];
    const char *out = command->out;
    int form;
    bool ok;

    figure_name(one, name);
    snprintf(path, sizeof path, "%s.svg", name);
    out = out ? out : path;
    form = form_of(out);
    ok = form == SVG ? write_svg(command, d, one, out) : write_other(command, d, one, out, (enum form)form);
    if (ok)
        printf("%s\n", out);
    return ok ? EXIT_PASS : EXIT_BAD_INPUT;
}

static void list(const report_data *d)
{
    char name[FIGURE_NAME];
    figure one;

    for (unsigned i = 0; figure_at(d, i, &one); i++) {
        figure_name(&one, name);
        printf("%-24s %s\n", name, one.kind->words);
    }
}

static int find(const figure_command *command, const report_data *d, const char *wanted)
{
    char name[FIGURE_NAME];
    figure one;

    for (unsigned i = 0; figure_at(d, i, &one); i++) {
        figure_name(&one, name);
        if (!strcmp(name, wanted))
            return write_one(command, d, &one);
    }
    complain("%s has no picture '%s'; 'ballast figure --run %s' lists them", command->run, wanted, command->run);
    return EXIT_USAGE;
}

static void check(void *user, arguments *given, const struct argp_state *state)
{
    const figure_command *command = user;

    if (command->table && (given->num || !command->out || form_of(command->out) != SVG))
        argp_failure(state, EXIT_USAGE, 0, "--table: with --out FILE.svg, and without a picture's name");
    if (command->out && !given->num && !command->table)
        argp_failure(state, EXIT_USAGE, 0, "--out without a picture's name");
    if (command->out && form_of(command->out) < 0)
        argp_failure(state, EXIT_USAGE, 0, "--out %s: its name is to end with .svg, .pdf or .png", command->out);
}

int cmd_figure(int argc, char **argv)
{
    static const option_row rows[] = {
        {"run", 'r', "DIR", "The run, as 'ballast run --out' wrote it (default build/run)", MEMBER(figure_command, run)},
        {"out", 'o', "FILE", "FILE.svg, FILE.pdf or FILE.png (default NAME.svg)", MEMBER(figure_command, out)},
        {"table", 't', "FILE.csv", "Not of a run, but of costs with the columns row, column, cost (doc/use/sweep.md)", MEMBER(figure_command, table)},
        {"size", 's', "column|slide", "A paper's column, 85 mm wide, or a slide of 16:9 (default column)", CHOICE(figure_command, size, sizes)},
        {0}};
    static const command_line line = {
        .examples = {"figure", "figure costs --out costs.pdf", "figure limits-chase --size slide --out chase.png"},
        .rows = rows, .check = check, .args_doc = "[NAME]", .file = "picture", .example = "costs", .most = 1, .may_lack = true,
        .doc = "Writes a picture of a run for a paper or a slide (doc/use/figure.md)."
               "\vWithout a name it lists the names. PDF and PNG are made by rsvg-convert, of Debian's librsvg2-bin."};
    figure_command command = {.run = "build/run"};
    const arguments given = command_parse(&line, argc, argv, &command);
    trace_err err = {.text = ""};
    report_data d;
    int status = EXIT_PASS;

    if (command.table)
        return cost_table_draw(command.table, command.out, &err) ? EXIT_PASS : complain("%s", err.text);
    if (!data_read(&d, command.run, &err))
        status = complain("%s", err.text);
    else if (given.num)
        status = find(&command, &d, given.file[0]);
    else
        list(&d);
    data_free(&d);
    return status;
}
