/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/compare_runs.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "diff/decision_logs.h"
#include "diff/json_results.h"
#include "diff/result_table.h"
#include "diff/whole_file.h"

#define RUN_REMEDY "'make run' writes it anew"

/* ---- the tables of a run -------------------------------------------------------------------- */

static const result_form kernels = {DIFF_RUN, "kernels.csv", {{"kernel", ""}}, "words", {0}, RUN_REMEDY};
static const result_form policies = {DIFF_CHOICE, "policies.csv", {{"kernel", ""}}, "best", {0}, RUN_REMEDY};
/* What the policies chose is in policies.csv. */
static const result_form models = {DIFF_PREDICTION, "model.csv", {{"kernel", ""}, {"limit", "limit "}}, "model_ipc",
                                   {"static", "perfsat", "lcs", "equalizer", "dyncta", "scout"}, RUN_REMEDY};
static const result_form always[] = {
    {DIFF_VERDICT, "verdicts.csv", {{"recording", ""}, {"mode", ""}, {"sm", "SM "}}, "verdict", {0}, RUN_REMEDY},
    {DIFF_REPLAY, "runs.csv", {{"kernel", ""}, {"run", ""}}, "last_limit", {0}, RUN_REMEDY},
    {DIFF_REGRET, "regret.csv", {{"kernel", ""}, {"policy", ""}}, "cost", {0}, RUN_REMEDY},
    {DIFF_STALL, "stalls.csv", {{"kernel", ""}, {"limit", "limit "}}, "cycles", {0}, RUN_REMEDY}};

enum { ALWAYS = sizeof always / sizeof *always };

/* One that need not be there has no rows then. */
static bool read_table(result_table *t, const char *folder, const result_form *form, bool needed, trace_err *err)
{
    char path[DIFF_PATH];

    snprintf(path, sizeof path, "%s/%s", folder, form->file);
    *t = (result_table){.form = form};
    return (!needed && !diff_there(path)) || result_read(t, form, path, err);
}

typedef struct two_tables {
    result_table before, after;
} two_tables;

static bool read_both(two_tables *t, const char *before, bool needed_before, const char *after, bool needed_after, const result_form *form,
                      trace_err *err)
{
    *t = (two_tables){.before = {.form = form}};
    return read_table(&t->before, before, form, needed_before, err) && read_table(&t->after, after, form, needed_after, err);
}

static void free_both(two_tables *t)
{
    result_free(&t->before);
    result_free(&t->after);
}

static bool compare_tables(const char *before, bool needed_before, const char *after, bool needed_after, const result_form *form,
                           changes *c, trace_err *err)
{
    two_tables t;
    const bool ok = read_both(&t, before, needed_before, after, needed_after, form, err);

    if (ok)
        result_compare(&t.before, &t.after, c);
    free_both(&t);
    return ok;
}

/* A run without kernels has no policies.csv. */
static bool compare_kernels(const char *before, const char *after, changes *c, trace_err *err)
{
    two_tables t;
    const bool ok = read_both(&t, before, true, after, true, &kernels, err);
    const bool some_before = t.before.num > 0, some_after = t.after.num > 0;

    if (ok)
        result_compare(&t.before, &t.after, c);
    free_both(&t);
    return ok && compare_tables(before, some_before, after, some_after, &policies, c, err);
}

static bool compare_run_tables(const char *before, const char *after, changes *c, trace_err *err)
{
    bool ok = compare_kernels(before, after, c, err);

    for (unsigned i = 0; ok && i < ALWAYS; i++)
        ok = compare_tables(before, true, after, true, &always[i], c, err);
    return ok && compare_tables(before, false, after, false, &models, c, err);
}

/* ---- run.json --------------------------------------------------------------------------------- */

/* A result that is being moved to its place, or was when its command was killed, is a part of the old one and of the new one. */
static bool is_whole(const char *folder, trace_err *err)
{
    char path[DIFF_PATH];

    snprintf(path, sizeof path, "%s/unfinished/.files", folder);
    if (!diff_there(path))
        return true;
    snprintf(err->text, sizeof err->text, "%.200s: its run is not moved to its place yet; 'ballast report --out %.200s' completes it", folder,
             folder);
    return false;
}

cJSON *stored_run_read(stored_run *run, trace_err *err)
{
    char path[DIFF_PATH];
    cJSON *json;

    snprintf(path, sizeof path, "%s/run.json", run->run);
    if (!is_whole(run->run, err))
        return NULL;
    if (!diff_there(path)) {
        diff_fail(err, path, 0, "there is no finished run", "name a folder that 'make run' or 'ballast run --out' wrote");
        return NULL;
    }
    json = json_read(path, RUN_REMEDY, err);
    snprintf(run->finished, sizeof run->finished, "%s", json_text(json, "finished"));
    snprintf(run->commit, sizeof run->commit, "%s", json_text(json, "commit"));
    return json;
}

