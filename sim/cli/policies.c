/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/policies.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "chip/vf_domain.h"
#include "recording/csv.h"

const char *const policies_names[POLICIES] = {"static", "perfsat", "lcs", "equalizer", "dyncta"};
const char *const policies_modes[2] = {"energy", "performance"};

/* ---- what a run says -------------------------------------------------------------- */

static const session_track *track_of(const session_result *result, const char *name)
{
    for (unsigned t = 0; t < result->num_tracks; t++)
        if (!strcmp(result->tracks[t].name, name))
            return &result->tracks[t];
    return NULL;
}

static uint64_t last_change(const session_track *track)
{
    return track && track->num_points ? track->points[track->num_points - 1].cycle : 0;
}

/* The value held longest from `from` to `to`. */
static unsigned longest_held(const session_track *track, uint64_t from, uint64_t to)
{
    uint64_t held[BALLAST_MAX_SLOTS + 1] = {0};
    unsigned best = 0;

    for (unsigned i = 0; i < track->num_points; i++) {
        const uint64_t next = i + 1 < track->num_points ? track->points[i + 1].cycle : to;
        const uint64_t start = track->points[i].cycle > from ? track->points[i].cycle : from;
        const unsigned value = track->points[i].value <= BALLAST_MAX_SLOTS ? track->points[i].value : 0;

        if (next > start)
            held[value] += next - start;
        if (held[value] > held[best])
            best = value;
    }
    return best;
}

static void judge(policy_outcome *p)
{
    const session_track *limit = session_limit_track(&p->result);
    const uint64_t half = p->result.cycles / 2;

    p->settled = p->result.converged || last_change(limit) <= half;
    p->chosen = p->settled ? p->result.limit : longest_held(limit, half, p->result.cycles);
    if (p->result.converged)
        p->decided = last_change(track_of(&p->result, "done_o"));
    else if (p->settled)
        p->decided = last_change(limit);
}

/* ---- running ---------------------------------------------------------------------- */

static int run_policy(const replay_options *replay, const char *const *paths, unsigned num_paths,
                      const family_options *how, const char *name, unsigned policy, table *t, policy_outcome *p)
{
    replay_options own = *replay;
    char setting[64], run_name[160];
    family_outcome outcome;
    int status;

    snprintf(setting, sizeof setting, "sm_governor.policy=%s", policies_names[policy]);
    snprintf(run_name, sizeof run_name, "%s.%s", name, policies_names[policy]);
    own.blocks[0] = block_find("sm_governor");
    own.blocks[1] = NULL;
    own.settings[own.num_settings++] = setting;
    own.tracks[0] = "done_o";
    own.num_tracks = 1;
    own.wave = own.print_log = false;
    own.max_cycles = (uint64_t)POLICIES_EPOCHS * POLICIES_EPOCH;
    if (policy == POLICY_PERFSAT || policy == POLICY_LCS)
        own.max_cycles = 0; /* they come to an end */
    status = replay_family(&own, paths, num_paths, how, run_name, t, &outcome);
    p->ran = status == EXIT_PASS;
    p->result = outcome.result;
    if (p->ran)
        judge(p);
    return status;
}

/* About as many SM cycles for every size of chip. */
static uint64_t chip_epochs(unsigned num_sms)
{
    const unsigned epochs = POLICIES_CHIP_EPOCHS * 16 / (num_sms ? num_sms : 1);

    return epochs > POLICIES_CHIP_EPOCHS ? POLICIES_CHIP_EPOCHS : epochs < 4 ? 4 : epochs;
}

