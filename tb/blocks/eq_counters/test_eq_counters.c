/* SPDX-License-Identifier: Apache-2.0
 *
 * Equalizer's counters, each rule on the model and on the RTL.
 */
#include "sm/eq_counters.h"

#define BENCH_BLOCK eq_counters
#define BENCH_CYCLE
#include "engine/bench.h"
#include <stdlib.h>

#include "engine/random.h"

/* The four sums, or what one sample adds to them. */
typedef struct sums {
    uint32_t active, waiting, xalu, xmem;
} sums;

/* Inputs as wide as the ports are. */
static uint64_t port_mask(const bench *b)
{
    return config(b)->num_warps < 64 ? (UINT64_C(1) << config(b)->num_warps) - 1 : ~UINT64_C(0);
}

static void cycle(bench *b)
{
    assert_int_equal((b->in.ws0 | b->in.ws1 | b->in.ws2 | b->in.ws3 | b->in.paused) & ~port_mask(b), 0);
    take_cycle(b);
}

static void set_warp(bench *b, unsigned warp, unsigned code)
{
    uint64_t *const planes[] = {&b->in.ws0, &b->in.ws1, &b->in.ws2, &b->in.ws3};

    for (unsigned p = 0; p < 4; p++)
        *planes[p] = (*planes[p] & ~(UINT64_C(1) << warp)) | (uint64_t)(code >> p & 1) << warp;
}

static unsigned warp_code(const bench *b, unsigned warp)
{
    return (unsigned)((b->in.ws0 >> warp & 1) | (b->in.ws1 >> warp & 1) << 1 | (b->in.ws2 >> warp & 1) << 2 |
                      (b->in.ws3 >> warp & 1) << 3);
}

static void set_all(bench *b, unsigned code)
{
    for (unsigned warp = 0; warp < config(b)->num_warps; warp++)
        set_warp(b, warp, code);
}

static uint32_t samples_of(const bench *b)
{
    return config(b)->epoch / config(b)->sample_interval;
}

/* Will the next cycle be a sample? */
static bool at_sample(const bench *b)
{
    return state(b)->cycle % config(b)->sample_interval == config(b)->sample_phase;
}

static void run_to_cycle(bench *b, uint32_t target)
{
    for (uint32_t n = 0; state(b)->cycle != target; n++) {
        assert_true(n <= config(b)->epoch);
        cycle(b);
    }
}

/* Up to the next sample, and that one. */
static void run_sample(bench *b)
{
    run_to_cycle(b, state(b)->cycle / config(b)->sample_interval * config(b)->sample_interval + config(b)->sample_phase);
    assert_true(at_sample(b));
    cycle(b);
}

#define assert_sums(s, a, w, x, m)              \
    do {                                        \
        assert_int_equal((s)->active, a);       \
        assert_int_equal((s)->waiting, w);      \
        assert_int_equal((s)->xalu, x);         \
        assert_int_equal((s)->xmem, m);         \
    } while (0)

/* ---- the epoch -------------------------------------------------------------------- */

static void reset_state(bench *b)
{
    set_all(b, WARP_WAIT_MEM);
    for (unsigned i = 0; i < 200; i++)
        cycle(b);
    dut_reset(&b->dut);
    assert_sums(state(b), 0, 0, 0, 0);
    assert_int_equal(state(b)->cycle, 1);
    cycle(b);
    assert_int_equal(b->out.epoch_end, 0);
    assert_sums(&b->out, 0, 0, 0, 0);
    assert_int_equal(state(b)->cycle, 2);
}

static void eq4_epoch_length(bench *b)
{
    assert_int_equal(config(b)->epoch, 4096);
    assert_int_equal(config(b)->sample_interval, 128);
    for (uint32_t i = 1; i <= 3 * 4096 + 5; i++) { /* i: cycles since the one before reset */
        cycle(b);
        expect(b, "epoch_end_o=%u cycle_q=%u", i % 4096 == 0, (i + 1) % 4096);
    }
}

