/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernel profiles as text files (sim/analytic/kernels/NAME.kernel): what a kernel asks of an SM and what a
 * warp of it executes. doc/use/analytic.md lists the keys.
 */
#ifndef BALLAST_KERNEL_FILE_H
#define BALLAST_KERNEL_FILE_H

#include <stdbool.h>

#include "analytic/kernel.h"

/* Of all files that read text: room for "FILE:LINE: ...". */
enum { KERNEL_FILE_ERR = 512 };

/* False with one line in err (KERNEL_FILE_ERR bytes). */
bool kernel_file_read(analytic_kernel *kernel, const char *path, char *err);

#endif
