/* SPDX-License-Identifier: Apache-2.0
 *
 * Equalizer's counters, each rule on the model and on the RTL.
 */
#include "sm/eq_counters.h"

#define BENCH_BLOCK eq_counters
#define BENCH_CYCLE
#include "engine/bench.h"
#include "engine/random.h"

static const char *const variants[] = {"eq_counters", "eq_counters_first", "eq_counters_small", "eq_counters_warps64",
                                       "eq_counters_uneven", "eq_counters_least", NULL};

/* The four sums, or what one cycle of a sample adds to them. */
typedef struct sums {
    uint32_t active, waiting, xalu, xmem;
} sums;

static sums plus(sums a, sums b)
{
    return (sums){a.active + b.active, a.waiting + b.waiting, a.xalu + b.xalu, a.xmem + b.xmem};
}

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

/* By its place in an interval: the first cycle of a sample. */
static uint32_t first_of_sample(const bench *b)
{
    return config(b)->sample_phase / config(b)->sample_cycles * config(b)->sample_cycles;
}

/* Does a sample look at this warp in this cycle? */
static bool looks_at(const bench *b, uint32_t time, unsigned warp)
{
    const uint32_t place = time % config(b)->sample_interval, first = first_of_sample(b);

    return place >= first && place < first + config(b)->sample_cycles && (place - first) == warp % config(b)->sample_cycles;
}

/* At how many warps? */
static uint32_t looks(const bench *b, uint32_t time)
{
    uint32_t n = 0;

    for (unsigned warp = 0; warp < config(b)->num_warps; warp++)
        n += looks_at(b, time, warp);
    return n;
}

static void run_to_cycle(bench *b, uint32_t target)
{
    for (uint32_t n = 0; state(b)->cycle != target; n++) {
        assert_true(n <= config(b)->epoch);
        cycle(b);
    }
}

/* Up to the next cycle in which an epoch ends, and that one. */
static void run_epoch(bench *b)
{
    run_to_cycle(b, 1);
    cycle(b);
    assert_int_equal(b->out.epoch_end, 1);
}

/* Up to the first cycle of the next sample. */
static void run_to_sample(bench *b)
{
    while (state(b)->cycle % config(b)->sample_interval != first_of_sample(b))
        cycle(b);
}

/* Up to the next sample, that one, and the cycle that adds the last of it. */
static void run_sample(bench *b)
{
    run_to_sample(b);
    cycles(b, config(b)->sample_cycles + 1);
}

/* The same, and nothing else is in the sums: a kernel starts with it. */
static void run_first_sample(bench *b)
{
    run_to_sample(b);
    b->in.kernel_start = 1;
    cycle(b);
    b->in.kernel_start = 0;
    cycles(b, config(b)->sample_cycles);
}

#define assert_sums(s, a, w, x, m)              \
    do {                                        \
        assert_int_equal((s)->active, a);       \
        assert_int_equal((s)->waiting, w);      \
        assert_int_equal((s)->xalu, x);         \
        assert_int_equal((s)->xmem, m);         \
    } while (0)

/* How many warps the next cycle adds. */
static sums to_add(const bench *b)
{
    const eq_counters_state *s = state(b);

    return (sums){(uint32_t)__builtin_popcountll(s->active_turn), (uint32_t)__builtin_popcountll(s->waiting_turn),
                  (uint32_t)__builtin_popcountll(s->xalu_turn), (uint32_t)__builtin_popcountll(s->xmem_turn)};
}

#define assert_to_add(b, a, w, x, m)            \
    do {                                        \
        const sums found = to_add(b);           \
        assert_sums(&found, a, w, x, m);        \
    } while (0)

/* ---- the epoch -------------------------------------------------------------------- */

