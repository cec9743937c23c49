/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine that the activity simulator models: an array of SMs, L2 and DRAM, two clock domains. The members of the struct
 * are the keys of the group `simulator` in rtl/configs.
 */
#ifndef BALLAST_MACHINE_H
#define BALLAST_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "bus/sm_obs.h"

/* Orders of `warp_scheduler` (doc/blocks/warp_scheduler.md), but for the last one. */
enum machine_scheduler {
    SCHEDULE_GTO,       /* greedy: the same warp while it can, then the oldest CTA's             */
    SCHEDULE_LRR,       /* loose round robin                                                     */
    SCHEDULE_TWO_LEVEL, /* round robin within a fetch group until all of it stalls               */
    SCHEDULE_SCA,       /* warps of two neighbouring CTAs in turn (BCS)                          */
    SCHEDULE_CCWS,      /* greedy, but warps that would push others' lines out of L1 do not load */
    SCHEDULES
};

enum {
    MACHINE_MAX_SMS = 256,
    MACHINE_MAX_SCHEDULERS = 4,
    MACHINE_MAX_MSHRS = 256,
    MACHINE_MAX_LSU = 64,     /* entries of the load/store queue            */
    MACHINE_MAX_COLLECTORS = 16,
    MACHINE_COLLECT = 3,      /* cycles from issue to the ALU, through a collector, without waiting */
    MACHINE_MAX_WAIT = 127,   /* more cycles than an ALU instruction waits on this way */
    MACHINE_MAX_BANKS = 64,   /* of the register file                       */
    MACHINE_MAX_LATENCY = 512 /* of what stays on the SM, SM cycles         */
};

typedef struct machine {
    char name[32];
    /* What an SM holds. */
    uint32_t sms;              /* 1..MACHINE_MAX_SMS                                               */
    uint32_t warps;            /* warp slots, 1..64                                                */
    uint32_t slots;            /* CTA slots, 1..32                                                 */
    uint32_t registers;        /* 32-bit registers                                                 */
    uint32_t shared_bytes;
    /* Issue and pipes; times in SM cycles. */
    uint32_t schedulers;       /* each issues one warp instruction per cycle; warp w is w % schedulers */
    enum machine_scheduler scheduler;
    uint32_t fetch_group;      /* warps of a scheduler's fetch group, of SCHEDULE_TWO_LEVEL        */
    uint32_t alu_width;        /* ALU instructions per cycle                                       */
    uint32_t alu_latency;      /* until a dependent instruction can issue                          */
    uint32_t sfu_interval, sfu_latency;
    uint32_t branch_latency;   /* without an instruction after a branch; with ibuffer, until it is asked for */
    uint32_t ibuffer;          /* instructions of a warp that are fetched at a time, one warp per cycle; 0: all are there */
    uint32_t collectors;       /* where ALU instructions get their registers; 0: all have them at once */
    uint32_t collector_reads;  /* registers that one collector takes per cycle                     */
    uint32_t reg_banks;        /* of the register file; each does one access per cycle             */
    /* Load/store unit and L1. */
    uint32_t lsu_queue;        /* instructions; when it is full, it pushes back                    */
    uint32_t shared_latency;
    uint32_t l1_sets, l1_ways; /* of line_bytes; ways 0: no L1                                     */
    bool l1_infinite;          /* never evicts: the mechanism behind cache thrashing switched off  */
    uint32_t line_bytes;
    uint32_t l1_latency;       /* of a hit                                                         */
    uint32_t mshrs;            /* lines on their way; when all are in use, the LSU waits           */
    /* Beyond the SM; times in cycles of the nominal memory clock. */
    uint32_t network_latency;  /* SM to L2, one way                                                */
    uint32_t network_interval; /* between two lines to, or from, one SM                            */
    uint32_t l2_banks, l2_sets, l2_ways; /* per bank                                               */
    uint32_t l2_latency, l2_interval;
    uint32_t l2_queue;         /* lines at a bank, with the one it serves; if full, the LSUs wait  */
    uint32_t dram_channels;
    uint32_t dram_latency, dram_interval; /* interval: between two lines of one channel            */
    uint32_t dram_queue;       /* lines at a channel; when it is full, so are its banks            */
    /* Clocks at the nominal level. */
    uint32_t sm_mhz, memory_mhz;
} machine;

/* The chips of rtl/configs that have a group `simulator`, and their names in one line: made at build time (tb/flow/chips.py). */
extern const machine machine_table[];
extern const unsigned machine_count;
extern const char machine_names[];
const machine *machine_find(const char *name);

/* False with one line in err (size bytes) if there can be no such machine. */
bool machine_check(const machine *m, char *err, unsigned size);

/* The same machine with `sms` of its SMs and memory in proportion, so that each SM sees as much of it:
 * cheaper to simulate, and much the same where SMs do not share data. False with one line in err if
 * L2 banks or DRAM channels cannot be divided so. */
bool machine_slice(const machine *m, uint32_t sms, machine *out, char *err, unsigned size);

#endif
