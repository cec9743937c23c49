/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/family_policies.h"

#include <inttypes.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/family_models.h"
#include "cli/policies.h"
#include "cli/run_data.h"
#include "cli/say.h"
#include "policy/own_replay.h"
#include "recording/csv.h"

/* ---- a policy in a file --------------------------------------------------------------- */

/* As large as the governor of this build, which must have room for the recorded SM. */
static bool fits(sm_governor_cfg *cfg, const family *f, const char *path)
{
    const trace_geometry *g = &family_meta(f)->geometry;
    const block *governor = block_find("sm_governor");
    char bad[64];

    governor->model->configure(cfg, governor->params, bad, sizeof bad);
    if (g->warps <= cfg->num_warps && g->slots <= cfg->num_slots)
        return true;
    complain("%s: the recording has %u warps and %u CTA slots per SM, this build %u and %u; build for it, e.g. make run CONFIG=hopper", path,
             g->warps, g->slots, (unsigned)cfg->num_warps, (unsigned)cfg->num_slots);
    return false;
}

static int play_own(const family_play *play, family *f, const own_policy *policy, const char *log_prefix, session_result *result)
{
    own_replay_options options = {.policy = policy, .number = play->how.sm, .max_cycles = play->replay->max_cycles, .log_prefix = log_prefix};
    const stimulus s = family_stimulus(f);

    memset(result, 0, sizeof *result);
    if (!fits(&options.sm, f, play->paths[0]))
        return EXIT_BAD_INPUT;
    own_replay(&options, &s, result);
    print_failure(&(session_options){.blocks = NULL}, result);
    return replay_exit_status(result->verdict);
}

/* The same row as of a replay, without a verdict: nothing is compared. */
static void print_own(const family_play *play, const own_policy *policy, const family *f, const session_result *r)
{
    if (r->log)
        fputs(r->log, stdout);
    printf("%s under %s, SM %u: %" PRIu64 " cycles, %u passes over the kernel, %llu changes of recording, limit %u, %s\n", play->name,
           policy->label, play->how.sm, r->cycles, family_laps(f), (unsigned long long)family_moves(f), r->limit,
           r->converged ? "decided" : "not decided; allow more with --max-laps");
}

int family_own(const family_play *play, const own_policy *policy)
{
    trace_err err = {.text = ""};
    family *f = family_open(play->paths, play->num_paths, &play->how, &err);
    session_result result;
    char prefix[4096];
    int status;

    if (!f)
        return complain("%s", err.text);
    snprintf(prefix, sizeof prefix, "%s/%s.sm%u", play->replay->out, play->name, play->how.sm);
    status = play_own(play, f, policy, play->replay->print_log ? prefix : NULL, &result);
    if (status == EXIT_PASS) {
        print_own(play, policy, f, &result);
        replay_print_sweep(play->paths, play->num_paths, &play->how);
    }
    session_result_free(&result);
    family_close(f);
    return status;
}

/* ---- a table -------------------------------------------------------------------------- */

typedef struct family_rows {
    const family_play *play;
    policy_outcome outcome[POLICY_CHOICES];
    sweep sweep;
    replay_oracle schedule;
    family_models models; /* open with play->models */
} family_rows;

static int run_own(const family_rows *rows, const own_policy *policy, policy_outcome *p)
{
    trace_err err = {.text = ""};
    family_options how = rows->play->how;
    family *f;
    int status;

    how.pace = &p->pace;
    f = family_open(rows->play->paths, rows->play->num_paths, &how, &err);
    if (!f)
        return complain("%s", err.text);
    status = play_own(rows->play, f, policy, NULL, &p->result);
    family_close(f);
    p->ran = status == EXIT_PASS;
    if (p->ran)
        policies_judge(p);
    return status;
}

static int run_choice(const family_rows *rows, const policy_choice *choice, policy_outcome *p)
{
    const family_play *play = rows->play;
    table silent = {.silent = true};

    if (choice->file)
        return run_own(rows, &choice->own, p);
    if (play->models)
        return policies_play_models(play->replay, rows->models.models, choice->policy, false, p);
    return policies_play(play->replay, &(kernel_family){.paths = play->paths, .num_paths = play->num_paths}, &play->how, play->name,
                         choice->policy, &silent, p);
}

static void print_row(const family_rows *rows, const char *label, const policy_outcome *p)
{
    const double speed = sweep_speed(&rows->sweep, p->chosen);
    char when[POLICIES_WHEN], cost[32] = "-", lost[32] = "-";

    if (speed > 0)
        snprintf(cost, sizeof cost, "%.1f %%", 100 * (100 / speed - 1));
    if (p->regret.segments)
        snprintf(lost, sizeof lost, "%.1f %%", p->regret.percent);
    printf("%-24s %5u %10s %18s %12" PRIu64 " %10s\n", label, p->chosen, cost, policies_when(p, when), p->result.cycles, lost);
}

