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

/* What watches the runs, for feedback: after each cycle of a record's first few and after its last. */
typedef void fuzz_watch_fn(const lockstep_instance *inst);

typedef struct fuzz_block {
    lockstep ls; /* of one instance */
    const block *real;
    uint64_t cycles;      /* of the last run, resets included */
    fuzz_watch_fn *watch; /* or NULL */

    /* The run's own. */
    block_model model; /* the real one, but for who drives the inputs */
    block driven;
    fuzz_fields ports, bus_fields, *fields; /* the last: those of this input */
    bool noise[FUZZ_MAX_FIELDS];
    unsigned density[FUZZ_MAX_FIELDS];
    unsigned num_noise;
    sm_kept bus[FUZZ_MAX_SMS];
    const sm_obs *buses[FUZZ_MAX_SMS];
    uint8_t map[FUZZ_MAX_SMS];
    unsigned slots;
    void *inputs; /* of the block, also across a reset */
    uint64_t random;
    uint64_t budget;
} fuzz_block;

/* One at a time. NULL with one line in err. */
fuzz_block *fuzz_block_open(const char *variant, char *err, size_t err_size);
void fuzz_block_close(fuzz_block *f);

/* False: the twins differ, or an assertion of the RTL has failed. */
bool fuzz_block_run(fuzz_block *f, const uint8_t *data, size_t size);
/* The same closely, for who explains a difference (fuzz/finding.c). */
bool fuzz_block_run_closely(fuzz_block *f, const uint8_t *data, size_t size);
/* The buses of the last cycle, one per SM; NULL when the ports were driven. */
const sm_kept *fuzz_block_bus(const fuzz_block *f);

#endif
