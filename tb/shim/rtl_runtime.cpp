// SPDX-License-Identifier: Apache-2.0
//
// Compiled together with Verilator's own run-time (VL_USER_STOP): a failing assertion must not
// end the program, it is a verdict like any other mismatch.
#include "shim/rtl_runtime.h"

#include <cstdio>

#include "engine/rtl_assertion.h"
#include "verilated.h"

static char assertion_text[256];
bool rtl_assertion_pending = false;

void vl_stop(const char *filename, int linenum, const char *hier) VL_MT_UNSAFE
{
    if (rtl_assertion_pending) return;  // the first one is the cause
    rtl_assertion_pending = true;
    std::snprintf(assertion_text, sizeof assertion_text, "%s:%d (in %s)", filename, linenum, hier);
}

VerilatedContext *rtl_prepare(uint32_t seed)
{
    VerilatedContext *context = Verilated::threadContextp();

    context->randReset(2);
    context->randSeed(static_cast<int>(seed));
    context->fatalOnError(false);
    return context;
}

const char *rtl_take_assertion()
{
    if (!rtl_assertion_pending) return nullptr;
    rtl_assertion_pending = false;
    return assertion_text;
}
