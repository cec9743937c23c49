/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <string.h>

#include "replay/session_private.h"

void paste_word(FILE *out, const char *word, const char *suffix)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:,+@%=-";
    const char *const parts[] = {word, suffix};
    const bool quotes = word[strspn(word, plain)] || suffix[strspn(suffix, plain)];

    fputs(quotes ? " '" : " ", out);
    for (int p = 0; p < 2; p++)
        for (const char *c = parts[p]; *c; c++)
            if (*c == '\'')
                fputs("'\\''", out); /* inside single quotes only a single quote is special: it ends them */
            else
                putc(*c, out);
    if (quotes)
        putc('\'', out);
}
