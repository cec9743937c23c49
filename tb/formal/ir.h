/* SPDX-License-Identifier: Apache-2.0
 *
 * LLVM IR without loops as an and-inverter graph. What the IR leaves undefined (undef, poison, shifts that are too long, the
 * promises nsw, nuw, exact and inbounds) gets some value; the tests' sanitizers see to it that the models do none of it.
 * Accesses outside of an object are reported.
 */
#ifndef BALLAST_IR_H
#define BALLAST_IR_H

#include "formal/aig.h"

/* Translates `function`(const uint64_t *in, uint64_t *out) of the file. in, out: 64 literals per word. Returns the
 * condition under which an access is outside of its object. */
lit ir_translate(aig *g, const char *path, const char *function, const lit *in, unsigned words_in, lit *out,
                 unsigned words_out);

#endif
