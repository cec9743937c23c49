/* SPDX-License-Identifier: Apache-2.0
 *
 * sm_resources: what the CTAs of an SM hold of its slots, warps, registers and shared memory (GWDE-2).
 * One instance per SM, inside gwde. doc/blocks/sm_resources.md; rtl/sm/sm_resources.sv is the twin.
 */
#ifndef BALLAST_SM_RESOURCES_H
#define BALLAST_SM_RESOURCES_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SM_RESOURCES_MAX_UNITS 65534u

/* Elaboration parameters: what the SM has. */
typedef struct sm_resources_cfg {
    uint32_t num_slots;  /* CTA slots, 1..32, default 8                        */
    uint32_t num_warps;  /* 1..64, default 48                                  */
    uint32_t reg_units;  /* 1..65534, default 1024                             */
    uint32_t smem_units; /* 1..65534, default 384                              */
} sm_resources_cfg;

typedef struct sm_resources_in {
    uint32_t cta_done; /* slots whose CTA finishes in this cycle               */
    uint16_t regs;     /* what one CTA needs: register units,                  */
    uint16_t smem;     /* shared memory units,                                 */
    uint8_t warps;     /* warps                                                */
    uint8_t take;      /* a CTA is launched, if it fits                        */
    uint8_t pair;      /* CTAs come and go in pairs (BCS-1, BCS-3); then:      */
    uint8_t whole;     /* is there room for a whole pair                       */
    uint8_t second;    /* the CTA is the second one of a pair,                 */
    uint8_t first;     /* of which the first one is in this slot               */
} sm_resources_in;

typedef struct sm_resources_out {
    uint32_t active; /* slots whose CTA has not finished before this cycle     */
    uint8_t fits;    /* an entire CTA fits                                     */
    uint8_t slot;    /* where it goes, 0 if there is no slot for it            */
    uint8_t count;   /* slots that are held                                    */
    uint8_t due;     /* a CTA has finished, and what it took comes back        */
} sm_resources_out;

typedef struct sm_resources_state {
    uint32_t held;      /* slots whose CTA holds resources                     */
    uint32_t returning; /* of these, those whose CTA has finished              */
    uint16_t regs;      /* free register units                                 */
    uint16_t smem;      /* free shared memory units                            */
    uint8_t warps;      /* free warps                                          */
    uint8_t count;      /* slots in `held`                                     */
} sm_resources_state;

sm_resources_cfg sm_resources_cfg_default(void);
void sm_resources_reset(sm_resources_state *state, const sm_resources_cfg *cfg);
/* The outputs of a cycle, which do not depend on `take`. */
void sm_resources_look(const sm_resources_state *state, const sm_resources_cfg *cfg, const sm_resources_in *in,
                       sm_resources_out *out);
/* Outputs for this cycle, then one rising edge. */
void sm_resources_step(sm_resources_state *state, const sm_resources_cfg *cfg, const sm_resources_in *in,
                       sm_resources_out *out);

#ifdef __cplusplus
}
#endif
#endif
