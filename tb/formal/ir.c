/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions and loops. The blocks of a function are translated one after the other in the order of its shape, those of a loop once for
 * each turn. Each has the condition under which it is reached; the values of blocks that are not reached are of no use to anyone.
 */
#include "formal/ir.h"

#include <llvm-c/IRReader.h>
#include <stdlib.h>
#include <string.h>

#include "formal/ir_private.h"

/* A call that is being translated. */
typedef struct activation {
    const shape *shape;
    lit *condition; /* of a node: it is reached, in this turn of the loops around */
    lit *pending;   /* of a block: the ways into it that were taken so far; false when it is entered */
    value result;
    bool returned;
} activation;

/* More turns than any loop of a step has: this one has no end that the circuit shows. */
enum { MOST_TURNS = 65536 };

static value choose(ir *t, lit condition, value then, value otherwise)
{
    if (then.is_pointer)
        return ir_pointer(pointer_select(&t->memory, condition, then.place, otherwise.place));
    return ir_number(vec_mux(t->g, condition, then.number, otherwise.number));
}

/* ---- from block to block ------------------------------------------------------------ */

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

static value incoming(ir *t, LLVMValueRef phi, LLVMBasicBlockRef from)
{
    unsigned i = 0;

    while (LLVMGetIncomingBlock(phi, i) != from)
        i++;
    return ir_operand(t, LLVMGetIncomingValue(phi, i));
}

static void take_way(ir *t, activation *a, LLVMBasicBlockRef from, LLVMBasicBlockRef to, lit taken)
{
    lit *pending = &a->pending[ir_find(t, to)->rank];

    if (taken == AIG_FALSE)
        return;
    for (LLVMValueRef v = LLVMGetFirstInstruction(to); LLVMIsAPHINode(v); v = LLVMGetNextInstruction(v)) {
        const value way = incoming(t, v, from);
        binding *phi = ir_bind(t, v);

        phi->next = *pending == AIG_FALSE ? way : choose(t, taken, way, phi->next);
    }
    *pending = aig_or(t->g, *pending, taken);
}

static void leave(ir *t, activation *a, LLVMBasicBlockRef block, lit condition)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);

    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        take_way(t, a, block, LLVMGetSuccessor(end, i), aig_and(t->g, condition, takes(t, end, i)));
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
    if (ir_shape(t, function)->called)
        ir_unknown(v, "a function that calls itself"); /* each value is known once */
    for (unsigned i = 0; i < LLVMCountParams(function); i++) {
        const value argument = ir_argument(t, function, i, LLVMGetOperand(v, i), taken);

        ir_bind(t, LLVMGetParam(function, i))->value = argument;
    }
    return call_function(t, function, taken);
}

static void give_back(ir *t, activation *a, LLVMValueRef end, lit taken)
{
    value result;

    if (!LLVMGetNumOperands(end))
        return;
    result = ir_operand(t, LLVMGetOperand(end, 0));
    a->result = a->returned ? choose(t, taken, result, a->result) : result;
    a->returned = true;
}

static void translate_instruction(ir *t, activation *a, LLVMValueRef v, lit taken)
{
    value made;

    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMPHI: made = ir_find(t, v)->next; break;
    case LLVMCall: made = call(t, v, taken); break;
    case LLVMRet: give_back(t, a, v, taken); return;
    case LLVMUnreachable: ir_undefined(t, taken); return;
    default:
        if (LLVMIsATerminatorInst(v)) {
            leave(t, a, LLVMGetInstructionParent(v), taken);
            return;
        }
        made = ir_instruction(t, v, taken);
    }
    ir_bind(t, v)->value = made;
}

static lit enter(activation *a, unsigned node, unsigned block)
{
    const unsigned same = a->shape->same[node];

    a->condition[node] = same == node ? a->pending[block] : a->condition[same];
    a->pending[block] = AIG_FALSE;
    return a->condition[node];
}

static void translate_block(ir *t, activation *a, unsigned block)
{
    const lit taken = enter(a, block, block);

    for (LLVMValueRef v = LLVMGetFirstInstruction(a->shape->blocks[block]); v; v = LLVMGetNextInstruction(v))
        translate_instruction(t, a, v, taken);
}

static void translate_loop(ir *t, activation *a, unsigned first);

static void translate_blocks(ir *t, activation *a, unsigned first, unsigned end)
{
    for (unsigned i = first; i < end; i = a->shape->end[i] ? a->shape->end[i] : i + 1) {
        if (a->pending[i] == AIG_FALSE)
            continue;
        if (a->shape->end[i])
            translate_loop(t, a, i);
        else
            translate_block(t, a, i);
    }
}

/* Turn by turn, as long as a way leads to another one. */
static void translate_loop(ir *t, activation *a, unsigned first)
{
    a->pending[first] = enter(a, ir_loop_node(a->shape, first), first);
    for (unsigned turn = 0; a->pending[first] != AIG_FALSE; turn++) {
        if (turn == MOST_TURNS)
            ir_unknown(LLVMGetBasicBlockTerminator(a->shape->blocks[first]), "a loop has no constant bound");
        translate_block(t, a, first);
        translate_blocks(t, a, first + 1, a->shape->end[first]);
    }
}

static value call_function(ir *t, LLVMValueRef function, lit taken)
{
    shape *s = ir_shape(t, function);
    activation a = {.shape = s, .condition = arena(ir_end_node(s) * sizeof(lit)), .pending = arena(s->num * sizeof(lit))};

    a.pending[0] = taken;
    s->called = true;
    translate_blocks(t, &a, 0, s->num);
    s->called = false;
    if (!a.returned) /* it never does, or gives nothing back */
        a.result = ir_number(vec_unknown(t->g, ir_width(LLVMGetReturnType(LLVMGlobalGetValueType(function)))));
    return a.result;
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
