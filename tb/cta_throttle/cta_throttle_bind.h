/* SPDX-License-Identifier: Apache-2.0
 *
 * How cta_throttle hangs on the observation bus, and how its decisions read in words.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/popcount.h"
#include "sm/cta_throttle.h"
#include "sm/eq_counters.h"
#include "sm/eq_decision.h"

static inline void cta_throttle_bind(cta_throttle_in *in, const cta_throttle_cfg *cfg,
                                     const sm_obs *const *obs, const void *const *needs)
{
    const sm_obs *sm = obs[0];
    const eq_counters_out *epoch = (const eq_counters_out *)needs[0];
    const eq_decision_out *decision = (const eq_decision_out *)needs[1];

    (void)cfg;
    in->kernel_start = sm->kernel_start;
    in->nmax = sm->kernel.nmax;
    in->tick = epoch->epoch_end;
    in->inc = decision->inc;
    in->dec = decision->dec;
    in->cta_start = sm->cta_start;
    in->cta_done = sm->cta_done;
    in->cta_active = sm->cta_active;
    in->denied = sm->cta_denied;
}

/* A tick that counts, and is not one of the many that change nothing. */
static inline bool cta_throttle_votes(const cta_throttle_state *before, const cta_throttle_in *in)
{
    return in->tick && !in->follow && before->nmax && (in->inc != in->dec || before->run);
}

static inline uint32_t cta_throttle_resumed(const cta_throttle_state *before, const cta_throttle_in *in,
                                            const cta_throttle_state *after)
{
    return before->paused & ~after->paused & in->cta_active & ~in->cta_done & ~in->cta_start;
}

/* More CTAs run than the new numBlocks allows: the next cycle pauses one. */
static inline bool cta_throttle_will_pause(const cta_throttle_in *in, const cta_throttle_state *after)
{
    const uint32_t resident = (in->cta_active & ~in->cta_done) | in->cta_start;

    return in->pause_en && popcount64(resident & ~after->paused) > after->num_blocks;
}

static inline bool cta_throttle_decides(const cta_throttle_state *before, const cta_throttle_in *in,
                                        const cta_throttle_out *out, const cta_throttle_state *after)
{
    (void)out;
    if (!in->enable)
        return false;
    return in->kernel_start || cta_throttle_votes(before, in) || before->request != after->request ||
           (after->paused & ~before->paused) || cta_throttle_resumed(before, in, after);
}

/* A clause of the line; clauses are parted by semicolons. */
static inline void cta_throttle_say(char *text, size_t size, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;

    if (used + 3 >= size)
        return;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

static inline const char *cta_throttle_part(const char *text)
{
    return *text ? "; " : "";
}

static inline void cta_throttle_say_vote(char *text, size_t size, const cta_throttle_state *before,
                                         const cta_throttle_in *in, const cta_throttle_out *out,
                                         const cta_throttle_state *after)
{
    static const char *const ordinals[] = {"", "", "2nd ", "3rd ", "4th ", "5th ", "6th ", "7th "};
    const char *direction = in->inc ? "increase" : "decrease";
    const unsigned row = before->run + 1u;

    if (in->inc == in->dec) {
        cta_throttle_say(text, size, "epoch: stay, ends a run of %u", before->run);
    } else if (!out->acted) {
        cta_throttle_say(text, size, "epoch: %s, %u in a row", direction, after->run);
    } else {
        cta_throttle_say(text, size, "epoch: %s%s%s: ", ordinals[row & 7], direction,
                         row > 1 ? " in a row" : "");
        if (before->request)
            cta_throttle_say(text, size, in->inc ? "a CTA is requested already" : "request withdrawn");
        else if (after->request)
            cta_throttle_say(text, size, "a CTA is requested");
        else if (after->num_blocks == before->num_blocks)
            cta_throttle_say(text, size, "numBlocks stays %u", after->num_blocks);
        else
            cta_throttle_say(text, size, "numBlocks %u -> %u%s", before->num_blocks, after->num_blocks,
                             in->dec && cta_throttle_will_pause(in, after) ? ", pausing the youngest CTA" : "");
    }
}

static inline void cta_throttle_say_request(char *text, size_t size, const cta_throttle_state *before,
                                            const cta_throttle_in *in, const cta_throttle_out *out,
                                            const cta_throttle_state *after)
{
    if (!before->request || after->request || (out->acted && in->dec))
        return;
    if (in->follow)
        cta_throttle_say(text, size, "%srequest withdrawn", cta_throttle_part(text));
    else if (after->num_blocks != before->num_blocks)
        cta_throttle_say(text, size, "%sgranted: numBlocks %u -> %u", cta_throttle_part(text),
                         before->num_blocks, after->num_blocks);
    else
        cta_throttle_say(text, size, "%sdenied", cta_throttle_part(text));
}

static inline void cta_throttle_say_slots(char *text, size_t size, const char *format, uint32_t slots)
{
    for (unsigned slot = 0; slot < 32; slot++) {
        if (slots >> slot & 1) {
            cta_throttle_say(text, size, "%s", cta_throttle_part(text));
            cta_throttle_say(text, size, format, slot);
        }
    }
}

static inline bool cta_throttle_describe(char *text, size_t size, unsigned *count,
                                         const cta_throttle_state *before, const cta_throttle_in *in,
                                         const cta_throttle_out *out, const cta_throttle_state *after)
{
    (void)count;
    *text = '\0';
    if (in->kernel_start) {
        cta_throttle_say(text, size, "kernel start: Nmax %u, numBlocks %u", after->nmax, after->num_blocks);
        return true;
    }
    if (cta_throttle_votes(before, in))
        cta_throttle_say_vote(text, size, before, in, out, after);
    cta_throttle_say_request(text, size, before, in, out, after);
    cta_throttle_say_slots(text, size, "CTA of slot %u paused", after->paused & ~before->paused);
    cta_throttle_say_slots(text, size, "slot %u resumed", cta_throttle_resumed(before, in, after));
    return true;
}
