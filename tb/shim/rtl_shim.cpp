// SPDX-License-Identifier: Apache-2.0
//
// The Verilated half of a block's descriptor, from its port list. Compiled once per variant
// with -DBLOCK_PORTS='"<block>/<block>_ports.h"' -DVARIANT=<variant>, in one translation unit
// with what Verilator generated, so that the simulator is inlined into the comparison.
#include <cstring>
#include <string>

#include BLOCK_PORTS
#include "engine/block.h"
#include "engine/rtl_assertion.h"
#include "shim/ports.h"
#include "shim/rtl_bits.h"
#include "shim/rtl_parts.h"
#include "shim/rtl_runtime.h"

#include "verilated_all.inc"

#define TOP_T PASTE(V, VARIANT)
// Registers live in the top module's scope of the Verilated model.
#define REG_NAME_(stem, field) stem##__DOT__##field##_q
#define REG_NAME(stem, field) REG_NAME_(stem, field)

namespace {

[[maybe_unused]] unsigned width_of(unsigned most)
{
    unsigned width = 0;

    while (most >> width) width++;
    return width;
}

std::string unique_name()
{
    static unsigned instances = 0;

    return TEXT(VARIANT) "_" + std::to_string(instances++);
}

// Parts are looked up by name, so every instance with parts needs a name of its own.
struct rtl {
    TOP_T top;
    CFG_T cfg;
    rtl_parts parts;

