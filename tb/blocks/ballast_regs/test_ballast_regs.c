/* SPDX-License-Identifier: Apache-2.0
 *
 * The bus, the settings and what is read, each rule on the model and on the RTL. Addresses come from the header that is made for
 * drivers; the model has them from the page. So a list that is not the page's is found here, too.
 */
#include "blocks/ballast_regs/bench.h"
#include "blocks/ballast_regs/draw.h"

TEST(defaults)
{
    const ballast_regs_cfg cfg = ballast_regs_cfg_default();

    assert_int_equal(cfg.num_kernels, 2);
    assert_int_equal(cfg.num_sms, 15);
    assert_int_equal(cfg.num_slots, 8);
    assert_int_equal(cfg.num_warps, 48);
    assert_int_equal(cfg.reg_units, 1024);
    assert_int_equal(cfg.smem_units, 384);
    assert_int_equal(cfg.dyn_period, 2048);
    assert_int_equal(cfg.watch_slots, 1);
}

static uint32_t at_most(const bench *b, uint32_t value)
{
    return value < config(b)->dyn_period ? value : config(b)->dyn_period;
}

static void expect_reset_values(bench *b)
{
    expect_register(b, BALLAST_REGS_POLICY, 0);
    expect_register(b, BALLAST_REGS_STATIC_LIMIT, 0);
    expect_register(b, BALLAST_REGS_T_IDLE, at_most(b, BALLAST_REGS_T_IDLE_RESET));
    expect_register(b, BALLAST_REGS_T_MEM_L, at_most(b, BALLAST_REGS_T_MEM_L_RESET));
    expect_register(b, BALLAST_REGS_T_MEM_H, at_most(b, BALLAST_REGS_T_MEM_H_RESET));
    expect_register(b, BALLAST_REGS_MODE, BALLAST_REGS_MODE_RESET);
    expect_register(b, BALLAST_REGS_BCS, 0);
    expect_register(b, BALLAST_REGS_DISPATCH, 0);
    for (uint32_t word = BALLAST_REGS_GRID; word <= BALLAST_REGS_START; word += 4)
        expect_register(b, word, word == BALLAST_REGS_NMAX ? config(b)->num_slots : 0);
    for (unsigned k = 0; k < config(b)->num_kernels; k++) {
        expect_register(b, BALLAST_REGS_QUOTA(k), config(b)->num_slots);
        expect_register(b, BALLAST_REGS_LAUNCHES(k), 0);
    }
    expect_register(b, BALLAST_REGS_PENDING, 0);
    expect_register(b, BALLAST_REGS_ENABLE, 0);
    for (uint32_t counter = BALLAST_REGS_SM_CHANGES; counter <= BALLAST_REGS_KERNELS; counter += 4)
        expect_register(b, counter, 0);
}

RULE_EACH(reset_state, "reset: static without a limit, thresholds of the page, nothing pending", variants)
{
    cycle(b);
    expect(b, "policy_o=static static_limit_o=0 mode_o=PERFORMANCE bcs_o=0 irq_o=0 pready_o=1 prdata_o=0 pslverr_o=0");
    expect(b, "dispatch_o=0 start_o=0 nmax_o=%u grid_o=0 warps_o=0 wcta_o=0", config(b)->num_slots);
    expect(b, "t_idle_o=%u t_mem_l_o=%u t_mem_h_o=%u", at_most(b, 16), at_most(b, 128), at_most(b, 384));
    expect_reset_values(b);
    write_register(b, BALLAST_REGS_POLICY, 2);
    write_register(b, BALLAST_REGS_T_MEM_L, 0);
    write_register(b, BALLAST_REGS_ENABLE, 511);
    write_register(b, BALLAST_REGS_BCS, 1);
    write_register(b, BALLAST_REGS_DISPATCH, 2);
    write_register(b, BALLAST_REGS_GRID, 77);
    write_register(b, BALLAST_REGS_NMAX, 1);
    write_register(b, BALLAST_REGS_QUOTA(config(b)->num_kernels - 1), 0);
    expect_write_refused(b, BALLAST_REGS_POLICY, 6);
    select_register(b, BALLAST_REGS_POLICY, true, 1); /* reset between SETUP and ACCESS: no access */
    cycle(b);
    dut_reset(&b->dut);
    b->in.penable = 1;
    cycle(b);
    expect(b, "pslverr_o=1 policy_q=static pending_q=1 enable_q=0");
    dut_reset(&b->dut);
    release(b);
    expect_reset_values(b);
}

