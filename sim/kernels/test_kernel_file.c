/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels as text: every key of every group, what may be left out, what is refused where, and groups that contradict.
 */
#include <math.h>
#include <string.h>
#include <sys/resource.h>

#include "engine/suite_fixture.h"
#include "analytic/model_fixture.h"
#include "kernels/kernel_file.h"

#define LAUNCH "name = \"mine\";\nblocks = 450;\nthreads_per_block = 256;\nregs_per_thread = 20;\nshared_per_block = 0;\n"
#define SIMULATOR "simulator = {\ninsts = 100;\nloads = 0.1;\nalu_distance = 2.0;\nload_distance = 3.0;\n};\n"
#define PUBLISHED "published = {\npaper = \"P\";\ntable = \"II\";\nkernel = \"k\";\n};\n"
#define ANALYTIC "analytic = {\narithmetic = 70.0;\nmix = { int = 1.0; };\nshared_insts = 20.0;\ncoal_mem_insts = 9.0;\n" \
                 "uncoal_mem_insts = 1.0;\nsynch_insts = 5.0;\n};\n"
#define BOTH LAUNCH ANALYTIC "simulator = {\ninsts = 100;\nloads = 0.08;\nstores = 0.02;\nshared = 0.2;\nbarrier_every = 20;\n" \
                             "alu_distance = 2.0;\nload_distance = 3.0;\n};\n"

/* One key per line; `profile` is a kernel for the analytic models alone. */
static const char plain[] = LAUNCH SIMULATOR, paper[] = LAUNCH SIMULATOR PUBLISHED, both[] = BOTH;
static const char *const profile = model_profile;

static bool read_file(void *into, const char *path, char *err)
{
    return kernel_file_read(into, path, err);
}

static const model_reader reader = {read_file, sizeof(kernel_file)};

static kernel_file read_text(const char *text)
{
    char err[KERNEL_FILE_ERR] = "";
    kernel_file file;

    if (!kernel_file_read(&file, model_file("a.kernel", text), err))
        fail_msg("%s", err);
    return file;
}

static analytic_kernel analytic_of(const char *text)
{
    const kernel_file file = read_text(text);

    assert_true(file.has_analytic);
    return file.analytic;
}

static workload workload_of(const char *text)
{
    const kernel_file file = read_text(text);

    assert_true(file.has_simulator);
    return file.simulator;
}

/* ---- what is read ---------------------------------------------------------------------------- */

TEST(every_key_of_the_models)
{
    const analytic_kernel k = analytic_of(
        "name = \"mine\"; blocks = 1; threads_per_block = 2; regs_per_thread = 3; shared_per_block = 4;\n"
        "analytic = { arithmetic = 1000.0; mix = { int = 0.1; fp = 0.2; sfu = 0.3; alu = 0.4; };\n"
        "shared_insts = 5.5; const_insts = 6.5; texture_insts = 7.5; local_insts = 8.5;\n"
        "coal_mem_insts = 9.5; uncoal_mem_insts = 10.5; uncoal_per_mw = 11.5; load_bytes = 12.5;\n"
        "independent_loads = 13.5; mem_latency = 14.5; synch_insts = 15.5; };\n");

    assert_string_equal(k.name, "mine");
    assert_true(k.blocks == 1 && k.threads_per_block == 2 && k.regs_per_thread == 3 && k.shared_per_block == 4);
    assert_true(fabs(k.int_insts - 100) < 1e-9 && fabs(k.fp_insts - 200) < 1e-9);
    assert_true(fabs(k.sfu_insts - 300) < 1e-9 && fabs(k.alu_insts - 400) < 1e-9);
    assert_true(k.shared_insts == 5.5 && k.const_insts == 6.5 && k.texture_insts == 7.5 && k.local_insts == 8.5);
    assert_true(k.coal_mem_insts == 9.5 && k.uncoal_mem_insts == 10.5 && k.uncoal_per_mw == 11.5);
    assert_true(k.load_bytes == 12.5 && k.independent_loads == 13.5 && k.mem_latency == 14.5);
    assert_true(k.synch_insts == 15.5);
}

