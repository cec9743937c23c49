/* SPDX-License-Identifier: Apache-2.0
 *
 * QC-1 to QC-7: the thesis' examples and the built-in sets. Which GPUs, kernels and options are refused, and
 * that anything else fits the SM.
 */
#include "analytic/analytic_fixture.h"
#include "analytic/occupancy.h"

#define OUT(path, expected) WANT(occupancy_result, path, expected, 0)
#define ACTIVE(blocks) {OUT(active_blocks, blocks)}
#define EXACT {.units = OCCUPANCY_UNITS_EXACT}
#define OF_BLOCK {.warp_rounding = OCCUPANCY_WARPS_OF_BLOCK}

typedef struct row {
    const char *gpu;
    uint32_t threads, regs, shared; /* of a block, of a thread, of a block */
    occupancy_options options;
    wanted want[10];
} row;

static MODEL(compute, row,
      occupancy_compute(occupancy_gpu_find(in->gpu), &(occupancy_kernel){1, in->threads, in->regs, in->shared},
                        &in->options, out, why))

static void assert_rows(const row *rows, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        const subject model = {compute, &rows[i], sizeof rows[i]};
        result one = {.change = {UNCHANGED}};

        memcpy(one.want, rows[i].want, sizeof rows[i].want);
        analytic_result(&model, &one, i);
    }
}

/* ---- equations --------------------------------------------------------------------------------- */

TEST(qc_1_to_5_table_5_3_warps_and_slots)
{
    static const row rows[] = {
        /* Table 5.3: k1 has two active blocks, k2 four. */
        {"table5.2", 512, 1, 1024, {0},
         {OUT(warps_per_block, 16), OUT(regs_per_block, 512), OUT(shared_per_block, 1024), OUT(blocks_by_slots, 8),
          OUT(blocks_by_warps, 2), OUT(blocks_by_threads, 2), OUT(blocks_by_regs, 64), OUT(blocks_by_shared, 4),
          OUT(active_blocks, 2), OUT(limiter, OCCUPANCY_BY_WARPS)}},
        {"table5.2", 256, 1, 1024, {0},
         {OUT(blocks_by_warps, 4), OUT(blocks_by_regs, 128), OUT(blocks_by_shared, 4), OUT(active_blocks, 4),
          OUT(active_warps, 32)}},
        /* QC-1: a share of the warps, 1 x 32 of 64 and 8 x 3 of 48. */
        {"cc3.5", 1024, 63, 0, {0}, {OUT(occupancy, 0.5)}},
        {"cc2.0", 96, 16, 0, {0}, {OUT(occupancy, 24.0 / 48.0)}},
        /* QC-3: threads are rounded up to warps. */
        {"cc3.5", 1, 0, 0, {0}, {OUT(warps_per_block, 1)}},
        {"cc3.5", 31, 0, 0, {0}, {OUT(warps_per_block, 1)}},
        {"cc3.5", 32, 0, 0, {0}, {OUT(warps_per_block, 1)}},
        {"cc3.5", 33, 0, 0, {0}, {OUT(warps_per_block, 2)}},
        {"cc3.5", 64, 0, 0, {0}, {OUT(warps_per_block, 2)}},
        {"cc3.5", 1023, 0, 0, {0}, {OUT(warps_per_block, 32)}},
        {"cc3.5", 1024, 0, 0, {0}, {OUT(warps_per_block, 32)}},
        /* QC-5: block slots or warps, the first of both if they are equal. */
        {"cc3.5", 64, 0, 0, {0},
         {OUT(blocks_by_threads, 16), OUT(blocks_by_warps, 32), OUT(limiter, OCCUPANCY_BY_BLOCK_SLOTS)}},
        {"cc3.5", 128, 0, 0, {0}, {OUT(active_blocks, 16), OUT(limiter, OCCUPANCY_BY_BLOCK_SLOTS)}},
        {"cc3.5", 160, 0, 0, {0}, {OUT(blocks_by_threads, 12), OUT(limiter, OCCUPANCY_BY_WARPS)}},
    };

    assert_rows(rows, LENGTH(rows));
}

