/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions: blocks in an order in which every one comes after those that lead to it (ir_order.c). Each has the condition under
 * which it is reached; the values of blocks that are not reached are of no use to anyone.
 */
#include "formal/ir.h"

#include <llvm-c/IRReader.h>
#include <stdlib.h>
#include <string.h>

#include "formal/ir_private.h"

/* ---- from block to block ------------------------------------------------------------ */

static lit condition_of(ir *t, LLVMBasicBlockRef block)
{
    return ir_find(t, block)->condition;
}

/* When the switch takes case i, its number among the successors; 0 is the default. */
static lit switch_takes(ir *t, LLVMValueRef end, unsigned i)
{
    const vec on = ir_operand(t, LLVMGetOperand(end, 0)).number;
    lit any = AIG_FALSE;

    if (i)
        return vec_equal(t->g, on, ir_operand(t, LLVMGetOperand(end, 2 * i)).number);
    for (unsigned c = 1; c < LLVMGetNumSuccessors(end); c++)
        any = aig_or(t->g, any, switch_takes(t, end, c));
    return aig_not(any);
}

static lit takes(ir *t, LLVMValueRef end, unsigned i)
{
    lit condition;

    switch (LLVMGetInstructionOpcode(end)) {
    case LLVMBr:
        if (!LLVMIsConditional(end))
            return AIG_TRUE;
        condition = ir_operand(t, LLVMGetCondition(end)).number.bits[0];
        return i ? aig_not(condition) : condition;
    case LLVMSwitch: return switch_takes(t, end, i);
    default: ir_unknown(end, "an end of a block that is not known to the translation");
    }
}

/* `from` is left for `to`. */
static lit edge(ir *t, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    lit any = AIG_FALSE;

    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        if (LLVMGetSuccessor(end, i) == to)
            any = aig_or(t->g, any, takes(t, end, i));
    return aig_and(t->g, condition_of(t, from), any);
}

static void reach_successors(ir *t, LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);

    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        const lit taken = aig_and(t->g, condition_of(t, block), takes(t, end, i));
        binding *next = ir_bind(t, LLVMGetSuccessor(end, i));

        next->condition = aig_or(t->g, next->condition, taken);
    }
}

static bool comes_from(ir *t, LLVMBasicBlockRef block)
{
    const binding *b = ir_find(t, block);

    return b && b->condition != AIG_INPUT;
}

/* Every way into the block leads from a block of the order: the others are never reached. */
static value phi(ir *t, LLVMValueRef v)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(v);
    bool first = true;
    value made = {.is_pointer = false};

    for (unsigned i = 0; i < LLVMCountIncoming(v); i++) {
        value way;
        lit taken;

        if (!comes_from(t, LLVMGetIncomingBlock(v, i)))
            continue;
        way = ir_operand(t, LLVMGetIncomingValue(v, i));
        taken = edge(t, LLVMGetIncomingBlock(v, i), block);
        if (first)
            made = way;
        else if (way.is_pointer)
            made.place = pointer_select(&t->memory, taken, way.place, made.place);
        else
            made.number = vec_mux(t->g, taken, way.number, made.number);
        first = false;
    }
    return made;
}

/* ---- functions ---------------------------------------------------------------------- */

static value call_function(ir *t, LLVMValueRef function, lit taken);

static value call(ir *t, LLVMValueRef v, lit taken)
{
    LLVMValueRef function = LLVMGetCalledValue(v);
    size_t length;

    if (!LLVMIsAFunction(function))
        ir_unknown(v, "a call through a pointer");
    if (LLVMIsDeclaration(function))
        return ir_intrinsic(t, v, LLVMGetValueName2(function, &length), taken);
    for (unsigned i = 0; i < LLVMCountParams(function); i++) {
        const value argument = ir_operand(t, LLVMGetOperand(v, i));

        ir_bind(t, LLVMGetParam(function, i))->value = argument;
    }
    return call_function(t, function, taken);
}

static void translate_block(ir *t, LLVMBasicBlockRef block, value *result)
{
    const lit taken = condition_of(t, block);

    for (LLVMValueRef v = LLVMGetFirstInstruction(block); v; v = LLVMGetNextInstruction(v)) {
        value made;

        switch (LLVMGetInstructionOpcode(v)) {
        case LLVMPHI: made = phi(t, v); break;
        case LLVMCall: made = call(t, v, taken); break;
        case LLVMRet:
            if (LLVMGetNumOperands(v)) {
                made = ir_operand(t, LLVMGetOperand(v, 0));
                *result = result->number.bits ? ir_number(vec_mux(t->g, taken, made.number, result->number)) : made;
            }
            return;
        case LLVMUnreachable: ir_undefined(t, taken); return;
        default:
            if (v == LLVMGetBasicBlockTerminator(block)) {
                reach_successors(t, block);
                return;
            }
            made = ir_instruction(t, v, taken);
        }
        ir_bind(t, v)->value = made;
    }
}

static value call_function(ir *t, LLVMValueRef function, lit taken)
{
    block_order o = ir_order(t, function);
    value result = {.is_pointer = false};

    ir_bind(t, o.blocks[0])->condition = taken;
    for (unsigned i = 0; i < o.num; i++) {
        if (o.same[i] != i)
            ir_bind(t, o.blocks[i])->condition = condition_of(t, o.blocks[o.same[i]]);
        translate_block(t, o.blocks[i], &result);
    }
    ir_order_close(&o);
    return result;
}

/* ---- the file ----------------------------------------------------------------------- */

static LLVMModuleRef read_module(const char *path)
{
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef module;
    char *text = NULL;

    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &text) ||
        LLVMParseIRInContext(LLVMGetGlobalContext(), buffer, &module, &text))
        give_up("%s: %s", path, text ? text : "cannot be read");
    return module;
}

static pointer argument(ir *t, LLVMValueRef function, unsigned index, unsigned words)
{
    const pointer p = memory_new(&t->memory, 8 * (size_t)words);

    ir_bind(t, LLVMGetParam(function, index))->value = ir_pointer(p);
    return p;
}

lit ir_translate(aig *g, const char *path, const char *function, const lit *in, unsigned words_in, lit *out,
                 unsigned words_out)
{
    LLVMModuleRef module = read_module(path);
    LLVMValueRef entry = LLVMGetNamedFunction(module, function);
    ir t = {.g = g, .memory = {.g = g}, .layout = LLVMGetModuleDataLayout(module)};
    unsigned object_in, object_out;

    if (!entry || LLVMIsDeclaration(entry) || LLVMCountParams(entry) != 2)
        give_up("%s: has no function %s of two arguments", path, function);
    object_in = argument(&t, entry, 0, words_in).places[0].object;
    object_out = argument(&t, entry, 1, words_out).places[0].object;
    memcpy(t.memory.objects[object_in].bits, in, 64 * (size_t)words_in * sizeof *in);
    call_function(&t, entry, AIG_TRUE);
    memcpy(out, t.memory.objects[object_out].bits, 64 * (size_t)words_out * sizeof *out);
    free(t.bindings);
    memory_close(&t.memory);
    LLVMDisposeModule(module);
    return t.memory.undefined;
}
