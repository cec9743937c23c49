/* SPDX-License-Identifier: Apache-2.0
 *
 * What the report shows, read from the files of a run. doc/use/report.md says which number is from which file.
 */
#ifndef BALLAST_REPORT_DATA_H
#define BALLAST_REPORT_DATA_H

#include "replay/breakdown.h"
#include "report/run_log.h"

enum {
    DATA_TEXT = 256,
    DATA_POLICIES = 6,
    DATA_RUNS = 8,     /* the policies on SM 0, and the chip in both modes */
    DATA_TRACKS = 2,   /* SM 0: its limit; a chip: levels of SMs and memory */
    DATA_MODEL_LINES = BALLAST_MAX_SLOTS + 1
};

typedef struct data_point {
    uint64_t cycle;
    unsigned value;
} data_point;

typedef struct data_track {
    data_point *points; /* the last one says where the track ends */
    unsigned num;
} data_track;

/* Cycles lost against the oracle by the end of each segment. */
typedef struct data_loss {
    uint64_t cycle;
    double cycles;
} data_loss;

/* How a run is called in the files and on the page. */
typedef struct data_name {
    const char *key, *title;
    bool chip;
    const char *view, *page; /* the block whose view shows its decisions, NULL: none does; the one whose page explains them */
} data_name;

extern const data_name data_names[DATA_RUNS];

typedef struct data_verdict {
    char recording[DATA_TEXT], mode[16], blocks[64], verdict[16], why[512];
    uint64_t sm, cycles, comparisons, limit, converged;
} data_verdict;

typedef struct data_run {
    bool there;
    uint64_t cycles, last_limit, converged, moves;
    /* Of a policy: what it chose, in percent of the fastest recorded limit, and when. */
    uint64_t limit, settled, decided, pass; /* pass over the kernel, from 1; 0: not known */
    double percent;
    /* Of the first launch: cycles over the best fixed limit's, in percent; NAN: nothing is known. Of all launches: the way there. */
    double cost;
    data_loss *losses;
    unsigned num_losses;
    char log_file[DATA_TEXT]; /* "": none */
    data_track track[DATA_TRACKS];
    run_log log;
} data_run;

typedef struct data_model_line {
    uint64_t limit; /* 0: no such line */
    double recorded_ipc, model_ipc, cycles, watts, joules;
} data_model_line;

typedef struct data_kernel {
    char name[DATA_TEXT], words[DATA_TEXT];
    uint64_t nmax, best, model_limit; /* model_limit 0: no prediction */
    breakdown stalls;
    data_run runs[DATA_RUNS];
    data_model_line model[DATA_MODEL_LINES]; /* by limit */
    char category[16];                       /* by the throughput model, "" unknown */
    data_track oracle;                       /* its limit over its own cycles       */
    double oracle_cost;                      /* as that of a run                    */
} data_kernel;

typedef struct report_data {
    const char *dir; /* where it is all from */
    char finished[64], manifest[DATA_TEXT], chip[DATA_TEXT];
    data_verdict *verdicts;
    unsigned num_verdicts, passed;
    data_kernel *kernels;
    unsigned num_kernels;
    bool has_models;
} report_data;

/* False with one line in err; free it also then. */
bool data_read(report_data *d, const char *dir, trace_err *err);
void data_free(report_data *d);

/* For the readers of a run's files: false with what is wrong with a line (0: with the file); an array with room for one more
 * row, all zero, or NULL. */
bool data_fail(trace_err *err, const char *path, unsigned line, const char *what);
void *data_grow(void *rows, unsigned num, size_t size);

/* The fastest recorded limit's instructions per cycle. */
double data_ipc(const data_kernel *k, unsigned limit);
double data_best_ipc(const data_kernel *k);
/* The last cycle that any policy's track reaches, and that of those that never end (0: all end). */
uint64_t data_last_cycle(const data_kernel *k);
uint64_t data_watched(const data_kernel *k);

#endif
