/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/breakdown.h"

#include <string.h>

#include "common/popcount.h"
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
    const stall_classifier_out out = stall_classifier_of(cfg, &in);

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

/* ---- of what is decoded ----------------------------------------------------------------- */

/* The cycles of a block's word that are in a part. */
static uint64_t cycles_in(const unrolled_block *b, enum breakdown_part part)
{
    const uint64_t pipeline = b->ps[1] & ~b->ps[0], scoreboard = b->ps[0] & ~b->ps[1];

    switch (part) {
    case BREAKDOWN_ACTIVE: return b->ps[0] & b->ps[1];
    case BREAKDOWN_PIPELINE_ALU: return pipeline & ~b->mem;
    case BREAKDOWN_PIPELINE_MEM: return pipeline & b->mem;
    case BREAKDOWN_SCOREBOARD_ALU: return scoreboard & ~b->mem;
    case BREAKDOWN_SCOREBOARD_MEM: return scoreboard & b->mem;
    default: return ~b->ps[0] & ~b->ps[1];
    }
}

static void count_cycles(uint64_t *parts, const unrolled *u, uint64_t from, uint64_t to)
{
    while (from < to) {
        const unsigned at = from % UNROLLED_BLOCK, n = to - from < UNROLLED_BLOCK - at ? (unsigned)(to - from) : UNROLLED_BLOCK - at;
        const uint64_t some = (~UINT64_C(0) >> (UNROLLED_BLOCK - n)) << at;

        for (unsigned p = 0; p < BREAKDOWN_PARTS; p++)
            parts[p] += ballast_popcount64(cycles_in(&unrolled_blocks(u)[from / UNROLLED_BLOCK], (enum breakdown_part)p) & some);
        from += n;
    }
}

static void count_member(breakdown *b, unsigned limit, const unrolled *u)
{
    uint64_t until[BREAKDOWN_PARTS] = {0};

    b->at[limit].instructions = u->instructions;
    for (size_t e = 0; e < u->events.num; e++) {
        const unrolled_event *event = &unrolled_events(u)[e];
        uint64_t here[BREAKDOWN_PARTS] = {0};

        count_cycles(here, u, event->cycle, event[1].cycle);
        for (unsigned p = 0; p < BREAKDOWN_PARTS; p++) {
            until[p] += here[p];
            b->at[limit].held[p] += event->active ? here[p] : 0;
            b->at[limit].part[p] = event->active ? until[p] : b->at[limit].part[p];
        }
    }
    for (unsigned p = 0; p < BREAKDOWN_PARTS; p++)
        b->at[limit].cycles += b->at[limit].part[p];
}

void breakdown_of(breakdown *b, const unrolled *const *members, unsigned nmax)
{
    memset(b, 0, sizeof *b);
    b->nmax = nmax;
    for (unsigned limit = 1; limit <= nmax; limit++)
        if (members[limit])
            count_member(b, limit, members[limit]);
}
