/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/dut.h"

#include <stdlib.h>
#include <string.h>

bool dut_open(dut *d, const char *name, enum lockstep_side side)
{
    char bad[64];

    memset(d, 0, sizeof *d);
    d->block = block_find(name);
    d->side = side;
    if (!d->block)
        return false;
    d->block->model->configure(&d->cfg, d->block->params, bad, sizeof bad);
    d->sizes = d->block->model->sizes(&d->cfg);
    d->block->model->list_ports(&d->cfg, &d->ports);
    d->state = calloc(1, d->sizes.state);
    if (bad[0] || d->ports.failed || !d->state)
        return false;
    if (side == SIDE_RTL)
        d->rtl = d->block->rtl->create(1, &d->cfg, &d->ports);
    dut_reset(d);
    return true;
}

void dut_close(dut *d)
{
    if (d->rtl)
        d->block->rtl->destroy(d->rtl);
    port_list_free(&d->ports);
    free(d->state);
    d->rtl = d->state = NULL;
}

void dut_reset(dut *d)
{
    if (d->side == SIDE_RTL) {
        d->block->rtl->reset(d->rtl);
        d->block->rtl->registers(d->rtl, d->state);
    } else {
        d->block->model->reset(d->state, &d->cfg);
    }
}

void dut_cycle(dut *d, const void *in, void *out)
{
    if (d->side == SIDE_RTL) {
        d->block->rtl->settle(d->rtl, in);
        d->block->rtl->outputs(d->rtl, out);
        d->block->rtl->edge(d->rtl);
        d->block->rtl->registers(d->rtl, d->state);
    } else {
        d->block->model->step(d->state, &d->cfg, in, out);
    }
}

void dut_load(dut *d, const void *state)
{
    memmove(d->state, state, d->sizes.state);
    d->loaded = true;
    if (d->side == SIDE_RTL)
        d->block->rtl->load(d->rtl, state);
}
