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

/* Of a function: its blocks that can be reached, the first one first. A loop's are together, and each comes behind those that lead to
 * it, but for the first one of a loop. Nodes are the blocks, i, and whole loops, num + i if block i begins it. */
typedef struct shape {
    unsigned num;
    LLVMBasicBlockRef *blocks;
    unsigned *end;  /* of a block that begins a loop: behind its last one; otherwise 0 */
    unsigned *same; /* of a node: one that is reached when it is, in the same turn of all loops around; or itself */
    bool called;    /* a call of it is being translated */
} shape;

static inline unsigned ir_loop_node(const shape *s, unsigned first)
{
    return s->num + first;
}

static inline unsigned ir_end_node(const shape *s) /* behind all nodes */
{
    return 2 * s->num;
}

/* What is known so far, by LLVM's own objects. */
typedef struct binding {
    const void *key;
    value value;
    value next;         /* of a phi: when its block is entered */
    unsigned rank;      /* of a block: its place in the shape */
    shape *shape; /* of a function */
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

shape *ir_shape(ir *t, LLVMValueRef function);

/* Width of a first-class type; 0 for a pointer. */
unsigned ir_width(LLVMTypeRef type);
size_t ir_size(const ir *t, LLVMTypeRef type);     /* bytes from one element of an array to the next */
size_t ir_accessed(const ir *t, LLVMTypeRef type); /* bytes that a load or store touches: 5 of an i40, which stands in 8 */
value ir_number(vec number);
value ir_pointer(pointer to);

/* Constants and what has been computed. */
value ir_operand(ir *t, LLVMValueRef v);
/* What a function gets when it is called: of a struct that is passed by value, a copy. */
value ir_argument(ir *t, LLVMValueRef function, unsigned index, LLVMValueRef v, lit taken);
pointer ir_element(ir *t, LLVMValueRef gep);

/* One instruction that is neither a branch, a phi nor a call of a function with a body. */
value ir_instruction(ir *t, LLVMValueRef v, lit taken);
value ir_intrinsic(ir *t, LLVMValueRef call, const char *name, lit taken);

/* C does not define what happens when this is taken. */
void ir_undefined(ir *t, lit taken);

__attribute__((noreturn)) void ir_unknown(LLVMValueRef v, const char *why);

#endif
