/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels/kernel_file.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analytic/check.h"
#include "kernels/fields.h"

_Static_assert((int)KERNEL_FILE_ERR == (int)FIELDS_ERR && (int)WORKLOAD_NAME >= (int)ANALYTIC_NAME, "one size of text");

const char *const target_machines[TARGET_MACHINES] = {"fermi", "kepler", "lcs"};

enum { TYPE_TEXT = 16 };

/* What the file has, before its parts are put together. */
typedef struct contents {
    const char *path;
    char *err;
    const config_setting_t *root;
    kernel_file file;
    uint32_t is_2d;
    double arithmetic; /* instructions, before they are shared out among the units */
    double int_share, fp_share, sfu_share, alu_share;
    char types[TARGET_MACHINES][TYPE_TEXT];
} contents;

/* A key that has its member's name; NEED: it has to be there. */
#define ROW(key, kind, member, needed) {key, FIELD_##kind, offsetof(contents, member), sizeof((contents *)0)->member, needed}
#define KEY(kind, of, key) ROW(#key, kind, file.of.key, false)
#define NEED(kind, of, key) ROW(#key, kind, file.of.key, true)
#define PUBLISHED_ON(machine, n)                          \
    ROW(#machine "_max", COUNT, file.target.on[n].max, false), \
    ROW(#machine "_opt", COUNT, file.target.on[n].opt, false), \
    ROW(#machine "_type", TEXT, types[n], false)

static const field launch_keys[] = {
    NEED(TEXT, analytic, name), NEED(COUNT, analytic, blocks), NEED(COUNT, analytic, threads_per_block),
    NEED(COUNT, analytic, regs_per_thread), NEED(COUNT, analytic, shared_per_block), KEY(COUNT, simulator, launches),
    ROW("is_2d", COUNT, is_2d, false), KEY(COUNT, simulator, grid_x), KEY(COUNT, simulator, cta_x),
};
static const field analytic_keys[] = {
    ROW("arithmetic", NUMBER, arithmetic, true), KEY(NUMBER, analytic, shared_insts), KEY(NUMBER, analytic, const_insts),
    KEY(NUMBER, analytic, texture_insts), KEY(NUMBER, analytic, local_insts), NEED(NUMBER, analytic, coal_mem_insts),
    NEED(NUMBER, analytic, uncoal_mem_insts), KEY(NUMBER, analytic, uncoal_per_mw), KEY(NUMBER, analytic, load_bytes),
    KEY(NUMBER, analytic, independent_loads), KEY(NUMBER, analytic, mem_latency), KEY(NUMBER, analytic, synch_insts),
};
static const field mix_keys[] = {
    ROW("int", NUMBER, int_share, false), ROW("fp", NUMBER, fp_share, false),
    ROW("sfu", NUMBER, sfu_share, false), ROW("alu", NUMBER, alu_share, false),
};
static const field simulator_keys[] = {
    KEY(COUNT, simulator, insts), KEY(NUMBER, simulator, spread), NEED(NUMBER, simulator, loads),
    KEY(NUMBER, simulator, stores), KEY(NUMBER, simulator, shared), KEY(NUMBER, simulator, sfu),
    KEY(NUMBER, simulator, branches), KEY(COUNT, simulator, barrier_every), NEED(NUMBER, simulator, alu_distance),
    KEY(NUMBER, simulator, operands), KEY(COUNT, simulator, code),
    NEED(NUMBER, simulator, load_distance), KEY(COUNT, simulator, lines), KEY(COUNT, simulator, store_lines),
    KEY(NUMBER, simulator, warp_reuse), KEY(COUNT, simulator, warp_set), KEY(NUMBER, simulator, cta_reuse),
    KEY(COUNT, simulator, cta_set), KEY(NUMBER, simulator, neighbour_reuse), KEY(COUNT, simulator, neighbour_set),
    KEY(NUMBER, simulator, random), KEY(COUNT, simulator, footprint),
};
static const field published_keys[] = {
    NEED(TEXT, target, paper), NEED(TEXT, target, table), NEED(TEXT, target, kernel),
    PUBLISHED_ON(fermi, 0), PUBLISHED_ON(kepler, 1), PUBLISHED_ON(lcs, 2),
    KEY(COUNT, target, ctas), KEY(COUNT, target, register_bytes), KEY(COUNT, target, w_cta),
    KEY(NUMBER, target, fraction), KEY(COUNT, target, t_new),
};

#define READ(c, group, keys, groups) fields_read(group, (c)->path, keys, sizeof(keys) / sizeof(keys)[0], groups, c, (c)->err)

/* ---- types ------------------------------------------------------------------------ */

static const char *const type_names[PUBLISHED_TYPES] = {
    [TYPE_UNKNOWN] = "", [TYPE_C_STRONG] = "C-strong", [TYPE_C_WEAK] = "C-weak", [TYPE_MEM] = "MEM",
    [TYPE_I] = "I", [TYPE_II] = "II", [TYPE_III] = "III", [TYPE_IV] = "IV",
    [TYPE_COMPUTE] = "Compute", [TYPE_MEMORY] = "Memory", [TYPE_CACHE] = "Cache", [TYPE_UNSATURATED] = "Unsaturated",
};

const char *published_type_name(enum published_type type)
{
    return (unsigned)type < PUBLISHED_TYPES ? type_names[type] : "";
}

static bool find_type(enum published_type *type, const char *name)
{
    for (*type = TYPE_UNKNOWN; *type < PUBLISHED_TYPES; (*type)++)
        if (!strcmp(type_names[*type], name))
            return true;
    return false;
}

/* ---- refusals --------------------------------------------------------------------- */

static bool refuse(const contents *c, const config_setting_t *group, const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* "FILE:LINE: ..." with the line of `key` in the group, if it is there; group NULL: "FILE: ...". */
static bool refuse(const contents *c, const config_setting_t *group, const char *key, const char *format, ...)
{
    const config_setting_t *s = group ? config_setting_get_member(group, key) : NULL;
    char what[KERNEL_FILE_ERR], line[16] = "";
    va_list args;

    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (s)
        snprintf(line, sizeof line, ":%u", config_setting_source_line(s));
    snprintf(c->err, KERNEL_FILE_ERR, "%s%s: %s", c->path, line, what);
    return false;
}

/* NULL with `err` empty: the file has no such group. */
static const config_setting_t *find_group(const contents *c, const char *name, const char *example)
{
    const config_setting_t *group = config_setting_get_member(c->root, name);

    c->err[0] = '\0';
    if (!group || config_setting_type(group) == CONFIG_TYPE_GROUP)
        return group;
    refuse(c, c->root, name, "%s is no group; write '%s = { %s };'", name, name, example);
    return NULL;
}

/* ---- analytic --------------------------------------------------------------------- */

static bool share_out(contents *c)
{
    const double sum = c->int_share + c->fp_share + c->sfu_share + c->alu_share;
    analytic_kernel *k = &c->file.analytic;
    analytic_err why;

    if (!analytic_not_negative(c->arithmetic, "arithmetic", &why))
        return refuse(c, NULL, NULL, "%s", why.text);
    if (!(c->int_share >= 0 && c->fp_share >= 0 && c->sfu_share >= 0 && c->alu_share >= 0 && fabs(sum - 1) < 1e-6))
        return refuse(c, NULL, NULL, "the shares of mix sum up to %g; give shares of 0 or more that sum up to 1", sum);
    k->int_insts = c->arithmetic * c->int_share;
    k->fp_insts = c->arithmetic * c->fp_share;
    k->sfu_insts = c->arithmetic * c->sfu_share;
    k->alu_insts = c->arithmetic * c->alu_share;
    return true;
}

static bool read_analytic(contents *c)
{
    static const char *const groups[] = {"mix", NULL};
    const config_setting_t *group = find_group(c, "analytic", "arithmetic = 100.0; ..."), *mix;

    if (!group)
        return !c->err[0];
    c->file.has_analytic = true;
    if (!READ(c, group, analytic_keys, groups))
        return false;
    mix = config_setting_get_member(group, "mix");
    if (!mix || config_setting_type(mix) != CONFIG_TYPE_GROUP)
        return refuse(c, NULL, NULL, "the group mix is missing; add 'mix = { int = 0.5; alu = 0.5; };'");
    return READ(c, mix, mix_keys, NULL) && share_out(c);
}

/* ---- simulator -------------------------------------------------------------------- */

static double memory_insts(const analytic_kernel *k)
{
    return k->coal_mem_insts + k->uncoal_mem_insts;
}

static double near_insts(const analytic_kernel *k)
{
    return k->shared_insts + k->const_insts + k->texture_insts + k->local_insts;
}

static double all_insts(const contents *c)
{
    return c->arithmetic + memory_insts(&c->file.analytic) + near_insts(&c->file.analytic);
}

/* What both groups say has to be the same: shares to half a percent of all instructions, barriers to half of one. */
static bool groups_agree(const contents *c, const config_setting_t *group)
{
    const analytic_kernel *k = &c->file.analytic;
    const workload *w = &c->file.simulator;
    const double all = all_insts(c);
    const struct {
        const char *key;
        double here, there, by;
    } same[] = {
        {"insts", w->insts, round(all), 0.5},
        {"loads", w->loads + w->stores, memory_insts(k) / all, 0.005},
        {"shared", w->shared, near_insts(k) / all, 0.005},
        {"barrier_every", w->barrier_every ? all / w->barrier_every : 0, k->synch_insts, 0.5},
    };

    for (unsigned i = 0; i < sizeof same / sizeof same[0]; i++)
        if (!(fabs(same[i].here - same[i].there) < same[i].by))
            return refuse(c, group, same[i].key, "%s gives %g, but by the group analytic it is %g; correct one of them",
                          same[i].key, same[i].here, same[i].there);
    return true;
}

/* A workload's complaint begins with the key that it is about. */
static bool check_workload(const contents *c, const config_setting_t *group)
{
    static const machine roomy = {.name = "any machine", .warps = BALLAST_MAX_WARPS, .slots = BALLAST_MAX_SLOTS,
                                  .registers = UINT32_MAX, .shared_bytes = UINT32_MAX};
    char why[256], key[32];

    if (workload_check(&c->file.simulator, &roomy, why, sizeof why))
        return true;
    snprintf(key, sizeof key, "%.*s", (int)strcspn(why, " ,:"), why);
    return refuse(c, config_setting_get_member(c->root, key) ? c->root : group, key, "%s", why);
}

static void take_launch(contents *c)
{
    const analytic_kernel *k = &c->file.analytic;
    workload *w = &c->file.simulator;

    snprintf(w->name, sizeof w->name, "%s", k->name);
    w->ctas = k->blocks;
    w->threads_per_cta = k->threads_per_block;
    w->regs_per_thread = k->regs_per_thread;
    w->shared_per_cta = k->shared_per_block;
    w->is_2d = c->is_2d != 0;
}

/* The length follows from the group analytic, where the file has one. */
static bool take_length(contents *c, const config_setting_t *group)
{
    if (config_setting_get_member(group, "insts"))
        return true;
    if (!c->file.has_analytic)
        return refuse(c, NULL, NULL, "insts is missing; add 'insts = ...;' to the group simulator");
    c->file.simulator.insts = (uint32_t)round(fmax(0, fmin(all_insts(c), 1e9)));
    return true;
}

static bool read_simulator(contents *c)
{
    const config_setting_t *group = find_group(c, "simulator", "insts = 100; ...");

    if (!group)
        return !c->err[0];
    c->file.has_simulator = true;
    take_launch(c);
    return READ(c, group, simulator_keys, NULL) && take_length(c, group) && check_workload(c, group) &&
           (!c->file.has_analytic || groups_agree(c, group));
}

/* ---- published -------------------------------------------------------------------- */

static bool at_most(const contents *c, const config_setting_t *group, unsigned on, const char *which, uint32_t value,
                    uint32_t most)
{
    char key[32];

    snprintf(key, sizeof key, "%s_%s", target_machines[on], which);
    return value <= most ||
           refuse(c, group, key, "%s is %u; give 0 (not printed) to %u", key, (unsigned)value, (unsigned)most);
}

static bool check_published(contents *c, const config_setting_t *group)
{
    workload_target *t = &c->file.target;
    char key[32];

    for (unsigned i = 0; i < TARGET_MACHINES; i++) {
        published *p = &t->on[i];

        snprintf(key, sizeof key, "%s_type", target_machines[i]);
        if (!find_type(&p->type, c->types[i]))
            return refuse(c, group, key, "%s is no type; give C-strong, C-weak, MEM, I, II, III, IV, Compute, Memory, "
                                         "Cache or Unsaturated", key);
        if (!at_most(c, group, i, "max", p->max, BALLAST_MAX_SLOTS) ||
            !at_most(c, group, i, "opt", p->opt, p->max ? p->max : BALLAST_MAX_SLOTS))
            return false;
    }
    return (t->fraction >= 0 && t->fraction <= 1) ||
           refuse(c, group, "fraction", "fraction is a part of the time; give 0 to 1");
}

static bool read_published(contents *c)
{
    const config_setting_t *group = find_group(c, "published", "paper = \"...\"; ...");

    return group ? READ(c, group, published_keys, NULL) && check_published(c, group) : !c->err[0];
}

/* ---- all -------------------------------------------------------------------------- */

static bool read_all(contents *c)
{
    static const char *const groups[] = {"analytic", "simulator", "published", NULL};

    if (!READ(c, c->root, launch_keys, groups))
        return false;
    if (c->is_2d > 1)
        return refuse(c, c->root, "is_2d", "is_2d is no truth value; give 0 or 1");
    return read_analytic(c) && read_simulator(c) && read_published(c);
}

bool kernel_file_read(kernel_file *file, const char *path, char *err)
{
    contents c = {.path = path, .err = err,
                  .file = {.analytic = {.uncoal_per_mw = 1, .load_bytes = 128, .independent_loads = 1},
                           .simulator = {.launches = 1, .lines = 1}}};
    config_t config;
    bool ok;

    if (!fields_open(&config, path, err))
        return false;
    c.root = config_root_setting(&config);
    ok = read_all(&c);
    config_destroy(&config);
    if (ok)
        *file = c.file;
    return ok;
}

static bool lacks(bool has, const char *path, const char *group, const char *what, char *err)
{
    if (!has)
        snprintf(err, KERNEL_FILE_ERR, "%s: has no group %s, %s; add '%s = { ... };', see doc/use/workloads.md", path, group,
                 what, group);
    return !has;
}

bool kernel_file_analytic(analytic_kernel *kernel, const char *path, char *err)
{
    kernel_file file;

    if (!kernel_file_read(&file, path, err) || lacks(file.has_analytic, path, "analytic", "which the models read", err))
        return false;
    *kernel = file.analytic;
    return true;
}

bool kernel_file_workload(workload *w, workload_target *target, const char *path, char *err)
{
    kernel_file file;

    if (!kernel_file_read(&file, path, err) || lacks(file.has_simulator, path, "simulator", "which the simulator runs", err))
        return false;
    *w = file.simulator;
    if (target)
        *target = file.target;
    return true;
}
