/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/trace_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/popcount.h"
#include "engine/suite_fixture.h"

enum { FIRST_START = 1000, ISSUE_WIDTH = 2 };

const fixture_shape fixture_small = {.warps = 48, .slots = 8, .cycles = 3000, .launches = 3, .classes = true, .busy = 500};

uint32_t fixture_random(uint32_t *state, uint32_t below)
{
    *state = *state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(*state >> 4) * below >> 28);
}

/* ---- making one ----------------------------------------------------------------- */

static bool per_mille(uint32_t *rnd, unsigned n) { return fixture_random(rnd, 1000) < n; }

static void make_meta(recording *rec, const fixture_shape *shape)
{
    rec->meta = (trace_meta){
        .geometry = {.warps = shape->warps, .slots = shape->slots, .sms = FIXTURE_SMS,
                     .issue_width = ISSUE_WIDTH},
        .kernel = "synthetic, \"random\"",
        .config = "none",
        .recorder = "trace_fixture",
        .config_limit = 3,
        .num_launches = (uint16_t)shape->launches,
        .launches = rec->launches,
    };
    for (unsigned i = 0; i < shape->launches; i++) {
        trace_launch *l = &rec->launches[i];
        snprintf(l->name, sizeof l->name, "kernel_%u", i);
        l->desc = (ballast_kernel_desc){.grid_ctas = 100 + 20 * i, .smem_per_cta = 1024 * i,
                                        .threads_per_cta = (uint16_t)(64 * (i + 1)), .regs_per_thread = 20,
                                        .warps_per_cta = (uint8_t)(2 * (i + 1)),
                                        .nmax = (uint8_t)shape->slots, .is_2d = i & 1,
                                        .grid_x = i == 1 ? 15 : 0};
        l->limit = 3;
        l->start_cycle = FIRST_START + i * (shape->cycles / shape->launches);
    }
}

static void start_cta(sample *to, unsigned slot, unsigned warps)
{
    const unsigned n = to->setup.kernel.warps_per_cta;
    to->obs.cta_start |= UINT32_C(1) << slot;
    for (unsigned w = slot * n; w < (slot + 1) * n && w < warps; w++)
        to->setup.warp_slot[w] = (uint8_t)slot;
}

static void change_ctas(sample *to, uint32_t *active, const trace_geometry *g, uint32_t *rnd)
{
    sm_obs *o = &to->obs;
    for (unsigned s = 0; s < g->slots; s++) {
        const uint32_t bit = UINT32_C(1) << s;
        if (!per_mille(rnd, 60))
            continue;
        if (*active & bit)
            o->cta_done |= bit;
        if (!(*active & bit) || per_mille(rnd, 300))
            start_cta(to, s, g->warps);
    }
    o->cta_active = *active | o->cta_start;
    *active = (*active & ~o->cta_done) | o->cta_start;
}

static void change_warps(sm_obs *o, const trace_geometry *g, uint32_t *rnd)
{
    for (unsigned w = 0; w < g->warps; w++)
        if (per_mille(rnd, 100) || sm_obs_issued(o) >> w & 1)
            sm_obs_set_warp_state(o, w, fixture_random(rnd, BALLAST_WARP_ISSUED_ALU));
    const unsigned issues = fixture_random(rnd, ISSUE_WIDTH + 1);
    for (unsigned i = 0; i < issues; i++)
        sm_obs_set_warp_state(o, fixture_random(rnd, g->warps),
                              BALLAST_WARP_ISSUED_ALU + fixture_random(rnd, 2));
}

static const trace_launch *launch_at(const recording *rec, uint64_t cycle, unsigned *index)
{
    *index = TRACE_NO_LAUNCH;
    for (unsigned i = 0; i < rec->meta.num_launches; i++)
        if (rec->launches[i].start_cycle <= cycle)
            *index = i;
    return *index == TRACE_NO_LAUNCH ? NULL : &rec->launches[*index];
}

static void count_progress(sample *s, const sample *before)
{
    const bool anew = s->obs.kernel_start;
    s->instructions = (anew ? 0 : before->instructions) + ballast_popcount64(sm_obs_issued(&s->obs));
    s->ctas = anew ? 0 : before->ctas + ballast_popcount64(s->obs.cta_done);
}

