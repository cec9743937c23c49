/* SPDX-License-Identifier: Apache-2.0
 *
 * Counters, sticky bits and the interrupt, each rule on the model and on the RTL.
 */
#include "blocks/ballast_regs/bench.h"

static const char *const watching[] = {"ballast_regs", "ballast_regs_sms1", "ballast_regs_sms256", NULL};

static unsigned last_sm(const bench *b)
{
    return config(b)->num_sms - 1;
}

static uint32_t last_slot(const bench *b)
{
    return UINT32_C(1) << (config(b)->num_slots - 1);
}

/* ---- REG-5: counters ------------------------------------------------------------------------- */

RULE_EACH(reg5_transitions, "REG-5: a change of a level counts where it begins, of each domain apart", variants)
{
    b->in.sm_busy = 1;
    cycles(b, 5);
    expect(b, "sm_changes_q=1 mem_changes_q=0");
    b->in.mem_busy = 1;
    b->in.sm_busy = 0;
    cycles(b, 5);
    expect(b, "sm_changes_q=1 mem_changes_q=1");
    b->in.sm_busy = 1;
    b->in.mem_busy = 0;
    cycle(b);
    b->in.sm_busy = 0;
    cycle(b);
    b->in.sm_busy = 1; /* at once again */
    cycle(b);
    b->in.sm_busy = 0;
    expect_register(b, BALLAST_REGS_SM_CHANGES, 3);
    expect_register(b, BALLAST_REGS_MEM_CHANGES, 1);
}

RULE_EACH(reg5_limits, "REG-5: limit changes: one for each SM whose limit is not that of the cycle before", variants)
{
    const unsigned sms = config(b)->num_sms;

    for (unsigned i = 0; i < sms; i++) {
        b->in.sm[i].limit = 1;
        cycle(b);
        expect(b, "limit_changes_q=%u", i > 1 ? i - 1 : 0); /* added up in two cycles more */
    }
    cycles(b, 2);
    expect(b, "limit_changes_q=%u", sms);
    cycles(b, 3);
    expect(b, "limit_changes_q=%u", sms);
    for (unsigned i = 0; i < sms; i++)
        b->in.sm[i].limit = 0; /* all at once, down */
    cycles(b, 2);
    expect(b, "limit_changes_q=%u", sms);
    cycle(b);
    expect(b, "limit_changes_q=%u", 2 * sms);
    b->in.sm[0].limit = (uint8_t)config(b)->num_slots; /* by more than one is one change, too */
    cycle(b);
    b->in.sm[0].limit = 0;
    cycles(b, 2);
    expect_register(b, BALLAST_REGS_LIMIT_CHANGES, 2 * sms + 2); /* with SETUP it is there */
}

RULE_EACH(reg5_denials, "REG-5: denials: each cycle of each SM", variants)
{
    const unsigned sms = config(b)->num_sms;

    for (unsigned i = 0; i < sms; i++) {
        b->in.sm[i].denied = 1;
        cycle(b);
        expect(b, "denials_q=%u", i > 1 ? (i - 1) * i / 2 : 0); /* added up in two cycles more */
    }
    for (unsigned i = 0; i < sms; i++)
        b->in.sm[i].denied = 0;
    cycles(b, 2);
    expect(b, "denials_q=%u", sms * (sms + 1) / 2);
    cycles(b, 3);
    expect_register(b, BALLAST_REGS_DENIALS, sms * (sms + 1) / 2);
}

RULE_EACH(reg5_launches_and_kernels, "REG-5: launches; starts of kernels that the dispatcher takes", variants)
{
    b->in.start_valid = 1;
    cycles(b, 7);
    b->in.start_valid = 0;
    cycle(b);
    for (unsigned k = 1; k < config(b)->num_kernels; k++) {
        b->in.start_valid = 1;
        b->in.start_kernel = (uint8_t)k;
        cycles(b, k);
    }
    b->in.start_valid = 0;
    b->in.start_kernel = 0;
    expect_write_refused(b, BALLAST_REGS_START, 0); /* while a kernel runs */
    b->in.idle = 1;
    for (unsigned n = 0; n < 3; n++)
        write_register(b, BALLAST_REGS_START, 0);
    for (unsigned k = 0; k < config(b)->num_kernels; k++)
        expect_register(b, BALLAST_REGS_LAUNCHES(k), k ? k : 7);
    expect_register(b, BALLAST_REGS_KERNELS, 3);
    expect(b, "sm_changes_q=0 mem_changes_q=0 limit_changes_q=0 denials_q=0");
}

