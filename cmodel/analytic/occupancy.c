/* SPDX-License-Identifier: Apache-2.0
 *
 * Quintanilla Cruz, MSc thesis 2017, chapter 2.3. Where Eq. 2.6 leaves its terms undefined, they are
 * those of NVIDIA's occupancy calculator, from which the equation was taken.
 *
 * Every count is at most OCCUPANCY_MAX_COUNT, so no product below leaves 64 bits.
 */
#include "analytic/occupancy.h"

#include <stddef.h>
#include <string.h>

/* ---- sets ------------------------------------------------------------------------------------ */

#define KIB 1024u

/* Compute capability 1.x: its versions differ in warps and registers. */
#define CC_1_X(warps, regs, unit)                                                                         \
    .warp_size = 32, .max_warps = (warps), .max_blocks = 8, .max_threads = (warps) * 32u,                 \
    .max_threads_per_block = 512, .registers = (regs), .max_regs_per_block = (regs),                      \
    .max_regs_per_thread = 124, .reg_unit = (unit), .warp_granularity = 2,                                \
    .reg_alloc = OCCUPANCY_REGS_PER_BLOCK, .shared_bytes = 16 * KIB, .max_shared_per_block = 16 * KIB,    \
    .shared_unit = 512

/* From 2.0 on. */
#define CC_2_ON(warps, blocks, regs, of_thread, unit, granularity)                                        \
    .warp_size = 32, .max_warps = (warps), .max_blocks = (blocks), .max_threads = (warps) * 32u,          \
    .max_threads_per_block = 1024, .registers = (regs), .max_regs_per_block = (regs),                     \
    .max_regs_per_thread = (of_thread), .reg_unit = (unit), .warp_granularity = (granularity)
#define SHARED(kib, of_block_kib, unit)                                                                   \
    .shared_bytes = (kib) * KIB, .max_shared_per_block = (of_block_kib) * KIB, .shared_unit = (unit)

static const occupancy_gpu sets[] = {
    {.name = "cc1.0", .product = "GeForce 8800 GTX", .num_sms = 16, CC_1_X(24, 8192, 256)},
    {.name = "cc1.1", .product = "GeForce 8800 GT", .num_sms = 14, CC_1_X(24, 8192, 256)},
    {.name = "cc1.3", .product = "GeForce GTX 280", .num_sms = 30, CC_1_X(32, 16384, 512)},
    {.name = "cc2.0", .product = "GeForce GTX 480", .num_sms = 15, CC_2_ON(48, 8, 32768, 63, 64, 2),
     .reg_alloc = OCCUPANCY_REGS_PER_WARP, SHARED(48, 48, 128)},
    {.name = "cc3.5", .product = "Tesla K40c", .num_sms = 15, CC_2_ON(64, 16, 65536, 255, 256, 4),
     .reg_alloc = OCCUPANCY_REGS_PER_WARP, SHARED(48, 48, 256)},
    {.name = "cc9.0", .product = "H100 SXM", .num_sms = 132, CC_2_ON(64, 32, 65536, 255, 256, 4),
     .reg_alloc = OCCUPANCY_REGS_PER_WARP, SHARED(228, 227, 128), .shared_reserved = 1 * KIB},
    /* The thesis gives no limits of a block or thread; these never limit its example. */
    {.name = "table5.2", .product = "the example of Table 5.2", .num_sms = 16, CC_2_ON(32, 8, 32768, 255, 1, 1),
     .reg_alloc = OCCUPANCY_REGS_PER_THREAD, SHARED(4, 4, 1)},
    /* GPGPU-Sim's SM2_GTX480: registers of a thread are rounded up to 4, threads to whole warps. */
    {.name = "fermi", .product = "GPGPU-Sim's GTX 480", .num_sms = 15, CC_2_ON(48, 8, 32768, 63, 4, 1),
     .reg_alloc = OCCUPANCY_REGS_PER_THREAD, SHARED(48, 48, 1)},
};

