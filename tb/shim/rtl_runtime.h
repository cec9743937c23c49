// SPDX-License-Identifier: Apache-2.0
//
// What all Verilated blocks share: the run-time set-up and the capture of assertions.
#ifndef BALLAST_RTL_RUNTIME_H
#define BALLAST_RTL_RUNTIME_H

#include <cstdint>

class VerilatedContext;

// Random registers before reset (from `seed`), so that a missing reset shows.
VerilatedContext *rtl_prepare(VerilatedContext *context, uint32_t seed);

// Message of an assertion that fired since the last call, or nullptr.
const char *rtl_take_assertion();

#endif
