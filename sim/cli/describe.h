/* SPDX-License-Identifier: Apache-2.0
 *
 * What a command says of itself to other programs: man pages, completion of words in a shell.
 */
#ifndef BALLAST_DESCRIBE_H
#define BALLAST_DESCRIBE_H

#include "cli/options.h"

typedef struct described {
    const char *name; /* "ballast lockstep" */
    const command_line *line;
    const option_row *const *rows;
    unsigned num_rows;
} described;

/* Set: the next command_parse calls it and ends the program, with EXIT_PASS. */
extern void (*describe)(const described *command);

/* Its man page, section 1. */
void describe_man(const described *command);
/* Its options, one in a line: "--out FILE", "-o FILE". */
void describe_options(const described *command);
/* Text as it stands, for a man page. */
void describe_roff(const char *text);

#endif
