/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/sm.h"

#include <string.h>

#include "gpu/sm_private.h"

bool sm_open(sim_sm *s, const machine *m, memory *mem, unsigned id)
{
    memset(s, 0, sizeof *s);
    s->machine = m;
    s->memory = mem;
    s->id = id;
    s->obs.setup = &s->setup;
    schedulers_open(s);
    notes_clear(s);
    lsu_clear(s);
    operands_open(s);
    return cache_open(&s->l1, m->l1_sets, m->l1_ways, CACHE_FOLDED | (m->l1_infinite ? CACHE_INFINITE : 0));
}

void sm_close(sim_sm *s)
{
    cache_close(&s->l1);
}

void sm_start_kernel(sim_sm *s, const program *p, const ballast_kernel_desc *desc)
{
    if (p != s->program)
        fetch_clear(s);
    s->program = p;
    s->setup.kernel = *desc;
    s->setup.kernel_id = sm_kernel_id(p->workload->name);
    s->obs.cta_denied = 0;
    s->starting = true;
    cache_clear(&s->l1);
    ccws_clear(&s->ccws);
    s->issued_before = s->counts.instructions;
}

void sm_ask_again(sim_sm *s)
{
    s->lsu_until = 0;
}

bool sm_empty(const sim_sm *s)
{
    return s->resident_ctas == 0;
}

/* ---- launch ----------------------------------------------------------------------- */

static uint64_t warps_of_place(const sim_sm *s, unsigned place)
{
    const unsigned per_cta = s->setup.kernel.warps_per_cta;

    return UINT64_MAX >> (SM_WARPS - per_cta) << place * per_cta;
}

/* Place n are the warps from n times the warps of a CTA on, one place for each of the nmax CTAs. Slot n has place n. Only the dispatch in
 * pairs uses slots beyond: a CTA that goes alone while the slots of a pair return. It gets a place that is free. */
static unsigned place_for(const sim_sm *s, unsigned slot)
{
    const unsigned places = s->setup.kernel.nmax;
    uint64_t held = 0;

    for (unsigned i = 0; i < s->resident_ctas; i++)
        held |= s->slots[s->order[i]].warps;
    if (slot < places && !(held & warps_of_place(s, slot)))
        return slot;
    for (unsigned place = 0; place < places; place++)
        if (!(held & warps_of_place(s, place)))
            return place;
    return slot; /* never: at most nmax CTAs are there */
}

/* In the lowest of these warp slots. */
static void launch(sim_sm *s, const program *p, unsigned slot, uint32_t cta, uint64_t places)
{
    s->slots[slot] = (sm_slot){.left = p->warps};
    for (unsigned i = 0; i < p->warps; i++) {
        const unsigned warp = lowest(places);

        places &= places - 1;
        s->slots[slot].warps |= bit(warp);
        s->setup.warp_slot[warp] = (uint8_t)slot;
        warp_start(s, p, warp, cta, i, slot);
    }
    schedulers_launch(s, slot);
    s->order[s->resident_ctas++] = (uint8_t)slot;
    s->held |= (uint32_t)bit(slot);
    s->started |= (uint32_t)bit(slot);
}

void sm_launch(sim_sm *s, unsigned slot, uint32_t cta)
{
    launch(s, s->program, slot, cta, warps_of_place(s, place_for(s, slot)));
}

void sm_launch_of(sim_sm *s, const program *p, unsigned slot, uint32_t cta)
{
    const unsigned first = slot * p->warps, behind = first + p->warps;
    uint64_t taken = 0, own = 0;

    for (unsigned i = 0; i < s->resident_ctas; i++)
        taken |= s->slots[s->order[i]].warps;
    for (unsigned warp = first; behind <= s->machine->warps && warp < behind; warp++)
        own |= bit(warp);
    launch(s, p, slot, cta, own && !(own & taken) ? own : ~taken);
}

const program *sm_cta_in(const sim_sm *s, unsigned slot, uint32_t *cta)
{
    const sm_warp *w = &s->warps[lowest(s->slots[slot].warps)];

    *cta = w->cta;
    return w->program;
}

uint64_t sm_instructions_of(const sim_sm *s, unsigned kernel)
{
    uint64_t instructions = s->of_kernel[kernel].instructions;

    for (uint64_t left = s->resident; left; left &= left - 1)
        if (s->warps[lowest(left)].program->kernel == kernel)
            instructions += s->warps[lowest(left)].at;
    return instructions;
}

/* ---- a cycle ---------------------------------------------------------------------- */

