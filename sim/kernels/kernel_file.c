/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels/kernel_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analytic/check.h"
#include "kernels/fields.h"

_Static_assert((int)KERNEL_FILE_ERR == (int)FIELDS_ERR && (int)WORKLOAD_NAME >= (int)ANALYTIC_NAME, "one size of text");

const char *const target_machines[TARGET_MACHINES] = {"fermi", "kepler", "lcs"};

enum { TYPE_TEXT = 16 };

/* What the file has, before its parts are put together. */
typedef struct contents {
    kernel_file file;
    uint32_t is_2d;
    double arithmetic; /* instructions, before they are shared out among the units */
    double int_share, fp_share, sfu_share, alu_share;
    char types[TARGET_MACHINES][TYPE_TEXT];
} contents;

#define AT(member) offsetof(contents, member)

static const field launch_keys[] = {
    {"name", FIELD_TEXT, AT(file.analytic.name), ANALYTIC_NAME, true},
    {"blocks", FIELD_COUNT, AT(file.analytic.blocks), 0, true},
    {"threads_per_block", FIELD_COUNT, AT(file.analytic.threads_per_block), 0, true},
    {"regs_per_thread", FIELD_COUNT, AT(file.analytic.regs_per_thread), 0, true},
    {"shared_per_block", FIELD_COUNT, AT(file.analytic.shared_per_block), 0, true},
    {"launches", FIELD_COUNT, AT(file.simulator.launches), 0, false},
    {"is_2d", FIELD_COUNT, AT(is_2d), 0, false},
};
static const field analytic_keys[] = {
    {"arithmetic", FIELD_NUMBER, AT(arithmetic), 0, true},
    {"shared_insts", FIELD_NUMBER, AT(file.analytic.shared_insts), 0, false},
    {"const_insts", FIELD_NUMBER, AT(file.analytic.const_insts), 0, false},
    {"texture_insts", FIELD_NUMBER, AT(file.analytic.texture_insts), 0, false},
    {"local_insts", FIELD_NUMBER, AT(file.analytic.local_insts), 0, false},
    {"coal_mem_insts", FIELD_NUMBER, AT(file.analytic.coal_mem_insts), 0, true},
    {"uncoal_mem_insts", FIELD_NUMBER, AT(file.analytic.uncoal_mem_insts), 0, true},
    {"uncoal_per_mw", FIELD_NUMBER, AT(file.analytic.uncoal_per_mw), 0, false},
    {"load_bytes", FIELD_NUMBER, AT(file.analytic.load_bytes), 0, false},
    {"independent_loads", FIELD_NUMBER, AT(file.analytic.independent_loads), 0, false},
    {"mem_latency", FIELD_NUMBER, AT(file.analytic.mem_latency), 0, false},
    {"synch_insts", FIELD_NUMBER, AT(file.analytic.synch_insts), 0, false},
};
static const field mix_keys[] = {
    {"int", FIELD_NUMBER, AT(int_share), 0, false},
    {"fp", FIELD_NUMBER, AT(fp_share), 0, false},
    {"sfu", FIELD_NUMBER, AT(sfu_share), 0, false},
    {"alu", FIELD_NUMBER, AT(alu_share), 0, false},
};
static const field simulator_keys[] = {
    {"insts", FIELD_COUNT, AT(file.simulator.insts), 0, false},
    {"spread", FIELD_NUMBER, AT(file.simulator.spread), 0, false},
    {"loads", FIELD_NUMBER, AT(file.simulator.loads), 0, true},
    {"stores", FIELD_NUMBER, AT(file.simulator.stores), 0, false},
    {"shared", FIELD_NUMBER, AT(file.simulator.shared), 0, false},
    {"sfu", FIELD_NUMBER, AT(file.simulator.sfu), 0, false},
    {"branches", FIELD_NUMBER, AT(file.simulator.branches), 0, false},
    {"barrier_every", FIELD_COUNT, AT(file.simulator.barrier_every), 0, false},
    {"alu_distance", FIELD_NUMBER, AT(file.simulator.alu_distance), 0, true},
    {"load_distance", FIELD_NUMBER, AT(file.simulator.load_distance), 0, true},
    {"lines", FIELD_COUNT, AT(file.simulator.lines), 0, false},
    {"store_lines", FIELD_COUNT, AT(file.simulator.store_lines), 0, false},
    {"warp_reuse", FIELD_NUMBER, AT(file.simulator.warp_reuse), 0, false},
    {"warp_set", FIELD_COUNT, AT(file.simulator.warp_set), 0, false},
    {"cta_reuse", FIELD_NUMBER, AT(file.simulator.cta_reuse), 0, false},
    {"cta_set", FIELD_COUNT, AT(file.simulator.cta_set), 0, false},
    {"neighbour_reuse", FIELD_NUMBER, AT(file.simulator.neighbour_reuse), 0, false},
    {"neighbour_set", FIELD_COUNT, AT(file.simulator.neighbour_set), 0, false},
    {"random", FIELD_NUMBER, AT(file.simulator.random), 0, false},
    {"footprint", FIELD_COUNT, AT(file.simulator.footprint), 0, false},
};
static const field published_keys[] = {
    {"paper", FIELD_TEXT, AT(file.target.paper), TARGET_TEXT, true},
    {"table", FIELD_TEXT, AT(file.target.table), TARGET_TEXT, true},
    {"kernel", FIELD_TEXT, AT(file.target.kernel), TARGET_TEXT, true},
    {"fermi_max", FIELD_COUNT, AT(file.target.on[0].max), 0, false},
    {"fermi_opt", FIELD_COUNT, AT(file.target.on[0].opt), 0, false},
    {"fermi_type", FIELD_TEXT, AT(types[0]), TYPE_TEXT, false},
    {"kepler_max", FIELD_COUNT, AT(file.target.on[1].max), 0, false},
    {"kepler_opt", FIELD_COUNT, AT(file.target.on[1].opt), 0, false},
    {"kepler_type", FIELD_TEXT, AT(types[1]), TYPE_TEXT, false},
    {"lcs_max", FIELD_COUNT, AT(file.target.on[2].max), 0, false},
    {"lcs_opt", FIELD_COUNT, AT(file.target.on[2].opt), 0, false},
    {"lcs_type", FIELD_TEXT, AT(types[2]), TYPE_TEXT, false},
    {"ctas", FIELD_COUNT, AT(file.target.ctas), 0, false},
    {"register_bytes", FIELD_COUNT, AT(file.target.register_bytes), 0, false},
    {"w_cta", FIELD_COUNT, AT(file.target.w_cta), 0, false},
    {"fraction", FIELD_NUMBER, AT(file.target.fraction), 0, false},
    {"t_new", FIELD_COUNT, AT(file.target.t_new), 0, false},
};

