/* SPDX-License-Identifier: Apache-2.0
 *
 * From a settled cycle to the governor's ports: planes, lanes, slots.
 */
#include "ballast/client_private.h"

/* Of a warp that a CTA has; one that leaves has its warps until the cycle is over. */
static unsigned slot_of(const client_sm *s, unsigned warp)
{
    for (uint32_t left = s->held; left; left &= left - 1)
        if (s->warps[client_lowest(left)] >> warp & 1)
            return client_lowest(left);
    for (uint32_t left = s->start; left; left &= left - 1)
        if (s->start_warps[client_lowest(left)] >> warp & 1)
            return client_lowest(left);
    return 0;
}

static unsigned slot_width(unsigned slots)
{
    unsigned width = 1;

    while ((slots - 1) >> width)
        width++;
    return width;
}

/* The warps that issued, lowest first, one per lane; more of them than lanes have been complained about. */
static void pack_lanes(const ballast_client *c, const client_sm *s, sm_governor_in *in)
{
    const unsigned width = slot_width(c->settings.slots);
    unsigned lane = 0;

    in->issue_valid = 0;
    in->issue_slot = 0;
    for (uint64_t left = s->issued; left && lane < c->settings.issue_width; left &= left - 1, lane++) {
        in->issue_valid |= (uint8_t)(1u << lane);
        in->issue_slot |= (uint64_t)slot_of(s, client_lowest(left)) << lane * width;
    }
}

uint64_t ballast_client_owned(const client_sm *s)
{
    uint64_t warps = 0;

    for (uint32_t left = s->held; left; left &= left - 1)
        warps |= s->warps[client_lowest(left)];
    for (uint32_t left = s->start; left; left &= left - 1)
        warps |= s->start_warps[client_lowest(left)];
    return warps;
}

/* What was paused is what it was told to pause, unless the caller has said something else. */
static uint64_t paused_in(const client_sm *s)
{
    uint64_t warps = 0;

    if (s->paused_said)
        return s->paused;
    for (uint32_t left = s->decision.paused_ctas & (s->held | s->start); left; left &= left - 1) {
        const unsigned slot = client_lowest(left);

        warps |= (s->held >> slot & 1 ? s->warps[slot] : 0) | (s->start >> slot & 1 ? s->start_warps[slot] : 0);
    }
    return warps;
}

void ballast_client_pack(const ballast_client *client, unsigned sm, sm_governor_in *in)
{
    const client_sm *s = &client->sm[sm];

    pack_lanes(client, s, in);
    in->ws0 = s->ws[0];
    in->ws1 = s->ws[1];
    in->ws2 = s->ws[2];
    in->ws3 = s->ws[3];
    in->paused = paused_in(s);
    in->cta_start = s->start;
    in->cta_done = s->done;
    in->cta_active = s->held | s->start;
    in->cta_denied = s->denied;
    in->kernel_start = s->kernel_start;
    in->nmax = s->kernel.nmax;
    in->wcta = s->kernel.warps_per_cta;
}
