/* SPDX-License-Identifier: Apache-2.0
 *
 * The end of a cycle on one SM: what was said of it, in whatever order, is put together and checked. What cannot be is complained about
 * and left out, so that the governors see an SM that a GPU can have.
 */
#include "ballast/client_private.h"
#include "common/popcount.h"

static uint64_t all_warps(const ballast_client *c)
{
    return ~UINT64_C(0) >> (BALLAST_MAX_WARPS - c->settings.warps);
}

/* ---- CTAs that finish ----------------------------------------------------------------- */

static void settle_done(ballast_client *c, unsigned sm)
{
    client_sm *s = &c->sm[sm];

    for (uint32_t left = s->done & ~s->held; left; left &= left - 1) {
        const unsigned slot = client_lowest(left);
        const client_place place = {(int)sm, (int)slot, -1};

        if (s->start >> slot & 1) {
            ballast_client_complain(c, place, "a CTA finishes in the cycle of its launch; call ballast_client_cta_done in a later cycle (it is taken in the next one)");
            s->late |= (uint32_t)client_bit(slot);
        } else {
            ballast_client_complain(c, place, "a CTA finishes, but the slot is empty; call ballast_client_cta_start when it is launched");
        }
    }
    s->done &= s->held;
}

/* ---- CTAs that start ------------------------------------------------------------------ */

static void settle_occupied(ballast_client *c, unsigned sm)
{
    client_sm *s = &c->sm[sm];
    const uint32_t occupied = s->start & s->held & ~s->done;

    for (uint32_t left = occupied; left; left &= left - 1)
        ballast_client_complain(c, (client_place){(int)sm, (int)client_lowest(left), -1},
                                "a CTA starts, but the slot holds one; call ballast_client_cta_done when that finishes");
    s->start &= ~occupied;
}

/* Slot s has the warps s W to s W + W - 1, as far as the SM has them. */
static uint64_t usual_warps(ballast_client *c, unsigned sm, unsigned slot)
{
    const unsigned per_cta = c->sm[sm].kernel.warps_per_cta, first = slot * per_cta;

    if (first + per_cta > c->settings.warps)
        ballast_client_complain(c, (client_place){(int)sm, (int)slot, -1},
                                "a CTA of %u warps needs warps %u to %u, but the SM has %u; give it its warps with ballast_client_cta_start_in",
                                per_cta, first, first + per_cta - 1, (unsigned)c->settings.warps);
    if (!per_cta || first >= BALLAST_MAX_WARPS)
        return 0;
    return (per_cta < BALLAST_MAX_WARPS ? client_bit(per_cta) - 1 : ~UINT64_C(0)) << first & all_warps(c);
}

static void settle_warps(ballast_client *c, unsigned sm, unsigned slot, uint64_t *taken)
{
    client_sm *s = &c->sm[sm];
    const client_place place = {(int)sm, (int)slot, -1};
    uint64_t *warps = &s->start_warps[slot];

    if (!*warps)
        *warps = usual_warps(c, sm, slot);
    if (*warps & ~all_warps(c))
        ballast_client_complain(c, place, "a CTA gets warp %u, but the SM has %u; their numbers begin with 0",
                                client_lowest(*warps & ~all_warps(c)), (unsigned)c->settings.warps);
    if (*warps & *taken)
        ballast_client_complain(c, place, "a CTA gets warp %u, which another CTA has; a warp belongs to one CTA", client_lowest(*warps & *taken));
    *warps &= all_warps(c) & ~*taken;
    *taken |= *warps;
}

static void settle_start(ballast_client *c, unsigned sm)
{
    client_sm *s = &c->sm[sm];
    uint64_t taken = 0;
    unsigned after;

    settle_occupied(c, sm);
    if (s->start && !s->kernel.number)
        ballast_client_complain(c, (client_place){(int)sm, (int)client_lowest(s->start), -1},
                                "a CTA starts, but no kernel has; call ballast_client_kernel_start before, or in the same cycle");
    for (uint32_t left = s->held & ~s->done; left; left &= left - 1)
        taken |= s->warps[client_lowest(left)];
    for (uint32_t left = s->start; left; left &= left - 1)
        settle_warps(c, sm, client_lowest(left), &taken);
    after = ballast_popcount64((s->held & ~s->done) | s->start);
    if (s->start && s->kernel.number && after > s->kernel.nmax)
        ballast_client_complain(c, (client_place){(int)sm, -1, -1},
                                "%u CTAs are there, but the kernel's nmax is %u; give ballast_client_kernel_start as many as fit", after,
                                s->kernel.nmax);
}

/* ---- warps ---------------------------------------------------------------------------- */

/* ISSUED_ALU is 9, ISSUED_MEM is 10. */
static void settle_issues(client_sm *s)
{
    const uint64_t alu = s->issued & ~s->to_memory, memory = s->issued & s->to_memory;

    s->ws[0] = (s->ws[0] & ~s->issued) | alu;
    s->ws[1] = (s->ws[1] & ~s->issued) | memory;
    s->ws[2] &= ~s->issued;
    s->ws[3] |= s->issued;
    s->issued = s->ws[3] & ~s->ws[2] & (s->ws[1] ^ s->ws[0]); /* also those that have said so by their state */
}

static void settle_states(ballast_client *c, unsigned sm)
{
    client_sm *s = &c->sm[sm];
    const uint64_t owned = ballast_client_owned(s), stray = (s->ws[0] | s->ws[1] | s->ws[2] | s->ws[3]) & ~owned;

    if (stray)
        ballast_client_complain(c, (client_place){(int)sm, -1, (int)client_lowest(stray)},
                                "it has a state, but belongs to no CTA; say EMPTY, or nothing, of a warp that is not there");
    for (unsigned b = 0; b < BALLAST_STATE_PLANES; b++)
        s->ws[b] &= owned;
    s->issued &= owned;
    s->paused &= owned;
}

static void settle_width(ballast_client *c, unsigned sm)
{
    const unsigned issues = ballast_popcount64(c->sm[sm].issued);

    if (issues > c->settings.issue_width)
        ballast_client_complain(c, (client_place){(int)sm, -1, -1},
                                "%u warps issue, but the issue width is %u; give ballast_client_open as many as the SM can issue in a cycle",
                                issues, (unsigned)c->settings.issue_width);
}

void ballast_client_settle(ballast_client *client, unsigned sm)
{
    client_sm *s = &client->sm[sm];

    if (s->kernel_start)
        s->kernel = s->next_kernel;
    settle_done(client, sm);
    settle_start(client, sm);
    settle_issues(s);
    settle_states(client, sm);
    settle_width(client, sm);
}
