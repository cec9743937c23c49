/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/interrupt.h"

#include <string.h>

volatile sig_atomic_t interrupted = 0;

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

void interrupt_install(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}
