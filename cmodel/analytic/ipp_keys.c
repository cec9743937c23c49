/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/ipp_keys.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum kind { KIND_DOUBLE, KIND_UINT32, KIND_BOOL };

typedef struct field {
    const char *name;
    enum kind kind;
    size_t offset; /* in its struct */
} field;

#define OF_SET(name, kind) {#name, kind, offsetof(ipp_params, name)}
static const field set_fields[] = {
    OF_SET(num_sms, KIND_UINT32),
    OF_SET(const_sm, KIND_DOUBLE),
    OF_SET(activation, KIND_DOUBLE),
    OF_SET(idle_power, KIND_DOUBLE),
    OF_SET(system_idle_power, KIND_DOUBLE),
    OF_SET(issue_interval, KIND_DOUBLE),
    OF_SET(beta, KIND_DOUBLE),
    OF_SET(log_cores, KIND_BOOL),
    OF_SET(spec_slope, KIND_DOUBLE),
    OF_SET(spec_offset, KIND_DOUBLE),
    OF_SET(thermal.known, KIND_BOOL),
    OF_SET(thermal.mu, KIND_DOUBLE),
    OF_SET(thermal.lambda, KIND_DOUBLE),
    OF_SET(thermal.rho, KIND_DOUBLE),
    OF_SET(thermal.rc_rise, KIND_DOUBLE),
    OF_SET(thermal.rc_decay, KIND_DOUBLE),
    OF_SET(thermal.sigma, KIND_DOUBLE),
    OF_SET(thermal.idle_temp, KIND_DOUBLE),
};

#define OF_UNIT(name, kind) {#name, kind, offsetof(ipp_unit, name)}
static const field unit_fields[] = {
    OF_UNIT(max_power, KIND_DOUBLE), OF_UNIT(exists, KIND_BOOL),         OF_UNIT(per_sm, KIND_BOOL),
    OF_UNIT(on_chip, KIND_BOOL),     OF_UNIT(special_linear, KIND_BOOL),
};

enum {
    NUM_SET_FIELDS = sizeof set_fields / sizeof set_fields[0],
    NUM_UNIT_FIELDS = sizeof unit_fields / sizeof unit_fields[0]
};

/* Key `index`: its text, and in *out its kind and offset in an ipp_params. */
static bool key_at(unsigned index, char text[IPP_KEY_TEXT], field *out)
{
    if (index < NUM_SET_FIELDS) {
        *out = set_fields[index];
        snprintf(text, IPP_KEY_TEXT, "%s", out->name);
        return true;
    }
    const unsigned component = (index - NUM_SET_FIELDS) / NUM_UNIT_FIELDS;
    if (component >= IPP_COMPONENTS)
        return false;
    *out = unit_fields[(index - NUM_SET_FIELDS) % NUM_UNIT_FIELDS];
    out->offset += offsetof(ipp_params, unit) + component * sizeof(ipp_unit);
    snprintf(text, IPP_KEY_TEXT, "%s.%s", ipp_component_name(component), out->name);
    return true;
}

static bool find_key(const char *key, field *out, analytic_err *err)
{
    char text[IPP_KEY_TEXT];

    for (unsigned i = 0; key_at(i, text, out); i++) {
        if (strcmp(text, key) == 0)
            return true;
    }
    return analytic_fail(err, "%.60s is no parameter; give one such as idle_power, fp.max_power, thermal.mu",
                         key);
}

static double read_field(const field *f, const ipp_params *params)
{
    const char *at = (const char *)params + f->offset;
    double real;
    uint32_t whole;
    bool flag;

    switch (f->kind) {
    case KIND_UINT32:
        memcpy(&whole, at, sizeof whole);
        return whole;
    case KIND_BOOL:
        memcpy(&flag, at, sizeof flag);
        return flag;
    default:
        memcpy(&real, at, sizeof real);
        return real;
    }
}

static bool write_field(const field *f, const char *key, double value, ipp_params *params, analytic_err *err)
{
    char *at = (char *)params + f->offset;

    if (f->kind == KIND_DOUBLE) {
        memcpy(at, &value, sizeof value);
        return true;
    }
    if (!analytic_within(value, 0, f->kind == KIND_BOOL ? 1 : UINT32_MAX, key, err))
        return false;
    if (value != floor(value))
        return analytic_fail(err, "%s is %g; give a whole number", key, value);
    if (f->kind == KIND_BOOL) {
        const bool flag = value != 0;
        memcpy(at, &flag, sizeof flag);
    } else {
        const uint32_t whole = (uint32_t)value;
        memcpy(at, &whole, sizeof whole);
    }
    return true;
}

bool ipp_key_name(unsigned index, char text[IPP_KEY_TEXT])
{
    field unused;

    return key_at(index, text, &unused);
}

bool ipp_key_get(const ipp_params *params, const char *key, double *value, analytic_err *err)
{
    field f;

    if (!find_key(key, &f, err))
        return false;
    *value = read_field(&f, params);
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
