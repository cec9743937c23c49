/* SPDX-License-Identifier: Apache-2.0 */
#include "studies/finished_runs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include <xxhash.h>

#include "recording/csv.h"

/* What a line says of a run beside its result. The others are for readers. */
enum { KEY, CHECK, WORKLOAD, POLICY, STATIC_LIMIT, OWN_COLUMNS, COLUMNS = OWN_COLUMNS + RUN_CELLS };

_Static_assert((int)FINISHED_COLUMNS == (int)CSV_MAX_COLUMNS, "a file has as many columns as can be read");

static const char *name_of(unsigned column)
{
    static const char *const own[] = {"key", "check", "workload", "policy", "static_limit"};

    return column < OWN_COLUMNS ? own[column] : run_cell_name(column - OWN_COLUMNS);
}

/* Another simulator may give another result. */
static bool hash_program(uint64_t id[2])
{
    FILE *self = fopen("/proc/self/exe", "rb");
    XXH3_state_t *state = self ? XXH3_createState() : NULL;
    static char part[1 << 16];
    XXH128_hash_t hash;
    size_t n;
    bool ok = state && XXH3_128bits_reset(state) == XXH_OK;

    while (ok && (n = fread(part, 1, sizeof part, self)) > 0)
        XXH3_128bits_update(state, part, n);
    ok = ok && !ferror(self);
    if (ok) {
        hash = XXH3_128bits_digest(state);
        id[0] = hash.low64;
        id[1] = hash.high64;
    }
    XXH3_freeState(state);
    if (self)
        fclose(self);
    return ok;
}

/* Byte by byte: what differs in padding only is run again, nothing worse. */
static void key_of(const finished_runs *f, const run_request *request, uint64_t key[2])
{
    const XXH128_hash_t hash = XXH3_128bits_withSeed(request, sizeof *request, f->program[0] ^ f->program[1]);

    key[0] = hash.low64;
    key[1] = hash.high64;
}

/* Of the text of all that a result is. */
static bool check_of(const uint64_t key[2], const run_result *result, uint64_t *check)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    bool ok = f != NULL;

    for (unsigned cell = 0; ok && cell < RUN_CELLS; cell++) {
        run_cell_put(f, result, cell);
        fputc(',', f);
    }
    ok = ok && fclose(f) == 0;
    *check = ok ? XXH3_64bits_withSeed(text, size, key[0] ^ key[1]) : 0;
    free(text);
    return ok;
}

static bool remember(finished_runs *f, const finished_run *run)
{
    const unsigned size = f->size ? 2 * f->size : 64;
    finished_run *more = f->num < f->size ? f->runs : realloc(f->runs, size * sizeof *more);

    if (!more)
        return false;
    f->size = f->num < f->size ? f->size : size;
    f->runs = more;
    memcpy(&f->runs[f->num++], run, sizeof *run);
    return true;
}

/* ---- reading ---------------------------------------------------------------------- */

static bool take_run(finished_run *run, const csv *c)
{
    uint64_t check, wanted;

    memset(run, 0, sizeof *run);
    /* The letters keep tools that know numbers from taking them for some. */
    if (sscanf(csv_text(c, KEY), "r%16" SCNx64 "%16" SCNx64, &run->key[0], &run->key[1]) != 2 || sscanf(csv_text(c, CHECK), "c%16" SCNx64, &wanted) != 1)
        return false;
    run->result.ok = true;
    for (unsigned cell = 0; cell < RUN_CELLS; cell++)
        if (!run_cell_take(&run->result, cell, csv_text(c, OWN_COLUMNS + cell)))
            return false;
    return check_of(run->key, &run->result, &check) && check == wanted;
}

/* Where the file's columns are; of an empty one they are in our order. */
static void order_columns(finished_runs *f, const csv *c)
{
    f->columns = c ? c->fields : COLUMNS;
    for (unsigned i = 0; i < f->columns; i++)
        f->column[i] = c ? -1 : (int)i;
    for (unsigned i = 0; c && i < COLUMNS; i++)
        f->column[c->position[i]] = (int)i;
}

