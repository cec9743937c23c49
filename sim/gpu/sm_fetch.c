/* SPDX-License-Identifier: Apache-2.0
 *
 * Instruction buffers. When a warp has issued all that it has, it is fetched for again: one warp per cycle, the next one around.
 * What is fetched in a cycle is in the buffer at the end of the next one. A branch throws away what is in it.
 *
 * The instruction cache holds the code of all kernels that run at once. A line of it comes from memory when the SM first needs it.
 */
#include "gpu/sm_private.h"

#include <string.h>

enum { FIRST_FETCH = 4 }; /* without buffers: cycles until a new warp has its first instruction */

void fetch_clear(sim_sm *s)
{
    memset(s->code_there, 0, sizeof s->code_there);
    s->next_code = UINT64_MAX;
}

void fetch_begin(sim_sm *s, unsigned warp)
{
    s->warps[warp].fetching = true;
    if (s->machine->ibuffer)
        s->hungry |= bit(warp);
    else
        note_in(s, FIRST_FETCH, FETCHED, warp, 0);
}

void fetch_after(sim_sm *s, unsigned warp, enum operation op)
{
    sm_warp *w = &s->warps[warp];

    if (op == OP_BRANCH) {
        w->fetching = true;
        note_in(s, s->machine->branch_latency, FETCHED, warp, 0);
    } else if (s->machine->ibuffer && --w->buffered == 0 && w->at < w->length) {
        w->fetching = true;
        s->hungry |= bit(warp);
    }
}

static void fill(sim_sm *s, unsigned warp)
{
    s->warps[warp].buffered = (uint8_t)s->machine->ibuffer; /* those behind the warp's last one do not matter */
    s->warps[warp].fetching = false;
    s->dirty |= bit(warp);
}

/* Whether the warp's next instruction is in the instruction cache; if not, its line is asked for. */
static bool has_code(sim_sm *s, unsigned warp, uint64_t now)
{
    const program *p = s->warps[warp].program;
    const uint64_t line = program_code(p, s->warps[warp].at);
    uint64_t *there = &s->code_there[p->kernel][line % PROGRAM_CODE];

    if (!*there)
        *there = memory_read(s->memory, s->id, line, now);
    if (*there <= now)
        return true;
    if (*there < s->next_code)
        s->next_code = *there;
    return false;
}

void fetch_step(sim_sm *s, uint64_t now)
{
    if (s->fetched)
        fill(s, s->fetched - 1u);
    s->fetched = 0;
    if (s->next_code <= now) {
        s->hungry |= s->without_code;
        s->without_code = 0;
        s->next_code = UINT64_MAX;
    }
    if (!s->hungry)
        return;
    s->last_fetched = (uint8_t)next_after(s->hungry, s->last_fetched);
    s->hungry &= ~bit(s->last_fetched);
    if (has_code(s, s->last_fetched, now))
        s->fetched = (uint8_t)(s->last_fetched + 1u);
    else
        s->without_code |= bit(s->last_fetched);
}
