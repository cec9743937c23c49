/* SPDX-License-Identifier: Apache-2.0
 *
 * scout's rules, each on the model and on the RTL. A test makes up a kernel: so many instructions in a slice at each limit. It
 * follows limit_o, as an SM does, and looks at the limits that are looked at, at the limit that is found, and at what it cost.
 */
#include <stdio.h>

#include "sm/scout.h"

enum { MOST_LOOKS = 64 };

/* What the test counts for itself in each cycle, of limit_o, look_o and issue_valid_i (SCT-7). */
typedef struct books {
    uint32_t place;        /* cycle of the slice and of its end           */
    uint32_t settle;       /* slices until the window begins              */
    uint32_t slices;       /* of this window                              */
    uint32_t count;        /* instructions since then                     */
    uint32_t window;       /* slices of the last whole window at the best limit, */
    uint32_t base;         /* and instructions in it                      */
    uint32_t lost, won;    /* by this look                                */
    uint64_t earned, paid; /* since the kernel's start                    */
    uint64_t over;         /* what looks may have lost beyond the credit: one slice each */
    uint32_t credit;
    uint8_t looked;        /* the cycle before was a look's */
    uint8_t first;         /* no CTA of the kernel has finished, as far as slices judged before know */
    uint8_t runs;
} books;

#define BENCH_BLOCK scout
#define BENCH_MORE                                          \
    unsigned speed[33]; /* instructions in a slice, by limit */ \
    unsigned looks[MOST_LOOKS], num_looks;                  \
    uint8_t driven, accounted, was_look;                    \
    books k;
#define BENCH_PREPARE
#define BENCH_CYCLE
#define BENCH_KERNELS
#include "blocks/scout/invariant.h"
#include "engine/bench.h"
#include "engine/random.h"

static void prepare(bench *b)
{
    b->driven = 1;
}

/* So many of a slice's instructions come in its n-th cycle: evenly spread. */
static uint8_t lanes_of(const bench *b, uint32_t n)
{
    const uint64_t speed = b->speed[b->out.limit <= 32 ? b->out.limit : 0], slice = config(b)->slice;
    const uint64_t issued = (n + 1) * speed / slice - n * speed / slice;

    return (uint8_t)((1u << issued) - 1);
}

static void keep_books(bench *b);

static void cycle(bench *b)
{
    if (b->driven)
        b->in.issue_valid = lanes_of(b, state(b)->timer);
    take_cycle(b);
    if (b->out.look && !b->was_look && b->num_looks < MOST_LOOKS)
        b->looks[b->num_looks++] = b->out.limit;
    b->was_look = b->out.look;
    if (b->accounted)
        keep_books(b);
}

/* ---- words of scripts -------------------------------------------------------------------- */

/* "2,4,6": the speed at limit 1, 2, 3; the last one is that of all higher limits. */
static void set_speed(bench *b, const char *text)
{
    unsigned limit = 1;

    for (char *next = NULL; *text; text = *next ? next + 1 : next)
        b->speed[limit++] = (unsigned)strtoul(text, &next, 10);
    for (; limit <= 32; limit++)
        b->speed[limit] = b->speed[limit - 1];
}

static void go_until_slice_ends(bench *b)
{
    do
        cycle(b);
    while (state(b)->step != SCOUT_COUNT || state(b)->timer != 0);
}

/* So many slices with their ends; from anywhere in the first one. */
static void slices(bench *b, unsigned n)
{
    while (n--)
        go_until_slice_ends(b);
}

enum { PATIENCE = 200000 }; /* slices */

static void until_look(bench *b, const char *nothing)
{
    (void)nothing;
    for (unsigned n = 0; state(b)->state != SCOUT_ST_LOOK && n < PATIENCE; n++)
        go_until_slice_ends(b);
    expect(b, "state_q=StLook");
}

