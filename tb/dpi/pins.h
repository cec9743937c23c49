/* SPDX-License-Identifier: Apache-2.0
 *
 * The vectors of a block's RTL, and where in them the ports of its list are. Several ports may be parts of one pin: the fields of
 * the SMs of a chip, the words of a wide input, the elements of an array of registers. Registers of a block's parts are not among
 * them: a part is a block itself.
 */
#ifndef BALLAST_DPI_PINS_H
#define BALLAST_DPI_PINS_H

#include "engine/rtl_name.h"

typedef struct pin {
    char name[PORT_NAME]; /* nmax_i, limit_o, inst_q */
    enum port_kind kind;
    unsigned width;        /* bits, of an array those of an element */
    unsigned elements;     /* of an array; 1 */
    unsigned first, words; /* of all words of all pins */
    bool connected;
} pin;

/* Where a port of the list is. */
typedef struct pin_place {
    unsigned port, pin;
    uint64_t at; /* its lowest bit, counted over all words */
} pin_place;

typedef struct pin_list {
    pin *pins;
    pin_place *places; /* by pins */
    unsigned num, num_places, words;
} pin_list;

/* False: no memory. To be freed in any case. */
bool pin_list_fill(pin_list *list, const port_list *ports);
void pin_list_free(pin_list *list);
/* NULL: there is none. */
pin *pin_find(const pin_list *list, const char *name);

#endif
