/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/paste.h"

#include <string.h>

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:,+@%=-";

static int needs_quotes(const char *text)
{
    return text[strspn(text, plain)] != '\0';
}

/* Inside single quotes only a single quote is special: it ends them. */
static void put_quoted(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", out);
        else
            putc(*text, out);
    }
}

void paste_word(FILE *out, const char *word, const char *suffix)
{
    if (!needs_quotes(word) && !needs_quotes(suffix)) {
        fprintf(out, " %s%s", word, suffix);
        return;
    }
    fputs(" '", out);
    put_quoted(out, word);
    put_quoted(out, suffix);
    putc('\'', out);
}