TEST(every_key_of_the_simulator)
{
    const workload w = workload_of(
        "name = \"mine\"; blocks = 1; threads_per_block = 33; regs_per_thread = 3; shared_per_block = 4;\n"
        "launches = 5; is_2d = 1; grid_x = 27; cta_x = 28;\n"
        "simulator = { insts = 6; spread = 0.07; loads = 0.08; stores = 0.09; shared = 0.11; sfu = 0.12; branches = 0.13;\n"
        "barrier_every = 14; operands = 1.25; code = 3; alu_distance = 1.5; load_distance = 1.6; lines = 17; store_lines = 18; warp_reuse = 0.19;\n"
        "warp_set = 20; cta_reuse = 0.21; cta_set = 22; neighbour_reuse = 0.23; neighbour_set = 24;\n"
        "random = 0.25; footprint = 26; };\n");

    assert_string_equal(w.name, "mine");
    assert_true(w.ctas == 1 && w.threads_per_cta == 33 && w.regs_per_thread == 3 && w.shared_per_cta == 4 && w.launches == 5);
    assert_true(w.grid_x == 27 && w.cta_x == 28);
    assert_true(w.is_2d && w.insts == 6 && w.spread == 0.07 && w.loads == 0.08 && w.stores == 0.09 && w.shared == 0.11);
    assert_true(w.sfu == 0.12 && w.branches == 0.13 && w.barrier_every == 14 && w.operands == 1.25 && w.code == 3 && w.alu_distance == 1.5);
    assert_true(w.load_distance == 1.6 && w.lines == 17 && w.store_lines == 18 && w.warp_reuse == 0.19 && w.warp_set == 20);
    assert_true(w.cta_reuse == 0.21 && w.cta_set == 22 && w.neighbour_reuse == 0.23 && w.neighbour_set == 24);
    assert_true(w.random == 0.25 && w.footprint == 26);
}

TEST(keys_that_may_be_left_out)
{
    const analytic_kernel k = analytic_of(profile);
    const workload_target none = {.paper = ""};
    const kernel_file file = read_text(plain);
    const workload *w = &file.simulator;

    assert_true(k.uncoal_per_mw == 1 && k.load_bytes == 128 && k.independent_loads == 1);
    assert_true(k.mem_latency == 0 && k.synch_insts == 0 && k.shared_insts == 0 && k.const_insts == 0);
    assert_true(k.texture_insts == 0 && k.local_insts == 0);
    assert_true(k.int_insts == 50 && k.alu_insts == 50 && k.fp_insts == 0 && k.sfu_insts == 0);
    assert_true(w->launches == 1 && w->lines == 1 && !w->is_2d && w->shared_per_cta == 0 && w->stores == 0 && w->cta_reuse == 0);
    assert_memory_equal(&file.target, &none, sizeof none);
}

TEST(all_that_is_published)
{
    const workload_target t = read_text(LAUNCH SIMULATOR
        "published = { paper = \"P\"; table = \"II\"; kernel = \"k\"; fermi_max = 8; fermi_opt = 6; fermi_type = \"MEM\";\n"
        "kepler_max = 16; kepler_opt = 7; kepler_type = \"C-weak\"; lcs_max = 5; lcs_opt = 4; lcs_type = \"IV\";\n"
        "ctas = 9; register_bytes = 10; w_cta = 11; fraction = 0.5; t_new = 3; };\n").target;

    assert_string_equal(t.paper, "P");
    assert_string_equal(t.table, "II");
    assert_string_equal(t.kernel, "k");
    assert_true(t.on[0].max == 8 && t.on[0].opt == 6 && t.on[0].type == TYPE_MEM);
    assert_true(t.on[1].max == 16 && t.on[1].opt == 7 && t.on[1].type == TYPE_C_WEAK);
    assert_true(t.on[2].max == 5 && t.on[2].opt == 4 && t.on[2].type == TYPE_IV);
    assert_true(t.ctas == 9 && t.register_bytes == 10 && t.w_cta == 11 && t.fraction == 0.5 && t.t_new == 3);
}

