/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the parts of the translation.
 */
#ifndef BALLAST_IR_PRIVATE_H
#define BALLAST_IR_PRIVATE_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "formal/memory.h"

/* Of an instruction, argument or constant: a number (a struct's fields joined), or a pointer. */
typedef struct value {
    bool is_pointer;
    vec number;
    pointer place;
} value;

/* What is known so far, by LLVM's own objects. */
typedef struct binding {
    const void *key;
    value value;
    lit condition; /* of a block: it is reached; AIG_INPUT if it is not in the order */
    unsigned rank; /* of a block: its place in the order */
} binding;

typedef struct ir {
    aig *g;
    memory memory;
    LLVMTargetDataRef layout;
    binding *bindings;
    size_t num_bindings, max_bindings;
} ir;

binding *ir_bind(ir *t, const void *key);       /* a new one if there is none */
const binding *ir_find(const ir *t, const void *key); /* or NULL */

/* The blocks of a function that can be reached, the first one first, every one after those that lead to it. Of each, a block before
 * it that is reached when it is: or itself, if its condition is no other's. All are bound, with the condition false. */
typedef struct block_order {
    unsigned num;
    LLVMBasicBlockRef *blocks;
    unsigned *same;
} block_order;

block_order ir_order(ir *t, LLVMValueRef function);
void ir_order_close(block_order *o);

/* Width of a first-class type; 0 for a pointer. */
unsigned ir_width(LLVMTypeRef type);
size_t ir_size(const ir *t, LLVMTypeRef type);     /* bytes from one element of an array to the next */
size_t ir_accessed(const ir *t, LLVMTypeRef type); /* bytes that a load or store touches: 5 of an i40, which stands in 8 */
value ir_number(vec number);
value ir_pointer(pointer to);

/* Constants and what has been computed. */
value ir_operand(ir *t, LLVMValueRef v);
pointer ir_element(ir *t, LLVMValueRef gep);

/* One instruction that is neither a branch, a phi nor a call of a function with a body. */
value ir_instruction(ir *t, LLVMValueRef v, lit taken);
value ir_intrinsic(ir *t, LLVMValueRef call, const char *name, lit taken);

/* C does not define what happens when this is taken. */
void ir_undefined(ir *t, lit taken);
/* Bits of which nothing is known. */
vec ir_anything(ir *t, unsigned width);

__attribute__((noreturn)) void ir_unknown(LLVMValueRef v, const char *why);

#endif
