/* SPDX-License-Identifier: Apache-2.0
 *
 * What predict refuses, field by field, with the field's name and without touching its result; and what it
 * does not look at.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "analytic/predict_fixture.h"

static prediction p, before; /* large */

static void refuse_with(const analytic_gpu *gpu, const analytic_kernel *kernel, const predict_options *options,
                        const char *says)
{
    analytic_err err = {""};

    memset(&p, 0x5a, sizeof p);
    memcpy(&before, &p, sizeof p);
    if (predict(gpu, kernel, options, &p, &err))
        fail_msg("not refused: \"%s\"", says);
    assert_memory_equal(&p, &before, sizeof p);
    if (strncmp(err.text, says, strlen(says)) != 0)
        fail_msg("\"%s\" does not begin with \"%s\"", err.text, says);
    assert_null(strchr(err.text, '\n'));
}

static void refuse(const analytic_gpu *gpu, const analytic_kernel *kernel, const char *says)
{
    refuse_with(gpu, kernel, NULL, says);
}

/* ---- kernel ---------------------------------------------------------------------------------- */

#define FIELD(member) offsetof(analytic_kernel, member), #member

static void refuse_values(size_t offset, const char *name, const double *bad, unsigned num)
{
    const analytic_gpu gpu = predict_gpu("gtx280");

    for (unsigned i = 0; i < num; i++) {
        analytic_kernel kernel = predict_kernel();

        memcpy((char *)&kernel + offset, &bad[i], sizeof bad[i]);
        refuse(&gpu, &kernel, name);
    }
}

static void negative_counts_and_no_numbers(void **state)
{
    static const struct {
        size_t offset;
        const char *name;
    } fields[] = {
        {FIELD(int_insts)}, {FIELD(fp_insts)}, {FIELD(sfu_insts)}, {FIELD(alu_insts)},
        {FIELD(shared_insts)}, {FIELD(const_insts)}, {FIELD(texture_insts)}, {FIELD(local_insts)},
        {FIELD(coal_mem_insts)}, {FIELD(uncoal_mem_insts)}, {FIELD(synch_insts)}, {FIELD(mem_latency)},
    };
    const double bad[] = {-1, -1e-300, NAN, INFINITY, -INFINITY};

    (void)state;
    for (unsigned i = 0; i < sizeof fields / sizeof fields[0]; i++)
        refuse_values(fields[i].offset, fields[i].name, bad, 5);
}

static void numbers_that_have_to_be_positive(void **state)
{
    const double bad[] = {0, -1, NAN, INFINITY, -INFINITY, 0.999};

    (void)state;
    refuse_values(FIELD(load_bytes), bad, 5);
    refuse_values(FIELD(uncoal_per_mw), bad, 6);
    refuse_values(FIELD(independent_loads), bad, 6);
}

static void launches_that_cannot_be(void **state)
{
    const analytic_gpu gpu = predict_gpu("gtx280");
    analytic_kernel kernel = predict_kernel();

    (void)state;
    kernel.blocks = 0;
    refuse(&gpu, &kernel, "blocks is 0; give 1 or more");
    kernel = predict_kernel();
    kernel.threads_per_block = 0;
    refuse(&gpu, &kernel, "threads_per_block is 0; give 1 or more");
    kernel.threads_per_block = 513;
    refuse(&gpu, &kernel, "threads_per_block is 513; a block of cc1.3 has at most 512");
    kernel = predict_kernel();
    kernel.regs_per_thread = 125;
    refuse(&gpu, &kernel, "regs_per_thread is 125; a thread of cc1.3 has at most 124");
    kernel.regs_per_thread = 124; /* 31744 of 16384 registers */
    refuse(&gpu, &kernel, "registers: one block needs 31744");
    kernel = predict_kernel();
    kernel.shared_per_block = 16385;
    refuse(&gpu, &kernel, "shared_per_block is 16385; a block of cc1.3 has at most 16384");
}

static void no_instruction_at_all(void **state)
{
    const analytic_gpu gpu = predict_gpu("gtx280");
    const analytic_kernel kernel = predict_simple_kernel(0, 0, 0);

    (void)state;
    refuse(&gpu, &kernel, "the number of instructions is 0; give a number greater than 0");
}

static void more_than_a_double_holds(void **state)
{
    const analytic_gpu gpu = predict_gpu("gtx280");
    analytic_kernel kernel = predict_kernel();

    (void)state;
    kernel.int_insts = kernel.fp_insts = 1.7e308;
    refuse(&gpu, &kernel, "comp_insts");
    kernel = predict_kernel();
    kernel.synch_insts = 1.7e308;
    refuse(&gpu, &kernel, "synch_cost");
    kernel = predict_kernel();
    kernel.mem_latency = 1.7e308;
    refuse(&gpu, &kernel, "mem_cycles");
    kernel = predict_simple_kernel(1e-300, 1e-300, 0);
    kernel.synch_insts = 1e300;
    refuse(&gpu, &kernel, "CPI has no finite value");
}