static void until_done(bench *b, const char *nothing)
{
    (void)nothing;
    for (unsigned n = 0; state(b)->state != SCOUT_ST_DONE && n < PATIENCE; n++)
        go_until_slice_ends(b);
    cycle(b);
    expect(b, "state_q=StDone done_o=1 look_o=0");
}

/* Until the state is another one. */
static void until_moved(bench *b, const char *nothing)
{
    const uint8_t was = state(b)->state;

    (void)nothing;
    for (unsigned n = 0; state(b)->state == was && n < PATIENCE; n++)
        go_until_slice_ends(b);
    assert_int_not_equal(state(b)->state, was);
}

/* Until the cycle before the state changes, for the log. */
static void until_moves(bench *b, const char *nothing)
{
    (void)nothing;
    for (unsigned n = 0; n < PATIENCE * 22u; n++) {
        const scout_state *s = state(b);
        const bool last = s->step == SCOUT_ACT;

        if (last && (s->verdict >= SCOUT_TAKE ||
                     (s->verdict == SCOUT_FULL && s->state == SCOUT_ST_BASE &&
                      s->credit >= 3 * (s->base / scout_window_slices(s, config(b))))) &&
            (s->state != SCOUT_ST_DONE || (s->verdict == SCOUT_REJECT && s->odd)))
            return;
        cycle(b);
    }
    fail_msg("the state does not change");
}

/* "4,8,2": these limits were looked at, one after the other. */
static void looked_at(bench *b, const char *text)
{
    char seen[256] = "";

    for (unsigned i = 0; i < b->num_looks; i++)
        snprintf(seen + strlen(seen), sizeof seen - strlen(seen), "%s%u", i ? "," : "", b->looks[i]);
    assert_string_equal(seen, text);
    b->num_looks = 0;
}

static void finish_cta(bench *b, unsigned slot)
{
    b->in.cta_done = UINT32_C(1) << slot;
    cycle(b);
    b->in.cta_done = 0;
}

static const bench_word words[] = {
    {"speed", NULL, set_speed},        {"slices", slices, NULL},       {"look", NULL, until_look},
    {"done", NULL, until_done},        {"moved", NULL, until_moved},   {"moves", NULL, until_moves},
    {"looked_at", NULL, looked_at},    {"finish", finish_cta, NULL},   {NULL, NULL, NULL},
};

/* ---- SCT-7: what the looks cost -------------------------------------------------------------- */

/* A slice is over, and this is the first cycle after its last step: what it means for the books. */
static void slice_is_over(bench *b, uint8_t was, uint8_t is)
{
    books *k = &b->k;
    const uint32_t of_window = scout_window_slices(&b->before, config(b));

    if (was == SCOUT_ST_LOOK) {
        const bool begins = k->settle == 1, pays = is != SCOUT_ST_LOOK || begins;

        if (pays) {
            k->paid += k->lost;
            k->over += k->lost > k->credit ? k->lost - k->credit : 0;
            k->credit = k->lost > k->credit ? 0 : k->credit - k->lost;
            k->credit = k->credit + k->won < SCOUT_CREDIT_MAX ? k->credit + k->won : SCOUT_CREDIT_MAX;
            k->earned += k->won;
            k->lost = k->won = 0;
        }
    } else if (was == SCOUT_ST_BASE && k->settle == 0 && k->slices + 1 == of_window) {
        const uint32_t pay = k->count >> (k->first ? 3 : 7);

        k->earned += pay;
        k->credit = k->credit + pay < SCOUT_CREDIT_MAX ? k->credit + pay : SCOUT_CREDIT_MAX;
        k->base = k->count;
        k->window = of_window;
        assert_int_equal(is == SCOUT_ST_LOOK, k->credit >= 3 * (k->base / k->window));
    }
    k->slices = k->settle ? 0 : k->slices + 1;
    if (k->settle == 1 || (k->settle == 0 && k->slices == of_window))
        k->slices = k->count = 0;
    k->settle -= k->settle != 0;
    if (was != is) {
        k->settle = config(b)->settle;
        k->slices = k->count = 0;
    }
    assert_int_equal(state(b)->credit, k->credit);
}

