/* SPDX-License-Identifier: Apache-2.0
 *
 * What is said of a cycle is kept until its end. Here it is only asked whether there is such an SM, slot, warp or state, and whether
 * something is said twice.
 */
#include <stddef.h>

#include "ballast/client_private.h"
#include "chip/chip_governor.h"

enum { WARP_THREADS = 32 };

/* NULL with a complaint: there is none. */
static client_sm *sm_of(ballast_client *c, uint32_t sm)
{
    if (!c)
        return NULL;
    if (sm < c->settings.sms)
        return &c->sm[sm];
    ballast_client_complain(c, (client_place){-1, -1, -1}, "there is no SM %lu; there are 0 to %u", (unsigned long)sm, (unsigned)c->settings.sms - 1);
    return NULL;
}

static bool has_slot(ballast_client *c, uint32_t sm, uint32_t slot)
{
    if (slot < c->settings.slots)
        return true;
    ballast_client_complain(c, (client_place){(int)sm, -1, -1}, "there is no CTA slot %lu; there are 0 to %u", (unsigned long)slot,
                            (unsigned)c->settings.slots - 1);
    return false;
}

static bool has_warp(ballast_client *c, uint32_t sm, uint32_t warp)
{
    if (warp < c->settings.warps)
        return true;
    ballast_client_complain(c, (client_place){(int)sm, -1, -1}, "there is no warp %lu; there are 0 to %u", (unsigned long)warp,
                            (unsigned)c->settings.warps - 1);
    return false;
}

/* ---- kernels ---------------------------------------------------------------------------- */

/* What is not given counts as one. */
static uint64_t product(const uint32_t of[3])
{
    uint64_t all = 1;

    for (unsigned i = 0; i < 3; i++)
        all *= of[i] ? of[i] : 1;
    return all;
}

static uint8_t between(ballast_client *c, const char *name, uint64_t value, uint32_t least, uint32_t most)
{
    if (value >= least && value <= most)
        return (uint8_t)value;
    ballast_client_complain(c, (client_place){-1, -1, -1}, "the kernel's %s is %llu; give %u to %u", name, (unsigned long long)value,
                            (unsigned)least, (unsigned)most);
    return (uint8_t)(value < least ? least : most);
}

static uint64_t hash_of(const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */

    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    return hash ? hash : 1;
}

/* A kernel has the same number in all its launches (LTB-1). 0: it has no name, or there are too many. */
static uint8_t number_of(ballast_client *c, const char *name)
{
    const uint64_t hash = name ? hash_of(name) : 0;

    for (unsigned n = 0; hash && n < CLIENT_NAMES; n++) {
        if (!c->names[n])
            c->names[n] = hash;
        if (c->names[n] == hash)
            return (uint8_t)(n + 1);
    }
    return 0;
}

static void start_on(ballast_client *c, uint32_t sm, client_kernel kernel)
{
    client_sm *s = &c->sm[sm];

    if (s->kernel_start)
        ballast_client_complain(c, (client_place){(int)sm, -1, -1},
                                "two kernels start in one cycle; start the second one in the next, or only the one that the SM gets CTAs of");
    s->kernel_start = true;
    s->next_kernel = kernel;
}

void ballast_client_kernel_start(ballast_client *client, uint32_t sm, const ballast_client_kernel *kernel)
{
    ballast_client *c = client;
    const uint64_t threads = kernel ? product(kernel->block) : 0;
    client_kernel known;

    if (!c || !kernel || (sm != BALLAST_CLIENT_ALL_SMS && !sm_of(c, sm)))
        return;
    known.nmax = between(c, "nmax", kernel->nmax, 1, c->settings.slots);
    known.warps_per_cta = between(c, "warps_per_cta", kernel->warps_per_cta ? kernel->warps_per_cta : (threads + WARP_THREADS - 1) / WARP_THREADS,
                                  1, c->settings.warps);
    known.number = ++c->launches;
    c->next_cta = 0;
    if (sm == 0 || sm == BALLAST_CLIENT_ALL_SMS)
        c->in->kernel_id = number_of(c, kernel->name);
    for (uint32_t i = 0; i < c->settings.sms; i++)
        if (sm == i || sm == BALLAST_CLIENT_ALL_SMS)
            start_on(c, i, known);
    if (c->record)
        ballast_client_record_kernel(c, sm, kernel, &known);
}

