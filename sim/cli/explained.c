/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/explained.h"

#include <stdio.h>
#include <string.h>

void recording_name(char *text, size_t size, const char *path)
{
    const char *base = strrchr(path, '/');
    char *end;

    snprintf(text, size, "%s", base ? base + 1 : path);
    end = strrchr(text, '.');
    if (end && !strcmp(end, ".blt"))
        *end = '\0';
}

/* Set off by empty lines; nothing when there is no such file. */
static void print_file(const char *path)
{
    FILE *f = fopen(path, "r");
    int c;

    if (!f)
        return;
    putchar('\n');
    while ((c = getc(f)) != EOF)
        putchar(c);
    putchar('\n');
    fclose(f);
}

void print_failure(const session_options *session, const session_result *result)
{
    char path[4096];

    if (result->verdict == SESSION_PASS)
        return;
    if (result->verdict == SESSION_MISMATCH && session->explain_prefix) {
        snprintf(path, sizeof path, "%s.txt", session->explain_prefix);
        print_file(path);
    }
    fflush(stdout);
    fprintf(stderr, "ballast: %s\n", result->text);
}

void print_wave_end(const session_options *session, const session_result *result)
{
    if (!result->wave_full || result->wave_last + 1 >= result->cycles)
        return;
    fflush(stdout);
    fprintf(stderr,
            "ballast: %s: full, shows cycles %llu to %llu; what follows: --wave-from %llu, all at once: a higher --wave-limit\n",
            session->wave_path, (unsigned long long)session->extent->first, (unsigned long long)result->wave_last,
            (unsigned long long)result->wave_last + 1);
}
