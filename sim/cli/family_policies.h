/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast family --policy: one kernel's recordings under policies that are built in and in files.
 */
#ifndef BALLAST_FAMILY_POLICIES_H
#define BALLAST_FAMILY_POLICIES_H

#include "cli/policy_choice.h"
#include "cli/replay.h"

/* The recordings and how they are played. */
typedef struct family_play {
    const replay_options *replay;
    const char *const *paths;
    unsigned num_paths;
    family_options how;
    const char *name;
    bool csv;    /* instead of text */
    bool models; /* what is built in plays without RTL */
} family_play;

/* One that is built in is the setting of sm_governor; a caller who has one file plays it with this. The exit status. */
int family_own(const family_play *play, const own_policy *policy);
/* Several, each on its own, as a table; nothing but the failures is printed if one has failed. The exit status. */
int family_policies(const family_play *play, policy_choices *choices);

#endif
