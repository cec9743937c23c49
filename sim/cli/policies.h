/* SPDX-License-Identifier: Apache-2.0
 *
 * The policies side by side on one kernel's family of recordings: the governor once per policy,
 * and the chip once per mode for the VF levels. What each policy chose, when, and what an
 * exhaustive search of the same recordings finds.
 */
#ifndef BALLAST_POLICIES_H
#define BALLAST_POLICIES_H

#include "cli/families.h"
#include "cli/replay.h"
#include "analytic/oracle.h"
#include "replay/breakdown.h"
#include "policy/models_family.h"
#include "replay/regret.h"
#include "replay/sweep.h"
#include "sm/sm_governor.h"

/* What one policy did. */
typedef struct policy_outcome {
    bool ran;
    session_result result;
    bool settled;     /* the limit did not change in the second half of the run, or it is done */
    unsigned chosen;  /* the last limit, or the one held longest in the second half            */
    uint64_t decided; /* cycle of the decision (done), or of the last change; 0 if not settled */
    unsigned pass;    /* in which pass over the kernel that is, from 1; 0: not known           */
    pace pace;
    regret regret; /* policies_regret */
} policy_outcome;

typedef struct policies_kernel {
    char name[128], words[MANIFEST_TEXT];
    unsigned warps; /* of the recorded SM */
    sweep sweep;
    breakdown breakdown;
    replay_oracle schedule; /* the best limit in each part of the launch */
    policy_outcome policy[BALLAST_POLICIES];
    session_result chip[2]; /* by enum ballast_vf_mode */
    bool chip_ran[2];
    bool has_oracle; /* there is a profile of the kernel, for the recorded SM */
    oracle oracle;   /* its prediction, and the choices of all policies */
} policies_kernel;

extern const char *const policies_names[BALLAST_POLICIES + 1]; /* NULL ends them */
extern const char *const policies_modes[3];            /* by enum ballast_vf_mode; NULL ends them */

/* What a policy that is built in plays: the search is a block of its own, the others are a setting of the governor. The setting, empty
 * without one, has room for POLICIES_SETTING bytes. */
enum { POLICIES_SETTING = 64 };
const struct block *policies_block(unsigned policy, char *setting);

/* The replays of a kernel: each policy, each mode of the chip. They and the measuring may go side by side, on a kernel that was
 * all 0 before. */
enum { POLICIES_REPLAYS = BALLAST_POLICIES + 2 };

/* The kernel's name, and what an exhaustive search of the recordings finds. The exit status; what cannot be measured has a row. */
int policies_measure(policies_kernel *kernel, const replay_options *replay, const kernel_family *f, table *t);
/* One of them: the exit status. */
int policies_replay(policies_kernel *kernel, unsigned which, const replay_options *replay, const kernel_family *f, unsigned max_laps,
                    table *t);
/* The family under one policy, played as `how` says; what it writes is OUT/NAME.<policy>.* The exit status. */
int policies_play(const replay_options *replay, const kernel_family *f, const family_options *how, const char *name, unsigned policy,
                  table *t, policy_outcome *p);
/* The same with the reference model alone, which takes every cycle only if it has to: nothing is compared or written. */
int policies_play_models(const replay_options *replay, const models_family *recorded, unsigned policy, bool each, policy_outcome *p);
/* What the run says of the policy. */
void policies_judge(policy_outcome *p);
/* "@1401915 pass 16": when it decided, and in which pass over the kernel if not in the first; "moving". */
enum { POLICIES_WHEN = 48 };
const char *policies_when(const policy_outcome *p, char when[POLICIES_WHEN]);
/* After all that: what each policy lost. */
void policies_regret(policies_kernel *kernel);
/* What one of them gave; free it with session_result_free, also after a failure. */
session_result *policies_result(policies_kernel *kernel, unsigned which);
/* After all: what the analytic models say. The exit status; a kernel without a profile is fine. */
int policies_predict(policies_kernel *kernel, const oracle_source *source);

/* The table, one line per kernel: to a stream, and as CSV (kernel, best limit, then per policy). */
void policies_print_header(FILE *f);
void policies_print(FILE *f, const policies_kernel *kernel);
void policies_csv_header(FILE *f);
void policies_csv(FILE *f, const policies_kernel *kernel);

/* DIR/<kernel>.<policy>.dat, and DIR/<kernel>.<mode>.{sm,mem}.dat of the VF levels: lines "cycle value". */
bool policies_save_tracks(const policies_kernel *kernel, const char *dir);

#endif
