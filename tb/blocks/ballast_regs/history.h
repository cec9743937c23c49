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
    REGS_POLICY, REGS_STATIC_LIMIT, REGS_T_IDLE, REGS_T_MEM_L, REGS_T_MEM_H, REGS_MODE, REGS_BCS, REGS_DISPATCH,
    REGS_QUOTA,
    REGS_GRID = REGS_QUOTA + BALLAST_REGS_MAX_KERNELS, REGS_WIDTH, REGS_TWO_D, REGS_WARPS, REGS_REGS, REGS_SMEM, REGS_NMAX, REGS_START,
    REGS_PENDING, REGS_ENABLE, REGS_KERNEL_ID,
    REGS_SM_CHANGES, REGS_MEM_CHANGES, REGS_LIMIT_CHANGES, REGS_DENIALS, REGS_KERNELS,
    REGS_LAUNCHES,
    REGS_WORDS = REGS_LAUNCHES + BALLAST_REGS_MAX_KERNELS
};

/* SMs whose events are added up together, and how many such groups there can be. */
enum { REGS_GROUP = 16, REGS_GROUPS = BALLAST_REGS_MAX_SMS / REGS_GROUP };

typedef struct ballast_regs_history {
    uint32_t word[REGS_WORDS];           /* what a read of each gives                          */
    uint32_t held[BALLAST_REGS_MAX_SMS]; /* slots that hold a CTA that has not finished        */
    uint32_t cleared;                    /* counters that the cycle before cleared, a bit per word from REGS_SM_CHANGES on */
    uint16_t changes, denials;           /* of all SMs, two cycles ago                         */
    uint8_t changes_of[REGS_GROUPS];     /* of a group, in the cycle before                    */
    uint8_t denials_of[REGS_GROUPS];
    uint8_t limit[BALLAST_REGS_MAX_SMS]; /* of the cycle before,                               */
    uint8_t setup;                       /* which was a SETUP phase,                           */
    uint8_t sm_busy, mem_busy;           /* and its status                                     */
    uint8_t starts, started;             /* START was written in the cycle before, and before that */
    uint8_t running;                     /* kernels that were not idle in the cycle before     */
    uint8_t wcta;                        /* WARPS of the last start                            */
    uint8_t none;                        /* where the struct would have a gap                  */
} ballast_regs_history;

static inline void ballast_regs_history_reset(ballast_regs_history *h, const ballast_regs_cfg *cfg)
{
    *h = (ballast_regs_history){.none = 0};
    h->word[REGS_NMAX] = cfg->num_slots;
    for (unsigned k = 0; k < cfg->num_kernels; k++)
        h->word[REGS_QUOTA + k] = cfg->num_slots;
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
    return n < REGS_GRID         ? 0x40 + 4 * n
           : n < REGS_SM_CHANGES ? 0xa0 + 4 * (n - REGS_GRID)
           : n < REGS_LAUNCHES   ? 0x100 + 4 * (n - REGS_SM_CHANGES)
                                 : 0x120 + 4 * (n - REGS_LAUNCHES);
}

/* Those of kernels that the chip does not have are not there. */
static inline bool ballast_regs_exists(const ballast_regs_cfg *cfg, unsigned n)
{
    return (n < REGS_QUOTA + cfg->num_kernels || n >= REGS_GRID) && n < REGS_LAUNCHES + cfg->num_kernels;
}

static inline bool ballast_regs_hits(const ballast_regs_cfg *cfg, const ballast_regs_in *in, unsigned n)
{
    return ballast_regs_exists(cfg, n) && in->paddr == ballast_regs_at(n);
}

static inline uint32_t ballast_regs_lowest(const ballast_regs_history *h, unsigned n)
{
    return n == REGS_T_MEM_H ? h->word[REGS_T_MEM_L] : n == REGS_NMAX;
}

static inline uint32_t ballast_regs_highest(const ballast_regs_history *h, const ballast_regs_cfg *cfg, unsigned n)
{
    switch (n) {
    case REGS_POLICY: return 5;
    case REGS_STATIC_LIMIT:
    case REGS_NMAX:
    case REGS_QUOTA:
    case REGS_QUOTA + 1:
    case REGS_QUOTA + 2:
    case REGS_QUOTA + 3: return cfg->num_slots;
    case REGS_T_IDLE:
    case REGS_T_MEM_H: return cfg->dyn_period;
    case REGS_T_MEM_L: return h->word[REGS_T_MEM_H];
    case REGS_MODE:
    case REGS_TWO_D:
    case REGS_BCS: return 1;
    case REGS_DISPATCH: return 3;
    case REGS_GRID:
    case REGS_WIDTH: return 0xffffffff;
    case REGS_WARPS: return cfg->num_warps + 1;
    case REGS_REGS: return cfg->reg_units + 1;
    case REGS_SMEM: return cfg->smem_units + 1;
    case REGS_START: return cfg->num_kernels - 1;
    case REGS_PENDING:
    case REGS_ENABLE: return 511;
    case REGS_KERNEL_ID: return 255;
    default: return 0;
    }
}

