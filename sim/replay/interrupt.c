/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/interrupt.h"

volatile sig_atomic_t interrupted = 0;

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

void interrupt_install(void)
{
    const struct sigaction action = {.sa_handler = on_signal};

    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}
