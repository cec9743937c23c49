/* SPDX-License-Identifier: Apache-2.0
 *
 * lcs: lazy CTA scheduling (LCS-1..LCS-8). One instance per SM.
 *
 * It counts the instructions of every CTA until the first CTA finishes, and then limits the
 * SM to T_new = sum / maximum of these counts (Eq. 1) for the rest of the kernel. doc/blocks/lcs.md
 * has the rules and every choice the paper leaves open; rtl/sm/lcs.sv is the twin.
 */
#ifndef BALLAST_LCS_H
#define BALLAST_LCS_H

#include <stdint.h>

#include "common/encodings.h"
#include "common/slot_parts.h"

#ifdef __cplusplus
extern "C" {
#endif

enum lcs_fsm {
    LCS_ST_IDLE = 0,     /* no kernel                                                   */
    LCS_ST_MONITOR = 1,  /* T_max CTAs run, their instructions are counted (LCS-1)      */
    LCS_ST_GATHER = 2,   /* sum and maximum of the counts, one slot per cycle           */
    LCS_ST_DIVIDE = 3,   /* how often the maximum goes into the sum, once per cycle     */
    LCS_ST_THROTTLE = 4, /* T_new is known, more CTAs than that are still active        */
    LCS_ST_LAZY = 5      /* T_new CTAs at most, until the next kernel (LCS-4)           */
};

/* How Eq. 1 gets rid of the fraction (LCS-A1). */
enum { LCS_ROUND_FLOOR = 0, LCS_ROUND_CEIL = 1, LCS_ROUND_NEAREST = 2 };
/* What becomes of the CTAs above the limit (LCS-A6). */
enum { LCS_THROTTLE_DRAIN = 0, LCS_THROTTLE_PAUSE = 1 };

typedef struct lcs_cfg {
    uint32_t num_slots;   /* CTA slots of the SM, 2..32                          */
    uint32_t issue_width; /* lanes, 1..8, default 2                              */
    uint32_t count_w;     /* width of an instruction count, 5..32, default 20    */
    uint32_t round_mode;  /* LCS_ROUND_*, default LCS_ROUND_FLOOR                */
    uint32_t throttle;    /* LCS_THROTTLE_*, default LCS_THROTTLE_DRAIN          */
} lcs_cfg;

typedef struct lcs_in {
    uint64_t issue_slot;  /* CTA slot of lane i: bits [i * SlotW +: SlotW]         */
    uint32_t cta_done;    /* CTA slots finishing in this cycle                     */
    uint32_t cta_active;  /* CTA slots resident and not paused in this cycle       */
    uint8_t enable;       /* 0: hold everything                                    */
    uint8_t kernel_start; /* a kernel starts in this cycle, nmax is valid          */
    uint8_t nmax;         /* its resource limit T_max, 0..num_slots                */
    uint8_t issue_valid;  /* bit i: lane i issued a warp instruction               */
    uint8_t listen;       /* take T_new from the broadcast, do not measure (LCS-A5) */
    uint8_t bcast_valid;  /* the measuring SM says its T_new in this cycle         */
    uint8_t bcast_limit;  /* that T_new                                            */
} lcs_in;

typedef struct lcs_out {
    uint8_t limit;       /* how many CTAs the SM may hold                          */
    uint8_t pause;       /* CTAs above the limit shall be paused (throttle = 1)    */
    uint8_t t_new_valid; /* T_new was fixed in the enabled cycle before            */
    uint8_t t_new;       /* T_new in this cycle, else 0                            */
    uint8_t done;        /* T_new is known                                         */
} lcs_out;

typedef struct lcs_state {
    uint64_t sum;                     /* of the counts; in LCS_ST_DIVIDE what is left of it */
    uint32_t inst[BALLAST_MAX_SLOTS]; /* instructions issued per CTA slot (LCS-1)           */
    uint32_t max;                     /* the largest count                                  */
    uint32_t picked;                  /* count to be gathered; in LCS_ST_DIVIDE ~max        */
    uint8_t step[BALLAST_MAX_SLOTS];  /* instructions of the cycle before, not yet in inst  */
    uint8_t state;                    /* enum lcs_fsm                                       */
    uint8_t limit;
    uint8_t nmax;                     /* T_max                                              */
    uint8_t index;                    /* slot being picked; in LCS_ST_DIVIDE k              */
    uint8_t finish;                   /* the first CTA finished in the cycle before         */
    uint8_t decided;                  /* the cycle before has fixed T_new                   */
    uint8_t active[BALLAST_MAX_SLOT_PARTS]; /* CTAs active in the cycle before, by part of the slots */
} lcs_state;

lcs_cfg lcs_cfg_default(void);
/* What software sets is at its default, everything else is 0. */
lcs_in lcs_in_default(void);
/* CTAs that were active in the cycle before. */
unsigned lcs_active(const lcs_state *state, const lcs_cfg *cfg);
void lcs_reset(lcs_state *state, const lcs_cfg *cfg);
/* Outputs for this cycle, then one rising edge. */
void lcs_step(lcs_state *state, const lcs_cfg *cfg, const lcs_in *in, lcs_out *out);

#ifdef __cplusplus
}
#endif
#endif
