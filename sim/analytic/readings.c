/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/readings.h"

static const reading_table *const tables[] = {&readings_slowdown, &readings_mwp_cwp, &readings_ipp,
                                              &readings_throughput};

double reading_value(const reading *r, const reading_variant *variant)
{
    model_switches how = switches_default();
    char err[SWITCHES_ERR];

    /* predict() departs from what the papers print. */
    how.predict.time = mwp_cwp_options_default();
    how.predict.power = ipp_options_default();
    for (unsigned i = 0; i < READING_SETTINGS && variant->settings[i]; i++)
        if (!switches_set(&how, variant->settings[i], err))
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
                    value, v == r->usual);
        else
            fprintf(f, "           %c %-40s %.6g\n", v == r->usual ? '*' : ' ', name, value);
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
