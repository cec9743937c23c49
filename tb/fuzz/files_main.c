/* SPDX-License-Identifier: Apache-2.0
 *
 * The libFuzzer program of the readers. --kind=KIND, before libFuzzer's options, says which (fuzz/files.h);
 * --split=RECORDING writes a recording's parts to stdout, as an input to begin with.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/files.h"
#include "fuzz/trace_parts.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const fuzz_kind *kind;

/* libconfig 1.5 forgets its text buffers when it refuses a file in the middle of a text; what it reads into a configuration is
 * not among them, so that a configuration that we forget is still seen. */
// NOLINTNEXTLINE(bugprone-reserved-identifier): the leak sanitizer's name for it
const char *__lsan_default_suppressions(void);
// NOLINTNEXTLINE(bugprone-reserved-identifier): as above
const char *__lsan_default_suppressions(void)
{
    return "leak:strbuf_append\nleak:strbuf_ensure_capacity\nleak:libconfig_yylex\n";
}

__attribute__((noreturn)) static void die(const char *what, const char *which)
{
    fprintf(stderr, "fuzz_files: %s: %s\n", which, what);
    exit(2);
}

static void slurp(const char *path, bytes *to)
{
    FILE *f = fopen(path, "rb");
    uint8_t buffer[4096];
    size_t n;

    if (!f)
        die("cannot be read", path);
    while ((n = fread(buffer, 1, sizeof buffer, f)) > 0)
        put_raw(to, buffer, n);
    fclose(f);
}

__attribute__((noreturn)) static void split(const char *path)
{
    bytes file = {0}, parts = {0};

    slurp(path, &file);
    if (!trace_parts_split(&parts, file.p, file.n))
        die("not an intact recording with parts of up to 64 KiB", path);
    fwrite(parts.p, 1, parts.n, stdout);
    bytes_free(&file);
    bytes_free(&parts);
    exit(0);
}

static bool own_option(const char *arg)
{
    if (!strncmp(arg, "--split=", 8))
        split(arg + 8);
    if (strncmp(arg, "--kind=", 7) != 0)
        return false;
    setenv("BALLAST_FUZZ_KIND", arg + 7, 1); /* libFuzzer starts itself again, without our options, to merge and to minimise */
    return true;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    int kept = 1;

    for (int i = 1; i < *argc; i++)
        if (!own_option((*argv)[i]))
            (*argv)[kept++] = (*argv)[i];
    *argc = kept;
    if (getenv("BALLAST_FUZZ_KIND"))
        kind = fuzz_kind_find(getenv("BALLAST_FUZZ_KIND"));
    if (!kind)
        die("no kind of file; --kind= one of trace, parts, import, kernel, gpu, workload, manifest", "fuzz");
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    kind->read(data, size);
    return 0;
}
