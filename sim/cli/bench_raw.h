/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a recording back as raw 32-byte per-cycle records (doc/use/import_raw.md), so that its size
 * can be compared with what a general compressor makes of those.
 */
#ifndef BALLAST_BENCH_RAW_H
#define BALLAST_BENCH_RAW_H

#include "recording/trace.h"

/* All SMs, in the order of cycles, cycles in which an SM holds no CTA left out: as a simulator
 * writes them. */
bool bench_write_raw(const char *recording, const char *path, trace_err *err);

#endif
