/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/dut.h"

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
    if (d->block->model->sizes(&d->cfg).state > sizeof d->state)
        return false;
    if (side == SIDE_RTL) {
        port_list ports = {.num = 0};

        d->block->model->list_ports(&d->cfg, &ports);
        d->rtl = d->block->rtl->create(1, &d->cfg, &ports);
        port_list_free(&ports);
    }
    dut_reset(d);
    return bad[0] == '\0';
}

void dut_close(dut *d)
{
    if (d->rtl)
        d->block->rtl->destroy(d->rtl);
    d->rtl = NULL;
}

void dut_reset(dut *d)
{
    if (d->side == SIDE_RTL) {
        d->block->rtl->reset(d->rtl);
        d->block->rtl->registers(d->rtl, &d->state);
    } else {
        d->block->model->reset(&d->state, &d->cfg);
    }
}

void dut_cycle(dut *d, const void *in, void *out)
{
    if (d->side == SIDE_RTL) {
        d->block->rtl->settle(d->rtl, in);
        d->block->rtl->outputs(d->rtl, out);
        d->block->rtl->edge(d->rtl);
        d->block->rtl->registers(d->rtl, &d->state);
    } else {
        d->block->model->step(&d->state, &d->cfg, in, out);
    }
}

void dut_load(dut *d, const void *state)
{
    memcpy(&d->state, state, d->block->model->sizes(&d->cfg).state);
    if (d->side == SIDE_RTL)
        d->block->rtl->load(d->rtl, state);
}
