/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cta_play.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/dispatch.h"
#include "common/cta_needs.h"
#include "gpu/mix_dispatcher.h"
#include "recording/input.h"

enum { MOST_SMS = TRACE_MAX_SMS };
#define NEVER UINT64_MAX

static bool no_memory(trace_err *err, const char *path)
{
    return import_fail(err, path, UINT64_MAX, "out of memory");
}

/* False: what was made is freed. */
static bool whole(cta_spans *to, bool ok)
{
    if (!ok)
        cta_spans_free(to);
    return ok;
}

/* numbered: each launch is a kernel of its own, if there are several. */
static int kernel_of(cta_spans *to, const cta_source *from, unsigned launch, bool numbered)
{
    char name[CTA_KERNEL_NAME];

    if (numbered && from->list->num_launches > 1)
        snprintf(name, sizeof name, "%.50s %u", from->name, launch + 1);
    else
        snprintf(name, sizeof name, "%.60s", from->name);
    return cta_spans_kernel(to, name);
}

/* ---- pairs ------------------------------------------------------------------------ */

/* Of the CTAs of a grid in their order. */
typedef struct pairing {
    bcs_state bcs;
    uint32_t cta, pairs, pair;
} pairing;

static void begin_pairs(pairing *p, const bcs_cfg *cfg, const ballast_kernel_desc *desc)
{
    const bcs_in in = {.start = 1, .pairs = desc->is_2d, .width = desc->grid_x};
    bcs_out out;

    *p = (pairing){.cta = 0};
    bcs_reset(&p->bcs, cfg);
    bcs_step(&p->bcs, cfg, &in, &out);
}

static uint32_t next_pair(pairing *p, const bcs_cfg *cfg, const ballast_kernel_desc *desc)
{
    const bcs_in in = {.take = 1, .last = p->cta + 1 == desc->grid_ctas, .width = desc->grid_x};
    bcs_out out;

    bcs_step(&p->bcs, cfg, &in, &out);
    p->cta++;
    if (out.first)
        p->pair = p->pairs++;
    return out.first || out.second ? p->pair : CTA_ALONE;
}

static bool number_pairs(cta_spans *to, const cta_source *from, const bcs_cfg *cfg, const uint16_t *launch_of)
{
    for (unsigned l = 0; l < from->list->num_launches; l++) {
        const ballast_kernel_desc *desc = &from->list->launches[l].desc;
        uint32_t *pair = malloc(((size_t)desc->grid_ctas + 1) * sizeof *pair);
        pairing p;

        if (!pair)
            return false;
        begin_pairs(&p, cfg, desc);
        for (uint32_t cta = 0; cta < desc->grid_ctas; cta++)
            pair[cta] = next_pair(&p, cfg, desc);
        for (size_t i = 0; i < to->num; i++)
            if (launch_of[i] == l && to->span[i].cta < desc->grid_ctas)
                to->span[i].pair = pair[to->span[i].cta];
        free(pair);
    }
    return true;
}

/* ---- as recorded ------------------------------------------------------------------ */

typedef struct recorded {
    const cta_source *from;
    cta_spans *to;
    uint16_t *launch_of;                                /* of each span */
    size_t open[MOST_SMS][BALLAST_MAX_SLOTS];           /* 1 + the span in this slot, 0: none */
    uint32_t *next;                                     /* of each launch, the number of the next CTA that has none */
} recorded;

static bool refuse(const cta_source *from, const cta_event *e, const char *what, trace_err *err)
{
    return import_fail(err, from->path, UINT64_MAX, "SM %u, slot %u, cycle %" PRIu64 ": %s", e->sm, e->slot, e->cycle, what);
}

