/* SPDX-License-Identifier: Apache-2.0 */
#include "cover/files.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ---------------------------------------------------------------------------------- */

void cover_hole_words(const cover_block *b, const cover_point *p, char *text, size_t size)
{
    char more[1024];

    if (p->kind == COVER_FUNCTIONAL)
        snprintf(text, size, "%s:%u: %s: %s", cover_file(b, p), p->line, p->name, cover_meaning(b, p, more, sizeof more));
    else
        snprintf(text, size, "%s:%u: %s of: %s", cover_file(b, p), p->line, p->name,
                 cover_line_text(&b->rtl, p->line, more, sizeof more));
}

static bool same_signal(const cover_point *a, const cover_point *b)
{
    return a->kind == b->kind && a->line == b->line && a->column == b->column && strcmp(a->name, b->name) == 0;
}

/* Bits low to high in the points; ranges are written high to low. */
static void add_range(char *bits, size_t size, unsigned low, unsigned high)
{
    const size_t length = strlen(bits);

    if (low == high)
        snprintf(bits + length, size - length, "%s%u", length ? " " : "", low);
    else
        snprintf(bits + length, size - length, "%s%u:%u", length ? " " : "", high, low);
}

const cover_point *cover_next_signal(const cover_block *b, const cover_point *from, cover_suite suite, char *bits, size_t size)
{
    const cover_point *end = b->points + b->num, *p = from ? from : b->points, *first;

    bits[0] = '\0';
    if (from)
        while (p < end && same_signal(p, from))
            p++;
    while (p < end && (p->kind != COVER_TOGGLE || !cover_is_hole(p, suite)))
        p++;
    if (p == end)
        return NULL;
    for (first = p; p < end && same_signal(p, first); p++) {
        const cover_point *low = p;

        if (!cover_is_hole(p, suite))
            continue;
        while (p + 1 < end && same_signal(p + 1, first) && cover_is_hole(p + 1, suite))
            p++;
        add_range(bits, size, low->bit, p->bit);
    }
    return first;
}

/* ---- terminal -------------------------------------------------------------------------------- */

static void put_percent(FILE *f, cover_figure figure)
{
    if (figure.total)
        fprintf(f, " %6.1f", cover_percent(figure));
    else
        fprintf(f, " %6s", "-");
}

static void put_hits(FILE *f, cover_figure figure)
{
    char text[32];

    if (figure.total)
        snprintf(text, sizeof text, "%u/%u", figure.hit, figure.total);
    else
        snprintf(text, sizeof text, "-");
    fprintf(f, " %9s", text);
}

void cover_table(FILE *f, const cover_data *d)
{
    fprintf(f, "%-18s %15s %15s %20s %9s\n", "", "line %", "toggle %", "functional", "");
    fprintf(f, "%-18s %7s %7s %7s %7s %10s %9s %9s\n", "block", "rec.", "whole", "rec.", "whole", "rec.", "whole", "excluded");
    for (unsigned i = 0; i < d->num; i++) {
        const cover_block *b = &d->blocks[i];
        unsigned excluded = 0;

        fprintf(f, "%-18s", b->block_name);
        for (unsigned kind = 0; kind < COVER_KINDS; kind++) {
            for (unsigned s = 0; s < COVER_SUITES; s++) {
                putc(' ', f);
                (kind == COVER_FUNCTIONAL ? put_hits : put_percent)(f, cover_count(b, (cover_kind)kind, (cover_suite)s));
            }
            if (kind != COVER_TOGGLE)
                excluded += cover_count(b, (cover_kind)kind, SUITE_WHOLE).excluded;
        }
        fprintf(f, " %8u\n", excluded);
    }
    fputs("rec.: the recordings alone; whole: recordings and tests; excluded: points and lines, with reasons\n", f);
}

unsigned cover_holes(FILE *f, const cover_data *d, cover_kind kind)
{
    unsigned holes = 0;

    for (unsigned i = 0; i < d->num; i++) {
        const cover_block *b = &d->blocks[i];

        for (size_t n = 0; n < b->num; n++) {
            char text[2048];

            if (b->points[n].kind != kind || !cover_is_hole(&b->points[n], SUITE_WHOLE))
                continue;
            cover_hole_words(b, &b->points[n], text, sizeof text);
            fprintf(f, "hole: %s\n", text);
            holes++;
        }
    }
    return holes;
}

/* ---- CSV -------------------------------------------------------------------------------------- */

