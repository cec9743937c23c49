/* SPDX-License-Identifier: Apache-2.0 */
#include "wave/fst_files.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static _Thread_local int first_error;

static void note(int error)
{
    if (!first_error)
        first_error = error ? error : EIO;
}

void fst_files_begin(void)
{
    first_error = 0;
}

int fst_files_error(void)
{
    return first_error;
}

FILE *fst_temporary(void)
{
    const int fd = memfd_create("fst", MFD_CLOEXEC);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w+b");

    if (!f && fd >= 0)
        close(fd);
    return f;
}

/* The writer puts the hierarchy beside the waveform and maps it at the end, the reader unpacks it there under a name with a number: it is a
 * temporary file like the others. */
FILE *fst_open(const char *path, const char *mode)
{
    const char *end = strrchr(path, '.');

    return end && !strncmp(end, ".hier", 5) && mode[0] == 'w' ? fst_temporary() : fopen(path, mode);
}

int fst_flush(FILE *f)
{
    const int status = fflush(f);

    if (status != 0)
        note(errno);
    return status;
}

/* An error that a later write covers up stays in the stream. */
int fst_close(FILE *f)
{
    int status;

    if (ferror(f))
        note(0);
    status = fclose(f);
    if (status != 0)
        note(errno);
    return status;
}

/* A page beyond the end of a file is a SIGBUS when it is touched: what could not be written reads as zero instead. */
void *fst_map(size_t length, int protection, int flags, int fd)
{
    struct stat info;

    if (fstat(fd, &info) == 0 && (size_t)info.st_size >= length)
        return mmap(NULL, length, protection, flags, fd, 0);
    note(ENOSPC);
    return mmap(NULL, length, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
