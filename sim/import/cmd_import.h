/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BALLAST_CMD_IMPORT_H
#define BALLAST_CMD_IMPORT_H

/* `ballast import`; argv[0] is "ballast import". Returns the exit status. */
int cmd_import(int argc, char **argv);

#endif
