/* SPDX-License-Identifier: Apache-2.0 */
#include "files/run_quietly.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

int run_quietly(char *const words[], FILE *input)
{
    posix_spawn_file_actions_t streams;
    int status = 0;
    pid_t child, ended;
    bool started;

    posix_spawn_file_actions_init(&streams);
    posix_spawn_file_actions_addopen(&streams, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (input) {
        rewind(input);
        posix_spawn_file_actions_adddup2(&streams, fileno(input), STDIN_FILENO);
    }
    started = posix_spawnp(&child, words[0], &streams, NULL, words, environ) == 0;
    posix_spawn_file_actions_destroy(&streams);
    if (!started)
        return NOT_STARTED;
    do
        ended = waitpid(child, &status, 0);
    while (ended < 0 && errno == EINTR);
    return ended == child && WIFEXITED(status) ? WEXITSTATUS(status) : NOT_ENDED;
}
