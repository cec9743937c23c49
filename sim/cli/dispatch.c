/* SPDX-License-Identifier: Apache-2.0
 *
 * The model takes every step itself. Before a launch of the recorder, a copy of it is asked by all SMs at once, and chooses in the
 * cycle after: that is its choice. Then the model is asked by the recorder's SM alone, so that both have launched the same.
 */
#include "cli/dispatch.h"

#include <stdlib.h>
#include <string.h>

#include "common/cta_needs.h"
#include "recording/input.h"

const char *const dispatch_kind_names[DISPATCH_KINDS] = {"same", "start", "limit", "room", "more", "once", "fresh", "order"};

enum { NO_LAUNCH = UINT16_MAX };

/* A slot of the recorder: where gwde has its CTA. */
enum { SLOT_EMPTY = 0xff, SLOT_WITHOUT = 0xfe /* gwde had no room for it */ };

enum { RING = GWDE_MAX_SMS * BALLAST_MAX_SLOTS }; /* CTAs that the model can hold */

typedef struct comparison {
    const cta_list *list;
    const char *path;
    gwde_cfg cfg;
    unsigned free_after;
    gwde_state gwde;
    unsigned launch;      /* that runs                                             */
    uint64_t begun;       /* in this cycle                                         */
    uint64_t busy_until;  /* the cycle of its last launch, if it launched one a cycle */
    unsigned resident;    /* CTAs of the recorder on all SMs                       */
    uint8_t slot[GWDE_MAX_SMS][BALLAST_MAX_SLOTS];
    struct leaving {
        uint64_t from; /* a launch in this cycle may use its room */
        uint16_t sm, slot;
    } leaving[RING]; /* CTAs that the recorder is rid of and the model is not yet, in a ring */
    unsigned first_leaving, num_leaving;
    uint64_t last_launch[GWDE_MAX_SMS], last_exit[GWDE_MAX_SMS]; /* 1 + the cycle, 0: none */
    dispatch_counts *counts;
    dispatch_note *note;
    void *context;
    trace_err *err;
} comparison;

/* ---- the model -------------------------------------------------------------------- */

/* Nobody asks, nothing ends. */
static gwde_in quiet(const comparison *c)
{
    const trace_launch *l = &c->list->launches[c->launch];
    const unsigned limit = c->list->config_limit ? c->list->config_limit : l->limit;
    const ballast_cta_needs need = ballast_cta_needs_raw(&l->desc);
    gwde_in in = {.grid = l->desc.grid_ctas};

    in.warps = (uint8_t)ballast_cta_need_of_port(need.warps, c->cfg.num_warps);
    in.regs = (uint16_t)ballast_cta_need_of_port(need.regs, c->cfg.reg_units);
    in.smem = (uint16_t)ballast_cta_need_of_port(need.smem, c->cfg.smem_units);
    for (unsigned i = 0; i < c->cfg.num_sms; i++)
        in.sm[i].limit = (uint8_t)limit;
    return in;
}

static gwde_out step(comparison *c, const gwde_in *in)
{
    gwde_out out;

    gwde_step(&c->gwde, &c->cfg, in, &out);
    return out;
}

static void begin_kernel(comparison *c, const cta_event *e)
{
    gwde_in in;

    c->launch = e->launch;
    c->begun = e->cycle;
    c->num_leaving = 0; /* the model begins anew */
    in = quiet(c);
    in.start = 1;
    gwde_reset(&c->gwde, &c->cfg);
    step(c, &in);
    in.start = 0;
    for (unsigned n = 0; n < c->cfg.sm.num_slots; n++) /* it counts how many CTAs fit */
        step(c, &in);
}

/* Who gets the next CTA if all ask. The model stays as it is. */
static unsigned choice(const comparison *c)
{
    gwde_state state = c->gwde;
    gwde_in in = quiet(c);
    gwde_out out;

    for (unsigned i = 0; i < c->cfg.num_sms; i++)
        in.sm[i].req = 1;
    gwde_step(&state, &c->cfg, &in, &out);
    state.ptr = c->gwde.ptr; /* the turn of the recorder's cycle */
    gwde_step(&state, &c->cfg, &in, &out);
    return state.start_valid ? state.start_sm : DISPATCH_NOBODY;
}

