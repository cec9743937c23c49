/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>

#include "python/tables.h"
#include "recording/trace.h"

struct kit_recording {
    trace_reader *reader;
    bool classes;
    char *table;
    char damage[sizeof ((trace_err *)0)->text];
};

/* ---- header --------------------------------------------------------------------------- */

static void put_launch(FILE *out, const trace_launch *l)
{
    const ballast_kernel_desc *d = &l->desc;

    fprintf(out, "{\"name\": ");
    kit_put_text(out, l->name);
    fprintf(out, ", \"start_cycle\": %" PRIu64 ", \"limit\": %u, \"nmax\": %u, \"grid_ctas\": %u, \"grid_x\": %u, \"is_2d\": %u, ", l->start_cycle,
            l->limit, d->nmax, (unsigned)d->grid_ctas, (unsigned)d->grid_x, d->is_2d);
    fprintf(out, "\"threads_per_cta\": %u, \"warps_per_cta\": %u, \"regs_per_thread\": %u, \"smem_per_cta\": %u}", d->threads_per_cta,
            d->warps_per_cta, d->regs_per_thread, (unsigned)d->smem_per_cta);
}

static void put_sm(FILE *out, const trace_sm_info *s)
{
    fprintf(out, "{\"sm\": %u, \"cycles\": %" PRIu64 ", \"first_cycle\": %" PRIu64 ", \"instructions\": %" PRIu64 ", \"ctas_done\": %" PRIu64 "}", s->sm,
            s->cycles, s->first_cycle, s->instructions, s->ctas_done);
}

static void put_header(FILE *out, const void *user)
{
    const kit_recording *r = user;
    const trace_meta *m = trace_get_meta(r->reader);
    const struct {
        const char *name, *text;
    } texts[] = {{"kernel", m->kernel}, {"config", m->config}, {"recorder", m->recorder}, {"damage", r->damage}};

    fprintf(out, "{");
    for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        fprintf(out, "\"%s\": ", texts[i].name);
        kit_put_text(out, texts[i].text);
        fprintf(out, ", ");
    }
    fprintf(out, "\"geometry\": {\"warps\": %u, \"slots\": %u, \"sms\": %u, \"issue_width\": %u}, \"config_limit\": %u, \"bytes\": %" PRIu64 ", \"launches\": [",
            m->geometry.warps, m->geometry.slots, m->geometry.sms, m->geometry.issue_width, m->config_limit, trace_file_bytes(r->reader));
    for (unsigned l = 0; l < m->num_launches; l++) {
        fprintf(out, l ? ", " : "");
        put_launch(out, &m->launches[l]);
    }
    fprintf(out, "], \"sms\": [");
    for (unsigned s = 0; s < trace_num_sms(r->reader); s++) {
        fprintf(out, s ? ", " : "");
        put_sm(out, trace_get_sm(r->reader, s));
    }
    fprintf(out, "]}");
}

kit_recording *kit_recording_open(const char *path, bool salvage, char *err)
{
    const trace_open_options how = {.salvage = salvage};
    trace_err why = {.text = ""};
    kit_recording *r = calloc(1, sizeof *r);

    snprintf(err, KIT_ERR, "no memory");
    if (r && !(r->reader = trace_open(path, &how, &why))) {
        snprintf(err, KIT_ERR, "%s", why.text);
        free(r);
        return NULL;
    }
    if (r) {
        snprintf(r->damage, sizeof r->damage, "%s", why.text);
        r->classes = trace_has_class(r->reader);
        r->table = kit_text(put_header, r);
    }
    if (r && r->table)
        return r;
    kit_recording_close(r);
    return NULL;
}

void kit_recording_close(kit_recording *r)
{
    if (!r)
        return;
    trace_close(r->reader);
    free(r->table);
    free(r);
}

const char *kit_recording_table(const kit_recording *r)
{
    return r->table;
}

/* ---- cycles --------------------------------------------------------------------------- */

bool kit_recording_select(kit_recording *r, uint32_t sm, char *err)
{
    trace_err why = {.text = ""};

    if (trace_select_sm(r->reader, sm, &why))
        return true;
    snprintf(err, KIT_ERR, "%s", why.text);
    return false;
}

static kit_cycle cycle_of(const trace_reader *r, const sm_obs *obs, uint8_t ps_class)
{
    const unsigned launch = trace_launch_index(r);

    return (kit_cycle){
        .cycle = trace_cycle(r), .ws0 = obs->ws[0], .ws1 = obs->ws[1], .ws2 = obs->ws[2], .ws3 = obs->ws[3], .paused = obs->paused,
        .instructions = trace_launch_instructions(r), .launch = launch == TRACE_NO_LAUNCH ? 0 : launch + 1, .ctas_done = (uint32_t)trace_launch_ctas(r),
        .cta_active = obs->cta_active, .cta_start = obs->cta_start, .cta_done = obs->cta_done,
        .issued = (uint8_t)__builtin_popcountll(sm_obs_issued(obs)), .kernel_start = obs->kernel_start, .ps_class = ps_class};
}

static void put_cycle(void *const *columns, uint64_t at, const kit_cycle *c)
{
    unsigned n = 0;

#define PUT(type, name) ((type *)columns[n++])[at] = c->name;
    KIT_CYCLE(PUT)
}

int kit_recording_read(kit_recording *r, void *const *columns, uint64_t from, uint32_t most, char *err)
{
    trace_err why = {.text = ""};
    const sm_obs *obs = NULL;
    uint32_t n = 0;

    while (n < most && (obs = trace_next(r->reader, &why))) {
        uint8_t ps_class = TRACE_NO_CLASS;

        if (r->classes && !trace_recorded_class(r->reader, &ps_class, &why))
            break;
        put_cycle(columns, from + n++, &(kit_cycle[1]){cycle_of(r->reader, obs, ps_class)}[0]);
    }
    snprintf(err, KIT_ERR, "%s", why.text);
    return why.text[0] ? -1 : (int)n;
}
