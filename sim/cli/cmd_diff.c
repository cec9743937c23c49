/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast diff: what has changed from one stored run to another.
 */
#include <string.h>

#include "cli/commands.h"
#include "cli/say.h"
#include "cli/script.h"
#include "diff/compare_runs.h"
#include "files/placed_file.h"

typedef struct diff_command {
    const char *build_a, *build_b, *csv;
    const char *study; /* of stores, which a script compares */
} diff_command;

static void check(void *user, arguments *given, const struct argp_state *state)
{
    const diff_command *command = user;

    if (given->num != 2 && !(given->num == 1 && names_store(given)))
        argp_failure(state, EXIT_USAGE, 0, "two runs are compared, not %u", given->num);
    if (command->study && !names_store(given))
        argp_failure(state, EXIT_USAGE, 0, "--study: only of stores of sweeps");
    if (command->build_a && names_store(given))
        argp_failure(state, EXIT_USAGE, 0, "--build-a: only of folders of runs");
    if (!command->build_a != !command->build_b)
        argp_failure(state, EXIT_USAGE, 0, "--build-%c without --build-%c: name both or none", command->build_a ? 'a' : 'b',
                     command->build_a ? 'b' : 'a');
}

static void print_run(const char *when, const stored_run *run)
{
    printf("%-7s %s, finished %s", when, run->run, run->finished);
    if (run->commit[0])
        printf(", of %s", run->commit);
    if (run->build)
        printf(", area, proofs and netlists from %s", run->build);
    putchar('\n');
}

static bool write_csv(const changes *c, const char *path)
{
    placed_file to;
    bool ok = placed_open(&to, path);

    if (ok)
        changes_csv(c, to.file);
    ok = placed_close(&to, ok);
    return ok || (complain("%s: cannot write (%m); choose another file with --csv", path), false);
}

/* The file comes first: what a reader sees is also there for programs. */
static int show(const diff_command *command, const stored_run *before, const stored_run *after, const changes *c)
{
    if (command->csv && !write_csv(c, command->csv))
        return EXIT_BAD_INPUT;
    print_run("before:", before);
    print_run("after:", after);
    changes_print(c, stdout);
    changes_print_sum(c, stdout);
    if (!before->build)
        printf("area, proofs and netlists are not compared; --build-a and --build-b name their folders\n");
    return c->num ? EXIT_MISMATCH : EXIT_PASS;
}

int cmd_diff(int argc, char **argv)
{
    static const option_row rows[] = {
        {"build-a", 0, "DIR", "Where area, proofs and netlists of RUN_A left their results, as --build of 'ballast report'",
         MEMBER(diff_command, build_a)},
        {"build-b", 0, "DIR", "The same of RUN_B", MEMBER(diff_command, build_b)},
        {"csv", 'c', "FILE", "Also write the changes as CSV: kind,what,before,after", MEMBER(diff_command, csv)},
        {"study", 0, "NAME", "Of stores: only this study", MEMBER(diff_command, study)},
        {0}};
    static const command_line line = {
        .examples = {"diff build/before build/run", "diff --build-a old/build --build-b build --csv changes.csv old/build/run build/run",
                     "diff before.sqlite build/sweep.sqlite"},
        .rows = rows, .check = check, .args_doc = "RUN_A RUN_B\nSTORE_A [STORE_B]", .file = "run", .example = "build/run",
        .doc = "Says what has changed from one run to another: verdicts, choices, decisions, costs, area, proofs, netlists (doc/use/diff.md)."
               "\vA run is a folder that 'ballast run --out' wrote, or a store of sweeps (doc/use/sweep.md); one store alone is compared with "
               "what the same commands gave before. Values are compared as text. Exit status: 0 nothing has changed, 1 "
               "something has, 2 usage, 3 a file is missing or damaged."};
    diff_command command = {.csv = NULL};
    const arguments given = command_parse(&line, argc, argv, &command);
    stored_run before = {.run = given.file[0], .build = command.build_a}, after = {.run = given.file[1], .build = command.build_b};
    changes c = {.num = 0};
    trace_err err = {.text = ""};
    int status;

    if (names_store(&given))
        return become_script("sim/sweep/sweep.py", argc, argv);
    status = compare_runs(&before, &after, &c, &err) ? show(&command, &before, &after, &c) : complain("%s", err.text);
    changes_free(&c);
    return status;
}
