// SPDX-License-Identifier: Apache-2.0
//
// Compiled together with Verilator's own run-time (VL_USER_STOP): a failing assertion must not
// end the program, it is a verdict like any other mismatch.
#include "shim/rtl_runtime.h"

#include "engine/block.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "verilated.h"

static char assertion_text[256];
static char last_error[256];  // printed by the run-time just before it stops
bool rtl_assertion_pending = false;

// Of "rtl.perfsat_edge.perfsat.p_assert.LimitMoves", the module around the block is nobody's business.
static void leave_out_module_around(char *text)
{
    char *end = std::strstr(text, "_edge."), *begin = end;

    if (!end) return;
    while (begin > text && begin[-1] != '.') begin--;
    end += std::strlen("_edge.");
    std::memmove(begin, end, std::strlen(end) + 1);
}

// "[0] %Error: perfsat.sv:319: Assertion failed in rtl.perfsat_edge.perfsat.p_assert.LimitMoves: ..." loses its head and
// its line end; $display and the like go to the terminal as ever.
int rtl_printf(const char *format, ...)
{
    static const char mark[] = "%Error: ";
    char text[512];
    va_list args;

    va_start(args, format);
    const int length = std::vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (const char *error = std::strstr(text, mark)) {
        std::snprintf(last_error, sizeof last_error, "%.*s",
                      static_cast<int>(std::strcspn(error + sizeof mark - 1, "\n")), error + sizeof mark - 1);
        leave_out_module_around(last_error);
    } else {
        std::fputs(text, stdout);
    }
    return length;
}

void vl_stop(const char *filename, int linenum, const char *) VL_MT_UNSAFE
{
    if (rtl_assertion_pending) return;  // the first one is the cause
    rtl_assertion_pending = true;
    if (last_error[0])
        std::snprintf(assertion_text, sizeof assertion_text, "%s", last_error);
    else
        std::snprintf(assertion_text, sizeof assertion_text, "%s:%d", filename, linenum);
    last_error[0] = '\0';
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
