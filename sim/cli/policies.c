/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/policies.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip/vf_domain.h"
#include "cli/commands.h"
#include "cli/say.h"
#include "recording/csv.h"

static const char *const level_outputs[2] = {"sm_level_o", "mem_level_o"};

enum {
    EPOCHS = 40,      /* a policy that never ends is watched for so many epochs  */
    CHIP_EPOCHS = 8,  /* a chip of up to 16 SMs; a larger one shorter            */
    EPOCH = 4096
};

/* ---- what a run says -------------------------------------------------------------- */

static const session_track *track_of(const session_result *result, const char *name)
{
    for (unsigned t = 0; t < result->num_tracks; t++)
        if (!strcmp(result->tracks[t].name, name))
            return &result->tracks[t];
    return NULL;
}

static session_point last_change(const session_track *track)
{
    return track && track->num_points ? track->points[track->num_points - 1] : (session_point){0};
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

void policies_judge(policy_outcome *p)
{
    const session_track *limit = session_limit_track(&p->result);
    const uint64_t half = p->result.cycles / 2;

    p->settled = p->result.converged || last_change(limit).cycle <= half;
    p->chosen = p->settled ? p->result.limit : longest_held(limit, half, p->result.cycles);
    if (p->result.converged)
        p->decided = last_change(track_of(&p->result, "done_o")).cycle;
    else if (p->settled)
        p->decided = last_change(limit).cycle;
    p->pass = p->settled ? pace_pass(&p->pace, p->decided) : 0;
}

const char *policies_when(const policy_outcome *p, char when[POLICIES_WHEN])
{
    if (!p->settled)
        snprintf(when, POLICIES_WHEN, "moving");
    else if (p->pass > 1)
        snprintf(when, POLICIES_WHEN, "@%" PRIu64 " pass %u", p->decided, p->pass);
    else
        snprintf(when, POLICIES_WHEN, "@%" PRIu64, p->decided);
    return when;
}

/* ---- running ---------------------------------------------------------------------- */

/* The family under one name more, with one setting more. */
typedef struct policy_run {
    replay_options replay;
    char setting[POLICIES_SETTING], name[MANIFEST_TEXT + 48];
} policy_run;

static void prepare(policy_run *r, const replay_options *replay, const char *kernel, const char *name)
{
    r->replay = *replay;
    if (*r->setting)
        r->replay.settings[r->replay.num_settings++] = r->setting;
    r->replay.wave = r->replay.print_log = false;
    snprintf(r->name, sizeof r->name, "%s.%s", kernel, name);
}

const block *policies_block(unsigned policy, char *setting)
{
    *setting = '\0';
    if (policy == BALLAST_POLICY_SCOUT)
        return block_find("scout");
    snprintf(setting, POLICIES_SETTING, "sm_governor.policy=%s", policies_names[policy]);
    return block_find("sm_governor");
}

/* They come to an end; the others go on for ever. */
static bool ends(unsigned policy)
{
    return policy == BALLAST_POLICY_PERFSAT || policy == BALLAST_POLICY_LCS || policy == BALLAST_POLICY_SCOUT;
}

/* One that never ends is watched for so many cycles; 0: all of them. */
static uint64_t watched_for(const replay_options *replay, unsigned policy)
{
    return replay_at_most(replay, ends(policy) ? 0 : (uint64_t)EPOCHS * EPOCH);
}

int policies_play_models(const replay_options *replay, const models_family *recorded, unsigned policy, bool each, policy_outcome *p)
{
    const char *settings[REPLAY_MAX_SETTINGS + 1];
    char setting[POLICIES_SETTING];
    models_play how = {.block = policies_block(policy, setting), .settings = settings, .num_settings = replay->num_settings,
                       .max_cycles = watched_for(replay, policy), .pace = &p->pace, .log = replay->print_log, .each = each};
    int status;

    memcpy(settings, replay->settings, replay->num_settings * sizeof *settings);
    if (*setting)
        settings[how.num_settings++] = setting;
    models_family_play(recorded, &how, &p->result, NULL);
    print_failure(&(session_options){.blocks = NULL}, &p->result);
    status = replay_exit_status(p->result.verdict);
    p->ran = status == EXIT_PASS;
    if (p->ran)
        policies_judge(p);
    return status;
}

int policies_play(const replay_options *replay, const kernel_family *f, const family_options *how, const char *name, unsigned policy,
                  table *t, policy_outcome *p)
{
    family_options watched = *how;
    policy_run r;
    const block *plays = policies_block(policy, r.setting);
    int status;

    watched.pace = &p->pace;
    prepare(&r, replay, name, policies_names[policy]);
    r.replay.blocks[0] = plays;
    r.replay.blocks[1] = NULL;
    r.replay.tracks[0] = "done_o";
    r.replay.num_tracks = 1;
    r.replay.max_cycles = watched_for(replay, policy);
    status = replay_family(&r.replay, f->paths, f->num_paths, &watched, r.name, t, &p->result);
    p->ran = status == EXIT_PASS;
    if (p->ran)
        policies_judge(p);
    return status;
}

/* About as many SM cycles for every size of chip. */
static uint64_t chip_epochs(unsigned num_sms)
{
    const unsigned epochs = CHIP_EPOCHS * 16 / num_sms;

    return epochs > CHIP_EPOCHS ? CHIP_EPOCHS : epochs < 4 ? 4 : epochs;
}

static int run_chip(const replay_options *replay, const kernel_family *f, unsigned mode, table *t, session_result *result)
{
    const chip_options chip = {.skew = CHIP_SKEW, .family = true, .launch = f->launch, .max_laps = MAX_LAPS};
    policy_run r;

    snprintf(r.setting, sizeof r.setting, "chip_governor.mode=%s", mode == BALLAST_VF_ENERGY ? "ENERGY" : "PERFORMANCE");
    prepare(&r, replay, f->name, policies_modes[mode]);
    replay_options_chip(&r.replay);
    for (unsigned d = 0; d < 2; d++)
        r.replay.tracks[d] = level_outputs[d];
    r.replay.num_tracks = 2;
    r.replay.max_cycles = replay_at_most(replay, chip_epochs(replay_num_sms(&r.replay)) * EPOCH);
    return replay_chip(&r.replay, f->paths, f->num_paths, &chip, r.name, t, result);
}

int policies_measure(policies_kernel *kernel, const replay_options *replay, const kernel_family *f, table *t)
{
    trace_err err = {.text = ""};
    session_options session;

    snprintf(kernel->name, sizeof kernel->name, "%s", f->name);
    snprintf(kernel->words, sizeof kernel->words, "%s", f->words);
    kernel->warps = f->warps;
    if (breakdown_measure(&kernel->breakdown, f->paths, f->num_paths, 0, f->launch, &err) &&
        replay_oracle_measure(&kernel->schedule, &kernel->breakdown, f->paths, f->num_paths, 0, f->launch, &err)) {
        kernel->sweep = sweep_of(&kernel->breakdown);
        return EXIT_PASS;
    }
    replay_session_options(replay, 0, NULL, &session);
    table_unplayed(t, f->name, "family", &session, err.text);
    return complain("%s", err.text);
}

int policies_replay(policies_kernel *kernel, unsigned which, const replay_options *replay, const kernel_family *f, unsigned max_laps,
                    table *t)
{
    const unsigned mode = which - BALLAST_POLICIES;
    int status;

    if (which < BALLAST_POLICIES)
        return policies_play(replay, f, &(family_options){.launch = f->launch, .max_laps = max_laps}, f->name, which, t,
                             &kernel->policy[which]);
    status = run_chip(replay, f, mode, t, &kernel->chip[mode]);
    kernel->chip_ran[mode] = status == EXIT_PASS;
    return status;
}

void policies_regret(policies_kernel *kernel)
{
    for (unsigned p = 0; p < BALLAST_POLICIES; p++)
        if (kernel->policy[p].ran)
            regret_of(&kernel->policy[p].regret, &kernel->schedule, &kernel->policy[p].pace, kernel->sweep.optimum);
}

session_result *policies_result(policies_kernel *kernel, unsigned which)
{
    return which < BALLAST_POLICIES ? &kernel->policy[which].result : &kernel->chip[which - BALLAST_POLICIES];
}

/* ---- the table -------------------------------------------------------------------- */

enum { WIDTH = 25 }; /* of a policy's column */

void policies_print_header(FILE *f)
{
    fprintf(f, "%-22s %4s %4s  %-7s", "kernel", "Nmax", "best", "model");
    for (unsigned p = 0; p < BALLAST_POLICIES; p++)
        fprintf(f, "  %-*s", WIDTH, policies_names[p]);
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
    for (unsigned p = 0; p < BALLAST_POLICIES; p++) {
        const policy_outcome *o = &kernel->policy[p];
        char cell[96] = "-", when[POLICIES_WHEN];

        if (o->ran)
            snprintf(cell, sizeof cell, "%u %4.0f%% %s", o->chosen, sweep_speed(&kernel->sweep, o->chosen), policies_when(o, when));
        fprintf(f, "  %-*s", WIDTH, cell);
    }
    fprintf(f, "\n");
}

void policies_csv_header(FILE *f)
{
    fprintf(f, "kernel,nmax,best,model_limit");
    for (unsigned p = 0; p < BALLAST_POLICIES; p++)
        fprintf(f, ",%s_limit,%s_percent,%s_settled,%s_cycle,%s_pass", policies_names[p], policies_names[p], policies_names[p],
                policies_names[p], policies_names[p]);
    fprintf(f, "\n");
}

void policies_csv(FILE *f, const policies_kernel *kernel)
{
    csv_put(f, kernel->name);
    fprintf(f, ",%u,%u,%u", kernel->sweep.nmax, kernel->sweep.optimum,
            kernel->has_oracle ? kernel->oracle.prediction.best_limit : 0);
    for (unsigned p = 0; p < BALLAST_POLICIES; p++) {
        const policy_outcome *o = &kernel->policy[p];

        fprintf(f, ",%u,%.1f,%d,%" PRIu64 ",%u", o->chosen, sweep_speed(&kernel->sweep, o->chosen), o->settled, o->decided, o->pass);
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

bool policies_save_tracks(const policies_kernel *kernel, const char *dir)
{
    char path[4300];
    bool ok = true;

    for (unsigned p = 0; p < BALLAST_POLICIES; p++) {
        const session_result *r = &kernel->policy[p].result;

        snprintf(path, sizeof path, "%s/%s.%s.dat", dir, kernel->name, policies_names[p]);
        ok &= write_track(path, session_limit_track(r), r->cycles, r->limit);
    }
    for (unsigned i = 0; i < 4; i++) {
        const unsigned mode = i / 2, domain = i % 2;
        const session_track *track = track_of(&kernel->chip[mode], level_outputs[domain]);

        snprintf(path, sizeof path, "%s/%s.%s.%s.dat", dir, kernel->name, policies_modes[mode], domain ? "mem" : "sm");
        ok &= write_track(path, track, kernel->chip[mode].cycles, last_change(track).value);
    }
    return ok;
}
