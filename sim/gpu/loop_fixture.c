/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/loop_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/suite_fixture.h"

enum { SETTINGS = 3, SETTING = 64 };

/* ---- what a run was like ---------------------------------------------------------- */

static uint64_t mix(uint64_t digest, uint64_t value)
{
    digest = (digest ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return digest ^ digest >> 29;
}

uint64_t bus_digest(uint64_t d, const sm_obs *o, bool recorded)
{
    for (unsigned p = 0; p < BALLAST_STATE_PLANES; p++)
        d = mix(d, o->ws[p]);
    d = mix(mix(d, o->paused), (uint64_t)o->cta_active << 32 | o->cta_start);
    d = mix(d, (uint64_t)o->cta_done << 32 | (uint64_t)(recorded ? 0 : o->cta_denied) << 8 | o->kernel_start);
    d = mix(d, (uint64_t)o->setup->kernel.grid_ctas << 32 | o->setup->kernel.smem_per_cta);
    d = mix(d, (uint64_t)o->setup->kernel.threads_per_cta << 48 | (uint64_t)o->setup->kernel.regs_per_thread << 32 |
                   (uint64_t)o->setup->kernel.warps_per_cta << 24 | (uint64_t)o->setup->kernel.nmax << 16 | o->setup->kernel.is_2d);
    for (unsigned w = 0; w < BALLAST_MAX_WARPS; w++)
        d = mix(d, o->setup->warp_slot[w]);
    return d;
}

static uint64_t outputs_digest(uint64_t d, const chip_governor_out *out, unsigned sms)
{
    d = mix(d, (uint64_t)out->sm_level << 32 | (uint64_t)out->mem_level << 24 | (uint64_t)out->sm_busy << 16 |
                   (uint64_t)out->mem_busy << 8 | (uint64_t)out->sm_stall << 1 | out->mem_stall);
    for (unsigned i = 0; i < sms; i++)
        d = mix(d, (uint64_t)out->sm[i].cta_paused << 32 | (uint64_t)out->sm[i].limit << 24 |
                       (uint64_t)out->sm[i].pause_soft << 16 | (uint64_t)out->sm[i].req << 8 | out->sm[i].done);
    return d;
}

static void note_changes(loop_trail *t, const sm_obs *const *obs, const chip_governor_out *out)
{
    bool limit = false, paused = false, denied = false;

    for (unsigned i = 0; i < t->sms; i++) {
        limit |= out->sm[i].limit != t->before.sm[i].limit;
        paused |= obs[i]->paused != 0;
        denied |= obs[i]->cta_denied != 0;
        t->before.sm[i] = out->sm[i];
    }
    t->limit_changes += limit;
    t->pauses += paused;
    t->denials += denied;
    t->level_changes += t->cycles && (out->sm_level != t->before.sm_level || out->mem_level != t->before.mem_level);
    t->before.sm_level = out->sm_level;
    t->before.mem_level = out->mem_level;
}

static const char *trail_cycle(void *self, uint64_t cycle, const sm_obs *const *obs, const chip_governor_out *out)
{
    loop_trail *t = self;

    assert_int_equal(cycle, t->cycles);
    for (unsigned i = 0; i < t->sms; i++)
        t->digest = bus_digest(t->digest, obs[i], false);
    t->digest = outputs_digest(t->digest, out, t->sms);
    note_changes(t, obs, out);
    t->cycles++;
    return t->fail_at && t->fail_at == cycle ? "the tap was told to fail" : NULL;
}

loop_tap trail_tap(loop_trail *trail, unsigned sms)
{
    memset(trail, 0, sizeof *trail);
    trail->sms = sms;
    return (loop_tap){trail, trail_cycle};
}

/* ---- a chip and a kernel ---------------------------------------------------------- */

/* Few registers: the CTA slots are the limit. Short CTAs and many of them, because Perf-Sat's samples are as
 * many CTA times long as there are slots. The working set of all CTAs does not fit the L1. */
static workload some_kernel(const machine *m)
{
    return (workload){.name = "some", .ctas = m->sms * m->slots * m->slots,
                      .threads_per_cta = 32 * (m->warps / m->slots), .regs_per_thread = 8, .launches = 1,
                      .insts = 110, .spread = 0.3, .loads = 0.12, .stores = 0.02, .sfu = 0.02, .branches = 0.05,
                      .barrier_every = 50, .alu_distance = 3, .load_distance = 3, .lines = 2,
                      .cta_reuse = 0.7, .cta_set = 60, .footprint = 1};
}

loop_job job_of(const char *chip)
{
    loop_job job = {.chip = block_find(chip)};
    machine *m = &job.request.machine;
    chip_governor_cfg cfg;
    char bad[64];

    assert_non_null(job.chip);
    job.chip->model->configure(&cfg, job.chip->params, bad, sizeof bad);
    assert_string_equal(bad, "");
    *m = *machine_find("fermi");
    m->sms = cfg.num_sms;
    m->warps = cfg.sm.num_warps;
    m->slots = cfg.sm.num_slots;
    m->schedulers = cfg.sm.issue_width;
    m->dram_channels = m->sms < 6 ? 1 : 6;
    job.request.workload = some_kernel(m);
    job.request.seed = 7;
    job.request.mode = BALLAST_VF_PERFORMANCE;
    job.request.sm_level = job.request.mem_level = -1;
    return job;
}

/* ---- playing ---------------------------------------------------------------------- */

static void begin(const loop_job *job, uint64_t fail_at, loop_run *run, loop_result *r)
{
    session_result_free(&r->session);
    free(r->log);
    memset(r, 0, sizeof *r);
    r->ok = loop_run_open(run, job, r->err);
    if (!r->ok)
        return;
    closed_loop_tap(&run->loop, trail_tap(&r->trail, job->request.machine.sms));
    r->trail.fail_at = fail_at;
}

void play_models_of(const loop_job *job, uint64_t fail_at, loop_result *r)
{
    decision_log log;
    loop_run run;

    assert_true(decision_log_open(&log, job->request.machine.sms, 0));
    begin(job, fail_at, &run, r);
    if (r->ok) {
        r->ok = closed_loop_models(&run.loop, run.models, &log);
        snprintf(r->err, sizeof r->err, "%s", run.loop.err);
        r->ok &= loop_run_close(&run, r->ok, &r->result, r->err);
        r->log = decision_log_take(&log);
    }
    decision_log_close(&log);
}

static void settings_of(const loop_job *job, char own[SETTINGS][SETTING], const char *settings[SETTINGS])
{
    const run_request *request = &job->request;

    snprintf(own[0], SETTING, "%s.policy=%u", job->chip->name, request->policy);
    snprintf(own[1], SETTING, "%s.static_limit=%u", job->chip->name, request->static_limit);
    snprintf(own[2], SETTING, "%s.mode=%u", job->chip->name, request->mode);
    for (unsigned i = 0; i < SETTINGS; i++)
        settings[i] = own[i];
}

void play_rtl_of(const loop_job *job, uint64_t fail_at, const session_options *options, loop_result *r)
{
    const block *blocks[] = {job->chip, NULL};
    session_options session = options ? *options : (session_options){.seed = 1};
    char own[SETTINGS][SETTING];
    const char *settings[SETTINGS];
    stimulus source;
    loop_run run;

    settings_of(job, own, settings);
    session.blocks = blocks;
    session.settings = settings;
    session.num_settings = SETTINGS;
    begin(job, fail_at, &run, r);
    if (!r->ok)
        return;
    source = closed_loop_stimulus(&run.loop);
    session_run(&session, &source, &r->session);
    r->ok = r->session.verdict == SESSION_PASS;
    snprintf(r->err, sizeof r->err, "%s", r->session.text);
    r->ok &= loop_run_close(&run, r->ok, &r->result, r->err);
    r->log = strdup(r->session.log ? r->session.log : "");
}
