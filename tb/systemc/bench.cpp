// SPDX-License-Identifier: Apache-2.0
//
// The bench of one block, and the block's descriptor for the commands: stimulus, model, Verilated RTL and checker between
// signals. Compiled once per variant like tb/shim/rtl_shim.cpp, with -DBLOCK_SC='"systemc/<block>_sc.h"' besides.
//
// Time of a cycle, 4 ns: 0 inputs change, 1 the clock falls, 3 it rises, 4 the checker judges. Between runs time stands at 0.
#include <functional>
#include <memory>
#include <systemc>

extern "C" {
#include "engine/lockstep.h"
}
#define BALLAST_SC_KEEP_LIST
#include BLOCK_SC
#include "verilated_all.inc"
#include "shim/rtl_registers.h"  // knows what was generated
#include "shim/rtl_runtime.h"
#include "systemc/stimulus.h"
#include "systemc/checker.h"
#include "systemc/vcd.h"

namespace {

const sc_core::sc_time period() { return {4, sc_core::SC_NS}; }
const sc_core::sc_time half() { return {2, sc_core::SC_NS}; }
const sc_core::sc_time quarter() { return {1, sc_core::SC_NS}; }

using model_t = BLOCK_FN(_model_sc)<TOP_T>;
using inputs_t = BLOCK_FN(_in_pins)<ballast_sc::wire, TOP_T>;
using outputs_t = BLOCK_FN(_out_pins)<ballast_sc::wire, TOP_T>;

struct bench {
    CFG_T cfg;
    sc_core::sc_clock clk{"clk", period(), 0.5, period() - quarter(), true};
    ballast_sc::wire<bool> rst_n{"rst_n"}, mismatch{"mismatch"};
    ballast_sc::wire<uint64_t> cycle{"cycle"};
    inputs_t in;
    outputs_t rtl_out{"rtl_"}, model_out{"model_"};
    TOP_T rtl;
    model_t golden;
    stimulus_module<TOP_T> stimulus;
    checker_module<TOP_T> checker;
    rtl_parts parts;

    explicit bench(const CFG_T *config)
        : cfg(*config), rtl{"rtl"}, golden{"golden", cfg}, stimulus{"stimulus", cfg},
          checker{"checker", cfg, golden, stimulus, quarter()}
    {
        rtl.clk_i(clk);
        rtl.rst_ni(rst_n);
        golden.clk_i(clk);
        golden.rst_ni(rst_n);
        checker.clk_i(clk);
        checker.mismatch_o(mismatch);
        stimulus.rst_no(rst_n);
        stimulus.cycle_o(cycle);
        in.connect_inputs(stimulus);
        in.connect_inputs(rtl);
        in.connect_inputs(golden);
        rtl_out.connect_outputs(rtl);
        rtl_out.connect_outputs(checker.rtl);
        model_out.connect_outputs(golden);
        model_out.connect_outputs(checker.model);
        stimulus.on_cycle = [this](uint64_t index) {
            vcd.begin_cycle(index, [this](sc_core::sc_trace_file *file) { trace(file); });
        };
    }

    void trace(sc_core::sc_trace_file *file)
    {
        const auto add = [file](const std::string &name, auto &signal, unsigned width) {
            if constexpr (std::is_integral_v<std::decay_t<decltype(signal.read())>> &&
                          !std::is_same_v<std::decay_t<decltype(signal.read())>, bool>)
                sc_core::sc_trace(file, signal.read(), name, static_cast<int>(width));
            else
                sc_core::sc_trace(file, signal, name);
        };
        const auto of_side = [add](const char *side) {
            return [add, side](const char *name, auto &signal, unsigned width) {
                add(std::string{side} + name, signal, width);
            };
        };

        sc_core::sc_trace(file, clk, "clk_i");
        add("rst_ni", rst_n, 1);
        add("cycle", cycle, 64);
        add("mismatch", mismatch, 1);
        in.each_input(&cfg, of_side(""));
        rtl_out.each_output(&cfg, of_side("rtl."));
        model_out.each_output(&cfg, of_side("model."));
    }

    // Outside of a run: half a cycle with inputs and reset as they stand in the stimulus.
    void settle(const IN_T *inputs)
    {
        *stimulus.idle = *inputs;
        stimulus.go.notify(sc_core::SC_ZERO_TIME);
        sc_core::sc_start(half());
    }
    void edge() { sc_core::sc_start(half()); }
};

// SystemC takes modules only before its simulation begins, and never gives them back: the first one is built, and all runs take
// turns in it, each beginning with a reset.
bench *the_bench;

bench *self(void *) { return the_bench; }

void *create(uint32_t seed, const void *cfg, const port_list *ports)
{
    if (!the_bench) {
        rtl_prepare(seed);
        the_bench = new bench(static_cast<const CFG_T *>(cfg));
        find_parts(&the_bench->parts, the_bench->rtl.name(), ports);
    }
    return the_bench;
}

void destroy(void *) {}

void settle(void *h, const void *in) { self(h)->settle(static_cast<const IN_T *>(in)); }
void edge(void *h) { self(h)->edge(); }

void cycle(void *h, const void *in)
{
    settle(h, in);
    edge(h);
}

// Two edges in reset, as doc/blocks/timing.md promises.
void reset(void *h)
{
    static const std::unique_ptr<IN_T> idle{new IN_T()};

    self(h)->stimulus.reset = true;
    for (int i = 0; i < 2; i++) cycle(h, idle.get());
    self(h)->stimulus.reset = false;
}

void outputs(void *h, void *out) { self(h)->rtl_out.read_outputs(&self(h)->cfg, static_cast<OUT_T *>(out)); }
void registers(void *h, void *state) { read_registers(self(h)->rtl, self(h)->parts, &self(h)->cfg, state); }
void load(void *h, const void *state) { load_registers(self(h)->rtl, self(h)->parts, &self(h)->cfg, state); }
bool registers_equal(void *h, const void *state) { return equal_registers(self(h)->rtl, self(h)->parts, state); }

bool cycle_equal(void *h, const void *in, const void *out, const void *state)
{
    settle(h, in);
    const bool equal = self(h)->rtl_out.outputs_equal(&self(h)->cfg, static_cast<const OUT_T *>(out));
    edge(h);
    return equal && registers_equal(h, state) && !rtl_assertion_pending;
}

const char *assertion(void *) { return rtl_take_assertion(); }

// A run, in free-running simulation.
void play(void *h, const lockstep_turns *turns)
{
    bench *b = self(h);
    lockstep_instance *inst = &turns->ls->instances[0];

    b->golden.load(static_cast<const STATE_T *>(inst->state));
    registers(h, inst->view[SIDE_RTL].after);
    b->stimulus.turns = b->checker.turns = turns;
    b->stimulus.go.notify(sc_core::SC_ZERO_TIME);
    sc_core::sc_start();
    b->stimulus.turns = b->checker.turns = nullptr;
    if (!vcd.open()) return;
    sc_core::sc_start(period());  // for the last cycle's values to be seen
    vcd.close();
}

const block_rtl functions = {BLOCK_CLOCKED != 0, create, destroy,   reset, cycle,           cycle_equal, settle,
                             edge,               outputs, registers, load, registers_equal, assertion,   play};

}  // namespace

extern "C" {
extern const block_model PASTE(BLOCK_NAME, _model);
extern const block PASTE(VARIANT, _block);
const block PASTE(VARIANT, _block) = {TEXT(VARIANT), VARIANT_PARAMS, &PASTE(BLOCK_NAME, _model), &functions};
}
