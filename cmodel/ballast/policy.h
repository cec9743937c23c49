/* SPDX-License-Identifier: Apache-2.0
 *
 * A policy of your own, as a shared object that `ballast sim --policy ./mine.so` and `ballast family --policy ./mine.so` load.
 * doc/use/own_policy.md has an example and says when each function is called.
 *
 * The object has one variable, ballast_policy_entry, which BALLAST_POLICY_EXPORT lets others see:
 *
 *   BALLAST_POLICY_EXPORT const ballast_policy_functions ballast_policy_entry = {
 *       BALLAST_POLICY_INTERFACE, .name = "mine", .state_size = sizeof(mine_state), .reset = mine_reset, .step = mine_step};
 *
 * There is one instance per SM. Its memory is the host's; the policy says how much, and needs neither globals nor heap. All instances
 * of a chip take a cycle one after the other, in one thread.
 */
#ifndef BALLAST_POLICY_H
#define BALLAST_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "common/encodings.h"

#ifdef __cplusplus
#define BALLAST_POLICY_EXPORT extern "C" __attribute__((visibility("default")))
extern "C" {
#else
#define BALLAST_POLICY_EXPORT __attribute__((visibility("default")))
#endif

/* A host takes policies of its own version alone. */
#define BALLAST_POLICY_VERSION 2
#define BALLAST_POLICY_ENTRY "ballast_policy_entry"
#define BALLAST_POLICY_LANES 8

/* What an SM asks of a clock domain. A domain at rest takes the step in a cycle in which more than half of the SMs ask for it. */
enum ballast_policy_ask { BALLAST_ASK_NOTHING, BALLAST_ASK_UP, BALLAST_ASK_DOWN };

/* Where an instance is. Of a family replay it is SM 0 of 1. */
typedef struct ballast_policy_place {
    uint32_t sm, sms;     /* its SM, and how many there are                                        */
    uint32_t warps;       /* warp slots of an SM                                                   */
    uint32_t slots;       /* CTA slots of an SM                                                    */
    uint32_t issue_width; /* instructions that an SM issues in a cycle at most                     */
    const char *options;  /* the words behind the file's name and a colon, or "": ./mine.so:window=9 */
} ballast_policy_place;

/* An SM in one cycle: what sm_governor sees (doc/blocks/sm_governor.md), and what follows from it. */
typedef struct ballast_policy_in {
    uint64_t ws[BALLAST_STATE_PLANES]; /* bit w of ws[b] is bit b of warp w's state (enum ballast_warp_state)   */
    uint64_t paused;       /* paused warps                                                                      */
    const uint8_t *warp_slot; /* the CTA slot of each of the warps; valid in the call                           */
    uint32_t cta_start;    /* CTA slots launched in this cycle                                                  */
    uint32_t cta_done;     /* CTA slots that finish in this cycle                                               */
    uint32_t cta_active;   /* CTA slots that hold a CTA at any time in this cycle                               */
    uint32_t cta_paused;   /* those of them that are paused                                                     */
    uint32_t heard;        /* what `chip` gave this SM in the cycle before; 0 without it, and in the first one  */
    uint32_t kernel_id;    /* the same number, not 0, for every launch of a kernel: valid from kernel_start on; 0: not known */
    uint8_t issued;        /* instructions issued in this cycle                                                 */
    uint8_t issue_slot[BALLAST_POLICY_LANES]; /* the CTA slot of each of these                                  */
    uint8_t ps_class;      /* of the cycle: enum ballast_ps_class                                               */
    uint8_t lcs_class;     /* enum ballast_lcs_class                                                            */
    uint8_t kernel_start;  /* a kernel starts in this cycle                                                     */
    uint8_t nmax;          /* as many CTAs of the kernel fit on the SM: valid from kernel_start on              */
    uint8_t warps_per_cta; /* the same                                                                          */
    uint8_t cta_denied;    /* the dispatcher has no CTA for this SM                                             */
    uint8_t mode;          /* enum ballast_vf_mode: what the levels are to aim at; may change in any cycle      */
    uint8_t sm_level, mem_level; /* enum ballast_vf_level of the clock domains of the SMs and of the memory system */
    uint8_t sm_busy, mem_busy;   /* a transition is under way there: the level is still the old one, and nobody is asked */
} ballast_policy_in;

/* The answer. All 0 before the call. */
typedef struct ballast_policy_out {
    uint32_t share;     /* what `chip` sees of this SM in this cycle                                            */
    uint8_t limit;      /* CTAs that may run: 1..nmax in every cycle after a kernel's start; before, it is not read */
    uint8_t pause;      /* 1: CTAs beyond the limit are paused; 0: they run to their end and are not replaced   */
    uint8_t pause_soft; /* 1: paused warps issue where no other can                                             */
    uint8_t done;       /* 1: the policy has decided for this kernel                                            */
    uint8_t sm_ask, mem_ask; /* enum ballast_policy_ask: of the clock domain of the SMs and of the memory system */
} ballast_policy_out;

/* The functions of a policy. A pointer that may be NULL says so. `cfg`, `state` and `chip` below are memory of the sizes that stand here,
 * aligned as malloc does, 0 before cfg and reset. */
typedef struct ballast_policy_functions {
    uint32_t version, size, in_size, out_size; /* BALLAST_POLICY_INTERFACE                                      */
    const char *name;                          /* for logs and tables                                           */
    uint32_t cfg_size, state_size, chip_size;
    /* May be NULL. Fills cfg. False: this cannot be; `why` has the reason in one line. */
    bool (*cfg)(void *cfg, const ballast_policy_place *place, char *why, uint32_t why_size);
    void (*reset)(void *state, const void *cfg);
    /* One cycle. */
    void (*step)(void *state, const void *cfg, const ballast_policy_in *in, ballast_policy_out *out);
    /* May be NULL. Only with --log, after a step. True: the cycle is worth a line, and `line` has it. */
    bool (*describe)(const void *before, const void *after, const void *cfg, const ballast_policy_in *in, const ballast_policy_out *out,
                     char *line, uint32_t line_size);
    /* May be NULL. Once per cycle, after all SMs' steps: `said` has the share of each SM, `heard` takes what each hears in the next
     * cycle. `heard` begins as it was left, and as 0 at the start. */
    void (*chip)(void *chip, const uint32_t *said, uint32_t *heard, uint32_t sms);
} ballast_policy_functions;

/* What ballast_policy_functions begins with. */
#define BALLAST_POLICY_INTERFACE \
    .version = BALLAST_POLICY_VERSION, .size = sizeof(ballast_policy_functions), .in_size = sizeof(ballast_policy_in), \
    .out_size = sizeof(ballast_policy_out)

#ifdef __cplusplus
}
#endif
#endif