static void account(bench *b)
{
    books *k = &b->k;
    const uint32_t slice = config(b)->slice, window = k->window ? k->window : 1; /* before the first one there is none */

    if (k->place < slice) {
        k->count += (uint32_t)__builtin_popcount(b->in.issue_valid);
    } else if (k->place == slice && b->out.look) {
        const uint32_t done = (k->settle ? config(b)->settle - k->settle : k->slices) + 1;
        const uint32_t would = k->base / window * done +
                               (k->settle == 0 && k->slices + 1 == window ? k->base % window : 0);

        k->lost = would > k->count ? would - k->count : 0;
        k->won = k->count > would ? k->count - would : 0;
    }
    if (++k->place == slice + SCOUT_ACT) {
        k->place = 0;
        slice_is_over(b, b->before.state, state(b)->state);
    }
    /* What looks have lost so far: never more than was put aside, and one slice for each look that was ended for it. */
    assert_true(k->paid + k->lost <= k->earned + k->over + (k->lost > k->credit ? k->base / window + k->window : 0));
    assert_true(k->lost <= k->credit + k->base / window + k->window);
}

static void keep_books(bench *b)
{
    books *k = &b->k;

    if (!b->in.enable)
        return;
    if (b->in.kernel_start) {
        *k = (books){.settle = config(b)->warmup, .first = 1, .runs = b->in.nmax > 1};
        return;
    }
    if (!k->runs)
        return;
    if (k->place == config(b)->slice + SCOUT_RESTORE - 1)
        k->first = b->before.first;
    account(b);
}

/* Kernels without sense: their speed changes at any time, and not with the limit alone. */
static void sct7_budget(bench *b)
{
    uint64_t seed = 0x5c07;
    unsigned looks = 0;
    const uint32_t most = config(b)->slice * config(b)->issue_width;

    b->accounted = 1;
    for (unsigned kernel = 0; kernel < 12; kernel++) {
        start_kernel(b, 2 + random_below(&seed, config(b)->num_slots - 1));
        for (unsigned n = 0; n < 400; n++) {
            for (unsigned limit = 1; random_below(&seed, 8) == 0 && limit <= 32; limit++)
                b->speed[limit] = random_below(&seed, 3) ? most - random_below(&seed, most / 4 + 1) : random_below(&seed, most + 1);
            b->in.cta_done = kernel % 3 && n == 200;
            slices(b, 1 + random_below(&seed, 40));
            b->in.cta_done = 0;
            looks += b->num_looks;
            b->num_looks = 0;
            b->in.enable = 0;
            cycles(b, random_below(&seed, 3));
            b->in.enable = 1;
        }
        assert_true(b->k.earned > 0);
    }
    assert_true(looks > 50);
}

/* The worst of all kernels: each look stands still. After n slices no more is lost than an eighth, and a slice for each look. */
static void sct7_worst_case(bench *b)
{
    b->accounted = 1;
    play(b, "speed=0,0,0,0,0,0,0,16 kernel=8 slices=3000");
    assert_true(b->num_looks > 3);
    assert_true(b->k.paid <= b->k.earned + b->k.over);
    play(b, "done best_q=8");
}

/* Whatever limit is how fast, the search comes to an end: with a CTA that finishes at once, too, if a window earns anything then. */
static void sct7_ends(bench *b)
{
    uint64_t seed = 0x5c0e;
    const uint32_t most = config(b)->slice * config(b)->issue_width;

    for (unsigned kernel = 0; kernel < 60; kernel++) {
        const bool first = config(b)->window * most < 1024 || kernel % 2; /* no CTA finishes */
        const uint32_t scale = most >> random_below(&seed, 2);            /* few instructions earn little */

        for (unsigned limit = 1; limit <= 32; limit++)
            b->speed[limit] = random_below(&seed, 3) ? random_below(&seed, scale + 1) : 0;
        b->speed[config(b)->num_slots] = scale / 2 + random_below(&seed, scale / 2 + 1);
        start_kernel(b, config(b)->num_slots);
        if (!first)
            finish_cta(b, 0);
        play(b, "done");
        b->num_looks = 0;
    }
}

