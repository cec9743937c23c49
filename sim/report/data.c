/* SPDX-License-Identifier: Apache-2.0 */
#include "report/data.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/regular_file.h"
#include "recording/csv.h"

enum { PATH_SIZE = 4300, MAX_ROWS = 100000 };

const data_name data_names[DATA_RUNS] = {
    {"static", "Static", false, NULL, "sm_governor"},
    {"perfsat", "Perf-Sat", false, "perfsat", "perfsat"},
    {"lcs", "LCS", false, "lcs", "lcs"},
    {"equalizer", "Equalizer", false, "sm_governor", "eq_decision"},
    {"dyncta", "DYNCTA", false, "dyncta", "dyncta"},
    {"scout", "Scout", false, "scout", "scout"},
    {"performance", "Chip, performance mode", true, "chip_governor", "chip_governor"},
    {"energy", "Chip, energy mode", true, NULL, "chip_governor"}};

static void file_path(char *path, const report_data *d, const char *name)
{
    snprintf(path, PATH_SIZE, "%s/%s", d->dir, name);
}

bool data_fail(trace_err *err, const char *path, unsigned line, const char *what)
{
    char where[32] = "";

    if (line)
        snprintf(where, sizeof where, " line %u:", line);
    snprintf(err->text, sizeof err->text, "%s:%s %s; 'make run' writes it anew", path, where, what);
    return false;
}

/* ---- rows -------------------------------------------------------------------------- */

void *data_grow(void *rows, unsigned num, size_t size)
{
    char *more = num % 64 ? rows : realloc(rows, (num + 64) * size);

    if (more)
        memset(more + num * size, 0, size);
    return more;
}

static bool number(const csv *c, unsigned column, uint64_t *value, trace_err *err)
{
    return csv_number(c, column, INT64_MAX, value, err);
}

/* `empty`: for a field without text. */
static bool real(const csv *c, unsigned column, double empty, double *value, trace_err *err)
{
    const char *text = csv_text(c, column);
    char *end;

    *value = empty;
    if (!*text)
        return true;
    *value = strtod(text, &end);
    if (*end || !isfinite(*value))
        return csv_fail(c, err, "column %s is \"%.40s\", not a number", c->columns[column], text);
    return true;
}

#define COPY(to, c, column) snprintf((to), sizeof(to), "%s", csv_text((c), (column)))

typedef bool (*take_row)(report_data *d, const csv *c, trace_err *err);

static bool read_rows(report_data *d, const char *name, const char *const *columns, unsigned needed, unsigned num, take_row take, trace_err *err)
{
    char path[PATH_SIZE];
    bool ok = true;
    csv c;

    file_path(path, d, name);
    err->text[0] = '\0';
    if (access(path, R_OK) != 0)
        return data_fail(err, path, 0, strerror(errno));
    if (!csv_open(&c, path, columns, needed, num, err))
        return false;
    while (ok && csv_row(&c, err))
        ok = take(d, &c, err);
    csv_close(&c);
    return ok && !err->text[0];
}

#define READ_ROWS(d, name, columns, take, err) \
    read_rows(d, name, columns, sizeof(columns) / sizeof((columns)[0]), sizeof(columns) / sizeof((columns)[0]), take, err)

static data_kernel *find_kernel(report_data *d, const csv *c, trace_err *err)
{
    for (unsigned k = 0; k < d->num_kernels; k++)
        if (!strcmp(d->kernels[k].name, csv_text(c, 0)))
            return &d->kernels[k];
    csv_fail(c, err, "kernel \"%.60s\" is not in kernels.csv", csv_text(c, 0));
    return NULL;
}

static bool take_verdict(report_data *d, const csv *c, trace_err *err)
{
    data_verdict *v = data_grow(d->verdicts, d->num_verdicts, sizeof *v);

    if (!v || d->num_verdicts == MAX_ROWS)
        return csv_fail(c, err, "too many rows");
    d->verdicts = v;
    v += d->num_verdicts++;
    COPY(v->recording, c, 0);
    COPY(v->mode, c, 1);
    COPY(v->blocks, c, 3);
    COPY(v->verdict, c, 6);
    COPY(v->why, c, 9);
    d->passed += !strcmp(v->verdict, "pass");
    return number(c, 2, &v->sm, err) && number(c, 4, &v->cycles, err) && number(c, 5, &v->comparisons, err) &&
           number(c, 7, &v->limit, err) && number(c, 8, &v->converged, err);
}

