/* SPDX-License-Identifier: Apache-2.0
 *
 * GPUs by name, or as text files that say in which values they differ from one that is built in.
 * doc/use/analytic.md lists the keys.
 */
#ifndef BALLAST_GPU_FILE_H
#define BALLAST_GPU_FILE_H

#include "analytic/gpus.h"

enum { GPU_FILE_ERR = 512 };

/* `what`: a built-in GPU's name, or the path of a file. False with one line in err (GPU_FILE_ERR bytes). */
bool gpu_file_find(analytic_gpu *gpu, const char *what, char *err);

#endif
