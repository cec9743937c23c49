/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/extract.h"

#include <string.h>

/* One SM's warps from cycle to cycle. */
typedef struct watch {
    unsigned state[BALLAST_MAX_WARPS];      /* in the cycle before                   */
    uint64_t mem_issue[BALLAST_MAX_WARPS];  /* cycle of the warp's last memory issue */
    uint64_t wait_start[BALLAST_MAX_WARPS];
    uint64_t cycle, busy;
    uint64_t warps, alu, mem, waits, barriers, wait_cycles, load_cycles;
} watch;

static void watch_warp(watch *w, unsigned warp, unsigned state)
{
    const unsigned before = w->state[warp];

    if (before == BALLAST_WARP_WAIT_MEM && state != BALLAST_WARP_WAIT_MEM) {
        w->waits++;
        w->wait_cycles += w->cycle - w->wait_start[warp];
        w->load_cycles += w->cycle - w->mem_issue[warp];
    }
    if (state == BALLAST_WARP_WAIT_MEM && before != BALLAST_WARP_WAIT_MEM)
        w->wait_start[warp] = w->cycle;
    if (state == BALLAST_WARP_BARRIER && before != BALLAST_WARP_BARRIER)
        w->barriers++;
    if (state == BALLAST_WARP_ISSUED_MEM)
        w->mem_issue[warp] = w->cycle;
    w->alu += state == BALLAST_WARP_ISSUED_ALU;
    w->mem += state == BALLAST_WARP_ISSUED_MEM;
    w->state[warp] = state;
}

static void watch_cycle(watch *w, const sm_obs *obs, unsigned num_warps)
{
    w->cycle++;
    if (obs->cta_active)
        w->busy = w->cycle;
    w->warps += (uint64_t)__builtin_popcount(obs->cta_start) * obs->setup->kernel.warps_per_cta;
    for (unsigned warp = 0; warp < num_warps; warp++)
        watch_warp(w, warp, sm_obs_warp_state(obs, warp));
}

static double per(uint64_t sum, uint64_t of)
{
    return of ? (double)sum / (double)of : 0;
}

static void average(extract_counts *counts, const watch *w)
{
    *counts = (extract_counts){
        .cycles = (double)w->busy,
        .warps = (double)w->warps,
        .alu_insts = per(w->alu, w->warps),
        .mem_insts = per(w->mem, w->warps),
        .mem_waits = per(w->waits, w->warps),
        .barrier_waits = per(w->barriers, w->warps),
        .wait_cycles = per(w->wait_cycles, w->waits),
        .load_cycles = per(w->load_cycles, w->waits),
    };
}

bool extract_launch(extract_counts *counts, const char *path, unsigned sm, unsigned launch, trace_err *err)
{
    trace_reader *r = trace_open(path, NULL, err);
    const sm_obs *obs;
    watch w;
    bool ok;

    if (!r)
        return false;
    memset(&w, 0, sizeof w);
    err->text[0] = '\0';
    ok = trace_select_sm(r, sm, err) && trace_seek_launch(r, launch, err);
    while (ok && (obs = trace_next(r, err)) && trace_launch_index(r) == launch)
        watch_cycle(&w, obs, trace_get_meta(r)->geometry.warps);
    ok = err->text[0] == '\0';
    trace_close(r);
    if (ok)
        average(counts, &w);
    return ok;
}

void extract_print(FILE *f, const extract_counts *counts, const trace_launch *launch, const char *name)
{
    const ballast_kernel_desc *d = &launch->desc;

    fprintf(f, "# %s, %s, with %u CTAs per SM: %.0f warps in %.0f cycles on one SM\n", name, launch->name,
            (unsigned)launch->limit, counts->warps, counts->cycles);
    fprintf(f, "# A warp waited %.1f times for memory, %.0f cycles each; from its last memory instruction to the end of\n"
               "# a wait, %.0f cycles. It waited %.1f times at a barrier (the last warp to come does not wait).\n",
            counts->mem_waits, counts->wait_cycles, counts->load_cycles, counts->barrier_waits);
    fprintf(f, "name = \"%s\";\nblocks = %u; threads_per_block = %u; regs_per_thread = %u; shared_per_block = %u;\n", name,
            (unsigned)d->grid_ctas, (unsigned)d->threads_per_cta, (unsigned)d->regs_per_thread, (unsigned)d->smem_per_cta);
    fprintf(f, "analytic = {\n    arithmetic = %.1f;\n    mix = { alu = 1.0; };        # a recording does not tell the units apart\n",
            counts->alu_insts);
    fprintf(f, "    coal_mem_insts = %.1f;       # of all memories: give shared_insts, const_insts, uncoal_mem_insts their part\n"
               "    uncoal_mem_insts = 0.0;\n};\n", counts->mem_insts);
}