static bool take_launch(recorded *r, const cta_event *e, trace_err *err)
{
    size_t *open = &r->open[e->sm][e->slot];
    cta_span span = {.start = e->cycle, .end = NEVER, .cta = e->cta, .pair = CTA_ALONE, .sm = e->sm, .slot = e->slot};
    int kernel;

    if (*open)
        return refuse(r->from, e, "a CTA is launched into a slot that holds one", err);
    if (e->launch >= r->from->list->num_launches)
        return refuse(r->from, e, "a CTA is launched before the first kernel", err);
    if (span.cta == CTA_UNKNOWN)
        span.cta = r->next[e->launch]++;
    if (span.cta >= r->from->list->launches[e->launch].desc.grid_ctas)
        return refuse(r->from, e, "a CTA is launched that the grid does not have", err);
    kernel = kernel_of(r->to, r->from, e->launch, true);
    span.kernel = (uint16_t)kernel;
    if (kernel < 0 || !cta_spans_add(r->to, &span))
        return no_memory(err, r->from->path);
    *open = r->to->num;
    r->launch_of[r->to->num - 1] = e->launch;
    return true;
}

static bool take_exit(recorded *r, const cta_event *e, trace_err *err)
{
    size_t *open = &r->open[e->sm][e->slot];

    if (!*open)
        return refuse(r->from, e, "a CTA ends in a slot that holds none", err);
    r->to->span[*open - 1].end = e->cycle;
    *open = 0;
    return true;
}

static bool record(recorded *r, trace_err *err)
{
    const cta_list *list = r->from->list;
    bool ok = true;

    for (size_t i = 0; ok && i < list->num_events; i++)
        ok = (list->events[i].done ? take_exit : take_launch)(r, &list->events[i], err);
    for (size_t i = 0; i < r->to->num; i++)
        if (r->to->span[i].end == NEVER)
            r->to->span[i].end = list->events[list->num_events - 1].cycle;
    return ok && (r->to->num || import_fail(err, r->from->path, UINT64_MAX, "no CTA is launched in it"));
}

/* launch_of has room for an element per event. Not sorted. */
static bool record_into(cta_spans *to, const cta_source *from, uint16_t *launch_of, trace_err *err)
{
    recorded *r = calloc(1, sizeof *r);
    uint32_t *next = calloc(from->list->num_launches + 1u, sizeof *next);
    bool ok = false;

    *to = (cta_spans){.num = 0};
    err->text[0] = '\0';
    if (r && next && launch_of) {
        *r = (recorded){.from = from, .to = to, .launch_of = launch_of, .next = next};
        ok = record(r, err);
    } else {
        no_memory(err, from->path);
    }
    free(next);
    free(r);
    return ok;
}

static uint16_t *launch_numbers(const cta_list *list)
{
    return malloc((list->num_events + 1) * sizeof(uint16_t));
}

bool cta_play_recorded(cta_spans *to, const cta_source *from, const bcs_cfg *pairs, trace_err *err)
{
    uint16_t *launch_of = launch_numbers(from->list);
    bool ok = record_into(to, from, launch_of, err);

    if (ok && !number_pairs(to, from, pairs, launch_of))
        ok = no_memory(err, from->path);
    free(launch_of);
    return whole(to, ok && cta_spans_sort(to, from->path, err));
}

/* ---- the dispatchers ---------------------------------------------------------------- */

mcke_cfg cta_mcke(const raw_resources *have, const trace_geometry *geometry)
{
    const gwde_cfg alone = dispatch_gwde(have, geometry);

    return mix_dispatcher_mcke(&alone, CTA_PLAY_MOST);
}

/* ---- a dispatcher that runs free ---------------------------------------------------- */

/* The kernels of a recording, one after the other. */
typedef struct stream {
    const cta_source *from;
    uint64_t *length; /* of each CTA of each launch in turn */
    uint64_t *of;     /* that of the launch that runs       */
    unsigned next;    /* launch                             */
    pairing pairs;
} stream;

typedef struct launch {
    bool valid;
    unsigned stream, sm, slot;
    uint32_t cta;
} launch;

/* A cycle: in it kernel `starting` starts (NULL: none does), and what runs on SM i in the slots done[i] ends. Whether the start was
 * taken, and what is launched. */
typedef struct player player;
typedef bool (*cycle_of)(player *p, const trace_launch *starting, unsigned kernel, launch *out);

struct player {
    stream streams[CTA_PLAY_MOST];
    unsigned num_streams, sms, slots;
    cycle_of cycle;
    gwde_cfg gwde_cfg;
    gwde_state gwde;
    gwde_in gwde_in;
    mcke_cfg mcke_cfg;
    mcke_state mcke;
    mcke_in mcke_in;
    uint64_t now, ends[MOST_SMS][BALLAST_MAX_SLOTS];
    uint32_t done[MOST_SMS];
    cta_spans *to;
    trace_err *err;
};

