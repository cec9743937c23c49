/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast sim: one kernel on the activity simulator with governors in its loop, and recording of it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cmd_sim.h"
#include "cli/commands.h"
#include "cli/named_chip.h"
#include "cli/policies.h"
#include "cli/policy_choice.h"
#include "cli/say.h"
#include "cli/sim_mix.h"
#include "cli/sim_policies.h"
#include "files/placed_file.h"
#include "gpu/parallel.h"
#include "kernels/kernel_file.h"
#include "replay/interrupt.h"
#include "replay/progress.h"

enum { NAME = 128, FILE_PATH = 4096 };

typedef struct sim_command {
    replay_options replay;
    loop_job job;
    sim_mix mix;
    policy_choices policies;
    const char *ctas; /* file for the list of CTAs */
    const machine *whole; /* before --sms */
    unsigned sms, jobs, scheduler;
    bool rtl, csv;
    const char *family; /* prefix */
    char name[NAME];
} sim_command;

/* The machine's own, or by number. */
static const char *const schedulers[SCHEDULES + 2] = {
    "own", [1 + SCHEDULE_GTO] = "gto", [1 + SCHEDULE_LRR] = "lrr", [1 + SCHEDULE_TWO_LEVEL] = "two-level", [1 + SCHEDULE_SCA] = "sca", [1 + SCHEDULE_CCWS] = "ccws"};
static const char *const sides[] = {"model", "rtl", NULL}, *const in_the_loop[] = {"C models", "RTL and C models"};

static void take_record_sms(void *member, char *list, const struct argp_state *state)
{
    loop_job *job = member;
    char *rest = NULL;

    job->num_record_sms = 0;
    for (const char *one = strtok_r(list, ",", &rest); one; one = strtok_r(NULL, ",", &rest)) {
        if (job->num_record_sms == MACHINE_MAX_SMS)
            argp_failure(state, EXIT_USAGE, 0, "--record-sms: more than %d SMs", (int)MACHINE_MAX_SMS);
        job->record_sms[job->num_record_sms++] = (uint16_t)option_number(state, "record-sms", one, 0, MACHINE_MAX_SMS - 1);
    }
    if (!job->num_record_sms)
        argp_failure(state, EXIT_USAGE, 0, "--record-sms needs a number");
}

