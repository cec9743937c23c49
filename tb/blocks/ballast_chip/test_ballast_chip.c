/* SPDX-License-Identifier: Apache-2.0
 *
 * The chip as software and SMs see it, each rule on the model and on the RTL.
 */
#include "blocks/ballast_chip/bench.h"
#include "blocks/ballast_chip/draw_sms.h"
#include "blocks/ballast_chip/draw_state.h"

TEST(defaults)
{
    const ballast_chip_cfg cfg = ballast_chip_cfg_default();

    assert_int_equal(cfg.num_kernels, 2);
    assert_int_equal(cfg.governor.num_sms, 15);
    assert_int_equal(cfg.mcke.num_sms, 15);
    assert_int_equal(cfg.regs.num_kernels, 2);
    assert_int_equal(cfg.gwde.reg_units, 1024);
    assert_int_equal(cfg.mcke.sm.smem_units, 384);
}

RULE_EACH(reset_state, "reset: no kernel, no limit, levels normal; what is here", chips)
{
    cycle(b);
    expect(b, "irq_o=0 kernel_start_o=0 sm[0].limit_o=0 sm[0].cta_start_o=0 sm[1].cta_paused_o=0 sm_level_o=NORMAL mem_level_o=NORMAL");
    expect_register(b, BALLAST_REGS_ID, BALLAST_REGS_ID_RESET);
    expect_register(b, BALLAST_REGS_NUM_SMS, sms(b));
    expect_register(b, BALLAST_REGS_NUM_KERNELS, kernels(b));
    for (unsigned k = 0; k < kernels(b); k++)
        expect_register(b, BALLAST_REGS_KERNEL(k), BALLAST_REGS_KERNEL_IDLE | BALLAST_REGS_KERNEL_EXHAUSTED);
}

/* ---- CHIP-1: starts ----------------------------------------------------------------------- */

RULE_EACH(chip1_timing, "CHIP-1: START in cycle t, the kernel in t+1, its limit in t+2, the first CTA in t+4, of several kernels in t+5", chips)
{
    describe(b, 2, 1, 1, 1);
    start(b, 0);
    expect(b, "kernel_start_o=0");
    cycle(b);
    expect(b, "kernel_start_o=1 kernel_o=0 grid_o=2 warps_o=1 sm[0].limit_o=0");
    cycle(b);
    expect(b, "kernel_start_o=0 sm[0].limit_o=%u sm[0].cta_start_o=0", config(b)->gwde.sm.num_slots);
    cycle(b);
    for (unsigned n = 0; n < (kernels(b) == 1 ? 1 : 2); n++) { /* an SM is ready first; with mcke a kernel is chosen then */
        expect(b, "sm[0].cta_start_o=0");
        cycle(b);
    }
    expect(b, "sm[0].cta_start_o=1 start_cta_o=0 start_kernel_o=0");
}

RULE_EACH(chip1_a_kernel, "CHIP-1: a kernel from its description to its end, an interrupt, and the counters", chips)
{
    const unsigned last = kernels(b) - 1;

    b->lasts[last] = 30;
    write_register(b, BALLAST_REGS_ENABLE, BALLAST_REGS_PENDING_KERNEL_END);
    describe(b, 25, 2, 3, 1);
    start(b, last);
    run_to_end(b, last);
    cycle(b);
    expect(b, "irq_o=1");
    expect_register(b, BALLAST_REGS_PENDING, 1u << (BALLAST_REGS_PENDING_KERNEL_END_SHIFT + last));
    expect_register(b, BALLAST_REGS_LAUNCHES(last), 25);
    expect_register(b, BALLAST_REGS_KERNELS, 1);
    assert_int_equal(b->launched[last], 25);
    write_register(b, BALLAST_REGS_PENDING, BALLAST_REGS_PENDING_KERNEL_END);
    cycle(b);
    expect(b, "irq_o=0");
    start(b, last); /* again, as it stands */
    run_to_end(b, last);
    expect_register(b, BALLAST_REGS_LAUNCHES(last), 50);
}

RULE_EACH(chip1_refused_while_it_runs, "CHIP-1: a second start of a number that runs is refused, and disturbs nothing", chips)
{
    describe(b, 1000, 1, 1, 1);
    start(b, 0);
    cycles(b, 20);
    transfer(b, BALLAST_REGS_START, true, 0);
    expect(b, "pslverr_o=1");
    cycles(b, 3);
    expect_register(b, BALLAST_REGS_KERNELS, 1);
    expect_register(b, BALLAST_REGS_PENDING, BALLAST_REGS_PENDING_REFUSED);
}

