/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/bench.h"
#include "files/placed_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sm/perfsat.h"
#include "sm/stall_classifier.h"

static bool check_geometry(const lockstep *ls, const char *path, const trace_geometry *g, trace_err *err)
{
    const unsigned warps = lockstep_param(ls, "NumWarps", BALLAST_MAX_WARPS);
    const unsigned slots = lockstep_param(ls, "NumSlots", BALLAST_MAX_SLOTS);

    if (g->warps <= warps && g->slots <= slots)
        return true;
    snprintf(err->text, sizeof err->text, "%s: has %u warps and %u CTA slots per SM, this build %u and %u", path, g->warps,
             g->slots, warps, slots);
    return false;
}

static bool open_file(bench_stimulus *s, const lockstep *ls, const char *path, trace_err *err)
{
    trace_reader *r = trace_open(path, NULL, err);

    if (!r)
        return false;
    s->readers[s->num_files++] = r;
    for (unsigned i = 0; i < trace_num_sms(r); i++)
        if (trace_get_sm(r, i)->sm == s->sm)
            s->cycles += trace_get_sm(r, i)->cycles;
    return trace_select_sm(r, s->sm, err) && check_geometry(ls, path, &trace_get_meta(r)->geometry, err);
}

static bool allocate(bench_stimulus *s, const lockstep *ls)
{
    bool ok = (s->obs = calloc(s->cycles, sizeof *s->obs)) != NULL;

    ok &= (s->setups = calloc(s->cycles, sizeof *s->setups)) != NULL;
    for (unsigned i = 0; i < ls->num_instances; i++) {
        s->in_size[i] = ls->instances[i].sizes.in;
        ok &= (s->in[i] = calloc(s->cycles, s->in_size[i])) != NULL;
    }
    return ok;
}

bool bench_stimulus_load(bench_stimulus *s, lockstep *ls, const arguments *files, trace_err *err)
{
    const sm_obs *obs;
    size_t c = 0, setups = 0;

    *s = (bench_stimulus){.sm = 0};
    *err = (trace_err){.text = ""};
    for (unsigned f = 0; f < files->num; f++)
        if (!open_file(s, ls, files->file[f], err))
            return false;
    if (!allocate(s, ls)) {
        snprintf(err->text, sizeof err->text, "out of memory for %zu cycles", s->cycles);
        return false;
    }
    lockstep_reset(ls);
    for (unsigned f = 0; f < s->num_files && !err->text[0]; f++)
        for (; c < s->cycles && (obs = trace_next(s->readers[f], err)); c++) {
            setups += sm_keep_next(&s->obs[c], obs, c ? &s->obs[c - 1] : NULL, &s->setups[setups]);
            lockstep_models(ls, &obs);
            for (unsigned i = 0; i < ls->num_instances; i++)
                memcpy(s->in[i] + c * s->in_size[i], ls->instances[i].in, s->in_size[i]);
        }
    return !err->text[0];
}

void bench_stimulus_free(bench_stimulus *s)
{
    for (unsigned f = 0; f < s->num_files; f++)
        trace_close(s->readers[f]);
    for (unsigned i = 0; i < LOCKSTEP_MAX_BLOCKS; i++)
        free(s->in[i]);
    free(s->obs);
    free(s->setups);
}

/* ---- for Icarus ------------------------------------------------------------------ */

static const void *outputs_of(const lockstep *ls, const char *block_name)
{
    for (unsigned i = 0; i < ls->num_instances; i++)
        if (!strcmp(ls->instances[i].block->model->block_name, block_name))
            return ls->instances[i].out;
    return NULL;
}

/* The checksum of tb/icarus/bench_tb.sv. */
static uint32_t add_to_hash(uint32_t hash, const stall_classifier_out *c, const perfsat_out *p)
{
    const uint32_t outputs = (uint32_t)c->ps_class << 13 | (uint32_t)c->ps_mem << 12 |
                             (uint32_t)c->lcs_class << 10 | (uint32_t)p->limit << 2 |
                             (uint32_t)p->done << 1 | p->sample_end;

    return (hash << 1 | hash >> 31) + outputs;
}

static void write_hex_word(FILE *f, const sm_obs *obs)
{
    fprintf(f, "%x%02x%08" PRIx32 "%08" PRIx32 "%08" PRIx32, obs->kernel_start, obs->setup->kernel.nmax, obs->cta_start,
            obs->cta_done, obs->cta_active);
    fprintf(f, "%016" PRIx64 "%016" PRIx64 "%016" PRIx64 "%016" PRIx64 "%016" PRIx64 "\n", obs->paused,
            obs->ws[3], obs->ws[2], obs->ws[1], obs->ws[0]);
}