enum { COUNTERS = 6 };

static uint32_t address_of(unsigned n)
{
    return n == COUNTERS - 1 ? BALLAST_REGS_LAUNCHES(0) : BALLAST_REGS_SM_CHANGES + 4 * n;
}

/* What many SMs do is added up in two cycles before it counts. */
static unsigned delay_of(unsigned n)
{
    return address_of(n) == BALLAST_REGS_LIMIT_CHANGES || address_of(n) == BALLAST_REGS_DENIALS ? 2 : 0;
}

/* A cycle with what adds to each counter, once. A start counts in the cycle after its write. */
static void cycle_with_events(bench *b)
{
    ballast_regs_state s = *state(b);

    s.start = 1;
    load(b, &s);
    b->in.sm_busy = b->in.mem_busy = b->in.start_valid = 1;
    b->in.sm[last_sm(b)].limit ^= 1;
    b->in.sm[last_sm(b)].denied = 1;
    cycle(b);
    b->in.sm_busy = b->in.mem_busy = b->in.start_valid = 0;
    b->in.sm[last_sm(b)].denied = 0;
}

static uint32_t counter(const bench *b, unsigned n)
{
    const ballast_regs_state *s = state(b);
    const uint32_t counters[] = {s->sm_changes, s->mem_changes, s->limit_changes, s->denials, s->kernels, s->launches[0]};

    return counters[n];
}

static void load_counters(bench *b, uint32_t value)
{
    ballast_regs_state s = *state(b);

    s.sm_changes = s.mem_changes = s.limit_changes = s.launches[0] = s.denials = s.kernels = value;
    load(b, &s);
}

RULE_EACH(reg5_clear, "REG-5: a write of 0 clears that counter alone, in the cycle after it", variants)
{
    for (unsigned n = 0; n < COUNTERS; n++) {
        load_counters(b, 100);
        write_register(b, address_of(n), 0);
        assert_int_equal(counter(b, n), 100);
        cycle(b);
        for (unsigned other = 0; other < COUNTERS; other++)
            assert_int_equal(counter(b, other), other == n ? 0 : 100);
        cycles(b, 3);
        assert_int_equal(counter(b, n), 0);
    }
}

RULE_EACH(reg5_clear_with_event, "REG-5: what counts in the cycle of a clear counts from 0 on", variants)
{
    enum { SETUP = 3, ACCESS, CLEAR, END = 10 };

    for (unsigned n = 0; n < COUNTERS; n++)
        for (unsigned event = 0; event + 3 < END; event++) {
            load_counters(b, 100);
            for (unsigned at = 0; at < END; at++) {
                if (at == SETUP)
                    select_register(b, address_of(n), true, 0);
                b->in.penable = at == ACCESS;
                if (at == event)
                    cycle_with_events(b);
                else
                    cycle(b);
                if (at == ACCESS)
                    release(b);
            }
            for (unsigned other = 0; other < COUNTERS; other++)
                assert_int_equal(counter(b, other), other != n ? 101 : event + delay_of(n) >= CLEAR);
        }
}

RULE_EACH(reg5_only_zero_clears, "REG-5, REG-2: no other value clears", variants)
{
    for (unsigned n = 0; n < COUNTERS; n++) {
        load_counters(b, 100);
        for (unsigned bit = 0; bit < 32; bit++)
            expect_write_refused(b, address_of(n), UINT32_C(1) << bit);
        assert_int_equal(counter(b, n), 100);
    }
}

