/* SPDX-License-Identifier: Apache-2.0
 *
 * Prediction beside recording: whose profile, how far it is off, what is printed of it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/suite_fixture.h"
#include "analytic/model_fixture.h"
#include "analytic/oracle.h"

static oracle made; /* large; one at a time */

/* Limits 1 to 4 with these rates; recorded 0: not recorded. */
static oracle *make(const double recorded[4], const double predicted[4])
{
    memset(&made, 0, sizeof made);
    snprintf(made.name, sizeof made.name, "kernel");
    made.measured.nmax = made.prediction.nmax = 4;
    for (unsigned n = 1; n <= 4; n++) {
        made.measured.ipc[n] = recorded[n - 1];
        made.prediction.point[n] = (analytic_prediction_point){.ipc = predicted[n - 1], .cycles = 1000.0 * n,
                                                               .energy = 0.5 * n, .power.gpu_power = 100.25 + n,
                                                               .time.case_number = MWP_CWP_CASE_3};
    }
    made.measured.optimum = 3;
    made.prediction.best_limit = 2;
    made.prediction.has_category = true;
    made.prediction.throughput.category = 9;
    return &made;
}

static oracle *typical(void)
{
    return make((const double[]){1, 1.5, 2, 1.8}, (const double[]){1.1, 1.5, 1.8, 1.8});
}

static oracle *with_choices(void)
{
    static const char *const choosers[] = {"static", "perfsat", "lcs"};
    static const unsigned choices[] = {4, 0, 3};
    oracle *o = typical();

    o->num_choices = 3;
    memcpy(o->chooser, choosers, sizeof choosers);
    memcpy(o->choice, choices, sizeof choices);
    return o;
}

static void near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-12 * (1 + fabs(want))))
        fail_msg("%.17g is not %.17g", got, want);
}

/* ---- error ----------------------------------------------------------------------------------- */

TEST(the_error_is_the_mean_of_all_limits)
{
    near(oracle_error(typical()), 100 * (0.1 + 0 + 0.1 + 0) / 4);
    near(oracle_error(make((const double[]){1, 2, 3, 4}, (const double[]){1, 2, 3, 4})), 0);
    /* Too little and too much do not cancel out. */
    near(oracle_error(make((const double[]){1, 1, 2, 2}, (const double[]){0.5, 1.5, 4, 1})), 100 * 2.5 / 4);
}

TEST(limits_that_were_not_recorded_do_not_count)
{
    oracle *o = make((const double[]){1, 0, 2, 0}, (const double[]){1.5, 9, 2, 9});

    near(oracle_error(o), 25);
    o->measured.nmax = 1;
    near(oracle_error(o), 50);
    o->measured.nmax = 4;
    o->prediction.nmax = 2;
    near(oracle_error(o), 50);
    near(oracle_error(make((const double[]){0, 0, 0, 0}, (const double[]){1, 1, 1, 1})), 0);
}

/* ---- profiles -------------------------------------------------------------------------------- */

/* Of GPU fermi. */
static oracle_source source_in(const char *folder)
{
    static analytic_gpu gpu;

    assert_true(analytic_gpu_find("fermi", &gpu));
    return (oracle_source){.kernels = folder, .gpu = &gpu, .options = analytic_predict_options_default()};
}

TEST(a_profile_is_predicted)
{
    static analytic_prediction want;
    const oracle_source source = source_in(model_folder());
    char err[ORACLE_ERR] = "";
    analytic_kernel kernel = {.blocks = 450, .threads_per_block = 256, .regs_per_thread = 20,
                              .shared_per_block = 1024,
                              .int_insts = 50, .alu_insts = 50, .coal_mem_insts = 4, .uncoal_mem_insts = 2,
                              .uncoal_per_mw = 1, .load_bytes = 128, .independent_loads = 1};
    analytic_err why;

    model_file("a.launch2.kernel", model_profile);
    assert_int_equal(oracle_predict(&made, &source, "a.launch2", err), ORACLE_FINE);
    assert_string_equal(made.name, "a.launch2");
    assert_true(analytic_predict(source.gpu, &kernel, NULL, &want, &why));
    assert_int_equal(made.prediction.nmax, want.nmax);
    assert_int_equal(made.prediction.best_limit, want.best_limit);
    near(made.prediction.point[want.nmax].cycles, want.point[want.nmax].cycles);
    assert_int_equal(made.num_choices, 0);
    assert_int_equal(made.measured.nmax, 0);
}

TEST(the_readings_count)
{
    oracle_source source = source_in(model_folder());
    char err[ORACLE_ERR] = "";
    double before;

    model_file("a.kernel", model_profile);
    assert_int_equal(oracle_predict(&made, &source, "a", err), ORACLE_FINE);
    before = made.prediction.point[1].cycles;
    source.options.time.coal_departure = false;
    assert_int_equal(oracle_predict(&made, &source, "a", err), ORACLE_FINE);
    assert_true(made.prediction.point[1].cycles < before);
}

TEST(no_profile)
{
    const oracle_source here = source_in(model_folder()), nowhere = source_in("/nowhere");
    char err[ORACLE_ERR] = "untouched";

    assert_int_equal(oracle_predict(&made, &here, "none", err), ORACLE_NO_PROFILE);
    assert_string_equal(made.name, "none");
    assert_int_equal(oracle_predict(&made, &nowhere, "fma", err), ORACLE_NO_PROFILE);
    assert_string_equal(err, "untouched");
}

