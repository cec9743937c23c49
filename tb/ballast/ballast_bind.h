/* SPDX-License-Identifier: Apache-2.0
 *
 * How the chip hangs on the observation buses of its SMs, and how the chip's own decisions read
 * in words. What a governor decides is in its own log; here its limit is counted.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "chip/ballast.h"
#include "sm_governor/sm_governor_bind.h"
#include "vf_domain/vf_domain_bind.h"
#include "vf_vote/vf_vote_bind.h"

static inline void ballast_bind(ballast_in *in, const ballast_cfg *cfg, const sm_obs *const *obs,
                                const void *const *needs)
{
    (void)needs;
    for (unsigned i = 0; i < cfg->num_sms; i++)
        sm_governor_observe(&in->sm[i], &cfg->sm, obs[i]);
}

static inline unsigned ballast_limit_of(const sm_governor_state *sm)
{
    switch (sm->policy) {
    case POLICY_PERFSAT: return sm->perfsat.limit;
    case POLICY_LCS: return sm->lcs.limit;
    case POLICY_EQUALIZER: return sm->throttle.num_blocks + sm->throttle.request;
    case POLICY_DYNCTA: return sm->dyncta.limit;
    default: return sm->fixed;
    }
}

/* "SM 0: limit 6 -> 5; SM 7: ..." of those that have changed. */
static inline void ballast_say_limits(char *text, size_t size, unsigned num_sms, const ballast_state *before,
                                      const ballast_state *after)
{
    enum { NAMED = 4 };
    unsigned changed = 0;

    for (unsigned i = 0; i < num_sms; i++) {
        const unsigned was = ballast_limit_of(&before->sm[i]), is = ballast_limit_of(&after->sm[i]);

        if (was == is)
            continue;
        if (changed++ < NAMED)
            cta_throttle_say(text, size, "%sSM %u: limit %u -> %u", cta_throttle_part(text), i, was, is);
    }
    if (changed > NAMED)
        cta_throttle_say(text, size, "; %u more SMs", changed - NAMED);
}

static inline bool ballast_limits_differ(unsigned num_sms, const ballast_state *before, const ballast_state *after)
{
    for (unsigned i = 0; i < num_sms; i++)
        if (ballast_limit_of(&before->sm[i]) != ballast_limit_of(&after->sm[i]))
            return true;
    return false;
}

static inline bool ballast_decides(const ballast_cfg *cfg, const ballast_state *before, const ballast_in *in,
                                   const ballast_out *out, const ballast_state *after)
{
    (void)out, (void)in;
    return before->vote.valid || before->sm_domain.timer == 1 || before->mem_domain.timer == 1 ||
           ballast_limits_differ(cfg->num_sms, before, after);
}

static inline void ballast_say_domain(char *text, size_t size, const char *name, const vf_domain_state *before,
                                      const vf_domain_state *after)
{
    static const char *const words[] = {"low", "normal", "high", "illegal"};

    if (before->level != after->level)
        cta_throttle_say(text, size, "%s%s domain is at %s", cta_throttle_part(text), name, words[after->level & 3]);
    else if (before->timer == 0 && after->timer != 0)
        cta_throttle_say(text, size, "%s%s domain %s -> %s in %u cycles", cta_throttle_part(text), name,
                         words[after->level & 3], words[after->next & 3], after->timer);
}

static inline bool ballast_describe(char *text, size_t size, unsigned *count, const ballast_cfg *cfg,
                                    const ballast_state *before, const ballast_in *in, const ballast_out *out,
                                    const ballast_state *after)
{
    (void)out, (void)in;
    *text = '\0';
    if (before->vote.valid)
        snprintf(text, size, "epoch %u: %u CompAction, %u MemAction of %u SMs", ++*count, before->vote.comp_count,
                 before->vote.mem_count, cfg->num_sms);
    ballast_say_domain(text, size, "SM", &before->sm_domain, &after->sm_domain);
    ballast_say_domain(text, size, "memory", &before->mem_domain, &after->mem_domain);
    ballast_say_limits(text, size, cfg->num_sms, before, after);
    return *text != '\0';
}
