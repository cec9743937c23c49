/* SPDX-License-Identifier: Apache-2.0
 *
 * sm_governor: the five policies of one SM (static, Perf-Sat, LCS, Equalizer, DYNCTA), one of
 * them in force, and what they share: pausing, the request for CTAs, the votes. doc/blocks/sm_governor.md
 * says how they hang together; rtl/sm/sm_governor.sv is the twin.
 */
#ifndef BALLAST_SM_GOVERNOR_H
#define BALLAST_SM_GOVERNOR_H

#include "common/encodings.h"
#include "sm/cta_throttle.h"
#include "sm/dyncta.h"
#include "sm/eq_counters.h"
#include "sm/eq_decision.h"
#include "sm/lcs.h"
#include "sm/perfsat.h"
#include "sm/stall_classifier.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Elaboration parameters: the geometry, and those of the blocks inside, which
 * sm_governor_cfg_derive fits to the geometry. */
typedef struct sm_governor_cfg {
    uint32_t num_warps;   /* 1..64, default 48              */
    uint32_t num_slots;   /* CTA slots, 2..32, default 8    */
    uint32_t issue_width; /* 1..8, default 2                */
    uint32_t count_w;     /* of perfsat, default 32         */
    stall_classifier_cfg classifier;
    perfsat_cfg perfsat;
    lcs_cfg lcs;
    eq_counters_cfg counters;
    eq_decision_cfg decision;
    cta_throttle_cfg throttle;
    dyncta_cfg dyncta;
} sm_governor_cfg;

typedef struct sm_governor_in {
    uint64_t ws0, ws1, ws2, ws3; /* bit planes of the warp states                          */
    uint64_t paused;             /* paused warps                                           */
    uint64_t issue_slot;         /* CTA slot of lane i: bits [i * SlotW +: SlotW]          */
    uint32_t cta_start;          /* CTA slots launched in this cycle                       */
    uint32_t cta_done;           /* CTA slots finishing in this cycle                      */
    uint32_t cta_active;         /* CTA slots that hold a CTA at any time in this cycle    */
    uint32_t t_idle, t_mem_l, t_mem_h; /* thresholds of dyncta, cycles                     */
    uint8_t issue_valid;         /* bit i: lane i issued a warp instruction                */
    uint8_t kernel_start;        /* a kernel starts in this cycle, nmax is valid           */
    uint8_t nmax;                /* its resource limit                                     */
    uint8_t wcta;                /* its warps per CTA, as long as it runs                  */
    uint8_t cta_denied;          /* the dispatcher refuses this SM's request               */
    uint8_t policy;              /* enum ballast_policy, for the next kernel               */
    uint8_t static_limit;        /* of BALLAST_POLICY_STATIC; 0 or more than nmax: nmax    */
    uint8_t scout_limit;         /* of BALLAST_POLICY_SCOUT; 0 or more than nmax: nmax     */
    uint8_t scout_done;          /* the search outside has decided                         */
    uint8_t lcs_listen;          /* T_new comes from the broadcast                         */
    uint8_t lcs_bcast_valid;
    uint8_t lcs_bcast_limit;
} sm_governor_in;

typedef struct sm_governor_out {
    uint32_t cta_paused; /* paused CTA slots                                               */
    uint8_t limit;       /* how many CTAs the SM may run                                   */
    uint8_t pause_soft;  /* paused warps come last instead of not at all                   */
    uint8_t req;         /* the SM asks the dispatcher for a CTA                           */
    uint8_t done;        /* the policy has decided for this kernel                         */
    uint8_t epoch;       /* an epoch has ended: comp and mem are this SM's votes           */
    uint8_t comp, mem;
    uint8_t t_new_valid; /* lcs has just computed T_new                                    */
    uint8_t t_new;
} sm_governor_out;

typedef struct sm_governor_state {
    stall_classifier_state classifier;
    perfsat_state perfsat;
    lcs_state lcs;
    eq_counters_state counters;
    cta_throttle_state throttle;
    dyncta_state dyncta;
    uint8_t policy;    /* in force, enum ballast_policy               */
    uint8_t fixed;     /* the static policy's limit of this kernel, Nmax under scout */
} sm_governor_state;

/* What goes on between the blocks in one cycle. */
typedef struct sm_governor_inner {
    stall_classifier_out classes;
    struct {
        perfsat_in in;
        perfsat_out out;
    } perfsat;
    struct {
        lcs_in in;
        lcs_out out;
    } lcs;
    struct {
        eq_counters_in in;
        eq_counters_out out;
    } counters;
    eq_decision_out decision;
    struct {
        dyncta_in in;
        dyncta_out out;
    } dyncta;
    struct {
        cta_throttle_in in;
        cta_throttle_out out;
    } throttle;
} sm_governor_inner;

sm_governor_cfg sm_governor_cfg_default(void);
/* What software sets is at its default, everything else is 0. */
sm_governor_in sm_governor_in_default(void);
/* After the geometry or a block's parameter was changed. */
void sm_governor_cfg_derive(sm_governor_cfg *cfg);
void sm_governor_reset(sm_governor_state *state, const sm_governor_cfg *cfg);
/* Outputs for this cycle, then one rising edge. */
void sm_governor_step(sm_governor_state *state, const sm_governor_cfg *cfg, const sm_governor_in *in,
                      sm_governor_out *out);
/* The same, and shows what went on inside. */
void sm_governor_step_inner(sm_governor_state *state, const sm_governor_cfg *cfg, const sm_governor_in *in,
                            sm_governor_out *out, sm_governor_inner *inner);

#ifdef __cplusplus
}
#endif
#endif
