/* SPDX-License-Identifier: Apache-2.0 */
#include "dpi/reference.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpi/named_model.h"
#include "dpi/pins.h"
#include "engine/ranges.h"

enum { LINE = 512, WORD = 64 };

/* What the bench put into a word in this cycle. */
typedef struct put_word {
    uint64_t value, known;
    unsigned puts;
} put_word;

typedef struct reference {
    named_model named;
    const block_model *model; /* of it */
    pin_list pins;
    put_word *words;
    void *in, *out, *state;
    bool started; /* the model's registers are known */
    bool strayed; /* a word was put that there is not */
    uint64_t cycle; /* with rst_n = 1, from 0 on */
    char why[LINE];
} reference;

/* By handle - 1; NULL: closed. */
static struct {
    reference *model;
} *table;
static int table_size;
static char why_not[LINE];

__attribute__((format(printf, 2, 3))) static void say(char line[LINE], const char *format, ...)
{
    va_list values;

    va_start(values, format);
    vsnprintf(line, LINE, format, values);
    va_end(values);
}

static reference *find(int handle)
{
    return handle > 0 && handle <= table_size ? table[handle - 1].model : NULL;
}

/* ---- opening ------------------------------------------------------------------------ */

static void release(reference *r)
{
    if (!r)
        return;
    named_model_close(&r->named);
    pin_list_free(&r->pins);
    free(r->words);
    free(r->in);
    free(r->out);
    free(r->state);
    free(r);
}

static bool has_registers(const port_list *ports)
{
    for (unsigned p = 0; p < ports->num; p++)
        if (ports->ports[p].kind == PORT_REG)
            return true;
    return false;
}

static bool take_memory(reference *r)
{
    const block_sizes sizes = r->model->sizes(r->named.cfg);

    r->in = calloc(1, sizes.in);
    r->out = calloc(1, sizes.out);
    r->state = calloc(1, sizes.state);
    if (!r->in || !r->out || !r->state || !pin_list_fill(&r->pins, &r->named.ports))
        return false;
    r->words = calloc(r->pins.words, sizeof *r->words);
    return r->words != NULL;
}

static reference *make(const char *block_name, const char *parameters)
{
    reference *r = calloc(1, sizeof *r);

    if (r && !named_model_open(&r->named, block_name, parameters, why_not, LINE)) {
        release(r);
        return NULL;
    }
    if (r)
        r->model = r->named.model;
    if (r && take_memory(r))
        return r;
    say(why_not, "ballast %s: no memory", block_name);
    release(r);
    return NULL;
}

/* A place in the table, or -1. */
static int free_place(void)
{
    void *more;

    for (int n = 0; n < table_size; n++)
        if (!table[n].model)
            return n;
    more = realloc(table, (size_t)(table_size + 1) * sizeof *table);
    if (!more)
        return -1;
    table = more;
    table[table_size].model = NULL;
    return table_size++;
}

int ballast_reference_open(const char *block_name, const char *parameters)
{
    reference *r = make(block_name, parameters);
    const int place = r ? free_place() : -1;

    if (place < 0) {
        release(r);
        return 0;
    }
    r->started = !has_registers(&r->named.ports);
    r->model->reset(r->state, r->named.cfg);
    table[place].model = r;
    return place + 1;
}

void ballast_reference_close(int handle)
{
    release(find(handle));
    if (find(handle))
        table[handle - 1].model = NULL;
}

/* ---- pins ----------------------------------------------------------------------------- */

int ballast_reference_connect(int handle, const char *name, int width)
{
    reference *r = find(handle);
    pin *p = r ? pin_find(&r->pins, name) : NULL;

    if (!r)
        return -1;
    if (!p) {
        say(r->why, "ballast %s: has no pin '%s'", r->model->block_name, name);
        return -1;
    }
    if (width < 0 || (unsigned)width != p->width) {
        say(r->why, "ballast %s: %s has %d bits in the RTL, %u in the model; are they of the same parameters?", r->model->block_name, name,
            width, p->width);
        return -1;
    }
    p->connected = true;
    return (int)p->first;
}

const char *ballast_reference_pin(int handle, int number)
{
    const reference *r = find(handle);

    return r && number >= 0 && (unsigned)number < r->pins.num ? r->pins.pins[number].name : NULL;
}

int ballast_reference_width(int handle, const char *name)
{
    const reference *r = find(handle);
    const pin *p = r ? pin_find(&r->pins, name) : NULL;

    return p ? (int)p->width : 0;
}

int ballast_reference_elements(int handle, const char *name)
{
    const reference *r = find(handle);
    const pin *p = r ? pin_find(&r->pins, name) : NULL;

    return p ? (int)p->elements : 0;
}

void ballast_reference_put(int handle, int number, uint64_t value, uint64_t known)
{
    reference *r = find(handle);

    if (!r)
        return;
    if (number < 0 || (unsigned)number >= r->pins.words) {
        r->strayed = true;
        return;
    }
    r->words[number].value = value & known;
    r->words[number].known = known;
    r->words[number].puts++;
}

/* `width` bits from bit `at` of all words on, of the values or of what is X. */
static uint64_t bits_of(const reference *r, uint64_t at, unsigned width, bool unknown)
{
    const put_word *w = &r->words[at / WORD];
    const unsigned shift = at % WORD;
    uint64_t bits = (unknown ? ~w->known : w->value) >> shift;

    if (shift + width > WORD)
        bits |= (unknown ? ~w[1].known : w[1].value) << (WORD - shift);
    return width < WORD ? bits & ((UINT64_C(1) << width) - 1) : bits;
}

