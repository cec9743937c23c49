/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "replay/interrupt.h"

/* Of 0, 1 and 2, one that is closed would be the number of the next file, and what is printed would end in that file. Opened
 * the wrong way round, so that its use is an error as before. */
static void occupy(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            _exit(EXIT_BAD_INPUT);
}

/* Of a pipe or a terminal that nobody reads any more. */
static bool is_left(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};

    return interrupted_by_pipe() || (poll(&out, 1, 0) == 1 && (out.revents & POLLERR));
}

static void finish(void)
{
    const bool failed = ferror(stdout) != 0;
    int why = 0;

    if (!interrupted_by_pipe() && fflush(stdout) == 0 && !failed)
        return;
    why = errno;
    if (is_left()) {
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
    }
    fprintf(stderr, "ballast: standard output: cannot write (%s)\n", strerror(why ? why : EIO));
    _exit(EXIT_BAD_INPUT);
}

void streams_begin(void)
{
    occupy();
    /* A file beyond the limit of its size (ulimit -f) is a write error like any other, with a line of its own. */
    signal(SIGXFSZ, SIG_IGN);
    atexit(finish);
}