static void begin_cycle(sim_sm *s)
{
    s->obs.cta_active = s->held;
    s->obs.cta_start = s->started;
    s->obs.cta_done = 0;
    s->obs.kernel_start = s->starting;
    s->started = 0;
    s->starting = false;
}

static uint64_t paused_warps(const sim_sm *s, uint32_t slots)
{
    uint64_t warps = 0;

    for (uint32_t left = slots & s->obs.cta_active; left; left &= left - 1)
        warps |= s->slots[lowest(left)].warps;
    return warps & s->resident;
}

/* The states before the schedulers ran, and who issued, as bit planes of enum warp_state. */
static void show(sim_sm *s, uint64_t alu_blocked, uint64_t mem_blocked, uint64_t issued)
{
    const uint64_t *before = s->status; /* whoever issued has not been looked at again */
    const uint64_t blocked = alu_blocked & (before[READY_ALU] | before[READY_SFU]);
    const uint64_t alu = (before[READY_ALU] | before[READY_SFU]) & ~blocked;
    const uint64_t mem = before[READY_MEM] & ~mem_blocked;
    const uint64_t issued_mem = issued & before[READY_MEM];
    const uint64_t issued_alu = issued & ~issued_mem;
    const uint64_t idle = ~issued;

    s->obs.ws[0] = before[AT_BARRIER] | before[WAIT_ALU] | ((alu | mem) & idle) | issued_alu;
    s->obs.ws[1] = before[NO_INST] | before[WAIT_ALU] | ((blocked | mem) & idle) | issued_mem;
    s->obs.ws[2] = before[WAIT_MEM] | ((alu | blocked | mem) & idle);
    s->obs.ws[3] = (mem_blocked & idle) | issued;
}

/* Warps whose access finds no place in the load/store unit. */
static uint64_t shut_out(const sim_sm *s)
{
    return lsu_has_room(s) ? 0 : s->status[READY_MEM];
}

/* All wait for something that has its time: nobody can issue, is to be looked at again or fetched for, and the load/store unit waits, too. */
static bool is_idle(const sim_sm *s, uint64_t now)
{
    const uint64_t ready = s->status[READY_ALU] | s->status[READY_SFU] | (s->status[READY_MEM] & ~shut_out(s));

    if (ready | s->dirty | s->hungry | s->fetched || (s->lsu_count && !lsu_waits(s, now)) || s->each || s->watch)
        return false;
    for (unsigned i = 0; i < s->machine->schedulers; i++)
        if (!s->schedulers[i].settled)
            return false;
    return true;
}

/* Nor is it this cycle that brings something. */
static bool stays_idle(const sim_sm *s, uint64_t now)
{
    return !s->wheel[s->cycle % MACHINE_MAX_LATENCY] && !lsu_arrives(s, now) && !(s->lsu_count && !lsu_waits(s, now)) && s->next_code > now;
}

/* The same as take_cycle, of which nothing else would be left. One after the other, they show the same. */
static void pass_cycle(sim_sm *s, const sm_control *control)
{
    if (!s->passes || s->passes_paused != control->paused) {
        s->obs.paused = paused_warps(s, control->paused);
        show(s, 0, shut_out(s), 0);
        s->passes = true;
        s->passes_paused = control->paused;
    }
    operands_pass(s);
    s->cycle++;
}

static void take_cycle(sim_sm *s, uint64_t now, const sm_control *control)
{
    uint64_t paused, held, alu_blocked, mem_blocked;
    unsigned alu_room;

    s->passes = false;
    notes_of_cycle(s);
    lsu_arrivals(s, now);
    warp_look_again(s, UINT64_MAX);
    lsu_step(s, now);
    paused = paused_warps(s, control->paused);
    alu_room = operands_room(s);
    alu_blocked = (s->sfu_free <= s->cycle ? 0 : s->status[READY_SFU]) | (alu_room ? 0 : s->status[READY_ALU]);
    held = held_back(s);
    mem_blocked = lsu_has_room(s) ? held : s->status[READY_MEM];
    s->obs.paused = paused;
    show(s, alu_blocked, mem_blocked, schedule(s, paused, held, alu_room, control->soft));
    fetch_step(s, now);
    warp_look_again(s, s->issued_all); /* the others do not leave: what they can do next, the next cycle looks at */
    operands_pass(s);
    s->cycle++;
    s->idle = is_idle(s, now);
}

void sm_step(sim_sm *s, uint64_t now, const sm_control *control)
{
    const bool passes = s->idle && !(s->started | s->starting) && stays_idle(s, now);

    begin_cycle(s);
    if (passes)
        pass_cycle(s, control);
    else
        take_cycle(s, now, control);
}
