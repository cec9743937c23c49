// SPDX-License-Identifier: Apache-2.0
//
// For the test of the adapter: what it asks of a kernel's code. See gpgpu-sim/shader.h beside.
#ifndef BALLAST_STANDIN_CUDA_SIM_H
#define BALLAST_STANDIN_CUDA_SIM_H

struct gpgpu_ptx_sim_info {
    int regs, smem;
};

class function_info {
public:
    gpgpu_ptx_sim_info info;
};

inline const gpgpu_ptx_sim_info *ptx_sim_kernel_info(const function_info *code)
{
    return &code->info;
}

#endif