RULE_EACH(chip1_too_big, "CHIP-1: a kernel of which no CTA fits an SM is reported and never launched", chips)
{
    describe(b, 5, 1, config(b)->gwde.reg_units + 1, 0);
    start(b, 0);
    cycles(b, 20);
    expect_register(b, BALLAST_REGS_PENDING, BALLAST_REGS_PENDING_TOO_BIG);
    expect_register(b, BALLAST_REGS_KERNEL(0), BALLAST_REGS_KERNEL_IDLE | BALLAST_REGS_KERNEL_EXHAUSTED | BALLAST_REGS_KERNEL_TOO_BIG);
    expect_register(b, BALLAST_REGS_LAUNCHES(0), 0);
}

RULE_EACH(chip1_each_too_big, "CHIP-1: the same of each kernel, with its own bits", chips)
{
    for (unsigned k = 0; k < kernels(b); k++) {
        describe(b, 5, 1, 0, config(b)->gwde.smem_units + 1);
        start(b, k);
        cycles(b, 3);
        expect_register(b, BALLAST_REGS_PENDING, BALLAST_REGS_PENDING_TOO_BIG);
        write_register(b, BALLAST_REGS_PENDING, BALLAST_REGS_PENDING_TOO_BIG);
        expect_register(b, BALLAST_REGS_KERNEL(k), BALLAST_REGS_KERNEL_IDLE | BALLAST_REGS_KERNEL_EXHAUSTED | BALLAST_REGS_KERNEL_TOO_BIG);
        b->lasts[k] = 10;
        describe(b, 1, 1, 0, 0); /* one that fits ends it */
        start(b, k);
        run_to_end(b, k);
        expect_register(b, BALLAST_REGS_KERNEL(k), BALLAST_REGS_KERNEL_IDLE | BALLAST_REGS_KERNEL_EXHAUSTED);
        write_register(b, BALLAST_REGS_PENDING, BALLAST_REGS_PENDING_KERNEL_END);
    }
}

/* ---- CHIP-2: governors ----------------------------------------------------------------------- */

RULE_EACH(chip2_static_limit, "CHIP-2: the static policy's limit holds on each SM from the next start on", chips)
{
    write_register(b, BALLAST_REGS_STATIC_LIMIT, 2);
    describe(b, 1000, 1, 1, 1);
    start(b, 0);
    cycles(b, 40);
    for (unsigned i = 0; i < sms(b); i++) {
        assert_int_equal(running(b, i, 0), 2);
        expect_register(b, BALLAST_REGS_LIMIT(i), 2);
    }
}

RULE_EACH(chip2_each_static_limit, "CHIP-2: each limit of the static policy, from a start to the next one", chips)
{
    b->lasts[0] = 10;
    for (uint32_t limit = 1; limit <= config(b)->gwde.sm.num_slots; limit++) {
        write_register(b, BALLAST_REGS_STATIC_LIMIT, limit);
        describe(b, 1, 1, 1, 1);
        start(b, 0);
        cycles(b, 3);
        for (unsigned i = 0; i < sms(b); i++)
            expect_register(b, BALLAST_REGS_LIMIT(i), limit);
        run_to_end(b, 0);
    }
}

RULE_EACH(chip2_nmax, "CHIP-2: NMAX is the limit where no policy says less", chips)
{
    write_register(b, BALLAST_REGS_NMAX, 3);
    describe(b, 1000, 1, 1, 1);
    start(b, 0);
    cycles(b, 40);
    for (unsigned i = 0; i < sms(b); i++)
        assert_int_equal(running(b, i, 0), 3);
}

RULE_EACH(chip2_resources, "CHIP-3: what fits is the dispatcher's business, whatever NMAX says", chips)
{
    describe(b, 1000, config(b)->gwde.num_warps / 2, 1, 1);
    start(b, 0);
    cycles(b, 40);
    for (unsigned i = 0; i < sms(b); i++)
        assert_int_equal(running(b, i, 0), 2);
}

/* SM 0 issues n instructions of the CTA in a slot. */
static void issue(bench *b, unsigned slot_, unsigned n)
{
    while (n--) {
        for (unsigned i = 0; i < sms(b); i++) {
            b->in.sm[i].issue_valid = 1;
            b->in.sm[i].issue_slot = slot_;
        }
        cycle(b);
        for (unsigned i = 0; i < sms(b); i++)
            b->in.sm[i].issue_valid = 0;
    }
}

