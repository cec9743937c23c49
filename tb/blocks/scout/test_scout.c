/* SPDX-License-Identifier: Apache-2.0
 *
 * scout's rules, each on the model and on the RTL: which limits are looked at, and which one is found. What the looks cost is in
 * test_scout_credit.c.
 */
#include "blocks/scout/bench.h"

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
                         .low = low, .best = best, .top = top, .cand = cand, .fewer = cand < best, .refine = 1, .stage = stage, .half = SCOUT_UNCLEAR,
                         .index = (uint16_t)((config(b)->window << 2 * stage) - 1)};
}

/* Says whether the next limit is above the best one. */
static bool next_limit(bench *b, const scout_state *judged)
{
    const uint8_t low = judged->low, best = judged->best, top = judged->top, cand = judged->cand, stage = judged->stage;
    const scout_state *s = state(b);

    load(b, judged);
    cycles(b, 3);
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
        BOTH_SIDES("SCT-8: two windows that differ by more than a quarter", "scout_short", sct8_two_in_a_row),
        EACH_VARIANT("SCT-10: a kernel starts at the limit that is known", starts, sct10_every_hint),
        BOTH_SIDES("SCT-10: a limit that is known is watched, not searched", "scout_short", sct10_watches),
        BOTH_SIDES("a kernel start wins, enable holds, in every state and step", "scout_short", hold_and_start),
        BOTH_SIDES("log: each decision says what it was made from", "scout_short", log_of_decisions),
    };
    return cmocka_run_group_tests_name("scout", tests, NULL, NULL);
}
