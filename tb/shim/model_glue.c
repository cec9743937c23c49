/* SPDX-License-Identifier: Apache-2.0
 *
 * The C half of a block's descriptor, from its port list. Compiled once per block with
 * -DBLOCK_PORTS='"<block>/<block>_ports.h"'.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include BLOCK_PORTS
#include "engine/block.h"
#include "shim/ports.h"

static unsigned width_of(unsigned most)
{
    unsigned width = 0;

    while (most >> width)
        width++;
    return width;
}

#define PLAIN NULL, 0
#define NAMES(table) table, sizeof(table) / sizeof((table)[0])

static unsigned list_ports(const void *config, block_port *ports, unsigned max)
{
    const CFG_T *cfg = config;
    unsigned n = 0;

#define ADD(kind_, type, field, width_, ...)                                               \
    if (n < max)                                                                           \
        ports[n++] = (block_port){#field, kind_, width_, offsetof(type, field),            \
                                  sizeof(((type *)0)->field), __VA_ARGS__};
#define ADD_IN(field, width, table) ADD(PORT_IN, IN_T, field, width, table)
#define ADD_OUT(field, width, table) ADD(PORT_OUT, OUT_T, field, width, table)
#define ADD_REG(field, width, table) ADD(PORT_REG, STATE_T, field, width, table)
    BLOCK_INPUTS(ADD_IN)
    BLOCK_OUTPUTS(ADD_OUT)
    BLOCK_REGISTERS(ADD_REG)
    (void)cfg;
    (void)width_of;
    return n;
}

static unsigned list_params(const void *config, block_param *params, unsigned max)
{
    const CFG_T *cfg = config;
    unsigned n = 0;

#define ADD_PARAM(rtl_name, field)                          \
    if (n < max)                                            \
        params[n++] = (block_param){#rtl_name, cfg->field};
    BLOCK_PARAMS(ADD_PARAM)
    return n;
}

static bool set_param(CFG_T *cfg, const char *name, size_t length, uint32_t value)
{
#define SET_PARAM(rtl_name, field)                                            \
    if (strlen(#rtl_name) == length && !strncmp(#rtl_name, name, length)) {   \
        cfg->field = value;                                                   \
        return true;                                                          \
    }
    BLOCK_PARAMS(SET_PARAM)
    return false;
}

/* params: "Name=Value Name=Value"; the first one not understood is copied to `bad`. */
static void configure(void *config, const char *params, char *bad, size_t bad_size)
{
    CFG_T *cfg = config;

    *cfg = BLOCK_FN(_cfg_default)();
    bad[0] = '\0';
    while (*params) {
        const size_t length = strcspn(params, " ");
        const char *equals = memchr(params, '=', length);
        char *end = NULL;
        const unsigned long value = equals ? strtoul(equals + 1, &end, 0) : 0;

        if (!equals || end != params + length ||
            !set_param(cfg, params, (size_t)(equals - params), (uint32_t)value)) {
            snprintf(bad, bad_size, "%.*s", (int)length, params);
            return;
        }
        params += length;
        params += strspn(params, " ");
    }
}

static void reset(void *state, const void *cfg)
{
    BLOCK_FN(_reset)(state, cfg);
}

static void bind(void *in, const sm_obs *obs, const void *const *needs)
{
    BLOCK_FN(_bind)(in, obs, needs);
}

static void step(void *state, const void *cfg, const void *in, void *out)
{
    BLOCK_FN(_step)(state, cfg, in, out);
}

static bool cycle(const void *before, void *after, const void *cfg, const sm_obs *obs,
                  const void *const *needs, void *in, void *out)
{
    *(STATE_T *)after = *(const STATE_T *)before;
    BLOCK_FN(_bind)(in, obs, needs);
    BLOCK_FN(_step)(after, cfg, in, out);
    return BLOCK_FN(_decides)(before, in, out, after);
}

static bool describe(char *text, size_t size, unsigned *count, const void *before, const void *in,
                     const void *out, const void *after)
{
    return BLOCK_FN(_describe)(text, size, count, before, in, out, after);
}

#define NEED_NAME(stem) #stem,
static const char *const needs_list[] = {BLOCK_NEEDS(NEED_NAME) NULL};

#ifdef BLOCK_LIMIT
#define LIMIT_OFFSET ((int)offsetof(OUT_T, BLOCK_LIMIT))
#else
#define LIMIT_OFFSET (-1)
#endif
#ifdef BLOCK_DONE
#define DONE_OFFSET ((int)offsetof(OUT_T, BLOCK_DONE))
#else
#define DONE_OFFSET (-1)
#endif

_Static_assert(sizeof(IN_T) <= BLOCK_MAX_STRUCT && sizeof(OUT_T) <= BLOCK_MAX_STRUCT &&
                   sizeof(STATE_T) <= BLOCK_MAX_STRUCT && sizeof(CFG_T) <= BLOCK_MAX_STRUCT,
               "raise BLOCK_MAX_STRUCT");

const block_model PASTE(BLOCK_STEM, _model) = {
    .stem = TEXT(BLOCK_STEM),
    .needs = needs_list,
    .in_size = sizeof(IN_T),
    .out_size = sizeof(OUT_T),
    .state_size = sizeof(STATE_T),
    .limit_offset = LIMIT_OFFSET,
    .done_offset = DONE_OFFSET,
    .configure = configure,
    .list_ports = list_ports,
    .list_params = list_params,
    .reset = reset,
    .bind = bind,
    .step = step,
    .cycle = cycle,
    .describe = describe,
};
