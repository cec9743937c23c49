/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run_data.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/built_from.h"
#include "cli/say.h"
#include "recording/csv.h"
#include "recording/sha256.h"

FILE *run_data_open(char *path, const char *dir, const char *name)
{
    FILE *f;

    snprintf(path, RUN_DATA_PATH, "%s/%s", dir, name);
    f = fopen(path, "w");
    if (!f)
        complain("%s: cannot write (%m); choose another directory with --out", path);
    return f;
}

bool run_data_close(FILE *f, const char *path)
{
    const bool bad = ferror(f) != 0;

    if (fclose(f) == 0 && !bad)
        return true;
    return complain("%s: cannot write (%m)", path), false;
}

/* ---- kernel by kernel -------------------------------------------------------------- */

static void put_kernel(FILE *f, const policies_kernel *kernel)
{
    csv_put(f, kernel->name);
    putc(',', f);
    csv_put(f, kernel->words);
    fprintf(f, ",%u,%u\n", kernel->sweep.nmax, kernel->sweep.optimum);
}

static unsigned moves(const session_result *result)
{
    const session_track *limit = session_limit_track(result);

    return limit->num_points ? limit->num_points - 1 : 0;
}

static void put_run(FILE *f, const policies_kernel *kernel, const char *run, const char *scope, const session_result *result)
{
    char name[256];

    snprintf(name, sizeof name, "%s.%s.%s.model.jsonl", kernel->name, run, scope);
    csv_put(f, kernel->name);
    fprintf(f, ",%s,%s,%" PRIu64 ",%u,%d,%u,", run, scope, result->cycles, result->limit, result->converged, moves(result));
    csv_put(f, name);
    fprintf(f, "\n");
}

/* Those that passed; the others have a row among the verdicts that says why not. */
static void put_runs(FILE *f, const policies_kernel *kernel)
{
    for (unsigned p = 0; p < BALLAST_POLICIES; p++)
        if (kernel->policy[p].ran)
            put_run(f, kernel, policies_names[p], "sm0", &kernel->policy[p].result);
    for (unsigned mode = 0; mode < 2; mode++)
        if (kernel->chip_ran[mode])
            put_run(f, kernel, policies_modes[mode], "chip", &kernel->chip[mode]);
}

static void put_stalls(FILE *f, const policies_kernel *kernel)
{
    for (unsigned limit = 1; limit <= kernel->breakdown.nmax; limit++) {
        if (!kernel->breakdown.at[limit].cycles)
            continue;
        csv_put(f, kernel->name);
        fprintf(f, ",%u,%" PRIu64 ",%" PRIu64, limit, kernel->breakdown.at[limit].cycles,
                kernel->breakdown.at[limit].instructions);
        for (unsigned p = 0; p < BREAKDOWN_PARTS; p++)
            fprintf(f, ",%" PRIu64, kernel->breakdown.at[limit].part[p]);
        fprintf(f, "\n");
    }
}

/* The oracle costs what its limits cost, and loses nothing. */
static void put_costs(FILE *f, const policies_kernel *kernel)
{
    for (unsigned p = 0; p <= BALLAST_POLICIES && kernel->schedule.instructions; p++) {
        const regret *r = p ? &kernel->policy[p - 1].regret : NULL;

        if (r && !r->segments)
            continue;
        csv_put(f, kernel->name);
        fprintf(f, ",%s,%.1f,%.1f\n", r ? policies_names[p - 1] : "oracle", r ? r->percent : 0,
                r ? r->cost : replay_oracle_cost(&kernel->schedule, kernel->sweep.optimum));
    }
}

static bool write_oracle(const char *dir, const policies_kernel *kernel)
{
    const replay_oracle *o = &kernel->schedule;
    char path[RUN_DATA_PATH], name[256];
    FILE *f;

    snprintf(name, sizeof name, "%s.oracle.dat", kernel->name);
    f = run_data_open(path, dir, name);
    for (unsigned k = 0; f && k <= PACE_SEGMENTS; k++)
        fprintf(f, "%" PRIu64 " %u\n", o->dynamic[k], o->limit[k < PACE_SEGMENTS ? k + 1 : k]);
    return f && run_data_close(f, path);
}