/* The model launches where the recorder did. What it shows then, or no launch, if it has no room there: the CTA and the turn go
 * on without it. */
static gwde_out follow(comparison *c, unsigned sm)
{
    gwde_in in = quiet(c);
    gwde_out shown;

    in.sm[sm].req = 1;
    step(c, &in);
    in.sm[sm].req = 0;
    step(c, &in);
    shown = step(c, &in);
    if (!shown.start_valid) {
        c->gwde.cta++;
        if (c->cfg.fill == GWDE_FILL_RR)
            c->gwde.ptr = (uint8_t)((sm + 1) % c->cfg.num_sms);
    }
    return shown;
}

/* One exit in a cycle: what it held has returned in the next. */
static void give_back(comparison *c, unsigned sm, unsigned slot)
{
    gwde_in in = quiet(c);

    in.sm[sm].cta_done = UINT32_C(1) << slot;
    step(c, &in);
}

/* What a launch in this cycle may use. */
static void give_back_until(comparison *c, uint64_t cycle)
{
    for (; c->num_leaving && c->leaving[c->first_leaving].from <= cycle; c->num_leaving--) {
        const struct leaving *l = &c->leaving[c->first_leaving];

        give_back(c, l->sm, l->slot);
        c->first_leaving = (c->first_leaving + 1) % RING;
    }
}

static void leave(comparison *c, const cta_event *e, unsigned slot)
{
    if (c->free_after < 2) { /* in the order of the list */
        give_back(c, e->sm, slot);
        return;
    }
    c->leaving[(c->first_leaving + c->num_leaving++) % RING] =
        (struct leaving){.from = e->cycle + c->free_after, .sm = (uint16_t)e->sm, .slot = (uint16_t)slot};
}

/* ---- a launch --------------------------------------------------------------------- */

static enum dispatch_kind why_other(const comparison *c, const cta_event *e, unsigned chosen, unsigned held, bool room)
{
    const trace_launch *l = &c->list->launches[c->launch];
    const unsigned limit = c->list->config_limit ? c->list->config_limit : l->limit;

    if (!room)
        return held >= limit ? DISPATCH_LIMIT : DISPATCH_ROOM;
    if (chosen == e->sm)
        return DISPATCH_SAME;
    if (c->gwde.sm[chosen].count >= l->limit)
        return DISPATCH_MORE;
    if (c->counts[c->launch].ctas == 0)
        return DISPATCH_START;
    if (c->last_launch[chosen] == e->cycle + 1)
        return DISPATCH_ONCE;
    if (c->last_exit[chosen] && e->cycle + 1 - c->last_exit[chosen] <= DISPATCH_FRESH_CYCLES)
        return DISPATCH_FRESH;
    return DISPATCH_ORDER;
}

static void count(comparison *c, const dispatch_difference *d, bool other_slot, bool other_cta)
{
    dispatch_counts *sum = &c->counts[c->launch];
    const uint64_t now = d->recorder->cycle;

    c->busy_until = sum->ctas && c->busy_until >= now ? c->busy_until + 1 : now;
    if (c->busy_until > now) {
        sum->late++;
        if (c->busy_until - now > sum->latest)
            sum->latest = c->busy_until - now;
    }
    sum->ctas++;
    sum->kind[d->kind]++;
    sum->other_slot += other_slot;
    sum->other_cta += other_cta;
    if (c->note && (d->kind != DISPATCH_SAME || other_slot || other_cta))
        c->note(c->context, d);
}

static void compare_launch(comparison *c, const cta_event *e)
{
    dispatch_difference d = {.recorder = e, .slot = BALLAST_MAX_SLOTS};
    gwde_out shown;
    unsigned held;
    bool room;

    if (c->cfg.fill == GWDE_FILL_RR && c->cfg.rr_advance == GWDE_EVERY_CYCLE)
        c->gwde.ptr = (uint8_t)((e->cycle - c->begun) % c->cfg.num_sms);
    give_back_until(c, e->cycle);
    d.sm = choice(c);
    held = c->gwde.sm[e->sm].count;
    d.cta = c->gwde.cta;
    shown = follow(c, e->sm);
    room = shown.start_valid;
    if (room) {
        d.slot = shown.start_slot;
        d.cta = shown.start_cta;
    }
    c->slot[e->sm][e->slot] = room ? shown.start_slot : SLOT_WITHOUT;
    d.kind = why_other(c, e, d.sm, held, room);
    count(c, &d, room && d.sm == e->sm && d.slot != e->slot, e->cta != CTA_UNKNOWN && e->cta != d.cta);
    c->last_launch[e->sm] = e->cycle + 1;
}

