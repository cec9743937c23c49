/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/pairs.h"

#include <math.h>
#include <stdlib.h>

/* The thesis prints its estimates to two decimals, those of Table 6.5 with a zero behind them. */
#define HALF_A_DIGIT 0.005

bool pairs_row_compute(const pairs_printed *printed, const slowdown_options *options, pairs_row *row,
                       analytic_err *err)
{
    const double exec_time_k1 = 1; /* s: the thesis gives none, and by default none is needed */
    pairs_row r;
    analytic_err why;

    if (!slowdown_compute(occupancy_gpu_find("cc3.5"), &printed->k1, &printed->k2, exec_time_k1, options, &r.ours,
                          &why) ||
        !slowdown_error(r.ours.slowdown, printed->actual, &r.error, &why))
        return analytic_fail(err, "%s: %s", printed->name, why.text);
    r.estimate_matches = fabs(r.ours.slowdown - printed->estimate) <= HALF_A_DIGIT;
    r.measured_within_3 = fabs(r.error) <= 3;
    *row = r;
    return true;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static pairs_summary summarize(const pairs_table *table, const pairs_row *rows)
{
    const unsigned num = table->num;
    pairs_summary s = {.pairs = num, .worst = table->row[0].name};
    double errors[PAIRS_MAX] = {0};

    for (unsigned i = 0; i < num; i++) {
        errors[i] = fabs(rows[i].error);
        s.estimates += rows[i].estimate_matches;
        s.within_3 += rows[i].measured_within_3;
        s.mean_error += errors[i] / num;
        s.printed_mean += table->row[i].error / num;
        if (errors[i] > s.worst_error) {
            s.worst_error = errors[i];
            s.worst = table->row[i].name;
        }
    }
    qsort(errors, num, sizeof errors[0], by_size);
    s.median_error = (errors[(num - 1) / 2] + errors[num / 2]) / 2;
    return s;
}

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

static void print_row(FILE *out, bool csv, const pairs_printed *p, const pairs_row *r)
{
    const char *format = csv ? "%s,%s,%u,%u,%u,%llu,%.3f,%.3f,%.6f,%s,%.3f,%.2f,%.4f,%s\n"
                             : "%-9s %4s %3u %3u %6u %5llu %8.2f %8.3f %8.3f %5s %9.3f %8.2f%% %7.2f%% %6s\n";

    fprintf(out, format, p->name, slowdown_case_name(r->ours.concurrency), r->ours.k1.active_blocks,
            r->ours.k2.active_blocks, r->ours.waves_k2, (unsigned long long)r->ours.capacity,
            r->ours.waves_with_lim_res, p->estimate, r->ours.slowdown, yes_no(r->estimate_matches),
            p->actual, p->error, r->error, yes_no(r->measured_within_3));
}

static void print_summary(FILE *out, bool csv, const pairs_summary *s)
{
    const char *mark = csv ? "# " : "";

    fprintf(out, "%sprinted estimates given: %u of %u; measured slowdowns within 3 %%: %u of %u\n", mark,
            s->estimates, s->pairs, s->within_3, s->pairs);
    fprintf(out, "%s|error|: mean %.2f %%, median %.2f %%, worst %.2f %% (%s); the thesis' mean %.2f %%\n",
            mark, s->mean_error, s->median_error, s->worst_error, s->worst, s->printed_mean);
}

bool pairs_print(const pairs_table *table, FILE *out, bool csv, const slowdown_options *options,
                 pairs_summary *summary, analytic_err *err)
{
    pairs_row rows[PAIRS_MAX] = {0};
    pairs_summary s;

    for (unsigned i = 0; i < table->num; i++)
        if (!pairs_row_compute(&table->row[i], options, &rows[i], err))
            return false;
    s = summarize(table, rows);
    if (out) {
        print_head(out, csv, table);
        for (unsigned i = 0; i < table->num; i++)
            print_row(out, csv, &table->row[i], &rows[i]);
        print_summary(out, csv, &s);
    }
    if (summary)
        *summary = s;
    return true;
}