/* ---- outputs ---------------------------------------------------------------------------------- */

static void sct1_every_nmax(bench *b)
{
    for (unsigned nmax = 0; nmax <= config(b)->num_slots; nmax++) {
        play(b, "kernel=%u nmax_q=%u best_q=%u top_q=%u cand_q=%u low_q=0 first_q=1 settle_q=%u half_q=1 state_q=%s "
                "stage_q=%u step_q=0 "
                "refine_q=0 known_q=0 odd_q=0 timer_q=0 index_q=0 acc_q=0 base_q=0 quiet_q=0 credit_q=0 verdict_q=0",
             nmax, nmax, nmax, nmax, nmax / 2, config(b)->warmup, nmax > 1 ? "StBase" : "StDone", nmax < 2);
        for (unsigned n = 0; n < 30; n++)
            play(b, "cycle limit_o=%u done_o=%u look_o=0", nmax, nmax < 2);
    }
}

/* Each limit that may be known, and those that no kernel with this Nmax can have: then it is searched as without. */
static void sct10_every_hint(bench *b)
{
    unsigned codes = 2;

    while (codes <= config(b)->num_slots)
        codes *= 2;
    for (unsigned nmax = 0; nmax <= config(b)->num_slots; nmax++)
        for (unsigned hint = 0; hint < codes; hint++) {
            const bool known = hint >= 1 && hint <= nmax;

            play(b, "hint_i=%u kernel=%u hint_i=%u nmax_q=%u best_q=%u top_q=%u cand_q=%u low_q=0 first_q=1 settle_q=%u half_q=1 "
                    "state_q=%s stage_q=%u step_q=0 refine_q=%u known_q=0 odd_q=0 timer_q=0 index_q=0 acc_q=0 base_q=0 "
                    "quiet_q=0 credit_q=0 verdict_q=0",
                 hint, nmax, hint / 2, nmax, known ? hint : nmax, nmax, nmax / 2, config(b)->warmup,
                 known || nmax < 2 ? "StDone" : "StBase", known || nmax < 2, known);
            play(b, "cycle=7 limit_o=%u done_o=%u look_o=0", known ? hint : nmax, known || nmax < 2);
        }
}

/* What is known holds as long as the kernel is what it was, and no longer. The kernel after it is searched. */
static void sct10_watches(bench *b)
{
    play(b, "speed=8,14,4 hint_i=5 kernel=8 hint_i=0");
    for (unsigned n = 0; n < 50 * config(b)->window; n++) {
        slices(b, 1);
        expect(b, "best_q=5 done_o=1 limit_o=5 look_o=0");
    }
    looked_at(b, "");
    play(b, "speed=8,14,7 moved state_q=StBase best_q=5 low_q=0 top_q=8 cand_q=8 stage_q=1 refine_q=0");
    play(b, "done best_q=2 kernel=8 state_q=StBase best_q=8 done best_q=2");
}

/* Nmax until the first look, however long the credit takes. */
static void sct1_holds_nmax(bench *b)
{
    play(b, "speed=1,2,3,4,5,6,7,16 kernel=8");
    for (unsigned n = 0; state(b)->state == SCOUT_ST_BASE && n < 100000; n++) {
        cycle(b);
        expect(b, "limit_o=8 look_o=0 done_o=0");
    }
    expect(b, "state_q=StLook");
    assert_true(b->num_looks == 0);
}

