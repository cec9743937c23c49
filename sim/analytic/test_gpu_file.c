/* SPDX-License-Identifier: Apache-2.0
 *
 * GPUs by name and as text: every key over its base, parameters of power, and what is refused where.
 */
#include <string.h>

#include "engine/suite_fixture.h"
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

static bool read_gpu(void *into, const char *what, char *err)
{
    return gpu_file_find(into, what, err);
}

static const model_reader reader = {read_gpu, sizeof(analytic_gpu)};

/* ---- what is read ---------------------------------------------------------------------------- */

TEST(a_built_in_gpu)
{
    analytic_gpu want;

    for (unsigned i = 0; analytic_gpu_at(i, &want); i++) {
        assert_string_equal(find(want.name).note, want.note);
        assert_string_equal(find(want.name).name, want.name);
    }
    assert_string_equal(find("Fermi").name, "fermi");
}

TEST(a_file_is_like_its_base)
{
    const analytic_gpu base = find("gtx280");
    const analytic_gpu got = read_text("name = \"mine\"; base = \"GTX280\";");

    assert_string_equal(got.name, "mine");
    assert_string_equal(got.note, "a file");
    assert_memory_equal(&got.occupancy, &base.occupancy, sizeof base.occupancy);
    assert_memory_equal(&got.memory, &base.memory, sizeof base.memory);
    assert_memory_equal(&got.power, &base.power, sizeof base.power);
    assert_true(got.has_power);
    assert_false(read_text("base = \"8800gt\"; name = \"old\";").has_power);
}

static bool same(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

/* Each over its base, and nothing else. */
TEST(every_key)
{
#define KEY(path) {#path, offsetof(analytic_gpu, path), sizeof(((analytic_gpu *)NULL)->path)}
    static const struct {
        const char *path;
        size_t at, size;
    } rows[] = {
        KEY(occupancy.num_sms), KEY(occupancy.max_warps), KEY(occupancy.max_blocks), KEY(occupancy.max_threads),
        KEY(occupancy.max_threads_per_block), KEY(occupancy.registers), KEY(occupancy.max_regs_per_block),
        KEY(occupancy.max_regs_per_thread), KEY(occupancy.shared_bytes), KEY(occupancy.max_shared_per_block),
        KEY(memory.freq_ghz), KEY(memory.bandwidth_gb_s), KEY(memory.mem_ld), KEY(memory.departure_coal),
        KEY(memory.departure_uncoal), KEY(memory.issue_cycles),
    };
    const uint32_t count = 5;
    const double number = 5.5;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const bool is_count = rows[i].size == sizeof count;
        analytic_gpu want = find("gtx280"), got;
        char text[128];

        snprintf(text, sizeof text, "name = \"mine\"; base = \"gtx280\"; %s = %s;", strchr(rows[i].path, '.') + 1,
                 is_count ? "5" : "5.5");
        got = read_text(text);
        memcpy((char *)&want + rows[i].at, is_count ? (const void *)&count : &number, rows[i].size);
        if (!same(&got.occupancy, &want.occupancy, sizeof want.occupancy) ||
            !same(&got.memory, &want.memory, sizeof want.memory) || !same(&got.power, &want.power, sizeof want.power))
            fail_msg("%s", rows[i].path);
    }
}

