/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of a command as data: a row says what an option is called and where its value goes.
 */
#ifndef BALLAST_OPTIONS_H
#define BALLAST_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct option_row {
    const char *name;
    int letter;               /* of the short option, or 0                                          */
    const char *arg, *doc;    /* without arg: a flag; doc without name: a heading                   */
    size_t at, size;          /* the member of the command: bool, text, or a number of this size    */
    uint64_t least, most;     /* of a number                                                        */
    const char *const *names; /* the number is the index of one of these; NULL ends them            */
    void (*take)(void *member, char *arg, const struct argp_state *state); /* it is something else  */
} option_row;

#define MEMBER(type, member) .at = offsetof(type, member)
#define NUMBER(type, member, from, to) MEMBER(type, member), .size = sizeof(((type *)0)->member), .least = (from), .most = (to)
#define CHOICE(type, member, texts) NUMBER(type, member, 0, 0), .names = (texts)

/* What is on the command line beside options. */
typedef struct arguments {
    const char *const *file;
    unsigned num;
    uint64_t given; /* bit r: row r was given */
} arguments;

typedef struct command_line {
    const option_row *rows;    /* a row without anything ends them                                               */
    bool replays;              /* has the options of a replay, too: the command begins with a replay_options     */
    const char *args_doc, *doc;
    const char *file, *example; /* what it works on, and a name of such; NULL: on nothing                         */
    unsigned most;             /* of these; 0: any number                                                        */
    bool may_lack;             /* it also works on none                                                          */
    const char *examples[3];   /* whole lines, without the command's name "ballast"                              */
    /* What cannot go together; it may take arguments off the front. */
    void (*check)(void *command, arguments *given, const struct argp_state *state);
} command_line;

/* Fills `command`. Ends the program with one line and EXIT_USAGE if the words make no sense. */
arguments command_parse(const command_line *line, int argc, char **argv, void *command);

/* An option's number; ends the program with one line when `text` is none from least to most. */
uint64_t option_number(const struct argp_state *state, const char *option, const char *text, uint64_t least, uint64_t most);

#endif
