/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast bench: how fast each part of a lockstep run is, as ratios measured in one run.
 *
 * Part (e), Icarus, is timed by tb/icarus/bench.py, which calls this command for its stimulus and for (b).
 */
#include <stdlib.h>

#include "cli/bench.h"
#include "cli/commands.h"
#include "cli/replay_options.h"
#include "cli/say.h"

enum { ROUNDS = 9 };

/* ---- the parts ------------------------------------------------------------------- */

static bool run_bare_rtl(const bench_stimulus *s, lockstep *ls)
{
    for (unsigned i = 0; i < ls->num_instances; i++)
        ls->instances[i].block->rtl->reset(ls->instances[i].rtl);
    for (size_t c = 0; c < s->cycles; c++)
        for (unsigned i = 0; i < ls->num_instances; i++)
            ls->instances[i].block->rtl->cycle(ls->instances[i].rtl, s->in[i] + c * s->in_size[i]);
    return true;
}

static bool run_lockstep(const bench_stimulus *s, lockstep *ls)
{
    if (!lockstep_reset(ls))
        return false;
    for (size_t c = 0; c < s->cycles; c++)
        if (!lockstep_cycle(ls, &s->obs[c], c))
            return false;
    return true;
}

static bool run_model(const bench_stimulus *s, lockstep *ls)
{
    for (unsigned i = 0; i < ls->num_instances; i++)
        ls->instances[i].block->model->reset(ls->instances[i].state, &ls->instances[i].cfg);
    for (size_t c = 0; c < s->cycles; c++) {
        const sm_obs *obs = &s->obs[c];

        lockstep_models(ls, &obs);
    }
    return true;
}

/* Without blocks it only decodes. */
static bool run_files(const bench_stimulus *s, lockstep *ls)
{
    trace_err err = {.text = ""};
    const sm_obs *obs;

    if (ls && !lockstep_reset(ls))
        return false;
    for (unsigned f = 0; f < s->num_files; f++) {
        if (!trace_select_sm(s->readers[f], s->sm, &err))
            return false;
        while ((obs = trace_next(s->readers[f], &err)))
            if (ls && !lockstep_cycle(ls, obs, 0))
                return false;
    }
    return !err.text[0];
}

static bool run_decode(const bench_stimulus *s, lockstep *ls)
{
    (void)ls;
    return run_files(s, NULL);
}

/* The first is what the others are compared with. */
static const struct {
    const char *letter, *name;
    bool (*run)(const bench_stimulus *s, lockstep *ls);
    double bar; /* least ratio to the bare RTL, 0: none */
} parts[] = {
    {"(a)", "bare Verilated RTL, inputs in memory", run_bare_rtl, 0},
    {"(b)", "lockstep, every output and register compared", run_lockstep, 0},
    {"(c)", "C models alone", run_model, 1.5},
    {"(d)", "trace decoding alone", run_decode, 3},
    {"(f)", "lockstep straight from the file, (b) + (d)", run_files, 0},
};

enum { PARTS = sizeof parts / sizeof parts[0], RTL = 0, LOCKSTEP = 1, MODELS = 2 };

/* What comparing costs does not hang on how fast the RTL is: (b) against (a) and (c) one after the other. */
static const double in_turn_bar = 0.75;

/* ---- measuring ------------------------------------------------------------------- */

typedef struct bench_command {
    const char *hex, *raw; /* files to write instead */
    bool family;
    lockstep *ls;
    bench_stimulus stimulus;
} bench_command;

static bool run_part(void *user, unsigned part)
{
    const bench_command *command = user;

    return parts[part].run(&command->stimulus, command->ls);
}

static void print_bar(char *bar, size_t size, double ratio, double least)
{
    snprintf(bar, size, "%s %.2f", ratio >= least ? ">=" : "MISSES", least);
}

static void print_in_turn(double speed[PARTS][ROUNDS])
{
    double in_turn[ROUNDS], ratio;
    char bar[16];

    for (unsigned n = 0; n < ROUNDS; n++)
        in_turn[n] = 1 / (1 / speed[RTL][n] + 1 / speed[MODELS][n]);
    ratio = bench_ratio(speed[LOCKSTEP], in_turn, ROUNDS);
    print_bar(bar, sizeof bar, ratio, in_turn_bar);
    printf("%-4s %-48s %12.2f (b)/it %.2f %s\n", "", "(a) and (c) one after the other", 1e-6 * bench_median(in_turn, ROUNDS), ratio, bar);
}