RULE_EACH(reg5_stays_at_its_end, "REG-5: a counter that would wrap stays at its end", variants)
{
    load_counters(b, UINT32_MAX - 1);
    for (unsigned n = 0; n < 3; n++) {
        cycle_with_events(b);
        cycles(b, 2);
        for (unsigned other = 0; other < COUNTERS; other++)
            assert_int_equal(counter(b, other), UINT32_MAX);
    }
    for (unsigned n = 0; n < COUNTERS; n++)
        expect_register(b, address_of(n), UINT32_MAX);
}

RULE_EACH(reg5_every_bit, "REG-5: a counter counts over each of its bits, and a clear clears each", variants)
{
    for (unsigned bit = 0; bit < 32; bit++) {
        load_counters(b, (UINT32_C(1) << bit) - 1);
        cycle_with_events(b);
        cycles(b, 2);
        for (unsigned n = 0; n < COUNTERS; n++)
            assert_int_equal(counter(b, n), UINT32_C(1) << bit);
        for (unsigned n = 0; n < COUNTERS; n++) {
            write_register(b, address_of(n), 0);
            expect_register(b, address_of(n), 0);
        }
    }
}

/* A cycle in which each SM is denied a CTA and has another limit, and those until it counts. */
static void all_at_once(bench *b)
{
    for (unsigned i = 0; i < config(b)->num_sms; i++) {
        b->in.sm[i].denied = 1;
        b->in.sm[i].limit ^= 1;
    }
    cycle(b);
    for (unsigned i = 0; i < config(b)->num_sms; i++)
        b->in.sm[i].denied = 0;
    cycles(b, 2);
}

RULE_EACH(reg5_several_at_the_end, "REG-5: several events at once stop at the end, too", variants)
{
    const unsigned sms = config(b)->num_sms;

    for (unsigned room = 0; room <= sms; room++) {
        load_counters(b, UINT32_MAX - room);
        all_at_once(b);
        expect(b, "denials_q=%u limit_changes_q=%u", UINT32_MAX, UINT32_MAX);
        load_counters(b, UINT32_MAX - sms - room);
        all_at_once(b);
        expect(b, "denials_q=%u limit_changes_q=%u", UINT32_MAX - room, UINT32_MAX - room);
    }
}

/* ---- REG-6: sticky bits ---------------------------------------------------------------------------- */

static void expect_pending(bench *b, uint32_t bits)
{
    expect(b, "pending_q=%u", bits);
    cycle(b);
    expect(b, "pending_q=%u", bits); /* it stays */
    write_register(b, BALLAST_REGS_PENDING, bits);
    expect(b, "pending_q=0");
}

RULE_EACH(reg6_too_big, "REG-6: a kernel too big, in the cycle after its start, each one, and by its number", variants)
{
    const unsigned kernels = config(b)->num_kernels;

    b->in.idle = b->in.too_big = (uint8_t)((1u << kernels) - 1); /* of kernels long ago */
    cycles(b, 3);
    expect(b, "pending_q=0");
    for (unsigned k = 0; k < kernels; k++) {
        write_register(b, BALLAST_REGS_START, k);
        expect(b, "pending_q=0 start_q=1 kernel_q=%u", k);
        cycle(b);
        expect(b, "pending_q=0 start_o=1 start_q=0 started_q=1");
        cycle(b);
        expect_pending(b, BALLAST_REGS_PENDING_TOO_BIG);
        b->in.too_big ^= (uint8_t)(1u << k); /* this one fits, the others do not */
        write_register(b, BALLAST_REGS_START, k);
        cycles(b, 3);
        expect(b, "pending_q=0");
        b->in.too_big ^= (uint8_t)(1u << k);
    }
}

/* A cycle of the last slot of the last SM. */
static void slot(bench *b, bool start, bool active, bool done)
{
    ballast_regs_sm_in *sm = &b->in.sm[last_sm(b)];

    sm->cta_start = start ? last_slot(b) : 0;
    sm->cta_active = active ? last_slot(b) : 0;
    sm->cta_done = done ? last_slot(b) : 0;
    cycle(b);
    sm->cta_start = sm->cta_done = 0;
}