/* ---- REG-1: phases ----------------------------------------------------------------------- */

RULE_EACH(reg1_access_in_one_cycle, "REG-1: a write takes effect at the edge of its ACCESS phase, and not before", variants)
{
    select_register(b, BALLAST_REGS_POLICY, true, 3);
    cycle(b);
    expect(b, "policy_q=static policy_o=static setup_q=1");
    b->in.penable = 1;
    cycle(b);
    expect(b, "policy_q=equalizer policy_o=static setup_q=0");
    release(b);
    cycle(b);
    expect(b, "policy_o=equalizer");
}

RULE_EACH(reg1_back_to_back, "REG-1: a SETUP phase right after an ACCESS phase", variants)
{
    for (unsigned n = 0; n < 20; n++) {
        select_register(b, BALLAST_REGS_POLICY, n % 2 == 0, n % 5);
        cycle(b);
        b->in.penable = 1;
        cycle(b);
        expect(b, "pslverr_o=0 prdata_o=%u", n % 2 == 0 ? 0 : (n - 1) % 5);
    }
}

RULE_EACH(reg1_dropped, "REG-1: a SETUP phase without an ACCESS phase has no effect", variants)
{
    select_register(b, BALLAST_REGS_POLICY, true, 1);
    cycle(b);
    release(b);
    cycle(b);
    expect(b, "policy_q=static pending_q=0 pslverr_o=0");
    b->in.penable = 1; /* nobody is selected */
    b->in.pwrite = 1;
    cycles(b, 3);
    expect(b, "policy_q=static pending_q=0 pslverr_o=0 prdata_o=0 setup_q=0");
    b->in.psel = 1; /* and then it is no access */
    cycle(b);
    expect(b, "policy_q=static pending_q=1 pslverr_o=1");
}

RULE_EACH(reg1_what_counts_is_the_access_phase, "REG-1: address, direction and data are those of the ACCESS phase", variants)
{
    select_register(b, BALLAST_REGS_ID, false, 77);
    cycle(b);
    select_register(b, BALLAST_REGS_POLICY, true, 4);
    cycle(b); /* the master thinks anew: a second SETUP phase */
    select_register(b, BALLAST_REGS_MODE, true, 0);
    b->in.penable = 1;
    cycle(b);
    expect(b, "policy_q=static mode_q=ENERGY pending_q=0");
}

RULE_EACH(reg1_enable_stays, "REG-1, REG-2: PENABLE that stays at 1 is one access, and refused from then on", variants)
{
    select_register(b, BALLAST_REGS_POLICY, true, 1);
    cycle(b);
    b->in.penable = 1;
    cycle(b);
    expect(b, "policy_q=perfsat pslverr_o=0 pending_q=0");
    b->in.pwdata = 2;
    cycle(b);
    expect(b, "policy_q=perfsat pslverr_o=1 pending_q=1");
    b->in.pwrite = 0;
    cycle(b);
    expect(b, "pslverr_o=1 prdata_o=0");
}

/* ---- REG-2: refusals ------------------------------------------------------------------------ */

static bool is_one_of(uint32_t address, uint32_t base, uint32_t words)
{
    return address >= base && address < base + 4 * words;
}

/* A word of a kernel that can be written. */
static bool of_a_kernel(const bench *b, uint32_t address)
{
    const uint32_t kernels = config(b)->num_kernels;

    return address % 4 == 0 && (is_one_of(address, BALLAST_REGS_QUOTA(0), kernels) || is_one_of(address, BALLAST_REGS_LAUNCHES(0), kernels));
}

