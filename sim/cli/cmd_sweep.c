/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast sweep and ballast query: what they do is in Python (sim/sweep); here are their options, for help, man pages and completion.
 */
#include "cli/commands.h"
#include "cli/script.h"

typedef struct sweep_command {
    const char *store, *text; /* text: of options that are Python's to read */
    unsigned number;
    bool flag;
} sweep_command;

#define TEXT MEMBER(sweep_command, text)
#define FLAG MEMBER(sweep_command, flag)
#define STORE_ROW {"store", 's', "FILE", "Where the results are (default build/sweep.sqlite)", MEMBER(sweep_command, store)}

int cmd_sweep(int argc, char **argv)
{
    static const option_row rows[] = {
        STORE_ROW,
        {"jobs", 'j', "N", "Points at a time (default: one per core)", NUMBER(sweep_command, number, 1, 4096)},
        {"dry-run", 'n', NULL, "Run nothing; list the points, and what of them is there", FLAG},
        {"slurm", 0, NULL, "Run the points as job arrays of Slurm, from a folder that all nodes see", FLAG},
        {"chunk", 0, "N", "With --slurm: points of one task (default: as many as one array needs)", NUMBER(sweep_command, number, 1, 1000000)},
        {"sbatch", 0, "OPTION", "With --slurm: an option for sbatch, e.g. --sbatch=--partition=long; may be repeated", TEXT},
        {0}};
    static const command_line line = {
        .examples = {"sweep --dry-run sim/sweep/policies.toml"},
        .rows = rows, .args_doc = "STUDY.toml", .file = "study", .example = "sim/sweep/policies.toml", .most = 1,
        .doc = "Runs all points of a study that are not in the store yet: kernels, policies, parameters, machines, seeds (doc/use/sweep.md)."
               "\vWhat is done is never run again, also after a kill; a failed point is tried again by the next call. "
               "The exit status is 1 if some points have failed."};
    sweep_command command = {.store = NULL};

    command_parse(&line, argc, argv, &command);
    return become_script("sim/sweep/sweep.py", argc, argv);
}

int cmd_query(int argc, char **argv)
{
    static const option_row rows[] = {
        STORE_ROW,
        {"study", 0, "NAME", "Of this study (default: the only one)", TEXT},
        {"rows", 'r', "NAME", "What is compared: an axis, or a column (default policy)", TEXT},
        {"columns", 'c', "NAME", "On what (default kernel)", TEXT},
        {"value", 'v', "NAME", "By which column (default cost_percent)", TEXT},
        {"where", 'w', "SQL", "Only lines for which this holds, e.g. \"seed < 3 and kernel <> 'bfs'\"", TEXT},
        {"csv", 0, NULL, "CSV instead of text", FLAG},
        {"out", 'o', "FILE", "Into FILE.csv or FILE.parquet; of picture, into FILE.svg", TEXT},
        {0}};
    static const command_line line = {
        .examples = {"query studies", "query best --rows policy --columns kernel", "query sql \"SELECT policy, avg(cycles) FROM line GROUP BY policy\""},
        .rows = rows, .args_doc = "studies|failed|missing|table|summary|best|cross|picture\nsql TEXT", .file = "question", .example = "studies", .most = 2,
        .doc = "Answers questions about the results of sweeps (doc/use/sweep.md)."
               "\vstudies: how many points each has, done, failed, missing\nfailed, missing: their commands\n"
               "table: every line of results, with its axes\nsummary: mean, least and most by --rows\n"
               "best: for each of --columns the one of --rows with the least mean\ncross: the mean of each of --rows on each of --columns\n"
               "picture: cross as a picture, which the next report has, too (build/sweep.csv)\n"
               "sql: a SELECT over the table 'line' of all lines, and over the store's own"};
    sweep_command command = {.store = NULL};

    command_parse(&line, argc, argv, &command);
    return become_script("sim/sweep/sweep.py", argc, argv);
}
