/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/ipp_keys.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct field {
    const char *name;
    size_t offset, size; /* in its struct; a double, uint32_t or bool by its size */
} field;

#define FIELD(type, name) {#name, offsetof(type, name), sizeof(((type *)0)->name)}
static const field set_fields[] = {
    FIELD(ipp_params, num_sms),           FIELD(ipp_params, const_sm),          FIELD(ipp_params, activation),
    FIELD(ipp_params, idle_power),        FIELD(ipp_params, system_idle_power), FIELD(ipp_params, issue_interval),
    FIELD(ipp_params, beta),              FIELD(ipp_params, log_cores),         FIELD(ipp_params, spec_slope),
    FIELD(ipp_params, spec_offset),       FIELD(ipp_params, thermal.known),     FIELD(ipp_params, thermal.mu),
    FIELD(ipp_params, thermal.lambda),    FIELD(ipp_params, thermal.rho),       FIELD(ipp_params, thermal.rc_rise),
    FIELD(ipp_params, thermal.rc_decay),  FIELD(ipp_params, thermal.sigma),     FIELD(ipp_params, thermal.idle_temp),
};
static const field unit_fields[] = {
    FIELD(ipp_unit, max_power), FIELD(ipp_unit, exists), FIELD(ipp_unit, per_sm), FIELD(ipp_unit, on_chip),
    FIELD(ipp_unit, special_linear),
};

/* The key's field of an ipp_params. */
static bool find_key(const char *key, field *out, analytic_err *err)
{
    enum { OF_SET = sizeof set_fields / sizeof *set_fields, OF_UNIT = sizeof unit_fields / sizeof *unit_fields };
    char text[40];

    for (unsigned i = 0; i < OF_SET; i++) {
        *out = set_fields[i];
        if (strcmp(out->name, key) == 0)
            return true;
    }
    for (unsigned i = 0; i < IPP_COMPONENTS * OF_UNIT; i++) {
        *out = unit_fields[i % OF_UNIT];
        out->offset += offsetof(ipp_params, unit) + i / OF_UNIT * sizeof(ipp_unit);
        snprintf(text, sizeof text, "%s.%s", ipp_component_name(i / OF_UNIT), out->name);
        if (strcmp(text, key) == 0)
            return true;
    }
    return analytic_fail(err, "%.60s is no parameter; give one such as idle_power, fp.max_power, thermal.mu",
                         key);
}

static bool write_field(const field *f, const char *key, double value, ipp_params *params, analytic_err *err)
{
    const bool is_flag = f->size == sizeof(bool), flag = value != 0;
    char *at = (char *)params + f->offset;

    if (f->size == sizeof value) {
        memcpy(at, &value, sizeof value);
        return true;
    }
    if (!analytic_within(value, 0, is_flag ? 1 : UINT32_MAX, key, err))
        return false;
    if (value != floor(value))
        return analytic_fail(err, "%s is %g; give a whole number", key, value);
    const uint32_t whole = (uint32_t)value;
    memcpy(at, is_flag ? (const void *)&flag : &whole, f->size);
    return true;
}

bool ipp_key_set(ipp_params *params, const char *key, double value, analytic_err *err)
{
    ipp_params changed = *params;
    field f;

    if (!find_key(key, &f, err) || !write_field(&f, key, value, &changed, err) ||
        !ipp_params_check(&changed, err))
        return false;
    *params = changed;
    return true;
}
