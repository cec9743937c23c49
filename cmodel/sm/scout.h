/* SPDX-License-Identifier: Apache-2.0
 *
 * scout: searches for the CTA limit of an SM. It looks at limits for a short time each, counts the instructions that
 * the SM issues there, and goes back where that does not pay (SCT-1..SCT-11). A chip needs one instance.
 *
 * The policy is Ballast's own; doc/blocks/scout.md has its rules; rtl/sm/scout.sv is the twin.
 */
#ifndef BALLAST_SCOUT_H
#define BALLAST_SCOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/encodings.h"

#ifdef __cplusplus
extern "C" {
#endif

enum scout_state_code { SCOUT_ST_IDLE, SCOUT_ST_BASE, SCOUT_ST_LOOK, SCOUT_ST_BACK, SCOUT_ST_DONE };
/* The cycles that count, and the 14 steps at a slice's end. */
enum scout_step_code {
    SCOUT_COUNT, SCOUT_LAST, SCOUT_OFF, SCOUT_REST, SCOUT_SPENT, SCOUT_ROWS, SCOUT_PAUSE, SCOUT_MARGIN, SCOUT_BELOW,
    SCOUT_ABOVE, SCOUT_RESTORE, SCOUT_MIX, SCOUT_BRACKET, SCOUT_ROOM, SCOUT_ACT
};
enum scout_verdict {
    SCOUT_NONE, SCOUT_SETTLED, SCOUT_HALF, SCOUT_FULL, SCOUT_TAKE, SCOUT_REJECT, SCOUT_OPEN
};
/* What a difference to the base means (SCT-4). */
enum scout_class { SCOUT_WORSE, SCOUT_UNCLEAR, SCOUT_BETTER };

enum {
    SCOUT_STAGES = 4,           /* of windows, each four times as long as the one before */
    SCOUT_QUIET_MAX = 6,        /* parts of two that the halves of a window are told by  */
    SCOUT_CREDIT_MAX = 32767    /* instructions (SCT-7)                                  */
};

/* Elaboration parameters. */
typedef struct scout_cfg {
    uint32_t num_slots;   /* CTA slots of the SM, 2..32, default 8                                   */
    uint32_t issue_width; /* instructions per cycle at most, 1..8, default 2                         */
    uint32_t slice;       /* cycles of a slice, a power of two, 8..4096, default 1024                */
    uint32_t window;      /* slices of the shortest window, a power of two, 2..16, default 8         */
    uint32_t settle;      /* slices after a change of the limit that do not count, 1..7, default 2   */
    uint32_t warmup;      /* the same after the start of a kernel, default 4                         */
    uint32_t margin;      /* equal is what differs by less than a part in 2^margin, 1..7, default 6  */
    uint32_t back;        /* 1 (default): a win in a short window is measured there and back (SCT-5) */
    uint32_t verify;      /* 1 (default): a win far down is verified in longer windows (SCT-6)       */
    uint32_t doubt;       /* 1 (default): halves of a window that disagree widen the gap (SCT-4)     */
} scout_cfg;

typedef struct scout_in {
    uint32_t cta_done;    /* CTA slots finishing in this cycle              */
    uint8_t enable;       /* 0: hold everything                             */
    uint8_t kernel_start; /* a kernel starts in this cycle, nmax is valid   */
    uint8_t nmax;         /* its resource limit, 0..num_slots               */
    uint8_t hint;         /* the limit that is known for it, 0: none        */
    uint8_t issue_valid;  /* bit i: lane i issued an instruction            */
} scout_in;

typedef struct scout_out {
    uint8_t limit; /* how many CTAs the SM may run                */
    uint8_t done;  /* the search is over                          */
    uint8_t look;  /* this limit is a look: it may be taken back  */
} scout_out;

typedef struct scout_state {
    uint32_t acc;    /* instructions of this window, two's complement of count_w + 1 bits; in a look less the base's */
    uint32_t arg;    /* two's complement of the same width: what the next step adds to it,  */
    uint32_t base;   /* those of the last window at the best limit                          */
    uint16_t timer;  /* cycles of this slice                                                */
    uint16_t index;  /* slices of this window                                               */
    uint16_t credit; /* instructions that looks may still lose                              */
    uint8_t state, step, verdict;
    uint8_t nmax, best, cand;
    uint8_t low;     /* the highest limit below best that is ruled out, 0: none             */
    uint8_t top;     /* the highest limit that is not ruled out                             */
    uint8_t refine;  /* the coarse search downward is over                                  */
    uint8_t first;   /* no CTA of this kernel has finished here                             */
    uint8_t known, odd;
    uint8_t stage;   /* windows have window * 4^stage slices                                */
    uint8_t settle;  /* slices until the window begins                                      */
    uint8_t quiet;   /* by how much the halves of the base agree, 0..6                      */
    uint8_t one;     /* and one more                                                        */
    uint8_t shift;   /* the base is taken by 2^shift where the next step's arg is chosen    */
    uint8_t minus;   /* the last step's sum was negative                                    */
    uint8_t fewer;   /* cand < best, found out in StepLast                                  */
    uint8_t above;   /* there are limits above what will be the best one, found out in StepRoom */
    uint8_t below;   /* and below it                                                        */
    uint8_t half;    /* what the first half of a look says, enum scout_class                */
} scout_state;

scout_cfg scout_cfg_default(void);
/* What software sets is at its default, everything else is 0. */
scout_in scout_in_default(void);
void scout_reset(scout_state *state, const scout_cfg *cfg);
/* The outputs of a cycle, which follow from the registers: before `enable` is known. */
void scout_look(const scout_state *state, const scout_cfg *cfg, const scout_in *in, scout_out *out);
/* Outputs for this cycle, then one rising edge. */
void scout_step(scout_state *state, const scout_cfg *cfg, const scout_in *in, scout_out *out);

/* Bits of a count of instructions: of the longest window and the credit together. */
unsigned scout_count_width(const scout_cfg *cfg);

#ifdef __cplusplus
}
#endif
#endif
