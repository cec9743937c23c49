/* SPDX-License-Identifier: Apache-2.0 */
#include "icarus/handover.h"

#include <iverilog/vpi_user.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

enum { STACK = 8 << 20, /* as a program's own */
       PATIENCE = 2    /* seconds of processor time for one unit of simulated time */ };

static ucontext_t simulator, engine;
static volatile sig_atomic_t turns, turns_seen, simulating;

/* A design with a loop of zero delay takes its turn and never ends it. */
static void watch(int number)
{
    static const char text[] = "ballast: after reset or an edge the design does not settle: signals change without end at one moment (a loop)\n";

    (void)number;
    if (simulating && turns == turns_seen) {
        (void)!write(STDERR_FILENO, text, sizeof text - 1);
        _exit(1);
    }
    turns_seen = turns;
}

static void start_watch(void)
{
    const struct itimerval often = {{PATIENCE, 0}, {PATIENCE, 0}};
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = watch;
    action.sa_flags = SA_RESTART;
    sigaction(SIGPROF, &action, NULL);
    setitimer(ITIMER_PROF, &often, NULL);
}

static PLI_INT32 resume(p_cb_data data)
{
    (void)data;
    simulating = 0;
    swapcontext(&simulator, &engine);
    return 0;
}

void handover_wait(void)
{
    s_vpi_time one = {.type = vpiSimTime, .low = 1};
    s_cb_data when = {.reason = cbAfterDelay, .cb_rtn = resume, .time = &one};
    vpiHandle callback = vpi_register_cb(&when);

    turns = (turns + 1) & 0xffffff; /* any number will do */
    simulating = 1;
    swapcontext(&engine, &simulator);
    vpi_free_object(callback);
}

bool handover_begin(void (*body)(void))
{
    void *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

    if (stack == MAP_FAILED || getcontext(&engine) != 0)
        return false;
    start_watch();
    engine.uc_stack.ss_sp = stack;
    engine.uc_stack.ss_size = STACK;
    engine.uc_link = &simulator;
    makecontext(&engine, body, 0);
    swapcontext(&simulator, &engine);
    return true;
}
