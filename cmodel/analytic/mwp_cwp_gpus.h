/* SPDX-License-Identifier: Apache-2.0
 *
 * mwp_cwp_gpus: the machines and the instruction costs that the thesis prints (Tables 2, 5 and 6; MC-15,
 * HG-A9, HG-A10; Hong, PhD thesis 2012, Chapter II). Inputs of mwp_cwp.h.
 *
 * Errors (mwp_cwp_m_factor): a count that is negative or not finite, no instruction at all, an
 * instruction without a number in the chosen column.
 */
#ifndef BALLAST_MWP_CWP_GPUS_H
#define BALLAST_MWP_CWP_GPUS_H

#include "analytic/mwp_cwp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 8800GTX, FX5600, 8800GT or GTX280, upper and lower case being the same; NULL if there is none of this name. */
const mwp_cwp_gpu *mwp_cwp_gpu_find(const char *name);

/* Where an instruction's M_Factor comes from. */
enum mwp_cwp_m_source {
    MWP_CWP_M_EXPERIMENT, /* Table 6, last column: measured (default)                                  */
    MWP_CWP_M_MANUAL,     /* Table 6, column [M]: by the CUDA manual; integer division, modulo: none   */
    MWP_CWP_M_SENTENCE,   /* the experiment, but integer multiplication 35 and modulo 4.3, the order
                             of the sentence below the table (HG-A9)                                   */
    MWP_CWP_M_SOURCES
};

/* Instructions of one warp by type, memory instructions among `other`. */
typedef struct mwp_cwp_mix {
    double fp_add_mul_mad;
    double int_add;
    double fp_div;
    double int_mul;
    double int_div;
    double int_modulo;
    double other; /* whatever Table 6 does not list: M_Factor 1 */
} mwp_cwp_mix;

/* The mean M_Factor of Eq. 30, over all instructions. On failure *m_factor is not touched. */
bool mwp_cwp_m_factor(const mwp_cwp_mix *mix, enum mwp_cwp_m_source source, double *m_factor,
                      analytic_err *err);

#ifdef __cplusplus
}
#endif
#endif
