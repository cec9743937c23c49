/* SPDX-License-Identifier: Apache-2.0
 *
 * The module that vvp loads: the replaying commands of ballast with the RTL in this simulator.
 *
 *     vvp -M DIR -m ballast DESIGN.vvp lockstep|family|chip|random OPTION... FILE...
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <iverilog/vpi_user.h>

#include "cli/commands.h"
#include "icarus/handover.h"

static const struct {
    const char *name;
    int (*function)(int argc, char **argv);
} commands[] = {{"lockstep", cmd_lockstep}, {"family", cmd_family}, {"chip", cmd_chip}, {"random", cmd_random}};

static int run_command(int argc, char **argv)
{
    char name[64];

    for (size_t i = 0; argc > 0 && i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(argv[0], commands[i].name) != 0)
            continue;
        snprintf(name, sizeof name, "ballast %s", argv[0]);
        argv[0] = name;
        return commands[i].function(argc, argv);
    }
    fprintf(stderr, "ballast: under Icarus name lockstep, family, chip or random%s%s\n", argc > 0 ? ", not " : "",
            argc > 0 ? argv[0] : "");
    return EXIT_USAGE;
}

static void engine(void)
{
    s_vpi_vlog_info info;
    int status;

    /* The design, which is a program (tb/icarus/icarus.py --design), is the name to be run again by. */
    vpi_get_vlog_info(&info);
    program_invocation_name = info.argv[0];
    handover_wait();
    status = run_command(info.argc - 1, info.argv + 1);
    fflush(stdout);
    vpip_set_return_value(status);
    vpi_control(vpiFinish, 0);
}

static PLI_INT32 start(p_cb_data data)
{
    (void)data;
    if (!handover_begin(engine)) {
        fprintf(stderr, "ballast: no memory for the engine's stack\n");
        vpip_set_return_value(EXIT_BAD_INPUT);
        vpi_control(vpiFinish, 0);
    }
    return 0;
}

static void at_start_of_simulation(void)
{
    s_cb_data when = {.reason = cbStartOfSimulation, .cb_rtn = start};

    vpi_register_cb(&when);
}

void (*vlog_startup_routines[])(void) = {at_start_of_simulation, NULL};
