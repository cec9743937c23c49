/* SPDX-License-Identifier: Apache-2.0
 *
 * What mwp_cwp refuses, field by field; any input is refused or gives numbers; and what holds for every
 * kernel that can be.
 */
#include "analytic/mwp_cwp_fixture.h"

static const bad_values not_1 = {6, {0, 0.99, 2, -1, NAN, INFINITY}};
static const bad_values of_two = {5, {2.01, -1, NAN, INFINITY, -INFINITY}};

TEST(impossible_inputs_are_refused)
{
#define BAD(path, values) {MEMBER(mwp_cwp_vector, path), &(values)}
    static const bad_member members[] = {
        BAD(gpu.active_sms, not_positive),     BAD(gpu.freq_ghz, not_positive),
        BAD(gpu.bandwidth_gb_s, not_positive), BAD(gpu.mem_ld, not_positive),
        BAD(gpu.departure_coal, not_positive), BAD(gpu.departure_uncoal, not_positive),
        BAD(gpu.issue_cycles, not_positive),   BAD(kernel.comp_insts, negative),
        BAD(kernel.coal_mem_insts, negative),  BAD(kernel.uncoal_mem_insts, negative),
        BAD(kernel.coal_per_mw, not_1),        BAD(kernel.uncoal_per_mw, below_1),
        BAD(kernel.synch_insts, negative),     BAD(kernel.load_bytes_per_warp, not_positive),
        BAD(kernel.m_factor, not_positive),    BAD(kernel.ind_mem_req, of_two),
    };
    static const refusal rows[] = {
        {"warp_size is 0; give", {GPU(warp_size, 0)}},
        {"threads_per_block is 0; give", {KERNEL(threads_per_block, 0)}},
        {"blocks is 0; give", {KERNEL(blocks, 0)}},
        {"active_blocks_per_sm is 0; give", {KERNEL(active_blocks_per_sm, 0)}},
        {"comp_insts + coal_mem_insts + uncoal_mem_insts is 0; give",
         {KERNEL(comp_insts, 0), KERNEL(coal_mem_insts, 0), KERNEL(uncoal_mem_insts, 0)}},
        {"load_bytes_per_warp is -1; give 0 or more",
         {KERNEL(load_bytes_per_warp, -1), KERNEL(coal_mem_insts, 0), KERNEL(uncoal_mem_insts, 0)}},
        /* Results that no double holds. */
        {"mwp_peak_bw has no finite value", {GPU(bandwidth_gb_s, 1e308), GPU(freq_ghz, 1e-3)}},
        {"comp_cycles has no finite value", {KERNEL(comp_insts, 1e308)}},
        {"mwp is 0", {GPU(bandwidth_gb_s, 1e-320), GPU(freq_ghz, 1e10)}},
        {"synch_cost has no finite value", {KERNEL(synch_insts, 1e307)}},
        {"comp_insts + coal_mem_insts + uncoal_mem_insts is inf",
         {KERNEL(coal_mem_insts, 1e308), KERNEL(uncoal_mem_insts, 1e308)}},
    };
    static const result rows_taken[] = {{{KERNEL(comp_insts, 0)}, {OUT(case_number, MWP_CWP_CASE_2, 0)}}};
    const mwp_cwp_vector good = mwp_cwp_vector_at(7);
    const subject model = {mwp_cwp_of_vector, &good, sizeof good};

    assert_bad_members(&model, members);
    assert_refusals(&model, rows);
    assert_results(&model, rows_taken);
}

TEST(largest_counts)
{
#define MOST(member) KERNEL(member, UINT32_MAX)
#define LARGEST MOST(threads_per_block), MOST(blocks), MOST(active_blocks_per_sm)
    static const result rows[] = {
        {{LARGEST, GPU(warp_size, UINT32_MAX)}, {OUT(warps_per_block, 1, 0)}},
        {{LARGEST, GPU(warp_size, UINT32_MAX - 1)}, {OUT(warps_per_block, 2, 0)}},
        {{LARGEST, GPU(warp_size, 1)}, {OUT(n, 4294967295.0 * 4294967295.0, 1e-15), OUT(rep, 1 / 16.0, 0)}},
    };
    const mwp_cwp_vector good = mwp_cwp_vector_at(7);
    const subject model = {mwp_cwp_of_vector, &good, sizeof good};

    assert_results(&model, rows);
}

typedef struct two_paths {
    mwp_cwp_kernel path[2];
    uint32_t num;
} two_paths;

static MODEL(paths, two_paths, mwp_cwp_paths(mwp_cwp_gpu_find("FX5600"), in->path, in->num, NULL, out, why))