TEST(every_type)
{
    static const char *const names[PUBLISHED_TYPES] = {"", "C-strong", "C-weak", "MEM", "I", "II", "III", "IV", "Compute",
                                                       "Memory", "Cache", "Unsaturated"};
    char line[64];

    for (unsigned i = 0; i < PUBLISHED_TYPES; i++)
        assert_string_equal(published_type_name((enum published_type)i), names[i]);
    assert_string_equal(published_type_name(PUBLISHED_TYPES), "");
    for (unsigned i = 1; i < PUBLISHED_TYPES; i++) {
        snprintf(line, sizeof line, "kernel = \"k\"; lcs_type = \"%s\";", names[i]);
        assert_int_equal(read_text(model_replaced(paper, "kernel = \"k\";", line)).target.on[2].type, i);
    }
}

TEST(an_optimum_without_a_maximum)
{
    const workload_target t = read_text(model_replaced(paper, "kernel = \"k\";", "kernel = \"k\"; lcs_opt = 32;")).target;

    assert_true(t.on[2].opt == 32 && t.on[2].max == 0);
}

TEST(numbers_may_be_whole_and_counts_large)
{
    assert_true(analytic_of(model_replaced(profile, "100.0", "100")).int_insts == 50);
    assert_int_equal(analytic_of(model_replaced(profile, "450", "4294967295L")).blocks, UINT32_MAX);
    assert_int_equal(analytic_of(model_replaced(profile, "1024", "0")).shared_per_block, 0);
    assert_true(analytic_of(model_replaced(profile, "alu = 0.5", "alu = 0.5000005")).int_insts == 50);
    assert_true(analytic_of(model_replaced(profile, "100.0", "0.0")).alu_insts == 0);
}

TEST(a_name_of_any_length_that_fits)
{
    char name[ANALYTIC_NAME + 3], longest[ANALYTIC_NAME];
    const model_refusal longer[] = {{profile, "\"mine\"", name, 1, "name must be a text"}};

    memset(longest, 'n', sizeof longest);
    longest[ANALYTIC_NAME - 1] = '\0';
    snprintf(name, sizeof name, "\"%s\"", longest);
    assert_string_equal(analytic_of(model_replaced(profile, "\"mine\"", name)).name, longest);
    snprintf(name, sizeof name, "\"%sn\"", longest);
    MODEL_REFUSE(&reader, longer);
}

/* ---- groups ---------------------------------------------------------------------------------- */

static bool read_analytic(void *into, const char *path, char *err)
{
    return kernel_file_analytic(into, path, err);
}

static bool read_workload(void *into, const char *path, char *err)
{
    return kernel_file_workload(into, NULL, path, err);
}

TEST(a_command_needs_its_group)
{
    const model_reader models = {read_analytic, sizeof(analytic_kernel)}, simulator = {read_workload, sizeof(workload)};
    const model_refusal no_analytic[] = {
        {NULL, NULL, plain, 0, "has no group analytic, which the models read; add 'analytic = {"}};
    const model_refusal no_simulator[] = {
        {NULL, NULL, profile, 0, "has no group simulator, which the simulator runs; add 'simulator = {"}};
    char err[KERNEL_FILE_ERR];
    analytic_kernel kernel;
    workload_target target;
    workload w;

    MODEL_REFUSE(&models, no_analytic);
    MODEL_REFUSE(&simulator, no_simulator);
    assert_true(kernel_file_analytic(&kernel, model_file("both.kernel", BOTH PUBLISHED), err));
    assert_true(kernel_file_workload(&w, &target, model_file("both.kernel", BOTH PUBLISHED), err));
    assert_string_equal(kernel.name, w.name);
    assert_int_equal(kernel.blocks, w.ctas);
    assert_string_equal(target.table, "II");
}

/* 70 + 20 + 9 + 1 instructions. */
TEST(the_length_follows_from_the_models_group)
{
    char unsaid[1024];

    snprintf(unsaid, sizeof unsaid, "%s", model_replaced(both, "insts = 100;\n", ""));
    assert_int_equal(workload_of(both).insts, 100);
    assert_int_equal(workload_of(unsaid).insts, 100);
    assert_int_equal(workload_of(model_replaced(unsaid, "70.0", "70.4")).insts, 100);
    assert_int_equal(workload_of(model_replaced(unsaid, "70.0", "70.5")).insts, 101);
    assert_true(workload_of(model_replaced(both, "loads = 0.08;", "loads = 0.0849;")).loads == 0.0849);
}

