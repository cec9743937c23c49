// SPDX-License-Identifier: Apache-2.0
//
// The Verilated half of a block's descriptor, from its port list. Compiled once per variant
// with -DBLOCK_PORTS='"blocks/<block>/ports.h"' -DVARIANT=<variant>, in one translation unit
// with what Verilator generated, so that the simulator is inlined into the comparison.
#include <cstring>
#include <string>

#include BLOCK_PORTS
#include "engine/block.h"
#include "engine/random.h"
#include "shim/ports.h"
#include "shim/rtl_cover.h"
#include "shim/rtl_runtime.h"

#include "verilated_all.inc"
#define BLOCK_EDGE  // in the module of tb/flow/one_edge.py
#include "shim/rtl_registers.h"  // knows what was generated

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

// Cycles that repeat the one before: the same inputs, and no register has changed. RTL without other state than its registers does
// in such a cycle what it did in the last one, which was compared. Its assertions have state of their own (what was before, how long
// nothing has happened), and come to rest after some cycles. So the RTL is left alone from the 65th such cycle on.
struct stillness {
    enum { LEAST = 64 };
    unsigned cycles = 0;
    IN_T in = {};
    OUT_T out = {};
    STATE_T registers = {};  // after the edge

    // Whether a cycle with these inputs, in which this is expected, need not be evaluated. Of a chip's structs only the SMs that
    // it has are there.
    bool holds(const CFG_T *cfg, const void *inputs, const void *outputs, const void *after)
    {
        (void)cfg;
        if (std::memcmp(&registers, after, BLOCK_SIZE_OF_STATE(cfg)) != 0 || std::memcmp(&in, inputs, BLOCK_SIZE_OF_IN(cfg)) != 0 ||
            std::memcmp(&out, outputs, BLOCK_SIZE_OF_OUT(cfg)) != 0) {
            std::memcpy(&registers, after, BLOCK_SIZE_OF_STATE(cfg));
            std::memcpy(&in, inputs, BLOCK_SIZE_OF_IN(cfg));
            std::memcpy(&out, outputs, BLOCK_SIZE_OF_OUT(cfg));
            cycles = 0;
        } else if (cycles <= LEAST) {
            cycles++;
        }
        return cycles > LEAST;
    }
};

// Parts are looked up by name, so every instance with parts needs a name of its own.
struct rtl {
    TOP_T top;
    CFG_T cfg;
    rtl_parts parts;
    rtl_toggles toggles;
    IN_T ignored = {};  // what the inputs say during reset
    stillness still;
    bool played = false;  // the edge of the cycle has been