TEST(paths_of_one_launch)
{
#define PATH(i, member, value) {MEMBER(two_paths, path[i].member), value}
    static const refusal rows[] = {
        {"the number of paths is 0; give", {{MEMBER(two_paths, num), 0}}},
        {"path 2: threads_per_block, blocks, active_blocks_per_sm are 65, 64, 4; give 64, 64, 4",
         {PATH(1, threads_per_block, 65)}},
        {"path 2: threads_per_block, ", {PATH(1, blocks, 65)}},
        {"path 2: threads_per_block, ", {PATH(1, active_blocks_per_sm, 3)}},
        {"path 2: comp_insts is -1; give", {PATH(1, comp_insts, -1)}},
        {"path 1: m_factor is 0; give", {PATH(0, m_factor, 0), PATH(1, comp_insts, -1)}},
    };
    /* 1.28e308 cycles: one of them a double can hold */
    static const refusal sum[] = {{"exec_cycles_with_synch has no finite value",
                                   {PATH(0, comp_insts, 4e306), PATH(1, comp_insts, 4e306)}}};
    const mwp_cwp_kernel k = mwp_cwp_vector_at(7).kernel;
    two_paths good = {{k, k}, 2};
    const subject model = {paths, &good, sizeof good};

    assert_refusals(&model, rows);
    for (int i = 0; i < 2; i++)
        good.path[i].coal_mem_insts = good.path[i].uncoal_mem_insts = 0;
    assert_refusals(&model, sum);
}

/* ---- any input ------------------------------------------------------------------------------------- */

static void sound(const void *of, const void *out)
{
    const mwp_cwp_result *r = out;

    (void)of;
    assert_finite_from(r, &r->case_number);
    for (const double *number = &r->warps_per_block; number <= &r->seconds; number++)
        assert_true(*number >= 0);
    assert_true(r->mwp <= r->n || r->npw_used);
    assert_true(r->cwp <= r->n);
}

TEST(any_kernel_is_refused_or_finite)
{
#define ANY(path) {MEMBER(mwp_cwp_vector, path), 0}
#define FLAG(name) {MEMBER(mwp_cwp_vector, options.name), 2}
    static const wild_member members[] = {
        ANY(gpu.active_sms), ANY(gpu.freq_ghz), ANY(gpu.bandwidth_gb_s), ANY(gpu.mem_ld), ANY(gpu.departure_coal),
        ANY(gpu.departure_uncoal), ANY(gpu.issue_cycles), ANY(gpu.warp_size), ANY(kernel.threads_per_block),
        ANY(kernel.blocks), ANY(kernel.active_blocks_per_sm), ANY(kernel.comp_insts), ANY(kernel.coal_mem_insts),
        ANY(kernel.uncoal_mem_insts), ANY(kernel.uncoal_per_mw), ANY(kernel.load_bytes_per_warp), ANY(kernel.synch_insts),
        ANY(kernel.m_factor), ANY(kernel.ind_mem_req), ANY(kernel.coal_per_mw), FLAG(case2_comp_or), FLAG(eq1),
        FLAG(issue_floor), FLAG(rep_ceil), FLAG(coal_departure), FLAG(use_npw), FLAG(npw_literal), FLAG(npw_case_literal),
    };

    for (unsigned number = 1; number <= MWP_CWP_VECTORS; number++) {
        const wild anything = {1963 + number, 30000, 8, sizeof(mwp_cwp_result), sound};
        const mwp_cwp_vector good = mwp_cwp_vector_at(number);
        const subject model = {mwp_cwp_of_vector, &good, sizeof good};

        assert_wild(&model, &anything, members);
    }
}

/* ---- any kernel that can be -------------------------------------------------------------------------- */

static mwp_cwp_vector sane_vector(uint64_t *seed)
{
    static const char *const gpus[] = {"8800GTX", "FX5600", "8800GT", "GTX280"};
    mwp_cwp_vector v = {.gpu = *mwp_cwp_gpu_find(gpus[random_below(seed, 4)]), .kernel = mwp_cwp_kernel_default()};

    v.gpu.bandwidth_gb_s *= random_between(seed, 0.2, 5);
    v.kernel.threads_per_block = (uint32_t)(random_next(seed) % 512 + 1);
    v.kernel.blocks = (uint32_t)(random_next(seed) % 5000 + 1);
    v.kernel.active_blocks_per_sm = (uint32_t)(random_next(seed) % 8 + 1);
    v.kernel.comp_insts = random_between(seed, 0, 400);
    v.kernel.coal_mem_insts = (double)(random_next(seed) % 5);
    v.kernel.uncoal_mem_insts = (double)(random_next(seed) % 3) + (v.kernel.coal_mem_insts == 0);
    v.kernel.uncoal_per_mw = random_between(seed, 1, 32);
    v.kernel.load_bytes_per_warp = random_between(seed, 32, 256);
    v.kernel.m_factor = random_between(seed, 1, 4);
    v.kernel.synch_insts = (double)(random_next(seed) % 4);
    return v;
}