/* The configured limit, as in cli/dispatch.c. */
static uint8_t limit_of(const cta_list *list, const trace_launch *l)
{
    return list->config_limit ? list->config_limit : l->limit;
}

static bool gwde_cycle(player *p, const trace_launch *starting, unsigned kernel, launch *out)
{
    gwde_in *in = &p->gwde_in;
    gwde_out seen;

    (void)kernel;
    in->start = starting != NULL;
    if (starting) {
        const ballast_cta_needs need = ballast_cta_needs_raw(&starting->desc);

        in->grid = starting->desc.grid_ctas;
        in->width = starting->desc.grid_x;
        in->two_d = starting->desc.is_2d;
        in->warps = (uint8_t)ballast_cta_need_of_port(need.warps, p->gwde_cfg.num_warps);
        in->regs = (uint16_t)ballast_cta_need_of_port(need.regs, p->gwde_cfg.reg_units);
        in->smem = (uint16_t)ballast_cta_need_of_port(need.smem, p->gwde_cfg.smem_units);
    }
    for (unsigned i = 0; i < p->sms; i++) {
        in->sm[i].cta_done = p->done[i];
        in->sm[i].limit = starting ? limit_of(p->streams[0].from->list, starting) : in->sm[i].limit;
    }
    gwde_step(&p->gwde, &p->gwde_cfg, in, &seen);
    *out = (launch){.valid = seen.start_valid, .sm = seen.start_sm, .slot = seen.start_slot, .cta = seen.start_cta};
    return starting && seen.idle;
}

static bool mcke_cycle(player *p, const trace_launch *starting, unsigned kernel, launch *out)
{
    mcke_in *in = &p->mcke_in;
    mcke_out seen;

    in->start = starting != NULL;
    in->kernel = (uint8_t)kernel;
    if (starting) {
        const ballast_cta_needs need = ballast_cta_needs_raw(&starting->desc);

        in->grid = starting->desc.grid_ctas;
        in->warps = (uint8_t)ballast_cta_need_of_port(need.warps, p->mcke_cfg.sm.num_warps);
        in->regs = (uint16_t)ballast_cta_need_of_port(need.regs, p->mcke_cfg.sm.reg_units);
        in->smem = (uint16_t)ballast_cta_need_of_port(need.smem, p->mcke_cfg.sm.smem_units);
    }
    for (unsigned i = 0; i < p->sms; i++)
        in->sm[i].cta_done = p->done[i];
    mcke_step(&p->mcke, &p->mcke_cfg, in, &seen);
    *out = (launch){.valid = seen.start_valid, .stream = seen.start_kernel, .sm = seen.start_sm, .slot = seen.start_slot, .cta = seen.start_cta};
    return starting && (seen.idle >> kernel & 1);
}

/* ---- lengths ---------------------------------------------------------------------- */

/* base[l]: where the lengths of launch l begin. */
static bool take_lengths(stream *s, const cta_spans *spans, const uint16_t *launch_of, const size_t *base, trace_err *err)
{
    const cta_list *list = s->from->list;

    for (size_t i = 0; i < spans->num; i++)
        s->length[base[launch_of[i]] + spans->span[i].cta] = spans->span[i].end - spans->span[i].start;
    for (unsigned l = 0; l < list->num_launches; l++)
        for (uint32_t cta = 0; cta < list->launches[l].desc.grid_ctas; cta++)
            if (s->length[base[l] + cta] == NEVER)
                return import_fail(err, s->from->path, UINT64_MAX, "CTA %" PRIu32 " of launch %u is not in it, so nothing says how long it takes",
                                   cta, l + 1);
    return true;
}

static size_t *bases_of(const cta_list *list, size_t *num)
{
    size_t *base = malloc((list->num_launches + 1u) * sizeof *base);

    *num = 0;
    for (unsigned l = 0; base && l < list->num_launches; l++) {
        base[l] = *num;
        *num += list->launches[l].desc.grid_ctas;
    }
    return base;
}