static void make_cycle(const recording *rec, const fixture_shape *shape, sample *s, uint32_t *active,
                       uint32_t *rnd)
{
    const trace_launch *l = launch_at(rec, s->cycle, &s->launch);
    s->obs.kernel_start = l && l->start_cycle == s->cycle;
    s->setup.kernel = l ? l->desc : (ballast_kernel_desc){0};
    s->obs.cta_start = s->obs.cta_done = 0;
    s->obs.cta_active = *active;
    if (per_mille(rnd, shape->busy)) {
        change_warps(&s->obs, &rec->meta.geometry, rnd);
        if (l && per_mille(rnd, 200))
            change_ctas(s, active, &rec->meta.geometry, rnd);
        if (per_mille(rnd, 50))
            s->obs.paused ^= UINT64_C(1) << fixture_random(rnd, shape->warps);
    }
    count_progress(s, s);
    if (shape->classes && (s->cls == TRACE_NO_CLASS || per_mille(rnd, 300)))
        s->cls = (uint8_t)fixture_random(rnd, 4);
    if (shape->classes && per_mille(rnd, 20))
        s->cls = TRACE_NO_CLASS;
}

static void make_sm(recording *rec, const fixture_shape *shape, unsigned sm, uint32_t *rnd)
{
    static const int late[FIXTURE_SMS] = {0, 7, -5};
    sm_recording *to = &rec->sm[sm];
    uint32_t active = sm == 1 ? 5 : 0;
    sample s = {.cycle = (uint64_t)(FIRST_START + late[sm]), .cls = TRACE_NO_CLASS};
    to->count = shape->cycles + (size_t)11 * sm;
    to->sample = malloc(to->count * sizeof *to->sample);
    assert_non_null(to->sample);
    for (unsigned w = 0; w < shape->warps; w++)
        s.setup.warp_slot[w] = (uint8_t)(w % shape->slots);
    for (size_t i = 0; i < to->count; i++, s.cycle++) {
        make_cycle(rec, shape, &s, &active, rnd);
        to->sample[i] = s;
        to->sample[i].obs.setup = &to->sample[i].setup;
    }
}

recording *fixture_make(const fixture_shape *shape, uint32_t seed)
{
    recording *rec = calloc(1, sizeof *rec);
    assert_non_null(rec);
    make_meta(rec, shape);
    for (unsigned sm = 0; sm < FIXTURE_SMS; sm++)
        make_sm(rec, shape, sm, &seed);
    return rec;
}

void fixture_rearrange(recording *rec, const fixture_piece *pieces, size_t count)
{
    sm_recording *sm = &rec->sm[0];
    sample *to = malloc(sm->count * sizeof *to);
    size_t n = 0;
    assert_non_null(to);
    for (size_t k = 0; k < count; k++)
        for (size_t i = pieces[k].from; i < pieces[k].to; i++, n++) {
            assert_true(n < sm->count && (!sm->sample[i].obs.kernel_start || i == n));
            to[n] = sm->sample[i];
            to[n].obs.setup = &to[n].setup;
            to[n].cycle = sm->sample[0].cycle + n;
            to[n].cut = k > 0 && i == pieces[k].from;
            count_progress(&to[n], n > 0 ? &to[n - 1] : &(sample){0});
        }
    free(sm->sample);
    *sm = (sm_recording){.sample = to, .count = n};
}

void fixture_free(recording *rec)
{
    for (unsigned sm = 0; sm < FIXTURE_SMS; sm++)
        free(rec->sm[sm].sample);
    free(rec);
}

void fixture_write(const recording *rec, const char *path)
{
    trace_err err;
    size_t at[FIXTURE_SMS] = {0};
    uint32_t rnd = 1;
    trace_writer *w = trace_writer_open(path, &rec->meta, &err);
    assert_non_null(w);
    for (;;) {
        unsigned left = 0;
        for (unsigned sm = 0; sm < FIXTURE_SMS; sm++)
            left += at[sm] < rec->sm[sm].count;
        if (left == 0)
            break;
        const unsigned sm = fixture_random(&rnd, FIXTURE_SMS);
        for (unsigned n = fixture_random(&rnd, 40); n > 0 && at[sm] < rec->sm[sm].count; n--) {
            const sample *s = &rec->sm[sm].sample[at[sm]++];
            if ((s->cut && !trace_writer_cut(w, sm, &err)) ||
                !trace_writer_cycle(w, sm, s->cycle, &s->obs, s->cls, &err))
                fail_msg("%s", err.text);
        }
    }
    if (!trace_writer_close(w, &err))
        fail_msg("%s", err.text);
}

