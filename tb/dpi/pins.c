/* SPDX-License-Identifier: Apache-2.0 */
#include "dpi/pins.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 64 };

pin *pin_find(const pin_list *list, const char *name)
{
    for (unsigned n = 0; n < list->num; n++)
        if (!strcmp(list->pins[n].name, name))
            return &list->pins[n];
    return NULL;
}

static pin *find_or_add(pin_list *list, const block_port *port, const char *name)
{
    pin *p = pin_find(list, name);

    if (p)
        return p;
    p = &list->pins[list->num++];
    *p = (pin){.kind = port->kind};
    snprintf(p->name, sizeof p->name, "%s", name);
    return p;
}

/* Ports come from the lowest bit and the first element on. `at` counts from the pin's own first word until all pins are known. */
static void add(pin_list *list, const port_list *ports, unsigned number)
{
    const block_port *port = &ports->ports[number];
    const rtl_name name = rtl_name_of(port);
    pin *p = find_or_add(list, port, name.text);
    const unsigned end = name.lsb + port->width, element = name.element < 0 ? 0 : (unsigned)name.element;

    p->width = end > p->width ? end : p->width;
    p->elements = element + 1;
    p->words = name.element < 0 ? (p->width + WORD - 1) / WORD : p->elements;
    list->places[list->num_places++] = (pin_place){number, (unsigned)(p - list->pins), (uint64_t)element * WORD + name.lsb};
}

bool pin_list_fill(pin_list *list, const port_list *ports)
{
    *list = (pin_list){.pins = calloc(ports->num, sizeof *list->pins), .places = calloc(ports->num, sizeof *list->places)};
    if (!list->pins || !list->places)
        return false;
    for (unsigned p = 0; p < ports->num; p++)
        if (!port_is_part_register(&ports->ports[p]))
            add(list, ports, p);
    for (unsigned n = 0; n < list->num; n++) {
        list->pins[n].first = list->words;
        list->words += list->pins[n].words;
    }
    for (unsigned n = 0; n < list->num_places; n++)
        list->places[n].at += (uint64_t)list->pins[list->places[n].pin].first * WORD;
    return true;
}

void pin_list_free(pin_list *list)
{
    free(list->pins);
    free(list->places);
}
