/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/kernel_file.h"

#include <math.h>
#include <stdio.h>

#include "analytic/check.h"
#include "analytic/fields.h"

_Static_assert((int)KERNEL_FILE_ERR == (int)FIELDS_ERR, "one size of message");

/* What the file has, before the arithmetic instructions are shared out among the units. */
typedef struct profile {
    analytic_kernel kernel;
    double arithmetic;
    double int_share, fp_share, sfu_share, alu_share;
} profile;

#define AT(member) offsetof(profile, member)

static const field keys[] = {
    {"name", FIELD_TEXT, AT(kernel.name), ANALYTIC_NAME, true},
    {"blocks", FIELD_COUNT, AT(kernel.blocks), 0, true},
    {"threads_per_block", FIELD_COUNT, AT(kernel.threads_per_block), 0, true},
    {"regs_per_thread", FIELD_COUNT, AT(kernel.regs_per_thread), 0, true},
    {"shared_per_block", FIELD_COUNT, AT(kernel.shared_per_block), 0, true},
    {"arithmetic", FIELD_NUMBER, AT(arithmetic), 0, true},
    {"shared_insts", FIELD_NUMBER, AT(kernel.shared_insts), 0, false},
    {"const_insts", FIELD_NUMBER, AT(kernel.const_insts), 0, false},
    {"texture_insts", FIELD_NUMBER, AT(kernel.texture_insts), 0, false},
    {"local_insts", FIELD_NUMBER, AT(kernel.local_insts), 0, false},
    {"coal_mem_insts", FIELD_NUMBER, AT(kernel.coal_mem_insts), 0, true},
    {"uncoal_mem_insts", FIELD_NUMBER, AT(kernel.uncoal_mem_insts), 0, true},
    {"uncoal_per_mw", FIELD_NUMBER, AT(kernel.uncoal_per_mw), 0, false},
    {"load_bytes", FIELD_NUMBER, AT(kernel.load_bytes), 0, false},
    {"independent_loads", FIELD_NUMBER, AT(kernel.independent_loads), 0, false},
    {"mem_latency", FIELD_NUMBER, AT(kernel.mem_latency), 0, false},
    {"synch_insts", FIELD_NUMBER, AT(kernel.synch_insts), 0, false},
};
static const field mix_keys[] = {
    {"int", FIELD_NUMBER, AT(int_share), 0, false},
    {"fp", FIELD_NUMBER, AT(fp_share), 0, false},
    {"sfu", FIELD_NUMBER, AT(sfu_share), 0, false},
    {"alu", FIELD_NUMBER, AT(alu_share), 0, false},
};
static const char *const groups[] = {"mix", NULL};

static bool share_out(profile *p, const char *path, char *err)
{
    const double sum = p->int_share + p->fp_share + p->sfu_share + p->alu_share;
    analytic_err why;

    if (!analytic_not_negative(p->arithmetic, "arithmetic", &why)) {
        snprintf(err, KERNEL_FILE_ERR, "%s: %s", path, why.text);
        return false;
    }
    if (!(p->int_share >= 0 && p->fp_share >= 0 && p->sfu_share >= 0 && p->alu_share >= 0 && fabs(sum - 1) < 1e-6)) {
        snprintf(err, KERNEL_FILE_ERR, "%s: the shares of mix sum up to %g; give shares of 0 or more that sum up to 1",
                 path, sum);
        return false;
    }
    p->kernel.int_insts = p->arithmetic * p->int_share;
    p->kernel.fp_insts = p->arithmetic * p->fp_share;
    p->kernel.sfu_insts = p->arithmetic * p->sfu_share;
    p->kernel.alu_insts = p->arithmetic * p->alu_share;
    return true;
}

static bool read_mix(const config_setting_t *root, const char *path, profile *p, char *err)
{
    const config_setting_t *mix = config_setting_get_member(root, "mix");

    if (!mix || config_setting_type(mix) != CONFIG_TYPE_GROUP) {
        snprintf(err, KERNEL_FILE_ERR, "%s: the group mix is missing; add 'mix = { int = 0.5; alu = 0.5; };'", path);
        return false;
    }
    return fields_read(mix, path, mix_keys, sizeof mix_keys / sizeof mix_keys[0], NULL, p, err);
}

bool kernel_file_read(analytic_kernel *kernel, const char *path, char *err)
{
    profile p = {.kernel = {.uncoal_per_mw = 1, .load_bytes = 128, .independent_loads = 1}};
    config_t config;
    bool ok;

    if (!fields_open(&config, path, err))
        return false;
    ok = fields_read(config_root_setting(&config), path, keys, sizeof keys / sizeof keys[0], groups, &p, err) &&
         read_mix(config_root_setting(&config), path, &p, err) && share_out(&p, path, err);
    config_destroy(&config);
    if (ok)
        *kernel = p.kernel;
    return ok;
}