static void eq4_32_samples(bench *b)
{
    set_warp(b, 3, WARP_ISSUED_MEM);
    for (unsigned epoch = 0; epoch < 3; epoch++) {
        run_to_cycle(b, 0);
        cycle(b);
        assert_int_equal(b->out.epoch_end, 1);
        assert_sums(&b->out, 32, 0, 0, 0);
        assert_sums(state(b), 0, 0, 0, 0);
    }
}

/* What happens between two samples is not seen, what happens in a sample is. */
static void eq4_only_samples_count(bench *b)
{
    for (unsigned inside = 0; inside < 2; inside++) {
        do {
            set_all(b, (state(b)->cycle % 128 == 127) == (inside != 0) ? WARP_MEM_BLOCKED : WARP_EMPTY);
            cycle(b);
        } while (!b->out.epoch_end);
        const uint32_t most = inside ? 32 * config(b)->num_warps : 0;
        assert_sums(&b->out, most, 0, 0, most);
    }
}

/* EQ-5, EQ-6: 1536 does not overflow 11 bits; each counter alone reaches its most. */
static void eq6_no_overflow(bench *b)
{
    static const unsigned codes[] = {WARP_WAIT_MEM, WARP_ALU_BLOCKED, WARP_MEM_BLOCKED, WARP_BARRIER};
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t most = 32 * config(b)->num_warps;

        set_all(b, codes[i]);
        run_to_cycle(b, 0);
        cycle(b);
        assert_int_equal(b->out.epoch_end, 1);
        assert_sums(&b->out, most, i == 0 ? most : 0, i == 1 ? most : 0, i == 2 ? most : 0);
    }
}

/* EQ-5, EQ-A5: in the paper's geometry the list of registers is 4 x 11 + 12 bits. */
static void eq5_flip_flops(bench *b)
{
    port_list list = {0};
    lockstep_values config;
    char bad[64];
    unsigned bits = 0, registers = 0;
    b->dut.block->model->configure(&config, "", bad, sizeof bad); /* the defaults are the paper's */
    assert_string_equal(bad, "");
    assert_int_equal(((const eq_counters_cfg *)(const void *)&config)->num_warps, 48);
    b->dut.block->model->list_ports(&config, &list);
    for (unsigned i = 0; i < list.num; i++) {
        if (list.ports[i].kind != PORT_REG)
            continue;
        assert_int_equal(list.ports[i].width, !strcmp(list.ports[i].name, "cycle") ? 12 : 11);
        bits += list.ports[i].width;
        registers++;
    }
    port_list_free(&list);
    assert_int_equal(registers, 5);
    assert_int_equal(bits, 56);
}

/* The sample of the epoch's last cycle is in the sums of the cycle after it. */
static void eq_a6_last_sample(bench *b)
{
    run_to_cycle(b, 4095);
    set_all(b, WARP_WAIT_ALU);
    cycle(b);
    assert_int_equal(b->out.epoch_end, 0);
    set_all(b, WARP_ALU_LOST); /* not a sample */
    cycle(b);
    assert_int_equal(b->out.epoch_end, 1);
    assert_sums(&b->out, config(b)->num_warps, config(b)->num_warps, 0, 0);
    assert_sums(state(b), 0, 0, 0, 0);
}

/* SamplePhase 0: the cycle of the decision is the first sample of the next epoch. */
static void eq_a6_first_cycle(bench *b)
{
    const uint32_t warps = config(b)->num_warps;
    set_all(b, WARP_BARRIER);
    run_to_cycle(b, 0);
    set_all(b, WARP_MEM_BLOCKED);
    cycle(b);
    assert_int_equal(b->out.epoch_end, 1);
    assert_sums(&b->out, 31 * warps, 0, 0, 0); /* the one at cycle 0 lay before the reset */
    assert_sums(state(b), warps, 0, 0, warps);
    set_all(b, WARP_BARRIER);
    run_to_cycle(b, 0);
    cycle(b);
    assert_int_equal(b->out.epoch_end, 1);
    assert_sums(&b->out, 32 * warps, 0, 0, warps);
}

