/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/cta_log.h"

#include <stdlib.h>

#include "recording/cta_spans.h"

struct cta_log {
    const chip_sim *sim;
    unsigned sms;
    uint64_t last;  /* cycle of the run           */
    uint32_t pairs; /* that have been seen so far */
    cta_spans spans;
    size_t running[MACHINE_MAX_SMS][BALLAST_MAX_SLOTS]; /* which of them a slot holds */
};

cta_log *cta_log_open(const chip_sim *sim)
{
    cta_log *log = calloc(1, sizeof *log);

    if (log) {
        log->sim = sim;
        log->sms = sim_machine(sim)->sms;
    }
    return log;
}

/* The second one of a pair comes right behind the first one. */
static void note_pair(cta_log *log)
{
    cta_span *second = &log->spans.span[log->spans.num - 1];

    if (!sim_launched_second(log->sim) || log->spans.num < 2)
        return;
    second[-1].pair = second->pair = log->pairs++;
}

/* False: out of memory. */
static bool launched(cta_log *log, uint64_t cycle, unsigned sm, unsigned slot)
{
    cta_span span = {.start = cycle, .end = UINT64_MAX, .pair = CTA_ALONE, .sm = (uint16_t)sm, .slot = (uint8_t)slot};
    const unsigned kernel = sim_cta_in(log->sim, sm, slot, &span.cta);
    const int known = cta_spans_kernel(&log->spans, sim_kernel(log->sim, kernel)->name);

    span.kernel = (uint16_t)known;
    log->running[sm][slot] = log->spans.num;
    if (known < 0 || !cta_spans_add(&log->spans, &span))
        return false;
    note_pair(log);
    return true;
}

static const char *look(void *self, uint64_t cycle, const sm_obs *const *obs, const chip_governor_out *out)
{
    cta_log *log = self;

    (void)out;
    log->last = cycle;
    for (unsigned sm = 0; sm < log->sms; sm++) {
        for (uint32_t left = obs[sm]->cta_start; left; left &= left - 1)
            if (!launched(log, cycle, sm, (unsigned)__builtin_ctz(left)))
                return "out of memory for the list of CTAs";
        for (uint32_t left = obs[sm]->cta_done; left; left &= left - 1)
            log->spans.span[log->running[sm][__builtin_ctz(left)]].end = cycle;
    }
    return NULL;
}

loop_tap cta_log_tap(cta_log *log)
{
    return (loop_tap){log, look};
}

/* One that was still running when the run was cut off has ended with it. */
static void end_all(cta_log *log)
{
    for (size_t i = 0; i < log->spans.num; i++)
        if (log->spans.span[i].end > log->last)
            log->spans.span[i].end = log->last;
}

void cta_log_close(cta_log *log, FILE *to)
{
    if (!log)
        return;
    end_all(log);
    if (to)
        cta_spans_write(&log->spans, to);
    cta_spans_free(&log->spans);
    free(log);
}