static int run_chip(const replay_options *replay, const char *const *paths, unsigned num_paths,
                    const family_options *how, const char *name, unsigned mode, table *t, family_outcome *outcome)
{
    const chip_options chip = {.skew = 13, .family = true, .launch = (int)how->launch, .max_laps = MAX_LAPS};
    replay_options own = *replay;
    char setting[64], run_name[160];

    snprintf(setting, sizeof setting, "ballast_chip.mode=%s", mode == VF_ENERGY ? "ENERGY" : "PERFORMANCE");
    snprintf(run_name, sizeof run_name, "%s.%s", name, policies_modes[mode]);
    replay_options_chip(&own);
    own.settings[own.num_settings++] = setting;
    own.tracks[0] = "sm_level_o";
    own.tracks[1] = "mem_level_o";
    own.num_tracks = 2;
    own.wave = own.print_log = false;
    own.max_cycles = chip_epochs(replay_num_sms(&own)) * POLICIES_EPOCH;
    return replay_chip(&own, paths, num_paths, &chip, run_name, t, outcome);
}

static void worse(int *status, int other)
{
    *status = other > *status ? other : *status;
}

int policies_run(const replay_options *replay, const family *f, unsigned max_laps, table *t, policies_kernel *kernel)
{
    const family_options how = {.launch = f->launch, .max_laps = max_laps};
    trace_err err = {.text = ""};
    int status = EXIT_PASS;

    memset(kernel, 0, sizeof *kernel);
    snprintf(kernel->name, sizeof kernel->name, "%s", f->name);
    snprintf(kernel->words, sizeof kernel->words, "%s", f->words);
    if (!sweep_measure(&kernel->sweep, f->paths, f->num_paths, 0, f->launch, &err) ||
        !breakdown_measure(&kernel->breakdown, f->paths, f->num_paths, 0, f->launch, &err)) {
        fprintf(stderr, "ballast: %s\n", err.text);
        return EXIT_BAD_INPUT;
    }
    for (unsigned p = 0; p < POLICIES && status != EXIT_STOPPED; p++)
        worse(&status, run_policy(replay, f->paths, f->num_paths, &how, f->name, p, t, &kernel->policy[p]));
    for (unsigned mode = 0; mode < 2 && status != EXIT_STOPPED; mode++) {
        const int own = run_chip(replay, f->paths, f->num_paths, &how, f->name, mode, t, &kernel->chip[mode]);

        kernel->chip_ran[mode] = own == EXIT_PASS;
        worse(&status, own);
    }
    return status;
}

int policies_predict(policies_kernel *kernel, const oracle_source *source)
{
    char err[ORACLE_ERR];
    const enum oracle_status status = oracle_predict(&kernel->oracle, source, kernel->name, err);

    kernel->has_oracle = status == ORACLE_FINE;
    kernel->oracle.measured = kernel->sweep;
    kernel->oracle.num_choices = POLICIES;
    for (unsigned p = 0; p < POLICIES; p++) {
        kernel->oracle.chooser[p] = policies_names[p];
        kernel->oracle.choice[p] = kernel->policy[p].ran ? kernel->policy[p].chosen : 0;
    }
    if (status != ORACLE_BAD)
        return EXIT_PASS;
    fprintf(stderr, "ballast: %s\n", err);
    return EXIT_BAD_INPUT;
}

void policies_free(policies_kernel *kernel)
{
    for (unsigned p = 0; p < POLICIES; p++)
        session_result_free(&kernel->policy[p].result);
    for (unsigned mode = 0; mode < 2; mode++)
        session_result_free(&kernel->chip[mode].result);
}

/* ---- the table -------------------------------------------------------------------- */

void policies_print_header(FILE *f)
{
    fprintf(f, "%-22s %4s %4s  %-7s", "kernel", "Nmax", "best", "model");
    for (unsigned p = 0; p < POLICIES; p++)
        fprintf(f, "  %-19s", policies_names[p]);
    fprintf(f, "\n");
}

