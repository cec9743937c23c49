/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of a block as properties of its RTL. blocks/BLOCK/properties.h has
 *   #define BLOCK_PROPERTIES(P) P(of, rule, text, expression) ...
 * with `of` one of
 *   EVERY  the expression is true of every step from every state
 *   STATE  it is true of `after` after reset, and after each step from a state of which the invariant and every STATE hold
 *   STEP   it is true of every step from such a state
 * The expressions see before, in, out, after and cfg, the structs of the C model filled with what the RTL has. Of every block it
 * is proved, besides, that a cycle of reset sets every register to its reset value. The proof of the step (step.c) shows that the
 * invariant is kept; where that proof is not had, the file defines PROPERTIES_ALONE and goes without the invariant.
 */
#include "formal/step.h"

enum property_of { EVERY, STATE, STEP };

#ifdef STEP_PROPERTIES
#include STEP_PROPERTIES
#endif
#ifndef BLOCK_PROPERTIES
#define BLOCK_PROPERTIES(P)
#endif

/* Bit n of property_words' first word, in the file's order. */
const char *const property_names[] = {
    "EVERY\treset\tone cycle of reset sets every register to its reset value",
#define NAME(of, rule, text, expression) #of "\t" rule "\t" text,
    BLOCK_PROPERTIES(NAME) NULL};

typedef struct view {
    const STATE_T *before, *after;
    const IN_T *in;
    const OUT_T *out;
    const CFG_T *cfg;
} view;

#define SEE(v)                                   \
    const STATE_T *before = (v)->before;         \
    const STATE_T *after = (v)->after;           \
    const IN_T *in = (v)->in;                    \
    const OUT_T *out = (v)->out;                 \
    const CFG_T *cfg = (v)->cfg;                 \
    (void)before, (void)after, (void)in, (void)out, (void)cfg

static bool states_hold(const view *v)
{
    bool hold = true;
    SEE(v);

#define HOLD(of, rule, text, expression) hold &= (of) != STATE || (expression);
    BLOCK_PROPERTIES(HOLD)
    return hold;
}

/* Bit 1 and up. `from`: the step starts where invariant and STATEs hold. */
static uint64_t broken(const view *v, bool reset, bool from)
{
    uint64_t bits = 0;
    unsigned n = 0;
    SEE(v);

#define BREAK(of, rule, text, expression)                                                                   \
    n++;                                                                                                    \
    if (((of) == STATE ? reset || from : !reset && ((of) == EVERY || from)) && !(expression)) \
        bits |= UINT64_C(1) << n;
    BLOCK_PROPERTIES(BREAK)
    (void)n, (void)reset, (void)from;
    return bits;
}

#ifdef PROPERTIES_ALONE
#undef VIOLATED
#define VIOLATED(state, cfg) UINT64_C(0)
#endif

/* words_in: those of step_words, then its words_out, of the RTL. words_out: what is broken, a bit per property. */
void property_words(const uint64_t *words_in, uint64_t *words_out);
void property_words(const uint64_t *words_in, uint64_t *words_out)
{
    const uint64_t *words_after = words_in + STEP_WORDS_IN;
    in_bytes in AT_FIRST;
    out_bytes out AT_FIRST;
    state_bytes state AT_FIRST, next, after_reset;
    view v = {&state.value, &next.value, &in.value, &out.value, &config.cfg}, now;
    const bool reset = !(words_in[0] & 1);
    bool from, reached = true;

#define READ(part, word, offset, type, mask) *(type *)(void *)(part.bytes + (offset)) = (type)(words_in[word] & (mask));
    STEP_IN(READ)
    next = after_reset = state;
    BLOCK_FN(_reset)(&after_reset.value, &config.cfg);
#define AFTER_out(word, offset, type, mask) *(type *)(void *)(out.bytes + (offset)) = (type)(words_after[word] & (mask));
#define AFTER_state(word, offset, type, mask)                                        \
    *(type *)(void *)(next.bytes + (offset)) = (type)(words_after[word] & (mask)); \
    reached &= *(const type *)(const void *)(next.bytes + (offset)) == *(const type *)(const void *)(after_reset.bytes + (offset));
#define AFTER(part, word, offset, type, mask) AFTER_##part(word, offset, type, mask)
    STEP_OUT(AFTER)
    now = v;
    now.after = v.before;
    from = !VIOLATED(v.before, &config.cfg) && ranges_allow(v.in, &config.cfg) && states_hold(&now);
    words_out[0] = broken(&v, reset, from) | (uint64_t)(reset && !reached);
}
