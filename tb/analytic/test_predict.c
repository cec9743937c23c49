/* SPDX-License-Identifier: Apache-2.0
 *
 * How predict puts occupancy and mwp_cwp together: the number of blocks and the cycles at each limit. What
 * is expected comes from the models, called here with inputs filled in by hand, or from a pencil.
 */
#include "analytic/predict_fixture.h"

static prediction p; /* large; one at a time */

/* ---- blocks per SM --------------------------------------------------------------------------- */

TEST(qc_4_nmax_is_the_occupancy)
{
    predict_request r = predict_good_request();

    predict_solve(&r.gpu, &r.kernel, NULL, &p);
    assert_int_equal(p.nmax, 4); /* 32 warps / 8 */
    assert_int_equal(p.occupancy.active_blocks, 4);
    assert_int_equal(p.occupancy.limiter, OCCUPANCY_BY_WARPS);
    r.kernel.regs_per_thread = 20; /* 16384 registers / (256 x 20) */
    predict_solve(&r.gpu, &r.kernel, NULL, &p);
    assert_int_equal(p.nmax, 3);
    assert_int_equal(p.occupancy.limiter, OCCUPANCY_BY_REGISTERS);
    r.kernel.shared_per_block = 5400; /* 16384 bytes / 5632, in units of 512 */
    predict_solve(&r.gpu, &r.kernel, NULL, &p);
    assert_int_equal(p.nmax, 2);
    assert_int_equal(p.occupancy.limiter, OCCUPANCY_BY_SHARED);
    r.options.occupancy.units = OCCUPANCY_UNITS_EXACT; /* 16384 / 5400 */
    predict_solve(&r.gpu, &r.kernel, &r.options, &p);
    assert_int_equal(p.nmax, 3);
}

/* ---- cycles ---------------------------------------------------------------------------------- */

TEST(mc_eq_27_cycles_at_each_limit)
{
    predict_request r = predict_good_request();
    const mwp_cwp_options options = mwp_cwp_options_for_decisions();

    predict_solve(&r.gpu, &r.kernel, NULL, &p);
    for (uint32_t limit = 1; limit <= 4; limit++) {
        const mwp_cwp_kernel hand = predict_by_hand(limit);
        const mwp_cwp_result want = predict_solve_by_hand(mwp_cwp_gpu_find("GTX280"), &hand, &options);
        const prediction_point *at = &p.point[limit];

        predict_same_time(&at->time, &want);
        assert_true(want.synch_cost > 0);
        assert_near(at->cycles, want.exec_cycles_with_synch, 0);
        assert_near(at->cpi, at->cycles / (127 * 8 * 16.0), 1e-14); /* Eq. 24 of all cycles */
        assert_near(at->seconds, want.exec_cycles_with_synch / 1.3e9, 1e-15);
        /* 480 blocks of 8 warps, 127 instructions each, on 30 SMs */
        assert_near(at->ipc, 127.0 * 8 * 480 / 30 / at->cycles, 1e-15);
    }
}

TEST(mc_eq_22_by_pencil)
{
    const analytic_gpu gpu = predict_gpu("gtx280");
    analytic_kernel kernel = predict_simple_kernel(40, 2, 2);

    kernel.blocks = 1200;
    kernel.uncoal_per_mw = 2;
    predict_solve(&gpu, &kernel, NULL, &p);
    /* Mem_L (490 + 454) / 2 = 472, departure delay 42: MWP 472 / 42 of 32 warps. Mem_cycles 1888, Comp_p
     * 4 x 44 / 4; 1200 / (4 x 30) = 10 rounds. */
    assert_each(IS(p.nmax, 4), IS(p.point[4].time.case_number, MWP_CWP_CASE_2),
                NEAR(p.point[4].cycles, 10 * (1888 * 32 * 42 / 472.0 + 44 * (472 / 42.0 - 1)), 1e-14));
}

TEST(mc_21_ipc_is_one_over_cpi)
{
    predict_request r = predict_good_request();

    predict_solve(&r.gpu, &r.kernel, NULL, &p);
    for (uint32_t limit = 1; limit <= p.nmax; limit++)
        assert_near(p.point[limit].ipc * p.point[limit].cpi, 1, 1e-14);
    /* CPI is that of an SM that has blocks, IPC the mean over all SMs. */
    r.kernel.blocks = 6;
    predict_solve(&r.gpu, &r.kernel, NULL, &p);
    assert_near(p.point[1].ipc * p.point[1].cpi, 6 / 30.0, 1e-14);
    r.kernel.synch_insts = 0;
    predict_solve(&r.gpu, &r.kernel, NULL, &p);
    assert_near(p.point[1].cpi, p.point[1].time.cpi, 0);
}

TEST(local_memory_is_coalesced_global_memory)
{
    predict_request r = predict_good_request();
    mwp_cwp_result local, global;

    local = predict_solve_time(&r.gpu, &r.kernel, 3, 30, NULL);
    r.kernel.coal_mem_insts += r.kernel.local_insts;
    r.kernel.local_insts = 0;
    global = predict_solve_time(&r.gpu, &r.kernel, 3, 30, NULL);
    predict_same_time(&local, &global);
    assert_near(local.mem_insts, 12, 0);
}