const occupancy_gpu *occupancy_gpu_find(const char *name)
{
    for (unsigned i = 0; name && i < sizeof sets / sizeof sets[0]; i++)
        if (strcmp(sets[i].name, name) == 0)
            return &sets[i];
    return NULL;
}

/* ---- options and names ----------------------------------------------------------------------- */

occupancy_options occupancy_options_default(void)
{
    return (occupancy_options){.units = OCCUPANCY_UNITS_ALLOCATED, .warp_rounding = OCCUPANCY_WARPS_OF_SM};
}

const char *occupancy_limiter_name(enum occupancy_limiter limiter)
{
    static const char *const names[OCCUPANCY_LIMITERS] = {"block slots", "warps", "registers", "shared memory"};

    return (unsigned)limiter < OCCUPANCY_LIMITERS ? names[limiter] : "?";
}

/* ---- what can be ----------------------------------------------------------------------------- */

static const char *gpu_name(const occupancy_gpu *gpu)
{
    return gpu->name ? gpu->name : "this GPU";
}

static bool counts_check(const occupancy_gpu *gpu, analytic_err *err)
{
#define COUNT(member) {#member, gpu->member}
    const struct {
        const char *name;
        uint32_t value;
    } counts[] = {
        COUNT(num_sms), COUNT(warp_size), COUNT(max_warps), COUNT(max_blocks), COUNT(max_threads),
        COUNT(max_threads_per_block), COUNT(registers), COUNT(max_regs_per_block), COUNT(max_regs_per_thread),
        COUNT(reg_unit), COUNT(warp_granularity), COUNT(shared_bytes), COUNT(max_shared_per_block),
        COUNT(shared_unit),
    };

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (counts[i].value < 1 || counts[i].value > OCCUPANCY_MAX_COUNT)
            return analytic_fail(err, "%s of %s is %u; give 1 to %u", counts[i].name, gpu_name(gpu),
                                 counts[i].value, (unsigned)OCCUPANCY_MAX_COUNT);
    return true;
}

/* An SM has what one block may take of it. */
static bool shares_check(const occupancy_gpu *gpu, analytic_err *err)
{
#define SHARE(part, whole) {#part, #whole, gpu->part, gpu->whole}
    const struct {
        const char *part, *whole;
        uint32_t of_block, of_sm;
    } shares[] = {
        SHARE(max_threads_per_block, max_threads), SHARE(max_regs_per_block, registers),
        SHARE(warp_granularity, max_warps),        SHARE(max_shared_per_block, shared_bytes),
        SHARE(shared_reserved, shared_bytes),
    };

    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++)
        if (shares[i].of_block > shares[i].of_sm)
            return analytic_fail(err, "%s is %u, but %s is %u; give no more than that", shares[i].part,
                                 shares[i].of_block, shares[i].whole, shares[i].of_sm);
    return true;
}

static bool gpu_check(const occupancy_gpu *gpu, analytic_err *err)
{
    if (!gpu)
        return analytic_fail(err, "gpu is missing; give a set of occupancy_gpu_find() or your own");
    if (!counts_check(gpu, err))
        return false;
    if (gpu->max_threads != (uint64_t)gpu->max_warps * gpu->warp_size)
        return analytic_fail(err, "max_threads of %s is %u; give max_warps x warp_size = %llu",
                             gpu_name(gpu), gpu->max_threads,
                             (unsigned long long)gpu->max_warps * gpu->warp_size);
    if ((unsigned)gpu->reg_alloc >= OCCUPANCY_REG_ALLOCS)
        return analytic_fail(err, "reg_alloc of %s is %u; give OCCUPANCY_REGS_PER_BLOCK, _WARP or _THREAD",
                             gpu_name(gpu), (unsigned)gpu->reg_alloc);
    return shares_check(gpu, err);
}

