// SPDX-License-Identifier: Apache-2.0
//
// The Verilated half of a block's descriptor, from its port list. Compiled once per variant
// with -DBLOCK_PORTS='"<block>/<block>_ports.h"' -DVARIANT=<variant>, in one translation unit
// with what Verilator generated, so that the simulator is inlined into the comparison.
#include <cstring>

#include BLOCK_PORTS
#include "engine/block.h"
#include "engine/rtl_assertion.h"
#include "shim/ports.h"
#include "shim/rtl_runtime.h"

#include "verilated_all.inc"

#define TOP_T PASTE(V, VARIANT)
// Registers live in the top module's scope of the Verilated model.
#define REG_NAME_(stem, field) stem##__DOT__##field##_q
#define REG_NAME(stem, field) REG_NAME_(stem, field)

namespace {

struct rtl {
    TOP_T top;

    explicit rtl(uint32_t seed) : top{rtl_prepare(seed), "rtl"} {}
};

rtl *self(void *h) { return static_cast<rtl *>(h); }

inline void drive(rtl *r, const void *inputs)
{
    const IN_T *in = static_cast<const IN_T *>(inputs);
#define DRIVE(field, width, names) r->top.field##_i = in->field;
    BLOCK_INPUTS(DRIVE)
}

#if BLOCK_CLOCKED
inline void clock_low(rtl *r) { r->top.clk_i = 0; }
inline void clock_high(rtl *r)
{
    r->top.clk_i = 1;
    r->top.eval();
}
inline void set_reset(rtl *r, bool active) { r->top.rst_ni = !active; }
#else
inline void clock_low(rtl *) {}
inline void clock_high(rtl *) {}
inline void set_reset(rtl *, bool) {}
#endif

inline void settle_inline(rtl *r, const void *in)
{
    clock_low(r);
    drive(r, in);
    r->top.eval();
}

void *create(uint32_t seed) { return new rtl(seed); }

void destroy(void *h)
{
    self(h)->top.final();
    delete self(h);
}

// Two edges in reset, as doc/timing.md promises.
void reset(void *h)
{
    static const IN_T idle = {};

    set_reset(self(h), true);
    for (int i = 0; i < 2; i++) {
        settle_inline(self(h), &idle);
        clock_high(self(h));
    }
    set_reset(self(h), false);
}

void cycle(void *h, const void *in)
{
    settle_inline(self(h), in);
    clock_high(self(h));
}

bool cycle_equal(void *h, const void *in, const void *outputs, const void *registers)
{
    rtl *r = self(h);
    const OUT_T *out = static_cast<const OUT_T *>(outputs);
    const STATE_T *state = static_cast<const STATE_T *>(registers);
    uint64_t differs = 0;

    settle_inline(r, in);
#define COMPARE_OUT(field, width, names) differs |= (uint64_t)(r->top.field##_o ^ out->field);
    BLOCK_OUTPUTS(COMPARE_OUT)
    clock_high(r);
#define COMPARE_REG(field, width, names) \
    differs |= (uint64_t)(r->top.rootp->REG_NAME(BLOCK_STEM, field) ^ state->field);
    BLOCK_REGISTERS(COMPARE_REG)
    (void)state;
    return (differs | rtl_assertion_pending) == 0;
}

void settle(void *h, const void *in) { settle_inline(self(h), in); }
void edge(void *h) { clock_high(self(h)); }

void outputs(void *h, void *outputs)
{
    OUT_T *out = static_cast<OUT_T *>(outputs);

    std::memset(out, 0, sizeof *out);
#define READ_OUT(field, width, names) out->field = self(h)->top.field##_o;
    BLOCK_OUTPUTS(READ_OUT)
}

void registers(void *h, void *registers)
{
    STATE_T *state = static_cast<STATE_T *>(registers);

    std::memset(state, 0, sizeof *state);
#define READ_REG(field, width, names) \
    state->field = self(h)->top.rootp->REG_NAME(BLOCK_STEM, field);
    BLOCK_REGISTERS(READ_REG)
    (void)h;
}

void load(void *h, const void *registers)
{
    const STATE_T *state = static_cast<const STATE_T *>(registers);
#define WRITE_REG(field, width, names) \
    self(h)->top.rootp->REG_NAME(BLOCK_STEM, field) = state->field;
    BLOCK_REGISTERS(WRITE_REG)
    (void)h;
    (void)state;
}

const char *assertion(void *) { return rtl_take_assertion(); }

const block_rtl functions = {BLOCK_CLOCKED != 0, create, destroy, reset,     cycle, cycle_equal,
                             settle,             edge,   outputs, registers, load,  assertion};

}  // namespace

extern "C" {
extern const block_model PASTE(BLOCK_STEM, _model);
extern const block PASTE(VARIANT, _block);
const block PASTE(VARIANT, _block) = {TEXT(VARIANT), VARIANT_PARAMS, &PASTE(BLOCK_STEM, _model),
                                      &functions};
}
