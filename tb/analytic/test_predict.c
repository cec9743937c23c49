/* SPDX-License-Identifier: Apache-2.0
 *
 * How predict puts occupancy and mwp_cwp together: the number of blocks, the cycles at each limit, also of
 * grids too small to fill an SM or the machine, and which limit is the best. What is expected comes from the
 * models, called here with inputs filled in by hand, or from a pencil.
 */
#include "analytic/predict_fixture.h"

#define LIMIT(number) IN(limit, number)
#define BLOCKS(number) IN(kernel.blocks, number)

/* ---- blocks per SM --------------------------------------------------------------------------- */

TEST(qc_4_nmax_is_the_occupancy)
{
#define REGISTERS_20 IN(kernel.regs_per_thread, 20)
    static const result rows[] = {
        {{UNCHANGED}, /* 32 warps / 8 */
         {PREDICTED(nmax, 4), PREDICTED(occupancy.active_blocks, 4), PREDICTED(occupancy.limiter, OCCUPANCY_BY_WARPS)}},
        {{REGISTERS_20}, /* 16384 registers / (256 x 20) */
         {PREDICTED(nmax, 3), PREDICTED(occupancy.limiter, OCCUPANCY_BY_REGISTERS)}},
        {{REGISTERS_20, IN(kernel.shared_per_block, 5400)}, /* 16384 bytes / 5632, in units of 512 */
         {PREDICTED(nmax, 2), PREDICTED(occupancy.limiter, OCCUPANCY_BY_SHARED)}},
        {{REGISTERS_20, IN(kernel.shared_per_block, 5400), IN(options.occupancy.units, OCCUPANCY_UNITS_EXACT)},
         {PREDICTED(nmax, 3)}}, /* 16384 / 5400 */
    };
    const predict_request good = predict_on("gtx280", predict_kernel());
    const subject model = {predict_of_request, &good, sizeof good};

    assert_results(&model, rows);
}

/* ---- cycles ---------------------------------------------------------------------------------- */

/* predict_kernel() on gtx280 with these changes is the same call as this one by hand. */
static mwp_cwp_result assert_by_hand(const change *asked, size_t num_asked, const change *hand, size_t num_hand,
                                     uint32_t active_blocks)
{
    predict_request r = predict_on("gtx280", predict_kernel());
    mwp_cwp_vector v = predict_by_hand(active_blocks);
    mwp_cwp_result got, want;

    analytic_change(&r, asked, num_asked);
    analytic_change(&v, hand, num_hand);
    got = predict_solve_time(&r);
    want = mwp_cwp_solve(&v, &v.options);
    predict_same_time(&got, &want);
    return got;
}

