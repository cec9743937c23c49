/* SPDX-License-Identifier: Apache-2.0
 *
 * What predict refuses, field by field, with the field's name and without touching its result; and what it
 * does not look at. Wild input is refused, or all numbers of the result are finite.
 */
#include "analytic/predict_fixture.h"

TEST(kernels_that_cannot_be)
{
    static const bad_member members[] = {
        IN(kernel.int_insts, &negative),         IN(kernel.fp_insts, &negative),
        IN(kernel.sfu_insts, &negative),         IN(kernel.alu_insts, &negative),
        IN(kernel.shared_insts, &negative),      IN(kernel.const_insts, &negative),
        IN(kernel.texture_insts, &negative),     IN(kernel.local_insts, &negative),
        IN(kernel.coal_mem_insts, &negative),    IN(kernel.uncoal_mem_insts, &negative),
        IN(kernel.synch_insts, &negative),       IN(kernel.mem_latency, &negative),
        IN(kernel.uncoal_per_mw, &below_1),      IN(kernel.independent_loads, &below_1),
    };
    static const bad_member bytes[] = {{{"load_bytes_per_warp", offsetof(predict_request, kernel.load_bytes),
                                         sizeof(double), false}, &not_positive}};
    static const refusal rows[] = {
        {"blocks is 0; give 1 or more", {IN(kernel.blocks, 0)}},
        {"threads_per_block is 0; give 1 or more", {IN(kernel.threads_per_block, 0)}},
        {"threads_per_block is 513; a block of cc1.3 has at most 512", {IN(kernel.threads_per_block, 513)}},
        {"regs_per_thread is 125; a thread of cc1.3 has at most 124", {IN(kernel.regs_per_thread, 125)}},
        {"registers: one block needs 31744", {IN(kernel.regs_per_thread, 124)}}, /* of 16384 */
        {"shared_per_block is 16385; a block of cc1.3 has at most 16384", {IN(kernel.shared_per_block, 16385)}},
        /* More than a double holds. */
        {"comp_insts", {IN(kernel.int_insts, 1.7e308), IN(kernel.fp_insts, 1.7e308)}},
        {"synch_cost", {IN(kernel.synch_insts, 1.7e308)}},
        {"mem_cycles", {IN(kernel.mem_latency, 1.7e308)}},
    };
    const predict_request good = predict_on("gtx280", predict_kernel());
    const subject model = {predict_of_request, &good, sizeof good};

    assert_bad_members(&model, members);
    assert_bad_members(&model, bytes);
    assert_refusals(&model, rows);
}

TEST(simple_kernels_that_cannot_be)
{
    static const refusal rows[] = {
        {"the number of instructions is 0; give a number greater than 0",
         {IN(kernel.fp_insts, 0), IN(kernel.coal_mem_insts, 0)}},
        {"CPI has no finite value",
         {IN(kernel.fp_insts, 1e-300), IN(kernel.coal_mem_insts, 1e-300), IN(kernel.synch_insts, 1e300)}},
        /* No memory instruction needs no bytes. */
        {"load_bytes", {IN(kernel.coal_mem_insts, 0), IN(kernel.load_bytes, -1)}},
        /* Less than a double holds. */
        {"IPC has no finite value",
         {IN(kernel.coal_mem_insts, 0), IN(gpu.memory.issue_cycles, DBL_TRUE_MIN), IN(gpu.has_power, false)}},
    };
    static const result taken[] = {
        {{IN(kernel.coal_mem_insts, 0), IN(kernel.load_bytes, 0)}, {WANT(analytic_prediction, nmax, 4, 0)}},
    };
    predict_request good = predict_on("gtx280", predict_simple_kernel(10, 1, 0));
    const subject model = {predict_of_request, &good, sizeof good};

    assert_refusals(&model, rows);
    assert_results(&model, taken);
}

