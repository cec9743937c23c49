/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of a block (rules/rules.h) as properties of its RTL. The expressions see the structs of the C model filled with what the
 * RTL has. Of every block it is proved, besides, that a cycle of reset sets every register to its reset value. The proof of the step
 * (step.c) shows that the invariant is kept; where that proof is not had, the file defines PROPERTIES_ALONE and goes without the
 * invariant.
 *
 * A block with a history has its words as free inputs beside the registers. The proof is an induction over the cycles of a run: after
 * reset the history is coupled to the registers; from a history and registers that are coupled, the RTL's step and the history's
 * lead to such again, and break no rule. What is wrong in the coupling can only make the proof fail: of a run from reset the
 * induction shows the rules, whatever it went by.
 */
#include "formal/step.h"
#define RULES_PROVED
#include "rules/rules.h"

enum { KINDS_EVERY = 1 << EVERY, KINDS_STATE = 1 << STATE, KINDS_STEP = 1 << STEP, KINDS_RUN = 1 << RUN, KINDS_PROVED = 31 & ~(1 << TEST) };

/* Bit n of property_words' first word. */
const char *const property_names[] = {
    "EVERY\treset\tone cycle of reset sets every register to its reset value",
    RULE_NAMES
#if RULES_HISTORY
    RULE_COUPLED,
#endif
    NULL};

/* How many words the history has between those of step_words' words_in and of its words_out. */
const unsigned property_more = RULES_HISTORY ? HISTORY_WORDS : 0;

/* What a step has to obey. `from`: it starts where the invariant and every STATE hold; `coupled`: and the coupling. */
static unsigned kinds_of(bool reset, bool from, bool coupled)
{
    if (reset)
        return KINDS_STATE;
    return KINDS_EVERY | (from ? KINDS_STATE | KINDS_STEP : 0) | (from && coupled ? KINDS_RUN : 0);
}

/* Whether history and registers still go together after the cycle. */
static bool stay_coupled(const rules_view *v, bool reset)
{
    history_words next = *(const history_words *)(const void *)v->was;

    if (reset)
        rules_reset(&next.value, v->cfg);
    else
        rules_remember(&next.value, v);
    return rules_coupled(&next.value, v->after, v->cfg);
}

#ifdef PROPERTIES_ALONE
#undef VIOLATED
#define VIOLATED(state, cfg) UINT64_C(0)
#endif

/* words_in: those of step_words, the history, step_words' words_out, of the RTL. words_out: what is broken, a bit per property; and
 * what would be if every step counted, which the test of the translation looks at. */
void property_words(const uint64_t *words_in, uint64_t *words_out);
void property_words(const uint64_t *words_in, uint64_t *words_out)
{
    const uint64_t *words_after = words_in + STEP_WORDS_IN + property_more;
    in_bytes in AT_FIRST;
    out_bytes out AT_FIRST;
    state_bytes state AT_FIRST, next, after_reset;
    history_words history = {{0}};
    rules_view v = {&history.value, &state.value, &next.value, &in.value, &out.value, &config.cfg}, now;
    const bool reset = !(words_in[0] & 1);
    bool from, was_coupled, coupled, reached = true;

#define READ(part, word, offset, type, mask) *(type *)(void *)(part.bytes + (offset)) = (type)(words_in[word] & (mask));
    STEP_IN(READ)
    for (unsigned i = 0; i < property_more; i++)
        history.words[i] = words_in[STEP_WORDS_IN + i];
    rules_recall(&history.value, &state.value, &config.cfg);
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
    from = !VIOLATED(v.before, &config.cfg) && ranges_allow(v.in, &config.cfg) && rules_states_hold(&now);
    was_coupled = rules_coupled(v.was, v.before, &config.cfg);
    coupled = stay_coupled(&v, reset);
    words_out[0] = rules_broken(&v, kinds_of(reset, from, was_coupled), coupled || !(reset || (from && was_coupled))) | (uint64_t)(reset && !reached);
    words_out[1] = rules_broken(&v, KINDS_PROVED, coupled);
}