static bool take_kernel(report_data *d, const csv *c, trace_err *err)
{
    data_kernel *k = data_grow(d->kernels, d->num_kernels, sizeof *k);

    if (!k || d->num_kernels == MAX_ROWS)
        return csv_fail(c, err, "too many rows");
    d->kernels = k;
    k += d->num_kernels++;
    COPY(k->name, c, 0);
    COPY(k->words, c, 1);
    k->oracle_cost = NAN;
    for (unsigned r = 0; r < DATA_RUNS; r++)
        k->runs[r].cost = NAN;
    return csv_number(c, 2, BALLAST_MAX_SLOTS, &k->nmax, err) && csv_number(c, 3, k->nmax, &k->best, err);
}

static bool take_run(report_data *d, const csv *c, trace_err *err)
{
    data_kernel *k = find_kernel(d, c, err);

    for (unsigned r = 0; k && r < DATA_RUNS; r++) {
        data_run *run = &k->runs[r];

        if (strcmp(data_names[r].key, csv_text(c, 1)) != 0)
            continue;
        run->there = true;
        COPY(run->log_file, c, 6);
        return number(c, 2, &run->cycles, err) && number(c, 3, &run->last_limit, err) &&
               number(c, 4, &run->converged, err) && number(c, 5, &run->moves, err);
    }
    return k && csv_fail(c, err, "no run \"%.40s\" is known", csv_text(c, 1));
}

static bool take_stalls(report_data *d, const csv *c, trace_err *err)
{
    data_kernel *k = find_kernel(d, c, err);
    uint64_t limit, sum = 0;

    if (!k || !csv_number(c, 1, k->nmax, &limit, err) || !number(c, 2, &k->stalls.at[limit].cycles, err) ||
        !number(c, 3, &k->stalls.at[limit].instructions, err))
        return false;
    for (unsigned p = 0; p < BREAKDOWN_PARTS; p++) {
        if (!number(c, 4 + p, &k->stalls.at[limit].part[p], err))
            return false;
        sum += k->stalls.at[limit].part[p];
    }
    return sum == k->stalls.at[limit].cycles || csv_fail(c, err, "the parts do not add up to the cycles");
}

/* ---- the oracle --------------------------------------------------------------------- */

/* The run of the row's policy, which is column 1. */
static data_run *find_policy(data_kernel *k, const csv *c, trace_err *err)
{
    for (unsigned p = 0; k && p < DATA_POLICIES; p++)
        if (!strcmp(data_names[p].key, csv_text(c, 1)))
            return &k->runs[p];
    if (k)
        csv_fail(c, err, "no policy \"%.40s\" is known", csv_text(c, 1));
    return NULL;
}

static bool take_cost(report_data *d, const csv *c, trace_err *err)
{
    data_kernel *k = find_kernel(d, c, err);
    const bool oracle = !strcmp(csv_text(c, 1), "oracle");
    data_run *run = oracle ? NULL : find_policy(k, c, err);

    return k && (oracle || run) && real(c, 2, NAN, oracle ? &k->oracle_cost : &run->cost, err);
}

static bool take_loss(report_data *d, const csv *c, trace_err *err)
{
    data_run *run = find_policy(find_kernel(d, c, err), c, err);
    data_loss *more = run && run->num_losses < MAX_ROWS ? data_grow(run->losses, run->num_losses, sizeof *more) : NULL;

    if (!more)
        return run && csv_fail(c, err, "too many rows");
    run->losses = more;
    more += run->num_losses++;
    return number(c, 2, &more->cycle, err) && real(c, 3, 0, &more->cycles, err);
}

/* ---- policies and models ------------------------------------------------------------- */

/* The columns with the passes, which runs have not had from the beginning. */
enum { PASS = 2 + 4 * DATA_POLICIES };

static bool take_policies(report_data *d, const csv *c, trace_err *err)
{
    data_kernel *k = find_kernel(d, c, err);

    if (!k || !number(c, 1, &k->model_limit, err))
        return false;
    for (unsigned p = 0; p < DATA_POLICIES; p++) {
        data_run *run = &k->runs[p];

        if (!csv_number(c, 2 + 4 * p, k->nmax, &run->limit, err) || !real(c, 3 + 4 * p, 0, &run->percent, err) ||
            !number(c, 4 + 4 * p, &run->settled, err) || !number(c, 5 + 4 * p, &run->decided, err) ||
            (*csv_text(c, PASS + p) && !number(c, PASS + p, &run->pass, err)))
            return false;
    }
    return true;
}

