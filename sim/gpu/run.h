/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole runs of the activity simulator with the C models in its loop: one kernel under one policy,
 * and many of them over the cores of this computer.
 */
#ifndef BALLAST_ACTIVITY_RUN_H
#define BALLAST_ACTIVITY_RUN_H

#include "gpu/governed.h"

enum { RUN_ERR = 512 };

typedef struct run_request {
    workload workload;
    kernel_mix mix;       /* others that run at once with it; without others there is one kernel */
    uint64_t seed;
    uint64_t max_cycles;  /* 0: to the end                                            */
    machine machine;
    int sm_level, mem_level; /* enum ballast_vf_level to hold, or -1: what the governors vote */
    uint8_t policy;       /* enum ballast_policy                                      */
    uint8_t static_limit; /* of BALLAST_POLICY_STATIC, 0: as many as fit              */
    uint8_t mode;         /* enum ballast_vf_mode: of Equalizer                       */
    const own_policy *own; /* a policy of one's own in place of `policy`, or NULL      */
    uint32_t steady;      /* cycles that tell the rate of the CTAs left out (gpu/steady.h), 0: none is */
    bool bcs;             /* CTAs of a 2-D kernel are dispatched in pairs             */
} run_request;

typedef struct run_result {
    bool ok;
    bool finished;          /* not cut off by max_cycles or interrupted                 */
    bool done;              /* SM 0's policy has said that it is done                   */
    char err[RUN_ERR];      /* why it is not ok                                         */
    sim_counts counts;
    uint64_t left_out;      /* cycles of counts.cycles that were not simulated (request.steady) */
    double seconds;         /* that the kernel took on the machine                      */
    double ipc;             /* warp instructions per SM cycle and SM                    */
    unsigned nmax;
    unsigned limit;         /* of SM 0 at the end                                       */
    double mean_limit;      /* over time and SMs                                        */
    double mean_resident;   /* unpaused CTAs with work, over time and SMs               */
    uint64_t settled;       /* the cycle from which on no SM's limit changes; from which all have decided, if they do */
    double classes[4];      /* share of cycles by enum ballast_ps_class, all SMs        */
    uint8_t limits[MACHINE_MAX_SMS]; /* of every SM at the end                          */
    bool decided[MACHINE_MAX_SMS];   /* its policy has said that it is done             */
    sim_kernel_counts kernels[PROGRAM_KERNELS]; /* of each of those that run at once    */
} run_result;

/* The defaults: machine and workload as given, static, Nmax, seed 1, levels voted. */
run_request run_default(const machine *m, const workload *w);
void run_one(const run_request *request, run_result *result);

/* Called when one of many has ended, in any order. */
typedef void (*run_progress)(void *user, unsigned ended, unsigned num);
/* All of them, as many at a time as `jobs` (0: one per core); results[i] is that of requests[i]. False
 * if it was interrupted or a process could not be started: results then have ok = false. */
bool run_many(const run_request *requests, run_result *results, unsigned num, unsigned jobs, run_progress progress,
              void *user);

/* The same, and each result as soon as it is there, unless it was cut off by an interrupt. */
typedef struct run_ends {
    run_progress progress; /* may be NULL */
    void (*result)(void *user, unsigned index, const run_result *result);
    void *user;
} run_ends;

bool run_many_as_they_end(const run_request *requests, run_result *results, unsigned num, unsigned jobs, const run_ends *ends);

#endif
