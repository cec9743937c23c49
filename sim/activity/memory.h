/* SPDX-License-Identifier: Apache-2.0
 *
 * Everything beyond the SMs: network, banked L2, DRAM channels. Every part serves one line after
 * the other, so a request's time is known when it is made: it waits for whatever came before it.
 */
#ifndef BALLAST_MEMORY_H
#define BALLAST_MEMORY_H

#include "activity/cache.h"
#include "activity/machine.h"

enum { MEMORY_MAX_BANKS = 128, MEMORY_MAX_CHANNELS = 64 };

typedef struct memory_counts {
    uint64_t reads, writes; /* lines that SMs asked for    */
    uint64_t l2_hits;
    uint64_t dram_lines;
    uint64_t dram_busy;     /* ticks, summed over channels */
} memory_counts;

typedef struct memory {
    const machine *machine;
    uint64_t tick; /* ticks of a memory cycle at the present level */
    cache l2[MEMORY_MAX_BANKS];
    /* When each part can take the next line, in ticks. */
    uint64_t bank_free[MEMORY_MAX_BANKS];
    uint64_t channel_free[MEMORY_MAX_CHANNELS];
    uint64_t link_free[MACHINE_MAX_SMS];
    memory_counts counts;
} memory;

bool memory_open(memory *m, const machine *config);
void memory_close(memory *m);
/* SM `sm` asks for a line at time `now`, or writes it: when the line is there, in ticks. */
uint64_t memory_read(memory *m, unsigned sm, uint64_t line, uint64_t now);
void memory_write(memory *m, uint64_t line, uint64_t now);

#endif
