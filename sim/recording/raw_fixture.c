/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/raw_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/suite_fixture.h"
#include "recording/trace_fixture.h"

const char *world_path(const world *w, const char *name)
{
    static char path[500];
    snprintf(path, sizeof path, "%s/%s", w->dir, name);
    return path;
}

void world_line(bytes *b, const char *format, ...)
{
    char line[200];
    va_list ap;
    va_start(ap, format);
    vsnprintf(line, sizeof line, format, ap);
    va_end(ap);
    put_raw(b, line, strlen(line));
}

/* ---- making one ----------------------------------------------------------------- */

static void put_event(world *w, unsigned cycle, unsigned sm, unsigned slot, bool done, unsigned kernel)
{
    world_line(&w->cta, "%u,%u,%u,%s,%u,%u\n", cycle, w->number[sm], slot, done ? "done" : "launch", kernel,
             2 * kernel);
}

static void put_record(world *w, unsigned cycle, unsigned sm, const expected *e)
{
    const uint32_t resident = e->bus.obs.cta_active & ~e->bus.obs.cta_done, done = e->bus.obs.cta_done;

    put_u32(&w->cyc, cycle);
    put_u8(&w->cyc, w->number[sm]);
    put_u8(&w->cyc, e->cls == TRACE_NO_CLASS ? 0x40 : (unsigned)e->cls << 4);
    if (w->version == 1) {
        put_u8(&w->cyc, resident);
        put_u8(&w->cyc, done);
    } else {
        put_u16(&w->cyc, 0);
        put_u32(&w->cyc, resident);
        put_u32(&w->cyc, done);
    }
    for (unsigned i = 0; i < (w->version == 1 ? 24 : 32); i++)
        put_u8(&w->cyc, sm_obs_warp_state(&e->bus.obs, 2 * i) |
                            sm_obs_warp_state(&e->bus.obs, 2 * i + 1) << 4);
}

/* A slot of a CTA of so many warps: the lowest ones, or the highest. */
static unsigned slot_of(const world *w, unsigned kernel, unsigned i)
{
    return w->version == 1 ? i : 64 / (2 * kernel) - 1 - i;
}

static ballast_kernel_desc describe(unsigned kernel)
{
    return (ballast_kernel_desc){.grid_ctas = 40, .smem_per_cta = 6144, .threads_per_cta = (uint16_t)(64 * kernel),
                                 .regs_per_thread = 22, .warps_per_cta = (uint8_t)(2 * kernel),
                                 .nmax = 8, .is_2d = 0};
}

static void move_ctas(world *w, unsigned cycle, unsigned sm, sm_kept *bus, uint32_t active, unsigned kernel,
                      uint32_t *rnd)
{
    sm_obs *o = &bus->obs;
    const bool closing = cycle >= GAP - 10 && cycle < SECOND;
    const bool last = cycle == CYCLES - 1 || cycle == GAP - 1;
    for (unsigned n = 0; n < LIMIT; n++) {
        const unsigned slot = slot_of(w, kernel, n);
        const uint32_t bit = UINT32_C(1) << slot;
        if ((active & bit) && (last || fixture_random(rnd, 20) == 0)) {
            o->cta_done |= bit;
            put_event(w, cycle, sm, slot, true, kernel);
        } else if (!(active & bit) && !closing && cycle < CYCLES - 10 && fixture_random(rnd, 5) == 0) {
            o->cta_start |= bit;
            put_event(w, cycle, sm, slot, false, kernel);
            for (unsigned i = slot * 2 * kernel; i < (slot + 1) * 2 * kernel; i++)
                bus->setup.warp_slot[i] = (uint8_t)slot;
        }
    }
    o->cta_active = active | o->cta_start;
}

