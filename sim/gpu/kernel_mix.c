/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/kernel_mix.h"

#include <stdio.h>
#include <string.h>

void kernel_mix_set_quota(kernel_mix *mix, unsigned kernel, unsigned quota)
{
    memset(mix->quota[kernel], (int)quota, sizeof mix->quota[kernel]);
}

/* Where a kernel's CTAs may be: it comes to no end if that is nowhere. */
static bool has_a_place(const kernel_mix *mix, const machine *m, unsigned kernel)
{
    const unsigned num = mix->num_others + 1;
    bool any = false;

    for (unsigned i = 0; i < m->sms; i++)
        any |= mix->quota[kernel][i] && (mix->mode != MCKE_APART || i % num == kernel);
    return any;
}

bool kernel_mix_check(const kernel_mix *mix, const machine *m, char *err, unsigned size)
{
    if (mix->num_others > MIX_OTHERS) {
        snprintf(err, size, "%u kernels at once; give %d at most", mix->num_others + 1u, (int)PROGRAM_KERNELS);
        return false;
    }
    for (unsigned n = 0; n < mix->num_others; n++)
        if (!workload_check(&mix->others[n], m, err, size))
            return false;
    if (!(~mix->background & ((2u << mix->num_others) - 1))) {
        snprintf(err, size, "all of %u kernels are in the background; the run would be over at once", mix->num_others + 1u);
        return false;
    }
    for (unsigned k = 0; k <= mix->num_others; k++)
        if (!has_a_place(mix, m, k)) {
            snprintf(err, size, "no SM may hold a CTA of kernel %u of %u; give it a quota%s", k + 1, mix->num_others + 1u,
                     mix->mode == MCKE_APART ? ", and every kernel an SM of its own" : "");
            return false;
        }
    return true;
}
