/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/port.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void port_list_add(port_list *list, const block_port *port)
{
    if (list->num == list->max) {
        const unsigned max = list->max ? 2 * list->max : 32;
        block_port *ports = realloc(list->ports, max * sizeof *ports);

        if (!ports) {
            list->failed = true;
            return;
        }
        list->ports = ports;
        list->max = max;
    }
    list->ports[list->num++] = *port;
}

void port_list_add_element(port_list *list, const block_port *port, unsigned index)
{
    block_port element = *port;

    snprintf(element.name, sizeof element.name, "%s[%u]", port->name, index);
    element.offset += index * element.size;
    port_list_add(list, &element);
}

void port_list_move_into(port_list *list, unsigned first, const char *part, size_t offset)
{
    unsigned kept = first;

    for (unsigned p = first; p < list->num; p++) {
        block_port port = list->ports[p];

        if (port.kind != PORT_REG)
            continue;
        snprintf(port.name, sizeof port.name, "%s.%s", part, list->ports[p].name);
        port.offset += offset;
        list->ports[kept++] = port;
    }
    list->num = kept;
}

void port_list_free(port_list *list)
{
    free(list->ports);
    memset(list, 0, sizeof *list);
}

void port_full_name(const block_port *port, char *text, size_t size)
{
    static const char suffix[] = {[PORT_IN] = 'i', [PORT_OUT] = 'o', [PORT_REG] = 'q'};
    const char *last = strrchr(port->name, '.');
    const char *index = strchr(last ? last : port->name, '[');
    const int block_name = (int)(index ? (size_t)(index - port->name) : strlen(port->name));

    snprintf(text, size, "%.*s_%c%s", block_name, port->name, suffix[port->kind], index ? index : "");
}

const block_port *port_find(const port_list *list, const char *full_name)
{
    const size_t length = strlen(full_name) - strlen("_q");

    for (unsigned p = 0; p < list->num; p++) {
        char text[PORT_NAME + 4];

        if (list->ports[p].name[0] != full_name[0] || strlen(list->ports[p].name) != length)
            continue;
        port_full_name(&list->ports[p], text, sizeof text);
        if (!strcmp(text, full_name))
            return &list->ports[p];
    }
    return NULL;
}

const block_port *port_find_setting(const port_list *list, const char *name)
{
    for (unsigned p = 0; p < list->num; p++)
        if (list->ports[p].setting && !strcmp(list->ports[p].name, name))
            return &list->ports[p];
    return NULL;
}

bool port_is_near(const block_port *port, const block_port *other)
{
    const char *end = strncmp(port->name, "sm[", 3) == 0 ? strchr(port->name, ']') : NULL;

    return !end || (other && !strncmp(port->name, other->name, (size_t)(end + 1 - port->name)));
}

/* The highest run of ones: its lowest bit, and in *top its highest. */
static unsigned highest_run(uint64_t bits, unsigned *top)
{
    unsigned bit = 63;

    while (!(bits >> bit & 1))
        bit--;
    *top = bit;
    while (bit > 0 && bits >> (bit - 1) & 1)
        bit--;
    return bit;
}

void port_unknown_text(uint64_t unknown, char text[PORT_UNKNOWN_TEXT])
{
    const bool one = (unknown & (unknown - 1)) == 0;
    size_t used = (size_t)snprintf(text, PORT_UNKNOWN_TEXT, one ? " bit" : " bits");
    uint64_t left = unknown;
    unsigned top;

    while (left) {
        const unsigned low = highest_run(left, &top);

        used += (size_t)snprintf(text + used, PORT_UNKNOWN_TEXT - used, low < top ? "%s %u..%u" : "%s %u",
                                 left == unknown ? "" : ",", top, low);
        left &= (UINT64_C(1) << low) - 1;
    }
    if (unknown)
        snprintf(text + used, PORT_UNKNOWN_TEXT - used, one ? " is X" : " are X");
    else
        text[0] = '\0';
}

static void known_value_text(char text[PORT_VALUE_TEXT], const block_port *port, uint64_t value)
{
    if (port->names && value < port->num_names)
        snprintf(text, PORT_VALUE_TEXT, "%s (%" PRIu64 ")", port->names[value], value);
    else if (port->kind == PORT_IN && port->width > 8)
        snprintf(text, PORT_VALUE_TEXT, "0x%0*" PRIx64, (int)(port->width + 3) / 4, value);
    else
        snprintf(text, PORT_VALUE_TEXT, "%" PRIu64, value);
}

void port_value_text(char text[PORT_VALUE_TEXT], const block_port *port, uint64_t value, uint64_t unknown)
{
    size_t used;

    if (!unknown) {
        known_value_text(text, port, value);
        return;
    }
    used = (size_t)snprintf(text, PORT_VALUE_TEXT, "%u'b", port->width);
    for (unsigned bit = port->width; bit-- > 0 && used < PORT_VALUE_TEXT - 1;)
        text[used++] = "01x"[unknown >> bit & 1 ? 2 : value >> bit & 1];
    text[used] = '\0';
}
