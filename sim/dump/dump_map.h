/* SPDX-License-Identifier: Apache-2.0
 *
 * The mapping file of a waveform: which of its signals is which observation; private to sim/dump. doc/use/import_vcd.md describes it.
 */
#ifndef BALLAST_DUMP_MAP_H
#define BALLAST_DUMP_MAP_H

#include "recording/trace.h"

enum { DUMP_NAME = 256, DUMP_VALUES = 64 };

/* What a signal says; of each warp, of each CTA slot, or of the SM. */
typedef enum dump_field {
    DUMP_STATE, DUMP_ISSUED_ALU, DUMP_ISSUED_MEM, DUMP_PAUSED, /* of warps */
    DUMP_CTA_START, DUMP_CTA_DONE, DUMP_CTA_ACTIVE,            /* of CTA slots */
    DUMP_CLASS, DUMP_KERNEL_START, DUMP_WHEN, DUMP_CLOCK,      /* of the SM */
    DUMP_FIELDS
} dump_field;

extern const char *const dump_field_names[DUMP_FIELDS]; /* the keys */

/* Which code of the bus a signal's value is. */
typedef struct dump_codes {
    unsigned num; /* 0: the value is the code */
    uint64_t value[DUMP_VALUES];
    unsigned code[DUMP_VALUES];
} dump_codes;

typedef struct dump_map {
    char path[512];
    char signal[DUMP_FIELDS][DUMP_NAME]; /* a name, in which {sm}, {warp} and {slot} stand for numbers; "": none */
    uint32_t period;      /* time units of a cycle, where there is no clock */
    uint32_t first_cycle; /* number of the first edge of the clock */
    bool falling;         /* cycles end at the falling edge */
    dump_codes states, classes; /* codes: enum ballast_warp_state; enum ballast_ps_class or TRACE_NO_CLASS */
} dump_map;

bool dump_map_read(dump_map *map, const char *path, trace_err *err);
/* "map: ..." */
bool dump_map_fail(const dump_map *map, trace_err *err, const char *what, ...) __attribute__((format(printf, 3, 4)));
/* The code of a value; false: the map does not say. */
bool dump_code(const dump_codes *codes, uint64_t value, unsigned most, unsigned *code);

#endif