RULE(reset_state, "reset: sums 0, nothing to add, cycle 2, no epoch end, also with enable 0", "eq_counters")
{
    for (unsigned enable = 0; enable < 2; enable++) {
        set_all(b, BALLAST_WARP_WAIT_MEM);
        b->in.enable = 1;
        cycles(b, 200);
        run_to_sample(b);
        cycles(b, 2);
        b->in.enable = (uint8_t)enable;
        cycle(b);
        assert_true(to_add(b).waiting != 0);
        dut_reset(&b->dut);
        assert_sums(state(b), 0, 0, 0, 0);
        assert_to_add(b, 0, 0, 0, 0);
        assert_int_equal(state(b)->cycle, 2);
        cycle(b);
        assert_int_equal(b->out.epoch_end, 0);
        assert_sums(&b->out, 0, 0, 0, 0);
        assert_int_equal(state(b)->cycle, 2 + enable);
    }
}

RULE(eq4_epoch_length, "EQ-4: an epoch is 4096 cycles", "eq_counters")
{
    assert_int_equal(config(b)->epoch, 4096);
    assert_int_equal(config(b)->sample_interval, 128);
    for (uint32_t i = 1; i <= 3 * 4096 + 5; i++) { /* i: cycles since the one before reset */
        cycle(b);
        expect(b, "epoch_end_o=%u cycle_q=%u", i % 4096 == 0, (i + 2) % 4096);
    }
}

/* What happens between two samples is not seen, what happens in a sample is. */
RULE(eq4_only_samples_count, "EQ-4: only what happens in a sample counts", "eq_counters")
{
    for (unsigned inside = 0; inside < 2; inside++) {
        do {
            set_all(b, (state(b)->cycle % 128 >= 112) == (inside != 0) ? BALLAST_WARP_MEM_BLOCKED : BALLAST_WARP_EMPTY);
            cycle(b);
        } while (!b->out.epoch_end);
        const uint32_t most = inside ? 32 * config(b)->num_warps : 0;
        assert_sums(&b->out, most, 0, 0, most);
    }
}

/* 1536 does not overflow 11 bits; each counter alone reaches its most. */
RULE(eq6_no_overflow, "EQ-4, EQ-5, EQ-6: 32 samples in an epoch, every sum reaches its most without overflow", "eq_counters")
{
    static const unsigned codes[] = {BALLAST_WARP_WAIT_MEM, BALLAST_WARP_ALU_BLOCKED, BALLAST_WARP_MEM_BLOCKED, BALLAST_WARP_BARRIER};
    const uint32_t most = 32 * config(b)->num_warps;

    for (unsigned i = 0; i < 4; i++) {
        set_all(b, codes[i]);
        run_epoch(b);
        assert_sums(&b->out, most, i == 0 ? most : 0, i == 1 ? most : 0, i == 2 ? most : 0);
        assert_sums(state(b), 0, 0, 0, 0);
    }
}

static bool holds_warps(const char *name)
{
    return strstr(name, "_turn") != NULL;
}

/* EQ-5, EQ-A5: in the paper's geometry the list of registers is 4 x 11 + 12 bits, and three warps for each sum. */
RULE(eq5_flip_flops, "EQ-5, EQ-A5: 4 x 11 + 12 flip-flops for 48 warps, and 4 x 3 of warps that are added next", "eq_counters")
{
    port_list list = {0};
    lockstep_values config;
    char bad[64];
    unsigned bits = 0, registers = 0, warps = 0;
    b->dut.block->model->configure(&config, "", bad, sizeof bad); /* the defaults are the paper's */
    assert_string_equal(bad, "");
    assert_int_equal(((const eq_counters_cfg *)(const void *)&config)->num_warps, 48);
    b->dut.block->model->list_ports(&config, &list);
    for (unsigned i = 0; i < list.num; i++) {
        if (list.ports[i].kind != PORT_REG)
            continue;
        if (holds_warps(list.ports[i].name)) {
            warps += list.ports[i].width;
            continue;
        }
        assert_int_equal(list.ports[i].width, !strcmp(list.ports[i].name, "cycle") ? 12 : 11);
        bits += list.ports[i].width;
        registers++;
    }
    port_list_free(&list);
    assert_int_equal(registers, 5);
    assert_int_equal(bits, 56);
    assert_int_equal(warps, 4 * 3);
}