static void check_bounds(const mwp_cwp_result *r)
{
    assert_near(r->mwp, fmin(fmin(r->mwp_without_bw_full, r->mwp_peak_bw), r->n), 0);
    assert_near(r->weight_coal + r->weight_uncoal, 1, 1e-15);
    assert_near(r->mem_cycles, r->mem_l * r->mem_insts, 1e-13); /* Eq. 3's Mem_p is Mem_L */
    assert_true(r->cwp >= 1 && r->cwp <= r->n && r->cwp <= r->cwp_full);
    assert_true(r->mem_l >= fmin(r->mem_l_coal, r->mem_l_uncoal) * (1 - 1e-15));
    assert_true(r->mem_l <= fmax(r->mem_l_coal, r->mem_l_uncoal) * (1 + 1e-15));
    assert_true(r->np_wb <= r->warps_per_block && r->np_wb <= r->mwp);
    assert_true(r->exec_cycles_with_synch >= r->exec_cycles);
}

/* The figures' reading: computation decides or all warps overlap, and issue is never the limit; where
 * memory decides, it can only be if CWP lies less than one above MWP. */
TEST(mc_18_to_20_partition_and_issue)
{
    uint64_t seed = 26;
    mwp_cwp_options o = mwp_cwp_options_default();
    unsigned seen[4] = {0};
    unsigned below = 0;

    o.case2_comp_or = false;
    for (unsigned i = 0; i < 25000; i++) {
        const mwp_cwp_vector v = sane_vector(&seed);
        const mwp_cwp_result r = mwp_cwp_solve(&v, &o);
        const bool all = r.mwp == r.n && r.cwp == r.n;

        check_bounds(&r);
        seen[r.case_number]++;
        below += r.below_issue_bound;
        assert_int_equal(r.case_number, all ? 1 : r.cwp >= r.mwp ? 2 : 3);
        assert_near(r.exec_cycles, all ? r.eq21 : r.cwp >= r.mwp ? r.eq22 : r.eq23, 0);
        assert_int_equal(r.below_issue_bound, r.exec_cycles < r.issue_bound);
        if (r.below_issue_bound)
            assert_true(r.case_number == MWP_CWP_CASE_2 && r.cwp_full < r.mwp + 1);
    }
    assert_true(seen[1] > 500 && seen[2] > 500 && seen[3] > 500 && below > 50);
}

/* As printed, also whatever has more computation than memory. */
TEST(mc_19_literal_differs_only_there)
{
    uint64_t seed = 27;
    mwp_cwp_options figure = mwp_cwp_options_default();
    unsigned different = 0;

    figure.case2_comp_or = false;
    for (unsigned i = 0; i < 20000; i++) {
        const mwp_cwp_vector v = sane_vector(&seed);
        const mwp_cwp_result printed = mwp_cwp_solve(&v, NULL);
        const mwp_cwp_result drawn = mwp_cwp_solve(&v, &figure);
        const bool differs = printed.case_number != drawn.case_number;

        different += differs;
        assert_int_equal(differs,
                         drawn.case_number == MWP_CWP_CASE_3 && drawn.comp_cycles > drawn.mem_cycles);
        if (differs)
            assert_int_equal(printed.case_number, MWP_CWP_CASE_2);
    }
    assert_true(different > 500);
}

TEST(floor_holds)
{
    uint64_t seed = 28;

    for (unsigned i = 0; i < 20000; i++) {
        const mwp_cwp_vector v = sane_vector(&seed);
        const mwp_cwp_options o = {.issue_floor = true, .case2_comp_or = i & 1, .eq1 = i & 2, .rep_ceil = i & 4,
                                   .coal_departure = i & 8, .npw_literal = i & 16, .npw_case_literal = i & 32};
        const mwp_cwp_result r = mwp_cwp_solve(&v, &o);

        assert_true(r.exec_cycles >= r.issue_bound);
        assert_true(r.cpi >= v.gpu.issue_cycles * v.kernel.m_factor * (1 - 1e-13));
    }
}

/* Twice the blocks is twice the time; a faster clock with as much more bandwidth takes as many cycles;
 * more bandwidth never lowers MWP. */
TEST(scaling)
{
    uint64_t seed = 29;

    for (unsigned i = 0; i < 5000; i++) {
        mwp_cwp_vector v = sane_vector(&seed);
        const mwp_cwp_result r = mwp_cwp_solve(&v, NULL);

        v.kernel.blocks *= 2;
        assert_near(mwp_cwp_solve(&v, NULL).exec_cycles_with_synch, 2 * r.exec_cycles_with_synch, 1e-14);
        assert_near(mwp_cwp_solve(&v, NULL).cpi, r.cpi, 1e-14);
        v.kernel.blocks /= 2;
        v.gpu.freq_ghz *= 2;
        v.gpu.bandwidth_gb_s *= 2;
        assert_near(mwp_cwp_solve(&v, NULL).exec_cycles_with_synch, r.exec_cycles_with_synch, 1e-14);
        assert_near(mwp_cwp_solve(&v, NULL).seconds, r.seconds / 2, 1e-14);
        v.gpu.bandwidth_gb_s *= 2;
        assert_true(mwp_cwp_solve(&v, NULL).mwp >= r.mwp);
    }
}