/* When it finished, how long it took, and of which sources it is, is no result: the heading says it. */
static bool compare_heads(stored_run *before, stored_run *after, changes *c, trace_err *err)
{
    static const char *const left_out[] = {"finished", "seconds", "commit", "sources", NULL};
    cJSON *old = stored_run_read(before, err), *new = old ? stored_run_read(after, err) : NULL;

    if (old && new)
        json_compare(old, new, DIFF_RUN, "run.json", left_out, c);
    cJSON_Delete(old);
    cJSON_Delete(new);
    return old && new;
}

/* ---- what lies beside a run --------------------------------------------------------------------- */

static const result_form area = {DIFF_AREA, "area/area.csv", {{"config", ""}, {"block", ""}}, "ge", {0}, "'make area' writes it anew"};
/* How long a proof took is no result of it. */
static const result_form netlists = {DIFF_NETLIST, NULL, {{"netlist", ""}}, "lockstep", {"proof_seconds"}, "'make gates' writes it anew"};

static bool read_proofs(const char *build, result_table *t, cJSON **status, trace_err *err)
{
    char path[DIFF_PATH];

    snprintf(path, sizeof path, "%s/%s", build, json_proofs.file);
    *t = (result_table){.form = &json_proofs};
    *status = NULL;
    if (!diff_there(path))
        return true;
    *status = json_read(path, json_proofs.remedy, err);
    return *status && json_read_proofs(t, *status, path, err);
}

/* Their tool and configuration, too. */
static bool compare_proofs(const char *before, const char *after, changes *c, trace_err *err)
{
    two_tables t = {.before = {.num = 0}};
    static const char *const left_out[] = {"blocks", "finished", "commit", "sources", NULL};
    cJSON *old = NULL, *new = NULL;
    const bool ok = read_proofs(before, &t.before, &old, err) && read_proofs(after, &t.after, &new, err);

    if (ok && old && new)
        json_compare(old, new, DIFF_PROOF, json_proofs.file, left_out, c);
    if (ok)
        result_compare(&t.before, &t.after, c);
    cJSON_Delete(old);
    cJSON_Delete(new);
    free_both(&t);
    return ok;
}

/* Of one configuration; `file` is its path within a build. */
static bool compare_gates(const char *before, const char *after, const char *file, changes *c, trace_err *err)
{
    result_form form = netlists;

    form.file = file;
    return compare_tables(before, false, after, false, &form, c, err);
}

static bool is_in(const char *build, const char *file)
{
    char path[DIFF_PATH];

    snprintf(path, sizeof path, "%s/%s", build, file);
    return diff_there(path);
}

static bool compare_config(const char *config, const char *build, const char *but_of, const char *before, const char *after, changes *c,
                           trace_err *err)
{
    char file[NAME_MAX + 32];

    snprintf(file, sizeof file, "gates/%s/gates.csv", config);
    if (config[0] == '.' || !is_in(build, file) || (but_of && is_in(but_of, file)))
        return true;
    return compare_gates(before, after, file, c, err);
}

/* The configurations that `build` has, or those of them that `but_of` has not. */
static bool compare_configs(const char *build, const char *but_of, const char *before, const char *after, changes *c, trace_err *err)
{
    char path[DIFF_PATH];
    struct dirent **config;
    int num;
    bool ok = true;

    snprintf(path, sizeof path, "%s/gates", build);
    if (!diff_there(path))
        return true;
    num = scandir(path, &config, NULL, alphasort);
    if (num < 0)
        return diff_fail(err, path, 0, strerror(errno), netlists.remedy);
    for (int i = 0; i < num; i++) {
        ok = ok && compare_config(config[i]->d_name, build, but_of, before, after, c, err);
        free(config[i]);
    }
    free(config);
    return ok;
}

static bool is_folder(const char *path, trace_err *err)
{
    struct stat info;

    errno = ENOTDIR;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return true;
    return diff_fail(err, path, 0, strerror(errno), "name the folder in which area, proofs and netlists left their results");
}

static bool compare_builds(const char *before, const char *after, changes *c, trace_err *err)
{
    return is_folder(before, err) && is_folder(after, err) && compare_tables(before, false, after, false, &area, c, err) &&
           compare_proofs(before, after, c, err) && compare_configs(before, NULL, before, after, c, err) &&
           compare_configs(after, before, before, after, c, err);
}

/* ---- all ----------------------------------------------------------------------------------------- */

bool compare_runs(stored_run *before, stored_run *after, changes *c, trace_err *err)
{
    const bool ok = compare_heads(before, after, c, err) && compare_run_tables(before->run, after->run, c, err) &&
                    decision_logs_compare(before->run, after->run, c, err) &&
                    (!before->build || !after->build || compare_builds(before->build, after->build, c, err));

    if (ok && c->no_memory)
        return diff_fail(err, before->run, 0, "out of memory", "free some memory");
    return ok;
}
