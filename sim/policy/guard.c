/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/guard.h"

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "replay/interrupt.h"

enum { STACK = 1 << 16, EXITED = 1000 /* no signal */ };

/* Signals of one process, which calls one function at a time. */
static struct {
    sigjmp_buf back;
    volatile sig_atomic_t inside;
    volatile sig_atomic_t ticks; /* seconds that this call takes */
    bool watches_exit;
    _Alignas(4096) char stack[STACK]; /* the callee's own may be full */
} guard;

static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

static void jump(int number)
{
    guard.inside = 0;
    siglongjmp(guard.back, number);
}

static void on_fault(int number)
{
    if (guard.inside)
        jump(number);
    signal(number, SIG_DFL); /* a fault of ours dies of it as ever */
    raise(number);
}

/* Once a second. Ctrl-C is a flag that the caller looks at, once the call has come back. */
static void on_tick(int number)
{
    if (guard.inside && (++guard.ticks > GUARD_SECONDS || (interrupted && guard.ticks > 1)))
        jump(number);
}

/* The whole program would end here, with the callee's exit status and half a result. C leaves a jump out of here undefined; glibc, whose
 * loader and signals this file needs anyhow, takes it: exit calls its handlers without a lock that is not its own thread's. */
static void at_exit(void)
{
    if (guard.inside)
        jump(EXITED);
}

static void catch_signals(void)
{
    const stack_t stack = {.ss_sp = guard.stack, .ss_size = STACK};
    const struct sigaction fault = {.sa_handler = on_fault, .sa_flags = SA_ONSTACK | SA_NODEFER};
    const struct sigaction tick = {.sa_handler = on_tick, .sa_flags = SA_RESTART | SA_NODEFER};

    sigaltstack(&stack, NULL);
    for (unsigned s = 0; s < sizeof fatal / sizeof fatal[0]; s++)
        sigaction(fatal[s], &fault, NULL);
    sigaction(SIGALRM, &tick, NULL);
}

void guard_begin(void)
{
    const struct itimerval second = {{1, 0}, {1, 0}};

    if (!guard.watches_exit)
        atexit(at_exit);
    guard.watches_exit = true;
    catch_signals();
    setitimer(ITIMER_REAL, &second, NULL); /* a new process has no timer */
}

static const char *words_of(int number)
{
    static char text[128];

    if (number == EXITED)
        snprintf(text, sizeof text, "called exit, which only the host may do,");
    else if (number != SIGALRM)
        snprintf(text, sizeof text, "died (%s)", strsignal(number));
    else if (interrupted)
        snprintf(text, sizeof text, "was stopped by a signal");
    else
        snprintf(text, sizeof text, "did not come back in %d seconds", (int)GUARD_SECONDS);
    return text;
}

const char *guard_call(void (*call)(void *user), void *user)
{
    const int number = sigsetjmp(guard.back, 0);

    if (number)
        return words_of(number);
    guard.ticks = 0;
    guard.inside = 1;
    call(user);
    guard.inside = 0;
    return NULL;
}