static void move_warps(const world *w, sm_obs *o, unsigned kernel, uint32_t *rnd)
{
    memset(o->ws, 0, sizeof o->ws);
    for (unsigned n = 0; n < LIMIT * 2 * kernel; n++) {
        const unsigned slot = slot_of(w, kernel, n / (2 * kernel));

        if (o->cta_active >> slot & 1)
            sm_obs_set_warp_state(o, slot * 2 * kernel + n % (2 * kernel), fixture_random(rnd, BALLAST_WARP_ISSUED_ALU));
    }
    if (o->cta_active >> slot_of(w, kernel, 0) & 1)
        sm_obs_set_warp_state(o, slot_of(w, kernel, 0) * 2 * kernel + 1, BALLAST_WARP_ISSUED_MEM);
}

/* SM 1 does not record the cycle in which its last CTA leaves. */
static bool is_recorded(unsigned sm, const sm_obs *o)
{
    return o->cta_active && (sm == 0 || (o->cta_active & ~o->cta_done));
}

static void make_cycle(world *w, unsigned cycle, unsigned sm, sm_kept *bus, uint32_t *rnd)
{
    sm_obs *o = &bus->obs;
    const unsigned kernel = cycle < SECOND ? 1 : 2;
    const uint32_t active = o->cta_active & ~o->cta_done;
    o->kernel_start = cycle == FIRST || cycle == SECOND;
    bus->setup.kernel = describe(kernel);
    o->cta_start = o->cta_done = 0;
    o->cta_active = active;
    if (cycle < GAP || cycle >= SECOND)
        move_ctas(w, cycle, sm, bus, active, kernel, rnd);
    move_warps(w, o, kernel, rnd);
    expected *e = &w->sm[sm][cycle];
    if (!is_recorded(sm, o))
        memset(o->ws, 0, sizeof o->ws);
    sm_keep(&e->bus, o);
    e->cls = is_recorded(sm, o) ? (uint8_t)fixture_random(rnd, 4) : TRACE_NO_CLASS;
    if (w->version == 2 && sm == 1 && cycle % 8 == 0)
        e->cls = TRACE_NO_CLASS;
    if (is_recorded(sm, o))
        put_record(w, cycle, sm, e);
}

static void fill(world *w)
{
    uint32_t rnd = 4;
    sm_kept bus[SMS] = {0};
    world_line(&w->ker, "kernel,name,grid_ctas,threads_per_cta,warps_per_cta,regs,smem,cta_per_sm,cycle\n"
                      "1,first,40,64,2,22,6144,3,%d\r\n2,\"second, \"\"quoted\"\"\",40,128,4,22,6144,3,%d\n",
             FIRST, SECOND);
    world_line(&w->cta, "cycle,sm,slot,event,kernel,warps_per_cta\n");
    for (unsigned sm = 0; sm < SMS; sm++) {
        bus[sm].obs.setup = &bus[sm].setup;
        for (unsigned i = 0; i < (w->version == 1 ? 48 : 64); i++)
            bus[sm].setup.warp_slot[i] = (uint8_t)(i / 2 < (w->version == 1 ? 8 : 32) ? i / 2 : 0);
    }
    for (unsigned cycle = FIRST; cycle < CYCLES; cycle++)
        for (unsigned sm = 0; sm < SMS; sm++)
            make_cycle(w, cycle, sm, &bus[sm], &rnd);
    assert_false(w->cyc.failed || w->ker.failed || w->cta.failed);
}

