/* SPDX-License-Identifier: Apache-2.0
 *
 * `ballast import`: raw per-cycle recordings to a trace.
 */
#include <argp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "recording/raw_import.h"
#include "replay/progress.h"

enum {
    OPT_CYC = 256, OPT_KER, OPT_CTA, OPT_WARPS, OPT_MAX_GAP, OPT_SLOTS, OPT_SMS, OPT_WIDTH, OPT_THREADS,
    OPT_REGS, OPT_SHARED, OPT_LIMIT_SLOTS,
};

static const struct argp_option options[] = {
    {"dir", 'd', "DIR", 0, "Folder with cyc.bin, ker.csv and cta.csv, each plain or .xz", 0},
    {"out", 'o', "FILE", 0, "Trace to write", 0},
    {"sm", 's', "LIST", 0, "SMs to import, for example 0,1 (default: all recorded ones)", 0},
    {0, 0, 0, 0, "The files one by one, instead of --dir:", 1},
    {"cyc", OPT_CYC, "FILE", 0, "Per-cycle records", 0},
    {"ker", OPT_KER, "FILE", 0, "Kernel launches", 0},
    {"cta", OPT_CTA, "FILE", 0, "CTA launches and exits", 0},
    {0, 0, 0, 0, "What the trace says of itself:", 2},
    {"kernel", 'k', "NAME", 0, "What was run", 0},
    {"config", 'c', "TEXT", 0, "Simulated configuration", 0},
    {"recorder", 'r', "TEXT", 0, "Program and version that recorded it", 0},
    {"limit", 'n', "N", 0, "Configured CTAs per SM (default 0: none)", 0},
    {0, 0, 0, 0, "Geometry:", 3},
    {"warps", OPT_WARPS, "N", 0, "Warp slots per SM (48)", 0},
    {"max-gap", OPT_MAX_GAP, "N", 0, "Longest stretch of cycles in which an SM has no record (16777216)", 0},
    {"slots", OPT_SLOTS, "N", 0, "CTA slots per SM (8)", 0},
    {"sms", OPT_SMS, "N", 0, "SMs of the chip (15)", 0},
    {"issue-width", OPT_WIDTH, "N", 0, "Instructions per SM and cycle (2)", 0},
    {0, 0, 0, 0, "An SM's resources, for Nmax:", 4},
    {"threads", OPT_THREADS, "N", 0, "Threads (1536)", 0},
    {"registers", OPT_REGS, "N", 0, "Registers (32768)", 0},
    {"shared", OPT_SHARED, "BYTES", 0, "Shared memory (49152)", 0},
    {"cta-slots", OPT_LIMIT_SLOTS, "N", 0, "CTAs (8)", 0},
    {0},
};

static const char doc[] =
    "Converts a raw per-cycle recording of SM activity (doc/use/import_raw.md) to a trace."
    "\vNothing is left behind when the recording is damaged or the import is interrupted.";

typedef struct arguments {
    raw_import_options opt;
    uint8_t sms[TRACE_MAX_SMS];
} arguments;

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

_Noreturn static void usage(const char *what, const char *arg)
{
    fprintf(stderr, "ballast: import: %s%s; see ballast import --help\n", what, arg);
    exit(EXIT_USAGE);
}

static unsigned long number(const char *arg, const char *end_chars, unsigned long max, char **end)
{
    const unsigned long v = strtoul(arg, end, 10);
    if (*arg < '0' || *arg > '9' || !strchr(end_chars, **end) || v > max)
        usage("not a number or too large: ", arg);
    return v;
}

static unsigned long whole_number(const char *arg, unsigned long max)
{
    char *end;
    return number(arg, "", max, &end);
}

static void sm_list(arguments *a, const char *arg)
{
    char *end;
    a->opt.num_sms = 0;
    for (;; arg = end + 1) {
        if (a->opt.num_sms == TRACE_MAX_SMS)
            usage("too many SMs: ", arg);
        a->sms[a->opt.num_sms++] = (uint8_t)number(arg, ",", TRACE_MAX_SMS - 1, &end);
        if (*end == '\0')
            return;
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    arguments *a = state->input;
    raw_import_options *o = &a->opt;
    switch (key) {
    case 'd': o->dir = arg; break;
    case 'o': o->out_path = arg; break;
    case 's': sm_list(a, arg); break;
    case OPT_CYC: o->cyc_path = arg; break;
    case OPT_KER: o->ker_path = arg; break;
    case OPT_CTA: o->cta_path = arg; break;
    case 'k': o->kernel = arg; break;
    case 'c': o->config = arg; break;
    case 'r': o->recorder = arg; break;
    case 'n': o->config_limit = (uint8_t)whole_number(arg, BALLAST_MAX_SLOTS); break;
    case OPT_MAX_GAP: o->max_gap = whole_number(arg, UINT32_MAX); break;
    case OPT_WARPS: o->geometry.warps = (uint16_t)whole_number(arg, UINT16_MAX); break;
    case OPT_SLOTS: o->geometry.slots = (uint16_t)whole_number(arg, UINT16_MAX); break;
    case OPT_SMS: o->geometry.sms = (uint16_t)whole_number(arg, UINT16_MAX); break;
    case OPT_WIDTH: o->geometry.issue_width = (uint16_t)whole_number(arg, UINT16_MAX); break;
    case OPT_THREADS: o->resources.threads = (uint32_t)whole_number(arg, UINT32_MAX); break;
    case OPT_REGS: o->resources.registers = (uint32_t)whole_number(arg, UINT32_MAX); break;
    case OPT_SHARED: o->resources.shared_bytes = (uint32_t)whole_number(arg, UINT32_MAX); break;
    case OPT_LIMIT_SLOTS: o->resources.slots = (uint32_t)whole_number(arg, UINT32_MAX); break;
    case ARGP_KEY_ARG: usage("what is this: ", arg);
    case ARGP_KEY_END:
        if (!o->out_path)
            usage("no --out", "");
        if (!o->dir && (!o->cyc_path || !o->ker_path || !o->cta_path))
            usage("neither --dir nor all of --cyc, --ker and --cta", "");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static bool show_progress(void *context, uint64_t done, uint64_t total)
{
    const raw_import_options *o = context;
    if (total)
        progress_show("%s: %3u %%", o->out_path, (unsigned)(100 * done / total));
    return !interrupted;
}

int cmd_import(int argc, char **argv)
{
    static const struct argp argp = {.options = options, .parser = parse, .doc = doc};
    arguments a;
    raw_import_defaults(&a.opt);
    a.opt.sms = a.sms;
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    a.opt.progress = show_progress;
    a.opt.context = &a.opt;

    struct sigaction act = {.sa_handler = on_interrupt}, before_int, before_term;
    sigaction(SIGINT, &act, &before_int);
    sigaction(SIGTERM, &act, &before_term);
    trace_err err;
    const bool ok = raw_import(&a.opt, &err);
    sigaction(SIGINT, &before_int, NULL);
    sigaction(SIGTERM, &before_term, NULL);
    progress_clear();
    if (ok)
        return 0;
    fprintf(stderr, "ballast: %s\n", err.text);
    return interrupted ? EXIT_STOPPED : EXIT_BAD_INPUT;
}
