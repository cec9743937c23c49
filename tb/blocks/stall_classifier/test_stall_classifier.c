/* SPDX-License-Identifier: Apache-2.0
 *
 * The cycle classes of PS-2 and of LCS section 3, each rule on the model and on the RTL.
 */

#include <stdio.h>

#include "sm/stall_classifier.h"

#define BENCH_BLOCK stall_classifier
#define BENCH_MORE sm_obs obs;
#include "engine/bench.h"
#include "engine/random.h"

static void one_cycle(bench *b)
{
    const sm_obs *const buses[] = {&b->obs};

    b->dut.block->model->bind(&b->in, &b->dut.cfg, buses, NULL);
    cycle(b);
}

/* Three cycles, so that all outputs are of these warps. */
static void classify(bench *b)
{
    one_cycle(b);
    one_cycle(b);
    one_cycle(b);
}

/* "40:WAIT_MEM,1:BARRIER": so many warps do this, from warp 0 up; the rest is EMPTY. */
static void set_warps(bench *b, const char *groups)
{
    static const char *const names[BALLAST_WARP_STATES] = {"EMPTY", "BARRIER", "NO_INST", "WAIT_ALU", "WAIT_MEM", "ALU_LOST",
                                                           "ALU_BLOCKED", "MEM_LOST", "MEM_BLOCKED", "ISSUED_ALU", "ISSUED_MEM"};
    unsigned warp = 0, count;
    char name[16];

    memset(&b->obs, 0, sizeof b->obs);
    for (int length; sscanf(groups, "%u:%15[A-Z_]%n", &count, name, &length) == 2; groups += length + (groups[length] == ',')) {
        unsigned state = 0;

        while (strcmp(names[state], name) != 0)
            assert_true(++state < BALLAST_WARP_STATES);
        while (count--)
            sm_obs_set_warp_state(&b->obs, warp++, state);
    }
}

static void classify_warps(bench *b, const char *groups)
{
    set_warps(b, groups);
    classify(b);
}

static void cycle_of_warps(bench *b, const char *groups)
{
    set_warps(b, groups);
    one_cycle(b);
}

static void classify_paused(bench *b, unsigned paused)
{
    b->obs.paused = paused;
    classify(b);
}

/* "SCOREBOARD,1,MEM_STALL": of Perf-Sat, whether the memory's, of LCS. */
static void expect_classes(bench *b, const char *text)
{
    char ps[16], lcs[16];
    unsigned mem;

    assert_int_equal(sscanf(text, "%15[A-Z],%u,%15[A-Z_]", ps, &mem, lcs), 3);
    expect(b, "ps_class_o=%s ps_mem_o=%u lcs_class_o=%s", ps, mem, lcs);
}

static const bench_word words[] = {{"warps", NULL, classify_warps}, {"cycle", NULL, cycle_of_warps}, {"paused", classify_paused, NULL},
                                   {"class", NULL, expect_classes}, {NULL, NULL, NULL}};

#define assert_class(b, ps, mem, lcs) \
    expect(b, "ps_class_o=%u ps_mem_o=%u lcs_class_o=%u", (unsigned)(ps), (unsigned)(mem), (unsigned)(lcs))

static void ps2_active(bench *b)
{
    for (unsigned warp = 0; warp < config(b)->num_warps; warp++) {
        classify_warps(b, "47:MEM_BLOCKED");
        sm_obs_set_warp_state(&b->obs, warp, warp & 1 ? BALLAST_WARP_ISSUED_ALU : BALLAST_WARP_ISSUED_MEM);
        classify(b);
        assert_class(b, BALLAST_PS_ACTIVE, 0, BALLAST_LCS_ACTIVE);
    }
}

static void reserved_codes_are_empty(bench *b)
{
    for (unsigned code = BALLAST_WARP_STATES; code < 16; code++) {
        for (unsigned warp = 0; warp < 48; warp++)
            sm_obs_set_warp_state(&b->obs, warp, code);
        classify(b);
        assert_class(b, BALLAST_PS_IDLE, 0, BALLAST_LCS_IDLE);
    }
}