/* The epoch's last cycle is added in the cycle after it, and the sums show it in the one after that. */
RULE(eq_a6_last_sample, "EQ-A6: the sample of the last cycles is in the epoch, decision in cycle 1", "eq_counters")
{
    run_to_cycle(b, 4080);
    set_all(b, BALLAST_WARP_WAIT_ALU);
    cycles(b, 16);
    assert_int_equal(b->out.epoch_end, 0);
    set_all(b, BALLAST_WARP_ALU_LOST); /* not a sample */
    cycle(b);
    assert_int_equal(b->out.epoch_end, 0);
    assert_sums(&b->out, config(b)->num_warps / 16 * 15, config(b)->num_warps / 16 * 15, 0, 0);
    cycle(b);
    assert_int_equal(b->out.epoch_end, 1);
    assert_sums(&b->out, config(b)->num_warps, config(b)->num_warps, 0, 0);
    assert_sums(state(b), 0, 0, 0, 0);
}

/* SamplePhase 0: the first sample of the next epoch is seen before the decision, and added at its edge. */
RULE(eq_a6_first_cycle, "EQ-A6: SamplePhase 0 samples in the cycle before the decision, for the next epoch", "eq_counters_first")
{
    const uint32_t warps = config(b)->num_warps;
    set_all(b, BALLAST_WARP_BARRIER);
    run_to_cycle(b, 0);
    set_all(b, BALLAST_WARP_MEM_BLOCKED);
    cycle(b);
    assert_int_equal(b->out.epoch_end, 0);
    assert_sums(state(b), 31 * warps, 0, 0, 0);
    assert_to_add(b, warps, 0, 0, warps);
    set_all(b, BALLAST_WARP_ALU_LOST); /* not a sample */
    cycle(b);
    assert_int_equal(b->out.epoch_end, 1);
    assert_sums(&b->out, 31 * warps, 0, 0, 0); /* the one at cycle 0 lay before the reset */
    assert_sums(state(b), warps, 0, 0, warps);
    set_all(b, BALLAST_WARP_BARRIER);
    run_epoch(b);
    assert_sums(&b->out, 32 * warps, 0, 0, warps);
}

/* Cycles 4 to 7 of 16: warps 0, 4, 8 and so on in the first of them. */
RULE(eq_a6_middle_phase, "EQ-A6: SamplePhase in the middle of the interval", "eq_counters_warps64")
{
    static const unsigned warps[] = {0, 1, 62, 63};

    for (unsigned i = 0; i < 4; i++) {
        reopen_bench(b, "eq_counters_warps64");
        set_all(b, BALLAST_WARP_EMPTY);
        set_warp(b, warps[i], BALLAST_WARP_ALU_LOST);
        for (uint32_t expected = 0; state(b)->cycle != 1; ) {
            const bool looks = state(b)->cycle % 16 == 4 + i;

            cycle(b);
            assert_sums(state(b), expected, 0, expected, 0);
            assert_to_add(b, looks, 0, looks, 0);
            expected += looks;
        }
        assert_int_equal(state(b)->active, 32);
    }
}

/* Cycles 0 to 7 of 32, SamplePhase is 3: a sample has the cycle of the decision. After reset it lacks its first two cycles. */
RULE(eq_a6_early_phase, "EQ-A6: a sample around SamplePhase that has the cycle of the decision", "eq_counters_uneven")
{
    set_all(b, BALLAST_WARP_BARRIER);
    run_epoch(b);
    assert_sums(&b->out, 8 * 13 - 4, 0, 0, 0); /* warps 0 and 8 have their turn in cycle 0, 1 and 9 in cycle 1 */
    assert_sums(state(b), 2, 0, 0, 0);
    assert_to_add(b, 2, 0, 0, 0);
    cycles(b, 4);
    assert_sums(state(b), 2 + 4 * 2, 0, 0, 0); /* warps 1 and 9 to 4 and 12 */
    cycles(b, 3);
    assert_sums(state(b), 13, 0, 0, 0); /* 5, 6, 7 */
    run_epoch(b);
    assert_sums(&b->out, 8 * 13, 0, 0, 0);
}

