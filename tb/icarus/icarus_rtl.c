/* SPDX-License-Identifier: Apache-2.0 */
#include "icarus/icarus_rtl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <iverilog/vpi_user.h>

#include "engine/block.h"
#include "engine/rtl_name.h"
#include "icarus/handover.h"

/* The RTL's assertions are Verilator's. */
bool rtl_assertion_pending = false;

/* A vector of the design. Several ports may be parts of one. */
typedef struct vector {
    char name[RTL_NAME];
    enum port_kind kind;
    vpiHandle handle;
    unsigned width, words;
    s_vpi_vecval *value; /* what was read last, or is to be written; 32 bits each */
} vector;

/* Where a port of the list is. */
typedef struct place {
    block_port port;
    unsigned vector, lsb;
    uint64_t value, unknown; /* read last; bits that are X or Z count as 0 in `value` */
} place;

typedef struct rtl {
    vpiHandle clock, reset; /* NULL: it has none */
    vector *vectors;
    unsigned num_vectors;
    place *places;
    unsigned num_places;
} rtl;

_Noreturn static void give_up(const char *name, const char *why)
{
    fflush(stdout);
    fprintf(stderr, "ballast: %s of the port list %s\n", name, why);
    exit(3);
}

/* ---- finding ---------------------------------------------------------------------- */

static vpiHandle find(const char *block_name, const char *name)
{
    char text[RTL_NAME + 64];

    snprintf(text, sizeof text, "%s.%s", block_name, name);
    return vpi_handle_by_name(text, NULL);
}

static void add_vector(rtl *r, const char *block_name, const rtl_name *name, const block_port *port)
{
    vector *v = &r->vectors[r->num_vectors++];

    snprintf(v->name, sizeof v->name, "%s", name->text);
    v->kind = port->kind;
    v->handle = find(block_name, name->text);
    if (v->handle && name->element >= 0)
        v->handle = vpi_handle_by_index(v->handle, name->element);
    if (!v->handle)
        give_up(port->name, "is not in the RTL");
    v->width = (unsigned)vpi_get(vpiSize, v->handle);
    v->words = (v->width + 31) / 32;
    v->value = calloc(v->words, sizeof *v->value);
    if (!v->value)
        give_up(port->name, "needs more memory than there is");
}

/* Ports of one vector stand together in the list or a lane apart. */
static unsigned find_vector(rtl *r, const char *block_name, const rtl_name *name, const block_port *port)
{
    for (unsigned v = 0; name->element < 0 && port->kind != PORT_REG && v < r->num_vectors; v++)
        if (!strcmp(r->vectors[v].name, name->text))
            return v;
    add_vector(r, block_name, name, port);
    return r->num_vectors - 1;
}

static void add_place(rtl *r, const char *block_name, const block_port *port)
{
    const rtl_name name = rtl_name_of(port);
    place *at = &r->places[r->num_places++];

    *at = (place){.port = *port, .vector = find_vector(r, block_name, &name, port), .lsb = name.lsb};
    if (at->lsb + port->width > r->vectors[at->vector].width ||
        (port->kind == PORT_REG && port->width != r->vectors[at->vector].width))
        give_up(port->name, "has another width in the RTL; are they of the same parameters?");
}

void *icarus_create(const char *block_name, const port_list *ports)
{
    rtl *r = calloc(1, sizeof *r);

    if (r) {
        r->vectors = calloc(ports->num + 1, sizeof *r->vectors);
        r->places = calloc(ports->num + 1, sizeof *r->places);
    }
    if (!r || !r->vectors || !r->places)
        give_up(block_name, "needs more memory than there is");
    if (!vpi_handle_by_name(block_name, NULL))
        give_up(block_name, "is no root of this design");
    r->clock = find(block_name, "clk_i");
    r->reset = find(block_name, "rst_ni");
    for (unsigned p = 0; p < ports->num; p++)
        add_place(r, block_name, &ports->ports[p]);
    return r;
}

static void destroy(void *h)
{
    rtl *r = h;

    for (unsigned v = 0; v < r->num_vectors; v++)
        free(r->vectors[v].value);
    free(r->vectors);
    free(r->places);
    free(r);
}

/* ---- values ------------------------------------------------------------------------ */

static uint64_t low_bits(unsigned width)
{
    return width < 64 ? (UINT64_C(1) << width) - 1 : ~UINT64_C(0);
}

/* Up to 64 bits from `lsb` on, of one of the two planes of a four-state value. */
static uint64_t get_bits(const vector *v, unsigned lsb, unsigned width, bool plane_b)
{
    uint64_t value = 0;

    for (unsigned done = 0; done < width;) {
        const unsigned word = (lsb + done) / 32, shift = (lsb + done) % 32;
        const uint32_t bits = (uint32_t)(plane_b ? v->value[word].bval : v->value[word].aval);

        value |= (uint64_t)(bits >> shift) << done;
        done += 32 - shift;
    }
    return value & low_bits(width);
}