/* PS-19: which warps they are, and so how a scheduler orders them, makes no difference. */
static void ps19_warp_order(bench *b)
{
    uint64_t seed = 19;
    for (unsigned i = 0; i < 2000; i++) {
        stall_classifier_out straight;

        for (unsigned warp = 0; warp < config(b)->num_warps; warp++)
            sm_obs_set_warp_state(&b->obs, warp, (unsigned)(random_next(&seed) % 9));
        classify(b);
        straight = b->out;
        for (unsigned warp = 0; warp + 1 < config(b)->num_warps; warp++) { /* shuffle */
            const unsigned other = warp + (unsigned)(random_next(&seed) % (config(b)->num_warps - warp));
            const unsigned mine = sm_obs_warp_state(&b->obs, warp);

            sm_obs_set_warp_state(&b->obs, warp, sm_obs_warp_state(&b->obs, other));
            sm_obs_set_warp_state(&b->obs, other, mine);
        }
        classify(b);
        assert_class(b, straight.ps_class, straight.ps_mem, straight.lcs_class);
    }
}

/* A third, slow statement of the rules, warp by warp, against random cycles. */
static stall_classifier_out by_counting(const bench *b)
{
    unsigned n[16] = {0};
    stall_classifier_out out = {BALLAST_PS_IDLE, 0, BALLAST_LCS_IDLE};

    for (unsigned warp = 0; warp < config(b)->num_warps; warp++)
        if (!(b->obs.paused >> warp & 1))
            n[sm_obs_warp_state(&b->obs, warp)]++;
    const unsigned mem_ready = n[BALLAST_WARP_MEM_LOST] + n[BALLAST_WARP_MEM_BLOCKED];
    const unsigned alu_ready = n[BALLAST_WARP_ALU_LOST] + n[BALLAST_WARP_ALU_BLOCKED];

    if (n[BALLAST_WARP_ISSUED_ALU] + n[BALLAST_WARP_ISSUED_MEM])
        out = (stall_classifier_out){BALLAST_PS_ACTIVE, 0, BALLAST_LCS_ACTIVE};
    else if (mem_ready + alu_ready)
        out = (stall_classifier_out){BALLAST_PS_PIPELINE, mem_ready > alu_ready, BALLAST_LCS_CORE_STALL};
    else if (n[BALLAST_WARP_WAIT_MEM] > n[BALLAST_WARP_WAIT_ALU])
        out = (stall_classifier_out){BALLAST_PS_SCOREBOARD, 1, BALLAST_LCS_MEM_STALL};
    else if (n[BALLAST_WARP_WAIT_ALU])
        out = (stall_classifier_out){BALLAST_PS_SCOREBOARD, 0, BALLAST_LCS_CORE_STALL};
    return out;
}