TEST(qc_6_registers)
{
    static const row rows[] = {
        /* Of a warp, in units: 36 x 32 = 1152 -> 1280; 65536 / 1280 = 51 warps -> 48; 48 / 8 = 6. */
        {"cc3.5", 256, 36, 0, {0},
         {OUT(regs_per_block, 10240), OUT(lim_warps_due_regs, 48), OUT(reg_files, 1), OUT(blocks_by_regs, 6),
          OUT(active_blocks, 6), OUT(limiter, OCCUPANCY_BY_REGISTERS)}},
        {"cc2.0", 256, 20, 0, {0}, ACTIVE(6)}, /* 640; 51 -> 50 warps      */
        {"cc2.0", 256, 21, 0, {0}, ACTIVE(5)}, /* 672 -> 704; 46 warps     */
        {"cc2.0", 256, 63, 0, {0}, ACTIVE(2)}, /* 2016 -> 2048; 16 warps   */
        {"cc9.0", 256, 64, 0, {0}, ACTIVE(4)}, /* 2048; 32 warps           */
        /* Of a block, in units. */
        {"cc1.0", 256, 10, 0, {0}, ACTIVE(3)}, /* 2560; the well-known step ...           */
        {"cc1.0", 256, 11, 0, {0}, ACTIVE(2)}, /* 2816; ... from 3 blocks to 2            */
        {"cc1.0", 96, 10, 0, {0}, ACTIVE(6)},  /* 3 warps count as 4: 1280                */
        {"cc1.0", 64, 21, 0, {0}, ACTIVE(5)},  /* 1344 -> 1536; unrounded there were 6    */
        {"cc1.3", 64, 33, 0, {0}, ACTIVE(6)},  /* 2112 -> 2560; unrounded there were 7    */
        /* GPGPU-Sim's recordings in vectors/ say Nmax 6, 3, 5, 4 for these kernels of 256 threads. */
        {"fermi", 256, 20, 0, {0}, ACTIVE(6)},
        {"fermi", 256, 35, 0, {0}, ACTIVE(3)},
        {"fermi", 256, 22, 0, {0}, ACTIVE(5)},
        {"fermi", 256, 26, 0, {0}, ACTIVE(4)},
        {"fermi", 256, 18, 0, {0}, ACTIVE(6)},
        {"cc2.0", 256, 26, 0, {0}, ACTIVE(4)},
        {"fermi", 250, 18, 0, {0}, {OUT(regs_per_block, 256 * 20)}},
        /* Exact units: 7 blocks of 8 warps; the reserved 1 KB stays: 8224 bytes. */
        {"cc3.5", 250, 36, 0, EXACT, {OUT(regs_per_block, 9000), OUT(lim_warps_due_regs, 56), OUT(blocks_by_regs, 7)}},
        {"cc1.0", 64, 21, 0, EXACT, ACTIVE(6)},
        {"cc3.5", 32, 0, 3100, EXACT, ACTIVE(15)},
        {"cc3.5", 32, 0, 3100, {0}, ACTIVE(14)},
        {"cc9.0", 32, 0, 7200, EXACT, ACTIVE(28)},
        /* Where the warp granularity applies. 2048 of a warp: 32 warps hold 6 blocks of 5; blocks that count
         * 8 warps: 4. 40 registers: 51 warps -> 48, 2 blocks of 17; unrounded there were 3. */
        {"cc3.5", 160, 64, 0, {0}, {OUT(active_blocks, 6), OUT(regs_per_block, 5 * 2048)}},
        {"cc3.5", 160, 64, 0, OF_BLOCK, {OUT(active_blocks, 4), OUT(regs_per_block, 8 * 2048)}},
        {"cc3.5", 544, 40, 0, {0}, ACTIVE(2)},
        /* No registers do not limit. */
        {"cc1.3", 512, 0, 0, {0}, {OUT(active_blocks, 2), OUT(regs_per_block, 0)}},
        {"cc3.5", 1024, 0, 0, {0},
         {OUT(blocks_by_regs, OCCUPANCY_UNLIMITED), OUT(lim_warps_due_regs, OCCUPANCY_UNLIMITED)}},
    };

    assert_rows(rows, LENGTH(rows));
}

TEST(qc_7_shared_memory)
{
    static const row rows[] = {
        {"cc3.5", 32, 0, 0, {0}, {OUT(blocks_by_shared, OCCUPANCY_UNLIMITED)}},
        {"cc3.5", 256, 0, 9984, {0}, {OUT(blocks_by_shared, 4), OUT(limiter, OCCUPANCY_BY_SHARED)}},
        {"cc3.5", 32, 0, 3584, {0}, ACTIVE(13)},
        {"cc2.0", 32, 0, 7000, {0}, ACTIVE(6)}, /* 7040 */
        {"cc1.0", 32, 0, 2049, {0}, ACTIVE(6)}, /* 2560 */
        {"cc1.3", 32, 0, 16384, {0}, ACTIVE(1)},
        /* The system takes a kilobyte of every block. */
        {"cc9.0", 32, 0, 227 * 1024, {0}, ACTIVE(1)},
        {"cc9.0", 32, 0, 113 * 1024, {0}, ACTIVE(2)},
        {"cc9.0", 32, 0, 114 * 1024, {0}, ACTIVE(1)},
        {"cc9.0", 32, 0, 0, {0}, {OUT(shared_per_block, 1024), OUT(active_blocks, 32)}},
    };

    assert_rows(rows, LENGTH(rows));
}