static bool read_policies(report_data *d, trace_err *err)
{
    static const char *const what[] = {"limit", "percent", "settled", "cycle"};
    static char names[DATA_POLICIES * 5][32];
    const char *columns[2 + DATA_POLICIES * 5] = {"kernel", "model_limit"};

    for (unsigned i = 0; i < DATA_POLICIES * 5; i++) {
        if (2 + i < PASS)
            snprintf(names[i], sizeof names[i], "%s_%s", data_names[i / 4].key, what[i % 4]);
        else
            snprintf(names[i], sizeof names[i], "%s_pass", data_names[2 + i - PASS].key);
        columns[2 + i] = names[i];
    }
    return read_rows(d, "policies.csv", columns, PASS, PASS + DATA_POLICIES, take_policies, err);
}

static bool take_model(report_data *d, const csv *c, trace_err *err)
{
    data_kernel *k = find_kernel(d, c, err);
    data_model_line *line;
    uint64_t limit;

    if (!k || !csv_number(c, 1, BALLAST_MAX_SLOTS, &limit, err))
        return false;
    line = &k->model[limit];
    line->limit = limit;
    COPY(k->category, c, 7);
    return real(c, 2, 0, &line->recorded_ipc, err) && real(c, 3, 0, &line->model_ipc, err) &&
           real(c, 4, 0, &line->cycles, err) && real(c, 5, -1, &line->watts, err) && real(c, 6, -1, &line->joules, err);
}

/* Kernels without a profile have no prediction, and a run of such kernels alone no file. */
static bool read_models(report_data *d, trace_err *err)
{
    static const char *const columns[] = {"kernel", "limit", "recorded_ipc", "model_ipc",
                                          "model_cycles", "model_watts", "model_joules", "category"};
    char path[PATH_SIZE];

    file_path(path, d, "model.csv");
    d->has_models = access(path, F_OK) == 0;
    for (unsigned k = 0; k < d->num_kernels && !d->has_models; k++)
        d->has_models = d->kernels[k].model_limit > 0;
    return !d->has_models || READ_ROWS(d, "model.csv", columns, take_model, err);
}

/* ---- tracks and logs ------------------------------------------------------------------ */

static bool read_track(data_track *t, const char *path, trace_err *err)
{
    FILE *f = fopen(path, "r");
    uint64_t cycle = 0, last = 0;
    unsigned value = 0;
    int got = 0;

    if (!f)
        return data_fail(err, path, 0, strerror(errno));
    while ((got = fscanf(f, "%" SCNu64 " %u", &cycle, &value)) == 2 && cycle >= last && t->num < MAX_ROWS) {
        data_point *more = data_grow(t->points, t->num, sizeof *more);

        if (!more)
            break;
        t->points = more;
        t->points[t->num++] = (data_point){cycle, value};
        last = cycle;
    }
    fclose(f);
    return (got == EOF && t->num) || data_fail(err, path, 0, "lines \"cycle value\" are expected, in order");
}

static bool read_tracks(const report_data *d, const data_kernel *k, unsigned r, data_run *run, trace_err *err)
{
    static const char *const domains[DATA_TRACKS] = {".sm", ".mem"};
    const unsigned num = data_names[r].chip ? DATA_TRACKS : 1;
    char path[PATH_SIZE], name[2 * DATA_TEXT];

    for (unsigned t = 0; t < num; t++) {
        snprintf(name, sizeof name, "%s.%s%s.dat", k->name, data_names[r].key, num > 1 ? domains[t] : "");
        file_path(path, d, name);
        if (!read_track(&run->track[t], path, err))
            return false;
    }
    return true;
}

static bool read_losses(report_data *d, trace_err *err)
{
    static const char *const columns[] = {"kernel", "policy", "cycle", "regret"};
    bool ok = true;

    for (unsigned k = 0; k < d->num_kernels && ok; k++) {
        data_kernel *kernel = &d->kernels[k];
        char name[2 * DATA_TEXT], path[PATH_SIZE];

        snprintf(name, sizeof name, "%s.oracle.dat", kernel->name);
        file_path(path, d, name);
        snprintf(name, sizeof name, "%s.regret.csv", kernel->name);
        ok = read_track(&kernel->oracle, path, err) && READ_ROWS(d, name, columns, take_loss, err);
    }
    return ok;
}

static bool read_runs(report_data *d, trace_err *err)
{
    char path[PATH_SIZE];

    for (unsigned k = 0; k < d->num_kernels; k++)
        for (unsigned r = 0; r < DATA_RUNS; r++) {
            data_run *run = &d->kernels[k].runs[r];

            if (!run->there)
                continue;
            if (!read_tracks(d, &d->kernels[k], r, run, err))
                return false;
            file_path(path, d, run->log_file);
            if (run->log_file[0] && !run_log_read(&run->log, path, data_names[r].chip, err))
                return false;
        }
    return true;
}

