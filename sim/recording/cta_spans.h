/* SPDX-License-Identifier: Apache-2.0
 *
 * Which CTA ran where and when: the CTAs of a run with SM, slot, kernel, launch and exit, as a list and as a CSV file
 * (doc/use/dispatch.md). Cycles are those of the run.
 */
#ifndef BALLAST_CTA_SPANS_H
#define BALLAST_CTA_SPANS_H

#include <stdio.h>

#include "recording/cta_list.h"

#define CTA_ALONE UINT32_MAX /* the pair of a CTA that has none */

enum { CTA_KERNEL_NAME = 64 };

typedef struct cta_span {
    uint64_t start, end; /* the cycles of its launch and of its exit       */
    uint32_t cta;        /* of its grid, CTA_UNKNOWN: nobody noted it      */
    uint32_t pair;       /* CTAs with the same number are neighbours       */
    uint16_t kernel;     /* an index of the kernels                        */
    uint16_t sm;
    uint8_t slot;
} cta_span;

typedef struct cta_spans {
    cta_span *span;
    size_t num, cap;
    char (*kernel)[CTA_KERNEL_NAME];
    size_t num_kernels, cap_kernels;
} cta_spans;

/* False: out of memory. */
bool cta_spans_add(cta_spans *s, const cta_span *span);
/* The index of a kernel, which is added if it is new; -1: out of memory. */
int cta_spans_kernel(cta_spans *s, const char *name);
/* Also after a failure. */
void cta_spans_free(cta_spans *s);

/* By SM, slot and launch. False with a line that begins with `path`: two at once in one slot. */
bool cta_spans_sort(cta_spans *s, const char *path, trace_err *err);

/* By launch, those of a cycle by SM and slot: for reading, not for a chart. */
void cta_spans_order(cta_spans *s);

/* As CSV with a header. The file's own errors are the caller's to find. */
void cta_spans_write(const cta_spans *s, FILE *f);
/* Sorted. Columns cta, kernel and pair may be missing or empty. */
bool cta_spans_read(cta_spans *s, const char *path, trace_err *err);

#endif