/* In every state and step: enable holds, and a kernel start wins. */
static void hold_and_start(bench *b)
{
    unsigned seen[5][SCOUT_ACT + 1] = {{0}};
    uint64_t seed = 0xe1;

    play(b, "speed=3,6,9,12 kernel=8");
    for (unsigned n = 0; n < 60000; n++) {
        const scout_state before = *state(b);

        for (unsigned i = 0; seen[before.state][before.step] < 12 && i < 6; i++) {
            play(b, "enable_i=0 kernel_start_i=%u nmax_i=%u cta_done_i=1 cycle enable_i=1 kernel_start_i=0", i & 1, i);
            assert_memory_equal(state(b), &before, sizeof before);
            play(b, "kernel=%u cta_done_i=0 nmax_q=%u first_q=1 timer_q=0 step_q=0 credit_q=0 "
                    "acc_q=0 state_q=%s",
                 i, i, i > 1 ? "StBase" : "StDone");
            load(b, &before);
        }
        seen[before.state][before.step]++;
        if (random_below(&seed, 4000) == 0)
            set_speed(b, random_below(&seed, 2) ? "3,6,9,12,9,6,3" : "16,16,8,7,6,5,4");
        cycle(b);
    }
    for (unsigned s = SCOUT_ST_BASE; s <= SCOUT_ST_DONE; s++)
        for (unsigned step = SCOUT_COUNT; step <= SCOUT_ACT; step++)
            assert_true(seen[s][step] > 0);
}

/* ---- SCT-2 ------------------------------------------------------------------------------------- */

/* Which cycles of a slice count: all of StepCount, none of its end. A cycle's instructions are in the account a cycle later. */
static void sct2_what_counts(bench *b)
{
    const uint32_t slice = config(b)->slice;

    b->driven = 0;
    start_kernel(b, 8);
    slices(b, config(b)->warmup);
    expect(b, "settle_q=0 acc_q=0 index_q=0");
    for (uint32_t n = 0; n < slice + SCOUT_ACT; n++) {
        const uint32_t counted = n <= slice ? n - (n > 0) : slice;

        expect(b, "acc_q=%u timer_q=%u step_q=%u", counted * 2, n < slice ? n : 0, n < slice ? 0 : n - slice + 1);
        b->in.issue_valid = 3;
        cycle(b);
    }
    expect(b, "acc_q=%u index_q=1 base_q=%u", slice * 2, config(b)->window == 2 ? slice * 2 : 0);
}

/* ---- SCT-5 ------------------------------------------------------------------------------------- */

/* The kernel becomes twice as fast on its own as a look at half of the CTAs begins, which are worse. */
static void sct5_there_and_back(bench *b)
{
    play(b, "speed=2,4,6,8 kernel=8");
    set_speed(b, "1,3,5,8,8,8,8,9");
    until_look(b, "");
    expect(b, "cand_q=4 best_q=8");
    set_speed(b, "2,6,10,10,10,10,16,16");
    play(b, "moved state_q=StBack cycle limit_o=8 look_o=0 done_o=0 moved state_q=StBase best_q=8 cand_q=2 low_q=0");
}

/* ---- SCT-6 ------------------------------------------------------------------------------------- */

static void sct6_every_peak(bench *b)
{
    for (unsigned peak = 1; peak <= 15; peak++) {
        for (unsigned limit = 1; limit <= 32; limit++)
            b->speed[limit] = 120 - 6 * (limit > peak ? limit - peak : peak - limit);
        play(b, "kernel=15 done best_q=%u", peak);
    }
}

/* ---- SCT-11 ------------------------------------------------------------------------------------ */

/* A look of refining, or the window after going back, has come to its verdict: StepBracket is next. Nothing was lost or won. */
static scout_state judged_at(const bench *b, uint8_t low, uint8_t best, uint8_t top, uint8_t cand, uint8_t stage, uint8_t verdict)
{
    const bool back = verdict == SCOUT_TAKE && cand < best && stage < 2; /* SCT-5 */

    return (scout_state){.state = back ? SCOUT_ST_BACK : SCOUT_ST_LOOK, .step = SCOUT_BRACKET, .verdict = verdict, .nmax = 8,
                         .low = low, .best = best, .top = top, .cand = cand, .refine = 1, .stage = stage, .half = SCOUT_UNCLEAR,
                         .index = (uint16_t)((config(b)->window << 2 * stage) - 1)};
}

