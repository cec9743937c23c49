/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/raw_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording/bytes.h"
#include "recording/csv.h"

/* ---- ker.csv -------------------------------------------------------------------- */

enum {
    K_UID, K_NAME, K_GRID, K_THREADS, K_WARPS, K_REGS, K_SMEM, K_LIMIT, K_CYCLE, K_2D, K_GRID_X, K_GRID_Y, K_GRID_Z, K_BLOCK_X, K_BLOCK_Y,
    K_BLOCK_Z, K_NMAX, K_COUNT
};
static const char *const kernel_columns[K_COUNT] = {
    "kernel", "name", "grid_ctas", "threads_per_cta", "warps_per_cta", "regs", "smem", "cta_per_sm", "cycle", "is_2d", "grid_x", "grid_y",
    "grid_z", "block_x", "block_y", "block_z", "nmax"};

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

static uint64_t in_units(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

static bool has(const csv *c, unsigned column) { return c->position[column] >= 0; }

enum { WARP = 32 };

/* Nmax: the four limits of a CTA's needs (threads, registers, shared memory, slots), and
 * the warp slots, which are the thread limit unless a CTA's last warp is not full. Registers as the analytic model of the
 * same GPU charges them: rounded up per thread, for whole warps. All of it in the units in which the machine gives it out. */
static uint64_t nmax_of(const raw_import_options *opt, const ballast_kernel_desc *d)
{
    const raw_resources *have = &opt->resources;
    const uint64_t regs_per_warp = in_units(d->regs_per_thread, have->register_unit) * WARP;
    const uint64_t shared = in_units(d->smem_per_cta, have->shared_unit);
    uint64_t n = least(have->slots, opt->geometry.slots);
    n = least(n, have->threads / d->threads_per_cta);
    n = least(n, (uint64_t)opt->geometry.warps / d->warps_per_cta);
    if (regs_per_warp)
        n = least(n, have->registers / regs_per_warp / have->warp_unit * have->warp_unit / d->warps_per_cta);
    if (shared)
        n = least(n, have->shared_bytes / shared);
    return n;
}

/* The optional columns x, y and z multiply to `all`; one that is missing is not known. */
static bool dimensions_fit(const csv *c, unsigned x, uint64_t all, const char *what, trace_err *err)
{
    uint64_t product = 1, size[3];

    for (unsigned i = 0; i < 3; i++)
        if (!has(c, x + i))
            return true;
    for (unsigned i = 0; i < 3; i++) {
        if (!csv_number(c, x + i, UINT32_MAX, &size[i], err))
            return false;
        product = size[i] && product > UINT64_MAX / size[i] ? UINT64_MAX : product * size[i];
    }
    return product == all || csv_fail(c, err, "%llu x %llu x %llu are not the %llu %s", (unsigned long long)size[0],
                                      (unsigned long long)size[1], (unsigned long long)size[2], (unsigned long long)all, what);
}

static bool kernel_numbers(const csv *c, const raw_import_options *opt, raw_kernel *k, uint64_t *limit, trace_err *err)
{
    uint64_t grid, threads, warps, regs, smem, two_d, grid_x = 0;
    if (!csv_number(c, K_UID, UINT64_MAX, &k->uid, err) ||
        !csv_number(c, K_GRID, UINT32_MAX, &grid, err) ||
        !csv_number(c, K_THREADS, UINT16_MAX, &threads, err) ||
        !csv_number(c, K_WARPS, BALLAST_MAX_WARPS, &warps, err) ||
        !csv_number(c, K_REGS, UINT16_MAX, &regs, err) ||
        !csv_number(c, K_SMEM, UINT32_MAX, &smem, err) ||
        !csv_number(c, K_LIMIT, BALLAST_MAX_SLOTS, limit, err) ||
        (has(c, K_CYCLE) && !csv_number(c, K_CYCLE, UINT64_MAX, &k->launch.start_cycle, err)) ||
        (has(c, K_GRID_X) && !csv_number(c, K_GRID_X, UINT32_MAX, &grid_x, err)) ||
        !dimensions_fit(c, K_GRID_X, grid, "CTAs of the grid", err) || !dimensions_fit(c, K_BLOCK_X, threads, "threads of a CTA", err))
        return false;
    grid_x = opt->grid_x ? opt->grid_x : grid_x;
    two_d = opt->grid_x || (grid_x && grid_x != grid);
    if (!opt->grid_x && has(c, K_2D) && !csv_number(c, K_2D, 1, &two_d, err))
        return false;
    if (!two_d && grid_x == grid) /* a 1-D grid is its only row */
        grid_x = 0;
    if (threads == 0 || warps == 0 || *limit == 0)
        return csv_fail(c, err, "threads_per_cta, warps_per_cta and cta_per_sm cannot be 0");
    k->launch.desc = (ballast_kernel_desc){
        .grid_ctas = (uint32_t)grid,
        .smem_per_cta = (uint32_t)smem,
        .threads_per_cta = (uint16_t)threads,
        .regs_per_thread = (uint16_t)regs,
        .warps_per_cta = (uint8_t)warps,
        .is_2d = (uint8_t)two_d,
        .grid_x = (uint32_t)grid_x,
    };
    return trace_rows_fit(&k->launch.desc) ||
           csv_fail(c, err, "%llu CTAs are not whole rows of a 2-D grid with grid_x = %llu", (unsigned long long)grid,
                    (unsigned long long)grid_x);
}

static uint64_t other_nmax(const csv *c, const raw_import_options *opt, const raw_kernel *k, uint64_t computed, uint64_t nmax,
                           const char *why)
{
    char line[512];

    if (nmax != computed && opt->warn) {
        snprintf(line, sizeof line, "%s: %s: %s, so Nmax is %llu; by the SM's resources it would be %llu", input_path(c->in),
                 k->launch.name, why, (unsigned long long)nmax, (unsigned long long)computed);
        opt->warn(opt->context, line);
    }
    return nmax;
}

/* The hardware's own word: fewer CTAs than were configured ran, so no more fit. */
static uint64_t infer_nmax(const csv *c, const raw_import_options *opt, const raw_kernel *k, uint64_t computed, uint64_t limit)
{
    char why[128];

    if (!opt->config_limit || limit >= opt->config_limit)
        return computed;
    snprintf(why, sizeof why, "%llu CTAs ran though %u were configured", (unsigned long long)limit, opt->config_limit);
    return other_nmax(c, opt, k, computed, limit, why);
}

/* What the recorder says, where it does. */
static bool find_nmax(const csv *c, const raw_import_options *opt, const raw_kernel *k, uint64_t limit, uint64_t *nmax, trace_err *err)
{
    const uint64_t computed = nmax_of(opt, &k->launch.desc);

    if (limit > computed)
        return csv_fail(c, err, "cta_per_sm is %llu, but the SM's resources and geometry allow "
                        "%llu CTAs; check both", (unsigned long long)limit, (unsigned long long)computed);
    *nmax = computed;
    if (!has(c, K_NMAX)) {
        *nmax = infer_nmax(c, opt, k, computed, limit);
        return true;
    }
    if (!csv_number(c, K_NMAX, computed, nmax, err))
        return false;
    if (*nmax < limit)
        return csv_fail(c, err, "nmax is %llu, but cta_per_sm %llu", (unsigned long long)*nmax, (unsigned long long)limit);
    other_nmax(c, opt, k, computed, *nmax, "the recorder says so");
    return true;
}

static bool parse_kernel(const csv *c, const raw_import_options *opt, raw_kernel *k, trace_err *err)
{
    uint64_t limit, nmax = 0;
    if (!kernel_numbers(c, opt, k, &limit, err))
        return false;
    /* Of a long mangled name, the beginning tells it apart. */
    snprintf(k->launch.name, sizeof k->launch.name, "%s", csv_text(c, K_NAME));
    if (!find_nmax(c, opt, k, limit, &nmax, err))
        return false;
    k->launch.desc.nmax = (uint8_t)nmax;
    k->launch.limit = (uint8_t)limit;
    return true;
}

static const raw_kernel *find_kernel(const raw_tables *t, uint64_t uid)
{
    for (unsigned i = 0; i < t->num_kernels; i++)
        if (t->kernels[i].uid == uid)
            return &t->kernels[i];
    return NULL;
}

static bool add_kernel(raw_tables *t, const csv *c, const raw_import_options *opt, trace_err *err)
{
    if (t->num_kernels == TRACE_MAX_LAUNCHES)
        return csv_fail(c, err, "more than %d kernel launches; split the recording",
                        TRACE_MAX_LAUNCHES);
    raw_kernel *k = &t->kernels[t->num_kernels];
    if (!parse_kernel(c, opt, k, err))
        return false;
    if (find_kernel(t, k->uid))
        return csv_fail(c, err, "kernel %llu is there twice", (unsigned long long)k->uid);
    if (t->num_kernels > 0 && has(c, K_CYCLE) && k->launch.start_cycle <= k[-1].launch.start_cycle)
        return csv_fail(c, err, "starts no later than the kernel before it; sort by cycle");
    t->num_kernels++;
    return true;
}

bool raw_tables_kernels(raw_tables *t, const raw_import_options *opt, const char *path, bool may_lack_cycles, trace_err *err)
{
    csv c;
    *t = (raw_tables){0};
    err->text[0] = '\0';
    t->kernels = calloc(TRACE_MAX_LAUNCHES, sizeof *t->kernels);
    if (!t->kernels)
        return import_fail(err, path, UINT64_MAX, "out of memory");
    if (!csv_open(&c, path, kernel_columns, may_lack_cycles ? K_CYCLE : K_2D, K_COUNT, err))
        return false;
    t->no_cycles = !has(&c, K_CYCLE);
    bool ok = true;
    while (ok && csv_row(&c, err))
        ok = add_kernel(t, &c, opt, err);
    ok = ok && !err->text[0];
    if (ok && t->num_kernels == 0)
        ok = import_fail(err, input_path(c.in), UINT64_MAX, "it has no kernel");
    csv_close(&c);
    return ok;
}

bool raw_tables_starts(raw_tables *t, const char *ker_path, const uint64_t *start, unsigned num, trace_err *err)
{
    if (num != t->num_kernels)
        return import_fail(err, ker_path, UINT64_MAX, "it has %u kernels, and kernel_start is 1 in %u cycles; one line for each", t->num_kernels,
                           num);
    for (unsigned i = 0; i < num; i++) {
        uint64_t *cycle = &t->kernels[i].launch.start_cycle;

        if (!t->no_cycles && *cycle != start[i])
            return import_fail(err, ker_path, UINT64_MAX, "kernel %llu starts in cycle %llu, and by kernel_start in cycle %llu; leave the column "
                               "cycle out, or correct it", (unsigned long long)t->kernels[i].uid, (unsigned long long)*cycle,
                               (unsigned long long)start[i]);
        *cycle = start[i];
    }
    return true;
}

/* ---- cta.csv -------------------------------------------------------------------- */

enum { C_CYCLE, C_SM, C_SLOT, C_EVENT, C_KERNEL, C_WARPS, C_CTA, C_FIRST_WARP, C_COUNT };
static const char *const cta_columns[C_COUNT] = {"cycle", "sm",     "slot",
                                                 "event", "kernel", "warps_per_cta", "cta", "first_warp"};

static bool event_kind(const csv *c, bool *done, trace_err *err)
{
    const char *kind = csv_text(c, C_EVENT);
    *done = strcmp(kind, "done") == 0;
    return *done || strcmp(kind, "launch") == 0 ||
           csv_fail(c, err, "event is \"%.40s\", not launch or done", kind);
}

static bool parse_event(const raw_tables *t, const raw_import_options *opt, const csv *c,
                        raw_event *e, trace_err *err)
{
    uint64_t sm, slot, uid, warps, first, cta = UINT32_MAX;
    if (!csv_number(c, C_CYCLE, UINT64_MAX, &e->cycle, err) ||
        !csv_number(c, C_SM, opt->geometry.sms - 1u, &sm, err) ||
        !csv_number(c, C_SLOT, opt->geometry.slots - 1u, &slot, err) ||
        !event_kind(c, &e->done, err) || !csv_number(c, C_KERNEL, UINT64_MAX, &uid, err) ||
        !csv_number(c, C_WARPS, BALLAST_MAX_WARPS, &warps, err) ||
        (has(c, C_CTA) && !csv_number(c, C_CTA, UINT32_MAX - 1, &cta, err)))
        return false;
    const raw_kernel *k = find_kernel(t, uid);
    if (!k)
        return csv_fail(c, err, "kernel %llu is not in ker.csv", (unsigned long long)uid);
    if (warps != k->launch.desc.warps_per_cta)
        return csv_fail(c, err, "%llu warps per CTA, but ker.csv says %u",
                        (unsigned long long)warps, k->launch.desc.warps_per_cta);
    first = slot * warps;
    if (has(c, C_FIRST_WARP) && !csv_number(c, C_FIRST_WARP, opt->geometry.warps - 1u, &first, err))
        return false;
    if (first + warps > opt->geometry.warps)
        return csv_fail(c, err, "slot %llu needs warps beyond the geometry's %u",
                        (unsigned long long)slot, opt->geometry.warps);
    e->sm = (uint16_t)sm;
    e->slot = (uint8_t)slot;
    e->first_warp = (uint8_t)first;
    e->cta = (uint32_t)cta;
    e->kernel = (unsigned)(k - t->kernels);
    e->line = input_line_number(c->in);
    return true;
}

static bool add_event(raw_tables *t, size_t *cap, const raw_event *e)
{
    raw_event *events = with_room(t->events, t->num_events, cap, sizeof *events);
    if (!events)
        return false;
    t->events = events;
    t->events[t->num_events++] = *e;
    return true;
}

static int by_sm(const void *a, const void *b)
{
    const raw_event *x = a, *y = b;
    if (x->sm != y->sm)
        return x->sm < y->sm ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

static bool read_events(raw_tables *t, const raw_import_options *opt, csv *c, trace_err *err)
{
    size_t cap = 0;
    raw_event e = {0};
    uint64_t before = 0;
    while (csv_row(c, err)) {
        if (!parse_event(t, opt, c, &e, err))
            return false;
        if (e.cycle < before)
            return csv_fail(c, err, "cycle %llu is earlier than that of the line before",
                            (unsigned long long)e.cycle);
        before = e.cycle;
        if (!add_event(t, &cap, &e))
            return csv_fail(c, err, "out of memory");
    }
    return !err->text[0];
}

static bool load_events(raw_tables *t, const raw_import_options *opt, const char *path, trace_err *err)
{
    csv c;
    if (!csv_open(&c, path, cta_columns, C_CTA, C_COUNT, err))
        return false;
    t->cta_path = strdup(input_path(c.in));
    const bool ok = t->cta_path ? read_events(t, opt, &c, err) : csv_fail(&c, err, "out of memory");
    csv_close(&c);
    if (ok && t->num_events)
        qsort(t->events, t->num_events, sizeof *t->events, by_sm);
    return ok;
}

/* --------------------------------------------------------------------------------- */

bool raw_interrupted(const raw_import_options *opt, trace_err *err)
{
    return import_fail(err, opt->out_path, UINT64_MAX, "interrupted; nothing was written");
}

char *raw_file(const char *path, const char *dir, const char *name)
{
    char *joined;

    if (path)
        return strdup(path);
    return asprintf(&joined, "%s/%s", dir, name) < 0 ? NULL : joined;
}

bool raw_tables_load(raw_tables *t, const raw_import_options *opt, const char *ker_path,
                     const char *cta_path, trace_err *err)
{
    return raw_tables_kernels(t, opt, ker_path, false, err) && load_events(t, opt, cta_path, err);
}

void raw_tables_free(raw_tables *t)
{
    free(t->kernels);
    free(t->events);
    free(t->cta_path);
    *t = (raw_tables){0};
}

void raw_tables_range(const raw_tables *t, unsigned sm, size_t *from, size_t *to)
{
    size_t i = 0;
    while (i < t->num_events && t->events[i].sm < sm)
        i++;
    *from = i;
    while (i < t->num_events && t->events[i].sm == sm)
        i++;
    *to = i;
}
