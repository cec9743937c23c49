/* SPDX-License-Identifier: Apache-2.0
 *
 * The start of kernels (REG-9), each rule on the model and on the RTL.
 */
#include "blocks/ballast_regs/bench.h"

static unsigned all_kernels(const bench *b)
{
    return (1u << config(b)->num_kernels) - 1;
}

RULE_EACH(reg9_one_cycle, "REG-9: a kernel starts in the cycle after the write, and in no other", variants)
{
    b->in.idle = (uint8_t)all_kernels(b);
    for (unsigned k = 0; k < config(b)->num_kernels; k++) {
        select_register(b, BALLAST_REGS_START, true, k);
        cycle(b);
        expect(b, "start_o=0");
        b->in.penable = 1;
        cycle(b);
        expect(b, "pslverr_o=0 start_o=0 start_q=1 kernel_q=%u", k);
        release(b);
        cycle(b);
        expect(b, "start_o=1 kernel_o=%u start_q=0", k);
        cycles(b, 3);
        expect(b, "start_o=0 kernel_o=%u", k);
        expect_register(b, BALLAST_REGS_START, k);
    }
}

RULE_EACH(reg9_only_where_idle, "REG-9, REG-2: a start is refused while that kernel runs, whatever the others do", variants)
{
    const unsigned kernels = config(b)->num_kernels;

    for (unsigned idle = 0; idle <= all_kernels(b); idle++)
        for (unsigned k = 0; k < kernels; k++) {
            b->in.idle = (uint8_t)idle;
            if (idle >> k & 1)
                write_register(b, BALLAST_REGS_START, k);
            else
                expect_write_refused(b, BALLAST_REGS_START, k);
            cycle(b);
            expect(b, "start_o=%u", idle >> k & 1);
        }
}

RULE_EACH(reg9_idle_counts_in_the_access_phase, "REG-9: a kernel that ends between SETUP and ACCESS phase can be started", variants)
{
    select_register(b, BALLAST_REGS_START, true, 0);
    cycle(b);
    b->in.penable = 1;
    b->in.idle = 1;
    cycle(b);
    expect(b, "pslverr_o=0 start_q=1");
    release(b);
    cycle(b);
    b->in.idle = 1;
    select_register(b, BALLAST_REGS_START, true, 0);
    cycle(b);
    b->in.penable = 1;
    b->in.idle = 0; /* and one that begins to run there cannot */
    cycle(b);
    expect(b, "pslverr_o=1 start_q=0");
}

RULE_EACH(reg9_no_such_kernel, "REG-9, REG-2: a number that no kernel has, all 32 bits of it", variants)
{
    b->in.idle = (uint8_t)all_kernels(b);
    expect_write_refused(b, BALLAST_REGS_START, config(b)->num_kernels);
    expect_write_refused(b, BALLAST_REGS_START, UINT32_MAX);
    for (unsigned bit = 2; bit < 32; bit++)
        expect_write_refused(b, BALLAST_REGS_START, UINT32_C(1) << bit);
    cycles(b, 2);
    expect(b, "start_o=0 kernel_o=0");
}

RULE_EACH(reg9_description, "REG-9: each word of the description is at its own output, and stays", variants)
{
    const ballast_regs_cfg *cfg = config(b);

    b->in.idle = (uint8_t)all_kernels(b);
    write_register(b, BALLAST_REGS_GRID, UINT32_MAX);
    write_register(b, BALLAST_REGS_WIDTH, UINT32_C(0x80000001));
    write_register(b, BALLAST_REGS_TWO_D, 1);
    write_register(b, BALLAST_REGS_WARPS, cfg->num_warps);
    write_register(b, BALLAST_REGS_REGS, cfg->reg_units + ONE_BEYOND);
    write_register(b, BALLAST_REGS_SMEM, cfg->smem_units);
    write_register(b, BALLAST_REGS_NMAX, 1);
    cycle(b);
    for (unsigned n = 0; n < 2; n++) { /* the second start needs no new description */
        expect(b, "grid_o=%u width_o=%u two_d_o=1 warps_o=%u", UINT32_MAX, UINT32_C(0x80000001), cfg->num_warps);
        expect(b, "regs_o=%u smem_o=%u nmax_o=1", cfg->reg_units + ONE_BEYOND, cfg->smem_units);
        write_register(b, BALLAST_REGS_START, 0);
        cycle(b);
        expect(b, "start_o=1");
    }
}

