/* SPDX-License-Identifier: Apache-2.0
 *
 * An action is turned into a wish for a level first (Table I), and the wish into a step: the
 * sign of what is wished for minus what is there.
 */
#include "chip/vf_domain.h"

#include <stdbool.h>

vf_domain_cfg vf_domain_cfg_default(void)
{
    return (vf_domain_cfg){.transition = 512};
}

void vf_domain_reset(vf_domain_state *state, const vf_domain_cfg *cfg)
{
    (void)cfg;
    *state = (vf_domain_state){.level = BALLAST_VF_NORMAL, .next = BALLAST_VF_NORMAL}; /* EQ-A23 */
}

/* The code 3 never comes about; read as HIGH, it is left again. */
static uint8_t legal(uint8_t level)
{
    return level > BALLAST_VF_HIGH ? BALLAST_VF_HIGH : level;
}

/* EQ-A15: the level at which "Maintain" is content. */
static int maintained(const vf_domain_cfg *cfg, int level)
{
    return cfg->maintain == BALLAST_VF_MAINTAIN_HOLD ? level : BALLAST_VF_NORMAL;
}

/* Table I, one cell: the level that an action (memory: MemAction, else CompAction) wishes for. */
static int wished(const vf_domain_cfg *cfg, bool performance, bool memory, int level)
{
    const bool bottleneck = memory == (cfg->domain == VF_DOMAIN_MEM);

    if (performance) /* speed up what holds the kernel back */
        return bottleneck ? BALLAST_VF_HIGH : maintained(cfg, level);
    if (cfg->domain == VF_DOMAIN_MEM && cfg->table1_literal) /* EQ-A16: with either action */
        return BALLAST_VF_LOW;
    return bottleneck ? maintained(cfg, level) : BALLAST_VF_LOW; /* slow down what does not */
}

static void answer_to(const vf_domain_cfg *cfg, bool performance, bool memory, int level, uint8_t *up,
                      uint8_t *down)
{
    const int target = wished(cfg, performance, memory, level);

    *up = target > level;
    *down = target < level;
}

/* EQ-9, EQ-13: one step, within LOW..HIGH; the level itself when there is nothing to do. */
static uint8_t requested(const vf_domain_in *in, uint8_t level)
{
    const int step = in->valid ? in->up - in->down : 0;
    const int to = level + step;

    return to < BALLAST_VF_LOW || to > BALLAST_VF_HIGH ? level : (uint8_t)to;
}

void vf_domain_show(const vf_domain_state *state, const vf_domain_cfg *cfg, vf_domain_out *out)
{
    out->level = legal(state->level);
    out->busy = state->timer != 0;
    out->stall = out->busy && cfg->vrm_stall;
}

void vf_domain_answer(const vf_domain_state *state, const vf_domain_cfg *cfg, uint8_t mode, vf_domain_out *out)
{
    const uint8_t level = legal(state->level);
    const bool performance = mode == BALLAST_VF_PERFORMANCE;

    answer_to(cfg, performance, false, level, &out->comp_up, &out->comp_down);
    answer_to(cfg, performance, true, level, &out->mem_up, &out->mem_down);
}

void vf_domain_edge(vf_domain_state *state, const vf_domain_cfg *cfg, const vf_domain_in *in)
{
    vf_domain_state *s = state;

    s->level = legal(s->level);
    s->next = legal(s->next);
    if (s->timer == 0) {
        s->next = requested(in, s->level);
        if (s->next != s->level)
            s->timer = cfg->transition; /* EQ-14 */
        return;
    }
    s->timer--; /* EQ-A22: requests wait for nobody, they are lost */
    if (s->timer == 0)
        s->level = s->next;
}

void vf_domain_step(vf_domain_state *state, const vf_domain_cfg *cfg, const vf_domain_in *in,
                    vf_domain_out *out)
{
    vf_domain_show(state, cfg, out);
    vf_domain_answer(state, cfg, in->mode, out);
    vf_domain_edge(state, cfg, in);
}