static bool is_window(const bench *b, uint32_t address)
{
    return is_one_of(address, BALLAST_REGS_KERNEL(0), config(b)->num_kernels) || address >= BALLAST_REGS_LIMIT(0) ? address < BALLAST_REGS_LIMIT(config(b)->num_sms)
                                            : address >= BALLAST_REGS_DONE(0) && address < BALLAST_REGS_DONE((config(b)->num_sms + 31) / 32);
}

static const uint32_t read_only[] = {BALLAST_REGS_ID, BALLAST_REGS_VERSION, BALLAST_REGS_NUM_SMS, BALLAST_REGS_NUM_SLOTS,
                                     BALLAST_REGS_DYN_PERIOD, BALLAST_REGS_NUM_KERNELS, BALLAST_REGS_DOMAINS};
/* 0 is a legal value of each of these, but of T_MEM_H where T_MEM_L is not 0; of START while kernel 0 is idle. NMAX takes 1. */
static const uint32_t writable[] = {BALLAST_REGS_POLICY, BALLAST_REGS_STATIC_LIMIT, BALLAST_REGS_T_IDLE, BALLAST_REGS_T_MEM_L,
                                    BALLAST_REGS_T_MEM_H, BALLAST_REGS_MODE, BALLAST_REGS_BCS, BALLAST_REGS_DISPATCH, BALLAST_REGS_PENDING,
                                    BALLAST_REGS_ENABLE, BALLAST_REGS_GRID, BALLAST_REGS_WIDTH, BALLAST_REGS_TWO_D, BALLAST_REGS_WARPS,
                                    BALLAST_REGS_REGS, BALLAST_REGS_SMEM, BALLAST_REGS_NMAX, BALLAST_REGS_START, BALLAST_REGS_KERNEL_ID,
                                    BALLAST_REGS_SM_CHANGES, BALLAST_REGS_MEM_CHANGES, BALLAST_REGS_LIMIT_CHANGES,
                                    BALLAST_REGS_DENIALS, BALLAST_REGS_KERNELS};

enum { READ_ONLY = sizeof read_only / sizeof *read_only, WRITABLE = sizeof writable / sizeof *writable };

static bool among(const uint32_t *list, unsigned num, uint32_t address)
{
    for (unsigned n = 0; n < num; n++)
        if (list[n] == address)
            return true;
    return false;
}

RULE_EACH(reg2_every_address, "REG-2: each of the 4096 addresses, read and written", variants)
{
    b->in.idle = 1;
    for (uint32_t address = 0; address < 0x1000; address++) {
        const bool writes = among(writable, WRITABLE, address) || of_a_kernel(b, address);
        const bool reads = writes || among(read_only, READ_ONLY, address) || (address % 4 == 0 && is_window(b, address));

        if (address == BALLAST_REGS_T_MEM_H)
            write_register(b, BALLAST_REGS_T_MEM_L, 0);
        transfer(b, address, false, 0);
        expect(b, "pslverr_o=%u", !reads);
        transfer(b, address, true, address == BALLAST_REGS_NMAX);
        expect(b, "pslverr_o=%u", !writes);
    }
}

RULE_EACH(reg2_misaligned, "REG-2: an address that is no multiple of 4 is none, and nothing changes", variants)
{
    for (uint32_t offset = 1; offset < 4; offset++) {
        expect_write_refused(b, BALLAST_REGS_POLICY + offset, 1);
        expect_read_refused(b, BALLAST_REGS_POLICY + offset);
        expect_read_refused(b, BALLAST_REGS_LIMIT(0) + offset);
        expect_read_refused(b, BALLAST_REGS_DONE(0) + offset);
    }
}

RULE_EACH(reg2_read_only, "REG-2: a write to what is read only changes nothing", variants)
{
    for (unsigned n = 0; n < READ_ONLY; n++)
        expect_write_refused(b, read_only[n], 0);
    for (unsigned k = 0; k < config(b)->num_kernels; k++)
        expect_write_refused(b, BALLAST_REGS_KERNEL(k), 0);
    expect_write_refused(b, BALLAST_REGS_LIMIT(0), 0);
    expect_write_refused(b, BALLAST_REGS_DONE(0), 0);
}