static void make(world *w, unsigned version, raw_import_options *import)
{
    const char *tmp = getenv("TMPDIR");
    *w = (world){.version = version, .number = {0, version == 1 ? 1 : TRACE_MAX_SMS - 1}};
    snprintf(w->dir, sizeof w->dir, "%s/ballast_raw_XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(w->dir));
    snprintf(w->out, sizeof w->out, "%s", world_path(w, "out.blt"));
    fill(w);
    world_write(w);
    raw_import_defaults(import);
    import->dir = w->dir;
    import->out_path = w->out;
    import->config_limit = LIMIT;
}

void world_make(world *w, raw_import_options *import) { make(w, 1, import); }

void world_make_2(world *w, raw_import_options *import)
{
    make(w, 2, import);
    import->geometry = (trace_geometry){.warps = 64, .slots = 32, .sms = TRACE_MAX_SMS, .issue_width = 4};
    import->resources.threads = 2048;
    import->resources.slots = 32;
}

/* ---- files ---------------------------------------------------------------------- */

void world_spew(const world *w, const char *name, const void *p, size_t n)
{
    fixture_spew(world_path(w, name), p, n);
}

void world_write(const world *w)
{
    world_spew(w, "cyc.bin", w->cyc.p, w->cyc.n);
    world_spew(w, "ker.csv", w->ker.p, w->ker.n);
    world_spew(w, "cta.csv", w->cta.p, w->cta.n);
}

bool world_has_output(const world *w)
{
    return fixture_exists(w->out) || fixture_exists_unfinished(w->out);
}

void world_free(world *w)
{
    static const char *const names[] = {"cyc.bin", "ker.csv", "cta.csv", "cyc.bin.xz", "ker.csv.xz",
                                        "cta.csv.xz", "out.blt", "out.blt.tmp"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        remove(world_path(w, names[i]));
    rmdir(w->dir);
    bytes_free(&w->cyc);
    bytes_free(&w->ker);
    bytes_free(&w->cta);
}

/* ---- what came of it ------------------------------------------------------------- */

static void expect_cycle(const world *w, trace_reader *r, const sm_obs *got, const expected *want)
{
    trace_err err;
    uint8_t cls;
    assert_memory_equal(got->ws, want->bus.obs.ws, sizeof got->ws);
    assert_int_equal(got->cta_active, want->bus.obs.cta_active);
    assert_int_equal(got->cta_start, want->bus.obs.cta_start);
    assert_int_equal(got->cta_done, want->bus.obs.cta_done);
    assert_int_equal(got->kernel_start, want->bus.obs.kernel_start);
    assert_int_equal(got->setup->kernel.threads_per_cta, want->bus.setup.kernel.threads_per_cta);
    assert_int_equal(got->setup->kernel.nmax, want->bus.setup.kernel.nmax);
    assert_memory_equal(got->setup->warp_slot, want->bus.setup.warp_slot, w->version == 1 ? 48 : 64);
    assert_true(trace_recorded_class(r, &cls, &err));
    assert_int_equal(cls, want->cls);
}

void world_import(const raw_import_options *import, trace_reader **r)
{
    trace_err err = {.text = ""};

    trace_close(*r);
    *r = NULL; /* whatever comes, nobody closes it again */
    if (!raw_import(import, &err))
        fail_msg("%s", err.text);
    *r = fixture_open_trace(import->out_path);
}

void world_expect(const world *w, trace_reader *r)
{
    trace_err err;
    assert_int_equal(trace_num_sms(r), SMS);
    for (unsigned sm = 0; sm < SMS; sm++) {
        const sm_obs *o;
        unsigned cycle = FIRST;
        assert_true(trace_select_sm(r, w->number[sm], &err));
        for (; (o = trace_next(r, &err)); cycle++) {
            assert_int_equal(trace_cycle(r), cycle);
            expect_cycle(w, r, o, &w->sm[sm][cycle]);
        }
        assert_string_equal(err.text, "");
        assert_int_equal(cycle, CYCLES);
    }
}

void world_expect_refused(const world *w, const raw_import_options *import, const char *file, const char *why)
{
    trace_err err;
    assert_false(raw_import(import, &err));
    if (!strstr(err.text, file) || !strstr(err.text, why))
        fail_msg("\"%s\" does not say \"%s\" of %s", err.text, why, file);
    assert_null(strchr(err.text, '\n'));
    assert_false(world_has_output(w));
}

void world_like(raw_import_options *import, const char *trace)
{
    static trace_meta meta; /* its texts */
    trace_reader *r = fixture_open_trace(trace);

    print_message("%s\n", trace);
    meta = *trace_get_meta(r);
    trace_close(r);
    import->kernel = meta.kernel;
    import->config = meta.config;
    import->recorder = meta.recorder;
    import->config_limit = meta.config_limit;
    import->geometry = meta.geometry;
    import->resources.registers = UINT32_MAX; /* Nmax is in ker.csv */
    import->resources.threads = 2048;
    import->resources.slots = meta.geometry.slots;
}
