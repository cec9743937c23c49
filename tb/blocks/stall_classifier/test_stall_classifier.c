/* SPDX-License-Identifier: Apache-2.0
 *
 * The cycle classes of PS-2 and of LCS section 3, each rule on the model and on the RTL.
 */

#include "sm/stall_classifier.h"

#define BENCH_BLOCK stall_classifier
#define BENCH_MORE sm_obs obs;
#include "engine/bench.h"
#include "engine/random.h"

/* A cycle described by how many warps are in which state, from warp 0 up; the rest is EMPTY. */
typedef struct warps {
    unsigned count;
    enum warp_state state;
} warps;

static void classify(bench *b)
{
    const sm_obs *const buses[] = {&b->obs};

    b->dut.block->model->bind(&b->in, &b->dut.cfg, buses, NULL);
    cycle(b);
}

static void classify_warps(bench *b, const warps *groups, unsigned num_groups)
{
    unsigned warp = 0;

    memset(&b->obs, 0, sizeof b->obs);
    for (unsigned g = 0; g < num_groups; g++)
        for (unsigned i = 0; i < groups[g].count; i++)
            sm_obs_set_warp_state(&b->obs, warp++, groups[g].state);
    classify(b);
}

#define CLASSIFY(b, ...) \
    classify_warps(b, (const warps[]){__VA_ARGS__}, sizeof((const warps[]){__VA_ARGS__}) / sizeof(warps))

#define assert_class(b, ps, mem, lcs) \
    expect(b, "ps_class_o=%u ps_mem_o=%u lcs_class_o=%u", (unsigned)(ps), (unsigned)(mem), (unsigned)(lcs))

static void ps2_active(bench *b)
{
    for (unsigned warp = 0; warp < config(b)->num_warps; warp++) {
        CLASSIFY(b, {47, WARP_MEM_BLOCKED});
        sm_obs_set_warp_state(&b->obs, warp, warp & 1 ? WARP_ISSUED_ALU : WARP_ISSUED_MEM);
        classify(b);
        assert_class(b, PS_ACTIVE, 0, LCS_ACTIVE);
    }
}

static void ps2_scoreboard(bench *b)
{
    CLASSIFY(b, {48, WARP_WAIT_ALU});
    assert_class(b, PS_SCOREBOARD, 0, LCS_CORE_STALL);
    CLASSIFY(b, {48, WARP_WAIT_MEM});
    assert_class(b, PS_SCOREBOARD, 1, LCS_MEM_STALL);
    CLASSIFY(b, {1, WARP_WAIT_MEM}, {40, WARP_BARRIER}, {7, WARP_NO_INST});
    assert_class(b, PS_SCOREBOARD, 1, LCS_MEM_STALL);
}

static void ps2_pipeline(bench *b)
{
    for (int state = WARP_ALU_LOST; state <= WARP_MEM_BLOCKED; state++) {
        CLASSIFY(b, {3, WARP_NO_INST}, {1, (enum warp_state)state});
        assert_class(b, PS_PIPELINE, state >= WARP_MEM_LOST, LCS_CORE_STALL);
        CLASSIFY(b, {48, (enum warp_state)state});
        assert_class(b, PS_PIPELINE, state >= WARP_MEM_LOST, LCS_CORE_STALL);
    }
}

static void ps2_idle(bench *b)
{
    CLASSIFY(b, {0, WARP_EMPTY});
    assert_class(b, PS_IDLE, 0, LCS_IDLE);
    CLASSIFY(b, {20, WARP_BARRIER}, {20, WARP_NO_INST});
    assert_class(b, PS_IDLE, 0, LCS_IDLE);
}

static void ps2_mixed_priority(bench *b)
{
    CLASSIFY(b, {40, WARP_WAIT_MEM}, {1, WARP_ALU_BLOCKED});
    assert_class(b, PS_PIPELINE, 0, LCS_CORE_STALL);
    reopen_bench(b, "stall_classifier_sbfirst");
    CLASSIFY(b, {1, WARP_WAIT_MEM}, {40, WARP_ALU_BLOCKED});
    assert_class(b, PS_SCOREBOARD, 1, LCS_CORE_STALL);
}

static void ps2_mixed_tag(bench *b)
{
    CLASSIFY(b, {24, WARP_WAIT_MEM}, {24, WARP_WAIT_ALU}); /* a tie is not the memory's */
    assert_class(b, PS_SCOREBOARD, 0, LCS_CORE_STALL);
    CLASSIFY(b, {25, WARP_WAIT_MEM}, {23, WARP_WAIT_ALU});
    assert_class(b, PS_SCOREBOARD, 1, LCS_MEM_STALL);
    CLASSIFY(b, {10, WARP_MEM_LOST}, {10, WARP_MEM_BLOCKED}, {19, WARP_ALU_LOST});
    assert_class(b, PS_PIPELINE, 1, LCS_CORE_STALL);
    CLASSIFY(b, {10, WARP_MEM_LOST}, {10, WARP_ALU_BLOCKED}, {10, WARP_ALU_LOST});
    assert_class(b, PS_PIPELINE, 0, LCS_CORE_STALL);
    reopen_bench(b, "stall_classifier_anymem");
    CLASSIFY(b, {1, WARP_WAIT_MEM}, {47, WARP_WAIT_ALU});
    assert_class(b, PS_SCOREBOARD, 1, LCS_MEM_STALL);
    CLASSIFY(b, {1, WARP_MEM_LOST}, {47, WARP_ALU_LOST});
    assert_class(b, PS_PIPELINE, 1, LCS_CORE_STALL);
}

