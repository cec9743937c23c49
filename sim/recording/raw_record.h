/* SPDX-License-Identifier: Apache-2.0
 *
 * One record of a cyc.bin, in either version of the raw format; private to sim/recording.
 * doc/use/import_raw.md describes the bytes.
 */
#ifndef BALLAST_RAW_RECORD_H
#define BALLAST_RAW_RECORD_H

#include "recording/trace.h"

enum { RAW_MAX_RECORD = 48, RAW_VERSIONS = 2 };

typedef struct raw_record {
    uint64_t offset; /* in cyc.bin, unpacked */
    uint64_t cycle;
    uint32_t resident, done; /* CTA slots: hold a CTA after the cycle; their CTA finished in it */
    uint64_t paused; /* warps */
    uint8_t sm, cls;         /* cls: enum ps_class or TRACE_NO_CLASS */
    const uint8_t *states;   /* two warps in a byte, even ones in the low half */
} raw_record;

/* What a version's records have room for. */
typedef struct raw_format {
    unsigned version, bytes, warps, slots;
    bool owned; /* a warp that is not empty belongs to a CTA that its slot holds in this cycle */
} raw_format;

/* Version 0: the first one that has room for the geometry. NULL: there is none. */
const raw_format *raw_format_find(unsigned version, const trace_geometry *g);
/* That version, or the one with most room. */
const raw_format *raw_format_last(unsigned version);
/* What is wrong with the bytes themselves; NULL: nothing. */
const char *raw_record_get(const raw_format *format, const uint8_t *p, uint64_t offset, raw_record *r);

/* RAW_MAX_RECORD bytes of the last version; the states are those of the bus. */
void raw_record_put(const raw_record *r, const sm_obs *obs, uint8_t *p);

static inline unsigned raw_record_state(const raw_record *r, unsigned warp)
{
    return r->states[warp / 2] >> 4 * (warp % 2) & 15;
}

#endif
