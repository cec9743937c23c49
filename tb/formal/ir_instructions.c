/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions one by one.
 */
#include <string.h>

#include "formal/ir_private.h"

static vec number(ir *t, LLVMValueRef v, unsigned operand)
{
    return ir_operand(t, LLVMGetOperand(v, operand)).number;
}

static pointer place_at(ir *t, LLVMValueRef v, unsigned operand)
{
    return ir_operand(t, LLVMGetOperand(v, operand)).place;
}

static lit compare(aig *g, LLVMIntPredicate predicate, vec a, vec b)
{
    switch (predicate) {
    case LLVMIntEQ: return vec_equal(g, a, b);
    case LLVMIntNE: return aig_not(vec_equal(g, a, b));
    case LLVMIntUGT: return vec_less(g, b, a, false);
    case LLVMIntUGE: return aig_not(vec_less(g, a, b, false));
    case LLVMIntULT: return vec_less(g, a, b, false);
    case LLVMIntULE: return aig_not(vec_less(g, b, a, false));
    case LLVMIntSGT: return vec_less(g, b, a, true);
    case LLVMIntSGE: return aig_not(vec_less(g, a, b, true));
    case LLVMIntSLT: return vec_less(g, a, b, true);
    default: return aig_not(vec_less(g, b, a, true));
    }
}

static vec one_bit(lit a)
{
    vec v = vec_new(1);

    v.bits[0] = a;
    return v;
}

static value select_value(ir *t, LLVMValueRef v)
{
    const lit condition = number(t, v, 0).bits[0];
    const value then = ir_operand(t, LLVMGetOperand(v, 1)), otherwise = ir_operand(t, LLVMGetOperand(v, 2));

    if (then.is_pointer)
        return ir_pointer(pointer_select(&t->memory, condition, then.place, otherwise.place));
    return ir_number(vec_mux(t->g, condition, then.number, otherwise.number));
}

static bool is_pointer(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind;
}

static bool is_struct(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMStructTypeKind;
}

static pointer field_at(ir *t, pointer p, LLVMTypeRef type, unsigned index)
{
    return pointer_add(p, (int64_t)LLVMOffsetOfElement(t->layout, type, index));
}

/* Of a struct, its fields without what lies between them. */
static vec load(ir *t, LLVMValueRef v, LLVMTypeRef type, pointer from, lit taken)
{
    vec all = vec_new(0);

    if (is_pointer(type))
        ir_unknown(v, "a pointer in a struct that is a value");
    if (!is_struct(type))
        return vec_slice(memory_load(&t->memory, from, ir_accessed(t, type), taken), 0, ir_width(type));
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
        all = vec_join(all, load(t, v, LLVMStructGetTypeAtIndex(type, i), field_at(t, from, type, i), taken));
    return all;
}

static void store(ir *t, LLVMValueRef v, LLVMTypeRef type, pointer to, vec what, lit taken)
{
    unsigned low = 0;

    if (is_pointer(type))
        ir_unknown(v, "a pointer in a struct that is a value");
    if (!is_struct(type)) {
        memory_store(&t->memory, to, what, ir_accessed(t, type), taken);
        return;
    }
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
        LLVMTypeRef field = LLVMStructGetTypeAtIndex(type, i);

        store(t, v, field, field_at(t, to, type, i), vec_slice(what, low, ir_width(field)), taken);
        low += ir_width(field);
    }
}

/* Where a field of a struct that was joined of numbers begins. */
static unsigned field_low(LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(v, 0));
    unsigned low = 0;

    if (LLVMGetNumIndices(v) != 1 || !is_struct(type))
        ir_unknown(v, "a field of a field");
    for (unsigned i = 0; i < *LLVMGetIndices(v); i++)
        low += ir_width(LLVMStructGetTypeAtIndex(type, i));
    return low;
}

static vec field(ir *t, LLVMValueRef v)
{
    return vec_slice(number(t, v, 0), field_low(v), ir_width(LLVMTypeOf(v)));
}

static vec with_field(ir *t, LLVMValueRef v)
{
    const vec all = number(t, v, 0), one = number(t, v, 1);
    const unsigned low = field_low(v), high = low + one.width;

    return vec_join(vec_join(vec_slice(all, 0, low), one), vec_slice(all, high, all.width - high));
}

static vec negative_if(aig *g, lit negative, vec a)
{
    return vec_mux(g, negative, vec_sub(g, vec_new(a.width), a), a);
}

