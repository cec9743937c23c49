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

enum {
    COUNT = PASTE(part_count_, BLOCK_NAME),
    TAKES = PASTE(part_takes_, BLOCK_NAME),
    GIVES = PASTE(part_gives_, BLOCK_NAME),
    FIRST_TAKEN = 1,
    WRONG = TAKES - 1
};
#define TAKEN(n) (PASTE(part_taken_, BLOCK_NAME) + (n)*TAKES)
#define LOOKED(n) (PASTE(part_looked_, BLOCK_NAME) + (n)*TAKES)
#define GIVEN(n) (PASTE(part_given_, BLOCK_NAME) + (n)*GIVES)

/* The number of a step or reset, and no more of them than there are parts. */
static unsigned number_of(unsigned *made)
{
    const unsigned n = *made < COUNT ? (*made)++ : COUNT;

    if (n < COUNT)
        return n;
    TAKEN(COUNT - 1)[WRONG] |= PART_WRONG_COUNT;
    return COUNT - 1;
}

/* Where a field is, of `in`, `out` or `state`. */
#define AT(part, offset, type) ((type *)(void *)((unsigned char *)(part) + (offset)))

static void take(uint64_t *taken, IN_T *in, STATE_T *state)
{
#define TAKE(part, word, offset, type, mask) \
    taken[word] = *AT(part, offset, type);   \
    if (taken[word] & ~(mask))               \
        taken[WRONG] |= PART_WRONG_WIDTH;
    STEP_IN(TAKE)
}

static void give(const uint64_t *given, OUT_T *out, STATE_T *state)
{
#define GIVE(part, word, offset, type, mask) *AT(part, offset, type) = (type)(given[(word)-PART_FIRST_OUT] & (mask));
    STEP_OUT(GIVE)
}

#if BLOCK_LOOKS
#define KNOWN(name) known |= in->name != 0;

/* The inputs without those that a look does not know. */
static void take_early(uint64_t *taken, const IN_T *in, const STATE_T *state)
{
    in_bytes early = {.value = *in};
    state_bytes registers = {.value = *state};

    BLOCK_LATE(CLEAR_LATE)
    take(taken, &early.value, &registers.value);
}

/* The outputs of the step that is still to come. Its late inputs are 0: with these a look is shown to be the step's. */
void BLOCK_FN(_look)(const STATE_T *state, const CFG_T *cfg, const IN_T *in, OUT_T *out)
{
    const bool late = PASTE(part_looks_, BLOCK_NAME) < PASTE(part_steps_, BLOCK_NAME);
    const unsigned n = number_of(&PASTE(part_looks_, BLOCK_NAME));
    state_bytes ignored = {.value = *state};
    bool known = false;

    BLOCK_LATE(KNOWN)
    take_early(LOOKED(n), in, state);
    if (late || known)
        TAKEN(n)[WRONG] |= PART_WRONG_LOOK;
    if (!is_proved_cfg(cfg))
        TAKEN(n)[WRONG] |= PART_WRONG_CFG;
    give(GIVEN(n), out, &ignored.value);
}

/* A look before the n-th step took the same. */
static void check_look(unsigned n, const IN_T *in, const STATE_T *state)
{
    uint64_t taken[TAKES] = {0};

    take_early(taken, in, state);
    for (unsigned i = FIRST_TAKEN; i < WRONG; i++)
        if (n < PASTE(part_looks_, BLOCK_NAME) && taken[i] != LOOKED(n)[i])
            TAKEN(n)[WRONG] |= PART_WRONG_LOOK;
}
#else
static void check_look(unsigned n, const IN_T *in, const STATE_T *state)
{
    (void)n, (void)in, (void)state;
}
#endif

void BLOCK_FN(_step)(STATE_T *state, const CFG_T *cfg, const IN_T *in, OUT_T *out)
{
    const unsigned n = number_of(&PASTE(part_steps_, BLOCK_NAME));
    IN_T own = *in;

    check_look(n, in, state);
    TAKEN(n)[0] = 1;
    take(TAKEN(n), &own, state);
    if (!ranges_allow(in, cfg))
        TAKEN(n)[WRONG] |= PART_WRONG_INPUTS;
    if (!is_proved_cfg(cfg))
        TAKEN(n)[WRONG] |= PART_WRONG_CFG;
    give(GIVEN(n), out, state);
}

/* A reset comes after the step of the same cycle. */
void BLOCK_FN(_reset)(STATE_T *state, const CFG_T *cfg)
{
    const unsigned n = number_of(&PASTE(part_resets_, BLOCK_NAME));
    OUT_T none;

    TAKEN(n)[0] = 0;
    if (PASTE(part_resets_, BLOCK_NAME) > PASTE(part_steps_, BLOCK_NAME))
        TAKEN(n)[WRONG] |= PART_WRONG_RESET;
    if (!is_proved_cfg(cfg))
        TAKEN(n)[WRONG] |= PART_WRONG_CFG;
    give(GIVEN(n), &none, state);
}
