/* SPDX-License-Identifier: Apache-2.0
 *
 * A prediction as text, CSV and picture: what is said, and that what is not known is left out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/suite_fixture.h"
#include "analytic/model_fixture.h"
#include "analytic/predict_report.h"

/* What is reported. */
typedef struct subject {
    analytic_gpu gpu;
    analytic_kernel kernel;
    analytic_prediction p;
} subject;

static subject s; /* large; one at a time */

static void predict_on(const char *gpu, double memory_insts)
{
    analytic_err err = {""};

    s.kernel = (analytic_kernel){.name = "mine", .blocks = 480, .threads_per_block = 256, .regs_per_thread = 10,
                                 .fp_insts = 100, .coal_mem_insts = memory_insts, .uncoal_per_mw = 1,
                                 .load_bytes = 512, .independent_loads = 1};
    assert_true(analytic_gpu_find(gpu, &s.gpu));
    if (!analytic_predict(&s.gpu, &s.kernel, NULL, &s.p, &err))
        fail_msg("%s", err.text);
}

static void print_text(FILE *f, const void *user)
{
    const subject *of = user;

    predict_report_text(f, &of->gpu, &of->kernel, &of->p);
}

static void print_csv(FILE *f, const void *user)
{
    const subject *of = user;

    predict_report_csv_header(f);
    predict_report_csv(f, &of->gpu, &of->kernel, &of->p);
}

static const char *text_on(const char *gpu, double memory_insts)
{
    predict_on(gpu, memory_insts);
    return model_printed(print_text, &s);
}

static const char *csv_on(const char *gpu, double memory_insts)
{
    predict_on(gpu, memory_insts);
    return model_printed(print_csv, &s);
}

/* ---- text ------------------------------------------------------------------------------------ */

