/* SPDX-License-Identifier: Apache-2.0
 *
 * What ballast_regs' rules remember of a run, from its inputs alone (rules/rules.h): the last value that each setting took, what has
 * happened since a counter or a sticky bit was cleared, and what the cycle before looked like. Addresses, ranges and bits are those
 * of the page, written down once more.
 */
#ifndef BALLAST_BALLAST_REGS_HISTORY_H
#define BALLAST_BALLAST_REGS_HISTORY_H

/* Words that software can write, in the order of their addresses. */
enum {
    REGS_POLICY, REGS_STATIC_LIMIT, REGS_T_IDLE, REGS_T_MEM_L, REGS_T_MEM_H, REGS_MODE, REGS_BCS,
    REGS_PENDING, REGS_ENABLE,
    REGS_SM_CHANGES, REGS_MEM_CHANGES, REGS_LIMIT_CHANGES, REGS_LAUNCHES, REGS_DENIALS, REGS_KERNELS,
    REGS_WORDS
};

typedef struct ballast_regs_history {
    uint32_t word[REGS_WORDS];           /* what a read of each gives                          */
    uint32_t held[BALLAST_REGS_MAX_SMS]; /* slots that hold a CTA that has not finished        */
    uint8_t limit[BALLAST_REGS_MAX_SMS]; /* of the cycle before,                               */
    uint8_t selected, enabled;           /* and its bus,                                       */
    uint8_t sm_busy, mem_busy;           /* and its status                                     */
    uint8_t started, idle;
    uint8_t pad[2];
} ballast_regs_history;

static inline void ballast_regs_history_reset(ballast_regs_history *h, const ballast_regs_cfg *cfg)
{
    *h = (ballast_regs_history){.idle = 1};
    h->word[REGS_T_IDLE] = cfg->dyn_period < 16 ? cfg->dyn_period : 16;
    h->word[REGS_T_MEM_L] = cfg->dyn_period < 128 ? cfg->dyn_period : 128;
    h->word[REGS_T_MEM_H] = cfg->dyn_period < 384 ? cfg->dyn_period : 384;
    h->word[REGS_MODE] = 1;
}

/* ---- this cycle ------------------------------------------------------------------------ */

static inline bool ballast_regs_accessed(const ballast_regs_in *in)
{
    return in->psel == 1 && in->penable == 1;
}

/* Where word `n` is. */
static inline unsigned ballast_regs_at(unsigned n)
{
    return n <= REGS_BCS ? 0x40 + 4 * n : n <= REGS_ENABLE ? 0xc0 + 4 * (n - REGS_PENDING) : 0x100 + 4 * (n - REGS_SM_CHANGES);
}

static inline uint32_t ballast_regs_lowest(const ballast_regs_history *h, unsigned n)
{
    return n == REGS_T_MEM_H ? h->word[REGS_T_MEM_L] : 0;
}

static inline uint32_t ballast_regs_highest(const ballast_regs_history *h, const ballast_regs_cfg *cfg, unsigned n)
{
    switch (n) {
    case REGS_POLICY: return 4;
    case REGS_STATIC_LIMIT: return cfg->num_slots;
    case REGS_T_IDLE:
    case REGS_T_MEM_H: return cfg->dyn_period;
    case REGS_T_MEM_L: return h->word[REGS_T_MEM_H];
    case REGS_MODE:
    case REGS_BCS: return 1;
    case REGS_PENDING:
    case REGS_ENABLE: return 63;
    default: return 0;
    }
}

static inline bool ballast_regs_is_constant(const ballast_regs_in *in)
{
    return in->paddr < 0x14 && in->paddr % 4 == 0;
}

static inline bool ballast_regs_is_status(const ballast_regs_in *in)
{
    return in->paddr == 0x80 || in->paddr == 0x84;
}

static inline bool ballast_regs_is_done(const ballast_regs_cfg *cfg, const ballast_regs_in *in)
{
    return in->paddr % 4 == 0 && in->paddr >= 0x200 && in->paddr < 0x200 + (cfg->num_sms + 31) / 32 * 4;
}

static inline bool ballast_regs_is_limit(const ballast_regs_cfg *cfg, const ballast_regs_in *in)
{
    return in->paddr % 4 == 0 && in->paddr >= 0x400 && in->paddr < 0x400 + cfg->num_sms * 4;
}

/* What a read of this address gives. */
static inline uint32_t ballast_regs_word(const ballast_regs_history *h, const ballast_regs_cfg *cfg, const ballast_regs_in *in)
{
    const uint32_t constants[] = {0x424c5354, 0x10000, cfg->num_sms, cfg->num_slots, cfg->dyn_period};
    const uint32_t domains = in->sm_level + 4u * in->mem_level + 16u * in->sm_busy + 32u * in->mem_busy + 64u * in->sm_stall +
                             128u * in->mem_stall;
    const uint32_t kernel = in->idle + 2u * in->exhausted + 4u * in->too_big;
    uint32_t word = 0;

    for (unsigned n = 0; n < 5; n++)
        word |= in->paddr == 4 * n ? constants[n] : 0;
    for (unsigned n = 0; n < REGS_WORDS; n++)
        word |= in->paddr == ballast_regs_at(n) ? h->word[n] : 0;
    word |= in->paddr == 0x80 ? domains : in->paddr == 0x84 ? kernel : 0;
    for (unsigned i = 0; i < cfg->num_sms; i++)
        word |= (in->paddr == 0x400 + 4 * i ? in->sm[i].limit : 0) |
                (in->paddr == 0x200 + i / 32 * 4 ? (uint32_t)in->sm[i].done << i % 32 : 0);
    return word;
}

