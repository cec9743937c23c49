/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes as a file with a path, in memory only: readers open their files by name.
 */
#ifndef BALLAST_FUZZ_MEMORY_FILE_H
#define BALLAST_FUZZ_MEMORY_FILE_H

#include <stddef.h>
#include <stdint.h>

enum { MEMORY_FILES = 3, MEMORY_PATH = 64 };

/* The path of file `number` (0 .. MEMORY_FILES - 1) with these bytes. Ends the program when the system has none to give. */
const char *memory_file(unsigned number, const uint8_t *data, size_t size);

#endif