static inline bool ballast_regs_is_constant(const ballast_regs_in *in)
{
    return in->paddr < 0x18 && in->paddr % 4 == 0;
}

static inline bool ballast_regs_is_status(const ballast_regs_cfg *cfg, const ballast_regs_in *in)
{
    return in->paddr == 0x80 || (in->paddr >= 0x90 && in->paddr < 0x90 + 4 * cfg->num_kernels && in->paddr % 4 == 0);
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
    const uint32_t constants[] = {0x424c5354, 0x20000, cfg->num_sms, cfg->num_slots, cfg->dyn_period, cfg->num_kernels};
    const uint32_t domains = in->sm_level + 4u * in->mem_level + 16u * in->sm_busy + 32u * in->mem_busy + 64u * in->sm_stall +
                             128u * in->mem_stall;
    uint32_t word = 0;

    for (unsigned n = 0; n < 6; n++)
        word |= in->paddr == 4 * n ? constants[n] : 0;
    for (unsigned n = 0; n < REGS_WORDS; n++)
        word |= ballast_regs_hits(cfg, in, n) ? h->word[n] : 0;
    word |= in->paddr == 0x80 ? domains : 0;
    for (unsigned k = 0; k < cfg->num_kernels; k++)
        word |= in->paddr == 0x90 + 4 * k ? (in->idle >> k & 1) + 2u * (in->exhausted >> k & 1) + 4u * (in->too_big >> k & 1) : 0;
    for (unsigned i = 0; i < cfg->num_sms; i++)
        word |= (in->paddr == 0x400 + 4 * i ? in->sm[i].limit : 0) |
                (in->paddr == 0x200 + i / 32 * 4 ? (uint32_t)in->sm[i].done << i % 32 : 0);
    return word;
}

/* REG-9: the number of a kernel that is idle. */
static inline bool ballast_regs_may_start(const ballast_regs_cfg *cfg, const ballast_regs_in *in)
{
    bool may = false;

    for (unsigned k = 0; k < cfg->num_kernels; k++)
        may |= in->pwdata == k && (in->idle >> k & 1);
    return may;
}

/* REG-2: a word that may be written, with a value that it may have. */
static inline bool ballast_regs_may_write(const ballast_regs_history *h, const ballast_regs_cfg *cfg, const ballast_regs_in *in)
{
    bool may = false;

    for (unsigned n = 0; n < REGS_WORDS; n++)
        may |= ballast_regs_hits(cfg, in, n) && in->pwdata <= ballast_regs_highest(h, cfg, n) && in->pwdata >= ballast_regs_lowest(h, n) &&
               (n != REGS_START || ballast_regs_may_start(cfg, in));
    return may && in->pstrb == 15;
}

static inline bool ballast_regs_may_read(const ballast_regs_cfg *cfg, const ballast_regs_in *in)
{
    bool may = ballast_regs_is_constant(in) || ballast_regs_is_status(cfg, in) || ballast_regs_is_done(cfg, in) || ballast_regs_is_limit(cfg, in);

    for (unsigned n = 0; n < REGS_WORDS; n++)
        may |= ballast_regs_hits(cfg, in, n);
    return may;
}

/* REG-1, REG-2. */
static inline bool ballast_regs_may(const ballast_regs_history *h, const ballast_regs_cfg *cfg, const ballast_regs_in *in)
{
    return h->setup && (in->pwrite ? ballast_regs_may_write(h, cfg, in) : ballast_regs_may_read(cfg, in));
}

static inline bool ballast_regs_written(const ballast_regs_history *h, const ballast_regs_cfg *cfg, const ballast_regs_in *in)
{
    return ballast_regs_accessed(in) && in->pwrite && ballast_regs_may(h, cfg, in);
}

/* ---- what is remembered ------------------------------------------------------------------ */

