/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/changes.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "recording/csv.h"

/* Of what has changed, in columns: a longer one moves its own line only. Longer values have a line each, and so have those with an arrow. */
enum { WIDEST = 60, LONGEST = 80 };

typedef struct kind_name {
    const char *one, *many, *compared;
} kind_name;

static const kind_name names[DIFF_NUM_KINDS] = {
#define NAME(name, one, many, compared) {one, many, compared},
    DIFF_KINDS(NAME)
#undef NAME
};

void changes_add(changes *c, diff_kind kind, const char *before, const char *after, const char *what, ...)
{
    change *more = c->num % 64 ? c->row : realloc(c->row, (c->num + 64) * sizeof *more);
    change row = {.kind = kind};
    va_list args;

    if (!more) {
        c->no_memory = true;
        return;
    }
    c->row = more;
    va_start(args, what);
    if (vasprintf(&row.what, what, args) < 0)
        row.what = NULL;
    va_end(args);
    row.before = strdup(before);
    row.after = strdup(after);
    c->no_memory |= !row.what || !row.before || !row.after;
    c->row[c->num++] = row;
    c->of[kind]++;
}

void changes_free(changes *c)
{
    for (unsigned i = 0; i < c->num; i++) {
        free(c->row[i].what);
        free(c->row[i].before);
        free(c->row[i].after);
    }
    free(c->row);
    *c = (changes){.num = 0};
}

/* ---- for readers --------------------------------------------------------------------- */

static int widest(const changes *c, diff_kind kind)
{
    size_t width = 0;

    for (unsigned i = 0; i < c->num; i++) {
        const size_t length = c->row[i].kind == kind ? strlen(c->row[i].what) : 0;

        width = length > width && length <= WIDEST ? length : width;
    }
    return (int)width;
}

/* An empty field is to be seen, too. */
static const char *shown(const char *text)
{
    return *text ? text : "(empty)";
}

static void print_change(const change *row, int width, FILE *f)
{
    if (strlen(row->before) + strlen(row->after) > LONGEST || strstr(row->before, "->") || strstr(row->after, "->"))
        fprintf(f, "  %s\n      before  %s\n      after   %s\n", row->what, shown(row->before), shown(row->after));
    else
        fprintf(f, "  %-*s  %s -> %s\n", width, row->what, shown(row->before), shown(row->after));
}

void changes_print(const changes *c, FILE *f)
{
    for (diff_kind kind = 0; kind < DIFF_NUM_KINDS; kind++) {
        const int width = widest(c, kind);

        if (c->of[kind])
            fprintf(f, "\n%s\n", names[kind].one);
        for (unsigned i = 0; i < c->num; i++)
            if (c->row[i].kind == kind)
                print_change(&c->row[i], width, f);
    }
}

static void print_compared(const changes *c, FILE *f)
{
    const char *between = "compared: ";

    for (unsigned kind = 0; kind < DIFF_NUM_KINDS; kind++)
        if (c->compared[kind]) {
            fprintf(f, "%s%s %u", between, names[kind].compared, c->compared[kind]);
            between = ", ";
        }
    putc('\n', f);
}

void changes_print_sum(const changes *c, FILE *f)
{
    const char *between = ": ";

    putc('\n', f);
    print_compared(c, f);
    fprintf(f, "%u change%s", c->num, c->num == 1 ? "" : "s");
    for (unsigned kind = 0; kind < DIFF_NUM_KINDS; kind++)
        if (c->of[kind]) {
            fprintf(f, "%s%u %s", between, c->of[kind], c->of[kind] == 1 && kind != DIFF_RUN ? names[kind].one : names[kind].many);
            between = ", ";
        }
    putc('\n', f);
}

/* ---- for programs -------------------------------------------------------------------- */

static void put_change(const change *row, FILE *f)
{
    const char *const field[] = {names[row->kind].one, row->what, row->before, row->after};

    for (unsigned i = 0; i < sizeof field / sizeof *field; i++) {
        if (i)
            putc(',', f);
        csv_put(f, field[i]);
    }
    putc('\n', f);
}

void changes_csv(const changes *c, FILE *f)
{
    fputs("kind,what,before,after\n", f);
    for (diff_kind kind = 0; kind < DIFF_NUM_KINDS; kind++)
        for (unsigned i = 0; i < c->num; i++)
            if (c->row[i].kind == kind)
                put_change(&c->row[i], f);
}
