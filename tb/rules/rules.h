/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of a block, from the two files that list them. Proofs (formal/properties.c) and tests (rules/glue.c) both evaluate them
 * with what is here. The including file has included the block's port list and shim/ports.h.
 *
 * blocks/BLOCK/properties.h: rules about a step,
 *   #define BLOCK_PROPERTIES(P) P(of, rule, text, expression) ...
 * with `of` one of
 *   EVERY  the expression is true of every step from every state
 *   STATE  it is true of `after` after reset, and after each step from a state of which the invariant and every STATE hold
 *   STEP   it is true of every step from such a state
 * The expressions see before, in, out, after and cfg, the structs of the block's model, and `was`, the history.
 *
 * blocks/BLOCK/history.h: rules about a run, which remember for themselves what came before,
 *   typedef struct BLOCK_history { ... } BLOCK_history;                        unsigned numbers of fixed width only
 *   static inline void BLOCK_history_reset(BLOCK_history *h, const BLOCK_cfg *cfg);
 *   static inline void BLOCK_remember(BLOCK_history *h, const BLOCK_cfg *cfg, const BLOCK_in *in, const BLOCK_out *out);
 *   static inline bool BLOCK_coupled(const BLOCK_history *h, const BLOCK_state *s, const BLOCK_cfg *cfg);
 *   #define BLOCK_HISTORY_RULES(H) H(of, rule, text, expression) ...
 * with `of` one of
 *   RUN    the expression is true of every cycle of every run from reset: proved, and tested
 *   TEST   the same, tested only
 * They see `was`, what is remembered of the cycles before this one, in, out and cfg. No register is in their reach, nor in that of
 * BLOCK_remember: what both sides of a block do wrong in the same way is wrong here. BLOCK_coupled says which history goes with which
 * registers. Only the induction of the proofs needs it. With BLOCK_RECALLS defined, there is also
 *   static inline void BLOCK_recall(BLOCK_history *h, const BLOCK_state *s, const BLOCK_cfg *cfg);
 * which sets the members that the registers tell. A history is coupled only if this changes nothing in it. The struct then has no
 * padding: what that holds is undefined, and the proof would fail. With BLOCK_HISTORY_TESTED defined all its rules are TEST, and
 * there is no BLOCK_coupled: a history that no prover has to follow.
 */
#ifndef BALLAST_RULES_H
#define BALLAST_RULES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum rule_of { EVERY, STATE, STEP, RUN, TEST };

#if __has_include(TEXT(blocks/BLOCK_NAME/history.h))
#include TEXT(blocks/BLOCK_NAME/history.h)
#endif
#if defined(BLOCK_HISTORY_TESTED) && defined(RULES_PROVED)
#undef BLOCK_HISTORY_RULES
#endif
#ifdef BLOCK_HISTORY_RULES
#define RULES_HISTORY 1
#define HISTORY_T BLOCK_FN(_history)
#else
#define RULES_HISTORY 0
#define HISTORY_T no_history
typedef struct no_history {
    uint8_t none;
} no_history;
#endif
#ifndef BLOCK_HISTORY_RULES
#define BLOCK_HISTORY_RULES(H)
#endif

#if __has_include(TEXT(blocks/BLOCK_NAME/properties.h))
#include TEXT(blocks/BLOCK_NAME/properties.h)
#endif
#ifndef BLOCK_PROPERTIES
#define BLOCK_PROPERTIES(P)
#endif

/* A history, with what its struct has no member for, as words. */
enum { HISTORY_WORDS = (sizeof(HISTORY_T) + 7) / 8 };

typedef union history_words {
    uint64_t words[HISTORY_WORDS];
    HISTORY_T value;
} history_words;

/* "OF RULE TEXT", tabs between, in the order of the bits of `broken`; bit 0 is the caller's. The last one is only there for a block
 * with a history: that history and registers stay coupled. */
#define RULE_NAME(of, rule, text, expression) #of "\t" rule "\t" text,
#define RULE_NAMES BLOCK_PROPERTIES(RULE_NAME) BLOCK_HISTORY_RULES(RULE_NAME)
#define RULE_COUPLED "STATE\thistory\thistory and registers stay coupled"