static void eq_a6_middle_phase(bench *b)
{
    set_all(b, WARP_EMPTY);
    set_warp(b, 0, WARP_ALU_LOST);
    for (uint32_t expected = 0; state(b)->cycle != 0; ) {
        expected += state(b)->cycle % 16 == 7;
        cycle(b);
        assert_sums(state(b), expected, 0, expected, 0);
    }
    assert_int_equal(state(b)->active, 32);
}

/* ---- which warp counts where -------------------------------------------------------- */

/* One sample of `code` in every warp, over all variants' readings. */
static void membership(bench *b, const char *name, unsigned code, sums per_warp)
{
    uint32_t n;

    reopen_bench(b, name);
    n = config(b)->num_warps;
    set_all(b, code);
    run_sample(b);
    assert_sums(state(b), per_warp.active * n, per_warp.waiting * n, per_warp.xalu * n, per_warp.xmem * n);
}

static void eq3_states(bench *b)
{
    membership(b, "eq_counters", WARP_WAIT_ALU, (sums){1, 1, 0, 0});
    membership(b, "eq_counters", WARP_WAIT_MEM, (sums){1, 1, 0, 0});
    membership(b, "eq_counters", WARP_ALU_LOST, (sums){1, 0, 1, 0});
    membership(b, "eq_counters", WARP_ALU_BLOCKED, (sums){1, 0, 1, 0});
    membership(b, "eq_counters", WARP_MEM_BLOCKED, (sums){1, 0, 0, 1});
    membership(b, "eq_counters", WARP_ISSUED_MEM, (sums){1, 0, 0, 0});
}

static void eq_a7_unaccounted(bench *b)
{
    membership(b, "eq_counters", WARP_EMPTY, (sums){0, 0, 0, 0});
    membership(b, "eq_counters", WARP_NO_INST, (sums){0, 0, 0, 0});
}

static void eq_a10_barrier(bench *b)
{
    membership(b, "eq_counters", WARP_BARRIER, (sums){1, 0, 0, 0});
}

static void eq_a8_issued(bench *b)
{
    membership(b, "eq_counters", WARP_ISSUED_ALU, (sums){1, 0, 0, 0});
    membership(b, "eq_counters_first", WARP_ISSUED_ALU, (sums){1, 0, 1, 0});
    membership(b, "eq_counters_first", WARP_ISSUED_MEM, (sums){1, 0, 0, 0});
    membership(b, "eq_counters_first", WARP_ALU_LOST, (sums){1, 0, 1, 0});
    membership(b, "eq_counters_first", WARP_ALU_BLOCKED, (sums){1, 0, 1, 0});
    membership(b, "eq_counters_first", WARP_MEM_LOST, (sums){1, 0, 0, 0});
}

static void eq_a9_slot(bench *b)
{
    membership(b, "eq_counters", WARP_MEM_LOST, (sums){1, 0, 0, 0});
    membership(b, "eq_counters_small", WARP_MEM_LOST, (sums){1, 0, 0, 1});
    membership(b, "eq_counters_small", WARP_MEM_BLOCKED, (sums){1, 0, 0, 1});
    membership(b, "eq_counters_small", WARP_ISSUED_ALU, (sums){1, 0, 0, 0});
}

static void reserved_codes_are_empty(bench *b)
{
    for (unsigned code = WARP_STATES; code < 16; code++) {
        membership(b, "eq_counters", code, (sums){0, 0, 0, 0});
        membership(b, "eq_counters_first", code, (sums){0, 0, 0, 0});
        membership(b, "eq_counters_small", code, (sums){0, 0, 0, 0});
    }
}

