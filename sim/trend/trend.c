/* SPDX-License-Identifier: Apache-2.0 */
#include "trend/trend.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff/compare_runs.h"
#include "diff/json_results.h"
#include "diff/whole_file.h"

#define REMEDY "'make run' writes it anew"

static const result_form verdicts = {DIFF_VERDICT, "verdicts.csv", {{"verdict", ""}, {"cycles", ""}}, "verdict", {0}, REMEDY};
static const result_form costs = {DIFF_REGRET, "regret.csv", {{"policy", ""}, {"cost", ""}}, "cost", {0}, REMEDY};
static const result_form evidence = {DIFF_RUN, "evidence.csv", {{"item", ""}, {"got", ""}, {"of", ""}, {"state", ""}}, "item", {0}, "'make report' writes it anew"};

const char *const trend_names[TREND_FIGURES] = {"equal", "proofs", "mutants", "coverage", "area"};
/* Of evidence.csv; what is equal is counted in verdicts.csv. */
static const char *const items[TREND_FIGURES] = {[TREND_PROOFS] = "proofs", [TREND_MUTANTS] = "mutation", [TREND_COVERAGE] = "coverage", [TREND_AREA] = "area_ge"};

/* ---- the files of a run ------------------------------------------------------------------ */

typedef bool (*take_row)(trend *t, trend_run *run, const char *const *field, const char *path, trace_err *err);

/* Row by row, the fields of the form's key. One that need not be there has no rows then. */
static bool read_rows(trend *t, trend_run *run, const result_form *form, bool needed, take_row take, trace_err *err)
{
    char path[DIFF_PATH];
    const char *field[RESULT_KEYS];
    result_table table = {.form = form};
    bool ok = true;

    snprintf(path, sizeof path, "%s/%s", run->path, form->file);
    if (!needed && !diff_there(path))
        return true;
    ok = result_read(&table, form, path, err);
    for (unsigned r = 0; ok && r < table.num; r++) {
        for (unsigned k = 0; k < RESULT_KEYS; k++)
            field[k] = form->key[k].column ? table.row[r].field[result_column(&table, form->key[k].column)] : "";
        ok = take(t, run, field, path, err);
    }
    result_free(&table);
    return ok;
}

static bool count_of(const char *text, uint64_t *value)
{
    char *end;

    errno = 0;
    *value = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && !errno;
}

/* speed has the sum of cycles meanwhile. */
static bool take_verdict(trend *t, trend_run *run, const char *const *field, const char *path, trace_err *err)
{
    trend_count *equal = &run->count[TREND_EQUAL];
    uint64_t cycles;

    (void)t;
    if (!count_of(field[1], &cycles))
        return diff_fail(err, path, 0, "cycles that are no number", REMEDY);
    equal->there = true;
    equal->of++;
    equal->got += !strcmp(field[0], "pass");
    run->speed += (double)cycles;
    return true;
}

/* The index of a policy, which is added if it is new; TREND_POLICIES: there are too many. */
static unsigned policy_of(trend *t, const char *name)
{
    unsigned p = 0;

    while (p < t->policies && strcmp(t->policy[p], name) != 0)
        p++;
    if (p == t->policies && p < TREND_POLICIES)
        snprintf(t->policy[t->policies++], TREND_NAME, "%s", name);
    return p;
}

/* mean has the sum meanwhile. */
static bool take_cost(trend *t, trend_run *run, const char *const *field, const char *path, trace_err *err)
{
    char *end;
    const double cost = strtod(field[1], &end);
    const unsigned p = policy_of(t, field[0]);
    trend_cost *c = &run->cost[p < TREND_POLICIES ? p : 0];

    if (!*field[1])
        return true; /* it is not known */
    if (*end || !isfinite(cost))
        return diff_fail(err, path, 0, "a cost that is no number", REMEDY);
    if (p == TREND_POLICIES)
        return diff_fail(err, path, 0, "more policies than a table has room for", REMEDY);
    c->worst = c->there ? fmax(c->worst, cost) : cost;
    c->there = true;
    c->mean += cost;
    c->kernels++;
    return true;
}