/* Instead of those of a replay: --block and --seed. */
static const option_row rows[] = {
    {"block", 'b', "NAME", "Chip in the loop: a variant of ballast (default: ballast itself; see 'ballast blocks')",
     MEMBER(sim_command, replay.blocks), .take = option_blocks},
    {"machine", 0, "NAME", "Simulated machine: a chip of rtl/configs (default fermi)",
     MEMBER(sim_command, whole), .take = option_machine},
    {"sms", 0, "N", "So many of its SMs, with their part of the memory (default: all)",
     NUMBER(sim_command, sms, 1, MACHINE_MAX_SMS)},
    {"scheduler", 0, "NAME", "Warp scheduler: own (default: the machine's), gto, lrr, two-level, sca or ccws",
     CHOICE(sim_command, scheduler, schedulers)},
    {"bcs", 0, NULL, "The CTAs of a 2-D kernel go to the SMs in pairs of neighbours (block CTA scheduling)",
     MEMBER(sim_command, job.request.bcs)},
    POLICY_ROW(sim_command, policies),
    {"limit", 0, "N", "CTAs per SM of the static policy (default: as many as fit)",
     NUMBER(sim_command, job.request.static_limit, 1, BALLAST_MAX_SLOTS)},
    {"mode", 0, "NAME", "performance (default) or energy: what Equalizer aims at",
     CHOICE(sim_command, job.request.mode, policies_modes)},
    {"side", 0, "NAME", "What is in the loop: model (default), the C models alone; rtl, RTL and C models in lockstep, on a machine "
     "like the chip of this build", CHOICE(sim_command, rtl, sides)},
    {"with", 0, "KERNEL", "Run this kernel at once with it, too; up to three times. The dispatcher is mcke",
     MEMBER(sim_command, mix), .take = sim_mix_take_with},
    {"dispatch", 0, "NAME", "Which of these kernels comes first: quotas (default, in turn), leftover, apart or queue",
     CHOICE(sim_command, mix.mode, sim_mix_modes)},
    {"quota", 0, "N,N...|lcs", "CTAs of each of these kernels per SM, the first one's first; or what LCS decides for each alone "
     "(default: as many as fit)", MEMBER(sim_command, mix), .take = sim_mix_take_quota},
    {"ctas", 0, "FILE.csv", "Write where and when each CTA ran", MEMBER(sim_command, ctas)},
    {"record", 0, "FILE.blt", "Write a recording of the run", MEMBER(sim_command, job.record)},
    {"record-family", 0, "PREFIX", "Run at every CTA limit from 1 to Nmax; recordings to PREFIX.n1.blt, PREFIX.n2.blt ...",
     MEMBER(sim_command, family)},
    {"record-sms", 0, "N[,N...]", "Record these SMs (default: all)", MEMBER(sim_command, job), .take = take_record_sms},
    {"jobs", 'j', "N", "Runs at a time of a family or a table (default: one per core)", NUMBER(sim_command, jobs, 1, 256)},
    {"csv", 0, NULL, "CSV instead of text", MEMBER(sim_command, csv)},
    {"seed", 0, "N", "Seed of what the warps execute and touch (default 1)",
     NUMBER(sim_command, job.request.seed, 0, UINT64_MAX)},
    {0}};

