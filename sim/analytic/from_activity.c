/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/from_activity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WORD_BYTES = 4, WARP = 32 };

void from_workload(analytic_kernel *kernel, const workload *w)
{
    const double all = w->insts;
    const uint32_t store_lines = w->store_lines ? w->store_lines : w->lines;
    const double loads = w->loads * all, stores = w->stores * all;
    const double barriers = w->barrier_every ? all / w->barrier_every : 0;
    const double arithmetic = fmax(0, all - loads - stores - (w->shared + w->sfu) * all);

    memset(kernel, 0, sizeof *kernel);
    snprintf(kernel->name, sizeof kernel->name, "%s", w->name);
    kernel->blocks = w->ctas;
    kernel->threads_per_block = w->threads_per_cta;
    kernel->regs_per_thread = w->regs_per_thread;
    kernel->shared_per_block = w->shared_per_cta;
    kernel->int_insts = kernel->fp_insts = arithmetic / 2;
    kernel->sfu_insts = w->sfu * all;
    kernel->shared_insts = w->shared * all;
    kernel->coal_mem_insts = (w->lines == 1 ? loads : 0) + (store_lines == 1 ? stores : 0);
    kernel->uncoal_mem_insts = loads + stores - kernel->coal_mem_insts;
    kernel->uncoal_per_mw = w->lines == 1 ? store_lines : w->lines;
    kernel->synch_insts = barriers;
    kernel->load_bytes = loads + stores > 0 ? (loads * w->lines + stores * store_lines) / (loads + stores) * WARP * WORD_BYTES
                                            : WARP * WORD_BYTES;
    kernel->independent_loads = fmax(1, w->loads * w->load_distance);
}

void from_machine(analytic_gpu *gpu, const machine *m)
{
    const double clock = (double)m->sm_mhz / m->memory_mhz; /* SM cycles per memory cycle */
    const double way = 2.0 * m->network_latency + m->network_interval + m->l2_latency + m->dram_latency;
    const double between = fmax(1, m->network_interval * clock);

    analytic_gpu_find("fermi", gpu);
    snprintf(gpu->name, sizeof gpu->name, "%s", m->name);
    gpu->note = "the activity simulator's";
    gpu->occupancy.num_sms = m->sms;
    gpu->occupancy.max_warps = m->warps;
    gpu->occupancy.max_threads = m->warps * WARP;
    gpu->occupancy.max_blocks = m->slots;
    gpu->occupancy.registers = gpu->occupancy.max_regs_per_block = m->registers;
    gpu->occupancy.reg_unit = 1;
    gpu->occupancy.max_regs_per_thread = 255;
    gpu->occupancy.shared_bytes = gpu->occupancy.max_shared_per_block = m->shared_bytes;
    gpu->occupancy.shared_reserved = 0;
    gpu->occupancy.shared_unit = 1;
    gpu->memory.freq_ghz = m->sm_mhz / 1e3;
    gpu->memory.bandwidth_gb_s = m->dram_channels * (double)m->line_bytes * m->memory_mhz / 1e3 / (m->dram_interval ? m->dram_interval : 1);
    gpu->memory.mem_ld = way * clock;
    gpu->memory.departure_coal = gpu->memory.departure_uncoal = between;
    gpu->memory.issue_cycles = 1.0 / m->schedulers;
}
