/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/cta_log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct logged_cta {
    uint64_t start, end; /* its first and its last cycle */
    uint32_t cta;
    uint16_t sm;
    uint8_t slot, kernel;
} logged_cta;

struct cta_log {
    const chip_sim *sim;
    unsigned sms;
    uint64_t last; /* cycle of the run */
    logged_cta *ctas;
    size_t num, size;
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

static bool launched(cta_log *log, uint64_t cycle, unsigned sm, unsigned slot)
{
    logged_cta cta = {.start = cycle, .end = UINT64_MAX, .sm = (uint16_t)sm, .slot = (uint8_t)slot};

    if (log->num == log->size) {
        const size_t size = log->size ? 2 * log->size : 1024;
        logged_cta *more = realloc(log->ctas, size * sizeof *more);

        if (!more)
            return false;
        log->ctas = more;
        log->size = size;
    }
    cta.kernel = (uint8_t)sim_cta_in(log->sim, sm, slot, &cta.cta);
    log->running[sm][slot] = log->num;
    log->ctas[log->num++] = cta;
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
            log->ctas[log->running[sm][__builtin_ctz(left)]].end = cycle;
    }
    return NULL;
}

loop_tap cta_log_tap(cta_log *log)
{
    return (loop_tap){log, look};
}

/* One that was still running when the run was cut off has ended with it. */
static void write_line(FILE *to, const cta_log *log, const logged_cta *cta)
{
    fprintf(to, "%u,%u,%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",%s,\n", cta->sm, cta->slot, cta->start,
            cta->end < log->last ? cta->end : log->last, cta->cta, sim_kernel(log->sim, cta->kernel)->name);
}

void cta_log_close(cta_log *log, FILE *to)
{
    if (!log)
        return;
    if (to)
        fprintf(to, "sm,slot,start,end,cta,kernel,pair\n");
    for (size_t i = 0; to && i < log->num; i++)
        write_line(to, log, &log->ctas[i]);
    free(log->ctas);
    free(log);
}
