/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/readings.h"

#include "analytic/switches.h"

typedef unsigned (*reading_source)(reading *out);

static const reading_source sources[] = {readings_slowdown, readings_mwp_cwp, readings_ipp, readings_throughput};

void reading_variant(reading *row, const char *name, double value, bool is_default)
{
    row->variant[row->num].name = name;
    row->variant[row->num].value = value;
    row->variant[row->num++].is_default = is_default;
}

static void put_text(FILE *f, const reading *r)
{
    fprintf(f, "%-8s %s\n         %s; printed: %s\n", r->rule, r->option, r->example, r->paper);
    for (unsigned v = 0; v < r->num; v++)
        fprintf(f, "           %c %-40s %.6g\n", r->variant[v].is_default ? '*' : ' ', r->variant[v].name, r->variant[v].value);
}

static void put_csv(FILE *f, const reading *r)
{
    for (unsigned v = 0; v < r->num; v++)
        fprintf(f, "%s,%s,\"%s\",\"%s\",\"%s\",%.9g,%d\n", r->rule, r->option, r->example, r->paper, r->variant[v].name,
                r->variant[v].value, r->variant[v].is_default);
}

bool readings_print(FILE *f, bool csv)
{
    reading all[READINGS_MAX];

    if (csv)
        fprintf(f, "rule,option,example,printed,reading,value,default\n");
    else
        fprintf(f, "Where a paper's example or table and its formula disagree (* is the default):\n\n");
    for (unsigned s = 0; s < sizeof sources / sizeof sources[0]; s++) {
        const unsigned num = sources[s](all);

        if (num == 0)
            return false;
        for (unsigned i = 0; i < num; i++)
            (csv ? put_csv : put_text)(f, &all[i]);
    }
    if (!csv) {
        fprintf(f, "\nSwitches of 'ballast analytic' (--reading NAME=VALUE; [default]):\n\n");
        switches_list(f);
    }
    return true;
}
