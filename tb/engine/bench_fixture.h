/* SPDX-License-Identifier: Apache-2.0
 *
 * What the benches of all blocks have in common (engine/bench.h). Test only.
 */
#ifndef BALLAST_BENCH_FIXTURE_H
#define BALLAST_BENCH_FIXTURE_H

#include "engine/dut.h"

/* The block is there, and no assertion of an earlier test is left. */
void bench_open(dut *d, const char *variant, enum lockstep_side side);
/* Fails if an assertion of the RTL has fired, unless registers were overwritten. */
void bench_close(dut *d);
/* Registers and outputs have these values, by full name: "limit_q=3 state_q=StDone done_o=1". */
void bench_expect(const dut *d, const void *out, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