/* Says whether the next limit is above the best one. */
static bool next_limit(bench *b, const scout_state *judged)
{
    const uint8_t low = judged->low, best = judged->best, top = judged->top, cand = judged->cand, stage = judged->stage;
    const scout_state *s = state(b);

    load(b, judged);
    cycles(b, 2);
    expect(b, "step_q=StepCount refine_q=1");
    if (s->state == SCOUT_ST_DONE)
        return false;
    if ((s->stage == 1) != (s->cand > s->best && stage >= 2) || s->stage > 1)
        fail_msg("limits %u to %u, best %u, look at %u in stage %u, verdict %u: stage %u at limit %u", low, top, best, cand, stage,
                 judged->verdict, s->stage, s->cand);
    return s->cand > s->best;
}

/* Whatever is ruled out, and whichever way a look of refining has gone: where the next one begins. */
static void sct11_every_bracket(bench *b)
{
    unsigned upward[4] = {0}, others[4] = {0};

    start_kernel(b, 8);
    for (uint8_t best = 1; best <= 8; best++)
        for (uint8_t low = 0; low < best; low++)
            for (uint8_t top = best; top <= 8; top++)
                for (uint8_t cand = low + 1; cand <= top; cand++)
                    for (unsigned n = 0; cand != best && n < 8; n++) {
                        const uint8_t stage = n / 2, verdict = n % 2 ? SCOUT_TAKE : SCOUT_REJECT;
                        const scout_state judged = judged_at(b, low, best, top, cand, stage, verdict);

                        (next_limit(b, &judged) ? upward : others)[stage]++;
                    }
    for (unsigned stage = 0; stage < 4; stage++)
        assert_true(upward[stage] > 50 && others[stage] > 50);
}

/* ---- SCT-8 ------------------------------------------------------------------------------------- */

/* So many instructions in the windows, one after the other, while StDone watches. */
static void watch_windows(bench *b, const unsigned *speeds, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        for (unsigned limit = 1; limit <= 32; limit++)
            b->speed[limit] = speeds[i];
        slices(b, config(b)->window * 4);
    }
}

static void sct8_two_in_a_row(bench *b)
{
    static const unsigned edge[] = {8, 10, 6, 10, 6}, one[] = {11, 8, 5, 8, 11, 8}, two[] = {11, 5};

    play(b, "speed=8 kernel=8 done best_q=1 slices=%u settle_q=0 known_q=0", config(b)->settle);
    watch_windows(b, edge, 5); /* a quarter is not more than a quarter; the first one is what is compared with */
    expect(b, "state_q=StDone known_q=1 odd_q=0 base_q=%u", 8 * config(b)->window * 4);
    watch_windows(b, one, 6);
    expect(b, "state_q=StDone known_q=1 odd_q=0");
    watch_windows(b, two, 1);
    expect(b, "state_q=StDone odd_q=1");
    watch_windows(b, two + 1, 1);
    expect(b, "state_q=StBase best_q=1 low_q=0 top_q=8 cand_q=8 stage_q=1 refine_q=0 known_q=0 odd_q=0 settle_q=%u",
           config(b)->settle);
    play(b, "cycle done_o=0 limit_o=1");
}

/* ---- the log ------------------------------------------------------------------------------------ */

