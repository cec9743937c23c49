/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/input.h"

#include <errno.h>
#include <lzma.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/regular_file.h"

enum { CHUNK = 1 << 16, LINE_BYTES = 8192 };
#define XZ_MEMORY (UINT64_C(256) << 20) /* a file may not ask for more to unpack it */

struct input {
    char *path;
    FILE *file;
    uint64_t size, consumed;
    bool packed, file_end, end;
    lzma_stream xz;
    uint8_t in[CHUNK], out[CHUNK];
    size_t out_n, out_at;
    char line[LINE_BYTES];
    unsigned long line_number;
};

bool import_fail(trace_err *err, const char *path, uint64_t offset, const char *what, ...)
{
    if (!err)
        return false;
    va_list ap;
    va_start(ap, what);
    int n = snprintf(err->text, sizeof err->text, "%.200s: ", path);
    n += vsnprintf(err->text + n, sizeof err->text - (size_t)n, what, ap);
    va_end(ap);
    if (offset != UINT64_MAX && n >= 0 && (size_t)n < sizeof err->text)
        snprintf(err->text + n, sizeof err->text - (size_t)n, " (byte offset %llu)",
                 (unsigned long long)offset);
    err->offset = offset;
    return false;
}

bool import_fail_in(trace_err *err, const char *path, unsigned long line, const char *what, va_list args)
{
    char text[400], at[32] = "";

    vsnprintf(text, sizeof text, what, args);
    if (line)
        snprintf(at, sizeof at, "line %lu: ", line);
    return import_fail(err, path, UINT64_MAX, "%s%s", at, text);
}

/* ---- opening -------------------------------------------------------------------- */

static bool open_file(input *in, const char *path)
{
    const size_t n = strlen(path);
    in->path = malloc(n + sizeof ".xz");
    if (!in->path)
        return false;
    memcpy(in->path, path, n + 1);
    in->file = regular_open(in->path);
    if (in->file || errno != ENOENT)
        return in->file != NULL;
    memcpy(in->path + n, ".xz", sizeof ".xz");
    in->file = regular_open(in->path);
    if (!in->file)
        in->path[n] = '\0';
    return in->file != NULL;
}

static bool measure(input *in)
{
    if (fseeko(in->file, 0, SEEK_END) != 0)
        return false;
    const off_t size = ftello(in->file);
    in->size = size < 0 ? 0 : (uint64_t)size;
    return size >= 0 && fseeko(in->file, 0, SEEK_SET) == 0;
}

static bool detect_xz(input *in)
{
    static const uint8_t magic[6] = {0xfd, '7', 'z', 'X', 'Z', 0};
    uint8_t start[6];
    const size_t n = fread(start, 1, sizeof start, in->file);
    rewind(in->file);
    in->packed = n == sizeof magic && memcmp(start, magic, sizeof magic) == 0;
    in->xz = (lzma_stream)LZMA_STREAM_INIT;
    return !in->packed || lzma_stream_decoder(&in->xz, XZ_MEMORY, LZMA_CONCATENATED) == LZMA_OK;
}

input *input_open(const char *path, trace_err *err)
{
    input *in = calloc(1, sizeof *in);
    if (!in || !open_file(in, path) || !measure(in)) {
        import_fail(err, path, UINT64_MAX, "cannot open it (nor %s.xz): %s", path, strerror(errno));
        input_close(in);
        return NULL;
    }
    if (!detect_xz(in)) {
        import_fail(err, path, UINT64_MAX, "cannot start the xz decoder; free some memory");
        input_close(in);
        return NULL;
    }
    return in;
}

input *input_of_stream(FILE *f, const char *path, trace_err *err)
{
    input *in = calloc(1, sizeof *in);

    if (in)
        in->path = strdup(path);
    if (!in || !in->path) {
        import_fail(err, path, UINT64_MAX, "out of memory");
        fclose(f);
        free(in);
        return NULL;
    }
    in->file = f;
    return in;
}

void input_close(input *in)
{
    if (!in)
        return;
    if (in->file)
        fclose(in->file);
    if (in->packed)
        lzma_end(&in->xz);
    free(in->path);
    free(in);
}

const char *input_path(const input *in) { return in->path; }
unsigned long input_line_number(const input *in) { return in->line_number; }
uint64_t input_consumed(const input *in) { return in->consumed; }
uint64_t input_size(const input *in) { return in->size; }

/* ---- reading -------------------------------------------------------------------- */

static bool read_file(input *in, uint8_t *dst, size_t *got, trace_err *err)
{
    *got = fread(dst, 1, CHUNK, in->file);
    in->consumed += *got;
    in->file_end = *got < CHUNK;
    return !ferror(in->file) || import_fail(err, in->path, in->consumed, "cannot read it");
}

static bool unpack(input *in, trace_err *err)
{
    lzma_ret ret = LZMA_OK;
    in->xz.next_out = in->out;
    in->xz.avail_out = CHUNK;
    while (in->xz.avail_out > 0 && ret == LZMA_OK) {
        if (in->xz.avail_in == 0 && !in->file_end) {
            if (!read_file(in, in->in, &in->xz.avail_in, err))
                return false;
            in->xz.next_in = in->in;
        }
        ret = lzma_code(&in->xz, in->file_end ? LZMA_FINISH : LZMA_RUN);
    }
    in->out_n = CHUNK - in->xz.avail_out;
    in->end = ret == LZMA_STREAM_END;
    if (ret == LZMA_OK || ret == LZMA_STREAM_END)
        return true;
    return import_fail(err, in->path, in->consumed - in->xz.avail_in,
                       ret == LZMA_BUF_ERROR ? "the xz file is truncated; copy it again"
                                             : "the xz file is damaged; copy it again");
}

static bool refill(input *in, trace_err *err)
{
    in->out_at = in->out_n = 0;
    if (in->end)
        return true;
    if (in->packed)
        return unpack(in, err);
    const bool ok = read_file(in, in->out, &in->out_n, err);
    in->end = in->file_end;
    return ok;
}

bool input_read(input *in, void *dst, size_t n, size_t *got, trace_err *err)
{
    uint8_t *to = dst;
    *got = 0;
    while (*got < n) {
        if (in->out_at == in->out_n) {
            if (!refill(in, err))
                return false;
            if (in->out_n == 0)
                return true;
        }
        size_t some = in->out_n - in->out_at;
        if (some > n - *got)
            some = n - *got;
        memcpy(to + *got, in->out + in->out_at, some);
        in->out_at += some;
        *got += some;
    }
    return true;
}

char *input_line(input *in, trace_err *err)
{
    size_t n = 0;
    char c = 0;
    for (;;) {
        size_t got;
        if (!input_read(in, &c, 1, &got, err))
            return NULL;
        if (got == 0 || c == '\n')
            break;
        if (c == '\0' || n + 1 == LINE_BYTES) {
            import_fail(err, in->path, UINT64_MAX, "line %lu: not a line of text; give a CSV file",
                        in->line_number + 1);
            return NULL;
        }
        in->line[n++] = c;
    }
    if (n == 0 && c != '\n') {
        err->text[0] = '\0';
        return NULL;
    }
    if (n > 0 && in->line[n - 1] == '\r')
        n--;
    in->line[n] = '\0';
    in->line_number++;
    return in->line;
}
