/* SPDX-License-Identifier: Apache-2.0
 *
 * tb/blocks/<block>/cover.exclude (of a cell of rtl/common: tb/cover/<cell>_cover.exclude): what cannot be reached, with the
 * reason. A line each:
 *
 *   functional NAME -- reason
 *   line KIND TEXT -- reason          KIND: if, else, elsif, block, case; TEXT: part of the source line
 *   toggle SIGNAL -- reason           all its bits
 *   toggle SIGNAL[HIGH:LOW] -- reason
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cover/points.h"

typedef struct rule {
    cover_kind kind;
    char word[COVER_TEXT]; /* name, signal, or kind of branch */
    char text[COVER_TEXT]; /* of a line */
    unsigned high, low;    /* bits */
} rule;

/* "period_q[31:8]" to its parts. */
static bool split_bits(rule *r)
{
    char *open = strrchr(r->word, '[');
    int end = 0;

    r->high = UINT32_MAX;
    r->low = 0;
    if (!open || !strchr(open, ':'))
        return true;
    if (sscanf(open, "[%u:%u]%n", &r->high, &r->low, &end) != 2 || !end || open[end] || r->high < r->low)
        return false;
    *open = '\0';
    return true;
}

static bool parse(rule *r, const char *text)
{
    char kind[COVER_TEXT];
    int at = 0;

    memset(r, 0, sizeof *r);
    if (sscanf(text, "%255s %255s %n", kind, r->word, &at) != 2)
        return false;
    snprintf(r->text, sizeof r->text, "%s", text + at);
    for (r->kind = 0; r->kind < COVER_KINDS && strcmp(kind, cover_kind_names[r->kind]) != 0; r->kind++)
        ;
    switch (r->kind) {
    case COVER_LINE: return r->text[0] != '\0';
    case COVER_TOGGLE: return r->text[0] == '\0' && split_bits(r);
    case COVER_FUNCTIONAL: return r->text[0] == '\0';
    default: return false;
    }
}

/* "inst_q" is every element of it. */
static bool is_signal(const char *name, const char *wanted)
{
    const size_t length = strlen(wanted);

    return strncmp(name, wanted, length) == 0 && (name[length] == '\0' || name[length] == '[');
}

static bool meets(const cover_block *b, const rule *r, const cover_point *p)
{
    char text[1024];

    if (p->kind != r->kind)
        return false;
    switch (r->kind) {
    case COVER_FUNCTIONAL: return strcmp(p->name, r->word) == 0;
    case COVER_TOGGLE: return is_signal(p->name, r->word) && p->bit >= r->low && p->bit <= r->high;
    default:
        return strcmp(p->name, r->word) == 0 && strstr(cover_line_text(&b->rtl, p->line, text, sizeof text), r->text);
    }
}

static bool apply(cover_block *b, cover_exclusion *e, char *err)
{
    rule r;

    if (!parse(&r, e->rule))
        return snprintf(err, COVER_ERR, "%s:%u: '%s' is none of: functional NAME, line KIND TEXT, toggle SIGNAL[HIGH:LOW]",
                        b->exclude_path, e->line, e->rule),
               false;
    for (size_t i = 0; i < b->num; i++) {
        cover_point *p = &b->points[i];

        if (!meets(b, &r, p))
            continue;
        if (p->hits[SUITE_WHOLE])
            return snprintf(err, COVER_ERR, "%s:%u: '%s' is hit (bit %u); take the exclusion out", b->exclude_path, e->line, e->rule,
                            p->bit),
                   false;
        p->excluded = e;
        e->points++;
    }
    if (e->points == 0)
        return snprintf(err, COVER_ERR, "%s:%u: '%s' does not exist; take the exclusion out", b->exclude_path, e->line, e->rule),
               false;
    return true;
}

static void add(cover_block *b, const char *line, unsigned number, const char *mark)
{
    cover_exclusion *e;

    b->exclusions = realloc(b->exclusions, (b->num_exclusions + 1) * sizeof *b->exclusions);
    if (!b->exclusions)
        abort();
    e = &b->exclusions[b->num_exclusions++];
    memset(e, 0, sizeof *e);
    e->line = number;
    snprintf(e->rule, sizeof e->rule, "%.*s", (int)(mark - line), line);
    snprintf(e->reason, sizeof e->reason, "%s", mark + strlen(" -- "));
}

static bool read_file(cover_block *b, FILE *f, char *err)
{
    char *line = NULL;
    size_t size = 0;
    unsigned number = 0;
    bool ok = true;

    while (ok && getline(&line, &size, f) >= 0) {
        const char *mark;

        number++;
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0')
            continue;
        mark = strstr(line, " -- ");
        ok = mark && mark[4];
        if (ok)
            add(b, line, number, mark);
        else
            snprintf(err, COVER_ERR, "%s:%u: no reason; it is 'WHAT -- reason'", b->exclude_path, number);
    }
    free(line);
    return ok;
}

bool cover_exclude(cover_data *d, char *err)
{
    for (unsigned i = 0; i < d->num; i++) {
        cover_block *b = &d->blocks[i];
        FILE *f;
        bool ok;

        for (unsigned place = 0; place < 2; place++) {
            snprintf(b->exclude_path, sizeof b->exclude_path, place ? "tb/cover/%.64s_cover.exclude" : "tb/blocks/%.64s/cover.exclude", b->block_name);
            f = fopen(b->exclude_path, "r");
            if (!f)
                continue;
            ok = read_file(b, f, err);
            fclose(f);
            /* Only now do the exclusions stay where they are. */
            for (unsigned e = 0; ok && e < b->num_exclusions; e++)
                ok = apply(b, &b->exclusions[e], err);
            if (!ok)
                return false;
            break;
        }
    }
    return true;
}