RULE_EACH(reg9_nmax, "REG-9: NMAX takes 1 to NumSlots, and never 0", variants)
{
    for (uint32_t value = 1; value <= config(b)->num_slots; value++) {
        write_register(b, BALLAST_REGS_NMAX, value);
        expect_register(b, BALLAST_REGS_NMAX, value);
    }
    expect_write_refused(b, BALLAST_REGS_NMAX, 0);
    expect_write_refused(b, BALLAST_REGS_NMAX, config(b)->num_slots + ONE_BEYOND);
    for (unsigned bit = 6; bit < 32; bit++)
        expect_write_refused(b, BALLAST_REGS_NMAX, UINT32_C(1) << bit);
}

RULE_EACH(reg9_wcta, "REG-9: the warps of a CTA are those of the kernel that started last, and no more than an SM has", variants)
{
    const uint32_t most = config(b)->num_warps;

    b->in.idle = (uint8_t)all_kernels(b);
    write_register(b, BALLAST_REGS_WARPS, 3);
    cycle(b);
    expect(b, "warps_o=3 wcta_o=0");
    write_register(b, BALLAST_REGS_START, 0);
    expect(b, "wcta_q=3");
    write_register(b, BALLAST_REGS_WARPS, most);
    cycle(b);
    expect(b, "warps_o=%u wcta_o=3", most);
    write_register(b, BALLAST_REGS_START, config(b)->num_kernels - 1);
    cycle(b);
    expect(b, "wcta_o=%u", most);
    write_register(b, BALLAST_REGS_WARPS, most + ONE_BEYOND);
    write_register(b, BALLAST_REGS_START, 0);
    cycle(b);
    expect(b, "warps_o=%u wcta_o=%u", most + ONE_BEYOND, most);
}

RULE_EACH(reg3_quotas, "REG-3: the quota of each kernel in its own field, and none beyond", variants)
{
    const ballast_regs_cfg *cfg = config(b);
    unsigned width = 0, fields = 0;

    while (cfg->num_slots >> width)
        width++;
    for (unsigned k = 0; k < cfg->num_kernels; k++)
        write_register(b, BALLAST_REGS_QUOTA(k), (k + cfg->num_slots - 1) % (cfg->num_slots + 1));
    for (unsigned k = 0; k < cfg->num_kernels; k++)
        fields |= (k + cfg->num_slots - 1) % (cfg->num_slots + 1) << k * width;
    cycle(b);
    expect(b, "quota_o=%u", fields);
    for (unsigned k = 0; k < cfg->num_kernels; k++)
        expect_register(b, BALLAST_REGS_QUOTA(k), (k + cfg->num_slots - 1) % (cfg->num_slots + 1));
    expect_read_refused(b, BALLAST_REGS_QUOTA(cfg->num_kernels));
    expect_read_refused(b, BALLAST_REGS_LAUNCHES(cfg->num_kernels));
}

RULE_EACH(reg5_launches_of_each, "REG-5: each kernel's launches count and are cleared by themselves", variants)
{
    const unsigned kernels = config(b)->num_kernels;

    for (unsigned k = 0; k < kernels; k++)
        for (unsigned n = 0; n <= k; n++) {
            b->in.start_valid = 1;
            b->in.start_kernel = (uint8_t)k;
            cycle(b);
        }
    b->in.start_kernel = (uint8_t)(kernels == 3 ? 3 : 0); /* no kernel; or no launch */
    b->in.start_valid = kernels == 3;
    cycles(b, 3);
    b->in.start_valid = 0;
    for (unsigned cleared = 0; cleared < kernels; cleared++) {
        for (unsigned k = 0; k < kernels; k++)
            expect_register(b, BALLAST_REGS_LAUNCHES(k), k < cleared ? 0 : k + 1);
        expect_write_refused(b, BALLAST_REGS_LAUNCHES(cleared), 1);
        write_register(b, BALLAST_REGS_LAUNCHES(cleared), 0);
    }
}
