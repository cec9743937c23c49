/* SPDX-License-Identifier: Apache-2.0
 *
 * The vote is taken in three steps, a cycle each: count the SMs of each group by action when the
 * epoch ends; add up the groups; let each sum say what its action asks of a domain.
 */
#include "chip/vf_vote.h"

#include <stdbool.h>
#include <string.h>

#include "common/popcount.h"

/* How many SMs want a domain to go up, down. The others want it to stay. */
typedef struct ballot {
    unsigned inc, dec;
} ballot;

vf_vote_cfg vf_vote_cfg_default(void)
{
    return (vf_vote_cfg){.num_sms = 15};
}

void vf_vote_reset(vf_vote_state *state, const vf_vote_cfg *cfg)
{
    (void)cfg;
    *state = (vf_vote_state){0};
}

/* SMs `first` to `first` + n - 1, of a group at most, as the lowest bits of a word. */
static uint64_t field(const uint64_t *words, unsigned first, unsigned n)
{
    const unsigned word = first / 64, shift = first % 64;
    uint64_t bits = words[word] >> shift;

    if (shift + n > 64) /* the rest is in the next word */
        bits |= words[word + 1] << (64 - shift);
    return bits & ((UINT64_C(1) << n) - 1);
}

/* By group: SMs of one action alone. An SM with both has none (EQ-7). */
static void count_groups(vf_vote_state *s, const vf_vote_cfg *cfg, const vf_vote_in *in)
{
    for (unsigned first = 0, g = 0; first < cfg->num_sms; first += VF_VOTE_GROUP, g++) {
        const unsigned n = first + VF_VOTE_GROUP > cfg->num_sms ? cfg->num_sms - first : VF_VOTE_GROUP;
        const uint64_t comp = field(in->comp, first, n), mem = field(in->mem, first, n);

        s->comp_of[g] = (uint8_t)ballast_popcount64(comp & ~mem);
        s->mem_of[g] = (uint8_t)ballast_popcount64(mem & ~comp);
    }
}

static void add_up(vf_vote_state *s, const vf_vote_cfg *cfg)
{
    s->comp_count = s->mem_count = 0;
    for (unsigned g = 0; g < vf_vote_groups(cfg); g++) {
        s->comp_count = (uint16_t)(s->comp_count + s->comp_of[g]);
        s->mem_count = (uint16_t)(s->mem_count + s->mem_of[g]);
    }
}

/* All SMs with one action ask a domain for the same; both directions at once are none. */
static void cast(ballot *b, unsigned sms, bool up, bool down)
{
    if (up && !down)
        b->inc += sms;
    if (down && !up)
        b->dec += sms;
}

/* EQ-12, EQ-A17: does `yes` win, when `no` SMs ask for the opposite? */
static bool wins(const vf_vote_cfg *cfg, unsigned yes, unsigned no)
{
    switch (cfg->majority) {
    case BALLAST_VF_MAJORITY_VOTERS:
        return yes > no;
    case BALLAST_VF_MAJORITY_PLURALITY:
        return yes > no && 2 * yes + no > cfg->num_sms;
    default:
        return 2 * yes > cfg->num_sms;
    }
}

void vf_vote_step(vf_vote_state *state, const vf_vote_cfg *cfg, const vf_vote_in *in,
                  vf_vote_out *out)
{
    *out = (vf_vote_out){.valid = state->valid};
    if (state->valid) {
        ballot sm = {0, 0}, mem = {0, 0};

        cast(&sm, state->comp_count, in->sm_comp_up, in->sm_comp_down);
        cast(&sm, state->mem_count, in->sm_mem_up, in->sm_mem_down);
        cast(&mem, state->comp_count, in->mem_comp_up, in->mem_comp_down);
        cast(&mem, state->mem_count, in->mem_mem_up, in->mem_mem_down);
        out->sm_up = wins(cfg, sm.inc, sm.dec);
        out->sm_down = wins(cfg, sm.dec, sm.inc);
        out->mem_up = wins(cfg, mem.inc, mem.dec);
        out->mem_down = wins(cfg, mem.dec, mem.inc);
    }
    state->valid = state->counted;
    if (state->counted)
        add_up(state, cfg);
    memset(state->comp_of, 0, sizeof state->comp_of);
    memset(state->mem_of, 0, sizeof state->mem_of);
    state->counted = in->tick;
    if (in->tick)
        count_groups(state, cfg, in);
}