static void log_of_decisions(bench *b)
{
    static const bench_log rows[] = {
        {"speed=8,14,4 kernel_start_i=1 nmax_i=8", "kernel start: Nmax 8, limit 8",
         {"scout SCT-1 kernel_start: nmax=8 hint=0 | limit=0 | limit=8"}},
        {"kernel_start_i=0 moves", "look 1: 8 instructions at limit 8, limit 4 for now",
         {"scout SCT-2 look: look=1 base=8 credit=12 stage=0 | limit=8 | limit=4"}},
        {"moves", "look 1: limit 4 +0, as good, back to compare again; limit 8",
         {"scout SCT-4 compared: look=1 candidate=4 count=8 base=8 stage=0 verdict=4 | limit=4 | limit=8"}},
        {"moves", "look 1, back: limit 4 +0, as good; limit 4",
         {"scout SCT-5 compared: look=1 candidate=4 count=8 base=8 stage=0 verdict=4 | limit=8 | limit=4"}},
        {"moves", "look 2: 32 instructions at limit 4, limit 8 for now",
         {"scout SCT-2 look: look=2 base=32 credit=16 stage=1 | limit=4 | limit=8"}},
        {"moves", "look 2: limit 8 +0, cannot say; limit 4",
         {"scout SCT-4 compared: look=2 candidate=8 count=32 base=32 stage=1 verdict=6 | limit=8 | limit=4"}},
        {"moves", "look 3: 8 instructions at limit 4, limit 2 for now", {NULL}},
        {"moves", "look 3: limit 2 +20, as good, back to compare again; limit 4", {NULL}},
        {"moves", "look 3, back: limit 2 +20, as good; limit 2", {NULL}},
        {"moves", "look 4: 112 instructions at limit 2, limit 4 for now", {NULL}},
        {"moves", "look 4: limit 4 -10, worse; limit 2", {NULL}},
        {"moves", "look 5: 28 instructions at limit 2, limit 1 for now", {NULL}},
        {"moves", "look 5: limit 1 -6, worse; limit 2", {NULL}},
        {"moves", "look 6: 28 instructions at limit 2, limit 3 for now",
         {"scout SCT-6 look: look=6 base=28 credit=44 stage=0 | limit=2 | limit=3"}},
        {"moves", "look 6: limit 3 -10, worse; limit 2, decided",
         {"scout SCT-4 compared: look=6 candidate=3 count=18 base=28 stage=0 verdict=5 | limit=3 | limit=2"}},
        {"done slices=12 speed=4 moves", "the kernel has changed: 32 instructions, 112 before; a new search from limit 2",
         {"scout SCT-8 again: count=32 base=112 | limit=2 | limit=2"}},
        {"hint_i=6 kernel_start_i=1", "kernel start: Nmax 8, limit 6, known",
         {"scout SCT-10 kernel_start: nmax=8 hint=6 | limit=2 | limit=6"}},
    };

    expect_log(b, rows);
}