TEST(groups_that_contradict)
{
    const model_refusal cases[] = {
        {both, "insts = 100;", "insts = 99;", 15, "insts gives 99, but by the group analytic it is 100; correct one of them"},
        {both, "loads = 0.08;", "loads = 0.0851;", 16, "loads gives 0.1051, but by the group analytic it is 0.1"},
        {both, "stores = 0.02;", "stores = 0.01;", 16, "loads gives 0.09, but"},
        {both, "shared = 0.2;", "shared = 0.19;", 18, "shared gives 0.19, but by the group analytic it is 0.2"},
        {both, "shared = 0.2;\n", "", 0, "shared gives 0, but"},
        {both, "barrier_every = 20;", "barrier_every = 23;", 19, "barrier_every gives 4.34783, but by the group analytic it is"},
        {both, "barrier_every = 20;\n", "", 0, "barrier_every gives 0, but"},
        {both, "arithmetic = 70.0", "arithmetic = 71.0", 15, "insts gives 100, but by the group analytic it is 101"},
        {both, "synch_insts = 5.0", "synch_insts = 6.0", 19, "barrier_every gives 5, but by the group analytic it is 6"},
        {both, "coal_mem_insts = 9.0", "coal_mem_insts = -1e300", 15, "insts gives 100, but"},
    };

    MODEL_REFUSE(&reader, cases);
}

/* ---- what is refused ------------------------------------------------------------------------- */

TEST(a_missing_key)
{
    const model_refusal cases[] = {
        {profile, "name = \"mine\";\n", "", 0, "name is missing; add 'name = ...;'"},
        {profile, "blocks = 450;\n", "", 0, "blocks is missing; add 'blocks = ...;'"},
        {profile, "threads_per_block = 256;\n", "", 0, "threads_per_block is missing; add 'threads_per_block = ...;'"},
        {profile, "regs_per_thread = 20;\n", "", 0, "regs_per_thread is missing; add 'regs_per_thread = ...;'"},
        {profile, "shared_per_block = 1024;\n", "", 0, "shared_per_block is missing; add 'shared_per_block = ...;'"},
        {profile, "arithmetic = 100.0;\n", "", 0, "arithmetic is missing; add 'arithmetic = ...;' to the group analytic"},
        {profile, "\ncoal_mem_insts = 4.0;", "", 0, "coal_mem_insts is missing; add 'coal_mem_insts = ...;'"},
        {profile, "uncoal_mem_insts = 2.0;\n", "", 0, "uncoal_mem_insts is missing; add 'uncoal_mem_insts = ...;'"},
        {NULL, NULL, "", 0, "name is missing; add 'name = ...;'"},
        {NULL, NULL, "# nothing but a remark\n", 0, "name is missing; add 'name = ...;'"},
        {plain, "insts = 100;\n", "", 0, "insts is missing; add 'insts = ...;' to the group simulator"},
        {plain, "loads = 0.1;\n", "", 0, "loads is missing"},
        {plain, "alu_distance = 2.0;\n", "", 0, "alu_distance is missing"},
        {plain, "load_distance = 3.0;\n", "", 0, "load_distance is missing"},
        {paper, "paper = \"P\";", "", 0, "paper is missing"},
        {paper, "table = \"II\";", "", 0, "table is missing"},
        {paper, "kernel = \"k\";", "", 0, "kernel is missing"},
    };

    MODEL_REFUSE(&reader, cases);
}

TEST(an_unknown_key)
{
    const model_refusal cases[] = {
        {profile, "arithmetic = 100.0;", "arithmetics = 100.0;", 7,
         "arithmetics is no key of such a file; doc/use/analytic.md, doc/use/workloads.md and doc/use/import_vcd.md list them"},
        {profile, "alu = 0.5;", "alu = 0.5;\n lsu = 0.1;", 9, "lsu is no key"},
        {profile, "arithmetic", "mixes = { int = 1.0; };\narithmetic", 7, "mixes is no key"},
        {profile, "mine", "mine\"; power = \"1", 1, "power is no key"},
        {profile, "analytic", "Blocks = 4;\nanalytic", 6, "Blocks is no key"},
        {profile, "analytic", "simulated = { };\nanalytic", 6, "simulated is no key"},
        {NULL, NULL, LAUNCH "arithmetic = 70.0;\n", 6, "arithmetic is no key"},
        {plain, "insts = 100;", "insts = 100; blocks = 1;", 7, "blocks is no key"},
        {paper, "table = \"II\";", "table = \"II\"; hopper_max = 1;", 14, "hopper_max is no key"},
    };

    MODEL_REFUSE(&reader, cases);
}

