/* SPDX-License-Identifier: Apache-2.0
 *
 * unknowns IN.bc OUT.bc: what a C program does not initialize, as calls that nobody can see through.
 *
 * clang -ftrivial-auto-var-init=pattern stores a pattern into every variable without an initializer, each time when its block
 * is entered, and marks these stores "auto-init". Each such store gets the value of a call of ballast_unknown_N, N bits,
 * without a body, in place of the pattern: no optimization may assume anything of it, and ir_intrinsic makes fresh free inputs
 * of it. This has to happen before anything is optimized: an optimizer takes for an uninitialized variable what suits it.
 *
 * Before that, a variable must have a value or such a pattern wherever it is read, or the program ends: a switch or a goto can jump
 * over clang's pattern, and a clang that did not know the option would leave out all.
 */
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formal/assigned.h"

typedef struct marks {
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    LLVMBuilderRef builder;
    unsigned annotation;
} marks;

__attribute__((noreturn)) static void give_up(const char *what, const char *why)
{
    fprintf(stderr, "unknowns: %s: %s\n", what, why);
    exit(2);
}

/* The call changes something that nobody sees: it is neither merged with others nor moved out of a loop. */
static void add_attributes(LLVMValueRef function)
{
    static const struct {
        const char *name;
        uint64_t value;
    } all[] = {{"nounwind", 0}, {"willreturn", 0}, {"inaccessiblememonly", 0}, {"memory", 3u << 2}};
    LLVMContextRef context = LLVMGetGlobalContext();

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const unsigned kind = LLVMGetEnumAttributeKindForName(all[i].name, strlen(all[i].name));

        if (kind) /* LLVM has the third up to 15, the fourth from 16 on */
            LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(context, kind, all[i].value));
    }
}

static LLVMValueRef unknown(const marks *m, LLVMTypeRef type)
{
    LLVMTypeRef function_type = LLVMFunctionType(type, NULL, 0, false);
    LLVMValueRef function;
    char name[32];

    snprintf(name, sizeof name, "ballast_unknown_%u", LLVMGetIntTypeWidth(type));
    function = LLVMGetNamedFunction(m->module, name);
    if (!function) {
        function = LLVMAddFunction(m->module, name, function_type);
        add_attributes(function);
    }
    return LLVMBuildCall2(m->builder, function_type, function, NULL, 0, "");
}

static void fill_at(const marks *m, LLVMValueRef to, uint64_t offset, unsigned bytes)
{
    LLVMTypeRef type = LLVMIntType(8 * bytes);
    LLVMValueRef index = LLVMConstInt(LLVMInt64Type(), offset, false);
    LLVMValueRef place = LLVMBuildGEP2(m->builder, LLVMInt8Type(), to, &index, 1, "");

    place = LLVMBuildBitCast(m->builder, place, LLVMPointerType(type, 0), "");
    LLVMSetAlignment(LLVMBuildStore(m->builder, unknown(m, type), place), 1);
}

/* In place of a memset or memcpy of a pattern. */
static void fill(const marks *m, LLVMValueRef call)
{
    LLVMValueRef to = LLVMGetOperand(call, 0), size = LLVMGetOperand(call, 2);
    uint64_t bytes, at = 0;

    if (!LLVMIsAConstantInt(size))
        give_up("a variable of no constant size", "not known to the proof");
    bytes = LLVMConstIntGetZExtValue(size);
    for (; at + 8 <= bytes; at += 8)
        fill_at(m, to, at, 8);
    for (; at < bytes; at++)
        fill_at(m, to, at, 1);
    LLVMInstructionEraseFromParent(call);
}

static bool is_pattern(const marks *m, LLVMValueRef v)
{
    LLVMValueRef note = LLVMHasMetadata(v) ? LLVMGetMetadata(v, m->annotation) : NULL;
    char *text = note ? LLVMPrintValueToString(note) : NULL;
    const bool is = text && strstr(text, "\"auto-init\"");

    LLVMDisposeMessage(text);
    return is;
}

static void replace(const marks *m, LLVMValueRef v)
{
    LLVMPositionBuilderBefore(m->builder, v);
    if (LLVMIsACallInst(v)) {
        fill(m, v);
        return;
    }
    /* A pointer without a value stays a pattern, which the translation refuses where it is used. */
    if (LLVMIsAStoreInst(v) && LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(v, 0))) == LLVMIntegerTypeKind)
        LLVMSetOperand(v, 0, unknown(m, LLVMTypeOf(LLVMGetOperand(v, 0))));
}

/* ---- what clang does not mark ----------------------------------------------------------------- */

/* clang's own variable for what is returned: it has a value, for the compiler refuses a function that ends without return. */
static bool is_result(LLVMValueRef function, LLVMValueRef variable)
{
    LLVMTypeRef returned = LLVMGetReturnType(LLVMGlobalGetValueType(function));
    size_t length;

    return LLVMGetTypeKind(returned) != LLVMVoidTypeKind && !strcmp(LLVMGetValueName2(variable, &length), "retval");
}

static void look_at(const marks *m, LLVMValueRef function, LLVMValueRef variable)
{
    size_t length;

    if (is_result(function, variable) || assigned_before_use(m->layout, function, variable))
        return;
    fprintf(stderr, "unknowns: %s: variable %s may be read without a value, and clang does not mark it\n",
            LLVMGetValueName2(function, &length), LLVMGetValueName2(variable, &length));
    exit(2);
}

static void look_in(const marks *m, LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v))
            if (LLVMIsAAllocaInst(v))
                look_at(m, function, v);
}

/* ---- the program ---------------------------------------------------------------------- */

static void replace_in(const marks *m, LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef v = LLVMGetFirstInstruction(b), next; v; v = next) {
            next = LLVMGetNextInstruction(v);
            if (is_pattern(m, v))
                replace(m, v);
        }
}

int main(int argc, char **argv)
{
    marks m = {.builder = LLVMCreateBuilder()};
    LLVMMemoryBufferRef buffer;
    char *why = NULL;

    if (argc != 3) {
        fprintf(stderr, "usage: unknowns IN.bc OUT.bc\n");
        return 2;
    }
    if (LLVMCreateMemoryBufferWithContentsOfFile(argv[1], &buffer, &why))
        give_up(argv[1], why ? why : "cannot be read");
    if (LLVMParseBitcode2(buffer, &m.module))
        give_up(argv[1], "is no bitcode");
    m.annotation = LLVMGetMDKindID("annotation", strlen("annotation"));
    m.layout = LLVMGetModuleDataLayout(m.module);
    for (LLVMValueRef f = LLVMGetFirstFunction(m.module); f; f = LLVMGetNextFunction(f))
        look_in(&m, f);
    for (LLVMValueRef f = LLVMGetFirstFunction(m.module); f; f = LLVMGetNextFunction(f))
        replace_in(&m, f);
    if (LLVMWriteBitcodeToFile(m.module, argv[2]))
        give_up(argv[2], "cannot be written");
    LLVMDisposeBuilder(m.builder);
    LLVMDisposeModule(m.module);
    LLVMDisposeMemoryBuffer(buffer);
    return 0;
}
