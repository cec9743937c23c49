/* SPDX-License-Identifier: Apache-2.0
 *
 * gnuplot's SVG file as part of a page: without what only a file needs, with ids of its own.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "files/regular_file.h"
#include "report/html.h"

static bool starts(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* Cuts from `from` to the end of `to`, which follows it; nothing if one of them is not there. */
static void cut(char *text, const char *from, const char *to)
{
    char *begin = strstr(text, from);
    char *end = begin ? strstr(begin, to) : NULL;

    if (end)
        memmove(begin, end + strlen(to), strlen(end + strlen(to)) + 1);
}

/* gnuplot opens and closes a group for every change of the pen, most of them for nothing. */
static const char *skip_empty_group(const char *p)
{
    const char *end;

    if (!starts(p, "<g "))
        return p;
    end = strchr(p, '>');
    if (!end)
        return p;
    for (end++; isspace((unsigned char)*end);)
        end++;
    return starts(end, "</g>") ? end + 4 : p;
}

/* id='x', url(#x) and href='#x' become id='<prefix>-x' and so on; returns what comes after. */
static const char *put_named(FILE *f, const char *p, const char *prefix)
{
    static const char *const heads[] = {" id=\"", " id='", "url(#", "url('#", "href='#", "href=\"#"};

    for (unsigned i = 0; i < sizeof heads / sizeof heads[0]; i++)
        if (starts(p, heads[i])) {
            fprintf(f, "%s%s-", heads[i], prefix);
            return p + strlen(heads[i]);
        }
    return p;
}

static void put_body(FILE *f, const char *p, const char *prefix)
{
    while (*p) {
        const char *after = skip_empty_group(p);

        if (after == p)
            after = put_named(f, p, prefix);
        if (after == p)
            putc(*p, f);
        p = after == p ? p + 1 : after;
        if (p[-1] == '\n')
            while (isspace((unsigned char)*p))
                p++;
    }
}

/* A curve's own <title> would hide the picture's in a tool tip. */
static void cut_titles(char *text)
{
    while (strstr(text, "<title>"))
        cut(text, "<title>", "</title>");
}

static bool put_picture(FILE *f, char *text, const char *prefix, const char *title)
{
    char *svg = strstr(text, "<svg"), *box = svg ? strstr(svg, "viewBox=") : NULL, *body = svg ? strchr(svg, '>') : NULL;

    if (!box || !body || box > body)
        return false;
    cut_titles(body);
    cut(body, "<desc>", "</desc>");
    cut(body, "<filter id='textbox'", "</filter>");
    cut(body, "<filter id='greybox'", "</filter>");
    cut(body, "<rect x=\"0\" y=\"0\"", "/>");
    fprintf(f, "<svg role=\"img\" aria-labelledby=\"%s-title\" viewBox=\"%.*s\">\n<title id=\"%s-title\">", prefix,
            (int)strcspn(box + 9, "\""), box + 9, prefix);
    html_text(f, title);
    fputs("</title>", f);
    put_body(f, body + 1, prefix);
    return true;
}

bool html_svg(FILE *f, const char *path, const char *prefix, const char *title)
{
    size_t length;
    char *text = regular_read(path, &length);
    const bool done = text && put_picture(f, text, prefix, title);

    free(text);
    return done;
}
