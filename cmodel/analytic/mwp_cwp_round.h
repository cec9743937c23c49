/* SPDX-License-Identifier: Apache-2.0
 *
 * mwp_cwp_round: one round of warps on one SM. From the parallelism of memory (MWP) and the length of
 * computation and memory periods to CWP, the case and the cycles (MC-1..4, MC-8, MC-18..20; Hong, PhD
 * thesis 2012, Chapter II, Eqs. 1 to 4, 8, 9, 21 to 23; the scenarios of Figs. 6 to 9). mwp_cwp.h is the
 * whole model; this is the part of it that can be checked with a pencil. doc/papers/mwp_cwp.md has the equations.
 *
 *     const mwp_cwp_round fig_6a = {.n = 8, .mwp = 2, .mem_insts = 1,
 *                                   .comp_cycles = 1, .mem_cycles = 3, .mem_l = 3};
 *     mwp_cwp_round_compute(&fig_6a, NULL, &r, &err); // r.eq1 is 14: 2 computation + 4 memory periods
 *
 * Errors: a number that is not finite and greater than 0, a result that no double holds. One round is
 * #Rep = 1; nothing here knows of blocks, bandwidth or barriers.
 */
#ifndef BALLAST_MWP_CWP_ROUND_H
#define BALLAST_MWP_CWP_ROUND_H

#include "analytic/check.h"

#ifdef __cplusplus
extern "C" {
#endif

enum mwp_cwp_case {
    MWP_CWP_NO_MEMORY = 0, /* no memory instruction: computation only (HG-A4)                */
    MWP_CWP_CASE_1 = 1,    /* too few warps to use what the machine could overlap            */
    MWP_CWP_CASE_2 = 2,    /* memory decides                                                 */
    MWP_CWP_CASE_3 = 3     /* computation decides                                            */
};

/* The readings. A NULL pointer to them means mwp_cwp_options_default(). */
typedef struct mwp_cwp_options {
    bool case2_comp_or;    /* Case 2 as printed: CWP >= MWP *or Comp_cycles > Mem_cycles*. false: CWP >= MWP
                              only, as Fig. 8 and the text have it (HG-A2). Default true                   */
    bool eq1;              /* Case 2 takes Eq. 1 (Comp_p x MWP, Fig. 6) instead of Eq. 22 (HG-A1). Default
                              false                                                                        */
    bool issue_floor;      /* no time below Comp_cycles x N x #Rep: an SM cannot issue faster. Not in the
                              thesis; both readings of Case 2 can fall below it. Default false             */
    bool rep_ceil;         /* #Rep of Eq. 20 rounded up to whole rounds (HG-A3). Default false             */
    bool coal_departure;   /* Eq. 13 with Departure_del_coal. false: Mem_LD alone, as in the ISCA'09 paper
                              (HG-A7). Default true                                                        */
    bool use_npw;          /* Eq. 29: with few warps, N_pw instead of N bounds MWP. Default false          */
    bool npw_literal;      /* Eq. 28 as printed. false: with #Mem_req above the line (HG-A5). Default
                              false                                                                        */
    bool npw_case_literal; /* MWP > N (only by use_npw) is not Case 1, so Eq. 23 gives the cycles. false:
                              it is, by Eq. 4. Default false                                               */
} mwp_cwp_options;

typedef struct mwp_cwp_round {
    double n;           /* warps running on the SM                                      */
    double mwp;         /* warps that access memory at the same time, after Eq. 5 or 29 */
    double mem_insts;   /* #Mem_insts: memory periods of one warp                       */
    double comp_cycles; /* cycles: all computation periods of one warp                  */
    double mem_cycles;  /* cycles: all memory periods of one warp                       */
    double mem_l;       /* cycles: Mem_L of Eq. 23, one memory period                   */
} mwp_cwp_round;

typedef struct mwp_cwp_round_result {
    double comp_p;   /* cycles: Eq. 2, one computation period                    */
    double mem_p;    /* cycles: Mem_cycles / #Mem_insts, one memory period       */
    double cwp_full; /* Eq. 8                                                    */
    double cwp;      /* Eq. 9                                                    */
    double eq1, eq3, eq4, eq21, eq22, eq23; /* cycles: what each equation gives  */
    double cycles;   /* of the round: the equation that the case calls for       */
    enum mwp_cwp_case case_number;
    int equation;    /* the number of that equation: 1, 4, 21, 22 or 23          */
} mwp_cwp_round_result;

/* As the thesis prints it, without N_pw. */
mwp_cwp_options mwp_cwp_options_default(void);
/* For decisions: case2_comp_or off and issue_floor on, else the default. */
mwp_cwp_options mwp_cwp_options_for_decisions(void);

/* Which case holds depends on ties (MWP = N, CWP = N, CWP = MWP), and each side is a quotient of sums that were rounded: at most a dozen
 * roundings of 2^-53 each. Values that differ by less than this part are the same number. */
#define MWP_CWP_TIE 1e-12
double mwp_cwp_tie(double value, double other);

/* On failure *out is not touched. Of the options it knows case2_comp_or, eq1 and npw_case_literal. */
bool mwp_cwp_round_compute(const mwp_cwp_round *in, const mwp_cwp_options *options,
                           mwp_cwp_round_result *out, analytic_err *err);

#ifdef __cplusplus
}
#endif
#endif
