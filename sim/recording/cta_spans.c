/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/cta_spans.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "recording/csv.h"
#include "recording/format.h"

bool cta_spans_add(cta_spans *s, const cta_span *span)
{
    cta_span *more = with_room(s->span, s->num, &s->cap, sizeof *more);

    if (!more)
        return false;
    s->span = more;
    more[s->num++] = *span;
    return true;
}

/* Lists have few kernels, and a CTA's is mostly that of the one before: the last ones are looked at first. */
int cta_spans_kernel(cta_spans *s, const char *name)
{
    char (*more)[CTA_KERNEL_NAME];

    for (size_t k = s->num_kernels; k-- > 0;)
        if (!strncmp(s->kernel[k], name, CTA_KERNEL_NAME - 1))
            return (int)k;
    more = s->num_kernels < TRACE_MAX_LAUNCHES ? with_room(s->kernel, s->num_kernels, &s->cap_kernels, sizeof *more) : NULL;
    if (!more)
        return -1;
    s->kernel = more;
    snprintf(more[s->num_kernels], CTA_KERNEL_NAME, "%s", name);
    return (int)s->num_kernels++;
}

void cta_spans_free(cta_spans *s)
{
    free(s->span);
    free(s->kernel);
    *s = (cta_spans){.num = 0};
}

/* ---- order ------------------------------------------------------------------------ */

static int compare(const void *a, const void *b)
{
    const cta_span *x = a, *y = b;

    if (x->sm != y->sm || x->slot != y->slot)
        return x->sm != y->sm ? (int)x->sm - y->sm : (int)x->slot - y->slot;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

bool cta_spans_sort(cta_spans *s, const char *path, trace_err *err)
{
    if (s->num)
        qsort(s->span, s->num, sizeof *s->span, compare);
    for (size_t i = 1; i < s->num; i++) {
        const cta_span *a = &s->span[i - 1], *b = &s->span[i];

        if (a->sm == b->sm && a->slot == b->slot && b->start < a->end)
            return import_fail(err, path, UINT64_MAX, "SM %u, slot %u, cycle %" PRIu64 ": a CTA is launched into a slot that holds one", b->sm,
                               b->slot, b->start);
    }
    return true;
}

static int compare_launches(const void *a, const void *b)
{
    const cta_span *x = a, *y = b;

    return x->start != y->start ? (x->start < y->start ? -1 : 1) : compare(a, b);
}

void cta_spans_order(cta_spans *s)
{
    if (s->num)
        qsort(s->span, s->num, sizeof *s->span, compare_launches);
}

/* ---- CSV -------------------------------------------------------------------------- */

enum { SM, SLOT, START, END, CTA, KERNEL, PAIR, COLUMNS, REQUIRED = CTA };

static const char *const columns[COLUMNS] = {"sm", "slot", "start", "end", "cta", "kernel", "pair"};

static void put_known(FILE *f, uint32_t number)
{
    putc(',', f);
    if (number != UINT32_MAX)
        fprintf(f, "%" PRIu32, number);
}

void cta_spans_write(const cta_spans *s, FILE *f)
{
    fputs("sm,slot,start,end,cta,kernel,pair\n", f);
    for (size_t i = 0; i < s->num; i++) {
        const cta_span *span = &s->span[i];

        fprintf(f, "%u,%u,%" PRIu64 ",%" PRIu64, span->sm, span->slot, span->start, span->end);
        put_known(f, span->cta);
        putc(',', f);
        csv_put(f, s->kernel[span->kernel]);
        put_known(f, span->pair);
        putc('\n', f);
    }
}

/* Nothing in its place is UINT32_MAX. */
static bool known(const csv *c, unsigned column, uint32_t *number, trace_err *err)
{
    uint64_t value = UINT32_MAX;
    const bool ok = !*csv_text(c, column) || csv_number(c, column, UINT32_MAX - 1, &value, err);

    *number = (uint32_t)value;
    return ok;
}

static bool take_row(cta_spans *s, const csv *c, trace_err *err)
{
    uint64_t sm, slot;
    cta_span span = {.start = 0};
    int kernel;

    if (!csv_number(c, SM, TRACE_MAX_SMS - 1, &sm, err) || !csv_number(c, SLOT, BALLAST_MAX_SLOTS - 1, &slot, err) ||
        !csv_number(c, START, INT64_MAX, &span.start, err) || !csv_number(c, END, INT64_MAX, &span.end, err) ||
        !known(c, CTA, &span.cta, err) || !known(c, PAIR, &span.pair, err))
        return false;
    if (span.end < span.start)
        return csv_fail(c, err, "the CTA ends before it begins");
    kernel = cta_spans_kernel(s, csv_text(c, KERNEL));
    if (kernel < 0)
        return csv_fail(c, err, "more than %d kernels, or out of memory", TRACE_MAX_LAUNCHES);
    span.kernel = (uint16_t)kernel;
    span.sm = (uint16_t)sm;
    span.slot = (uint8_t)slot;
    return cta_spans_add(s, &span) || csv_fail(c, err, "out of memory");
}

bool cta_spans_read(cta_spans *s, const char *path, trace_err *err)
{
    bool ok = true;
    csv c;

    *s = (cta_spans){.num = 0};
    err->text[0] = '\0';
    if (!csv_open(&c, path, columns, REQUIRED, COLUMNS, err))
        return false;
    while (ok && csv_row(&c, err))
        ok = take_row(s, &c, err);
    csv_close(&c);
    ok = ok && !err->text[0];
    if (ok && !s->num)
        ok = import_fail(err, path, UINT64_MAX, "no CTA is in it");
    return ok && cta_spans_sort(s, path, err);
}
