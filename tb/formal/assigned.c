/* SPDX-License-Identifier: Apache-2.0
 *
 * A forward analysis, byte by byte: at the start of a block a byte is written if it is at the end of all blocks that lead there.
 * What is not understood of a use is a read of all bytes.
 */
#include "formal/assigned.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct place {
    LLVMBasicBlockRef block;
    unsigned number;
} place;

typedef struct analysis {
    LLVMTargetDataRef layout;
    LLVMValueRef variable;
    size_t size;
    bool *padding;              /* bytes that no member has count as written */
    unsigned num;               /* blocks */
    LLVMBasicBlockRef *blocks;
    place *places;              /* their numbers, in the order of their addresses */
    bool *at_start;             /* written at the start of a block, `size` bytes for each */
    bool complete;              /* nothing was read that was not written */
} analysis;

static void *zeros(size_t count, size_t size)
{
    void *made = calloc(count ? count : 1, size);

    if (!made) {
        fprintf(stderr, "unknowns: out of memory\n");
        exit(2);
    }
    return made;
}

/* ---- where a pointer leads ------------------------------------------------------------ */

static bool element_offset(LLVMTargetDataRef layout, LLVMValueRef gep, int64_t *offset)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);

    for (int i = 1; i < LLVMGetNumOperands(gep); i++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);

        if (!LLVMIsAConstantInt(index))
            return false;
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            const unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);

            *offset += (int64_t)LLVMOffsetOfElement(layout, type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        *offset += LLVMConstIntGetSExtValue(index) * (int64_t)LLVMABISizeOfType(layout, type);
    }
    return true;
}

/* The variable to which a pointer leads, and how many bytes from its start; NULL if that is not certain. */
static LLVMValueRef variable_of(LLVMTargetDataRef layout, LLVMValueRef pointer, int64_t *offset)
{
    *offset = 0;
    while (!LLVMIsAAllocaInst(pointer)) {
        if (LLVMIsAGetElementPtrInst(pointer) && !element_offset(layout, pointer, offset))
            return NULL;
        if (!LLVMIsAGetElementPtrInst(pointer) && !LLVMIsABitCastInst(pointer))
            return NULL;
        pointer = LLVMGetOperand(pointer, 0);
    }
    return pointer;
}

/* ---- padding -------------------------------------------------------------------------- */

static void members(LLVMTargetDataRef layout, LLVMTypeRef type, bool *padding)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            members(layout, LLVMStructGetTypeAtIndex(type, i), padding + LLVMOffsetOfElement(layout, type, i));
        return;
    case LLVMArrayTypeKind:
        for (unsigned i = 0; i < LLVMGetArrayLength(type); i++)
            members(layout, LLVMGetElementType(type), padding + i * LLVMABISizeOfType(layout, LLVMGetElementType(type)));
        return;
    default: memset(padding, false, LLVMStoreSizeOfType(layout, type)); /* of a number of 40 bits 5 bytes */
    }
}

/* ---- one instruction -------------------------------------------------------------------- */

static bool leads_to(const analysis *a, LLVMValueRef pointer, int64_t *offset)
{
    return variable_of(a->layout, pointer, offset) == a->variable;
}

static void mark(const analysis *a, bool *written, int64_t from, uint64_t bytes)
{
    for (int64_t i = from; i < from + (int64_t)bytes; i++)
        if (i >= 0 && (size_t)i < a->size)
            written[i] = true;
}

static void need(analysis *a, const bool *written, int64_t from, uint64_t bytes)
{
    for (int64_t i = from; i < from + (int64_t)bytes; i++)
        a->complete &= i >= 0 && (size_t)i < a->size && written[i];
}

static uint64_t size_of(const analysis *a, LLVMValueRef v)
{
    return LLVMABISizeOfType(a->layout, LLVMTypeOf(v));
}

static const char *callee(LLVMValueRef call)
{
    LLVMValueRef function = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
    size_t length;

    return function && LLVMIsAFunction(function) ? LLVMGetValueName2(function, &length) : "";
}

static bool is_result(LLVMValueRef call, unsigned argument)
{
    const unsigned kind = LLVMGetEnumAttributeKindForName("sret", 4);

    return LLVMIsACallInst(call) && argument < LLVMGetNumArgOperands(call) && LLVMGetCallSiteEnumAttribute(call, argument + 1, kind);
}

/* memset, memcpy and memmove write to their operand 0 and read from operand 1. */
static void transfer(analysis *a, LLVMValueRef call, unsigned operand, int64_t offset, bool *written)
{
    LLVMValueRef size = LLVMGetOperand(call, 2);

    if (!LLVMIsAConstantInt(size))
        need(a, written, 0, a->size);
    else if (operand == 0)
        mark(a, written, offset, LLVMConstIntGetZExtValue(size));
    else
        need(a, written, offset, LLVMConstIntGetZExtValue(size));
}

