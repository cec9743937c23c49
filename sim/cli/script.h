/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands whose work a script in Python does, and the stores of sweeps, which scripts read.
 */
#ifndef BALLAST_SCRIPT_H
#define BALLAST_SCRIPT_H

#include "cli/options.h"

/* The script with the name of this command, this program and the command's words, in place of this program. Returns only if that cannot be. */
int become_script(const char *script, int argc, char **argv);
/* A store of sweeps: a file of SQLite's. */
bool is_store(const char *path);
/* One of the files is a store: then all of them are to be. */
bool names_store(const arguments *given);

#endif
