/* SPDX-License-Identifier: Apache-2.0
 *
 * Profiles as text: every key, what is left out, and what is refused where.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <cmocka.h>

#include "analytic/kernel_file.h"
#include "analytic/model_fixture.h"

static analytic_kernel read_text(const char *text)
{
    char err[KERNEL_FILE_ERR] = "";
    analytic_kernel kernel;

    if (!kernel_file_read(&kernel, model_file("a.kernel", text), err))
        fail_msg("%s", err);
    return kernel;
}

/* `says` follows "PATH:LINE: ", or "PATH: " for line 0. */
static void refuse_path(const char *path, unsigned line, const char *says)
{
    char err[KERNEL_FILE_ERR] = "", wanted[KERNEL_FILE_ERR];
    analytic_kernel kernel, before;

    memset(&kernel, 0x5a, sizeof kernel);
    memcpy(&before, &kernel, sizeof kernel);
    if (line)
        snprintf(wanted, sizeof wanted, "%s:%u: %s", path, line, says);
    else
        snprintf(wanted, sizeof wanted, "%s: %s", path, says);
    if (kernel_file_read(&kernel, path, err))
        fail_msg("not refused: %s", wanted);
    assert_memory_equal(&kernel, &before, sizeof kernel);
    if (strncmp(err, wanted, strlen(wanted)) != 0)
        fail_msg("\"%s\" does not begin with \"%s\"", err, wanted);
    assert_null(strchr(err, '\n'));
}

static void refuse(const char *text, unsigned line, const char *says)
{
    refuse_path(model_file("a.kernel", text), line, says);
}

/* ---- what is read ---------------------------------------------------------------------------- */

static void every_key(void **state)
{
    const analytic_kernel k = read_text(
        "name = \"mine\"; blocks = 1; threads_per_block = 2; regs_per_thread = 3; shared_per_block = 4;\n"
        "arithmetic = 1000.0; mix = { int = 0.1; fp = 0.2; sfu = 0.3; alu = 0.4; };\n"
        "shared_insts = 5.5; const_insts = 6.5; texture_insts = 7.5; local_insts = 8.5;\n"
        "coal_mem_insts = 9.5; uncoal_mem_insts = 10.5; uncoal_per_mw = 11.5; load_bytes = 12.5;\n"
        "independent_loads = 13.5; mem_latency = 14.5; synch_insts = 15.5;\n");

    (void)state;
    assert_string_equal(k.name, "mine");
    assert_true(k.blocks == 1 && k.threads_per_block == 2 && k.regs_per_thread == 3 && k.shared_per_block == 4);
    assert_true(fabs(k.int_insts - 100) < 1e-9 && fabs(k.fp_insts - 200) < 1e-9);
    assert_true(fabs(k.sfu_insts - 300) < 1e-9 && fabs(k.alu_insts - 400) < 1e-9);
    assert_true(k.shared_insts == 5.5 && k.const_insts == 6.5 && k.texture_insts == 7.5 && k.local_insts == 8.5);
    assert_true(k.coal_mem_insts == 9.5 && k.uncoal_mem_insts == 10.5 && k.uncoal_per_mw == 11.5);
    assert_true(k.load_bytes == 12.5 && k.independent_loads == 13.5 && k.mem_latency == 14.5);
    assert_true(k.synch_insts == 15.5);
}

static void keys_that_may_be_left_out(void **state)
{
    const analytic_kernel k = read_text(model_profile);

    (void)state;
    assert_true(k.uncoal_per_mw == 1 && k.load_bytes == 128 && k.independent_loads == 1);
    assert_true(k.mem_latency == 0 && k.synch_insts == 0 && k.shared_insts == 0 && k.const_insts == 0);
    assert_true(k.texture_insts == 0 && k.local_insts == 0);
    assert_true(k.int_insts == 50 && k.alu_insts == 50 && k.fp_insts == 0 && k.sfu_insts == 0);
}

static void numbers_may_be_whole_and_counts_large(void **state)
{
    const analytic_kernel whole = read_text(model_replaced(model_profile, "100.0", "100"));
    const analytic_kernel large = read_text(model_replaced(model_profile, "450", "4294967295L"));

    (void)state;
    assert_true(whole.int_insts == 50);
    assert_int_equal(large.blocks, UINT32_MAX);
    assert_int_equal(read_text(model_replaced(model_profile, "1024", "0")).shared_per_block, 0);
}

