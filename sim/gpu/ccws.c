/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/ccws.h"

#include <stdbool.h>
#include <string.h>

void ccws_clear(ccws *c)
{
    memset(c, 0, sizeof *c);
}

void ccws_begin(ccws *c, unsigned warp)
{
    memset(c->victims[warp], 0, sizeof c->victims[warp]);
    c->base_from[warp] = 0;
}

/* ---- victim tags ------------------------------------------------------------------ */

static uint64_t *set_of(ccws *c, unsigned warp, uint64_t line)
{
    return c->victims[warp][line % CCWS_SETS];
}

void ccws_throw_out(ccws *c, unsigned warp, uint64_t line)
{
    uint64_t *set = set_of(c, warp, line);

    memmove(set + 1, set, (CCWS_WAYS - 1) * sizeof *set);
    set[0] = line + 1;
}

/* Whether it was there: it is on its way back. */
static bool take_back(ccws *c, unsigned warp, uint64_t line)
{
    uint64_t *set = set_of(c, warp, line);

    for (unsigned way = 0; way < CCWS_WAYS; way++)
        if (set[way] == line + 1) {
            memmove(set + way, set + way + 1, (CCWS_WAYS - 1 - way) * sizeof *set);
            set[CCWS_WAYS - 1] = 0;
            return true;
        }
    return false;
}

/* ---- scores ----------------------------------------------------------------------- */

uint64_t ccws_score(const ccws *c, unsigned warp, uint64_t cycle)
{
    return CCWS_BASE + (c->base_from[warp] > cycle ? c->base_from[warp] - cycle : 0);
}

/* The losses of all warps per instruction set the height: losses x throttle x cutoff / issued. It is the cutoff at most, so that
 * one warp can always load. */
static uint64_t height(const ccws *c, uint64_t issued, unsigned warps)
{
    const uint64_t cutoff = (uint64_t)CCWS_BASE * warps;
    const uint64_t weight = c->losses * CCWS_THROTTLE;

    return weight >= issued ? cutoff : weight * cutoff / issued;
}

void ccws_miss(ccws *c, unsigned warp, uint64_t line, uint64_t cycle, uint64_t issued, unsigned warps)
{
    uint64_t score;

    if (!take_back(c, warp, line))
        return;
    c->losses++;
    score = height(c, issued, warps);
    if (score <= ccws_score(c, warp, cycle))
        return;
    c->base_from[warp] = cycle + score - CCWS_BASE;
    if (c->base_from[warp] > c->latest)
        c->latest = c->base_from[warp];
}

/* The highest score first; equal ones stay as they are. */
static void sort(uint64_t *scores, uint8_t *warps, unsigned num)
{
    for (unsigned i = 1; i < num; i++) {
        const uint64_t score = scores[i];
        const uint8_t warp = warps[i];
        unsigned at = i;

        for (; at > 0 && scores[at - 1] < score; at--) {
            scores[at] = scores[at - 1];
            warps[at] = warps[at - 1];
        }
        scores[at] = score;
        warps[at] = warp;
    }
}

uint64_t ccws_may_load(const ccws *c, const uint8_t *by_age, unsigned warps, uint64_t cycle)
{
    uint64_t scores[BALLAST_MAX_WARPS], left = (uint64_t)CCWS_BASE * warps, may = 0;
    uint8_t order[BALLAST_MAX_WARPS];

    if (cycle >= c->latest)
        return UINT64_MAX;
    for (unsigned i = 0; i < warps; i++) {
        order[i] = by_age[i];
        scores[i] = ccws_score(c, by_age[i], cycle);
    }
    sort(scores, order, warps);
    for (unsigned i = 0; i < warps && (i == 0 || scores[i] <= left); i++) {
        may |= UINT64_C(1) << order[i];
        left -= scores[i] < left ? scores[i] : left;
    }
    return may;
}
