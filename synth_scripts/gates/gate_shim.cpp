// SPDX-License-Identifier: Apache-2.0
//
// The Verilated netlist of a block behind the same functions as its RTL. The shim is the RTL's own, compiled under the name
// VARIANT; the block that the registry sees, GATE, differs from it in one function: what is a register of the RTL is a net
// here and cannot be written.
#include "shim/rtl_shim.cpp"

#include <cstdio>
#include <cstdlib>

namespace {

// A fault at the RTL's side (--inject rtl:...) and --state come here.
void refuse_load(void *, const void *)
{
    std::fflush(stdout);
    std::fprintf(stderr, "ballast: " TEXT(GATE) " is a netlist here, its registers cannot be written; "
                         "take --inject model:..., or the RTL ('make build')\n");
    std::exit(2);
}

const block_rtl netlist_functions = {functions.clocked, create,  destroy,   reset,       cycle,           cycle_equal, settle,
                                     edge,              outputs, registers, refuse_load, registers_equal, assertion};

}  // namespace

extern "C" {
extern const block PASTE(GATE, _block);
const block PASTE(GATE, _block) = {TEXT(GATE), VARIANT_PARAMS, &PASTE(BLOCK_NAME, _model), &netlist_functions};
}
