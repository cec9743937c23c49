/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast blocks: what is in this build.
 */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "engine/lockstep.h"

static const char *kind_name(const block_port *port)
{
    if (port->kind == PORT_IN)
        return port->setting ? "setting" : "input";
    return port->kind == PORT_OUT ? "output" : "register";
}

/* A variant has its block's signals: they are listed once. Of a chip's SMs, one is. */
static void print_ports(const port_list *ports)
{
    const block_port *first_sm = NULL;

    for (unsigned p = 0; p < ports->num; p++) {
        const block_port *port = &ports->ports[p];
        char name[PORT_NAME + 4];

        if (!first_sm && !port_is_near(port, NULL))
            first_sm = port;
        if (!port_is_near(port, first_sm))
            continue;
        port_full_name(port, name, sizeof name);
        printf("    %-8s %-28s %2u bit%s%s\n", kind_name(port), name, port->width, port->width == 1 ? "" : "s",
               port_is_near(port, NULL) ? "" : " per SM");
    }
}

static void print_block(const block *b)
{
    block_param params[BLOCK_MAX_PARAMS];
    port_list ports = {.num = 0};
    lockstep_values cfg;
    char bad[64];
    unsigned bits = 0;

    b->model->configure(&cfg, b->params, bad, sizeof bad);
    printf("%s:", b->name);
    for (unsigned p = 0, n = b->model->list_params(&cfg, params, BLOCK_MAX_PARAMS); p < n; p++)
        printf(" %s=%u", params[p].name, params[p].value);
    printf("\n");
    b->model->list_ports(&cfg, &ports);
    for (unsigned p = 0; p < ports.num; p++)
        bits += ports.ports[p].kind == PORT_REG ? ports.ports[p].width : 0;
    if (!strcmp(b->name, b->model->block_name))
        print_ports(&ports);
    printf("    %u register bits\n", bits);
    port_list_free(&ports);
}

int cmd_blocks(int argc, char **argv)
{
    static const command_line line = {.examples = {"blocks"},
        .doc = "Lists the blocks and variants of this build, their parameters and signals."};

    command_parse(&line, argc, argv, NULL);
    for (const block *const *b = block_registry; *b; b++)
        print_block(*b);
    return EXIT_PASS;
}
