/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "cli/commands.h"
#include "replay/interrupt.h"

/* One cause may stop many pieces of work, and all of them say the same. */
static bool is_said(const char *text)
{
    enum { REMEMBERED = 64 };
    static uint64_t said[REMEMBERED];
    static unsigned num;
    const uint64_t hash = XXH3_64bits(text, strlen(text));

    for (unsigned i = 0; i < num; i++)
        if (said[i] == hash)
            return true;
    if (num < REMEMBERED)
        said[num++] = hash;
    return false;
}

static FILE *complaints; /* NULL: standard error */

void complain_into(FILE *f)
{
    complaints = f;
}

int complain(const char *format, ...)
{
    char text[2 * 4096];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fflush(stdout);
    if (!interrupted_by_pipe() && !is_said(text))
        fprintf(complaints ? complaints : stderr, "%s%s\n", complaints ? "" : "ballast: ", text);
    return EXIT_BAD_INPUT;
}

int complain_runs(void)
{
    return interrupted ? EXIT_STOPPED : complain("the runs could not be started, or there is no memory for them");
}

int worse(int status, int other)
{
    return other > status ? other : status;
}

int each_file(const arguments *files, int (*one)(void *command, const char *path), void *command)
{
    int status = EXIT_PASS;

    for (unsigned i = 0; i < files->num && status != EXIT_STOPPED; i++)
        status = worse(status, one(command, files->file[i]));
    return status;
}

void recording_name(char *text, size_t size, const char *path)
{
    const char *base = strrchr(path, '/');
    char *end;

    snprintf(text, size, "%s", base ? base + 1 : path);
    end = strrchr(text, '.');
    if (end && !strcmp(end, ".blt"))
        *end = '\0';
}

/* As often as the same name has been there before. */
static unsigned times_before(const char *const *paths, unsigned index, const char *name)
{
    unsigned times = 0;
    char other[112];

    for (unsigned i = 0; i < index; i++) {
        recording_name(other, sizeof other, paths[i]);
        times += !strcmp(other, name);
    }
    return times;
}

void own_name(char *text, size_t size, const char *const *paths, unsigned index)
{
    char name[112];
    unsigned times;

    recording_name(name, sizeof name, paths[index]);
    times = times_before(paths, index, name);
    if (times)
        snprintf(text, size, "%s~%u", name, times + 1);
    else
        snprintf(text, size, "%s", name);
}

void family_name(char *text, size_t size, const char *path)
{
    recording_name(text, size, path);
    text[strcspn(text, ".")] = '\0';
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
    complain("%s", result->text);
    if (result->lost[0])
        complain("%s", result->lost);
}

void print_wave_end(const session_options *session, const session_result *result)
{
    if (result->wave_full && result->wave_last + 1 < result->cycles)
        complain("%s: full, shows cycles %llu to %llu; what follows: --wave-from %llu, all at once: a higher --wave-limit",
                 session->wave_path, (unsigned long long)session->extent->first, (unsigned long long)result->wave_last,
                 (unsigned long long)result->wave_last + 1);
}