/* ---- comparing ------------------------------------------------------------------ */

static bool same_obs(const sm_obs *a, const sm_obs *b, unsigned warps)
{
    return memcmp(a->ws, b->ws, sizeof a->ws) == 0 && a->paused == b->paused &&
           a->cta_active == b->cta_active && a->cta_start == b->cta_start &&
           a->cta_done == b->cta_done && a->kernel_start == b->kernel_start &&
           a->setup->kernel.grid_ctas == b->setup->kernel.grid_ctas &&
           a->setup->kernel.smem_per_cta == b->setup->kernel.smem_per_cta &&
           a->setup->kernel.threads_per_cta == b->setup->kernel.threads_per_cta &&
           a->setup->kernel.regs_per_thread == b->setup->kernel.regs_per_thread &&
           a->setup->kernel.warps_per_cta == b->setup->kernel.warps_per_cta &&
           a->setup->kernel.nmax == b->setup->kernel.nmax && a->setup->kernel.is_2d == b->setup->kernel.is_2d &&
           a->setup->kernel.grid_x == b->setup->kernel.grid_x &&
           memcmp(a->setup->warp_slot, b->setup->warp_slot, warps) == 0;
}

bool fixture_is_same(trace_reader *r, const sm_obs *obs, const sample *want, unsigned warps)
{
    uint8_t cls;
    trace_err err;
    return same_obs(obs, &want->obs, warps) && trace_cycle(r) == want->cycle &&
           trace_launch_index(r) == want->launch &&
           trace_launch_instructions(r) == want->instructions &&
           trace_launch_ctas(r) == want->ctas && trace_recorded_class(r, &cls, &err) &&
           cls == want->cls;
}

void fixture_same(trace_reader *r, const sm_obs *obs, const sample *want, unsigned warps)
{
    assert_non_null(obs);
    if (!fixture_is_same(r, obs, want, warps))
        fail_msg("cycle %llu is not as recorded", (unsigned long long)want->cycle);
}

trace_reader *fixture_open_trace(const char *path)
{
    trace_err err;
    trace_reader *r = trace_open(path, NULL, &err);
    if (!r)
        fail_msg("%s", err.text);
    return r;
}

void fixture_expect(const char *path, const recording *rec)
{
    trace_err err = {.text = ""};
    trace_reader *r = fixture_open_trace(path);
    assert_int_equal(trace_num_sms(r), FIXTURE_SMS);
    for (unsigned sm = 0; sm < FIXTURE_SMS; sm++) {
        assert_true(trace_select_sm(r, sm, &err));
        for (size_t i = 0; i < rec->sm[sm].count; i++)
            fixture_same(r, trace_next(r, &err), &rec->sm[sm].sample[i], rec->meta.geometry.warps);
        assert_null(trace_next(r, &err));
        assert_string_equal(err.text, "");
    }
    trace_close(r);
}

/* ---- files ---------------------------------------------------------------------- */

const char *fixture_path(const char *name)
{
    static char path[512];
    const char *dir = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/ballast_%s.blt", dir ? dir : "/tmp", name);
    remove(path);
    return path;
}

uint8_t *fixture_slurp(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    const long size = ftell(f);
    assert_true(size >= 0);
    rewind(f);
    uint8_t *p = malloc((size_t)size + 1);
    assert_non_null(p);
    *n = fread(p, 1, (size_t)size, f);
    assert_int_equal(*n, size);
    fclose(f);
    return p;
}

void fixture_spew(const char *path, const uint8_t *p, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(p, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

void fixture_expect_bytes(const char *path, const uint8_t *p, size_t n)
{
    size_t found;
    uint8_t *file = fixture_slurp(path, &found);

    assert_int_equal(found, n);
    assert_memory_equal(file, p, n);
    free(file);
}

bool fixture_exists(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (f)
        fclose(f);
    return f != NULL;
}

bool fixture_exists_unfinished(const char *path)
{
    char unfinished[600];

    snprintf(unfinished, sizeof unfinished, "%s.tmp", path);
    return fixture_exists(unfinished);
}

void fixture_says(const trace_err *err, const char *why)
{
    if (!strstr(err->text, why))
        fail_msg("\"%s\" does not say \"%s\"", err->text, why);
    assert_null(strchr(err->text, '\n'));
}
