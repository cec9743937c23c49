/* SPDX-License-Identifier: Apache-2.0
 *
 * Which SMs wait for the next CTA, in every state that a run can reach: for the proofs of gwde, and of the chip around it.
 */
#ifndef BALLAST_GWDE_NEXT_H
#define BALLAST_GWDE_NEXT_H

#include <stdbool.h>

#include "blocks/sm_resources/sound.h"
#include "chip/gwde.h"

#define GWDE_SECOND_NEXT(s) ((s)->bcs.on && (s)->bcs.odd && !(s)->bcs.split)

/* Where a second CTA is next, its first one is launched in this cycle, one is left, and the SM of the launch, and no other, awaits it. */
static inline bool gwde_second_has_place(const gwde_state *s, const gwde_cfg *cfg)
{
    const bool next = GWDE_SECOND_NEXT(s);
    bool has = !next || (s->left != 0 && s->start_valid && s->start_slot % 2 == 0 && s->still);

    for (unsigned i = 0; i < cfg->num_sms; i++)
        has &= s->sm[i].second ? next && s->start_sm == i && s->start_slot == s->sm[i].slot : !next || s->start_sm != i;
    return has && (!next || s->start_sm < cfg->num_sms);
}

/* What sm_resources' own rules say of the account of each SM. */
static inline bool gwde_sms_sound(const gwde_state *s, const gwde_cfg *cfg)
{
    bool sound = true;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        sound &= sm_resources_sound(&s->sm[i], &cfg->sm);
    return sound;
}

/* What the next CTA is. */
static inline bcs_out gwde_next(const gwde_state *s, const gwde_cfg *cfg)
{
    const bcs_in in = {.last = s->left == 1};
    bcs_out next;

    bcs_look(&s->bcs, &cfg->bcs, &in, &next);
    return next;
}

/* An SM is ready only for what the next CTA is, and where one is left. */
static inline bool gwde_ready_for_it(const gwde_state *s, const gwde_cfg *cfg)
{
    const bcs_out next = gwde_next(s, cfg);
    bool right = true;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        right &= !s->sm[i].ready || (s->left != 0 && !s->still && !next.second && (!s->sm[i].whole || next.first) &&
                                     (s->sm[i].whole || !next.first || cfg->odd_limit == GWDE_ALLOW_SINGLE));
    return right;
}

#endif
