/* SPDX-License-Identifier: Apache-2.0
 *
 * MWP without bandwidth that is N by construction: a quotient of whole numbers, which double precision may miss by a bit.
 */
#include "analytic/mwp_cwp_fixture.h"

typedef struct tie {
    unsigned n, coal, uncoal, transactions, departure_coal, departure_uncoal;
} tie;

/* Mem_LD with which Eqs. 12 to 17 give N; 0 if it is no whole positive number. */
static unsigned mem_ld_of(const tie *t)
{
    const unsigned delays = t->departure_uncoal * t->transactions * t->uncoal + t->departure_coal * t->coal;
    const unsigned beyond = (t->transactions - 1) * t->departure_uncoal * t->uncoal + t->departure_coal * t->coal;
    const unsigned rest = t->n * delays > beyond ? t->n * delays - beyond : 0;

    return rest % (t->coal + t->uncoal) ? 0 : rest / (t->coal + t->uncoal);
}

static mwp_cwp_result solve(const tie *t, double mem_ld)
{
    const mwp_cwp_gpu gpu = {.name = "tie", .active_sms = 1, .freq_ghz = 1, .bandwidth_gb_s = 1e6, .mem_ld = mem_ld,
                             .departure_coal = t->departure_coal, .departure_uncoal = t->departure_uncoal, .issue_cycles = 0.001,
                             .warp_size = 32};
    mwp_cwp_kernel k = mwp_cwp_kernel_default();
    mwp_cwp_result r = {.mwp = -1};

    k.threads_per_block = 32 * t->n;
    k.blocks = 100;
    k.active_blocks_per_sm = 1;
    k.comp_insts = 1;
    k.coal_mem_insts = t->coal;
    k.uncoal_mem_insts = t->uncoal;
    k.uncoal_per_mw = t->transactions;
    k.load_bytes_per_warp = 128;
    assert_true(mwp_cwp_compute(&gpu, &k, NULL, &r, &err));
    return r;
}

static unsigned ties_of(unsigned n, unsigned transactions)
{
    unsigned num = 0;

    for (unsigned coal = 0; coal <= 12; coal++)
        for (unsigned uncoal = coal ? 0 : 1; uncoal <= 3; uncoal++) {
            const tie t = {n, coal, uncoal, transactions, 1, 40};
            const unsigned mem_ld = mem_ld_of(&t);
            mwp_cwp_result r;

            if (mem_ld < 2)
                continue;
            r = solve(&t, mem_ld);
            assert_true(r.mwp_without_bw_full == n && r.mwp == n);
            assert_int_equal(r.case_number, MWP_CWP_CASE_1); /* hardly any computation: CWP is N, too */
            /* One cycle away is no tie. */
            assert_true(solve(&t, mem_ld - 1.0).mwp_without_bw_full < n);
            assert_true(solve(&t, mem_ld + 1.0).mwp_without_bw_full > n);
            num++;
        }
    return num;
}

TEST(every_constructed_tie_is_one)
{
    const tie of_the_example = {14, 9, 2, 2, 1, 40};
    unsigned num = 0;

    assert_int_equal(mem_ld_of(&of_the_example), 207);
    for (unsigned n = 2; n <= 24; n++)
        for (unsigned transactions = 2; transactions <= 8; transactions += 2)
            num += ties_of(n, transactions);
    assert_true(num > 200);
}
