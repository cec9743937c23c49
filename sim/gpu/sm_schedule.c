/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/sm_private.h"

static unsigned oldest(const sim_sm *s, uint64_t ready)
{
    for (unsigned i = 0; i < s->resident_ctas; i++) {
        const uint64_t mine = ready & s->slots[s->order[i]].warps;

        if (mine)
            return lowest(mine);
    }
    return lowest(ready);
}

/* Warps that wait for long, or are paused, give way to ones that do not. */
static void fill_active(sim_sm *s, unsigned scheduler, uint64_t paused)
{
    const uint64_t waiting = s->status[WAIT_MEM] | s->status[AT_BARRIER] | paused;
    uint64_t could = s->of_scheduler[scheduler] & s->resident & ~waiting;
    uint64_t *active = &s->active[scheduler];

    *active &= could;
    for (could &= ~*active; could && (unsigned)__builtin_popcountll(*active) < s->machine->active_warps; could &= could - 1)
        *active |= could & -could;
}

static unsigned choose(sim_sm *s, unsigned scheduler, uint64_t ready, uint64_t paused)
{
    const unsigned last = s->last[scheduler];

    switch (s->machine->scheduler) {
    case SCHEDULE_CCWS:
    case SCHEDULE_GTO: return ready >> last & 1 ? last : oldest(s, ready);
    case SCHEDULE_TWO_LEVEL:
        fill_active(s, scheduler, paused);
        if (ready & s->active[scheduler])
            ready &= s->active[scheduler];
        return next_after(ready, last);
    default: return next_after(ready, last);
    }
}

uint64_t held_back(const sim_sm *s)
{
    uint8_t by_age[SM_WARPS];
    unsigned warps = 0;
    uint64_t held;

    if (s->machine->scheduler != SCHEDULE_CCWS || s->cycle >= s->ccws.latest)
        return 0;
    for (unsigned i = 0; i < s->resident_ctas; i++)
        for (uint64_t left = s->slots[s->order[i]].warps & s->resident; left; left &= left - 1)
            by_age[warps++] = (uint8_t)lowest(left);
    held = s->status[READY_MEM] & ~ccws_may_load(&s->ccws, by_age, warps, s->cycle);
    for (uint64_t left = held; left; left &= left - 1)
        if (program_at(s->program, s->warps[lowest(left)].at)->op != OP_LOAD)
            held &= ~(left & -left);
    return held;
}

/* What can issue now: the pipe of its instruction has room. */
static uint64_t issuable(const sim_sm *s, unsigned alu_left)
{
    return (alu_left ? s->status[READY_ALU] : 0) | (s->sfu_free <= s->cycle ? s->status[READY_SFU] : 0) |
           (lsu_has_room(s) ? s->status[READY_MEM] : 0);
}

uint64_t schedule(sim_sm *s, uint64_t paused, uint64_t held, bool soft)
{
    const unsigned schedulers = s->machine->schedulers, first_scheduler = s->first_scheduler;
    unsigned alu_left = operands_room(s);
    uint64_t issued = 0;

    for (unsigned n = 0; n < schedulers; n++) {
        const unsigned i = (first_scheduler + n) % schedulers;
        const uint64_t ready = issuable(s, alu_left) & s->of_scheduler[i] & ~held;
        const uint64_t first = ready & ~paused;
        unsigned warp;

        if (!first && !(soft && ready))
            continue;
        warp = choose(s, i, first ? first : ready, paused);
        if (!issued) /* the pipes are shared: who came first comes last in the next cycle */
            s->first_scheduler = (i + 1) % schedulers;
        s->last[i] = (uint8_t)warp;
        issued |= bit(warp);
        alu_left -= s->status[READY_ALU] >> warp & 1;
        warp_issue(s, warp);
    }
    return issued;
}
