/* SPDX-License-Identifier: Apache-2.0
 *
 * Quintanilla Cruz, MSc thesis 2017, chapters 4 and 5. k1's blocks lie on the SMs in at most three
 * groups of equal SMs; Algorithm 2 is asked once per group.
 */
#include "analytic/slowdown.h"

#include <math.h>

#include "analytic/members_private.h"

slowdown_options slowdown_options_default(void)
{
    return (slowdown_options){
        .occupancy = occupancy_options_default(),
        .cond2 = SLOWDOWN_COND2_CAPACITY,
        .fill = SLOWDOWN_FILL_RR,
        .occupied = SLOWDOWN_OCCUPIED_PER_SM,
        .remainder = SLOWDOWN_REMAINDER_MOD,
        .full_wave = SLOWDOWN_FULL_WAVE_CASE_C,
        .lifetime = SLOWDOWN_LIFETIME_OUTLIVES,
        .alloc_by_warp = true,
        .block_slots = true,
        .launch_overhead = 0,
        .exec_time_k2 = 0,
    };
}

const char *slowdown_case_name(enum slowdown_case c)
{
    static const char *const names[SLOWDOWN_CASES] = {"A", "B", "C"};

    return (unsigned)c < SLOWDOWN_CASES ? names[c] : "?";
}

/* ---- what can be ----------------------------------------------------------------------------- */

static bool reading_check(const char *name, unsigned value, unsigned last, analytic_err *err)
{
    if (value <= last)
        return true;
    return analytic_fail(err, "%s is %u; give one of its enum, 0 to %u", name, value, last);
}

static bool options_check(const slowdown_options *o, analytic_err *err)
{
    if (!reading_check("cond2", o->cond2, SLOWDOWN_COND2_LITERAL, err) ||
        !reading_check("fill", o->fill, SLOWDOWN_FILL_DF, err) ||
        !reading_check("occupied", o->occupied, SLOWDOWN_OCCUPIED_LITERAL, err) ||
        !reading_check("remainder", o->remainder, SLOWDOWN_REMAINDER_LITERAL, err) ||
        !reading_check("full_wave", o->full_wave, SLOWDOWN_FULL_WAVE_CASE_B, err) ||
        !reading_check("lifetime", o->lifetime, SLOWDOWN_LIFETIME_FINITE, err) ||
        !NOT_NEGATIVE(o, launch_overhead))
        return false;
    return o->lifetime != SLOWDOWN_LIFETIME_FINITE || POSITIVE(o, exec_time_k2);
}

/* What occupancy_compute() says of one of the kernels, with the kernel's name before it. */
static bool kernel_occupancy(const occupancy_gpu *gpu, const occupancy_kernel *kernel, const char *name,
                             const slowdown_options *o, occupancy_result *r, analytic_err *err)
{
    analytic_err why;

    if (occupancy_compute(gpu, kernel, &o->occupancy, r, &why))
        return true;
    return analytic_fail(err, "%s: %s", name, why.text);
}

/* ---- Algorithm 2 ----------------------------------------------------------------------------- */

/* The two kernels on their GPU, as the functions below hand them around. */
typedef struct pair {
    const occupancy_gpu *gpu;
    const occupancy_kernel *k1, *k2;
    const slowdown_options *o;
    occupancy_result r1, r2;
} pair;

static bool pair_init(pair *p, analytic_err *err)
{
    return options_check(p->o, err) && kernel_occupancy(p->gpu, p->k1, "k1", p->o, &p->r1, err) &&
           kernel_occupancy(p->gpu, p->k2, "k2", p->o, &p->r2, err);
}