/* C's: the remainder has the sign of what is divided. */
static vec quotient_signed(aig *g, vec a, vec b, vec *rest)
{
    const lit minus_a = a.bits[a.width - 1], minus_b = b.bits[b.width - 1];
    const vec result = vec_div(g, negative_if(g, minus_a, a), negative_if(g, minus_b, b), rest);

    *rest = negative_if(g, minus_a, *rest);
    return negative_if(g, aig_xor(g, minus_a, minus_b), result);
}

/* The least number by -1 has a trap of clang's. */
static vec quotient(ir *t, LLVMValueRef v, bool sign, bool remainder, lit taken)
{
    const vec a = number(t, v, 0), b = number(t, v, 1);
    vec rest, result = sign ? quotient_signed(t->g, a, b, &rest) : vec_div(t->g, a, b, &rest);

    ir_undefined(t, aig_and(t->g, taken, aig_not(vec_any(t->g, b))));
    return remainder ? rest : result;
}

value ir_instruction(ir *t, LLVMValueRef v, lit taken)
{
    const unsigned width = ir_width(LLVMTypeOf(v));
    aig *g = t->g;

    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAlloca: return ir_pointer(memory_new(&t->memory, ir_size(t, LLVMGetAllocatedType(v))));
    case LLVMLoad:
        if (is_pointer(LLVMTypeOf(v)))
            return ir_pointer(memory_load_pointer(&t->memory, place_at(t, v, 0), taken));
        return ir_number(load(t, v, LLVMTypeOf(v), place_at(t, v, 0), taken));
    case LLVMStore:
        if (is_pointer(LLVMTypeOf(LLVMGetOperand(v, 0))))
            memory_store_pointer(&t->memory, place_at(t, v, 1), place_at(t, v, 0), taken);
        else
            store(t, v, LLVMTypeOf(LLVMGetOperand(v, 0)), place_at(t, v, 1), number(t, v, 0), taken);
        return ir_number(vec_new(0));
    case LLVMGetElementPtr: return ir_pointer(ir_element(t, v));
    case LLVMBitCast:
        if (is_pointer(LLVMTypeOf(v)) != is_pointer(LLVMTypeOf(LLVMGetOperand(v, 0))))
            ir_unknown(v, "a pointer as a number");
        return ir_operand(t, LLVMGetOperand(v, 0));
    case LLVMFreeze: return ir_operand(t, LLVMGetOperand(v, 0));
    case LLVMSelect: return select_value(t, v);
    case LLVMICmp:
        if (is_pointer(LLVMTypeOf(LLVMGetOperand(v, 0))))
            ir_unknown(v, "a comparison of pointers");
        return ir_number(one_bit(compare(g, LLVMGetICmpPredicate(v), number(t, v, 0), number(t, v, 1))));
    case LLVMZExt: return ir_number(vec_extend(number(t, v, 0), width, false));
    case LLVMSExt: return ir_number(vec_extend(number(t, v, 0), width, true));
    case LLVMTrunc: return ir_number(vec_slice(number(t, v, 0), 0, width));
    case LLVMAdd: return ir_number(vec_add(g, number(t, v, 0), number(t, v, 1)));
    case LLVMSub: return ir_number(vec_sub(g, number(t, v, 0), number(t, v, 1)));
    case LLVMMul: return ir_number(vec_mul(g, number(t, v, 0), number(t, v, 1)));
    case LLVMUDiv: return ir_number(quotient(t, v, false, false, taken));
    case LLVMURem: return ir_number(quotient(t, v, false, true, taken));
    case LLVMSDiv: return ir_number(quotient(t, v, true, false, taken));
    case LLVMSRem: return ir_number(quotient(t, v, true, true, taken));
    case LLVMAnd: return ir_number(vec_and(g, number(t, v, 0), number(t, v, 1)));
    case LLVMOr: return ir_number(vec_or(g, number(t, v, 0), number(t, v, 1)));
    case LLVMXor: return ir_number(vec_xor(g, number(t, v, 0), number(t, v, 1)));
    case LLVMShl: return ir_number(vec_shift(g, number(t, v, 0), number(t, v, 1), SHIFT_LEFT));
    case LLVMLShr: return ir_number(vec_shift(g, number(t, v, 0), number(t, v, 1), SHIFT_RIGHT));
    case LLVMAShr: return ir_number(vec_shift(g, number(t, v, 0), number(t, v, 1), SHIFT_RIGHT_SIGN));
    case LLVMExtractValue: return ir_number(field(t, v));
    case LLVMInsertValue: return ir_number(with_field(t, v));
    default: ir_unknown(v, "an instruction that is not known to the translation");
    }
}

