/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/sm_private.h"

#include <string.h>

static void set_status(sim_sm *s, unsigned warp, enum sm_status status)
{
    s->status[s->warps[warp].status] &= ~bit(warp);
    s->status[status] |= bit(warp);
    s->warps[warp].status = (uint8_t)status;
}

void warp_start(sim_sm *s, const program *p, unsigned warp, uint32_t cta, uint32_t index, unsigned slot)
{
    sm_warp *w = &s->warps[warp];

    memset(w, 0, sizeof *w);
    w->program = p;
    w->cta = cta;
    w->index = index;
    w->slot = (uint8_t)slot;
    w->length = program_length(p, cta);
    w->fetching = true;
    s->resident |= bit(warp);
    ccws_begin(&s->ccws, warp);
    set_status(s, warp, NO_INST);
    fetch_begin(s, warp);
}

/* ---- what it can do next ---------------------------------------------------------- */

/* The result that instruction `at` uses is on its way, that of the instruction so many before it. 0: it uses none, but its place among
 * the results is that of the instruction one window before, which it has to wait for anyway. */
static bool missing(uint64_t pending, uint32_t at, unsigned uses)
{
    return (pending >> (at - uses) % PROGRAM_WINDOW | pending >> at % PROGRAM_WINDOW) & 1;
}

static enum sm_status next_status(const sm_warp *w)
{
    static const uint8_t ready[OPERATIONS] = {
        [OP_ALU] = READY_ALU, [OP_BRANCH] = READY_ALU, [OP_BARRIER] = READY_ALU, [OP_SFU] = READY_SFU,
        [OP_LOAD] = READY_MEM, [OP_STORE] = READY_MEM, [OP_SHARED] = READY_MEM};
    const instruction *i = program_at(w->program, w->at);
    const bool nothing = w->fetching | (w->at == w->length);
    const unsigned all = (unsigned)w->at_barrier << AT_BARRIER | (unsigned)nothing << NO_INST |
                         (unsigned)missing(w->pending_mem, w->at, i->uses_load) << WAIT_MEM |
                         (unsigned)missing(w->pending_alu, w->at, i->uses) << WAIT_ALU | 1u << ready[i->op];

    return (enum sm_status)lowest(all);
}

static void release(sim_sm *s, sm_slot *slot)
{
    if (slot->arrived < slot->left)
        return;
    slot->arrived = 0;
    for (uint64_t left = slot->warps & s->resident; left; left &= left - 1) {
        s->warps[lowest(left)].at_barrier = false;
        s->dirty |= left & -left;
    }
}

static void leave_slot(sim_sm *s, unsigned slot)
{
    unsigned from = 0;

    uint32_t cta;

    s->obs.cta_done |= (uint32_t)bit(slot);
    s->counts.ctas++;
    s->of_kernel[sm_cta_in(s, slot, &cta)->kernel].ctas++;
    while (s->order[from] != slot)
        from++;
    s->held &= ~(uint32_t)bit(slot);
    s->resident_ctas--;
    memmove(&s->order[from], &s->order[from + 1], s->resident_ctas - from);
}

static void leave(sim_sm *s, unsigned warp)
{
    const sm_warp *w = &s->warps[warp];
    const unsigned slot = w->slot;

    s->of_kernel[w->program->kernel].instructions += w->at;
    s->status[w->status] &= ~bit(warp);
    s->resident &= ~bit(warp);
    s->issued_all &= ~bit(warp);
    if (--s->slots[slot].left == 0)
        leave_slot(s, slot);
    else if (s->slots[slot].arrived)
        release(s, &s->slots[slot]);
}

void warp_look_again(sim_sm *s, uint64_t among)
{
    while (s->dirty & among) {
        const unsigned warp = lowest(s->dirty & among);
        const sm_warp *w = &s->warps[warp];

        s->dirty &= ~bit(warp);
        if (w->at == w->length && !w->pending_alu && !w->pending_mem && !w->fetching && !w->at_barrier)
            leave(s, warp);
        else
            set_status(s, warp, next_status(w));
    }
}

/* ---- issue ------------------------------------------------------------------------ */

static void arrive(sim_sm *s, unsigned warp)
{
    sm_slot *slot = &s->slots[s->warps[warp].slot];

    s->warps[warp].at_barrier = true;
    slot->arrived++;
    release(s, slot);
}

/* On its way from now on: a result of ALU, SFU or shared memory, or of a load. */
static void expect_result(sm_warp *w, enum operation op, unsigned window)
{
    const bool result = op == OP_ALU || op == OP_SFU || op == OP_SHARED;

    w->pending_alu |= (uint64_t)result << window;
    w->pending_mem |= (uint64_t)(op == OP_LOAD) << window;
}

void warp_issue(sim_sm *s, unsigned warp)
{
    sm_warp *w = &s->warps[warp];
    const instruction *i = program_at(w->program, w->at);
    const enum operation op = (enum operation)i->op;
    const uint32_t at = w->at++;
    const unsigned window = at % PROGRAM_WINDOW;

    s->dirty |= bit(warp);
    s->issued_all |= (uint64_t)(w->at == w->length) << warp;
    s->counts.instructions++;
    s->counts.operations[op]++;
    expect_result(w, op, window);
    switch (op) {
    case OP_SFU:
        note_in(s, s->machine->sfu_latency, RESULT, warp, window);
        s->sfu_free = s->cycle + s->machine->sfu_interval;
        break;
    case OP_LOAD:
    case OP_STORE:
    case OP_SHARED: lsu_take(s, warp, op, window, at); break;
    default:
        operands_take(s, warp, i, window);
        if (op == OP_BARRIER)
            arrive(s, warp);
        break;
    }
    fetch_after(s, warp, op);
}
