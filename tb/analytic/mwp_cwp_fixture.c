/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/mwp_cwp_fixture.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "analytic/mwp_cwp_gpus.h"

static mwp_cwp_vector on(const char *gpu, uint32_t threads, uint32_t blocks, uint32_t active_blocks)
{
    mwp_cwp_vector v = {.gpu = *mwp_cwp_gpu_find(gpu), .kernel = mwp_cwp_kernel_default()};

    v.kernel.threads_per_block = threads;
    v.kernel.blocks = blocks;
    v.kernel.active_blocks_per_sm = active_blocks;
    v.kernel.load_bytes_per_warp = 128;
    return v;
}

static void insts(mwp_cwp_vector *v, double comp, double coal, double uncoal)
{
    v->kernel.comp_insts = comp;
    v->kernel.coal_mem_insts = coal;
    v->kernel.uncoal_mem_insts = uncoal;
}

/* The tiled matrix multiplication of the earlier ISCA'09 paper. */
static mwp_cwp_vector vector_1(void)
{
    mwp_cwp_vector v = on("FX5600", 128, 80, 5);

    v.gpu.name = "ISCA09";
    v.gpu.freq_ghz = 1;
    v.gpu.bandwidth_gb_s = 80;
    v.kernel.synch_insts = 6;
    insts(&v, 27, 0, 6);
    return v;
}

mwp_cwp_vector mwp_cwp_vector_at(unsigned number)
{
    mwp_cwp_vector v = number == 1 ? vector_1()
                     : number == 4 ? on("GTX280", 256, 1200, 4)
                     : number == 5 ? on("FX5600", 32, 16, 1)
                     : number == 7 ? on("FX5600", 64, 64, 4)
                                   : on("FX5600", 256, 480, 3);

    switch (number) {
    case 2: insts(&v, 29, 1, 0); break;
    case 3: insts(&v, 29, 0, 1); break;
    case 4: insts(&v, 40, 2, 2); v.kernel.uncoal_per_mw = 2; break;
    case 5: insts(&v, 8, 1, 0); break;
    case 6: insts(&v, 400, 2, 0); break;
    case 7: insts(&v, 10, 1, 1); v.kernel.synch_insts = 1; break;
    default: break;
    }
    return v;
}

mwp_cwp_vector mwp_cwp_few_warps(uint32_t warps, double comp_insts, double coal_mem_insts)
{
    mwp_cwp_vector v = on("FX5600", 32 * warps, 16, 1);

    insts(&v, comp_insts, coal_mem_insts, 0);
    return v;
}

mwp_cwp_result mwp_cwp_solve(const mwp_cwp_vector *v, const mwp_cwp_options *options)
{
    analytic_err err = {""};
    mwp_cwp_result r;

    if (!mwp_cwp_compute(&v->gpu, &v->kernel, options, &r, &err))
        fail_msg("refused: %s", err.text);
    return r;
}

void mwp_cwp_assert_near(double got, double want, double relative, const char *what, const char *file,
                         int line)
{
    if (isfinite(got) && fabs(got - want) <= relative * fabs(want))
        return;
    print_error("%s is %.17g, not %.17g\n", what, got, want);
    _fail(file, line);
}

/* SplitMix64 */
uint64_t mwp_cwp_roll(mwp_cwp_dice *dice)
{
    uint64_t x = dice->state += 0x9e3779b97f4a7c15u;

    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

double mwp_cwp_between(mwp_cwp_dice *dice, double least, double most)
{
    return least + (most - least) * ((double)(mwp_cwp_roll(dice) >> 11) / 9007199254740992.0);
}

double mwp_cwp_wild(mwp_cwp_dice *dice)
{
    const double odd[] = {0, -0.0, -1, NAN, INFINITY, -INFINITY,
                          DBL_MAX, -DBL_MAX, DBL_MIN, DBL_TRUE_MIN, 1e300};
    const uint64_t roll = mwp_cwp_roll(dice) % 100;

    if (roll < sizeof odd / sizeof odd[0])
        return odd[roll];
    if (roll < 25)
        return pow(10, mwp_cwp_between(dice, -320, 308));
    return mwp_cwp_between(dice, 1, 100);
}

uint32_t mwp_cwp_wild_count(mwp_cwp_dice *dice)
{
    const uint64_t roll = mwp_cwp_roll(dice) % 20;

    return roll == 0 ? 0 : roll == 1 ? UINT32_MAX : roll == 2 ? 1 : (uint32_t)(mwp_cwp_roll(dice) % 2000 + 1);
}
