/* SPDX-License-Identifier: Apache-2.0 */
#include "python/runs.h"

#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "cli/policies.h"
#include "replay/interrupt.h"

/* ---- where ---------------------------------------------------------------------------- */

static int answer(kit_job *job, const void *request, int fd)
{
    const int copy = dup(fd);
    FILE *out = copy >= 0 ? fdopen(copy, "w") : NULL;
    char err[KIT_ERR] = "";
    bool ok;

    if (!out)
        return 1;
    interrupted = 0;
    ok = job(request, out, err);
    interrupted = 0;
    if (!ok) { /* nothing else is to be read */
        rewind(out);
        if (ftruncate(copy, 0) == 0)
            fprintf(out, "%s\n", err[0] ? err : "interrupted");
    }
    return (fclose(out) != 0) | !ok;
}

/* Somebody else's policy may fault, never come back or end its process: the caller's is another one. */
int kit_run(kit_job *job, const void *request, int fd, bool apart)
{
    int status, pid;

    if (!apart)
        return answer(job, request, fd);
    fflush(NULL);
    pid = (int)fork();
    if (pid != 0)
        return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    interrupt_install();
    status = answer(job, request, fd);
    fflush(NULL);
    _exit(status);
}

/* ---- what governs --------------------------------------------------------------------- */

bool kit_choose(const char *const *words, const char *word, const char *what, unsigned *index, char *err)
{
    int used = 0;

    for (*index = 0; words[*index]; ++*index)
        if (!strcmp(words[*index], word))
            return true;
    used = snprintf(err, KIT_ERR, "%s: no '%.60s'; there are", what, word);
    for (unsigned n = 0; words[n]; n++)
        used += snprintf(err + used, (size_t)(KIT_ERR - used), "%s %s", n ? "," : "", words[n]);
    return false;
}

/* ---- the caller's functions as a policy ------------------------------------------------ */

/* The run that this thread is in: the interface hands its functions no memory of the host's. */
static _Thread_local const kit_governor *running;

typedef struct caller_cfg {
    ballast_policy_place place;
} caller_cfg;

/* Once it has failed nobody asks it any more: the run ends when it looks at the flag. */
static void failed(void)
{
    interrupted = SIGINT;
}

static bool caller_configure(void *cfg, const ballast_policy_place *place, char *why, uint32_t why_size)
{
    (void)why, (void)why_size;
    ((caller_cfg *)cfg)->place = *place;
    return true;
}

static void caller_reset(void *state, const void *cfg)
{
    const ballast_policy_place *place = &((const caller_cfg *)cfg)->place;

    (void)state;
    if (!interrupted && running->calls.start(place->sm, place) != 0)
        failed();
}

static void caller_step(void *state, const void *cfg, const ballast_policy_in *in, ballast_policy_out *out)
{
    (void)state;
    if (!interrupted && running->calls.step(((const caller_cfg *)cfg)->place.sm, in, out) != 0)
        failed();
    if (interrupted)
        out->limit = in->nmax;
}

static bool caller_describe(const void *before, const void *after, const void *cfg, const ballast_policy_in *in, const ballast_policy_out *out, char *line,
                            uint32_t line_size)
{
    const int told = interrupted ? 0 : running->calls.describe(((const caller_cfg *)cfg)->place.sm, in, line, line_size);

    (void)before, (void)after, (void)out;
    if (told != 0 && told != 1)
        failed();
    return told == 1;
}

static void caller_chip(void *chip, const uint32_t *said, uint32_t *heard, uint32_t sms)
{
    (void)chip;
    if (!interrupted && running->calls.chip(said, heard, sms) != 0)
        failed();
}

static void take_calls(kit_governor *g, const char *policy, const kit_calls *calls)
{
    g->calls = *calls;
    g->functions = (ballast_policy_functions){
        BALLAST_POLICY_INTERFACE, .name = "python", .cfg_size = sizeof(caller_cfg), .state_size = 1, .cfg = caller_configure, .reset = caller_reset,
        .step = caller_step, .describe = calls->describe ? caller_describe : NULL, .chip = calls->chip ? caller_chip : NULL};
    g->loaded = (own_policy){.functions = &g->functions, .options = "", .unguarded = true};
    snprintf(g->loaded.path, sizeof g->loaded.path, "%s", policy);
    snprintf(g->loaded.label, sizeof g->loaded.label, "%s", policy);
    g->own = &g->loaded;
    g->around = running;
    running = g;
}

bool kit_governor_open(kit_governor *g, const char *policy, const kit_calls *calls, char *err)
{
    char why[OWN_ERR];
    unsigned index = 0;

    memset(g, 0, sizeof *g);
    if (calls->start && calls->step) {
        take_calls(g, policy, calls);
        return true;
    }
    if (!own_policy_is_file(policy)) {
        const bool known = kit_choose(policies_names, policy, "policy", &index, err);

        g->policy = (uint8_t)index;
        return known;
    }
    if (!own_policy_load(&g->loaded, policy, why)) {
        snprintf(err, KIT_ERR, "%s", why);
        return false;
    }
    g->own = &g->loaded;
    return true;
}

void kit_governor_close(kit_governor *g)
{
    if (g->calls.step)
        running = g->around;
    if (g->loaded.handle)
        own_policy_unload(&g->loaded);
}
