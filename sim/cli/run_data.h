/* SPDX-License-Identifier: Apache-2.0
 *
 * What 'ballast run' leaves for its report, beside verdicts.csv, policies.csv and model.csv: kernels.csv, runs.csv,
 * regret.csv, stalls.csv, recordings.csv, the tracks, and run.json, which comes last and says that all others are there. doc/use/report.md
 */
#ifndef BALLAST_RUN_DATA_H
#define BALLAST_RUN_DATA_H

#include "cli/manifest.h"
#include "cli/policies.h"

enum { RUN_DATA_PATH = 4300 };

/* A file of the run; path (RUN_DATA_PATH bytes) is DIR/NAME. Both with a line on stderr if it cannot be written. */
FILE *run_data_open(char *path, const char *dir, const char *name);
bool run_data_close(FILE *f, const char *path);

/* All false with one line on stderr. */
bool run_data_kernels(const char *dir, const policies_kernel *kernels, unsigned num);
/* DIR/KERNEL.regret.csv: what each policy had lost in which cycle. */
bool run_data_regret(const char *dir, const char *kernel, const policy_outcome *policies, const char *const *names, unsigned num);
/* recordings.csv: what was replayed, with digests. */
bool run_data_recordings(const char *dir, const manifest *m);
/* run.json; the replays took so many seconds. */
bool run_data_end(const char *dir, const char *manifest_path, double seconds);

#endif
