/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/governed.h"

#include <string.h>

#include "blocks/chip_governor/bind.h"

void governed_control(sim_control *control, const chip_governor_out *out, unsigned sms)
{
    control->sm_level = out->sm_level;
    control->mem_level = out->mem_level;
    control->sm_stall = out->sm_stall;
    control->mem_stall = out->mem_stall;
    for (unsigned i = 0; i < sms; i++)
        control->sm[i] = (sm_control){.req = out->sm[i].req, .limit = out->sm[i].limit, .paused = out->sm[i].cta_paused, .soft = out->sm[i].pause_soft};
}

void governed_open(governed *g, chip_sim *sim)
{
    const machine *m = sim_machine(sim);

    memset(g, 0, sizeof *g);
    g->sim = sim;
    g->cfg = chip_governor_cfg_default();
    g->cfg.num_sms = m->sms;
    g->cfg.sm.num_warps = m->warps;
    g->cfg.sm.num_slots = m->slots;
    g->cfg.sm.issue_width = m->schedulers;
    chip_governor_cfg_derive(&g->cfg);
    chip_governor_reset(&g->state, &g->cfg);
    chip_governor_set_defaults(&g->in); /* the static policy: nobody throttles */
    g->control.sm_level = g->control.mem_level = BALLAST_VF_NORMAL;
}

const sm_obs *const *governed_step_own(governed *g, decisions *list)
{
    const sm_obs *const *obs = sim_step(g->sim, &g->control);

    if (!obs)
        return NULL;
    g->failed = !own_chip_step(g->own, obs, &g->out, list);
    governed_control(&g->control, &g->out, g->cfg.num_sms);
    return g->failed ? NULL : obs;
}

/* Most of the time of a cycle in which the SMs do little. flatten: the compiler copies the governor's blocks to here, so that what one
 * hands to the next does not go through memory. */
__attribute__((flatten)) static void govern(governed *g, const sm_obs *const *obs)
{
    chip_governor_bind(&g->in, &g->cfg, obs, NULL);
    chip_governor_step(&g->state, &g->cfg, &g->in, &g->out);
    governed_control(&g->control, &g->out, g->cfg.num_sms);
}

const sm_obs *const *governed_step(governed *g)
{
    const sm_obs *const *obs;

    if (g->own)
        return governed_step_own(g, NULL);
    obs = sim_step(g->sim, &g->control);
    if (obs)
        govern(g, obs);
    return obs;
}
