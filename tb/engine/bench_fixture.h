/* SPDX-License-Identifier: Apache-2.0
 *
 * What the benches of all blocks have in common (engine/bench.h). Test only.
 */
#ifndef BALLAST_BENCH_FIXTURE_H
#define BALLAST_BENCH_FIXTURE_H

#include <stdarg.h>

#include "engine/dut.h"

/* The block is there, and no assertion of an earlier test is left. */
void bench_open(dut *d, const char *variant, enum lockstep_side side);
/* Fails if an assertion of the RTL has fired, unless registers were overwritten. */
void bench_close(dut *d);
/* Registers and outputs have these values, by full name: "limit_q=3 state_q=StDone done_o=1". */
void bench_expect(const dut *d, const void *out, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* ---- scripts: engine/bench.h says what their words are ------------------------------- */

enum { SCRIPT_TEXT = 2048 };

typedef struct bench_script {
    const char *file; /* where it stands, for failures */
    int line;
    char all[SCRIPT_TEXT], words[SCRIPT_TEXT], *rest;
    char *word;  /* this one, without its value */
    char *value; /* NULL: it has none           */
} bench_script;

void bench_script_start(bench_script *s, const char *file, int line, const char *format, va_list values)
    __attribute__((format(printf, 4, 0)));
/* The next word; false at the end. */
bool bench_script_next(bench_script *s);
/* Of a word that a number belongs to, 1 if there is none. */
unsigned bench_script_number(const bench_script *s);
/* Whether the word sets an input or overwrites a register (:=); done, then. */
bool bench_script_set(const bench_script *s, dut *d, void *in);
/* The register or output that the word names has its value. */
void bench_script_expect(const bench_script *s, const dut *d, const void *out);

#endif
