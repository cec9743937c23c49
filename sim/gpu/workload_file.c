/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/workload_file.h"

#include <stdio.h>
#include <string.h>

#include "analytic/fields.h"

_Static_assert((int)WORKLOAD_FILE_ERR == (int)FIELDS_ERR, "one size of message");

const char *const target_machines[TARGET_MACHINES] = {"fermi", "kepler", "lcs"};

enum { TYPE_TEXT = 16 };

/* What the file has, before texts become types. */
typedef struct contents {
    workload workload;
    uint32_t is_2d;
    workload_target target;
    char types[TARGET_MACHINES][TYPE_TEXT];
} contents;

#define AT(member) offsetof(contents, member)

static const field keys[] = {
    {"name", FIELD_TEXT, AT(workload.name), WORKLOAD_NAME, true},
    {"ctas", FIELD_COUNT, AT(workload.ctas), 0, true},
    {"threads_per_cta", FIELD_COUNT, AT(workload.threads_per_cta), 0, true},
    {"regs_per_thread", FIELD_COUNT, AT(workload.regs_per_thread), 0, true},
    {"shared_per_cta", FIELD_COUNT, AT(workload.shared_per_cta), 0, false},
    {"launches", FIELD_COUNT, AT(workload.launches), 0, false},
    {"is_2d", FIELD_COUNT, AT(is_2d), 0, false},
    {"insts", FIELD_COUNT, AT(workload.insts), 0, true},
    {"spread", FIELD_NUMBER, AT(workload.spread), 0, false},
    {"loads", FIELD_NUMBER, AT(workload.loads), 0, true},
    {"stores", FIELD_NUMBER, AT(workload.stores), 0, false},
    {"shared", FIELD_NUMBER, AT(workload.shared), 0, false},
    {"sfu", FIELD_NUMBER, AT(workload.sfu), 0, false},
    {"branches", FIELD_NUMBER, AT(workload.branches), 0, false},
    {"barrier_every", FIELD_COUNT, AT(workload.barrier_every), 0, false},
    {"alu_distance", FIELD_NUMBER, AT(workload.alu_distance), 0, true},
    {"load_distance", FIELD_NUMBER, AT(workload.load_distance), 0, true},
    {"lines", FIELD_COUNT, AT(workload.lines), 0, false},
    {"store_lines", FIELD_COUNT, AT(workload.store_lines), 0, false},
    {"warp_reuse", FIELD_NUMBER, AT(workload.warp_reuse), 0, false},
    {"warp_set", FIELD_COUNT, AT(workload.warp_set), 0, false},
    {"cta_reuse", FIELD_NUMBER, AT(workload.cta_reuse), 0, false},
    {"cta_set", FIELD_COUNT, AT(workload.cta_set), 0, false},
    {"neighbour_reuse", FIELD_NUMBER, AT(workload.neighbour_reuse), 0, false},
    {"neighbour_set", FIELD_COUNT, AT(workload.neighbour_set), 0, false},
    {"random", FIELD_NUMBER, AT(workload.random), 0, false},
    {"footprint", FIELD_COUNT, AT(workload.footprint), 0, false},
};
static const field published_keys[] = {
    {"paper", FIELD_TEXT, AT(target.paper), TARGET_TEXT, true},
    {"table", FIELD_TEXT, AT(target.table), TARGET_TEXT, true},
    {"kernel", FIELD_TEXT, AT(target.kernel), TARGET_TEXT, true},
    {"fermi_max", FIELD_COUNT, AT(target.on[0].max), 0, false},
    {"fermi_opt", FIELD_COUNT, AT(target.on[0].opt), 0, false},
    {"fermi_type", FIELD_TEXT, AT(types[0]), TYPE_TEXT, false},
    {"kepler_max", FIELD_COUNT, AT(target.on[1].max), 0, false},
    {"kepler_opt", FIELD_COUNT, AT(target.on[1].opt), 0, false},
    {"kepler_type", FIELD_TEXT, AT(types[1]), TYPE_TEXT, false},
    {"lcs_max", FIELD_COUNT, AT(target.on[2].max), 0, false},
    {"lcs_opt", FIELD_COUNT, AT(target.on[2].opt), 0, false},
    {"lcs_type", FIELD_TEXT, AT(types[2]), TYPE_TEXT, false},
    {"ctas", FIELD_COUNT, AT(target.ctas), 0, false},
    {"register_bytes", FIELD_COUNT, AT(target.register_bytes), 0, false},
    {"w_cta", FIELD_COUNT, AT(target.w_cta), 0, false},
    {"fraction", FIELD_NUMBER, AT(target.fraction), 0, false},
    {"t_new", FIELD_COUNT, AT(target.t_new), 0, false},
};
static const char *const groups[] = {"published", NULL};

