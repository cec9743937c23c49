/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast analytic: what its actions work with.
 */
#ifndef BALLAST_CMD_ANALYTIC_H
#define BALLAST_CMD_ANALYTIC_H

#include "analytic/oracle.h"
#include "analytic/switches.h"
#include "cli/options.h"
#include "gpu/machine.h"

typedef struct analytic_command {
    analytic_gpu gpu;
    model_switches switches;
    bool csv;
    const char *plot;     /* an SVG file, or NULL                                  */
    const char *kernels;  /* the folder of the profiles                            */
    const char *policies; /* a policies.csv of an earlier 'ballast run', or NULL    */
    unsigned launch;      /* from 1                                                */
    unsigned sm, sms, jobs;
    const machine *machine;
    const struct analytic_action *action;
    arguments files;
} analytic_command;

/* Of both actions below: predictions beside what was measured. The exit status. */
int analytic_print(const analytic_command *command, const oracle *const *all, unsigned num);
/* Both print to stdout; an exit status. */
/* Every kernel of a manifest, predicted and recorded, with the limits that the policies chose. */
int analytic_compare(analytic_command *command);
/* Kernels of the activity simulator, predicted, simulated at every CTA limit, and under every policy with the C models in the
 * loop. */
int analytic_simulate(analytic_command *command);

#endif