static void less_than_a_double_holds(void **state)
{
    const analytic_kernel kernel = predict_simple_kernel(100, 0, 0);
    analytic_gpu gpu = predict_gpu("8800gtx");

    (void)state;
    gpu.memory.issue_cycles = DBL_TRUE_MIN;
    refuse(&gpu, &kernel, "IPC has no finite value");
}

static void no_memory_instruction_needs_no_bytes(void **state)
{
    const analytic_gpu gpu = predict_gpu("gtx280");
    analytic_kernel kernel = predict_simple_kernel(10, 0, 0);

    (void)state;
    kernel.load_bytes = 0;
    predict_solve(&gpu, &kernel, NULL, &p);
    kernel.load_bytes = -1;
    refuse(&gpu, &kernel, "load_bytes");
}

/* ---- GPU ------------------------------------------------------------------------------------- */

static void clocks_and_latencies_that_cannot_be(void **state)
{
    static const struct {
        size_t offset;
        const char *says;
    } fields[] = {
        {offsetof(mwp_cwp_gpu, freq_ghz), "freq_ghz is "},
        {offsetof(mwp_cwp_gpu, bandwidth_gb_s), "bandwidth_gb_s is "},
        {offsetof(mwp_cwp_gpu, mem_ld), "mem_ld is "},
        {offsetof(mwp_cwp_gpu, departure_coal), "departure_coal is "},
        {offsetof(mwp_cwp_gpu, departure_uncoal), "departure_uncoal is "},
        {offsetof(mwp_cwp_gpu, issue_cycles), "issue_cycles is "},
    };
    const double bad[] = {0, -1, NAN, INFINITY, -INFINITY};
    const analytic_kernel kernel = predict_kernel();
    analytic_gpu gpu;

    (void)state;
    for (unsigned i = 0; i < sizeof fields / sizeof fields[0]; i++)
        for (unsigned j = 0; j < sizeof bad / sizeof bad[0]; j++) {
            gpu = predict_gpu("gtx280");
            memcpy((char *)&gpu.memory + fields[i].offset, &bad[j], sizeof bad[j]);
            refuse(&gpu, &kernel, fields[i].says);
        }
    gpu = predict_gpu("gtx280");
    gpu.memory.warp_size = 0;
    refuse(&gpu, &kernel, "warp_size is 0");
}

static void sms_that_cannot_be(void **state)
{
    const analytic_kernel kernel = predict_kernel();
    analytic_gpu gpu = predict_gpu("gtx280");

    (void)state;
    gpu.occupancy.num_sms = 0;
    refuse(&gpu, &kernel, "num_sms of cc1.3 is 0");
    gpu.occupancy.num_sms = IPP_SMS_MAX + 1;
    refuse(&gpu, &kernel, "num_sms is 4097; give 1 to 4096");
    gpu.has_power = false;
    refuse(&gpu, &kernel, "num_sms is 4097; give 1 to 4096");
    gpu = predict_gpu("gtx280");
    gpu.occupancy.max_warps = 31;
    refuse(&gpu, &kernel, "max_threads of cc1.3 is 1024; give max_warps x warp_size = 992");
    gpu.occupancy.max_warps = 0;
    refuse(&gpu, &kernel, "max_warps of cc1.3 is 0");
}

static void more_blocks_than_there_is_room_for_results(void **state)
{
    analytic_kernel kernel = predict_simple_kernel(10, 1, 0);
    analytic_gpu gpu = predict_gpu("gtx280");

    (void)state;
    kernel.threads_per_block = 8;
    kernel.regs_per_thread = 0;
    kernel.shared_per_block = 0;
    gpu.occupancy.max_warps = 65;
    gpu.occupancy.max_threads = 65 * 32;
    gpu.occupancy.max_blocks = 65;
    refuse(&gpu, &kernel, "the GPU holds 65 blocks per SM; at most 64 are supported");
    gpu.occupancy.max_blocks = PREDICT_MAX_BLOCKS;
    predict_solve(&gpu, &kernel, NULL, &p);
    assert_int_equal(p.nmax, PREDICT_MAX_BLOCKS);
    assert_int_equal(p.best_limit, predict_expected_best(&p));
}

static void power_that_cannot_be(void **state)
{
    const analytic_kernel kernel = predict_kernel();
    analytic_gpu gpu = predict_gpu("gtx280");

    (void)state;
    gpu.power.idle_power = -1;
    refuse(&gpu, &kernel, "idle_power is -1");
    gpu = predict_gpu("gtx280");
    gpu.power.unit[IPP_FP].max_power = NAN;
    refuse(&gpu, &kernel, "fp.max_power is ");
    gpu = predict_gpu("gtx280");
    gpu.power.beta = 11;
    refuse(&gpu, &kernel, "beta is 11");
    gpu = predict_gpu("gtx280");
    gpu.power.thermal.rc_rise = 0;
    refuse(&gpu, &kernel, "thermal.rc_rise is 0");
    gpu = predict_gpu("gtx280");
    gpu.power.unit[IPP_TEXTURE].exists = false;
    refuse(&gpu, &kernel, "accesses[texture] is 3, but gtx280 has no texture");
    gpu.has_power = false; /* then it is not looked at */
    predict_solve(&gpu, &kernel, NULL, &p);
    assert_false(p.has_heat);
}

