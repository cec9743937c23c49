/* SPDX-License-Identifier: Apache-2.0
 *
 * Types, constants, globals and what is bound to a name.
 */
#include <llvm/Config/llvm-config.h>
#include <stdlib.h>
#include <string.h>

#include "formal/ir_private.h"

void ir_unknown(LLVMValueRef v, const char *why)
{
    size_t length;

    give_up("%s: %s", why, LLVMIsAFunction(v) ? LLVMGetValueName2(v, &length) : LLVMPrintValueToString(v)); /* one line */
}

void ir_undefined(ir *t, lit taken)
{
    t->memory.undefined = aig_or(t->g, t->memory.undefined, taken);
}

/* ---- bindings ----------------------------------------------------------------------- */

static size_t slot_of(const ir *t, const void *key)
{
    size_t at = (size_t)(((uintptr_t)key >> 4) * UINT64_C(0x9e3779b97f4a7c15));

    while (t->bindings[at & (t->max_bindings - 1)].key && t->bindings[at & (t->max_bindings - 1)].key != key)
        at++;
    return at & (t->max_bindings - 1);
}

static void grow(ir *t)
{
    binding *old = t->bindings;
    const size_t count = t->max_bindings;

    t->max_bindings = count ? 2 * count : 1024;
    t->bindings = calloc(t->max_bindings, sizeof *t->bindings);
    if (!t->bindings)
        give_up("out of memory");
    for (size_t i = 0; i < count; i++)
        if (old[i].key)
            t->bindings[slot_of(t, old[i].key)] = old[i];
    free(old);
}

binding *ir_bind(ir *t, const void *key)
{
    size_t at;

    if (2 * t->num_bindings >= t->max_bindings)
        grow(t);
    at = slot_of(t, key);
    if (!t->bindings[at].key) {
        t->bindings[at].key = key;
        t->num_bindings++;
    }
    return &t->bindings[at];
}

const binding *ir_find(const ir *t, const void *key)
{
    const binding *b = t->max_bindings ? &t->bindings[slot_of(t, key)] : NULL;

    return b && b->key ? b : NULL;
}

/* ---- types -------------------------------------------------------------------------- */

unsigned ir_width(LLVMTypeRef type)
{
    unsigned width = 0;

    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type);
    case LLVMPointerTypeKind:
    case LLVMVoidTypeKind: return 0;
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            width += ir_width(LLVMStructGetTypeAtIndex(type, i));
        return width;
    default: give_up("type %s is not known to the translation", LLVMPrintTypeToString(type));
    }
}

size_t ir_size(const ir *t, LLVMTypeRef type)
{
    return (size_t)LLVMABISizeOfType(t->layout, type);
}

size_t ir_accessed(const ir *t, LLVMTypeRef type)
{
    return (size_t)LLVMStoreSizeOfType(t->layout, type);
}

value ir_number(vec number)
{
    return (value){.number = number};
}

value ir_pointer(pointer to)
{
    return (value){.is_pointer = true, .place = to};
}

/* ---- globals ------------------------------------------------------------------------ */

static LLVMValueRef element_of(LLVMValueRef array, unsigned i)
{
#if LLVM_VERSION_MAJOR >= 15
    return LLVMGetAggregateElement(array, i);
#else
    return LLVMIsAConstantDataArray(array) ? LLVMGetElementAsConstant(array, i) : LLVMGetOperand(array, i);
#endif
}

/* A constant into memory at `offset` of an object. */
static void initialize(ir *t, unsigned object, size_t offset, LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    lit *bits = t->memory.objects[object].bits + 8 * offset;

    if (LLVMIsUndef(v))
        return;
    if (LLVMIsNull(v)) {
        memset(bits, 0, 8 * ir_size(t, type) * sizeof *bits);
        return;
    }
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind: {
        const vec number = ir_operand(t, v).number;

        for (unsigned i = 0; i < number.width; i++)
            bits[i] = number.bits[i];
        return;
    }
    case LLVMArrayTypeKind:
        for (unsigned i = 0; i < LLVMGetArrayLength(type); i++)
            initialize(t, object, offset + i * ir_size(t, LLVMGetElementType(type)), element_of(v, i));
        return;
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            initialize(t, object, offset + (size_t)LLVMOffsetOfElement(t->layout, type, i), LLVMGetOperand(v, i));
        return;
    default: ir_unknown(v, "a constant in memory that is not known to the translation");
    }
}

