/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/loop_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TELL = 4096 }; /* cycles between two looks at the progress */

/* ---- the chip --------------------------------------------------------------------- */

static bool configure(chip_governor_cfg *cfg, const block *chip, char *err)
{
    char bad[64];

    chip->model->configure(cfg, chip->params, bad, sizeof bad);
    if (bad[0])
        snprintf(err, LOOP_ERR, "block %s: parameter '%s' is not known to its model", chip->name, bad);
    return !bad[0];
}

bool loop_fits(const block *chip, const machine *m, char *err)
{
    chip_governor_cfg cfg;

    if (strcmp(chip->model->block_name, "chip_governor") != 0) {
        snprintf(err, LOOP_ERR, "block %s is no chip; 'ballast blocks' lists the variants of ballast", chip->name);
        return false;
    }
    if (!configure(&cfg, chip, err))
        return false;
    if (cfg.num_sms == m->sms && cfg.sm.num_warps == m->warps && cfg.sm.num_slots == m->slots &&
        cfg.sm.issue_width == m->schedulers)
        return true;
    snprintf(err, LOOP_ERR,
             "block %s has %u SMs of %u warps, %u CTA slots, %u schedulers, but %s has %u of %u, %u, %u; choose another "
             "--block, --sms or build (make CONFIG=...); --side model without --block runs any machine", chip->name,
             (unsigned)cfg.num_sms, (unsigned)cfg.sm.num_warps, (unsigned)cfg.sm.num_slots, (unsigned)cfg.sm.issue_width, m->name, (unsigned)m->sms, (unsigned)m->warps,
             (unsigned)m->slots, (unsigned)m->schedulers);
    return false;
}

/* ---- open ------------------------------------------------------------------------- */

/* In the loop instead of the models, in a state as if it had seen nothing. */
static bool open_own(loop_run *r, char *err)
{
    const own_policy *policy = r->job->request.own;

    if (!policy)
        return true;
    own_chip_close(r->own);
    r->own = own_chip_open(policy, &r->models->cfg, err);
    if (r->own)
        own_chip_clocks(r->own, r->job->request.mode, r->job->request.sm_level, r->job->request.mem_level);
    r->models->own = r->own;
    return r->own != NULL;
}

static bool open_models(loop_run *r, char *err)
{
    const run_request *request = &r->job->request;

    governed_open(r->models, r->sim);
    r->models->in.policy = request->policy;
    r->models->in.kernel_id = request->mix.num_others == 0; /* of a mix nobody can say whose kernel starts */
    r->models->in.static_limit = request->static_limit;
    r->models->in.mode = request->mode;
    if (!r->job->chip)
        return open_own(r, err);
    if (!loop_fits(r->job->chip, &request->machine, err) || !configure(&r->models->cfg, r->job->chip, err))
        return false;
    chip_governor_reset(&r->models->state, &r->models->cfg);
    return open_own(r, err);
}

static bool open_sim(loop_run *r, char *err)
{
    const run_request *request = &r->job->request;

    r->sim = sim_open_mix(&request->machine, &request->workload, request->mix.num_others ? &request->mix : NULL, request->seed, err,
                          LOOP_ERR);
    if (!r->sim)
        return false;
    sim_pair_ctas(r->sim, request->bcs);
    r->models = malloc(sizeof *r->models);
    r->starts = calloc(1, sizeof *r->starts);
    if (!r->models || !r->starts) {
        snprintf(err, LOOP_ERR, "out of memory");
        return false;
    }
    return open_models(r, err);
}

/* One launch starts at once; where the others do, only a pass of its own can say. */
static bool find_starts(loop_run *r, char *err)
{
    closed_loop pass;

    if (r->job->request.workload.launches == 1) {
        r->starts->num = 1;
        return true;
    }
    closed_loop_open(&pass, r->sim, &r->job->request);
    closed_loop_tap(&pass, launch_starts_tap(r->starts));
    if (!closed_loop_models(&pass, r->models, NULL)) {
        memcpy(err, pass.err, LOOP_ERR);
        return false;
    }
    if (!sim_rewind(r->sim)) {
        snprintf(err, LOOP_ERR, "out of memory");
        return false;
    }
    return open_models(r, err);
}

static bool open_record(loop_run *r, char *err)
{
    const loop_job *job = r->job;
    trace_err why = {.text = ""};

    if (!job->record)
        return true;
    if (job->request.mix.num_others) {
        snprintf(err, LOOP_ERR, "several kernels at once are not recorded: a recording has one at a time");
        return false;
    }
    if (!find_starts(r, err))
        return false;
    r->record = sim_record_open(job->record, &job->request, r->starts, job->record_sms, job->num_record_sms, &why);
    snprintf(err, LOOP_ERR, "%s", why.text);
    return r->record != NULL;
}

