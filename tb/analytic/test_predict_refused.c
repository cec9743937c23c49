/* SPDX-License-Identifier: Apache-2.0
 *
 * What predict refuses, field by field, with the field's name and without touching its result; and what it
 * does not look at. Wild input is refused, or all numbers of the result are finite.
 */
#include "analytic/predict_fixture.h"

static prediction p; /* large */

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
    const predict_request good = predict_good_request();
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
        {{IN(kernel.coal_mem_insts, 0), IN(kernel.load_bytes, 0)}, {WANT(prediction, nmax, 4, 0)}},
    };
    predict_request good = predict_good_request();
    const subject model = {predict_of_request, &good, sizeof good};

    good.kernel = predict_simple_kernel(10, 1, 0);
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
         {WANT(prediction, has_heat, false, 0)}},
    };
    const predict_request good = predict_good_request();
    const subject model = {predict_of_request, &good, sizeof good};

    assert_bad_members(&model, members);
    assert_refusals(&model, rows);
    assert_results(&model, taken);
}

TEST(more_blocks_than_there_is_room_for_results)
{
    static const refusal rows[] = {{"the GPU holds 65 blocks per SM; at most 64 are supported", {UNCHANGED}}};
    predict_request good = predict_good_request();
    const subject model = {predict_of_request, &good, sizeof good};

    good.kernel = predict_simple_kernel(10, 1, 0);
    good.kernel.threads_per_block = 8;
    good.kernel.regs_per_thread = 0;
    good.kernel.shared_per_block = 0;
    good.gpu.occupancy.max_warps = 65;
    good.gpu.occupancy.max_threads = 65 * 32;
    good.gpu.occupancy.max_blocks = 65;
    assert_refusals(&model, rows);
    good.gpu.occupancy.max_blocks = PREDICT_MAX_BLOCKS;
    predict_solve(&good.gpu, &good.kernel, NULL, &p);
    assert_int_equal(p.nmax, PREDICT_MAX_BLOCKS);
    assert_int_equal(p.best_limit, predict_expected_best(&p));
}

TEST(fields_that_are_not_looked_at)
{
    predict_request r = predict_good_request();
    double cycles;

    predict_solve(&r.gpu, &r.kernel, NULL, &p);
    cycles = p.point[4].cycles;
    r.gpu.memory.active_sms = NAN;
    r.gpu.power.num_sms = 0;
    r.gpu.note = NULL;
    predict_solve(&r.gpu, &r.kernel, NULL, &p);
    assert_near(p.point[4].cycles, cycles, 0);
}

/* ---- the parts that can be called alone ------------------------------------------------------ */

typedef struct part {
    predict_request r;
    uint32_t limit, sms;
} part;

static bool time_alone(const void *input, void *out, analytic_err *said)
{
    const part *a = input;

    return predict_time(&a->r.gpu, &a->r.kernel, a->limit, a->sms, NULL, out, said);
}

static bool run_alone(const void *input, void *out, analytic_err *said)
{
    const part *a = input;
    ipp_core_run run = {.cores = a->sms, .seconds = 5, .power = 6};

    if (!predict_run(&a->r.gpu, &a->r.kernel, a->limit, NULL, &run, said)) {
        assert_true(run.cores == a->sms && run.seconds == 5 && run.power == 6);
        return false;
    }
    memcpy(out, &run, sizeof run);
    return true;
}

TEST(parts_say_no)
{
#define PART(path, value) {MEMBER(part, path), value}
    static const refusal both[] = {
        {"the CTA limit is 0; give a number greater than 0", {PART(limit, 0)}},
        {"the number of SMs is 0; give a number greater than 0", {PART(sms, 0)}},
        {"blocks is 0; give a number greater than 0", {PART(r.kernel.blocks, 0)}},
        {"int_insts is -5; give 0 or more", {PART(r.kernel.int_insts, -5)}},
        {"threads_per_block", {PART(r.kernel.threads_per_block, 0)}},
    };
    static const refusal run[] = {{"active_sms is 31; give 0 to 30", {PART(sms, 31)}}};
    const part good = {predict_good_request(), 1, 30};
    const subject time = {time_alone, &good, sizeof good}, runs = {run_alone, &good, sizeof good};

    assert_refusals(&time, both);
    assert_refusals(&runs, both);
    assert_refusals(&runs, run);
}

