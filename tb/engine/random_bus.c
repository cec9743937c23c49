/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/random_bus.h"

#include <assert.h>

#include "engine/random.h"

static void random_warps(random_bus *bus)
{
    const unsigned warps = bus->warps;

    assert(warps > 0);
    if (random_one_in(&bus->seed, 40))
        bus->mood = (unsigned)(random_next(&bus->seed) % 16);
    for (unsigned changes = (unsigned)(random_next(&bus->seed) % 4); changes > 0; changes--) {
        const unsigned warp = (unsigned)(random_next(&bus->seed) % warps);
        const unsigned any = (unsigned)(random_next(&bus->seed) % 16);

        sm_obs_set_warp_state(&bus->obs, warp, random_one_in(&bus->seed, 3) ? any : bus->mood);
    }
    if (random_one_in(&bus->seed, 50)) /* now and then every warp does the same */
        for (unsigned warp = 0; warp < warps; warp++)
            sm_obs_set_warp_state(&bus->obs, warp, bus->mood);
    if (random_one_in(&bus->seed, 100))
        bus->obs.paused ^= UINT64_C(1) << random_next(&bus->seed) % warps;
}

static void random_ctas(random_bus *bus)
{
    sm_obs *obs = &bus->obs;
    const uint32_t slot = UINT32_C(1) << random_next(&bus->seed) % bus->slots;

    obs->cta_active &= ~obs->cta_done;
    obs->cta_start = obs->cta_done = 0;
    if (random_one_in(&bus->seed, 6) && !(obs->cta_active & slot)) {
        obs->cta_start = slot;
        obs->cta_active |= slot;
    } else if (random_one_in(&bus->seed, 12)) {
        obs->cta_done = obs->cta_active & (slot | slot << 1);
    }
    obs->cta_denied = random_one_in(&bus->seed, 30);
}

/* What as many bits as `most` has can hold. */
static unsigned ones_above(unsigned most)
{
    unsigned ones = 1;

    while (ones < most)
        ones = ones << 1 | 1;
    return ones;
}

static void new_kernel(random_bus *bus)
{
    ballast_kernel_desc *kernel = &bus->setup.kernel;

    kernel->nmax = (uint8_t)(random_next(&bus->seed) % (bus->slots + 1));
    kernel->warps_per_cta = (uint8_t)(1 + random_next(&bus->seed) % (bus->warps / 4 + 1));
    for (unsigned warp = 0; warp < bus->warps; warp++)
        bus->setup.warp_slot[warp] = (uint8_t)(warp / kernel->warps_per_cta % bus->slots);
    if (random_one_in(&bus->seed, 4)) /* a block takes any number, none and more than there are warps, too */
        kernel->warps_per_cta = (uint8_t)(random_next(&bus->seed) & ones_above(bus->warps));
    kernel->threads_per_cta = (uint16_t)(kernel->warps_per_cta * 32u);
    kernel->regs_per_thread = (uint16_t)(kernel->nmax * 7u);
    kernel->smem_per_cta = kernel->nmax * 1000u;
    kernel->grid_ctas = kernel->nmax * 5u + kernel->warps_per_cta;
    kernel->is_2d = bus->seed >> 20 & 1;
    kernel->grid_x = !kernel->is_2d ? 0 : kernel->grid_ctas % 3 == 0 ? 3 : kernel->grid_ctas % 2 == 0 ? 2 : kernel->grid_ctas;
}

static void random_kernel(random_bus *bus)
{
    bus->obs.kernel_start = bus->index == 0 || random_one_in(&bus->seed, 1500);
    if (bus->obs.kernel_start)
        new_kernel(bus);
}

const sm_obs *random_bus_next(random_bus *bus)
{
    random_warps(bus);
    random_ctas(bus);
    random_kernel(bus);
    bus->index++;
    return &bus->obs;
}

void random_bus_rewind(random_bus *bus)
{
    bus->setup = (sm_setup){.warp_slot = {0}};
    bus->obs = (sm_obs){.setup = &bus->setup};
    bus->seed = bus->first_seed;
    bus->index = 0;
    bus->mood = BALLAST_WARP_WAIT_MEM;
}

void random_bus_start(random_bus *bus, uint64_t seed, unsigned warps, unsigned slots)
{
    *bus = (random_bus){.first_seed = seed, .warps = warps, .slots = slots};
    random_bus_rewind(bus);
}
