/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules as a watcher of a lockstep run: every careful cycle of every block, model and RTL each with a history of its own.
 */
#ifndef BALLAST_RULES_WATCH_H
#define BALLAST_RULES_WATCH_H

#include "engine/lockstep.h"
#include "rules/block_rules.h"

typedef struct rules_watch {
    const block_rules *rules[LOCKSTEP_MAX_BLOCKS];
    void *history[LOCKSTEP_MAX_BLOCKS][LOCKSTEP_SIDES];
    uint64_t cycles; /* looked at */
    uint64_t all[LOCKSTEP_MAX_BLOCKS]; /* of each block the rules that were broken, a bit each */
    uint64_t broken; /* the rules of `block` that were broken first, a bit each                */
    const lockstep_instance *block;
    enum lockstep_side side;
    uint64_t cycle;
} rules_watch;

/* Watches a run from its reset on. False when memory runs out, or a block has no rules. */
bool rules_watch_start(rules_watch *w, lockstep *ls);
void rules_watch_stop(rules_watch *w);
/* A cycle of one side of instance `i`. */
void rules_watch_see(rules_watch *w, const lockstep_instance *inst, unsigned i, enum lockstep_side side, const lockstep_view *view,
                     uint64_t cycle);
/* "EQ-10: text" of a block's rule by its bit. */
const char *rules_text(const block *blk, unsigned bit, char *text, size_t size);
/* The same of the first broken rule, "" without one. */
const char *rules_watch_text(const rules_watch *w, char *text, size_t size);

#endif