/* ---- the list --------------------------------------------------------------------- */

static bool wrong(const comparison *c, const cta_event *e, const char *what)
{
    return import_fail(c->err, c->path, UINT64_MAX, "SM %u, slot %u, cycle %llu: %s", e->sm, e->slot, (unsigned long long)e->cycle, what);
}

static bool take_launch(comparison *c, const cta_event *e)
{
    if (c->slot[e->sm][e->slot] != SLOT_EMPTY)
        return wrong(c, e, "a CTA is launched into a slot that holds one");
    if (e->launch >= c->list->num_launches)
        return wrong(c, e, "a CTA is launched before the first kernel");
    if (e->launch != c->launch && c->resident)
        return wrong(c, e, "a CTA is launched while those of another kernel run; the dispatcher has one kernel at a time");
    if (c->launch != NO_LAUNCH && e->launch < c->launch)
        return wrong(c, e, "a CTA is launched of a kernel that was over when the last one began");
    if (e->launch != c->launch)
        begin_kernel(c, e);
    if (c->counts[c->launch].ctas == c->list->launches[c->launch].desc.grid_ctas)
        return wrong(c, e, "more CTAs than the grid has");
    if (e->cta != CTA_UNKNOWN && e->cta >= c->list->launches[c->launch].desc.grid_ctas)
        return wrong(c, e, "a CTA is launched that the grid does not have");
    compare_launch(c, e);
    c->resident++;
    return true;
}

static bool take_exit(comparison *c, const cta_event *e)
{
    uint8_t *slot = &c->slot[e->sm][e->slot];

    if (*slot == SLOT_EMPTY)
        return wrong(c, e, "a CTA ends in a slot that holds none");
    if (*slot != SLOT_WITHOUT)
        leave(c, e, *slot);
    *slot = SLOT_EMPTY;
    c->last_exit[e->sm] = e->cycle + 1;
    c->resident--;
    return true;
}

bool dispatch_compare(const cta_list *list, const dispatch_how *how, const char *path, dispatch_counts *counts, dispatch_note *note,
                      void *context, trace_err *err)
{
    comparison *c = calloc(1, sizeof *c);
    bool ok = c != NULL;

    err->text[0] = '\0';
    memset(counts, 0, list->num_launches * sizeof *counts);
    if (!c)
        return import_fail(err, path, UINT64_MAX, "out of memory");
    *c = (comparison){.list = list, .path = path, .cfg = how->cfg, .free_after = how->free_after, .launch = NO_LAUNCH, .counts = counts, .note = note, .context = context,
                      .err = err};
    c->cfg.num_sms = list->geometry.sms;
    memset(c->slot, SLOT_EMPTY, sizeof c->slot);
    for (size_t i = 0; ok && i < list->num_events; i++)
        ok = (list->events[i].done ? take_exit : take_launch)(c, &list->events[i]);
    if (ok && c->launch == NO_LAUNCH)
        ok = import_fail(err, path, UINT64_MAX, "no CTA is launched in it");
    for (unsigned i = 0; i < list->num_launches; i++)
        counts[i].absent = list->launches[i].desc.grid_ctas - counts[i].ctas;
    free(c);
    return ok;
}

void dispatch_add(dispatch_counts *to, const dispatch_counts *counts)
{
    to->ctas += counts->ctas;
    for (unsigned i = 0; i < DISPATCH_KINDS; i++)
        to->kind[i] += counts->kind[i];
    to->other_slot += counts->other_slot;
    to->other_cta += counts->other_cta;
    to->absent += counts->absent;
    to->late += counts->late;
    if (counts->latest > to->latest)
        to->latest = counts->latest;
}