/* Blocks of k2 that fit into what `used` per block of k1 leaves of `limit`. */
static uint64_t fit(uint64_t limit, uint64_t used, uint64_t k1_blocks, uint64_t needed)
{
    const uint64_t taken = used * k1_blocks;

    if (needed == 0)
        return UINT64_MAX;
    return taken < limit ? (limit - taken) / needed : 0;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint32_t allocatable(const pair *p, uint32_t k1_blocks)
{
    const occupancy_gpu *g = p->gpu;
    uint64_t blocks = p->r2.active_blocks; /* an SM never holds more than alone */

    blocks = least(blocks, fit(g->registers, p->r1.regs_per_block, k1_blocks, p->r2.regs_per_block));
    blocks = least(blocks, fit(g->shared_bytes, p->r1.shared_per_block, k1_blocks, p->r2.shared_per_block));
    if (p->o->alloc_by_warp)
        blocks = least(blocks, fit(g->max_warps, p->r1.warps_per_block, k1_blocks, p->r2.warps_per_block));
    else
        blocks = least(blocks, fit(g->max_threads, p->k1->threads_per_block, k1_blocks,
                                   p->k2->threads_per_block));
    if (p->o->block_slots)
        blocks = least(blocks, fit(g->max_blocks, 1, k1_blocks, 1)); /* chapter 4.2, I and II */
    return (uint32_t)blocks;
}

/* ---- where k1's blocks lie (QC-16) ------------------------------------------------------------ */

static void add_group(slowdown_result *r, const pair *p, uint64_t sms, uint64_t k1_blocks)
{
    if (sms == 0)
        return;
    slowdown_group *g = &r->group[r->num_groups++];
    g->sms = (uint32_t)sms;
    g->k1_blocks = (uint32_t)k1_blocks;
    g->k2_blocks = allocatable(p, g->k1_blocks);
    r->capacity += (uint64_t)g->sms * g->k2_blocks;
}

static void place_round_robin(slowdown_result *r, const pair *p)
{
    const uint64_t sms = p->gpu->num_sms, each = r->resident_k1 / sms, more = r->resident_k1 % sms;

    add_group(r, p, more, each + 1);
    add_group(r, p, sms - more, each);
}

static void place_depth_first(slowdown_result *r, const pair *p)
{
    const uint64_t sms = p->gpu->num_sms, active = r->k1.active_blocks;
    const uint64_t full = r->resident_k1 / active, rest = r->resident_k1 % active;

    add_group(r, p, full, active);
    add_group(r, p, rest != 0, rest);
    add_group(r, p, sms - full - (rest != 0), 0);
}

/* Eq. 5.2 knows SMs that k1 fills and SMs without k1, nothing between. */
static void place_literal(slowdown_result *r, const pair *p)
{
    add_group(r, p, r->n_occupied, r->k1.active_blocks);
    add_group(r, p, r->n_free, 0);
}

static void place(slowdown_result *r, const pair *p)
{
    const uint64_t wave = (uint64_t)r->k1.active_blocks * p->gpu->num_sms;
    const uint64_t active = r->k1.active_blocks;

    r->resident_k1 = p->k1->blocks;
    if (r->resident_k1 >= wave)
        r->resident_k1 = p->o->remainder == SLOWDOWN_REMAINDER_MOD ? r->resident_k1 % wave : wave;
    r->n_occupied = (uint32_t)((r->resident_k1 + active - 1) / active);
    r->n_free = p->gpu->num_sms - r->n_occupied;
    r->alloc_blocks = allocatable(p, r->k1.active_blocks);
    if (p->o->occupied == SLOWDOWN_OCCUPIED_LITERAL)
        place_literal(r, p);
    else if (p->o->fill == SLOWDOWN_FILL_DF)
        place_depth_first(r, p);
    else
        place_round_robin(r, p);
}

/* ---- Algorithm 1 ----------------------------------------------------------------------------- */

static enum slowdown_case algorithm_1(const slowdown_result *r, const pair *p)
{
    const uint64_t wave = (uint64_t)r->k1.active_blocks * p->gpu->num_sms;

    if (!r->outlasts_launch)
        return SLOWDOWN_CASE_C;
    if (r->cond1 && r->cond2)
        return SLOWDOWN_CASE_A;
    if (p->k1->blocks % wave > 0 || p->o->full_wave == SLOWDOWN_FULL_WAVE_CASE_B)
        return SLOWDOWN_CASE_B;
    return SLOWDOWN_CASE_C;
}

static void decide(slowdown_result *r, const pair *p, double exec_time_k1)
{
    const uint64_t wave = (uint64_t)r->k1.active_blocks * p->gpu->num_sms;

    r->outlasts_launch = exec_time_k1 > p->o->launch_overhead;
    r->cond1 = p->k1->blocks < wave;
    r->cond2 = (p->o->cond2 == SLOWDOWN_COND2_LITERAL ? r->alloc_blocks : r->capacity) > 0;
    r->concurrency = algorithm_1(r, p);
    r->shares = r->concurrency != SLOWDOWN_CASE_C && r->capacity > 0;
}

/* ---- Eq. 5.2 --------------------------------------------------------------------------------- */

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/* Waves of k2 until its last block ends, if k1 goes after `lifetime` waves: k2's first `capacity`
 * slots start blocks at 0, 1, 2, ...; the slots that k1 gives up at lifetime, lifetime + 1, ... */
static double waves_after_release(const slowdown_result *r, const pair *p)
{
    const uint64_t all = (uint64_t)r->k2.active_blocks * p->gpu->num_sms;
    const uint64_t limited = divide_up(p->k2->blocks, r->capacity);
    uint64_t before, left, rounds, last;

    if (r->lifetime_waves > (double)(limited - 1))
        return (double)limited; /* k2's last block has started by then */
    before = (uint64_t)ceil(r->lifetime_waves);
    left = p->k2->blocks - before * r->capacity;
    rounds = (left - 1) / all;
    last = left - rounds * all; /* 1 to all: blocks of the last round */
    return (double)rounds + 1 + (last <= all - r->capacity ? r->lifetime_waves : (double)before);
}

/* k1's wave in waves of k2; all waves of a kernel take the same time (chapter 4.1.2). */
static bool lifetime(slowdown_result *r, const pair *p, double exec_time_k1, analytic_err *err)
{
    if (p->o->lifetime == SLOWDOWN_LIFETIME_OUTLIVES)
        return true;
    r->lifetime_waves = exec_time_k1 / r->waves_k1 / (p->o->exec_time_k2 / r->waves_k2);
    return analytic_finite(r->lifetime_waves, "exec_time_k1 / exec_time_k2 in waves", err);
}

static void slow_down(slowdown_result *r, const pair *p)
{
    if (!r->shares)
        r->waves_with_lim_res = r->waves_k2;
    else if (p->o->lifetime == SLOWDOWN_LIFETIME_FINITE)
        r->waves_with_lim_res = waves_after_release(r, p);
    else
        r->waves_with_lim_res = (double)divide_up(p->k2->blocks, r->capacity); /* Eq. 5.2 */
    r->slowdown = r->waves_with_lim_res / r->waves_k2;                         /* Eq. 5.1 */
}

bool slowdown_compute(const occupancy_gpu *gpu, const occupancy_kernel *k1, const occupancy_kernel *k2,
                      double exec_time_k1, const slowdown_options *options, slowdown_result *out,
                      analytic_err *err)
{
    const slowdown_options o = options ? *options : slowdown_options_default();
    pair p = {.gpu = gpu, .k1 = k1, .k2 = k2, .o = &o};
    slowdown_result r = {0};

    if (!pair_init(&p, err) || !analytic_positive(exec_time_k1, "exec_time_k1", err))
        return false;
    r.k1 = p.r1;
    r.k2 = p.r2;
    if (!slowdown_waves(k1->blocks, r.k1.active_blocks, gpu->num_sms, &r.waves_k1, err) ||
        !slowdown_waves(k2->blocks, r.k2.active_blocks, gpu->num_sms, &r.waves_k2, err) ||
        !lifetime(&r, &p, exec_time_k1, err))
        return false;
    place(&r, &p);
    decide(&r, &p, exec_time_k1);
    slow_down(&r, &p);
    *out = r;
    return true;
}

/* ---- single equations ------------------------------------------------------------------------ */

bool slowdown_waves(uint32_t blocks, uint32_t active_blocks, uint32_t num_sms, uint32_t *waves,
                    analytic_err *err)
{
    if (!analytic_positive(blocks, "blocks", err) ||
        !analytic_positive(active_blocks, "active_blocks", err) ||
        !analytic_positive(num_sms, "num_sms", err))
        return false;
    *waves = (uint32_t)divide_up(blocks, (uint64_t)active_blocks * num_sms); /* Eq. 4.1 */
    return true;
}

bool slowdown_allocatable(const occupancy_gpu *gpu, const occupancy_kernel *k1, const occupancy_kernel *k2,
                          uint32_t k1_blocks, const slowdown_options *options, uint32_t *blocks,
                          analytic_err *err)
{
    const slowdown_options o = options ? *options : slowdown_options_default();
    pair p = {.gpu = gpu, .k1 = k1, .k2 = k2, .o = &o};

    if (!pair_init(&p, err))
        return false;
    if (k1_blocks > p.r1.active_blocks)
        return analytic_fail(err, "k1_blocks is %u; an SM holds at most %u blocks of k1", k1_blocks,
                             p.r1.active_blocks);
    *blocks = allocatable(&p, k1_blocks);
    return true;
}

bool slowdown_error(double estimated, double actual, double *percent, analytic_err *err)
{
    double value;

    if (!analytic_positive(estimated, "estimated", err) || !analytic_positive(actual, "actual", err))
        return false;
    value = (estimated - actual) / actual * 100; /* Eq. 6.1 */
    if (!analytic_finite(value, "error", err))
        return false;
    *percent = value;
    return true;
}