/* Epoch 4, SampleInterval 2, one cycle 0 or 2: the sample of cycle 0 is in the sums of the epoch that ends in cycle 1 of the next. */
RULE(eq4_least_epoch, "EQ-4: the shortest epoch has two samples, and the first one after reset has one", "eq_counters_least")
{
    const uint32_t warps = config(b)->num_warps;

    set_all(b, BALLAST_WARP_WAIT_MEM);
    cycles(b, 2); /* 2 and 3 */
    assert_sums(state(b), warps, warps, 0, 0);
    set_all(b, BALLAST_WARP_MEM_BLOCKED);
    cycle(b);
    assert_int_equal(b->out.epoch_end, 0);
    set_all(b, BALLAST_WARP_EMPTY);
    cycle(b);
    assert_int_equal(b->out.epoch_end, 1);
    assert_sums(&b->out, warps, warps, 0, 0);
    assert_sums(state(b), warps, 0, 0, warps);
    set_all(b, BALLAST_WARP_ALU_LOST);
    run_epoch(b);
    assert_sums(&b->out, 2 * warps, 0, warps, warps);
}

/* The sums of an epoch are over when its last cycle is added: a kernel that starts in this cycle finds an epoch of nothing. */
RULE(kernel_start_in_cycle_0, "kernel start in cycle 0: the epoch that ends has no sample left, the start's own is in the next", "eq_counters_least")
{
    const uint32_t warps = config(b)->num_warps;

    set_all(b, BALLAST_WARP_MEM_BLOCKED);
    run_to_cycle(b, 0);
    b->in.kernel_start = 1;
    cycle(b);
    b->in.kernel_start = 0;
    cycle(b);
    assert_int_equal(b->out.epoch_end, 1);
    assert_sums(&b->out, 0, 0, 0, 0);
    assert_sums(state(b), warps, 0, 0, warps);
    run_epoch(b);
    assert_sums(&b->out, 2 * warps, 0, 0, 2 * warps);
}

/* The paper's geometry: three warps in each of 16 cycles. */
RULE(eq4_spread, "EQ-4: each cycle of a sample has the warps of its remainder", "eq_counters")
{
    const uint32_t by_cycle = config(b)->num_warps / 16;

    assert_int_equal(config(b)->sample_cycles, 16);
    run_to_cycle(b, 112);
    for (unsigned i = 0; i < 16; i++) {
        set_all(b, BALLAST_WARP_EMPTY);
        for (unsigned warp = i; warp < config(b)->num_warps; warp += 16)
            set_warp(b, warp, BALLAST_WARP_MEM_BLOCKED);
        cycle(b);
        assert_sums(state(b), i * by_cycle, 0, 0, i * by_cycle);
        assert_to_add(b, by_cycle, 0, 0, by_cycle);
    }
    set_all(b, BALLAST_WARP_MEM_BLOCKED);
    cycles(b, 112);
    assert_sums(state(b), config(b)->num_warps, 0, 0, config(b)->num_warps);
}

/* ---- which warp counts where -------------------------------------------------------- */

/* What a warp in this state adds to the sums. Reserved codes behave as BALLAST_WARP_EMPTY. */
static sums counts_of(const bench *b, unsigned code)
{
    static const sums counts[16] = {
        [BALLAST_WARP_BARRIER] = {1, 0, 0, 0},    [BALLAST_WARP_WAIT_ALU] = {1, 1, 0, 0},   [BALLAST_WARP_WAIT_MEM] = {1, 1, 0, 0},
        [BALLAST_WARP_ALU_LOST] = {1, 0, 1, 0},   [BALLAST_WARP_ALU_BLOCKED] = {1, 0, 1, 0}, [BALLAST_WARP_MEM_LOST] = {1, 0, 0, 0},
        [BALLAST_WARP_MEM_BLOCKED] = {1, 0, 0, 1}, [BALLAST_WARP_ISSUED_ALU] = {1, 0, 0, 0}, [BALLAST_WARP_ISSUED_MEM] = {1, 0, 0, 0}};
    sums n = counts[code];

    n.xalu += code == BALLAST_WARP_ISSUED_ALU && !config(b)->xalu_excl_issued; /* EQ-A8 */
    n.xmem += code == BALLAST_WARP_MEM_LOST && config(b)->xmem_incl_slot;      /* EQ-A9 */
    return n;
}

