/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/gpus.h"

#include <stddef.h>
#include <stdio.h>
#include <strings.h>

#include "analytic/mwp_cwp_gpus.h"

typedef struct entry {
    const char *name;
    const char *occupancy; /* set of occupancy.h                                        */
    const char *memory;    /* GPU of mwp_cwp_gpus.h; NULL: `timing`                     */
    mwp_cwp_gpu timing;
    const char *power;     /* set of ipp_params.h, NULL: none                           */
    uint32_t num_sms;
    const char *note;
} entry;

/* What stands here for a GTX 580 is Table 14's, with the frequencies of its two rows put right (TP-A9).
 * What stands here for `fermi` was read off the configuration of the simulator that made the shipped
 * recordings, and Mem_LD off the recordings: a load of `pathfinder` alone on the SM that misses both
 * caches takes 320 cycles. Its interconnect hands an SM 32 bytes per cycle: 4 cycles per line. */
static const entry entries[] = {
    {.name = "8800gtx", .occupancy = "cc1.0", .memory = "8800GTX", .num_sms = 16, .note = "Tables 2 and 5; no power"},
    {.name = "fx5600", .occupancy = "cc1.0", .memory = "FX5600", .num_sms = 16, .note = "Tables 2 and 5; no power"},
    {.name = "8800gt", .occupancy = "cc1.1", .memory = "8800GT", .num_sms = 14, .note = "Tables 2 and 5; no power"},
    {.name = "gtx280", .occupancy = "cc1.3", .memory = "GTX280", .power = "gtx280", .num_sms = 30,
     .note = "Tables 2, 5, 8 and 9"},
    {.name = "gtx580", .occupancy = "cc2.0", .power = "gtx580", .num_sms = 16,
     .timing = {.freq_ghz = 1.544, .bandwidth_gb_s = 150, .mem_ld = 450, .departure_coal = 4, .departure_uncoal = 40,
                .issue_cycles = 1, .warp_size = 32},
     .note = "Tables 10, 11 and 14; departure delays of GTX 280, the thesis has none for Fermi"},
    {.name = "fermi", .occupancy = "fermi", .power = "gtx580", .num_sms = 15,
     .timing = {.freq_ghz = 0.7, .bandwidth_gb_s = 177.4, .mem_ld = 320, .departure_coal = 4, .departure_uncoal = 4,
                .issue_cycles = 0.5, .warp_size = 32},
     .note = "GPGPU-Sim's SM2_GTX480, which made the shipped recordings; power of GTX 580 with 15 SMs"},
};

enum { ENTRIES = sizeof entries / sizeof entries[0] };

unsigned analytic_gpu_count(void)
{
    return ENTRIES;
}

bool analytic_gpu_at(unsigned index, analytic_gpu *out)
{
    const entry *e = &entries[index < ENTRIES ? index : 0];

    if (index >= ENTRIES)
        return false;
    *out = (analytic_gpu){.note = e->note, .occupancy = *occupancy_gpu_find(e->occupancy),
                          .memory = e->memory ? *mwp_cwp_gpu_find(e->memory) : e->timing, .has_power = e->power != NULL};
    snprintf(out->name, sizeof out->name, "%s", e->name);
    out->occupancy.num_sms = e->num_sms;
    out->memory.name = e->name;
    if (e->power)
        out->power = *ipp_params_find(e->power);
    return true;
}

bool analytic_gpu_find(const char *name, analytic_gpu *out)
{
    for (unsigned i = 0; i < ENTRIES; i++)
        if (!strcasecmp(entries[i].name, name))
            return analytic_gpu_at(i, out);
    return false;
}
