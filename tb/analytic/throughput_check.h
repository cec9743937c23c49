/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of throughput_* share: comparing with the thesis' digits, refusals, wild numbers.
 */
#ifndef BALLAST_THROUGHPUT_CHECK_H
#define BALLAST_THROUGHPUT_CHECK_H

#include <math.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "analytic/throughput.h"
#include "engine/random.h"

/* The reference vectors. 0: MWP_App 3, and 3 are sustained. 1: MWP_App 45, of which 21.25 are. */
static const throughput_in vectors[4] = {
    {.eff_mem = 300, .eff_comp = 100, .eff_perf = 40, .n = 6, .mwp_bw = 3, .mwp_proc = 99, .mstr = 1},
    {.eff_mem = 450, .eff_comp = 20, .eff_perf = 10, .n = 32, .mwp_bw = 21.25, .mwp_proc = 99, .mstr = 2},
    {.eff_mem = 300, .eff_comp = 100, .eff_perf = 40, .n = 2, .mwp_bw = 3, .mwp_proc = 99, .mstr = 1},
    {.eff_mem = 450, .eff_comp = 200, .eff_perf = 100, .n = 32, .mwp_bw = 21.25, .mwp_proc = 99, .mstr = 1},
};

/* Dmadd and Dotp: two loads at once, hardly any computation (section 5.4.4); `budget` accesses in
 * flight on 16 cores. */
static inline throughput_in dmadd_on_16(uint32_t n, double budget)
{
    return (throughput_in){.eff_mem = 450, .eff_comp = 5, .eff_perf = 1, .n = n, .mwp_bw = budget / 16,
                           .mwp_proc = 99, .mstr = 2};
}

static inline bool is_within(double value, double expected, double distance)
{
    return fabs(value - expected) <= distance;
}

static inline bool is_same(double value, double expected)
{
    return is_within(value, expected, 1e-12 * fabs(expected));
}

/* Equal but for rounding. */
#define assert_same(value, expected) _assert_true(is_same((value), (expected)), #value, __FILE__, __LINE__)
/* Equal to the digits that are printed: within half of the last one's unit. */
#define assert_digits(value, expected, unit) \
    _assert_true(is_within((value), (expected), (unit) / 2.0), #value, __FILE__, __LINE__)
/* The call said no, with a text that has `part`. */
#define assert_refused(call, part) check_refused((call), &err, (part), __FILE__, __LINE__)

static inline void check_refused(bool done, const analytic_err *err, const char *part,
                                 const char *file, int line)
{
    _assert_true(!done, "refused", file, line);
    if (strstr(err->text, part) == NULL)
        fail_msg("%s:%d: \"%s\" does not say \"%s\"", file, line, err->text, part);
}

/* What a call that fails must leave alone. */
static inline void mark(void *out, size_t size)
{
    memset(out, 0x5a, size);
}

static inline bool marked(const void *out, size_t size)
{
    const unsigned char *bytes = out;

    for (size_t i = 0; i < size; i++)
        if (bytes[i] != 0x5a)
            return false;
    return true;
}

/* 0 to 1, 1 left out. */
static inline double random_part(uint64_t *seed)
{
    return (double)(random_next(seed) % 1000000) / 1000000;
}

/* Numbers that inputs should not be, and some that they may be. */
static inline double random_wild(uint64_t *seed)
{
    static const double odd[] = {0,      -0.0,  -1,     1,   0.5,      1e308,     1.7e308,     1e-308,
                                 5e-324, 1e154, 1e-154, NAN, INFINITY, -INFINITY, 4294967296.0, -1e308};
    const uint64_t which = random_next(seed) % 40;

    return which < sizeof odd / sizeof *odd ? odd[which] : random_part(seed) * 1000;
}

static inline uint32_t random_count(uint64_t *seed)
{
    static const uint32_t odd[] = {0, 1, UINT32_MAX, UINT32_MAX - 1, 1U << 31};
    const uint64_t which = random_next(seed) % 20;

    return which < sizeof odd / sizeof *odd ? odd[which] : (uint32_t)(random_next(seed) % 100);
}

static inline throughput_in wild_in(uint64_t *seed)
{
    return (throughput_in){
        .eff_mem = random_wild(seed),
        .eff_comp = random_wild(seed),
        .eff_perf = random_wild(seed) / 64,
        .n = random_count(seed),
        .mwp_bw = random_wild(seed),
        .mwp_proc = random_wild(seed),
        .mstr = random_wild(seed),
    };
}

/* One that can be. */
static inline throughput_in fair_in(uint64_t *seed)
{
    const double comp = 1 + random_part(seed) * 300;

    return (throughput_in){
        .eff_mem = random_part(seed) * 800,
        .eff_comp = comp,
        .eff_perf = comp * random_part(seed),
        .n = 1 + (uint32_t)(random_next(seed) % 48),
        .mwp_bw = 0.1 + random_part(seed) * 40,
        .mwp_proc = 0.1 + random_part(seed) * 40,
        .mstr = 1 + (double)(random_next(seed) % 3),
    };
}

static inline void assert_all_finite(const double *values, size_t num)
{
    for (size_t i = 0; i < num; i++)
        assert_true(isfinite(values[i]));
}

static inline void assert_said(const analytic_err *err)
{
    const size_t length = strnlen(err->text, sizeof err->text);

    assert_in_range(length, 1, sizeof err->text - 1);
    assert_null(strchr(err->text, '\n'));
}

#endif
