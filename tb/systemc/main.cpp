// SPDX-License-Identifier: Apache-2.0
//
// ballast-sc: the replaying commands of ballast with the block under test in a SystemC bench.
#include <argp.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <systemc>

extern "C" {
#include "cli/commands.h"
#include "cli/replay_options.h"
}
#include "systemc/vcd.h"

namespace {

enum { KEY_VCD = 0x200, KEY_FROM, KEY_TO };

const struct {
    const char *name;
    int (*function)(int argc, char **argv);
} commands[] = {{"lockstep", cmd_lockstep}, {"family", cmd_family}, {"chip", cmd_chip}};

struct sysc_command {
    std::string vcd;
    uint64_t from = 0, to = UINT64_MAX;
    bool window = false;
    int argc = 0;
    char **argv = nullptr;
};

const argp_option options[] = {
    {"vcd", KEY_VCD, "FILE", 0, "Trace the first run: clock, inputs, outputs of RTL and model", 0},
    {"from", KEY_FROM, "N", 0, "First cycle of the run in the VCD (default 0)", 0},
    {"to", KEY_TO, "N", 0, "Last cycle of the run in the VCD (default: the run's last)", 0},
    {}};

error_t parse(int key, char *arg, struct argp_state *state)
{
    sysc_command *a = static_cast<sysc_command *>(state->input);
    std::string why;

    switch (key) {
    case KEY_VCD: a->vcd = arg; return 0;
    case KEY_FROM: a->from = option_number(state, "--from", arg, 0, UINT64_MAX); a->window = true; return 0;
    case KEY_TO: a->to = option_number(state, "--to", arg, 0, UINT64_MAX); a->window = true; return 0;
    case ARGP_KEY_ARGS:
        a->argc = state->argc - state->next;
        a->argv = state->argv + state->next;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_failure(state, EXIT_USAGE, 0, "name a command: lockstep, family or chip");
        return 0;
    case ARGP_KEY_END:
        if (a->window && a->vcd.empty()) argp_failure(state, EXIT_USAGE, 0, "--from and --to: only with --vcd");
        if (a->to < a->from) argp_failure(state, EXIT_USAGE, 0, "--to is before --from");
        if (!vcd.plan(a->vcd, a->from, a->to, &why)) argp_failure(state, EXIT_BAD_INPUT, 0, "%s", why.c_str());
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

int run_command(const sysc_command &a)
{
    for (const auto &command : commands) {
        if (std::strcmp(a.argv[0], command.name) != 0) continue;
        std::string name = std::string{"ballast-sc "} + command.name;
        a.argv[0] = name.data();
        return command.function(a.argc, a.argv);
    }
    std::fprintf(stderr, "ballast-sc: no command '%s'; there are lockstep, family, chip\n", a.argv[0]);
    return EXIT_USAGE;
}

}  // namespace

int sc_main(int argc, char **argv)
{
    const argp help = {options, parse, "lockstep|family|chip OPTION... RECORDING...",
                       "Replays recordings in a SystemC bench: Verilated RTL and C model as modules, compared in every cycle. "
                       "The commands and their options are those of 'ballast'.\v"
                       "'ballast-sc COMMAND --help' lists a command's options.", nullptr, nullptr, nullptr};
    sysc_command a;

    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&help, argc, argv, ARGP_IN_ORDER, nullptr, &a);
    const int status = run_command(a);
    if (!vcd.close()) return EXIT_BAD_INPUT;
    if (vcd.missed() && (status == EXIT_PASS || status == EXIT_MISMATCH)) {
        std::fprintf(stderr, "ballast-sc: %s: not written, the first run has no cycle %llu\n", vcd.name().c_str(),
                     static_cast<unsigned long long>(a.from));
        return EXIT_BAD_INPUT;
    }
    return status;
}

// SystemC's own main, without its banner.
int main(int argc, char **argv)
{
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
    return sc_core::sc_elab_and_sim(argc, argv);
}
