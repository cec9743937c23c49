/* SPDX-License-Identifier: Apache-2.0
 *
 * Energy of a run of the activity simulator: what happened times what it costs, plus what flows
 * away over time, at the voltages that the two clock domains had then.
 *
 *   E = sum over levels of v^2 x (accesses x energy per access)      dynamic
 *     + sum over levels of v x leakage x time                        static, of each domain
 *     + sum over levels of v x current(f) x standby x time           memory in standby
 *     + sum over levels of v^2 x f x clock power x time              clocks of the SMs
 *     + constant power x time                                        the rest
 *
 * v and f are a level's voltage and frequency over the nominal ones: 0.85, 1, 1.15; voltage goes
 * linearly with frequency (Sethia and Mahlke, Equalizer, section V-A.1; EQ-13).
 *
 * Coefficients: Hong, PhD thesis 2012, Table 11 (GTX580), from analytic/ipp_params.h. Its powers
 * are of a unit at access rate 1. Energy per access = power / accesses per second at rate 1:
 *
 *   of an SM   rate 1 is one warp instruction per cycle (Eq. 40, issue interval 1) of the GTX580's
 *              1.544 GHz (Table 10): W / 1.544e9. An access of the L1 is one line.
 *   L2, DRAM   rate 1 is taken as the unit busy all the time, since it can do no more: as many lines
 *              per second as those of machine "fermi", W / (banks x f / interval). 28 W over
 *              177 GB/s is 20 nJ per line of 128 bytes, 20 pJ per bit.
 *
 * The thesis' Spec.Linear curve (section 3.2.4) is not applied: it is fitted to whole kernels'
 * power, and would make an access cost more, the fewer there are.
 *
 *   activation 64 W   as soon as an SM works: the SMs' clocks and leakage. 41.9 W of it leak
 *                     (Equalizer, section V-A.1, for a GPU of this generation), the rest is clocks.
 *   idle 27 W         with no SM at work: memory in standby, board, fan. Nobody separates them; half
 *                     is taken as the memory domain's standby, half as constant.
 *
 * All of these are of 16 SMs; a machine with other or fewer SMs (a slice) has its part of them.
 * What the thermal model says (more leakage in a warm chip) is left out.
 */
#ifndef BALLAST_ENERGY_H
#define BALLAST_ENERGY_H

#include "gpu/chip_sim.h"

typedef struct energy_model {
    double operation[OPERATIONS]; /* J of a warp instruction, without its lines            */
    double l1_line;               /* J of a line looked up in the L1                       */
    double l2_line, dram_line;    /* J of a line through the L2, of one from or to DRAM     */
    double sm_leakage;            /* W per SM at nominal voltage                           */
    double sm_clock;              /* W per SM at nominal voltage and frequency             */
    double memory_standby;        /* W per SM of the machine, at nominal voltage           */
    double rest;                  /* W per SM of the machine, always                       */
} energy_model;

typedef struct energy {
    double sm_dynamic, memory_dynamic; /* J */
    double sm_static;                  /* leakage and clocks */
    double sm_leakage;                 /* of that; so it is in the total already */
    double memory_static, rest;
    double total;
} energy;

/* The GTX580, as above. */
energy_model energy_model_default(void);

/* Of a run on `m`, a whole machine or a slice of it. */
energy energy_of(const energy_model *model, const machine *m, const sim_counts *counts);
/* Its total, J, if registers and shared memory that no CTA holds are power-gated at no cost (CKE-4). `unused` is their part, 0 to
 * 1, in the mean over time. Nobody says how much of an SM's leakage is theirs: all of it here, the most that gating can save. */
double energy_power_gated(const energy *e, double unused);

#endif