TEST(gpus_that_cannot_be)
{
    static const bad_member members[] = {
        IN(gpu.memory.freq_ghz, &not_positive),       IN(gpu.memory.bandwidth_gb_s, &not_positive),
        IN(gpu.memory.mem_ld, &not_positive),         IN(gpu.memory.departure_coal, &not_positive),
        IN(gpu.memory.departure_uncoal, &not_positive), IN(gpu.memory.issue_cycles, &not_positive),
    };
    static const refusal rows[] = {
        {"warp_size is 0", {IN(gpu.memory.warp_size, 0)}},
        {"num_sms of cc1.3 is 0", {IN(gpu.occupancy.num_sms, 0)}},
        {"num_sms is 4097; give 1 to 4096", {IN(gpu.occupancy.num_sms, IPP_SMS_MAX + 1)}},
        {"num_sms is 4097; give 1 to 4096", {IN(gpu.occupancy.num_sms, IPP_SMS_MAX + 1), IN(gpu.has_power, false)}},
        {"max_threads of cc1.3 is 1024; give max_warps x warp_size = 992", {IN(gpu.occupancy.max_warps, 31)}},
        {"max_warps of cc1.3 is 0", {IN(gpu.occupancy.max_warps, 0)}},
        {"idle_power is -1", {IN(gpu.power.idle_power, -1)}},
        {"fp.max_power is ", {IN(gpu.power.unit[IPP_FP].max_power, NAN)}},
        {"beta is 11", {IN(gpu.power.beta, 11)}},
        {"thermal.rc_rise is 0", {IN(gpu.power.thermal.rc_rise, 0)}},
        {"accesses[texture] is 3, but gtx280 has no texture", {IN(gpu.power.unit[IPP_TEXTURE].exists, false)}},
        /* Readings that there are not. */
        {"units is 7", {IN(options.occupancy.units, 7)}},
        {"form is 7", {IN(options.power.form, 7)}},
        {"infin is 7", {IN(options.throughput.infin, 7)}},
    };
    static const result taken[] = {/* without power it is not looked at */
        {{IN(gpu.power.unit[IPP_TEXTURE].exists, false), IN(gpu.has_power, false)},
         {WANT(analytic_prediction, has_heat, false, 0)}},
    };
    const predict_request good = predict_on("gtx280", predict_kernel());
    const subject model = {predict_of_request, &good, sizeof good};

    assert_bad_members(&model, members);
    assert_refusals(&model, rows);
    assert_results(&model, taken);
}

TEST(more_blocks_than_there_is_room_for_results)
{
    static const refusal rows[] = {{"the GPU holds 65 blocks per SM; at most 64 are supported", {UNCHANGED}}};
    predict_request good = predict_on("gtx280", predict_simple_kernel(10, 1, 0));
    const subject model = {predict_of_request, &good, sizeof good};

    good.kernel.threads_per_block = 8;
    good.kernel.regs_per_thread = 0;
    good.kernel.shared_per_block = 0;
    good.gpu.occupancy.max_warps = 65;
    good.gpu.occupancy.max_threads = 65 * 32;
    good.gpu.occupancy.max_blocks = 65;
    assert_refusals(&model, rows);
    good.gpu.occupancy.max_blocks = ANALYTIC_PREDICT_MAX_BLOCKS;
    const analytic_prediction *p = predict_solve(&good);
    assert_int_equal(p->nmax, ANALYTIC_PREDICT_MAX_BLOCKS);
    assert_int_equal(p->best_limit, predict_expected_best(p));
}

TEST(fields_that_are_not_looked_at)
{
    predict_request r = predict_on("gtx280", predict_kernel());
    const double cycles = predict_solve(&r)->point[4].cycles;

    r.gpu.memory.active_sms = NAN;
    r.gpu.power.num_sms = 0;
    r.gpu.note = NULL;
    assert_near(predict_solve(&r)->point[4].cycles, cycles, 0);
}

