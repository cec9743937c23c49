/* SPDX-License-Identifier: Apache-2.0
 *
 * Words of a command line that a user pastes into a shell.
 */
#ifndef BALLAST_PASTE_H
#define BALLAST_PASTE_H

#include <stdio.h>

/* A space, then a word and its suffix as one word, in quotes only if the shell needs them. */
void paste_word(FILE *out, const char *word, const char *suffix);

#endif
