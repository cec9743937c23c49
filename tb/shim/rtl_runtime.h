// SPDX-License-Identifier: Apache-2.0
//
// What all Verilated blocks share: the run-time set-up and the capture of assertions.
#ifndef BALLAST_RTL_RUNTIME_H
#define BALLAST_RTL_RUNTIME_H

#include <cstdint>

class VerilatedContext;

// The one context of all blocks: Verilator 5.006 looks a scope up in the thread's context when it
// is destroyed, so a context per block does not outlive its block safely. Registers start random
// (from `seed`), so that a missing reset shows.
VerilatedContext *rtl_prepare(uint32_t seed);

// Message of an assertion that fired since the last call, or nullptr.
const char *rtl_take_assertion();

#endif
