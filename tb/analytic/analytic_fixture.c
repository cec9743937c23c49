/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/analytic_fixture.h"

#include <assert.h>

/* ---- comparisons ------------------------------------------------------------------------------ */

void analytic_within_distance(double value, double expected, double distance, const char *what,
                              const char *file, int line)
{
    if (isfinite(value) && fabs(value - expected) <= distance)
        return;
    print_error("%s is %.17g, not %.17g +- %g\n", what, value, expected, distance);
    _fail(file, line);
}

void analytic_near(double value, double expected, double relative, const char *what, const char *file, int line)
{
    analytic_within_distance(value, expected, relative * fabs(expected), what, file, line);
}

void analytic_each(const comparison *rows, size_t num, const char *file, int line)
{
    for (size_t i = 0; i < num; i++)
        analytic_near(rows[i].value, rows[i].expected, rows[i].relative, rows[i].what, file, line);
}

void assert_finite_num(const double *values, size_t num)
{
    for (size_t i = 0; i < num; i++)
        if (!isfinite(values[i]))
            fail_msg("number %zu is %g", i, values[i]);
}

void assert_finite_from(const void *from, const void *to)
{
    assert_finite_num(from, (size_t)((const double *)to - (const double *)from));
}

/* ---- calls ------------------------------------------------------------------------------------ */

void analytic_must(bool done, const analytic_err *said, const char *file, int line)
{
    if (done)
        return;
    print_error("refused: %s\n", said->text);
    _fail(file, line);
}

/* In words: something, not all of the room, one line, every word of it there. */
static void assert_said(const analytic_err *said)
{
    assert_in_range(strnlen(said->text, sizeof said->text), 1, sizeof said->text - 2);
    assert_null(strpbrk(said->text, "\n"));
    assert_null(strstr(said->text, "(null)"));
}

/* The text begins with `says`, or has what follows its three dots. */
static bool has_said(const char *text, const char *says)
{
    if (strncmp(says, "...", 3) == 0)
        return strstr(text, says + 3) != NULL;
    return strncmp(text, says, strlen(says)) == 0;
}

void analytic_refused(bool done, const analytic_err *said, const char *says, const char *file, int line)
{
    if (!done && has_said(said->text, says)) {
        assert_said(said);
        return;
    }
    print_error("%s: \"%s\" does not say \"%s\"\n", done ? "taken" : "refused", said->text, says);
    _fail(file, line);
}

void mark(void *out, size_t size)
{
    memset(out, 0x5a, size);
}

bool marked(const void *out, size_t size)
{
    const unsigned char *bytes = out;

    for (size_t i = 0; i < size; i++)
        if (bytes[i] != 0x5a)
            return false;
    return true;
}

/* ---- tables ----------------------------------------------------------------------------------- */

const bad_values not_positive = {5, {0, -1, NAN, INFINITY, -INFINITY}};
const bad_values negative = {5, {-1, -1e-300, NAN, INFINITY, -INFINITY}};
const bad_values below_1 = {6, {0, 0.99, -1, NAN, INFINITY, -INFINITY}};

/* An input and what a model makes of it, as large as the largest. */
static union {
    double align;
    unsigned char bytes[1 << 14];
} input;
static union {
    double align;
    unsigned char bytes[1 << 17];
} out;

static void put(void *to, const member *of, double value)
{
    unsigned char *at = (unsigned char *)to + of->at;
    const uint32_t count = (uint32_t)value;
    const bool flag = value != 0;

    switch (of->size) {
    case 0:
        break;
    case sizeof flag:
        memcpy(at, &flag, sizeof flag);
        break;
    case sizeof count:
        memcpy(at, &count, sizeof count);
        break;
    default:
        memcpy(at, &value, sizeof value);
    }
}

void analytic_change(void *to, const change changes[], size_t num)
{
    for (size_t i = 0; i < num; i++)
        put(to, &changes[i].of, changes[i].value);
}

static double get(const member *of)
{
    double value = 0;
    uint64_t large;
    uint32_t count;

    if (of->size == sizeof(bool))
        return out.bytes[of->at];
    if (of->is_uint64) {
        memcpy(&large, out.bytes + of->at, sizeof large);
        return (double)large;
    }
    if (of->size == sizeof value) {
        memcpy(&value, out.bytes + of->at, sizeof value);
        return value;
    }
    memcpy(&count, out.bytes + of->at, sizeof count);
    return count;
}

static bool call(const subject *s, const change changes[], size_t num)
{
    assert(s->size <= sizeof input);
    memcpy(input.bytes, s->good, s->size);
    analytic_change(input.bytes, changes, num);
    mark(out.bytes, sizeof out.bytes);
    err.text[0] = '\0';
    return s->call(input.bytes, out.bytes, &err);
}