static void pause2_left_out(bench *b)
{
    for (unsigned warp = 0; warp < config(b)->num_warps; warp++)
        set_warp(b, warp, warp % 11);
    b->in.paused = port_mask(b);
    run_sample(b);
    assert_sums(state(b), 0, 0, 0, 0);
    b->in.paused = port_mask(b) & ~UINT64_C(0) << 11; /* one of each kind is left */
    run_sample(b);
    assert_sums(state(b), 9, 2, 2, 1);
    b->in.paused |= UINT64_C(1) << WARP_WAIT_MEM | UINT64_C(1) << WARP_BARRIER | UINT64_C(1) << WARP_MEM_BLOCKED;
    run_sample(b);
    assert_sums(state(b), 9 + 6, 2 + 1, 2 + 2, 1);
}

/* Each warp slot counts once, and only the slots that there are. */
static void every_slot(bench *b)
{
    for (unsigned warp = 0; warp < config(b)->num_warps; warp++) {
        set_all(b, WARP_EMPTY);
        set_warp(b, warp, WARP_WAIT_ALU);
        b->in.kernel_start = 1; /* clears */
        cycle(b);
        b->in.kernel_start = 0;
        while (!at_sample(b))
            cycle(b);
        const uint32_t before = state(b)->cycle == 0 ? 0 : state(b)->active;
        cycle(b);
        assert_int_equal(state(b)->active, before + 1);
    }
}

/* ---- kernel starts and enable ---------------------------------------------------------- */

/* In every cycle of an epoch: the sums start anew, the cycle goes on, a sample in the same cycle counts. */
static void kernel_start_everywhere(bench *b)
{
    const uint32_t epoch = config(b)->epoch, warps = config(b)->num_warps;
    set_all(b, WARP_MEM_BLOCKED);
    for (uint32_t at = 0; at < epoch; at++) {
        run_to_cycle(b, at);
        const eq_counters_state before = *state(b);
        const uint32_t gain = at_sample(b) ? warps : 0;

        b->in.kernel_start = 1;
        cycle(b);
        b->in.kernel_start = 0;
        assert_int_equal(b->out.epoch_end, at == 0);
        assert_sums(&b->out, before.active, 0, 0, before.xmem);
        assert_sums(state(b), gain, 0, 0, gain);
        assert_int_equal(state(b)->cycle, (at + 1) % epoch);
    }
}

/* EQ-A20: the tick does not move with a kernel; the new kernel's first epoch is shorter. */
static void eq_a20_tick_goes_on(bench *b)
{
    set_warp(b, 0, WARP_WAIT_MEM);
    run_to_cycle(b, 1000);
    b->in.kernel_start = 1;
    cycle(b);
    b->in.kernel_start = 0;
    run_to_cycle(b, 0);
    cycle(b);
    assert_int_equal(b->out.epoch_end, 1);
    assert_sums(&b->out, 25, 25, 0, 0); /* samples at 1023, 1151 ... 4095 */
    run_to_cycle(b, 0);
    cycle(b);
    assert_sums(&b->out, 32, 32, 0, 0);
}

static void kernel_start_at_epoch_end(bench *b)
{
    set_warp(b, 0, WARP_ALU_BLOCKED);
    run_to_cycle(b, 0);
    b->in.kernel_start = 1;
    cycle(b);
    assert_int_equal(b->out.epoch_end, 1);
    assert_sums(&b->out, 32, 0, 32, 0);
    assert_sums(state(b), 0, 0, 0, 0);
}

/* In every cycle of an epoch: whatever the bus does, nothing moves. */
static void enable_holds(bench *b)
{
    const uint32_t epoch = config(b)->epoch;
    set_all(b, WARP_WAIT_ALU);
    run_to_cycle(b, epoch / 2);
    for (uint32_t i = 0; i < epoch; i++) {
        const eq_counters_state before = *state(b);

        b->in.enable = 0;
        for (unsigned n = 0; n < 3; n++) {
            b->in.kernel_start = n == 1;
            cycle(b);
            assert_int_equal(b->out.epoch_end, 0);
            assert_sums(&b->out, before.active, before.waiting, before.xalu, before.xmem);
            assert_sums(state(b), before.active, before.waiting, before.xalu, before.xmem);
            assert_int_equal(state(b)->cycle, before.cycle);
        }
        b->in.enable = 1;
        b->in.kernel_start = 0;
        cycle(b);
        assert_int_equal(b->out.epoch_end, before.cycle == 0); /* comes late, but comes */
        assert_int_equal(state(b)->cycle, (before.cycle + 1) % epoch);
    }
}

