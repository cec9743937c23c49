/* SPDX-License-Identifier: Apache-2.0
 *
 * Warps are sets of bits. A cycle is looked at once (`view`); each order then picks from it.
 */
#include "sm/warp_scheduler.h"

#include <stdbool.h>

#define BIT(n) (UINT64_C(1) << (n))

/* What the cycle looks like before its edge. */
typedef struct view {
    const warp_scheduler_slots *slots;
    uint64_t there;      /* warps that count in this cycle    */
    uint64_t candidates; /* those of them that can issue      */
    unsigned last;       /* the warp that was picked last     */
} view;

/* The pair of CTAs of the warp that was picked last, as sets of all their warps. */
typedef struct pair {
    uint64_t even, odd;
    unsigned apart; /* from a warp of the even slot up to its partner */
} pair;

warp_scheduler_cfg warp_scheduler_cfg_default(void)
{
    return (warp_scheduler_cfg){.num_warps = 48, .num_slots = 8, .group_size = 8};
}

warp_scheduler_in warp_scheduler_in_default(void)
{
    return (warp_scheduler_in){.enable = 1, .policy = WARP_SCHEDULER_GTO};
}

void warp_scheduler_reset(warp_scheduler_state *state, const warp_scheduler_cfg *cfg)
{
    *state = (warp_scheduler_state){.last = (uint8_t)(cfg->num_warps - 1)};
}

/* ---- sets of warps --------------------------------------------------------------------- */

static uint64_t all_warps(const warp_scheduler_cfg *cfg)
{
    return ~UINT64_C(0) >> (64 - cfg->num_warps);
}

static inline bool has(uint64_t set, unsigned warp)
{
    return set >> (warp & 63) & 1;
}

/* Number of the lowest one; 0 of an empty set. Bit b of it is whether the lowest one is among the warps whose number has bit b. */
static unsigned lowest(uint64_t set)
{
    const uint64_t one = set & (~set + 1);
    const bool b0 = one & UINT64_C(0xaaaaaaaaaaaaaaaa), b1 = one & UINT64_C(0xcccccccccccccccc), b2 = one & UINT64_C(0xf0f0f0f0f0f0f0f0),
               b3 = one & UINT64_C(0xff00ff00ff00ff00), b4 = one & UINT64_C(0xffff0000ffff0000), b5 = one >> 32;

    return (unsigned)(b0 | b1 << 1 | b2 << 2 | b3 << 3 | b4 << 4 | b5 << 5);
}

static uint64_t up_to(unsigned warp)
{
    return (BIT(warp & 63) << 1) - 1;
}

static unsigned first_after(uint64_t set, unsigned warp)
{
    const uint64_t above = set & ~up_to(warp);

    return lowest(above ? above : set);
}

/* Nothing comes in at the ends. */
static uint64_t shift_up(uint64_t set, unsigned by)
{
    return by < 64 ? set << by : 0;
}

static uint64_t shift_down(uint64_t set, unsigned by)
{
    return by < 64 ? set >> by : 0;
}

/* ---- CTA slots -------------------------------------------------------------------------- */

/* Warps in whose plane the bit is that of the slot. */
static inline uint64_t with_bit(uint64_t plane, unsigned slot, unsigned b)
{
    return slot >> b & 1 ? plane : ~plane;
}

void warp_scheduler_sort(const warp_scheduler_cfg *cfg, const warp_scheduler_in *in, warp_scheduler_slots *slots)
{
    slots->known = 0;
    for (unsigned slot = 0; slot < cfg->num_slots; slot++) {
        slots->of[slot] = with_bit(in->slot0, slot, 0) & with_bit(in->slot1, slot, 1) & with_bit(in->slot2, slot, 2) &
                          with_bit(in->slot3, slot, 3) & with_bit(in->slot4, slot, 4) & all_warps(cfg);
        slots->known |= slots->of[slot];
    }
}

/* None of a slot that the SM does not have. */
static inline uint64_t warps_of(const warp_scheduler_slots *slots, const warp_scheduler_cfg *cfg, unsigned slot)
{
    return slot < cfg->num_slots ? slots->of[slot & (BALLAST_MAX_SLOTS - 1)] : 0;
}

static unsigned slot_of(const warp_scheduler_in *in, unsigned warp)
{
    return (unsigned)(has(in->slot0, warp) | has(in->slot1, warp) << 1 | has(in->slot2, warp) << 2 | has(in->slot3, warp) << 3 |
                      has(in->slot4, warp) << 4);
}

/* A launch makes its slot the youngest; of two at once the higher one. */
static void update_ages(warp_scheduler_state *s, const warp_scheduler_cfg *cfg, uint32_t start)
{
    const uint32_t slots = (uint32_t)(BIT(cfg->num_slots) - 1);

    for (unsigned i = 0; i < cfg->num_slots; i++) {
        const uint32_t above = slots & ~(uint32_t)up_to(i);
        const uint32_t stay = start >> i & 1 ? 0 : s->older[i];

        s->older[i] = (stay | start) & above;
    }
}

/* ---- who can be picked -------------------------------------------------------------------- */

static view look(const warp_scheduler_state *s, const warp_scheduler_in *in, const warp_scheduler_slots *slots)
{
    view v = {.slots = slots, .last = s->last};

    v.there = in->present & slots->known;
    if (!in->pause_soft || (in->ready & v.there & ~in->paused)) /* PAUSE-2; PAUSE-4: unless no other can */
        v.there &= ~in->paused;
    v.candidates = in->ready & v.there;
    return v;
}

/* ---- the orders: each of at least one candidate -------------------------------------------- */

