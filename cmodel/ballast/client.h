/* SPDX-License-Identifier: Apache-2.0
 *
 * client: the governors for a GPU simulator. The simulator says in its own words what its SMs do in a cycle, ends the cycle, and reads
 * what to do in the next one. The client packs this for the reference models, checks it, and can record it. doc/use/client.md has the
 * protocol, an example and what is meant by each word.
 *
 * One handle is a whole chip (chip_governor), or one SM (sm_governor). Calls within a cycle may come in any order. Nothing here ends
 * the program, whatever the caller does: a handle that is NULL, and an SM, warp or slot that is not there, change nothing.
 * Handles share nothing. Memory is taken by ballast_client_open and ballast_client_record alone.
 */
#ifndef BALLAST_CLIENT_H
#define BALLAST_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/encodings.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BALLAST_CLIENT_ALL_SMS UINT32_MAX  /* in the place of an SM's number                                       */
#define BALLAST_CLIENT_NEXT_CTA UINT32_MAX /* in the place of a CTA's number: one more than that of the last launch */

enum ballast_client_scope {
    BALLAST_CLIENT_CHIP = 0,  /* all SMs: limits, pauses, and the chip's levels of voltage and frequency         */
    BALLAST_CLIENT_ONE_SM = 1 /* one SM, number 0: limit, pauses, and its votes. For SMs that do not step together */
};

/* Bits of ballast_client_status, which stay. */
enum {
    BALLAST_CLIENT_COMPLAINED = 1,    /* the caller made a mistake                      */
    BALLAST_CLIENT_RECORD_FAILED = 2, /* a recording could not be written: it is absent */
};

typedef struct ballast_client ballast_client;

/* Begin with ballast_client_defaults(), which is Fermi under the static policy, checked. */
typedef struct ballast_client_settings {
    uint32_t sms;          /* 1..256; 1 of BALLAST_CLIENT_ONE_SM                                       */
    uint32_t warps;        /* warp slots of an SM, 1..64                                               */
    uint32_t slots;        /* CTA slots of an SM, 2..32                                                */
    uint32_t issue_width;  /* instructions that an SM issues in a cycle at most, 1..8                  */
    uint32_t scope;        /* enum ballast_client_scope                                                */
    uint32_t policy;       /* enum ballast_policy: of the kernels that start from now on               */
    uint32_t static_limit; /* of the static policy; 0: as many CTAs as fit                             */
    uint32_t mode;         /* enum ballast_vf_mode: what Equalizer and the search for levels aim at    */
    uint32_t t_idle, t_mem_l, t_mem_h; /* of DYNCTA, cycles of its period                              */
    const struct chip_governor_cfg *parameters; /* what is fixed in hardware, chip/chip_governor.h; NULL: the defaults. The geometry
                                                   in it is not read */
    bool check;            /* mistakes are counted, and said in a line each. What is done with them is the same either way */
    void (*complain)(void *user, const char *line); /* gets each line, without its end; NULL: standard error       */
    void *user;
} ballast_client_settings;

/* Of a kernel. Every policy needs nmax and the size of a CTA; the rest is for recordings. */
typedef struct ballast_client_kernel {
    const char *name; /* may be NULL; read in the call only                                                  */
    uint32_t nmax;    /* CTAs that an SM can hold of it at most: the least of what slots, warps, registers and
                         shared memory allow. 1..slots                                                       */
    uint32_t warps_per_cta;      /* 0: as many as its threads make, 32 each                                  */
    uint32_t grid[3], block[3];  /* CTAs of the grid, threads of a CTA: x, y, z; y and z may be 0            */
    uint32_t regs_per_thread;
    uint32_t smem_per_cta;       /* bytes                                                                    */
} ballast_client_kernel;

/* What an SM is to do in the next cycle. */
typedef struct ballast_client_decision {
    uint64_t paused_warps; /* these do not issue, or come last (pause_soft): those of the paused CTAs        */
    uint32_t paused_ctas;  /* slots                                                                          */
    uint32_t may_launch;   /* so many CTAs may be launched on it in the next cycle: what the dispatcher obeys */
    uint32_t limit;        /* how many CTAs it may run unpaused: to be shown, not to be obeyed               */
    bool pause_soft;       /* paused warps issue where no other can (DYNCTA)                                 */
    bool done;             /* the policy has decided for this kernel                                         */
} ballast_client_decision;

/* Of BALLAST_CLIENT_CHIP: the levels at which SMs and memory run in the next cycle (enum ballast_vf_level). */
typedef struct ballast_client_domains {
    uint8_t sm_level, mem_level;
    bool sm_busy, mem_busy;   /* a change of level is under way                                 */
    bool sm_stall, mem_stall; /* the domain must not be clocked (parameters: vrm_stall)         */
} ballast_client_domains;

