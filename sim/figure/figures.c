/* SPDX-License-Identifier: Apache-2.0
 *
 * Which pictures there are.
 */
#include <math.h>
#include <string.h>

#include "figure/figure.h"

static bool always(const report_data *d, const data_kernel *k)
{
    (void)k;
    return d->num_kernels > 0;
}

static bool has_regret(const report_data *d, const data_kernel *k)
{
    (void)d;
    return !isnan(k->oracle_cost);
}

static bool has_model(const report_data *d, const data_kernel *k)
{
    return d->has_models && k->model_limit;
}

const figure_kind figure_kinds[] = {
    {"costs", "what each policy costs on each kernel, in percent", false, always, figure_costs},
    {"limits", "CTA limit of every policy and VF levels over time", true, always, figure_limits},
    {"regret", "cycles that each policy loses against the oracle in the first launch", true, has_regret, figure_regret},
    {"stalls", "what holds the SM back at each limit", true, always, figure_stalls},
    {"model", "recorded and predicted speed over the limit, and what each policy chose", true, has_model, figure_model},
    {NULL, NULL, false, NULL, NULL}};

void figure_name(const figure *f, char name[FIGURE_NAME])
{
    snprintf(name, FIGURE_NAME, "%s%s%s", f->kind->name, f->kernel ? "-" : "", f->kernel ? f->kernel->name : "");
}

bool figure_at(const report_data *d, unsigned index, figure *f)
{
    for (const figure_kind *kind = figure_kinds; kind->name; kind++)
        for (unsigned k = 0; k < (kind->by_kernel ? d->num_kernels : 1); k++) {
            const data_kernel *kernel = kind->by_kernel ? &d->kernels[k] : NULL;

            if (kind->there(d, kernel) && !index--) {
                *f = (figure){.kind = kind, .kernel = kernel};
                return true;
            }
        }
    return false;
}
