/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/workload.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "common/cta_needs.h"
#include "gpu/program.h"

enum { WARP = 32 };

uint32_t workload_warps(const workload *w)
{
    return w->threads_per_cta / WARP + (w->threads_per_cta % WARP != 0);
}

/* What a CTA takes of a resource, and how much of it there is. */
typedef struct resource {
    const char *name;
    uint64_t needs, has;
} resource;

enum { WARP_SLOTS, REGISTERS, SHARED_MEMORY, CTA_SLOTS, RESOURCES };

static void resources_of(const workload *w, const machine *m, resource all[RESOURCES])
{
    const resource made[RESOURCES] = {
        [WARP_SLOTS] = {"warp slots", workload_warps(w), m->warps},
        [REGISTERS] = {"registers", (uint64_t)w->regs_per_thread * WARP * workload_warps(w), m->registers},
        [SHARED_MEMORY] = {"bytes of shared memory", (uint64_t)ballast_cta_units(w->shared_per_cta, BALLAST_CTA_SMEM_UNIT) * BALLAST_CTA_SMEM_UNIT,
                           m->shared_bytes},
        [CTA_SLOTS] = {"CTA slots", 1, m->slots},
    };

    memcpy(all, made, sizeof made);
}

uint32_t workload_nmax(const workload *w, const machine *m)
{
    resource all[RESOURCES];
    uint64_t fit = BALLAST_MAX_SLOTS;

    resources_of(w, m, all);
    for (unsigned i = 0; i < RESOURCES; i++)
        if (all[i].needs && all[i].has / all[i].needs < fit)
            fit = all[i].has / all[i].needs;
    return (uint32_t)fit;
}

double workload_storage(const workload *w, const machine *m)
{
    enum { REGISTER_BYTES = 4 };
    resource all[RESOURCES];

    resources_of(w, m, all);
    return (double)(all[REGISTERS].needs * REGISTER_BYTES + all[SHARED_MEMORY].needs) /
           ((double)all[REGISTERS].has * REGISTER_BYTES + (double)all[SHARED_MEMORY].has);
}

/* ---- checks ----------------------------------------------------------------------- */

static bool refuse(char *err, unsigned size, const char *format, ...) __attribute__((format(printf, 3, 4)));

static bool refuse(char *err, unsigned size, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(err, size, format, args);
    va_end(args);
    return false;
}

static bool counts_fine(const workload *w, char *err, unsigned size)
{
    const struct {
        const char *name;
        uint32_t value, least, most;
    } all[] = {
        {"blocks", w->ctas, 1, 1u << 24}, {"threads_per_block", w->threads_per_cta, 1, 2048}, {"regs_per_thread", w->regs_per_thread, 0, 255},
        {"launches", w->launches, 1, 4096}, {"insts", w->insts, 1, 1u << 24}, {"lines", w->lines, 1, PROGRAM_LINES},
        {"store_lines", w->store_lines, 0, PROGRAM_LINES}, {"code", w->code, 0, PROGRAM_CODE},
        {"grid_x", w->grid_x, 0, 1u << 24}, {"cta_x", w->cta_x, 0, w->threads_per_cta},
        {"barrier_every", w->barrier_every, 0, PROGRAM_BODY},
        {"warp_set", w->warp_set, w->warp_reuse > 0, 1u << 24}, {"cta_set", w->cta_set, w->cta_reuse > 0, 1u << 24},
        {"neighbour_set", w->neighbour_set, w->neighbour_reuse > 0, 1u << 24}, {"footprint", w->footprint, w->random > 0, UINT32_MAX},
    };

    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].value < all[i].least || all[i].value > all[i].most)
            return refuse(err, size, "%s is %u; give %u to %u", all[i].name, (unsigned)all[i].value, (unsigned)all[i].least,
                          (unsigned)all[i].most);
    return true;
}

static bool rows_fine(const workload *w, char *err, unsigned size)
{
    if (w->is_2d || (!w->grid_x && !w->cta_x))
        return true;
    return refuse(err, size, "%s is for a 2-D kernel; set is_2d to 1, or leave it out", w->grid_x ? "grid_x" : "cta_x");
}

static bool shares_fine(const workload *w, char *err, unsigned size)
{
    const struct {
        const char *name;
        double value;
    } all[] = {
        {"loads", w->loads}, {"stores", w->stores}, {"shared", w->shared}, {"sfu", w->sfu}, {"branches", w->branches},
        {"warp_reuse", w->warp_reuse}, {"cta_reuse", w->cta_reuse}, {"neighbour_reuse", w->neighbour_reuse},
        {"random", w->random}, {"spread", w->spread},
    };

    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
        if (!(all[i].value >= 0 && all[i].value <= 1))
            return refuse(err, size, "%s is %g; give 0 to 1", all[i].name, all[i].value);
    if (w->loads + w->stores + w->shared + w->sfu + w->branches > 1 + 1e-9)
        return refuse(err, size, "loads, stores, shared, sfu and branches are more than all instructions; lower one");
    if (w->warp_reuse + w->cta_reuse + w->neighbour_reuse + w->random > 1 + 1e-9)
        return refuse(err, size, "warp_reuse, cta_reuse, neighbour_reuse and random are more than all accesses; lower one");
    return true;
}

static bool distance_fine(double value, const char *name, char *err, unsigned size)
{
    if (value >= 1 && value < PROGRAM_WINDOW)
        return true;
    return refuse(err, size, "%s is %g; give 1 to %d", name, value, PROGRAM_WINDOW - 1);
}

static bool operands_fine(double value, char *err, unsigned size)
{
    if (value == 0 || (value >= 1 && value <= PROGRAM_OPERANDS))
        return true;
    return refuse(err, size, "operands is %g; give 1 to %d", value, PROGRAM_OPERANDS);
}

static bool fits(const workload *w, const machine *m, char *err, unsigned size)
{
    resource all[RESOURCES];

    resources_of(w, m, all);
    for (unsigned i = 0; i < RESOURCES; i++)
        if (all[i].needs > all[i].has)
            return refuse(err, size, "%s: a CTA needs %llu %s, an SM of %s has %llu; the kernel cannot be launched", w->name,
                          (unsigned long long)all[i].needs, all[i].name, m->name, (unsigned long long)all[i].has);
    return true;
}

bool workload_check(const workload *w, const machine *m, char *err, unsigned size)
{
    return counts_fine(w, err, size) && rows_fine(w, err, size) && shares_fine(w, err, size) && distance_fine(w->alu_distance, "alu_distance", err, size) &&
           distance_fine(w->load_distance, "load_distance", err, size) && operands_fine(w->operands, err, size) && fits(w, m, err, size);
}

void workload_describe(const workload *w, const machine *m, ballast_kernel_desc *desc)
{
    *desc = (ballast_kernel_desc){
        .grid_ctas = w->ctas,
        .smem_per_cta = w->shared_per_cta,
        .threads_per_cta = (uint16_t)w->threads_per_cta,
        .regs_per_thread = (uint16_t)w->regs_per_thread,
        .warps_per_cta = (uint8_t)workload_warps(w),
        .nmax = (uint8_t)workload_nmax(w, m),
        .is_2d = w->is_2d,
        .grid_x = w->grid_x,
    };
}
