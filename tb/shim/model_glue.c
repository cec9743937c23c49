/* SPDX-License-Identifier: Apache-2.0
 *
 * The C half of a block's descriptor, from its port list. Compiled once per block with
 * -DBLOCK_PORTS='"blocks/<block>/ports.h"'.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include BLOCK_PORTS
#include "engine/block.h"
#include "shim/ports.h"
#include "shim/ranges.h"

#include TEXT(blocks/BLOCK_NAME/decisions.h)
#if __has_include(TEXT(blocks/BLOCK_NAME/draw.h))
#include TEXT(blocks/BLOCK_NAME/draw.h)
#define DRAW draw
#else
#define DRAW NULL
#endif

static unsigned width_of(unsigned most)
{
    unsigned width = 0;

    while (width < 32 && most >> width)
        width++;
    return width;
}

#define PLAIN NULL, 0
#define NAMES(table) table, sizeof(table) / sizeof((table)[0])

static bool is_setting(const char *name)
{
#define SETTING_NAME(field, value) #field,
    static const char *const settings[] = {BLOCK_SETTINGS(SETTING_NAME) NULL};

    for (const char *const *s = settings; *s; s++)
        if (!strcmp(*s, name))
            return true;
    return false;
}

/* Of the input's range, from 1 on; 0 without one. */
static unsigned range_of(const char *name)
{
#define RANGE_NAME(field, most, when) #field,
    static const char *const ranges[] = {BLOCK_RANGES(RANGE_NAME) BLOCK_LANE_RANGES(RANGE_NAME) NULL};

    for (unsigned r = 0; ranges[r]; r++)
        if (!strcmp(ranges[r], name))
            return r + 1;
    return 0;
}

/* The registers of a part, as its own port list has them. */
#define DECLARE_PART(field, block_name) extern const block_model block_name##_model;
#define DECLARE_PART_ARRAY(field, block_name, count) extern const block_model block_name##_model;
BLOCK_PARTS(DECLARE_PART)
BLOCK_PART_ARRAYS(DECLARE_PART_ARRAY)