TEST(a_key_given_twice)
{
    const model_refusal cases[] = {{profile, "analytic", "blocks = 450;\nanalytic", 6, "duplicate setting name"}};

    MODEL_REFUSE(&reader, cases);
}

/* Every value of `bad` in place of `value`, which stands in this line. */
static void refuse_each(const char *const *bad, const char *base, const char *value, unsigned line, const char *says)
{
    for (; *bad; bad++) {
        const model_refusal one[] = {{base, value, *bad, line, says}};

        MODEL_REFUSE(&reader, one);
    }
}

TEST(values_of_another_type)
{
    static const char *const no_count[] = {"-1", "4.0", "4.5", "\"450\"", "4294967296L", "-4294967295L", "true",
                                           "[450]", "(450)", "{ n = 450; }", NULL};
    static const char *const no_number[] = {"\"4.0\"", "true", "[4.0]", "(4.0)", "{ n = 4.0; }", NULL};
    /* It stands in CSV files and in the plots' commands. */
    static const char *const no_name[] = {"5", "\"\"", "true", "\"a,b\"", "\"a\\\"b\"", "\"it's\"", "\"a\\nb\"",
                                          "\"a\\tb\"", "\"a\\x01\"", "[\"mine\"]", NULL};
    const model_refusal cases[] = {
        {profile, "20;", "20.0;", 4, "regs_per_thread must be a whole number"},
        {profile, "int = 0.5", "int = \"half\"", 8, "int must be a number"},
        {plain, "loads = 0.1;", "loads = \"x\";", 8, "loads must be a number"},
        {plain, "insts = 100;", "insts = -1;", 7, "insts must be a whole number"},
    };

    refuse_each(no_count, profile, "450", 2, "blocks must be a whole number from 0 to 4294967295");
    refuse_each(no_number, profile, "4.0", 9, "coal_mem_insts must be a number");
    refuse_each(no_name, profile, "\"mine\"", 1, "name must be a text");
    MODEL_REFUSE(&reader, cases);
}

TEST(shares_that_are_none)
{
    static const char mix[] = "int = 0.5; alu = 0.5;";
    const model_refusal cases[] = {
        {profile, "alu = 0.5", "alu = 0.4", 0, "the shares of mix sum up to 0.9; give"},
        {profile, "alu = 0.5", "alu = 0.5; sfu = 0.1", 0, "the shares of mix sum up to 1.1"},
        {profile, "alu = 0.5", "alu = 0.500002", 0, "the shares of mix"},
        {profile, mix, "", 0, "the shares of mix sum up to 0"},
        /* Negative shares, each in its place. */
        {profile, mix, "int = -1.0; fp = 2.0;", 0, "the shares"},
        {profile, mix, "fp = -1.0; sfu = 2.0;", 0, "the shares"},
        {profile, mix, "sfu = -1.0; alu = 2.0;", 0, "the shares"},
        {profile, mix, "alu = -1.0; int = 2.0;", 0, "the shares"},
        /* `arithmetic` is in no error of predict, which sees its parts. */
        {profile, "100.0", "-100.0", 0, "arithmetic is -100; give 0 or more"},
        {profile, "100.0", "1e999", 0, "arithmetic is inf; give 0 or more"},
    };

    MODEL_REFUSE(&reader, cases);
}

TEST(groups_that_are_none)
{
    const model_refusal cases[] = {
        {profile, "mix = { int = 0.5; alu = 0.5; };\n", "", 0,
         "the group mix is missing; add 'mix = { int = 0.5; alu = 0.5; };'"},
        {profile, "{ int = 0.5; alu = 0.5; }", "1.0", 0, "the group mix is missing"},
        {profile, "{ int = 0.5; alu = 0.5; }", "[ 0.5, 0.5 ]", 0, "the group mix is missing"},
        {profile, "analytic", "simulator = 3;\nanalytic", 6, "simulator is no group; write 'simulator = {"},
        {plain, "simulator", "analytic = 3;\nsimulator", 6, "analytic is no group; write 'analytic = {"},
        {plain, "simulator", "published = 3;\nsimulator", 6, "published is no group; write 'published = {"},
    };

    MODEL_REFUSE(&reader, cases);
}