/* REG-5: what a counter counts in this cycle; what many SMs do is added up in the two before. */
static inline uint32_t ballast_regs_events(const ballast_regs_history *h, const ballast_regs_in *in, unsigned n)
{
    switch (n) {
    case REGS_SM_CHANGES: return in->sm_busy > h->sm_busy;
    case REGS_MEM_CHANGES: return in->mem_busy > h->mem_busy;
    case REGS_LIMIT_CHANGES: return h->changes;
    case REGS_DENIALS: return h->denials;
    case REGS_KERNELS: return h->starts;
    default: return in->start_valid && in->start_kernel == n - REGS_LAUNCHES;
    }
}

static inline void ballast_regs_remember_counters(ballast_regs_history *h, const ballast_regs_cfg *cfg, const ballast_regs_in *in)
{
    const bool written = ballast_regs_written(h, cfg, in);
    uint32_t cleared = 0;

    for (unsigned n = REGS_SM_CHANGES; n < REGS_LAUNCHES + cfg->num_kernels; n++) {
        const uint64_t so_far = h->cleared >> (n - REGS_SM_CHANGES) & 1 ? 0 : h->word[n];
        const uint64_t now = so_far + ballast_regs_events(h, in, n);

        h->word[n] = now > 0xffffffff ? 0xffffffff : (uint32_t)now;
        cleared |= (uint32_t)(written && in->paddr == ballast_regs_at(n)) << (n - REGS_SM_CHANGES);
    }
    h->cleared = cleared;
}

static inline void ballast_regs_remember_events(ballast_regs_history *h, const ballast_regs_cfg *cfg, const ballast_regs_in *in)
{
    h->changes = h->denials = 0;
    for (unsigned g = 0; g * REGS_GROUP < cfg->num_sms; g++) {
        h->changes = (uint16_t)(h->changes + h->changes_of[g]);
        h->denials = (uint16_t)(h->denials + h->denials_of[g]);
        h->changes_of[g] = h->denials_of[g] = 0;
        for (unsigned i = g * REGS_GROUP; i < (g + 1) * REGS_GROUP && i < cfg->num_sms; i++) {
            h->changes_of[g] = (uint8_t)(h->changes_of[g] + (in->sm[i].limit != h->limit[i]));
            h->denials_of[g] = (uint8_t)(h->denials_of[g] + in->sm[i].denied);
        }
    }
}

/* REG-6. */
static inline uint32_t ballast_regs_causes(const ballast_regs_history *h, const ballast_regs_cfg *cfg, const ballast_regs_in *in)
{
    const uint32_t ended = h->running & in->idle;
    bool in_use = false, no_cta = false, above = false, too_big = false;

    for (unsigned k = 0; k < cfg->num_kernels; k++)
        too_big |= h->started && h->word[REGS_START] == k && (in->too_big >> k & 1);

    for (unsigned i = 0; i < cfg->num_sms; i++) {
        const ballast_regs_sm_in *sm = &in->sm[i];

        in_use |= (sm->cta_start & h->held[i] & ~sm->cta_done) != 0;
        no_cta |= (sm->cta_done & ~sm->cta_active) != 0;
        above |= sm->limit > cfg->num_slots;
    }
    return (ballast_regs_accessed(in) && !ballast_regs_may(h, cfg, in)) | too_big << 1 | in_use << 2 | no_cta << 3 |
           above << 4 | ended << 5;
}

static inline void ballast_regs_remember_written(ballast_regs_history *h, const ballast_regs_cfg *cfg, const ballast_regs_in *in)
{
    const uint32_t causes = ballast_regs_causes(h, cfg, in);
    const bool written = ballast_regs_written(h, cfg, in);
    const uint32_t cleared = written && in->paddr == 0xc0 ? in->pwdata : 0;

    ballast_regs_remember_counters(h, cfg, in);
    ballast_regs_remember_events(h, cfg, in);
    h->started = h->starts;
    h->starts = written && in->paddr == ballast_regs_at(REGS_START);
    if (h->starts)
        h->wcta = (uint8_t)(h->word[REGS_WARPS] > cfg->num_warps ? cfg->num_warps : h->word[REGS_WARPS]);
    for (unsigned n = 0; n < REGS_SM_CHANGES; n++)
        if (n != REGS_PENDING && written && ballast_regs_hits(cfg, in, n))
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
    h->setup = in->psel && !in->penable;
    h->sm_busy = in->sm_busy;
    h->mem_busy = in->mem_busy;
    h->running = (uint8_t)(~in->idle & ((1u << cfg->num_kernels) - 1));
}

