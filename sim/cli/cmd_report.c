/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast report: the page of the last run, anew from the files that it left.
 */
#include <argp.h>
#include <stdio.h>

#include "cli/commands.h"
#include "report/report.h"

enum { KEY_BUILD = 0x200 };

static const struct argp_option options[] = {
    {"out", 'o', "DIR", 0, "Where 'ballast run' left its files; the page goes there, too (default build/run)", 0},
    {"build", KEY_BUILD, "DIR", 0, "Where area, gates and proofs leave their results (default build)", 0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    report_options *how = state->input;

    switch (key) {
    case 'o': how->out = arg; return 0;
    case KEY_BUILD: how->build = arg; return 0;
    case ARGP_KEY_ARG: argp_failure(state, EXIT_USAGE, 0, "no argument is expected: '%s'", arg); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

int cmd_report(int argc, char **argv)
{
    static const struct argp argp = {
        options, parse, "", "Writes DIR/report.html anew from what the last 'ballast run' left in DIR.", 0, 0, 0};
    report_options how = {.out = "build/run", .build = "build"};
    char err[REPORT_ERR];

    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, 0, &how);
    if (!report_write(&how, err)) {
        fprintf(stderr, "ballast: %s\n", err);
        return EXIT_BAD_INPUT;
    }
    printf("report: %s/report.html\n", how.out);
    return EXIT_PASS;
}
