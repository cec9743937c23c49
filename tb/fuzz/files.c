/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz/files.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/manifest.h"
#include "dump/raw_dump.h"
#include "fuzz/trace_parts.h"
#include "recording/raw_import.h"
#include "analytic/gpu_file.h"
#include "kernels/kernel_file.h"
#include "recording/format.h"

/* ---- what has to hold ---------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void require(bool holds, const char *what, ...)
{
    va_list args;

    if (holds)
        return;
    fprintf(stderr, "FOUND ");
    va_start(args, what);
    vfprintf(stderr, what, args);
    va_end(args);
    fprintf(stderr, "\n");
    abort();
}

/* A reader that refuses says why, in one line. */
static bool answered(bool ok, const char *err)
{
    if (!ok)
        require(err[0] && !strchr(err, '\n'), "a refusal that is not one line: '%s'", err);
    return ok;
}

/* ---- bytes as a file with a path: readers open their files by name ---------------------- */

enum { MEMORY_FILES = 3 };

static const char *memory_file(unsigned number, const uint8_t *data, size_t size)
{
    static int fd[MEMORY_FILES];
    static char path[MEMORY_FILES][64];

    if (!fd[number]) {
        fd[number] = memfd_create("fuzz", 0);
        snprintf(path[number], sizeof path[number], "/proc/self/fd/%d", fd[number]);
    }
    if (ftruncate(fd[number], 0) || lseek(fd[number], 0, SEEK_SET) || write(fd[number], data, size) != (ssize_t)size) {
        perror("memory file");
        exit(2);
    }
    return path[number];
}

/* ---- recordings ------------------------------------------------------------------------ */

static void check_cycle(const sm_obs *o, const trace_geometry *g)
{
    const uint64_t warps = o->ws[0] | o->ws[1] | o->ws[2] | o->ws[3] | o->paused;

    require(!(warps & ~low_bits(g->warps)), "a warp that the geometry does not have");
    require(!reserved_states(o->ws), "a warp state that does not exist");
    require(!((o->cta_active | o->cta_start | o->cta_done) & ~low_bits(g->slots)), "a CTA slot that the geometry does not have");
    require(!((o->cta_start | o->cta_done) & ~o->cta_active), "a CTA that starts or ends in a slot that is not active");
    for (unsigned w = 0; w < g->warps; w++)
        require(o->setup->warp_slot[w] < g->slots, "a warp in CTA slot %u of %u", o->setup->warp_slot[w], g->slots);
}

static bool play_sm(trace_reader *r, const trace_sm_info *sm)
{
    const trace_geometry *g = &trace_get_meta(r)->geometry;
    trace_err err = {.text = ""};
    const sm_obs *o;
    uint64_t cycles = 0;
    uint8_t class;
    bool classes = true;

    if (!answered(trace_select_sm(r, sm->sm, &err), err.text))
        return false;
    while ((o = trace_next(r, &err))) {
        require(++cycles <= sm->cycles, "SM %u has more cycles than it says", sm->sm);
        require(trace_cycle(r) >= sm->first_cycle, "SM %u has a cycle before its first", sm->sm);
        check_cycle(o, g);
        if (classes)
            classes = answered(trace_recorded_class(r, &class, &err), err.text);
    }
    if (err.text[0])
        return answered(false, err.text);
    require(cycles == sm->cycles, "SM %u has %llu cycles and says %llu", sm->sm, (unsigned long long)cycles,
            (unsigned long long)sm->cycles);
    return classes;
}

static void seek(trace_reader *r, const trace_sm_info *sm)
{
    trace_err err = {.text = ""};

    for (unsigned launch = 0; launch < 2; launch++) {
        answered(trace_seek_launch(r, launch, &err), err.text);
        answered(trace_seek_ctas(r, launch, 2, &err), err.text);
        answered(trace_seek_instructions(r, launch, 20, &err), err.text);
    }
    if (answered(trace_seek_cycle(r, sm->first_cycle + sm->cycles / 2, &err), err.text))
        trace_next(r, &err);
}

static bool play_file(const char *path, bool salvage)
{
    trace_err err = {.text = ""};
    trace_reader *r = trace_open(path, &(trace_open_options){.salvage = salvage}, &err);
    bool ok = answered(r != NULL, err.text);

    for (unsigned i = 0; r && i < trace_get_meta(r)->num_launches; i++)
        require(trace_rows_fit(&trace_get_meta(r)->launches[i].desc), "a grid that is not whole rows");
    for (unsigned i = 0; r && i < trace_num_sms(r); i++) {
        const trace_sm_info *sm = trace_get_sm(r, i);

        ok &= play_sm(r, sm);
        seek(r, sm);
    }
    if (r)
        trace_close(r);
    return ok;
}

static bool read_trace(const uint8_t *data, size_t size)
{
    const char *path = memory_file(0, data, size);
    const bool ok = play_file(path, false);

    play_file(path, true);
    return ok;
}

static bool read_parts(const uint8_t *data, size_t size)
{
    bytes file = {0};
    bool ok;

    trace_parts_join(&file, data, size);
    ok = read_trace(file.p, file.n);
    bytes_free(&file);
    return ok;
}

/* ---- import ------------------------------------------------------------------------ */