RULE_EACH(reg6_in_use, "REG-6: a launch into a slot in use", watching)
{
    slot(b, true, true, false);
    slot(b, false, true, false);
    expect(b, "pending_q=0");
    slot(b, true, true, false);
    expect_pending(b, BALLAST_REGS_PENDING_IN_USE);
    slot(b, false, true, true); /* it finishes, and the slot is free */
    slot(b, true, true, false);
    slot(b, true, true, true); /* one takes the other's place */
    expect(b, "pending_q=0");
    slot(b, true, true, false); /* and is there */
    expect_pending(b, BALLAST_REGS_PENDING_IN_USE);
    slot(b, false, false, false); /* gone without a word */
    slot(b, true, true, true);    /* launched, and finished in the same cycle */
    slot(b, true, true, false);
    expect(b, "pending_q=0");
}

RULE_EACH(reg6_each_slot, "REG-6: the same for each slot of each SM, and not from one to another", watching)
{
    const unsigned sms = config(b)->num_sms, slots = config(b)->num_slots;

    for (unsigned n = 0; n < sms * slots; n++) {
        ballast_regs_sm_in *sm = &b->in.sm[n / slots];

        if (config(b)->num_sms > 100 && n % 7)
            continue;
        sm->cta_active = UINT32_C(1) << n % slots;
        cycle(b);
        for (unsigned i = 0; i < sms; i++)
            b->in.sm[i].cta_start = ~sm->cta_active & (slots < 32 ? (UINT32_C(1) << slots) - 1 : UINT32_MAX);
        for (unsigned i = 0; i < sms; i++)
            b->in.sm[i].cta_start |= &b->in.sm[i] == sm ? 0 : sm->cta_active;
        cycle(b);
        expect(b, "pending_q=0");
        for (unsigned i = 0; i < sms; i++)
            b->in.sm[i].cta_start = 0;
        sm->cta_start = sm->cta_done = sm->cta_active; /* one takes the other's place */
        cycle(b);
        expect(b, "pending_q=0");
        sm->cta_done = 0;
        cycle(b);
        sm->cta_start = 0;
        expect_pending(b, BALLAST_REGS_PENDING_IN_USE);
        sm->cta_active = 0;
        cycle(b);
    }
}

RULE_EACH(reg6_beside, "REG-6: the same while the CTA of another slot finishes", watching)
{
    const unsigned sms = config(b)->num_sms, slots = config(b)->num_slots;

    for (unsigned n = 0; n < sms * slots * slots; n += sms > 100 ? 97 : 1) {
        ballast_regs_sm_in *sm = &b->in.sm[n / slots / slots];
        const uint32_t one = UINT32_C(1) << n / slots % slots, other = UINT32_C(1) << n % slots;

        if (one == other)
            continue;
        sm->cta_active = one | other;
        cycle(b);
        sm->cta_start = one;
        sm->cta_done = other;
        cycle(b);
        sm->cta_start = sm->cta_done = 0;
        expect_pending(b, BALLAST_REGS_PENDING_IN_USE);
        sm->cta_active = one | other;
        cycle(b);
        sm->cta_start = one;
        sm->cta_done = one | other;
        cycle(b);
        sm->cta_start = sm->cta_done = sm->cta_active = 0;
        expect(b, "pending_q=0");
        cycle(b);
    }
}

RULE(reg6_not_watched, "REG-6: without WatchSlots no launch is an error", "ballast_regs_sms33")
{
    for (unsigned n = 0; n < 5; n++)
        slot(b, true, true, false);
    expect(b, "pending_q=0 held_q[32]=0");
}

