/* SPDX-License-Identifier: Apache-2.0
 *
 * The bench of a block's tests: one side of the block, with its structs, under any variant. Included by a test program after
 *
 *   #define BENCH_BLOCK perfsat        and the header of its model
 *   #define BENCH_MORE uint32_t held;  if a bench of this block remembers more
 *   #define BENCH_PREPARE              if the test has a prepare(): more inputs than the defaults of what software sets
 *   #define BENCH_CYCLE                if it has a cycle(): what comes before and after take_cycle()
 *   #define BENCH_KERNELS              if the block has kernel_start_i and nmax_i
 *
 * A test is a function of a bench that runs on the model and on the RTL of one variant or of several. RULE and RULE_EACH give
 * it a title and make it a test of the program; or a table of the program does (BOTH_SIDES, EACH_VARIANT).
 */
#ifndef BALLAST_BENCH_H
#define BALLAST_BENCH_H

#include <stdlib.h>
#include <string.h>

#include "engine/bench_fixture.h"
#include "engine/decision_fixture.h"
#include "engine/suite_fixture.h"
#include "shim/ports.h"

#define BENCH_T(suffix) PASTE(BENCH_BLOCK, suffix)
#ifndef BENCH_MORE
#define BENCH_MORE
#endif

typedef struct bench {
    dut dut;
    BENCH_T(_in) in;
    BENCH_T(_out) out;      /* of the last cycle                 */
    BENCH_T(_in) seen;      /* its inputs                        */
    BENCH_T(_state) before; /* registers during it               */
    unsigned told;          /* decisions that the log has counted */
    BENCH_MORE
} bench;

static inline const BENCH_T(_state) *state(const bench *b)
{
    return b->dut.state;
}

static inline const BENCH_T(_cfg) *config(const bench *b)
{
    return (const BENCH_T(_cfg) *)(const void *)&b->dut.cfg;
}

static inline void take_cycle(bench *b)
{
    b->seen = b->in;
    memcpy(&b->before, b->dut.state, b->dut.sizes.state);
    dut_cycle(&b->dut, &b->in, &b->out);
}

#ifdef BENCH_PREPARE
static void prepare(bench *);
#else
static inline void prepare(bench *b)
{
    (void)b;
}
#endif

#ifdef BENCH_CYCLE
static void cycle(bench *);
#else
static inline void cycle(bench *b)
{
    take_cycle(b);
}
#endif

static inline void cycles(bench *b, unsigned n)
{
    while (n--)
        cycle(b);
}

#ifdef BENCH_KERNELS
static inline void start_kernel(bench *b, unsigned nmax)
{
    b->in.kernel_start = 1;
    b->in.nmax = (uint8_t)nmax;
    cycle(b);
    b->in.kernel_start = 0;
    b->in.nmax = 0;
}
#endif

static inline void open_bench(bench *b, const char *variant, enum lockstep_side side)
{
    memset(b, 0, sizeof *b);
    bench_open(&b->dut, variant, side);
    b->dut.block->model->defaults(&b->in);
    prepare(b);
}

static inline void close_bench(bench *b)
{
    bench_close(&b->dut);
}

/* Another variant on the same side. */
static inline void reopen_bench(bench *b, const char *variant)
{
    const enum lockstep_side side = b->dut.side;

    close_bench(b);
    open_bench(b, variant, side);
}

/* Overwrites every register. */
static inline void load(bench *b, const BENCH_T(_state) *registers)
{
    dut_load(&b->dut, registers);
}

#define expect(b, ...) bench_expect(&(b)->dut, &(b)->out, __FILE__, __LINE__, __VA_ARGS__)

/* What the last cycle decided: see expect_told. */
static inline void tell(bench *b)
{
    tell_of(b->dut.block->model, &b->told, &b->dut.cfg, &b->before, &b->seen, &b->out, b->dut.state);
}

/* The next cycle decides this, and nothing else. */
static inline void expect_decision(bench *b, const char *record, const char *words)
{
    cycle(b);
    tell(b);
    expect_told(record, words);
}

/* ---- the tests of a program --------------------------------------------------------- */

typedef struct bench_test {
    const char *const *variants; /* NULL-terminated */
    enum lockstep_side side;
    void (*run)(bench *b);
} bench_test;

static inline void run_bench_test(void **test)
{
    const bench_test *t = *test;

    for (const char *const *variant = t->variants; *variant; variant++) {
        bench *b = malloc(sizeof *b);

        assert_non_null(b);
        if (t->variants[1])
            print_message("on %s\n", *variant);
        open_bench(b, *variant, t->side);
        t->run(b);
        close_bench(b);
        free(b);
    }
}

/* `variants`: NULL-terminated. */
#define EACH_MODEL(name, variants, function) \
    {name " [model]", run_bench_test, NULL, NULL, &(bench_test){variants, SIDE_MODEL, function}}
#define EACH_VARIANT(name, variants, function)  \
    EACH_MODEL(name, variants, function),       \
    {name " [rtl]", run_bench_test, NULL, NULL, &(bench_test){variants, SIDE_RTL, function}}

#define ONE_VARIANT(variant) ((const char *const[]){variant, NULL})
#define BOTH_SIDES(name, variant, function) EACH_VARIANT(name, ONE_VARIANT(variant), function)

/* RULE(function, "EQ-4: an epoch is 4096 cycles", "eq_counters") { ... } is a test of `bench *b`. */
#define RULE(function, title, variant) RULE_EACH(function, title, ONE_VARIANT(variant))
#define RULE_EACH(function, title, variants) BENCH_RULE(function, EACH_VARIANT(title, variants, function))
#define MODEL_RULE_EACH(function, title, variants) BENCH_RULE(function, EACH_MODEL(title, variants, function))
#define BENCH_RULE(function, ...)              \
    static void function(bench *b);            \
    SUITE_TESTS(function##_tests, __VA_ARGS__) \
    static void function(bench *b)

#endif
