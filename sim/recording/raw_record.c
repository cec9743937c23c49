/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/raw_record.h"

#include <string.h>

#include "recording/bytes.h"

enum { CLASS_SHIFT = 4, CLASS_BITS = 3 << CLASS_SHIFT, NO_CLASS = 1 << 6, HEAD_1 = 8, HEAD_2 = 16 };

static const raw_format formats[RAW_VERSIONS] = {
    {.version = 1, .bytes = 32, .warps = 48, .slots = 8},
    {.version = 2, .bytes = 48, .warps = 64, .slots = 32, .owned = true},
};

const raw_format *raw_format_find(unsigned version, const trace_geometry *g)
{
    for (unsigned i = 0; i < RAW_VERSIONS; i++) {
        const raw_format *f = &formats[i];

        if ((!version || version == f->version) && g->warps <= f->warps && g->slots <= f->slots)
            return f;
    }
    return NULL;
}

const raw_format *raw_format_last(unsigned version)
{
    return &formats[(version ? version : RAW_VERSIONS) - 1];
}

const char *raw_record_get(const raw_format *format, const uint8_t *p, uint64_t offset, raw_record *r)
{
    *r = (raw_record){.offset = offset, .cycle = get_u32(p), .sm = p[4], .cls = p[5] >> CLASS_SHIFT & 3};
    if (format->version == 1) {
        r->resident = p[6];
        r->done = p[7];
        r->states = p + HEAD_1;
        return NULL;
    }
    r->resident = get_u32(p + 8);
    r->done = get_u32(p + 12);
    r->states = p + HEAD_2;
    if (p[5] & NO_CLASS)
        r->cls = TRACE_NO_CLASS;
    return (p[5] & ~(CLASS_BITS | NO_CLASS)) || get_u16(p + 6)
               ? "bits that have to be 0 are not; are these records of version 1 (--format 1)?"
               : NULL;
}

static void put_number(uint8_t *p, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        p[i] = (uint8_t)(value >> 8 * i);
}

void raw_record_put(const raw_record *r, const sm_obs *obs, uint8_t *p)
{
    memset(p, 0, RAW_MAX_RECORD);
    put_number(p, (uint32_t)r->cycle);
    p[4] = r->sm;
    p[5] = r->cls == TRACE_NO_CLASS ? NO_CLASS : (uint8_t)(r->cls << CLASS_SHIFT);
    put_number(p + 8, r->resident);
    put_number(p + 12, r->done);
    for (unsigned w = 0; w < BALLAST_MAX_WARPS; w++)
        p[HEAD_2 + w / 2] |= (uint8_t)(sm_obs_warp_state(obs, w) << 4 * (w % 2));
}