RULE_EACH(reg6_no_cta, "REG-6: a CTA that finishes where none was", variants)
{
    slot(b, true, true, true); /* launched and finished in one cycle */
    expect(b, "pending_q=0");
    slot(b, false, true, true);
    expect(b, "pending_q=0");
    slot(b, false, false, true);
    expect_pending(b, BALLAST_REGS_PENDING_NO_CTA);
    for (unsigned i = 0; i < config(b)->num_sms; i++)
        for (unsigned j = 0; j < config(b)->num_slots; j++) { /* each slot by itself, and with a CTA in it */
            b->in.sm[i].cta_done = UINT32_C(1) << j;
            cycle(b);
            b->in.sm[i].cta_done = 0;
            expect_pending(b, BALLAST_REGS_PENDING_NO_CTA);
            b->in.sm[i].cta_active = b->in.sm[i].cta_done = UINT32_C(1) << j;
            cycle(b);
            b->in.sm[i].cta_active = b->in.sm[i].cta_done = 0;
            expect(b, "pending_q=0");
        }
}

RULE_EACH(reg6_limit, "REG-6: a limit above the slots of an SM", variants)
{
    const uint32_t slots = config(b)->num_slots;

    for (unsigned i = 0; i < config(b)->num_sms; i++) {
        b->in.sm[i].limit = (uint8_t)slots;
        cycle(b);
        expect(b, "pending_q=0");
        if ((slots & (slots + 1)) == 0) /* no code is left above it */
            continue;
        b->in.sm[i].limit = (uint8_t)(slots + 1);
        cycle(b);
        b->in.sm[i].limit = 0;
        expect_pending(b, BALLAST_REGS_PENDING_LIMIT);
    }
}

RULE_EACH(reg6_kernel_end, "REG-6: the last CTA of a kernel has gone, of each kernel by itself", variants)
{
    const unsigned all = (1u << config(b)->num_kernels) - 1;

    expect(b, "running_q=0");
    b->in.idle = (uint8_t)all; /* after reset there is no kernel that could end */
    cycles(b, 3);
    expect(b, "pending_q=0");
    for (unsigned bits = 1; bits <= all; bits++) {
        b->in.idle = (uint8_t)(all & ~bits);
        cycles(b, 3);
        expect(b, "pending_q=0");
        b->in.idle = (uint8_t)all;
        cycle(b);
        expect_pending(b, bits << BALLAST_REGS_PENDING_KERNEL_END_SHIFT);
        cycles(b, 3);
        expect(b, "pending_q=0");
    }
}

RULE_EACH(reg6_refused, "REG-6: an access that is refused, a read, too", variants)
{
    transfer(b, BALLAST_REGS_ID, true, 0);
    expect_pending(b, BALLAST_REGS_PENDING_REFUSED);
    transfer(b, BALLAST_REGS_LIMIT(0) - 4, false, 0);
    expect_pending(b, BALLAST_REGS_PENDING_REFUSED);
}

RULE_EACH(reg6_clears_what_is_1, "REG-6: a 1 clears its bit, a 0 leaves it, and other values are refused", variants)
{
    for (uint32_t bits = 0; bits < 512; bits++) {
        ballast_regs_state s = *state(b);

        s.pending = 511;
        load(b, &s);
        write_register(b, BALLAST_REGS_PENDING, bits);
        expect_register(b, BALLAST_REGS_PENDING, 511 & ~bits);
    }
    write_register(b, BALLAST_REGS_PENDING, 511);
    for (unsigned bit = 9; bit < 32; bit++)
        expect_write_refused(b, BALLAST_REGS_PENDING, UINT32_C(1) << bit);
}

RULE_EACH(reg6_set_wins, "REG-6: a cause in the cycle of the clear wins", variants)
{
    ballast_regs_state s = *state(b);

    s.pending = 511;
    s.running = 1;
    s.setup = 1;
    load(b, &s);
    select_register(b, BALLAST_REGS_PENDING, true, 511);
    b->in.penable = b->in.idle = 1;
    b->in.sm[0].cta_done = 1;
    cycle(b);
    expect(b, "pslverr_o=0 pending_q=%u", 1 << BALLAST_REGS_PENDING_KERNEL_END_SHIFT | BALLAST_REGS_PENDING_NO_CTA);
}

/* ---- REG-7: the interrupt -------------------------------------------------------------------------- */

