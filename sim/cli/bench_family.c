/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast bench --family: how fast one kernel's recordings are played with the reference models alone: decoding, each policy with the model in every
 * cycle and in spans (policy/span.h), and what two processes side by side lose.
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/bench.h"
#include "cli/commands.h"
#include "cli/family_models.h"
#include "cli/policies.h"
#include "cli/say.h"
#include "gpu/parallel.h"

enum { ROUNDS = 5, LAPS = 64, BAR = 50, SIDE_BY_SIDE = 2 };
static const double least_efficiency = 0.9, least_seconds = 0.02;

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct family_bench {
    const family_play *play;
    family_models models;
    replay_options replay;
} family_bench;

/* ---- a policy ----------------------------------------------------------------------------- */

/* Million SM cycles per second; the replay's cycles. Short ones are repeated. */
static double speed_of(const family_bench *b, unsigned policy, bool each, uint64_t *cycles)
{
    static policy_outcome outcome;
    const double start = now();
    unsigned times = 0;

    do {
        policies_play_models(&b->replay, b->models.models, policy, each, &outcome);
        *cycles = outcome.result.cycles;
        session_result_free(&outcome.result);
        times++;
    } while (now() - start < least_seconds);
    return 1e-6 * (double)*cycles * times / (now() - start);
}

static bool measure_policy(const family_bench *b, unsigned policy, double *slowest)
{
    double each[ROUNDS], spans[ROUNDS];
    uint64_t cycles = 0, other = 0;

    for (unsigned n = 0; n < ROUNDS; n++) {
        each[n] = speed_of(b, policy, true, &cycles);
        spans[n] = speed_of(b, policy, false, &other);
        if (cycles != other || !cycles)
            return false;
    }
    printf("%-12s %10llu %12.1f %12.1f %9.1f\n", policies_names[policy], (unsigned long long)cycles, bench_median(each, ROUNDS),
           bench_median(spans, ROUNDS), bench_ratio(spans, each, ROUNDS));
    fflush(stdout);
    *slowest = bench_median(spans, ROUNDS) < *slowest ? bench_median(spans, ROUNDS) : *slowest;
    return true;
}

/* ---- everything, from the files ------------------------------------------------------------- */

/* Decoding, what an exhaustive search finds, all policies: SM cycles of the replays; 0: it failed. */
static uint64_t play_all(const family_play *play, const replay_options *replay)
{
    static policy_outcome outcome;
    static replay_oracle schedule;
    family_models models;
    uint64_t cycles = 0;
    breakdown b;

    if (family_models_open(&models, play)) {
        family_models_search(&models, &b, &schedule);
        for (unsigned p = 0; p < BALLAST_POLICIES; p++) {
            policies_play_models(replay, models.models, p, false, &outcome);
            cycles += outcome.result.cycles;
            session_result_free(&outcome.result);
        }
    }
    family_models_close(&models);
    return cycles;
}

/* Seconds of processor time, the same work each time. */
static double seconds_of(const family_bench *b, unsigned times)
{
    const double start = now();

    for (unsigned n = 0; n < times; n++)
        play_all(b->play, &b->replay);
    return now() - start;
}

typedef struct side_by_side {
    const family_bench *bench;
    unsigned times;
    double *seconds; /* of each process */
} side_by_side;

static bool one_side(void *user, unsigned index)
{
    const side_by_side *s = user;

    s->seconds[index] = seconds_of(s->bench, s->times);
    return true;
}

/* Processor time alone over that beside another one: what the cores share slows both down. */
static bool measure_sides(const family_bench *b)
{
    side_by_side s = {b, 1, parallel_shared(SIDE_BY_SIDE * sizeof(double))};
    double alone[ROUNDS], beside[ROUNDS], efficiency;

    if (!s.seconds)
        return false;
    s.times += (unsigned)(10 * least_seconds / seconds_of(b, 1));
    for (unsigned n = 0; n < ROUNDS; n++) {
        alone[n] = seconds_of(b, s.times);
        if (!parallel(SIDE_BY_SIDE, SIDE_BY_SIDE, one_side, NULL, &s))
            return false;
        beside[n] = (s.seconds[0] + s.seconds[1]) / SIDE_BY_SIDE;
    }
    efficiency = bench_ratio(alone, beside, ROUNDS);
    printf("%d processes side by side: efficiency per core %.2f %s %.1f, by processor time\n", SIDE_BY_SIDE, efficiency,
           efficiency >= least_efficiency ? ">=" : "MISSES", least_efficiency);
    parallel_unshare(s.seconds, SIDE_BY_SIDE * sizeof(double));
    return true;
}

static uint64_t decoded(const family_bench *b)
{
    uint64_t cycles = 0;

    for (unsigned limit = 1; limit <= BALLAST_MAX_SLOTS; limit++)
        cycles += models_family_members(b->models.models)[limit] ? models_family_members(b->models.models)[limit]->cycles : 0;
    return cycles;
}

static bool measure_files(const family_bench *b)
{
    double seconds[ROUNDS];
    uint64_t cycles = 0;

    for (unsigned n = 0; n < ROUNDS; n++) {
        const double start = now();

        cycles = play_all(b->play, &b->replay);
        seconds[n] = now() - start;
        if (!cycles)
            return false;
    }
    printf("all of them from the files, with %llu cycles decoded once: %.1f million SM cycles per second\n", (unsigned long long)decoded(b),
           1e-6 * (double)cycles / bench_median(seconds, ROUNDS));
    fflush(stdout);
    return true;
}

static bool measure(const family_bench *b)
{
    double slowest = 1e12;

    printf("%-12s %10s %12s %12s %9s\n", "policy", "cycles", "every cycle", "in spans", "ratio");
    for (unsigned p = 0; p < BALLAST_POLICIES; p++)
        if (!measure_policy(b, p, &slowest))
            return false;
    printf("million SM cycles per second on one core, models alone, decoded before; slowest in spans: %.1f %s %d\n", slowest,
           slowest >= BAR ? ">=" : "MISSES", BAR);
    return measure_files(b) && measure_sides(b);
}

int bench_family(const arguments *files)
{
    family_bench b = {.play = NULL};
    family_play play = {.paths = files->file, .num_paths = files->num, .how = {.max_laps = LAPS}, .replay = &b.replay, .models = true};
    policy_choices all = {.num = 0};
    bool ok;

    replay_options_default(&b.replay);
    if (!replay_longest_launch(files->file[0], &play.how.launch))
        return EXIT_BAD_INPUT;
    b.play = &play;
    ok = family_models_open(&b.models, &play);
    if (ok && !measure(&b)) {
        complain("the family could not be played");
        ok = false;
    }
    for (unsigned p = 0; ok && p < BALLAST_POLICIES; p++)
        all.choice[all.num++] = (policy_choice){.label = policies_names[p], .policy = (uint8_t)p};
    family_models_tell_proof(&all, false);
    family_models_close(&b.models);
    return ok ? EXIT_PASS : EXIT_BAD_INPUT;
}
