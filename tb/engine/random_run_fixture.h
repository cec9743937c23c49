/* SPDX-License-Identifier: Apache-2.0
 *
 * What tests of the engine and of the rules share: a block after what it needs, on random buses and with settings that change, the
 * same again every time. Test only.
 */
#ifndef BALLAST_RANDOM_RUN_FIXTURE_H
#define BALLAST_RANDOM_RUN_FIXTURE_H

#include "engine/lockstep.h"
#include "engine/random_sms.h"

enum { RANDOM_RUN_WARPS = 48, RANDOM_RUN_SLOTS = 8, RANDOM_RUN_CYCLE = 1000 }; /* CYCLE: the number of the first one */

typedef struct random_run {
    lockstep ls;
    random_sms sms;
} random_run;

/* The block's instance. */
const lockstep_instance *random_run_open(random_run *r, const block *blk, uint64_t seed, uint64_t cycles);
/* One cycle; false: model and RTL differ. */
bool random_run_cycle(random_run *r);
/* All cycles from reset on. */
bool random_run_all(random_run *r);
void random_run_fail(const lockstep *ls, const block *blk);
/* A fast cycle does not say what differs: then the same again, closely. */
void random_run_expect_agreement(random_run *r, const block *blk);

#endif
