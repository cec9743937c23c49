/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/suggest.h"

#include <stddef.h>
#include <string.h>

enum { MOST = 32 }; /* letters that are looked at */

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Optimal string alignment: row i of the table holds the changes from the first i letters of a to those of b. */
static unsigned distance(const char *a, const char *b)
{
    const size_t n = strnlen(a, MOST), m = strnlen(b, MOST);
    unsigned d[MOST + 1][MOST + 1];

    for (unsigned i = 0; i <= n; i++)
        for (unsigned j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            d[i][j] = least(d[i - 1][j - 1] + (a[i - 1] != b[j - 1]), least(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[n][m];
}

const char *suggest(const char *word, const char *const *names)
{
    unsigned best = ((unsigned)strlen(word) + 2) / 3 + 1;
    const char *found = NULL;

    for (; *names; names++) {
        const unsigned d = distance(word, *names);

        if (d < best) {
            best = d;
            found = *names;
        }
    }
    return found;
}
