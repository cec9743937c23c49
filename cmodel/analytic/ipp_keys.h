/* SPDX-License-Identifier: Apache-2.0
 *
 * ipp_keys: the values of an ipp_params by name, for command lines and files: "idle_power",
 * "fp.max_power", "texture.special_linear", "thermal.mu". Booleans are 0 and 1.
 */
#ifndef BALLAST_ANALYTIC_IPP_KEYS_H
#define BALLAST_ANALYTIC_IPP_KEYS_H

#include "analytic/ipp_params.h"

enum { IPP_KEY_TEXT = 40 };

/* The keys: 0, 1, ... until false. */
bool ipp_key_name(unsigned index, char text[IPP_KEY_TEXT]);

/* False for a key that does not exist; set also for a value that no GPU can have. A set that is
 * refused leaves params as they were. thermal.* are checked once thermal.known is 1. */
bool ipp_key_get(const ipp_params *params, const char *key, double *value, analytic_err *err);
bool ipp_key_set(ipp_params *params, const char *key, double value, analytic_err *err);

#endif
