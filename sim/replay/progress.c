/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

void progress_show(const char *format, ...)
{
    va_list args;

    if (!isatty(STDERR_FILENO))
        return;
    fputs("\r\033[K", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
}

void progress_clear(void)
{
    progress_show("%s", "");
}

void progress_of_runs(void *user, unsigned ended, unsigned num)
{
    (void)user;
    if (ended < num)
        progress_show("%u of %u runs", ended, num);
    else
        progress_clear();
}
