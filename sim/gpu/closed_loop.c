/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/closed_loop.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/chip_governor/decisions.h"
#include "replay/interrupt.h"

enum { LOOK = 4096 }; /* cycles between two looks at Ctrl-C */

/* Before the first cycle nobody has decided anything. */
static void forget(closed_loop *loop)
{
    memset(&loop->control, 0, sizeof loop->control);
    loop->control.sm_level = loop->control.mem_level = BALLAST_VF_NORMAL;
    loop->obs = NULL;
    loop->cycles = 0;
    loop->finished = false;
    loop->err[0] = '\0';
}

void closed_loop_open(closed_loop *loop, chip_sim *sim, const run_request *request)
{
    memset(loop, 0, sizeof *loop);
    loop->sim = sim;
    loop->request = request;
    loop->chip = "chip_governor";
    forget(loop);
}

void closed_loop_tap(closed_loop *loop, loop_tap tap)
{
    if (loop->num_taps < LOOP_TAPS)
        loop->taps[loop->num_taps++] = tap;
}

static bool show(closed_loop *loop, const sm_obs *const *obs, const chip_governor_out *out)
{
    for (unsigned t = 0; t < loop->num_taps; t++) {
        const char *why = loop->taps[t].cycle(loop->taps[t].self, loop->cycles - 1, obs, out);

        if (why) {
            snprintf(loop->err, sizeof loop->err, "%s", why);
            return false;
        }
    }
    return true;
}

static bool at_max(const closed_loop *loop)
{
    return loop->request->max_cycles && loop->cycles >= loop->request->max_cycles;
}

/* The levels that the request holds, in place of those voted. */
static void hold_levels(const run_request *request, sim_control *control)
{
    if (request->sm_level >= 0)
        control->sm_level = (uint8_t)request->sm_level;
    if (request->mem_level >= 0)
        control->mem_level = (uint8_t)request->mem_level;
}

/* ---- as a stimulus ---------------------------------------------------------------- */

static const sm_obs *const *next(void *self, const feedback *last)
{
    closed_loop *loop = self;
    const chip_governor_out *out = last->out;

    if (loop->obs && !loop->tapped && !show(loop, loop->obs, out))
        return NULL;
    if (at_max(loop))
        return NULL;
    if (out)
        governed_control(&loop->control, out, sim_machine(loop->sim)->sms);
    hold_levels(loop->request, &loop->control);
    loop->obs = sim_step(loop->sim, &loop->control);
    loop->finished = !loop->obs;
    loop->cycles += !loop->finished;
    return loop->obs;
}

static uint64_t cycle(void *self)
{
    return ((const closed_loop *)self)->cycles - 1;
}

static int rewind_to_start(void *self)
{
    closed_loop *loop = self;

    loop->tapped = loop->tapped || loop->cycles > 0;
    forget(loop);
    if (sim_rewind(loop->sim))
        return 1;
    snprintf(loop->err, sizeof loop->err, "out of memory");
    return 0;
}

static const char *error(void *self)
{
    return ((const closed_loop *)self)->err;
}

stimulus closed_loop_stimulus(closed_loop *loop)
{
    return (stimulus){loop, next, cycle, rewind_to_start, error};
}

/* ---- with the models alone -------------------------------------------------------- */

/* The registers of the SMs that the chip has. */
static size_t state_bytes(const governed *g)
{
    return offsetof(chip_governor_state, sm) + g->cfg.num_sms * sizeof g->state.sm[0];
}

/* The decisions that are logged, and the registers before the edge that they are told from. */
typedef struct logging {
    decision_log *log;
    decisions taken;
    unsigned count;
    chip_governor_state before;
} logging;

static const sm_obs *const *own_logged_step(const closed_loop *loop, governed *g, logging *l)
{
    const sm_obs *const *obs;

    decisions_clear(&l->taken);
    obs = governed_step_own(g, &l->taken);
    decision_log_add(l->log, SIDE_MODEL, own_chip_name(g->own), loop->cycles, &l->taken);
    return obs;
}

/* The same records as the lockstep engine's observer gives. */
static const sm_obs *const *logged_step(const closed_loop *loop, governed *g, logging *l)
{
    const sm_obs *const *obs;

    if (g->own)
        return own_logged_step(loop, g, l);
    memcpy(&l->before, &g->state, state_bytes(g));
    obs = governed_step(g);
    if (obs && chip_governor_decides(&g->cfg, &l->before, &g->in, &g->out, &g->state)) {
        decisions_clear(&l->taken);
        chip_governor_describe(&l->taken, &l->count, &g->cfg, &l->before, &g->in, &g->out, &g->state);
        decision_log_add(l->log, SIDE_MODEL, loop->chip, loop->cycles, &l->taken);
    }
    return obs;
}

static bool play_models(closed_loop *loop, governed *g, logging *l)
{
    while (!at_max(loop)) {
        if (loop->cycles % LOOK == 0 && interrupted)
            return false;
        hold_levels(loop->request, &g->control);
        loop->obs = l->log ? logged_step(loop, g, l) : governed_step(g);
        if (g->failed) {
            snprintf(loop->err, sizeof loop->err, "%s", interrupted ? "" : own_chip_error(g->own));
            return false;
        }
        if (!loop->obs) {
            loop->finished = true;
            break;
        }
        loop->cycles++;
        if (!show(loop, loop->obs, &g->out))
            return false;
    }
    return true;
}

bool closed_loop_models(closed_loop *loop, governed *g, decision_log *log)
{
    logging *l = calloc(1, sizeof *l);
    bool ok = l != NULL;

    forget(loop);
    if (!ok)
        snprintf(loop->err, sizeof loop->err, "out of memory");
    if (ok) {
        l->log = log;
        g->each = log != NULL;
        ok = play_models(loop, g, l);
        governed_settle(g);
        decisions_free(&l->taken);
    }
    free(l);
    return ok;
}