    rtl(uint32_t seed, const CFG_T *config, const std::string &name)
        : top{rtl_prepare(seed), name.c_str()}, cfg(*config) {}
};

rtl *self(void *h) { return static_cast<rtl *>(h); }

inline void drive(rtl *r, const void *inputs)
{
    const IN_T *in = static_cast<const IN_T *>(inputs);
    const CFG_T *cfg = &r->cfg;
#define DRIVE(field, width, names) r->top.field##_i = in->field;
#define DRIVE_WIDE(field, width) put_words(r->top.field##_i, in->field, width);
#define DRIVE_LANES(field, width, names)             \
    for (unsigned n = 0; n < BLOCK_LANES(cfg); n++)  \
        put_bits(r->top.field##_i, n * (width), width, in->sm[n].field);
    BLOCK_INPUTS(DRIVE)
    BLOCK_WIDE_INPUTS(DRIVE_WIDE)
    BLOCK_LANE_INPUTS(DRIVE_LANES)
    (void)cfg;
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

void *create(uint32_t seed, const void *cfg, const port_list *ports)
{
    bool has_parts = false;

    for (unsigned p = 0; p < ports->num; p++) has_parts |= port_is_part_register(&ports->ports[p]);
    const std::string name = has_parts ? unique_name() : "rtl";
    rtl *r = new rtl(seed, static_cast<const CFG_T *>(cfg), name);
    if (has_parts) r->parts.find(name + "." TEXT(BLOCK_STEM), ports);
    return r;
}

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

inline bool registers_equal_inline(rtl *r, const void *registers)
{
    const STATE_T *state = static_cast<const STATE_T *>(registers);
    uint64_t differs = 0;

#define COMPARE_REG(field, width, names) \
    differs |= (uint64_t)(r->top.rootp->REG_NAME(BLOCK_STEM, field) ^ state->field);
#define COMPARE_ARRAY(field, count, width, names)                                            \
    for (unsigned n = 0; n < elements_of(r->top.rootp->REG_NAME(BLOCK_STEM, field)); n++)    \
        differs |= (uint64_t)(r->top.rootp->REG_NAME(BLOCK_STEM, field)[n] ^ state->field[n]);
    BLOCK_REGISTERS(COMPARE_REG)
    BLOCK_REGISTER_ARRAYS(COMPARE_ARRAY)
    (void)state;
    return differs == 0 && (!r->parts.any() || r->parts.equal(registers));
}

bool registers_equal(void *h, const void *registers) { return registers_equal_inline(self(h), registers); }

bool cycle_equal(void *h, const void *in, const void *outputs, const void *registers)
{
    rtl *r = self(h);
    const OUT_T *out = static_cast<const OUT_T *>(outputs);
    const CFG_T *cfg = &r->cfg;
    uint64_t differs = 0;

    (void)cfg;
    settle_inline(r, in);
#define COMPARE_OUT(field, width, names) differs |= (uint64_t)(r->top.field##_o ^ out->field);
#define COMPARE_LANES(field, width, names)          \
    for (unsigned n = 0; n < BLOCK_LANES(cfg); n++) \
        differs |= get_bits(r->top.field##_o, n * (width), width) ^ out->sm[n].field;
    BLOCK_OUTPUTS(COMPARE_OUT)
    BLOCK_LANE_OUTPUTS(COMPARE_LANES)
    clock_high(r);
    return (differs | rtl_assertion_pending) == 0 && registers_equal_inline(r, registers);
}

void settle(void *h, const void *in) { settle_inline(self(h), in); }
void edge(void *h) { clock_high(self(h)); }

void outputs(void *h, void *outputs)
{
    OUT_T *out = static_cast<OUT_T *>(outputs);
    const CFG_T *cfg = &self(h)->cfg;

    std::memset(outputs, 0, BLOCK_SIZE_OF(OUT_T, cfg));
#define READ_OUT(field, width, names) out->field = self(h)->top.field##_o;
#define READ_LANES(field, width, names)             \
    for (unsigned n = 0; n < BLOCK_LANES(cfg); n++) \
        out->sm[n].field = get_bits(self(h)->top.field##_o, n * (width), width);
    BLOCK_OUTPUTS(READ_OUT)
    BLOCK_LANE_OUTPUTS(READ_LANES)
    (void)cfg;
}

void registers(void *h, void *registers)
{
    STATE_T *state = static_cast<STATE_T *>(registers);
    const CFG_T *cfg = &self(h)->cfg;

    std::memset(registers, 0, BLOCK_SIZE_OF(STATE_T, cfg));
#define READ_REG(field, width, names) \
    state->field = self(h)->top.rootp->REG_NAME(BLOCK_STEM, field);
#define READ_ARRAY(field, count, width, names)                                                     \
    for (unsigned n = 0; n < elements_of(self(h)->top.rootp->REG_NAME(BLOCK_STEM, field)); n++)    \
        state->field[n] = self(h)->top.rootp->REG_NAME(BLOCK_STEM, field)[n];
    BLOCK_REGISTERS(READ_REG)
    BLOCK_REGISTER_ARRAYS(READ_ARRAY)
    self(h)->parts.read(registers);
    (void)cfg;
    (void)state;
}

void load(void *h, const void *registers)
{
    const STATE_T *state = static_cast<const STATE_T *>(registers);
    const CFG_T *cfg = &self(h)->cfg;

#define WRITE_REG(field, width, names) \
    self(h)->top.rootp->REG_NAME(BLOCK_STEM, field) = state->field;
#define WRITE_ARRAY(field, count, width, names)                                                    \
    for (unsigned n = 0; n < elements_of(self(h)->top.rootp->REG_NAME(BLOCK_STEM, field)); n++)    \
        self(h)->top.rootp->REG_NAME(BLOCK_STEM, field)[n] = state->field[n];
    BLOCK_REGISTERS(WRITE_REG)
    BLOCK_REGISTER_ARRAYS(WRITE_ARRAY)
    self(h)->parts.load(registers);
    (void)cfg;
    (void)state;
}

const char *assertion(void *) { return rtl_take_assertion(); }

const block_rtl functions = {BLOCK_CLOCKED != 0, create, destroy, reset,     cycle, cycle_equal, settle, edge,
                             outputs,            registers, load, registers_equal, assertion};

}  // namespace

extern "C" {
extern const block_model PASTE(BLOCK_STEM, _model);
extern const block PASTE(VARIANT, _block);
const block PASTE(VARIANT, _block) = {TEXT(VARIANT), VARIANT_PARAMS, &PASTE(BLOCK_STEM, _model),
                                      &functions};
}