#define READ(group, path, keys, groups, c, err) fields_read(group, path, keys, sizeof(keys) / sizeof(keys)[0], groups, c, err)

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

/* "FILE:LINE: ..." with the line of `key` in the group, if it is there. */
static bool refuse(const config_setting_t *group, const char *path, const char *key, const char *what, char *err)
{
    const config_setting_t *s = config_setting_get_member(group, key);

    if (s)
        snprintf(err, KERNEL_FILE_ERR, "%s:%u: %s", path, config_setting_source_line(s), what);
    else
        snprintf(err, KERNEL_FILE_ERR, "%s: %s", path, what);
    return false;
}

/* NULL with `err` empty: the file has no such group. */
static const config_setting_t *find_group(const config_setting_t *root, const char *path, const char *name, const char *example,
                                          char *err)
{
    const config_setting_t *group = config_setting_get_member(root, name);
    char what[160];

    err[0] = '\0';
    if (!group || config_setting_type(group) == CONFIG_TYPE_GROUP)
        return group;
    snprintf(what, sizeof what, "%s is no group; write '%s = { %s };'", name, name, example);
    refuse(root, path, name, what, err);
    return NULL;
}

/* ---- analytic --------------------------------------------------------------------- */

static bool share_out(contents *c, const char *path, char *err)
{
    const double sum = c->int_share + c->fp_share + c->sfu_share + c->alu_share;
    analytic_kernel *k = &c->file.analytic;
    analytic_err why;

    if (!analytic_not_negative(c->arithmetic, "arithmetic", &why)) {
        snprintf(err, KERNEL_FILE_ERR, "%s: %s", path, why.text);
        return false;
    }
    if (!(c->int_share >= 0 && c->fp_share >= 0 && c->sfu_share >= 0 && c->alu_share >= 0 && fabs(sum - 1) < 1e-6)) {
        snprintf(err, KERNEL_FILE_ERR, "%s: the shares of mix sum up to %g; give shares of 0 or more that sum up to 1",
                 path, sum);
        return false;
    }
    k->int_insts = c->arithmetic * c->int_share;
    k->fp_insts = c->arithmetic * c->fp_share;
    k->sfu_insts = c->arithmetic * c->sfu_share;
    k->alu_insts = c->arithmetic * c->alu_share;
    return true;
}

static bool read_mix(const config_setting_t *group, const char *path, contents *c, char *err)
{
    const config_setting_t *mix = config_setting_get_member(group, "mix");

    if (!mix || config_setting_type(mix) != CONFIG_TYPE_GROUP) {
        snprintf(err, KERNEL_FILE_ERR, "%s: the group mix is missing; add 'mix = { int = 0.5; alu = 0.5; };'", path);
        return false;
    }
    return READ(mix, path, mix_keys, NULL, c, err);
}

static bool read_analytic(contents *c, const config_setting_t *root, const char *path, char *err)
{
    static const char *const groups[] = {"mix", NULL};
    const config_setting_t *group = find_group(root, path, "analytic", "arithmetic = 100.0; ...", err);

    if (!group)
        return !err[0];
    c->file.has_analytic = true;
    return READ(group, path, analytic_keys, groups, c, err) && read_mix(group, path, c, err) && share_out(c, path, err);
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
static bool groups_agree(const contents *c, const config_setting_t *group, const char *path, char *err)
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
    char what[200];

    for (unsigned i = 0; i < sizeof same / sizeof same[0]; i++)
        if (!(fabs(same[i].here - same[i].there) < same[i].by)) {
            snprintf(what, sizeof what, "%s gives %g, but by the group analytic it is %g; correct one of them", same[i].key,
                     same[i].here, same[i].there);
            return refuse(group, path, same[i].key, what, err);
        }
    return true;
}

