/* SPDX-License-Identifier: Apache-2.0
 *
 * A run need not be simulated in full once nothing about it changes any more: the CTAs of one kernel come and go at one rate. Then those that
 * still wait are left out, and counted as if they had done what those did that were seen. The last ones are simulated: a grid's end,
 * where SMs run empty, is part of the result.
 *
 * A run is looked at in pieces: so many cycles at least, and so many CTAs that neither a CTA's beginning nor its end weighs too much.
 * It is steady if the policy has decided, in case that it says so, and two pieces in a row are alike: in instructions and time, limits
 * and CTAs. The first piece is not compared: caches and queues fill.
 */
#ifndef BALLAST_STEADY_H
#define BALLAST_STEADY_H

#include "gpu/closed_loop.h"
#include "gpu/run_watch.h"

enum {
    STEADY_LOOK = 1024, /* cycles between two looks                                                         */
    STEADY_TURNS = 2    /* CTAs that end in a piece, over those that are there: at least so many            */
};
#define STEADY_ALIKE 0.01 /* pieces whose measures differ by this part of them at most are                  */

/* Everything that is counted, up to a cycle. */
typedef struct steady_mark {
    sim_mark done;
    run_watch watch;
} steady_mark;

typedef struct steady {
    chip_sim *sim;
    run_watch *watch; /* measures the run, and sees each cycle first  */
    uint64_t least;   /* cycles of a piece                            */
    bool decides;     /* the policy says when it has decided          */
    bool over;        /* a leap has been made, or no CTA is left for one */
    unsigned marks;   /* ends of pieces, since it has decided         */
    steady_mark mark[2]; /* the last ones, the later one last         */
} steady;

void steady_open(steady *s, chip_sim *sim, run_watch *watch, const run_request *request);
loop_tap steady_tap(steady *s);

#endif
