/* SPDX-License-Identifier: Apache-2.0
 *
 * QC-8 to QC-16: Algorithm 2, the equations, the thesis' worked examples; what is refused, and that
 * anything else has a finite result.
 */
#include "analytic/analytic_fixture.h"
#include "analytic/slowdown.h"

/* ---- equations --------------------------------------------------------------------------------- */

TEST(qc_e2_waves_of_128_blocks)
{
    static const struct {
        uint32_t blocks, active, sms, waves;
    } rows[] = {{128, 8, 2, 8}, {129, 8, 2, 9}, {1, 8, 2, 1}, {UINT32_MAX, UINT32_MAX, UINT32_MAX, 1}};

    for (size_t i = 0; i < LENGTH(rows); i++) {
        uint32_t waves;

        must(slowdown_waves(rows[i].blocks, rows[i].active, rows[i].sms, &waves, &err));
        assert_int_equal(waves, rows[i].waves);
    }
}

TEST(qc_15_error_in_percent)
{
    double e;

    must(slowdown_error(1.25, 1.0, &e, &err));
    assert_within(e, 25, 1e-9);
    must(slowdown_error(1.29, 2.409, &e, &err)); /* Table 6.5, HS3: 46.46 % as printed */
    assert_true(fabs(e + 46.45) < 0.01);
}

/* ---- Algorithm 2 ------------------------------------------------------------------------------- */

static uint32_t fits(const occupancy_kernel *k1, uint32_t k1_blocks, const occupancy_kernel *k2,
                            const slowdown_options *options)
{
    uint32_t blocks;

    must(slowdown_allocatable(occupancy_gpu_find("cc3.5"), k1, k2, k1_blocks, options, &blocks, &err));
    return blocks;
}

TEST(qc_10_what_k1_leaves_of_each_resource)
{
    const occupancy_kernel regs1 = {1, 256, 32, 0}, regs2 = {1, 256, 64, 0}; /* 8192 and 16384 of a block */
    const occupancy_kernel shared1 = {1, 256, 16, 4096}, shared2 = {1, 128, 16, 9984};
    const occupancy_kernel wide1 = {1, 512, 16, 0}, wide2 = {1, 384, 16, 0};

    assert_each(IS(fits(&regs1, 3, &regs2, NULL), 2), IS(fits(&regs1, 4, &regs2, NULL), 2),
                IS(fits(&regs1, 5, &regs2, NULL), 1), IS(fits(&shared1, 5, &shared2, NULL), 2));
    assert_int_equal(fits(&shared1, 8, &shared2, NULL), 0); /* no threads left, shared memory for one */
    assert_each(IS(fits(&wide1, 2, &wide2, NULL), 2), IS(fits(&wide1, 3, &wide2, NULL), 1),
                IS(fits(&wide1, 4, &wide2, NULL), 0));
    assert_int_equal(fits(&wide1, 0, &wide2, NULL), 5); /* as many as alone */
}

TEST(qc_11_block_slots)
{
    const occupancy_kernel small = {1, 32, 16, 0};
    slowdown_options no_slots = slowdown_options_default();

    no_slots.block_slots = false;
    assert_int_equal(fits(&small, 14, &small, NULL), 2);
    assert_int_equal(fits(&small, 16, &small, NULL), 0);
    assert_int_equal(fits(&small, 14, &small, &no_slots), 16); /* never more than alone */
}

TEST(qc_a4_threads_or_warps)
{
    const occupancy_kernel pfl = {47, 128, 13, 0}, lud = {1, 16, 32, 1024};
    const occupancy_kernel odd = {1, 129, 16, 0}; /* 5 warps */
    slowdown_options by_threads = slowdown_options_default(), by_warps = slowdown_options_default();

    by_threads.alloc_by_warp = by_threads.block_slots = by_warps.block_slots = false;
    assert_int_equal(fits(&pfl, 15, &lud, &by_warps), 4);   /* 4 warps are left  */
    assert_int_equal(fits(&pfl, 15, &lud, &by_threads), 8); /* 128 threads are   */
    assert_int_equal(fits(&odd, 12, &pfl, &by_warps), 1);
    assert_int_equal(fits(&odd, 12, &pfl, &by_threads), 3);
}

