/* SPDX-License-Identifier: Apache-2.0
 *
 * The vote is taken in two halves: count the SMs by action when the epoch ends; a cycle later
 * let each count say what its action asks of a domain.
 */
#include "chip/vf_vote.h"

#include <stdbool.h>

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

/* SMs whose bit is set in `these` and not in `others`: an SM with both has no action (EQ-7). */
static uint16_t count(const vf_vote_cfg *cfg, const uint64_t *these, const uint64_t *others)
{
    unsigned n = 0;

    for (unsigned sm = 0; sm < cfg->num_sms; sm += 64) {
        const unsigned left = cfg->num_sms - sm;
        const uint64_t exist = left < 64 ? (UINT64_C(1) << left) - 1 : ~UINT64_C(0);

        n += ballast_popcount64(these[sm / 64] & ~others[sm / 64] & exist);
    }
    return (uint16_t)n;
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
    state->valid = in->tick;
    if (in->tick) {
        state->comp_count = count(cfg, in->comp, in->mem);
        state->mem_count = count(cfg, in->mem, in->comp);
    }
}
