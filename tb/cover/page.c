/* SPDX-License-Identifier: Apache-2.0
 *
 * The page: one file, no script, nothing fetched.
 */
#include <stdlib.h>
#include <string.h>

#include "cover/files.h"
#include "report/html.h"
#include "report/sections.h"

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
    "<title>Ballast: coverage of the RTL</title>\n<style>\n";

/* What the report of a run has no use for. */
static const char own_style[] =
    ".hole>*,.hole{background:var(--move)}td.m{white-space:normal;min-width:16rem}\n"
    ".src td{padding:0 .5rem;border:0;white-space:pre;font-family:ui-monospace,'DejaVu Sans Mono',monospace;font-size:.78rem}\n"
    ".src td.l{color:var(--soft);text-align:right}.src .hole td{background:var(--move)}\n"
    ".full{color:var(--good)}.part{color:var(--bad);font-weight:600}\n"
    "@media print{.src td{white-space:pre-wrap;padding:0 .2rem}}\n";

/* ---- the table ----------------------------------------------------------------------------------- */

static void put_figure(FILE *f, const cover_block *b, cover_kind kind, cover_suite suite)
{
    const cover_figure n = cover_count(b, kind, suite);
    const char *class = n.hit == n.total ? " full" : suite == SUITE_WHOLE && kind != COVER_TOGGLE ? " part" : "";

    if (!n.total)
        fputs("<td class=\"n\">–</td>", f);
    else if (kind == COVER_FUNCTIONAL)
        fprintf(f, "<td class=\"n%s\">%u/%u</td>", class, n.hit, n.total);
    else
        fprintf(f, "<td class=\"n%s\">%.1f</td>", class, cover_percent(n));
}

static void put_overview(FILE *f, const cover_data *d)
{
    static const char *const names[] = {"block",                    ">line %, recordings", ">line %, all",
                                        ">toggle %, recordings", ">toggle %, all",
                                        ">functional, recordings", ">functional, all",
                                        ">excluded points", ">excluded bits",        NULL};

    fputs("<section id=\"overview\"><h2>All blocks</h2>\n", f);
    html_table_open(f, "overview-table",
                    "Recordings: the replay of all recordings alone. All: recordings and tests. "
                    "Percentages and totals without what is excluded.");
    html_table_head(f, names);
    for (unsigned i = 0; i < d->num; i++) {
        const cover_block *b = &d->blocks[i];

        fprintf(f, "<tr><th scope=\"row\"><a href=\"#%s\">%s</a></th>", b->block_name, b->block_name);
        for (unsigned kind = 0; kind < COVER_KINDS; kind++)
            for (unsigned s = 0; s < COVER_SUITES; s++)
                put_figure(f, b, (cover_kind)kind, (cover_suite)s);
        html_cell_count(f, cover_count(b, COVER_LINE, SUITE_WHOLE).excluded +
                               cover_count(b, COVER_FUNCTIONAL, SUITE_WHOLE).excluded);
        html_cell_count(f, cover_count(b, COVER_TOGGLE, SUITE_WHOLE).excluded);
        fputs("</tr>\n", f);
    }
    html_table_close(f);
    fputs("</section>\n", f);
}

/* ---- a block --------------------------------------------------------------------------------------- */

static void put_where(FILE *f, const cover_block *b, const cover_point *p)
{
    fputs("<td>", f);
    if (p->kind == COVER_FUNCTIONAL)
        html_print(f, "%s:%u", cover_file(b, p), p->line);
    else
        fprintf(f, "<a href=\"#%s-%u\">%s:%u</a>", b->block_name, p->line, cover_file(b, p), p->line);
    fputs("</td>", f);
}

static void put_hole(FILE *f, const cover_block *b, const cover_point *p)
{
    char text[1024];

    fputs("<tr class=\"hole\">", f);
    html_cell(f, "%s", cover_kind_names[p->kind]);
    html_row_head(f, "%s", p->name);
    put_where(f, b, p);
    fputs("<td class=\"m\">", f);
    html_text(f, p->kind == COVER_LINE
                     ? cover_line_text(&b->rtl, p->line, text, sizeof text) : cover_meaning(b, p, text, sizeof text));
    fputs("</td></tr>\n", f);
}

static unsigned holes_of(const cover_block *b)
{
    unsigned holes = 0;

    for (size_t i = 0; i < b->num; i++)
        holes += b->points[i].kind != COVER_TOGGLE && cover_is_hole(&b->points[i], SUITE_WHOLE);
    return holes;
}

