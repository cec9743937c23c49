/* SPDX-License-Identifier: Apache-2.0
 *
 * What ballast_chip's rules remember of a run, from its inputs and outputs alone (rules/rules.h): what software wrote and the chip took,
 * and what became of it on the SMs: whose CTA runs in each slot, how far each grid is, and who may get the next CTA.
 */
#ifndef BALLAST_BALLAST_CHIP_HISTORY_H
#define BALLAST_BALLAST_CHIP_HISTORY_H

enum { CHIP_KERNELS = BALLAST_REGS_MAX_KERNELS, CHIP_FIRST_WORD = 0x40, CHIP_WORDS = 32 };

/* An SM: a bit per slot, and what the cycle before allows. */
typedef struct ballast_chip_history_sm {
    uint32_t runs[CHIP_KERNELS];  /* slots whose CTA of this kernel runs                         */
    uint8_t below[CHIP_KERNELS];  /* in the cycle before, it held less than limit and quota      */
    uint8_t below2[CHIP_KERNELS]; /* two cycles before: gwde's SMs are ready a cycle before the choice */
    uint8_t below3[CHIP_KERNELS]; /* three cycles before: mcke chooses a kernel between          */
    uint8_t launched;             /* in the cycle before, it got a CTA                           */
    uint8_t pad[3];
    uint32_t brief;               /* slots whose CTA finished in the cycle of its launch, the one before */
} ballast_chip_history_sm;

typedef struct ballast_chip_history {
    uint32_t word[CHIP_WORDS];          /* from POLICY to START: as written last                     */
    uint32_t grid[CHIP_KERNELS];        /* CTAs of the kernel that started last with this number     */
    uint32_t next[CHIP_KERNELS];        /* the next one to be launched                               */
    uint32_t counted[CHIP_KERNELS];     /* LAUNCHES                                                  */
    uint32_t needs[CHIP_KERNELS][3];    /* warps, registers, shared memory of a CTA                  */
    uint32_t kernels;                   /* KERNELS                                                   */
    uint8_t written;                    /* START was written in the cycle before                     */
    uint8_t setup;                      /* the cycle before was a SETUP phase                        */
    uint8_t nmax;                       /* of the last start                                         */
    uint8_t follows;                    /* the policy of the last start is static; its limit:        */
    uint8_t fixed;
    uint8_t pad[3];
    ballast_chip_history_sm at[BALLAST_MAX_SMS];
} ballast_chip_history;

static inline unsigned ballast_chip_word_of(unsigned address)
{
    return (address - CHIP_FIRST_WORD) / 4;
}

#define CHIP_WORD(h, address) (h)->word[ballast_chip_word_of(address)]

static inline void ballast_chip_history_reset(ballast_chip_history *h, const ballast_chip_cfg *cfg)
{
    *h = (ballast_chip_history){.written = 0};
    CHIP_WORD(h, 0xb8) = cfg->regs.num_slots;
    for (unsigned k = 0; k < CHIP_KERNELS; k++)
        CHIP_WORD(h, 0x60 + 4 * k) = cfg->regs.num_slots;
}

/* ---- this cycle ------------------------------------------------------------------------ */

static inline unsigned ballast_chip_ones(uint32_t set)
{
    unsigned n = 0;

    for (; set; set &= set - 1)
        n++;
    return n;
}

static inline uint32_t ballast_chip_all(const ballast_chip_history_sm *sm)
{
    return sm->runs[0] | sm->runs[1] | sm->runs[2] | sm->runs[3];
}

/* Slots that something runs in, the launch of this cycle included. */
static inline uint32_t ballast_chip_runs(const ballast_chip_history *h, const ballast_chip_out *out, unsigned i, unsigned k)
{
    return h->at[i].runs[k] | (out->start_kernel == k ? out->sm[i].cta_start : 0);
}

static inline bool ballast_chip_reads(const ballast_chip_in *in, const ballast_chip_out *out, unsigned address)
{
    return in->psel && in->penable && !in->pwrite && !out->pslverr && in->paddr == address;
}

static inline bool ballast_chip_writes(const ballast_chip_in *in, const ballast_chip_out *out)
{
    return in->psel && in->penable && in->pwrite && !out->pslverr;
}

static inline uint32_t ballast_chip_launches_in(const ballast_chip_cfg *cfg, const ballast_chip_out *out)
{
    unsigned n = 0;

    for (unsigned i = 0; i < cfg->governor.num_sms; i++)
        n += ballast_chip_ones(out->sm[i].cta_start);
    return n;
}

/* ---- what is remembered ------------------------------------------------------------------ */

