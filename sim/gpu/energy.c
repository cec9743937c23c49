/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/energy.h"

#include "analytic/ipp_params.h"

static const double gtx580_hz = 1.544e9;    /* Hong, Table 10 and section 3.8: the processor clock     */
static const double leakage_of_chip = 41.9; /* W, Equalizer, section V-A.1                             */
static const double memory_part = 0.5;      /* of the idle power; an assumption                        */
static const double relative[] = {[BALLAST_VF_LOW] = 0.85, [BALLAST_VF_NORMAL] = 1, [BALLAST_VF_HIGH] = 1.15};

/* ---- coefficients ----------------------------------------------------------------- */

static double per_instruction(const ipp_params *p, enum ipp_component component)
{
    return p->unit[component].max_power / (gtx580_hz / p->issue_interval);
}

/* Power over lines per second: `units` take `interval` cycles of the memory clock for each. */
static double per_line(double power, uint32_t units, uint32_t interval, uint32_t mhz)
{
    return power / (units * (mhz * 1e6) / interval);
}

/* Hong, Table 7: all instructions are fetched, decoded and scheduled; those that compute or move
 * data use the register file, too. FP and INT cost the same on the GTX580. */
static void set_operations(energy_model *model, const ipp_params *p)
{
    const double fds = per_instruction(p, IPP_FDS);
    const double with_registers = fds + per_instruction(p, IPP_REG);

    model->operation[OP_ALU] = with_registers + per_instruction(p, IPP_FP);
    model->operation[OP_SFU] = with_registers + per_instruction(p, IPP_SFU);
    model->operation[OP_SHARED] = with_registers + per_instruction(p, IPP_SHARED);
    model->operation[OP_LOAD] = with_registers;
    model->operation[OP_STORE] = with_registers;
    model->operation[OP_BRANCH] = fds;
    model->operation[OP_BARRIER] = fds;
}

energy_model energy_model_default(void)
{
    const ipp_params *p = ipp_params_find("gtx580");
    const machine *fermi = machine_find("fermi");
    energy_model model = {.l1_line = per_instruction(p, IPP_L1)};

    set_operations(&model, p);
    model.l2_line = per_line(p->unit[IPP_L2].max_power, fermi->l2_banks, fermi->l2_interval, fermi->memory_mhz);
    model.dram_line =
        per_line(p->unit[IPP_GLOBAL].max_power, fermi->dram_channels, fermi->dram_interval, fermi->memory_mhz);
    model.sm_leakage = leakage_of_chip / p->num_sms;
    model.sm_clock = (p->activation - leakage_of_chip) / p->num_sms;
    model.memory_standby = memory_part * p->idle_power / p->num_sms;
    model.rest = (1 - memory_part) * p->idle_power / p->num_sms;
    return model;
}

/* ---- energy of a run -------------------------------------------------------------- */

static double seconds_of(const machine *m, uint64_t ticks)
{
    return (double)ticks / SIM_TICKS_NORMAL / (m->sm_mhz * 1e6);
}

/* Power of the memory in standby at voltage and frequency v over the nominal ones. Its current at 6 Gbps is 1.3 times that at 3.2
 * (Equalizer, section I, from a GDDR5's data sheet), taken as linear; fermi's memory has 4 x 924 MHz = 3.7 Gbps. */
static double standby(double v)
{
    const double nominal = 3.7, slope = 0.3 / (6 - 3.2);

    return v * (1 + slope * (nominal * v - 3.2)) / (1 + slope * (nominal - 3.2));
}

static double sm_accesses(const energy_model *model, const sim_level_counts *at)
{
    double joules = model->l1_line * (double)at->l1_lines;

    for (unsigned op = 0; op < OPERATIONS; op++)
        joules += model->operation[op] * (double)at->operations[op];
    return joules;
}

energy energy_of(const energy_model *model, const machine *m, const sim_counts *counts)
{
    energy e = {.rest = model->rest * m->sms * seconds_of(m, counts->ticks)};

    for (unsigned level = 0; level < 3; level++) {
        const sim_level_counts *at = &counts->at_level[level];
        const double v = relative[level], f = relative[level];

        e.sm_dynamic += v * v * sm_accesses(model, at);
        e.memory_dynamic +=
            v * v * (model->l2_line * (double)at->l2_lines + model->dram_line * (double)at->dram_lines);
        e.sm_leakage += v * model->sm_leakage * m->sms * seconds_of(m, counts->sm_ticks[level]);
        e.sm_static += (v * model->sm_leakage + v * v * f * model->sm_clock) * m->sms * seconds_of(m, counts->sm_ticks[level]);
        e.memory_static += standby(v) * model->memory_standby * m->sms * seconds_of(m, counts->mem_ticks[level]);
    }
    e.total = e.sm_dynamic + e.memory_dynamic + e.sm_static + e.memory_static + e.rest;
    return e;
}

double energy_power_gated(const energy *e, double unused)
{
    return e->total - e->sm_leakage * unused;
}
