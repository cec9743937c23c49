/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/policy_choice.h"

#include <string.h>

#include "cli/commands.h"
#include "cli/policies.h"
#include "cli/say.h"

static void add(policy_choices *c, policy_choice choice, const struct argp_state *state)
{
    for (unsigned i = 0; i < c->num; i++)
        if (!strcmp(c->choice[i].label, choice.label))
            argp_failure(state, EXIT_USAGE, 0, "--policy names %s twice", choice.label);
    if (c->num == POLICY_CHOICES)
        argp_failure(state, EXIT_USAGE, 0, "--policy: more than %d policies", (int)POLICY_CHOICES);
    c->choice[c->num++] = choice;
}

static void refuse(const char *name, const struct argp_state *state)
{
    char known[256] = "";

    for (const char *const *one = policies_names; *one; one++)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s, ", *one);
    argp_failure(state, EXIT_USAGE, 0, "--policy: no '%s'; there are %sall, and files such as ./mine.so", name, known);
}

void policy_choices_take(void *member, char *arg, const struct argp_state *state)
{
    policy_choices *c = member;
    const bool all = !strcmp(arg, "all");
    bool known = all;

    if (own_policy_is_file(arg)) {
        add(c, (policy_choice){.label = arg, .file = arg}, state);
        return;
    }
    for (unsigned p = 0; policies_names[p]; p++)
        if (all || !strcmp(arg, policies_names[p])) {
            add(c, (policy_choice){.label = policies_names[p], .policy = (uint8_t)p}, state);
            known = true;
        }
    if (!known)
        refuse(arg, state);
}

bool policy_choices_load(policy_choices *c)
{
    char err[OWN_ERR];

    for (unsigned i = 0; i < c->num; i++) {
        if (c->choice[i].file && !own_policy_load(&c->choice[i].own, c->choice[i].file, err)) {
            policy_choices_unload(c);
            complain("%s", err);
            return false;
        }
        if (c->choice[i].file)
            c->choice[i].label = c->choice[i].own.label;
    }
    return true;
}

void policy_choices_unload(policy_choices *c)
{
    for (unsigned i = 0; i < c->num; i++)
        own_policy_unload(&c->choice[i].own);
}