RULE_EACH(chip2_lcs, "CHIP-2: LCS counts what each CTA issued, and its T_new is the limit when the first one finishes", chips)
{
    write_register(b, BALLAST_REGS_POLICY, 2);
    describe(b, 1000, 1, 1, 1);
    start(b, 0);
    cycles(b, 40);
    issue(b, 0, 4);
    issue(b, 1, 3);
    issue(b, 2, 1); /* 8 of 4: two CTAs */
    for (unsigned i = 0; i < sms(b); i++)
        b->slots[i][0].left = 1;
    cycles(b, 2 * config(b)->gwde.sm.num_slots + 4);
    for (unsigned i = 0; i < sms(b); i++)
        expect_register(b, BALLAST_REGS_LIMIT(i), 2);
    expect_register(b, BALLAST_REGS_DONE(0), (1u << sms(b)) - 1);
}

RULE_EACH(chip2_another_start, "CHIP-2: another kernel's start is a start for all governors, with its NMAX", shared)
{
    write_register(b, BALLAST_REGS_NMAX, 2);
    describe(b, 1000, 1, 1, 1);
    start(b, 0);
    cycles(b, 40);
    write_register(b, BALLAST_REGS_NMAX, 5);
    start(b, 1);
    cycles(b, 60);
    for (unsigned i = 0; i < sms(b); i++) {
        expect_register(b, BALLAST_REGS_LIMIT(i), 5);
        assert_int_equal(running(b, i, 0) + running(b, i, 1), 5);
    }
}

RULE_EACH(chip2_denied, "CHIP-2: a denial is heard in the cycle after", chips)
{
    describe(b, sms(b), 1, 1, 1);
    start(b, 0);
    cycles(b, 60);
    for (unsigned i = 0; i < sms(b); i++)
        assert_int_equal(state(b)->denied[i], 1); /* it asks for what there is no more of */
    describe(b, 1000, 1, 1, 1);
    assert_true(read_register(b, BALLAST_REGS_DENIALS) > sms(b));
}

/* Every warp of every SM is in this state. */
static void show_all(bench *b, unsigned warp_state)
{
    const unsigned warps = config(b)->governor.sm.num_warps;
    const uint64_t all = (UINT64_C(1) << warps) - 1;

    for (unsigned i = 0; i < sms(b); i++) {
        b->in.sm[i].ws0 = warp_state & 1 ? all : 0;
        b->in.sm[i].ws1 = warp_state & 2 ? all : 0;
        b->in.sm[i].ws2 = warp_state & 4 ? all : 0;
        b->in.sm[i].ws3 = warp_state & 8 ? all : 0;
    }
}

static void expect_paused(bench *b, unsigned most, unsigned paused)
{
    for (unsigned i = 0; i < sms(b); i++) {
        unsigned found = 0;

        for (unsigned n = 0; n < MOST_SLOTS; n++)
            found += b->out.sm[i].cta_paused >> n & 1;
        assert_int_equal(found, paused);
        assert_int_equal(b->out.sm[i].limit, most - paused);
    }
}

RULE_EACH(chip2_equalizer, "CHIP-2: Equalizer sees the warps of a kernel of so many per CTA: levels, limits, pauses", chips)
{
    const chip_governor_cfg *cfg = &config(b)->governor;
    const unsigned epoch = cfg->sm.counters.epoch, settled = cfg->sm_domain.transition + 10;

    write_register(b, BALLAST_REGS_POLICY, 3);
    describe(b, 1000, cfg->sm.num_warps / cfg->sm.num_slots, 1, 1);
    start(b, 0);
    show_all(b, BALLAST_WARP_ALU_BLOCKED);
    cycles(b, 2 * epoch + settled);
    expect(b, "sm_level_o=HIGH mem_level_o=NORMAL");
    assert_int_equal(read_register(b, BALLAST_REGS_SM_CHANGES), 1);
    expect_paused(b, cfg->sm.num_slots, 0);
    show_all(b, BALLAST_WARP_MEM_BLOCKED);
    cycles(b, (cfg->sm.throttle.hyst_epochs + 1) * epoch - settled);
    assert_true(b->out.sm[0].limit < cfg->sm.num_slots);
    expect_paused(b, cfg->sm.num_slots, cfg->sm.num_slots - b->out.sm[0].limit);
    cycles(b, settled);
    expect(b, "mem_level_o=HIGH");
}

/* ---- CHIP-3: two kernels ------------------------------------------------------------------------ */

