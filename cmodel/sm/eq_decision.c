/* SPDX-License-Identifier: Apache-2.0
 *
 * Both sides of every comparison are brought to one unit first: sums for BALLAST_EQ_AVG_EXACT_SUM and
 * BALLAST_EQ_AVG_RAW, warps for BALLAST_EQ_AVG_TRUNC. After that, Algorithm 1 stands here as it is printed.
 */
#include "sm/eq_decision.h"

eq_decision_cfg eq_decision_cfg_default(void)
{
    return (eq_decision_cfg){.num_warps = 48, .samples = 32, .avg_mode = BALLAST_EQ_AVG_EXACT_SUM};
}

void eq_decision_reset(eq_decision_state *state, const eq_decision_cfg *cfg)
{
    (void)cfg;
    *state = (eq_decision_state){0};
}

/* The names of Algorithm 1; EQ-A1: nALU is X_alu, nMem is X_mem. */
typedef struct epoch {
    uint32_t n_active, n_waiting, n_alu, n_mem;
    uint32_t w_cta, two; /* the thresholds */
} epoch;

static epoch measure(const eq_decision_cfg *cfg, const eq_decision_in *in)
{
    const uint32_t divisor = cfg->avg_mode == BALLAST_EQ_AVG_TRUNC ? cfg->samples : 1;
    const uint32_t scale = cfg->avg_mode == BALLAST_EQ_AVG_EXACT_SUM ? cfg->samples : 1;

    return (epoch){
        .n_active = in->active / divisor,
        .n_waiting = in->waiting / divisor,
        .n_alu = in->xalu / divisor,
        .n_mem = in->xmem / divisor,
        .w_cta = in->wcta * scale,
        .two = 2 * scale,
    };
}

static enum ballast_eq_branch algorithm_1(const epoch *e)
{
    if (e->n_mem > e->w_cta)
        return BALLAST_EQ_DEFINITELY_MEM;
    if (e->n_alu > e->w_cta)
        return BALLAST_EQ_DEFINITELY_COMP;
    if (e->n_mem > e->two)
        return BALLAST_EQ_LIKELY_MEM;
    if (2 * e->n_waiting > e->n_active)
        return e->n_alu > e->n_mem ? BALLAST_EQ_WAIT_COMP : BALLAST_EQ_WAIT_MEM;
    if (e->n_active == 0)
        return BALLAST_EQ_IDLE;
    return BALLAST_EQ_NONE;
}

void eq_decision_step(eq_decision_state *state, const eq_decision_cfg *cfg,
                      const eq_decision_in *in, eq_decision_out *out)
{
    /* What each line does to numBlocks and which action it takes. */
    static const eq_decision_out actions[BALLAST_EQ_BRANCHES] = {
        [BALLAST_EQ_NONE] = {.branch = BALLAST_EQ_NONE},
        [BALLAST_EQ_DEFINITELY_MEM] = {.branch = BALLAST_EQ_DEFINITELY_MEM, .dec = 1, .mem = 1},
        [BALLAST_EQ_DEFINITELY_COMP] = {.branch = BALLAST_EQ_DEFINITELY_COMP, .comp = 1},
        [BALLAST_EQ_LIKELY_MEM] = {.branch = BALLAST_EQ_LIKELY_MEM, .mem = 1},
        [BALLAST_EQ_WAIT_COMP] = {.branch = BALLAST_EQ_WAIT_COMP, .inc = 1, .comp = 1},
        [BALLAST_EQ_WAIT_MEM] = {.branch = BALLAST_EQ_WAIT_MEM, .inc = 1, .mem = 1},
        [BALLAST_EQ_IDLE] = {.branch = BALLAST_EQ_IDLE, .comp = 1},
    };
    const epoch e = measure(cfg, in);

    (void)state;
    *out = actions[algorithm_1(&e)];
}
