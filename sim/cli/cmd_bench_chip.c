/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast bench-chip: how fast a whole chip runs, and how that grows with its SMs.
 *
 * Two recorded SMs are unpacked in memory; SM i of the chip plays SM i mod 2 of them, 13 cycles
 * later than the one before. Each round measures every size, RTL alone, lockstep and models
 * alone, one after the other; the medians over the rounds are reported, in SM cycles per second.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench_util.h"
#include "cli/commands.h"
#include "cli/replay_options.h"
#include "replay/chip.h"

enum { ROUNDS = 5, STREAMS = 2, SKEW = 13, PARTS = 3 };
enum part { BARE_RTL, LOCKSTEP, MODEL };

/* As many SMs as there is a Verilated vote for (tb/blocks/vf_vote/variants). */
static const unsigned sizes[] = {1, 15, 132};
enum { NUM_SIZES = sizeof sizes / sizeof sizes[0], SM_CYCLES = 600000 };

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
        obs[i] = &s->obs[i % STREAMS][(cycle + s->cycles - (uint64_t)(i / STREAMS) * SKEW % s->cycles) % s->cycles];
}

static bool run_part(enum part part, lockstep *ls, const streams *s, uint64_t cycles)
{
    const lockstep_instance *inst = &ls->instances[0];
    const sm_obs *obs[CHIP_MAX_SMS];

    if (!lockstep_reset(ls))
        return false;
    for (uint64_t c = 0; c < cycles; c++) {
        buses_at(s, c, ls->num_sms, obs);
        if (part == LOCKSTEP) {
            if (!lockstep_cycle_all(ls, obs, c))
                return false;
        } else if (part == MODEL) {
            lockstep_models(ls, obs);
        } else {
            inst->block->model->bind(inst->in, &inst->cfg, obs, inst->needs);
            inst->block->rtl->cycle(inst->rtl, inst->in);
        }
    }
    return true;
}

/* speed[part][round] in SM cycles per second */
static bool measure(const streams *s, unsigned size, double speed[PARTS][ROUNDS], unsigned *values)
{
    char params[512], err[512];
    block sized = *block_find("ballast_chip");
    const block *const blocks[] = {&sized, NULL};
    lockstep *ls = calloc(1, sizeof *ls);
    const uint64_t cycles = SM_CYCLES / size;
    bool ok;

    snprintf(params, sizeof params, "%s NumSms=%u", sized.params, size);
    sized.params = params;
    ok = ls && lockstep_open(ls, blocks, 0, 1, err, sizeof err);
    for (int round = -1; ok && round < ROUNDS; round++) { /* the first warms up */
        for (int part = 0; ok && part < PARTS; part++) {
            const double start = bench_now();

            ok = run_part((enum part)part, ls, s, cycles);
            if (round >= 0)
                speed[part][round] = (double)(cycles * size) / (bench_now() - start);
        }
    }
    if (ls) {
        *values = ls->comparisons;
        lockstep_close(ls);
    }
    free(ls);
    return ok;
}

static bool measure_all(const streams *s)
{
    static double speed[NUM_SIZES][PARTS][ROUNDS];
    double first = 0;

    printf("%5s %10s %14s %14s %14s %14s %12s\n", "SMs", "values", "RTL alone", "lockstep", "lockstep/RTL", "models alone",
           "vs 1 SM");
    for (unsigned i = 0; i < NUM_SIZES; i++) {
        double ratio[ROUNDS];
        unsigned values = 0;

        if (!measure(s, sizes[i], speed[i], &values))
            return false;
        for (int round = 0; round < ROUNDS; round++)
            ratio[round] = speed[i][LOCKSTEP][round] / speed[i][BARE_RTL][round];
        if (i == 0)
            first = bench_median(speed[0][LOCKSTEP], ROUNDS);
        printf("%5u %10u %14.2f %14.2f %14.2f %14.2f %12.2f\n", sizes[i], values,
               1e-6 * bench_median(speed[i][BARE_RTL], ROUNDS), 1e-6 * bench_median(speed[i][LOCKSTEP], ROUNDS),
               bench_median(ratio, ROUNDS), 1e-6 * bench_median(speed[i][MODEL], ROUNDS),
               bench_median(speed[i][LOCKSTEP], ROUNDS) / first);
        fflush(stdout);
    }
    printf("million SM cycles per second; a chip cycle of n SMs counts n; median of %d rounds\n", ROUNDS);
    return true;
}

int cmd_bench_chip(int argc, char **argv)
{
    trace_err err = {.text = ""};
    streams s = {.cycles = 0};
    int status = EXIT_BAD_INPUT;

    if (argc != 2 || argv[1][0] == '-') {
        const bool help = argc == 2 && !strcmp(argv[1], "--help");

        fprintf(help ? stdout : stderr, "usage: %s RECORDING\n", argv[0]);
        return help ? EXIT_PASS : EXIT_USAGE;
    }
    if (!load_stream(&s, 0, argv[1], &err) || !load_stream(&s, 1, argv[1], &err)) {
        fprintf(stderr, "ballast: %s\n", err.text[0] ? err.text : "out of memory");
    } else if (!measure_all(&s)) {
        fprintf(stderr, "ballast: model and RTL differ on this stimulus; see 'ballast chip'\n");
        status = EXIT_MISMATCH;
    } else {
        status = EXIT_PASS;
    }
    for (unsigned i = 0; i < STREAMS; i++) {
        free(s.obs[i]);
        free(s.setups[i]);
    }
    return status;
}
