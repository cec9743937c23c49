/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz/fields.h"

#include <stdio.h>
#include <string.h>

static uint64_t ones(unsigned width)
{
    return width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX;
}

static bool add(fuzz_fields *fields, const block_port *port, enum fuzz_place place, unsigned sm, uint64_t most)
{
    if (fields->num == FUZZ_MAX_FIELDS)
        return false;
    fields->field[fields->num++] = (fuzz_field){*port, place, sm, most};
    return true;
}

/* ---- ports ------------------------------------------------------------------------- */

bool fuzz_fields_ports(fuzz_fields *fields, const lockstep *ls)
{
    const port_list *ports = &ls->instances[0].ports;
    bool ok = true;

    fields->num = 0;
    for (unsigned p = 0; p < ports->num; p++)
        if (ports->ports[p].kind == PORT_IN)
            ok &= add(fields, &ports->ports[p], FUZZ_IN, 0, ones(ports->ports[p].width));
    return ok;
}

/* ---- the bus ------------------------------------------------------------------------- */

typedef struct bus_field {
    const char *name;
    size_t offset, size;
    const char *width_of; /* parameter; NULL: one bit */
    bool number;          /* up to the parameter's value, not so many bits */
} bus_field;

#define PLACE(field) offsetof(sm_kept, field), sizeof(((sm_kept *)0)->field)
static const bus_field bus_fields[] = {
    {"ws0", PLACE(obs.ws[0]), "NumWarps", false},
    {"ws1", PLACE(obs.ws[1]), "NumWarps", false},
    {"ws2", PLACE(obs.ws[2]), "NumWarps", false},
    {"ws3", PLACE(obs.ws[3]), "NumWarps", false},
    {"paused", PLACE(obs.paused), "NumWarps", false},
    {"cta_active", PLACE(obs.cta_active), "NumSlots", false},
    {"cta_start", PLACE(obs.cta_start), "NumSlots", false},
    {"cta_done", PLACE(obs.cta_done), "NumSlots", false},
    {"cta_denied", PLACE(obs.cta_denied), NULL, false},
    {"kernel_start", PLACE(obs.kernel_start), NULL, false},
    {"nmax", PLACE(setup.kernel.nmax), "NumSlots", true},
    {"warps_per_cta", PLACE(setup.kernel.warps_per_cta), "NumWarps", true},
};

static bool add_bus_field(fuzz_fields *fields, const lockstep *ls, unsigned sm, const bus_field *b)
{
    const unsigned param = b->width_of ? lockstep_param(ls, b->width_of, 1) : 1;
    block_port port = {.kind = PORT_IN, .width = b->number ? 8 : param, .offset = b->offset, .size = b->size};

    snprintf(port.name, sizeof port.name, "%s", b->name);
    return add(fields, &port, FUZZ_BUS, sm, b->number ? param : ones(port.width));
}

bool fuzz_fields_bus(fuzz_fields *fields, const lockstep *ls)
{
    static const block_port map = {.name = "warp_slot", .kind = PORT_IN, .width = 8, .size = 1};
    const port_list *ports = &ls->instances[0].ports;
    bool ok = true;

    fields->num = 0;
    for (unsigned p = 0; p < ports->num; p++)
        if (ports->ports[p].setting)
            ok &= add(fields, &ports->ports[p], FUZZ_IN, 0, ones(ports->ports[p].width));
    for (unsigned sm = 0; sm < ls->num_sms; sm++) {
        for (unsigned b = 0; b < sizeof bus_fields / sizeof bus_fields[0]; b++)
            ok &= add_bus_field(fields, ls, sm, &bus_fields[b]);
        ok &= add(fields, &map, FUZZ_MAP, sm, 255);
    }
    return ok;
}

/* ---- values -------------------------------------------------------------------------- */

uint64_t fuzz_field_legal(const fuzz_field *field, uint64_t value)
{
    value &= ones(field->port.width);
    return value <= field->most ? value : value % (field->most + 1);
}

void fuzz_map_warps(sm_setup *setup, unsigned map, unsigned slots)
{
    for (unsigned warp = 0; warp < BALLAST_MAX_WARPS; warp++)
        setup->warp_slot[warp] = (uint8_t)((warp / (1 + map % 16) + map / 16) % slots);
}