TEST(time_is_that_of_mwp_cwp)
{
#define COAL_MEM(number) IN(kernel.coal_mem_insts, number)
#define NO_UNCOAL IN(kernel.uncoal_mem_insts, 0)
#define NPW OPTION(use_npw, true)
#define LOADS_4 IN(kernel.independent_loads, 4) /* of 12 accesses, every fourth waits */
#define MEM_12 KERNEL(coal_mem_insts, 12), KERNEL(uncoal_mem_insts, 0)
    enum { ASKED = 5, HAND = 5 };
    static const struct {
        change asked[ASKED], hand[HAND];
        uint32_t active_blocks;
        double rep; /* rounds */
    } rows[] = {
        {{LIMIT(1)}, {UNCHANGED}, 1, 16},
        {{LIMIT(2)}, {UNCHANGED}, 2, 8},
        {{LIMIT(3)}, {UNCHANGED}, 3, 16 / 3.0},
        {{LIMIT(4)}, {UNCHANGED}, 4, 4},
        /* Local memory is coalesced global memory. */
        {{LIMIT(3), COAL_MEM(8), IN(kernel.local_insts, 0)}, {UNCHANGED}, 3, 16 / 3.0},
        /* The kernel's latency replaces the GPU's. */
        {{LIMIT(2), IN(kernel.mem_latency, 700)}, {GPU(mem_ld, 700)}, 2, 8},
        {{LIMIT(2), IN(gpu.memory.mem_ld, 700)}, {GPU(mem_ld, 700)}, 2, 8},
        /* MC-24: independent loads are N_pw; without use_npw they change no cycles. */
        {{LOADS_4, COAL_MEM(10), NO_UNCOAL, IN(options.time.use_npw, true)}, {MEM_12, KERNEL(ind_mem_req, 9), NPW}, 1, 16},
        {{LOADS_4, COAL_MEM(10), NO_UNCOAL}, {MEM_12, KERNEL(ind_mem_req, 9)}, 1, 16},
        /* The readings are handed on. */
        {{LIMIT(4), IN(options.time.eq1, true), IN(options.time.coal_departure, false)},
         {OPTION(eq1, true), OPTION(coal_departure, false)}, 4, 4},
        /* Fewer SMs. HG-A3: whole rounds stay a reading. */
        {{LIMIT(3), IN(sms, 10)}, {GPU(active_sms, 10)}, 3, 16},
        {{LIMIT(2), BLOCKS(100)}, {KERNEL(blocks, 100)}, 2, 100 / 60.0},
        {{LIMIT(2), BLOCKS(100), IN(options.time.rep_ceil, true)}, {KERNEL(blocks, 100), OPTION(rep_ceil, true)}, 2, 2},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const mwp_cwp_result got = assert_by_hand(rows[i].asked, ASKED, rows[i].hand, HAND, rows[i].active_blocks);

        assert_near(got.rep, rows[i].rep, 1e-15);
        assert_true(got.synch_cost > 0);
    }
}

/* At limits 1 to 4 an SM has `active` blocks at a time; as many SMs have some as there are blocks. */
TEST(grids_smaller_than_the_machine)
{
    static const struct {
        uint32_t blocks, active[4];
        double rounds[4];
    } rows[] = {
        {7, {1, 1, 1, 1}, {1, 1, 1, 1}},  {1, {1, 1, 1, 1}, {1, 1, 1, 1}},
        {29, {1, 1, 1, 1}, {1, 1, 1, 1}}, {30, {1, 1, 1, 1}, {1, 1, 1, 1}},
        {31, {1, 2, 2, 2}, {31 / 30.0, 1, 1, 1}},
        {60, {1, 2, 2, 2}, {2, 1, 1, 1}},
        {61, {1, 2, 3, 3}, {61 / 30.0, 61 / 60.0, 1, 1}},
        {100, {1, 2, 3, 4}, {100 / 30.0, 100 / 60.0, 100 / 90.0, 1}},
    };

    for (size_t i = 0; i < 4 * LENGTH(rows); i++) {
        const uint32_t blocks = rows[i / 4].blocks, limit = i % 4 + 1;
        const double rounds = rows[i / 4].rounds[limit - 1];
        const change asked[] = {LIMIT(limit), BLOCKS(blocks)};
        const change hand[] = {KERNEL(blocks, blocks), GPU(active_sms, fmin(blocks, 30)),
                               OPTION(rep_ceil, rounds == 1)};

        assert_near(assert_by_hand(asked, 2, hand, 3, rows[i / 4].active[limit - 1]).rep, rounds, 1e-15);
    }
}

TEST(mc_eq_27_points_at_each_limit)
{
    predict_request r = predict_on("gtx280", predict_kernel());
    const analytic_prediction *p = predict_solve(&r);

    for (uint32_t limit = 1; limit <= 4; limit++) {
        const analytic_prediction_point *at = &p->point[limit];

        r.limit = limit;
        const mwp_cwp_result want = predict_solve_time(&r);
        predict_same_time(&at->time, &want);
        assert_each(IS(at->cycles, want.exec_cycles_with_synch),
                    NEAR(at->cpi, at->cycles / (127 * 8 * 16.0), 1e-14), /* Eq. 24 of all cycles */
                    NEAR(at->seconds, want.exec_cycles_with_synch / 1.3e9, 1e-15),
                    /* 480 blocks of 8 warps, 127 instructions each, on 30 SMs */
                    NEAR(at->ipc, 127.0 * 8 * 480 / 30 / at->cycles, 1e-15), NEAR(at->ipc * at->cpi, 1, 1e-14));
    }
    /* CPI is that of an SM that has blocks, IPC the mean over all SMs. */
    r.kernel.blocks = 6;
    p = predict_solve(&r);
    assert_near(p->point[1].ipc * p->point[1].cpi, 6 / 30.0, 1e-14);
    assert_int_equal(p->best_limit, 1); /* no limit changes anything */
    r.kernel.synch_insts = 0;
    p = predict_solve(&r);
    assert_near(p->point[1].cpi, p->point[1].time.cpi, 0);
    /* The readings are handed on. */
    r.options.time.eq1 = true;
    r.limit = 1;
    const mwp_cwp_result eq1 = predict_solve_time(&r);
    predict_same_time(&predict_solve(&r)->point[1].time, &eq1);
}

