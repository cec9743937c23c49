// SPDX-License-Identifier: Apache-2.0
//
// The smallest virtual platform with a governor in it: a toy SM whose CTAs take 100 cycles each and which stalls least with 6 of
// them. Perf-Sat finds that out, once in the RTL and once in the C model: the same lines. doc/use/systemc.md says how to build it.
#include <cstdio>
#include <systemc>

#include "blocks/sm_governor/sc.h"

using rtl = sm_governor_sc;
using model = sm_governor_model_sc<sm_governor_sc>;
using inputs = sm_governor_in_pins<ballast_sc::wire, sm_governor_sc>;    // a signal per port, named as the port
using outputs = sm_governor_out_pins<ballast_sc::wire, sm_governor_sc>;

// Drives what an SM shows: which warps wait, which CTAs start and finish. It keeps as many CTAs as it is told to.
struct toy_sm : sc_core::sc_module {
    sc_core::sc_in<bool> clk_i{"clk_i"};
    inputs &bus;
    const outputs &governor;
    const char *const label;
    unsigned cycle = 0, limit = 0;

    SC_HAS_PROCESS(toy_sm);
    toy_sm(sc_core::sc_module_name name, inputs &in, const outputs &out, const char *who)
        : sc_module{name}, bus{in}, governor{out}, label{who}
    {
        SC_METHOD(tick);
        sensitive << clk_i.pos();  // reads what was before the edge, writes for the next cycle
    }

    void tick()
    {
        const unsigned told = governor.limit_o.read();

        if (told != limit) std::printf("%s cycle %u: limit %u -> %u\n", label, cycle, limit, told);
        limit = told;
        const unsigned ctas = limit ? limit : 1, slots = (1u << ctas) - 1;
        const bool stalls = cycle % 8 >= (ctas <= 6 ? ctas : 5);

        bus.policy_i.write(BALLAST_POLICY_PERFSAT);
        bus.kernel_start_i.write(cycle == 0);
        bus.nmax_i.write(8);
        bus.wcta_i.write(6);
        bus.cta_active_i.write(slots);
        bus.cta_start_i.write(cycle == 0 ? slots : 0);
        bus.cta_done_i.write(cycle % 100 == 99);
        // Warp 0 waits for an operand or issues: state codes of cmodel/common/encodings.h, bit by bit.
        const unsigned state = stalls ? BALLAST_WARP_WAIT_ALU : BALLAST_WARP_ISSUED_ALU;
        bus.ws0_i.write(state & 1);
        bus.ws1_i.write(state >> 1 & 1);
        bus.ws2_i.write(state >> 2 & 1);
        bus.ws3_i.write(state >> 3 & 1);
        bus.issue_valid_i.write(!stalls);
        cycle++;
    }
};

// An SM and its governor, whichever Governor is.
template <class Governor> struct governed_sm {
    inputs in;
    outputs out;
    Governor governor;
    toy_sm sm;

    template <class... More>
    governed_sm(const char *label, sc_core::sc_clock &clk, ballast_sc::wire<bool> &rst_n, const More &...more)
        : in{label}, out{label}, governor{label, more...}, sm{sc_core::sc_gen_unique_name("sm"), in, out, label}
    {
        governor.clk_i(clk);
        governor.rst_ni(rst_n);
        in.connect_inputs(governor);
        out.connect_outputs(governor);
        sm.clk_i(clk);
    }
};

int sc_main(int, char **)
{
    sm_governor_cfg cfg = sm_governor_cfg_default();  // the RTL's parameters; as they are, they need no change
    sc_core::sc_clock clk{"clk", 1, sc_core::SC_NS};
    ballast_sc::wire<bool> rst_n{"rst_n"};
    governed_sm<rtl> a{"rtl", clk, rst_n};
    governed_sm<model> b{"model", clk, rst_n, cfg};

    rst_n.write(false);
    sc_core::sc_start(2, sc_core::SC_NS);
    a.sm.cycle = b.sm.cycle = 0;
    rst_n.write(true);
    sc_core::sc_start(100, sc_core::SC_US);
    a.governor.final();
    return a.sm.limit == b.sm.limit && a.sm.limit == 6 ? 0 : 1;
}