/* What it makes of a good one is a recording. */
static bool imports(raw_import_options *opt)
{
    static char out[64];
    trace_err err = {.text = ""};
    bool ok;

    if (!out[0])
        snprintf(out, sizeof out, "/tmp/ballast-fuzz-%ld.blt", (long)getpid());
    opt->out_path = out;
    opt->max_gap = 4096; /* a longer one is nothing new, and many of them take their time */
    ok = answered(raw_import(opt, &err), err.text);
    if (ok)
        require(play_file(out, false), "an import that the reader refuses");
    else
        require(access(out, F_OK), "a file left behind by an import that failed");
    remove(out);
    return ok;
}

static bool import_as(raw_import_options *opt, bool text, const uint8_t *data, size_t size)
{
    const char *path[MEMORY_FILES];

    for (unsigned table = 0; table < 2; table++) {
        const size_t claimed = size >= 2 ? get_u16(data) : 0, left = size >= 2 ? size - 2 : 0;
        const size_t n = claimed < left ? claimed : left;

        path[table] = memory_file(table, size >= 2 ? data + 2 : data, n);
        data += size >= 2 ? 2 + n : size;
        size = left - n;
    }
    path[2] = memory_file(2, data, size);
    opt->ker_path = path[0];
    opt->cta_path = path[1];
    *(text ? &opt->text_path : &opt->cyc_path) = path[2];
    return imports(opt);
}

static bool read_import(const uint8_t *data, size_t size)
{
    raw_import_options opt;

    raw_import_defaults(&opt);
    return import_as(&opt, false, data, size);
}

static bool import_largest(bool text, const uint8_t *data, size_t size)
{
    raw_import_options opt;

    raw_import_defaults(&opt);
    opt.format = 2;
    opt.geometry = (trace_geometry){.warps = BALLAST_MAX_WARPS, .slots = BALLAST_MAX_SLOTS, .sms = TRACE_MAX_SMS, .issue_width = 4};
    opt.resources.threads = 2048;
    opt.resources.slots = BALLAST_MAX_SLOTS;
    return import_as(&opt, text, data, size);
}

static bool read_import2(const uint8_t *data, size_t size) { return import_largest(false, data, size); }

static bool read_text(const uint8_t *data, size_t size) { return import_largest(true, data, size); }

/* libconfig follows @include into any other file. */
static bool stays_in_file(const uint8_t *data, size_t size)
{
    static const char include[] = "@include";

    return !memmem(data, size, include, sizeof include - 1);
}

/* ---- waveforms ------------------------------------------------------------------- */

/* A map of the claimed length, and a VCD. An FST is read by GTKWave's code in a process of its own. */
static bool read_vcd(const uint8_t *data, size_t size)
{
    static const char kernels[] = "kernel,name,grid_ctas,threads_per_cta,warps_per_cta,regs,smem,cta_per_sm\n1,k,4,64,2,8,0,2\n2,l,4,32,1,8,0,2\n";
    const size_t claimed = size >= 2 ? get_u16(data) : 0, left = size >= 2 ? size - 2 : 0, n = claimed < left ? claimed : left;
    raw_import_options opt;

    if (size < 2 || !stays_in_file(data + 2, n) || (n < left && (data[2 + n] == 0 || data[2 + n] == 254)))
        return false;
    raw_import_defaults(&opt);
    opt.geometry = (trace_geometry){.warps = 4, .slots = 2, .sms = 2, .issue_width = 2};
    opt.source = &raw_dump_source;
    opt.map_path = memory_file(0, data + 2, n);
    opt.ker_path = memory_file(1, (const uint8_t *)kernels, sizeof kernels - 1);
    opt.dump_path = memory_file(2, data + 2 + n, left - n);
    return imports(&opt);
}

/* ---- text ------------------------------------------------------------------------ */

static bool read_kernel(const uint8_t *data, size_t size)
{
    char err[KERNEL_FILE_ERR] = "";
    analytic_kernel kernel;

    return stays_in_file(data, size) && answered(kernel_file_analytic(&kernel, memory_file(0, data, size), err), err);
}

static bool read_gpu(const uint8_t *data, size_t size)
{
    char err[GPU_FILE_ERR] = "";
    analytic_gpu gpu;

    return stays_in_file(data, size) && answered(gpu_file_find(&gpu, memory_file(0, data, size), err), err);
}

static bool read_workload(const uint8_t *data, size_t size)
{
    char err[KERNEL_FILE_ERR] = "";
    workload w;
    workload_target target;

    return stays_in_file(data, size) && answered(kernel_file_workload(&w, &target, memory_file(0, data, size), err), err);
}

static bool read_manifest(const uint8_t *data, size_t size)
{
    char err[512] = "";
    manifest m;
    const bool ok = answered(manifest_read(&m, memory_file(0, data, size), err, sizeof err), err);

    manifest_free(&m);
    return ok;
}


const fuzz_kind fuzz_kinds[] = {
    {"trace", read_trace},   {"parts", read_parts}, {"import", read_import},     {"import2", read_import2},   {"text", read_text},
    {"vcd", read_vcd},       {"kernel", read_kernel}, {"gpu", read_gpu},     {"workload", read_workload}, {"manifest", read_manifest}, {NULL, NULL},
};

const fuzz_kind *fuzz_kind_find(const char *name)
{
    for (const fuzz_kind *k = fuzz_kinds; k->name; k++)
        if (!strcmp(k->name, name))
            return k;
    return NULL;
}
