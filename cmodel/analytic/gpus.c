/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/gpus.h"

#include <stddef.h>
#include <stdio.h>
#include <strings.h>

#include "analytic/gpu_entry_private.h"
#include "analytic/mwp_cwp_gpus.h"

/* What stands here for a GTX 580 is Table 14's, with the frequencies of its two rows put right (TP-A9). */
static const analytic_gpu_entry thesis[] = {
    {.name = "8800gtx", .occupancy = "cc1.0", .memory = "8800GTX", .note = "Tables 2 and 5; no power"},
    {.name = "fx5600", .occupancy = "cc1.0", .memory = "FX5600", .note = "Tables 2 and 5; no power"},
    {.name = "8800gt", .occupancy = "cc1.1", .memory = "8800GT", .note = "Tables 2 and 5; no power"},
    {.name = "gtx280", .occupancy = "cc1.3", .memory = "GTX280", .power = "gtx280", .note = "Tables 2, 5, 8 and 9"},
    {.name = "gtx580", .occupancy = "cc2.0", .power = "gtx580", .num_sms = 16,
     .timing = {.freq_ghz = 1.544, .bandwidth_gb_s = 150, .mem_ld = 450, .departure_coal = 4, .departure_uncoal = 40,
                .issue_cycles = 1, .warp_size = 32},
     .note = "Tables 10, 11 and 14; departure delays of GTX 280, the thesis has none for Fermi"},
};

enum { THESIS = sizeof thesis / sizeof thesis[0] };

/* NULL if there are not so many. */
static const analytic_gpu_entry *entry_at(unsigned index)
{
    if (index < THESIS)
        return &thesis[index];
    return index - THESIS < analytic_chip_count ? &analytic_chips[index - THESIS] : NULL;
}

bool analytic_gpu_at(unsigned index, analytic_gpu *out)
{
    const analytic_gpu_entry *e = entry_at(index);

    if (!e)
        return false;
    *out = (analytic_gpu){.note = e->note, .occupancy = *occupancy_gpu_find(e->occupancy),
                          .memory = e->memory ? *mwp_cwp_gpu_find(e->memory) : e->timing, .has_power = e->power != NULL};
    snprintf(out->name, sizeof out->name, "%s", e->name);
    out->occupancy.num_sms = e->memory ? (uint32_t)out->memory.active_sms : e->num_sms;
    out->memory.name = e->name;
    if (e->power)
        out->power = *ipp_params_find(e->power);
    return true;
}

bool analytic_gpu_find(const char *name, analytic_gpu *out)
{
    for (unsigned i = 0; entry_at(i); i++)
        if (!strcasecmp(entry_at(i)->name, name))
            return analytic_gpu_at(i, out);
    return false;
}
