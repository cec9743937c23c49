/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/scheduler_rtl.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a difference in words ---------------------------------------------------------- */

static void say_where(scheduler_rtl *r, unsigned sm, unsigned scheduler, const char *what)
{
    snprintf(r->err, sizeof r->err, "model and RTL differ: SM %u, scheduler %u, block %s: %s", sm, scheduler, r->block->name, what);
}

static bool say_port(scheduler_rtl *r, unsigned sm, unsigned scheduler, enum port_kind kind, const void *model, const void *rtl)
{
    for (unsigned p = 0; p < r->ports.num; p++) {
        const block_port *port = &r->ports.ports[p];
        char name[PORT_NAME + 4], what[PORT_NAME + 80];

        if (port->kind != kind || block_port_get(port, model) == block_port_get(port, rtl))
            continue;
        port_full_name(port, name, sizeof name);
        snprintf(what, sizeof what, "%s is %" PRIu64 " in the model, %" PRIu64 " in the RTL", name, block_port_get(port, model),
                 block_port_get(port, rtl));
        say_where(r, sm, scheduler, what);
        return true;
    }
    return false;
}

/* The cycle once more, and read back. */
static void explain(scheduler_rtl *r, unsigned sm, unsigned scheduler, const warp_scheduler_state *before,
                    const warp_scheduler_in *in, const warp_scheduler_out *out, const warp_scheduler_state *after)
{
    const block_rtl *rtl = r->block->rtl;
    void *one = r->rtl[sm * r->per_sm + scheduler];
    const char *assertion = rtl->assertion(one);
    warp_scheduler_out rtl_out = {.pick = 0};
    warp_scheduler_state rtl_after = {.last = 0};

    if (assertion) {
        say_where(r, sm, scheduler, assertion);
        return;
    }
    rtl->load(one, before);
    rtl->settle(one, in);
    rtl->outputs(one, &rtl_out);
    rtl->edge(one);
    rtl->registers(one, &rtl_after);
    if (!say_port(r, sm, scheduler, PORT_OUT, out, &rtl_out) && !say_port(r, sm, scheduler, PORT_REG, after, &rtl_after))
        say_where(r, sm, scheduler, "not when the cycle is run again");
}

/* ---- cycles ------------------------------------------------------------------------- */

static void stepped(void *self, unsigned sm, unsigned scheduler, const warp_scheduler_state *before, const warp_scheduler_in *in,
                    const warp_scheduler_out *out, const warp_scheduler_state *after)
{
    scheduler_rtl *r = self;

    if (!r->err[0] && !r->block->rtl->cycle_equal(r->rtl[sm * r->per_sm + scheduler], in, out, after))
        explain(r, sm, scheduler, before, in, out, after);
}

static void begin(void *self)
{
    scheduler_rtl *r = self;
    warp_scheduler_state state;

    r->err[0] = '\0';
    warp_scheduler_reset(&state, &r->cfg);
    for (unsigned i = 0; i < r->num && !r->err[0]; i++) {
        r->block->rtl->reset(r->rtl[i]);
        if (!r->block->rtl->registers_equal(r->rtl[i], &state))
            say_where(r, i / r->per_sm, i % r->per_sm, "after reset");
    }
}

static const char *differs(void *self, uint64_t cycle, const sm_obs *const *obs, const chip_governor_out *out)
{
    const scheduler_rtl *r = self;

    (void)cycle, (void)obs, (void)out;
    return r->err[0] ? r->err : NULL;
}

loop_tap scheduler_rtl_tap(scheduler_rtl *r)
{
    return (loop_tap){r, differs};
}

/* ---- open and close ----------------------------------------------------------------- */

/* A variant of the build that is what the machine's SMs have. */
static const block *find_block(const warp_scheduler_cfg *cfg)
{
    for (const block *const *b = block_registry; *b; b++) {
        warp_scheduler_cfg its;
        char bad[64];

        if (strcmp((*b)->model->block_name, "warp_scheduler") != 0)
            continue;
        (*b)->model->configure(&its, (*b)->params, bad, sizeof bad);
        if (!bad[0] && !memcmp(&its, cfg, sizeof its))
            return *b;
    }
    return NULL;
}

static bool create_all(scheduler_rtl *r)
{
    // NOLINTNEXTLINE(bugprone-sizeof-expression): it is an array of pointers
    r->rtl = calloc(r->num, sizeof *r->rtl);
    r->block->model->list_ports(&r->cfg, &r->ports);
    if (!r->rtl || r->ports.failed)
        return false;
    for (unsigned i = 0; i < r->num; i++)
        r->rtl[i] = r->block->rtl->create(i + 1, &r->cfg, &r->ports);
    return true;
}

bool scheduler_rtl_open(scheduler_rtl *r, chip_sim *sim, char *err)
{
    const machine *m = sim_machine(sim);

    memset(r, 0, sizeof *r);
    r->cfg = sm_scheduler_cfg(m);
    r->block = find_block(&r->cfg);
    r->per_sm = m->schedulers;
    r->num = m->sms * m->schedulers;
    if (!r->block) {
        snprintf(err, LOOP_ERR, "this build has no RTL of warp_scheduler with %u warps, %u CTA slots and fetch groups of %u, as %s has; "
                 "add a variant to tb/blocks/warp_scheduler/variants, or take --side model", (unsigned)r->cfg.num_warps,
                 (unsigned)r->cfg.num_slots, (unsigned)r->cfg.group_size, m->name);
        return false;
    }
    if (!create_all(r)) {
        snprintf(err, LOOP_ERR, "out of memory");
        scheduler_rtl_close(r);
        return false;
    }
    r->watch = (sm_watch){r, begin, stepped};
    sim_watch_schedulers(sim, &r->watch);
    return true;
}

void scheduler_rtl_close(scheduler_rtl *r)
{
    for (unsigned i = 0; r->rtl && i < r->num; i++)
        if (r->rtl[i])
            r->block->rtl->destroy(r->rtl[i]);
    free(r->rtl);
    port_list_free(&r->ports);
    memset(r, 0, sizeof *r);
}