/* The registers tell all that there is of it. */
#define BLOCK_RECALLS
static inline void ballast_regs_recall_words(ballast_regs_history *h, const ballast_regs_state *s, const ballast_regs_cfg *cfg)
{
    const uint32_t words[REGS_WORDS] = {
        s->policy, s->static_limit, s->t_idle, s->t_mem_l, s->t_mem_h, s->mode, s->bcs, s->dispatch, s->quota[0], s->quota[1], s->quota[2],
        s->quota[3], s->grid, s->width, s->two_d, s->warps, s->regs, s->smem, s->nmax, s->kernel, s->pending, s->enable, s->kernel_id,
        s->sm_changes, s->mem_changes, s->limit_changes, s->denials, s->kernels, s->launches[0], s->launches[1], s->launches[2], s->launches[3]};

    for (unsigned n = 0; n < REGS_WORDS; n++)
        if (ballast_regs_exists(cfg, n))
            h->word[n] = words[n];
    h->cleared = s->clear | (uint32_t)s->launches_clear << (REGS_LAUNCHES - REGS_SM_CHANGES);
}

static inline void ballast_regs_recall_sms(ballast_regs_history *h, const ballast_regs_state *s, const ballast_regs_cfg *cfg)
{
    h->changes = s->num_changes;
    h->denials = s->num_denials;
    for (unsigned g = 0; g * REGS_GROUP < cfg->num_sms; g++) {
        h->changes_of[g] = s->changes_of[g];
        h->denials_of[g] = s->denials_of[g];
    }
    for (unsigned i = 0; i < cfg->num_sms; i++) {
        h->held[i] = s->held[i];
        h->limit[i] = s->last_limit[i];
    }
}

static inline void ballast_regs_recall(ballast_regs_history *h, const ballast_regs_state *s, const ballast_regs_cfg *cfg)
{
    ballast_regs_recall_words(h, s, cfg);
    ballast_regs_recall_sms(h, s, cfg);
    h->setup = s->setup;
    h->sm_busy = s->sm_busy;
    h->mem_busy = s->mem_busy;
    h->starts = s->start;
    h->started = s->started;
    h->running = s->running;
    h->wcta = s->wcta;
}

static inline bool ballast_regs_coupled(const ballast_regs_history *h, const ballast_regs_state *s, const ballast_regs_cfg *cfg)
{
    (void)h, (void)s, (void)cfg;
    return true;
}

/* ---- what follows from it ---------------------------------------------------------------- */

static inline bool ballast_regs_within(const ballast_regs_out *out, const ballast_regs_cfg *cfg)
{
    return out->policy < 6 && out->static_limit <= cfg->num_slots && out->t_idle <= cfg->dyn_period && out->t_mem_l <= out->t_mem_h &&
           out->t_mem_h <= cfg->dyn_period;
}

static inline bool ballast_regs_quotas_are(const ballast_regs_history *h, const ballast_regs_out *out, const ballast_regs_cfg *cfg)
{
    uint32_t fields = 0, least = 1;

    while (least <= cfg->num_slots)
        least *= 2;
    for (unsigned k = cfg->num_kernels; k-- > 0;)
        fields = fields * least + h->word[REGS_QUOTA + k];
    return out->quota == fields;
}

static inline bool ballast_regs_described(const ballast_regs_history *h, const ballast_regs_out *out)
{
    return out->grid == h->word[REGS_GRID] && out->width == h->word[REGS_WIDTH] && out->two_d == h->word[REGS_TWO_D] &&
           out->warps == h->word[REGS_WARPS] && out->regs == h->word[REGS_REGS] && out->smem == h->word[REGS_SMEM] &&
           out->nmax == h->word[REGS_NMAX] && out->kernel_id == h->word[REGS_KERNEL_ID];
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
    H(RUN, "REG-3", "DISPATCH is what was written last", REGS_SETTING(dispatch, REGS_DISPATCH))                          \
    H(RUN, "REG-3", "each kernel's quota is what was written last", ballast_regs_quotas_are(was, out, cfg))               \
    H(RUN, "REG-9", "a kernel starts in the cycle after START was written, and in no other", out->start == was->starts)   \
    H(RUN, "REG-9", "its number is what was written last", REGS_SETTING(kernel, REGS_START))                              \
    H(RUN, "REG-9", "its description is what was written last", ballast_regs_described(was, out))                         \
    H(RUN, "REG-9", "the warps of a CTA stay those of the kernel that started last", out->wcta == was->wcta)              \
    H(RUN, "REG-3", "no setting leaves its range, and the thresholds stay in order", ballast_regs_within(out, cfg))      \
    H(RUN, "REG-7", "the interrupt: something that is enabled has happened and was not cleared",                         \
      out->irq == ((was->word[REGS_PENDING] & was->word[REGS_ENABLE]) != 0))

#endif
