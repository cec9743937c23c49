/* SPDX-License-Identifier: Apache-2.0
 *
 * Ctrl-C asks for an orderly end: the run stops between two cycles, no partial file stays. So do SIGTERM, a terminal that is closed
 * and a pipe that nobody reads any more. Asking again changes nothing (some senders signal twice); SIGQUIT ends at once.
 */
#ifndef BALLAST_INTERRUPT_H
#define BALLAST_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

extern volatile sig_atomic_t interrupted; /* the signal's number */
void interrupt_install(void);
/* Nobody reads what is printed: there is nobody to complain to, either. */
bool interrupted_by_pipe(void);

#endif
