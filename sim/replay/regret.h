/* SPDX-License-Identifier: Apache-2.0
 *
 * What a policy's family replay has lost against the oracle: at the end of each segment, its cycles so far minus the oracle's for the
 * same segments. A launch that is played again continues both.
 */
#ifndef BALLAST_REGRET_H
#define BALLAST_REGRET_H

#include "replay/oracle.h"

enum { REGRET_POINTS = 256 };

typedef struct regret {
    unsigned segments; /* of the first pass that the replay has got through; 0: nothing is known  */
    double percent;    /* in these, cycles over the oracle's                                      */
    double cost;       /* and over those of the best fixed limit, as far as it is recorded        */
    unsigned num;      /* of points: all of the first pass, some of later ones, and the last      */
    struct {
        uint64_t cycle; /* of the replay */
        int64_t lost;   /* cycles        */
    } point[REGRET_POINTS];
} regret;

void regret_of(regret *r, const replay_oracle *o, const pace *p, unsigned best);

#endif
