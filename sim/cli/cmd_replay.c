/* SPDX-License-Identifier: Apache-2.0
 *
 * The commands that replay: lockstep (open loop), family (one kernel recorded at fixed CTA limits), chip (all SMs), random.
 */
#include "cli/commands.h"
#include "cli/family_policies.h"
#include "cli/policies.h"
#include "cli/replay.h"
#include "cli/say.h"

enum { LAPS = 64, RANDOM_CYCLES = 20000 };

#define CSV_ROW(what) {"csv", 0, NULL, what, MEMBER(replay_command, csv)}

typedef struct replay_command {
    replay_options replay;
    bool salvage, csv, models;
    family_options family;
    chip_options chip;
    policy_choices policies;
    char policy[POLICIES_SETTING]; /* the setting that one of them is */
    unsigned launch, laps; /* as given; 0: not given */
    table table;
    arguments files;
    unsigned played; /* of the files, so far */
} replay_command;

/* As data, where the table would be. */
static void begin_table(replay_command *command)
{
    if (command->csv)
        table_begin(&command->table, NULL, stdout);
}

/* The defaults have no launch: it is the longest one. */
static bool choose_launch(const replay_command *command, const char *path, unsigned *launch)
{
    *launch = command->launch - 1;
    return command->launch || replay_longest_launch(path, launch);
}

static int lockstep_one(void *user, const char *path)
{
    replay_command *command = user;
    char name[128];

    own_name(name, sizeof name, command->files.file, command->played++);
    return replay_recording(&command->replay, path, name, command->salvage, &command->table);
}

int cmd_lockstep(int argc, char **argv)
{
    static const option_row rows[] = {
        {"salvage", 0, NULL, "Replay what precedes the damage in a damaged recording", MEMBER(replay_command, salvage)},
        CSV_ROW("CSV instead of the table"), {0}};
    static const command_line line = {
        .examples = {"lockstep vectors/pathfinder.n3.blt", "lockstep --block lcs --inject rtl:lcs.limit_o[0]@500 vectors/pathfinder.n3.blt"},
        .rows = rows, .replays = true, .args_doc = "RECORDING...", .file = "recording", .example = "vectors/pathfinder.n3.blt",
        .doc = "Replays recordings as recorded and compares RTL and C model on every output and register in every cycle."};
    static replay_command command;

    replay_options_default(&command.replay);
    command.files = command_parse(&line, argc, argv, &command);
    begin_table(&command);
    return replay_begin(&command.replay) ? each_file(&command.files, lockstep_one, &command) : EXIT_BAD_INPUT;
}

/* One policy that is built in is a setting of the governor. */
static void check_family(void *user, arguments *given, const struct argp_state *state)
{
    replay_command *command = user;
    replay_options *replay = &command->replay;
    const policy_choices *policies = &command->policies;

    (void)given;
    if ((command->csv || command->models) && !policies->num)
        policy_choices_take(&command->policies, "perfsat", state);
    if (!policies->num)
        return;
    if (replay->blocks[0] != block_find("stall_classifier") || !replay->blocks[1] || replay->blocks[2])
        argp_failure(state, EXIT_USAGE, 0, "--policy and --block: one of them; a policy that is built in plays the block sm_governor");
    if ((policies->num > 1 || policies->choice[0].file) && (replay->wave || replay->num_faults || replay->num_settings || replay->state))
        argp_failure(state, EXIT_USAGE, 0, "--wave, --inject, --set, --state: with one policy that is built in, which has RTL");
    if ((policies->num > 1 || command->csv) && replay->print_log)
        argp_failure(state, EXIT_USAGE, 0, "--log: with one policy, and without --csv");
    if (command->csv && (replay->wave || replay->num_faults || replay->state))
        argp_failure(state, EXIT_USAGE, 0, "--wave, --inject, --state: without --csv");
    if (command->models && (replay->wave || replay->num_faults || replay->state))
        argp_failure(state, EXIT_USAGE, 0, "--wave, --inject, --state: not with --side model, which has no RTL");
    replay->blocks[0] = policies_block(policies->choice[0].policy, command->policy);
    replay->blocks[1] = NULL;
    if (policies->num == 1 && !policies->choice[0].file && *command->policy && !command->csv && !command->models)
        replay->settings[replay->num_settings++] = command->policy;
}

/* The family under what --policy says: several, or one in a file. */
static int play_policies(replay_command *command, const arguments *files, const char *name)
{
    const family_play play = {&command->replay, files->file, files->num, command->family, name, command->csv, command->models};

    if (policy_choices_file(&command->policies) && !command->csv)
        return family_own(&play, &command->policies.choice[0].own);
    return family_policies(&play, &command->policies);
}

