/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/step_fixture.h"

#include <inttypes.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "engine/random.h"

void step_open(step_fixture *f, const char *variant, uint64_t seed)
{
    memset(f, 0, sizeof *f);
    f->seed = seed;
    for (int side = 0; side < LOCKSTEP_SIDES; side++)
        assert_true(dut_open(&f->side[side], variant, (enum lockstep_side)side));
    f->side[SIDE_MODEL].block->model->list_ports(&f->side[SIDE_MODEL].cfg, &f->ports);
    assert_false(f->ports.failed);
}

void step_close(step_fixture *f)
{
    f->side[SIDE_RTL].block->rtl->assertion(f->side[SIDE_RTL].rtl); /* what it remembers is not of one run */
    for (int side = 0; side < LOCKSTEP_SIDES; side++)
        dut_close(&f->side[side]);
    port_list_free(&f->ports);
}

uint64_t step_random(step_fixture *f, uint64_t below)
{
    return random_next(&f->seed) % below;
}

uint64_t step_value(step_fixture *f, uint64_t most)
{
    /* Two draws make more than the 53 bits of one. */
    const uint64_t any = random_next(&f->seed) << 32 ^ random_next(&f->seed);

    switch (random_next(&f->seed) % 8) {
    case 0: return 0;
    case 1: return most;
    case 2: return most ? most - 1 : 0;
    case 3: return most ? 1 : 0;
    case 4: return any % 64 < 63 && most >> any % 64 ? most >> any % 64 : most; /* all ones, if most is */
    case 5: return most == UINT64_MAX ? any & (any >> 7) & (any << 9) : any % (most + 1);
    default: return most == UINT64_MAX ? any : any % (most + 1);
    }
}

uint64_t step_near(step_fixture *f, uint64_t value, uint64_t most)
{
    const uint64_t low = value ? value - 1 : 0;
    const uint64_t near = low + random_next(&f->seed) % 3;

    return near > most ? most : near;
}

void step_draw(step_fixture *f, enum port_kind kind, void *values)
{
    const block_model *model = f->side[SIDE_MODEL].block->model;
    const block_sizes sizes = model->sizes(&f->side[SIDE_MODEL].cfg);

    memset(values, 0, kind == PORT_IN ? sizes.in : kind == PORT_OUT ? sizes.out : sizes.state);
    if (kind == PORT_IN)
        model->defaults(values);
    for (unsigned p = 0; p < f->ports.num; p++) {
        const block_port *port = &f->ports.ports[p];

        if (port->kind != kind || (port->setting && step_random(f, 2)))
            continue;
        block_port_set(port, values, step_value(f, UINT64_MAX >> (64 - port->width)));
    }
}

static void print_all(const step_fixture *f, enum port_kind kind, const void *values)
{
    for (unsigned p = 0; p < f->ports.num; p++) {
        char name[PORT_NAME + 4];

        if (f->ports.ports[p].kind != kind)
            continue;
        port_full_name(&f->ports.ports[p], name, sizeof name);
        print_message("  %s = %" PRIu64 "\n", name, block_port_get(&f->ports.ports[p], values));
    }
}

static void compare(const step_fixture *f, enum port_kind kind, const void *model, const void *rtl, const void *registers,
                    const void *in)
{
    for (unsigned p = 0; p < f->ports.num; p++) {
        const block_port *port = &f->ports.ports[p];
        char name[PORT_NAME + 4];

        if (port->kind != kind || block_port_get(port, model) == block_port_get(port, rtl))
            continue;
        print_all(f, PORT_REG, registers);
        print_all(f, PORT_IN, in);
        port_full_name(port, name, sizeof name);
        fail_msg("%s: %s is %" PRIu64 " in the model and %" PRIu64 " in the RTL", f->side[0].block->name, name,
                 block_port_get(port, model), block_port_get(port, rtl));
    }
}

void step_check(step_fixture *f, const void *registers, const void *in)
{
    lockstep_values loaded, out[LOCKSTEP_SIDES];

    memset(&loaded, 0, sizeof loaded);
    memset(out, 0, sizeof out);
    memcpy(&loaded, registers, f->side[SIDE_MODEL].block->model->sizes(&f->side[SIDE_MODEL].cfg).state);
    for (int side = 0; side < LOCKSTEP_SIDES; side++) {
        dut_load(&f->side[side], &loaded);
        dut_cycle(&f->side[side], in, &out[side]);
    }
    compare(f, PORT_OUT, &out[SIDE_MODEL], &out[SIDE_RTL], registers, in);
    compare(f, PORT_REG, &f->side[SIDE_MODEL].state, &f->side[SIDE_RTL].state, registers, in);
}