static void reset_while_disabled(bench *b)
{
    set_all(b, WARP_WAIT_ALU);
    for (unsigned i = 0; i < 300; i++)
        cycle(b);
    b->in.enable = 0;
    cycle(b);
    dut_reset(&b->dut);
    assert_sums(state(b), 0, 0, 0, 0);
    assert_int_equal(state(b)->cycle, 1);
    cycle(b);
    assert_int_equal(state(b)->cycle, 1);
}

/* Registers that were overwritten: sums wrap at their width. */
static void sums_are_modulo(bench *b, uint32_t ones)
{
    const uint32_t at = config(b)->sample_interval + config(b)->sample_phase;
    const eq_counters_state full = {at, ones, ones, ones, ones};
    dut_load(&b->dut, &full);
    set_warp(b, 0, WARP_WAIT_ALU);
    set_warp(b, 1, WARP_ALU_LOST);
    set_warp(b, 2, WARP_MEM_BLOCKED);
    cycle(b);
    assert_sums(&b->out, ones, ones, ones, ones);
    assert_sums(state(b), 2, 0, 0, 0);
    assert_int_equal(state(b)->cycle, at + 1);
}

static void modulo_base(bench *b)
{
    sums_are_modulo(b, config(b)->num_warps == 48 ? 2047 : 4095);
}

static void modulo_small(bench *b) { sums_are_modulo(b, 31); }
static void modulo_64(bench *b) { sums_are_modulo(b, 4095); }

/* ---- a third statement of the rules, warp by warp ------------------------------------------ */

static sums by_counting(const bench *b)
{
    sums n = {0};

    for (unsigned warp = 0; warp < config(b)->num_warps; warp++) {
        if (b->in.paused >> warp & 1)
            continue;
        switch (warp_code(b, warp)) {
        case 3: case 4: n.active++; n.waiting++; break;
        case 5: case 6: n.active++; n.xalu++; break;
        case 7: n.active++; n.xmem += config(b)->xmem_incl_slot; break;
        case 8: n.active++; n.xmem++; break;
        case 9: n.active++; n.xalu += !config(b)->xalu_excl_issued; break;
        case 1: case 10: n.active++; break;
        default: break;
        }
    }
    return n;
}

static uint64_t random_bits(const bench *b, uint64_t *seed)
{
    const uint64_t high = random_next(seed) << 32;

    return (high ^ random_next(seed)) & port_mask(b);
}

static void randomize(bench *b, uint64_t *seed, unsigned kernel_every)
{
    const uint64_t some = random_bits(b, seed), others = random_bits(b, seed);

    b->in.ws0 = random_bits(b, seed);
    b->in.ws1 = random_bits(b, seed);
    b->in.ws2 = random_bits(b, seed);
    b->in.ws3 = random_bits(b, seed) & ~(b->in.ws2 & some); /* fewer of the reserved codes */
    b->in.paused = some & others;                           /* a quarter of them */
    b->in.kernel_start = random_next(seed) % kernel_every == 0;
    b->in.enable = random_next(seed) % 8 != 0;
}