static bool measure(stream *s, trace_err *err)
{
    uint16_t *launch_of = launch_numbers(s->from->list);
    size_t num, *base = bases_of(s->from->list, &num);
    cta_spans spans;
    bool ok = record_into(&spans, s->from, launch_of, err);

    s->length = malloc((num + 1) * sizeof *s->length);
    for (size_t i = 0; s->length && i < num; i++)
        s->length[i] = NEVER;
    if (ok && base && s->length)
        ok = take_lengths(s, &spans, launch_of, base, err);
    else if (ok)
        ok = no_memory(err, s->from->path);
    s->of = s->length;
    cta_spans_free(&spans);
    free(base);
    free(launch_of);
    return ok;
}

/* ---- the loop ----------------------------------------------------------------------- */

/* The next kernel of a stream, if it is due. */
static const trace_launch *due(const player *p, unsigned s)
{
    const stream *one = &p->streams[s];
    const cta_list *list = one->from->list;

    return one->next < list->num_launches && list->launches[one->next].start_cycle <= p->now ? &list->launches[one->next] : NULL;
}

static void begin(player *p, unsigned s)
{
    stream *one = &p->streams[s];
    const cta_list *list = one->from->list;

    if (one->next)
        one->of += list->launches[one->next - 1].desc.grid_ctas;
    begin_pairs(&one->pairs, &p->gwde_cfg.bcs, &list->launches[one->next].desc);
    one->next++;
}

static bool put(player *p, const launch *l)
{
    stream *s = &p->streams[l->stream];
    const ballast_kernel_desc *desc = &s->from->list->launches[s->next - 1].desc;
    const uint64_t end = p->now + s->of[l->cta];
    const int kernel = kernel_of(p->to, s->from, s->next - 1, p->num_streams == 1);
    const cta_span span = {.start = p->now, .end = end, .cta = l->cta, .pair = next_pair(&s->pairs, &p->gwde_cfg.bcs, desc),
                           .kernel = (uint16_t)kernel, .sm = (uint16_t)l->sm, .slot = (uint8_t)l->slot};

    p->ends[l->sm][l->slot] = end > p->now ? end : p->now + 1; /* one that ends in the cycle of its launch does so in the next */
    return (kernel >= 0 && cta_spans_add(p->to, &span)) || no_memory(p->err, s->from->path);
}

/* The next cycle in which something ends or could start; NEVER: none. */
static uint64_t next_event(const player *p)
{
    uint64_t next = NEVER;

    for (unsigned i = 0; i < p->sms; i++)
        for (unsigned slot = 0; slot < p->slots; slot++)
            next = p->ends[i][slot] < next ? p->ends[i][slot] : next;
    for (unsigned s = 0; s < p->num_streams; s++) {
        const cta_list *list = p->streams[s].from->list;
        const unsigned n = p->streams[s].next;

        if (n < list->num_launches && list->launches[n].start_cycle > p->now && list->launches[n].start_cycle < next)
            next = list->launches[n].start_cycle;
    }
    return next;
}

static bool end_ctas(player *p)
{
    bool some = false;

    for (unsigned i = 0; i < p->sms; i++) {
        p->done[i] = 0;
        for (unsigned slot = 0; slot < p->slots; slot++)
            if (p->ends[i][slot] == p->now) {
                p->done[i] |= UINT32_C(1) << slot;
                p->ends[i][slot] = NEVER;
                some = true;
            }
    }
    return some;
}

/* One cycle; *calm: cycles in a row in which nothing has happened. The kernels that are due get their turn to start one per cycle. */
static bool step(player *p, unsigned *calm)
{
    const unsigned kernel = p->num_streams > 1 ? (unsigned)(p->now % p->num_streams) : 0;
    const trace_launch *starting = due(p, kernel);
    const bool ended = end_ctas(p);
    launch out;
    const bool taken = p->cycle(p, starting, kernel, &out);

    if (out.valid && !put(p, &out))
        return false;
    if (taken)
        begin(p, kernel);
    *calm = ended || taken || out.valid ? 0 : *calm + 1;
    return true;
}

static bool is_over(const player *p)
{
    bool over = true;

    for (unsigned s = 0; s < p->num_streams; s++)
        over = over && p->streams[s].next == p->streams[s].from->list->num_launches;
    return over;
}

