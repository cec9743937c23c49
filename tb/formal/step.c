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
 * With -DSTEP_PART, blocks of one kind inside are not the models but part.c, which takes what they give from the words. That
 * their invariants hold is then the business of their own proofs; the block around them must do without any of its own.
 */
#include "formal/step.h"

#ifdef STEP_PART
#include "formal/part.h"

uint64_t part_given[PARTS * PART_GIVES], part_taken[PARTS * PART_TAKES];
unsigned part_steps, part_resets;

static void begin_parts(const uint64_t *words_in)
{
    part_steps = part_resets = 0;
    memcpy(part_given, words_in + STEP_WORDS_IN, sizeof part_given);
    memset(part_taken, 0, sizeof part_taken);
}

/* In reset a part's inputs may be anything. */
static void end_parts(const uint64_t *words_in, uint64_t *words_out)
{
    for (unsigned i = 0; i < PARTS && !(words_in[0] & 1); i++)
        part_taken[i * PART_TAKES + PART_TAKES_WRONG] &= ~(uint64_t)PART_WRONG_INPUTS;
    memcpy(words_out + STEP_WORDS_OUT, part_taken, sizeof part_taken);
}
#endif

/* words_in[0]: rst_ni. words_out: the inputs are allowed; what is violated before; what after; a field has bits that its
 * register or port has not; inputs with a range are read. */
void step_words(const uint64_t *words_in, uint64_t *words_out);
void step_words(const uint64_t *words_in, uint64_t *words_out)
{
    in_bytes in AT_FIRST;
    out_bytes out AT_FIRST;
    state_bytes state AT_FIRST;
    uint64_t beyond = 0;

#ifdef STEP_PART
    begin_parts(words_in);
#endif
#define READ(part, word, offset, type, mask) *(type *)(void *)(part.bytes + (offset)) = (type)(words_in[word] & (mask));
    STEP_IN(READ)
    words_out[0] = ranges_allow(&in.value, &config.cfg);
    words_out[1] = VIOLATED(&state.value, &config.cfg);
    BLOCK_FN(_step)(&state.value, &config.cfg, &in.value, &out.value);
    if (!(words_in[0] & 1))
        BLOCK_FN(_reset)(&state.value, &config.cfg);
#define WRITE(part, word, offset, type, mask)                              \
    words_out[word] = *(const type *)(const void *)(part.bytes + (offset)); \
    beyond |= words_out[word] & ~(mask);
    STEP_OUT(WRITE)
    words_out[2] = VIOLATED(&state.value, &config.cfg);
    words_out[3] = beyond != 0;
    words_out[4] = ranges_read(&in.value, &config.cfg);
#ifdef STEP_PART
    end_parts(words_in, words_out);
#endif
}