bool bench_stimulus_write_hex(const bench_stimulus *s, lockstep *ls, const char *path, trace_err *err)
{
    const stall_classifier_out *classifier = outputs_of(ls, "stall_classifier");
    const perfsat_out *perfsat = outputs_of(ls, "perfsat");
    char hash_path[4096];
    uint32_t hash = 0;
    placed_file words, sum;
    bool ok = placed_open(&words, path);
    FILE *f = words.file;

    lockstep_reset(ls);
    for (size_t c = 0; ok && c < s->cycles; c++) {
        const sm_obs *obs = &s->obs[c];

        write_hex_word(f, obs);
        lockstep_models(ls, &obs);
        hash = add_to_hash(hash, classifier, perfsat);
    }
    ok = placed_close(&words, ok);
    snprintf(hash_path, sizeof hash_path, "%s.hash", path);
    if (ok && placed_open(&sum, hash_path))
        fprintf(sum.file, "cycles=%zu hash=%08" PRIx32 "\n", s->cycles, hash);
    ok = ok && placed_close(&sum, true);
    if (!ok)
        snprintf(err->text, sizeof err->text, "%s: %m", path);
    return ok;
}

/* ---- for compressors --------------------------------------------------------------- */

enum { RAW_STATES = 24 };

typedef struct raw_record {
    uint8_t cycle[4], sm, class, active, done; /* the lowest byte first */
    uint8_t states[RAW_STATES];
} raw_record;

typedef struct raw_records {
    raw_record *at;
    size_t num, room;
} raw_records;

static int by_cycle(const void *a, const void *b)
{
    const raw_record *x = a, *y = b;

    for (int i = 3; i >= 0; i--)
        if (x->cycle[i] != y->cycle[i])
            return x->cycle[i] - y->cycle[i];
    return x->sm - y->sm;
}

static bool add_raw(raw_records *all, trace_reader *r, unsigned sm, const sm_obs *obs, trace_err *err)
{
    raw_record record = {.sm = (uint8_t)sm, .active = (uint8_t)(obs->cta_active & ~obs->cta_done),
                         .done = (uint8_t)obs->cta_done};

    if (!trace_recorded_class(r, &record.class, err))
        return false;
    record.class = (uint8_t)((record.class & 3) << 4);
    for (int i = 0; i < 4; i++)
        record.cycle[i] = (uint8_t)(trace_cycle(r) >> 8 * i);
    for (unsigned w = 0; w < 2 * RAW_STATES; w++)
        record.states[w / 2] |= (uint8_t)(sm_obs_warp_state(obs, w) << (w & 1 ? 4 : 0));
    if (all->num == all->room) {
        raw_record *more = realloc(all->at, (all->room = 2 * all->room + 4096) * sizeof *more);

        if (!more) {
            snprintf(err->text, sizeof err->text, "out of memory");
            return false;
        }
        all->at = more;
    }
    all->at[all->num++] = record;
    return true;
}

static bool read_raw(raw_records *all, trace_reader *r, trace_err *err)
{
    const sm_obs *obs;
    bool ok = true;

    for (unsigned i = 0; ok && i < trace_num_sms(r); i++) {
        const unsigned sm = trace_get_sm(r, i)->sm;

        ok = trace_select_sm(r, sm, err);
        while (ok && (obs = trace_next(r, err)))
            ok = !obs->cta_active || add_raw(all, r, sm, obs, err);
        ok = ok && !err->text[0];
    }
    return ok;
}

bool bench_write_raw(const char *recording, const char *path, trace_err *err)
{
    trace_reader *r = trace_open(recording, NULL, err);
    raw_records all = {.at = NULL};
    bool ok = r && read_raw(&all, r, err);
    placed_file file = {.file = NULL};
    FILE *f = ok && placed_open(&file, path) ? file.file : NULL; /* nothing is made of a recording that is not there */

    trace_close(r);
    if (f) {
        if (all.num)
            qsort(all.at, all.num, sizeof *all.at, by_cycle);
        ok = fwrite(all.at, sizeof *all.at, all.num, f) == all.num;
        ok = placed_close(&file, ok);
    }
    if (r && (!f || !ok) && !err->text[0])
        snprintf(err->text, sizeof err->text, "%s: cannot write: %m", path);
    free(all.at);
    return f && ok;
}