/* What the cycle at this time adds. */
static sums by_counting(const bench *b, uint32_t time)
{
    sums n = {0};

    for (unsigned warp = 0; warp < config(b)->num_warps; warp++)
        if (looks_at(b, time, warp) && !(b->in.paused >> warp & 1))
            n = plus(n, counts_of(b, warp_code(b, warp)));
    return n;
}

RULE(eq3_states, "EQ-1, EQ-3, EQ-A7 to EQ-A10: states to Active, Waiting, X_alu, X_mem under each reading", "eq_counters")
{
    static const struct { const char *variant; unsigned xalu_excl_issued, xmem_incl_slot; } cases[] = {
        {"eq_counters", 1, 0}, {"eq_counters_first", 0, 0}, {"eq_counters_small", 1, 1}};

    for (unsigned i = 0; i < 3 * 16; i++) {
        const unsigned code = i % 16;
        sums want;
        uint32_t n;

        reopen_bench(b, cases[i / 16].variant);
        n = config(b)->num_warps;
        assert_int_equal(config(b)->xalu_excl_issued, cases[i / 16].xalu_excl_issued);
        assert_int_equal(config(b)->xmem_incl_slot, cases[i / 16].xmem_incl_slot);
        set_all(b, code);
        run_first_sample(b);
        want = counts_of(b, code);
        want = (sums){n * want.active, n * want.waiting, n * want.xalu, n * want.xmem};
        if (state(b)->active != want.active || state(b)->waiting != want.waiting || state(b)->xalu != want.xalu ||
            state(b)->xmem != want.xmem)
            fail_msg("%s: warps in state %u", cases[i / 16].variant, code);
    }
}

RULE(pause2_left_out, "PAUSE-2: paused warps do not count", "eq_counters")
{
    for (unsigned warp = 0; warp < config(b)->num_warps; warp++)
        set_warp(b, warp, warp % 11);
    b->in.paused = port_mask(b);
    run_sample(b);
    assert_sums(state(b), 0, 0, 0, 0);
    b->in.paused = port_mask(b) & ~UINT64_C(0) << 11; /* one of each kind is left */
    run_sample(b);
    assert_sums(state(b), 9, 2, 2, 1);
    b->in.paused |= UINT64_C(1) << BALLAST_WARP_WAIT_MEM | UINT64_C(1) << BALLAST_WARP_BARRIER | UINT64_C(1) << BALLAST_WARP_MEM_BLOCKED;
    run_sample(b);
    assert_sums(state(b), 9 + 6, 2 + 1, 2 + 2, 1);
}

/* Each warp slot counts once in a sample, in its cycle, and only the slots that there are. */
RULE_EACH(every_slot, "each warp slot counts: 48, 5, 64 and 13", variants)
{
    for (unsigned warp = 0; warp < config(b)->num_warps; warp++) {
        unsigned counted = 0;

        set_all(b, BALLAST_WARP_EMPTY);
        run_to_sample(b);
        set_warp(b, warp, BALLAST_WARP_WAIT_ALU);
        b->in.kernel_start = 1; /* clears */
        for (unsigned i = 0; i < config(b)->sample_cycles; i++) {
            const bool looks = looks_at(b, state(b)->cycle, warp);

            cycle(b);
            b->in.kernel_start = 0;
            assert_sums(state(b), counted, counted, 0, 0);
            assert_to_add(b, looks, looks, 0, 0);
            counted += looks;
        }
        cycle(b);
        assert_sums(state(b), 1, 1, 0, 0);
        assert_int_equal(counted, 1);
    }
}

/* ---- kernel starts and enable ---------------------------------------------------------- */

/* In every cycle of an epoch: the sums start anew, the cycle goes on, a sample in the same cycle counts, the cycle before does not. */
RULE_EACH(kernel_start_everywhere, "kernel start in every cycle of an epoch, its end included, in each phase", variants)
{
    const uint32_t epoch = config(b)->epoch;
    uint32_t gain = 0;

    set_all(b, BALLAST_WARP_MEM_BLOCKED);
    run_to_cycle(b, 0);
    for (uint32_t i = 0; i < 2 * epoch; i++) { /* in even cycles, then in odd ones */
        const bool starts = i % 2 == i / epoch;
        const uint32_t at = i % epoch, seen = looks(b, at);
        const eq_counters_state before = *state(b);

        b->in.kernel_start = starts;
        cycle(b);
        assert_int_equal(b->out.epoch_end, at == 1);
        assert_sums(&b->out, before.active, 0, 0, before.xmem);
        assert_to_add(b, seen, 0, 0, seen);
        assert_int_equal(state(b)->cycle, (at + 1) % epoch);
        if (starts) {
            assert_sums(state(b), 0, 0, 0, 0);
            gain = seen;
        } else if (i && i != epoch) {
            assert_sums(state(b), gain, 0, 0, gain);
        }
    }
}

