/* SPDX-License-Identifier: Apache-2.0 */
#include "wave/marks.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW_CHARS = 195, /* of a marker's text, across GTKWave's window */
       UNMOVED = 50, OF_SM = 100 /* ranks after the others */ };

/* A value that a decision changed; NULL names: none. */
typedef struct change {
    const decision *decision;
    const decision_value *before, *after;
} change;

static bool same_value(const decision_value *a, const decision_value *b)
{
    return a->state && b->state ? !strcmp(a->state, b->state) : a->number == b->number;
}

/* What a reader looks for first. */
static int rank_of(const char *name)
{
    static const char *const first[] = {"limit", "level", "num_blocks", "next", "paused", "request"};
    int rank = 0;

    while (rank < (int)(sizeof first / sizeof first[0]) && strcmp(first[rank], name) != 0)
        rank++;
    return rank;
}

static void look_at(change *best, const decision *d)
{
    for (unsigned b = 0; b < d->before.num; b++) {
        const decision_value *before = &d->before.value[b];

        for (unsigned a = 0; a < d->after.num; a++) {
            const decision_value *after = &d->after.value[a];

            if (strcmp(before->name, after->name) != 0 || same_value(before, after))
                continue;
            if (!best->before || rank_of(before->name) < rank_of(best->before->name))
                *best = (change){d, before, after};
        }
    }
}

static int print_value(char *text, size_t size, const decision_value *v)
{
    return v->state ? snprintf(text, size, "%s", v->state) : snprintf(text, size, "%" PRIu64, v->number);
}

static void describe_change(char *text, size_t size, const change *c)
{
    char from[24], to[24];

    print_value(from, sizeof from, c->before);
    print_value(to, sizeof to, c->after);
    if (c->decision->sm != DECISION_NO_SM)
        snprintf(text, size, "%s SM %d %s %s->%s", c->decision->rule, c->decision->sm, c->before->name, from, to);
    else
        snprintf(text, size, "%s %s %s->%s", c->decision->rule, c->before->name, from, to);
}

static bool is_marked(const decision *d, bool of_sm)
{
    return of_sm ? d->sm != DECISION_NO_SM && strcmp(d->event, "kernel_start") != 0 : d->sm == DECISION_NO_SM;
}

static const decision *first_of(const decisions *list, bool of_sm)
{
    for (unsigned i = 0; i < list->num; i++)
        if (is_marked(&list->taken[i], of_sm))
            return &list->taken[i];
    return NULL;
}

static wave_mark *new_mark(wave_marks *marks)
{
    if (marks->num == marks->max) {
        const unsigned max = marks->max ? 2 * marks->max : 64;
        wave_mark *more = realloc(marks->mark, max * sizeof *more);

        marks->failed |= !more;
        if (!more)
            return NULL;
        marks->mark = more;
        marks->max = max;
    }
    return &marks->mark[marks->num++];
}

void wave_marks_add(wave_marks *marks, uint64_t time, const block *blk, const decisions *list)
{
    const bool of_sm = !first_of(list, false);
    const decision *first = first_of(list, of_sm);
    wave_mark *mark = first ? new_mark(marks) : NULL;
    change best = {.before = NULL};

    if (!mark)
        return;
    for (unsigned i = 0; i < list->num; i++)
        if (is_marked(&list->taken[i], of_sm))
            look_at(&best, &list->taken[i]);
    *mark = (wave_mark){.time = time, .block = blk, .moved = best.before != NULL, .of_sm = of_sm};
    mark->rank = (best.before ? rank_of(best.before->name) : UNMOVED) + (of_sm ? OF_SM : 0);
    if (best.before)
        describe_change(mark->text, sizeof mark->text, &best);
    else
        snprintf(mark->text, sizeof mark->text, "%s %s", first->rule, first->event);
}

/* Texts stand centred above their markers. */
static bool has_room(const wave_marks *marks, unsigned at, uint64_t begin, uint64_t span)
{
    const wave_mark *mark = &marks->mark[at];

    if (mark->time < begin || 2 * (mark->time - begin) * WINDOW_CHARS < strlen(mark->text) * span)
        return false;
    for (unsigned m = 0; m < marks->num; m++) {
        const wave_mark *other = &marks->mark[m];
        const bool first = other->rank < mark->rank || (other->rank == mark->rank && m < at);
        const uint64_t apart = other->time > mark->time ? other->time - mark->time : mark->time - other->time;
        const uint64_t chars = (strlen(other->text) + strlen(mark->text)) / 2 + 1;

        if (m != at && first && other->text[0] && apart * WINDOW_CHARS < chars * span)
            return false;
    }
    return true;
}

void wave_marks_make_room(wave_marks *marks, uint64_t first, uint64_t last)
{
    /* By rank, so that one that goes takes no room from those after it. */
    for (int rank = 0, next; rank != INT_MAX; rank = next) {
        next = INT_MAX;
        for (unsigned m = 0; m < marks->num; m++) {
            if (marks->mark[m].rank == rank && !has_room(marks, m, first, last - first))
                marks->mark[m].text[0] = '\0';
            if (marks->mark[m].rank > rank && marks->mark[m].rank < next)
                next = marks->mark[m].rank;
        }
    }
}

void wave_marks_free(wave_marks *marks)
{
    free(marks->mark);
    *marks = (wave_marks){.num = 0};
}