TEST(qc_10_never_more_than_alone)
{
    const occupancy_kernel k = {1, 160, 64, 0}; /* 6 alone; Algorithm 2's division of registers: 6.4 */
    const occupancy_kernel odd = {1, 544, 40, 0}; /* 2 alone (warps in fours); registers for 3 */

    assert_int_equal(fits(&k, 0, &k, NULL), 6);
    assert_int_equal(fits(&odd, 0, &odd, NULL), 2);
}

/* ---- worked examples and Algorithm 1 (QC-9) ------------------------------------------------------ */

typedef struct request {
    const char *gpu;
    occupancy_kernel k1, k2;
    slowdown_options options;
    double exec_time_k1;
} request;
#define OPTION(path, value) {MEMBER(request, options.path), value}
#define DEPTH_FIRST OPTION(fill, SLOWDOWN_FILL_DF)
#define LITERAL OPTION(occupied, SLOWDOWN_OCCUPIED_LITERAL)
#define OUT(path, expected) WANT(slowdown_result, path, expected, 1e-12)
#define BLOCKS(path, expected) WANT_UINT64(slowdown_result, path, expected)
#define CASE(letter) OUT(concurrency, SLOWDOWN_CASE_##letter)
#define GROUP(i, of, with_k1, with_k2) \
    OUT(group[i].sms, of), OUT(group[i].k1_blocks, with_k1), OUT(group[i].k2_blocks, with_k2)

static MODEL(compute, request,
      slowdown_compute(occupancy_gpu_find(in->gpu), &in->k1, &in->k2, in->exec_time_k1, &in->options, out, why))

