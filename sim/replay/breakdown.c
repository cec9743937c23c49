/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/breakdown.h"

#include <string.h>

#include "sm/stall_classifier.h"

const char *const breakdown_names[BREAKDOWN_PARTS] = {
    [BREAKDOWN_ACTIVE] = "active",
    [BREAKDOWN_PIPELINE_ALU] = "pipeline_alu",
    [BREAKDOWN_PIPELINE_MEM] = "pipeline_mem",
    [BREAKDOWN_SCOREBOARD_ALU] = "scoreboard_alu",
    [BREAKDOWN_SCOREBOARD_MEM] = "scoreboard_mem",
    [BREAKDOWN_IDLE] = "idle",
};

static enum breakdown_part part_of(const stall_classifier_cfg *cfg, const sm_obs *obs)
{
    const stall_classifier_in in = {obs->ws[0], obs->ws[1], obs->ws[2], obs->ws[3], obs->paused};
    stall_classifier_state state = {0};
    stall_classifier_out out;

    stall_classifier_step(&state, cfg, &in, &out);
    switch (out.ps_class) {
    case BALLAST_PS_ACTIVE: return BREAKDOWN_ACTIVE;
    case BALLAST_PS_PIPELINE: return out.ps_mem ? BREAKDOWN_PIPELINE_MEM : BREAKDOWN_PIPELINE_ALU;
    case BALLAST_PS_SCOREBOARD: return out.ps_mem ? BREAKDOWN_SCOREBOARD_MEM : BREAKDOWN_SCOREBOARD_ALU;
    default: return BREAKDOWN_IDLE;
    }
}

/* What follows the last CTA is counted apart and dropped. */
static bool count_launch(breakdown *b, unsigned limit, trace_reader *r, unsigned sm, unsigned launch, trace_err *err)
{
    stall_classifier_cfg cfg = stall_classifier_cfg_default();
    uint64_t since[BREAKDOWN_PARTS] = {0};
    const sm_obs *obs;

    cfg.num_warps = trace_get_meta(r)->geometry.warps;
    if (!trace_select_sm(r, sm, err) || !trace_seek_launch(r, launch, err))
        return false;
    while ((obs = trace_next(r, err)) && trace_launch_index(r) == launch) {
        const enum breakdown_part part = part_of(&cfg, obs);

        since[part]++;
        b->at[limit].instructions = trace_launch_instructions(r);
        if (!obs->cta_active)
            continue;
        b->at[limit].held[part]++;
        for (unsigned p = 0; p < BREAKDOWN_PARTS; p++) {
            b->at[limit].part[p] += since[p];
            b->at[limit].cycles += since[p];
        }
        memset(since, 0, sizeof since);
    }
    return err->text[0] == '\0';
}

static bool count_file(breakdown *b, const char *path, unsigned sm, unsigned launch, trace_err *err)
{
    trace_reader *r = trace_open(path, NULL, err);
    unsigned limit;
    bool ok;

    if (!r)
        return false;
    limit = trace_get_meta(r)->launches[launch].limit;
    b->nmax = trace_get_meta(r)->launches[launch].desc.nmax;
    ok = b->at[limit].cycles > 0 || count_launch(b, limit, r, sm, launch, err);
    trace_close(r);
    return ok;
}

bool breakdown_measure(breakdown *b, const char *const *paths, unsigned num_paths, unsigned sm, unsigned launch,
                       trace_err *err)
{
    memset(b, 0, sizeof *b);
    err->text[0] = '\0';
    for (unsigned i = 0; i < num_paths; i++)
        if (!count_file(b, paths[i], sm, launch, err))
            return false;
    return true;
}
