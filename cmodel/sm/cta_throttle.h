/* SPDX-License-Identifier: Apache-2.0
 *
 * cta_throttle: how many CTAs of an SM run, and which. One instance per SM.
 *
 * Equalizer's hysteresis on numBlocks (EQ-10, EQ-11), the request to the CTA dispatcher, and
 * the mask of paused CTAs (PAUSE-1..PAUSE-5). A policy with a limit of its own uses request and
 * mask through `follow`. doc/blocks/cta_throttle.md has the rules and every choice the papers leave
 * open; rtl/sm/cta_throttle.sv is the twin.
 */
#ifndef BALLAST_CTA_THROTTLE_H
#define BALLAST_CTA_THROTTLE_H

#include <stdint.h>

#include "common/encodings.h"
#include "common/slot_parts.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Elaboration parameters. */
typedef struct cta_throttle_cfg {
    uint32_t num_slots;         /* CTA slots of the SM, 1..32, default 8                       */
    uint32_t hyst_epochs;       /* so many decisions in a row move numBlocks, 1..7, default 3
                                   (EQ-10)                                                     */
    uint32_t hyst_same_dir;     /* 1 (default): they agree in direction, 0: none is "stay"
                                   (EQ-A13)                                                    */
    uint32_t inc_unpause_first; /* 1 (default): an increase resumes a paused CTA if there is
                                   one (PAUSE-A3)                                              */
    uint32_t grant_feedback;    /* 1 (default): numBlocks grows when the CTA has come (EQ-A12) */
} cta_throttle_cfg;

typedef struct cta_throttle_in {
    uint8_t enable;       /* 0: everything holds                                        */
    uint8_t kernel_start; /* a kernel starts in this cycle, nmax is valid               */
    uint8_t nmax;         /* its resource limit, 0..num_slots                           */
    uint8_t tick;         /* an epoch has ended, inc and dec are its decision           */
    uint8_t inc;          /* one CTA more                                               */
    uint8_t dec;          /* one CTA fewer; both: neither                               */
    uint8_t follow;       /* the goal is target, not numBlocks                          */
    uint8_t target;
    uint8_t pause_en;     /* 0: drain, nothing is ever paused                           */
    uint8_t denied;       /* the dispatcher refuses the request in this cycle           */
    uint32_t cta_start;   /* CTA slots launched in this cycle                           */
    uint32_t cta_done;    /* CTA slots finishing in this cycle                          */
    uint32_t cta_active;  /* CTA slots that hold a CTA at any time in this cycle        */
} cta_throttle_in;

typedef struct cta_throttle_out {
    uint8_t limit;   /* how many CTAs may run unpaused                */
    uint8_t req;     /* level: the SM asks the dispatcher for a CTA   */
    uint8_t acted;   /* pulse: this tick fires the hysteresis         */
    uint32_t paused; /* paused CTA slots                              */
} cta_throttle_out;

typedef struct cta_throttle_state {
    uint8_t num_blocks;
    uint8_t nmax;
    uint8_t run;     /* decisions in a row                                         */
    uint8_t run_up;  /* direction of the last decision that was not "stay"         */
    uint8_t request; /* an increase waits for its CTA                              */
    uint32_t paused; /* paused CTA slots                                           */
    uint8_t count[BALLAST_MAX_SLOT_PARTS]; /* CTAs that ran, by part of the slots  */
    uint8_t known;   /* nobody has been paused or resumed since                    */
    uint8_t judged;  /* `many` and `few` are of who runs now                       */
    uint8_t many;    /* more run than should                                       */
    uint8_t few;     /* fewer do                                                   */
    uint8_t order[BALLAST_MAX_SLOTS]; /* the slots, the youngest CTA's first       */
    uint32_t fresh;  /* launched, and not yet at the front of the order            */
    uint8_t moves;   /* `slot` goes there now                                      */
    uint8_t slot;    /* of the search, or on its way to the front                  */
    uint8_t tests;   /* `slot` is of the search                                    */
    uint8_t up;      /* the search is for a CTA to resume, not for one to pause    */
    uint8_t next;    /* its next place, from the end where it begins               */
} cta_throttle_state;

cta_throttle_cfg cta_throttle_cfg_default(void);
/* What software sets is at its default, everything else is 0. */
cta_throttle_in cta_throttle_in_default(void);
void cta_throttle_reset(cta_throttle_state *state, const cta_throttle_cfg *cfg);
/* Outputs for this cycle, then one rising edge. */
void cta_throttle_step(cta_throttle_state *state, const cta_throttle_cfg *cfg,
                       const cta_throttle_in *in, cta_throttle_out *out);

#ifdef __cplusplus
}
#endif
#endif
