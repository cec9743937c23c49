/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html.h"

#include <stdarg.h>
#include <stdlib.h>

void html_text(FILE *f, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '<': fputs("&lt;", f); break;
        case '>': fputs("&gt;", f); break;
        case '&': fputs("&amp;", f); break;
        case '"': fputs("&quot;", f); break;
        case '\'': fputs("&#39;", f); break;
        case '\n': case '\t': putc(*text, f); break;
        default:
            if ((unsigned char)*text < ' ' || *text == 0x7f)
                fputs("\xef\xbf\xbd", f); /* U+FFFD: HTML has no control characters */
            else
                putc(*text, f);
        }
    }
}

static void print_text(FILE *f, const char *format, va_list args)
{
    char *text;

    if (vasprintf(&text, format, args) < 0)
        return;
    html_text(f, text);
    free(text);
}

void html_in(FILE *f, const char *open, const char *close, const char *format, ...)
{
    va_list args;

    fputs(open, f);
    va_start(args, format);
    print_text(f, format, args);
    va_end(args);
    fputs(close, f);
}

void html_count(FILE *f, uint64_t number)
{
    char digits[24];
    const int n = snprintf(digits, sizeof digits, "%" PRIu64, number);

    for (int i = 0; i < n; i++) {
        if (i && (n - i) % 3 == 0)
            fputs("\xe2\x80\xaf", f); /* U+202F */
        putc(digits[i], f);
    }
}

/* ---- tables ---------------------------------------------------------------------- */

void html_cell_count(FILE *f, uint64_t number)
{
    fputs("<td class=\"n\">", f);
    html_count(f, number);
    fputs("</td>", f);
}

void html_table_open(FILE *f, const char *const *head, const char *caption, const char *id, ...)
{
    char name[64];
    va_list args;

    va_start(args, id);
    vsnprintf(name, sizeof name, id, args);
    va_end(args);
    fprintf(f, "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-labelledby=\"%s-caption\"><table id=\"%s\"><caption><span id=\"%s-caption\">%s</span>"
               "</caption>\n<thead><tr>", name, name, name, caption);
    for (; *head; head++) {
        const bool right = **head == '>';

        html_in(f, right ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">", "</th>", "%s", *head + right);
    }
    fputs("</tr></thead>\n<tbody>\n", f);
}

void html_table_close(FILE *f)
{
    fputs("</tbody></table></div>\n", f);
}