/* k1 takes 1 s. */
TEST(pairs)
{
#define COND2 OPTION(cond2, SLOWDOWN_COND2_LITERAL)
#define EXAMPLE "table5.2", {16, 512, 1, 1024}, {256, 256, 1, 1024} /* Table 5.3 */
#define S1_S2 "cc3.5", {110, 256, 16, 1024}, {450, 256, 16, 0}
#define S25_S26 "cc3.5", {150, 256, 16, 1024}, {393, 512, 16, 8704}
#define S37_S38 "cc3.5", {24, 512, 16, 7168}, {478, 128, 16, 4096}
#define ROOM_BESIDE "cc3.5", {40, 256, 16, 16384}, {450, 256, 16, 0} /* 3 of k1 on an SM, by shared memory; on 14 SMs */
#define FILLING(blocks) "cc3.5", {blocks, 256, 16, 0}, {450, 256, 16, 0}
#define BESIDE_WIDE(blocks) "cc3.5", {blocks, 256, 16, 0}, {100, 512, 16, 0}
#define NO_ROOM "cc3.5", {59, 512, 16, 0}, {40, 1024, 16, 0}
    static const struct {
        const char *gpu;
        occupancy_kernel k1, k2;
        result row;
    } rows[] = {
        {EXAMPLE, {{DEPTH_FIRST},
                   {OUT(k1.active_blocks, 2), OUT(k2.active_blocks, 4), OUT(waves_k1, 1), OUT(waves_k2, 4),
                    BLOCKS(resident_k1, 16), OUT(n_occupied, 8), OUT(n_free, 8), OUT(alloc_blocks, 0), OUT(num_groups, 2),
                    BLOCKS(capacity, 32), OUT(waves_with_lim_res, 8), OUT(slowdown, 2), OUT(shares, true)}}},
        {EXAMPLE, {{DEPTH_FIRST}, {GROUP(0, 8, 2, 0), GROUP(1, 8, 0, 4)}}},
        /* The other fill and Eq. 5.2 give the same. */
        {EXAMPLE, {{UNCHANGED}, {OUT(num_groups, 1), GROUP(0, 16, 1, 2), BLOCKS(capacity, 32), OUT(slowdown, 2)}}},
        {EXAMPLE, {{LITERAL}, {BLOCKS(capacity, 32), OUT(slowdown, 2)}}},
        /* QC-A1: cond2; the name of the case changes nothing else. */
        {EXAMPLE, {{UNCHANGED}, {OUT(cond1, true), OUT(cond2, true), CASE(A)}}},
        {EXAMPLE, {{COND2}, {OUT(cond2, false), CASE(B), OUT(slowdown, 2)}}},
        /* QC-E4. */
        {S1_S2, {{UNCHANGED},
                 {OUT(k1.active_blocks, 8), OUT(num_groups, 2), GROUP(0, 5, 8, 0), GROUP(1, 10, 7, 1), BLOCKS(capacity, 10),
                  OUT(waves_with_lim_res, 45), OUT(slowdown, 11.25)}}},
        {S1_S2, {{DEPTH_FIRST},
                 {OUT(num_groups, 3), GROUP(0, 13, 8, 0), GROUP(1, 1, 6, 2), GROUP(2, 1, 0, 8), OUT(slowdown, 11.25)}}},
        {S1_S2, {{DEPTH_FIRST, LITERAL},
                 {OUT(n_occupied, 14), BLOCKS(capacity, 8), OUT(waves_with_lim_res, 57), OUT(slowdown, 14.25)}}},
        {S1_S2, {{UNCHANGED},
                 {OUT(outlasts_launch, true), OUT(cond1, true), OUT(cond2, true), OUT(shares, true), CASE(A)}}},
        /* Case C without time: k1 takes 1 s, not longer. */
        {S1_S2, {{OPTION(launch_overhead, 1)},
                 {OUT(outlasts_launch, false), OUT(shares, false), CASE(C), OUT(waves_with_lim_res, 4), OUT(slowdown, 1)}}},
        {S1_S2, {{OPTION(launch_overhead, 1), {MEMBER(request, exec_time_k1), 1.001}}, {CASE(A)}}},
        /* QC-16: the fill matters. */
        {S37_S38, {{UNCHANGED}, {BLOCKS(capacity, 132), OUT(slowdown, 4.0 / 3)}}},
        {S37_S38, {{DEPTH_FIRST}, {BLOCKS(capacity, 108), OUT(slowdown, 5.0 / 3)}}},
        /* QC-A7: case B, beside the last wave. */
        {S25_S26, {{UNCHANGED},
                   {OUT(waves_k1, 2), BLOCKS(resident_k1, 30), BLOCKS(capacity, 45), OUT(slowdown, 9.0 / 7),
                    OUT(cond1, false), OUT(shares, true), CASE(B)}}},
        {S25_S26, {{OPTION(remainder, SLOWDOWN_REMAINDER_LITERAL)},
                   {BLOCKS(resident_k1, 120), BLOCKS(capacity, 0), OUT(shares, false), OUT(waves_with_lim_res, 7),
                    OUT(slowdown, 1)}}},
        /* QC-A1 where full SMs have room. */
        {ROOM_BESIDE, {{COND2}, {OUT(alloc_blocks, 5), OUT(cond2, true), CASE(A)}}},
        {ROOM_BESIDE, {{COND2, LITERAL}, {BLOCKS(capacity, 14 * 5 + 8)}}},
        /* QC-A2. Waves of k1 that fill the GPU: cond1 is a strict comparison. One block more is a last wave of one
         * block; k2's blocks may have another size: 180 are three waves of k2's 60, not of k1's 120. */
        {FILLING(240), {{UNCHANGED}, {OUT(cond1, false), CASE(C), OUT(slowdown, 1)}}},
        {FILLING(240), {{OPTION(full_wave, SLOWDOWN_FULL_WAVE_CASE_B)},
                        {CASE(B), BLOCKS(resident_k1, 0), OUT(num_groups, 1), GROUP(0, 15, 0, 8), OUT(slowdown, 1)}}},
        {FILLING(120), {{UNCHANGED}, {CASE(C), BLOCKS(resident_k1, 0)}}},
        {FILLING(119), {{UNCHANGED}, {CASE(A), BLOCKS(capacity, 1)}}},
        {BESIDE_WIDE(121), {{UNCHANGED}, {CASE(B), BLOCKS(resident_k1, 1), BLOCKS(capacity, 59)}}},
        {BESIDE_WIDE(240), {{UNCHANGED}, {CASE(C)}}},
        {BESIDE_WIDE(180), {{UNCHANGED}, {CASE(B)}}},
        /* QC-A3: no room for a block is case B. */
        {NO_ROOM, {{UNCHANGED},
                   {OUT(cond1, true), OUT(cond2, false), BLOCKS(capacity, 0), CASE(B), OUT(shares, false),
                    OUT(waves_with_lim_res, 2), OUT(slowdown, 1)}}},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const request good = {rows[i].gpu, rows[i].k1, rows[i].k2, slowdown_options_default(), 1};
        const subject model = {compute, &good, sizeof good};

        analytic_result(&model, &rows[i].row, i);
    }
}

