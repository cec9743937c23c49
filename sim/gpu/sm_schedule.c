/* SPDX-License-Identifier: Apache-2.0
 *
 * Each scheduler is a warp_scheduler with warps of its own: its warp k is the SM's warp k x schedulers + its number.
 */
#include "gpu/sm_private.h"

/* ---- the SM's warps as a scheduler sees them ---------------------------------------- */

/* Every second bit, from the lowest on, side by side. */
static uint64_t every_second(uint64_t mask)
{
    static const uint64_t keep[] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
                                    0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};

    mask &= keep[0];
    for (unsigned step = 1; step < 6; step++)
        mask = (mask | mask >> (1u << (step - 1))) & keep[step];
    return mask;
}

static uint64_t every_nth(uint64_t mask, unsigned n)
{
    uint64_t picked = 0;

    for (unsigned to = 0; to * n < SM_WARPS; to++)
        picked |= (mask >> to * n & 1) << to;
    return picked;
}

static uint64_t own_warps(const sim_sm *s, unsigned scheduler, uint64_t warps)
{
    const uint64_t mine = warps >> scheduler;

    switch (s->machine->schedulers) {
    case 1: return mine;
    case 2: return every_second(mine);
    case 4: return every_second(every_second(mine));
    default: return every_nth(mine, s->machine->schedulers);
    }
}

/* SCA's groups are within a scheduler only where this divides a CTA's warps; elsewhere nobody is that far away (SCA-A5). */
static uint8_t to_the_partner(const sim_sm *s)
{
    const unsigned per_cta = s->setup.kernel.warps_per_cta, schedulers = s->machine->schedulers;
    const unsigned apart = per_cta % schedulers ? SM_WARPS : per_cta / schedulers;

    return (uint8_t)(apart < s->arbiter.num_warps ? apart : s->arbiter.num_warps);
}

/* ---- set-up ------------------------------------------------------------------------- */

warp_scheduler_cfg sm_scheduler_cfg(const machine *m)
{
    const unsigned most = (m->warps + m->schedulers - 1) / m->schedulers;
    warp_scheduler_cfg cfg = warp_scheduler_cfg_default();

    cfg.num_warps = most < 2 ? 2 : most; /* the block has two at least */
    cfg.num_slots = m->slots;
    cfg.group_size = m->fetch_group;
    return cfg;
}

void schedulers_open(sim_sm *s)
{
    static const uint8_t policies[SCHEDULES] = {
        [SCHEDULE_GTO] = WARP_SCHEDULER_GTO, [SCHEDULE_LRR] = WARP_SCHEDULER_LRR, [SCHEDULE_TWO_LEVEL] = WARP_SCHEDULER_TLV,
        [SCHEDULE_SCA] = WARP_SCHEDULER_SCA, [SCHEDULE_CCWS] = WARP_SCHEDULER_GTO};
    const machine *m = s->machine;

    s->arbiter = sm_scheduler_cfg(m);
    for (unsigned i = 0; i < m->schedulers; i++) {
        s->schedulers[i] = (sm_scheduler){.in = {.enable = 1, .policy = policies[m->scheduler]}};
        warp_scheduler_sort(&s->arbiter, &s->schedulers[i].in, &s->schedulers[i].slots);
        warp_scheduler_reset(&s->schedulers[i].state, &s->arbiter);
        for (unsigned warp = i; warp < m->warps; warp += m->schedulers)
            s->schedulers[i].all |= bit(warp);
    }
}

void schedulers_launch(sim_sm *s, unsigned slot)
{
    for (unsigned i = 0; i < s->machine->schedulers; i++) {
        warp_scheduler_in *in = &s->schedulers[i].in;
        uint64_t *const planes[] = {&in->slot0, &in->slot1, &in->slot2, &in->slot3, &in->slot4};
        const uint64_t warps = own_warps(s, i, s->slots[slot].warps);

        for (unsigned b = 0; b < 5; b++)
            *planes[b] = (*planes[b] & ~warps) | (slot >> b & 1 ? warps : 0);
        in->warps_per_cta = to_the_partner(s);
        warp_scheduler_sort(&s->arbiter, in, &s->schedulers[i].slots);
    }
}

/* ---- CCWS: a policy of the simulator, which keeps loads from the schedulers ---------- */

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
        if (program_at(s->warps[lowest(left)].program, s->warps[lowest(left)].at)->op != OP_LOAD)
            held &= ~(left & -left);
    return held;
}

/* ---- a cycle ------------------------------------------------------------------------ */

/* Who is there and who is paused is packed only when it changes. */
static void follow(sim_sm *s, uint64_t paused)
{
    if (s->resident == s->seen_resident && paused == s->seen_paused)
        return;
    s->seen_resident = s->resident;
    s->seen_paused = paused;
    for (unsigned i = 0; i < s->machine->schedulers; i++) {
        sm_scheduler *a = &s->schedulers[i];

        a->in.present = own_warps(s, i, s->resident & a->all);
        a->in.paused = own_warps(s, i, paused & a->all);
    }
}

static void step(sim_sm *s, unsigned scheduler, warp_scheduler_out *out)
{
    sm_scheduler *a = &s->schedulers[scheduler];
    warp_scheduler_state before;

    if (s->watch)
        before = a->state;
    warp_scheduler_step_sorted(&a->state, &s->arbiter, &a->in, &a->slots, out);
    if (s->watch)
        s->watch->stepped(s->watch->self, s->id, scheduler, &before, &a->in, out, &a->state);
}

/* The scheduler's cycle: the warp that it picks, or -1. flatten: the compiler copies the model's step to here. */
__attribute__((flatten)) static int pick(sim_sm *s, unsigned scheduler, uint64_t ready, bool soft)
{
    sm_scheduler *a = &s->schedulers[scheduler];
    warp_scheduler_out out;

    if (a->settled && !ready && !s->obs.cta_start && !s->watch)
        return -1;
    a->in.ready = ready ? own_warps(s, scheduler, ready) : 0;
    a->in.pause_soft = soft;
    a->in.cta_start = s->obs.cta_start;
    step(s, scheduler, &out);
    a->settled = !out.pick && !a->in.cta_start;
    return out.pick ? (int)(out.warp * s->machine->schedulers + scheduler) : -1;
}

uint64_t schedule(sim_sm *s, uint64_t paused, uint64_t held, unsigned alu_room, bool soft)
{
    const uint64_t alu = s->status[READY_ALU], sfu = s->status[READY_SFU], mem = s->status[READY_MEM] & ~held;
    const unsigned schedulers = s->machine->schedulers;
    unsigned i = s->first_scheduler;
    uint64_t issued = 0;

    follow(s, paused);
    for (unsigned n = 0; n < schedulers; n++) {
        const unsigned next = around(i + 1, schedulers);
        const uint64_t ready = (alu_room ? alu : 0) | (s->sfu_free <= s->cycle ? sfu : 0) | (lsu_has_room(s) ? mem : 0);
        const int warp = pick(s, i, ready & s->schedulers[i].all, soft);

        if (warp >= 0) {
            if (!issued) /* the pipes are shared: who came first comes last in the next cycle */
                s->first_scheduler = next;
            issued |= bit((unsigned)warp);
            alu_room -= alu >> warp & 1;
            warp_issue(s, (unsigned)warp);
        }
        i = next;
    }
    return issued;
}
