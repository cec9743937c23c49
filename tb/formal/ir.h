/* SPDX-License-Identifier: Apache-2.0
 *
 * LLVM IR as an and-inverter graph: its variables must be values, and what a loop computes leave it by a phi (circuits.py). Calls are
 * translated one by one, loops turn by turn, which must have a bound. Nothing undefined has a value here:
 *   new memory, undef, poison, padding, calls of ballast_unknown_N (unknowns.c): unknowns, fresh inputs of the graph;
 *   traps (clang puts one before each operation that C does not define: overflow of a sign, a shift that is too long, an index out of
 *     its array, a division by 0), unreachable, accesses outside of an object, LLVM's own divisions by 0: reported.
 * The promises nsw, nuw, exact, inbounds and freeze may then be passed over: where no trap is reached, a program has one behaviour only,
 * and whatever LLVM's passes made of it has the same.
 */
#ifndef BALLAST_IR_H
#define BALLAST_IR_H

#include "formal/aig.h"

/* Translates `function`(const uint64_t *in, uint64_t *out) of the file. in, out: 64 literals per word. Returns the
 * condition under which it does what C does not define. */
lit ir_translate(aig *g, const char *path, const char *function, const lit *in, unsigned words_in, lit *out,
                 unsigned words_out);

#endif