TEST(mem_latency_replaces_the_gpus)
{
    predict_request r = predict_good_request();
    mwp_cwp_result own, gpus;

    gpus = predict_solve_time(&r.gpu, &r.kernel, 2, 30, NULL);
    assert_near(gpus.mem_l_coal, 450 + 4, 0);
    r.kernel.mem_latency = 700;
    own = predict_solve_time(&r.gpu, &r.kernel, 2, 30, NULL);
    assert_near(own.mem_l_coal, 700 + 4, 0);
    assert_near(own.mem_l_uncoal, 700 + 7 * 40, 0);
    r.gpu.memory.mem_ld = 700;
    r.kernel.mem_latency = 0;
    gpus = predict_solve_time(&r.gpu, &r.kernel, 2, 30, NULL);
    predict_same_time(&own, &gpus);
}

TEST(mc_24_independent_loads_are_n_pw)
{
    predict_request r = predict_good_request();
    mwp_cwp_kernel hand = predict_by_hand(1);
    mwp_cwp_result got, want;

    r.kernel.independent_loads = 4; /* of 12 accesses, every fourth waits */
    r.kernel.coal_mem_insts = 10;
    r.kernel.uncoal_mem_insts = 0;
    hand.coal_mem_insts = 12;
    hand.uncoal_mem_insts = 0;
    hand.ind_mem_req = 9;
    r.options.time.use_npw = true;
    got = predict_solve_time(&r.gpu, &r.kernel, 1, 30, &r.options);
    want = predict_solve_by_hand(mwp_cwp_gpu_find("GTX280"), &hand, &r.options.time);
    predict_same_time(&got, &want);
    assert_near(got.n_pw, 8 * 4, 1e-15);
    assert_true(got.npw_used);
    /* Without use_npw they change no cycles. */
    got = predict_solve_time(&r.gpu, &r.kernel, 1, 30, NULL);
    r.kernel.independent_loads = 1;
    want = predict_solve_time(&r.gpu, &r.kernel, 1, 30, NULL);
    assert_each(IS(got.exec_cycles_with_synch, want.exec_cycles_with_synch), NEAR(got.n_pw, 32, 1e-15),
                IS(want.n_pw, 8));
}

/* However many: one rounding more must not make them more than there are accesses. */
TEST(any_number_of_independent_loads)
{
    predict_request r = predict_good_request();

    r.kernel.independent_loads = 1e18;
    for (unsigned i = 1; i <= 1000; i++) {
        r.kernel.coal_mem_insts = i / 10.0;
        r.kernel.uncoal_mem_insts = i / 30.0;
        r.kernel.local_insts = i / 70.0;
        predict_solve_time(&r.gpu, &r.kernel, 1, 30, NULL);
    }
}

TEST(the_readings_of_time_are_handed_on)
{
    predict_request r = predict_good_request();
    const mwp_cwp_kernel hand = predict_by_hand(4);
    mwp_cwp_result want, got;

    r.options.time.eq1 = true;
    r.options.time.coal_departure = false;
    want = predict_solve_by_hand(mwp_cwp_gpu_find("GTX280"), &hand, &r.options.time);
    predict_solve(&r.gpu, &r.kernel, &r.options, &p);
    predict_same_time(&p.point[4].time, &want);
    got = predict_solve_time(&r.gpu, &r.kernel, 4, 30, &r.options);
    predict_same_time(&got, &want);
    got = predict_solve_time(&r.gpu, &r.kernel, 4, 30, NULL);
    assert_true(got.exec_cycles != want.exec_cycles);
}

TEST(the_defaults_are_the_models_and_those_for_decisions)
{
    const predict_options options = predict_options_default();
    const mwp_cwp_options time = mwp_cwp_options_for_decisions();
    const occupancy_options occupancy = occupancy_options_default();
    const throughput_options throughput = throughput_options_default();
    const ipp_options power = ipp_options_default();

    assert_memory_equal(&options.time, &time, sizeof time);
    assert_memory_equal(&options.occupancy, &occupancy, sizeof occupancy);
    assert_each(IS(options.power.form, power.form), IS(options.power.memory, power.memory),
                IS(options.power.rounding, power.rounding),
                IS(options.power.maxtemp_is_delta, power.maxtemp_is_delta),
                IS(options.throughput.infin, throughput.infin), IS(options.throughput.period, throughput.period),
                IS(options.throughput.similar, throughput.similar));
    assert_true(options.power.case1_and && !power.case1_and); /* "either" gives every SM to kernels of few CTAs */
}

TEST(hg_a4_a_kernel_without_memory_instruction)
{
    const analytic_gpu gpu = predict_gpu("gtx280");
    const analytic_kernel kernel = predict_simple_kernel(100, 0, 0);

    predict_solve(&gpu, &kernel, NULL, &p);
    assert_int_equal(p.nmax, 4);
    for (uint32_t limit = 1; limit <= 4; limit++) { /* 4 cycles x 100 x 16 blocks of 8 warps, whatever the limit */
        assert_int_equal(p.point[limit].time.case_number, MWP_CWP_NO_MEMORY);
        assert_near(p.point[limit].cycles, 4.0 * 100 * 16 * 8, 1e-14);
    }
    assert_each(IS(p.best_limit, 1), IS(p.has_category, false), IS(p.throughput.category, 0),
                IS(p.eq63.limit, IPP_LIMIT_COMPUTE), IS(p.eq63.cores, 30), IS(p.eq63.quotient, 30));
}
