/* SPDX-License-Identifier: Apache-2.0
 *
 * In place of the Verilated blocks, which this library does not have: there are no variants, and no assertion fails.
 */
#include "engine/block.h"

const block *const block_registry[] = {NULL};
bool rtl_assertion_pending = false;