RULE_EACH(reg2_whole_words, "REG-2: a write of a part of a word is refused, a read ignores the strobes", variants)
{
    for (unsigned strobes = 0; strobes < 16; strobes++) {
        b->in.pstrb = (uint8_t)strobes;
        transfer(b, BALLAST_REGS_POLICY, true, 3);
        expect(b, "pslverr_o=%u policy_q=%u", strobes != 15, strobes == 15 ? 3 : 0);
        b->in.pstrb = (uint8_t)strobes;
        expect_register(b, BALLAST_REGS_ID, 0x424c5354);
        b->in.pstrb = 15;
        write_register(b, BALLAST_REGS_POLICY, 0);
    }
}

RULE_EACH(reg2_protection_is_ignored, "REG-2: PPROT is ignored", variants)
{
    for (unsigned protection = 0; protection < 8; protection++) {
        b->in.pprot = (uint8_t)protection;
        write_register(b, BALLAST_REGS_POLICY, protection % 6);
        expect_register(b, BALLAST_REGS_POLICY, protection % 6);
    }
}

/* ---- REG-3: ranges --------------------------------------------------------------------------- */

/* Every value from 0 to its most, the next ones, and each bit above: the register takes just the former. */
static void check_range(bench *b, uint32_t address, uint32_t most)
{
    const uint32_t step = most > 300 ? most / 150 : 1;

    for (uint32_t value = 0; value <= most; value += step) {
        write_register(b, address, value);
        expect_register(b, address, value);
    }
    write_register(b, address, most);
    expect_register(b, address, most);
    expect_write_refused(b, address, most + 1);
    expect_write_refused(b, address, most + 2);
    for (unsigned bit = 0; bit < 32; bit++)
        if (UINT32_C(1) << bit > most)
            expect_write_refused(b, address, UINT32_C(1) << bit);
    expect_write_refused(b, address, UINT32_MAX);
    expect_register(b, address, most);
}

RULE_EACH(reg3_ranges, "REG-3: each setting takes the values of its range and no other", variants)
{
    check_range(b, BALLAST_REGS_POLICY, 5);
    check_range(b, BALLAST_REGS_KERNEL_ID, 255);
    check_range(b, BALLAST_REGS_STATIC_LIMIT, config(b)->num_slots);
    check_range(b, BALLAST_REGS_T_IDLE, config(b)->dyn_period);
    check_range(b, BALLAST_REGS_MODE, 1);
    check_range(b, BALLAST_REGS_BCS, 1);
    check_range(b, BALLAST_REGS_DISPATCH, 3);
    check_range(b, BALLAST_REGS_ENABLE, 511);
    check_range(b, BALLAST_REGS_TWO_D, 1);
    check_range(b, BALLAST_REGS_WARPS, config(b)->num_warps + ONE_BEYOND);
    check_range(b, BALLAST_REGS_REGS, config(b)->reg_units + ONE_BEYOND);
    check_range(b, BALLAST_REGS_SMEM, config(b)->smem_units + ONE_BEYOND);
    for (unsigned k = 0; k < config(b)->num_kernels; k++)
        check_range(b, BALLAST_REGS_QUOTA(k), config(b)->num_slots);
    write_register(b, BALLAST_REGS_T_MEM_L, 0);
    check_range(b, BALLAST_REGS_T_MEM_H, config(b)->dyn_period);
    check_range(b, BALLAST_REGS_T_MEM_L, config(b)->dyn_period);
}