static const void *base_of(const reference *r, enum port_kind kind)
{
    return kind == PORT_IN ? r->in : kind == PORT_OUT ? r->out : r->state;
}

uint64_t ballast_reference_get(int handle, int number)
{
    const reference *r = find(handle);
    uint64_t value = 0;

    if (!r || number < 0 || (unsigned)number >= r->pins.words)
        return 0;
    for (unsigned n = 0; n < r->pins.num_places; n++) {
        const pin_place *place = &r->pins.places[n];
        const block_port *port = &r->named.ports.ports[place->port];
        const uint64_t bits = block_port_get(port, base_of(r, port->kind)), from = (uint64_t)(unsigned)number * WORD;

        if (place->at / WORD == (unsigned)number)
            value |= bits << place->at % WORD;
        else if (place->at < from && place->at + port->width > from)
            value |= bits >> (from - place->at);
    }
    return value;
}

/* ---- a cycle ---------------------------------------------------------------------------- */

/* What differs in a cycle: how many, and the first of them in `why`. */
static void differs(reference *r, int *count, const block_port *port, const char *what)
{
    char name[PORT_NAME + 4];

    if ((*count)++)
        return;
    port_full_name(port, name, sizeof name);
    say(r->why, "ballast %s, cycle %" PRIu64 ": %s %s", r->model->block_name, r->cycle, name, what);
}

static void compare(reference *r, enum port_kind kind, int *count)
{
    for (unsigned n = 0; n < r->pins.num_places; n++) {
        const pin_place *place = &r->pins.places[n];
        const block_port *port = &r->named.ports.ports[place->port];
        char model[PORT_VALUE_TEXT], rtl[PORT_VALUE_TEXT], what[LINE / 2];
        uint64_t wanted, value, unknown;

        if (port->kind != kind || !r->pins.pins[place->pin].connected)
            continue;
        wanted = block_port_get(port, base_of(r, kind));
        value = bits_of(r, place->at, port->width, false);
        unknown = bits_of(r, place->at, port->width, true);
        if (value == wanted && !unknown)
            continue;
        port_value_text(model, port, wanted, 0);
        port_value_text(rtl, port, value, unknown);
        snprintf(what, sizeof what, "is %s in the model, %s in the RTL", model, rtl);
        differs(r, count, port, what);
    }
}

static void take_inputs(reference *r, int *count)
{
    for (unsigned n = 0; n < r->pins.num_places; n++) {
        const pin_place *place = &r->pins.places[n];
        const block_port *port = &r->named.ports.ports[place->port];

        if (port->kind == PORT_IN)
            block_port_set(port, r->in, bits_of(r, place->at, port->width, false));
    }
    for (unsigned p = 0; p < r->named.ports.num; p++) {
        const block_port *port = &r->named.ports.ports[p];
        const uint64_t value = port->range ? block_port_get(port, r->in) : 0, most = port->range ? r->model->most(r->named.cfg, r->in, port) : 0;
        char what[LINE / 2];

        if (value <= most)
            continue;
        snprintf(what, sizeof what, "is %" PRIu64 ", but at most %" PRIu64 " where it is read: a fault of the bench", value, most);
        differs(r, count, port, what);
    }
    ranges_keep(r->model, r->named.cfg, &r->named.ports, r->in);
}

/* Whether the bench has put all that it has to, once: all that is compared, or inputs alone. */
static bool is_complete(reference *r, bool compared)
{
    bool complete = !r->strayed;

    if (r->strayed)
        say(r->why, "ballast %s: a word was put that there is not", r->model->block_name);
    for (unsigned n = 0; n < r->pins.num; n++) {
        const pin *p = &r->pins.pins[n];
        const bool wanted = compared || p->kind == PORT_IN;

        if (complete && wanted && !p->connected && p->kind != PORT_REG) {
            say(r->why, "ballast %s: %s is not connected", r->model->block_name, p->name);
            complete = false;
        }
        for (unsigned w = p->first; w < p->first + p->words && p->connected; w++) {
            if (complete && wanted && r->words[w].puts != 1) {
                say(r->why, "ballast %s: %s was put %u times since the last cycle, instead of once", r->model->block_name, p->name,
                    r->words[w].puts);
                complete = false;
            }
            r->words[w].puts = 0;
        }
    }
    r->strayed = false;
    return complete;
}

static void reset(reference *r)
{
    r->model->reset(r->state, r->named.cfg);
    r->started = true;
    r->cycle = 0;
}

static void step(reference *r, int *count)
{
    take_inputs(r, count);
    r->model->step(r->state, r->named.cfg, r->in, r->out);
}

static int end_cycle(reference *r, int count)
{
    if (count > 1)
        snprintf(r->why + strlen(r->why), LINE - strlen(r->why), "; %d more differ", count - 1);
    r->cycle++;
    return count;
}

int ballast_reference_cycle(int handle, int rst_n)
{
    reference *r = find(handle);
    int count = 0;

    if (!r || !is_complete(r, true))
        return -1;
    if (r->started)
        compare(r, PORT_REG, &count);
    if (!rst_n) {
        reset(r);
        return count;
    }
    if (!r->started)
        return 0;
    step(r, &count);
    compare(r, PORT_OUT, &count);
    return end_cycle(r, count);
}

int ballast_reference_step(int handle, int rst_n)
{
    reference *r = find(handle);
    int count = 0;

    if (!r || !is_complete(r, false))
        return -1;
    if (!rst_n) {
        reset(r);
        return 0;
    }
    step(r, &count);
    return end_cycle(r, count);
}

const char *ballast_reference_why(int handle)
{
    const reference *r = find(handle);

    return r ? r->why : why_not;
}