/* What cannot go together. */
static void check(void *user, arguments *given, const struct argp_state *state)
{
    const sim_command *command = user;
    const replay_options *replay = &command->replay;
    const loop_job *job = &command->job;
    const sim_mix *mix = &command->mix;
    const bool fixed = policy_choices_static(&command->policies), several = command->policies.num > 1;
    const struct {
        bool wrong;
        const char *why;
    } rules[] = {
        {!replay->blocks[0] || replay->blocks[1], "--block: one variant of ballast is in the loop"},
        {replay->sm >= 0, "--sm: a chip plays all of its SMs"},
        {!command->rtl && (replay->num_settings || replay->num_faults || replay->wave || replay->state),
         "--set, --inject, --wave, --state: only with --side rtl"},
        {several && (command->rtl || job->record || command->family || command->ctas || replay->print_log),
         "--policy: a table of several goes without --side rtl, --record, --record-family, --ctas and --log"},
        {policy_choices_file(&command->policies) && command->rtl, "--side rtl: only with policies that are built in; the one in a file has no RTL"},
        {!fixed && (job->request.static_limit || command->family),
         "--limit, --record-family: only with --policy static"},
        {job->request.static_limit && command->family, "--limit: a family has all of them"},
        {command->family && (job->record || replay->print_log), "--record-family: not with --record or --log"},
        {!mix->num_with && (mix->mode || mix->num_quotas || mix->lcs), "--dispatch, --quota: only with --with"},
        {mix->num_with && !fixed, "--with: only with --policy static; --quota lcs takes what LCS decides for each kernel"},
        {mix->num_with && (job->record || command->family), "--with: several kernels at once are not recorded; --ctas lists their CTAs"},
        {mix->num_with && job->request.bcs, "--bcs: several kernels at once are not dispatched in pairs"},
        {command->ctas && command->family, "--ctas: not with --record-family"},
        {job->num_record_sms && !job->record && !command->family, "--record-sms: only with --record or --record-family"},
    };

    (void)given;
    for (unsigned i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (rules[i].wrong)
            argp_failure(state, EXIT_USAGE, 0, "%s", rules[i].why);
}

/* ---- one run ---------------------------------------------------------------------- */

static int play_listed(const sim_command *command, loop_job *job, sim_outcome *outcome)
{
    const sim_play play = {command->rtl, &command->replay, job, command->name};
    placed_file list;

    if (!command->ctas) {
        sim_play_run(&play, outcome);
        return EXIT_PASS;
    }
    if (!placed_open(&list, command->ctas)) {
        memset(outcome, 0, sizeof *outcome);
        return complain("%s: cannot write: %m", command->ctas);
    }
    job->ctas = list.file;
    sim_play_run(&play, outcome);
    if (placed_close(&list, outcome->status == EXIT_PASS) || outcome->status != EXIT_PASS)
        return EXIT_PASS;
    return complain("%s: cannot write: %m", command->ctas);
}

static int run_single(const sim_command *command)
{
    const run_request *request = &command->job.request;
    loop_job job = command->job;
    sim_outcome outcome;
    const int listed = play_listed(command, &job, &outcome);

    if (listed != EXIT_PASS) {
        free(outcome.log);
        return listed;
    }
    if (outcome.log)
        fputs(outcome.log, stdout);
    if (outcome.status == EXIT_PASS && command->csv && request->mix.num_others) {
        sim_mix_csv(stdout, request, &outcome.result, sides[command->rtl]);
    } else if (outcome.status == EXIT_PASS && command->csv) {
        sim_report_csv_header(stdout);
        sim_report_csv(stdout, request, &outcome.result, sides[command->rtl]);
    } else if (outcome.status == EXIT_PASS) {
        sim_report_print(stdout, request, &outcome.result, in_the_loop[command->rtl]);
        if (request->mix.num_others)
            sim_mix_print(stdout, request, &outcome.result);
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
    placed_file taken;     /* never put in its place: who has it writes this family, and nobody else */
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
    loop_job job = command->job; /* each member has a process of its own */
    const sim_play play = {command->rtl, &command->replay, &job, name};

    job.request.static_limit = (uint8_t)(index + 1);
    member_path(path, f, index + 1, ".new");
    job.record = path;
    snprintf(name, sizeof name, "%s.n%u", command->name, index + 1);
    sim_play_run(&play, &f->outcomes[index]);
    return f->outcomes[index].status == EXIT_PASS;
}

static bool member_ended(void *user, const parallel_end *end)
{
    (void)user;
    progress_of_runs(NULL, end->ended, end->num);
    return end->status == 0;
}

/* In their places, or gone. */
static int end_members(const family_runs *f, bool keep)
{
    char from[FILE_PATH], to[FILE_PATH];
    int status = EXIT_PASS;

    for (unsigned limit = 1; limit <= f->num; limit++) {
        member_path(from, f, limit, ".new");
        member_path(to, f, limit, "");
        if (keep && status == EXIT_PASS && rename(from, to) != 0)
            status = complain("%s: cannot put it in place: %m", to);
        remove(from);
    }
    return status;
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

    for (unsigned i = 0; i < f->num; i++)
        results[i] = &f->outcomes[i].result;
    if (!command->csv) {
        printf("%s on %s, %u SMs, at every CTA limit: seed %llu, %s in the loop; recorded to %s.n1.blt ..\n", request.workload.name,
               request.machine.name, (unsigned)request.machine.sms, (unsigned long long)request.seed, in_the_loop[command->rtl],
               command->family);
        sim_report_family(stdout, &request, results, f->num);
        return;
    }
    sim_report_csv_header(stdout);
    for (unsigned i = 0; i < f->num; i++) {
        request.static_limit = (uint8_t)(i + 1);
        sim_report_csv(stdout, &request, results[i], sides[command->rtl]);
    }
}

static bool take_family(family_runs *f)
{
    char path[FILE_PATH];

    member_path(path, f, 1, ".family");
    if (placed_reserve_alone(&f->taken, path))
        return true;
    member_path(path, f, 1, "");
    if (errno == EBUSY)
        complain("%s: another command writes this family now; wait for it, or choose another prefix", path);
    else
        complain("%s: cannot create: %m", path);
    return false;
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
    if (!take_family(&f))
        return EXIT_BAD_INPUT;
    status = parallel(f.num, command->jobs, run_member, member_ended, &f) ? EXIT_PASS : complain_family(&f);
    status = worse(status, end_members(&f, status == EXIT_PASS));
    placed_close(&f.taken, false);
    if (status == EXIT_PASS)
        report_family(&f);
    parallel_unshare(f.outcomes, size);
    return status;
}

/* ---- all -------------------------------------------------------------------------- */

/* Of what a run writes: "hotspot" for sim/kernels/recorded/hotspot.kernel. */
static void name_after(sim_command *command, const char *path)
{
    const char *base = strrchr(path, '/');
    char *end;

    snprintf(command->name, sizeof command->name, "%s", base ? base + 1 : path);
    end = strrchr(command->name, '.');
    if (end && end != command->name)
        *end = '\0';
}

/* The one that was chosen; of several none yet. */
static void take_policy(sim_command *command)
{
    const policy_choice *one = &command->policies.choice[0];

    if (command->policies.num != 1)
        return;
    command->job.request.policy = one->policy;
    command->job.request.own = one->file ? &one->own : NULL;
}

/* Machine, workload and chip, and whether they go together. */
static bool prepare(sim_command *command, const char *path, char *err)
{
    run_request *request = &command->job.request;
    const block *chip = command->replay.blocks[0];

    request->machine = *command->whole;
    if (command->sms && !machine_slice(command->whole, command->sms, &request->machine, err, LOOP_ERR))
        return false;
    if (command->scheduler)
        request->machine.scheduler = (enum machine_scheduler)(command->scheduler - 1);
    if (!kernel_file_workload(&request->workload, NULL, path, err) ||
        !workload_check(&request->workload, &request->machine, err, LOOP_ERR))
        return false;
    request->max_cycles = command->replay.max_cycles;
    take_policy(command);
    command->job.rtl = command->rtl;
    command->job.chip = command->rtl || chip != block_find("chip_governor") ? chip : NULL;
    if (command->job.chip && !loop_fits(command->job.chip, &request->machine, err))
        return false;
    name_after(command, path);
    interrupt_install();
    return sim_mix_prepare(&command->mix, request, err);
}

int cmd_sim(int argc, char **argv)
{
    static const command_line line = {
        .examples = {"sim --policy perfsat --log sim/kernels/recorded/hotspot.kernel"},
        .rows = rows, .replays = true, .args_doc = "WORKLOAD", .file = "workload",
        .example = "sim/kernels/recorded/hotspot.kernel", .most = 1, .check = check, .doc = "Simulates one kernel with governors in the loop."};
    static sim_command command;
    char err[LOOP_ERR];
    arguments files;

    _Static_assert((int)LOOP_ERR >= KERNEL_FILE_ERR, "one text for all");
    replay_options_default(&command.replay);
    replay_options_chip(&command.replay);
    command.whole = machine_find("fermi");
    command.job.request = (run_request){.seed = 1, .mode = BALLAST_VF_PERFORMANCE, .sm_level = -1, .mem_level = -1};
    files = command_parse(&line, argc, argv, &command);
    if (!policy_choices_load(&command.policies))
        return EXIT_BAD_INPUT;
    if (!prepare(&command, files.file[0], err))
        return err[0] ? complain("%s", err) : (complain("stopped by a signal"), EXIT_STOPPED);
    if ((command.rtl || command.replay.print_log) && !replay_begin(&command.replay))
        return EXIT_BAD_INPUT;
    if (isatty(STDERR_FILENO) && !command.family)
        command.job.progress = stderr;
    if (command.policies.num > 1)
        return sim_policies(&command.policies, &command.job.request, command.jobs, command.csv);
    return command.family ? run_family(&command) : run_single(&command);
}
