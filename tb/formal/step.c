/* SPDX-License-Identifier: Apache-2.0
 *
 * One cycle of a block's C model as a function from words to words, the configuration a constant: what the proof translates,
 * and, compiled as usual, what the translation is tested against. Compiled with -DBLOCK_PORTS='"STEM/STEM_ports.h"' and
 * the step_words.h of words.c on the path.
 *
 * A block that can be in states which never come about has STEM/STEM_invariant.h with
 *   static inline bool STEM_invariant(const STEM_state *state, const STEM_cfg *cfg);
 *   static inline bool STEM_inputs(const STEM_in *in, const STEM_cfg *cfg);
 * passed as -DSTEP_INVARIANT='"..."': the step is compared in states where the one holds under inputs that the other allows, and
 * the first is proved to hold after reset and to be kept.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include BLOCK_PORTS
#include "shim/ports.h"

#include "step_words.h"

#ifdef STEP_INVARIANT
#include STEP_INVARIANT
#define VIOLATED(state, cfg) BLOCK_FN(_violated)(state, cfg)
#define ALLOWED(in, cfg) BLOCK_FN(_inputs)(in, cfg)
#else
#define VIOLATED(state, cfg) UINT64_C(0)
#define ALLOWED(in, cfg) true
#endif

static const union {
    unsigned char bytes[sizeof(CFG_T) > 768 ? sizeof(CFG_T) : 768];
    CFG_T cfg;
} config = {{STEP_CFG}};

typedef union in_bytes {
    unsigned char bytes[sizeof(IN_T)];
    IN_T value;
} in_bytes;

typedef union out_bytes {
    unsigned char bytes[sizeof(OUT_T)];
    OUT_T value;
} out_bytes;

typedef union state_bytes {
    unsigned char bytes[sizeof(STATE_T)];
    STATE_T value;
} state_bytes;

/* words_in[0]: rst_ni. words_out: the invariant before; it is not kept; a field has bits that its register or port has not. */
void step_words(const uint64_t *words_in, uint64_t *words_out);
void step_words(const uint64_t *words_in, uint64_t *words_out)
{
    in_bytes in;
    out_bytes out;
    state_bytes state;
    uint64_t beyond = 0;
    bool held;

    memset(&in, 0, sizeof in);
    memset(&out, 0, sizeof out);
    memset(&state, 0, sizeof state);
#define READ(part, word, offset, type, mask) *(type *)(void *)(part.bytes + (offset)) = (type)(words_in[word] & (mask));
    STEP_IN(READ)
    held = !VIOLATED(&state.value, &config.cfg) && ALLOWED(&in.value, &config.cfg);
    BLOCK_FN(_step)(&state.value, &config.cfg, &in.value, &out.value);
    if (!(words_in[0] & 1))
        BLOCK_FN(_reset)(&state.value, &config.cfg);
#define WRITE(part, word, offset, type, mask)                              \
    words_out[word] = *(const type *)(const void *)(part.bytes + (offset)); \
    beyond |= words_out[word] & ~(mask);
    STEP_OUT(WRITE)
    words_out[0] = held;
    words_out[1] = VIOLATED(&state.value, &config.cfg);
    words_out[2] = beyond != 0;
}
