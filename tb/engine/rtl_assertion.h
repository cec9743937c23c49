/* SPDX-License-Identifier: Apache-2.0
 *
 * Set when an assertion of any Verilated block has fired and nobody has asked for it yet. A
 * plain variable, because it is looked at on every cycle.
 */
#ifndef BALLAST_RTL_ASSERTION_H
#define BALLAST_RTL_ASSERTION_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif
extern bool rtl_assertion_pending;
#ifdef __cplusplus
}
#endif

#endif