static void put_holes(FILE *f, const cover_block *b)
{
    static const char *const names[] = {"kind", "name", "where", "what", NULL};
    char id[COVER_TEXT + 16];

    if (!holes_of(b)) {
        fputs("<p class=\"pass\">No hole: every line, branch and functional point that is not excluded has been reached.</p>\n", f);
        return;
    }
    snprintf(id, sizeof id, "%s-holes", b->block_name);
    html_table_open(f, id, "What neither recordings nor tests have reached.");
    html_table_head(f, names);
    for (size_t i = 0; i < b->num; i++)
        if (b->points[i].kind != COVER_TOGGLE && cover_is_hole(&b->points[i], SUITE_WHOLE))
            put_hole(f, b, &b->points[i]);
    html_table_close(f);
}

static void put_exclusions(FILE *f, const cover_block *b)
{
    static const char *const names[] = {"excluded", ">points or bits", "reason", "where", NULL};
    char id[COVER_TEXT + 16];

    if (!b->num_exclusions)
        return;
    snprintf(id, sizeof id, "%s-excluded", b->block_name);
    html_table_open(f, id, "Excluded: what cannot be reached, and why.");
    html_table_head(f, names);
    for (unsigned i = 0; i < b->num_exclusions; i++) {
        const cover_exclusion *e = &b->exclusions[i];

        fputs("<tr>", f);
        fputs("<th scope=\"row\" style=\"white-space:normal\">", f);
        html_text(f, e->rule);
        fputs("</th>", f);
        html_cell_count(f, e->points);
        fputs("<td class=\"m\">", f);
        html_text(f, e->reason);
        fputs("</td>", f);
        html_cell(f, "%s:%u", b->exclude_path, e->line);
        fputs("</tr>\n", f);
    }
    html_table_close(f);
}

static void put_toggles(FILE *f, const cover_block *b)
{
    static const char *const names[] = {"signal", "bits", "where", NULL};
    char id[COVER_TEXT + 16], bits[1024];
    const cover_point *p = cover_next_signal(b, NULL, SUITE_WHOLE, bits, sizeof bits);

    if (!p)
        return;
    snprintf(id, sizeof id, "%s-toggles", b->block_name);
    fputs("<details><summary>Bits that have not risen and fallen</summary>\n", f);
    html_table_open(f, id, "From recordings and tests together.");
    html_table_head(f, names);
    for (; p; p = cover_next_signal(b, p, SUITE_WHOLE, bits, sizeof bits)) {
        fputs("<tr>", f);
        html_row_head(f, "%s", p->name);
        fputs("<td class=\"m\">", f);
        html_text(f, bits);
        fputs("</td>", f);
        put_where(f, b, p);
        fputs("</tr>\n", f);
    }
    html_table_close(f);
    fputs("</details>\n", f);
}

static void put_points(FILE *f, const cover_block *b)
{
    static const char *const names[] = {"point", ">recordings", ">all", "where", "what", NULL};
    char id[COVER_TEXT + 16], text[1024];

    if (!cover_count(b, COVER_FUNCTIONAL, SUITE_WHOLE).total)
        return;
    snprintf(id, sizeof id, "%s-points", b->block_name);
    fputs("<details><summary>All functional points</summary>\n", f);
    html_table_open(f, id, "In how many cycles each point has been seen; a row is marked when no recording shows it.");
    html_table_head(f, names);
    for (size_t i = 0; i < b->num; i++) {
        const cover_point *p = &b->points[i];

        if (p->kind != COVER_FUNCTIONAL)
            continue;
        fputs(p->hits[SUITE_RECORDINGS] ? "<tr>" : "<tr class=\"hole\">", f);
        html_row_head(f, "%s", p->name);
        html_cell_count(f, p->hits[SUITE_RECORDINGS]);
        html_cell_count(f, p->hits[SUITE_WHOLE]);
        put_where(f, b, p);
        fputs("<td class=\"m\">", f);
        html_text(f, cover_meaning(b, p, text, sizeof text));
        fputs("</td></tr>\n", f);
    }
    html_table_close(f);
    fputs("</details>\n", f);
}

/* ---- the source -------------------------------------------------------------------------------------- */

typedef struct line_count {
    bool counted, hole;
    uint64_t hits[COVER_SUITES]; /* the least of what lies on the line */
} line_count;

static void add_to_line(line_count *c, const cover_point *p)
{
    for (unsigned s = 0; s < COVER_SUITES; s++)
        if (!c->counted || p->hits[s] < c->hits[s])
            c->hits[s] = p->hits[s];
    c->counted = true;
    c->hole |= cover_is_hole(p, SUITE_WHOLE);
}