static void random_cycles(bench *b)
{
    stall_classifier_out before = {BALLAST_PS_IDLE, 0, BALLAST_LCS_IDLE}, before_that = before;
    uint64_t seed = 1;

    for (unsigned i = 0; i < 20000; i++) {
        const unsigned states = 1 + (unsigned)(random_next(&seed) % 15); /* few or many kinds */

        for (unsigned warp = 0; warp < config(b)->num_warps; warp++)
            sm_obs_set_warp_state(&b->obs, warp, (unsigned)(random_next(&seed) % (states + 1)));
        const uint64_t half = random_next(&seed), other_half = random_next(&seed);

        b->obs.paused = half & other_half; /* a quarter of them */
        one_cycle(b);
        assert_class(b, before.ps_class, before.ps_mem, before_that.lcs_class);
        before_that = before;
        before = by_counting(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH_SIDES("PS-2: any issued warp makes the cycle ACTIVE", "stall_classifier", ps2_active),
        SCRIPT("PS-2, LCS: dependency stalls, ALU and memory", "stall_classifier",
               "warps=48:WAIT_ALU class=SCOREBOARD,0,CORE_STALL warps=48:WAIT_MEM class=SCOREBOARD,1,MEM_STALL "
               "warps=1:WAIT_MEM,40:BARRIER,7:NO_INST class=SCOREBOARD,1,MEM_STALL"),
        SCRIPT("PS-2, LCS: resource stalls, ALU and memory", "stall_classifier",
               "warps=3:NO_INST,1:ALU_LOST class=PIPELINE,0,CORE_STALL warps=48:ALU_LOST class=PIPELINE,0,CORE_STALL "
               "warps=3:NO_INST,1:ALU_BLOCKED class=PIPELINE,0,CORE_STALL warps=48:ALU_BLOCKED class=PIPELINE,0,CORE_STALL "
               "warps=3:NO_INST,1:MEM_LOST class=PIPELINE,1,CORE_STALL warps=48:MEM_LOST class=PIPELINE,1,CORE_STALL "
               "warps=3:NO_INST,1:MEM_BLOCKED class=PIPELINE,1,CORE_STALL warps=48:MEM_BLOCKED class=PIPELINE,1,CORE_STALL"),
        SCRIPT("PS-2, LCS: barriers and empty buffers are IDLE", "stall_classifier",
               "warps= class=IDLE,0,IDLE warps=20:BARRIER,20:NO_INST class=IDLE,0,IDLE"),
        SCRIPT("PS-2: mixed stalls", "stall_classifier", "warps=40:WAIT_MEM,1:ALU_BLOCKED class=PIPELINE,0,CORE_STALL"),
        SCRIPT("PS-2: mixed stalls, PsPrio", "stall_classifier_sbfirst",
               "warps=1:WAIT_MEM,40:ALU_BLOCKED class=SCOREBOARD,1,CORE_STALL"),
        SCRIPT("PS-2: mixed stalls, MixedTag 1", "stall_classifier", /* a tie is not the memory's */
               "warps=24:WAIT_MEM,24:WAIT_ALU class=SCOREBOARD,0,CORE_STALL "
               "warps=25:WAIT_MEM,23:WAIT_ALU class=SCOREBOARD,1,MEM_STALL "
               "warps=10:MEM_LOST,10:MEM_BLOCKED,19:ALU_LOST class=PIPELINE,1,CORE_STALL "
               "warps=10:MEM_LOST,10:ALU_BLOCKED,10:ALU_LOST class=PIPELINE,0,CORE_STALL"),
        SCRIPT("PS-2: mixed stalls, MixedTag 0", "stall_classifier_anymem",
               "warps=1:WAIT_MEM,47:WAIT_ALU class=SCOREBOARD,1,MEM_STALL "
               "warps=1:MEM_LOST,47:ALU_LOST class=PIPELINE,1,CORE_STALL"),
        SCRIPT("PAUSE-2: paused warps do not count", "stall_classifier",
               "warps=8:MEM_BLOCKED,8:WAIT_ALU,8:BARRIER paused=0xff class=SCOREBOARD,0,CORE_STALL "
               "paused=0xffff class=IDLE,0,IDLE"),
        SCRIPT("Perf-Sat hears of the cycle before, LCS of the one before that", "stall_classifier",
               "cycle=48:WAIT_MEM class=IDLE,0,IDLE cycle=1:ISSUED_ALU class=SCOREBOARD,1,IDLE cycle=1:MEM_LOST class=ACTIVE,0,MEM_STALL "
               "cycle= class=PIPELINE,1,ACTIVE cycle= class=IDLE,0,CORE_STALL cycle= class=IDLE,0,IDLE"),
        BOTH_SIDES("bus: reserved state codes behave as EMPTY", "stall_classifier", reserved_codes_are_empty),
        SCRIPT("bus: warp 63 of 64 counts", "stall_classifier_warps64", "warps=63:EMPTY,1:WAIT_MEM class=SCOREBOARD,1,MEM_STALL"),
        BOTH_SIDES("PS-19: the order of the warps makes no difference", "stall_classifier", ps19_warp_order),
        BOTH_SIDES("PS-2, LCS: 20 000 random cycles against counting", "stall_classifier", random_cycles),
    };
    return cmocka_run_group_tests_name("stall_classifier", tests, NULL, NULL);
}
