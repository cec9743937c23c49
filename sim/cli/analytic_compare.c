/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/analytic_compare.h"

#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/complain.h"
#include "cli/families.h"
#include "cli/policies.h"
#include "recording/csv.h"
#include "plot/gnuplot.h"

enum { KERNELS = 256 };

typedef struct comparison {
    const model_compare *compare;
    oracle *kernels[KERNELS];
    unsigned num;
    unsigned num_choices; /* 0 without a file of policies */
    int status;
} comparison;

static void keep(comparison *c, const oracle *o, const sweep *measured)
{
    oracle *copy = c->num < KERNELS ? malloc(sizeof *copy) : NULL;

    if (!copy) {
        c->status = complain("too many kernels, or out of memory");
        return;
    }
    *copy = *o;
    copy->measured = *measured;
    copy->num_choices = c->num_choices;
    for (unsigned p = 0; p < c->num_choices; p++)
        copy->chooser[p] = policies_names[p];
    c->kernels[c->num++] = copy;
}

static bool visit(void *user, const family *f)
{
    comparison *c = user;
    char err[ORACLE_ERR];
    trace_err why = {.text = ""};
    sweep measured;
    oracle o;

    switch (oracle_predict(&o, &c->compare->source, f->name, err)) {
    case ORACLE_NO_PROFILE:
        fprintf(stderr, "ballast: %s: no profile %s/%s.kernel, left out\n", f->name, c->compare->source.kernels, f->name);
        return true;
    case ORACLE_BAD: c->status = complain("%s", err); return true;
    default: break;
    }
    if (sweep_measure(&measured, f->paths, f->num_paths, 0, f->launch, &why))
        keep(c, &o, &measured);
    else
        c->status = complain("%s", why.text);
    return true;
}

/* ---- what policies chose ---------------------------------------------------------- */

/* The columns of policies_csv that matter here: kernel, then one limit per policy. */
static void name_columns(char names[POLICIES + 1][32], const char *columns[POLICIES + 1])
{
    snprintf(names[0], sizeof names[0], "kernel");
    for (unsigned p = 0; p < POLICIES; p++)
        snprintf(names[p + 1], sizeof names[p + 1], "%s_limit", policies_names[p]);
    for (unsigned i = 0; i <= POLICIES; i++)
        columns[i] = names[i];
}

static oracle *find(comparison *c, const char *name)
{
    for (unsigned k = 0; k < c->num; k++)
        if (!strcmp(c->kernels[k]->name, name))
            return c->kernels[k];
    return NULL;
}

static bool take_choices(comparison *c, const csv *file, trace_err *err)
{
    oracle *o = find(c, csv_text(file, 0));
    uint64_t limit;

    for (unsigned p = 0; o && p < POLICIES; p++) {
        if (!csv_number(file, p + 1, BALLAST_MAX_SLOTS, &limit, err))
            return false;
        o->choice[p] = (unsigned)limit;
    }
    return true;
}

static bool read_choices(comparison *c, const char *path)
{
    char names[POLICIES + 1][32];
    const char *columns[POLICIES + 1];
    trace_err err = {.text = ""};
    csv file;
    bool ok;

    name_columns(names, columns);
    if (!csv_open(&file, path, columns, POLICIES + 1, POLICIES + 1, &err)) {
        c->status = complain("%s", err.text);
        return false;
    }
    for (ok = true; ok && csv_row(&file, &err);)
        ok = take_choices(c, &file, &err);
    csv_close(&file);
    if (err.text[0])
        c->status = complain("%s", err.text);
    return !err.text[0];
}

/* ---- all -------------------------------------------------------------------------- */

static void print_all(comparison *c)
{
    const model_compare *how = c->compare;

    (how->csv ? oracle_csv_header : oracle_print_header)(stdout, c->kernels[0]);
    for (unsigned k = 0; k < c->num; k++)
        (how->csv ? oracle_csv : oracle_print)(stdout, c->kernels[k]);
    if (how->plot && !oracle_draw((const oracle *const *)c->kernels, c->num, how->plot)) {
        gnuplot_complain(how->plot);
        c->status = EXIT_BAD_INPUT;
    }
}

int model_compare_run(const model_compare *compare)
{
    comparison c = {.compare = compare, .num_choices = compare->policies ? POLICIES : 0, .status = EXIT_PASS};
    trace_err err = {.text = ""};
    char text[512];
    manifest m;

    if (!manifest_read(&m, compare->manifest, text, sizeof text)) {
        manifest_free(&m);
        return complain("%s", text);
    }
    if (!families_each(&m, visit, &c, &err))
        c.status = complain("%s", err.text);
    if (!c.num && c.status == EXIT_PASS)
        c.status = complain("no kernel of the manifest has a profile; name their directory with --kernels");
    if (c.num && (!compare->policies || read_choices(&c, compare->policies)))
        print_all(&c);
    for (unsigned k = 0; k < c.num; k++)
        free(c.kernels[k]);
    manifest_free(&m);
    return c.status;
}