/* Of BALLAST_CLIENT_ONE_SM: what the cycle that has ended says to the rest of a chip. */
typedef struct ballast_client_votes {
    bool epoch;       /* an epoch of Equalizer has ended, and these are its votes: */
    bool comp, mem;   /* CompAction, MemAction                                     */
    bool t_new_valid; /* LCS has just found                                        */
    uint8_t t_new;    /* its limit                                                 */
} ballast_client_votes;

/* ---- open and close ----------------------------------------------------------------- */

ballast_client_settings ballast_client_defaults(void);
/* NULL with a line if there can be no such chip, or no memory. The settings are copied. */
ballast_client *ballast_client_open(const ballast_client_settings *settings);
/* Ends a recording, too. */
void ballast_client_close(ballast_client *client);
/* Policy, limit, mode and thresholds from now on; everything else in it is not read. False with a line, and nothing is changed. */
bool ballast_client_change(ballast_client *client, const ballast_client_settings *settings);

/* ---- what happens in a cycle -------------------------------------------------------- */

/* A kernel starts, usually on BALLAST_CLIENT_ALL_SMS. Its first CTA may start in this very cycle. CTAs that finish in this cycle
 * belong to the kernel before it. */
void ballast_client_kernel_start(ballast_client *client, uint32_t sm, const ballast_client_kernel *kernel);
/* A CTA is launched, number `cta` of its grid. Of W warps per CTA, slot s has the warps s W to s W + W - 1. A slot may be left by one
 * CTA and taken by the next in one cycle. */
void ballast_client_cta_start(ballast_client *client, uint32_t sm, uint32_t slot, uint32_t cta);
/* The same for an SM that gives it other warps: bit w is warp w. Recordings do not have that. */
void ballast_client_cta_start_in(ballast_client *client, uint32_t sm, uint32_t slot, uint32_t cta, uint64_t warps);
/* A CTA finishes: this is its last cycle. Not in the cycle of its launch. */
void ballast_client_cta_done(ballast_client *client, uint32_t sm, uint32_t slot);
/* The SM was to get a CTA (may_launch) and can get none: the grid has none left, or no CTA fits and none is about to go. Not while it
 * waits for its turn. */
void ballast_client_cta_denied(ballast_client *client, uint32_t sm);
/* What a warp did (enum ballast_warp_state), as the schedulers saw it when they began. A warp of which nothing is said is EMPTY. */
void ballast_client_warp_state(ballast_client *client, uint32_t sm, uint32_t warp, uint32_t state);
/* The same of all warps of an SM, in an array of as many as it has. */
void ballast_client_warp_states(ballast_client *client, uint32_t sm, const uint8_t *states);
/* The warp issued an instruction, to memory or not. It wins over a state, before or after it. */
void ballast_client_issued(ballast_client *client, uint32_t sm, uint32_t warp, bool to_memory);
/* Only for an SM that obeys later than in the next cycle: warps that were paused in this one. */
void ballast_client_paused(ballast_client *client, uint32_t sm, uint64_t warps);
/* Only for recordings: how the simulator's own statistics count this cycle (enum ballast_ps_class). `ballast agree` compares it with
 * the class that follows from the states. */
void ballast_client_sm_class(ballast_client *client, uint32_t sm, uint32_t ps_class);

/* The cycle is over. The first one is that in which the first kernel starts. */
void ballast_client_step(ballast_client *client);

/* ---- what to do in the next one ------------------------------------------------------ */

/* All zero before the first kernel, and without such an SM. */
ballast_client_decision ballast_client_decision_of(const ballast_client *client, uint32_t sm);
ballast_client_domains ballast_client_domains_of(const ballast_client *client);
ballast_client_votes ballast_client_votes_of(const ballast_client *client);

/* ---- mistakes ------------------------------------------------------------------------ */

uint32_t ballast_client_status(const ballast_client *client);
uint64_t ballast_client_complaints(const ballast_client *client); /* how many, also those that were not written any more */
const char *ballast_client_last_complaint(const ballast_client *client); /* "" without any */

/* ---- a recording ----------------------------------------------------------------------- */

/* From the next kernel on, of `num` of the SMs, of all with num 0: FOLDER/cyc.bin, ker.csv and cta.csv as doc/use/import_raw.md
 * describes them. The folder is there and has no recording. No CTA is on an SM. False with a line. */
bool ballast_client_record(ballast_client *client, const char *folder, const uint32_t *sms, uint32_t num);
/* Puts the three files in place. No CTA is on an SM. False with a line, and there is no recording; also if it has failed before. */
bool ballast_client_record_end(ballast_client *client);

#ifdef __cplusplus
}
#endif
#endif
