/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/mwp_cwp_gpus.h"

#include <stddef.h>
#include <strings.h>

/* Table 2, Table 5 (Mem_LD and departure delays; FX5600, 8800GTX and 8800GT share theirs), Table 1 (4
 * cycles to issue, 32 threads). */
static const mwp_cwp_gpu GPUS[] = {
    {.name = "8800GTX", .active_sms = 16, .freq_ghz = 1.35, .bandwidth_gb_s = 86.4, .mem_ld = 420,
     .departure_coal = 4, .departure_uncoal = 10, .issue_cycles = 4, .warp_size = 32},
    {.name = "FX5600", .active_sms = 16, .freq_ghz = 1.35, .bandwidth_gb_s = 76.8, .mem_ld = 420,
     .departure_coal = 4, .departure_uncoal = 10, .issue_cycles = 4, .warp_size = 32},
    {.name = "8800GT", .active_sms = 14, .freq_ghz = 1.5, .bandwidth_gb_s = 57.6, .mem_ld = 420,
     .departure_coal = 4, .departure_uncoal = 10, .issue_cycles = 4, .warp_size = 32},
    {.name = "GTX280", .active_sms = 30, .freq_ghz = 1.3, .bandwidth_gb_s = 141.7, .mem_ld = 450,
     .departure_coal = 4, .departure_uncoal = 40, .issue_cycles = 4, .warp_size = 32},
};

const mwp_cwp_gpu *mwp_cwp_gpu_find(const char *name)
{
    for (unsigned i = 0; i < sizeof GPUS / sizeof GPUS[0]; i++)
        if (strcasecmp(GPUS[i].name, name) == 0)
            return &GPUS[i];
    return NULL;
}

enum { NUM_TYPES = 7 };

/* Table 6, in the order of mwp_cwp_mix; 0 is "Costly": no number. */
static const double M_FACTOR[MWP_CWP_M_SOURCES][NUM_TYPES] = {
    [MWP_CWP_M_EXPERIMENT] = {1, 1, 4.2, 4.3, 30, 35, 1},
    [MWP_CWP_M_MANUAL] = {1, 1, 4, 4, 0, 0, 1},
    [MWP_CWP_M_SENTENCE] = {1, 1, 4.2, 35, 30, 4.3, 1},
};

static const char *const TYPE_NAME[NUM_TYPES] = {"fp_add_mul_mad", "int_add", "fp_div", "int_mul",
                                                 "int_div", "int_modulo", "other"};

bool mwp_cwp_m_factor(const mwp_cwp_mix *mix, enum mwp_cwp_m_source source, double *m_factor,
                      analytic_err *err)
{
    const double count[NUM_TYPES] = {mix->fp_add_mul_mad, mix->int_add, mix->fp_div, mix->int_mul,
                                     mix->int_div, mix->int_modulo, mix->other};
    double weighted = 0;
    double total = 0;
    double mean;

    if ((unsigned)source >= MWP_CWP_M_SOURCES)
        return analytic_fail(err, "source is %d; give one of enum mwp_cwp_m_source", (int)source);
    for (int i = 0; i < NUM_TYPES; i++) {
        if (!analytic_not_negative(count[i], TYPE_NAME[i], err))
            return false;
        if (count[i] > 0 && M_FACTOR[source][i] == 0)
            return analytic_fail(err, "%s is %g, but Table 6 has no number of the manual for it; give 0 or "
                                 "take the experiment's", TYPE_NAME[i], count[i]);
        weighted += count[i] * M_FACTOR[source][i];
        total += count[i];
    }
    if (!analytic_positive(total, "the number of instructions", err))
        return false;
    mean = weighted / total;
    if (!analytic_finite(mean, "m_factor", err))
        return false;
    *m_factor = mean;
    return true;
}
