/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/predict_fixture.h"

analytic_kernel predict_kernel(void)
{
    return (analytic_kernel){
        .name = "all", .blocks = 480, .threads_per_block = 256, .regs_per_thread = 16, .shared_per_block = 2048,
        .int_insts = 30, .fp_insts = 40, .sfu_insts = 5, .alu_insts = 25,
        .shared_insts = 8, .const_insts = 4, .texture_insts = 3, .local_insts = 2,
        .coal_mem_insts = 6, .uncoal_mem_insts = 4, .synch_insts = 3,
        .uncoal_per_mw = 8, .load_bytes = 128, .independent_loads = 1};
}

analytic_kernel predict_simple_kernel(double arithmetic, double coalesced, double uncoalesced)
{
    return (analytic_kernel){
        .name = "simple", .blocks = 480, .threads_per_block = 256, .regs_per_thread = 10, .fp_insts = arithmetic,
        .coal_mem_insts = coalesced, .uncoal_mem_insts = uncoalesced,
        .uncoal_per_mw = 8, .load_bytes = 128, .independent_loads = 1};
}

predict_request predict_on(const char *gpu, analytic_kernel kernel)
{
    predict_request r = {.kernel = kernel, .options = analytic_predict_options_default(), .limit = 1};

    assert_true(analytic_gpu_find(gpu, &r.gpu));
    r.sms = r.gpu.occupancy.num_sms;
    return r;
}

MODEL(predict_of_request, predict_request, analytic_predict(&in->gpu, &in->kernel, &in->options, out, why))
MODEL(predict_time_of_request, predict_request,
      analytic_predict_time(&in->gpu, &in->kernel, in->limit, in->sms, &in->options, out, why))

bool predict_run_of_request(const void *input, void *out, analytic_err *why)
{
    const predict_request *r = input;
    ipp_core_run run = {.cores = r->sms, .seconds = 5, .power = 6};

    if (!analytic_predict_run(&r->gpu, &r->kernel, r->limit, &r->options, &run, why)) {
        assert_true(run.cores == r->sms && run.seconds == 5 && run.power == 6);
        return false;
    }
    memcpy(out, &run, sizeof run);
    return true;
}

const analytic_prediction *predict_solve(const predict_request *r)
{
    static analytic_prediction p;

    must(predict_of_request(r, &p, &err));
    return &p;
}

mwp_cwp_result predict_solve_time(const predict_request *r)
{
    mwp_cwp_result time;

    must(predict_time_of_request(r, &time, &err));
    return time;
}

mwp_cwp_vector predict_by_hand(uint32_t active_blocks)
{
    return (mwp_cwp_vector){
        .gpu = *mwp_cwp_gpu_find("GTX280"), .options = mwp_cwp_options_for_decisions(),
        .kernel = {.threads_per_block = 256, .blocks = 480, .active_blocks_per_sm = active_blocks,
                   .comp_insts = 30 + 40 + 5 + 25 + 8 + 4 + 3, .coal_mem_insts = 6 + 2, .uncoal_mem_insts = 4,
                   .coal_per_mw = 1, .uncoal_per_mw = 8, .load_bytes_per_warp = 128, .synch_insts = 3,
                   .m_factor = 1}};
}

void predict_same_time(const mwp_cwp_result *got, const mwp_cwp_result *want)
{
    assert_memory_equal(got, want, offsetof(mwp_cwp_result, case_number));
    assert_int_equal(got->case_number, want->case_number);
    assert_int_equal(got->equation, want->equation);
}

uint32_t predict_expected_best(const analytic_prediction *p)
{
    for (uint32_t limit = 1; limit < p->nmax; limit++) {
        double highest = 0;

        for (uint32_t more = limit + 1; more <= p->nmax; more++)
            highest = fmax(highest, p->point[more].ipc);
        if (highest / p->point[limit].ipc - 1 < 0.02)
            return limit;
    }
    return p->nmax;
}

static void assert_point_finite(const analytic_prediction_point *p)
{
    const ipp_power *w = &p->power;

    assert_finite_from(&p->time, &p->time.case_number);
    assert_finite_from(&p->cycles, &p->power);
    assert_finite_from(w->component, &w->num_limited);
    assert_finite_from(&w->sum_sm_component, w + 1);
    assert_finite(p->energy);
}

static void assert_advice_finite(const analytic_prediction *p)
{
    assert_finite_from(&p->model_in, &p->model_in.n);
    assert_finite_from(&p->model_in.mwp_bw, &p->model_in + 1);
    assert_finite_from(&p->throughput, &p->throughput.limiter);
    assert_finite_from(&p->throughput.mem_serial_n, &p->throughput.category);
    assert_finite_from(&p->core_advice.alpha, &p->core_advice.cores);
    assert_finite_from(&p->n_advice.alpha, &p->n_advice.n);
    assert_finite_from(&p->freq_advice.mwp_infin, &p->freq_advice + 1);
    assert_finite(p->core_advice.mwp_bw_new, p->n_advice.mwp_app_new);
}

void predict_assert_finite(const analytic_prediction *p)
{
    for (uint32_t limit = 1; limit <= p->nmax; limit++)
        assert_point_finite(&p->point[limit]);
    assert_finite(p->occupancy.occupancy, p->eq63.quotient);
    assert_finite_from(&p->per_watt.best.seconds, &p->per_watt.most);
    assert_finite_from(&p->per_watt.most.seconds, &p->per_watt + 1);
    assert_finite_from(&p->heat, &p->heat + 1);
    assert_advice_finite(p);
}