    rtl(uint32_t seed, const CFG_T *config, const std::string &name)
        : top{rtl_prepare(seed), name.c_str()}, cfg(*config)
    {
#if BLOCK_CLOCKED
        top.edge_i = 0;  // else random: the clock begins low
#endif
    }
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
// Settles the inputs and has the edge; x_was_o are the outputs from before it. In a build for coverage, what the signals are before
// the edge is looked at: an evaluation more.
#define LAST_OUT(field) field##_was_o
inline void play(rtl *r)
{
    if (rtl_covers) r->top.eval();
    r->toggles.sample();
    r->top.edge_i ^= 1;
    r->top.eval();
}
inline void set_reset(rtl *r, bool active)
{
    r->top.rst_ni = !active;
    r->toggles.reset(active);
}
#else
#define LAST_OUT(field) field##_o
inline void play(rtl *r)
{
    r->top.eval();
    r->toggles.sample();
}
inline void set_reset(rtl *, bool) {}
#endif

// Any value of each input, so that one that gets past the reset shows.
void draw_inputs(void *in, const port_list *ports, uint64_t seed)
{
    seed = seed * 2 + 1;  // not 0
    for (unsigned p = 0; p < ports->num; p++) {
        const block_port *port = &ports->ports[p];
        const uint64_t mask = port->width < 64 ? (UINT64_C(1) << port->width) - 1 : UINT64_MAX;
        const uint64_t high = random_next(&seed) << 32;

        if (port->kind == PORT_IN) block_port_set(port, in, (high ^ random_next(&seed)) & mask);
    }
}

void *create(uint32_t seed, const void *cfg, const port_list *ports)
{
    if (rtl *kept = rtl_take_idle<rtl>()) return kept;
    const std::string name = rtl_covers || has_parts(ports) ? unique_name() : "rtl";
    rtl *r = new rtl(seed, static_cast<const CFG_T *>(cfg), name);

    find_parts(&r->parts, name, ports);
    r->toggles.find(name + BLOCK_SCOPE, TEXT(BLOCK_NAME), TEXT(VARIANT));
    rtl_cover_at_exit();
    draw_inputs(&r->ignored, ports, seed);
    return r;
}

void destroy(void *h)
{
    rtl_cover_in_child();
    if (rtl_keep(self(h))) return;
    self(h)->top.final();
    delete self(h);
}

void settle(void *h, const void *in)
{
    self(h)->still.cycles = 0;
    self(h)->played = false;
    drive(self(h), in);
    self(h)->top.eval();
}

void edge(void *h)
{
    play(self(h));
    self(h)->played = true;
}

void cycle(void *h, const void *in)
{
    self(h)->still.cycles = 0;
    drive(self(h), in);
    edge(h);
}

// One edge in reset, whatever the inputs say: more is not promised (doc/blocks/timing.md). Settled before, so that Verilator has seen
// the clock low.
void reset(void *h)
{
    set_reset(self(h), true);
    settle(h, &self(h)->ignored);
    edge(h);
    set_reset(self(h), false);
}

bool registers_equal(void *h, const void *registers)
{
    return equal_registers(self(h)->top, self(h)->parts, registers);
}

bool cycle_equal(void *h, const void *in, const void *outputs, const void *registers)
{
    rtl *r = self(h);
    const OUT_T *out = static_cast<const OUT_T *>(outputs);
    const CFG_T *cfg = &r->cfg;
    uint64_t differs = 0;

    (void)cfg;
    if (!rtl_covers && r->still.holds(cfg, in, outputs, registers)) return true;
    drive(r, in);
    edge(h);
#define COMPARE_OUT(field, width, names) differs |= (uint64_t)(r->top.LAST_OUT(field) ^ out->field);
#define COMPARE_LANES(field, width, names)          \
    for (unsigned n = 0; n < BLOCK_LANES(cfg); n++) \
        differs |= get_bits(r->top.LAST_OUT(field), n * (width), width) ^ out->sm[n].field;
    BLOCK_OUTPUTS(COMPARE_OUT)
    BLOCK_LANE_OUTPUTS(COMPARE_LANES)
    if ((differs | rtl_assertion_pending) == 0 && equal_registers(r->top, r->parts, registers)) return true;
    r->still.cycles = 0;
    return false;
}

// Of the cycle that is settled, or of the last one that was played.
void outputs(void *h, void *outputs)
{
    OUT_T *out = static_cast<OUT_T *>(outputs);
    const rtl *r = self(h);
    const CFG_T *cfg = &r->cfg;

    std::memset(outputs, 0, BLOCK_SIZE_OF_OUT(cfg));
#define READ_OUT(field, width, names) out->field = r->played ? r->top.LAST_OUT(field) : r->top.field##_o;
#define READ_LANES(field, width, names)             \
    for (unsigned n = 0; n < BLOCK_LANES(cfg); n++) \
        out->sm[n].field = get_bits(r->played ? r->top.LAST_OUT(field) : r->top.field##_o, n * (width), width);
    BLOCK_OUTPUTS(READ_OUT)
    BLOCK_LANE_OUTPUTS(READ_LANES)
    (void)cfg;
}

void registers(void *h, void *registers)
{
    read_registers(self(h)->top, self(h)->parts, &self(h)->cfg, registers);
}

void load(void *h, const void *registers)
{
    load_registers(self(h)->top, self(h)->parts, &self(h)->cfg, registers);
    self(h)->toggles.jump();
    self(h)->still.cycles = 0;
}

const char *assertion(void *) { return rtl_take_assertion(); }

const block_rtl functions = {BLOCK_CLOCKED != 0, create, destroy, reset,     cycle, cycle_equal, settle, edge,
                             outputs,            registers, load, registers_equal, assertion};

}  // namespace

extern "C" {
extern const block_model PASTE(BLOCK_NAME, _model);
extern const block PASTE(VARIANT, _block);
const block PASTE(VARIANT, _block) = {TEXT(VARIANT), VARIANT_PARAMS, &PASTE(BLOCK_NAME, _model),
                                      &functions};
}