/* Slots with a candidate, as a set. */
static uint32_t busy_slots(const warp_scheduler_cfg *cfg, const view *v)
{
    uint32_t busy = 0;

    for (unsigned slot = 0; slot < cfg->num_slots; slot++)
        busy |= (uint32_t)((v->candidates & v->slots->of[slot]) != 0) << slot;
    return busy;
}

/* Of two busy slots the younger one is passed over. One is left, as ages are an order. */
static uint32_t oldest_of(const warp_scheduler_state *s, const warp_scheduler_cfg *cfg, uint32_t busy)
{
    uint32_t passed = 0;

    for (unsigned slot = 0; slot < cfg->num_slots; slot++) {
        const uint32_t above = busy & ~(uint32_t)up_to(slot), here = busy >> slot & 1;

        passed |= above & s->older[slot] & (0 - here);
        passed |= (uint32_t)((above & ~s->older[slot]) != 0) << slot;
    }
    return busy & ~passed;
}

static unsigned oldest(const warp_scheduler_state *s, const warp_scheduler_cfg *cfg, const view *v)
{
    if (!(v->candidates & (v->candidates - 1))) /* the only one */
        return lowest(v->candidates);
    return lowest(v->candidates & warps_of(v->slots, cfg, lowest(oldest_of(s, cfg, busy_slots(cfg, v)))));
}

static uint64_t fetch_group(const warp_scheduler_cfg *cfg, unsigned warp)
{
    uint64_t group = 0;

    for (unsigned first = 0; first < cfg->num_warps; first += cfg->group_size)
        if (warp >= first && warp - first < cfg->group_size)
            group = shift_up(~UINT64_C(0), first) & ~shift_up(~UINT64_C(0), first + cfg->group_size);
    return group;
}

static unsigned two_levels(const warp_scheduler_cfg *cfg, const view *v)
{
    const uint64_t active = v->candidates & fetch_group(cfg, v->last);

    return first_after(active ? active : v->candidates, v->last);
}

static pair pair_of_last(const warp_scheduler_cfg *cfg, const warp_scheduler_in *in, const view *v)
{
    const unsigned slot = slot_of(in, v->last);

    if (slot >= cfg->num_slots)
        return (pair){0};
    return (pair){.even = warps_of(v->slots, cfg, slot & ~1u), .odd = warps_of(v->slots, cfg, slot | 1u), .apart = in->warps_per_cta};
}

/* The warps of the pair whose partners are in `set`. */
static uint64_t partners_of(const pair *p, uint64_t set)
{
    return (shift_up(set & p->even, p->apart) & p->odd) | (shift_down(set & p->odd, p->apart) & p->even);
}

/* SCA-2: the group of the last pick goes on. */
static bool group_stays(const warp_scheduler_cfg *cfg, const view *v, uint64_t group)
{
    const uint64_t members = group & v->there;

    if (cfg->sca_both_stall)
        return (members & v->candidates) != 0;
    return members != 0 && (members & ~v->candidates) == 0;
}

/* SCA-3: the place of the group that is next; `places` has one at least. */
static unsigned next_place(const warp_scheduler_cfg *cfg, uint64_t places, unsigned here)
{
    const uint64_t others = places & ~BIT(here & 63);

    if (cfg->sca_next)
        return lowest(others ? others : places);
    return first_after(places, here);
}

static unsigned sequential(const warp_scheduler_state *s, const warp_scheduler_cfg *cfg, const warp_scheduler_in *in, const view *v)
{
    const pair p = pair_of_last(cfg, in, v);
    const uint64_t last = BIT(v->last & 63), partner = partners_of(&p, last);
    const uint64_t places = p.even & (v->candidates | partners_of(&p, v->candidates));
    const unsigned here = p.odd & last && partner ? lowest(partner) : v->last;

    if (s->hold && group_stays(cfg, v, last | partner))
        return lowest(partner & v->candidates ? partner : last);
    if (s->hold && places) {
        const unsigned place = next_place(cfg, places, here);

        return has(v->candidates, place) ? place : lowest(partners_of(&p, BIT(place)));
    }
    return oldest(s, cfg, v);
}

static unsigned choose(const warp_scheduler_state *s, const warp_scheduler_cfg *cfg, const warp_scheduler_in *in, const view *v)
{
    switch (in->policy & 3) {
    case WARP_SCHEDULER_LRR: return first_after(v->candidates, v->last);
    case WARP_SCHEDULER_GTO: return s->hold && has(v->candidates, v->last) ? v->last : oldest(s, cfg, v);
    case WARP_SCHEDULER_TLV: return two_levels(cfg, v);
    default: return sequential(s, cfg, in, v);
    }
}

void warp_scheduler_step_sorted(warp_scheduler_state *state, const warp_scheduler_cfg *cfg, const warp_scheduler_in *in,
                                const warp_scheduler_slots *slots, warp_scheduler_out *out)
{
    const view v = look(state, in, slots);

    *out = (warp_scheduler_out){.pick = 0};
    if (!in->enable)
        return;
    if (v.candidates) {
        out->pick = 1;
        out->warp = (uint8_t)choose(state, cfg, in, &v);
        state->last = out->warp;
    }
    state->hold = out->pick;
    if (in->cta_start)
        update_ages(state, cfg, in->cta_start);
}

void warp_scheduler_step(warp_scheduler_state *state, const warp_scheduler_cfg *cfg, const warp_scheduler_in *in,
                         warp_scheduler_out *out)
{
    warp_scheduler_slots slots;

    warp_scheduler_sort(cfg, in, &slots);
    warp_scheduler_step_sorted(state, cfg, in, &slots, out);
}