static void pause2_left_out(bench *b)
{
    CLASSIFY(b, {8, WARP_MEM_BLOCKED}, {8, WARP_WAIT_ALU}, {8, WARP_BARRIER});
    b->obs.paused = 0xff;
    classify(b);
    assert_class(b, PS_SCOREBOARD, 0, LCS_CORE_STALL);
    b->obs.paused = 0xffff;
    classify(b);
    assert_class(b, PS_IDLE, 0, LCS_IDLE);
}

static void reserved_codes_are_empty(bench *b)
{
    for (int code = WARP_STATES; code < 16; code++) {
        CLASSIFY(b, {48, (enum warp_state)code});
        assert_class(b, PS_IDLE, 0, LCS_IDLE);
    }
}

static void highest_warp_counts(bench *b)
{
    memset(&b->obs, 0, sizeof b->obs);
    sm_obs_set_warp_state(&b->obs, 63, WARP_WAIT_MEM);
    classify(b);
    assert_class(b, PS_SCOREBOARD, 1, LCS_MEM_STALL);
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
    stall_classifier_out out = {PS_IDLE, 0, LCS_IDLE};

    for (unsigned warp = 0; warp < config(b)->num_warps; warp++)
        if (!(b->obs.paused >> warp & 1))
            n[sm_obs_warp_state(&b->obs, warp)]++;
    const unsigned mem_ready = n[WARP_MEM_LOST] + n[WARP_MEM_BLOCKED];
    const unsigned alu_ready = n[WARP_ALU_LOST] + n[WARP_ALU_BLOCKED];

    if (n[WARP_ISSUED_ALU] + n[WARP_ISSUED_MEM])
        out = (stall_classifier_out){PS_ACTIVE, 0, LCS_ACTIVE};
    else if (mem_ready + alu_ready)
        out = (stall_classifier_out){PS_PIPELINE, mem_ready > alu_ready, LCS_CORE_STALL};
    else if (n[WARP_WAIT_MEM] > n[WARP_WAIT_ALU])
        out = (stall_classifier_out){PS_SCOREBOARD, 1, LCS_MEM_STALL};
    else if (n[WARP_WAIT_ALU])
        out = (stall_classifier_out){PS_SCOREBOARD, 0, LCS_CORE_STALL};
    return out;
}

static void random_cycles(bench *b)
{
    uint64_t seed = 1;
    for (unsigned i = 0; i < 20000; i++) {
        const unsigned states = 1 + (unsigned)(random_next(&seed) % 15); /* few or many kinds */

        for (unsigned warp = 0; warp < config(b)->num_warps; warp++)
            sm_obs_set_warp_state(&b->obs, warp, (unsigned)(random_next(&seed) % (states + 1)));
        const uint64_t half = random_next(&seed), other_half = random_next(&seed);

        b->obs.paused = half & other_half; /* a quarter of them */
        classify(b);
        const stall_classifier_out expected = by_counting(b);
        assert_class(b, expected.ps_class, expected.ps_mem, expected.lcs_class);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH_SIDES("PS-2: any issued warp makes the cycle ACTIVE", "stall_classifier", ps2_active),
        BOTH_SIDES("PS-2, LCS: dependency stalls, ALU and memory", "stall_classifier", ps2_scoreboard),
        BOTH_SIDES("PS-2, LCS: resource stalls, ALU and memory", "stall_classifier", ps2_pipeline),
        BOTH_SIDES("PS-2, LCS: barriers and empty buffers are IDLE", "stall_classifier", ps2_idle),
        BOTH_SIDES("PS-2: mixed stalls, PsPrio", "stall_classifier", ps2_mixed_priority),
        BOTH_SIDES("PS-2: mixed stalls, MixedTag", "stall_classifier", ps2_mixed_tag),
        BOTH_SIDES("PAUSE-2: paused warps do not count", "stall_classifier", pause2_left_out),
        BOTH_SIDES("bus: reserved state codes behave as EMPTY", "stall_classifier", reserved_codes_are_empty),
        BOTH_SIDES("bus: warp 63 of 64 counts", "stall_classifier_warps64", highest_warp_counts),
        BOTH_SIDES("PS-19: the order of the warps makes no difference", "stall_classifier", ps19_warp_order),
        BOTH_SIDES("PS-2, LCS: 20 000 random cycles against counting", "stall_classifier", random_cycles),
    };
    return cmocka_run_group_tests_name("stall_classifier", tests, NULL, NULL);
}
