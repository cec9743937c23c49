/* SPDX-License-Identifier: Apache-2.0
 *
 * Quintanilla Cruz, MSc thesis 2017: where its examples and tables decide between readings of Algorithm 1,
 * Eq. 2.6 and Eq. 5.2, and where they leave them open.
 */
#include <stdio.h>

#include "analytic/pairs.h"
#include "analytic/pairs_data.h"
#include "analytic/readings.h"

/* What is read off the model under one set of options; false if it failed. */
typedef bool (*probe)(const slowdown_options *options, double *value);

typedef struct variant {
    const char *name;
    slowdown_options options;
} variant;

static bool add(reading *r, probe ask, variant v, bool is_default)
{
    double value;

    if (!ask(&v.options, &value))
        return false;
    reading_variant(r, v.name, value, is_default);
    return true;
}

/* A row: the default first, then one or two others (name NULL: none). */
static bool row(reading *r, probe ask, const char *default_name, variant a, variant b)
{
    const variant usual = {default_name, slowdown_options_default()};

    return add(r, ask, usual, true) && add(r, ask, a, false) && (!b.name || add(r, ask, b, false));
}

/* ---- probes ---------------------------------------------------------------------------------- */

static bool example_case(const slowdown_options *o, double *value)
{
    const occupancy_kernel k1 = {16, 512, 1, 1024}, k2 = {256, 256, 1, 1024}; /* Table 5.3 */
    slowdown_result r;
    analytic_err err;

    if (!slowdown_compute(occupancy_gpu_find("table5.2"), &k1, &k2, 1, o, &r, &err))
        return false;
    *value = r.concurrency;
    return true;
}

static bool full_wave_case(const slowdown_options *o, double *value)
{
    const occupancy_kernel k1 = {120, 256, 16, 0}, k2 = {120, 256, 16, 0};
    slowdown_result r;
    analytic_err err;

    if (!slowdown_compute(occupancy_gpu_find("cc3.5"), &k1, &k2, 1, o, &r, &err))
        return false;
    *value = r.concurrency;
    return true;
}

static bool slowdown_of_pair(unsigned k1, const slowdown_options *o, double *value)
{
    pairs_row r;
    analytic_err err;

    if (!pairs_row_6_3(k1 / 2, o, &r, &err))
        return false;
    *value = r.ours.slowdown;
    return true;
}

static bool s1_s2(const slowdown_options *o, double *value)
{
    return slowdown_of_pair(1, o, value);
}

static bool s25_s26(const slowdown_options *o, double *value)
{
    return slowdown_of_pair(25, o, value);
}

static bool hs3_active_blocks(const slowdown_options *o, double *value)
{
    occupancy_result r;
    analytic_err err;

    if (!occupancy_compute(occupancy_gpu_find("cc3.5"), &pairs_rodinia[2].config, &o->occupancy, &r, &err))
        return false;
    *value = r.active_blocks;
    return true;
}

static bool estimates_6_3(const slowdown_options *o, double *value)
{
    pairs_summary s;
    analytic_err err;

    if (!pairs_table_6_3(NULL, false, o, &s, &err))
        return false;
    *value = s.estimates;
    return true;
}

static bool mean_error_6_3(const slowdown_options *o, double *value)
{
    pairs_summary s;
    analytic_err err;

    if (!pairs_table_6_3(NULL, false, o, &s, &err))
        return false;
    *value = s.mean_error;
    return true;
}

static bool estimates_6_5(const slowdown_options *o, double *value)
{
    pairs_summary s;
    analytic_err err;

    if (!pairs_table_6_5(NULL, false, o, &s, &err))
        return false;
    *value = s.estimates;
    return true;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static reading about(const char *rule, const char *option, const char *example, const char *paper)
{
    return (reading){.rule = rule, .option = option, .example = example, .paper = paper};
}

static unsigned readings_of_the_case(reading *out)
{
    const variant none = {0};
    variant cond2 = {"literal", slowdown_options_default()};
    variant full_wave = {"prose", slowdown_options_default()};

    cond2.options.cond2 = SLOWDOWN_COND2_LITERAL;
    full_wave.options.full_wave = SLOWDOWN_FULL_WAVE_CASE_B;
    out[0] = about("QC-A1", "COND2", "Table 5.3, case (0 A, 1 B, 2 C)", "8 SMs are free from the beginning");
    out[1] = about("QC-A2", "FULL_WAVE", "k1 fills its last wave, case (0 A, 1 B, 2 C)",
                   "Algorithm 1: C; 4.1.1: B");
    return row(&out[0], example_case, "capacity", cond2, none) &&
                   row(&out[1], full_wave_case, "Algorithm 1", full_wave, none)
               ? 2
               : 0;
}

static unsigned readings_of_single_pairs(reading *out)
{
    const variant none = {0};
    variant occupied = {"Eq. 5.2", slowdown_options_default()};
    variant remainder = {"literal", slowdown_options_default()};
    variant exact = {"exact", slowdown_options_default()};

    occupied.options.occupied = SLOWDOWN_OCCUPIED_LITERAL;
    remainder.options.remainder = SLOWDOWN_REMAINDER_LITERAL;
    exact.options.occupancy.units = OCCUPANCY_UNITS_EXACT;
    out[0] = about("QC-16", "OCCUPIED", "Table 6.3, S1-S2", "11.25");
    out[1] = about("QC-A7", "REMAINDER", "Table 6.3, S25-S26 (1: k2 waits)", "1.29");
    out[2] = about("QC-6", "UNITS", "Table 6.5, blocks of HS3 on an SM", "1.290 needs 5");
    return row(&out[0], s1_s2, "per SM", occupied, none) && row(&out[1], s25_s26, "mod", remainder, none) &&
                   row(&out[2], hs3_active_blocks, "allocated", exact, none)
               ? 3
               : 0;
}

static unsigned readings_of_the_tables(reading *out)
{
    variant df = {"depth first", slowdown_options_default()};
    variant literal = {"Eq. 5.2, no mod", slowdown_options_default()};

    df.options.fill = SLOWDOWN_FILL_DF;
    literal.options.occupied = SLOWDOWN_OCCUPIED_LITERAL;
    literal.options.remainder = SLOWDOWN_REMAINDER_LITERAL;
    out[0] = about("QC-16", "FILL", "Table 6.3, printed estimates given", "50");
    out[1] = about("QC-16", "FILL", "Table 6.3, mean |error|, %", "3.49");
    out[2] = about("QC-16", "FILL", "Table 6.5, printed estimates given", "7");
    return row(&out[0], estimates_6_3, "round robin", df, literal) &&
                   row(&out[1], mean_error_6_3, "round robin", df, literal) &&
                   row(&out[2], estimates_6_5, "round robin", df, literal)
               ? 3
               : 0;
}

unsigned readings_slowdown(reading *out)
{
    const unsigned cases = readings_of_the_case(out);
    const unsigned single = cases ? readings_of_single_pairs(out + cases) : 0;
    const unsigned tables = single ? readings_of_the_tables(out + cases + single) : 0;

    return tables ? cases + single + tables : 0;
}
