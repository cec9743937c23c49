/* SPDX-License-Identifier: Apache-2.0
 *
 * vf_domain's changes of level as records.
 */
#ifndef BALLAST_VF_DOMAIN_DECISIONS_H
#define BALLAST_VF_DOMAIN_DECISIONS_H

#include <inttypes.h>

#include "engine/decision.h"
#include "blocks/vf_domain/bind.h"

static inline const char *vf_domain_level(uint8_t level)
{
    static const char *const words[] = {"low", "normal", "high", "illegal"};

    return words[level & 3];
}

static inline const char *vf_domain_name(const vf_domain_cfg *cfg)
{
    return cfg->domain == VF_DOMAIN_MEM ? "memory" : "SM";
}

/* Without words: alone and on a chip they differ. A transition has begun, or (arrives) is over. */
static inline decision *vf_domain_record(decisions *list, const vf_domain_cfg *cfg, const vf_domain_state *before,
                                         const vf_domain_state *after, bool arrives)
{
    decision *d = decision_new(list, "vf_domain", arrives ? "EQ-14" : "EQ-13", arrives ? "level" : "request");

    decision_input_state(d, "domain", vf_domain_name(cfg));
    if (!arrives)
        decision_input(d, "cycles", after->timer);
    decision_change_state(d, "level", vf_domain_level(before->level), vf_domain_level(after->level));
    decision_change_state(d, "next", vf_domain_level(before->next), vf_domain_level(after->next));
    return d;
}

static inline void vf_domain_describe(decisions *list, unsigned *count, const vf_domain_cfg *cfg,
                                      const vf_domain_state *before, const vf_domain_in *in, const vf_domain_out *out,
                                      const vf_domain_state *after)
{
    decision *d = vf_domain_record(list, cfg, before, after, out->busy);

    (void)count, (void)in;
    if (out->busy)
        decision_words(d, "level %s", vf_domain_level(after->level));
    else
        decision_words(d, "request %s: %s -> %s in %" PRIu32 " cycles", after->next > after->level ? "up" : "down",
                       vf_domain_level(after->level), vf_domain_level(after->next), after->timer);
}

#endif
