/* SPDX-License-Identifier: Apache-2.0
 *
 * One replay with everything a command does around it: session, table row, printed log,
 * explanation.
 */
#ifndef BALLAST_REPLAY_H
#define BALLAST_REPLAY_H

#include "cli/replay_options.h"
#include "cli/table.h"
#include "replay/chip.h"
#include "replay/family.h"

typedef struct chip_options {
    unsigned skew;
    bool together; /* the recorded SMs begin together, whatever their cycle numbers */
    bool family; /* the recordings are one: every SM's limit picks among them   */
    int launch;  /* of a family; -1: the longest                                */
    unsigned max_laps;
} chip_options;

/* What a family replay gave, for who reports it. */
typedef struct family_outcome {
    session_result result; /* to be freed with session_result_free */
    /* What an exhaustive search over the same recordings finds, in words: instructions per cycle at
     * every limit, and the fewest CTAs that no higher limit beats by 2 %. "" without a pass. */
    char found[1024];
} family_outcome;

/* All return the exit status. What they write is OUT/<name>.sm<N>.* */
/* outcome may be NULL; else it is to be freed with session_result_free. */
int replay_open_loop(const replay_options *replay, const char *path, trace_reader *reader, unsigned sm, table *t,
                     session_result *outcome);
/* Every SM of the recording, or the one that the options name. */
int replay_recording(const replay_options *replay, const char *path, bool salvage, table *t);
/* outcome may be NULL. */
int replay_family(const replay_options *replay, const char *const *paths, unsigned num_paths,
                  const family_options *options, const char *name, table *t, family_outcome *outcome);
/* name: of what is written, NULL: the recording's. outcome may be NULL; else its result is to be
 * freed. */
int replay_chip(const replay_options *replay, const char *const *paths, unsigned num_paths,
                const chip_options *options, const char *name, table *t, family_outcome *outcome);

/* What --max-cycles, --seed and --block say; settings change at random. */
int replay_random(const replay_options *replay, table *t);

#endif
