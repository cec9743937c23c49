/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast blocks: what is in this build.
 */
#include <stdio.h>
#include <string.h>

#include "ballast/commands.h"
#include "engine/lockstep.h"

static const char *kind_name(enum port_kind kind)
{
    return kind == PORT_IN ? "input" : kind == PORT_OUT ? "output" : "register";
}

static void print_block(const block *b)
{
    block_port ports[LOCKSTEP_MAX_PORTS];
    block_param params[32];
    lockstep_values cfg;
    char bad[64];
    unsigned bits = 0;

    b->model->configure(&cfg, b->params, bad, sizeof bad);
    printf("%s:", b->name);
    for (unsigned p = 0, n = b->model->list_params(&cfg, params, 32); p < n; p++)
        printf(" %s=%u", params[p].name, params[p].value);
    printf("\n");
    const unsigned num_ports = b->model->list_ports(&cfg, ports, LOCKSTEP_MAX_PORTS);

    for (unsigned p = 0; p < num_ports; p++)
        bits += ports[p].kind == PORT_REG ? ports[p].width : 0;
    /* A variant has its block's signals: they are listed once. */
    for (unsigned p = 0; p < num_ports && !strcmp(b->name, b->model->stem); p++)
        printf("    %-8s %-14s %2u bit%s\n", kind_name(ports[p].kind), ports[p].name, ports[p].width,
               ports[p].width == 1 ? "" : "s");
    printf("    %u register bits\n", bits);
}

int cmd_blocks(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "--help")) {
        printf("usage: %s\n", argv[0]);
        return EXIT_PASS;
    }
    if (argc > 1) {
        fprintf(stderr, "%s: what is '%s'? usage: %s\n", argv[0], argv[1], argv[0]);
        return EXIT_USAGE;
    }
    for (const block *const *b = block_registry; *b; b++)
        print_block(*b);
    return EXIT_PASS;
}
