/* SPDX-License-Identifier: Apache-2.0
 *
 * The libFuzzer program of one block variant (-DFUZZ_VARIANT). Its own options, before libFuzzer's:
 *
 *   --findings=PREFIX   where a finding's recording goes (PREFIX.blt, PREFIX.state)
 *   --program=PATH      the command that replays it
 *   --inject=FAULT      plants a fault (engine/fault.h; the cycle counts from the last reset)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/finding.h"
#include "fuzz/marks.h"

#ifndef FUZZ_VARIANT /* the makefile's */
#define FUZZ_VARIANT "perfsat"
#endif

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static fuzz_block *fuzzed;
static const char *findings, *program = "ballast";

__attribute__((noreturn)) static void die(const char *what)
{
    fprintf(stderr, "fuzz %s: %s\n", FUZZ_VARIANT, what);
    exit(2);
}

static void inject(const char *text)
{
    char err[BLOCK_TEXT];
    fault f;

    if (!fault_parse(&f, text))
        die("--inject takes a fault such as rtl:perfsat.limit_q[2]@1234");
    if (!fuzz_block_inject(fuzzed, &f, err, sizeof err))
        die(err);
}

static bool own_option(const char *arg)
{
    if (!strncmp(arg, "--findings=", 11))
        findings = arg + 11;
    else if (!strncmp(arg, "--program=", 10))
        program = arg + 10;
    else if (!strncmp(arg, "--inject=", 9))
        inject(arg + 9);
    else
        return false;
    return true;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    char err[BLOCK_TEXT];
    int kept = 1;

    fuzzed = fuzz_block_open(FUZZ_VARIANT, err, sizeof err);
    if (!fuzzed)
        die(err);
    fuzz_block_watch(fuzzed, fuzz_marks_watch);
    for (int i = 1; i < *argc; i++)
        if (!own_option((*argv)[i]))
            (*argv)[kept++] = (*argv)[i];
    *argc = kept;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (fuzz_block_run(fuzzed, data, size))
        return 0;
    fuzz_explain(fuzzed, data, size, findings, program, stderr);
    abort();
}