/* ---- the built-in sets ------------------------------------------------------------------------- */

TEST(sets_have_the_numbers_of_nvidias_calculator)
{
    static const struct {
        const char *name;
        uint32_t sms, warps, blocks, block_threads, regs, thread_regs, unit, granularity, alloc, shared,
            block_shared, reserved, shared_unit;
    } want[] = {
        {"cc1.0", 16, 24, 8, 512, 8192, 124, 256, 2, OCCUPANCY_REGS_PER_BLOCK, 16384, 16384, 0, 512},
        {"cc1.1", 14, 24, 8, 512, 8192, 124, 256, 2, OCCUPANCY_REGS_PER_BLOCK, 16384, 16384, 0, 512},
        {"cc1.3", 30, 32, 8, 512, 16384, 124, 512, 2, OCCUPANCY_REGS_PER_BLOCK, 16384, 16384, 0, 512},
        {"cc2.0", 15, 48, 8, 1024, 32768, 63, 64, 2, OCCUPANCY_REGS_PER_WARP, 49152, 49152, 0, 128},
        {"cc3.5", 15, 64, 16, 1024, 65536, 255, 256, 4, OCCUPANCY_REGS_PER_WARP, 49152, 49152, 0, 256},
        {"cc9.0", 132, 64, 32, 1024, 65536, 255, 256, 4, OCCUPANCY_REGS_PER_WARP, 233472, 232448, 1024, 128},
        {"table5.2", 16, 32, 8, 1024, 32768, 255, 1, 1, OCCUPANCY_REGS_PER_THREAD, 4096, 4096, 0, 1},
        {"fermi", 15, 48, 8, 1024, 32768, 63, 4, 1, OCCUPANCY_REGS_PER_THREAD, 49152, 49152, 0, 1},
    };

    const occupancy_kernel least = {1, 1, 0, 0};

    for (size_t i = 0; i < LENGTH(want); i++) {
        const occupancy_gpu *g = occupancy_gpu_find(want[i].name);
        occupancy_result r;

        assert_string_equal(g->name, want[i].name);
        must(occupancy_compute(g, &least, NULL, &r, &err));
        assert_each(IS(g->product[0] != 0, true), IS(g->num_sms, want[i].sms), IS(g->warp_size, 32),
                    IS(g->max_warps, want[i].warps), IS(g->max_blocks, want[i].blocks),
                    IS(g->max_threads_per_block, want[i].block_threads), IS(g->registers, want[i].regs),
                    IS(g->max_regs_per_block, want[i].regs), IS(g->max_regs_per_thread, want[i].thread_regs),
                    IS(g->reg_unit, want[i].unit), IS(g->warp_granularity, want[i].granularity),
                    IS(g->reg_alloc, want[i].alloc), IS(g->shared_bytes, want[i].shared),
                    IS(g->max_shared_per_block, want[i].block_shared), IS(g->shared_reserved, want[i].reserved),
                    IS(g->shared_unit, want[i].shared_unit));
    }
}

TEST(sets_that_are_not_there_and_names_of_limiters)
{
    static const char *const names[] = {"block slots", "warps", "registers", "shared memory", "?"};

    assert_null(occupancy_gpu_find("cc99"));
    assert_null(occupancy_gpu_find(""));
    assert_null(occupancy_gpu_find(NULL));
    for (unsigned i = 0; i < LENGTH(names); i++)
        assert_string_equal(occupancy_limiter_name((enum occupancy_limiter)i), names[i]);
}

/* ---- what is refused --------------------------------------------------------------------------- */

typedef struct request {
    occupancy_gpu gpu;
    occupancy_kernel kernel;
    occupancy_options options;
} request;
#define GPU(path, value) {MEMBER(request, gpu.path), value}
#define KERNEL(path, value) {MEMBER(request, kernel.path), value}

static MODEL(of_request, request, occupancy_compute(&in->gpu, &in->kernel, &in->options, out, why))

static request on(const char *gpu)
{
    return (request){*occupancy_gpu_find(gpu),
                     {.blocks = 1, .threads_per_block = 256, .regs_per_thread = 16, .shared_per_block = 512},
                     occupancy_options_default()};
}