RULE_EACH(reg3_outputs, "REG-3: each setting is at its own output", variants)
{
    write_register(b, BALLAST_REGS_T_MEM_L, 0);
    write_register(b, BALLAST_REGS_T_MEM_H, 2);
    write_register(b, BALLAST_REGS_T_MEM_L, 1);
    write_register(b, BALLAST_REGS_T_IDLE, 0);
    write_register(b, BALLAST_REGS_STATIC_LIMIT, config(b)->num_slots);
    write_register(b, BALLAST_REGS_POLICY, 4);
    write_register(b, BALLAST_REGS_MODE, 0);
    write_register(b, BALLAST_REGS_BCS, 1);
    write_register(b, BALLAST_REGS_DISPATCH, 2);
    cycle(b);
    expect(b, "dispatch_o=2 policy_o=dyncta static_limit_o=%u t_idle_o=0 t_mem_l_o=1 t_mem_h_o=2 mode_o=ENERGY bcs_o=1", config(b)->num_slots);
}

RULE_EACH(reg3_order_of_thresholds, "REG-3: T_MEM_L is never above T_MEM_H, whatever the order of writes", variants)
{
    const uint32_t most = config(b)->dyn_period;

    write_register(b, BALLAST_REGS_T_MEM_L, 0);
    write_register(b, BALLAST_REGS_T_MEM_H, 1);
    expect_write_refused(b, BALLAST_REGS_T_MEM_L, 2);
    write_register(b, BALLAST_REGS_T_MEM_L, 1); /* equal: one threshold */
    expect_write_refused(b, BALLAST_REGS_T_MEM_H, 0);
    write_register(b, BALLAST_REGS_T_MEM_H, most); /* both up: the upper one first */
    write_register(b, BALLAST_REGS_T_MEM_L, most);
    expect_write_refused(b, BALLAST_REGS_T_MEM_H, most - ONE_BEYOND);
    write_register(b, BALLAST_REGS_T_MEM_L, 0); /* both down: the lower one first */
    write_register(b, BALLAST_REGS_T_MEM_H, 0);
    expect_write_refused(b, BALLAST_REGS_T_MEM_L, 1);
}

/* ---- REG-4, REG-8: reads ----------------------------------------------------------------------- */

RULE_EACH(reg4_constants, "REG-4: what is here, and how large it is", variants)
{
    expect_register(b, BALLAST_REGS_ID, BALLAST_REGS_ID_RESET);
    expect_register(b, BALLAST_REGS_ID, 'B' << 24 | 'L' << 16 | 'S' << 8 | 'T');
    expect_register(b, BALLAST_REGS_VERSION, BALLAST_REGS_VERSION_RESET);
    expect_register(b, BALLAST_REGS_NUM_SMS, config(b)->num_sms);
    expect_register(b, BALLAST_REGS_NUM_SLOTS, config(b)->num_slots);
    expect_register(b, BALLAST_REGS_DYN_PERIOD, config(b)->dyn_period);
    expect_register(b, BALLAST_REGS_NUM_KERNELS, config(b)->num_kernels);
}

RULE_EACH(reg4_a_read_changes_nothing, "REG-4: a read of any address changes nothing but for REFUSED", variants)
{
    write_register(b, BALLAST_REGS_ENABLE, 510);
    load(b, state(b));
    for (uint32_t address = 0; address < 0x1000; address++) {
        ballast_regs_state before = *state(b);

        transfer(b, address, false, UINT32_MAX);
        before.pending |= b->out.pslverr;
        before.setup = 0;
        assert_memory_equal(&before, state(b), sizeof before);
    }
}

