/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/mwp_cwp_fixture.h"

/* V1 is the tiled matrix multiplication of the earlier ISCA'09 paper, on a machine of its own. */
static const struct {
    const char *gpu;
    uint32_t threads, blocks, active_blocks;
    double comp, coal, uncoal, per_mw, synch;
} VECTORS[MWP_CWP_VECTORS] = {
    {"FX5600", 128, 80, 5, 27, 0, 6, 32, 6},   {"FX5600", 256, 480, 3, 29, 1, 0, 32, 0},
    {"FX5600", 256, 480, 3, 29, 0, 1, 32, 0},  {"GTX280", 256, 1200, 4, 40, 2, 2, 2, 0},
    {"FX5600", 32, 16, 1, 8, 1, 0, 32, 0},     {"FX5600", 256, 480, 3, 400, 2, 0, 32, 0},
    {"FX5600", 64, 64, 4, 10, 1, 1, 32, 1},
};

mwp_cwp_vector mwp_cwp_vector_at(unsigned number)
{
    const unsigned i = number - 1;
    mwp_cwp_vector v = {.gpu = *mwp_cwp_gpu_find(VECTORS[i].gpu), .kernel = mwp_cwp_kernel_default(),
                        .options = mwp_cwp_options_default()};

    v.kernel.threads_per_block = VECTORS[i].threads;
    v.kernel.blocks = VECTORS[i].blocks;
    v.kernel.active_blocks_per_sm = VECTORS[i].active_blocks;
    v.kernel.comp_insts = VECTORS[i].comp;
    v.kernel.coal_mem_insts = VECTORS[i].coal;
    v.kernel.uncoal_mem_insts = VECTORS[i].uncoal;
    v.kernel.uncoal_per_mw = VECTORS[i].per_mw;
    v.kernel.synch_insts = VECTORS[i].synch;
    v.kernel.load_bytes_per_warp = 128;
    if (number == 1) {
        v.gpu.name = "ISCA09";
        v.gpu.freq_ghz = 1;
        v.gpu.bandwidth_gb_s = 80;
    }
    return v;
}

mwp_cwp_result mwp_cwp_solve(const mwp_cwp_vector *v, const mwp_cwp_options *options)
{
    mwp_cwp_result r;

    must(mwp_cwp_compute(&v->gpu, &v->kernel, options, &r, &err));
    return r;
}

MODEL(mwp_cwp_of_vector, mwp_cwp_vector, mwp_cwp_compute(&in->gpu, &in->kernel, &in->options, out, why))