static void fields_that_are_not_looked_at(void **state)
{
    const analytic_kernel kernel = predict_kernel();
    analytic_gpu gpu = predict_gpu("gtx280");
    double cycles;

    (void)state;
    predict_solve(&gpu, &kernel, NULL, &p);
    cycles = p.point[4].cycles;
    gpu.memory.active_sms = NAN;
    gpu.power.num_sms = 0;
    gpu.note = NULL;
    predict_solve(&gpu, &kernel, NULL, &p);
    assert_near(p.point[4].cycles, cycles, 0);
}

static void readings_that_there_are_not(void **state)
{
    const analytic_kernel kernel = predict_kernel();
    const analytic_gpu gpu = predict_gpu("gtx280");
    predict_options options = predict_options_default();

    (void)state;
    options.occupancy.units = (enum occupancy_units)7;
    refuse_with(&gpu, &kernel, &options, "units is 7");
    options = predict_options_default();
    options.power.form = (enum ipp_form)7;
    refuse_with(&gpu, &kernel, &options, "form is 7");
    options = predict_options_default();
    options.throughput.infin = (enum throughput_infin)7;
    refuse_with(&gpu, &kernel, &options, "infin is 7");
}

/* ---- the parts that can be called alone ------------------------------------------------------ */

static void predict_time_says_no(void **state)
{
    const analytic_gpu gpu = predict_gpu("gtx280");
    analytic_kernel kernel = predict_kernel();
    analytic_err err = {""};
    mwp_cwp_result r = {.n = 5};

    (void)state;
    assert_false(predict_time(&gpu, &kernel, 0, 30, NULL, &r, &err));
    assert_string_equal(err.text, "the CTA limit is 0; give a number greater than 0");
    assert_false(predict_time(&gpu, &kernel, 1, 0, NULL, &r, &err));
    assert_string_equal(err.text, "the number of SMs is 0; give a number greater than 0");
    kernel.blocks = 0;
    assert_false(predict_time(&gpu, &kernel, 1, 30, NULL, &r, &err));
    assert_string_equal(err.text, "blocks is 0; give a number greater than 0");
    kernel = predict_kernel();
    kernel.int_insts = -5;
    assert_false(predict_time(&gpu, &kernel, 1, 30, NULL, &r, &err));
    assert_string_equal(err.text, "int_insts is -5; give 0 or more");
    kernel = predict_kernel();
    kernel.threads_per_block = 0;
    assert_false(predict_time(&gpu, &kernel, 1, 30, NULL, &r, &err));
    assert_non_null(strstr(err.text, "threads_per_block"));
    assert_true(r.n == 5);
}

static void predict_run_says_no(void **state)
{
    const analytic_gpu gpu = predict_gpu("gtx280");
    const analytic_kernel kernel = predict_kernel();
    ipp_core_run run = {.cores = 0, .seconds = 5, .power = 6};
    analytic_err err = {""};

    (void)state;
    assert_false(predict_run(&gpu, &kernel, 1, NULL, &run, &err));
    assert_string_equal(err.text, "the number of SMs is 0; give a number greater than 0");
    run.cores = 31;
    assert_false(predict_run(&gpu, &kernel, 1, NULL, &run, &err));
    assert_string_equal(err.text, "active_sms is 31; give 0 to 30");
    run.cores = 30;
    assert_false(predict_run(&gpu, &kernel, 0, NULL, &run, &err));
    assert_string_equal(err.text, "the CTA limit is 0; give a number greater than 0");
    assert_true(run.seconds == 5 && run.power == 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(negative_counts_and_no_numbers),
        cmocka_unit_test(numbers_that_have_to_be_positive),
        cmocka_unit_test(launches_that_cannot_be),
        cmocka_unit_test(no_instruction_at_all),
        cmocka_unit_test(more_than_a_double_holds),
        cmocka_unit_test(less_than_a_double_holds),
        cmocka_unit_test(no_memory_instruction_needs_no_bytes),
        cmocka_unit_test(clocks_and_latencies_that_cannot_be),
        cmocka_unit_test(sms_that_cannot_be),
        cmocka_unit_test(more_blocks_than_there_is_room_for_results),
        cmocka_unit_test(power_that_cannot_be),
        cmocka_unit_test(fields_that_are_not_looked_at),
        cmocka_unit_test(readings_that_there_are_not),
        cmocka_unit_test(predict_time_says_no),
        cmocka_unit_test(predict_run_says_no),
    };

    return cmocka_run_group_tests_name("predict: impossible input", tests, NULL, NULL);
}