/* EQ-A20: the tick does not move with a kernel; the new kernel's first epoch is shorter. */
RULE(eq_a20_tick_goes_on, "EQ-A20: the tick goes on over a kernel start", "eq_counters")
{
    set_warp(b, 0, BALLAST_WARP_WAIT_MEM);
    run_to_cycle(b, 1000);
    b->in.kernel_start = 1;
    cycle(b);
    b->in.kernel_start = 0;
    run_epoch(b);
    assert_sums(&b->out, 25, 25, 0, 0); /* samples at 1023, 1151 ... 4095 */
    run_epoch(b);
    assert_sums(&b->out, 32, 32, 0, 0);
}

/* The warps that the sample looked at before are the old kernel's. */
RULE(kernel_start_in_a_sample, "kernel start in the middle of a sample: its other cycles are the new kernel's", "eq_counters")
{
    const uint32_t warps = config(b)->num_warps;

    set_all(b, BALLAST_WARP_MEM_BLOCKED);
    run_to_cycle(b, 1012); /* the fifth of 16 */
    assert_int_equal(state(b)->active, 7 * warps + warps / 16 * 3);
    assert_int_equal(to_add(b).active, warps / 16); /* lost, too */
    b->in.kernel_start = 1;
    cycle(b);
    b->in.kernel_start = 0;
    cycles(b, 12);
    assert_int_equal(state(b)->active, warps / 4 * 3);
    run_epoch(b);
    assert_int_equal(b->out.active, 24 * warps + warps / 4 * 3);
}

/* In every cycle of an epoch: whatever the bus does, nothing moves. */
RULE_EACH(enable_holds, "enable 0 holds everything in every cycle, in each phase", variants)
{
    const uint32_t epoch = config(b)->epoch;
    set_all(b, BALLAST_WARP_WAIT_ALU);
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
            assert_int_equal(state(b)->active_turn, before.active_turn);
            assert_int_equal(state(b)->waiting_turn, before.waiting_turn);
            assert_int_equal(state(b)->xalu_turn, before.xalu_turn);
            assert_int_equal(state(b)->xmem_turn, before.xmem_turn);
            assert_int_equal(state(b)->cycle, before.cycle);
        }
        b->in.enable = 1;
        b->in.kernel_start = 0;
        cycle(b);
        assert_int_equal(b->out.epoch_end, before.cycle == 1); /* comes late, but comes */
        assert_int_equal(state(b)->cycle, (before.cycle + 1) % epoch);
    }
}

/* Registers that were overwritten: sums wrap at their width, which follows the geometry. */
RULE(modulo, "EQ-A4: overwritten sums wrap at their width: 48, 5 and 64 warps", "eq_counters")
{
    static const struct { const char *variant; uint32_t ones; } cases[] = {
        {"eq_counters_small", 31}, {"eq_counters_warps64", 4095}, {"eq_counters", 2047}};

    for (unsigned i = 0; i < 3; i++) {
        reopen_bench(b, cases[i].variant);
        const uint32_t at = config(b)->sample_interval + first_of_sample(b);
        const uint32_t ones = i == 2 && config(b)->num_warps != 48 ? 4095 : cases[i].ones;
        const eq_counters_state full = {.cycle = at, .active = ones, .waiting = ones, .xalu = ones, .xmem = ones};

        load(b, &full);
        set_warp(b, 0, BALLAST_WARP_WAIT_ALU);
        set_warp(b, 1, BALLAST_WARP_ALU_LOST);
        set_warp(b, 2, BALLAST_WARP_MEM_BLOCKED);
        cycle(b);
        expect(b, "active_o=%u waiting_o=%u xalu_o=%u xmem_o=%u", ones, ones, ones, ones);
        cycles(b, config(b)->sample_cycles);
        expect(b, "active_q=2 waiting_q=0 xalu_q=0 xmem_q=0 cycle_q=%u", at + config(b)->sample_cycles + 1);
    }
}