TEST(mc_eq_22_by_pencil)
{
    static const result rows[] = {
        /* Mem_L (490 + 454) / 2 = 472, departure delay 42: MWP 472 / 42 of 32 warps. Mem_cycles 1888, Comp_p
         * 4 x 44 / 4; 1200 / (4 x 30) = 10 rounds. */
        {{BLOCKS(1200), IN(kernel.uncoal_per_mw, 2)},
         {PREDICTED(nmax, 4), PREDICTED(point[4].time.case_number, MWP_CWP_CASE_2),
          WANT(analytic_prediction, point[4].cycles, 10 * (1888 * 32 * 42 / 472.0 + 44 * (472 / 42.0 - 1)), 1e-14)}},
        /* HG-A4: no memory instruction. 4 cycles x 40 x 16 blocks of 8 warps, whatever the limit. */
        {{COAL_MEM(0), NO_UNCOAL},
         {PREDICTED(nmax, 4), PREDICTED(point[1].time.case_number, MWP_CWP_NO_MEMORY),
          PREDICTED(point[4].time.case_number, MWP_CWP_NO_MEMORY), PREDICTED(point[1].cycles, 4.0 * 40 * 16 * 8),
          PREDICTED(point[2].cycles, 4.0 * 40 * 16 * 8), PREDICTED(point[3].cycles, 4.0 * 40 * 16 * 8),
          PREDICTED(point[4].cycles, 4.0 * 40 * 16 * 8), PREDICTED(best_limit, 1), PREDICTED(has_category, false),
          PREDICTED(throughput.category, 0), PREDICTED(eq63.limit, IPP_LIMIT_COMPUTE), PREDICTED(eq63.cores, 30),
          PREDICTED(eq63.quotient, 30)}},
    };
    static const result times[] = {
        {{IN(kernel.mem_latency, 700), IN(kernel.uncoal_per_mw, 8)},
         {WANT(mwp_cwp_result, mem_l_coal, 700 + 4, 0), WANT(mwp_cwp_result, mem_l_uncoal, 700 + 7 * 40, 0)}},
        {{NO_UNCOAL, IN(kernel.independent_loads, 4)},
         {WANT(mwp_cwp_result, n_pw, 8 * 4, 1e-15), WANT(mwp_cwp_result, npw_used, false, 0)}},
        {{NO_UNCOAL, IN(kernel.independent_loads, 4), IN(options.time.use_npw, true)},
         {WANT(mwp_cwp_result, npw_used, true, 0)}},
    };
    const predict_request good = predict_on("gtx280", predict_simple_kernel(40, 2, 2));
    const subject model = {predict_of_request, &good, sizeof good};
    const subject time = {predict_time_of_request, &good, sizeof good};

    assert_results(&model, rows);
    assert_results(&time, times);
}

/* However many independent loads: one rounding more must not make them more than there are accesses. */
TEST(any_number_of_independent_loads)
{
    predict_request r = predict_on("gtx280", predict_kernel());

    r.kernel.independent_loads = 1e18;
    for (unsigned i = 1; i <= 1000; i++) {
        r.kernel.coal_mem_insts = i / 10.0;
        r.kernel.uncoal_mem_insts = i / 30.0;
        r.kernel.local_insts = i / 70.0;
        predict_solve_time(&r);
    }
}

