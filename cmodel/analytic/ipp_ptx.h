/* SPDX-License-Identifier: Apache-2.0
 *
 * ipp_ptx: Table 7, which component a PTX instruction accesses, and Eq. 41 (IPP-6): accesses per
 * warp and component from instructions per warp.
 *
 * Source: Hong, PhD thesis 2012, section 3.2.2. All instructions access FDS, nearly all the
 * register file (option reg_all).
 */
#ifndef BALLAST_ANALYTIC_IPP_PTX_H
#define BALLAST_ANALYTIC_IPP_PTX_H

#include <stddef.h>

#include "analytic/ipp_options.h"
#include "analytic/ipp_params.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ipp_ptx {
    const char *name;        /* as in Table 7: "add_int", "sin_fp", "xor", "ld_global", "tex"    */
    enum ipp_component unit; /* IPP_FDS for "other": what is in no row accesses FDS and no more  */
    bool reg;                /* stands in the row of the register file                           */
} ipp_ptx;

typedef struct ipp_inst_count {
    const char *name; /* of Table 7, or "other"                    */
    double per_warp;  /* dynamic instructions of one warp          */
} ipp_inst_count;

/* A row; NULL if the name is not in the table. */
const ipp_ptx *ipp_ptx_find(const char *name);

/* Eq. 41: DAC of every component. A name may come more than once; an unknown one is refused. */
bool ipp_ptx_accesses(const ipp_inst_count *counts, size_t num, const ipp_options *options,
                      double accesses[IPP_COMPONENTS], analytic_err *err);

#ifdef __cplusplus
}
#endif
#endif