static void print_table(const family_rows *rows, const policy_choices *choices)
{
    printf("%s, SM %u: limits 1 to %u, the fewest CTAs that no higher limit beats by 2 %%: %u (PS-E4)\n", rows->play->name, rows->play->how.sm,
           rows->sweep.nmax, rows->sweep.optimum);
    printf("the best limit in each of %d parts of the launch: %u phases, cycles over those of limit %u %.1f %%\n", (int)PACE_SEGMENTS,
           rows->schedule.phases, rows->sweep.optimum, replay_oracle_cost(&rows->schedule, rows->sweep.optimum));
    printf("%-24s %5s %10s %18s %12s %10s\n", "policy", "limit", "cost", "settled", "cycles", "regret");
    for (unsigned i = 0; i < choices->num; i++)
        print_row(rows, choices->choice[i].label, &rows->outcome[i]);
}

static void print_csv(const family_rows *rows, const policy_choices *choices)
{
    printf("kernel,launch,sm,policy,limit,cost_percent,settled,settled_cycle,settled_pass,cycles,regret_percent,first_launch_percent,nmax,best_limit\n");
    for (unsigned i = 0; i < choices->num; i++) {
        const policy_outcome *p = &rows->outcome[i];
        const double speed = sweep_speed(&rows->sweep, p->chosen);

        csv_put(stdout, rows->play->name);
        printf(",%u,%u,", rows->play->how.launch + 1, rows->play->how.sm);
        csv_put(stdout, choices->choice[i].label);
        printf(",%u,", p->chosen);
        if (speed > 0)
            printf("%.4f", 100 * (100 / speed - 1));
        printf(",%d,%" PRIu64 ",%u,%" PRIu64 ",", p->settled, p->decided, p->pass, p->result.cycles);
        if (p->regret.segments)
            printf("%.4f,%.4f", p->regret.percent, p->regret.cost);
        else
            printf(",");
        printf(",%u,%u\n", rows->sweep.nmax, rows->sweep.optimum);
    }
}

/* What every policy lost, in the table and as data. */
static int tell(family_rows *rows, const policy_choices *choices)
{
    const char *names[POLICY_CHOICES];

    for (unsigned i = 0; i < choices->num; i++) {
        names[i] = choices->choice[i].label;
        regret_of(&rows->outcome[i].regret, &rows->schedule, &rows->outcome[i].pace, rows->sweep.optimum);
    }
    if (rows->play->csv)
        print_csv(rows, choices);
    else
        print_table(rows, choices);
    return run_data_regret(rows->play->replay->out, rows->play->name, rows->outcome, names, choices->num) ? EXIT_PASS : EXIT_BAD_INPUT;
}

/* What an exhaustive search of the recordings finds. */
static bool search(family_rows *rows)
{
    const family_play *play = rows->play;
    trace_err err = {.text = ""};
    breakdown b;

    if (play->models) {
        if (!family_models_open(&rows->models, play))
            return false;
        family_models_search(&rows->models, &b, &rows->schedule);
    } else if (!breakdown_measure(&b, play->paths, play->num_paths, play->how.sm, play->how.launch, &err) ||
               !replay_oracle_measure(&rows->schedule, &b, play->paths, play->num_paths, play->how.sm, play->how.launch, &err)) {
        complain("%s", err.text);
        return false;
    }
    rows->sweep = sweep_of(&b);
    return true;
}

static void print_log(const family_rows *rows, const policy_choices *choices)
{
    for (unsigned i = 0; rows->play->replay->print_log && i < choices->num; i++)
        if (rows->outcome[i].result.log)
            fputs(rows->outcome[i].result.log, stdout);
}

int family_policies(const family_play *play, policy_choices *choices)
{
    static family_rows rows;
    int status;

    rows.play = play;
    status = search(&rows) ? EXIT_PASS : EXIT_BAD_INPUT;
    for (unsigned i = 0; i < choices->num && status == EXIT_PASS; i++)
        status = run_choice(&rows, &choices->choice[i], &rows.outcome[i]);
    if (status == EXIT_PASS) {
        print_log(&rows, choices);
        status = tell(&rows, choices);
    }
    if (status == EXIT_PASS && play->models)
        family_models_tell_proof(choices, play->csv);
    for (unsigned i = 0; i < choices->num; i++)
        session_result_free(&rows.outcome[i].result);
    family_models_close(&rows.models);
    return status;
}
