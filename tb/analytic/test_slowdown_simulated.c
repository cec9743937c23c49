/* SPDX-License-Identifier: Apache-2.0
 *
 * slowdown against explicit lists: of SMs, filled block by block (QC-16), and of slots in time (QC-14).
 */
#include "analytic/analytic_fixture.h"
#include "analytic/slowdown.h"

/* Of Table 6.2. */
static const occupancy_kernel s1 = {110, 256, 16, 1024}, s2 = {450, 256, 16, 0};
static const occupancy_kernel s17 = {109, 256, 16, 1664}, s18 = {292, 256, 16, 512};
static const occupancy_kernel s25 = {150, 256, 16, 1024}, s26 = {393, 512, 16, 8704};
static const occupancy_kernel s45 = {55, 512, 16, 3840}, s46 = {441, 128, 16, 768};
static const occupancy_kernel s53 = {36, 512, 16, 1024}, s54 = {362, 1024, 16, 2048};

/* k1 takes 1 s. */
static slowdown_result computed(const char *gpu, const occupancy_kernel *k1, const occupancy_kernel *k2,
                                       const slowdown_options *options)
{
    slowdown_result r;

    must(slowdown_compute(occupancy_gpu_find(gpu), k1, k2, 1, options, &r, &err));
    return r;
}

/* ---- finite lifetime --------------------------------------------------------------------------- */

/* k2's waves take 1 s each, a wave of k1 `waves` s. */
static slowdown_result with_lifetime(const occupancy_kernel *k1, const occupancy_kernel *k2, double waves)
{
    const occupancy_gpu *gpu = occupancy_gpu_find("cc3.5");
    slowdown_result r = computed("cc3.5", k1, k2, NULL);
    slowdown_options o = slowdown_options_default();

    o.lifetime = SLOWDOWN_LIFETIME_FINITE;
    o.exec_time_k2 = r.waves_k2;
    must(slowdown_compute(gpu, k1, k2, waves * r.waves_k1, &o, &r, &err));
    return r;
}

TEST(qc_14_k1_ends_before_k2)
{
    assert_true(computed("cc3.5", &s17, &s18, NULL).slowdown == 9);
    assert_true(computed("cc3.5", &s17, &s18, NULL).lifetime_waves == 0);
    assert_true(with_lifetime(&s17, &s18, 20).lifetime_waves == 20);
    /* 20 waves of 11, the other 72 at once */
    assert_true(with_lifetime(&s17, &s18, 20).waves_with_lim_res == 21);
    /* the measured 7.01, 10.28 and 2.31, if k1 takes 20.03, 19.56 and 25.03 waves */
    assert_within(with_lifetime(&s17, &s18, 20.03).slowdown, 7.01, 0.001);
    assert_within(with_lifetime(&s45, &s46, 19.56).slowdown, 10.28, 0.001);
    assert_within(with_lifetime(&s53, &s54, 25.03).slowdown, 2.31, 0.001);
}

TEST(qc_14_lifetimes_at_the_ends)
{
    assert_true(with_lifetime(&s1, &s2, 44).slowdown == 11.25);
    assert_true(with_lifetime(&s1, &s2, 44.001).slowdown == 11.25);
    assert_true(with_lifetime(&s1, &s2, 1e9).slowdown == 11.25);
    assert_within(with_lifetime(&s1, &s2, 43.5).waves_with_lim_res, 44.5, 1e-9); /* 10 left at 43.5 */
    assert_within(with_lifetime(&s1, &s2, 1e-6).slowdown, 1, 1e-5);
    assert_true(with_lifetime(&s25, &s26, 2).lifetime_waves == 2); /* case B: one of k1's two waves */
}

/* Every slot of k2 with the time from which it is free; a block takes the earliest. */
static double simulated(uint32_t blocks, uint32_t capacity, uint32_t all, double lifetime)
{
    double free_at[256], end = 0;

    for (uint32_t i = 0; i < all; i++)
        free_at[i] = i < capacity ? 0 : lifetime;
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t first = 0;
        for (uint32_t i = 1; i < all; i++)
            if (free_at[i] < free_at[first])
                first = i;
        free_at[first] += 1;
        end = fmax(end, free_at[first]);
    }
    return end;
}

TEST(qc_14_lifetime_is_what_slots_in_time_give)
{
    uint64_t seed = 14;

    for (unsigned i = 0; i < 400; i++) {
        const occupancy_kernel k1 = {1 + (uint32_t)(random_next(&seed) % 119), 256, 16, 0};
        const occupancy_kernel k2 = {1 + (uint32_t)(random_next(&seed) % 500), 256, 16, 0};
        const double lifetime = (double)(random_next(&seed) % 2000) / 64 + 1.0 / 64;
        const slowdown_result r = with_lifetime(&k1, &k2, lifetime);
        const double want = simulated(k2.blocks, (uint32_t)r.capacity, 120, lifetime);
        if (fabs(r.waves_with_lim_res - want) > 1e-6)
            fail_msg("%u and %u blocks, %g waves: %g, simulated %g", k1.blocks, k2.blocks, lifetime,
                     r.waves_with_lim_res, want);
    }
}

/* ---- against an explicit list of SMs ------------------------------------------------------------- */

static uint32_t room(const occupancy_kernel *k1, uint32_t n, const occupancy_kernel *k2)
{
    uint32_t blocks = 0;

    for (;;) { /* one more block of k2 while everything still fits */
        const uint32_t m = blocks + 1;
        const uint32_t warps = n * ((k1->threads_per_block + 31) / 32) +
                               m * ((k2->threads_per_block + 31) / 32);
        const uint32_t shared = n * ((k1->shared_per_block + 255) / 256) +
                                m * ((k2->shared_per_block + 255) / 256);
        if (warps > 64 || n + m > 16 || shared > 192)
            return blocks;
        blocks = m;
    }
}

TEST(qc_16_is_what_placing_block_by_block_gives)
{
    uint64_t seed = 16;

    for (unsigned i = 0; i < 3000; i++) {
        const occupancy_kernel k1 = {1 + (uint32_t)(random_next(&seed) % 300),
                                     1 + (uint32_t)(random_next(&seed) % 1024), 0,
                                     (uint32_t)(random_next(&seed) % 12000)};
        const occupancy_kernel k2 = {1 + (uint32_t)(random_next(&seed) % 300),
                                     1 + (uint32_t)(random_next(&seed) % 1024), 0,
                                     (uint32_t)(random_next(&seed) % 12000)};
        slowdown_options o = slowdown_options_default();
        uint32_t held[15] = {0}, capacity = 0, left;
        slowdown_result r;

        o.fill = i % 2 ? SLOWDOWN_FILL_DF : SLOWDOWN_FILL_RR;
        r = computed("cc3.5", &k1, &k2, &o);
        left = k1.blocks % (15 * r.k1.active_blocks);
        for (unsigned sm = 0; left > 0; left--) {
            while (o.fill == SLOWDOWN_FILL_DF && held[sm] == r.k1.active_blocks)
                sm++;
            held[sm]++;
            if (o.fill == SLOWDOWN_FILL_RR)
                sm = (sm + 1) % 15;
        }
        for (unsigned sm = 0; sm < 15; sm++)
            capacity += room(&k1, held[sm], &k2);
        assert_int_equal(r.capacity, capacity);
        if (r.shares)
            assert_true(r.waves_with_lim_res == ceil((double)k2.blocks / capacity));
    }
}
