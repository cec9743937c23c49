/* SPDX-License-Identifier: Apache-2.0 */
#include "dump/fst_pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fstapi.h"
#include "recording/input.h"

/* A file is a row of blocks: a byte that says what it is, and its length without that byte, the highest byte first. The first one is the
 * header, of this length, or all of the file packed once more. */
enum { HEAD = 9, HEADER_LENGTH = 329 };

static uint64_t block_length(const uint8_t head[HEAD])
{
    uint64_t n = 0;

    for (unsigned i = 1; i < HEAD; i++)
        n = n << 8 | head[i];
    return n;
}

static bool read_head(FILE *f, uint8_t head[HEAD]) { return fread(head, 1, HEAD, f) == HEAD; }

static bool is_first_block(const uint8_t head[HEAD])
{
    return head[0] == FST_BL_ZWRAPPER || (head[0] == FST_BL_HDR && block_length(head) == HEADER_LENGTH);
}

bool fst_is_one(const char *path)
{
    struct stat info;
    uint8_t head[HEAD];
    FILE *f = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
    const bool is_one = f && read_head(f, head) && is_first_block(head);

    if (f)
        fclose(f);
    return is_one;
}

static bool blocks_fit(FILE *f, uint64_t size)
{
    uint8_t head[HEAD];
    uint64_t at = 0;

    while (at < size) {
        uint64_t length;

        if (size - at < HEAD || fseeko(f, (off_t)at, SEEK_SET) || !read_head(f, head) || head[0] == FST_BL_SKIP)
            return false;
        length = block_length(head);
        if (length < HEAD - 1 || length > size - at - 1)
            return false;
        at += 1 + length;
    }
    return true;
}

/* A writer that was stopped leaves a block that is marked as not there; a copy that was stopped leaves one that is not whole. */
static bool is_whole(const char *path, trace_err *err)
{
    struct stat info;
    FILE *f = fopen(path, "rb");
    bool ok;

    if (!f)
        return import_fail(err, path, UINT64_MAX, "cannot open it: %s", strerror(errno));
    ok = fstat(fileno(f), &info) == 0 && blocks_fit(f, (uint64_t)info.st_size);
    fclose(f);
    return ok || import_fail(err, path, UINT64_MAX, "an FST that does not end where its blocks end; let its writer close it, or copy it again");
}

/* In the process of its own. */
static int convert(const char *path, FILE *to)
{
    void *fst = fstReaderOpen(path);

    if (!fst || !fstReaderProcessHier(fst, to))
        return 1;
    fstReaderSetFacProcessMaskAll(fst);
    if (!fstReaderIterBlocks(fst, NULL, NULL, to))
        return 1;
    fprintf(to, "\n#%llu\n", (unsigned long long)fstReaderGetEndTime(fst));
    return fflush(to) != 0 || ferror(to);
}

static void be_the_child(const char *path, int to)
{
    const int quiet = open("/dev/null", O_WRONLY);
    FILE *f = fdopen(to, "w");

    setpgid(0, 0); /* Ctrl-C is for the one who reads: a pipe that nobody reads ends this */
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    if (quiet >= 0)
        dup2(quiet, STDERR_FILENO);
    _exit(f ? convert(path, f) : 1);
}

FILE *fst_pipe_open(const char *path, int *child, trace_err *err)
{
    int ends[2];
    FILE *f;

    *child = 0;
    if (!is_whole(path, err))
        return NULL;
    fflush(NULL); /* nothing is written twice */
    if (pipe2(ends, O_CLOEXEC) != 0 || (*child = fork()) < 0) {
        import_fail(err, path, UINT64_MAX, "no process to read it with: %s", strerror(errno));
        *child = 0;
        return NULL;
    }
    if (*child == 0)
        be_the_child(path, ends[1]);
    close(ends[1]);
    f = fdopen(ends[0], "rb");
    if (!f)
        import_fail(err, path, UINT64_MAX, "out of memory");
    return f;
}

bool fst_pipe_finished(int child)
{
    int status = 0;
    pid_t ended;

    do
        ended = waitpid(child, &status, 0);
    while (ended < 0 && errno == EINTR);
    return ended == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void fst_pipe_stop(int child)
{
    if (child <= 0)
        return;
    kill(child, SIGKILL);
    fst_pipe_finished(child);
}
