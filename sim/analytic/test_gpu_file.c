/* SPDX-License-Identifier: Apache-2.0
 *
 * GPUs by name and as text: every key over its base, parameters of power, and what is refused where.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "analytic/predict.h"
#include "analytic/gpu_file.h"
#include "analytic/model_fixture.h"

static analytic_gpu find(const char *what)
{
    char err[GPU_FILE_ERR] = "";
    analytic_gpu gpu;

    if (!gpu_file_find(&gpu, what, err))
        fail_msg("%s", err);
    return gpu;
}

static analytic_gpu read_text(const char *text)
{
    return find(model_file("a.gpu", text));
}

static void refuse_what(const char *what, const char *says)
{
    char err[GPU_FILE_ERR] = "";
    analytic_gpu gpu, before;

    memset(&gpu, 0x5a, sizeof gpu);
    memcpy(&before, &gpu, sizeof gpu);
    if (gpu_file_find(&gpu, what, err))
        fail_msg("not refused: %s", says);
    assert_memory_equal(&gpu, &before, sizeof gpu);
    if (strncmp(err, says, strlen(says)) != 0)
        fail_msg("\"%s\" does not begin with \"%s\"", err, says);
    assert_null(strchr(err, '\n'));
}

/* `says` follows "PATH:LINE: ", or "PATH: " for line 0. */
static void refuse(const char *text, unsigned line, const char *says)
{
    const char *path = model_file("a.gpu", text);
    char wanted[GPU_FILE_ERR];

    if (line)
        snprintf(wanted, sizeof wanted, "%s:%u: %s", path, line, says);
    else
        snprintf(wanted, sizeof wanted, "%s: %s", path, says);
    refuse_what(path, wanted);
}

/* ---- what is read ---------------------------------------------------------------------------- */

static void a_built_in_gpu(void **state)
{
    (void)state;
    for (unsigned i = 0; i < analytic_gpu_count(); i++) {
        analytic_gpu want;

        assert_true(analytic_gpu_at(i, &want));
        assert_string_equal(find(want.name).note, want.note);
        assert_string_equal(find(want.name).name, want.name);
    }
    assert_string_equal(find("Fermi").name, "fermi");
}

static void a_file_is_like_its_base(void **state)
{
    const analytic_gpu base = find("gtx280");
    const analytic_gpu got = read_text("name = \"mine\"; base = \"GTX280\";");

    (void)state;
    assert_string_equal(got.name, "mine");
    assert_string_equal(got.note, "a file");
    assert_memory_equal(&got.occupancy, &base.occupancy, sizeof base.occupancy);
    assert_memory_equal(&got.memory, &base.memory, sizeof base.memory);
    assert_memory_equal(&got.power, &base.power, sizeof base.power);
    assert_true(got.has_power);
    assert_false(read_text("base = \"8800gt\"; name = \"old\";").has_power);
}

static void every_key(void **state)
{
    analytic_gpu want = find("gtx280");
    const analytic_gpu got = read_text(
        "name = \"mine\"; base = \"gtx280\";\n"
        "num_sms = 1; max_warps = 2; max_blocks = 3; max_threads = 4; max_threads_per_block = 5;\n"
        "registers = 6; max_regs_per_block = 7; max_regs_per_thread = 8;\n"
        "shared_bytes = 9; max_shared_per_block = 10;\n"
        "freq_ghz = 11.5; bandwidth_gb_s = 12.5; mem_ld = 13.5; departure_coal = 14.5;\n"
        "departure_uncoal = 15.5; issue_cycles = 16.5;\n");

    (void)state;
    want.occupancy.num_sms = 1;
    want.occupancy.max_warps = 2;
    want.occupancy.max_blocks = 3;
    want.occupancy.max_threads = 4;
    want.occupancy.max_threads_per_block = 5;
    want.occupancy.registers = 6;
    want.occupancy.max_regs_per_block = 7;
    want.occupancy.max_regs_per_thread = 8;
    want.occupancy.shared_bytes = 9;
    want.occupancy.max_shared_per_block = 10;
    want.memory.freq_ghz = 11.5;
    want.memory.bandwidth_gb_s = 12.5;
    want.memory.mem_ld = 13.5;
    want.memory.departure_coal = 14.5;
    want.memory.departure_uncoal = 15.5;
    want.memory.issue_cycles = 16.5;
    assert_memory_equal(&got.occupancy, &want.occupancy, sizeof want.occupancy);
    assert_memory_equal(&got.memory, &want.memory, sizeof want.memory);
    assert_memory_equal(&got.power, &want.power, sizeof want.power);
}