static void put_bits(vector *v, unsigned lsb, unsigned width, uint64_t value)
{
    for (unsigned done = 0; done < width;) {
        const unsigned word = (lsb + done) / 32, shift = (lsb + done) % 32;
        const unsigned here = width - done < 32 - shift ? width - done : 32 - shift;
        const uint32_t mask = (uint32_t)(low_bits(here) << shift);

        v->value[word].aval = (PLI_INT32)(((uint32_t)v->value[word].aval & ~mask) | ((uint32_t)(value >> done) << shift & mask));
        v->value[word].bval = (PLI_INT32)((uint32_t)v->value[word].bval & ~mask);
        done += here;
    }
}

static void read_vector(vector *v)
{
    s_vpi_value now = {.format = vpiVectorVal};

    vpi_get_value(v->handle, &now);
    memcpy(v->value, now.value.vector, v->words * sizeof *v->value);
}

static void write_vector(const vector *v)
{
    s_vpi_value now = {.format = vpiVectorVal, .value.vector = v->value};

    vpi_put_value(v->handle, &now, NULL, vpiNoDelay);
}

static void write_bit(vpiHandle handle, bool value)
{
    s_vpi_value now = {.format = vpiScalarVal, .value.scalar = value ? vpi1 : vpi0};

    if (handle)
        vpi_put_value(handle, &now, NULL, vpiNoDelay);
}

/* Every vector of this kind becomes X. */
static void forget(rtl *r, enum port_kind kind)
{
    for (unsigned v = 0; v < r->num_vectors; v++) {
        if (r->vectors[v].kind != kind)
            continue;
        memset(r->vectors[v].value, 0xff, r->vectors[v].words * sizeof *r->vectors[v].value);
        write_vector(&r->vectors[v]);
    }
}

static void write_kind(rtl *r, enum port_kind kind, const void *values)
{
    for (unsigned p = 0; p < r->num_places; p++) {
        const place *at = &r->places[p];

        if (at->port.kind == kind)
            put_bits(&r->vectors[at->vector], at->lsb, at->port.width, block_port_get(&at->port, values));
    }
    for (unsigned v = 0; v < r->num_vectors; v++)
        if (r->vectors[v].kind == kind)
            write_vector(&r->vectors[v]);
}

static void read_kind(rtl *r, enum port_kind kind)
{
    for (unsigned v = 0; v < r->num_vectors; v++)
        if (r->vectors[v].kind == kind)
            read_vector(&r->vectors[v]);
    for (unsigned p = 0; p < r->num_places; p++) {
        place *at = &r->places[p];

        if (at->port.kind != kind)
            continue;
        at->unknown = get_bits(&r->vectors[at->vector], at->lsb, at->port.width, true);
        at->value = get_bits(&r->vectors[at->vector], at->lsb, at->port.width, false) & ~at->unknown;
    }
}

static void copy_kind(rtl *r, enum port_kind kind, void *values)
{
    read_kind(r, kind);
    for (unsigned p = 0; p < r->num_places; p++)
        if (r->places[p].port.kind == kind)
            block_port_set(&r->places[p].port, values, r->places[p].value);
}

static bool equal_kind(rtl *r, enum port_kind kind, const void *values)
{
    uint64_t differs = 0;

    read_kind(r, kind);
    for (unsigned p = 0; p < r->num_places; p++)
        if (r->places[p].port.kind == kind)
            differs |= r->places[p].unknown | (r->places[p].value ^ block_port_get(&r->places[p].port, values));
    return differs == 0;
}

/* ---- a cycle ----------------------------------------------------------------------- */

static void settle(void *h, const void *in)
{
    rtl *r = h;

    write_bit(r->clock, false);
    write_kind(r, PORT_IN, in);
    handover_wait();
}

static void edge(void *h)
{
    write_bit(((rtl *)h)->clock, true);
    handover_wait();
}

/* One edge in reset, with nothing known but the reset: before it all registers and inputs are X. */
static void reset(void *h)
{
    rtl *r = h;

    write_bit(r->clock, false);
    write_bit(r->reset, false);
    forget(r, PORT_REG);
    forget(r, PORT_IN);
    handover_wait();
    edge(h);
    write_bit(r->reset, true);
}

static void cycle(void *h, const void *in)
{
    settle(h, in);
    edge(h);
}

static bool cycle_equal(void *h, const void *in, const void *out, const void *state)
{
    bool equal;

    settle(h, in);
    equal = equal_kind(h, PORT_OUT, out);
    edge(h);
    return equal_kind(h, PORT_REG, state) && equal;
}

static void outputs(void *h, void *out)
{
    copy_kind(h, PORT_OUT, out);
}

static void registers(void *h, void *state)
{
    copy_kind(h, PORT_REG, state);
}

static void load(void *h, const void *state)
{
    write_kind(h, PORT_REG, state);
}

static bool registers_equal(void *h, const void *state)
{
    return equal_kind(h, PORT_REG, state);
}

static const char *assertion(void *h)
{
    (void)h;
    return NULL;
}

static uint64_t unknown(void *h, unsigned port)
{
    return ((rtl *)h)->places[port].unknown;
}

const block_rtl icarus_rtl = {.destroy = destroy, .reset = reset, .cycle = cycle, .cycle_equal = cycle_equal, .settle = settle,
                              .edge = edge, .outputs = outputs, .registers = registers, .load = load,
                              .registers_equal = registers_equal, .assertion = assertion, .unknown = unknown};