static void a_name_of_any_length_that_fits(void **state)
{
    char name[ANALYTIC_NAME + 3], longest[ANALYTIC_NAME];

    (void)state;
    memset(longest, 'n', sizeof longest);
    longest[ANALYTIC_NAME - 1] = '\0';
    snprintf(name, sizeof name, "\"%s\"", longest);
    assert_string_equal(read_text(model_replaced(model_profile, "\"mine\"", name)).name, longest);
    snprintf(name, sizeof name, "\"%sn\"", longest);
    refuse(model_replaced(model_profile, "\"mine\"", name), 1, "name must be a text");
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void a_missing_key(void **state)
{
    static const struct {
        const char *key, *line;
    } required[] = {
        {"name", "name = \"mine\";\n"},
        {"blocks", "blocks = 450;\n"},
        {"threads_per_block", "threads_per_block = 256;\n"},
        {"regs_per_thread", "regs_per_thread = 20;\n"},
        {"shared_per_block", "shared_per_block = 1024;\n"},
        {"arithmetic", "arithmetic = 100.0;\n"},
        {"coal_mem_insts", "\ncoal_mem_insts = 4.0;"},
        {"uncoal_mem_insts", "uncoal_mem_insts = 2.0;\n"},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof required / sizeof required[0]; i++) {
        char says[100];

        snprintf(says, sizeof says, "%s is missing; add '%s = ...;'", required[i].key, required[i].key);
        refuse(model_replaced(model_profile, required[i].line, ""), 0, says);
    }
    refuse("", 0, "name is missing; add 'name = ...;'");
    refuse("# nothing but a remark\n", 0, "name is missing; add 'name = ...;'");
}

static void an_unknown_key(void **state)
{
    (void)state;
    refuse(model_replaced(model_profile, "arithmetic = 100.0;", "arithmetics = 100.0;"), 6,
           "arithmetics is no key of such a file; doc/use/analytic.md and doc/use/workloads.md list them");
    refuse(model_replaced(model_profile, "alu = 0.5;", "alu = 0.5;\n lsu = 0.1;"), 8, "lsu is no key");
    refuse(model_replaced(model_profile, "arithmetic", "mixes = { int = 1.0; };\narithmetic"), 6,
           "mixes is no key");
    refuse(model_replaced(model_profile, "mine", "mine\"; power = \"1"), 1, "power is no key");
    refuse(model_replaced(model_profile, "arithmetic", "Blocks = 4;\narithmetic"), 6, "Blocks is no key");
}

static void a_key_given_twice(void **state)
{
    (void)state;
    refuse(model_replaced(model_profile, "arithmetic", "blocks = 450;\narithmetic"), 6, "duplicate setting name");
}

static void a_count_that_is_none(void **state)
{
    static const char *const bad[] = {"-1", "4.0", "4.5", "\"450\"", "4294967296L", "-4294967295L", "true",
                                      "[450]", "(450)", "{ n = 450; }"};

    (void)state;
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
        refuse(model_replaced(model_profile, "450", bad[i]), 2,
               "blocks must be a whole number from 0 to 4294967295");
    refuse(model_replaced(model_profile, "20;", "20.0;"), 4, "regs_per_thread must be a whole number");
}

static void a_number_that_is_none(void **state)
{
    static const char *const bad[] = {"\"4.0\"", "true", "[4.0]", "(4.0)", "{ n = 4.0; }"};

    (void)state;
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
        refuse(model_replaced(model_profile, "4.0", bad[i]), 8, "coal_mem_insts must be a number");
    refuse(model_replaced(model_profile, "int = 0.5", "int = \"half\""), 7, "int must be a number");
}

/* It stands in CSV files and in the plots' commands. */
static void a_name_that_is_none(void **state)
{
    static const char *const bad[] = {"5", "\"\"", "true", "\"a,b\"", "\"a\\\"b\"", "\"it's\"", "\"a\\nb\"",
                                      "\"a\\tb\"", "\"a\\x01\"", "[\"mine\"]"};

    (void)state;
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
        refuse(model_replaced(model_profile, "\"mine\"", bad[i]), 1, "name must be a text");
}

static void shares_that_are_none(void **state)
{
    (void)state;
    refuse(model_replaced(model_profile, "alu = 0.5", "alu = 0.4"), 0, "the shares of mix sum up to 0.9; give");
    refuse(model_replaced(model_profile, "alu = 0.5", "alu = 0.5; sfu = 0.1"), 0, "the shares of mix sum up to 1.1");
    refuse(model_replaced(model_profile, "alu = 0.5", "alu = 0.500002"), 0, "the shares of mix");
    refuse(model_replaced(model_profile, "int = 0.5; alu = 0.5;", ""), 0, "the shares of mix sum up to 0");
    /* Negative shares, each in its place. */
    refuse(model_replaced(model_profile, "int = 0.5; alu = 0.5;", "int = -1.0; fp = 2.0;"), 0, "the shares");
    refuse(model_replaced(model_profile, "int = 0.5; alu = 0.5;", "fp = -1.0; sfu = 2.0;"), 0, "the shares");
    refuse(model_replaced(model_profile, "int = 0.5; alu = 0.5;", "sfu = -1.0; alu = 2.0;"), 0, "the shares");
    refuse(model_replaced(model_profile, "int = 0.5; alu = 0.5;", "alu = -1.0; int = 2.0;"), 0, "the shares");
    assert_true(read_text(model_replaced(model_profile, "alu = 0.5", "alu = 0.5000005")).int_insts == 50);
}

static void a_mix_that_is_none(void **state)
{
    (void)state;
    refuse(model_replaced(model_profile, "mix = { int = 0.5; alu = 0.5; };\n", ""), 0,
           "the group mix is missing; add 'mix = { int = 0.5; alu = 0.5; };'");
    refuse(model_replaced(model_profile, "{ int = 0.5; alu = 0.5; }", "1.0"), 0, "the group mix is missing");
    refuse(model_replaced(model_profile, "{ int = 0.5; alu = 0.5; }", "[ 0.5, 0.5 ]"), 0, "the group mix is missing");
}

/* `arithmetic` is in no error of predict, which sees its parts. */
static void arithmetic_that_is_none(void **state)
{
    (void)state;
    refuse(model_replaced(model_profile, "100.0", "-100.0"), 0, "arithmetic is -100; give 0 or more");
    refuse(model_replaced(model_profile, "100.0", "1e999"), 0, "arithmetic is inf; give 0 or more");
    assert_true(read_text(model_replaced(model_profile, "100.0", "0.0")).alu_insts == 0);
}

static void a_file_that_is_none(void **state)
{
    char path[MODEL_PATH];

    (void)state;
    snprintf(path, sizeof path, "%s/none.kernel", model_folder());
    refuse_path(path, 0, "No such file or directory");
    refuse_path(model_folder(), 0, "Is a directory");
    refuse(model_replaced(model_profile, "thread = 20;", "thread 20;"), 4, "syntax error; write lines");
    refuse(model_replaced(model_profile, "thread = 20;", "thread = ;"), 4, "syntax error; write lines");
    refuse(model_replaced(model_profile, "alu = 0.5; };", "alu = 0.5;"), 10, "syntax error; write lines");
    refuse("this is no profile\n", 1, "syntax error");
    refuse("\x01\x02\xff\xfe", 1, "syntax error");
}

static void files_are_closed(void **state)
{
    const struct rlimit few = {.rlim_cur = 64, .rlim_max = 64};
    char path[MODEL_PATH], err[KERNEL_FILE_ERR];
    analytic_kernel kernel;

    (void)state;
    snprintf(path, sizeof path, "%s", model_file("good.kernel", model_profile));
    model_file("bad.kernel", "blocks = ;\n");
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    for (unsigned i = 0; i < 100; i++)
        assert_true(kernel_file_read(&kernel, path, err));
    snprintf(path, sizeof path, "%s/bad.kernel", model_folder());
    for (unsigned i = 0; i < 100; i++) {
        assert_false(kernel_file_read(&kernel, path, err));
        model_assert_says(err, "syntax error");
        assert_false(kernel_file_read(&kernel, model_folder(), err));
        model_assert_says(err, "Is a directory");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key),
        cmocka_unit_test(keys_that_may_be_left_out),
        cmocka_unit_test(numbers_may_be_whole_and_counts_large),
        cmocka_unit_test(a_name_of_any_length_that_fits),
        cmocka_unit_test(a_missing_key),
        cmocka_unit_test(an_unknown_key),
        cmocka_unit_test(a_key_given_twice),
        cmocka_unit_test(a_count_that_is_none),
        cmocka_unit_test(a_number_that_is_none),
        cmocka_unit_test(a_name_that_is_none),
        cmocka_unit_test(shares_that_are_none),
        cmocka_unit_test(a_mix_that_is_none),
        cmocka_unit_test(arithmetic_that_is_none),
        cmocka_unit_test(a_file_that_is_none),
        cmocka_unit_test(files_are_closed),
    };

    return cmocka_run_group_tests_name("kernel_file", tests, model_folder_make, model_folder_remove);
}