static bool open_ctas(loop_run *r, char *err)
{
    if (r->job->ctas)
        r->ctas = cta_log_open(r->sim);
    if (!r->job->ctas || r->ctas)
        return true;
    snprintf(err, LOOP_ERR, "out of memory");
    return false;
}

static void release(loop_run *r)
{
    sim_record_abort(r->record);
    cta_log_close(r->ctas, NULL);
    free(r->starts);
    own_chip_close(r->own);
    free(r->models);
    sim_close(r->sim);
    dispatch_rtl_close(&r->dispatch);
    scheduler_rtl_close(&r->schedulers);
    memset(r, 0, sizeof *r);
}

/* Rewrites one line. */
static const char *tell_progress(void *self, uint64_t cycle, const sm_obs *const *obs, const chip_governor_out *out)
{
    loop_run *r = self;
    int percent;

    (void)obs;
    (void)out;
    if (cycle % TELL)
        return NULL;
    percent = (int)(100 * sim_progress(r->sim));
    if (percent != r->percent)
        fprintf(r->job->progress, "\r%3d %% of the CTAs", percent);
    r->percent = percent;
    return NULL;
}

static void wipe_progress(loop_run *r)
{
    if (r->percent >= 0)
        fprintf(r->job->progress, "\r\033[K");
    r->percent = -1;
}

static const char *watch_cycle(void *self, uint64_t cycle, const sm_obs *const *obs, const chip_governor_out *out)
{
    (void)cycle;
    run_watch_cycle(self, obs, out);
    return NULL;
}

static bool open_rtl(loop_run *r, char *err)
{
    return scheduler_rtl_open(&r->schedulers, r->sim, err) && dispatch_rtl_open(&r->dispatch, r->sim, err);
}

static void tap_rtl(loop_run *r)
{
    closed_loop_tap(&r->loop, scheduler_rtl_tap(&r->schedulers));
    closed_loop_tap(&r->loop, dispatch_rtl_tap(&r->dispatch));
}

/* Who wants to see all CTAs, and a policy of one's own, of which nobody knows what it will do, get all of them. */
static bool leaves_out(const loop_job *job)
{
    return job->request.steady && !job->rtl && !job->record && !job->ctas && !job->request.own;
}

bool loop_run_open(loop_run *r, const loop_job *job, char *err)
{
    memset(r, 0, sizeof *r);
    r->job = job;
    err[0] = '\0';
    if (!open_sim(r, err) || !open_record(r, err) || !open_ctas(r, err) || (job->rtl && !open_rtl(r, err))) {
        release(r);
        return false;
    }
    run_watch_begin(&r->watch, &job->request.machine);
    closed_loop_open(&r->loop, r->sim, &job->request);
    if (job->chip)
        r->loop.chip = job->chip->name;
    if (job->rtl)
        tap_rtl(r);
    closed_loop_tap(&r->loop, (loop_tap){&r->watch, watch_cycle});
    if (leaves_out(job)) {
        steady_open(&r->steady, r->sim, &r->watch, &job->request);
        closed_loop_tap(&r->loop, steady_tap(&r->steady));
    }
    if (r->record)
        closed_loop_tap(&r->loop, sim_record_tap(r->record));
    if (r->ctas)
        closed_loop_tap(&r->loop, cta_log_tap(r->ctas));
    r->percent = -1;
    if (job->progress)
        closed_loop_tap(&r->loop, (loop_tap){r, tell_progress});
    return true;
}

/* ---- close ------------------------------------------------------------------------ */

bool loop_run_close(loop_run *r, bool keep, run_result *result, char *err)
{
    trace_err why = {.text = ""};
    bool ok = true;

    wipe_progress(r);
    memset(result, 0, sizeof *result);
    run_watch_conclude(&r->watch, r->sim, result);
    result->finished = r->loop.finished;
    if (r->record && keep) {
        ok = sim_record_close(r->record, &why);
        r->record = NULL;
        if (!ok)
            snprintf(err, LOOP_ERR, "%s", why.text);
    }
    if (keep && ok) {
        cta_log_close(r->ctas, r->job->ctas);
        r->ctas = NULL;
    }
    release(r);
    return ok;
}

bool loop_run_models(const loop_job *job, decision_log *log, run_result *result, char *err)
{
    loop_run r;
    bool ok;

    if (!loop_run_open(&r, job, err))
        return false;
    ok = closed_loop_models(&r.loop, r.models, log);
    snprintf(err, LOOP_ERR, "%s", r.loop.err);
    return loop_run_close(&r, ok, result, err) && ok;
}