/* A workload's complaint begins with the key that it is about. */
static bool check_workload(const contents *c, const config_setting_t *root, const config_setting_t *group, const char *path,
                           char *err)
{
    static const machine roomy = {.name = "any machine", .warps = BALLAST_MAX_WARPS, .slots = BALLAST_MAX_SLOTS,
                                  .registers = UINT32_MAX, .shared_bytes = UINT32_MAX};
    char why[256], key[32];

    if (workload_check(&c->file.simulator, &roomy, why, sizeof why))
        return true;
    snprintf(key, sizeof key, "%.*s", (int)strcspn(why, " ,:"), why);
    return refuse(config_setting_get_member(root, key) ? root : group, path, key, why, err);
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
static bool take_length(contents *c, const config_setting_t *group, const char *path, char *err)
{
    if (config_setting_get_member(group, "insts"))
        return true;
    if (!c->file.has_analytic) {
        snprintf(err, KERNEL_FILE_ERR, "%s: insts is missing; add 'insts = ...;' to the group simulator", path);
        return false;
    }
    c->file.simulator.insts = (uint32_t)round(fmax(0, fmin(all_insts(c), 1e9)));
    return true;
}

static bool read_simulator(contents *c, const config_setting_t *root, const char *path, char *err)
{
    const config_setting_t *group = find_group(root, path, "simulator", "insts = 100; ...", err);

    if (!group)
        return !err[0];
    c->file.has_simulator = true;
    take_launch(c);
    return READ(group, path, simulator_keys, NULL, c, err) && take_length(c, group, path, err) &&
           check_workload(c, root, group, path, err) && (!c->file.has_analytic || groups_agree(c, group, path, err));
}

/* ---- published -------------------------------------------------------------------- */

static bool take_types(contents *c, const config_setting_t *group, const char *path, char *err)
{
    char key[32], what[160];

    for (unsigned i = 0; i < TARGET_MACHINES; i++) {
        snprintf(key, sizeof key, "%s_type", target_machines[i]);
        snprintf(what, sizeof what,
                 "%s is no type; give C-strong, C-weak, MEM, I, II, III, IV, Compute, Memory, Cache or Unsaturated", key);
        if (!find_type(&c->file.target.on[i].type, c->types[i]))
            return refuse(group, path, key, what, err);
    }
    return true;
}

static unsigned most_opt(const published *p)
{
    return p->max ? p->max : BALLAST_MAX_SLOTS;
}

static bool check_published(const workload_target *t, const config_setting_t *group, const char *path, char *err)
{
    char key[32], what[160];

    for (unsigned i = 0; i < TARGET_MACHINES; i++) {
        snprintf(key, sizeof key, "%s_max", target_machines[i]);
        snprintf(what, sizeof what, "%s is %u; give 0 (not printed) to %d", key, (unsigned)t->on[i].max, BALLAST_MAX_SLOTS);
        if (t->on[i].max > BALLAST_MAX_SLOTS)
            return refuse(group, path, key, what, err);
        snprintf(key, sizeof key, "%s_opt", target_machines[i]);
        snprintf(what, sizeof what, "%s is %u; give 0 (not printed) to %u", key, (unsigned)t->on[i].opt, most_opt(&t->on[i]));
        if (t->on[i].opt > most_opt(&t->on[i]))
            return refuse(group, path, key, what, err);
    }
    if (!(t->fraction >= 0 && t->fraction <= 1))
        return refuse(group, path, "fraction", "fraction is a part of the time; give 0 to 1", err);
    return true;
}

static bool read_published(contents *c, const config_setting_t *root, const char *path, char *err)
{
    const config_setting_t *group = find_group(root, path, "published", "paper = \"...\"; ...", err);

    if (!group)
        return !err[0];
    return READ(group, path, published_keys, NULL, c, err) && take_types(c, group, path, err) &&
           check_published(&c->file.target, group, path, err);
}

/* ---- all -------------------------------------------------------------------------- */

static bool read_all(contents *c, const config_setting_t *root, const char *path, char *err)
{
    static const char *const groups[] = {"analytic", "simulator", "published", NULL};

    if (!READ(root, path, launch_keys, groups, c, err))
        return false;
    if (c->is_2d > 1)
        return refuse(root, path, "is_2d", "is_2d is no truth value; give 0 or 1", err);
    return read_analytic(c, root, path, err) && read_simulator(c, root, path, err) && read_published(c, root, path, err);
}

bool kernel_file_read(kernel_file *file, const char *path, char *err)
{
    contents c = {.file = {.analytic = {.uncoal_per_mw = 1, .load_bytes = 128, .independent_loads = 1},
                           .simulator = {.launches = 1, .lines = 1}}};
    config_t config;
    bool ok;

    if (!fields_open(&config, path, err))
        return false;
    ok = read_all(&c, config_root_setting(&config), path, err);
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
