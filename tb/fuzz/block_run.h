/* SPDX-License-Identifier: Apache-2.0
 *
 * One fuzzing input through a block: RTL and model in the lockstep engine, every output and every register compared in
 * every cycle. Runs are deterministic: the same bytes give the same run.
 *
 * An input's first byte chooses what its records (fuzz/decode.h) change: even the input ports, each freely within the
 * contract; odd the observation bus, for a block that reads nothing else but what software sets.
 */
#ifndef BALLAST_FUZZ_BLOCK_RUN_H
#define BALLAST_FUZZ_BLOCK_RUN_H

#include "fuzz/decode.h"

enum { FUZZ_MAX_CYCLES = 8192 }; /* of one input, all SMs together */

typedef struct fuzz_block fuzz_block;

/* What watches the runs, for feedback: after each cycle of a record's first few and after its last. */
typedef void fuzz_watch_fn(const lockstep_instance *inst);

/* One at a time. NULL with one line in err. */
fuzz_block *fuzz_block_open(const char *variant, char *err, size_t err_size);
void fuzz_block_close(fuzz_block *f);
void fuzz_block_watch(fuzz_block *f, fuzz_watch_fn *watch);
/* Counted from a run's last reset. */
bool fuzz_block_inject(fuzz_block *f, const fault *planted, char *err, size_t err_size);

/* False: the twins differ, or an assertion of the RTL has failed. */
bool fuzz_block_run(fuzz_block *f, const uint8_t *data, size_t size);
/* Cycles of that run, resets included. */
uint64_t fuzz_block_cycles(const fuzz_block *f);

/* For who explains a difference (fuzz/finding.c): the same run closely; false as above. */
bool fuzz_block_run_closely(fuzz_block *f, const uint8_t *data, size_t size);
const lockstep *fuzz_block_lockstep(const fuzz_block *f);
const block *fuzz_block_real(const fuzz_block *f);
/* The buses of the last cycle, one per SM; NULL when the ports were driven. */
const sm_kept *fuzz_block_bus(const fuzz_block *f);

#endif
