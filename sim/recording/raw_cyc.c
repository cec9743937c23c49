/* SPDX-License-Identifier: Apache-2.0
 *
 * The records of a cyc.bin.
 */
#include <stdlib.h>

#include "recording/format.h"
#include "recording/input.h"
#include "recording/raw_source.h"

typedef struct raw_cyc {
    input *in;
    const raw_format *format;
    uint64_t offset;
    uint8_t bytes[RAW_MAX_RECORD];
} raw_cyc;

bool raw_source_tables(const raw_import_options *opt, const raw_files *files, raw_tables *t, trace_err *err)
{
    return raw_tables_load(t, opt, files->ker, files->cta, err);
}

bool raw_bad_record(const char *path, const raw_record *r, const char *what, trace_err *err)
{
    return import_fail(err, path, r->offset, "SM %u, cycle %llu: %s", r->sm, (unsigned long long)r->cycle, what);
}

static void *open_cyc(const raw_tables *t, const raw_import_options *opt, const raw_files *files, trace_err *err)
{
    raw_cyc *c = calloc(1, sizeof *c);

    (void)t;
    if (!c) {
        import_fail(err, files->records, UINT64_MAX, "out of memory");
        return NULL;
    }
    c->format = raw_format_find(opt->format, &opt->geometry);
    c->in = input_open(files->records, err);
    if (c->in)
        return c;
    free(c);
    return NULL;
}

static void close_cyc(void *records)
{
    raw_cyc *c = records;

    input_close(c->in);
    free(c);
}

static bool next_cyc(void *records, raw_record *r, bool *end, trace_err *err)
{
    raw_cyc *c = records;
    const unsigned size = c->format->bytes;
    const uint64_t offset = c->offset;
    const char *wrong;
    size_t got;

    if (!input_read(c->in, c->bytes, size, &got, err))
        return false;
    *end = got == 0;
    if (*end)
        return true;
    if (got < size)
        return import_fail(err, input_path(c->in), offset, "ends inside a %u-byte record; copy it again", size);
    c->offset += size;
    wrong = raw_record_get(c->format, c->bytes, offset, r);
    return !wrong || raw_bad_record(input_path(c->in), r, wrong, err);
}

static const char *path(const void *records) { return input_path(((const raw_cyc *)records)->in); }
static uint64_t consumed(const void *records) { return input_consumed(((const raw_cyc *)records)->in); }
static uint64_t size(const void *records) { return input_size(((const raw_cyc *)records)->in); }

const raw_source raw_cyc_source = {.tables = raw_source_tables, .open = open_cyc, .close = close_cyc, .next = next_cyc, .path = path,
                                   .consumed = consumed, .size = size};