static void says(const char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void says(const char *text, const char *format, ...)
{
    char wanted[256];
    va_list args;

    va_start(args, format);
    vsnprintf(wanted, sizeof wanted, format, args);
    va_end(args);
    model_assert_says(text, wanted);
}

static void silent(const char *text, const char *what)
{
    if (strstr(text, what))
        fail_msg("\"%s\" says \"%s\"", text, what);
}

TEST(all_there_is_to_say)
{
    const char *text = text_on("gtx280", 10);

    says(text, "mine on gtx280: 480 CTAs of 256 threads\n");
    says(text, "4 CTAs per SM, 32 of 32 warps; the limit: warps\n");
    for (unsigned n = 1; n <= 4; n++)
        says(text, "\n  %4u%c %12.0f %8.3f %8.3f %5d %7.2f %7.2f %10.2f %8.1f %10.4f\n", n,
             n == s.p.best_limit ? '*' : ' ', s.p.point[n].cycles, s.p.point[n].cpi, s.p.point[n].ipc,
             (int)s.p.point[n].time.case_number, s.p.point[n].time.mwp, s.p.point[n].time.cwp,
             1e6 * s.p.point[n].seconds, s.p.point[n].power.gpu_power, 1e3 * s.p.point[n].energy);
    says(text, "best limit       %u: ", s.p.best_limit);
    says(text, "best SMs         %u of 30 by Eq. 63: %s\n", s.p.eq63.cores, ipp_limit_text(s.p.eq63.limit));
    says(text, "%u by work per joule: %.1f %% of the energy saved, %.2f times the time\n", s.p.per_watt.best.cores,
         s.p.per_watt.saving, s.p.per_watt.slowdown);
    says(text, "temperature      %.1f degrees C after a long run, then %.1f W\n", s.p.heat.max_temp,
         s.p.heat.gpu_power);
    says(text, "bottleneck       category %u: %s\n", s.p.throughput.category,
         throughput_category_name(s.p.throughput.category));
    says(text, "suggestion       %s\n", throughput_suggestion(s.p.throughput.category));
    assert_true(s.p.core_advice.applies);
    says(text, "%u of 30 SMs keep the memory busy (Eq. 86), or N = %u per SM (Eq. 91)\n", s.p.core_advice.cores,
         s.p.n_advice.n);
}

TEST(the_clock_if_it_may_be_lower)
{
    const char *text = text_on("gtx280", 200);

    assert_true(s.p.freq_advice.applies);
    says(text, "SM clock %.3f GHz, that is by %.2f (Eq. 93)\n", s.p.freq_advice.freq, s.p.freq_advice.divisor);
    text = text_on("gtx280", 1);
    assert_false(s.p.freq_advice.applies || s.p.core_advice.applies);
    silent(text, "Eq. 93");
    silent(text, "Eq. 86");
}

TEST(no_power_no_watts_no_memory_instruction_no_category)
{
    const char *text = text_on("8800gtx", 10);

    silent(text, "power W");
    silent(text, "joule");
    silent(text, "temperature");
    says(text, "time us\n");
    for (unsigned n = 1; n <= s.p.nmax; n++)
        says(text, "%7.2f %10.2f\n", s.p.point[n].time.cwp, 1e6 * s.p.point[n].seconds);
    says(text, "of 16 by Eq. 63");
    says(text, "category");
    text = text_on("fermi", 10);
    says(text, "power W  energy mJ\n");
    says(text, "by work per joule");
    silent(text, "temperature");
    text = text_on("gtx280", 0);
    says(text, "bottleneck       computation: no memory instruction\n");
    silent(text, "category");
    silent(text, "suggestion");
}

/* ---- CSV ------------------------------------------------------------------------------------- */

TEST(as_many_fields_as_names)
{
    static const char *const gpus[] = {"gtx280", "gtx580", "fermi", "8800gtx"};

    for (unsigned i = 0; i < 4; i++)
        for (unsigned memory = 0; memory <= 10; memory += 10) {
            const char *text = csv_on(gpus[i], memory);

            model_assert_table(text);
            assert_string_equal(model_cell(text, s.p.nmax, 0), "mine");
            assert_string_equal(model_cell(text, s.p.nmax, 1), gpus[i]);
        }
}

static const char *value_of(const char *text, unsigned line, const char *column)
{
    for (unsigned c = 0; c < 21; c++)
        if (!strcmp(model_cell(text, 0, c), column))
            return model_cell(text, line, c);
    fail_msg("no column %s", column);
    return NULL;
}

static void cell(const char *text, unsigned line, const char *column, const char *format, double value)
{
    char want[64];

    snprintf(want, sizeof want, format, value);
    assert_string_equal(value_of(text, line, column), want);
}

TEST(each_value_under_its_name)
{
    const char *text = csv_on("gtx280", 10);

    for (unsigned n = 1; n <= 4; n++) {
        const analytic_prediction_point *at = &s.p.point[n];

        cell(text, n, "limit", "%.0f", n);
        cell(text, n, "cycles", "%.10g", at->cycles);
        cell(text, n, "cpi", "%.6g", at->cpi);
        cell(text, n, "ipc_per_sm", "%.6g", at->ipc);
        cell(text, n, "case", "%.0f", at->time.case_number);
        cell(text, n, "mwp", "%.6g", at->time.mwp);
        cell(text, n, "cwp", "%.6g", at->time.cwp);
        cell(text, n, "seconds", "%.6g", at->seconds);
        cell(text, n, "watts", "%.6g", at->power.gpu_power);
        cell(text, n, "joules", "%.6g", at->energy);
        cell(text, n, "nmax", "%.0f", 4);
        cell(text, n, "best_limit", "%.0f", s.p.best_limit);
        cell(text, n, "best_sms_eq63", "%.0f", s.p.eq63.cores);
        cell(text, n, "best_sms_per_joule", "%.0f", s.p.per_watt.best.cores);
        cell(text, n, "max_temp", "%.6g", s.p.heat.max_temp);
        cell(text, n, "category", "%.0f", s.p.throughput.category);
        cell(text, n, "advised_sms", "%.0f", s.p.core_advice.cores);
        cell(text, n, "advised_warps", "%.0f", s.p.n_advice.n);
        cell(text, n, "advised_ghz", "%.6g", s.p.freq_advice.freq);
    }
}

TEST(what_is_not_known_is_empty)
{
    static const char *const power[] = {"watts", "joules", "best_sms_per_joule", "max_temp"};
    static const char *const chapter_5[] = {"category", "advised_sms", "advised_warps", "advised_ghz"};
    const char *text = csv_on("8800gtx", 0);

    for (unsigned i = 0; i < 4; i++) {
        assert_string_equal(value_of(text, 1, power[i]), "");
        assert_string_equal(value_of(text, 1, chapter_5[i]), "");
    }
    cell(text, 1, "best_sms_eq63", "%.0f", 16);
    text = csv_on("fermi", 10);
    assert_string_equal(value_of(text, 1, "max_temp"), "");
    assert_string_not_equal(value_of(text, 1, "watts"), "");
}

/* ---- picture --------------------------------------------------------------------------------- */

TEST(pictures)
{
    const bool has_gnuplot = system("command -v gnuplot >/dev/null 2>&1") == 0;
    static const char *const gpus[] = {"gtx280", "8800gtx"};
    const analytic_predict_options options = analytic_predict_options_default();
    char path[MODEL_PATH];

    for (unsigned i = 0; i < 2; i++) {
        predict_on(gpus[i], 10);
        snprintf(path, sizeof path, "%s/%s.svg", model_folder(), gpus[i]);
        assert_int_equal(predict_report_draw(&s.gpu, &s.kernel, &s.p, &options, path), has_gnuplot);
    }
    snprintf(path, sizeof path, "%s/none/a.svg", model_folder());
    assert_false(predict_report_draw(&s.gpu, &s.kernel, &s.p, &options, path));
}

/* A path goes into gnuplot's commands, in quotes. */
TEST(a_path_with_a_quote)
{
    const analytic_predict_options options = analytic_predict_options_default();
    char path[3 * MODEL_PATH], trace[MODEL_PATH];

    predict_on("gtx280", 10);
    snprintf(trace, sizeof trace, "%s/trace", model_folder());
    snprintf(path, sizeof path, "%s/a.svg';system(\"touch %s\");set output '%s/b.svg", model_folder(), trace,
             model_folder());
    assert_false(predict_report_draw(&s.gpu, &s.kernel, &s.p, &options, path));
    assert_int_not_equal(access(trace, F_OK), 0);
}

int main(void)
{
    return suite_run(model_folder_make, model_folder_remove);
}
