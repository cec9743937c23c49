/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast bench-chip: how fast a whole chip runs, and how that grows with its SMs.
 *
 * Two recorded SMs are unpacked in memory; SM i of the chip plays SM i mod 2 of them, 13 cycles
 * later than the one before. RTL alone, lockstep and models alone, in SM cycles per second.
 */
#include <stdlib.h>

#include "cli/bench.h"
#include "cli/commands.h"
#include "cli/replay.h"
#include "cli/say.h"

enum { ROUNDS = 5, STREAMS = 2 };
enum { BARE_RTL, LOCKSTEP, MODEL, PARTS };

/* As many SMs as there is a Verilated vote for (tb/blocks/vf_vote: variants, and the lines "command" of targets). */
static const unsigned sizes[] = {1, 15, 132};
enum { NUM_SIZES = sizeof sizes / sizeof sizes[0], LARGEST = 132, SM_CYCLES = 600000, MOST_CYCLES = 1000000000 };

typedef struct bench_chip_command {
    unsigned cycles; /* of all SMs together, for each part in each round */
} bench_chip_command;

typedef struct streams {
    sm_obs *obs[STREAMS];
    sm_setup *setups[STREAMS];
    uint64_t cycles;
} streams;

static bool load_stream(streams *s, unsigned which, const char *path, trace_err *err)
{
    trace_reader *r = trace_open(path, NULL, err);
    const unsigned index = r && which < trace_num_sms(r) ? which : 0;
    const sm_obs *obs;
    uint64_t n = 0, setups = 0;
    bool ok;

    if (!r)
        return false;
    if (which == 0)
        s->cycles = trace_get_sm(r, 0)->cycles;
    s->obs[which] = calloc(s->cycles, sizeof *s->obs[which]);
    s->setups[which] = calloc(s->cycles, sizeof *s->setups[which]);
    ok = s->obs[which] && s->setups[which] && trace_select_sm(r, trace_get_sm(r, index)->sm, err);
    for (sm_obs *to = s->obs[which]; ok && n < s->cycles && (obs = trace_next(r, err)); n++)
        setups += sm_keep_next(&to[n], obs, n ? &to[n - 1] : NULL, &s->setups[which][setups]);
    trace_close(r);
    return ok && err->text[0] == '\0';
}

static void buses_at(const streams *s, uint64_t cycle, unsigned num_sms, const sm_obs **obs)
{
    for (unsigned i = 0; i < num_sms; i++)
        obs[i] = &s->obs[i % STREAMS][(cycle + s->cycles - (uint64_t)(i / STREAMS) * CHIP_SKEW % s->cycles) % s->cycles];
}

typedef struct chip_bench {
    const streams *streams;
    lockstep *ls;
    uint64_t cycles;
} chip_bench;

static bool run_part(void *user, unsigned part)
{
    const chip_bench *b = user;
    const lockstep_instance *inst = &b->ls->instances[0];
    const sm_obs *obs[CHIP_MAX_SMS];
    bool equal = lockstep_reset(b->ls);

    for (uint64_t c = 0; equal && c < b->cycles; c++) {
        buses_at(b->streams, c, b->ls->num_sms, obs);
        if (part == LOCKSTEP) {
            equal = lockstep_cycle_all(b->ls, obs, c);
        } else if (part == MODEL) {
            lockstep_models(b->ls, obs);
        } else {
            inst->block->model->bind(inst->in, &inst->cfg, obs, inst->needs);
            inst->block->rtl->cycle(inst->rtl, inst->in);
        }
    }
    return equal;
}

static bool measure(const streams *s, unsigned size, unsigned cycles, double speed[PARTS][ROUNDS], unsigned *values)
{
    char params[512], err[512];
    block sized = *block_find("chip_governor");
    const block *const blocks[] = {&sized, NULL};
    chip_bench b = {s, calloc(1, sizeof *b.ls), cycles / size};
    const bench_rounds rounds = {run_part, &b, (double)(b.cycles * size), PARTS, ROUNDS, &speed[0][0]};
    bool ok;

    snprintf(params, sizeof params, "%s NumSms=%u", sized.params, size);
    sized.params = params;
    ok = b.ls && lockstep_open(b.ls, blocks, 0, 1, err, sizeof err) && bench_measure(&rounds);
    if (b.ls) {
        *values = b.ls->comparisons;
        lockstep_close(b.ls);
    }
    free(b.ls);
    return ok;
}

static bool measure_all(const streams *s, unsigned cycles)
{
    double first = 0;

    printf("%5s %10s %14s %14s %14s %14s %12s\n", "SMs", "values", "RTL alone", "lockstep", "lockstep/RTL", "models alone",
           "vs 1 SM");
    for (unsigned i = 0; i < NUM_SIZES; i++) {
        double speed[PARTS][ROUNDS], both;
        unsigned values = 0;

        if (!measure(s, sizes[i], cycles, speed, &values))
            return false;
        both = bench_median(speed[LOCKSTEP], ROUNDS);
        if (i == 0)
            first = both;
        printf("%5u %10u %14.2f %14.2f %14.2f %14.2f %12.2f\n", sizes[i], values, 1e-6 * bench_median(speed[BARE_RTL], ROUNDS),
               1e-6 * both, bench_ratio(speed[LOCKSTEP], speed[BARE_RTL], ROUNDS), 1e-6 * bench_median(speed[MODEL], ROUNDS),
               both / first);
        fflush(stdout);
    }
    printf("million SM cycles per second; a chip cycle of n SMs counts n; median of %d rounds\n", ROUNDS);
    return true;
}

int cmd_bench_chip(int argc, char **argv)
{
    static const option_row rows[] = {
        {"cycles", 0, "N", "SM cycles of each measurement (default 600000)", NUMBER(bench_chip_command, cycles, LARGEST, MOST_CYCLES)}, {0}};
    static const command_line line = {
        .examples = {"bench-chip vectors/pathfinder.n3.blt"},
        .rows = rows, .args_doc = "RECORDING", .file = "recording", .example = "vectors/pathfinder.n3.blt", .most = 1,
        .doc = "Measures a whole chip of 1, 15 and 132 SMs: RTL, lockstep, models."};
    static bench_chip_command command = {.cycles = SM_CYCLES};
    const arguments files = command_parse(&line, argc, argv, &command);
    trace_err err = {.text = ""};
    streams s = {.cycles = 0};
    int status = EXIT_PASS;

    if (!load_stream(&s, 0, files.file[0], &err) || !load_stream(&s, 1, files.file[0], &err)) {
        status = complain("%s", err.text[0] ? err.text : "out of memory");
    } else if (!measure_all(&s, command.cycles)) {
        complain("model and RTL differ on this stimulus; see 'ballast chip'");
        status = EXIT_MISMATCH;
    }
    for (unsigned i = 0; i < STREAMS; i++) {
        free(s.obs[i]);
        free(s.setups[i]);
    }
    return status;
}