static void list_ports(const void *config, port_list *list)
{
    const CFG_T *cfg = config;

#define FIELD(type, field) offsetof(type, field), sizeof(((type *)0)->field)
#define FIRST(type, field) offsetof(type, field), sizeof(*((type *)0)->field)
#define ADD(kind_, type, field, width_, ...) \
    port_list_add(list, &(block_port){#field, kind_, width_, FIELD(type, field), __VA_ARGS__, \
                                       (kind_) == PORT_IN && is_setting(#field), (kind_) == PORT_IN ? range_of(#field) : 0});
#define ADD_IN(field, width, table) ADD(PORT_IN, IN_T, field, width, table)
#define ADD_OUT(field, width, table) ADD(PORT_OUT, OUT_T, field, width, table)
#define ADD_REG(field, width, table) ADD(PORT_REG, STATE_T, field, width, table)
#define ELEMENTS(count, kind_, type, field, width_, ...)                                              \
    for (unsigned n = 0; n < (count); n++)                                                            \
        port_list_add_element(                                                                        \
            list, &(block_port){#field, kind_, width_, FIRST(type, field), __VA_ARGS__, false, 0}, n);
#define ADD_ARRAY(field, count, width, table) ELEMENTS(count, PORT_REG, STATE_T, field, width, table)
    /* A vector of more than 64 bits is an array of words; the last one may be shorter. */
#define ADD_WIDE(field, width_)                                                                       \
    for (unsigned n = 0; 64 * n < (width_); n++)                                                      \
        port_list_add_element(list,                                                                   \
                              &(block_port){#field, PORT_IN, (width_)-64 * n < 64 ? (width_)-64 * n : 64, \
                                            FIRST(IN_T, field), PLAIN, true, 0},                        \
                              n);
    /* A lane's field is one signal per SM. */
#define LANES(kind_, type, field, width_, ...)                                                        \
    for (unsigned n = 0; n < BLOCK_LANES(cfg); n++) {                                                 \
        block_port port = {"", kind_, width_, FIELD(type, sm[0].field), __VA_ARGS__, false,           \
                           (kind_) == PORT_IN ? range_of(#field) : 0};                                \
        snprintf(port.name, sizeof port.name, "sm[%u].%s", n, #field);                                \
        port.offset += n * sizeof(((type *)0)->sm[0]);                                                \
        port_list_add(list, &port);                                                                   \
    }
#define LANE_IN(field, width, table) LANES(PORT_IN, IN_T, field, width, table)
#define LANE_OUT(field, width, table) LANES(PORT_OUT, OUT_T, field, width, table)
#define ADD_PART_AT(name, block_name, config_, offset_)                        \
    {                                                                    \
        const unsigned first = list->num;                                \
        block_name##_model.list_ports(config_, list);                          \
        port_list_move_into(list, first, name, offset_);                 \
    }
#define ADD_PART(field, block_name) ADD_PART_AT(#field, block_name, &cfg->field, offsetof(STATE_T, field))
#define ADD_PART_ARRAY(field, block_name, count)                                                            \
    for (unsigned n = 0; n < (count); n++) {                                                          \
        char name[PORT_NAME];                                                                         \
        snprintf(name, sizeof name, "%s[%u]", #field, n);                                             \
        ADD_PART_AT(name, block_name, &cfg->field, offsetof(STATE_T, field) + n * sizeof(block_name##_state))     \
    }
    BLOCK_INPUTS(ADD_IN)
    BLOCK_WIDE_INPUTS(ADD_WIDE)
    BLOCK_LANE_INPUTS(LANE_IN)
    BLOCK_OUTPUTS(ADD_OUT)
    BLOCK_LANE_OUTPUTS(LANE_OUT)
    BLOCK_REGISTERS(ADD_REG)
    BLOCK_REGISTER_ARRAYS(ADD_ARRAY)
    BLOCK_PARTS(ADD_PART)
    BLOCK_PART_ARRAYS(ADD_PART_ARRAY)
    (void)cfg;
    (void)width_of;
}

static block_sizes sizes(const void *config)
{
    const CFG_T *cfg = config;

    (void)cfg;
    return (block_sizes){BLOCK_SIZE_OF_IN(cfg), BLOCK_SIZE_OF_OUT(cfg), BLOCK_SIZE_OF_STATE(cfg)};
}

static uint64_t most(const void *config, const void *inputs, const block_port *port)
{
    const CFG_T *cfg = config;
    const IN_T *whole = inputs;
    const void *field = (const unsigned char *)inputs + port->offset;

    (void)cfg;
#define MOST(field_, most_, when_)                       \
    if ((const void *)&in->field_ == field)              \
        return (when_) ? (uint64_t)(most_) : UINT64_MAX;
    EACH_RANGE(whole, MOST);
    (void)field;
    return UINT64_MAX;
}

static void defaults(void *inputs)
{
    IN_T *in = inputs;

    (void)in;
#define SET_DEFAULT(field, value) in->field = (value);
    BLOCK_SETTINGS(SET_DEFAULT)
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
    BLOCK_DERIVE(cfg);
}

static void reset(void *state, const void *cfg)
{
    BLOCK_FN(_reset)(state, cfg);
}

static void bind(void *in, const void *cfg, const sm_obs *const *obs, const void *const *needs)
{
    BLOCK_FN(_bind)(in, cfg, obs, needs);
}

static void step(void *state, const void *cfg, const void *in, void *out)
{
    BLOCK_FN(_step)(state, cfg, in, out);
}

static bool cycle(const void *before, void *after, const void *config, const sm_obs *const *obs,
                  const void *const *needs, void *in, void *out)
{
    const CFG_T *cfg = config;

    memcpy(after, before, BLOCK_SIZE_OF_STATE(cfg));
    BLOCK_FN(_bind)(in, cfg, obs, needs);
    BLOCK_FN(_step)(after, cfg, in, out);
    return BLOCK_FN(_decides)(cfg, before, in, out, after);
}

static bool decides(const void *cfg, const void *before, const void *in, const void *out, const void *after)
{
    return BLOCK_FN(_decides)(cfg, before, in, out, after);
}

static void describe(decisions *list, unsigned *count, const void *cfg, const void *before, const void *in,
                     const void *out, const void *after)
{
    BLOCK_FN(_describe)(list, count, cfg, before, in, out, after);
}

#if __has_include(TEXT(blocks/BLOCK_NAME/draw.h))
static void draw(void *in, const void *cfg, uint64_t *seed)
{
    BLOCK_FN(_draw)(in, cfg, seed);
}
#endif

#define NEED_NAME(block_name) #block_name,
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

/* Tests keep a per-SM block's structs in a lockstep_values. */
_Static_assert(BLOCK_PER_CHIP || (sizeof(IN_T) <= BLOCK_MAX_STRUCT && sizeof(OUT_T) <= BLOCK_MAX_STRUCT &&
                                  sizeof(STATE_T) <= BLOCK_MAX_STRUCT),
               "raise BLOCK_MAX_STRUCT");
_Static_assert(sizeof(CFG_T) <= BLOCK_MAX_STRUCT, "raise BLOCK_MAX_STRUCT");

const block_model PASTE(BLOCK_NAME, _model) = {
    .block_name = TEXT(BLOCK_NAME),
    .needs = needs_list,
    .per_chip = BLOCK_PER_CHIP,
    .sees_all_sms = BLOCK_SEES_ALL_SMS,
    .looks = BLOCK_LOOKS,
    .limit_offset = LIMIT_OFFSET,
    .limit_stride = BLOCK_LIMIT_STRIDE,
    .done_offset = DONE_OFFSET,
    .configure = configure,
    .sizes = sizes,
    .list_ports = list_ports,
    .list_params = list_params,
    .most = most,
    .defaults = defaults,
    .draw = DRAW,
    .reset = reset,
    .bind = bind,
    .step = step,
    .cycle = cycle,
    .decides = decides,
    .describe = describe,
};
