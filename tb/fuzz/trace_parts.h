/* SPDX-License-Identifier: Apache-2.0
 *
 * A recording taken apart: header, frames with unpacked streams, index, without checksums. Put together again all
 * checksums, lengths and packed sizes fit, so that whatever a fuzzer writes into the parts gets as far into the reader as
 * the parts themselves let it. The reader is the shipped one. In bytes, numbers little-endian:
 *
 *   u16 n, header (n bytes, up to its checksum), then per frame
 *   u8 flags, frame header (its fixed bytes and one per warp), per stream u16 n and n bytes
 *     flags bit i: stream i is as long as the header claims, not as it is; bit 7: the last frame
 *   then u16 place, u8 mask until the end: exclusive-or with bytes of the index
 *
 * Where the bytes end early, zeros follow.
 */
#ifndef BALLAST_FUZZ_TRACE_PARTS_H
#define BALLAST_FUZZ_TRACE_PARTS_H

#include "recording/bytes.h"

/* The file of these parts. */
void trace_parts_join(bytes *file, const uint8_t *parts, size_t size);
/* The parts of a recording that is in order; false: it is not, or has a part of more than 64 KiB. */
bool trace_parts_split(bytes *parts, const uint8_t *file, size_t size);

#endif