static bool read_all(finished_runs *f, trace_err *err)
{
    const char *names[COLUMNS];
    finished_run run;
    csv c;

    for (unsigned i = 0; i < COLUMNS; i++)
        names[i] = name_of(i);
    if (!csv_open(&c, f->path, names, COLUMNS, COLUMNS, err))
        return false;
    order_columns(f, &c);
    err->text[0] = '\0';
    while (csv_row(&c, err))
        if (take_run(&run, &c) && !remember(f, &run))
            break;
    csv_close(&c);
    return !err->text[0];
}

/* What a kill has cut off is a line that counts for nothing; the next one begins a line of its own. */
static bool end_last_line(FILE *file)
{
    return fseeko(file, -1, SEEK_END) == 0 && (fgetc(file) == '\n' || (fseeko(file, 0, SEEK_END) == 0 && fputc('\n', file) == '\n' && fflush(file) == 0));
}

static bool write_names(finished_runs *f)
{
    order_columns(f, NULL);
    for (unsigned i = 0; i < COLUMNS; i++)
        fprintf(f->file, "%s%c", name_of(i), i + 1 < COLUMNS ? ',' : '\n');
    return fflush(f->file) == 0;
}

static bool take_file(finished_runs *f, trace_err *err)
{
    off_t size;

    if (flock(fileno(f->file), LOCK_EX | LOCK_NB) != 0)
        return import_fail(err, f->path, UINT64_MAX, "another command keeps its runs there; name another file");
    size = fseeko(f->file, 0, SEEK_END) == 0 ? ftello(f->file) : -1;
    if (size > 0 && !read_all(f, err))
        return false;
    return (size > 0 ? end_last_line(f->file) : size == 0 && write_names(f)) ||
           import_fail(err, f->path, UINT64_MAX, "cannot be written (%s); name another file", strerror(errno));
}

bool finished_runs_open(finished_runs *f, const char *path, trace_err *err)
{
    bool ok;

    memset(f, 0, sizeof *f);
    snprintf(f->path, sizeof f->path, "%s", path);
    f->file = hash_program(f->program) ? fopen(f->path, "a+b") : NULL;
    if (!f->file)
        return import_fail(err, path, UINT64_MAX, "cannot be written (%s); name another file", strerror(errno));
    ok = take_file(f, err);
    if (!ok) { /* somebody else's: it stays */
        fclose(f->file);
        f->file = NULL;
    }
    return ok;
}

const run_result *finished_runs_find(const finished_runs *f, const run_request *request)
{
    uint64_t key[2];

    if (!f->file)
        return NULL;
    key_of(f, request, key);
    for (unsigned i = 0; i < f->num; i++)
        if (!memcmp(f->runs[i].key, key, sizeof key))
            return &f->runs[i].result;
    return NULL;
}

/* ---- writing ---------------------------------------------------------------------- */

static void put_column(FILE *f, int column, const run_request *request, const finished_run *run, uint64_t check)
{
    if (column >= OWN_COLUMNS)
        run_cell_put(f, &run->result, (unsigned)column - OWN_COLUMNS);
    else if (column == KEY)
        fprintf(f, "r%016" PRIx64 "%016" PRIx64, run->key[0], run->key[1]);
    else if (column == CHECK)
        fprintf(f, "c%016" PRIx64, check);
    else if (column == WORKLOAD)
        csv_put(f, request->workload.name);
    else if (column >= 0)
        fprintf(f, "%d", column == POLICY ? request->policy : request->static_limit);
}

void finished_runs_add(finished_runs *f, const run_request *request, const run_result *result)
{
    finished_run run;
    uint64_t check;

    if (!f->file)
        return;
    memset(&run, 0, sizeof run);
    key_of(f, request, run.key);
    memcpy(&run.result, result, sizeof *result);
    f->lost |= !check_of(run.key, result, &check);
    for (unsigned i = 0; i < f->columns; i++) {
        put_column(f->file, f->column[i], request, &run, check);
        fputc(i + 1 < f->columns ? ',' : '\n', f->file);
    }
    if (fflush(f->file) != 0)
        f->lost = true;
    else
        remember(f, &run);
}

void finished_runs_close(finished_runs *f, bool drop)
{
    if (f->file && drop)
        unlink(f->path);
    if (f->file)
        fclose(f->file);
    free(f->runs);
    memset(f, 0, sizeof *f);
}
