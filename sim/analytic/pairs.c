/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/pairs.h"

#include <math.h>
#include <stdlib.h>

#include "analytic/pairs_data.h"

/* The thesis prints its estimates to two decimals, those of Table 6.5 with a zero behind them. */
#define HALF_A_DIGIT 0.005

typedef struct pairs_table {
    const char *title;
    unsigned pairs;
    bool (*row)(unsigned index, const slowdown_options *options, pairs_row *row, analytic_err *err);
} pairs_table;

/* ---- rows ------------------------------------------------------------------------------------ */

static bool fill_row(const pairs_printed *printed, const occupancy_kernel *k1, const occupancy_kernel *k2,
                     const slowdown_options *options, pairs_row *row, analytic_err *err)
{
    const double exec_time_k1 = 1; /* s: the thesis gives none, and by default none is needed */
    pairs_row r = {.name = printed->name, .printed_estimate = printed->estimate, .measured = printed->actual,
                   .printed_error = printed->error};
    analytic_err why;

    if (!slowdown_compute(occupancy_gpu_find("cc3.5"), k1, k2, exec_time_k1, options, &r.ours, &why) ||
        !slowdown_error(r.ours.slowdown, r.measured, &r.error, &why))
        return analytic_fail(err, "%s: %s", r.name, why.text);
    r.estimate_matches = fabs(r.ours.slowdown - r.printed_estimate) <= HALF_A_DIGIT;
    r.measured_within_3 = fabs(r.error) <= 3;
    *row = r;
    return true;
}

static bool index_check(unsigned index, unsigned rows, analytic_err *err)
{
    return index < rows || analytic_fail(err, "row is %u; give 0 to %u", index, rows - 1);
}

bool pairs_row_6_3(unsigned index, const slowdown_options *options, pairs_row *row, analytic_err *err)
{
    return index_check(index, PAIRS_TABLE_6_3, err) &&
           fill_row(&pairs_printed_6_3[index], &pairs_synthetic[(size_t)2 * index],
                    &pairs_synthetic[(size_t)2 * index + 1], options, row, err);
}

bool pairs_row_6_5(unsigned index, const slowdown_options *options, pairs_row *row, analytic_err *err)
{
    return index_check(index, PAIRS_TABLE_6_5, err) &&
           fill_row(&pairs_printed_6_5[index], &pairs_rodinia[PAIRS_RODINIA - 1].config,
                    &pairs_rodinia[index].config, options, row, err);
}

/* ---- summary --------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static pairs_summary summarize(const pairs_row *rows, unsigned num)
{
    pairs_summary s = {.pairs = num, .worst = rows[0].name};
    double errors[PAIRS_TABLE_6_3] = {0};

    for (unsigned i = 0; i < num; i++) {
        errors[i] = fabs(rows[i].error);
        s.estimates += rows[i].estimate_matches;
        s.within_3 += rows[i].measured_within_3;
        s.mean_error += errors[i] / num;
        s.printed_mean += rows[i].printed_error / num;
        if (errors[i] > s.worst_error) {
            s.worst_error = errors[i];
            s.worst = rows[i].name;
        }
    }
    qsort(errors, num, sizeof errors[0], by_size);
    s.median_error = (errors[(num - 1) / 2] + errors[num / 2]) / 2;
    return s;
}

/* ---- text and CSV ---------------------------------------------------------------------------- */

static const char *yes_no(bool yes)
{
    return yes ? "yes" : "no";
}

static void print_head(FILE *out, bool csv, const pairs_table *table)
{
    if (csv) {
        fputs("pair,case,active_k1,active_k2,waves,capacity,limited_waves,printed_estimate,estimate,"
              "estimate_matches,measured,printed_error_percent,error_percent,within_3_percent\n", out);
        return;
    }
    fprintf(out, "%s\n", table->title);
    fprintf(out, "%-9s %4s %3s %3s %6s %5s %8s %8s %8s %5s %9s %9s %8s %6s\n", "pair", "case", "A1", "A2",
            "waves", "cap", "limited", "printed", "ours", "same", "measured", "its err", "our err", "<= 3 %");
}

static void print_row(FILE *out, bool csv, const pairs_row *r)
{
    const char *format = csv ? "%s,%s,%u,%u,%u,%llu,%.3f,%.3f,%.6f,%s,%.3f,%.2f,%.4f,%s\n"
                             : "%-9s %4s %3u %3u %6u %5llu %8.2f %8.3f %8.3f %5s %9.3f %8.2f%% %7.2f%% %6s\n";

    fprintf(out, format, r->name, slowdown_case_name(r->ours.concurrency), r->ours.k1.active_blocks,
            r->ours.k2.active_blocks, r->ours.waves_k2, (unsigned long long)r->ours.capacity,
            r->ours.waves_with_lim_res, r->printed_estimate, r->ours.slowdown, yes_no(r->estimate_matches),
            r->measured, r->printed_error, r->error, yes_no(r->measured_within_3));
}

static void print_summary(FILE *out, bool csv, const pairs_summary *s)
{
    const char *mark = csv ? "# " : "";

    fprintf(out, "%sprinted estimates given: %u of %u; measured slowdowns within 3 %%: %u of %u\n", mark,
            s->estimates, s->pairs, s->within_3, s->pairs);
    fprintf(out, "%s|error|: mean %.2f %%, median %.2f %%, worst %.2f %% (%s); the thesis' mean %.2f %%\n",
            mark, s->mean_error, s->median_error, s->worst_error, s->worst, s->printed_mean);
}

static bool print_table(const pairs_table *table, FILE *out, bool csv, const slowdown_options *options,
                        pairs_summary *summary, analytic_err *err)
{
    pairs_row rows[PAIRS_TABLE_6_3] = {0};
    pairs_summary s;

    for (unsigned i = 0; i < table->pairs; i++)
        if (!table->row(i, options, &rows[i], err))
            return false;
    s = summarize(rows, table->pairs);
    if (out) {
        print_head(out, csv, table);
        for (unsigned i = 0; i < table->pairs; i++)
            print_row(out, csv, &rows[i]);
        print_summary(out, csv, &s);
    }
    if (summary)
        *summary = s;
    return true;
}

bool pairs_table_6_3(FILE *out, bool csv, const slowdown_options *options, pairs_summary *summary,
                     analytic_err *err)
{
    static const pairs_table table = {
        "Table 6.3: slowdown of the second of two synthetic kernels, Tesla K40c", PAIRS_TABLE_6_3,
        pairs_row_6_3};

    return print_table(&table, out, csv, options, summary, err);
}

bool pairs_table_6_5(FILE *out, bool csv, const slowdown_options *options, pairs_summary *summary,
                     analytic_err *err)
{
    static const pairs_table table = {"Table 6.5: slowdown of a Rodinia kernel beside PFL, Tesla K40c",
                                      PAIRS_TABLE_6_5, pairs_row_6_5};

    return print_table(&table, out, csv, options, summary, err);
}