static inline void ballast_chip_remember_start(ballast_chip_history *h, const ballast_chip_cfg *cfg)
{
    const unsigned k = CHIP_WORD(h, 0xbc);
    const uint32_t limit = CHIP_WORD(h, 0x44);
    const bool fits = CHIP_WORD(h, 0xac) <= cfg->regs.num_warps && CHIP_WORD(h, 0xb0) <= cfg->regs.reg_units &&
                      CHIP_WORD(h, 0xb4) <= cfg->regs.smem_units;

    h->grid[k] = fits ? CHIP_WORD(h, 0xa0) : 0;
    h->next[k] = 0;
    for (unsigned n = 0; n < 3; n++)
        h->needs[k][n] = CHIP_WORD(h, 0xac + 4 * n);
    h->nmax = (uint8_t)CHIP_WORD(h, 0xb8);
    h->follows = CHIP_WORD(h, 0x40) == 0;
    h->fixed = limit == 0 || limit > h->nmax ? h->nmax : (uint8_t)limit;
    h->kernels++;
}

static inline void ballast_chip_remember_sm(ballast_chip_history *h, const ballast_chip_cfg *cfg, const ballast_chip_in *in,
                                            const ballast_chip_out *out, unsigned i)
{
    ballast_chip_history_sm *sm = &h->at[i];

    for (unsigned k = 0; k < cfg->num_kernels; k++)
        sm->runs[k] = ballast_chip_runs(h, out, i, k);
    for (unsigned k = 0; k < cfg->num_kernels; k++) {
        sm->below3[k] = sm->below2[k];
        sm->below2[k] = sm->below[k];
        sm->below[k] = ballast_chip_ones(ballast_chip_all(sm)) < out->sm[i].limit &&
                       (cfg->num_kernels == 1 || ballast_chip_ones(sm->runs[k]) < CHIP_WORD(h, 0x60 + 4 * k));
    }
    for (unsigned k = 0; k < cfg->num_kernels; k++)
        sm->runs[k] &= ~in->sm[i].cta_done;
    sm->launched = out->sm[i].cta_start != 0;
    sm->brief = out->sm[i].cta_start & in->sm[i].cta_done;
}

static inline void ballast_chip_remember_launch(ballast_chip_history *h, const ballast_chip_cfg *cfg, const ballast_chip_out *out)
{
    for (unsigned k = 0; k < cfg->num_kernels; k++)
        if (out->start_kernel == k && ballast_chip_launches_in(cfg, out) != 0) {
            h->next[k]++;
            h->counted[k]++;
        }
}

static inline void ballast_chip_remember_write(ballast_chip_history *h, const ballast_chip_cfg *cfg, const ballast_chip_in *in)
{
    if (in->paddr >= CHIP_FIRST_WORD && in->paddr < CHIP_FIRST_WORD + 4 * CHIP_WORDS)
        CHIP_WORD(h, in->paddr) = in->pwdata;
    if (in->paddr == 0x110)
        h->kernels = h->written; /* a start in the cycle of the clear counts */
    for (unsigned k = 0; k < cfg->num_kernels; k++)
        if (in->paddr == 0x120 + 4 * k)
            h->counted[k] = 0;
}

static inline void ballast_chip_remember(ballast_chip_history *h, const ballast_chip_cfg *cfg, const ballast_chip_in *in,
                                         const ballast_chip_out *out)
{
    const bool writes = ballast_chip_writes(in, out);

    for (unsigned i = 0; i < cfg->governor.num_sms; i++)
        ballast_chip_remember_sm(h, cfg, in, out, i);
    if (h->written)
        ballast_chip_remember_start(h, cfg);
    if (writes)
        ballast_chip_remember_write(h, cfg, in);
    ballast_chip_remember_launch(h, cfg, out);
    h->written = writes && in->paddr == 0xbc;
    h->setup = in->psel && !in->penable;
}

/* ---- what follows from it ---------------------------------------------------------------- */

static inline bool ballast_chip_described(const ballast_chip_history *h, const ballast_chip_out *out)
{
    return out->kernel == CHIP_WORD(h, 0xbc) && out->grid == CHIP_WORD(h, 0xa0) && out->width == CHIP_WORD(h, 0xa4) &&
           out->two_d == CHIP_WORD(h, 0xa8) && out->warps == CHIP_WORD(h, 0xac) && out->regs == CHIP_WORD(h, 0xb0) &&
           out->smem == CHIP_WORD(h, 0xb4);
}

/* REG-9: all CTAs of the last kernel with this number have been launched and have gone. */
static inline bool ballast_chip_over(const ballast_chip_history *h, const ballast_chip_cfg *cfg, unsigned k)
{
    bool over = h->next[k] == h->grid[k];

    for (unsigned i = 0; i < cfg->governor.num_sms; i++)
        over &= h->at[i].runs[k] == 0;
    return over;
}

static inline bool ballast_chip_start_allowed(const ballast_chip_history *h, const ballast_chip_cfg *cfg, const ballast_chip_in *in,
                                              const ballast_chip_out *out)
{
    return !ballast_chip_writes(in, out) || in->paddr != 0xbc || ballast_chip_over(h, cfg, in->pwdata);
}

/* GWDE-1: in order, each once, into a slot where nothing runs. */
static inline bool ballast_chip_in_order(const ballast_chip_history *h, const ballast_chip_cfg *cfg, const ballast_chip_out *out)
{
    const unsigned n = ballast_chip_launches_in(cfg, out);
    bool right = n <= 1;

    for (unsigned k = 0; k < cfg->num_kernels; k++)
        right &= n == 0 || out->start_kernel != k || (out->start_cta == h->next[k] && h->next[k] < h->grid[k]);
    for (unsigned i = 0; i < cfg->governor.num_sms; i++)
        right &= (out->sm[i].cta_start & ballast_chip_all(&h->at[i])) == 0;
    return right && out->start_kernel < cfg->num_kernels;
}

