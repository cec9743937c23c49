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
    for (unsigned warp = 0; warp < m->warps; warp++)
        s->of_scheduler[warp % m->schedulers] |= bit(warp);
    notes_clear(s);
    lsu_clear(s);
    operands_open(s);
    return cache_open(&s->l1, m->l1_sets, m->l1_ways, CACHE_FOLDED | (m->l1_infinite ? CACHE_INFINITE : 0));
}

void sm_close(sim_sm *s)
{
    cache_close(&s->l1);
}

void sm_start_kernel(sim_sm *s, const program *p, const kernel_desc *desc)
{
    if (p != s->program)
        fetch_clear(s);
    s->program = p;
    s->setup.kernel = *desc;
    s->obs.cta_denied = 0;
    s->starting = true;
    cache_clear(&s->l1);
    ccws_clear(&s->ccws);
    s->issued_before = s->counts.instructions;
}

bool sm_empty(const sim_sm *s)
{
    return s->resident_ctas == 0;
}

/* ---- launch ----------------------------------------------------------------------- */

/* Slot n has the warps from n times the warps of a CTA on: at most nmax CTAs are there. */
void sm_launch(sim_sm *s, unsigned slot, uint32_t cta)
{
    const unsigned per_cta = s->setup.kernel.warps_per_cta;

    s->slots[slot] = (sm_slot){.left = per_cta};
    for (unsigned i = 0; i < per_cta; i++) {
        const unsigned warp = slot * per_cta + i;

        s->slots[slot].warps |= bit(warp);
        s->setup.warp_slot[warp] = (uint8_t)slot;
        warp_start(s, warp, cta, i, slot);
    }
    s->order[s->resident_ctas++] = (uint8_t)slot;
    s->started |= (uint32_t)bit(slot);
}

/* ---- a cycle ---------------------------------------------------------------------- */

static void begin_cycle(sim_sm *s)
{
    uint32_t held = 0;

    for (unsigned i = 0; i < s->resident_ctas; i++)
        held |= (uint32_t)bit(s->order[i]);
    s->obs.cta_active = held;
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
static void show(sim_sm *s, const uint64_t before[SM_STATUSES], uint64_t alu_blocked, uint64_t mem_blocked, uint64_t issued)
{
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

void sm_step(sim_sm *s, uint64_t now, const sm_control *control)
{
    uint64_t before[SM_STATUSES], paused, held, alu_blocked, mem_blocked;

    begin_cycle(s);
    notes_of_cycle(s);
    lsu_arrivals(s, now);
    warp_look_again(s);
    lsu_step(s, now);
    paused = paused_warps(s, control->paused);
    memcpy(before, s->status, sizeof before);
    alu_blocked = (s->sfu_free <= s->cycle ? 0 : s->status[READY_SFU]) | (operands_room(s) ? 0 : s->status[READY_ALU]);
    held = held_back(s);
    mem_blocked = lsu_has_room(s) ? held : s->status[READY_MEM];
    s->obs.paused = paused;
    show(s, before, alu_blocked, mem_blocked, schedule(s, paused, held, control->soft));
    fetch_step(s, now);
    warp_look_again(s);
    s->cycle++;
}
