/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/dispatch_rtl.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a difference in words -------------------------------------------------------- */

static void say(dispatch_rtl *r, const char *what)
{
    snprintf(r->err, sizeof r->err, "model and RTL differ: block %s, its cycle %" PRIu64 ": %s", r->block->name, r->cycles, what);
}

static bool say_port(dispatch_rtl *r, enum port_kind kind, const void *model, const void *rtl)
{
    for (unsigned p = 0; p < r->ports.num; p++) {
        const block_port *port = &r->ports.ports[p];
        char name[PORT_NAME + 4], what[PORT_NAME + 80];

        if (port->kind != kind || block_port_get(port, model) == block_port_get(port, rtl))
            continue;
        port_full_name(port, name, sizeof name);
        snprintf(what, sizeof what, "%s is %" PRIu64 " in the model, %" PRIu64 " in the RTL", name, block_port_get(port, model),
                 block_port_get(port, rtl));
        say(r, what);
        return true;
    }
    return false;
}

/* The cycle once more, and read back. */
static void explain(dispatch_rtl *r, const void *before, const void *in, const void *out, const void *after)
{
    const block_rtl *rtl = r->block->rtl;
    const char *assertion = rtl->assertion(r->rtl);

    if (assertion) {
        say(r, assertion);
        return;
    }
    rtl->load(r->rtl, before);
    rtl->settle(r->rtl, in);
    rtl->outputs(r->rtl, r->out);
    rtl->edge(r->rtl);
    rtl->registers(r->rtl, r->after);
    if (!say_port(r, PORT_OUT, out, r->out) && !say_port(r, PORT_REG, after, r->after))
        say(r, "not when the cycle is run again from the model's registers");
}

/* ---- cycles ----------------------------------------------------------------------- */

static void stepped(void *self, const void *before, const void *in, const void *out, const void *after)
{
    dispatch_rtl *r = self;

    if (!r->err[0] && !r->block->rtl->cycle_equal(r->rtl, in, out, after))
        explain(r, before, in, out, after);
    r->cycles++;
}

static void begin(void *self)
{
    dispatch_rtl *r = self;

    r->err[0] = '\0';
    r->cycles = 0;
    r->block->rtl->assertion(r->rtl); /* one that has fired in an earlier run */
    r->block->rtl->reset(r->rtl);
    if (!r->block->rtl->registers_equal(r->rtl, r->reset))
        say(r, "after reset");
}

static const char *differs(void *self, uint64_t cycle, const sm_obs *const *obs, const chip_governor_out *out)
{
    const dispatch_rtl *r = self;

    (void)cycle, (void)obs, (void)out;
    return r->err[0] ? r->err : NULL;
}

loop_tap dispatch_rtl_tap(dispatch_rtl *r)
{
    return (loop_tap){r, differs};
}

/* ---- open and close --------------------------------------------------------------- */

/* What a variant of the build is configured to. */
typedef union any_cfg {
    gwde_cfg gwde;
    mcke_cfg mcke;
    unsigned char bytes[BLOCK_MAX_STRUCT];
} any_cfg;

/* A variant of the build that is what the simulator's dispatcher is. */
static const block *find_variant(const char *name, const void *cfg, size_t size)
{
    for (const block *const *b = block_registry; *b; b++) {
        any_cfg its = {.bytes = {0}};
        char bad[64];

        if (strcmp((*b)->model->block_name, name) != 0)
            continue;
        (*b)->model->configure(&its, (*b)->params, bad, sizeof bad);
        if (!bad[0] && !memcmp(&its, cfg, size))
            return *b;
    }
    return NULL;
}

static bool create(dispatch_rtl *r, const void *cfg)
{
    const block_model *model = r->block->model;
    const block_sizes sizes = model->sizes(cfg);

    model->list_ports(cfg, &r->ports);
    r->out = calloc(1, sizes.out);
    r->after = calloc(1, sizes.state);
    r->reset = calloc(1, sizes.state);
    if (r->ports.failed || !r->out || !r->after || !r->reset)
        return false;
    model->reset(r->reset, cfg);
    r->rtl = r->block->rtl->create(1, cfg, &r->ports);
    return r->rtl != NULL;
}

bool dispatch_rtl_open(dispatch_rtl *r, chip_sim *sim, char *err)
{
    const sim_dispatcher d = sim_get_dispatcher(sim);

    memset(r, 0, sizeof *r);
    r->block = find_variant(d.block, d.cfg, d.cfg_size);
    if (!r->block) {
        snprintf(err, LOOP_ERR, "this build has no RTL of %s for %u SMs as %s has them, and %u kernels; add a variant to "
                 "tb/blocks/%s/variants, or take --side model", d.block, (unsigned)sim_machine(sim)->sms, sim_machine(sim)->name,
                 sim_kernels(sim), d.block);
        return false;
    }
    if (!create(r, d.cfg)) {
        snprintf(err, LOOP_ERR, "out of memory");
        dispatch_rtl_close(r);
        return false;
    }
    r->watch = (dispatch_watch){r, begin, stepped};
    sim_watch_dispatcher(sim, &r->watch);
    return true;
}

void dispatch_rtl_close(dispatch_rtl *r)
{
    if (r->rtl)
        r->block->rtl->destroy(r->rtl);
    port_list_free(&r->ports);
    free(r->out);
    free(r->after);
    free(r->reset);
    memset(r, 0, sizeof *r);
}
