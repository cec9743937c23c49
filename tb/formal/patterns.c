/* SPDX-License-Identifier: Apache-2.0 */
#include "formal/patterns.h"

#include <inttypes.h>

#include "engine/transpose.h"
#include "formal/vec.h"

enum { AT_ONCE = 64, MOST_TRIED = 20 };

/* All 64 bits; those of engine/random.h are 53. */
uint64_t pattern_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Comparisons seldom come out equal on plain random words, so most words are near 0, near the top, or near another. */
static uint64_t random_word(uint64_t *state, uint64_t other)
{
    const uint64_t r = pattern_random(state), near = (r >> 8 & 3) - 1;

    switch (r & 7) {
    case 0: return near;
    case 1: return other + near;
    case 2: return r >> 16 & 15;
    case 3: return ~(r >> 16 & 3);
    case 4: return UINT64_C(1) << (r >> 16 & 63);
    default: return pattern_random(state);
    }
}

/* What follows from the words before, but for a word or two in every other pattern. */
static void follow(const patterns *p, uint64_t *state, uint64_t *words)
{
    const unsigned num = p->words_in - p->first_in;
    uint64_t r = pattern_random(state);

    p->first(words, words + p->first_in);
    for (unsigned i = r & 3; i < 2 && num; i++) {
        uint64_t *word = words + p->first_in + (r >> 8) % num;

        *word = r & 4 ? random_word(state, *word) : *word + (r & 8 ? UINT64_C(1) : UINT64_MAX);
        r = pattern_random(state);
    }
}

static void make_words(const patterns *p, uint64_t *state, uint64_t *words)
{
    const unsigned num = p->first ? p->first_in : p->words_in;

    for (unsigned w = 0; w < num; w++)
        words[w] = random_word(state, w ? words[w - 1 - pattern_random(state) % w] : 0);
}

static void set_inputs(const patterns *p, const uint64_t *in, uint64_t *values)
{
    uint64_t block[AT_ONCE];

    for (unsigned w = 0; w < p->words_in; w++) {
        const lit *bits = p->in + (size_t)64 * w;

        for (unsigned i = 0; i < AT_ONCE; i++)
            block[i] = in[i * (size_t)p->words_in + w];
        transpose(block);
        for (unsigned bit = 0; bit < 64; bit++)
            if (bits[bit] != AIG_FALSE)
                values[bits[bit] >> 1] = block[bit];
    }
}

static void set_unknowns(const patterns *p, uint64_t *values)
{
    for (uint32_t n = 1; n < p->g->num; n++)
        if (aig_is_unknown(p->g, n))
            values[n] = aig_pattern_of_unknown(p->g, n) ? ~UINT64_C(0) : 0;
}

static bool same_outputs(const patterns *p, const uint64_t *out, const uint64_t *values, pattern_bit *differs)
{
    uint64_t block[AT_ONCE];

    for (unsigned w = 0; w < p->words_out; w++) {
        for (unsigned i = 0; i < AT_ONCE; i++)
            block[i] = out[i * (size_t)p->words_out + w];
        transpose(block);
        for (unsigned bit = 0; bit < 64; bit++) {
            const uint64_t wrong = (aig_value(values, p->out[64 * (size_t)w + bit]) ^ block[bit]) & ~aig_value(values, p->ignored);

            if (wrong) {
                *differs = (pattern_bit){w, bit, !(block[bit] & (wrong & -wrong))};
                return false;
            }
        }
    }
    return true;
}

/* Compiled code is not run where C does not define what it does. */
static bool is_defined(const uint64_t *values, lit undefined, unsigned i)
{
    return !(aig_value(values, undefined) >> i & 1);
}

static void follow_all(const patterns *p, uint64_t *state, uint64_t *in, uint64_t *values)
{
    set_inputs(p, in, values);
    aig_simulate(p->g, values);
    for (unsigned i = 0; i < AT_ONCE; i++)
        if (is_defined(values, p->first_undefined, i))
            follow(p, state, in + i * (size_t)p->words_in);
}

static void run_compiled(const patterns *p, const uint64_t *in, uint64_t *out, const uint64_t *values)
{
    for (unsigned i = 0; i < AT_ONCE; i++)
        if (is_defined(values, p->ignored, i))
            p->compiled(in + i * (size_t)p->words_in, out + i * (size_t)p->words_out);
}

bool patterns_agree(const patterns *p, uint64_t count, uint64_t seed, pattern_bit *differs)
{
    uint64_t *values = arena(p->g->num * sizeof *values), state = seed;
    uint64_t *in = arena(AT_ONCE * (size_t)p->words_in * sizeof *in), *out = arena(AT_ONCE * (size_t)p->words_out * sizeof *out);

    set_unknowns(p, values);
    for (uint64_t done = 0, tried = 0; done < count; tried += AT_ONCE) {
        if (tried > MOST_TRIED * count)
            give_up("of %" PRIu64 " patterns only %" PRIu64 " are defined", tried, done);
        for (unsigned i = 0; i < AT_ONCE; i++)
            make_words(p, &state, in + i * (size_t)p->words_in);
        if (p->first)
            follow_all(p, &state, in, values);
        set_inputs(p, in, values);
        aig_simulate(p->g, values);
        run_compiled(p, in, out, values);
        if (!same_outputs(p, out, values, differs))
            return false;
        done += (unsigned)__builtin_popcountll(~aig_value(values, p->ignored));
    }
    return true;
}
