/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/rtl_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rtl_name name_of_register(const block_port *port)
{
    rtl_name name = {.text = "", .element = -1};
    const char *rest = port->name;
    size_t used = 0;

    for (const char *dot; (dot = strchr(rest, '.')); rest = dot + 1) {
        const int field = (int)strcspn(rest, "[.");

        if (rest[field] == '[')
            used += (size_t)snprintf(name.text + used, RTL_NAME - used, "gen_%.*s.", (int)(dot - rest), rest);
        used += (size_t)snprintf(name.text + used, RTL_NAME - used, "u_%.*s.", field, rest);
    }
    snprintf(name.text + used, RTL_NAME - used, "%.*s_q", (int)strcspn(rest, "["), rest);
    if (strchr(rest, '['))
        name.element = atoi(strchr(rest, '[') + 1);
    return name;
}

static rtl_name name_of_pin(const block_port *port)
{
    rtl_name name = {.text = "", .element = -1};
    const char *dot = strchr(port->name, '.'), *index = strchr(port->name, '[');
    const char *field = dot ? dot + 1 : port->name;

    if (index)
        name.lsb = (unsigned)atoi(index + 1) * (index < field ? port->width : 64);
    snprintf(name.text, RTL_NAME, "%.*s_%c", (int)strcspn(field, "["), field, port->kind == PORT_IN ? 'i' : 'o');
    return name;
}

rtl_name rtl_name_of(const block_port *port)
{
    return port->kind == PORT_REG ? name_of_register(port) : name_of_pin(port);
}
