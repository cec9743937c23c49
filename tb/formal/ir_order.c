/* SPDX-License-Identifier: Apache-2.0
 *
 * The order of a function's blocks, and which of them are reached together.
 *
 * A block is reached when its immediate dominator is, if all ways from there lead through it. Its condition is then the dominator's,
 * and not an "or" over all the ways between, of which nobody sees that it is the same: what is stored behind a branch would
 * no longer be a constant. Ways that end in something undefined are not counted: that they are not taken is proved.
 */
#include <stdlib.h>

#include "formal/ir_private.h"

#define NONE UINT32_MAX

static void *array(unsigned num, size_t size)
{
    void *made = calloc(num, size);

    if (!made)
        give_up("out of memory");
    return made;
}

/* Blocks met are bound, with the condition true while they are being worked on. They are noted last one first. */
static void visit(ir *t, block_order *o, LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);

    ir_bind(t, block)->condition = AIG_TRUE;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(end, i);
        const binding *seen = ir_find(t, next);

        if (seen && seen->condition == AIG_TRUE)
            ir_unknown(LLVMBasicBlockAsValue(next), "a loop is left, for it has no constant bound");
        if (!seen || seen->condition == AIG_INPUT)
            visit(t, o, next);
    }
    ir_bind(t, block)->condition = AIG_FALSE;
    o->blocks[o->num++] = block;
}

/* A call of the same function before has left its blocks behind. */
static void forget_blocks(ir *t, LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        if (ir_find(t, b))
            ir_bind(t, b)->condition = AIG_INPUT;
}

static void turn(ir *t, block_order *o)
{
    for (unsigned i = 0, j = o->num - 1; i < j; i++, j--) {
        LLVMBasicBlockRef swapped = o->blocks[i];

        o->blocks[i] = o->blocks[j];
        o->blocks[j] = swapped;
    }
    for (unsigned i = 0; i < o->num; i++)
        ir_bind(t, o->blocks[i])->rank = i;
}

static unsigned successor(const ir *t, LLVMBasicBlockRef block, unsigned i)
{
    return ir_find(t, LLVMGetSuccessor(LLVMGetBasicBlockTerminator(block), i))->rank;
}

static unsigned successors(LLVMBasicBlockRef block)
{
    return LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(block));
}

/* The last block that every way to a and every way to b passes. */
static unsigned common_before(const unsigned *before, unsigned a, unsigned b)
{
    while (a != b)
        if (a > b)
            a = before[a];
        else
            b = before[b];
    return a;
}

/* The first one that every way from a and from b passes; `num`, the end, if there is none. */
static unsigned common_after(const unsigned *after, unsigned a, unsigned b)
{
    while (a != b)
        if (a < b)
            a = after[a];
        else
            b = after[b];
    return a;
}

/* Immediate dominators. */
static void find_before(const ir *t, const block_order *o, unsigned *before)
{
    for (unsigned i = 0; i < o->num; i++)
        before[i] = i ? NONE : 0;
    for (unsigned i = 0; i < o->num; i++)
        for (unsigned s = 0; s < successors(o->blocks[i]); s++) {
            const unsigned to = successor(t, o->blocks[i], s);

            before[to] = before[to] == NONE ? i : common_before(before, before[to], i);
        }
}

/* Immediate post-dominators of the ways that are defined; NONE where there is none. */
static void find_after(const ir *t, const block_order *o, unsigned *after)
{
    for (unsigned i = o->num; i-- > 0;) {
        after[i] = LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(o->blocks[i])) ? o->num : NONE;
        for (unsigned s = 0; s < successors(o->blocks[i]); s++) {
            const unsigned to = successor(t, o->blocks[i], s);

            if (after[to] != NONE)
                after[i] = after[i] == NONE ? to : common_after(after, after[i], to);
        }
    }
}

static void find_same(const ir *t, block_order *o)
{
    unsigned *before = array(o->num, sizeof *before), *after = array(o->num, sizeof *after);

    find_before(t, o, before);
    find_after(t, o, after);
    for (unsigned i = 0; i < o->num; i++)
        o->same[i] = after[before[i]] == i ? before[i] : i;
    free(before);
    free(after);
}

block_order ir_order(ir *t, LLVMValueRef function)
{
    const unsigned most = LLVMCountBasicBlocks(function);
    block_order o = {0, array(most, sizeof(LLVMBasicBlockRef)), array(most, sizeof(unsigned))};

    forget_blocks(t, function);
    visit(t, &o, LLVMGetEntryBasicBlock(function));
    turn(t, &o);
    find_same(t, &o);
    return o;
}

void ir_order_close(block_order *o)
{
    free(o->blocks);
    free(o->same);
}
