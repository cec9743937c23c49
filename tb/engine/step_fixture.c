/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/step_fixture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/bench_fixture.h"
#include "engine/random.h"
#include "engine/ranges.h"
#include "engine/test.h"

static void step_open(step_fixture *f, const char *variant, uint64_t seed)
{
    memset(f, 0, sizeof *f);
    f->seed = seed;
    for (int side = 0; side < LOCKSTEP_SIDES; side++)
        bench_open(&f->side[side], variant, (enum lockstep_side)side);
    f->ports = &f->side[SIDE_MODEL].ports;
}

static void step_close(step_fixture *f)
{
    for (int side = 0; side < LOCKSTEP_SIDES; side++)
        bench_close(&f->side[side]);
}

const void *step_config(const step_fixture *f)
{
    return &f->side[SIDE_MODEL].cfg;
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
    return random_near(&f->seed, value, most);
}

void step_draw(step_fixture *f, enum port_kind kind, void *values)
{
    const dut *model = &f->side[SIDE_MODEL];
    const block_sizes *sizes = &model->sizes;

    memset(values, 0, kind == PORT_IN ? sizes->in : kind == PORT_OUT ? sizes->out : sizes->state);
    if (kind == PORT_IN)
        model->block->model->defaults(values);
    for (unsigned p = 0; p < f->ports->num; p++) {
        const block_port *port = &f->ports->ports[p];

        if (port->kind != kind || (port->setting && step_random(f, 2)))
            continue;
        block_port_set(port, values, step_value(f, UINT64_MAX >> (64 - port->width)));
    }
}

bool step_draw_any(step_fixture *f, void *registers, void *in)
{
    step_draw(f, PORT_REG, registers);
    step_draw(f, PORT_IN, in);
    return true;
}

void step_draw_order(step_fixture *f, uint32_t *older, unsigned num)
{
    uint64_t age[32]; /* no two are equal */

    for (unsigned i = 0; i < num; i++)
        age[i] = step_random(f, 1000) * 32 + i;
    for (unsigned i = 0; i < num; i++) {
        older[i] = 0;
        for (unsigned j = i + 1; j < num; j++)
            older[i] |= (uint32_t)(age[i] > age[j]) << j;
    }
}

static void print_all(const step_fixture *f, enum port_kind kind, const void *values)
{
    for (unsigned p = 0; p < f->ports->num; p++) {
        char name[PORT_NAME + 4];

        if (f->ports->ports[p].kind != kind)
            continue;
        port_full_name(&f->ports->ports[p], name, sizeof name);
        print_message("  %s = %" PRIu64 "\n", name, block_port_get(&f->ports->ports[p], values));
    }
}

static void compare(const step_fixture *f, enum port_kind kind, const void *model, const void *rtl, const void *registers,
                    const void *in)
{
    for (unsigned p = 0; p < f->ports->num; p++) {
        const block_port *port = &f->ports->ports[p];
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

/* Room for a struct of the block, zero: a chip's may be larger than a lockstep_values. */
static void *room(size_t size)
{
    void *zeros = calloc(1, size > sizeof(lockstep_values) ? size : sizeof(lockstep_values));

    assert_non_null(zeros);
    return zeros;
}

void step_next(step_fixture *f, const void *in)
{
    const block_sizes *sizes = &f->side[SIDE_MODEL].sizes;
    void *before = room(sizes->state), *out[LOCKSTEP_SIDES] = {room(sizes->out), room(sizes->out)};

    memcpy(before, f->side[SIDE_MODEL].state, sizes->state);
    for (int side = 0; side < LOCKSTEP_SIDES; side++)
        dut_cycle(&f->side[side], in, out[side]);
    compare(f, PORT_OUT, out[SIDE_MODEL], out[SIDE_RTL], before, in);
    compare(f, PORT_REG, f->side[SIDE_MODEL].state, f->side[SIDE_RTL].state, before, in);
    free(before);
    free(out[SIDE_MODEL]);
    free(out[SIDE_RTL]);
}

static void keep_ranges(const step_fixture *f, void *in)
{
    ranges_keep(f->side[SIDE_MODEL].block->model, step_config(f), f->ports, in);
}

static bool check_one(step_fixture *f, step_drawing *draw)
{
    const block_sizes *sizes = &f->side[SIDE_MODEL].sizes;
    void *registers = room(sizes->state), *in = room(sizes->in);
    const bool drawn = draw(f, registers, in);

    if (drawn) {
        keep_ranges(f, in);
        for (int side = 0; side < LOCKSTEP_SIDES; side++)
            dut_load(&f->side[side], registers);
        step_next(f, in);
    }
    free(registers);
    free(in);
    return drawn;
}

static void check_many(step_fixture *f, unsigned n, step_drawing *draw)
{
    while (n > 0)
        n -= check_one(f, draw);
}

static void run_many(step_fixture *f, unsigned n, input_drawing *draw)
{
    void *in = room(f->side[SIDE_MODEL].sizes.in);

    f->side[SIDE_MODEL].block->model->defaults(in);
    for (unsigned i = 0; i < n; i++) {
        draw(in, step_config(f), &f->seed, i);
        keep_ranges(f, in);
        step_next(f, in);
    }
    free(in);
}

void step_run_test(void **test)
{
    const step_test *t = *test;
    uint64_t seed = t->seed;

    for (const char *const *variant = t->variants; *variant; variant++) {
        step_fixture f;

        step_open(&f, *variant, seed);
        if (t->draw_step)
            check_many(&f, t->n, t->draw_step);
        else
            run_many(&f, t->n, t->draw_inputs);
        seed = f.seed;
        step_close(&f);
    }
}
