/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast sim --with: the options for kernels that run at once, the quotas that they get, and what became of each.
 */
#ifndef BALLAST_SIM_MIX_H
#define BALLAST_SIM_MIX_H

#include <argp.h>
#include <stdio.h>

#include "gpu/run.h"

typedef struct sim_mix {
    const char *with[MIX_OTHERS]; /* kernel files beside the first one */
    unsigned num_with;
    unsigned mode;                /* MCKE_*                             */
    unsigned num_quotas;          /* 0: none                            */
    uint8_t quotas[PROGRAM_KERNELS]; /* of all SMs                      */
    bool lcs;                     /* quotas are what LCS chose for each kernel alone */
} sim_mix;

extern const char *const sim_mix_modes[]; /* by enum mcke_mode; NULL ends them */

/* --with and --quota; member is the sim_mix. */
void sim_mix_take_with(void *member, char *arg, const struct argp_state *state);
void sim_mix_take_quota(void *member, char *list, const struct argp_state *state);

/* Fills the mix of a request that has machine and workload, and checks it. With LCS each kernel runs alone before. False with one line
 * in err ("": Ctrl-C). */
bool sim_mix_prepare(const sim_mix *options, run_request *request, char *err);

/* "KMN + SRAD" */
enum { SIM_MIX_NAME = PROGRAM_KERNELS * (WORKLOAD_NAME + 3) };
const char *sim_mix_name(char name[SIM_MIX_NAME], const run_request *request);
/* A line per kernel. */
void sim_mix_print(FILE *f, const run_request *request, const run_result *result);
void sim_mix_csv(FILE *f, const run_request *request, const run_result *result, const char *side);

#endif
