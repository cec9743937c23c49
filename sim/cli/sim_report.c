/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cmd_sim.h"

#include <inttypes.h>

#include "cli/policies.h"
#include "cli/sim_mix.h"
#include "common/class_names.h"
#include "gpu/energy.h"
#include "replay/sweep.h"

static const char *const level_names[] = {[BALLAST_VF_LOW] = "low", [BALLAST_VF_NORMAL] = "normal", [BALLAST_VF_HIGH] = "high"};
enum { LEVELS = 3, CLASSES = 4 };

static double part(uint64_t of, uint64_t all)
{
    return all ? (double)of / (double)all : 0;
}

static double l1_rate(const sim_counts *c)
{
    return part(c->l1_hits, c->l1_hits + c->l1_misses);
}

static double l2_rate(const sim_counts *c)
{
    return part(c->memory.l2_hits, c->memory.reads + c->memory.writes);
}

/* Of the channels' time. */
static double dram_use(const run_request *request, const sim_counts *c)
{
    return part(c->memory.dram_busy, c->ticks * request->machine.dram_channels);
}

static double joules_of(const run_request *request, const sim_counts *c)
{
    const energy_model model = energy_model_default();

    return energy_of(&model, &request->machine, c).total;
}

static void print_levels(FILE *f, const char *name, const uint64_t ticks[LEVELS], uint64_t all)
{
    fprintf(f, "%-13s", name);
    for (unsigned l = 0; l < LEVELS; l++)
        fprintf(f, "%s%s %.1f %%", l ? ", " : "", level_names[l], 100 * part(ticks[l], all));
    fprintf(f, " of the time\n");
}

/* At the end, over the SMs. */
typedef struct last_limits {
    unsigned least, most, decided;
} last_limits;

static last_limits limits_of(const run_request *request, const run_result *r)
{
    last_limits l = {.least = r->limits[0], .most = r->limits[0]};

    for (unsigned i = 0; i < request->machine.sms; i++) {
        l.least = r->limits[i] < l.least ? r->limits[i] : l.least;
        l.most = r->limits[i] > l.most ? r->limits[i] : l.most;
        l.decided += r->decided[i];
    }
    return l;
}

static void print_limit(FILE *f, const run_request *request, const run_result *r)
{
    const last_limits l = limits_of(request, r);

    fprintf(f, "CTA limit    %u", l.least);
    if (l.most != l.least)
        fprintf(f, " to %u", l.most);
    fprintf(f, " at the end, decided by %u SMs; %.2f on average, %.2f CTAs at work; Nmax %u", l.decided, r->mean_limit,
            r->mean_resident, r->nmax);
    if (request->policy == BALLAST_POLICY_STATIC && request->static_limit)
        fprintf(f, ", %u set", request->static_limit);
    fprintf(f, "\n");
}

static const char *policy_of(const run_request *request)
{
    return request->own ? request->own->label : policies_names[request->policy];
}

void sim_report_print(FILE *f, const run_request *request, const run_result *r, const char *side)
{
    const sim_counts *c = &r->counts;

    char name[SIM_MIX_NAME];

    fprintf(f, "%s on %s, %u SMs: policy %s, mode %s, seed %" PRIu64 ", %s in the loop%s\n", sim_mix_name(name, request),
            request->machine.name, (unsigned)request->machine.sms, policy_of(request),
            policies_modes[request->mode & 1], request->seed, side, r->finished ? "" : "; cut off, the kernel had not ended");
    fprintf(f, "cycles       %" PRIu64 " of the SM clock, %.3f us\n", c->cycles, 1e6 * r->seconds);
    fprintf(f, "work         %" PRIu64 " warp instructions, %" PRIu64 " CTAs, IPC %.4f per SM\n", c->instructions, c->ctas, r->ipc);
    print_limit(f, request, r);
    fprintf(f, "SM cycles    ");
    for (unsigned k = 0; k < CLASSES; k++)
        fprintf(f, "%s%s %.1f %%", k ? ", " : "", ballast_ps_class_names[k], 100 * r->classes[k]);
    fprintf(f, "\nmemory       L1 hits %.1f %%, L2 hits %.1f %%, DRAM in use %.1f %%, %" PRIu64 " lines\n", 100 * l1_rate(c),
            100 * l2_rate(c), 100 * dram_use(request, c), c->memory.dram_lines);
    print_levels(f, "SM clock", c->sm_ticks, c->ticks);
    print_levels(f, "memory clock", c->mem_ticks, c->ticks);
    fprintf(f, "energy       %.4g mJ\n", 1e3 * joules_of(request, c));
}

