/* SPDX-License-Identifier: Apache-2.0
 *
 * ipp_keys: the values of an ipp_params by name, for command lines and files: "idle_power",
 * "fp.max_power", "texture.special_linear", "thermal.mu". Booleans are 0 and 1.
 */
#ifndef BALLAST_ANALYTIC_IPP_KEYS_H
#define BALLAST_ANALYTIC_IPP_KEYS_H

#include "analytic/ipp_params.h"

#ifdef __cplusplus
extern "C" {
#endif

/* False for a key that does not exist or a value that no GPU can have; params stay as they were then.
 * thermal.* are checked once thermal.known is 1. */
bool ipp_key_set(ipp_params *params, const char *key, double value, analytic_err *err);

#ifdef __cplusplus
}
#endif
#endif