/* An exit shows in a launch two cycles later, a start in one, and each kernel may start in every num_streams'th cycle: if nothing has
 * happened for so long, nothing does until the next exit or start. */
static bool play(player *p)
{
    enum { CALM = 4 + CTA_PLAY_MOST };
    unsigned calm = 0;

    memset(p->ends, 0xff, sizeof p->ends); /* NEVER */
    for (;; p->now++) {
        if (!step(p, &calm))
            return false;
        if (calm < CALM)
            continue;
        const uint64_t next = next_event(p);

        if (next == NEVER)
            break;
        p->now = next - 1;
        calm = 0;
    }
    return is_over(p) || import_fail(p->err, p->streams[0].from->path, UINT64_MAX, "a kernel has not come to an end");
}

static bool all_launched(const player *p, size_t *num)
{
    *num = 0;
    for (unsigned s = 0; s < p->num_streams; s++)
        for (unsigned l = 0; l < p->streams[s].from->list->num_launches; l++)
            *num += p->streams[s].from->list->launches[l].desc.grid_ctas;
    return p->to->num == *num;
}

static bool run(player *p, const cta_source *from)
{
    bool ok = true;
    size_t num;

    *p->to = (cta_spans){.num = 0};
    for (unsigned s = 0; ok && s < p->num_streams; s++) {
        p->streams[s].from = &from[s];
        ok = measure(&p->streams[s], p->err);
        if (p->num_streams > 1) /* in this order */
            ok = ok && (kernel_of(p->to, &from[s], 0, false) >= 0 || no_memory(p->err, from->path));
    }
    ok = ok && play(p);
    if (ok && !all_launched(p, &num))
        ok = import_fail(p->err, from->path, UINT64_MAX, "only %zu of %zu CTAs can be launched: the others need more than an SM has, or than "
                         "limits and quotas let them", p->to->num, num);
    for (unsigned s = 0; s < p->num_streams; s++)
        free(p->streams[s].length);
    return whole(p->to, ok && cta_spans_sort(p->to, from->path, p->err));
}

bool cta_play_alone(cta_spans *to, const cta_source *from, const gwde_cfg *cfg, bool pairs, trace_err *err)
{
    player *p = calloc(1, sizeof *p);
    bool ok;

    err->text[0] = '\0';
    if (!p)
        return no_memory(err, from->path);
    *p = (player){.num_streams = 1, .sms = cfg->num_sms, .slots = cfg->sm.num_slots, .cycle = gwde_cycle, .gwde_cfg = *cfg, .to = to, .err = err};
    gwde_reset(&p->gwde, cfg);
    p->gwde_in.bcs = pairs;
    for (unsigned i = 0; i < cfg->num_sms; i++)
        p->gwde_in.sm[i] = (gwde_sm_in){.req = 1};
    ok = run(p, from);
    free(p);
    return ok;
}

bool cta_play_mixed(cta_spans *to, const cta_source *from, const mcke_cfg *cfg, enum mcke_mode mode, const unsigned *quota, trace_err *err)
{
    player *p = calloc(1, sizeof *p);
    uint64_t quotas = 0;
    bool ok;

    err->text[0] = '\0';
    if (!p)
        return no_memory(err, from->path);
    *p = (player){.num_streams = CTA_PLAY_MOST, .sms = cfg->num_sms, .slots = cfg->sm.num_slots, .cycle = mcke_cycle,
                  .gwde_cfg = gwde_cfg_default(), .mcke_cfg = *cfg, .to = to, .err = err};
    mcke_reset(&p->mcke, cfg);
    p->mcke_in.mode = (uint8_t)mode;
    for (unsigned k = 0; k < CTA_PLAY_MOST; k++)
        quotas = ballast_cke_with_field(quotas, k, cfg->sm.num_slots, quota[k]);
    for (unsigned i = 0; i < cfg->num_sms; i++)
        p->mcke_in.sm[i] = (mcke_sm_in){.limit = (uint8_t)cfg->sm.num_slots, .req = 1, .quota = (uint32_t)quotas};
    ok = run(p, from);
    free(p);
    return ok;
}
