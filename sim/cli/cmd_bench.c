/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast bench: how fast each part of a lockstep run is, as ratios measured in one run.
 *
 *   (a) bare Verilated RTL, its inputs already in memory, nothing read back
 *   (b) lockstep: the same RTL plus C models, every output and register compared
 *   (c) the C models alone
 *   (d) decoding the recordings alone
 *   (f) lockstep straight from the file: (b) and (d) together, what a user's run does
 *
 * Each round measures all of them one after the other, so that a change of the machine's speed
 * hits them alike; the ratios' medians over the rounds are reported. (e) Icarus is timed by
 * tb/icarus/bench.py, which calls this command for its stimulus and for (b).
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench_raw.h"
#include "cli/bench_stimulus.h"
#include "cli/bench_util.h"
#include "cli/commands.h"
#include "cli/replay_options.h"

enum { ROUNDS = 9, PARTS = 5 };

enum part { BARE_RTL, LOCKSTEP, MODEL, DECODE, FROM_FILE };

static const struct {
    const char *letter, *name;
    double bar; /* least ratio to the bare RTL, 0: none */
} parts[PARTS] = {
    {"(a)", "bare Verilated RTL, inputs in memory", 0},
    {"(b)", "lockstep, every output and register compared", 0.75},
    {"(c)", "C models alone", 5},
    {"(d)", "trace decoding alone", 3},
    {"(f)", "lockstep straight from the file, (b) + (d)", 0},
};

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

static bool run_decode(const bench_stimulus *s)
{
    for (unsigned f = 0; f < s->num_files; f++) {
        trace_err err = {.text = ""};

        if (!trace_select_sm(s->readers[f], s->sm, &err))
            return false;
        while (trace_next(s->readers[f], &err))
            ;
        if (err.text[0])
            return false;
    }
    return true;
}

static bool run_from_file(const bench_stimulus *s, lockstep *ls)
{
    if (!lockstep_reset(ls))
        return false;
    for (unsigned f = 0; f < s->num_files; f++) {
        trace_err err = {.text = ""};
        const sm_obs *obs;

        if (!trace_select_sm(s->readers[f], s->sm, &err))
            return false;
        while ((obs = trace_next(s->readers[f], &err)))
            if (!lockstep_cycle(ls, obs, 0))
                return false;
        if (err.text[0])
            return false;
    }
    return true;
}

static bool run_part(enum part part, const bench_stimulus *s, lockstep *ls)
{
    switch (part) {
    case BARE_RTL: return run_bare_rtl(s, ls);
    case LOCKSTEP: return run_lockstep(s, ls);
    case MODEL: return run_model(s, ls);
    case DECODE: return run_decode(s);
    default: return run_from_file(s, ls);
    }
}

/* ---- measuring ------------------------------------------------------------------- */

/* speed[part][round] in SM-cycles per second */
static bool measure(const bench_stimulus *s, lockstep *ls, double speed[PARTS][ROUNDS])
{
    for (int round = -1; round < ROUNDS; round++) { /* the first warms up */
        for (int part = 0; part < PARTS; part++) {
            const double start = bench_now();

            if (!run_part((enum part)part, s, ls))
                return false;
            if (round >= 0)
                speed[part][round] = (double)s->cycles / (bench_now() - start);
        }
    }
    return true;
}

static void print_results(double speed[PARTS][ROUNDS])
{
    printf("%-4s %-48s %12s %9s %6s\n", "", "", "Mcycles/s", "vs (a)", "bar");
    for (int part = 0; part < PARTS; part++) {
        double ratio[ROUNDS];
        char bar[16] = "";

        for (int round = 0; round < ROUNDS; round++)
            ratio[round] = speed[part][round] / speed[BARE_RTL][round];
        if (parts[part].bar > 0)
            snprintf(bar, sizeof bar, "%s %.2f", bench_median(ratio, ROUNDS) >= parts[part].bar ? ">=" : "MISSES",
                     parts[part].bar);
        printf("%-4s %-48s %12.2f %9.2f %s\n", parts[part].letter, parts[part].name,
               1e-6 * bench_median(speed[part], ROUNDS), bench_median(ratio, ROUNDS), bar);
    }
}

static int bench(char **files, int num_files, const char *hex_path)
{
    double speed[PARTS][ROUNDS];
    lockstep *ls = calloc(1, sizeof *ls);
    bench_stimulus s;
    replay_options replay;
    char err[512] = "";
    int status = EXIT_BAD_INPUT;

    replay_options_default(&replay);
    replay_options_perfsat(&replay);
    if (!ls || !lockstep_open(ls, replay.blocks, 0, 1, err, sizeof err)) {
        fprintf(stderr, "ballast: %s\n", err);
        free(ls);
        return status;
    }
    if (!bench_stimulus_load(&s, ls, files, (unsigned)num_files, err, sizeof err)) {
        fprintf(stderr, "ballast: %s\n", err);
    } else if (hex_path) {
        status = bench_stimulus_write_hex(&s, ls, hex_path, err, sizeof err) ? EXIT_PASS : EXIT_BAD_INPUT;
        if (status != EXIT_PASS)
            fprintf(stderr, "ballast: %s\n", err);
    } else if (!measure(&s, ls, speed)) {
        fprintf(stderr, "ballast: model and RTL differ on this stimulus; see 'ballast lockstep'\n");
        status = EXIT_MISMATCH;
    } else {
        printf("%zu cycles of SM %u from %d recordings, %u values compared per cycle, median of %d rounds\n",
               s.cycles, s.sm, num_files, ls->comparisons, ROUNDS);
        print_results(speed);
        status = EXIT_PASS;
    }
    bench_stimulus_free(&s);
    lockstep_close(ls);
    free(ls);
    return status;
}

static int write_raw(const char *path, const char *recording)
{
    trace_err err = {.text = ""};

    if (bench_write_raw(recording, path, &err))
        return EXIT_PASS;
    fprintf(stderr, "ballast: %s\n", err.text);
    return EXIT_BAD_INPUT;
}

static int help(void)
{
    printf("usage: ballast bench RECORDING...\n"
           "       ballast bench --write-hex FILE RECORDING  the stimulus for tb/icarus/bench_tb.sv\n"
           "       ballast bench --write-raw FILE RECORDING  raw per-cycle records, for comparing sizes\n");
    return EXIT_PASS;
}

static int usage(const char *arg)
{
    fprintf(stderr, "ballast bench: %s%s; see ballast bench --help\n", arg ? "what is this: " : "name a recording",
            arg ? arg : "");
    return EXIT_USAGE;
}

int cmd_bench(int argc, char **argv)
{
    if (argc == 4 && !strcmp(argv[1], "--write-hex"))
        return bench(argv + 3, 1, argv[2]);
    if (argc == 4 && !strcmp(argv[1], "--write-raw"))
        return write_raw(argv[2], argv[3]);
    if (argc == 2 && !strcmp(argv[1], "--help"))
        return help();
    if (argc < 2 || argv[1][0] == '-')
        return usage(argv[1]);
    return bench(argv + 1, argc - 1, NULL);
}