typedef struct rules_view {
    const HISTORY_T *was;
    const STATE_T *before, *after;
    const IN_T *in;
    const OUT_T *out;
    const CFG_T *cfg;
} rules_view;

#define RULES_SEE(v)                     \
    const HISTORY_T *was = (v)->was;     \
    const IN_T *in = (v)->in;            \
    const OUT_T *out = (v)->out;         \
    const CFG_T *cfg = (v)->cfg;         \
    (void)was, (void)in, (void)out, (void)cfg
#define RULES_SEE_REGISTERS(v)           \
    const STATE_T *before = (v)->before; \
    const STATE_T *after = (v)->after;   \
    (void)before, (void)after

static inline void rules_reset(HISTORY_T *h, const CFG_T *cfg)
{
    memset(h, 0, sizeof *h);
    (void)cfg;
#if RULES_HISTORY
    BLOCK_FN(_history_reset)(h, cfg);
#endif
}

static inline void rules_remember(HISTORY_T *h, const rules_view *v)
{
    (void)h, (void)v;
#if RULES_HISTORY
    BLOCK_FN(_remember)(h, v->cfg, v->in, v->out);
#endif
}

/* Makes a history that may be coupled to the registers of one that may not: solvers then have less to guess. */
static inline void rules_recall(HISTORY_T *h, const STATE_T *s, const CFG_T *cfg)
{
    (void)h, (void)s, (void)cfg;
#ifdef BLOCK_RECALLS
    BLOCK_FN(_recall)(h, s, cfg);
#endif
}

static inline bool rules_recalled(const HISTORY_T *h, const STATE_T *s, const CFG_T *cfg)
{
    history_words recalled;
    bool same = true;

    memcpy(recalled.words, ((const history_words *)(const void *)h)->words, sizeof recalled);
    rules_recall(&recalled.value, s, cfg);
    for (unsigned i = 0; i < HISTORY_WORDS; i++)
        same &= recalled.words[i] == ((const history_words *)(const void *)h)->words[i];
    return same;
}

/* `h` is the value of a history_words. */
static inline bool rules_coupled(const HISTORY_T *h, const STATE_T *s, const CFG_T *cfg)
{
    (void)h, (void)s, (void)cfg;
#if RULES_HISTORY && !defined(BLOCK_HISTORY_TESTED)
    return BLOCK_FN(_coupled)(h, s, cfg) && rules_recalled(h, s, cfg);
#else
    return true;
#endif
}

/* The STATE rules of v->after. */
static inline bool rules_states_hold(const rules_view *v)
{
    bool hold = true;
    RULES_SEE(v);
    RULES_SEE_REGISTERS(v);

#define RULE_HOLDS(of, rule, text, expression) hold &= (of) != STATE || (expression);
    BLOCK_PROPERTIES(RULE_HOLDS)
    return hold;
}

/* A bit per rule of properties.h, from bit `n` on, when its kind is in `kinds` and it does not hold. */
static inline uint64_t rules_of_steps(const rules_view *v, unsigned kinds, unsigned *n)
{
    uint64_t broken = 0;
    RULES_SEE(v);
    RULES_SEE_REGISTERS(v);

#define RULE_BREAKS(of, rule, text, expression)                                 \
    broken |= (uint64_t)(((kinds) >> (of) & 1) && !(expression)) << (*n)++ % 64;
    BLOCK_PROPERTIES(RULE_BREAKS)
    (void)kinds, (void)n;
    return broken;
}

/* The same of history.h. */
static inline uint64_t rules_of_runs(const rules_view *v, unsigned kinds, unsigned *n)
{
    uint64_t broken = 0;
    RULES_SEE(v);

    BLOCK_HISTORY_RULES(RULE_BREAKS)
    (void)kinds, (void)n;
    return broken;
}

/* From bit 1 on. `kinds`: a bit per rule_of. `coupled`: the history after this cycle goes with the registers after it. */
static inline uint64_t rules_broken(const rules_view *v, unsigned kinds, bool coupled)
{
    unsigned n = 1;
    uint64_t broken = rules_of_steps(v, kinds, &n);

    broken |= rules_of_runs(v, kinds, &n);
    if (RULES_HISTORY)
        broken |= (uint64_t)!coupled << n % 64;
    return broken;
}

#endif