TEST(a_profile_that_cannot_be)
{
    const oracle_source source = source_in(model_folder());
    char err[ORACLE_ERR] = "", wanted[ORACLE_ERR];

    snprintf(wanted, sizeof wanted, "%s:7: ",
             model_file("bad.kernel", model_replaced(model_profile, "arithmetic", "all")));
    assert_int_equal(oracle_predict(&made, &source, "bad", err), ORACLE_BAD);
    model_assert_says(err, wanted);
    snprintf(wanted, sizeof wanted, "%s on fermi: threads_per_block is 2560",
             model_file("large.kernel", model_replaced(model_profile, "256", "2560")));
    assert_int_equal(oracle_predict(&made, &source, "large", err), ORACLE_BAD);
    assert_int_equal(strncmp(err, wanted, strlen(wanted)), 0);
}

/* ---- text ------------------------------------------------------------------------------------ */

static void print_text(FILE *f, const void *user)
{
    oracle_print_header(f, user);
    oracle_print(f, user);
}

static void print_csv(FILE *f, const void *user)
{
    oracle_csv_header(f, user);
    oracle_csv(f, user);
}

/* A value begins under its name; numbers that end under theirs left aside. */
TEST(columns_stand_below_each_other)
{
    static const char *const names[] = {"recorded", "model", "category", "static", "perfsat", "lcs"};
    static const char *const values[] = {"3 ", "2   75%", "9 ", "4   90%", "- ", "3  100%"};
    const char *text = model_printed(print_text, with_choices());
    const char *second = strchr(text, '\n') + 1;

    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *name = strstr(text, names[i]);

        assert_non_null(name);
        assert_int_equal(strncmp(second + (name - text), values[i], strlen(values[i])), 0);
    }
}

TEST(a_limit_beyond_the_recordings)
{
    oracle *o = typical();
    const char *text;

    o->prediction.nmax = o->prediction.best_limit = ANALYTIC_PREDICT_MAX_BLOCKS;
    text = model_printed(print_text, o);
    model_assert_says(text, "64    0%");
}

/* Speeds are those of the recordings, 2 being the fastest. An empty cell of CSV is not known. */
TEST(what_is_printed)
{
    enum { CELLS = 4 };
    static const struct {
        bool choices, no_category, simulated;
        const char *text, *csv_header;
        struct {
            unsigned line, column;
            const char *text;
        } cell[CELLS];
    } rows[] = {
        {true, false, false,
         "kernel Nmax recorded model error category static perfsat lcs\nkernel 4 3 2 75% 5% 9 4 90% - 3 100%\n",
         "kernel,limit,recorded_ipc,model_ipc,model_cycles,model_watts,model_joules,case,best_recorded,best_model,category,"
         "static,perfsat,lcs\n", {{1, 1, "1"}, {3, 1, "3"}, {4, 1, "4"}, {4, 13, "3"}}},
        {false, true, false, "kernel Nmax recorded model error category\nkernel 4 3 2 75% 5% -\n",
         "kernel,limit,recorded_ipc,", {{4, 10, ""}, {4, 9, "2"}}},
        {false, false, true, "kernel Nmax simulated model error category\nkernel 4 3 2 75% 5% 9\n",
         "kernel,limit,simulated_ipc,", {{0, 8, "best_simulated"}, {4, 10, "9"}}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        oracle *o = rows[i].choices ? with_choices() : typical();
        const char *csv;

        o->prediction.has_category = !rows[i].no_category;
        o->simulated = rows[i].simulated;
        assert_string_equal(model_printed_words(print_text, o), rows[i].text);
        csv = model_printed(print_csv, o);
        model_assert_table(csv);
        assert_int_equal(strncmp(csv, rows[i].csv_header, strlen(rows[i].csv_header)), 0);
        for (unsigned c = 0; c < CELLS && rows[i].cell[c].text; c++)
            assert_string_equal(model_cell(csv, rows[i].cell[c].line, rows[i].cell[c].column), rows[i].cell[c].text);
    }
    model_assert_says(model_printed(print_csv, with_choices()),
                      "\nkernel,2,1.5000,1.5000,2000,102.25,1,3,3,2,9,4,0,3\n");
}

TEST(csv_up_to_the_lesser_nmax)
{
    oracle *o = typical();
    const char *text;

    o->prediction.nmax = 2;
    text = model_printed(print_csv, o);
    model_assert_table(text);
    assert_null(strstr(text, "kernel,3,"));
    model_assert_says(text, "kernel,2,");
}

/* ---- picture --------------------------------------------------------------------------------- */

static bool has_gnuplot(void)
{
    return system("command -v gnuplot >/dev/null 2>&1") == 0;
}

TEST(a_picture_with_a_place_for_each)
{
    char path[MODEL_PATH];
    const oracle *six[6];

    for (unsigned i = 0; i < 6; i++)
        six[i] = with_choices();
    snprintf(path, sizeof path, "%s/six.svg", model_folder());
    assert_int_equal(oracle_draw(six, 6, path), has_gnuplot());
    assert_int_equal(access(path, F_OK) == 0, has_gnuplot());
    snprintf(path, sizeof path, "%s/one.svg", model_folder());
    assert_int_equal(oracle_draw(six, 1, path), has_gnuplot());
}

TEST(no_picture)
{
    char path[MODEL_PATH];
    const oracle *one[1] = {with_choices()};

    snprintf(path, sizeof path, "%s/none.svg", model_folder());
    assert_false(oracle_draw(one, 0, path));
    snprintf(path, sizeof path, "%s/none/one.svg", model_folder());
    assert_false(oracle_draw(one, 1, path));
    snprintf(path, sizeof path, "%s/it's.svg", model_folder());
    assert_false(oracle_draw(one, 1, path));
}

int main(void)
{
    return suite_run(model_folder_make, model_folder_remove);
}
