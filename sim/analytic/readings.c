/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/readings.h"

#include <string.h>

static const reading_table *const tables[] = {&readings_slowdown, &readings_mwp_cwp, &readings_ipp,
                                              &readings_throughput};

/* analytic_predict() departs from what the papers print. */
static bool set_all(model_switches *how, const reading_variant *variant)
{
    char err[SWITCHES_ERR];
    bool ok = true;

    *how = switches_default();
    how->predict.time = mwp_cwp_options_default();
    how->predict.power = ipp_options_default();
    for (unsigned i = 0; ok && i < READING_SETTINGS && variant->settings[i]; i++)
        ok = switches_set(how, variant->settings[i], err);
    return ok;
}

bool reading_is_default(const reading *r, const reading_variant *variant)
{
    const model_switches usual = switches_default();
    model_switches how;
    bool same = set_all(&how, variant) && switches_same(&how, &usual, r->option);
    char name[64];

    if (!switches_has(r->option))
        return variant == &r->variant[r->usual];
    for (unsigned i = 0; same && i < READING_SETTINGS && variant->settings[i]; i++) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(variant->settings[i], "="), variant->settings[i]);
        same = switches_same(&how, &usual, name);
    }
    return same;
}

double reading_value(const reading *r, const reading_variant *variant)
{
    model_switches how;

    if (!set_all(&how, variant))
        return NAN;
    return r->value(&(reading_input){&how, r->about, variant->numbers});
}

static bool put(FILE *f, bool csv, const reading *r)
{
    if (!csv)
        fprintf(f, "%-8s %s\n         %s; printed: %s\n", r->rule, r->option, r->example, r->paper);
    for (unsigned v = 0; v < READING_VARIANTS && r->variant[v].name; v++) {
        const char *name = r->variant[v].name;
        const double value = reading_value(r, &r->variant[v]);

        if (isnan(value))
            return false;
        if (csv)
            fprintf(f, "%s,%s,\"%s\",\"%s\",\"%s\",%.9g,%d\n", r->rule, r->option, r->example, r->paper, name,
                    value, reading_is_default(r, &r->variant[v]));
        else
            fprintf(f, "           %c %-40s %.6g\n", reading_is_default(r, &r->variant[v]) ? '*' : ' ', name, value);
    }
    return true;
}

bool readings_print(FILE *f, bool csv)
{
    if (csv)
        fprintf(f, "rule,option,example,printed,reading,value,default\n");
    else
        fprintf(f, "Where a paper's example or table and its formula disagree (* is the default):\n\n");
    for (unsigned t = 0; t < sizeof tables / sizeof tables[0]; t++)
        for (unsigned i = 0; i < tables[t]->num; i++)
            if (!put(f, csv, &tables[t]->row[i]))
                return false;
    if (!csv) {
        fprintf(f, "\nSwitches of 'ballast analytic' (--reading NAME=VALUE; [default]):\n\n");
        switches_list(f);
    }
    return true;
}
