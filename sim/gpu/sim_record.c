/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/sim_record.h"

#include <stdio.h>
#include <stdlib.h>

#include "ballast.h"
#include "blocks/sm_governor/bind.h"

enum { LEVEL = 3 }; /* of zstd: the simulator does not wait for it */

struct sim_record {
    trace_writer *writer;
    unsigned num_sms;
    uint16_t sms[MACHINE_MAX_SMS];
    trace_err err;
};

_Static_assert((int)MACHINE_MAX_SMS <= TRACE_MAX_SMS, "a recording holds all SMs");

/* ---- when kernels start ----------------------------------------------------------- */

static const char *note_start(void *self, uint64_t cycle, const sm_obs *const *obs, const chip_governor_out *out)
{
    launch_starts *starts = self;

    (void)out;
    if (!obs[0]->kernel_start)
        return NULL;
    if (starts->num == TRACE_MAX_LAUNCHES)
        return "more launches than a recording can hold";
    starts->at[starts->num++] = cycle;
    return NULL;
}

loop_tap launch_starts_tap(launch_starts *starts)
{
    starts->num = 0;
    return (loop_tap){starts, note_start};
}

/* ---- what it says of itself ------------------------------------------------------- */

/* The limit that software has set; 0: none. */
static uint8_t set_limit(const run_request *request)
{
    return request->policy == BALLAST_POLICY_STATIC ? request->static_limit : 0;
}

static trace_launch launch_of(const run_request *request, uint64_t start)
{
    const uint8_t limit = set_limit(request);
    trace_launch launch = {.start_cycle = start};

    workload_describe(&request->workload, &request->machine, &launch.desc);
    launch.limit = limit && limit < launch.desc.nmax ? limit : launch.desc.nmax;
    snprintf(launch.name, sizeof launch.name, "%s", request->workload.name);
    return launch;
}

static const char *policy_of(const run_request *request)
{
    if (request->own)
        return request->own->functions->name;
    return policy_names[request->policy < BALLAST_POLICIES ? request->policy : BALLAST_POLICY_STATIC];
}

trace_meta sim_record_meta(const run_request *request, const launch_starts *starts, trace_launch *launches)
{
    const machine *m = &request->machine;
    trace_meta meta = {.geometry = {(uint16_t)m->warps, (uint16_t)m->slots, (uint16_t)m->sms, (uint16_t)m->schedulers},
                       .recorder = "ballast sim " BALLAST_VERSION,
                       .config_limit = set_limit(request),
                       .num_launches = (uint16_t)starts->num,
                       .launches = launches};

    snprintf(meta.kernel, sizeof meta.kernel, "%s", request->workload.name);
    snprintf(meta.config, sizeof meta.config, "%s, %u SMs, %s, seed %llu", m->name, (unsigned)m->sms,
             policy_of(request), (unsigned long long)request->seed);
    for (unsigned i = 0; i < starts->num; i++)
        launches[i] = launch_of(request, starts->at[i]);
    return meta;
}

/* ---- writing ---------------------------------------------------------------------- */

static bool choose_sms(sim_record *r, const machine *m, const uint16_t *sms, unsigned num, trace_err *err)
{
    r->num_sms = num ? num : m->sms;
    for (unsigned i = 0; i < r->num_sms; i++) {
        r->sms[i] = num ? sms[i] : (uint16_t)i;
        for (unsigned k = 0; k < i; k++)
            if (r->sms[k] == r->sms[i]) {
                snprintf(err->text, sizeof err->text, "SM %u is to be recorded twice; name it once", r->sms[i]);
                return false;
            }
        if (r->sms[i] >= m->sms) {
            snprintf(err->text, sizeof err->text, "no SM %u to record: the machine has SMs 0 to %u", r->sms[i],
                     (unsigned)m->sms - 1);
            return false;
        }
    }
    return true;
}

static trace_writer *open_writer(const char *path, const run_request *request, const launch_starts *starts, trace_err *err)
{
    trace_launch *launches = calloc(starts->num + 1, sizeof *launches);
    trace_writer *w = NULL;

    if (launches) {
        const trace_meta meta = sim_record_meta(request, starts, launches);

        w = trace_writer_open(path, &meta, err);
    } else {
        snprintf(err->text, sizeof err->text, "%s: out of memory", path);
    }
    free(launches);
    return w;
}

sim_record *sim_record_open(const char *path, const run_request *request, const launch_starts *starts,
                            const uint16_t *sms, unsigned num_sms, trace_err *err)
{
    sim_record *r = calloc(1, sizeof *r);

    if (!r)
        snprintf(err->text, sizeof err->text, "%s: out of memory", path);
    else if (num_sms > MACHINE_MAX_SMS)
        snprintf(err->text, sizeof err->text, "%u SMs to record: at most %d", num_sms, (int)MACHINE_MAX_SMS);
    else if (choose_sms(r, &request->machine, sms, num_sms, err))
        r->writer = open_writer(path, request, starts, err);
    if (!r || !r->writer) {
        free(r);
        return NULL;
    }
    trace_writer_set_level(r->writer, LEVEL);
    return r;
}

static const char *record_cycle(void *self, uint64_t cycle, const sm_obs *const *obs, const chip_governor_out *out)
{
    sim_record *r = self;

    (void)out;
    for (unsigned i = 0; i < r->num_sms; i++)
        if (!trace_writer_cycle(r->writer, r->sms[i], cycle, obs[r->sms[i]], TRACE_NO_CLASS, &r->err))
            return r->err.text;
    return NULL;
}

loop_tap sim_record_tap(sim_record *r)
{
    return (loop_tap){r, record_cycle};
}

bool sim_record_close(sim_record *r, trace_err *err)
{
    const bool ok = trace_writer_close(r->writer, err);

    free(r);
    return ok;
}

void sim_record_abort(sim_record *r)
{
    if (r)
        trace_writer_abort(r->writer);
    free(r);
}