bool run_data_regret(const char *dir, const char *kernel, const policy_outcome *policies, const char *const *names, unsigned num)
{
    char path[RUN_DATA_PATH], name[256];
    FILE *f;

    snprintf(name, sizeof name, "%s.regret.csv", kernel);
    f = run_data_open(path, dir, name);
    if (f)
        fputs("kernel,policy,cycle,regret\n", f);
    for (unsigned i = 0; f && i < num * REGRET_POINTS; i++) {
        const unsigned p = i / REGRET_POINTS, at = i % REGRET_POINTS;

        if (at >= policies[p].regret.num)
            continue;
        csv_put(f, kernel);
        putc(',', f);
        csv_put(f, names[p]);
        fprintf(f, ",%" PRIu64 ",%" PRId64 "\n", policies[p].regret.point[at].cycle, policies[p].regret.point[at].lost);
    }
    return f && run_data_close(f, path);
}

typedef void (*put_rows)(FILE *f, const policies_kernel *kernel);

static bool write_rows(const char *dir, const char *name, const char *header, put_rows put,
                       const policies_kernel *kernels, unsigned num)
{
    char path[RUN_DATA_PATH];
    FILE *f = run_data_open(path, dir, name);

    if (!f)
        return false;
    fprintf(f, "%s\n", header);
    for (unsigned k = 0; k < num; k++)
        if (kernels[k].sweep.nmax)
            put(f, &kernels[k]);
    return run_data_close(f, path);
}

bool run_data_kernels(const char *dir, const policies_kernel *kernels, unsigned num)
{
    char header[256];
    size_t used = (size_t)snprintf(header, sizeof header, "kernel,limit,cycles,instructions");

    for (unsigned p = 0; p < BREAKDOWN_PARTS && used < sizeof header; p++)
        used += (size_t)snprintf(header + used, sizeof header - used, ",%s", breakdown_names[p]);
    for (unsigned k = 0; k < num; k++)
        if (!policies_save_tracks(&kernels[k], dir))
            return complain("%s/%s.*.dat: cannot write (%m)", dir, kernels[k].name), false;
    for (unsigned k = 0; k < num; k++)
        if (!run_data_regret(dir, kernels[k].name, kernels[k].policy, policies_names, BALLAST_POLICIES) || !write_oracle(dir, &kernels[k]))
            return false;
    return write_rows(dir, "kernels.csv", "kernel,words,nmax,best", put_kernel, kernels, num) &&
           write_rows(dir, "runs.csv", "kernel,run,scope,cycles,last_limit,converged,moves,decisions", put_runs, kernels, num) &&
           write_rows(dir, "regret.csv", "kernel,policy,regret,cost", put_costs, kernels, num) &&
           write_rows(dir, "stalls.csv", header, put_stalls, kernels, num);
}

/* ---- the run ----------------------------------------------------------------------- */

bool run_data_recordings(const char *dir, const manifest *m)
{
    char path[RUN_DATA_PATH], digest[SHA256_TEXT];
    FILE *f = run_data_open(path, dir, "recordings.csv");

    if (f)
        fputs("recording,sha256\n", f);
    for (unsigned i = 0; f && i < m->num; i++) {
        csv_put(f, m->entries[i].path);
        fprintf(f, ",%s\n", sha256_file(m->entries[i].path, digest) ? digest : "");
    }
    return f && run_data_close(f, path);
}

bool run_data_end(const char *dir, const char *manifest_path, double seconds)
{
    const block *chip = block_find("chip_governor");
    const time_t now = time(NULL);
    cJSON *run = cJSON_CreateObject();
    char path[RUN_DATA_PATH], when[32] = "", *text;
    struct tm utc;
    FILE *f;

    if (gmtime_r(&now, &utc))
        strftime(when, sizeof when, "%Y-%m-%d %H:%M UTC", &utc);
    cJSON_AddStringToObject(run, "finished", when);
    cJSON_AddStringToObject(run, "manifest", manifest_path);
    cJSON_AddStringToObject(run, "chip", chip ? chip->params : "");
    cJSON_AddNumberToObject(run, "seconds", (double)(uint64_t)(10 * seconds) / 10);
    cJSON_AddStringToObject(run, "commit", built_from_commit);
    cJSON_AddStringToObject(run, "sources", built_from_sources);
    text = cJSON_Print(run);
    f = text ? run_data_open(path, dir, "run.json") : NULL;
    if (f)
        fprintf(f, "%s\n", text);
    cJSON_Delete(run);
    free(text);
    return f && run_data_close(f, path);
}