TEST(values_that_no_workload_has)
{
    const model_refusal cases[] = {
        {plain, "blocks = 450;", "blocks = 0;", 2, "blocks is 0; give 1 to"},
        {plain, "loads = 0.1;", "loads = 1.5;", 8, "loads is 1.5; give 0 to 1"},
        {plain, "loads = 0.1;", "loads = 0.9;\nstores = 0.9;", 8, "loads, stores, shared, sfu and branches are more"},
        {plain, "alu_distance = 2.0;", "alu_distance = 0.5;", 9, "alu_distance is 0.5; give 1 to"},
        {plain, "loads = 0.1;", "loads = 0.1; cta_reuse = 0.5;", 0, "cta_set is 0; give 1 to"},
        {plain, "simulator", "is_2d = 2;\nsimulator", 6, "is_2d is no truth value; give 0 or 1"},
        {plain, "simulator", "grid_x = 4;\nsimulator", 6, "grid_x is for a 2-D kernel"},
        /* 65 warps fit no machine. */
        {plain, "threads_per_block = 256;", "threads_per_block = 2080;", 3, "threads_per_block is 2080; give 1 to 2048"},
    };

    MODEL_REFUSE(&reader, cases);
}

TEST(published_values_that_cannot_be)
{
    static const char key[] = "kernel = \"k\";";
    const model_refusal cases[] = {
        {paper, key, "kernel = \"k\";\nkepler_max = 33;", 16, "kepler_max is 33; give 0"},
        {paper, key, "kernel = \"k\";\nfermi_opt = 33;", 16, "fermi_opt is 33; give 0 (not printed) to 32"},
        {paper, key, "kernel = \"k\"; lcs_max = 4;\nlcs_opt = 5;", 16, "lcs_opt is 5; give 0 (not printed) to 4"},
        {paper, key, "kernel = \"k\";\nfraction = 1.5;", 16, "fraction is a part of the time"},
        {paper, key, "kernel = \"k\";\nfraction = -0.5;", 16, "fraction is a part of the time"},
        {paper, key, "kernel = \"k\";\nkepler_type = \"V\";", 16, "kepler_type is no type; give C-strong"},
    };

    MODEL_REFUSE(&reader, cases);
}

TEST(a_file_that_is_none)
{
    const model_refusal cases[] = {
        {profile, "thread = 20;", "thread 20;", 4, "syntax error; write lines"},
        {profile, "thread = 20;", "thread = ;", 4, "syntax error; write lines"},
        {profile, "alu = 0.5; };", "alu = 0.5;", 12, "syntax error; write lines"},
        {plain, "blocks = 450;", "blocks 450;", 2, "syntax error"},
        {NULL, NULL, "this is no profile\n", 1, "syntax error"},
        {NULL, NULL, "\x01\x02\xff\xfe", 1, "syntax error"},
    };
    char path[MODEL_PATH], says[2 * MODEL_PATH];

    MODEL_REFUSE(&reader, cases);
    snprintf(path, sizeof path, "%s/none.kernel", model_folder());
    snprintf(says, sizeof says, "%s: No such file or directory", path);
    model_refuse_path(&reader, path, says);
    snprintf(says, sizeof says, "%s: Is a directory", model_folder());
    model_refuse_path(&reader, model_folder(), says);
}

TEST(files_are_closed)
{
    const struct rlimit few = {.rlim_cur = 64, .rlim_max = 64};
    char path[MODEL_PATH], err[KERNEL_FILE_ERR];
    kernel_file file;

    snprintf(path, sizeof path, "%s", model_file("good.kernel", profile));
    model_file("bad.kernel", "blocks = ;\n");
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    for (unsigned i = 0; i < 100; i++)
        assert_true(kernel_file_read(&file, path, err));
    snprintf(path, sizeof path, "%s/bad.kernel", model_folder());
    for (unsigned i = 0; i < 100; i++) {
        assert_false(kernel_file_read(&file, path, err));
        model_assert_says(err, "syntax error");
        assert_false(kernel_file_read(&file, model_folder(), err));
        model_assert_says(err, "Is a directory");
    }
}

int main(void)
{
    return suite_run(model_folder_make, model_folder_remove);
}
