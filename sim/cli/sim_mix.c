/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/sim_mix.h"

#include <inttypes.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "gpu/loop_run.h"
#include "kernels/kernel_file.h"

const char *const sim_mix_modes[] = {[MCKE_QUOTAS] = "quotas", [MCKE_LEFTOVER] = "leftover", [MCKE_APART] = "apart", [MCKE_QUEUE] = "queue", NULL};

/* ---- options ---------------------------------------------------------------------- */

void sim_mix_take_with(void *member, char *arg, const struct argp_state *state)
{
    sim_mix *mix = member;

    if (mix->num_with == MIX_OTHERS)
        argp_failure(state, EXIT_USAGE, 0, "--with: %d kernels at once are the most", (int)PROGRAM_KERNELS);
    mix->with[mix->num_with++] = arg;
}

void sim_mix_take_quota(void *member, char *list, const struct argp_state *state)
{
    sim_mix *mix = member;
    char *rest = NULL;

    mix->num_quotas = 0;
    mix->lcs = !strcmp(list, "lcs");
    for (const char *one = mix->lcs ? NULL : strtok_r(list, ",", &rest); one; one = strtok_r(NULL, ",", &rest)) {
        if (mix->num_quotas == PROGRAM_KERNELS)
            argp_failure(state, EXIT_USAGE, 0, "--quota: more than %d kernels", (int)PROGRAM_KERNELS);
        mix->quotas[mix->num_quotas++] = (uint8_t)option_number(state, "quota", one, 1, BALLAST_MAX_SLOTS);
    }
    if (!mix->lcs && !mix->num_quotas)
        argp_failure(state, EXIT_USAGE, 0, "--quota needs a number for each kernel, or lcs");
}

/* ---- what comes of them ----------------------------------------------------------- */

/* CKE-1: what LCS decides on each SM when the kernel has all of them. */
static bool ask_lcs(const run_request *request, const workload *w, uint8_t quota[MACHINE_MAX_SMS], char *err)
{
    loop_job alone = {.request = *request};
    run_result result;

    alone.request.workload = *w;
    alone.request.mix.num_others = 0;
    alone.request.policy = BALLAST_POLICY_LCS;
    alone.request.static_limit = 0;
    if (!loop_run_models(&alone, NULL, &result, err))
        return false;
    for (unsigned i = 0; i < request->machine.sms; i++)
        if (!result.finished && !result.decided[i]) {
            snprintf(err, LOOP_ERR, "%s: LCS has not decided on SM %u when the run is cut off; give more --max-cycles, or --quota as numbers",
                     w->name, i);
            return false;
        }
    memcpy(quota, result.limits, sizeof result.limits);
    return true;
}

static const workload *kernel_of(const run_request *request, unsigned k)
{
    return k ? &request->mix.others[k - 1] : &request->workload;
}

static bool set_quotas(const sim_mix *options, run_request *request, char *err)
{
    kernel_mix *mix = &request->mix;

    for (unsigned k = 0; k <= mix->num_others; k++) {
        kernel_mix_set_quota(mix, k, options->num_quotas ? options->quotas[k] : request->machine.slots);
        if (options->lcs && !ask_lcs(request, kernel_of(request, k), mix->quota[k], err))
            return false;
    }
    return true;
}

bool sim_mix_prepare(const sim_mix *options, run_request *request, char *err)
{
    kernel_mix *mix = &request->mix;

    mix->mode = (uint8_t)options->mode;
    mix->num_others = 0;
    for (unsigned n = 0; n < options->num_with; n++)
        if (!kernel_file_workload(&mix->others[n], NULL, options->with[n], err) ||
            !workload_check(&mix->others[n], &request->machine, err, LOOP_ERR))
            return false;
    mix->num_others = options->num_with;
    if (!mix->num_others)
        return true;
    if (options->num_quotas && options->num_quotas != mix->num_others + 1) {
        snprintf(err, LOOP_ERR, "--quota has %u numbers; give one for each of the %u kernels", options->num_quotas, mix->num_others + 1);
        return false;
    }
    return set_quotas(options, request, err) && kernel_mix_check(mix, &request->machine, err, LOOP_ERR);
}

/* ---- results ---------------------------------------------------------------------- */

/* Over the SMs. */
typedef struct quotas {
    unsigned least, most;
} quotas;

static quotas quotas_of(const run_request *request, unsigned k)
{
    const uint8_t *all = request->mix.quota[k];
    quotas q = {all[0], all[0]};

    for (unsigned i = 0; i < request->machine.sms; i++) {
        q.least = all[i] < q.least ? all[i] : q.least;
        q.most = all[i] > q.most ? all[i] : q.most;
    }
    return q;
}

static double ipc_of(const run_request *request, const sim_kernel_counts *c)
{
    return c->cycles ? (double)c->instructions / ((double)c->cycles * request->machine.sms) : 0;
}

void sim_mix_print(FILE *f, const run_request *request, const run_result *result)
{
    fprintf(f, "dispatch     %s\n%-12s %8s %12s %12s %8s %8s\n", sim_mix_modes[request->mix.mode], "  kernel", "quota", "cycles",
            "instructions", "CTAs", "IPC/SM");
    for (unsigned k = 0; k <= request->mix.num_others; k++) {
        const sim_kernel_counts *c = &result->kernels[k];
        const quotas q = quotas_of(request, k);
        char quota[16];

        snprintf(quota, sizeof quota, q.least == q.most ? "%u" : "%u to %u", q.least, q.most);
        fprintf(f, "  %-10s %8s %12" PRIu64 " %12" PRIu64 " %8" PRIu64 " %8.4f%s\n", kernel_of(request, k)->name, quota, c->cycles, c->instructions,
                c->ctas, ipc_of(request, c), c->finished ? "" : "  not ended");
    }
}

void sim_mix_csv(FILE *f, const run_request *request, const run_result *result, const char *side)
{
    fprintf(f, "kernel,machine,sms,dispatch,least_quota,most_quota,set_limit,seed,side,finished,cycles,instructions,ctas,ipc\n");
    for (unsigned k = 0; k <= request->mix.num_others; k++) {
        const sim_kernel_counts *c = &result->kernels[k];
        const quotas q = quotas_of(request, k);

        fprintf(f, "%s,%s,%u,%s,%u,%u,%u,%" PRIu64 ",%s,%d,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.6f\n", kernel_of(request, k)->name,
                request->machine.name, (unsigned)request->machine.sms, sim_mix_modes[request->mix.mode], q.least, q.most,
                request->static_limit, request->seed, side, c->finished, c->cycles, c->instructions, c->ctas, ipc_of(request, c));
    }
}
