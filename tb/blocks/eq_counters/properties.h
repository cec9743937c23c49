/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of eq_counters's RTL in every run (tb/formal/properties.c, doc/verification/proofs.md).
 */
/* Cycles of the epoch that are in the sums: all but the one before this; in cycle 1 those of the epoch that is over. */
static inline uint32_t eq_counters_summed(const eq_counters_state *s, const eq_counters_cfg *cfg)
{
    return s->cycle > 1 ? s->cycle - 1 : cfg->epoch - 1 + s->cycle;
}

/* How often a warp has been looked at for the sums. In a sample that goes on, all warps with their remainders among its cycles so far. */
static inline uint32_t eq_counters_looks(const eq_counters_state *s, const eq_counters_cfg *cfg)
{
    const uint32_t cycles = eq_counters_summed(s, cfg), place = cycles % cfg->sample_interval;
    const uint32_t first = cfg->sample_phase / cfg->sample_cycles * cfg->sample_cycles;
    const uint32_t over = place < first ? 0 : place - first, turns = over < cfg->sample_cycles ? over : cfg->sample_cycles;
    const uint32_t rest = cfg->num_warps % cfg->sample_cycles;

    return cycles / cfg->sample_interval * cfg->num_warps + cfg->num_warps / cfg->sample_cycles * turns + (rest < turns ? rest : turns);
}
#define EQ_COUNTERS_MOST eq_counters_looks(after, cfg)

static inline bool eq_counters_sampled(uint32_t cycle, const eq_counters_cfg *cfg)
{
    return cycle % cfg->sample_interval / cfg->sample_cycles == cfg->sample_phase / cfg->sample_cycles;
}

/* The warps that this cycle looks at and that are in the sum, the one with the lowest number first. */
static inline uint64_t eq_counters_seen(const eq_counters_state *before, const eq_counters_in *in, const eq_counters_cfg *cfg, unsigned sum)
{
    uint64_t seen = 0;

    if (!eq_counters_sampled(before->cycle, cfg))
        return 0;
    for (uint32_t w = 0; w < cfg->num_warps; w++) {
        const unsigned state = (unsigned)((in->ws0 >> w & 1) | (in->ws1 >> w & 1) << 1 | (in->ws2 >> w & 1) << 2 | (in->ws3 >> w & 1) << 3);
        const bool counts = !(in->paused >> w & 1) && (eq_counters_sums_of(state, cfg) & sum);

        if (w % cfg->sample_cycles == before->cycle % cfg->sample_cycles)
            seen |= (uint64_t)counts << w / cfg->sample_cycles;
    }
    return seen;
}

/* All warps that had their turn in the cycle before this state. */
static inline uint64_t eq_counters_turn(const eq_counters_state *s, const eq_counters_cfg *cfg)
{
    const uint32_t then = (s->cycle + cfg->epoch - 1) % cfg->epoch, turn = then % cfg->sample_cycles;
    const uint32_t warps = cfg->num_warps / cfg->sample_cycles + (turn < cfg->num_warps % cfg->sample_cycles);

    if (!eq_counters_sampled(then, cfg))
        return 0;
    return warps < 64 ? (UINT64_C(1) << warps) - 1 : ~UINT64_C(0);
}

static inline bool eq_counters_sums_hold(const eq_counters_state *a, const eq_counters_state *b)
{
    return a->active == b->active && a->waiting == b->waiting && a->xalu == b->xalu && a->xmem == b->xmem;
}

static inline bool eq_counters_turns_hold(const eq_counters_state *a, const eq_counters_state *b)
{
    return a->active_turn == b->active_turn && a->waiting_turn == b->waiting_turn && a->xalu_turn == b->xalu_turn &&
           a->xmem_turn == b->xmem_turn;
}

/* From `base`, in a cycle that adds these warps. That it moves by their number takes solvers minutes where they are many. */
static inline bool eq_counters_moves(uint32_t sum, uint32_t base, uint64_t turn)
{
    return (sum != base) == (turn != 0);
}
#define EQ_COUNTERS_MOVE(sum) eq_counters_moves(after->sum, out->epoch_end ? 0 : before->sum, before->sum##_turn)
#define EQ_COUNTERS_MOVES (EQ_COUNTERS_MOVE(active) && EQ_COUNTERS_MOVE(waiting) && EQ_COUNTERS_MOVE(xalu) && EQ_COUNTERS_MOVE(xmem))

#define EQ_COUNTERS_TURNS(s) ((s)->active_turn | (s)->waiting_turn | (s)->xalu_turn | (s)->xmem_turn)

#define BLOCK_PROPERTIES(P)                                                                                              \
    P(STATE, "EQ-5", "active is at most warps x samples", after->active <= EQ_COUNTERS_MOST)                             \
    P(STATE, "EQ-5", "waiting is at most warps x samples", after->waiting <= EQ_COUNTERS_MOST)                           \
    P(STATE, "EQ-5", "X_alu is at most warps x samples", after->xalu <= EQ_COUNTERS_MOST)                                \
    P(STATE, "EQ-5", "X_mem is at most warps x samples", after->xmem <= EQ_COUNTERS_MOST)                                \
    P(STATE, "EQ-4", "what is added next are warps that had their turn in the cycle before",                             \
      !(EQ_COUNTERS_TURNS(after) & ~eq_counters_turn(after, cfg)))                                                       \
    P(EVERY, "EQ-3", "Active: the warps on their turn that are not paused and have an instruction are added next",       \
      !in->enable || after->active_turn == eq_counters_seen(before, in, cfg, EQ_COUNTERS_ACTIVE))                        \
    P(EVERY, "EQ-3", "Waiting: those that wait for the scoreboard are added next",                                       \
      !in->enable || after->waiting_turn == eq_counters_seen(before, in, cfg, EQ_COUNTERS_WAITING))                      \
    P(EVERY, "EQ-3", "X_alu: those that an ALU has not taken are added next",                                            \
      !in->enable || after->xalu_turn == eq_counters_seen(before, in, cfg, EQ_COUNTERS_XALU))                            \
    P(EVERY, "EQ-3", "X_mem: those that the LSU holds back are added next",                                              \
      !in->enable || after->xmem_turn == eq_counters_seen(before, in, cfg, EQ_COUNTERS_XMEM))                            \
    P(EVERY, "EQ-4", "a kernel starts with empty sums, and without the cycle before",                                    \
      !in->enable || !in->kernel_start || !(after->active | after->waiting | after->xalu | after->xmem))                 \
    P(EVERY, "EQ-4", "a sum leaves what it was, or 0 after an epoch, where warps are added, and only there",             \
      !in->enable || in->kernel_start || EQ_COUNTERS_MOVES)                                                              \
    P(EVERY, "EQ-4", "an epoch has its full number of cycles",                                                           \
      !in->enable || after->cycle == (before->cycle + 1) % cfg->epoch)                                                   \
    P(EVERY, "EQ-4", "without enable everything holds",                                                                  \
      in->enable || (after->cycle == before->cycle && eq_counters_sums_hold(after, before) && eq_counters_turns_hold(after, before)))