/* ---- all ------------------------------------------------------------------------------- */

static void copy_text(char *to, size_t size, const cJSON *run, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(run, key);

    snprintf(to, size, "%s", cJSON_IsString(item) ? item->valuestring : "");
}

static bool read_run(report_data *d, trace_err *err)
{
    char path[PATH_SIZE], *text;
    size_t length;
    cJSON *run;
    bool ok;

    file_path(path, d, "run.json");
    if (access(path, F_OK) != 0) {
        snprintf(err->text, sizeof err->text, "%s: there is no finished run; make one with 'make run'", path);
        return false;
    }
    text = regular_read(path, &length);
    if (!text)
        return data_fail(err, path, 0, strerror(errno));
    run = cJSON_Parse(text);
    ok = cJSON_IsObject(run) || data_fail(err, path, 0, "no JSON object");
    copy_text(d->finished, sizeof d->finished, run, "finished");
    copy_text(d->manifest, sizeof d->manifest, run, "manifest");
    copy_text(d->chip, sizeof d->chip, run, "chip");
    cJSON_Delete(run);
    free(text);
    return ok;
}

bool data_read(report_data *d, const char *dir, trace_err *err)
{
    static const char *const verdict_columns[] = {"recording", "mode", "sm", "blocks", "cycles", "comparisons", "verdict",
                                                  "limit", "converged", "why"};
    static const char *const kernel_columns[] = {"kernel", "words", "nmax", "best"};
    static const char *const cost_columns[] = {"kernel", "policy", "cost"};
    static const char *const run_columns[] = {"kernel", "run", "cycles", "last_limit", "converged", "moves", "decisions"};
    const char *stall_columns[4 + BREAKDOWN_PARTS] = {"kernel", "limit", "cycles", "instructions"};

    *d = (report_data){.dir = dir};
    for (unsigned p = 0; p < BREAKDOWN_PARTS; p++)
        stall_columns[4 + p] = breakdown_names[p];
    return read_run(d, err) && READ_ROWS(d, "verdicts.csv", verdict_columns, take_verdict, err) &&
           READ_ROWS(d, "kernels.csv", kernel_columns, take_kernel, err) &&
           (!d->num_kernels || read_policies(d, err)) && READ_ROWS(d, "runs.csv", run_columns, take_run, err) &&
           READ_ROWS(d, "stalls.csv", stall_columns, take_stalls, err) && read_models(d, err) && read_runs(d, err) &&
           READ_ROWS(d, "regret.csv", cost_columns, take_cost, err) && read_losses(d, err);
}

void data_free(report_data *d)
{
    for (unsigned k = 0; k < d->num_kernels; k++) {
        free(d->kernels[k].oracle.points);
        for (unsigned r = 0; r < DATA_RUNS; r++) {
            free(d->kernels[k].runs[r].losses);
            for (unsigned t = 0; t < DATA_TRACKS; t++)
                free(d->kernels[k].runs[r].track[t].points);
            run_log_free(&d->kernels[k].runs[r].log);
        }
    }
    free(d->kernels);
    free(d->verdicts);
    *d = (report_data){.dir = NULL};
}

/* ---- what follows from it ---------------------------------------------------------------- */

double data_ipc(const data_kernel *k, unsigned limit)
{
    const uint64_t cycles = k->stalls.at[limit].cycles;

    return cycles ? (double)k->stalls.at[limit].instructions / (double)cycles : 0;
}

double data_best_ipc(const data_kernel *k)
{
    double best = 0;

    for (unsigned limit = 1; limit <= k->nmax; limit++)
        best = data_ipc(k, limit) > best ? data_ipc(k, limit) : best;
    return best;
}

uint64_t data_last_cycle(const data_kernel *k)
{
    uint64_t last = 1;

    for (unsigned r = 0; r < DATA_RUNS; r++)
        for (unsigned t = 0; t < DATA_TRACKS; t++) {
            const data_track *track = &k->runs[r].track[t];

            if (track->num && track->points[track->num - 1].cycle > last)
                last = track->points[track->num - 1].cycle;
        }
    return last;
}

uint64_t data_watched(const data_kernel *k)
{
    uint64_t last = 0;

    for (unsigned r = 0; r < DATA_RUNS; r++)
        if (k->runs[r].there && !k->runs[r].converged && k->runs[r].cycles > last)
            last = k->runs[r].cycles;
    return last;
}
