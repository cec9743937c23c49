/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz/memory_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void die(const char *what)
{
    perror(what);
    exit(2);
}

const char *memory_file(unsigned number, const uint8_t *data, size_t size)
{
    static int fd[MEMORY_FILES];
    static char path[MEMORY_FILES][MEMORY_PATH];
    size_t done = 0;

    if (!fd[number]) {
        fd[number] = memfd_create("fuzz", 0);
        if (fd[number] < 0)
            die("memfd_create");
        snprintf(path[number], sizeof path[number], "/proc/self/fd/%d", fd[number]);
    }
    if (ftruncate(fd[number], 0) || lseek(fd[number], 0, SEEK_SET))
        die("memory file");
    while (done < size) {
        const ssize_t n = write(fd[number], data + done, size - done);

        if (n <= 0)
            die("memory file");
        done += (size_t)n;
    }
    return path[number];
}
