/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast: dispatches to the subcommands.
 */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/describe.h"
#include "cli/streams.h"
#include "cli/suggest.h"
#include "engine/block.h"
#include "files/data_dir.h"

#ifndef BALLAST_VERSION /* the build says both; for lint */
#define BALLAST_VERSION ""
#define BALLAST_CONFIG ""
#endif

typedef struct subcommand {
    const char *name;
    int (*function)(int argc, char **argv);
    const char *help;
} subcommand;

static const subcommand commands[] = {
#define ROW(name, function, help) {name, function, help},
    COMMANDS(ROW)
#undef ROW
};

enum { NUM_COMMANDS = sizeof commands / sizeof commands[0] };

static int usage(FILE *out, int status)
{
    fprintf(out, "usage: ballast COMMAND [OPTION...] [FILE...]\n\n");
    for (int i = 0; i < NUM_COMMANDS; i++)
        fprintf(out, "  %-13s %s\n", commands[i].name, commands[i].help);
    fprintf(out, "\n'ballast help COMMAND' and 'ballast COMMAND --help' list its options. 'ballast --version' names the version and\n"
                 "the geometry, 'ballast --data' the folder of recordings and workloads. Exit status: 0 all is well, 1 model and\n"
                 "RTL differ, or two runs do, 2 usage, 3 bad input, 130 interrupted.\n");
    return status;
}

static int version(void)
{
    const block *chip = block_find("chip_governor");

    printf("ballast %s (%s%s%s)\n", BALLAST_VERSION, BALLAST_CONFIG, chip ? ": " : "", chip ? chip->params : "");
    return EXIT_PASS;
}

static const subcommand *find(const char *name)
{
    for (int i = 0; i < NUM_COMMANDS; i++)
        if (!strcmp(name, commands[i].name))
            return &commands[i];
    return NULL;
}

static int no_command(const char *name)
{
    const char *names[NUM_COMMANDS + 2] = {"help"}, *meant;

    for (int i = 0; i < NUM_COMMANDS; i++)
        names[i + 1] = commands[i].name;
    meant = suggest(name, names);
    fprintf(stderr, "ballast: no command '%s'; %s%s%s\n", name, meant ? "did you mean '" : "'ballast help' lists them", meant ? meant : "",
            meant ? "'?" : "");
    return EXIT_USAGE;
}

static int call(const subcommand *command, int argc, char **argv)
{
    char name[64];

    snprintf(name, sizeof name, "ballast %s", command->name);
    argv[0] = name;
    return command->function(argc, argv);
}

static int man(void)
{
    printf(".TH BALLAST 1 \"\" \"Ballast\" \"Ballast\"\n.SH NAME\nballast \\- CTA throttling in hardware, beside its golden models\n"
           ".SH SYNOPSIS\n.B ballast\n\\fICOMMAND\\fR [\\fIOPTION\\fR...] [\\fIFILE\\fR...]\n.SH COMMANDS\n");
    for (int i = 0; i < NUM_COMMANDS; i++) {
        printf(".TP\n.BR ballast\\-");
        describe_roff(commands[i].name);
        printf(" (1)\n");
        describe_roff(commands[i].help);
        printf("\n");
    }
    return EXIT_PASS;
}

/* ballast help [--man|--options] [COMMAND], and --commands: the last three are for other programs. */
static int help(int argc, char **argv)
{
    char *words[] = {NULL, "--help", NULL};
    const subcommand *command;
    int first = 2;

    if (argc > 2 && !strcmp(argv[2], "--commands")) {
        for (int i = 0; i < NUM_COMMANDS; i++)
            printf("%s\n", commands[i].name);
        return EXIT_PASS;
    }
    if (argc > 2 && !strcmp(argv[2], "--man"))
        describe = describe_man;
    if (argc > 2 && !strcmp(argv[2], "--options"))
        describe = describe_options;
    first += describe != NULL;
    if (first >= argc)
        return describe == describe_man ? man() : usage(stdout, EXIT_PASS);
    command = find(argv[first]);
    return command ? call(command, 2, words) : no_command(argv[first]);
}

int main(int argc, char **argv)
{
    const subcommand *command;

    streams_begin();
    if (argc < 2)
        return usage(stderr, EXIT_USAGE);
    if (!strcmp(argv[1], "help"))
        return help(argc, argv);
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
        return usage(stdout, EXIT_PASS);
    if (!strcmp(argv[1], "--version"))
        return version();
    if (!strcmp(argv[1], "--data"))
        return printf("%s\n", data_dir()) < 0;
    command = find(argv[1]);
    return command ? call(command, argc - 1, argv + 1) : no_command(argv[1]);
}