TEST(options_by_default)
{
    const slowdown_options o = slowdown_options_default();

    assert_each(IS(o.occupancy.units, OCCUPANCY_UNITS_ALLOCATED),
                IS(o.occupancy.warp_rounding, OCCUPANCY_WARPS_OF_SM), IS(o.cond2, SLOWDOWN_COND2_CAPACITY),
                IS(o.fill, SLOWDOWN_FILL_RR), IS(o.occupied, SLOWDOWN_OCCUPIED_PER_SM),
                IS(o.remainder, SLOWDOWN_REMAINDER_MOD), IS(o.full_wave, SLOWDOWN_FULL_WAVE_CASE_C),
                IS(o.lifetime, SLOWDOWN_LIFETIME_OUTLIVES));
    assert_true(o.alloc_by_warp && o.block_slots);
    assert_true(o.launch_overhead == 0 && o.exec_time_k2 == 0);
}

TEST(cases_have_names)
{
    static const char *const names[] = {"A", "B", "C", "?"};

    for (unsigned i = 0; i < LENGTH(names); i++)
        assert_string_equal(slowdown_case_name((enum slowdown_case)i), names[i]);
}

/* ---- refusals --------------------------------------------------------------------------------- */

#define IN(path, value) {MEMBER(request, path), value}
static const occupancy_kernel plain = {100, 256, 16, 512};

TEST(refuses_what_cannot_be)
{
    static const bad_member members[] = {IN(exec_time_k1, &not_positive), IN(options.launch_overhead, &negative)};
    static const bad_member if_finite[] = {IN(options.exec_time_k2, &not_positive)};
    static const refusal rows[] = {
        {"k1: blocks is 0", {IN(k1.blocks, 0)}},
        {"k2: blocks is 0", {IN(k2.blocks, 0)}},
        {"k1: threads_per_block is 1025", {IN(k1.threads_per_block, 1025)}},
        {"k2: threads_per_block is 1025", {IN(k2.threads_per_block, 1025)}},
        {"exec_time_k1 / exec_time_k2", {IN(options.lifetime, SLOWDOWN_LIFETIME_FINITE),
                                         IN(options.exec_time_k2, 1e-300), IN(exec_time_k1, 1e300)}},
        {"cond2 is 2", {IN(options.cond2, 2)}},
        {"fill is 2", {IN(options.fill, 2)}},
        {"occupied is 2", {IN(options.occupied, 2)}},
        {"remainder is 2", {IN(options.remainder, 2)}},
        {"full_wave is 2", {IN(options.full_wave, 2)}},
        {"lifetime is 2; give one of its enum, 0 to 1", {IN(options.lifetime, 2)}},
        {"k1: units is 2", {IN(options.occupancy.units, 2)}},
    };
    request good = {"cc3.5", plain, plain, slowdown_options_default(), 1};
    const subject model = {compute, &good, sizeof good};
    slowdown_result r;

    assert_bad_members(&model, members);
    assert_refusals(&model, rows);
    assert_refused(slowdown_compute(NULL, &plain, &plain, 1, NULL, &r, &err), "k1: gpu is missing");
    good.options.lifetime = SLOWDOWN_LIFETIME_FINITE;
    assert_bad_members(&model, if_finite);
}