static value global(ir *t, LLVMValueRef v)
{
    LLVMValueRef initializer = LLVMGetInitializer(v);
    value made;
    size_t length;

    if (!initializer || (!LLVMIsGlobalConstant(v) && strncmp(LLVMGetValueName2(v, &length), "part_", 5) != 0))
        ir_unknown(v, "a global variable: a step must depend on its arguments only"); /* part.c's begin anew with each */
    made = ir_pointer(memory_new(&t->memory, ir_size(t, LLVMTypeOf(initializer))));
    initialize(t, made.place.places[0].object, 0, initializer);
    ir_bind(t, v)->value = made;
    return made;
}

/* ---- operands ----------------------------------------------------------------------- */

static vec integer(LLVMValueRef v)
{
    const unsigned width = ir_width(LLVMTypeOf(v));

    if (width > 64 && !LLVMIsNull(v))
        ir_unknown(v, "a constant of more than 64 bits");
    return vec_const(width, width > 64 ? 0 : LLVMConstIntGetZExtValue(v));
}

static value constant_expression(ir *t, LLVMValueRef v)
{
    switch (LLVMGetConstOpcode(v)) {
    case LLVMGetElementPtr: return ir_pointer(ir_element(t, v));
    case LLVMBitCast: return ir_operand(t, LLVMGetOperand(v, 0));
    case LLVMIntToPtr: return ir_pointer((pointer){0, NULL}); /* clang's pattern: leads nowhere */
    default: ir_unknown(v, "a constant expression that is not known to the translation");
    }
}

value ir_operand(ir *t, LLVMValueRef v)
{
    const binding *b = ir_find(t, v);

    if (b)
        return b->value;
    if (LLVMIsAConstantInt(v))
        return ir_number(integer(v));
    if ((LLVMIsUndef(v) || LLVMIsNull(v)) && LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind)
        return ir_pointer((pointer){0, NULL});
    if (LLVMIsUndef(v)) /* poison, too */
        return ir_number(vec_unknown(t->g, ir_width(LLVMTypeOf(v))));
    if (LLVMIsNull(v))
        return ir_number(vec_new(ir_width(LLVMTypeOf(v))));
    if (LLVMIsAGlobalVariable(v))
        return global(t, v);
    if (LLVMIsAConstantExpr(v))
        return constant_expression(t, v);
    ir_unknown(v, "not known, or used before it is computed");
}

value ir_argument(ir *t, LLVMValueRef function, unsigned index, LLVMValueRef v, lit taken)
{
    const unsigned by_value = LLVMGetEnumAttributeKindForName("byval", strlen("byval"));
    LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(function, index + 1, by_value);
    value copy;
    size_t size;

    if (!attribute)
        return ir_operand(t, v);
    size = ir_size(t, LLVMGetTypeAttributeValue(attribute));
    copy = ir_pointer(memory_new(&t->memory, size));
    memory_copy(&t->memory, copy.place, ir_operand(t, v).place, size, taken);
    return copy;
}

pointer ir_element(ir *t, LLVMValueRef gep)
{
    pointer p = ir_operand(t, LLVMGetOperand(gep, 0)).place;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);

    for (int i = 1; i < LLVMGetNumOperands(gep); i++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);

        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            const unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);

            p = pointer_add(p, (int64_t)LLVMOffsetOfElement(t->layout, type, field));
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        p = pointer_move(&t->memory, p, ir_operand(t, index).number, ir_size(t, type));
    }
    return p;
}