/* ---- the parts that can be called alone ------------------------------------------------------ */

TEST(parts_say_no)
{
    static const refusal both[] = {
        {"the CTA limit is 0; give a number greater than 0", {IN(limit, 0)}},
        {"the number of SMs is 0; give a number greater than 0", {IN(sms, 0)}},
        {"blocks is 0; give a number greater than 0", {IN(kernel.blocks, 0)}},
        {"int_insts is -5; give 0 or more", {IN(kernel.int_insts, -5)}},
        {"threads_per_block", {IN(kernel.threads_per_block, 0)}},
    };
    static const refusal run[] = {{"active_sms is 31; give 0 to 30", {IN(sms, 31)}}};
    const predict_request good = predict_on("gtx280", predict_kernel());
    const subject time = {predict_time_of_request, &good, sizeof good};
    const subject runs = {predict_run_of_request, &good, sizeof good};

    assert_refusals(&time, both);
    assert_refusals(&runs, both);
    assert_refusals(&runs, run);
}

/* ---- any input -------------------------------------------------------------------------------- */

static void sound(const void *of, const void *out)
{
    const analytic_prediction *p = out;

    predict_assert_finite(p);
    assert_in_range(p->best_limit, 1, p->nmax);
    assert_in_range(p->eq63.cores, 1, ((const predict_request *)of)->gpu.occupancy.num_sms);
}

TEST(any_input_is_refused_or_gives_numbers)
{
#define ANY(path) {MEMBER(predict_request, path), 0}
#define UP_TO(path, most) {MEMBER(predict_request, path), (most) + 1}
    static const wild_member members[] = {
        ANY(kernel.int_insts), ANY(kernel.fp_insts), ANY(kernel.sfu_insts), ANY(kernel.alu_insts), ANY(kernel.shared_insts),
        ANY(kernel.const_insts), ANY(kernel.texture_insts), ANY(kernel.local_insts), ANY(kernel.coal_mem_insts),
        ANY(kernel.uncoal_mem_insts), ANY(kernel.synch_insts), ANY(kernel.uncoal_per_mw), ANY(kernel.load_bytes),
        ANY(kernel.independent_loads), ANY(kernel.mem_latency), ANY(kernel.blocks), ANY(kernel.threads_per_block),
        UP_TO(kernel.threads_per_block, 512), UP_TO(kernel.regs_per_thread, 150), UP_TO(kernel.shared_per_block, 20000),
        ANY(gpu.memory.freq_ghz), ANY(gpu.memory.bandwidth_gb_s), ANY(gpu.memory.mem_ld), ANY(gpu.memory.departure_coal),
        ANY(gpu.memory.departure_uncoal), ANY(gpu.memory.issue_cycles), ANY(gpu.memory.warp_size),
        ANY(gpu.power.idle_power), ANY(gpu.power.thermal.mu), ANY(gpu.power.unit[IPP_GLOBAL].max_power),
        UP_TO(gpu.occupancy.num_sms, 50), ANY(gpu.occupancy.max_blocks), UP_TO(options.time.case2_comp_or, 1),
        UP_TO(options.time.issue_floor, 1), UP_TO(options.time.rep_ceil, 1), UP_TO(options.time.use_npw, 1),
        UP_TO(options.time.npw_literal, 1), UP_TO(options.power.zero_sms_log, 1),
        UP_TO(options.power.maxtemp_is_delta, 1), UP_TO(options.throughput.period, 1), UP_TO(options.throughput.n_new, 1),
    };
    analytic_gpu gpu;

    for (unsigned i = 0; analytic_gpu_at(i, &gpu); i++) {
        const wild anything = {20 + i, 1000, 16, sizeof(analytic_prediction), sound};
        const predict_request good = predict_on(gpu.name, predict_kernel());
        const subject model = {predict_of_request, &good, sizeof good};

        assert_wild(&model, &anything, members);
    }
}