TEST(the_defaults_are_the_models_and_those_for_decisions)
{
    const predict_request r = predict_on("gtx280", predict_kernel());
    const analytic_predict_options options = analytic_predict_options_default();
    const mwp_cwp_options time = mwp_cwp_options_for_decisions();
    const occupancy_options occupancy = occupancy_options_default();
    const throughput_options throughput = throughput_options_default();
    const ipp_options power = ipp_options_default();
    static analytic_prediction without;
    mwp_cwp_result time_without;

    assert_memory_equal(&options.time, &time, sizeof time);
    assert_memory_equal(&options.occupancy, &occupancy, sizeof occupancy);
    assert_each(IS(options.power.form, power.form), IS(options.power.memory, power.memory),
                IS(options.power.rounding, power.rounding),
                IS(options.power.maxtemp_is_delta, power.maxtemp_is_delta),
                IS(options.throughput.infin, throughput.infin), IS(options.throughput.period, throughput.period),
                IS(options.throughput.similar, throughput.similar));
    assert_true(options.power.case1_and && !power.case1_and); /* "either" gives every SM to kernels of few CTAs */
    must(analytic_predict(&r.gpu, &r.kernel, NULL, &without, &err));
    assert_memory_equal(&without, predict_solve(&r), sizeof without);
    must(analytic_predict_time(&r.gpu, &r.kernel, 1, 30, NULL, &time_without, &err));
    predict_same_time(&time_without, &without.point[1].time);
}

/* ---- best limit ------------------------------------------------------------------------------ */

TEST(ps_e4_the_fewest_that_none_beats_by_two_percent)
{
    static const result rows[] = {
        /* Latency wants as many as fit: 16 warps at most, each more block hides more. Bandwidth wants one. */
        {{IN(kernel.fp_insts, 9), COAL_MEM(1), IN(kernel.threads_per_block, 64)},
         {PREDICTED(nmax, 8), PREDICTED(best_limit, 8)}},
        {{IN(kernel.fp_insts, 9), COAL_MEM(0), IN(kernel.uncoal_mem_insts, 8), IN(kernel.uncoal_per_mw, 32),
          IN(kernel.load_bytes, 4096)}, {PREDICTED(nmax, 6), PREDICTED(best_limit, 1)}},
    };
    predict_request r = predict_on("fermi", predict_simple_kernel(200, 2, 0));
    const subject model = {predict_of_request, &r, sizeof r};
    const analytic_prediction *p = predict_solve(&r);
    uint64_t seed = 4;
    unsigned one = 0, most = 0, between = 0, close = 0;

    assert_int_equal(p->nmax, 6);
    assert_in_range(p->best_limit, 2, 5);
    assert_true(p->point[6].ipc > p->point[p->best_limit].ipc); /* there is more, but not worth it */
    assert_true(p->point[6].ipc / p->point[p->best_limit].ipc < 1.02);
    assert_true(p->point[6].ipc / p->point[p->best_limit - 1].ipc >= 1.02);
    assert_results(&model, rows);
    for (unsigned i = 0; i < 400; i++) {
        r.kernel = predict_simple_kernel(random_between(&seed, 10, 900), random_between(&seed, 0, 9),
                                         random_between(&seed, 0, 2));
        r.kernel.threads_per_block = (uint32_t)random_between(&seed, 32, 256);
        r.kernel.blocks = (uint32_t)random_between(&seed, 15, 2000);
        r.kernel.load_bytes = i % 2 ? 128 : 2048;
        p = predict_solve(&r);
        assert_int_equal(p->best_limit, predict_expected_best(p));
        one += p->best_limit == 1;
        most += p->best_limit == p->nmax;
        between += p->best_limit > 1 && p->best_limit < p->nmax;
        for (uint32_t n = 1; n < p->nmax; n++)
            close += fabs(p->point[n + 1].ipc / p->point[n].ipc - 1.02) < 0.002;
    }
    assert_true(one > 20 && most > 20 && between > 20 && close > 20);
}