static void refuse(const subject *s, const change changes[], size_t num, const char *says)
{
    if (call(s, changes, num))
        fail_msg("taken: \"%s\"", says);
    if (!has_said(err.text, says))
        fail_msg("\"%s\" does not say \"%s\"", err.text, says);
    assert_said(&err);
    if (!marked(out.bytes, sizeof out.bytes))
        fail_msg("\"%s\": but the result was touched", says);
}

void analytic_refusals(const subject *s, const refusal *rows, size_t num)
{
    assert_non_null(rows[num - 1].says);
    for (size_t i = 0; i < num; i++)
        refuse(s, rows[i].change, CHANGES, rows[i].says);
}

void analytic_bad_members(const subject *s, const bad_member *rows, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        const char *dot = strrchr(rows[i].of.name, '.');
        char says[64];

        snprintf(says, sizeof says, "%s is ", dot ? dot + 1 : rows[i].of.name);
        for (size_t k = 0; k < rows[i].bad->num; k++) {
            const change one = {rows[i].of, rows[i].bad->value[k]};

            refuse(s, &one, 1, says);
        }
    }
}

void analytic_result(const subject *s, const result *row, size_t number)
{
    if (!call(s, row->change, CHANGES))
        fail_msg("row %zu: refused: %s", number, err.text);
    assert_true(row->want[0].of.size > 0);
    for (const wanted *w = row->want; w < row->want + WANTS && w->of.size; w++)
        if (!(fabs(get(&w->of) - w->expected) <= w->relative * fabs(w->expected) + w->distance))
            fail_msg("row %zu: %s is %.17g, not %.17g", number, w->of.name, get(&w->of), w->expected);
}

void analytic_results(const subject *s, const result *rows, size_t num)
{
    for (size_t i = 0; i < num; i++)
        analytic_result(s, &rows[i], i);
}

/* ---- wild numbers ------------------------------------------------------------------------------ */

double random_between(uint64_t *seed, double least, double most)
{
    return least + (most - least) * (double)random_next(seed) / (UINT64_C(1) << 53);
}

double random_wild(uint64_t *seed, unsigned n)
{
    static const double odd[] = {0, -0.0, -1, 1, 0.5, NAN, INFINITY, -INFINITY, DBL_MAX, -DBL_MAX, DBL_MIN,
                                 DBL_TRUE_MIN, 1e300, 1e-300, 1e154, 1e-154, 1e-9, 4294967296.0};

    if (!random_one_in(seed, n))
        return random_between(seed, 1, 100);
    if (random_one_in(seed, 2))
        return odd[random_next(seed) % LENGTH(odd)];
    return pow(10, random_between(seed, -320, 308));
}

uint32_t random_count(uint64_t *seed)
{
    static const uint32_t odd[] = {0, 1, INT32_MAX, UINT32_MAX, UINT32_MAX - 1, 1U << 31};

    return random_one_in(seed, 8) ? odd[random_next(seed) % LENGTH(odd)] : (uint32_t)(random_next(seed) % 100);
}

bool tally_add(tally *t, bool done, const analytic_err *said)
{
    if (!done)
        assert_said(said);
    t->taken += done;
    t->refused += !done;
    return done;
}

static void make_wild(uint64_t *seed, const wild_member *row)
{
    member of = row->of;
    double value;

    if (of.size > sizeof value) { /* an array */
        of.at += random_next(seed) % (of.size / sizeof value) * sizeof value;
        of.size = sizeof value;
    }
    if (row->choices)
        value = (double)(random_next(seed) % row->choices);
    else
        value = of.size == sizeof value ? random_wild(seed, 2) : random_count(seed);
    put(input.bytes, &of, value);
}

void analytic_assert_wild(const subject *s, const wild *how, const wild_member *rows, size_t num)
{
    uint64_t seed = how->seed;
    tally count = {0};

    for (unsigned round = 0; round < how->rounds; round++) {
        memcpy(input.bytes, s->good, s->size);
        for (size_t i = 0; i < num; i++)
            if (random_one_in(&seed, how->once_in))
                make_wild(&seed, &rows[i]);
        mark(out.bytes, how->out_size);
        if (tally_add(&count, s->call(input.bytes, out.bytes, &err), &err))
            how->sound(input.bytes, out.bytes);
        else if (!marked(out.bytes, how->out_size))
            fail_msg("\"%s\": but the result was touched", err.text);
    }
    if (count.taken < how->rounds / 50 || count.refused < how->rounds / 50)
        fail_msg("%u taken, %u refused of %u", count.taken, count.refused, how->rounds);
}

void assert_finite_value(const void *of, const void *value)
{
    (void)of;
    assert_finite(*(const double *)value);
}
