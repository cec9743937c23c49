/* SPDX-License-Identifier: Apache-2.0
 *
 * Somebody who sees every cycle of the simulator's CTA dispatcher.
 */
#ifndef BALLAST_DISPATCH_WATCH_H
#define BALLAST_DISPATCH_WATCH_H

typedef struct dispatch_watch {
    void *self;
    void (*begin)(void *self); /* the dispatcher is after reset */
    /* Structs of the block's model, gwde or mcke: registers before the cycle, its inputs and outputs, registers after it. */
    void (*stepped)(void *self, const void *before, const void *in, const void *out, const void *after);
} dispatch_watch;

#endif