/* ---- intrinsics --------------------------------------------------------------------- */

static uint64_t constant_size(ir *t, LLVMValueRef call, unsigned operand)
{
    (void)t;
    if (!LLVMIsAConstantInt(LLVMGetOperand(call, operand)))
        ir_unknown(call, "a copy of no constant length");
    return LLVMConstIntGetZExtValue(LLVMGetOperand(call, operand));
}

static void set_memory(ir *t, LLVMValueRef call, lit taken)
{
    const size_t size = constant_size(t, call, 2);
    const vec byte = number(t, call, 1);
    vec all = vec_new((unsigned)(8 * size));

    for (size_t i = 0; i < size; i++)
        memcpy(all.bits + 8 * i, byte.bits, 8 * sizeof(lit));
    memory_store(&t->memory, place_at(t, call, 0), all, size, taken);
}

static void copy_memory(ir *t, LLVMValueRef call, lit taken)
{
    memory_copy(&t->memory, place_at(t, call, 0), place_at(t, call, 1), constant_size(t, call, 2), taken);
}

/* ---- results, and whether they do not fit ------------------------------------------- */

/* A result that was computed with enough bits. */
static vec cut_signed(aig *g, vec exact, unsigned width)
{
    const vec result = vec_slice(exact, 0, width);

    return vec_join(result, one_bit(aig_not(vec_equal(g, exact, vec_extend(result, exact.width, true)))));
}

static vec add_signed(aig *g, vec a, vec b)
{
    return cut_signed(g, vec_add(g, vec_extend(a, a.width + 1, true), vec_extend(b, a.width + 1, true)), a.width);
}

static vec subtract_signed(aig *g, vec a, vec b)
{
    return cut_signed(g, vec_sub(g, vec_extend(a, a.width + 1, true), vec_extend(b, a.width + 1, true)), a.width);
}

static vec multiply_signed(aig *g, vec a, vec b)
{
    return cut_signed(g, vec_mul(g, vec_extend(a, 2 * a.width, true), vec_extend(b, 2 * a.width, true)), a.width);
}

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (!strncmp(name, *names, strlen(*names)))
            return true;
    return false;
}

value ir_intrinsic(ir *t, LLVMValueRef call, const char *name, lit taken)
{
    static const char *const ignored[] = {"llvm.lifetime.", "llvm.dbg.", "llvm.assume", "llvm.experimental.noalias", NULL};
    static const char *const unknown[] = {"ballast_unknown_", NULL}, *const traps[] = {"llvm.ubsantrap", "llvm.trap", NULL};
    static const struct {
        const char *name;
        vec (*function)(aig *, vec, vec);
    } checked[] = {{"llvm.sadd.with.overflow.", add_signed}, {"llvm.ssub.with.overflow.", subtract_signed},
                   {"llvm.smul.with.overflow.", multiply_signed}};

    if (is_one_of(name, ignored))
        return ir_number(vec_new(0));
    if (is_one_of(name, unknown)) /* put there by unknowns.c */
        return ir_number(vec_unknown(t->g, ir_width(LLVMTypeOf(call))));
    if (is_one_of(name, traps)) { /* put there by clang where C does not define what comes */
        ir_undefined(t, taken);
        return ir_number(vec_new(0));
    }
    for (size_t i = 0; i < sizeof checked / sizeof *checked; i++)
        if (!strncmp(name, checked[i].name, strlen(checked[i].name)))
            return ir_number(checked[i].function(t->g, number(t, call, 0), number(t, call, 1)));
    if (!strncmp(name, "llvm.memset.", 12)) {
        set_memory(t, call, taken);
        return ir_number(vec_new(0));
    }
    if (!strncmp(name, "llvm.memcpy.", 12) || !strncmp(name, "llvm.memmove.", 13)) {
        copy_memory(t, call, taken);
        return ir_number(vec_new(0));
    }
    if (!strncmp(name, "llvm.ctpop.", 11))
        return ir_number(vec_popcount(t->g, number(t, call, 0)));
    ir_unknown(call, "a function without a body");
}
