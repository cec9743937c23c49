/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast family --side model: one kernel's recordings under policies that are built in, without RTL.
 */
#ifndef BALLAST_FAMILY_MODELS_H
#define BALLAST_FAMILY_MODELS_H

#include "cli/family_policies.h"
#include "policy/models_family.h"
#include "replay/oracle.h"

typedef struct family_models {
    family *family;
    models_family *models;
} family_models;

/* Decodes the recordings, once for all policies. False with a line on stderr; to be closed in either case. */
bool family_models_open(family_models *m, const family_play *play);
void family_models_close(family_models *m);
/* What an exhaustive search over them finds. */
void family_models_search(const family_models *m, breakdown *b, replay_oracle *schedule);
/* On what the results lean, a line for each block: to stdout, or, beside data, to stderr. */
void family_models_tell_proof(const policy_choices *choices, bool csv);

#endif
