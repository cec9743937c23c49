/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/gpu_file.h"

#include <stdio.h>
#include <string.h>

#include "analytic/ipp_keys.h"
#include "kernels/fields.h"

_Static_assert((int)GPU_FILE_ERR == (int)FIELDS_ERR, "one size of message");

#define AT(member) offsetof(analytic_gpu, member)

static const field keys[] = {
    {"name", FIELD_TEXT, AT(name), ANALYTIC_NAME, true},
    {"num_sms", FIELD_COUNT, AT(occupancy.num_sms), 0, false},
    {"max_warps", FIELD_COUNT, AT(occupancy.max_warps), 0, false},
    {"max_blocks", FIELD_COUNT, AT(occupancy.max_blocks), 0, false},
    {"max_threads", FIELD_COUNT, AT(occupancy.max_threads), 0, false},
    {"max_threads_per_block", FIELD_COUNT, AT(occupancy.max_threads_per_block), 0, false},
    {"registers", FIELD_COUNT, AT(occupancy.registers), 0, false},
    {"max_regs_per_block", FIELD_COUNT, AT(occupancy.max_regs_per_block), 0, false},
    {"max_regs_per_thread", FIELD_COUNT, AT(occupancy.max_regs_per_thread), 0, false},
    {"shared_bytes", FIELD_COUNT, AT(occupancy.shared_bytes), 0, false},
    {"max_shared_per_block", FIELD_COUNT, AT(occupancy.max_shared_per_block), 0, false},
    {"freq_ghz", FIELD_NUMBER, AT(memory.freq_ghz), 0, false},
    {"bandwidth_gb_s", FIELD_NUMBER, AT(memory.bandwidth_gb_s), 0, false},
    {"mem_ld", FIELD_NUMBER, AT(memory.mem_ld), 0, false},
    {"departure_coal", FIELD_NUMBER, AT(memory.departure_coal), 0, false},
    {"departure_uncoal", FIELD_NUMBER, AT(memory.departure_uncoal), 0, false},
    {"issue_cycles", FIELD_NUMBER, AT(memory.issue_cycles), 0, false},
};
static const char *const others[] = {"base", "power", NULL};

static bool at_line(char *err, const char *path, const config_setting_t *s, const char *what)
{
    snprintf(err, GPU_FILE_ERR, "%s:%u: %s", path, config_setting_source_line(s), what);
    return false;
}

static bool take_base(const config_setting_t *root, const char *path, analytic_gpu *gpu, char *err)
{
    const config_setting_t *base = config_setting_get_member(root, "base");
    const char *name = base ? config_setting_get_string(base) : NULL;

    if (name && analytic_gpu_find(name, gpu))
        return true;
    if (base)
        return at_line(err, path, base, "base must be a built-in GPU; 'ballast analytic gpus' lists them");
    snprintf(err, GPU_FILE_ERR, "%s: base is missing; add 'base = \"gtx280\";', the built-in GPU that it is like", path);
    return false;
}

static bool set_power(const config_setting_t *s, const char *key, const char *path, analytic_gpu *gpu, char *err)
{
    analytic_err why;
    double value;

    if (!fields_number(s, &value))
        return at_line(err, path, s, "a value of power must be a number");
    if (!ipp_key_set(&gpu->power, key, value, &why))
        return at_line(err, path, s, why.text);
    return true;
}

/* power = { idle_power = 30.0; fp = { max_power = 0.3; }; }: keys of ipp_keys.h, the dot being a group. */
static bool take_power(const config_setting_t *power, const char *path, analytic_gpu *gpu, char *err)
{
    for (int i = 0; i < config_setting_length(power); i++) {
        const config_setting_t *s = config_setting_get_elem(power, (unsigned)i);
        char key[80];

        if (config_setting_type(s) != CONFIG_TYPE_GROUP) {
            if (!set_power(s, config_setting_name(s), path, gpu, err))
                return false;
            continue;
        }
        for (int j = 0; j < config_setting_length(s); j++) {
            const config_setting_t *inner = config_setting_get_elem(s, (unsigned)j);

            snprintf(key, sizeof key, "%.39s.%.39s", config_setting_name(s), config_setting_name(inner));
            if (!set_power(inner, key, path, gpu, err))
                return false;
        }
    }
    return true;
}

static bool take_all(const config_setting_t *root, const char *path, analytic_gpu *gpu, char *err)
{
    const config_setting_t *power = config_setting_get_member(root, "power");

    if (!take_base(root, path, gpu, err) ||
        !fields_read(root, path, keys, sizeof keys / sizeof keys[0], others, gpu, err))
        return false;
    gpu->note = "a file";
    if (!power)
        return true;
    if (config_setting_type(power) != CONFIG_TYPE_GROUP)
        return at_line(err, path, power, "power must be a group: power = { idle_power = 30.0; };");
    if (!gpu->has_power)
        return at_line(err, path, power, "the base has no power parameters; choose gtx280, gtx580 or fermi as base");
    return take_power(power, path, gpu, err);
}

bool gpu_file_find(analytic_gpu *gpu, const char *what, char *err)
{
    analytic_gpu read;
    config_t config;
    bool ok;

    if (analytic_gpu_find(what, gpu))
        return true;
    if (!strpbrk(what, "/.")) {
        snprintf(err, GPU_FILE_ERR, "no GPU '%s'; 'ballast analytic gpus' lists them, or name a file", what);
        return false;
    }
    if (!fields_open(&config, what, err))
        return false;
    ok = take_all(config_root_setting(&config), what, &read, err);
    config_destroy(&config);
    if (ok)
        *gpu = read;
    return ok;
}
