/* SPDX-License-Identifier: Apache-2.0
 *
 * The figures of Hong, PhD thesis 2012, Tables 8, 9 and 11, and which of them can be.
 */
#include "analytic/ipp_params.h"

#include <stdio.h>
#include <string.h>

#include "analytic/members_private.h"

static const ipp_params gtx280 = {
    .name = "gtx280",
    .num_sms = 30, /* Table 10 */
    /* Table 8: MaxPower, (exists, per SM), OnChip, Spec.Linear */
    .unit = {
        [IPP_INT] = {0.25, true, true, true, true},
        [IPP_FP] = {0.2, true, true, true, true},
        [IPP_SFU] = {0.5, true, true, true, false},
        [IPP_ALU] = {0.2, true, true, true, false},
        [IPP_TEXTURE] = {0.9, true, true, true, true},
        [IPP_CONST] = {0.4, true, true, true, true},
        [IPP_SHARED] = {1, true, true, true, false},
        [IPP_REG] = {0.3, true, true, true, true},
        [IPP_FDS] = {0.5, true, true, true, true},
        [IPP_L1] = {0, false, true, true, false},
        [IPP_L2] = {0, false, false, true, false},
        [IPP_GLOBAL] = {52, true, false, false, true},
        [IPP_LOCAL] = {52, true, false, false, true},
    },
    .const_sm = 0.813,
    .activation = 0,
    .idle_power = 83,         /* section 3.4.1 */
    .system_idle_power = 159, /* section 3.4.1 */
    .issue_interval = 4,      /* Eq. 40 */
    .beta = 1.1,              /* Eq. 47 */
    .log_cores = true,
    .spec_slope = 0.1365, /* section 3.2.4 */
    .spec_offset = 1.001375,
    /* Table 9; sigma: section 3.2.7; the cold chip: section 3.5.2 */
    .thermal = {true, 0.120, 5.5, 21.505, 35, 60, 10.0 / 22, 57},
};

static const ipp_params gtx580 = {
    .name = "gtx580",
    .num_sms = 16, /* Table 10 */
    /* Table 11 has no ALU and no local memory (as gtx280: the former's value, the latter's DRAM),
     * and Fig. 58's access-rate functions are lost: Spec.Linear as Table 8, L1 and L2 as its caches. */
    .unit = {
        [IPP_INT] = {1.1, true, true, true, true},
        [IPP_FP] = {1.1, true, true, true, true},
        [IPP_SFU] = {0.6, true, true, true, false},
        [IPP_ALU] = {0.2, true, true, true, false},
        [IPP_TEXTURE] = {0.9, true, true, true, true},
        [IPP_CONST] = {1.0, true, true, true, true},
        [IPP_SHARED] = {1.4, true, true, true, false},
        [IPP_REG] = {0.8, true, true, true, true},
        [IPP_FDS] = {0.6, true, true, true, true},
        [IPP_L1] = {1.6, true, true, true, true},
        [IPP_L2] = {12, true, false, true, true},
        [IPP_GLOBAL] = {28, true, false, false, true},
        [IPP_LOCAL] = {28, true, false, false, true},
    },
    .const_sm = 0, /* "Activation: Part of SM_Const" on GTX280 */
    .activation = 64,
    .idle_power = 27, /* section 3.8.1 */
    .system_idle_power = 0,
    .issue_interval = 1, /* 32 threads per warp on 32 SPs, as 4 is 32 on 8 */
    .beta = 1.1,
    .log_cores = false, /* Fig. 73 */
    .spec_slope = 0.1365,
    .spec_offset = 1.001375,
    .thermal = {.known = false},
};

static const ipp_params *const builtins[] = {&gtx280, &gtx580};

static const char *const component_names[IPP_COMPONENTS] = {
    [IPP_INT] = "int",         [IPP_FP] = "fp",         [IPP_SFU] = "sfu",       [IPP_ALU] = "alu",
    [IPP_TEXTURE] = "texture", [IPP_CONST] = "const",   [IPP_SHARED] = "shared", [IPP_REG] = "reg",
    [IPP_FDS] = "fds",         [IPP_L1] = "l1",         [IPP_L2] = "l2",         [IPP_GLOBAL] = "global",
    [IPP_LOCAL] = "local",
};

const ipp_params *ipp_params_find(const char *name)
{
    for (unsigned i = 0; i < sizeof builtins / sizeof builtins[0]; i++)
        if (strcmp(builtins[i]->name, name) == 0)
            return builtins[i];
    return NULL;
}

const char *ipp_component_name(unsigned component)
{
    return component < IPP_COMPONENTS ? component_names[component] : NULL;
}

static bool check_units(const ipp_params *params, analytic_err *err)
{
    for (unsigned i = 0; i < IPP_COMPONENTS; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s.max_power", component_names[i]);
        if (!analytic_not_negative(params->unit[i].max_power, name, err))
            return false;
    }
    return true;
}

static bool check_thermal(const ipp_thermal *t, analytic_err *err)
{
    return !t->known ||
           (analytic_not_negative(t->mu, "thermal.mu", err) &&
            analytic_not_negative(t->lambda, "thermal.lambda", err) &&
            analytic_not_negative(t->rho, "thermal.rho", err) &&
            analytic_positive(t->rc_rise, "thermal.rc_rise", err) &&
            analytic_positive(t->rc_decay, "thermal.rc_decay", err) &&
            analytic_not_negative(t->sigma, "thermal.sigma", err) &&
            analytic_within(t->idle_temp, IPP_COLDEST, IPP_HOTTEST, "thermal.idle_temp", err));
}

bool ipp_params_check(const ipp_params *params, analytic_err *err)
{
    if (params->name == NULL)
        return analytic_fail(err, "name is missing; give a text");
    /* beta below 1 makes the power of few SMs negative, above 10 falls with more SMs */
    return WITHIN(params, num_sms, 1, IPP_SMS_MAX) && check_units(params, err) &&
           NOT_NEGATIVE(params, const_sm) && NOT_NEGATIVE(params, activation) &&
           NOT_NEGATIVE(params, idle_power) && NOT_NEGATIVE(params, system_idle_power) &&
           POSITIVE(params, issue_interval) && WITHIN(params, beta, 1, 10) &&
           NOT_NEGATIVE(params, spec_slope) && WITHIN(params, spec_offset, -100, 100) &&
           check_thermal(&params->thermal, err);
}