/* GWDE-3, CKE-1. The second CTA of a pair follows the first one whatever the limit is then. */
static inline bool ballast_chip_below(const ballast_chip_history *h, const ballast_chip_cfg *cfg, const ballast_chip_out *out)
{
    bool right = true;

    for (unsigned i = 0; i < cfg->governor.num_sms; i++)
        for (unsigned k = 0; k < cfg->num_kernels; k++)
            right &= out->sm[i].cta_start == 0 || out->start_kernel != k ||
                     (cfg->num_kernels == 1 ? h->at[i].below2[0] || h->at[i].launched : h->at[i].below3[k]);
    return right;
}

/* GWDE-2. */
static inline bool ballast_chip_fits(const ballast_chip_history *h, const ballast_chip_cfg *cfg, const ballast_chip_out *out)
{
    const uint32_t most[3] = {cfg->regs.num_warps, cfg->regs.reg_units, cfg->regs.smem_units};
    bool right = true;

    for (unsigned i = 0; i < cfg->governor.num_sms; i++)
        for (unsigned n = 0; n < 3; n++) {
            uint32_t held = 0;

            for (unsigned k = 0; k < cfg->num_kernels; k++)
                held += ballast_chip_ones(ballast_chip_runs(h, out, i, k)) * h->needs[k][n];
            right &= held <= most[n];
        }
    return right;
}

static inline bool ballast_chip_limits(const ballast_chip_history *h, const ballast_chip_cfg *cfg, const ballast_chip_out *out)
{
    bool right = true;

    for (unsigned i = 0; i < cfg->governor.num_sms; i++)
        right &= out->sm[i].limit <= h->nmax && (!h->follows || out->sm[i].limit == h->fixed);
    return right;
}

/* To a governor a slot with both a launch and an end got a new CTA (doc/blocks/timing.md). No SM ends one in the cycle of its launch. */
static inline bool ballast_chip_paused(const ballast_chip_history *h, const ballast_chip_cfg *cfg, const ballast_chip_out *out)
{
    bool right = true;

    for (unsigned i = 0; i < cfg->governor.num_sms; i++)
        right &= (out->sm[i].cta_paused & ~ballast_chip_all(&h->at[i]) & ~h->at[i].brief) == 0;
    return right;
}

static inline bool ballast_chip_told(const ballast_chip_history *h, const ballast_chip_cfg *cfg, const ballast_chip_in *in,
                                     const ballast_chip_out *out)
{
    bool right = !ballast_chip_reads(in, out, 0x110) || out->prdata == h->kernels;

    for (unsigned k = 0; k < cfg->num_kernels; k++)
        right &= !ballast_chip_reads(in, out, 0x120 + 4 * k) || out->prdata == h->counted[k];
    for (unsigned i = 0; i < cfg->governor.num_sms; i++)
        right &= !ballast_chip_reads(in, out, 0x400 + 4 * i) || out->prdata == out->sm[i].limit;
    right &= !ballast_chip_reads(in, out, 0x80) ||
             out->prdata == (uint32_t)(out->sm_level | out->mem_level << 2 | out->sm_busy << 4 | out->mem_busy << 5 | out->sm_stall << 6 |
                             out->mem_stall << 7);
    return right;
}

/* The CTAs of every SM are followed for all SMs at once, in tests. */
#define BLOCK_HISTORY_TESTED

#define BLOCK_HISTORY_RULES(H)                                                                                           \
    H(TEST, "REG-9", "a kernel starts in the cycle after START was written, as described, and in no other",              \
      out->kernel_start == was->written && ballast_chip_described(was, out))                                             \
    H(TEST, "REG-9", "a start is taken only where the last kernel of its number has gone",                               \
      ballast_chip_start_allowed(was, cfg, in, out))                                                                     \
    H(TEST, "GWDE-1", "CTAs of a kernel are launched in order, each once, one per cycle, where nothing runs",            \
      ballast_chip_in_order(was, cfg, out))                                                                              \
    H(TEST, "GWDE-3", "an SM gets a CTA only below its limit, and below its quota of that kernel",                        \
      ballast_chip_below(was, cfg, out))                                                                                 \
    H(TEST, "GWDE-2", "what the CTAs of all kernels need on an SM is never more than it has", ballast_chip_fits(was, cfg, out)) \
    H(TEST, "PS-1", "a limit is not above the last start's NMAX; under the static policy it is what software said",      \
      ballast_chip_limits(was, cfg, out))                                                                                \
    H(TEST, "PAUSE-1", "what is paused is a CTA that runs", ballast_chip_paused(was, cfg, out))                           \
    H(TEST, "REG-4", "counters and status, as software reads them, are what the chip shows",                             \
      ballast_chip_told(was, cfg, in, out))

#endif
