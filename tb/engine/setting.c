/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/setting.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

bool setting_read(setting *s, const char *text, char *err, size_t err_size)
{
    s->text = text;
    if (sscanf(text, "%63[a-z0-9_].%63[][a-z0-9_]=%63s", s->block, s->input, s->value) == 3)
        return true;
    snprintf(err, err_size, "'%s' is not a setting; write block.input=value", text);
    return false;
}

static bool value_of(const block_port *port, const char *text, uint64_t *value)
{
    char *end;

    for (unsigned n = 0; n < port->num_names; n++) {
        if (!strcasecmp(port->names[n], text)) {
            *value = n;
            return true;
        }
    }
    *value = strtoull(text, &end, 0);
    return end != text && *end == '\0' && text[0] != '-' && (port->width >= 64 || *value >> port->width == 0);
}

static void describe_values(const block_port *port, const setting *s, char *err, size_t err_size)
{
    size_t used = (size_t)snprintf(err, err_size, "setting %s: '%s' is no number of %u bit%s%s", s->text, s->value,
                                   port->width, port->width == 1 ? "" : "s", port->num_names ? " and none of" : "");

    for (unsigned n = 0; n < port->num_names && used < err_size; n++)
        used += (size_t)snprintf(err + used, err_size - used, " %s", port->names[n]);
}

bool setting_apply(const setting *s, const port_list *ports, void *inputs, char *err, size_t err_size)
{
    const block_port *port = port_find_setting(ports, s->input);
    uint64_t value;

    if (!port)
        snprintf(err, err_size, "setting %s: block %s has no such setting", s->text, s->block);
    else if (!value_of(port, s->value, &value))
        describe_values(port, s, err, err_size);
    else {
        block_port_set(port, inputs, value);
        return true;
    }
    return false;
}