TEST(parameters_of_power)
{
    ipp_params want = find("gtx580").power;
    const analytic_gpu got = read_text(
        "name = \"mine\"; base = \"gtx580\";\n"
        "power = { idle_power = 30.5; log_cores = true; beta = 2;\n"
        "          fp = { max_power = 0.3; special_linear = false; }; l2 = { exists = 0; };\n"
        "          thermal = { mu = 0.25; lambda = 5.5; rc_rise = 30.0; rc_decay = 60.0; idle_temp = 50.0;\n"
        "                      known = true; }; };\n");

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

TEST(it_predicts)
{
    static analytic_prediction p, half;
    const analytic_kernel kernel = {
        .name = "k", .blocks = 3000, .threads_per_block = 256, .regs_per_thread = 10, .fp_insts = 10,
        .coal_mem_insts = 5, .uncoal_per_mw = 1, .load_bytes = 128, .independent_loads = 1};
    const analytic_gpu gtx280 = find("gtx280");
    const analytic_gpu slow = read_text("name = \"slow\"; base = \"gtx280\"; bandwidth_gb_s = 70.85;");
    analytic_err err = {""};

    assert_true(analytic_predict(&gtx280, &kernel, NULL, &p, &err));
    assert_true(analytic_predict(&slow, &kernel, NULL, &half, &err));
    assert_true(half.point[half.nmax].cycles > 1.5 * p.point[p.nmax].cycles);
}

/* ---- what is refused ------------------------------------------------------------------------- */

TEST(no_such_gpu)
{
    char path[MODEL_PATH], says[2 * MODEL_PATH];

    model_refuse_path(&reader, "gtx999", "no GPU 'gtx999'; 'ballast analytic gpus' lists them, or name a file");
    model_refuse_path(&reader, "", "no GPU ''");
    snprintf(path, sizeof path, "%s/none.gpu", model_folder());
    snprintf(says, sizeof says, "%s: No such file or directory", path);
    model_refuse_path(&reader, path, says);
    snprintf(says, sizeof says, "%s: Is a directory", model_folder());
    model_refuse_path(&reader, model_folder(), says);
    model_refuse_path(&reader, "none.gpu", "none.gpu: No such file or directory");
}

#define MINE "name = \"mine\";\nbase = \"gtx280\";\n"

TEST(files_that_are_refused)
{
    static const struct {
        const char *text;
        unsigned line;
        const char *says;
    } rows[] = {
        {"name = \"mine\";\nnum_sms = 4;\n", 0, "base is missing; add 'base = \"gtx280\";'"},
        {"", 0, "base is missing"},
        {"name = \"mine\";\nbase = \"gtx\";\n", 2, "base must be a built-in GPU; 'ballast analytic gpus' lists them"},
        {"name = \"mine\";\nbase = 280;\n", 2, "base must be a built-in GPU"},
        {"base = \"gtx280\";\n", 0, "name is missing; add 'name = ...;'"},
        {MINE "sms = 4;\n", 3, "sms is no key of such a file"},
        {MINE "idle_power = 4.0;\n", 3, "idle_power is no key of such a file"},
        {MINE "num_sms = 4.5;\n", 3, "num_sms must be a whole number"},
        {MINE "num_sms = -4;\n", 3, "num_sms must be a whole number"},
        {MINE "mem_ld = \"long\";\n", 3, "mem_ld must be a number"},
        {"name = 280;\nbase = \"gtx280\";\n", 1, "name must be a text"},
        {"name = \"a,b\";\nbase = \"gtx280\";\n", 1, "name must be a text"},
        {"name = \"mine\";\nbase = ;\n", 2, "syntax error"},
        {MINE "power = 30.0;\n", 3, "power must be a group: power = { idle_power = 30.0; };"},
        {MINE "power = { idle = 30.0; };\n", 3, "idle is no parameter; give one such as idle_power"},
        {MINE "power = { fp = {\n max = 30.0; }; };\n", 4, "fp.max is no parameter"},
        {MINE "power = { dram = { max_power = 30.0; }; };\n", 3, "dram.max_power is no parameter"},
        {MINE "power = { idle_power = \"low\"; };\n", 3, "a value of power must be a number"},
        {MINE "power = { fp = { max_power = \"low\"; }; };\n", 3, "a value of power must be a number"},
        {MINE "power = { fp = { max_power = { x = 1; }; }; };\n", 3, "a value of power must be a number"},
        {MINE "power = { fp = ( 1.0 ); };\n", 3, "a value of power must be a number"},
        {MINE "power = {\n\n idle_power = -30.0; };\n", 5, "idle_power is -30; give 0 or more"},
        {MINE "power = { beta = 0.5; };\n", 3, "beta is 0.5; give 1 to 10"},
        {MINE "power = { fp = { exists = 2; }; };\n", 3, "fp.exists is 2; give 0 to 1"},
        {"name = \"mine\";\nbase = \"8800gtx\";\npower = { idle_power = 30.0; };\n", 3,
         "the base has no power parameters; choose gtx280, gtx580 or fermi as base"},
        {MINE "power = { a_key_that_is_much_longer_than_any_that_there_is_in_the_table = 1; };\n", 3,
         "a_key_that_is_much_longer_than_any_that_there_is_in_the_tabl is no parameter"},
        {MINE "power = { a_group_that_is_much_longer_than_any_that_there_is =\n"
         "{ a_key_that_is_just_as_long_as_the_group = 1; }; };\n", 4, "a_group_that_is_much_longer_than_any_th."},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const model_refusal one = {NULL, NULL, rows[i].text, rows[i].line, rows[i].says};

        model_refuse(&reader, &one, 1);
    }
}

int main(void)
{
    return suite_run(model_folder_make, model_folder_remove);
}