/* Keeps its own time and sums: it looks at the block's registers only to compare. */
static void random_cycles(bench *b)
{
    const unsigned length = config(b)->epoch == 4096 ? 60000 : 20000;
    uint64_t seed = 4096;
    uint32_t time = 1;
    sums sum = {0};
    unsigned epochs = 0;
    for (unsigned i = 0; i < length; i++) {
        randomize(b, &seed, 1 + config(b)->epoch / 2);
        cycle(b);
        const bool ends = b->in.enable && time == 0;

        assert_int_equal(b->out.epoch_end, ends);
        assert_sums(&b->out, sum.active, sum.waiting, sum.xalu, sum.xmem);
        epochs += ends;
        if (b->in.enable) {
            if (ends || b->in.kernel_start)
                sum = (sums){0};
            if (time % config(b)->sample_interval == config(b)->sample_phase) {
                const sums gain = by_counting(b);

                sum.active += gain.active;
                sum.waiting += gain.waiting;
                sum.xalu += gain.xalu;
                sum.xmem += gain.xmem;
            }
            time = time + 1 == config(b)->epoch ? 0 : time + 1;
        }
        assert_int_equal(state(b)->cycle, time);
        assert_sums(state(b), sum.active, sum.waiting, sum.xalu, sum.xmem);
    }
    assert_true(epochs >= length / config(b)->epoch * 3 / 4);
    assert_true(samples_of(b) >= 2);
}

/* ---- the bus -------------------------------------------------------------------------------- */

static void bind_leaves_settings(bench *b)
{
    lockstep_values in;
    sm_obs obs = {.paused = 0x30, .kernel_start = 1, .ws = {1, 2, 4, 8}};
    const sm_obs *const bus[] = {&obs};
    eq_counters_in *const fields = (eq_counters_in *)(void *)&in;
    memset(&in, 0xff, sizeof in);
    b->dut.block->model->defaults(&in);
    assert_int_equal(fields->enable, 1);
    fields->enable = 0;
    b->dut.block->model->bind(&in, &b->dut.cfg, bus, NULL);
    assert_int_equal(fields->enable, 0);
    assert_int_equal(fields->kernel_start, 1);
    assert_int_equal(fields->paused, 0x30);
    assert_int_equal(fields->ws0, 1);
    assert_int_equal(fields->ws1, 2);
    assert_int_equal(fields->ws2, 4);
    assert_int_equal(fields->ws3, 8);
    reopen_bench(b, "eq_counters_small"); /* narrower than the bus */
    obs = (sm_obs){.ws = {~UINT64_C(0), ~UINT64_C(0), ~UINT64_C(0), ~UINT64_C(0)}, .paused = ~UINT64_C(0)};
    b->dut.block->model->bind(&in, &b->dut.cfg, bus, NULL);
    assert_int_equal(fields->ws0 & fields->ws1 & fields->ws2 & fields->ws3 & fields->paused, 31);
    assert_int_equal(fields->ws0 | fields->ws1 | fields->ws2 | fields->ws3 | fields->paused, 31);
}

/* Who uses the model without ports may leave more bits in the planes than there are warps. */
static void model_ignores_other_slots(bench *b)
{
    const uint64_t all = ~UINT64_C(0);
    const eq_counters_in in = {.ws0 = all, .ws1 = all, .enable = 1}; /* WAIT_ALU everywhere */
    eq_counters_state s = {.cycle = 15};
    eq_counters_out out;
    b->dut.block->model->step(&s, config(b), &in, &out);
    assert_sums(&s, 5, 5, 0, 0);
}