void policies_print(FILE *f, const policies_kernel *kernel)
{
    const unsigned model = kernel->has_oracle ? kernel->oracle.prediction.best_limit : 0;

    fprintf(f, "%-22s %4u %4u", kernel->name, kernel->sweep.nmax, kernel->sweep.optimum);
    if (model)
        fprintf(f, "  %u %4.0f%%", model, sweep_speed(&kernel->sweep, model));
    else
        fprintf(f, "  %-7s", "-");
    for (unsigned p = 0; p < POLICIES; p++) {
        const policy_outcome *o = &kernel->policy[p];
        char cell[48] = "-";

        if (o->ran && o->settled)
            snprintf(cell, sizeof cell, "%u %4.0f%% @%" PRIu64, o->chosen, sweep_speed(&kernel->sweep, o->chosen), o->decided);
        else if (o->ran)
            snprintf(cell, sizeof cell, "%u %4.0f%% moving", o->chosen, sweep_speed(&kernel->sweep, o->chosen));
        fprintf(f, "  %-19s", cell);
    }
    fprintf(f, "\n");
}

void policies_csv_header(FILE *f)
{
    fprintf(f, "kernel,nmax,best,model_limit");
    for (unsigned p = 0; p < POLICIES; p++)
        fprintf(f, ",%s_limit,%s_percent,%s_settled,%s_cycle", policies_names[p], policies_names[p], policies_names[p],
                policies_names[p]);
    fprintf(f, "\n");
}

void policies_csv(FILE *f, const policies_kernel *kernel)
{
    csv_put(f, kernel->name);
    fprintf(f, ",%u,%u,%u", kernel->sweep.nmax, kernel->sweep.optimum,
            kernel->has_oracle ? kernel->oracle.prediction.best_limit : 0);
    for (unsigned p = 0; p < POLICIES; p++) {
        const policy_outcome *o = &kernel->policy[p];

        fprintf(f, ",%u,%.1f,%d,%" PRIu64, o->chosen, sweep_speed(&kernel->sweep, o->chosen), o->settled, o->decided);
    }
    fprintf(f, "\n");
}

/* ---- the tracks ------------------------------------------------------------------- */

static bool write_track(const char *path, const session_track *track, uint64_t end, unsigned last)
{
    FILE *f = fopen(path, "w");

    if (!f)
        return false;
    for (unsigned i = 0; track && i < track->num_points; i++)
        fprintf(f, "%" PRIu64 " %u\n", track->points[i].cycle, track->points[i].value);
    fprintf(f, "%" PRIu64 " %u\n", end, last);
    return fclose(f) == 0;
}

static unsigned last_value(const session_track *track)
{
    return track && track->num_points ? track->points[track->num_points - 1].value : 0;
}

static void data_path(char *path, size_t size, const policies_kernel *kernel, const char *dir, const char *what)
{
    snprintf(path, size, "%s/%s.%s.dat", dir, kernel->name, what);
}

/* All curves end where the longest run does: what has been decided stays decided. */
static uint64_t longest_run(const policies_kernel *kernel)
{
    uint64_t most = 0;

    for (unsigned p = 0; p < POLICIES; p++)
        if (kernel->policy[p].result.cycles > most)
            most = kernel->policy[p].result.cycles;
    return most;
}

bool policies_save_tracks(const policies_kernel *kernel, const char *dir)
{
    const uint64_t end = longest_run(kernel);
    char path[4300], what[64];
    bool ok = true;

    for (unsigned p = 0; p < POLICIES; p++) {
        const session_result *r = &kernel->policy[p].result;

        data_path(path, sizeof path, kernel, dir, policies_names[p]);
        ok &= write_track(path, session_limit_track(r), kernel->policy[p].result.converged ? end : r->cycles, r->limit);
    }
    for (unsigned mode = 0; mode < 2; mode++) {
        static const char *const domains[] = {"sm_level_o", "mem_level_o"};

        for (unsigned d = 0; d < 2; d++) {
            const session_track *track = track_of(&kernel->chip[mode].result, domains[d]);

            snprintf(what, sizeof what, "%s.%s", policies_modes[mode], d ? "mem" : "sm");
            data_path(path, sizeof path, kernel, dir, what);
            ok &= write_track(path, track, kernel->chip[mode].result.cycles, last_value(track));
        }
    }
    return ok;
}