RULE_EACH(reg7_each_bit, "REG-7: each bit with each enable", variants)
{
    for (unsigned pending = 0; pending < 512; pending++)
        for (unsigned enable = pending % 5; enable < 512; enable += 5 + pending % 13) {
            ballast_regs_state s = *state(b);

            s.pending = (uint16_t)pending;
            s.enable = (uint16_t)enable;
            s.running = 0;
            load(b, &s);
            cycle(b);
            expect(b, "irq_o=%u pending_q=%u", (pending & enable) != 0, pending);
        }
}

RULE_EACH(reg7_rises_and_falls, "REG-7: it rises with the bit, falls with the clear or the enable, and waits for its enable", variants)
{
    write_register(b, BALLAST_REGS_ENABLE, BALLAST_REGS_PENDING_REFUSED);
    transfer(b, BALLAST_REGS_ID, true, 0);
    expect(b, "irq_o=0"); /* from registers: one cycle later */
    cycle(b);
    expect(b, "irq_o=1");
    write_register(b, BALLAST_REGS_PENDING, BALLAST_REGS_PENDING_REFUSED);
    cycle(b);
    expect(b, "irq_o=0");
    write_register(b, BALLAST_REGS_ENABLE, 0);
    transfer(b, BALLAST_REGS_ID, true, 0);
    cycles(b, 3);
    expect(b, "irq_o=0 pending_q=1");
    write_register(b, BALLAST_REGS_ENABLE, 1);
    cycle(b);
    expect(b, "irq_o=1");
    write_register(b, BALLAST_REGS_ENABLE, 510);
    cycle(b);
    expect(b, "irq_o=0 pending_q=1");
}

/* ---- the rules in a driver's words ------------------------------------------------------------------- */

/* What a driver does: who are you, settings, a kernel, an interrupt at its end, numbers. */
RULE(driver, "a driver: settings, a kernel, its end, what happened", "ballast_regs")
{
    b->in.idle = 3;
    assert_int_equal(read_register(b, BALLAST_REGS_ID), BALLAST_REGS_ID_RESET);
    write_register(b, BALLAST_REGS_POLICY, 4);
    write_register(b, BALLAST_REGS_T_MEM_H, read_register(b, BALLAST_REGS_DYN_PERIOD) / 2);
    write_register(b, BALLAST_REGS_T_MEM_L, 500);
    write_register(b, BALLAST_REGS_ENABLE, BALLAST_REGS_PENDING_KERNEL_END);
    write_register(b, BALLAST_REGS_GRID, 10);
    write_register(b, BALLAST_REGS_WARPS, 6);
    write_register(b, BALLAST_REGS_START, 1);
    cycle(b);
    expect(b, "start_o=1 kernel_o=1 grid_o=10 warps_o=6 wcta_o=6 nmax_o=8");
    b->in.idle = 1;
    for (unsigned n = 0; n < 30; n++) { /* the policy moves SM 3's limit */
        b->in.start_valid = n % 3 == 0;
        b->in.start_kernel = 1;
        b->in.sm[3].limit = (uint8_t)(n / 10 + 2);
        cycle(b);
        expect(b, "irq_o=0 start_o=0 policy_o=dyncta t_mem_l_o=500 t_mem_h_o=1024");
    }
    b->in.start_valid = 0;
    b->in.idle = 3;
    cycles(b, 2);
    expect(b, "irq_o=1");
    assert_int_equal(read_register(b, BALLAST_REGS_PENDING), 2 << BALLAST_REGS_PENDING_KERNEL_END_SHIFT);
    write_register(b, BALLAST_REGS_PENDING, BALLAST_REGS_PENDING_KERNEL_END);
    assert_int_equal(read_register(b, BALLAST_REGS_LAUNCHES(1)), 10);
    assert_int_equal(read_register(b, BALLAST_REGS_LAUNCHES(0)), 0);
    assert_int_equal(read_register(b, BALLAST_REGS_LIMIT_CHANGES), 3);
    assert_int_equal(read_register(b, BALLAST_REGS_KERNELS), 1);
    assert_int_equal(read_register(b, BALLAST_REGS_LIMIT(3)), 4);
    cycle(b);
    expect(b, "irq_o=0 pending_q=0");
}
