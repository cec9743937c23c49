/* SPDX-License-Identifier: Apache-2.0
 *
 * Everything beyond the SMs: network, banked write-back L2, DRAM channels. Every part serves one
 * line after the other, so a request's time is known when it is made: it waits for whatever came
 * before it. Queues are bounded: who asks looks first whether there is room.
 *
 * `now` is the memory's own time, in ticks: it stands still while the memory is not clocked.
 */
#ifndef BALLAST_MEMORY_H
#define BALLAST_MEMORY_H

#include "gpu/cache.h"
#include "gpu/machine.h"

enum { MEMORY_MAX_BANKS = 128, MEMORY_MAX_CHANNELS = 64 };

typedef struct memory_counts {
    uint64_t reads, writes; /* lines that SMs asked for                         */
    uint64_t l2_hits;       /* reads of lines that the L2 has or is waiting for */
    uint64_t dram_lines;    /* read or written                                  */
    uint64_t written_back;  /* of these, pushed out of the L2                   */
    uint64_t dram_busy;     /* ticks, summed over channels                      */
} memory_counts;

typedef struct memory {
    const machine *machine;
    uint64_t tick; /* ticks of a memory cycle at the present level */
    cache l2[MEMORY_MAX_BANKS];
    /* When each part can take the next line, in ticks. */
    uint64_t bank_free[MEMORY_MAX_BANKS];
    uint64_t channel_free[MEMORY_MAX_CHANNELS];
    uint64_t link_free[MACHINE_MAX_SMS]; /* to the SM    */
    uint64_t out_free[MACHINE_MAX_SMS];  /* from the SM  */
    memory_counts counts;
} memory;

bool memory_open(memory *m, const machine *config);
void memory_close(memory *m);
/* From which tick on there is room on the line's way for one more request, unless others take it, or a level changes. */
uint64_t memory_room_at(const memory *m, uint64_t line);
/* Whether there is. */
bool memory_has_room(const memory *m, uint64_t line, uint64_t now);
/* Whether SM `sm` can send a line to be written: the one before is on its way. */
bool memory_can_send(const memory *m, unsigned sm, uint64_t now);
/* From which tick on it can, and there is room. */
uint64_t memory_sends_at(const memory *m, unsigned sm, uint64_t line);
/* SM `sm` asks for a line: when it is there. */
uint64_t memory_read(memory *m, unsigned sm, uint64_t line, uint64_t now);
/* SM `sm` writes a line. Nobody waits for it to arrive. */
void memory_write(memory *m, unsigned sm, uint64_t line, uint64_t now);

#endif
