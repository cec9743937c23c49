/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of the analytic models share: comparisons with printed digits, tables of inputs that must be
 * refused or must give a number, wild numbers.
 */
#ifndef BALLAST_ANALYTIC_FIXTURE_H
#define BALLAST_ANALYTIC_FIXTURE_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "analytic/check.h"
#include "engine/random.h"
#include "engine/suite_fixture.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* ---- comparisons ------------------------------------------------------------------------------ */

/* Within `distance` of `expected`. */
#define assert_within(value, expected, distance) \
    analytic_within_distance(value, expected, distance, #value, __FILE__, __LINE__)
/* Within `relative` of `expected`; 0 is exact. */
#define assert_near(value, expected, relative) \
    analytic_near(value, expected, relative, #value, __FILE__, __LINE__)
/* Equal but for rounding. */
#define assert_same(value, expected) assert_near(value, expected, 1e-12)
void analytic_within_distance(double value, double expected, double distance, const char *what,
                              const char *file, int line);
/* Several at once, a list of SAME(value, expected) and the like; IS() is exact. */
#define assert_each(...) \
    analytic_each((const comparison[]){__VA_ARGS__}, LENGTH(((const comparison[]){__VA_ARGS__})), __FILE__, __LINE__)
typedef struct comparison {
    const char *what;
    double value, expected, relative;
} comparison;
#define IS(value, expected) {#value, value, expected, 0}
#define SAME(value, expected) {#value, value, expected, 1e-12}
#define NEAR(value, expected, relative) {#value, value, expected, relative}
void analytic_each(const comparison *rows, size_t num, const char *file, int line);
void analytic_near(double value, double expected, double relative, const char *what, const char *file, int line);

/* The doubles from one address up to another are numbers; so are those that are named. */
void assert_finite_from(const void *from, const void *to);
#define assert_finite(...) assert_finite_num((const double[]){__VA_ARGS__}, LENGTH(((const double[]){__VA_ARGS__})))
void assert_finite_num(const double *values, size_t num);

/* ---- calls ------------------------------------------------------------------------------------ */

/* For the models' last argument. */
static analytic_err err __attribute__((unused));

/* The call says yes; else the test fails with what it said. */
#define must(call) (err.text[0] = '\0', analytic_must(call, &err, __FILE__, __LINE__))
void analytic_must(bool done, const analytic_err *said, const char *file, int line);

/* The call says no, in one line that begins with `says`, or has what follows "..." in it. */
#define assert_refused(call, says) (err.text[0] = '\0', analytic_refused(call, &err, says, __FILE__, __LINE__))
void analytic_refused(bool done, const analytic_err *said, const char *says, const char *file, int line);

/* ---- tables ----------------------------------------------------------------------------------- */

/* A member of a struct: a double, uint32_t, enum, bool or pointer (NULL); of a result also a uint64_t. */
typedef struct member {
    const char *name;
    size_t at, size;
    bool is_uint64;
} member;
#define MEMBER(type, path) {#path, offsetof(type, path), sizeof(((type *)0)->path), false}

typedef struct change {
    member of;
    double value;
} change;
#define UNCHANGED {{NULL, 0, 0, false}, 0}
enum { CHANGES = 6 };
/* Makes them in what they are of. */
void analytic_change(void *to, const change changes[], size_t num);

/* A model's function and an input that it takes. */
typedef bool (*analytic_call)(const void *input, void *out, analytic_err *err);
typedef struct subject {
    analytic_call call;
    const void *good;
    size_t size;
} subject;
/* Such a function: `call` with the input `in`, a `type`, the result `out` and the text `why`. */
#define MODEL(name, type, call)                                                \
    bool name(const void *input, void *out, analytic_err *why)                 \
    {                                                                          \
        const type *in = input;                                                \
        return call;                                                           \
    }

/* The good input with these changes is refused so; out stays as it was. */
typedef struct refusal {
    const char *says;
    change change[CHANGES];
} refusal;
void analytic_refusals(const subject *s, const refusal *rows, size_t num);
#define assert_refusals(s, rows) analytic_refusals(s, rows, LENGTH(rows))

/* The good input with any of these values in the member is refused with "<name> is ...". */
typedef struct bad_values {
    size_t num;
    double value[6];
} bad_values;
typedef struct bad_member {
    member of;
    const bad_values *bad;
} bad_member;
extern const bad_values not_positive, negative, below_1;
void analytic_bad_members(const subject *s, const bad_member *rows, size_t num);
#define assert_bad_members(s, rows) analytic_bad_members(s, rows, LENGTH(rows))

/* The good input with these changes gives these members of out, within `relative` of what is expected or
 * `distance`. */
typedef struct wanted {
    member of;
    double expected, relative, distance;
} wanted;
#define WANT(type, path, expected, relative) {MEMBER(type, path), expected, relative, 0}
#define WANT_WITHIN(type, path, expected, distance) {MEMBER(type, path), expected, 0, distance}
#define WANT_UINT64(type, path, expected) {{#path, offsetof(type, path), sizeof(uint64_t), true}, expected, 0, 0}
/* The same of a function whose result is one double. */
#define VALUE(expected) {{"the value", 0, sizeof(double), false}, expected, 1e-12, 0}
#define VALUE_WITHIN(expected, distance) {{"the value", 0, sizeof(double), false}, expected, 0, distance}
enum { WANTS = 16 };
typedef struct result {
    change change[CHANGES];
    wanted want[WANTS];
} result;
void analytic_result(const subject *s, const result *row, size_t number); /* the failure names the row's number */
void analytic_results(const subject *s, const result *rows, size_t num);
#define assert_results(s, rows) analytic_results(s, rows, LENGTH(rows))

void mark(void *out, size_t size);
bool marked(const void *out, size_t size);

/* ---- wild numbers ------------------------------------------------------------------------------ */

double random_between(uint64_t *seed, double least, double most);
/* Anything once in `n` times: zeros, negatives, NaN, infinities, the ends of the range; else 1 to 100. */
double random_wild(uint64_t *seed, unsigned n);
uint32_t random_count(uint64_t *seed);

/* How often a model took an input and how often it said no, so that a test of nothing shows. */
typedef struct tally {
    unsigned taken, refused;
} tally;
bool tally_add(tally *t, bool done, const analytic_err *said);

/* The good input with wild members: each, once in `once_in` times, is any of `choices` values, or anything if
 * that is 0; of an array of doubles one element. Each call is refused in words, out left as it was, or out is
 * sound. */
typedef struct wild_member {
    member of;
    unsigned choices;
} wild_member;
typedef struct wild {
    uint64_t seed;
    unsigned rounds, once_in;
    size_t out_size;
    void (*sound)(const void *input, const void *out);
} wild;
/* And at least 1 in 50 of each. */
#define assert_wild(s, how, rows) analytic_assert_wild(s, how, rows, LENGTH(rows))
void analytic_assert_wild(const subject *s, const wild *how, const wild_member *rows, size_t num);
/* For `sound`: a result of one double. */
void assert_finite_value(const void *of, const void *value);

#endif