/* An instruction has a pointer to the variable as this operand. */
static void use(analysis *a, LLVMValueRef v, unsigned operand, int64_t offset, bool *written)
{
    const char *name = callee(v);

    if (LLVMIsALoadInst(v))
        need(a, written, offset, size_of(a, v));
    else if (LLVMIsAStoreInst(v) && operand == 1)
        mark(a, written, offset, size_of(a, LLVMGetOperand(v, 0)));
    else if (!strncmp(name, "llvm.lifetime.", 14))
        memcpy(written, a->padding, a->size);
    else if (!strncmp(name, "llvm.memset.", 12) || !strncmp(name, "llvm.memcpy.", 12) || !strncmp(name, "llvm.memmove.", 13))
        transfer(a, v, operand, offset, written);
    else if (is_result(v, operand))
        mark(a, written, 0, a->size);
    else if (!LLVMIsABitCastInst(v) && !(LLVMIsAGetElementPtrInst(v) && leads_to(a, v, &offset)))
        need(a, written, 0, a->size);
}

static void step(analysis *a, LLVMValueRef v, bool *written)
{
    int64_t offset;

    /* Operand 0 last: a copy within the variable reads before it writes. */
    for (int i = LLVMGetNumOperands(v) - 1; i >= 0; i--) {
        LLVMValueRef operand = LLVMGetOperand(v, (unsigned)i);

        if (operand && LLVMGetTypeKind(LLVMTypeOf(operand)) == LLVMPointerTypeKind && leads_to(a, operand, &offset))
            use(a, v, (unsigned)i, offset, written);
    }
}

/* ---- all blocks --------------------------------------------------------------------------- */

static int by_address(const void *a, const void *b)
{
    const uintptr_t x = (uintptr_t)((const place *)a)->block, y = (uintptr_t)((const place *)b)->block;

    return (x > y) - (x < y);
}

static void number_blocks(analysis *a)
{
    for (unsigned n = 0; n < a->num; n++)
        a->places[n] = (place){a->blocks[n], n};
    qsort(a->places, a->num, sizeof *a->places, by_address);
}

static unsigned number_of(const analysis *a, LLVMBasicBlockRef block)
{
    const place key = {.block = block}, *found = bsearch(&key, a->places, a->num, sizeof key, by_address);

    return found->number;
}

/* A block that was left with these bytes written leads into that one. Whether that changes something. */
static bool flow_into(const analysis *a, LLVMBasicBlockRef block, const bool *written)
{
    bool *start = a->at_start + number_of(a, block) * a->size, changed = false;

    for (size_t i = 0; i < a->size; i++) {
        changed |= start[i] && !written[i];
        start[i] &= written[i];
    }
    return changed;
}

/* Whether the start of a block has become another. */
static bool pass(analysis *a)
{
    bool *written = zeros(a->size, 1), changed = false;

    a->complete = true;
    for (unsigned n = 0; n < a->num; n++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(a->blocks[n]);

        memcpy(written, a->at_start + n * a->size, a->size);
        for (LLVMValueRef v = LLVMGetFirstInstruction(a->blocks[n]); v; v = LLVMGetNextInstruction(v))
            step(a, v, written);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
            changed |= flow_into(a, LLVMGetSuccessor(end, i), written);
    }
    free(written);
    return changed;
}

bool assigned_before_use(LLVMTargetDataRef layout, LLVMValueRef function, LLVMValueRef variable)
{
    analysis a = {.layout = layout, .variable = variable, .num = LLVMCountBasicBlocks(function),
                  .size = LLVMABISizeOfType(layout, LLVMGetAllocatedType(variable))};

    a.padding = zeros(a.size, 1);
    memset(a.padding, true, a.size);
    members(layout, LLVMGetAllocatedType(variable), a.padding);
    a.blocks = zeros(a.num, sizeof(LLVMBasicBlockRef));
    LLVMGetBasicBlocks(function, a.blocks);
    a.places = zeros(a.num, sizeof *a.places);
    number_blocks(&a);
    a.at_start = zeros(a.num * a.size, 1);
    memset(a.at_start, true, a.num * a.size); /* the most that may be, which passes take away from */
    memcpy(a.at_start, a.padding, a.size);
    while (pass(&a))
        ;
    free(a.padding);
    free(a.blocks);
    free(a.places);
    free(a.at_start);
    return a.complete;
}
