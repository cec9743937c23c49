/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/bench_stimulus.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sm/perfsat.h"
#include "sm/stall_classifier.h"

static bool check_geometry(const lockstep *ls, const char *path, const trace_geometry *g, char *err, size_t err_size)
{
    const unsigned warps = lockstep_param(ls, "NumWarps", BALLAST_MAX_WARPS);
    const unsigned slots = lockstep_param(ls, "NumSlots", BALLAST_MAX_SLOTS);

    if (g->warps <= warps && g->slots <= slots)
        return true;
    snprintf(err, err_size, "%s: has %u warps and %u CTA slots per SM, this build %u and %u", path, g->warps, g->slots,
             warps, slots);
    return false;
}

static bool open_files(bench_stimulus *s, const lockstep *ls, char **files, unsigned num_files, char *err,
                       size_t err_size)
{
    if (num_files > BENCH_MAX_FILES) {
        snprintf(err, err_size, "more than %d recordings", BENCH_MAX_FILES);
        return false;
    }
    for (unsigned f = 0; f < num_files; f++) {
        trace_err why = {.text = ""};

        s->readers[f] = trace_open(files[f], NULL, &why);
        if (!s->readers[f] || !trace_select_sm(s->readers[f], s->sm, &why)) {
            snprintf(err, err_size, "%s", why.text);
            return false;
        }
        s->num_files = f + 1;
        if (!check_geometry(ls, files[f], &trace_get_meta(s->readers[f])->geometry, err, err_size))
            return false;
        for (unsigned i = 0; i < trace_num_sms(s->readers[f]); i++)
            if (trace_get_sm(s->readers[f], i)->sm == s->sm)
                s->cycles += trace_get_sm(s->readers[f], i)->cycles;
    }
    return true;
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

bool bench_stimulus_load(bench_stimulus *s, lockstep *ls, char **files, unsigned num_files, char *err,
                         size_t err_size)
{
    size_t c = 0, setups = 0;

    memset(s, 0, sizeof *s);
    if (!open_files(s, ls, files, num_files, err, err_size))
        return false;
    if (!allocate(s, ls)) {
        snprintf(err, err_size, "out of memory for %zu cycles", s->cycles);
        return false;
    }
    lockstep_reset(ls);
    for (unsigned f = 0; f < num_files; f++) {
        trace_err why = {.text = ""};
        const sm_obs *obs;

        while (c < s->cycles && (obs = trace_next(s->readers[f], &why))) {
            setups += sm_keep_next(&s->obs[c], obs, c ? &s->obs[c - 1] : NULL, &s->setups[setups]);
            lockstep_models(ls, &obs);
            for (unsigned i = 0; i < ls->num_instances; i++)
                memcpy(s->in[i] + c * s->in_size[i], ls->instances[i].in, s->in_size[i]);
            c++;
        }
        if (why.text[0]) {
            snprintf(err, err_size, "%s", why.text);
            return false;
        }
    }
    return true;
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

bool bench_stimulus_write_hex(const bench_stimulus *s, lockstep *ls, const char *path, char *err,
                              size_t err_size)
{
    const stall_classifier_out *classifier = outputs_of(ls, "stall_classifier");
    const perfsat_out *perfsat = outputs_of(ls, "perfsat");
    char hash_path[4096];
    uint32_t hash = 0;
    FILE *f = fopen(path, "w");
    bool ok = f != NULL;

    lockstep_reset(ls);
    for (size_t c = 0; ok && c < s->cycles; c++) {
        const sm_obs *obs = &s->obs[c];

        write_hex_word(f, obs);
        lockstep_models(ls, &obs);
        hash = add_to_hash(hash, classifier, perfsat);
    }
    if (f)
        ok &= fclose(f) == 0;
    snprintf(hash_path, sizeof hash_path, "%s.hash", path);
    f = ok ? fopen(hash_path, "w") : NULL;
    ok = f && fprintf(f, "cycles=%zu hash=%08" PRIx32 "\n", s->cycles, hash) > 0;
    if (f)
        ok &= fclose(f) == 0;
    if (!ok)
        snprintf(err, err_size, "%s: %s", path, strerror(errno));
    return ok;
}