RULE_EACH(chip3_quotas, "CHIP-3: two kernels share each SM by their quotas, and both end", shared)
{
    b->lasts[0] = 50;
    b->lasts[1] = 20;
    write_register(b, BALLAST_REGS_QUOTA(0), 2);
    write_register(b, BALLAST_REGS_QUOTA(1), 3);
    describe(b, 40, 2, 2, 1);
    start(b, 0);
    describe(b, 60, 1, 4, 2);
    start(b, 1);
    cycles(b, 30);
    for (unsigned n = 0; n < 60; n++) {
        cycle(b);
        for (unsigned i = 0; i < sms(b); i++) {
            assert_true(running(b, i, 0) <= 2);
            assert_true(running(b, i, 1) <= 3);
        }
    }
    run_to_end(b, 0);
    run_to_end(b, 1);
    expect_register(b, BALLAST_REGS_LAUNCHES(0), 40);
    expect_register(b, BALLAST_REGS_LAUNCHES(1), 60);
    expect_register(b, BALLAST_REGS_PENDING, 3u << BALLAST_REGS_PENDING_KERNEL_END_SHIFT);
}

RULE_EACH(chip3_apart, "CHIP-3: apart, each kernel has SMs of its own", shared)
{
    write_register(b, BALLAST_REGS_DISPATCH, 2);
    describe(b, 1000, 1, 1, 1);
    start(b, 0);
    start(b, 1);
    cycles(b, 60);
    for (unsigned i = 0; i < sms(b); i++) {
        assert_int_equal(running(b, i, 1 - i % kernels(b)), 0);
        assert_true(running(b, i, i % kernels(b)) > 0);
    }
}

RULE(chip3_pairs, "CHIP-3: a 2-D kernel goes in pairs where BCS says so", "ballast_chip_gwde")
{
    write_register(b, BALLAST_REGS_BCS, 1);
    write_register(b, BALLAST_REGS_TWO_D, 1);
    write_register(b, BALLAST_REGS_WIDTH, 4);
    describe(b, 12, 1, 1, 1);
    start(b, 0);
    cycles(b, 30);
    for (unsigned i = 0; i < sms(b); i++) /* SM 0 has CTAs 0 and 1 */
        for (unsigned n = 0; n < 4; n++)
            assert_int_equal(b->slots[i][n].cta, n / 2 * 2 * sms(b) + 2 * i + n % 2);
}

/* ---- CHIP-4: registers ------------------------------------------------------------------------- */

RULE_EACH(chip4_no_cta, "CHIP-4: a CTA that finishes where none ran is an error that software sees", chips)
{
    b->in.sm[1].cta_done = 1;
    cycle(b);
    expect_register(b, BALLAST_REGS_PENDING, BALLAST_REGS_PENDING_NO_CTA);
}

/* ---- twins ---------------------------------------------------------------------------------------- */

/* What the settings of the registers do to the governors, to the bit. */
static bool draw_settings(step_fixture *f, void *registers, void *inputs)
{
    ballast_chip_state *s = registers;

    memcpy(s, f->side[SIDE_MODEL].state, f->side[SIDE_MODEL].sizes.state); /* with no more SMs than there are */
    step_draw(f, PORT_IN, inputs);
    ballast_chip_draw_end_of_period(s, step_config(f), &f->seed);
    if (step_random(f, 2))
        ballast_chip_draw_known_kernel(s, step_config(f), &f->seed);
    return true;
}

SUITE_TESTS(twins, TWIN_CYCLES("twins: kernels over the bus, and anything on the SMs", chips, 0xc41b, 60000, ballast_chip_draw_all),
            EACH_TWIN_STEPS("twins: one step from 2000 states with settings beside what they are compared with", chips, 0x5e77, 2000, draw_settings))

/* ---- the log ---------------------------------------------------------------------------------------- */

RULE(log_of_a_chip, "log: an access, a kernel's start, a launch, a limit", "ballast_chip")
{
    describe(b, 3, 4, 5, 6);
    b->in.psel = b->in.pwrite = 1;
    b->in.paddr = BALLAST_REGS_START;
    b->in.pwdata = 1;
    cycle(b);
    b->in.penable = 1;
    expect_decision(b, "ballast_regs REG-3 write: address=188 value=1 | |", "0x0bc <- 1");
    b->in.psel = b->in.penable = 0;
    cycle(b);
    tell(b);
    assert_int_equal(told(), 3);
    assert_string_equal(told_record(0), "mcke GWDE-2 kernel_start: kernel=1 grid=3 warps=4 regs=5 smem=6 | | fits=yes");
    cycles(b, 4);
    tell(b);
    assert_string_equal(told_words(), "CTA 0 of kernel 1 to SM 0, slot 0: it has 1 there");
}
