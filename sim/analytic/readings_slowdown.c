/* SPDX-License-Identifier: Apache-2.0
 *
 * Quintanilla Cruz, MSc thesis 2017: where its examples and tables decide between readings of Algorithm 1,
 * Eq. 2.6 and Eq. 5.2, and where they leave them open. A reading has no numbers of its own here.
 */
#include "analytic/pairs.h"
#include "analytic/readings.h"

static double case_of(const char *gpu, occupancy_kernel k1, occupancy_kernel k2, const slowdown_options *o)
{
    slowdown_result r;
    analytic_err err;

    return slowdown_compute(occupancy_gpu_find(gpu), &k1, &k2, 1, o, &r, &err) ? (double)r.concurrency : NAN;
}

static double example_case(const reading_input *ask)
{
    const occupancy_kernel k1 = {16, 512, 1, 1024}, k2 = {256, 256, 1, 1024}; /* Table 5.3 */

    return case_of("table5.2", k1, k2, &ask->how->slowdown);
}

static double full_wave_case(const reading_input *ask)
{
    const occupancy_kernel full = {120, 256, 16, 0};

    return case_of("cc3.5", full, full, &ask->how->slowdown);
}

/* about: number of k1. */
static double slowdown_of_pair(const reading_input *ask)
{
    const pairs_printed *pair = &pairs_6_3.row[(unsigned)ask->about[0] / 2];
    pairs_row r;
    analytic_err err;

    return pairs_row_compute(pair, &ask->how->slowdown, &r, &err) ? r.ours.slowdown : NAN;
}

static double hs3_active_blocks(const reading_input *ask)
{
    pairs_row r;
    analytic_err err;

    return pairs_row_compute(&pairs_6_5.row[2], &ask->how->slowdown, &r, &err) ? (double)r.ours.k2.active_blocks : NAN;
}

/* All of a table; NaN if a pair is refused. */
static pairs_summary summary_of(const pairs_table *table, const model_switches *how)
{
    pairs_summary s = {.mean_error = NAN, .worst_error = NAN};
    analytic_err err;

    pairs_print(table, NULL, false, &how->slowdown, &s, &err);
    return s;
}

static double estimates_6_3(const reading_input *ask)
{
    const pairs_summary s = summary_of(&pairs_6_3, ask->how);

    return isnan(s.mean_error) ? NAN : (double)s.estimates;
}

static double mean_error_6_3(const reading_input *ask)
{
    return summary_of(&pairs_6_3, ask->how).mean_error;
}

static double estimates_6_5(const reading_input *ask)
{
    const pairs_summary s = summary_of(&pairs_6_5, ask->how);

    return isnan(s.mean_error) ? NAN : (double)s.estimates;
}

#define FILLS {{.name = "round robin"}, {"depth first", .settings = {"FILL=DF"}}, \
               {"Eq. 5.2, no mod", .settings = {"OCCUPIED=LITERAL", "REMAINDER=LITERAL"}}}

static const reading rows[] = {
    {"QC-A1", "COND2", "Table 5.3, case (0 A, 1 B, 2 C)", "8 SMs are free from the beginning", example_case, {0},
     .variant = {{.name = "capacity"}, {"literal", .settings = {"COND2=LITERAL"}}}},
    {"QC-A2", "FULL_WAVE", "k1 fills its last wave, case (0 A, 1 B, 2 C)", "Algorithm 1: C; 4.1.1: B", full_wave_case, {0},
     .variant = {{.name = "Algorithm 1"}, {"prose", .settings = {"FULL_WAVE=B"}}}},
    {"QC-16", "OCCUPIED", "Table 6.3, S1-S2", "11.25", slowdown_of_pair, {1},
     .variant = {{.name = "per SM"}, {"Eq. 5.2", .settings = {"OCCUPIED=LITERAL"}}}},
    {"QC-A7", "REMAINDER", "Table 6.3, S25-S26 (1: k2 waits)", "1.29", slowdown_of_pair, {25},
     .variant = {{.name = "mod"}, {"literal", .settings = {"REMAINDER=LITERAL"}}}},
    {"QC-6", "UNITS", "Table 6.5, blocks of HS3 on an SM", "1.290 needs 5", hs3_active_blocks, {0},
     .variant = {{.name = "allocated"}, {"exact", .settings = {"UNITS=EXACT"}}}},
    {"QC-16", "FILL", "Table 6.3, printed estimates given", "50", estimates_6_3, {0}, .variant = FILLS},
    {"QC-16", "FILL", "Table 6.3, mean |error|, %", "3.49", mean_error_6_3, {0}, .variant = FILLS},
    {"QC-16", "FILL", "Table 6.5, printed estimates given", "7", estimates_6_5, {0}, .variant = FILLS},
};

const reading_table readings_slowdown = READING_TABLE(rows);