/* ---- any input -------------------------------------------------------------------------------- */

static uint64_t seed;

static bool once_in(unsigned n)
{
    return random_one_in(&seed, n);
}

static void wild_kernel(analytic_kernel *k)
{
    double *const numbers[] = {&k->int_insts, &k->fp_insts, &k->sfu_insts, &k->alu_insts, &k->shared_insts,
                               &k->const_insts, &k->texture_insts, &k->local_insts, &k->coal_mem_insts,
                               &k->uncoal_mem_insts, &k->synch_insts, &k->uncoal_per_mw, &k->load_bytes,
                               &k->independent_loads, &k->mem_latency};

    *k = predict_kernel();
    for (unsigned i = 0; i < LENGTH(numbers); i++)
        if (once_in(6))
            *numbers[i] = once_in(8) ? random_wild(&seed, 1) : pow(10, random_between(&seed, -300, 300));
    if (once_in(3))
        k->blocks = random_count(&seed);
    if (once_in(3))
        k->threads_per_block = once_in(4) ? random_count(&seed) : (uint32_t)random_between(&seed, 1, 512);
    if (once_in(8))
        k->regs_per_thread = random_count(&seed) % 150;
    if (once_in(8))
        k->shared_per_block = random_count(&seed) * 4;
}

static void wild_gpu(analytic_gpu *gpu)
{
    mwp_cwp_gpu *m = &gpu->memory;
    double *const numbers[] = {&m->freq_ghz, &m->bandwidth_gb_s, &m->mem_ld, &m->departure_coal,
                               &m->departure_uncoal, &m->issue_cycles, &gpu->power.idle_power,
                               &gpu->power.thermal.mu, &gpu->power.unit[IPP_GLOBAL].max_power};

    for (unsigned i = 0; i < LENGTH(numbers); i++)
        if (once_in(12))
            *numbers[i] = once_in(4) ? random_wild(&seed, 1) : pow(10, random_between(&seed, -300, 300));
    if (once_in(6))
        gpu->occupancy.num_sms = random_count(&seed) % 50;
    if (once_in(20))
        gpu->occupancy.max_blocks = random_count(&seed);
    if (once_in(20))
        m->warp_size = random_count(&seed);
}

static predict_options wild_options(void)
{
    predict_options o = predict_options_default();

    o.time.case2_comp_or = once_in(2);
    o.time.issue_floor = once_in(2);
    o.time.rep_ceil = once_in(2);
    o.time.use_npw = once_in(2);
    o.time.npw_literal = once_in(4);
    o.power.zero_sms_log = once_in(2);
    o.power.maxtemp_is_delta = once_in(2);
    o.throughput.period = once_in(2) ? THROUGHPUT_PERIOD_GROUP : THROUGHPUT_PERIOD_ACCESS;
    o.throughput.n_new = once_in(2) ? THROUGHPUT_N_TIMES_ALPHA : THROUGHPUT_N_SOLVED;
    return o;
}

TEST(any_input_is_refused_or_gives_numbers)
{
    tally count = {0};

    seed = 20;
    for (unsigned i = 0; i < 6000; i++) {
        const predict_options options = wild_options();
        analytic_kernel kernel;
        analytic_gpu gpu;

        wild_kernel(&kernel);
        analytic_gpu_at(random_below(&seed, 6), &gpu);
        wild_gpu(&gpu);
        if (!tally_add(&count, predict(&gpu, &kernel, once_in(2) ? NULL : &options, &p, &err), &err))
            continue;
        predict_assert_finite(&p);
        assert_in_range(p.best_limit, 1, p.nmax);
        assert_in_range(p.eq63.cores, 1, gpu.occupancy.num_sms);
    }
    assert_true(count.taken > 500 && count.refused > 500);
}
