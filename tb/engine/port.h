/* SPDX-License-Identifier: Apache-2.0
 *
 * A signal of a block as software sees it: an input, output or register of up to 64 bits, found
 * by its place in one of the structs of the block's C model.
 *
 * Names follow the C structs: "limit", "inst[3]" (an element), "perfsat.state" (a register of
 * a part), "sm[3].perfsat.state". Spelt out with the RTL's suffix that is limit_q, inst_q[3],
 * perfsat.state_q.
 */
#ifndef BALLAST_PORT_H
#define BALLAST_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PORT_NAME 48

enum port_kind { PORT_IN, PORT_OUT, PORT_REG };

typedef struct block_port {
    char name[PORT_NAME];
    enum port_kind kind;
    unsigned width;      /* bits                                  */
    size_t offset, size; /* of the field in in / out / state      */
    const char *const *names; /* names of its values, NULL for a plain number */
    unsigned num_names;
    bool setting;        /* an input that software sets, not the bus */
    unsigned range;      /* of the list's ranges, from 1 on; 0: an input that may have any value in any cycle */
} block_port;

typedef struct port_list {
    block_port *ports; /* malloc'ed */
    unsigned num, max;
    bool failed; /* out of memory */
} port_list;

void port_list_add(port_list *list, const block_port *port);
/* An element of an array: "name[index]". */
void port_list_add_element(port_list *list, const block_port *port, unsigned index);
/* The registers from `first` on belong to a part that sits at `offset` of the state. */
void port_list_move_into(port_list *list, unsigned first, const char *part, size_t offset);
void port_list_free(port_list *list);

/* With the suffix of its kind. */
void port_full_name(const block_port *port, char *text, size_t size);
/* NULL when there is none of this full name. */
const block_port *port_find(const port_list *list, const char *full_name);
/* The same among the inputs that software sets, by the plain name. */
const block_port *port_find_setting(const port_list *list, const char *name);

/* Of a chip's signals: whether `port` belongs to the chip as a whole or to the same SM as
 * `other`. Always true for a block per SM. */
bool port_is_near(const block_port *port, const block_port *other);

/* A value as reports show it: its name and number, hexadecimal, or decimal; in binary, from the highest bit on as far as there is
 * room, one in which some bits are X or Z. */
enum { PORT_VALUE_TEXT = 40 };
void port_value_text(char text[PORT_VALUE_TEXT], const block_port *port, uint64_t value, uint64_t unknown);
/* Which bits are X or Z, in words: " bits 3..1, 0 are X", "" for none. */
enum { PORT_UNKNOWN_TEXT = 256 };
void port_unknown_text(uint64_t unknown, char text[PORT_UNKNOWN_TEXT]);

static inline bool port_is_part_register(const block_port *p)
{
    for (const char *c = p->name; *c; c++)
        if (*c == '.')
            return p->kind == PORT_REG;
    return false;
}

static inline uint64_t block_port_get(const block_port *p, const void *base)
{
    const unsigned char *field = (const unsigned char *)base + p->offset;

    switch (p->size) {
    case 1: return *field;
    case 2: return *(const uint16_t *)(const void *)field;
    case 4: return *(const uint32_t *)(const void *)field;
    default: return *(const uint64_t *)(const void *)field;
    }
}

static inline void block_port_set(const block_port *p, void *base, uint64_t value)
{
    unsigned char *field = (unsigned char *)base + p->offset;

    switch (p->size) {
    case 1: *field = (uint8_t)value; break;
    case 2: *(uint16_t *)(void *)field = (uint16_t)value; break;
    case 4: *(uint32_t *)(void *)field = (uint32_t)value; break;
    default: *(uint64_t *)(void *)field = value; break;
    }
}

#ifdef __cplusplus
}
#endif
#endif
