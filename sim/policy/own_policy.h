/* SPDX-License-Identifier: Apache-2.0
 *
 * The shared object of a policy (cmodel/ballast/policy.h): loaded, and checked as far as it can be before it runs.
 */
#ifndef BALLAST_OWN_POLICY_H
#define BALLAST_OWN_POLICY_H

#include "ballast/policy.h"

enum { OWN_PATH = 4096, OWN_LABEL = 96, OWN_ERR = 512 };

typedef struct own_policy {
    const ballast_policy_functions *functions;
    void *handle;
    char path[OWN_PATH];   /* of the file                                            */
    const char *options;   /* in the text that named it                              */
    bool unguarded;        /* functions of the host's own, which a jump out of them would break: called without a guard */
    char label[OWN_LABEL]; /* what tables call it: its name, and the options if any  */
} own_policy;

/* Whether a word names a file rather than a policy that is built in. */
bool own_policy_is_file(const char *text);
/* "FILE.so" or "FILE.so:OPTIONS"; the text must outlive the policy. False with one line, and nothing is loaded. */
bool own_policy_load(own_policy *policy, const char *text, char err[OWN_ERR]);
void own_policy_unload(own_policy *policy);

#endif
