/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BALLAST_CMD_INFO_H
#define BALLAST_CMD_INFO_H

/* `ballast info`; argv[0] is "ballast info". Returns the exit status. */
int cmd_info(int argc, char **argv);

#endif
