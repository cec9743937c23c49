/* SPDX-License-Identifier: Apache-2.0
 *
 * Workloads held against what papers have published of their kernels, and fitted to it: how many CTAs
 * are enough (PS-E4) and the shape of speed over CTAs. Only what a kernel executes and how it uses
 * memory is tuned; launches, machines and controllers are not. doc/use/workloads.md has the method.
 */
#ifndef BALLAST_CALIBRATE_H
#define BALLAST_CALIBRATE_H

#include "gpu/run.h"
#include "kernels/kernel_file.h"
#include "replay/sweep.h"

/* Speed over CTAs. */
enum curve_shape {
    SHAPE_RISES,       /* up to Nmax                             */
    SHAPE_SATURATES,   /* enough before Nmax                     */
    SHAPE_RISES_FALLS, /* slower with Nmax than with fewer       */
    SHAPE_FALLS,       /* the same, and one CTA is enough        */
    SHAPES
};

/* One workload on one machine. */
typedef struct calibration {
    sweep sweep; /* instructions per SM cycle by limit        */
    enum curve_shape shape;
    bool boosted;                  /* the gains below were measured               */
    double sm_gain, memory_gain;   /* speed at Nmax with that clock 15 % faster, in percent more */
    double off;                    /* how far from what is published; 0: agrees   */
} calibration;

/* What the published type and optimum ask for, in `nmax` CTAs. */
typedef struct wanted {
    unsigned least, most;          /* optimum                                     */
    bool falls, keeps;             /* the end of the curve is lower; is not lower */
    double end_least, end_most;    /* speed at Nmax, in percent of the best one   */
    bool gains;                    /* the gains count                             */
    double sm_least, sm_most, memory_least, memory_most;
} wanted;

/* How the sweep is run. */
typedef struct calibrate_options {
    bool on[TARGET_MACHINES];      /* machines to look at, if the file has numbers for them */
    bool whole;                    /* the whole machine to the kernel's end; otherwise: */
    uint64_t cycles;               /* of every run, on a slice of the machine     */
    unsigned jobs;                 /* 0: one per core                             */
    unsigned tries;                /* workloads to try in a search                */
    uint64_t seed;
    void (*progress)(void *user, unsigned tried, double off); /* or NULL         */
    void *user;
} calibrate_options;

calibrate_options calibrate_default(void);

enum curve_shape calibrate_shape(const sweep *s);
const char *calibrate_shape_name(enum curve_shape shape);
wanted calibrate_wanted(const published *p, unsigned nmax);
/* 0 if the measured curve is what is wanted, with a margin; otherwise larger the more it is off. */
double calibrate_off(const wanted *want, const calibration *c);
/* The optimum, shape and gains are those wanted, without any margin. */
bool calibrate_agrees(const wanted *want, const calibration *c);

/* Whether this machine has published numbers and is looked at. */
bool calibrate_takes(const calibrate_options *how, const workload_target *t, unsigned machine);
/* Fills all[i] for the machines it takes. False with err (RUN_ERR bytes), "" when interrupted. */
bool calibrate_measure(const calibrate_options *how, const workload *w, const workload_target *t,
                       calibration all[TARGET_MACHINES], char *err);
/* Tunes *w; `all` is what it gives then. False as above; *w is then as it was. */
bool calibrate_search(const calibrate_options *how, workload *w, const workload_target *t,
                      calibration all[TARGET_MACHINES], char *err);

/* What a search may change and has changed between two workloads, as text; how many (at most `most`). */
unsigned calibrate_changes(const workload *before, const workload *after, workload_setting *settings, unsigned most);

#endif