static const char *const searches[] = {"scout_short", "scout_wide", NULL};
static const char *const starts[] = {"scout", "scout_short", "scout_large", NULL};

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRIPT("reset: registers zero, but half; no limit, and nothing moves", "scout_short",
               "state_q=StIdle half_q=1 nmax_q=0 best_q=0 credit_q=0 issue_valid_i=3 cta_done_i=1 cycle=300 "
               "limit_o=0 done_o=0 look_o=0 "
               "state_q=StIdle half_q=1 acc_q=0 timer_q=0 first_q=0 step_q=0"),
        EACH_VARIANT("SCT-1: a kernel starts with Nmax CTAs; 0 and 1 leave nothing to decide", starts, sct1_every_nmax),
        BOTH_SIDES("SCT-1: Nmax holds until the first look", "scout_short", sct1_holds_nmax),
        EACH_VARIANT("SCT-2: a slice counts all of its cycles, and none of its end", starts, sct2_what_counts),
        SCRIPT("SCT-6: down by halves to one CTA, then between what is ruled out, upward first", "scout_short",
               "speed=2,4,6,8,10,12,14,16 kernel=8 done best_q=8 looked_at=4,2,1,6,7"),
        SCRIPT("SCT-4: as good with fewer CTAs: one is enough", "scout_short",
               "speed=12 kernel=8 done best_q=1 looked_at=4,2,1,4,4,4,6,6,5,5,2,2,2,3,3,1,1,1,2,2"),
        SCRIPT("SCT-4: no more than from 4, 7, 2 CTAs on", "scout_short",
               "speed=4,8,12,16 kernel=8 done best_q=4 speed=2,4,6,8,10,12,14,14 kernel=8 done best_q=7 "
               "speed=6,12 kernel=8 done best_q=2"),
        SCRIPT("SCT-6: a cliff after 2 of 8 CTAs", "scout_short",
               "speed=8,14,4 kernel=8 done best_q=2 looked_at=4,8,2,4,1,3"),
        SCRIPT("SCT-6: a peak in the middle", "scout_short",
               "speed=4,8,12,14,16,12,10,8 kernel=8 done best_q=5 looked_at=4,8,2,1,6,5"),
        SCRIPT("SCT-4: nothing is issued at all", "scout_short", "speed=0 kernel=8 done best_q=1 looked_at=4,8,2,4,1,2"),
        SCRIPT("SCT-6: the kernel's parameters as they are", "scout",
               "speed=256,512,768,1024,1280,1536,1792,2048 kernel=8 done best_q=8 looked_at=4,2,1,6,7 "
               "speed=1024,1792,512 kernel=8 done best_q=2 looked_at=4,2,8,1,5,3 "
               "speed=512,1024,1536,1792,2048,1536,1280,1024 kernel=8 done best_q=5 looked_at=4,8,2,1,6,5"),
        BOTH_SIDES("SCT-6: every peak of a kernel of up to 15 CTAs is found", "scout_wide", sct6_every_peak),
        BOTH_SIDES("SCT-11: a look upward begins in stage 1 after stage 2 and 3, and any other of refining in stage 0", "scout_short",
                   sct11_every_bracket),
        SCRIPT("SCT-11: as good with fewer CTAs in stage 2: up in stage 1, and down in stage 0 again", "scout_short",
               "speed=12 kernel=8 look look moved look cand_q=2 moved look cand_q=1 moved refine_q=1 cand_q=4 stage_q=0 "
               "look moved stage_q=1 look moved stage_q=2 look moved best_q=4 top_q=8 cand_q=6 stage_q=1 "
               "look moved stage_q=2 look moved best_q=4 top_q=5 cand_q=5 stage_q=1 "
               "look moved stage_q=2 look moved best_q=4 top_q=4 cand_q=2 stage_q=0"),
        BOTH_SIDES("SCT-5: a kernel that speeds up on its own does not win the wrong limit", "scout_short", sct5_there_and_back),
        SCRIPT("SCT-7: a limit that uses up the credit is ruled out with one look", "scout",
               "speed=0,0,0,0,0,0,0,2048 kernel=8 done best_q=8 looked_at=4,2,1,6,7 "
               "speed=0,0,0,0,0,0,0,256 kernel=8 finish=0 done best_q=8 looked_at=4,2,1,6,7"),
        EACH_VARIANT("SCT-7: the search ends, whatever limit is how fast", searches, sct7_ends),
        EACH_VARIANT("SCT-7: the looks cost no more than the credit, in every cycle", searches, sct7_budget),
        BOTH_SIDES("SCT-7: looks that stand still", "scout_short", sct7_worst_case),
        BOTH_SIDES("SCT-8: two windows that differ by more than a quarter", "scout_short", sct8_two_in_a_row),
        EACH_VARIANT("SCT-10: a kernel starts at the limit that is known", starts, sct10_every_hint),
        BOTH_SIDES("SCT-10: a limit that is known is watched, not searched", "scout_short", sct10_watches),
        BOTH_SIDES("a kernel start wins, enable holds, in every state and step", "scout_short", hold_and_start),
        BOTH_SIDES("log: each decision says what it was made from", "scout_short", log_of_decisions),
    };
    return cmocka_run_group_tests_name("scout", tests, NULL, NULL);
}