TEST(refuses_counts_of_a_gpu_that_cannot_be)
{
#define COUNT(path) MEMBER(request, gpu.path)
    static const member counts[] = {
        COUNT(num_sms), COUNT(warp_size), COUNT(max_warps), COUNT(max_blocks), COUNT(max_threads),
        COUNT(max_threads_per_block), COUNT(registers), COUNT(max_regs_per_block), COUNT(max_regs_per_thread),
        COUNT(reg_unit), COUNT(warp_granularity), COUNT(shared_bytes), COUNT(max_shared_per_block), COUNT(shared_unit),
    };
    const request good = on("cc3.5");
    const subject model = {of_request, &good, sizeof good};

    for (size_t i = 0; i < LENGTH(counts); i++) {
        char none[96], many[96];
        const refusal rows[] = {{none, {{counts[i], 0}}}, {many, {{counts[i], OCCUPANCY_MAX_COUNT + 1.0}}}};

        snprintf(none, sizeof none, "%s of cc3.5 is 0; give 1 to 1073741824", counts[i].name + strlen("gpu."));
        snprintf(many, sizeof many, "%s of cc3.5 is 1073741825; give 1 to 1073741824",
                 counts[i].name + strlen("gpu."));
        assert_refusals(&model, rows);
    }
}

TEST(gpus_of_ones_own)
{
    static const result rows[] = {
        /* QC-E1: two blocks of 256 threads fill 16 warps. */
        {{GPU(max_warps, 16), GPU(max_threads, 512), GPU(max_threads_per_block, 512), KERNEL(regs_per_thread, 1)},
         {OUT(warps_per_block, 8), OUT(active_blocks, 2), OUT(active_warps, 16), OUT(occupancy, 1.0),
          OUT(limiter, OCCUPANCY_BY_WARPS)}},
        /* Eq. 2.6's second factor: a block reaches only half the registers of such an SM (CC 3.7). 2 x 2, although 64
         * warps / 12 = 5. */
        {{GPU(registers, 2 * 65536), KERNEL(threads_per_block, 384), KERNEL(regs_per_thread, 64)},
         {OUT(lim_warps_due_regs, 32), OUT(reg_files, 2), OUT(blocks_by_regs, 4), OUT(active_blocks, 4)}},
    };
    request largest = on("cc3.5");
    const request good = largest;
    const subject model = {of_request, &good, sizeof good};
    occupancy_result out;

    assert_results(&model, rows);
    largest.gpu.num_sms = largest.gpu.max_blocks = largest.gpu.registers = largest.gpu.max_regs_per_block =
        largest.gpu.max_regs_per_thread = largest.gpu.shared_bytes = largest.gpu.max_shared_per_block =
            OCCUPANCY_MAX_COUNT;
    must(of_request(&largest, &out, &err));
    assert_int_equal(out.active_blocks, 8);
}

