/* SPDX-License-Identifier: Apache-2.0
 *
 * One cycle of a block's C model as a function from words to words, the configuration a constant: what the proof translates,
 * and, compiled as usual, what the translation is tested against. Compiled with -DBLOCK_PORTS='"blocks/BLOCK/ports.h"' and
 * the step_words.h of words.c on the path.
 *
 * A block that can be in states which never come about has blocks/BLOCK/invariant.h with
 *   static inline uint64_t BLOCK_violated(const BLOCK_state *state, const BLOCK_cfg *cfg);
 * passed as -DSTEP_INVARIANT='"..."': the step is compared in states where no bit of it is set, and it is proved to be 0 after reset
 * and to stay so. Of the inputs nothing is assumed but the ranges of the port list (shim/ranges.h).
 *
 * With -DSTEP_PART, blocks inside are not their models but part.c, which takes what they give from the words. What their
 * invariants say is then the business of their own proofs: circuits.py puts empty ones in their place, and
 * blocks/BLOCK/invariant.h says what else holds of registers inside of them without STEP_PART only.
 */
#include "formal/step.h"

#ifdef STEP_PART
#include "formal/part.h"

#define DEFINE_PART(block, count, takes, gives, first_take, first_give)                               \
    uint64_t part_given_##block[(count) * (gives)], part_taken_##block[(count) * (takes)];           \
    uint64_t part_looked_##block[(count) * (takes)];                                                 \
    unsigned part_looks_##block, part_steps_##block, part_resets_##block;
STEP_PARTS(DEFINE_PART)

static void begin_parts(const uint64_t *words_in)
{
#define BEGIN_PART(block, count, takes, gives, first_take, first_give)                        \
    part_looks_##block = part_steps_##block = part_resets_##block = 0;                        \
    memcpy(part_given_##block, words_in + (first_give), sizeof part_given_##block);           \
    memset(part_taken_##block, 0, sizeof part_taken_##block);                                 \
    memset(part_looked_##block, 0, sizeof part_looked_##block);
    STEP_PARTS(BEGIN_PART)
}

/* In reset a part's inputs may be anything. Each part makes one step, also on a path where nobody looks at it: the RTL's does.
 */
static void end_part(uint64_t *wrong, bool stepped, bool reset)
{
    if (!stepped)
        *wrong |= PART_WRONG_MISSING;
    if (reset)
        *wrong &= ~(uint64_t)PART_WRONG_INPUTS;
}

static void end_parts(const uint64_t *words_in, uint64_t *words_out)
{
#define END_PART(block, count, takes, gives, first_take, first_give)                                                          \
    for (unsigned i = 0; i < (count); i++)                                                                                    \
        end_part(&part_taken_##block[i * (takes) + (takes)-1], i < part_steps_##block, !(words_in[0] & 1));                    \
    memcpy(words_out + (first_take), part_taken_##block, sizeof part_taken_##block);
    STEP_PARTS(END_PART)
}
#endif

/* What the block's look says of this cycle, before the late inputs are known. */
#if BLOCK_LOOKS
static void look(const state_bytes *state, const in_bytes *in, out_bytes *out)
{
    const state_bytes before = *state;
    in_bytes early = *in;

    BLOCK_LATE(CLEAR_LATE)
    BLOCK_FN(_look)(&before.value, &config.cfg, &early.value, &out->value);
}
#define LOOKED_out looked
#define LOOKED_state state /* a look says nothing of those */
#define COMPARE(part, offset, type) \
    differs |= *(const type *)(const void *)(part.bytes + (offset)) != *(const type *)(const void *)(LOOKED_##part.bytes + (offset));
#else
#define COMPARE(part, offset, type)
#endif

/* words_in[0]: rst_ni. words_out: the inputs are allowed; what is violated before; what after; a field has bits that its
 * register or port has not; inputs with a range are read; a look and the step give different outputs. */
void step_words(const uint64_t *words_in, uint64_t *words_out);
#ifdef STEP_NONE /* for rules of the RTL: only what is assumed */
void step_words(const uint64_t *words_in, uint64_t *words_out)
{
    in_bytes in AT_FIRST;
    state_bytes state AT_FIRST;

#define READ(part, word, offset, type, mask) *(type *)(void *)(part.bytes + (offset)) = (type)(words_in[word] & (mask));
    STEP_IN(READ)
    memset(words_out, 0, STEP_WORDS_OUT * sizeof *words_out);
    words_out[0] = ranges_allow(&in.value, &config.cfg);
    words_out[1] = VIOLATED(&state.value, &config.cfg);
    words_out[4] = ranges_read(&in.value, &config.cfg);
}
#else
void step_words(const uint64_t *words_in, uint64_t *words_out)
{
    in_bytes in AT_FIRST;
    out_bytes out AT_FIRST;
    state_bytes state AT_FIRST;
    uint64_t beyond = 0;
    bool differs = false;

#ifdef STEP_PART
    begin_parts(words_in);
#endif
#define READ(part, word, offset, type, mask) *(type *)(void *)(part.bytes + (offset)) = (type)(words_in[word] & (mask));
    STEP_IN(READ)
    words_out[0] = ranges_allow(&in.value, &config.cfg);
    words_out[1] = VIOLATED(&state.value, &config.cfg);
#if BLOCK_LOOKS
    out_bytes looked AT_FIRST;

    look(&state, &in, &looked);
#endif
    BLOCK_FN(_step)(&state.value, &config.cfg, &in.value, &out.value);
    if (!(words_in[0] & 1))
        BLOCK_FN(_reset)(&state.value, &config.cfg);
#define WRITE(part, word, offset, type, mask)                              \
    words_out[word] = *(const type *)(const void *)(part.bytes + (offset)); \
    beyond |= words_out[word] & ~(mask);                                   \
    COMPARE(part, offset, type)
    STEP_OUT(WRITE)
    words_out[2] = VIOLATED(&state.value, &config.cfg);
    words_out[3] = beyond != 0;
    words_out[4] = ranges_read(&in.value, &config.cfg);
    words_out[5] = differs;
#ifdef STEP_PART
    end_parts(words_in, words_out);
#endif
}
#endif
