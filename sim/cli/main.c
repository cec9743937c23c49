/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast: dispatches to the subcommands.
 */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/streams.h"

static const struct {
    const char *name;
    int (*function)(int argc, char **argv);
    const char *help;
} commands[] = {
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
    fprintf(out, "\n'ballast COMMAND --help' lists its options. Exit status: 0 all is well, 1 model and RTL differ,\n"
                 "2 usage, 3 bad input, 130 interrupted.\n");
    return status;
}

int main(int argc, char **argv)
{
    char name[64];

    streams_begin();
    if (argc < 2)
        return usage(stderr, EXIT_USAGE);
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "help"))
        return usage(stdout, EXIT_PASS);
    for (int i = 0; i < NUM_COMMANDS; i++) {
        if (strcmp(argv[1], commands[i].name) != 0)
            continue;
        snprintf(name, sizeof name, "ballast %s", argv[1]);
        argv[1] = name;
        return commands[i].function(argc - 1, argv + 1);
    }
    fprintf(stderr, "ballast: no command '%s'; 'ballast help' lists them\n", argv[1]);
    return EXIT_USAGE;
}
