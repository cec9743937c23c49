/* SPDX-License-Identifier: Apache-2.0
 *
 * One SM of the activity simulator: warps with a scoreboard, schedulers, pipes, load/store unit and
 * L1. It is moved one cycle at a time and shows what every warp did as the observation bus.
 *
 * In a cycle: results arrive, the load/store unit takes a line, the schedulers issue. A warp's state
 * is that before the schedulers ran, but for those that issued (the same as in recordings,
 * doc/use/import_raw.md).
 */
#ifndef BALLAST_SM_H
#define BALLAST_SM_H

#include "gpu/ccws.h"
#include "gpu/memory.h"
#include "gpu/program.h"
#include "sm/warp_scheduler.h"

enum {
    SM_WARPS = BALLAST_MAX_WARPS,
    SM_SLOTS = BALLAST_MAX_SLOTS,
    SM_RESULTS = SM_WARPS * (PROGRAM_WINDOW + 1), /* on their way at once, at most */
    SM_NOTES = 2 * SM_RESULTS,
    SM_AHEAD = 64 /* cycles for which banks and ALUs are taken before */
};

/* What a warp slot is up to; every resident warp is in exactly one of these: the first one that is true of it. */
enum sm_status { AT_BARRIER, NO_INST, WAIT_MEM, WAIT_ALU, READY_ALU, READY_SFU, READY_MEM, SM_STATUSES };

typedef struct sm_warp {
    const program *program;
    uint32_t cta, index;   /* in the grid; in the CTA                       */
    uint32_t at, length;   /* next instruction, number of instructions      */
    uint64_t pending_alu;  /* results on their way, by instruction % window */
    uint64_t pending_mem;
    uint8_t slot, status; /* status: of a resident warp, the mask that it is in */
    uint8_t buffered;      /* instructions in its buffer, of machine.ibuffer */
    bool fetching, at_barrier;
} sm_warp;

typedef struct sm_slot {
    uint64_t warps;    /* its warp slots                 */
    uint32_t left;     /* warps that have not exited     */
    uint32_t arrived;  /* of these, at the barrier       */
} sm_slot;

/* Something that happens to a warp later: a line or result arrives, an instruction has been fetched. */
typedef struct sm_note {
    uint8_t warp, window, kind;
    uint16_t next; /* in its list, 0: the end */
} sm_note;

typedef struct sm_miss {
    uint64_t line;
    uint64_t tick;   /* when it is there      */
    uint16_t notes;  /* who waits for it      */
} sm_miss;

typedef struct sm_access {
    uint8_t warp, window, op;
    uint8_t num, next; /* lines, and how many have been taken */
    uint64_t lines[PROGRAM_LINES];
} sm_access;

/* One of the SM's schedulers: the reference model of `warp_scheduler` with the warps in `all`, numbered without gaps. */
typedef struct sm_scheduler {
    uint64_t all;
    warp_scheduler_state state;
    warp_scheduler_in in;
    warp_scheduler_slots slots; /* its planes, sorted */
    bool settled;              /* nobody was picked or launched last: nothing changes until somebody is ready, or is  */
} sm_scheduler;

/* Sees every cycle of every scheduler: registers before it, ports, registers after it. begin: all of them are after reset. */
typedef struct sm_watch {
    void *self;
    void (*begin)(void *self);
    void (*stepped)(void *self, unsigned sm, unsigned scheduler, const warp_scheduler_state *before, const warp_scheduler_in *in,
                    const warp_scheduler_out *out, const warp_scheduler_state *after);
} sm_watch;

typedef struct sm_counts {
    uint64_t instructions, ctas;
    uint64_t l1_hits, l1_misses;
    uint64_t operations[OPERATIONS];
} sm_counts;

/* What warps that have left did, by the kernel that they were of. */
typedef struct sm_kernel_counts {
    uint64_t instructions, ctas;
} sm_kernel_counts;

/* What its governor wants. */
typedef struct sm_control {
    uint32_t paused; /* CTA slots                                     */
    uint8_t limit;   /* CTAs that it may hold (GWDE-3); 0: its slots  */
    bool req;        /* it asks for a CTA (GWDE-4)                    */
    bool soft;       /* paused warps come last, instead of not at all */
} sm_control;