TEST(refuses_in_single_equations)
{
    const occupancy_gpu *gpu = occupancy_gpu_find("cc3.5");
    const occupancy_kernel none = {0, 256, 16, 0}, wide = {1, 1024, 16, 0};
    slowdown_options o = slowdown_options_default();
    uint32_t n = 7;
    double e = 7;

    o.launch_overhead = -1;
    assert_refused(slowdown_waves(0, 1, 1, &n, &err), "blocks is 0");
    assert_refused(slowdown_waves(1, 0, 1, &n, &err), "active_blocks is 0");
    assert_refused(slowdown_waves(1, 1, 0, &n, &err), "num_sms is 0");
    assert_refused(slowdown_allocatable(gpu, &plain, &wide, 9, NULL, &n, &err),
                   "k1_blocks is 9; an SM holds at most 8 blocks of k1");
    assert_refused(slowdown_allocatable(gpu, &plain, &none, 1, NULL, &n, &err), "k2: blocks is 0");
    assert_refused(slowdown_allocatable(gpu, &plain, &plain, 1, &o, &n, &err), "launch_overhead is -1");
    assert_refused(slowdown_error(0, 1, &e, &err), "estimated is 0");
    assert_refused(slowdown_error(1, NAN, &e, &err), "actual is nan");
    assert_refused(slowdown_error(1e308, 1e-308, &e, &err), "error has no finite value");
    assert_int_equal(n, 7);
    assert_true(e == 7);
}

/* ---- anything ---------------------------------------------------------------------------------- */

static void assert_sound(const void *of, const void *out)
{
    const request *asked = of;
    const occupancy_gpu *gpu = occupancy_gpu_find(asked->gpu);
    const slowdown_result *r = out;
    uint64_t sms = 0, capacity = 0;

    for (unsigned i = 0; i < r->num_groups; i++) {
        sms += r->group[i].sms;
        capacity += (uint64_t)r->group[i].sms * r->group[i].k2_blocks;
        assert_true(r->group[i].k1_blocks <= r->k1.active_blocks);
        assert_true(r->group[i].k2_blocks <= r->k2.active_blocks);
    }
    assert_each(IS(sms, gpu->num_sms), IS(capacity, r->capacity), IS(r->n_free + r->n_occupied, gpu->num_sms));
    assert_true(isfinite(r->slowdown) && r->slowdown >= 1);
    assert_true(isfinite(r->lifetime_waves) && r->lifetime_waves >= 0);
    assert_true(r->waves_with_lim_res >= r->waves_k2 && r->waves_with_lim_res <= asked->k2.blocks);
}

TEST(anything_is_refused_or_has_a_finite_slowdown)
{
    static const wild_member members[] = {
        {MEMBER(request, k1.blocks), 0},                      {MEMBER(request, k1.blocks), 500},
        {MEMBER(request, k1.blocks), 5000},                   {MEMBER(request, k1.threads_per_block), 1025},
        {MEMBER(request, k1.regs_per_thread), 66},            {MEMBER(request, k1.shared_per_block), 20000},
        {MEMBER(request, k2.blocks), 0},                      {MEMBER(request, k2.blocks), 500},
        {MEMBER(request, k2.threads_per_block), 1025},        {MEMBER(request, k2.regs_per_thread), 66},
        {MEMBER(request, k2.shared_per_block), 20000},        {MEMBER(request, exec_time_k1), 0},
        {MEMBER(request, options.occupancy.units), 2},        {MEMBER(request, options.occupancy.warp_rounding), 2},
        {MEMBER(request, options.cond2), 2},                  {MEMBER(request, options.fill), 2},
        {MEMBER(request, options.occupied), 2},               {MEMBER(request, options.remainder), 2},
        {MEMBER(request, options.full_wave), 2},              {MEMBER(request, options.lifetime), 2},
        {MEMBER(request, options.alloc_by_warp), 2},          {MEMBER(request, options.block_slots), 2},
        {MEMBER(request, options.launch_overhead), 0},        {MEMBER(request, options.exec_time_k2), 0},
    };
    static const char *const gpus[] = {"cc1.0", "cc1.3", "cc2.0", "cc3.5", "cc9.0", "table5.2", "fermi"};

    for (size_t i = 0; i < LENGTH(gpus); i++) {
        const wild anything = {20170902 + i, 30000, 4, sizeof(slowdown_result), assert_sound};
        request good = {gpus[i], plain, plain, slowdown_options_default(), 1};
        const subject model = {compute, &good, sizeof good};

        good.options.exec_time_k2 = 3;
        assert_wild(&model, &anything, members);
    }
}
