/* SPDX-License-Identifier: Apache-2.0
 *
 * What the benchmarks share: medians over rounds, and recordings, unpacked in memory (the bus of every cycle, and every block's
 * inputs as the models make them from it) or written for other programs.
 */
#ifndef BALLAST_BENCH_H
#define BALLAST_BENCH_H

#include "cli/options.h"
#include "engine/lockstep.h"
#include "recording/trace.h"

enum { BENCH_MAX_FILES = 64 };

typedef struct bench_stimulus {
    trace_reader *readers[BENCH_MAX_FILES];
    unsigned num_files;
    unsigned sm;
    size_t cycles;
    sm_setup *setups; /* of the buses */
    sm_obs *obs;
    unsigned char *in[LOCKSTEP_MAX_BLOCKS]; /* cycles x in_size */
    size_t in_size[LOCKSTEP_MAX_BLOCKS];
} bench_stimulus;

/* SM 0 of each file, one after the other. free it also after a failure. */
bool bench_stimulus_load(bench_stimulus *s, lockstep *ls, const arguments *files, trace_err *err);
void bench_stimulus_free(bench_stimulus *s);

/* Writes the stimulus for the Icarus bench, and next to it FILE.hash with the checksum of the
 * models' outputs, which that bench must print, too. */
bool bench_stimulus_write_hex(const bench_stimulus *s, lockstep *ls, const char *path, trace_err *err);
/* Writes a recording back as raw 32-byte per-cycle records (doc/use/import_raw.md), so that its size can be compared with what a
 * general compressor makes of those: all SMs, in the order of cycles, cycles in which an SM holds no CTA left out. */
bool bench_write_raw(const char *recording, const char *path, trace_err *err);

/* One kernel's recordings with the reference models alone: the exit status. */
int bench_family(const arguments *files);

enum { BENCH_MAX_ROUNDS = 16 };

typedef struct bench_rounds {
    bool (*run)(void *user, unsigned part); /* does it once; false ends everything  */
    void *user;
    double work;                            /* that each part does, e.g. SM cycles  */
    unsigned parts, rounds;
    double *speed;                          /* [part][round], work per second       */
} bench_rounds;

/* All parts one after the other in each round, so that a change of the machine's speed hits them alike. A round before warms
 * up. */
bool bench_measure(const bench_rounds *b);
double bench_median(const double *values, unsigned n);
/* The median of two parts' ratios, round by round. */
double bench_ratio(const double *of, const double *to, unsigned n);

#endif