void sim_report_csv_header(FILE *f)
{
    fprintf(f, "workload,machine,sms,policy,mode,set_limit,seed,side,finished,cycles,seconds,instructions,ctas,ipc,nmax,"
               "limit,least_limit,most_limit,decided_sms,mean_limit,mean_ctas,idle,scoreboard,pipeline,active,"
               "l1_hit_rate,l2_hit_rate,dram_use,dram_lines,sm_low,sm_normal,sm_high,memory_low,memory_normal,memory_high,joules\n");
}

void sim_report_csv(FILE *f, const run_request *request, const run_result *r, const char *side)
{
    const last_limits l = limits_of(request, r);
    const sim_counts *c = &r->counts;

    fprintf(f, "%s,%s,%u,%s,%s,%u,%" PRIu64 ",%s,%d,%" PRIu64 ",%.9g,%" PRIu64 ",%" PRIu64 ",%.6f,%u,%u,%u,%u,%u,%.4f,%.4f",
            request->workload.name, request->machine.name, (unsigned)request->machine.sms,
            request->own ? request->own->functions->name : policies_names[request->policy], policies_modes[request->mode & 1], request->static_limit, request->seed, side, r->finished, c->cycles, r->seconds,
            c->instructions, c->ctas, r->ipc, r->nmax, r->limit, l.least, l.most, l.decided,
            r->mean_limit, r->mean_resident);
    for (unsigned k = 0; k < CLASSES; k++)
        fprintf(f, ",%.6f", r->classes[k]);
    fprintf(f, ",%.6f,%.6f,%.6f,%" PRIu64, l1_rate(c), l2_rate(c), dram_use(request, c), c->memory.dram_lines);
    for (unsigned v = 0; v < LEVELS; v++)
        fprintf(f, ",%.6f", part(c->sm_ticks[v], c->ticks));
    for (unsigned v = 0; v < LEVELS; v++)
        fprintf(f, ",%.6f", part(c->mem_ticks[v], c->ticks));
    fprintf(f, ",%.9g\n", joules_of(request, c));
}

void sim_report_family(FILE *f, const run_request *request, const run_result *const *results, unsigned num)
{
    sweep s = {.nmax = num};
    bool finished = true;

    fprintf(f, "%5s %12s %12s %8s", "limit", "cycles", "us", "IPC/SM");
    for (unsigned k = 0; k < CLASSES; k++)
        fprintf(f, " %11s", ballast_ps_class_names[k]);
    fprintf(f, " %8s %8s\n", "L1 hits", "DRAM");
    for (unsigned limit = 1; limit <= num; limit++) {
        const run_result *r = results[limit - 1];

        s.ipc[limit] = r->ipc;
        finished &= r->finished;
        fprintf(f, "%5u %12" PRIu64 " %12.3f %8.4f", limit, r->counts.cycles, 1e6 * r->seconds, r->ipc);
        for (unsigned k = 0; k < CLASSES; k++)
            fprintf(f, " %9.1f %%", 100 * r->classes[k]);
        fprintf(f, " %6.1f %% %6.1f %%\n", 100 * l1_rate(&r->counts), 100 * dram_use(request, &r->counts));
    }
    if (finished)
        fprintf(f, "the fewest CTAs that no higher limit beats by 2 %%: %u (PS-E4)\n", sweep_optimum(&s));
}
