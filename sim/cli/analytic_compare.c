/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cmd_analytic.h"

#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/policies.h"
#include "cli/say.h"
#include "recording/csv.h"

enum { KERNELS = 256 };

typedef struct comparison {
    oracle_source source;
    oracle *kernels[KERNELS];
    unsigned num;
    int status;
} comparison;

static int take(comparison *c, const kernel_family *f)
{
    oracle *o = c->num < KERNELS ? calloc(1, sizeof *o) : NULL;
    char err[ORACLE_ERR] = "too many kernels, or out of memory";
    const enum oracle_status found = o ? oracle_predict(o, &c->source, f->name, err) : ORACLE_BAD;
    trace_err why = {.text = ""};

    if (found == ORACLE_FINE && f->warps == c->source.gpu->occupancy.max_warps &&
        sweep_measure(&o->measured, f->paths, f->num_paths, 0, f->launch, &why)) {
        c->kernels[c->num++] = o;
        return EXIT_PASS;
    }
    free(o);
    if (found == ORACLE_FINE && !why.text[0]) {
        complain("%s: recorded on an SM of %u warps, the model is of %u, left out; --gpu names another", f->name, f->warps,
                 c->source.gpu->occupancy.max_warps);
        return EXIT_PASS;
    }
    if (found == ORACLE_NO_PROFILE) {
        complain("%s: no profile %s/%s.kernel, left out", f->name, c->source.kernels, f->name);
        return EXIT_PASS;
    }
    return complain("%s", found == ORACLE_BAD ? err : why.text);
}

static bool visit(void *user, const kernel_family *f)
{
    comparison *c = user;

    c->status = worse(c->status, take(c, f));
    return true;
}

/* ---- what policies chose ---------------------------------------------------------- */

static oracle *find(comparison *c, const char *name)
{
    for (unsigned k = 0; k < c->num; k++)
        if (!strcmp(c->kernels[k]->name, name))
            return c->kernels[k];
    return NULL;
}

/* Of a row of policies_csv: the kernel, then one limit per policy. */
static bool take_choices(comparison *c, const csv *row, trace_err *err)
{
    oracle *o = find(c, csv_text(row, 0));
    uint64_t limit;

    for (unsigned p = 0; o && p < BALLAST_POLICIES; p++) {
        if (!csv_number(row, p + 1, BALLAST_MAX_SLOTS, &limit, err))
            return false;
        o->choice[p] = (unsigned)limit;
    }
    return true;
}

static int read_choices(comparison *c, const char *path)
{
    char limits[BALLAST_POLICIES][32];
    const char *columns[BALLAST_POLICIES + 1] = {"kernel"};
    trace_err err = {.text = ""};
    csv file;

    for (unsigned p = 0; p < BALLAST_POLICIES; p++) {
        snprintf(limits[p], sizeof limits[p], "%s_limit", policies_names[p]);
        columns[p + 1] = limits[p];
    }
    for (unsigned k = 0; k < c->num; k++) {
        c->kernels[k]->num_choices = BALLAST_POLICIES;
        for (unsigned p = 0; p < BALLAST_POLICIES; p++)
            c->kernels[k]->chooser[p] = policies_names[p];
    }
    if (!csv_open(&file, path, columns, BALLAST_POLICIES + 1, BALLAST_POLICIES + 1, &err))
        return complain("%s", err.text);
    while (csv_row(&file, &err) && take_choices(c, &file, &err))
        ;
    csv_close(&file);
    return err.text[0] ? complain("%s", err.text) : EXIT_PASS;
}

int analytic_compare(analytic_command *command)
{
    comparison c = {.source = {command->kernels, &command->gpu, command->switches.predict}};
    int read = families_of(command->files.file[0], visit, &c);

    c.status = worse(c.status, read);
    if (!c.num && c.status == EXIT_PASS)
        c.status = complain("no kernel of the manifest has a profile; name their directory with --kernels");
    read = c.num && command->policies ? read_choices(&c, command->policies) : EXIT_PASS;
    c.status = worse(c.status, read);
    if (c.num && read == EXIT_PASS)
        c.status = worse(c.status, analytic_print(command, (const oracle *const *)c.kernels, c.num));
    for (unsigned k = 0; k < c.num; k++)
        free(c.kernels[k]);
    return c.status;
}
