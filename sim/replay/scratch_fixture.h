/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests: a folder of their own for the recordings that they write.
 */
#ifndef BALLAST_SCRATCH_FIXTURE_H
#define BALLAST_SCRATCH_FIXTURE_H

#include <stddef.h>

/* Below TMPDIR (/tmp without it); its path to `dir`. */
void scratch_make(char *dir, size_t size);
/* With all the files in it; 0 if that went well. */
int scratch_remove(const char *path);

#endif
