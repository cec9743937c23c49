/* SPDX-License-Identifier: Apache-2.0
 *
 * Several stored runs in the order of their dates: what each found. doc/use/trend.md
 */
#ifndef BALLAST_TREND_H
#define BALLAST_TREND_H

#include <stdbool.h>
#include <stdio.h>

#include "recording/trace.h"

enum { TREND_RUNS = 512, TREND_PATH = 4300, TREND_POLICIES = 16, TREND_NAME = 40 };

/* What a run has of these. */
enum trend_figure { TREND_EQUAL, TREND_PROOFS, TREND_MUTANTS, TREND_COVERAGE, TREND_AREA, TREND_FIGURES };
extern const char *const trend_names[TREND_FIGURES];

typedef struct trend_count {
    bool there, other; /* other: not known to be of the sources that were there then */
    uint64_t got, of; /* of the area: square micrometres, in so many sizes */
} trend_count;

typedef struct trend_cost {
    bool there;
    double mean, worst; /* percent, over the kernels of which it is known */
    unsigned kernels;
} trend_cost;

typedef struct trend_run {
    char path[TREND_PATH], finished[64], commit[64];
    trend_count count[TREND_FIGURES];
    double speed; /* million SM cycles a second; 0: not known */
    trend_cost cost[TREND_POLICIES];
} trend_run;

typedef struct trend {
    trend_run *run;
    unsigned num, policies;
    char policy[TREND_POLICIES][TREND_NAME];
} trend;

/* A run, or a folder with runs in it. False with one line. */
bool trend_add(trend *t, const char *path, trace_err *err);
/* By their dates; those without one come first. */
void trend_sort(trend *t);
void trend_free(trend *t);

/* Below the table stands what a run does not have. */
void trend_print(const trend *t, FILE *f);
void trend_csv(const trend *t, FILE *f);
/* A page that needs nothing else. */
void trend_page(const trend *t, FILE *f);

/* "184/184", "-": a field as all of them write it. */
enum { TREND_FIELD = 64 };
void trend_say_count(const trend_count *count, enum trend_figure figure, char text[TREND_FIELD]);
void trend_say_speed(const trend_run *run, char text[TREND_FIELD]);
/* "36.2/299.1": mean and worst. */
void trend_say_cost(const trend_cost *cost, char text[TREND_FIELD]);
/* "proofs, area": what the run does not have; "" if it has all. */
void trend_say_missing(const trend *t, const trend_run *run, char *text, size_t size);

#endif