static bool kernel_check(const occupancy_gpu *gpu, const occupancy_kernel *kernel, analytic_err *err)
{
    if (kernel->blocks == 0)
        return analytic_fail(err, "blocks is 0; give 1 or more");
    if (kernel->threads_per_block == 0)
        return analytic_fail(err, "threads_per_block is 0; give 1 or more");
    if (kernel->threads_per_block > gpu->max_threads_per_block)
        return analytic_fail(err, "threads_per_block is %u; a block of %s has at most %u",
                             kernel->threads_per_block, gpu_name(gpu), gpu->max_threads_per_block);
    if (kernel->regs_per_thread > gpu->max_regs_per_thread)
        return analytic_fail(err, "regs_per_thread is %u; a thread of %s has at most %u",
                             kernel->regs_per_thread, gpu_name(gpu), gpu->max_regs_per_thread);
    if (kernel->shared_per_block > gpu->max_shared_per_block)
        return analytic_fail(err, "shared_per_block is %u; a block of %s has at most %u bytes",
                             kernel->shared_per_block, gpu_name(gpu), gpu->max_shared_per_block);
    return true;
}

static bool options_check(const occupancy_options *o, analytic_err *err)
{
    if ((unsigned)o->units > OCCUPANCY_UNITS_EXACT)
        return analytic_fail(err, "units is %u; give OCCUPANCY_UNITS_ALLOCATED or _EXACT",
                             (unsigned)o->units);
    if ((unsigned)o->warp_rounding > OCCUPANCY_WARPS_OF_BLOCK)
        return analytic_fail(err, "warp_rounding is %u; give OCCUPANCY_WARPS_OF_SM or _OF_BLOCK",
                             (unsigned)o->warp_rounding);
    return true;
}

/* ---- the equations --------------------------------------------------------------------------- */

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/* One kernel on one GPU; wide, until it is known that a block fits. */
typedef struct block_needs {
    uint64_t warps;
    uint64_t regs;   /* registers */
    uint64_t shared; /* bytes     */
} block_needs;

static bool exact(const occupancy_options *o)
{
    return o->units == OCCUPANCY_UNITS_EXACT;
}

/* True if an SM's registers are counted in warps, whose number is rounded, and not in blocks. */
static bool rounds_warps_of_sm(const occupancy_gpu *gpu, const occupancy_options *o)
{
    return !exact(o) && gpu->reg_alloc == OCCUPANCY_REGS_PER_WARP &&
           o->warp_rounding == OCCUPANCY_WARPS_OF_SM;
}

/* Registers that a block of `warps` warps is charged for. */
static uint64_t charge_registers(const occupancy_gpu *gpu, const occupancy_kernel *kernel,
                                 const occupancy_options *o, uint64_t warps)
{
    const uint64_t regs = kernel->regs_per_thread;
    const uint64_t rounded_warps = round_up(warps, gpu->warp_granularity);

    if (exact(o))
        return regs * kernel->threads_per_block;
    if (gpu->reg_alloc == OCCUPANCY_REGS_PER_BLOCK)
        return round_up(rounded_warps * gpu->warp_size * regs, gpu->reg_unit);
    if (gpu->reg_alloc == OCCUPANCY_REGS_PER_THREAD)
        return warps * gpu->warp_size * round_up(regs, gpu->reg_unit);
    return round_up(gpu->warp_size * regs, gpu->reg_unit) *
           (rounds_warps_of_sm(gpu, o) ? warps : rounded_warps);
}

static block_needs charge(const occupancy_gpu *gpu, const occupancy_kernel *kernel,
                          const occupancy_options *o)
{
    block_needs needs = {0};

    /* Eq. 2.3 */
    needs.warps = ((uint64_t)kernel->threads_per_block + gpu->warp_size - 1) / gpu->warp_size;
    needs.regs = charge_registers(gpu, kernel, o, needs.warps);
    needs.shared = (uint64_t)kernel->shared_per_block + gpu->shared_reserved;
    if (!exact(o))
        needs.shared = round_up(needs.shared, gpu->shared_unit);
    return needs;
}