static void log_of_an_epoch(bench *b)
{
    b->out = (eq_counters_out){.active = 1008, .waiting = 643, .xalu = 0, .xmem = 102, .epoch_end = 1};
    b->told = 6;
    tell(b);
    expect_told("eq_counters EQ-4 epoch: epoch=7 active=1008 waiting=643 xalu=0 xmem=102 | |",
                "epoch 7: active 1008, waiting 643, X_alu 0, X_mem 102 "
                              "(/32: 31.5, 20.0, 0.0, 3.1 warps)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH_SIDES("reset: sums 0, cycle 1, no epoch end", "eq_counters", reset_state),
        BOTH_SIDES("EQ-4: an epoch is 4096 cycles", "eq_counters", eq4_epoch_length),
        BOTH_SIDES("EQ-4: 32 samples in an epoch", "eq_counters", eq4_32_samples),
        BOTH_SIDES("EQ-4: only what happens in a sample counts", "eq_counters", eq4_only_samples_count),
        BOTH_SIDES("EQ-5, EQ-A5: 4 x 11 + 12 flip-flops for 48 warps", "eq_counters", eq5_flip_flops),
        BOTH_SIDES("EQ-5, EQ-6: every sum reaches its most without overflow", "eq_counters", eq6_no_overflow),
        BOTH_SIDES("EQ-A6: the last cycle's sample is in the epoch, decision in the next", "eq_counters", eq_a6_last_sample),
        BOTH_SIDES("EQ-A6: SamplePhase 0 samples in the cycle of the decision", "eq_counters_first", eq_a6_first_cycle),
        BOTH_SIDES("EQ-A6: SamplePhase in the middle of the interval", "eq_counters_warps64", eq_a6_middle_phase),
        BOTH_SIDES("EQ-1, EQ-3: states to Active, Waiting, X_alu, X_mem", "eq_counters", eq3_states),
        BOTH_SIDES("EQ-A7: warps without an instruction are not active", "eq_counters", eq_a7_unaccounted),
        BOTH_SIDES("EQ-A10: a warp at a barrier is active and nothing else", "eq_counters", eq_a10_barrier),
        BOTH_SIDES("EQ-A8: XaluExclIssued", "eq_counters", eq_a8_issued),
        BOTH_SIDES("EQ-A9: XmemInclSlot", "eq_counters", eq_a9_slot),
        BOTH_SIDES("bus: reserved state codes behave as EMPTY", "eq_counters", reserved_codes_are_empty),
        BOTH_SIDES("PAUSE-2: paused warps do not count", "eq_counters", pause2_left_out),
        BOTH_SIDES("each warp slot counts", "eq_counters", every_slot),
        BOTH_SIDES("each of 64 warp slots counts", "eq_counters_warps64", every_slot),
        BOTH_SIDES("each of 5 warp slots counts", "eq_counters_small", every_slot),
        BOTH_SIDES("kernel start in every cycle of an epoch, last phase", "eq_counters_small", kernel_start_everywhere),
        BOTH_SIDES("kernel start in every cycle of an epoch, first phase", "eq_counters_first", kernel_start_everywhere),
        BOTH_SIDES("kernel start in every cycle of an epoch, middle phase", "eq_counters_warps64", kernel_start_everywhere),
        BOTH_SIDES("EQ-A20: the tick goes on over a kernel start", "eq_counters", eq_a20_tick_goes_on),
        BOTH_SIDES("kernel start at the end of an epoch: its sums are shown, then cleared", "eq_counters", kernel_start_at_epoch_end),
        BOTH_SIDES("enable 0 holds everything in every cycle, last phase", "eq_counters_small", enable_holds),
        BOTH_SIDES("enable 0 holds everything in every cycle, first phase", "eq_counters_first", enable_holds),
        BOTH_SIDES("reset works with enable 0", "eq_counters", reset_while_disabled),
        BOTH_SIDES("EQ-A4: overwritten sums wrap at their width", "eq_counters", modulo_base),
        BOTH_SIDES("EQ-A4: the width follows the geometry, 5 warps and 4 samples", "eq_counters_small", modulo_small),
        BOTH_SIDES("EQ-A4: the width follows the geometry, 64 warps", "eq_counters_warps64", modulo_64),
        BOTH_SIDES("EQ: 60 000 random cycles against counting", "eq_counters", random_cycles),
        BOTH_SIDES("EQ: random cycles against counting, first phase, issued warps", "eq_counters_first", random_cycles),
        BOTH_SIDES("EQ: random cycles against counting, 5 warps, lost slots", "eq_counters_small", random_cycles),
        BOTH_SIDES("EQ: random cycles against counting, 64 warps", "eq_counters_warps64", random_cycles),
        BOTH_SIDES("bus: bind fills everything but the settings, cut to the ports", "eq_counters", bind_leaves_settings),
        MODEL_ONLY("library: bits above the warp slots do not count", "eq_counters_small", model_ignores_other_slots),
        BOTH_SIDES("log: an epoch", "eq_counters", log_of_an_epoch),
    };
    return cmocka_run_group_tests_name("eq_counters", tests, NULL, NULL);
}