/* REG-2: a word that may be written, with a value that it may have. */
static inline bool ballast_regs_may_write(const ballast_regs_history *h, const ballast_regs_cfg *cfg, const ballast_regs_in *in)
{
    bool may = false;

    for (unsigned n = 0; n < REGS_WORDS; n++)
        may |= in->paddr == ballast_regs_at(n) && in->pwdata <= ballast_regs_highest(h, cfg, n) &&
               in->pwdata >= ballast_regs_lowest(h, n);
    return may && in->pstrb == 15;
}

static inline bool ballast_regs_may_read(const ballast_regs_cfg *cfg, const ballast_regs_in *in)
{
    bool may = ballast_regs_is_constant(in) || ballast_regs_is_status(in) || ballast_regs_is_done(cfg, in) || ballast_regs_is_limit(cfg, in);

    for (unsigned n = 0; n < REGS_WORDS; n++)
        may |= in->paddr == ballast_regs_at(n);
    return may;
}

/* REG-1, REG-2. */
static inline bool ballast_regs_may(const ballast_regs_history *h, const ballast_regs_cfg *cfg, const ballast_regs_in *in)
{
    return h->selected && !h->enabled && (in->pwrite ? ballast_regs_may_write(h, cfg, in) : ballast_regs_may_read(cfg, in));
}

static inline bool ballast_regs_written(const ballast_regs_history *h, const ballast_regs_cfg *cfg, const ballast_regs_in *in)
{
    return ballast_regs_accessed(in) && in->pwrite && ballast_regs_may(h, cfg, in);
}

/* ---- what is remembered ------------------------------------------------------------------ */

/* REG-5. */
static inline uint32_t ballast_regs_events(const ballast_regs_history *h, const ballast_regs_cfg *cfg, const ballast_regs_in *in, unsigned n)
{
    uint32_t changes = 0, denials = 0;

    for (unsigned i = 0; i < cfg->num_sms; i++) {
        changes += in->sm[i].limit != h->limit[i];
        denials += in->sm[i].denied;
    }
    switch (n) {
    case REGS_SM_CHANGES: return in->sm_busy > h->sm_busy;
    case REGS_MEM_CHANGES: return in->mem_busy > h->mem_busy;
    case REGS_LIMIT_CHANGES: return changes;
    case REGS_LAUNCHES: return in->start_valid;
    case REGS_DENIALS: return denials;
    default: return in->start & in->idle;
    }
}

static inline void ballast_regs_remember_counters(ballast_regs_history *h, const ballast_regs_cfg *cfg, const ballast_regs_in *in)
{
    const bool written = ballast_regs_written(h, cfg, in);

    for (unsigned n = REGS_SM_CHANGES; n <= REGS_KERNELS; n++) {
        const uint64_t so_far = written && in->paddr == ballast_regs_at(n) ? 0 : h->word[n];
        const uint64_t now = so_far + ballast_regs_events(h, cfg, in, n);

        h->word[n] = now > 0xffffffff ? 0xffffffff : (uint32_t)now;
    }
}

/* REG-6. */
static inline uint32_t ballast_regs_causes(const ballast_regs_history *h, const ballast_regs_cfg *cfg, const ballast_regs_in *in)
{
    bool in_use = false, no_cta = false, above = false;

    for (unsigned i = 0; i < cfg->num_sms; i++) {
        const ballast_regs_sm_in *sm = &in->sm[i];

        in_use |= (sm->cta_start & h->held[i] & ~sm->cta_done) != 0;
        no_cta |= (sm->cta_done & ~sm->cta_active) != 0;
        above |= sm->limit > cfg->num_slots;
    }
    return (ballast_regs_accessed(in) && !ballast_regs_may(h, cfg, in)) | (h->started && in->too_big) << 1 | in_use << 2 | no_cta << 3 |
           above << 4 | (uint32_t)(!h->idle && in->idle) << 5;
}

static inline void ballast_regs_remember_written(ballast_regs_history *h, const ballast_regs_cfg *cfg, const ballast_regs_in *in)
{
    const uint32_t causes = ballast_regs_causes(h, cfg, in);
    const bool written = ballast_regs_written(h, cfg, in);
    const uint32_t cleared = written && in->paddr == 0xc0 ? in->pwdata : 0;

    ballast_regs_remember_counters(h, cfg, in);
    for (unsigned n = 0; n <= REGS_ENABLE; n++)
        if (n != REGS_PENDING && written && in->paddr == ballast_regs_at(n))
            h->word[n] = in->pwdata;
    h->word[REGS_PENDING] = (h->word[REGS_PENDING] & ~cleared) | causes;
}

