/* SPDX-License-Identifier: Apache-2.0
 *
 * replay FILE: takes one cycle of a block, model and Verilated RTL, from the registers and inputs in FILE ("NAME = VALUE",
 * what stepir shows of a counterexample) and says where they differ, as the lockstep engine does. Exit 0 equal, 1 they differ,
 * 2 the file is no good. Linked with that block alone.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/dut.h"

/* A struct of any block, of a whole chip, too. */
typedef union values {
    unsigned char bytes[1 << 20];
    uint64_t align;
} values;

typedef struct cycle {
    values in, state;
    bool reset;
} cycle;

static bool read_line(const char *line, const port_list *ports, cycle *c)
{
    char name[PORT_NAME + 4];
    const block_port *port;
    uint64_t value;

    if (line[0] == '#' || line[strspn(line, " \n")] == '\0')
        return true;
    if (sscanf(line, " %51[][a-z0-9_.] = %" SCNu64, name, &value) != 2)
        return false;
    if (!strcmp(name, "rst_ni")) {
        c->reset = value == 0;
        return true;
    }
    port = port_find(ports, name);
    if (!port || port->kind == PORT_OUT)
        return false;
    block_port_set(port, port->kind == PORT_REG ? &c->state : &c->in, value);
    return true;
}

static bool read_cycle(const char *path, const port_list *ports, cycle *c)
{
    FILE *f = fopen(path, "r");
    unsigned number = 0;
    char line[256];
    bool ok = f != NULL;

    if (!f)
        fprintf(stderr, "replay: %s: %s\n", path, strerror(errno));
    while (ok && fgets(line, sizeof line, f)) {
        number++;
        ok = read_line(line, ports, c);
        if (!ok)
            fprintf(stderr, "replay: %s:%u: no register or input of %s and a value: %s", path, number, block_registry[0]->name, line);
    }
    if (f)
        fclose(f);
    return ok;
}

static void take(dut *d, const cycle *c, values *out)
{
    dut_load(d, &c->state);
    dut_cycle(d, &c->in, out);
    if (c->reset)
        dut_reset(d);
}

static bool fits(const block_model *model, const void *cfg)
{
    const block_sizes sizes = model->sizes(cfg);
    const bool fit = sizes.in <= sizeof(values) && sizes.out <= sizeof(values) && sizes.state <= sizeof(values);

    if (!fit)
        fprintf(stderr, "replay: %s is too large\n", model->block_name);
    return fit;
}

static unsigned compare(const port_list *ports, enum port_kind kind, const void *model, const void *rtl)
{
    unsigned differing = 0;

    for (unsigned p = 0; p < ports->num; p++) {
        const block_port *port = &ports->ports[p];
        const uint64_t expected = block_port_get(port, model), actual = block_port_get(port, rtl);
        char name[PORT_NAME + 4];

        if (port->kind != kind || expected == actual)
            continue;
        port_full_name(port, name, sizeof name);
        printf("%s %s%s, expected (model) %" PRIu64 ", actual (RTL) %" PRIu64 "\n", kind == PORT_OUT ? "output" : "register",
               name, kind == PORT_OUT ? "" : " after this cycle's rising edge", expected, actual);
        differing++;
    }
    return differing;
}

static unsigned run(const cycle *c, const port_list *ports)
{
    static values out[LOCKSTEP_SIDES];
    dut sides[LOCKSTEP_SIDES];
    unsigned differing;

    for (int side = 0; side < LOCKSTEP_SIDES; side++) {
        if (!dut_open(&sides[side], block_registry[0]->name, (enum lockstep_side)side))
            return UINT32_MAX;
        take(&sides[side], c, &out[side]);
    }
    differing = compare(ports, PORT_OUT, &out[SIDE_MODEL], &out[SIDE_RTL]);
    differing += compare(ports, PORT_REG, sides[SIDE_MODEL].state, sides[SIDE_RTL].state);
    for (int side = 0; side < LOCKSTEP_SIDES; side++)
        dut_close(&sides[side]);
    return differing;
}

int main(int argc, char **argv)
{
    const block *blk = block_registry[0];
    lockstep_values cfg = {{0}};
    port_list ports = {.num = 0};
    static cycle c;
    char bad[64];
    int status = 2;

    if (argc != 2) {
        fprintf(stderr, "usage: replay FILE\n");
        return 2;
    }
    blk->model->configure(&cfg, blk->params, bad, sizeof bad);
    blk->model->list_ports(&cfg, &ports);
    if (!ports.failed && fits(blk->model, &cfg) && read_cycle(argv[1], &ports, &c)) {
        const unsigned differing = run(&c, &ports);

        if (!differing)
            printf("model and RTL are equal\n");
        status = differing != 0;
    }
    port_list_free(&ports);
    return status;
}