static void print_results(double speed[PARTS][ROUNDS])
{
    printf("%-4s %-48s %12s %9s %6s\n", "", "", "Mcycles/s", "vs (a)", "bar");
    for (int part = 0; part < PARTS; part++) {
        const double ratio = bench_ratio(speed[part], speed[0], ROUNDS);
        char bar[16] = "";

        if (parts[part].bar > 0)
            print_bar(bar, sizeof bar, ratio, parts[part].bar);
        printf("%-4s %-48s %12.2f %9.2f %s\n", parts[part].letter, parts[part].name, 1e-6 * bench_median(speed[part], ROUNDS),
               ratio, bar);
    }
    print_in_turn(speed);
}

static int measure(bench_command *command, unsigned num_files)
{
    double speed[PARTS][ROUNDS];
    const bench_stimulus *s = &command->stimulus;
    const bench_rounds rounds = {run_part, command, (double)s->cycles, PARTS, ROUNDS, &speed[0][0]};

    if (!bench_measure(&rounds)) {
        complain("model and RTL differ on this stimulus; see 'ballast lockstep'");
        return EXIT_MISMATCH;
    }
    printf("%zu cycles of SM %u from %u recordings, %u values compared per cycle, median of %d rounds\n", s->cycles, s->sm, num_files,
           command->ls->comparisons, ROUNDS);
    print_results(speed);
    return EXIT_PASS;
}

static int bench(bench_command *command, const arguments *files)
{
    trace_err err = {.text = ""};
    replay_options replay;
    int status;

    replay_options_default(&replay);
    replay_options_perfsat(&replay);
    if (!lockstep_open(command->ls, replay.blocks, 0, 1, err.text, sizeof err.text))
        return complain("%s", err.text);
    if (!bench_stimulus_load(&command->stimulus, command->ls, files, &err) ||
        (command->hex && !bench_stimulus_write_hex(&command->stimulus, command->ls, command->hex, &err)))
        status = complain("%s", err.text);
    else
        status = command->hex ? EXIT_PASS : measure(command, files->num);
    bench_stimulus_free(&command->stimulus);
    lockstep_close(command->ls);
    return status;
}

static void check(void *user, arguments *given, const struct argp_state *state)
{
    const bench_command *command = user;

    if ((command->hex || command->raw) && given->num > 1)
        argp_failure(state, EXIT_USAGE, 0, "--write-hex, --write-raw: one recording only");
    if (command->family && (command->hex || command->raw))
        argp_failure(state, EXIT_USAGE, 0, "--family: without --write-hex and --write-raw");
    if (given->num > BENCH_MAX_FILES)
        argp_failure(state, EXIT_USAGE, 0, "more than %d recordings", BENCH_MAX_FILES);
}

int cmd_bench(int argc, char **argv)
{
    static const option_row rows[] = {
        {"write-hex", 0, "FILE", "Write the stimulus for tb/icarus/bench_tb.sv instead, of one recording",
         MEMBER(bench_command, hex)},
        {"write-raw", 0, "FILE", "Write raw per-cycle records instead, of one recording, for comparing sizes",
         MEMBER(bench_command, raw)},
        {"family", 0, NULL, "The recordings are a family: how fast it is played with the C models alone, under every policy", MEMBER(bench_command, family)},
        {0}};
    static const command_line line = {
        .examples = {"bench vectors/pathfinder.n3.blt"},
        .rows = rows, .args_doc = "RECORDING...", .file = "recording", .example = "vectors/pathfinder.n3.blt", .check = check,
        .doc = "Measures how fast RTL, lockstep, models and decoder are, as ratios in one run."};
    static bench_command command;
    const arguments files = command_parse(&line, argc, argv, &command);
    trace_err err = {.text = ""};
    int status;

    if (command.family)
        return bench_family(&files);
    if (command.raw)
        return bench_write_raw(files.file[0], command.raw, &err) ? EXIT_PASS : complain("%s", err.text);
    command.ls = calloc(1, sizeof *command.ls);
    status = command.ls ? bench(&command, &files) : complain("out of memory");
    free(command.ls);
    return status;
}
