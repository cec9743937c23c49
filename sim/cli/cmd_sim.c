/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast sim: one kernel on the activity simulator with governors in its loop, and recording of it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu/parallel.h"
#include "kernels/kernel_file.h"
#include "cli/commands.h"
#include "cli/complain.h"
#include "cli/policies.h"
#include "cli/sim_play.h"
#include "cli/sim_report.h"
#include "replay/interrupt.h"
#include "replay/progress.h"

enum { KEY_MACHINE = 0x300, KEY_SMS, KEY_POLICY, KEY_MODE, KEY_LIMIT, KEY_SEED, KEY_SIDE, KEY_RECORD, KEY_FAMILY,
       KEY_RECORD_SMS, KEY_CSV, NAME = 128, FILE_PATH = 4096 };

typedef struct sim_command {
    replay_options replay;
    loop_job job;
    const machine *whole; /* before --sms */
    unsigned sms, jobs;
    bool rtl, csv;
    const char *family; /* prefix */
    const char *path;
    char name[NAME];
} sim_command;

static const struct argp_option options[] = {
    {"machine", KEY_MACHINE, "NAME", 0, "Simulated machine: a chip of rtl/configs (default fermi)", 0},
    {"sms", KEY_SMS, "N", 0, "So many of its SMs, with their part of the memory (default: all)", 0},
    {"policy", KEY_POLICY, "NAME", 0, "static, perfsat, lcs, equalizer or dyncta (default static)", 0},
    {"limit", KEY_LIMIT, "N", 0, "CTAs per SM of the static policy (default: as many as fit)", 0},
    {"mode", KEY_MODE, "NAME", 0, "performance (default) or energy: what Equalizer aims at", 0},
    {"side", KEY_SIDE, "NAME", 0, "What is in the loop: model (default), the C models alone; rtl, RTL and C models in "
     "lockstep, on a machine like the chip of this build", 0},
    {"record", KEY_RECORD, "FILE.blt", 0, "Write a recording of the run", 0},
    {"record-family", KEY_FAMILY, "PREFIX", 0, "Run at every CTA limit from 1 to Nmax; recordings to PREFIX.n1.blt, "
     "PREFIX.n2.blt ...", 0},
    {"record-sms", KEY_RECORD_SMS, "N[,N...]", 0, "Record these SMs (default: all)", 0},
    {"jobs", 'j', "N", 0, "Runs at a time of a family (default: one per core)", 0},
    {"csv", KEY_CSV, 0, 0, "CSV instead of text", 0},
    {"seed", KEY_SEED, "N", 0, "Seed of what the warps execute and touch (default 1)", 0},
    {0}};

static int index_of(const struct argp_state *state, const char *option, const char *arg, const char *const *names,
                    unsigned num)
{
    for (unsigned i = 0; i < num; i++)
        if (!strcmp(names[i], arg))
            return (int)i;
    argp_failure(state, EXIT_USAGE, 0, "%s: no '%s'; see --help", option, arg);
    return 0;
}

static void parse_sms(const struct argp_state *state, loop_job *job, char *list)
{
    char *rest = NULL;

    job->num_record_sms = 0;
    for (const char *one = strtok_r(list, ",", &rest); one; one = strtok_r(NULL, ",", &rest)) {
        if (job->num_record_sms == MACHINE_MAX_SMS)
            argp_failure(state, EXIT_USAGE, 0, "--record-sms: more than %d SMs", (int)MACHINE_MAX_SMS);
        job->record_sms[job->num_record_sms++] = (uint16_t)option_number(state, "--record-sms", one, 0, MACHINE_MAX_SMS - 1);
    }
    if (!job->num_record_sms)
        argp_failure(state, EXIT_USAGE, 0, "--record-sms needs a number");
}

