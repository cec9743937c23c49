/* SPDX-License-Identifier: Apache-2.0
 *
 * The descriptor of a variant whose RTL is the netlist with mutants: compiled with -DVARIANT, -DBLOCK_NAME, -DCLOCKED (0 or 1) and
 * -DVARIANT_PARAMS in the place of the variant's shim.
 */
#include "mutate/mutant_rtl.h"

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)

/* As the RTL shim has it: the makefile's. */
#ifndef VARIANT
#define VARIANT none
#define BLOCK_NAME none
#define CLOCKED 0
#define VARIANT_PARAMS ""
#endif

extern const block_model PASTE(BLOCK_NAME, _model);
extern const block PASTE(VARIANT, _block);
const block PASTE(VARIANT, _block) = {TEXT(VARIANT), VARIANT_PARAMS, &PASTE(BLOCK_NAME, _model),
                                      CLOCKED ? &mutant_rtl : &mutant_rtl_unclocked};
