/* SPDX-License-Identifier: Apache-2.0
 *
 * One replay with everything a command does around it: session, table row, printed log,
 * explanation.
 */
#ifndef BALLAST_REPLAY_H
#define BALLAST_REPLAY_H

#include "ballast/replay_options.h"
#include "ballast/table.h"
#include "player/family.h"

/* Both return the exit status. What they write is OUT/<name>.sm<N>.*. *result may be NULL;
 * otherwise the caller frees it. */
int replay_open_loop(const replay_options *replay, const char *path, trace_reader *reader, unsigned sm, table *t);
/* Every SM of the recording, or the one that the options name. */
int replay_recording(const replay_options *replay, const char *path, bool salvage, table *t);
int replay_family(const replay_options *replay, const char *const *paths, unsigned num_paths,
                  const family_options *options, const char *name, table *t, session_result *result);

/* "instructions per cycle at limit 1..Nmax: ...; the fewest CTAs that no higher limit beats by 2 %: N": what the
 * recordings say that the controller should have found. "" if they cannot be read. */
void describe_sweep(char *text, size_t size, const char *const *paths, unsigned num_paths, unsigned sm,
                    unsigned launch);

#endif
