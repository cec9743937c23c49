/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/progress.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Into a log a line now and then. */
static bool is_due(void)
{
    static time_t begun; /* of this half a minute */
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!begun)
        begun = now.tv_sec;
    if (now.tv_sec < begun + PROGRESS_SECONDS)
        return false;
    begun = now.tv_sec;
    return true;
}

void progress_show(const char *format, ...)
{
    const bool terminal = isatty(STDERR_FILENO);
    va_list args;

    if (!terminal && !is_due())
        return;
    if (terminal)
        fputs("\r\033[K", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    if (!terminal)
        fputc('\n', stderr);
}

void progress_clear(void)
{
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}

void progress_of_runs(void *user, unsigned ended, unsigned num)
{
    (void)user;
    if (ended < num)
        progress_show("%u of %u runs", ended, num);
    else
        progress_clear();
}