/* limWarpsDueRegs of Eq. 2.6: warps of this kernel that the registers of one block's reach hold. */
static uint64_t warps_due_regs(const occupancy_gpu *gpu, const occupancy_options *o, const block_needs *needs)
{
    const uint64_t regs_per_warp = needs->regs / needs->warps;

    if (!rounds_warps_of_sm(gpu, o))
        return gpu->max_regs_per_block / needs->regs * needs->warps;
    return gpu->max_regs_per_block / regs_per_warp / gpu->warp_granularity * gpu->warp_granularity;
}

/* Eq. 2.6 and 2.7; false with the reason if not even one block fits. */
static bool limits(const occupancy_gpu *gpu, const occupancy_options *o, const block_needs *needs,
                   occupancy_result *r, analytic_err *err)
{
    r->lim_warps_due_regs = r->blocks_by_regs = r->blocks_by_shared = OCCUPANCY_UNLIMITED;
    r->reg_files = gpu->registers / gpu->max_regs_per_block;
    if (needs->regs) {
        r->lim_warps_due_regs = (uint32_t)warps_due_regs(gpu, o, needs);
        r->blocks_by_regs = (uint32_t)(r->lim_warps_due_regs / needs->warps) * r->reg_files; /* Eq. 2.6 */
    }
    if (needs->shared)
        r->blocks_by_shared = (uint32_t)(gpu->shared_bytes / needs->shared); /* Eq. 2.7 */
    if (r->blocks_by_regs == 0)
        return analytic_fail(err,
                             "registers: one block needs %llu for its %llu warps; a block of %s gets at most "
                             "%u, enough for %u warps; lower regs_per_thread or threads_per_block",
                             (unsigned long long)needs->regs, (unsigned long long)needs->warps, gpu_name(gpu),
                             gpu->max_regs_per_block, r->lim_warps_due_regs);
    if (r->blocks_by_shared == 0)
        return analytic_fail(err,
                             "shared memory: one block needs %llu bytes; an SM of %s has %u; "
                             "lower shared_per_block",
                             (unsigned long long)needs->shared, gpu_name(gpu), gpu->shared_bytes);
    return true;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static enum occupancy_limiter limiter_of(const occupancy_result *r)
{
    if (r->active_blocks == r->blocks_by_slots)
        return OCCUPANCY_BY_BLOCK_SLOTS;
    if (r->active_blocks == r->blocks_by_warps)
        return OCCUPANCY_BY_WARPS;
    return r->active_blocks == r->blocks_by_regs ? OCCUPANCY_BY_REGISTERS : OCCUPANCY_BY_SHARED;
}

bool occupancy_compute(const occupancy_gpu *gpu, const occupancy_kernel *kernel,
                       const occupancy_options *options, occupancy_result *out, analytic_err *err)
{
    const occupancy_options o = options ? *options : occupancy_options_default();
    occupancy_result r = {0};
    block_needs needs;

    if (!options_check(&o, err) || !gpu_check(gpu, err) || !kernel_check(gpu, kernel, err))
        return false;
    needs = charge(gpu, kernel, &o);
    if (!limits(gpu, &o, &needs, &r, err))
        return false;
    r.warps_per_block = (uint32_t)needs.warps; /* a block fits: all of these are within an SM's numbers */
    r.regs_per_block = (uint32_t)needs.regs;
    r.shared_per_block = (uint32_t)needs.shared;
    r.blocks_by_slots = gpu->max_blocks;
    r.blocks_by_warps = gpu->max_warps / r.warps_per_block;
    r.blocks_by_threads = smaller(r.blocks_by_slots, r.blocks_by_warps);            /* Eq. 2.5 */
    r.active_blocks = smaller(r.blocks_by_threads, r.blocks_by_regs);               /* Eq. 2.4 */
    r.active_blocks = smaller(r.active_blocks, r.blocks_by_shared);                 /* Eq. 2.4 */
    r.active_warps = r.warps_per_block * r.active_blocks;                           /* Eq. 2.2 */
    r.occupancy = (double)r.active_warps / gpu->max_warps;                          /* Eq. 2.1 */
    r.limiter = limiter_of(&r);
    *out = r;
    return true;
}
