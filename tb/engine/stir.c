/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/stir.h"

#include "engine/random.h"

enum { SELDOM = 200, OFTEN = 3 };

static bool sees_the_bus(const lockstep_instance *inst)
{
    for (unsigned p = 0; p < inst->ports.num; p++)
        if (inst->ports.ports[p].kind == PORT_IN && !inst->ports.ports[p].setting)
            return true;
    return false;
}

/* Nothing, everything, one bit more or fewer, anything: each as often. */
static uint64_t draw(uint64_t *seed, const block_port *port, uint64_t now)
{
    const uint64_t all = port->width < 64 ? (UINT64_C(1) << port->width) - 1 : ~UINT64_C(0);

    switch (random_next(seed) % 4) {
    case 0: return 0;
    case 1: return all;
    case 2: return now ^ UINT64_C(1) << random_next(seed) % port->width;
    default: return (random_next(seed) ^ random_next(seed) << 32) & all;
    }
}

static void stir_each(const lockstep_instance *inst, uint64_t *seed)
{
    const unsigned rate = sees_the_bus(inst) ? SELDOM : OFTEN;

    for (unsigned p = 0; p < inst->ports.num; p++) {
        const block_port *port = &inst->ports.ports[p];

        if (port->setting && random_next(seed) % rate == 0)
            block_port_set(port, inst->in, draw(seed, port, block_port_get(port, inst->in)));
    }
}

void stir_settings(lockstep *ls)
{
    for (unsigned i = 0; i < ls->num_instances; i++) {
        const lockstep_instance *inst = &ls->instances[i];

        if (inst->block->model->draw)
            inst->block->model->draw(inst->in, &inst->cfg, &ls->stir);
        else
            stir_each(inst, &ls->stir);
    }
}
