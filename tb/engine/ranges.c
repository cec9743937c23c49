/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/ranges.h"

#include "engine/random.h"

static uint64_t ones(const block_port *port)
{
    return port->width < 64 ? (UINT64_C(1) << port->width) - 1 : UINT64_MAX;
}

void ranges_keep(const block_model *model, const void *cfg, const port_list *ports, void *in)
{
    for (unsigned p = 0; p < ports->num; p++) {
        const block_port *port = &ports->ports[p];
        uint64_t value, most;

        if (!port->range)
            continue;
        most = model->most(cfg, in, port);
        value = block_port_get(port, in) & ones(port);
        if (value > most) /* the largest value stays the largest */
            value = value == ones(port) ? most : value % (most + 1);
        block_port_set(port, in, value);
    }
}

void ranges_stir(const block_model *model, const void *cfg, const port_list *ports, void *in, uint64_t *seed)
{
    for (unsigned p = 0; p < ports->num; p++) {
        const block_port *port = &ports->ports[p];

        if (port->range && model->most(cfg, in, port) >= ones(port))
            block_port_set(port, in, (random_next(seed) ^ random_next(seed) << 32) & ones(port));
    }
}