RULE_EACH(reg8_domains, "REG-8: each field of DOMAINS is its input of the ACCESS phase", variants)
{
    for (unsigned n = 0; n < 256; n++) {
        b->in.sm_level = n & 3;
        b->in.mem_level = n >> 2 & 3;
        b->in.sm_busy = n >> 4 & 1;
        b->in.mem_busy = n >> 5 & 1;
        b->in.sm_stall = n >> 6 & 1;
        b->in.mem_stall = n >> 7 & 1;
        expect_register(b, BALLAST_REGS_DOMAINS, n);
    }
    b->in.sm_level = 2;
    b->in.mem_stall = 0;
    assert_int_equal(read_register(b, BALLAST_REGS_DOMAINS) & BALLAST_REGS_DOMAINS_SM_LEVEL, 2);
    assert_int_equal(read_register(b, BALLAST_REGS_DOMAINS) & BALLAST_REGS_DOMAINS_MEM_STALL, 0);
    assert_int_equal((read_register(b, BALLAST_REGS_DOMAINS) & BALLAST_REGS_DOMAINS_MEM_LEVEL) >> BALLAST_REGS_DOMAINS_MEM_LEVEL_SHIFT, 3);
    select_register(b, BALLAST_REGS_DOMAINS, false, 0); /* what it was in the SETUP phase is past */
    cycle(b);
    b->in.sm_level = 1;
    b->in.penable = 1;
    cycle(b);
    assert_int_equal(b->out.prdata & 3, 1);
    b->in.sm_level = 0;
}

RULE_EACH(reg8_each_kernel, "REG-8: each field of each kernel's word is its input", variants)
{
    for (unsigned k = 0; k < config(b)->num_kernels; k++)
        for (unsigned n = 0; n < 8; n++) {
            b->in.idle = (n & 1) << k;
            b->in.exhausted = (uint8_t)((n >> 1 & 1) << k);
            b->in.too_big = (uint8_t)((n >> 2 & 1) << k);
            for (unsigned other = 0; other < config(b)->num_kernels; other++)
                expect_register(b, BALLAST_REGS_KERNEL(other), other == k ? n : 0);
        }
    if (BALLAST_REGS_KERNEL(config(b)->num_kernels) != BALLAST_REGS_GRID)
        expect_read_refused(b, BALLAST_REGS_KERNEL(config(b)->num_kernels));
}

RULE_EACH(reg8_each_sm, "REG-8: each SM's limit and whether it is done", variants)
{
    const unsigned sms = config(b)->num_sms;

    for (unsigned i = 0; i < sms; i++)
        b->in.sm[i].limit = (uint8_t)((i * 7 + 1) % (config(b)->num_slots + 1));
    for (unsigned i = 0; i < sms; i++) {
        b->in.sm[i].done = 1;
        expect_register(b, BALLAST_REGS_LIMIT(i), (i * 7 + 1) % (config(b)->num_slots + 1));
        for (unsigned word = 0; word < (sms + 31) / 32; word++)
            expect_register(b, BALLAST_REGS_DONE(word), word == i / 32 ? UINT32_C(1) << i % 32 : 0);
        b->in.sm[i].done = 0;
    }
    for (unsigned i = 0; i < sms; i++)
        b->in.sm[i].done = 1;
    for (unsigned word = 0; word < (sms + 31) / 32; word++)
        expect_register(b, BALLAST_REGS_DONE(word), sms - 32 * word < 32 ? (UINT32_C(1) << (sms - 32 * word)) - 1 : UINT32_MAX);
    expect_read_refused(b, BALLAST_REGS_LIMIT(sms));
    expect_read_refused(b, BALLAST_REGS_DONE((sms + 31) / 32));
}

/* ---- twins ---------------------------------------------------------------------------------------- */

static void draw_sms(ballast_regs_in *in, const ballast_regs_cfg *cfg, uint64_t *seed)
{
    const unsigned mood = random_below(seed, 4);

    for (unsigned i = 0; i < cfg->num_sms; i++) {
        ballast_regs_sm_in *sm = &in->sm[i];

        if (random_one_in(seed, 1 + 7 * mood))
            sm->limit = (uint8_t)random_below(seed, cfg->num_slots + 1);
        sm->denied = random_one_in(seed, 1 + mood * 3);
        sm->cta_start = random_set(seed, cfg->num_slots, 10);
        sm->cta_done = random_set(seed, cfg->num_slots, 10);
        sm->cta_active ^= random_set(seed, cfg->num_slots, 6);
    }
}

static unsigned kernel_codes(const ballast_regs_cfg *cfg)
{
    return cfg->num_kernels > 2 ? 4 : 2;
}

