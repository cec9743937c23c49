/* SPDX-License-Identifier: Apache-2.0
 *
 * sm_resources: the CTA slots of an SM, and whether and where the next CTA may go (GWDE-2). How many CTAs an empty
 * SM has room for comes from gwde. One instance per SM, inside gwde. doc/blocks/sm_resources.md; rtl/sm/sm_resources.sv is the twin.
 */
#ifndef BALLAST_SM_RESOURCES_H
#define BALLAST_SM_RESOURCES_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sm_resources_cfg {
    uint32_t num_slots; /* CTA slots, 1..32, default 8                         */
} sm_resources_cfg;

typedef struct sm_resources_in {
    uint32_t cta_done; /* slots whose CTA finishes in this cycle               */
    uint8_t most;      /* CTAs that an empty SM has room for                   */
    uint8_t may;       /* the SM asks for a CTA, and its limit lets one in     */
    uint8_t clear;     /* what the cycle works out does not hold in the next   */
    uint8_t take;      /* a CTA is launched, if the SM is ready                */
    uint8_t pair;      /* CTAs come and go in pairs (BCS-1, BCS-3); then:      */
    uint8_t whole;     /* is there room for a whole pair                       */
} sm_resources_in;

typedef struct sm_resources_out {
    uint32_t active; /* slots whose CTA has not finished before this cycle     */
    uint8_t fits;    /* there is room for an entire CTA, or a whole pair       */
    uint8_t ready;   /* a CTA may come in this cycle,                          */
    uint8_t whole;   /* as the first one of a pair, in pair mode,              */
    uint8_t second;  /* the second one of a pair comes in this cycle,          */
    uint8_t slot;    /* where the pair or the CTA goes                         */
    uint8_t count;   /* slots that are held                                    */
    uint8_t due;     /* a CTA has finished, and what it took comes back        */
} sm_resources_out;

typedef struct sm_resources_state {
    uint32_t held;      /* slots whose CTA holds resources                     */
    uint32_t returning; /* of these, those whose CTA has finished              */
    uint8_t count;      /* slots in `held`                                     */
    uint8_t slot;       /* where the next CTA goes,                            */
    uint8_t ready;      /* if one may come; seen in the cycle before           */
    uint8_t whole;      /* it would be the first one of a pair                 */
    uint8_t second;     /* the first one has come in the cycle before          */
    uint8_t pair;       /* pair mode, where a CTA could come last              */
} sm_resources_state;

sm_resources_cfg sm_resources_cfg_default(void);
void sm_resources_reset(sm_resources_state *state, const sm_resources_cfg *cfg);
/* The outputs of a cycle, which do not depend on `may`, `clear` and `take`. */
void sm_resources_look(const sm_resources_state *state, const sm_resources_cfg *cfg, const sm_resources_in *in,
                       sm_resources_out *out);
/* Outputs for this cycle, then one rising edge. */
void sm_resources_step(sm_resources_state *state, const sm_resources_cfg *cfg, const sm_resources_in *in,
                       sm_resources_out *out);

#ifdef __cplusplus
}
#endif
#endif