static bool take_evidence(trend *t, trend_run *run, const char *const *field, const char *path, trace_err *err)
{
    (void)t;
    for (unsigned i = 0; i < TREND_FIGURES; i++) {
        trend_count *count = &run->count[i];

        if (!items[i] || strcmp(items[i], field[0]) != 0 || !*field[1])
            continue;
        if (!count_of(field[1], &count->got) || !count_of(field[2], &count->of))
            return diff_fail(err, path, 0, "counts that are no numbers", evidence.remedy);
        count->there = true;
        count->other = strcmp(field[3], "current") != 0;
    }
    return true;
}

static bool read_head(trend_run *run, double *seconds, trace_err *err)
{
    stored_run stored = {.run = run->path};
    cJSON *json = stored_run_read(&stored, err);
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, "seconds");

    *seconds = cJSON_IsNumber(item) ? item->valuedouble : 0;
    snprintf(run->finished, sizeof run->finished, "%s", stored.finished);
    snprintf(run->commit, sizeof run->commit, "%s", stored.commit);
    cJSON_Delete(json);
    return json != NULL;
}

static bool read_run(trend *t, trend_run *run, trace_err *err)
{
    double seconds;
    const bool ok = read_head(run, &seconds, err) && read_rows(t, run, &verdicts, true, take_verdict, err) &&
                    read_rows(t, run, &costs, true, take_cost, err) && read_rows(t, run, &evidence, false, take_evidence, err);

    run->speed = seconds > 0 ? 1e-6 * run->speed / seconds : 0;
    for (unsigned p = 0; p < TREND_POLICIES; p++)
        if (run->cost[p].kernels)
            run->cost[p].mean /= run->cost[p].kernels;
    return ok;
}

/* ---- all of them --------------------------------------------------------------------------- */

static bool is_run(const char *path)
{
    char file[TREND_PATH + 32];

    snprintf(file, sizeof file, "%s/run.json", path);
    return diff_there(file);
}

static bool add_run(trend *t, const char *path, trace_err *err)
{
    trend_run *more = t->num < TREND_RUNS ? realloc(t->run, (t->num + 1) * sizeof *more) : NULL;

    if (!more)
        return diff_fail(err, path, 0, "more runs than a table has room for", "name fewer");
    t->run = more;
    more += t->num++;
    *more = (trend_run){.speed = 0};
    snprintf(more->path, sizeof more->path, "%s", path);
    return read_run(t, more, err);
}

/* The runs in a folder of runs. */
static bool add_folder(trend *t, const char *path, trace_err *err)
{
    const unsigned before = t->num;
    char inside[TREND_PATH];
    struct dirent **entry;
    const int num = scandir(path, &entry, NULL, alphasort);
    bool ok = true;

    if (num < 0)
        return diff_fail(err, path, 0, strerror(errno), "name runs that 'make run' or 'ballast run --out' wrote, or a folder of such");
    for (int i = 0; i < num; i++) {
        snprintf(inside, sizeof inside, "%.3000s/%s", path, entry[i]->d_name);
        if (entry[i]->d_name[0] != '.' && is_run(inside))
            ok = ok && add_run(t, inside, err);
        free(entry[i]);
    }
    free(entry);
    if (ok && t->num == before)
        return diff_fail(err, path, 0, "there is no finished run, nor one in a folder of it", "name runs that 'make run' or 'ballast run --out' wrote");
    return ok;
}

bool trend_add(trend *t, const char *path, trace_err *err)
{
    return is_run(path) ? add_run(t, path, err) : add_folder(t, path, err);
}

/* Dates are written so that their texts are in their order. */
static int by_date(const void *a, const void *b)
{
    const trend_run *left = a, *right = b;
    const int order = strcmp(left->finished, right->finished);

    return order ? order : strcmp(left->path, right->path);
}

void trend_sort(trend *t)
{
    if (t->num)
        qsort(t->run, t->num, sizeof *t->run, by_date);
}

void trend_free(trend *t)
{
    free(t->run);
    *t = (trend){.num = 0};
}
