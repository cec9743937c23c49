/* SPDX-License-Identifier: Apache-2.0
 *
 * One replay with everything a command does around it: session, table row, printed log, explanation.
 */
#ifndef BALLAST_REPLAY_H
#define BALLAST_REPLAY_H

#include "cli/replay_options.h"
#include "cli/table.h"
#include "replay/chip.h"
#include "replay/family.h"

typedef struct chip_options {
    unsigned skew; /* cycles between SMs that play the same recorded SM                 */
    bool together; /* the recorded SMs begin together, whatever their cycle numbers     */
    bool family;   /* the recordings are one: every SM's limit picks among them         */
    unsigned launch, max_laps; /* of a family                                           */
} chip_options;

enum { CHIP_SKEW = 13 }; /* if nobody says otherwise */

typedef struct replay_paths {
    char prefix[4096], wave[4096 + 8], explain[4096 + 16], told[4096 + 16];
} replay_paths;

/* What a run writes is OUT/<name>.sm<N>.*, of a chip (sm -1) OUT/<name>.chip.* */
void replay_prepare(const replay_options *replay, const char *name, int sm, const trace_meta *meta, replay_paths *paths,
                    session_options *session);

/* `name` is that of what is written. All return the exit status. outcome may be NULL; else it is to be freed with session_result_free, whatever the status. */
/* The SM of that number, which must be there; of the options' one. */
int replay_sm(const replay_options *replay, const char *name, trace_reader *reader, unsigned sm, table *t,
              session_result *outcome);
/* Every SM of the recording, or the one that the options name. */
int replay_recording(const replay_options *replay, const char *path, const char *name, bool salvage, table *t);
int replay_family(const replay_options *replay, const char *const *paths, unsigned num_paths, const family_options *options,
                  const char *name, table *t, session_result *outcome);
/* What an exhaustive search over a family's recordings finds, in a line. */
void replay_print_sweep(const char *const *paths, unsigned num_paths, const family_options *options);
/* name NULL: the recording's. */
int replay_chip(const replay_options *replay, const char *const *paths, unsigned num_paths, const chip_options *options,
                const char *name, table *t, session_result *outcome);
/* What --max-cycles, --seed and --block say; settings change at random. name NULL: that of the seed. */
int replay_random(const replay_options *replay, const char *name, table *t, session_result *outcome);

/* The launch in which most cycles are recorded; false with a line on stderr. */
bool replay_longest_launch(const char *path, unsigned *launch);
/* False with a line on stderr. */
bool replay_has_sm(const trace_reader *reader, const char *path, int sm);

#endif