static void parameters_of_power(void **state)
{
    ipp_params want = find("gtx580").power;
    const analytic_gpu got = read_text(
        "name = \"mine\"; base = \"gtx580\";\n"
        "power = { idle_power = 30.5; log_cores = true; beta = 2;\n"
        "          fp = { max_power = 0.3; special_linear = false; }; l2 = { exists = 0; };\n"
        "          thermal = { mu = 0.25; lambda = 5.5; rc_rise = 30.0; rc_decay = 60.0; idle_temp = 50.0;\n"
        "                      known = true; }; };\n");

    (void)state;
    want.idle_power = 30.5;
    want.log_cores = true;
    want.beta = 2;
    want.unit[IPP_FP].max_power = 0.3;
    want.unit[IPP_FP].special_linear = false;
    want.unit[IPP_L2].exists = false;
    want.thermal.mu = 0.25;
    want.thermal.lambda = 5.5;
    want.thermal.rc_rise = 30;
    want.thermal.rc_decay = 60;
    want.thermal.idle_temp = 50;
    want.thermal.known = true;
    assert_memory_equal(&got.power, &want, sizeof want);
    assert_true(read_text("name = \"mine\"; base = \"gtx280\"; power = { };").has_power);
}

static void it_predicts(void **state)
{
    static prediction p, half;
    const analytic_kernel kernel = {
        .name = "k", .blocks = 3000, .threads_per_block = 256, .regs_per_thread = 10, .fp_insts = 10,
        .coal_mem_insts = 5, .uncoal_per_mw = 1, .load_bytes = 128, .independent_loads = 1};
    const analytic_gpu gtx280 = find("gtx280");
    const analytic_gpu slow = read_text("name = \"slow\"; base = \"gtx280\"; bandwidth_gb_s = 70.85;");
    analytic_err err = {""};

    (void)state;
    assert_true(predict(&gtx280, &kernel, NULL, &p, &err));
    assert_true(predict(&slow, &kernel, NULL, &half, &err));
    assert_true(half.point[half.nmax].cycles > 1.5 * p.point[p.nmax].cycles);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void no_such_gpu(void **state)
{
    char path[MODEL_PATH], says[2 * MODEL_PATH];

    (void)state;
    refuse_what("gtx999", "no GPU 'gtx999'; 'ballast analytic gpus' lists them, or name a file");
    refuse_what("", "no GPU ''");
    snprintf(path, sizeof path, "%s/none.gpu", model_folder());
    snprintf(says, sizeof says, "%s: No such file or directory", path);
    refuse_what(path, says);
    snprintf(says, sizeof says, "%s: Is a directory", model_folder());
    refuse_what(model_folder(), says);
    refuse_what("none.gpu", "none.gpu: No such file or directory");
}

static void a_base_that_is_none(void **state)
{
    (void)state;
    refuse("name = \"mine\";\nnum_sms = 4;\n", 0, "base is missing; add 'base = \"gtx280\";'");
    refuse("", 0, "base is missing");
    refuse("name = \"mine\";\nbase = \"gtx\";\n", 2, "base must be a built-in GPU; 'ballast analytic gpus' lists them");
    refuse("name = \"mine\";\nbase = 280;\n", 2, "base must be a built-in GPU");
}

static void keys_that_are_none(void **state)
{
    (void)state;
    refuse("base = \"gtx280\";\n", 0, "name is missing; add 'name = ...;'");
    refuse("name = \"mine\";\nbase = \"gtx280\";\nsms = 4;\n", 3, "sms is no key of such a file");
    refuse("name = \"mine\";\nbase = \"gtx280\";\nidle_power = 4.0;\n", 3, "idle_power is no key of such a file");
    refuse("name = \"mine\";\nbase = \"gtx280\";\nnum_sms = 4.5;\n", 3, "num_sms must be a whole number");
    refuse("name = \"mine\";\nbase = \"gtx280\";\nnum_sms = -4;\n", 3, "num_sms must be a whole number");
    refuse("name = \"mine\";\nbase = \"gtx280\";\nmem_ld = \"long\";\n", 3, "mem_ld must be a number");
    refuse("name = 280;\nbase = \"gtx280\";\n", 1, "name must be a text");
    refuse("name = \"a,b\";\nbase = \"gtx280\";\n", 1, "name must be a text");
    refuse("name = \"mine\";\nbase = ;\n", 2, "syntax error");
}

#define MINE "name = \"mine\";\nbase = \"gtx280\";\n"

static void power_that_is_none(void **state)
{
    (void)state;
    refuse(MINE "power = 30.0;\n", 3, "power must be a group: power = { idle_power = 30.0; };");
    refuse(MINE "power = { idle = 30.0; };\n", 3, "idle is no parameter; give one such as idle_power");
    refuse(MINE "power = { fp = {\n max = 30.0; }; };\n", 4, "fp.max is no parameter");
    refuse(MINE "power = { dram = { max_power = 30.0; }; };\n", 3, "dram.max_power is no parameter");
    refuse(MINE "power = { idle_power = \"low\"; };\n", 3, "a value of power must be a number");
    refuse(MINE "power = { fp = { max_power = \"low\"; }; };\n", 3, "a value of power must be a number");
    refuse(MINE "power = { fp = { max_power = { x = 1; }; }; };\n", 3, "a value of power must be a number");
    refuse(MINE "power = { fp = ( 1.0 ); };\n", 3, "a value of power must be a number");
    refuse(MINE "power = {\n\n idle_power = -30.0; };\n", 5, "idle_power is -30; give 0 or more");
    refuse(MINE "power = { beta = 0.5; };\n", 3, "beta is 0.5; give 1 to 10");
    refuse(MINE "power = { fp = { exists = 2; }; };\n", 3, "fp.exists is 2; give 0 to 1");
    refuse("name = \"mine\";\nbase = \"8800gtx\";\npower = { idle_power = 30.0; };\n", 3,
           "the base has no power parameters; choose gtx280, gtx580 or fermi as base");
}

static void long_keys_of_power(void **state)
{
    (void)state;
    refuse(MINE "power = { a_key_that_is_much_longer_than_any_that_there_is_in_the_table = 1; };\n", 3,
           "a_key_that_is_much_longer_than_any_that_there_is_in_the_tabl is no parameter");
    refuse(MINE "power = { a_group_that_is_much_longer_than_any_that_there_is =\n"
           "{ a_key_that_is_just_as_long_as_the_group = 1; }; };\n", 4, "a_group_that_is_much_longer_than_any_th.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_built_in_gpu),
        cmocka_unit_test(a_file_is_like_its_base),
        cmocka_unit_test(every_key),
        cmocka_unit_test(parameters_of_power),
        cmocka_unit_test(it_predicts),
        cmocka_unit_test(no_such_gpu),
        cmocka_unit_test(a_base_that_is_none),
        cmocka_unit_test(keys_that_are_none),
        cmocka_unit_test(power_that_is_none),
        cmocka_unit_test(long_keys_of_power),
    };

    return cmocka_run_group_tests_name("gpu_file", tests, model_folder_make, model_folder_remove);
}
