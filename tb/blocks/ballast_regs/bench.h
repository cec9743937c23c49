/* SPDX-License-Identifier: Apache-2.0
 *
 * For the tests of the registers: a master of the bus that knows addresses and bits from the generated header, as a driver does.
 */
#ifndef BALLAST_BALLAST_REGS_BENCH_H
#define BALLAST_BALLAST_REGS_BENCH_H

#include "chip/ballast_regs.h"
#include "../../../rtl/registers/ballast_regs_map.h"

#define BENCH_BLOCK ballast_regs
#include "engine/bench.h"
#include "engine/random.h"
#include "engine/step_fixture.h"

static const char *const variants[] = {"ballast_regs", "ballast_regs_sms1", "ballast_regs_sms33", "ballast_regs_sms256", NULL};

enum { ONE_BEYOND = 1 };

static inline void select_register(bench *b, uint32_t address, bool write, uint32_t value)
{
    b->in.psel = 1;
    b->in.penable = 0;
    b->in.pwrite = write;
    b->in.paddr = (uint16_t)address;
    b->in.pwdata = value;
}

static inline void release(bench *b)
{
    b->in.psel = b->in.penable = b->in.pwrite = 0;
}

/* SETUP and ACCESS; the bus is free afterwards. */
static inline void transfer(bench *b, uint32_t address, bool write, uint32_t value)
{
    select_register(b, address, write, value);
    cycle(b);
    expect(b, "prdata_o=0 pslverr_o=0 pready_o=1");
    b->in.penable = 1;
    cycle(b);
    release(b);
}

static inline void write_register(bench *b, uint32_t address, uint32_t value)
{
    transfer(b, address, true, value);
    expect(b, "pslverr_o=0 pready_o=1 prdata_o=0");
}

static inline uint32_t read_register(bench *b, uint32_t address)
{
    transfer(b, address, false, 0xffffffff);
    expect(b, "pslverr_o=0 pready_o=1");
    return b->out.prdata;
}

#define expect_register(b, address, value) assert_int_equal(read_register(b, address), (uint32_t)(value))

/* The next transfer is refused, changes nothing, and is remembered. */
static inline void expect_refused(bench *b, uint32_t address, bool write, uint32_t value)
{
    ballast_regs_state before;

    write_register(b, BALLAST_REGS_PENDING, BALLAST_REGS_PENDING_REFUSED);
    before = *state(b);
    transfer(b, address, write, value);
    expect(b, "pslverr_o=1 prdata_o=0 pready_o=1");
    expect(b, "pending_q=%u", before.pending | BALLAST_REGS_PENDING_REFUSED);
    before.pending |= BALLAST_REGS_PENDING_REFUSED;
    before.setup = 0;
    assert_memory_equal(&before, state(b), sizeof before);
}

#define expect_write_refused(b, address, value) expect_refused(b, address, true, value)
#define expect_read_refused(b, address) expect_refused(b, address, false, 0)

#endif
