/* SPDX-License-Identifier: Apache-2.0
 *
 * What a recording says about a kernel, as the analytic models want it: instructions per warp,
 * how often a warp waits for memory and how long a load takes. Averages over the warps that
 * one SM ran in one launch.
 */
#ifndef BALLAST_EXTRACT_H
#define BALLAST_EXTRACT_H

#include <stdio.h>

#include "recording/trace.h"

typedef struct extract_counts {
    double cycles;         /* from the launch's start to the last cycle in which the SM held a CTA */
    double warps;          /* that ran on the SM                                         */
    double alu_insts;      /* per warp: issued, but for memory instructions               */
    double mem_insts;      /* per warp: issued to the load/store unit, whatever the space */
    double mem_waits;      /* per warp: times it waited for a register from memory        */
    double barrier_waits;  /* per warp: times it waited at a barrier                      */
    double wait_cycles;    /* mean length of such a wait for memory                       */
    double load_cycles;    /* mean from a warp's last memory issue to the end of its wait */
} extract_counts;

/* Launch `launch` (an index) on SM `sm` of the recording at `path`. */
bool extract_launch(extract_counts *counts, const char *path, unsigned sm, unsigned launch, trace_err *err);

/* The launch and these counts as the beginning of a kernel profile (kernel_file.h), with remarks on
 * what a recording cannot say. */
void extract_print(FILE *f, const extract_counts *counts, const trace_launch *launch, const char *name);

#endif