enum { KEYS = sizeof keys / sizeof keys[0], PUBLISHED_KEYS = sizeof published_keys / sizeof published_keys[0] };

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

/* ---- values ----------------------------------------------------------------------- */

/* "FILE:LINE: KEY ..." with the line of `key` in the group, if it is there. */
static bool refuse(const config_setting_t *group, const char *path, const char *key, const char *what, char *err)
{
    const config_setting_t *s = config_setting_get_member(group, key);

    if (s)
        snprintf(err, WORKLOAD_FILE_ERR, "%s:%u: %s", path, config_setting_source_line(s), what);
    else
        snprintf(err, WORKLOAD_FILE_ERR, "%s: %s", path, what);
    return false;
}

/* A workload's complaint begins with the key that it is about. */
static bool check_workload(const contents *c, const config_setting_t *root, const char *path, char *err)
{
    static const machine roomy = {.name = "any machine", .warps = BALLAST_MAX_WARPS, .slots = BALLAST_MAX_SLOTS,
                                  .registers = UINT32_MAX, .shared_bytes = UINT32_MAX};
    char why[256], key[32];

    if (c->is_2d > 1)
        return refuse(root, path, "is_2d", "is_2d is no truth value; give 0 or 1", err);
    if (workload_check(&c->workload, &roomy, why, sizeof why))
        return true;
    snprintf(key, sizeof key, "%.*s", (int)strcspn(why, " ,:"), why);
    return refuse(root, path, key, why, err);
}

static bool take_types(contents *c, const config_setting_t *group, const char *path, char *err)
{
    char key[32], what[160];

    for (unsigned i = 0; i < TARGET_MACHINES; i++) {
        snprintf(key, sizeof key, "%s_type", target_machines[i]);
        snprintf(what, sizeof what, "%s is no type; give C-strong, C-weak, MEM, I, II, III, IV, Compute, Memory, Cache or Unsaturated",
                 key);
        if (!find_type(&c->target.on[i].type, c->types[i]))
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
    const config_setting_t *group = config_setting_get_member(root, "published");

    if (!group)
        return true;
    if (config_setting_type(group) != CONFIG_TYPE_GROUP)
        return refuse(root, path, "published", "published is no group; write 'published = { paper = \"...\"; ... };'", err);
    return fields_read(group, path, published_keys, PUBLISHED_KEYS, NULL, c, err) && take_types(c, group, path, err) &&
           check_published(&c->target, group, path, err);
}

bool workload_file_read(workload *w, workload_target *target, const char *path, char *err)
{
    contents c = {.workload = {.launches = 1, .lines = 1}};
    const config_setting_t *root;
    config_t config;
    bool ok;

    if (!fields_open(&config, path, err))
        return false;
    root = config_root_setting(&config);
    ok = fields_read(root, path, keys, KEYS, groups, &c, err) && check_workload(&c, root, path, err) &&
         read_published(&c, root, path, err);
    config_destroy(&config);
    if (!ok)
        return false;
    c.workload.is_2d = c.is_2d != 0;
    *w = c.workload;
    if (target)
        *target = c.target;
    return true;
}
