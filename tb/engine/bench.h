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
 * A test is a function of a bench, or a script, that runs on the model and on the RTL of one variant or of several. RULE and
 * RULE_EACH give a function its title and make it a test of the program; or a table of the program does (BOTH_SIDES,
 * EACH_VARIANT; SCRIPT, EACH_SCRIPT).
 *
 * The words of a script, one after another:
 *
 *   cycle, cycle=20                 so many cycles
 *   reset                           the registers are those after reset
 *   kernel=6                        a kernel of Nmax 6 starts (BENCH_KERNELS)
 *   enable_i=0 ps_class_i=IDLE      an input from now on
 *   limit_q:=7                      a register is overwritten
 *   state_q=StDone done_o=1         a register, or an output of the last cycle, is this
 *
 * and those of the program's own table `words`, each with a function for its number or its text.
 */
#ifndef BALLAST_BENCH_H
#define BALLAST_BENCH_H

#include <stdlib.h>
#include <string.h>

#include "engine/bench_fixture.h"
#include "engine/decision_fixture.h"
#include "engine/ranges.h"
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

/* Inputs drawn at random become such as the contract allows. */
static inline void keep_ranges(bench *b)
{
    ranges_keep(b->dut.block->model, &b->dut.cfg, &b->dut.ports, &b->in);
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

/* ---- scripts -------------------------------------------------------------------------- */

typedef struct bench_word {
    const char *name;
    void (*number)(bench *b, unsigned value); /* one of these */
    void (*text)(bench *b, const char *value);
} bench_word;

static inline void reset_registers(bench *b, const char *nothing)
{
    (void)nothing;
    dut_reset(&b->dut);
}

static const bench_word common_words[] = {
    {"cycle", cycles, NULL},
    {"reset", NULL, reset_registers},
#ifdef BENCH_KERNELS
    {"kernel", start_kernel, NULL},
#endif
    {NULL, NULL, NULL},
};

static inline bool obey(bench *b, const bench_script *s, const bench_word *word)
{
    while (word->name && strcmp(word->name, s->word) != 0)
        word++;
    if (word->number)
        word->number(b, bench_script_number(s));
    else if (word->text)
        word->text(b, s->value ? s->value : "");
    return word->name;
}

__attribute__((format(printf, 5, 6))) static inline void play_script(bench *b, const bench_word *own, const char *file, int line,
                                                                     const char *format, ...)
{
    bench_script s;
    va_list values;

    va_start(values, format);
    bench_script_start(&s, file, line, format, values);
    va_end(values);
    while (bench_script_next(&s))
        if (!obey(b, &s, own) && !obey(b, &s, common_words) && !bench_script_set(&s, &b->dut, &b->in))
            bench_script_expect(&s, &b->dut, &b->out);
}

#define play(b, ...) play_script(b, words, __FILE__, __LINE__, __VA_ARGS__)

/* ---- decisions ------------------------------------------------------------------------- */

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

/* What leads to a cycle, and what the log says of that cycle: a line, "" for none, and records; without any they are not
 * looked at. */
typedef struct bench_log {
    const char *script, *line, *records[3];
} bench_log;

static inline void expect_log_rows(bench *b, const bench_word *own, const bench_log *rows, size_t num)
{
    const block_model *model = b->dut.block->model;

    for (const bench_log *row = rows; row < rows + num; row++) {
        unsigned records = 0;

        play_script(b, own, __FILE__, __LINE__, "%s", row->script);
        cycle(b);
        if (!model->decides(&b->dut.cfg, &b->before, &b->seen, &b->out, b->dut.state)) {
            assert_string_equal("", row->line);
            continue;
        }
        tell(b);
        assert_string_equal(told_words(), row->line);
        for (; records < 3 && row->records[records]; records++)
            assert_string_equal(told_record(records), row->records[records]);
        assert_true(records == 0 || records == told());
    }
}

#define expect_log(b, rows) expect_log_rows(b, words, rows, sizeof(rows) / sizeof *(rows))

/* ---- the tests of a program --------------------------------------------------------- */

typedef struct bench_test {
    const char *const *variants; /* NULL-terminated */
    enum lockstep_side side;
    void (*run)(bench *b); /* or, if NULL, */
    const char *script;
    const bench_word *words;
    const char *file;
    int line;
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
        if (t->run)
            t->run(b);
        else
            play_script(b, t->words, t->file, t->line, "%s", t->script);
        close_bench(b);
        free(b);
    }
}

#define BENCH_TEST(name, ...) {name, run_bench_test, NULL, NULL, &(bench_test){__VA_ARGS__}}

/* `variants`: NULL-terminated. */
#define EACH_MODEL(name, variants, function) BENCH_TEST(name " [model]", variants, SIDE_MODEL, .run = (function))
#define EACH_VARIANT(name, variants, function) \
    EACH_MODEL(name, variants, function), BENCH_TEST(name " [rtl]", variants, SIDE_RTL, .run = (function))
#define EACH_SCRIPT(name, variants, text)                                                 \
    BENCH_TEST(name " [model]", variants, SIDE_MODEL, NULL, text, words, __FILE__, __LINE__), \
        BENCH_TEST(name " [rtl]", variants, SIDE_RTL, NULL, text, words, __FILE__, __LINE__)

#define ONE_VARIANT(variant) ((const char *const[]){variant, NULL})
#define BOTH_SIDES(name, variant, function) EACH_VARIANT(name, ONE_VARIANT(variant), function)
#define SCRIPT(name, variant, text) EACH_SCRIPT(name, ONE_VARIANT(variant), text)

/* RULE(function, "EQ-4: an epoch is 4096 cycles", "eq_counters") { ... } is a test of `bench *b`. */
#define RULE(function, title, variant) RULE_EACH(function, title, ONE_VARIANT(variant))
#define RULE_EACH(function, title, variants) BENCH_RULE(function, EACH_VARIANT(title, variants, function))
#define MODEL_RULE_EACH(function, title, variants) BENCH_RULE(function, EACH_MODEL(title, variants, function))
#define BENCH_RULE(function, ...)              \
    static void function(bench *b);            \
    SUITE_TESTS(function##_tests, __VA_ARGS__) \
    static void function(bench *b)

#endif
