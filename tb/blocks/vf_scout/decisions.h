/* SPDX-License-Identifier: Apache-2.0
 *
 * vf_scout's decisions as records: kernel starts, searches and looks that begin, and what became of them.
 */
#ifndef BALLAST_VF_SCOUT_DECISIONS_H
#define BALLAST_VF_SCOUT_DECISIONS_H

#include <inttypes.h>

#include "blocks/vf_scout/bind.h"
#include "engine/decision.h"

static inline const char *vf_scout_target(const vf_scout_state *s, uint8_t moved)
{
    return !moved ? "normal" : s->mode == BALLAST_VF_PERFORMANCE ? "high" : "low";
}

static inline decision *vf_scout_record(decisions *list, const char *rule, const char *event, const vf_scout_state *before,
                                        const vf_scout_state *after)
{
    decision *d = decision_new(list, "vf_scout", rule, event);

    decision_change_state(d, "sm", vf_scout_target(before, before->sm_moved), vf_scout_target(after, after->sm_moved));
    decision_change_state(d, "memory", vf_scout_target(before, before->mem_moved), vf_scout_target(after, after->mem_moved));
    return d;
}

static inline void vf_scout_record_search(decisions *list, const vf_scout_state *before, const vf_scout_state *after)
{
    const bool watched = before->state == VF_SCOUT_ST_REST && before->step == VF_SCOUT_JUDGE;
    const char *rule = before->state == VF_SCOUT_ST_WAIT ? "VFS-1" : watched ? "VFS-7" : "VFS-6";
    decision *d = vf_scout_record(list, rule, "search", before, after);

    decision_input_state(d, "mode", vf_scout_mode_names[after->mode]);
    decision_words(d, "a search of levels begins, %s", vf_scout_mode_names[after->mode]);
}

static inline void vf_scout_record_look(decisions *list, const vf_scout_state *before, const vf_scout_state *after)
{
    decision *d = vf_scout_record(list, "VFS-2", "look", before, after);

    decision_input_state(d, "domain", vf_scout_domain_names[before->domain]);
    decision_input(d, "base", before->acc);
    decision_input(d, "stage", before->stage);
    decision_words(d, "%" PRIu32 " instructions; %s domain at %s for now", before->acc, vf_scout_domain_names[before->domain],
                   vf_scout_target(after, 1));
}

static inline void vf_scout_record_end(decisions *list, const vf_scout_state *before, const vf_scout_state *after)
{
    const bool kept = before->domain ? after->mem_moved : after->sm_moved, longer = after->stage > before->stage;
    decision *d = vf_scout_record(list, before->mode == BALLAST_VF_PERFORMANCE ? "VFS-3" : "VFS-4", "compared", before, after);

    decision_input_state(d, "domain", vf_scout_domain_names[before->domain]);
    decision_input(d, "worth", before->base);
    decision_input(d, "count", before->acc);
    decision_input(d, "before", before->better);
    decision_input(d, "stage", before->stage);
    decision_words(d, "%s domain: worth %" PRIu32 " beside %" PRIu32 ", %s before; %s", vf_scout_domain_names[before->domain], before->base,
                   before->acc, before->better ? "as good" : "worse", longer ? "once more in long windows" : kept ? "kept" : "undone");
}

static inline void vf_scout_describe(decisions *list, unsigned *count, const vf_scout_cfg *cfg, const vf_scout_state *before,
                                     const vf_scout_in *in, const vf_scout_out *out, const vf_scout_state *after)
{
    (void)count, (void)cfg, (void)out;
    if (in->kernel_start)
        decision_words(vf_scout_record(list, "VFS-1", "kernel_start", before, after), "kernel start: both levels normal");
    else if (before->state == VF_SCOUT_ST_BACK && before->step == VF_SCOUT_JUDGE && in->mode == before->mode)
        vf_scout_record_end(list, before, after);
    else if (after->state == VF_SCOUT_ST_LOOK)
        vf_scout_record_look(list, before, after);
    else if (after->state == VF_SCOUT_ST_BASE)
        vf_scout_record_search(list, before, after);
}

#endif
