/* SPDX-License-Identifier: Apache-2.0
 *
 * What --policy says, which may be given several times: a policy that is built in by its name, a shared object, or `all` that are built in.
 */
#ifndef BALLAST_POLICY_CHOICE_H
#define BALLAST_POLICY_CHOICE_H

#include "cli/options.h"
#include "policy/own_policy.h"

enum { POLICY_CHOICES = 32 };

typedef struct policy_choice {
    const char *label;  /* for tables; of a file as given, until it is loaded */
    const char *file;   /* as given, or NULL                            */
    uint8_t policy;     /* enum ballast_policy, without a file          */
    own_policy own;     /* with one, once it is loaded                  */
} policy_choice;

typedef struct policy_choices {
    policy_choice choice[POLICY_CHOICES];
    unsigned num; /* 0: nobody has said anything */
} policy_choices;

/* The row of an option that fills them. */
#define POLICY_ROW(type, member) \
    {"policy", 0, "NAME|FILE.so", "A policy by name, a shared object with one of your own (./mine.so, ./mine.so:OPTIONS), or 'all' that are " \
     "built in. Several, or 'all': a table of them (default: static in a simulation, Perf-Sat in a family)", MEMBER(type, member), .take = policy_choices_take}
void policy_choices_take(void *member, char *arg, const struct argp_state *state);

/* Loads the files. False with a line on stderr, and nothing is loaded. */
bool policy_choices_load(policy_choices *choices);
void policy_choices_unload(policy_choices *choices);

/* Of one choice at most: is it this one, is it a file? */
static inline bool policy_choices_static(const policy_choices *c)
{
    return c->num == 0 || (c->num == 1 && !c->choice[0].file && c->choice[0].policy == BALLAST_POLICY_STATIC);
}

static inline bool policy_choices_file(const policy_choices *c)
{
    return c->num == 1 && c->choice[0].file;
}

#endif
