/* SPDX-License-Identifier: Apache-2.0
 *
 * bcs: what the next CTA of a grid is to block CTA scheduling: the first one of a pair, the second one, or one
 * that goes alone (BCS-1, BCS-2, BCS-A1, BCS-A2, BCS-A4). A part of gwde. doc/blocks/bcs.md has the rules;
 * rtl/chip/bcs.sv is the twin.
 */
#ifndef BALLAST_BCS_H
#define BALLAST_BCS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum bcs_wrap { BCS_PER_ROW = 0, BCS_LINEAR = 1 }; /* BCS-A1 */

typedef struct bcs_cfg {
    uint32_t pair_row_wrap; /* BCS_LINEAR (default) or BCS_PER_ROW             */
} bcs_cfg;

typedef struct bcs_in {
    uint32_t width; /* of a kernel that starts: CTAs in a row of its grid      */
    uint8_t start;  /* a kernel starts                                         */
    uint8_t pairs;  /* its CTAs go in pairs                                    */
    uint8_t last;   /* the next CTA is the last one of the grid                */
    uint8_t take;   /* the next CTA is chosen                                  */
    uint8_t alone;  /* and goes alone, though it could open a pair             */
} bcs_in;

typedef struct bcs_out {
    uint8_t on;     /* CTAs go in pairs; then the next one                     */
    uint8_t first;  /* may open a pair                                         */
    uint8_t second; /* is the second one of a pair                             */
    uint8_t alone;  /* goes alone                                              */
} bcs_out;

typedef struct bcs_state {
    uint32_t row;   /* CTAs that are left of the row                           */
    uint32_t width; /* CTAs of a row                                           */
    uint8_t on;     /* CTAs go in pairs                                        */
    uint8_t odd;    /* the next CTA has an odd place                           */
    uint8_t split;  /* the CTA before it went alone                            */
} bcs_state;

bcs_cfg bcs_cfg_default(void);
void bcs_reset(bcs_state *state, const bcs_cfg *cfg);
/* The outputs of a cycle, which hang on `last` alone. */
void bcs_look(const bcs_state *state, const bcs_cfg *cfg, const bcs_in *in, bcs_out *out);
/* Outputs for this cycle, then one rising edge. */
void bcs_step(bcs_state *state, const bcs_cfg *cfg, const bcs_in *in, bcs_out *out);

#ifdef __cplusplus
}
#endif
#endif
