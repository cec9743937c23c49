/* SPDX-License-Identifier: Apache-2.0
 *
 * What holds of mcke and the accounts of its SMs in every state that a run can reach: for the proofs of mcke, and of the chip around it.
 */
#ifndef BALLAST_MCKE_SOUND_H
#define BALLAST_MCKE_SOUND_H

#include <stdbool.h>

#include "blocks/cke_resources/slots.h"
#include "chip/mcke.h"
#include "common/popcount.h"

static inline bool mcke_slot_is_free(const cke_resources_state *s, const cke_resources_cfg *cfg)
{
    return (~s->held & cke_all(cfg)) != 0;
}

/* What is counted of each kernel is what it holds, without the CTA that has just come and with the one that has just gone. */
static inline bool mcke_sm_counted(const cke_resources_state *s, const cke_resources_cfg *cfg)
{
    uint32_t owned = 0;
    unsigned moves = 0;
    bool counted = true;

    for (unsigned k = 0; k < cfg->num_kernels; k++) {
        const uint32_t own = cke_slots_of(s, cfg, s->held, k);
        const unsigned moved = s->move >> k & 1, held = (unsigned)ballast_popcount64(own);

        counted &= s->taken ? s->ctas[k] + moved == held : s->ctas[k] == held + moved;
        moves += moved;
        owned |= own;
    }
    return counted && owned == s->held && moves <= 1 && (!s->taken || moves == 1);
}

/* Nothing is ready before the last launch is counted, nor without a free slot. */
static inline bool mcke_sm_ready(const cke_resources_state *s, const cke_resources_cfg *cfg)
{
    return s->ready == 0 || (!s->taken && mcke_slot_is_free(s, cfg) && s->ready >> cfg->num_kernels == 0);
}

static inline bool mcke_launches_kernel(const mcke_state *s, unsigned k)
{
    return s->start_valid && s->start_kernel == k;
}

/* Kernel k has something that is counted. */
static inline bool mcke_counts(const mcke_state *s, const mcke_cfg *cfg, unsigned k)
{
    bool some = false;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        some |= s->sm[i].ctas[k] != 0;
    return some;
}

/* The launch of the cycle is the one CTA that is not counted. */
static inline bool mcke_launch_sound(const mcke_state *s, const mcke_cfg *cfg)
{
    unsigned taken = 0;
    bool right = true;

    for (unsigned i = 0; i < cfg->num_sms; i++) {
        taken += s->sm[i].taken;
        right &= !s->sm[i].taken || (s->start_valid && s->sm[i].move == 1u << s->start_kernel);
    }
    return right && taken == s->start_valid && (!s->start_valid || s->start_kernel < cfg->sm.num_kernels);
}

/* What is kept of an SM is of the kernel that was chosen, and has a slot. */
static inline bool mcke_row_sound(const mcke_state *s, const mcke_cfg *cfg)
{
    bool right = s->kernel < cfg->sm.num_kernels;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        right &= s->who[i] == (s->row[i] ? s->kernel : 0) &&
                 (!s->row[i] || s->sm[i].taken || mcke_slot_is_free(&s->sm[i], &cfg->sm));
    return right;
}

/* Behind the last CTA of a kernel, what was found before is gone when the kernel may start anew. */
static inline bool mcke_left_sound(const mcke_state *s, const mcke_cfg *cfg)
{
    bool right = true;

    for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
        for (unsigned i = 0; i < cfg->num_sms; i++) {
            const bool ready = s->sm[i].ready >> k & 1, row = s->row[i] && s->kernel == k;

            right &= s->left[k] != 0 || ((!ready || mcke_launches_kernel(s, k)) &&
                                         (!row || mcke_launches_kernel(s, k) || mcke_counts(s, cfg, k)));
        }
    return right;
}

static inline bool mcke_sms_sound(const mcke_state *s, const mcke_cfg *cfg)
{
    bool sound = true;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        sound &= mcke_sm_counted(&s->sm[i], &cfg->sm) && mcke_sm_ready(&s->sm[i], &cfg->sm);
    return sound;
}

#endif