/* All codes that a limit has. */
static unsigned limit_codes(const ballast_regs_cfg *cfg)
{
    unsigned codes = 2;

    while (codes <= cfg->num_slots)
        codes *= 2;
    return codes;
}

/* Anything at all around, and a master that knows what to do. */
static void draw_inputs(void *inputs, const void *cfg, uint64_t *seed, unsigned n)
{
    const ballast_regs_cfg *cfg_ = cfg;
    ballast_regs_in *in = inputs;

    (void)n;
    ballast_regs_draw(in, cfg, seed);
    draw_sms(in, cfg, seed);
    in->idle = (uint8_t)random_set(seed, cfg_->num_kernels, 2);
    in->exhausted = (uint8_t)random_set(seed, cfg_->num_kernels, 2);
    in->start_valid = random_one_in(seed, 2);
    in->start_kernel = (uint8_t)random_below(seed, kernel_codes(cfg_));
    if (random_one_in(seed, 50))
        in->sm[0].limit = (uint8_t)random_below(seed, limit_codes(cfg));
}

/* Counters at their ends, bits that are pending, thresholds side by side. */
static bool draw_step(step_fixture *f, void *registers, void *inputs)
{
    ballast_regs_state *s = registers;
    ballast_regs_in *in = inputs;
    uint32_t *const counters[] = {&s->sm_changes, &s->mem_changes, &s->limit_changes, &s->denials, &s->kernels, &s->launches[0]};

    step_draw(f, PORT_REG, registers);
    step_draw(f, PORT_IN, inputs);
    ballast_regs_draw(in, step_config(f), &f->seed);
    draw_sms(in, step_config(f), &f->seed);
    for (unsigned n = 0; n < sizeof counters / sizeof *counters; n++)
        *counters[n] = (uint32_t)step_value(f, UINT32_MAX) - (uint32_t)step_random(f, 3);
    s->setup = !random_one_in(&f->seed, 8);
    in->psel = in->penable = !random_one_in(&f->seed, 8);
    if (random_one_in(&f->seed, 2))
        in->pwdata = random_one_in(&f->seed, 2) ? (uint32_t)step_near(f, s->t_mem_h, UINT32_MAX) : (uint32_t)step_near(f, s->t_mem_l, UINT32_MAX);
    return true;
}

SUITE_TESTS(twins, TWIN_CYCLES("twins: a master of the bus, and anything around", variants, 0x4e65, 20000, draw_inputs),
            EACH_TWIN_STEPS("twins: one step from 10 000 states", variants, 0x935, 10000, draw_step))

/* ---- the log ---------------------------------------------------------------------------------------- */

RULE(log_of_registers, "log: writes, refusals, sticky bits, the interrupt", "ballast_regs")
{
    select_register(b, BALLAST_REGS_ENABLE, true, 1);
    cycle(b);
    b->in.penable = 1;
    expect_decision(b, "ballast_regs REG-3 write: address=196 value=1 | |", "0x0c4 <- 1");
    select_register(b, BALLAST_REGS_POLICY, true, 9);
    cycle(b);
    b->in.penable = 1;
    cycle(b);
    tell(b);
    assert_int_equal(told(), 3);
    assert_string_equal(told_record(0), "ballast_regs REG-2 refused: address=64 value=9 access=write | |");
    assert_string_equal(told_record(1), "ballast_regs REG-6 pending: | pending=0 | pending=1");
    assert_string_equal(told_record(2), "ballast_regs REG-7 interrupt: | irq=0 | irq=1");
    assert_string_equal(told_words(), "a write of 0x040 is refused; pending: REFUSED; the interrupt rises");
    select_register(b, BALLAST_REGS_PENDING, true, 1);
    cycle(b);
    b->in.penable = 1;
    cycle(b);
    tell(b);
    assert_string_equal(told_words(), "0x0c0 <- 1; the interrupt falls");
    release(b);
    b->in.sm[2].cta_done = 1;
    b->in.sm[3].limit = 9;
    expect_decision(b, "ballast_regs REG-6 pending: | pending=0 | pending=24", "pending: NO_CTA, LIMIT");
}
