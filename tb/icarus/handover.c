/* SPDX-License-Identifier: Apache-2.0 */
#include "icarus/handover.h"

#include <sys/mman.h>
#include <ucontext.h>
#include <iverilog/vpi_user.h>

enum { STACK = 8 << 20 }; /* as a program's own */

static ucontext_t simulator, engine;

static PLI_INT32 resume(p_cb_data data)
{
    (void)data;
    swapcontext(&simulator, &engine);
    return 0;
}

void handover_wait(void)
{
    s_vpi_time one = {.type = vpiSimTime, .low = 1};
    s_cb_data when = {.reason = cbAfterDelay, .cb_rtn = resume, .time = &one};
    vpiHandle callback = vpi_register_cb(&when);

    swapcontext(&engine, &simulator);
    vpi_free_object(callback);
}

bool handover_begin(void (*body)(void))
{
    void *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

    if (stack == MAP_FAILED || getcontext(&engine) != 0)
        return false;
    engine.uc_stack.ss_sp = stack;
    engine.uc_stack.ss_size = STACK;
    engine.uc_link = &simulator;
    makecontext(&engine, body, 0);
    swapcontext(&simulator, &engine);
    return true;
}
