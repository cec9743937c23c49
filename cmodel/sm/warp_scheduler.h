/* SPDX-License-Identifier: Apache-2.0
 *
 * warp_scheduler: which warp issues in a cycle. One instance per scheduler of an SM.
 *
 * Loose round robin, greedy then oldest (GTO-1), two levels (TLV), sequential CTA aware (SCA-1..SCA-4), and the mask of paused
 * warps (PAUSE-1, PAUSE-2, PAUSE-4). doc/blocks/warp_scheduler.md has the rules and every choice the papers leave open;
 * rtl/sm/warp_scheduler.sv is the twin.
 */
#ifndef BALLAST_WARP_SCHEDULER_H
#define BALLAST_WARP_SCHEDULER_H

#include <stdint.h>

#include "common/encodings.h"

#ifdef __cplusplus
extern "C" {
#endif

enum warp_scheduler_policy { WARP_SCHEDULER_LRR, WARP_SCHEDULER_GTO, WARP_SCHEDULER_TLV, WARP_SCHEDULER_SCA };

/* Elaboration parameters. */
typedef struct warp_scheduler_cfg {
    uint32_t num_warps;      /* warp slots, 2..64, default 48                                      */
    uint32_t num_slots;      /* CTA slots of the SM, 1..32, default 8                              */
    uint32_t group_size;     /* TLV: warps of a fetch group, 1..64, default 8                      */
    uint32_t sca_both_stall; /* SCA-A2: a group is left when 0 (default) one warp stalls, 1 both   */
    uint32_t sca_next;       /* SCA-A3: the next group is 0 (default) the next higher, 1 the oldest */
} warp_scheduler_cfg;

typedef struct warp_scheduler_in {
    uint64_t ready;        /* bit w: warp w can issue in this cycle                             */
    uint64_t present;      /* there is a warp in the slot that has not exited                   */
    uint64_t paused;
    uint64_t slot0;        /* bit w of slot<b> is bit b of the number of warp w's CTA slot      */
    uint64_t slot1;
    uint64_t slot2;
    uint64_t slot3;
    uint64_t slot4;
    uint32_t cta_start;    /* CTA slots launched in this cycle                                  */
    uint8_t enable;        /* 0: everything holds, nothing is picked                            */
    uint8_t policy;        /* enum warp_scheduler_policy                                        */
    uint8_t pause_soft;    /* paused warps are picked when no other can be                      */
    uint8_t warps_per_cta; /* SCA: from a warp to its partner in the other CTA of a pair        */
} warp_scheduler_in;

/* The warps of each CTA slot, as sets: what slot0 to slot4 say, for who steps often while they stay. */
typedef struct warp_scheduler_slots {
    uint64_t known;                 /* warps of any slot that the SM has */
    uint64_t of[BALLAST_MAX_SLOTS]; /* by slot; num_slots of them count  */
} warp_scheduler_slots;

typedef struct warp_scheduler_out {
    uint8_t pick; /* a warp is picked */
    uint8_t warp; /* which one, or 0  */
} warp_scheduler_out;

typedef struct warp_scheduler_state {
    uint8_t last; /* the warp that was picked last                */
    uint8_t hold; /* it was picked in the last enabled cycle      */
    uint32_t older[BALLAST_MAX_SLOTS]; /* bit j of row i, i < j: the CTA of slot i is older than
                                          that of slot j; all other bits are 0 */
} warp_scheduler_state;

warp_scheduler_cfg warp_scheduler_cfg_default(void);
/* What software sets is at its default, everything else is 0. */
warp_scheduler_in warp_scheduler_in_default(void);
void warp_scheduler_reset(warp_scheduler_state *state, const warp_scheduler_cfg *cfg);
/* Outputs for this cycle, then one rising edge. */
void warp_scheduler_step(warp_scheduler_state *state, const warp_scheduler_cfg *cfg, const warp_scheduler_in *in,
                         warp_scheduler_out *out);
/* The same in two: the inputs slot0 to slot4 first, which change only with a launch, then the cycle. */
void warp_scheduler_sort(const warp_scheduler_cfg *cfg, const warp_scheduler_in *in, warp_scheduler_slots *slots);
void warp_scheduler_step_sorted(warp_scheduler_state *state, const warp_scheduler_cfg *cfg, const warp_scheduler_in *in,
                                const warp_scheduler_slots *slots, warp_scheduler_out *out);

#ifdef __cplusplus
}
#endif
#endif
