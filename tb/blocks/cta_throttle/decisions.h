/* SPDX-License-Identifier: Apache-2.0
 *
 * cta_throttle's decisions as records. Rows are the lines of section 3 of doc/blocks/cta_throttle.md.
 *
 * Following another policy's limit, the block moves none: its records then have none before and after.
 */
#ifndef BALLAST_CTA_THROTTLE_DECISIONS_H
#define BALLAST_CTA_THROTTLE_DECISIONS_H

#include "blocks/cta_throttle/bind.h"
#include "engine/decision.h"

static inline unsigned cta_throttle_limit(const cta_throttle_state *s)
{
    return s->num_blocks + s->request;
}

static inline void cta_throttle_record_blocks(decision *d, const cta_throttle_in *in, const cta_throttle_state *before,
                                              const cta_throttle_state *after)
{
    if (!in->follow)
        decision_change(d, "limit", cta_throttle_limit(before), cta_throttle_limit(after));
    decision_change(d, "num_blocks", before->num_blocks, after->num_blocks);
    decision_change(d, "request", before->request, after->request);
}

static inline void cta_throttle_record_start(decisions *list, const cta_throttle_state *before, const cta_throttle_in *in,
                                             const cta_throttle_state *after)
{
    decision *d = decision_new(list, "cta_throttle", "EQ-A11", "kernel_start");

    decision_input(d, "nmax", in->nmax);
    cta_throttle_record_blocks(d, in, before, after);
    decision_words(d, "kernel start: Nmax %u, numBlocks %u", after->nmax, after->num_blocks);
}

/* ---- an epoch -------------------------------------------------------------------- */

/* What the action does: its line of the table, in words. The increase that waits has a record of its own. */
static inline void cta_throttle_record_action(decision *d, const cta_throttle_state *before, const cta_throttle_in *in,
                                              const cta_throttle_state *after)
{
    if (before->request) {
        if (in->dec)
            decision_input_state(d, "row", "a");
        decision_words(d, in->inc ? "a CTA is requested already" : "request withdrawn");
    } else if (after->request) {
        decision_input_state(d, "row", "f");
        decision_words(d, "a CTA is requested");
    } else if (after->num_blocks == before->num_blocks) {
        decision_words(d, "numBlocks stays %u", after->num_blocks);
    } else {
        decision_input_state(d, "row", in->dec ? "d" : "e");
        decision_words(d, "numBlocks %u -> %u%s", before->num_blocks, after->num_blocks,
                       in->dec && cta_throttle_will_pause(in, after) ? ", pausing the youngest CTA" : "");
    }
}

static inline void cta_throttle_say_epoch(decision *d, const cta_throttle_state *before, const cta_throttle_in *in,
                                          const cta_throttle_out *out, const cta_throttle_state *after)
{
    static const char *const ordinals[] = {"", "", "2nd ", "3rd ", "4th ", "5th ", "6th ", "7th "};
    const char *direction = in->inc ? "increase" : "decrease";
    const unsigned row = before->run + 1u;

    if (in->inc == in->dec)
        decision_words(d, "epoch: stay, ends a run of %u", before->run);
    else if (!out->acted)
        decision_words(d, "epoch: %s, %u in a row", direction, after->run);
    else
        decision_words(d, "epoch: %s%s%s: ", ordinals[row & 7], direction, row > 1 ? " in a row" : "");
}

static inline void cta_throttle_record_epoch(decisions *list, const cta_throttle_state *before, const cta_throttle_in *in,
                                             const cta_throttle_out *out, const cta_throttle_state *after)
{
    const bool moves = out->acted && !(in->inc && before->request);
    decision *d = decision_new(list, "cta_throttle", out->acted ? "EQ-11" : "EQ-10", "epoch");

    decision_input_state(d, "decision", in->inc == in->dec ? "stay" : in->inc ? "increase" : "decrease");
    decision_input(d, "acted", out->acted);
    cta_throttle_say_epoch(d, before, in, out, after);
    if (out->acted)
        cta_throttle_record_action(d, before, in, after);
    decision_change(d, "run", before->run, after->run);
    cta_throttle_record_blocks(d, in, before, moves ? after : before);
}

/* ---- the increase that waits --------------------------------------------------------- */

static inline decision *cta_throttle_request(decisions *list, const char *event, const char *row)
{
    decision *d = decision_new(list, "cta_throttle", "EQ-A12", event);

    if (row)
        decision_input_state(d, "row", row);
    return d;
}

static inline void cta_throttle_record_request(decisions *list, const cta_throttle_state *before,
                                               const cta_throttle_in *in, const cta_throttle_out *out,
                                               const cta_throttle_state *after)
{
    decision *d;

    if (!before->request || after->request || (out->acted && in->dec))
        return;
    if (in->follow) {
        d = cta_throttle_request(list, "withdrawn", NULL);
        decision_words(d, "request withdrawn");
    } else if (after->num_blocks != before->num_blocks) {
        d = cta_throttle_request(list, "granted", "b");
        decision_words(d, "granted: numBlocks %u -> %u", before->num_blocks, after->num_blocks);
    } else {
        d = cta_throttle_request(list, "denied", "c");
        decision_words(d, "denied");
    }
    cta_throttle_record_blocks(d, in, before, after);
}

/* ---- pausing --------------------------------------------------------------------- */

static inline void cta_throttle_record_slots(decisions *list, const char *rule, const char *event, const char *format[2],
                                             uint32_t slots, const cta_throttle_state *before,
                                             const cta_throttle_out *out, const cta_throttle_state *after)
{
    for (unsigned slot = 0; slot < 32; slot++) {
        decision *d;

        if (!(slots >> slot & 1))
            continue;
        d = decision_new(list, "cta_throttle", rule, event);
        decision_input(d, "slot", slot);
        decision_input(d, "limit", out->limit);
        decision_change(d, "paused", before->paused, after->paused);
        decision_words(d, "%s%u%s", format[0], slot, format[1]);
    }
}

static inline void cta_throttle_describe(decisions *list, unsigned *count, const cta_throttle_cfg *cfg,
                                         const cta_throttle_state *before, const cta_throttle_in *in,
                                         const cta_throttle_out *out, const cta_throttle_state *after)
{
    static const char *pausing[2] = {"CTA of slot ", " paused"}, *resuming[2] = {"slot ", " resumed"};

    (void)count, (void)cfg;
    if (in->kernel_start) {
        cta_throttle_record_start(list, before, in, after);
        return;
    }
    if (cta_throttle_votes(before, in))
        cta_throttle_record_epoch(list, before, in, out, after);
    cta_throttle_record_request(list, before, in, out, after);
    cta_throttle_record_slots(list, "PAUSE-1", "pause", pausing, after->paused & ~before->paused, before, out, after);
    cta_throttle_record_slots(list, "PAUSE-3", "resume", resuming, cta_throttle_resumed(before, in, after), before, out,
                              after);
}

#endif