/* What each cycle reads comes first, the tables of which it reads a few places after it: then many SMs fit the computer's cache. */
typedef struct sim_sm {
    const machine *machine;
    const program *program;
    memory *memory;
    const sm_watch *watch; /* or NULL */
    unsigned id;
    bool each; /* nothing is left out in a cycle in which nothing happens: for a comparison */
    bool idle; /* nobody can do anything before something arrives, is launched or paused    */
    bool passes;           /* the bus shows such a cycle, with ...  */
    uint32_t passes_paused; /* ... these slots paused               */
    uint64_t cycle;
    sm_obs obs; /* of the cycle that was run last */

    unsigned resident_ctas;
    uint32_t held;         /* the slots of these                       */
    uint64_t resident;     /* warps                                    */
    uint64_t status[SM_STATUSES];
    uint64_t dirty;        /* warps to look at again                   */
    uint64_t issued_all;   /* warps that have issued all instructions  */
    uint32_t started;      /* slots, since the last cycle              */
    bool starting;         /* a kernel, with the next cycle            */

    uint8_t fetched, last_fetched; /* warp + 1 whose instructions have been fetched, 0: none; the one fetched last */
    uint64_t hungry;       /* warps to fetch for: the buffer is empty, and there is more to execute */
    uint64_t without_code; /* the same, but the code is on its way from memory                      */
    uint64_t next_code;    /* tick when the next line of code is there                              */

    uint64_t seen_resident, seen_paused; /* what the schedulers' in.present and in.paused were made from */
    unsigned first_scheduler; /* in this cycle */
    uint64_t sfu_free;

    /* ALU instructions that issued last: the cycle in which each gets an operand collector; the place of the next one. */
    uint64_t entered[MACHINE_MAX_SCHEDULERS], last_entered;
    uint8_t next_entered;
    /* Collectors: the cycle from which on each is free, the earliest one at first_collector, the others behind it, around. */
    uint8_t first_collector;
    uint64_t collectors[MACHINE_MAX_COLLECTORS];
    uint8_t alus_taken[SM_AHEAD]; /* ALUs that get an instruction, by cycle, from this one on around */

    unsigned lsu_first, lsu_count;
    unsigned first_miss, num_misses; /* around; the first one arrives first */
    uint64_t lsu_until;      /* before this tick the memory takes nothing of the first access */
    bool lsu_stuck;          /* the first access waits for a line to arrive, whichever */
    uint16_t free_notes, num_free_notes;
    cache l1;
    uint64_t issued_before;  /* instructions, when the kernel started */
    sm_counts counts;

    sm_kernel_counts of_kernel[PROGRAM_KERNELS];
    sm_setup setup;
    uint8_t order[SM_SLOTS]; /* slots with a CTA, oldest first */
    sm_slot slots[SM_SLOTS];
    sm_warp warps[SM_WARPS];
    warp_scheduler_cfg arbiter; /* of each scheduler */
    sm_scheduler schedulers[MACHINE_MAX_SCHEDULERS];
    uint8_t bank_of[SM_WARPS + PROGRAM_WINDOW]; /* of the register file, by the sum of a warp and a register */
    uint64_t banks_taken[SM_AHEAD]; /* those that serve somebody, in the same way */
    uint64_t code_there[PROGRAM_KERNELS][PROGRAM_CODE]; /* ticks when the code's lines are there, 0: not asked for */
    sm_access lsu[MACHINE_MAX_LSU];
    sm_miss misses[MACHINE_MAX_MSHRS];
    uint8_t lines_left[SM_WARPS][PROGRAM_WINDOW]; /* of loads */
    ccws ccws;               /* of SCHEDULE_CCWS */
    uint16_t wheel[MACHINE_MAX_LATENCY]; /* lists of notes by cycle */
    sm_note notes[SM_NOTES];
} sim_sm;

/* Of each scheduler of the machine's SMs. */
warp_scheduler_cfg sm_scheduler_cfg(const machine *m);

bool sm_open(sim_sm *s, const machine *m, memory *mem, unsigned id);
void sm_close(sim_sm *s);
/* A kernel begins with the next cycle; the SM is empty. */
void sm_start_kernel(sim_sm *s, const program *p, const ballast_kernel_desc *desc);
/* CTA number `cta` is in with the next cycle; at most nmax of the descriptor are there. */
void sm_launch(sim_sm *s, unsigned slot, uint32_t cta);
/* The same for a CTA of one of several kernels that share the SM: in a free slot. Its warp slots are those that it would have if the
 * kernel were alone, or else the lowest free ones, of which there are enough. */
void sm_launch_of(sim_sm *s, const program *p, unsigned slot, uint32_t cta);
/* Whose CTA is in a slot, or was before this one: its program and its number. */
const program *sm_cta_in(const sim_sm *s, unsigned slot, uint32_t *cta);
/* Instructions of a kernel until now. */
uint64_t sm_instructions_of(const sim_sm *s, unsigned kernel);
/* One cycle; `now` is the memory's time (ticks). s->obs shows it. */
void sm_step(sim_sm *s, uint64_t now, const sm_control *control);
/* The memory has another speed: what it takes when is another question. */
void sm_ask_again(sim_sm *s);
bool sm_empty(const sim_sm *s);

#endif
