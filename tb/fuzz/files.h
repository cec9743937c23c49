/* SPDX-License-Identifier: Apache-2.0
 *
 * The readers of users' files under fuzzing: any bytes give either a good result or one line that says what is wrong; what
 * else happens is for the sanitizers and libFuzzer's limits to see. Kinds of files:
 *
 *   trace     a recording, its bytes as they are
 *   parts     a recording taken apart (fuzz/trace_parts.h): below its checksums and its compression
 *   import    raw per-cycle records and their two tables, one after the other, 2 bytes of length before each table
 *   import2   the same in version 2 of the raw format
 *   text      the same with records as text
 *   kernel, gpu, workload, manifest   text files
 */
#ifndef BALLAST_FUZZ_FILES_H
#define BALLAST_FUZZ_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fuzz_kind {
    const char *name;
    /* True: the file was good. Does not return when the reader's answer is neither of the two. */
    bool (*read)(const uint8_t *data, size_t size);
} fuzz_kind;

extern const fuzz_kind fuzz_kinds[]; /* ends with a NULL name */

const fuzz_kind *fuzz_kind_find(const char *name);

#endif
