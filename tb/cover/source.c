/* SPDX-License-Identifier: Apache-2.0
 *
 * The SystemVerilog files that points stand in.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cover/points.h"

bool cover_source_read(cover_source *s, const char *path)
{
    FILE *f = fopen(path, "r");
    size_t size = 0;
    char *line = NULL;
    bool checks = false;

    if (!f)
        return false;
    snprintf(s->path, sizeof s->path, "%s", path);
    while (getline(&line, &size, f) >= 0) {
        s->text = realloc(s->text, (s->num + 1) * sizeof *s->text);
        s->checks = realloc(s->checks, (s->num + 1) * sizeof *s->checks);
        if (!s->text || !s->checks)
            abort();
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "`ifdef VERILATOR", 16) == 0)
            checks = true;
        s->text[s->num] = line;
        s->checks[s->num++] = checks;
        if (strncmp(line, "`endif", 6) == 0)
            checks = false;
        line = NULL;
        size = 0;
    }
    free(line);
    fclose(f);
    return true;
}

void cover_source_free(cover_source *s)
{
    for (unsigned i = 0; i < s->num; i++)
        free(s->text[i]);
    free(s->text);
    free(s->checks);
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static bool has_word(const char *text, const char *word, size_t length)
{
    const char *comment = strstr(text, "//");

    for (const char *at = text; (at = strstr(at, word)) && (!comment || at < comment); at++)
        if ((at == text || !is_word(at[-1])) && !is_word(at[length]))
            return true;
    return false;
}

/* "gen_period.high" and "inst_q[3]" by their own names. */
unsigned cover_declared(const cover_source *s, const char *signal)
{
    const char *dot = strrchr(signal, '.');
    char name[COVER_TEXT];

    snprintf(name, sizeof name, "%s", dot ? dot + 1 : signal);
    name[strcspn(name, "[")] = '\0';
    for (unsigned i = 0; i < s->num; i++)
        if (!s->checks[i] && has_word(s->text[i], name, strlen(name)))
            return i + 1;
    return 0;
}

const char *cover_line_text(const cover_source *s, unsigned line, char *text, size_t size)
{
    const char *from;
    size_t length;

    text[0] = '\0';
    if (line == 0 || line > s->num)
        return text;
    from = s->text[line - 1] + strspn(s->text[line - 1], " ");
    length = strstr(from, "//") ? (size_t)(strstr(from, "//") - from) : strlen(from);
    while (length && from[length - 1] == ' ')
        length--;
    snprintf(text, size, "%.*s", (int)length, from);
    return text;
}

const char *cover_meaning(const cover_block *b, const cover_point *p, char *text, size_t size)
{
    const cover_source *s = &b->points_file;

    text[0] = '\0';
    if (p->kind != COVER_FUNCTIONAL || p->line > s->num)
        return text;
    for (unsigned i = p->line; i-- > 0;) {
        const char *comment = strstr(s->text[i], "//");
        const bool whole_line = comment && s->text[i] + strspn(s->text[i], " ") == comment;

        /* Behind the point itself, or the last line that is nothing but a comment. */
        if (comment && (whole_line || i == p->line - 1)) {
            snprintf(text, size, "%s", comment + 2 + strspn(comment + 2, " "));
            break;
        }
    }
    return text;
}