int cmd_family(int argc, char **argv)
{
    static const char *const units[] = {[FAMILY_INSTRUCTIONS] = "instructions", [FAMILY_CTAS] = "ctas", NULL};
    static const char *const sides[] = {"rtl", "model", NULL};
    static const char *const restarts[] = {[FAMILY_CONTINUE] = "continue", [FAMILY_NEW_LAUNCH] = "launch", NULL};
    static const option_row rows[] = {
        {"launch", 'l', "N", "Kernel launch to replay, from 1 (default: the longest; see 'ballast info')",
         NUMBER(replay_command, launch, 1, TRACE_MAX_LAUNCHES)},
        {"progress", 'p', "UNIT", "What 'equally far' means when the recording changes: instructions (default) or ctas",
         CHOICE(replay_command, family.progress, units)},
        {"restart", 'r', "HOW", "When the kernel ends before the controller has converged: continue (default: one long kernel) or "
         "launch (a new launch each time)", CHOICE(replay_command, family.restart, restarts)},
        {"max-laps", 'm', "N", "Give up after N passes over the kernel (default 64)",
         NUMBER(replay_command, family.max_laps, 1, MAX_LAPS)},
        POLICY_ROW(replay_command, policies),
        {"side", 0, "NAME", "What plays a policy that is built in: rtl (default), RTL and C model in lockstep; model, the C model alone, many times as "
         "fast; nothing is compared", CHOICE(replay_command, models, sides)},
        CSV_ROW("CSV of what each policy chose, when, and what it costs, instead of text"),
        {0}};
    static const command_line line = {
        .examples = {"family --log vectors/pathfinder.n1.blt vectors/pathfinder.n2.blt vectors/pathfinder.n3.blt vectors/pathfinder.n4.blt vectors/pathfinder.n5.blt vectors/pathfinder.n8.blt"},
        .rows = rows, .replays = true, .args_doc = "RECORDING...", .file = "family", .example = "vectors/pathfinder.n*.blt",
        .doc = "Replays one kernel recorded at fixed CTA limits, among them 1 and Nmax: the controller's limit picks the recording.",
        .check = check_family};
    static replay_command command = {.family = {.max_laps = LAPS}};
    family_options *how = &command.family;
    arguments files;
    char name[128];

    replay_options_default(&command.replay);
    replay_options_perfsat(&command.replay);
    files = command_parse(&line, argc, argv, &command);
    if (command.replay.sm > 0)
        how->sm = (unsigned)command.replay.sm;
    if (!policy_choices_load(&command.policies))
        return EXIT_BAD_INPUT;
    if (!replay_begin(&command.replay) || !choose_launch(&command, files.file[0], &how->launch))
        return EXIT_BAD_INPUT;
    family_name(name, sizeof name, files.file[0]);
    if (command.csv || command.models || command.policies.num > 1 || policy_choices_file(&command.policies))
        return play_policies(&command, &files, name);
    return replay_family(&command.replay, files.file, files.num, how, name, &command.table, NULL);
}

static void check_chip(void *user, arguments *given, const struct argp_state *state)
{
    const replay_command *command = user;

    (void)given;
    if ((command->launch || command->laps) && !command->chip.family)
        argp_failure(state, EXIT_USAGE, 0, "%s: only with --family", command->launch ? "--launch" : "--max-laps");
    if (command->replay.sm >= 0)
        argp_failure(state, EXIT_USAGE, 0, "--sm: a chip plays all of its SMs");
}

static int chip_one(void *user, const char *path)
{
    replay_command *command = user;
    char name[128];

    own_name(name, sizeof name, command->files.file, command->played++);
    return replay_chip(&command->replay, &path, 1, &command->chip, name, &command->table, NULL);
}

int cmd_chip(int argc, char **argv)
{
    static const option_row rows[] = {
        {"skew", 0, "N", "Cycles between SMs that play the same recorded SM (default 13)",
         NUMBER(replay_command, chip.skew, 0, CHIP_MAX_SKEW)},
        {"together", 0, NULL, "The recorded SMs begin together, whatever their cycle numbers (for reproducers)",
         MEMBER(replay_command, chip.together)},
        {"family", 0, NULL, "The recordings are a family: every SM's limit picks its recording",
         MEMBER(replay_command, chip.family)},
        {"launch", 'l', "N", "With --family: kernel launch to replay, from 1 (default: the longest)",
         NUMBER(replay_command, launch, 1, TRACE_MAX_LAUNCHES)},
        {"max-laps", 'm', "N", "With --family: passes over the kernel (default 64)", NUMBER(replay_command, laps, 1, MAX_LAPS)},
        CSV_ROW("CSV instead of the table"),
        {0}};
    static const command_line line = {
        .examples = {"chip --max-cycles 2000 vectors/pathfinder.n8.blt"},
        .rows = rows, .replays = true, .args_doc = "RECORDING...", .file = "recording", .example = "vectors/pathfinder.n3.blt",
        .doc = "Replays recordings on all SMs of a chip (block chip_governor): governors, votes, VF domains; RTL against C model.",
        .check = check_chip};
    static replay_command command = {.chip = {.skew = CHIP_SKEW}};
    chip_options *chip = &command.chip;

    replay_options_default(&command.replay);
    replay_options_chip(&command.replay);
    command.files = command_parse(&line, argc, argv, &command);
    chip->max_laps = command.laps ? command.laps : LAPS;
    begin_table(&command);
    if (!replay_begin(&command.replay))
        return EXIT_BAD_INPUT;
    if (!chip->family)
        return each_file(&command.files, chip_one, &command);
    if (!choose_launch(&command, command.files.file[0], &chip->launch))
        return EXIT_BAD_INPUT;
    return replay_chip(&command.replay, command.files.file, command.files.num, chip, NULL, &command.table, NULL);
}

static void check_random(void *user, arguments *given, const struct argp_state *state)
{
    const replay_options *replay = user;

    (void)given;
    if (replay->seed == 0)
        argp_failure(state, EXIT_USAGE, 0, "--seed: random numbers need one from 1 on");
}

int cmd_random(int argc, char **argv)
{
    static const command_line line = {
        .examples = {"random --block perfsat --seed 7 --max-cycles 20000"},
        .replays = true, .check = check_random,
        .doc = "Drives blocks with random warp states, CTAs and kernels and with settings that change at random; RTL against C model. "
               "The same --seed gives the same run. --max-cycles: 20000 if not given."};
    static replay_options replay;
    table t = {0};

    replay_options_default(&replay);
    replay.chip = true;
    replay.max_cycles = RANDOM_CYCLES;
    command_parse(&line, argc, argv, &replay);
    return replay_begin(&replay) ? replay_random(&replay, NULL, &t, NULL) : EXIT_BAD_INPUT;
}