/* A CTA stays until it finishes; where one finishes, the next one may have come in its place. */
static inline void ballast_regs_remember_slots(ballast_regs_history *h, const ballast_regs_cfg *cfg, const ballast_regs_in *in)
{
    for (unsigned i = 0; i < cfg->num_sms; i++) {
        const uint32_t stays = in->sm[i].cta_active & ~in->sm[i].cta_done;
        const uint32_t changes = in->sm[i].cta_active & in->sm[i].cta_done & in->sm[i].cta_start & h->held[i];

        h->held[i] = cfg->watch_slots ? stays | changes : 0;
        h->limit[i] = in->sm[i].limit;
    }
}

static inline void ballast_regs_remember(ballast_regs_history *h, const ballast_regs_cfg *cfg, const ballast_regs_in *in,
                                         const ballast_regs_out *out)
{
    (void)out;
    ballast_regs_remember_written(h, cfg, in);
    ballast_regs_remember_slots(h, cfg, in);
    h->selected = in->psel;
    h->enabled = in->penable;
    h->sm_busy = in->sm_busy;
    h->mem_busy = in->mem_busy;
    h->started = in->start & in->idle;
    h->idle = in->idle;
}

static inline bool ballast_regs_coupled(const ballast_regs_history *h, const ballast_regs_state *s, const ballast_regs_cfg *cfg)
{
    const uint32_t words[REGS_WORDS] = {s->policy, s->static_limit, s->t_idle, s->t_mem_l, s->t_mem_h, s->mode, s->bcs, s->pending,
                                        s->enable, s->sm_changes, s->mem_changes, s->limit_changes, s->launches, s->denials, s->kernels};
    bool same = s->setup == (h->selected && !h->enabled) && s->sm_busy == h->sm_busy && s->mem_busy == h->mem_busy &&
                s->started == h->started && s->running == !h->idle && h->idle <= 1 && h->selected <= 1 && h->enabled <= 1;

    for (unsigned n = 0; n < REGS_WORDS; n++)
        same &= words[n] == h->word[n];
    for (unsigned i = 0; i < cfg->num_sms; i++)
        same &= s->last_limit[i] == h->limit[i] && s->held[i] == h->held[i];
    return same && h->pad[0] == 0 && h->pad[1] == 0;
}

/* ---- what follows from it ---------------------------------------------------------------- */

static inline bool ballast_regs_within(const ballast_regs_out *out, const ballast_regs_cfg *cfg)
{
    return out->policy < 5 && out->static_limit <= cfg->num_slots && out->t_idle <= cfg->dyn_period && out->t_mem_l <= out->t_mem_h &&
           out->t_mem_h <= cfg->dyn_period;
}

#define REGS_SETTING(output, n) out->output == was->word[n]

#define BLOCK_HISTORY_RULES(H)                                                                                           \
    H(RUN, "REG-2", "an access is refused without a SETUP phase, where nothing is, and a write out of range",            \
      out->pslverr == (ballast_regs_accessed(in) && !ballast_regs_may(was, cfg, in)))                                    \
    H(RUN, "REG-4", "a read gives the word that is there, and nothing else gives one",                                   \
      out->prdata == (ballast_regs_accessed(in) && !in->pwrite && ballast_regs_may(was, cfg, in)                         \
                          ? ballast_regs_word(was, cfg, in) : 0))                                                        \
    H(RUN, "REG-3", "POLICY is what was written last", REGS_SETTING(policy, REGS_POLICY))                                \
    H(RUN, "REG-3", "STATIC_LIMIT is what was written last", REGS_SETTING(static_limit, REGS_STATIC_LIMIT))              \
    H(RUN, "REG-3", "T_IDLE is what was written last", REGS_SETTING(t_idle, REGS_T_IDLE))                                \
    H(RUN, "REG-3", "T_MEM_L is what was written last", REGS_SETTING(t_mem_l, REGS_T_MEM_L))                             \
    H(RUN, "REG-3", "T_MEM_H is what was written last", REGS_SETTING(t_mem_h, REGS_T_MEM_H))                             \
    H(RUN, "REG-3", "MODE is what was written last", REGS_SETTING(mode, REGS_MODE))                                      \
    H(RUN, "REG-3", "BCS is what was written last", REGS_SETTING(bcs, REGS_BCS))                                         \
    H(RUN, "REG-3", "no setting leaves its range, and the thresholds stay in order", ballast_regs_within(out, cfg))      \
    H(RUN, "REG-7", "the interrupt: something that is enabled has happened and was not cleared",                         \
      out->irq == ((was->word[REGS_PENDING] & was->word[REGS_ENABLE]) != 0))                                             \
    H(RUN, "REG-1", "there are no wait states", out->pready == 1)

#endif