/* ---- at random ---------------------------------------------------------------------------- */

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
RULE_EACH(random_cycles, "EQ: random cycles against counting, in each phase, geometry and reading", variants)
{
    const unsigned length = config(b)->epoch == 4096 ? 60000 : 20000;
    uint64_t seed = 4096;
    uint32_t time = 2;
    sums sum = {0}, late = {0};
    unsigned epochs = 0;
    for (unsigned i = 0; i < length; i++) {
        randomize(b, &seed, 1 + config(b)->epoch / 2);
        cycle(b);
        const bool ends = b->in.enable && time == 1;

        assert_int_equal(b->out.epoch_end, ends);
        assert_sums(&b->out, sum.active, sum.waiting, sum.xalu, sum.xmem);
        epochs += ends;
        if (b->in.enable) {
            if (ends || b->in.kernel_start)
                sum = (sums){0};
            if (!b->in.kernel_start)
                sum = plus(sum, late);
            late = by_counting(b, time);
            time = time + 1 == config(b)->epoch ? 0 : time + 1;
        }
        assert_int_equal(state(b)->cycle, time);
        assert_sums(state(b), sum.active, sum.waiting, sum.xalu, sum.xmem);
        assert_to_add(b, late.active, late.waiting, late.xalu, late.xmem);
    }
    assert_true(epochs >= length / config(b)->epoch * 3 / 4);
    assert_true(config(b)->epoch / config(b)->sample_interval >= 2);
}

/* ---- the bus -------------------------------------------------------------------------------- */

RULE(bind_leaves_settings, "bus: bind fills everything but the settings, cut to the ports", "eq_counters")
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
MODEL_RULE_EACH(model_ignores_other_slots, "library: bits above the warp slots do not count", ONE_VARIANT("eq_counters_small"))
{
    const uint64_t all = ~UINT64_C(0);
    const eq_counters_in in = {.ws0 = all, .ws1 = all, .enable = 1}; /* WAIT_ALU everywhere */
    eq_counters_state s = {.cycle = 4};
    eq_counters_out out;
    b->dut.block->model->step(&s, config(b), &in, &out);
    assert_int_equal(s.active_turn, 1); /* warp 4, not 20 */
    b->dut.block->model->step(&s, config(b), &in, &out);
    assert_sums(&s, 1, 1, 0, 0);
    assert_int_equal(s.active_turn, 0); /* not 5 */
}

MODEL_RULE_EACH(model_ignores_a_slot_of_the_same_turn, "library: nor where a warp slot has its turn", ONE_VARIANT("eq_counters_uneven"))
{
    const uint64_t all = ~UINT64_C(0);
    const eq_counters_in in = {.ws0 = all, .ws1 = all, .enable = 1}; /* WAIT_ALU everywhere */
    eq_counters_state s = {.cycle = 4};
    eq_counters_out out;
    b->dut.block->model->step(&s, config(b), &in, &out);
    assert_int_equal(s.active_turn, 3); /* warps 4 and 12 */
    b->dut.block->model->step(&s, config(b), &in, &out);
    assert_sums(&s, 2, 2, 0, 0);
    assert_int_equal(s.active_turn, 1); /* warp 5, not 13 */
}

RULE(log_of_an_epoch, "log: an epoch", "eq_counters")
{
    b->out = (eq_counters_out){.active = 1008, .waiting = 643, .xalu = 0, .xmem = 102, .epoch_end = 1};
    b->told = 6;
    tell(b);
    expect_told("eq_counters EQ-4 epoch: epoch=7 active=1008 waiting=643 xalu=0 xmem=102 | |",
                "epoch 7: active 1008, waiting 643, X_alu 0, X_mem 102 "
                              "(/32: 31.5, 20.0, 0.0, 3.1 warps)");
}
