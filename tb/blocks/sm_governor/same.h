/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether two states of a block inside sm_governor are the same in every register. rules/test_rules_parts.c finds one that is left out.
 */
#ifndef BALLAST_SM_GOVERNOR_SAME_H
#define BALLAST_SM_GOVERNOR_SAME_H

#include "blocks/cta_throttle/bind.h"

static inline bool perfsat_same(const perfsat_state *a, const perfsat_state *b)
{
    return a->period == b->period && a->timer == b->timer && a->stalled == b->stalled && a->prev == b->prev && a->state == b->state &&
           a->limit == b->limit && a->nmax == b->nmax && a->toggles == b->toggles && a->history == b->history &&
           a->direction == b->direction && a->settled == b->settled;
}

static inline bool lcs_same(const lcs_state *a, const lcs_state *b, const lcs_cfg *cfg)
{
    bool same = true;

    for (unsigned p = 0; p < ballast_slot_parts(cfg->num_slots); p++)
        same &= a->active[p] == b->active[p];
    for (unsigned i = 0; i < cfg->num_slots; i++)
        same &= a->inst[i] == b->inst[i] && a->step[i] == b->step[i];
    return same && a->sum == b->sum && a->max == b->max && a->picked == b->picked && a->state == b->state && a->limit == b->limit &&
           a->nmax == b->nmax && a->index == b->index && a->finish == b->finish && a->decided == b->decided;
}

static inline bool dyncta_same(const dyncta_state *a, const dyncta_state *b)
{
    return a->timer == b->timer && a->idle == b->idle && a->mem == b->mem && a->limit == b->limit && a->nmax == b->nmax;
}

static inline bool eq_counters_same(const eq_counters_state *a, const eq_counters_state *b)
{
    return a->cycle == b->cycle && a->active == b->active && a->waiting == b->waiting && a->xalu == b->xalu && a->xmem == b->xmem &&
           a->active_turn == b->active_turn && a->waiting_turn == b->waiting_turn && a->xalu_turn == b->xalu_turn &&
           a->xmem_turn == b->xmem_turn;
}

static inline bool stall_classifier_same(const stall_classifier_state *a, const stall_classifier_state *b, const stall_classifier_cfg *cfg)
{
    bool same = a->active == b->active && a->waiting == b->waiting && a->ready == b->ready && a->lcs_class == b->lcs_class;

    for (unsigned g = 0; g < stall_classifier_groups(cfg); g++)
        same &= a->waits[g] == b->waits[g] && a->readies[g] == b->readies[g];
    return same;
}

#endif
