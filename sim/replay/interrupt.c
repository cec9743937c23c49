/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/interrupt.h"

#include <stddef.h>

volatile sig_atomic_t interrupted = 0;

static void on_signal(int number)
{
    interrupted = number;
}

/* A signal that the parent has this program ignore (nohup) stays ignored. */
static bool is_ignored(int number)
{
    struct sigaction now;

    return sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

void interrupt_install(void)
{
    const struct sigaction action = {.sa_handler = on_signal};

    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (!is_ignored(SIGHUP))
        sigaction(SIGHUP, &action, NULL);
    if (!is_ignored(SIGPIPE))
        sigaction(SIGPIPE, &action, NULL);
}

bool interrupted_by_pipe(void)
{
    return interrupted == SIGPIPE;
}