TEST(refuses_what_cannot_be)
{
    static const refusal rows[] = {
        /* A GPU whose parts contradict each other. */
        {"max_threads of cc3.5 is 2047; give max_warps x warp_size = 2048", {GPU(max_threads, 2047)}},
        {"max_threads_per_block is 2049, but max_threads is 2048", {GPU(max_threads_per_block, 2049)}},
        {"max_regs_per_block is 65537, but registers is 65536", {GPU(max_regs_per_block, 65537)}},
        {"warp_granularity is 65, but max_warps is 64", {GPU(warp_granularity, 65)}},
        {"max_shared_per_block is 49153, but shared_bytes is 49152", {GPU(max_shared_per_block, 49153)}},
        {"shared_reserved is 49153, but shared_bytes is 49152", {GPU(shared_reserved, 49153)}},
        {"reg_alloc of cc3.5 is 3; give OCCUPANCY_REGS_PER_BLOCK, _WARP", {GPU(reg_alloc, OCCUPANCY_REG_ALLOCS)}},
        {"max_blocks of this GPU is 0", {GPU(name, 0), GPU(max_blocks, 0)}},
        /* A kernel. */
        {"blocks is 0; give 1", {KERNEL(blocks, 0)}},
        {"threads_per_block is 0; give 1", {KERNEL(threads_per_block, 0)}},
        {"threads_per_block is 1025; a block of cc3.5 has at most 1024", {KERNEL(threads_per_block, 1025)}},
        {"regs_per_thread is 256; a thread of cc3.5 has at most 255", {KERNEL(regs_per_thread, 256)}},
        {"shared_per_block is 49153; a block of cc3.5 has at most 49152 bytes", {KERNEL(shared_per_block, 49153)}},
        /* A block that does not fit. */
        {"registers: one block needs 65536 for its 32 warps; a block of cc3.5 gets at most 32768, enough for 16 warps",
         {GPU(max_regs_per_block, 32768), KERNEL(threads_per_block, 1024), KERNEL(regs_per_thread, 63)}},
        {"shared memory: one block needs 49408 bytes; an SM of cc3.5 has 49152",
         {GPU(shared_reserved, 1), KERNEL(threads_per_block, 32), KERNEL(shared_per_block, 49152)}},
        /* Options. */
        {"units is 2; give OCCUPANCY_UNITS_ALLOCATED or _EXACT", {{MEMBER(request, options.units), 2}}},
        {"warp_rounding is 2; give OCCUPANCY_WARPS_OF_SM or _OF_BLOCK", {{MEMBER(request, options.warp_rounding), 2}}},
    };
    static const refusal on_fermi[] = {
        {"registers: one block needs 65536 for its 32 warps; a block of cc2.0 gets at most 32768, enough for 16 warps",
         {KERNEL(threads_per_block, 1024), KERNEL(regs_per_thread, 63), KERNEL(shared_per_block, 0)}},
    };
    const request good = on("cc3.5"), fermi = on("cc2.0");
    const subject model = {of_request, &good, sizeof good}, fermi_model = {of_request, &fermi, sizeof fermi};
    occupancy_result out;

    assert_refusals(&model, rows);
    assert_refusals(&fermi_model, on_fermi);
    mark(&out, sizeof out);
    assert_refused(occupancy_compute(NULL, &good.kernel, NULL, &out, &err),
                   "gpu is missing; give a set of occupancy_gpu_find()");
    assert_true(marked(&out, sizeof out));
}

/* ---- anything ---------------------------------------------------------------------------------- */

static uint32_t near(uint64_t *seed, uint32_t usual)
{
    static const uint32_t odd[] = {0, 1, 2, 31, 33, UINT32_MAX, UINT32_MAX - 1, 1u << 31, 1u << 30, 1u << 16};
    const uint64_t pick = random_next(seed) % 8;

    if (pick < 5)
        return usual;
    if (pick == 5)
        return odd[random_next(seed) % (LENGTH(odd))];
    return (uint32_t)(random_next(seed) % (2 * (uint64_t)usual + 2));
}

static occupancy_gpu wild_gpu(uint64_t *seed)
{
    static const char *const names[] = {"cc1.0", "cc1.3", "cc2.0", "cc3.5", "cc9.0", "table5.2", "fermi"};
    occupancy_gpu g = *occupancy_gpu_find(names[random_below(seed, LENGTH(names))]);
    uint32_t *const counts[] = {&g.max_warps, &g.max_blocks, &g.registers, &g.max_regs_per_thread, &g.reg_unit,
                                &g.warp_granularity, &g.shared_bytes, &g.shared_unit, &g.shared_reserved};

    if (!random_one_in(seed, 4))
        return g;
    for (size_t i = 0; i < LENGTH(counts); i++)
        *counts[i] = near(seed, *counts[i]);
    g.max_threads = g.max_warps * g.warp_size;
    g.max_regs_per_block = near(seed, g.registers);
    g.max_shared_per_block = near(seed, g.shared_bytes);
    return g;
}

TEST(anything_is_refused_or_fits_the_sm)
{
    uint64_t seed = 20170901;
    tally count = {0};

    for (unsigned i = 0; i < 200000; i++) {
        const occupancy_gpu g = wild_gpu(&seed);
        const occupancy_kernel k = {near(&seed, 100), near(&seed, 256), near(&seed, 24), near(&seed, 4096)};
        const occupancy_options o = {(enum occupancy_units)(random_next(&seed) % 2),
                                     (enum occupancy_warp_rounding)(random_next(&seed) % 2)};
        occupancy_result r;

        if (!tally_add(&count, occupancy_compute(&g, &k, &o, &r, &err), &err))
            continue;
        assert_true(r.active_blocks >= 1 && r.active_blocks <= g.max_blocks);
        assert_true((uint64_t)r.active_blocks * r.warps_per_block <= g.max_warps);
        assert_true((uint64_t)r.active_blocks * r.regs_per_block <= g.registers);
        assert_true((uint64_t)r.active_blocks * r.shared_per_block <= g.shared_bytes);
        assert_true(r.occupancy > 0 && r.occupancy <= 1);
    }
    assert_true(count.taken > 50000);
}
