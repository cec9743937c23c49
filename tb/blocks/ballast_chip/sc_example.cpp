// SPDX-License-Identifier: Apache-2.0
//
// A virtual platform with the whole chip in it: two toy SMs whose CTAs take 100 cycles each, and software on the bus that starts a kernel of
// 40 CTAs and waits for its end. Once with the RTL and once with the C model: the same lines. doc/use/systemc.md says how to build it.
#include <cstdint>
#include <cstdio>
#include <systemc>

#include "../../../rtl/registers/ballast_regs_map.h"
#include "blocks/ballast_chip/sc.h"

using rtl = Vballast_chip;
using model = ballast_chip_model_sc<Vballast_chip>;
using inputs = ballast_chip_in_pins<ballast_sc::wire, Vballast_chip>;    // a signal per port, named as the port
using outputs = ballast_chip_out_pins<ballast_sc::wire, Vballast_chip>;

constexpr unsigned sms = 2, slots = 8, cta_cycles = 100, grid = 40;

// The SMs: a CTA that is launched into a slot finishes cta_cycles later.
struct toy_sms : sc_core::sc_module {
    sc_core::sc_in<bool> clk_i{"clk_i"};
    inputs &bus;
    const outputs &chip;
    unsigned left[sms * slots] = {}, launched = 0;

    SC_HAS_PROCESS(toy_sms);
    toy_sms(sc_core::sc_module_name name, inputs &in, const outputs &out) : sc_module{name}, bus{in}, chip{out}
    {
        SC_METHOD(tick);
        sensitive << clk_i.pos();  // reads what was before the edge, writes for the next cycle
    }

    void tick()
    {
        const uint32_t starts = chip.cta_start_o.read();
        uint32_t done = 0;

        for (unsigned n = 0; n < sms * slots; n++) {
            if (starts >> n & 1) left[n] = cta_cycles, launched++;
            if (left[n] != 0 && --left[n] == 0) done |= 1u << n;
        }
        bus.cta_done_i.write(done);
    }
};

// Software: an APB4 transfer takes a SETUP and an ACCESS cycle.
struct driver : sc_core::sc_module {
    sc_core::sc_in<bool> clk_i{"clk_i"};
    inputs &bus;
    const outputs &chip;
    const char *const label;
    bool over = false;

    SC_HAS_PROCESS(driver);
    driver(sc_core::sc_module_name name, inputs &in, const outputs &out, const char *who)
        : sc_module{name}, bus{in}, chip{out}, label{who}
    {
        SC_THREAD(run);
        sensitive << clk_i.pos();
        dont_initialize();
    }

    uint32_t transfer(uint32_t address, bool write, uint32_t value)
    {
        bus.psel_i.write(true);
        bus.penable_i.write(false);
        bus.pwrite_i.write(write);
        bus.paddr_i.write(address);
        bus.pwdata_i.write(value);
        bus.pstrb_i.write(15);
        wait();
        bus.penable_i.write(true);
        wait();
        const uint32_t answer = chip.prdata_o.read();
        if (chip.pslverr_o.read()) std::printf("%s: 0x%03x refuses %u\n", label, address, value);
        bus.psel_i.write(false);
        bus.penable_i.write(false);
        return answer;
    }

    void run()
    {
        const uint32_t end = 1u << BALLAST_REGS_PENDING_KERNEL_END_SHIFT;
        unsigned reads = 0;

        wait(4);  // of reset
        for (const auto &set : {std::pair{BALLAST_REGS_GRID, grid}, {BALLAST_REGS_WARPS, 6u}, {BALLAST_REGS_REGS, 64u},
                                {BALLAST_REGS_SMEM, 8u}, {BALLAST_REGS_START, 0u}})
            transfer(set.first, true, set.second);
        while (!(transfer(BALLAST_REGS_PENDING, false, 0) & end)) reads++;
        std::printf("%s: %u CTAs launched, kernel over after %u reads of PENDING\n", label,
                    transfer(BALLAST_REGS_LAUNCHES(0), false, 0), reads);
        over = true;
    }
};

// A chip, whichever Chip is, with its SMs and its software.
template <class Chip> struct platform {
    inputs in;
    outputs out;
    Chip chip;
    toy_sms toys;
    driver software;

    template <class... More>
    platform(const char *label, sc_core::sc_clock &clk, ballast_sc::wire<bool> &rst_n, const More &...more)
        : in{label}, out{label}, chip{label, more...}, toys{sc_core::sc_gen_unique_name("sms"), in, out},
          software{sc_core::sc_gen_unique_name("software"), in, out, label}
    {
        chip.clk_i(clk);
        chip.rst_ni(rst_n);
        in.connect_inputs(chip);
        out.connect_outputs(chip);
        toys.clk_i(clk);
        software.clk_i(clk);
    }
};

int sc_main(int, char **)
{
    ballast_chip_cfg cfg = ballast_chip_cfg_default();  // the RTL's parameters
    sc_core::sc_clock clk{"clk", 1, sc_core::SC_NS};
    ballast_sc::wire<bool> rst_n{"rst_n"};

    cfg.governor.num_sms = sms;
    ballast_chip_cfg_derive(&cfg);
    platform<rtl> a{"rtl", clk, rst_n};
    platform<model> b{"model", clk, rst_n, cfg};
    rst_n.write(false);
    sc_core::sc_start(2, sc_core::SC_NS);
    rst_n.write(true);
    sc_core::sc_start(10, sc_core::SC_US);
    a.chip.final();
    return a.software.over && b.software.over && a.toys.launched == grid && b.toys.launched == grid ? 0 : 1;
}