/* "12-14,16" */
static void add_lines(line_count *lines, unsigned num, const cover_point *p)
{
    const char *at = p->lines;
    unsigned from, to;
    int length;

    if (p->line <= num)
        add_to_line(&lines[p->line - 1], p);
    while (sscanf(at, "%u%n", &from, &length) == 1) {
        at += length;
        to = from;
        if (*at == '-' && sscanf(at, "-%u%n", &to, &length) == 1)
            at += length;
        for (unsigned i = from; i <= to && i <= num; i++)
            if (i != p->line)
                add_to_line(&lines[i - 1], p);
        if (*at != ',')
            break;
        at++;
    }
}

static void put_line(FILE *f, const cover_block *b, unsigned line, const line_count *c)
{
    fprintf(f, "<tr id=\"%s-%u\"%s><td class=\"l\">%u</td>", b->block_name, line, c->hole ? " class=\"hole\"" : "", line);
    for (unsigned s = 0; s < COVER_SUITES; s++) {
        fputs("<td class=\"l\">", f);
        if (c->counted)
            html_count(f, c->hits[s]);
        fputs("</td>", f);
    }
    fputs("<td>", f);
    html_text(f, b->rtl.text[line - 1]);
    fputs("</td></tr>\n", f);
}

static void put_source(FILE *f, const cover_block *b)
{
    static const char *const names[] = {">line", ">recordings", ">all", "source", NULL};
    line_count *lines = calloc(b->rtl.num, sizeof *lines);
    char id[COVER_TEXT + 16];

    if (!lines)
        abort();
    for (size_t i = 0; i < b->num; i++)
        if (b->points[i].kind == COVER_LINE)
            add_lines(lines, b->rtl.num, &b->points[i]);
    snprintf(id, sizeof id, "%s-source", b->block_name);
    fputs("<details><summary>", f);
    html_text(f, b->rtl.path);
    fputs(" with counts</summary>\n<div class=\"src\">", f);
    html_table_open(f, id, "How often each line was executed; of several branches on it the least.");
    html_table_head(f, names);
    for (unsigned i = 0; i < b->rtl.num; i++)
        put_line(f, b, i + 1, &lines[i]);
    html_table_close(f);
    fputs("</div></details>\n", f);
    free(lines);
}

/* ---- page ---------------------------------------------------------------------------------------------- */

static void put_block(FILE *f, const cover_block *b)
{
    fputs("<section class=\"kernel\" id=\"", f);
    html_text(f, b->block_name);
    fputs("\"><h2>", f);
    html_text(f, b->block_name);
    fputs("</h2>\n", f);
    put_holes(f, b);
    put_exclusions(f, b);
    put_toggles(f, b);
    put_points(f, b);
    put_source(f, b);
    fputs("</section>\n", f);
}

static void put_verdict(FILE *f, const cover_data *d)
{
    unsigned holes = 0, points = 0;

    for (unsigned i = 0; i < d->num; i++) {
        holes += holes_of(&d->blocks[i]);
        points += cover_count(&d->blocks[i], COVER_FUNCTIONAL, SUITE_WHOLE).total;
        points += cover_count(&d->blocks[i], COVER_LINE, SUITE_WHOLE).total;
    }
    if (holes)
        fprintf(f, "<section class=\"verdict bad\" id=\"verdict\"><strong>%u of %u lines and points are not reached.</strong>",
                holes, points);
    else
        fprintf(f, "<section class=\"verdict\" id=\"verdict\"><strong>"
                   "All %u lines and points are reached.</strong>", points);
    fputs("<p>By recordings and tests together, without what is excluded. Written by <code>make cover</code>; "
          "doc/verification/cover.md says how to read it. "
          "Lines: statements and branches of the RTL. Toggle: bits of its signals that have both risen and fallen. Functional: the "
          "points of tb/blocks/&lt;block&gt;/cover.sv, named after the rules of doc/papers/papers.md.</p></section>\n", f);
}

bool cover_put_page(void *to, const cover_data *d)
{
    FILE *f = to;

    fprintf(f, "%s%s%s</style>\n</head>\n<body>\n<header><h1>Ballast: coverage of the RTL</h1></header>\n<main>\n", head,
            report_style, own_style);
    put_verdict(f, d);
    fputs("<nav aria-label=\"Contents\"><ul>\n", f);
    for (unsigned i = 0; i < d->num; i++)
        fprintf(f, "<li><a href=\"#%s\">%s</a></li>\n", d->blocks[i].block_name, d->blocks[i].block_name);
    fputs("</ul></nav>\n", f);
    put_overview(f, d);
    for (unsigned i = 0; i < d->num; i++)
        put_block(f, &d->blocks[i]);
    fputs("</main>\n</body>\n</html>\n", f);
    return true;
}
