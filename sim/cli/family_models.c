/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/family_models.h"

#include <string.h>

#include "cli/built_from.h"
#include "cli/policies.h"
#include "cli/say.h"

bool family_models_open(family_models *m, const family_play *play)
{
    trace_err err = {.text = ""};

    *m = (family_models){.family = family_open(play->paths, play->num_paths, &play->how, &err)};
    if (m->family)
        m->models = models_family_open(m->family, &err);
    if (!m->models)
        complain("%s", err.text);
    return m->models != NULL;
}

void family_models_close(family_models *m)
{
    models_family_close(m->models);
    family_close(m->family);
}

void family_models_search(const family_models *m, breakdown *b, replay_oracle *schedule)
{
    const unrolled *const *members = models_family_members(m->models);

    breakdown_of(b, members, family_launch(m->family)->desc.nmax);
    replay_oracle_of(schedule, b, members);
}

/* ---- the proof -------------------------------------------------------------------------- */

static const built_from_proof *proof_of(const block *b)
{
    for (const built_from_proof *p = built_from_proofs; p->block; p++)
        if (!strcmp(p->block, b->model->block_name) && !strcmp(p->params, b->params))
            return p;
    return NULL;
}

static void tell(FILE *f, const block *b)
{
    const built_from_proof *p = proof_of(b);

    fprintf(f, "%s: reference model alone, nothing compared; ", b->name);
    if (!p)
        fprintf(f, "that it is the RTL, step by step, is not proved with these parameters (%s)\n", b->params);
    else
        fprintf(f, "proved equal to the RTL in every step (%s, recorded %s)%s\n", p->config, p->day[0] ? p->day : "on a day that git does not know here",
                p->current ? "" : "; ITS SOURCES HAVE CHANGED SINCE: make formal");
}

void family_models_tell_proof(const policy_choices *choices, bool csv)
{
    const block *told[POLICY_CHOICES];
    char setting[POLICIES_SETTING];
    unsigned num = 0;

    for (unsigned i = 0; i < choices->num; i++) {
        const block *b = choices->choice[i].file ? NULL : policies_block(choices->choice[i].policy, setting);
        bool again = false;

        for (unsigned n = 0; n < num; n++)
            again |= told[n] == b;
        if (b && !again)
            tell(csv ? stderr : stdout, told[num++] = b);
    }
}
