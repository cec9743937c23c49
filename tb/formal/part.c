/* SPDX-License-Identifier: Apache-2.0
 *
 * A block's step and reset, free: instead of computing, they note what they were given and hand out what the words say. In the
 * proof of the block around it these stand for the model, as a box without contents does for the RTL: whatever such a block
 * does, as long as it does the same on both sides, which its own proof shows.
 *
 * Compiled with the part's own BLOCK_PORTS, invariant and step_words.h, and with the step_part.h of the block around it.
 */
#include "formal/part.h"
#include "formal/step.h"

static bool is_proved_cfg(const CFG_T *cfg)
{
    const unsigned char *bytes = (const void *)cfg;
    bool same = true;

    for (size_t i = 0; i < sizeof *cfg; i++)
        same &= bytes[i] == config.bytes[i];
    return same;
}

/* Where a field is, of `in`, `out` or `state`. */
#define AT(part, offset, type) ((type *)(void *)((unsigned char *)(part) + (offset)))

static void take(uint64_t *taken, IN_T *in, STATE_T *state)
{
    taken[0] = 1;
#define TAKE(part, word, offset, type, mask) \
    taken[word] = *AT(part, offset, type);   \
    if (taken[word] & ~(mask))               \
        taken[PART_TAKES_WRONG] |= PART_WRONG_WIDTH;
    STEP_IN(TAKE)
}

static void give(const uint64_t *given, OUT_T *out, STATE_T *state)
{
#define GIVE(part, word, offset, type, mask) *AT(part, offset, type) = (type)(given[(word) - PART_FIRST_OUT] & (mask));
    STEP_OUT(GIVE)
}

void BLOCK_FN(_step)(STATE_T *state, const CFG_T *cfg, const IN_T *in, OUT_T *out)
{
    const unsigned n = part_steps++;
    uint64_t *taken = part_taken + n * PART_TAKES;
    IN_T own = *in;

    take(taken, &own, state);
    if (!ranges_allow(in, cfg))
        taken[PART_TAKES_WRONG] |= PART_WRONG_INPUTS;
    if (!is_proved_cfg(cfg))
        taken[PART_TAKES_WRONG] |= PART_WRONG_CFG;
    give(part_given + n * PART_GIVES, out, state);
}

/* A reset comes after the step of the same cycle. */
void BLOCK_FN(_reset)(STATE_T *state, const CFG_T *cfg)
{
    const unsigned n = part_resets++;
    uint64_t *taken = part_taken + n * PART_TAKES;
    OUT_T none;

    taken[0] = 0;
    if (part_resets > part_steps)
        taken[PART_TAKES_WRONG] |= PART_WRONG_RESET;
    if (!is_proved_cfg(cfg))
        taken[PART_TAKES_WRONG] |= PART_WRONG_CFG;
    give(part_given + n * PART_GIVES, &none, state);
}
