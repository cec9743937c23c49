/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/machine.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "chip/gwde.h"
#include "common/cta_needs.h"
#include "gpu/memory.h"
#include "gpu/program.h"

const machine *machine_find(const char *name)
{
    for (unsigned i = 0; i < machine_count; i++)
        if (!strcmp(machine_table[i].name, name))
            return &machine_table[i];
    return NULL;
}

static bool within(uint32_t value, uint32_t least, uint32_t most, const char *name, char *err, unsigned size)
{
    if (value >= least && value <= most)
        return true;
    snprintf(err, size, "%s is %u; give %u to %u", name, (unsigned)value, (unsigned)least, (unsigned)most);
    return false;
}

bool machine_check(const machine *m, char *err, unsigned size)
{
    enum { TIME = 1000000 };
    const struct {
        const char *name;
        uint32_t value, least, most;
    } all[] = {
        {"sms", m->sms, 1, MACHINE_MAX_SMS}, {"warps", m->warps, 1, BALLAST_MAX_WARPS}, {"slots", m->slots, 1, BALLAST_MAX_SLOTS},
        {"registers", m->registers, BALLAST_CTA_REG_UNIT, GWDE_MAX_UNITS * BALLAST_CTA_REG_UNIT},
        {"shared_bytes", m->shared_bytes, BALLAST_CTA_SMEM_UNIT, GWDE_MAX_UNITS * BALLAST_CTA_SMEM_UNIT}, {"schedulers", m->schedulers, 1, MACHINE_MAX_SCHEDULERS},
        {"scheduler", m->scheduler, 0, SCHEDULES - 1}, {"fetch_group", m->fetch_group, 1, BALLAST_MAX_WARPS},
        {"alu_width", m->alu_width, 1, MACHINE_MAX_SCHEDULERS}, {"alu_latency", m->alu_latency, m->collectors ? MACHINE_COLLECT + 1 : 1, MACHINE_MAX_LATENCY - 1 - (m->collectors ? MACHINE_MAX_WAIT : 0)},
        {"sfu_interval", m->sfu_interval, 1, TIME}, {"sfu_latency", m->sfu_latency, 1, MACHINE_MAX_LATENCY - 1},
        {"branch_latency", m->branch_latency, 1, MACHINE_MAX_LATENCY - 1}, {"lsu_queue", m->lsu_queue, 1, MACHINE_MAX_LSU},
        {"ibuffer", m->ibuffer, 0, PROGRAM_WINDOW}, {"collectors", m->collectors, 0, MACHINE_MAX_COLLECTORS},
        {"collector_reads", m->collector_reads, m->collectors > 0, PROGRAM_OPERANDS}, {"reg_banks", m->reg_banks, m->collectors > 0, MACHINE_MAX_BANKS},
        {"shared_latency", m->shared_latency, 1, MACHINE_MAX_LATENCY - 1}, {"l1_sets", m->l1_sets, 1, 1 << 20},
        {"l1_ways", m->l1_ways, 0, 64}, {"line_bytes", m->line_bytes, 1, 4096},
        {"l1_latency", m->l1_latency, 1, MACHINE_MAX_LATENCY - 1}, {"mshrs", m->mshrs, 1, MACHINE_MAX_MSHRS},
        {"network_latency", m->network_latency, 0, TIME}, {"network_interval", m->network_interval, 0, TIME},
        {"l2_banks", m->l2_banks, 1, MEMORY_MAX_BANKS}, {"l2_sets", m->l2_sets, 1, 1 << 20}, {"l2_ways", m->l2_ways, 0, 64},
        {"l2_latency", m->l2_latency, 0, TIME}, {"l2_interval", m->l2_interval, 0, TIME}, {"l2_queue", m->l2_queue, 1, TIME},
        {"dram_channels", m->dram_channels, 1, MEMORY_MAX_CHANNELS}, {"dram_latency", m->dram_latency, 0, TIME},
        {"dram_interval", m->dram_interval, 0, TIME}, {"dram_queue", m->dram_queue, 1, TIME}, {"sm_mhz", m->sm_mhz, 1, 100000}, {"memory_mhz", m->memory_mhz, 1, 100000},
    };

    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
        if (!within(all[i].value, all[i].least, all[i].most, all[i].name, err, size))
            return false;
    return true;
}

bool machine_slice(const machine *m, uint32_t sms, machine *out, char *err, unsigned size)
{
    if (!within(sms, 1, m->sms, "the number of SMs", err, size))
        return false;
    if (m->l2_banks * sms % m->sms || m->dram_channels * sms % m->sms) {
        snprintf(err, size, "%u of %u SMs of %s would have a part of an L2 bank or DRAM channel (%u, %u); take another number",
                 (unsigned)sms, (unsigned)m->sms, m->name, (unsigned)m->l2_banks, (unsigned)m->dram_channels);
        return false;
    }
    *out = *m;
    out->sms = sms;
    out->l2_banks = m->l2_banks * sms / m->sms;
    out->dram_channels = m->dram_channels * sms / m->sms;
    return true;
}
