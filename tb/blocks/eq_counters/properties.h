/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of eq_counters's RTL in every run (tb/formal/properties.c, doc/verification/proofs.md).
 */
/* How often a warp has been looked at for the sums: in this epoch; in its first cycle in the one that has ended. In a sample that
 * goes on, all warps with their remainders among its cycles so far. */
static inline uint32_t eq_counters_looks(const eq_counters_state *s, const eq_counters_cfg *cfg)
{
    const uint32_t cycles = s->cycle ? s->cycle : cfg->epoch, place = cycles % cfg->sample_interval;
    const uint32_t first = cfg->sample_phase / cfg->sample_cycles * cfg->sample_cycles;
    const uint32_t over = place < first ? 0 : place - first, turns = over < cfg->sample_cycles ? over : cfg->sample_cycles;
    const uint32_t rest = cfg->num_warps % cfg->sample_cycles;

    return cycles / cfg->sample_interval * cfg->num_warps + cfg->num_warps / cfg->sample_cycles * turns + (rest < turns ? rest : turns);
}
#define EQ_COUNTERS_MOST eq_counters_looks(after, cfg)

#define BLOCK_PROPERTIES(P)                                                                                              \
    P(STATE, "EQ-5", "active is at most warps x samples", after->active <= EQ_COUNTERS_MOST)                             \
    P(STATE, "EQ-5", "waiting is at most warps x samples", after->waiting <= EQ_COUNTERS_MOST)                           \
    P(STATE, "EQ-5", "X_alu is at most warps x samples", after->xalu <= EQ_COUNTERS_MOST)                                \
    P(STATE, "EQ-5", "X_mem is at most warps x samples", after->xmem <= EQ_COUNTERS_MOST)                                \
    P(EVERY, "EQ-4", "an epoch has its full number of cycles",                                                           \
      !in->enable || after->cycle == (before->cycle + 1) % cfg->epoch)                                                   \
    P(EVERY, "EQ-4", "without enable everything holds",                                                                  \
      in->enable || (after->cycle == before->cycle && after->active == before->active &&                                 \
          after->waiting == before->waiting && after->xalu == before->xalu && after->xmem == before->xmem))
