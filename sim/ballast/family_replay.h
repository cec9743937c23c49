/* SPDX-License-Identifier: Apache-2.0
 *
 * One family replay, for the commands that do it.
 */
#ifndef BALLAST_FAMILY_REPLAY_H
#define BALLAST_FAMILY_REPLAY_H

#include "ballast/replay_options.h"
#include "player/family.h"

/* Replays into OUT/<name>.*, prints the table row and what went wrong. Returns the exit
 * status; *result (may be NULL) is then the caller's to free. */
int family_replay(const replay_options *replay, const char *const *paths, unsigned num_paths,
                  const family_options *options, const char *name, session_result *result);

#endif
