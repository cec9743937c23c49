/* SPDX-License-Identifier: Apache-2.0
 *
 * Ctrl-C asks for an orderly end: the run stops between two cycles, no partial file stays. Asking
 * again changes nothing (some senders signal twice); SIGQUIT ends at once.
 */
#ifndef BALLAST_INTERRUPT_H
#define BALLAST_INTERRUPT_H

#include <signal.h>

extern volatile sig_atomic_t interrupted;
void interrupt_install(void);

#endif