bool cover_put_csv(void *to, const cover_data *d)
{
    FILE *f = to;

    fputs("block,kind,suite,hit,total,excluded,percent\n", f);
    for (unsigned i = 0; i < d->num; i++)
        for (unsigned kind = 0; kind < COVER_KINDS; kind++)
            for (unsigned s = 0; s < COVER_SUITES; s++) {
                const cover_figure n = cover_count(&d->blocks[i], (cover_kind)kind, (cover_suite)s);

                fprintf(f, "%s,%s,%s,%u,%u,%u,", d->blocks[i].block_name, cover_kind_names[kind],
                        s == SUITE_WHOLE ? "whole" : "recordings", n.hit, n.total, n.excluded);
                fprintf(f, n.total ? "%.1f\n" : "\n", cover_percent(n));
            }
    return true;
}

static void put_quoted(FILE *f, const char *text)
{
    putc('"', f);
    for (; *text; text++)
        fprintf(f, *text == '"' ? "\"\"" : "%c", *text);
    putc('"', f);
}

static void put_hole_row(FILE *f, const cover_block *b, const cover_point *p, const char *name, cover_suite suite, const char *words)
{
    fprintf(f, "%s,%s,%s,", b->block_name, cover_kind_names[p->kind], suite == SUITE_WHOLE ? "whole" : "recordings");
    put_quoted(f, name);
    fprintf(f, ",%s,%u,", cover_file(b, p), p->line);
    put_quoted(f, words);
    fputs(p->excluded ? ",excluded," : ",hole,", f);
    put_quoted(f, p->excluded ? p->excluded->reason : "");
    putc('\n', f);
}

static void put_block_holes(FILE *f, const cover_block *b, cover_suite suite)
{
    const cover_point *p = NULL;
    char text[1024], name[2 * COVER_TEXT + 1024];

    for (size_t n = 0; n < b->num; n++) {
        p = &b->points[n];
        if (p->kind == COVER_TOGGLE || p->hits[suite])
            continue;
        put_hole_row(f, b, p, p->name, suite,
                     p->kind == COVER_LINE ? cover_line_text(&b->rtl, p->line, text, sizeof text)
                                           : cover_meaning(b, p, text, sizeof text));
    }
    for (p = cover_next_signal(b, NULL, suite, text, sizeof text); p; p = cover_next_signal(b, p, suite, text, sizeof text)) {
        snprintf(name, sizeof name, "%s bits %s", p->name, text);
        put_hole_row(f, b, p, name, suite, "");
    }
}

bool cover_put_holes(void *to, const cover_data *d)
{
    fputs("block,kind,suite,name,file,line,what,state,reason\n", to);
    for (unsigned i = 0; i < d->num; i++)
        for (unsigned s = 0; s < COVER_SUITES; s++)
            put_block_holes(to, &d->blocks[i], (cover_suite)s);
    return true;
}

/* ---- JSON ---------------------------------------------------------------------------------------- */

static cJSON *figures(const cover_block *b, cover_kind kind)
{
    static const char *const suites[COVER_SUITES] = {"recordings", "whole"};
    cJSON *all = cJSON_CreateObject();

    for (unsigned s = 0; s < COVER_SUITES; s++) {
        const cover_figure n = cover_count(b, kind, (cover_suite)s);
        cJSON *one = cJSON_AddObjectToObject(all, suites[s]);

        cJSON_AddNumberToObject(one, "hit", n.hit);
        cJSON_AddNumberToObject(one, "total", n.total);
        cJSON_AddNumberToObject(one, "excluded", n.excluded);
        if (n.total)
            cJSON_AddNumberToObject(one, "percent", cover_percent(n));
    }
    return all;
}

bool cover_put_status(void *to, const cover_data *d)
{
    cJSON *root = cJSON_CreateObject(), *blocks;
    char *text;
    bool ok;

    cJSON_AddStringToObject(root, "tool", "Verilator 5.006, cover properties and line coverage; toggles by the harness");
    blocks = cJSON_AddArrayToObject(root, "blocks");
    for (unsigned i = 0; i < d->num; i++) {
        cJSON *one = cJSON_CreateObject();

        cJSON_AddStringToObject(one, "block", d->blocks[i].block_name);
        for (unsigned kind = 0; kind < COVER_KINDS; kind++)
            cJSON_AddItemToObject(one, cover_kind_names[kind], figures(&d->blocks[i], (cover_kind)kind));
        cJSON_AddItemToArray(blocks, one);
    }
    text = cJSON_Print(root);
    ok = text && fprintf(to, "%s\n", text) > 0;
    free(text);
    cJSON_Delete(root);
    return ok;
}