static error_t parse_request(int key, char *arg, const struct argp_state *state, run_request *request)
{
    static const char *const modes[] = {[VF_ENERGY] = "energy", [VF_PERFORMANCE] = "performance"};

    switch (key) {
    case KEY_POLICY: request->policy = (uint8_t)index_of(state, "--policy", arg, policies_names, POLICIES); return 0;
    case KEY_MODE: request->mode = (uint8_t)index_of(state, "--mode", arg, modes, 2); return 0;
    case KEY_LIMIT: request->static_limit = (uint8_t)option_number(state, "--limit", arg, 1, BALLAST_MAX_SLOTS); return 0;
    case KEY_SEED: request->seed = option_number(state, "--seed", arg, 0, UINT64_MAX); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* What cannot go together. */
static void check(const struct argp_state *state, const sim_command *command)
{
    const replay_options *replay = &command->replay;
    const loop_job *job = &command->job;

    if (!command->path)
        argp_failure(state, EXIT_USAGE, 0, "name a workload, e.g. sim/kernels/recorded/hotspot.kernel");
    if (!replay->blocks[0] || replay->blocks[1])
        argp_failure(state, EXIT_USAGE, 0, "--block: one variant of ballast is in the loop");
    if (!command->rtl && (replay->num_settings || replay->num_faults || replay->wave || replay->state))
        argp_failure(state, EXIT_USAGE, 0, "--set, --inject, --wave, --state: only with --side rtl");
    if (job->request.policy != POLICY_STATIC && (job->request.static_limit || command->family))
        argp_failure(state, EXIT_USAGE, 0, "--limit, --record-family: only with --policy static");
    if (job->request.static_limit && command->family)
        argp_failure(state, EXIT_USAGE, 0, "--limit: a family has all of them");
    if (command->family && (job->record || replay->print_log))
        argp_failure(state, EXIT_USAGE, 0, "--record-family: not with --record or --log");
    if (job->num_record_sms && !job->record && !command->family)
        argp_failure(state, EXIT_USAGE, 0, "--record-sms: only with --record or --record-family");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    static const char *const sides[] = {"model", "rtl"};
    sim_command *command = state->input;

    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &command->replay; return 0;
    case KEY_MACHINE: command->whole = option_machine(state, arg); return 0;
    case KEY_SMS: command->sms = (unsigned)option_number(state, "--sms", arg, 1, MACHINE_MAX_SMS); return 0;
    case KEY_SIDE: command->rtl = index_of(state, "--side", arg, sides, 2) == 1; return 0;
    case KEY_RECORD: command->job.record = arg; return 0;
    case KEY_FAMILY: command->family = arg; return 0;
    case KEY_RECORD_SMS: parse_sms(state, &command->job, arg); return 0;
    case KEY_CSV: command->csv = true; return 0;
    case 'j': command->jobs = (unsigned)option_number(state, "--jobs", arg, 1, 256); return 0;
    case ARGP_KEY_ARG:
        if (command->path)
            argp_failure(state, EXIT_USAGE, 0, "one workload only");
        command->path = arg;
        return 0;
    case ARGP_KEY_END: check(state, command); return 0;
    default: return parse_request(key, arg, state, &command->job.request);
    }
}

/* A session's options as other commands have them, but: a chip runs all of its SMs, and the seed is the
 * simulator's. */
static struct argp session_argp(void)
{
    enum { MOST = 32 };
    static struct argp_option own[MOST];
    struct argp argp = replay_argp;
    unsigned n = 0;

    for (const struct argp_option *o = replay_argp.options; o->name && n + 1 < MOST; o++) {
        if (!strcmp(o->name, "sm") || !strcmp(o->name, "seed"))
            continue;
        own[n] = *o;
        if (!strcmp(o->name, "block")) {
            own[n].arg = "NAME";
            own[n].doc = "Chip in the loop: a variant of ballast (default: ballast itself; see 'ballast blocks')";
        }
        n++;
    }
    argp.options = own;
    return argp;
}

static const char *side_name(const sim_command *command)
{
    return command->rtl ? "RTL and C models" : "C models";
}

/* ---- one run ---------------------------------------------------------------------- */

static int run_single(const sim_command *command)
{
    const sim_play play = {command->rtl, &command->replay, &command->job, command->name};
    sim_outcome outcome;

    sim_play_run(&play, &outcome);
    if (outcome.log)
        fputs(outcome.log, stdout);
    if (outcome.status == EXIT_PASS && command->csv) {
        sim_report_csv_header(stdout);
        sim_report_csv(stdout, &command->job.request, &outcome.result, command->rtl ? "rtl" : "model");
    } else if (outcome.status == EXIT_PASS) {
        sim_report_print(stdout, &command->job.request, &outcome.result, side_name(command));
    }
    sim_play_complain(&outcome);
    free(outcome.log);
    return outcome.status;
}

/* ---- a family --------------------------------------------------------------------- */

typedef struct family_runs {
    const sim_command *command;
    unsigned num;
    sim_outcome *outcomes; /* [limit - 1], shared by the processes */
} family_runs;

/* Until all members are there, they are called .new. */
static void member_path(char path[FILE_PATH], const family_runs *f, unsigned limit, const char *end)
{
    snprintf(path, FILE_PATH, "%s.n%u.blt%s", f->command->family, limit, end);
}

static bool run_member(void *user, unsigned index)
{
    const family_runs *f = user;
    const sim_command *command = f->command;
    char name[NAME + 16], path[FILE_PATH];
    loop_job *job = malloc(sizeof *job);
    const sim_play play = {command->rtl, &command->replay, job, name};
    sim_outcome *outcome = &f->outcomes[index];

    if (!job)
        return false;
    *job = command->job;
    job->request.static_limit = (uint8_t)(index + 1);
    member_path(path, f, index + 1, ".new");
    job->record = path;
    snprintf(name, sizeof name, "%s.n%u", command->name, index + 1);
    sim_play_run(&play, outcome);
    free(job);
    return outcome->status == EXIT_PASS;
}

static bool member_ended(void *user, const parallel_end *end)
{
    (void)user;
    progress_of_runs(NULL, end->ended, end->num);
    return end->status == 0;
}

static int rename_members(const family_runs *f)
{
    for (unsigned limit = 1; limit <= f->num; limit++) {
        char from[FILE_PATH], to[FILE_PATH];

        member_path(from, f, limit, ".new");
        member_path(to, f, limit, "");
        if (rename(from, to) != 0)
            return complain("%s: cannot put it in place: %m", to);
    }
    return EXIT_PASS;
}

static void remove_members(const family_runs *f)
{
    for (unsigned limit = 1; limit <= f->num; limit++) {
        char path[FILE_PATH];

        member_path(path, f, limit, ".new");
        remove(path);
    }
}

/* The first that has failed speaks for all. */
static int complain_family(const family_runs *f)
{
    for (unsigned i = 0; i < f->num && !interrupted; i++)
        if (f->outcomes[i].status != EXIT_PASS) {
            sim_play_complain(&f->outcomes[i]);
            return f->outcomes[i].status;
        }
    complain("%s", interrupted ? "stopped by a signal" : "a run's process could not start or has died");
    return interrupted ? EXIT_STOPPED : EXIT_BAD_INPUT;
}

static void report_family(const family_runs *f)
{
    const sim_command *command = f->command;
    run_request request = command->job.request;
    const run_result *results[BALLAST_MAX_SLOTS];

    if (command->csv)
        sim_report_csv_header(stdout);
    for (unsigned i = 0; i < f->num; i++) {
        results[i] = &f->outcomes[i].result;
        request.static_limit = (uint8_t)(i + 1);
        if (command->csv)
            sim_report_csv(stdout, &request, results[i], command->rtl ? "rtl" : "model");
    }
    if (command->csv)
        return;
    printf("%s on %s, %u SMs, at every CTA limit: seed %llu, %s in the loop; recorded to %s.n1.blt ..\n",
           request.workload.name, request.machine.name, (unsigned)request.machine.sms, (unsigned long long)request.seed,
           side_name(command), command->family);
    sim_report_family(stdout, &request, results, f->num);
}

static int run_family(const sim_command *command)
{
    const run_request *request = &command->job.request;
    family_runs f = {.command = command, .num = workload_nmax(&request->workload, &request->machine)};
    const size_t size = f.num * sizeof *f.outcomes;
    int status;

    f.outcomes = parallel_shared(size);
    if (!f.outcomes)
        return complain("out of memory");
    if (parallel(f.num, command->jobs, run_member, member_ended, &f))
        status = rename_members(&f);
    else
        status = complain_family(&f);
    if (status == EXIT_PASS)
        report_family(&f);
    remove_members(&f);
    parallel_unshare(f.outcomes, size);
    return status;
}

/* ---- all -------------------------------------------------------------------------- */

/* Of what a run writes: "hotspot" for sim/kernels/recorded/hotspot.kernel. */
static void name_after(sim_command *command)
{
    const char *base = strrchr(command->path, '/');
    char *end;

    snprintf(command->name, sizeof command->name, "%s", base ? base + 1 : command->path);
    end = strrchr(command->name, '.');
    if (end && end != command->name)
        *end = '\0';
}

/* Machine, workload and chip, and whether they go together. */
static bool prepare(sim_command *command, char *err)
{
    run_request *request = &command->job.request;
    const block *chip = command->replay.blocks[0];

    request->machine = *command->whole;
    if (command->sms && !machine_slice(command->whole, command->sms, &request->machine, err, LOOP_ERR))
        return false;
    if (!kernel_file_workload(&request->workload, NULL, command->path, err) ||
        !workload_check(&request->workload, &request->machine, err, LOOP_ERR))
        return false;
    request->max_cycles = command->replay.max_cycles;
    command->job.chip = command->rtl || chip != block_find("ballast_chip") ? chip : NULL;
    if (command->job.chip && !loop_fits(command->job.chip, &request->machine, err))
        return false;
    name_after(command);
    return true;
}

int cmd_sim(int argc, char **argv)
{
    const struct argp session = session_argp();
    const struct argp_child children[] = {{&session, 0, 0, 0}, {0}};
    const struct argp argp = {options, parse, "WORKLOAD", "Simulates one kernel with governors in the loop.", children, 0, 0};
    static sim_command command;
    char err[LOOP_ERR];

    _Static_assert((int)LOOP_ERR >= KERNEL_FILE_ERR, "one text for all");
    replay_options_default(&command.replay);
    replay_options_chip(&command.replay);
    command.whole = machine_find("fermi");
    command.job.request = (run_request){.seed = 1, .mode = VF_PERFORMANCE, .sm_level = -1, .mem_level = -1};
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, 0, &command);
    if (!prepare(&command, err))
        return complain("%s", err);
    if ((command.rtl || command.replay.print_log) && !replay_prepare_out(&command.replay))
        return EXIT_BAD_INPUT;
    interrupt_install();
    if (isatty(STDERR_FILENO) && !command.family)
        command.job.progress = stderr;
    return command.family ? run_family(&command) : run_single(&command);
}
