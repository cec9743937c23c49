/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast report: the page of the last run, anew from the files that it left.
 */
#include <stdio.h>

#include "cli/commands.h"
#include "cli/say.h"
#include "report/report.h"

int cmd_report(int argc, char **argv)
{
    static const option_row rows[] = {
        {"out", 'o', "DIR", "Where 'ballast run' left its files; the page goes there, too (default build/run)", MEMBER(report_options, out)},
        {"build", 0, "DIR", "Where area, gates and proofs leave their results (default build)", MEMBER(report_options, build)},
        {0}};
    static const command_line line = {.rows = rows, .doc = "Writes DIR/report.html anew from what the last 'ballast run' left in DIR."};
    report_options how = {.out = "build/run", .build = "build"};
    char err[REPORT_ERR];

    command_parse(&line, argc, argv, &how);
    if (!report_write(&how, err))
        return complain("%s", err);
    printf("report: %s/report.html\n", how.out);
    return EXIT_PASS;
}