/* ---- CTAs ------------------------------------------------------------------------------- */

void ballast_client_cta_start(ballast_client *client, uint32_t sm, uint32_t slot, uint32_t cta)
{
    ballast_client_cta_start_in(client, sm, slot, cta, 0);
}

void ballast_client_cta_start_in(ballast_client *client, uint32_t sm, uint32_t slot, uint32_t cta, uint64_t warps)
{
    client_sm *s = sm_of(client, sm);

    if (!s || !has_slot(client, sm, slot))
        return;
    if (s->start >> slot & 1) {
        ballast_client_complain(client, (client_place){(int)sm, (int)slot, -1}, "two CTAs start in one cycle; a slot holds one");
        return;
    }
    s->start |= (uint32_t)client_bit(slot);
    s->start_warps[slot] = warps;
    s->start_cta[slot] = cta == BALLAST_CLIENT_NEXT_CTA ? client->next_cta : cta;
    client->next_cta = s->start_cta[slot] + 1;
}

void ballast_client_cta_done(ballast_client *client, uint32_t sm, uint32_t slot)
{
    client_sm *s = sm_of(client, sm);

    if (!s || !has_slot(client, sm, slot))
        return;
    if (s->done >> slot & 1)
        ballast_client_complain(client, (client_place){(int)sm, (int)slot, -1}, "a CTA finishes twice; call ballast_client_cta_done once");
    s->done |= (uint32_t)client_bit(slot);
}

void ballast_client_cta_denied(ballast_client *client, uint32_t sm)
{
    client_sm *s = sm_of(client, sm);

    if (s)
        s->denied = true;
}

/* ---- warps ------------------------------------------------------------------------------ */

void ballast_client_warp_state(ballast_client *client, uint32_t sm, uint32_t warp, uint32_t state)
{
    client_sm *s = sm_of(client, sm);

    if (!s || !has_warp(client, sm, warp))
        return;
    if (state >= BALLAST_WARP_STATES) {
        ballast_client_complain(client, (client_place){(int)sm, -1, (int)warp}, "there is no state %lu; there are 0 to %d", (unsigned long)state,
                                (int)BALLAST_WARP_STATES - 1);
        state = BALLAST_WARP_EMPTY;
    }
    for (unsigned b = 0; b < BALLAST_STATE_PLANES; b++)
        s->ws[b] = (s->ws[b] & ~client_bit(warp)) | (uint64_t)(state >> b & 1) << warp;
}

void ballast_client_warp_states(ballast_client *client, uint32_t sm, const uint8_t *states)
{
    const uint32_t warps = sm_of(client, sm) && states ? client->settings.warps : 0;

    for (uint32_t w = 0; w < warps; w++)
        ballast_client_warp_state(client, sm, w, states[w]);
}

void ballast_client_issued(ballast_client *client, uint32_t sm, uint32_t warp, bool to_memory)
{
    client_sm *s = sm_of(client, sm);

    if (!s || !has_warp(client, sm, warp))
        return;
    s->issued |= client_bit(warp);
    s->to_memory = (s->to_memory & ~client_bit(warp)) | (to_memory ? client_bit(warp) : 0);
}

void ballast_client_paused(ballast_client *client, uint32_t sm, uint64_t warps)
{
    client_sm *s = sm_of(client, sm);

    if (!s)
        return;
    s->paused = warps;
    s->paused_said = true;
}

void ballast_client_sm_class(ballast_client *client, uint32_t sm, uint32_t ps_class)
{
    client_sm *s = sm_of(client, sm);

    if (!s)
        return;
    if (ps_class > BALLAST_PS_ACTIVE) {
        ballast_client_complain(client, (client_place){(int)sm, -1, -1}, "there is no class %lu; there are 0 to %d", (unsigned long)ps_class,
                                (int)BALLAST_PS_ACTIVE);
        return;
    }
    s->ps_class = (uint8_t)ps_class;
    s->class_said = true;
}
