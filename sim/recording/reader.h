/* SPDX-License-Identifier: Apache-2.0
 *
 * What the reader's parts share; private to sim/recording.
 *   reader.c  open, the list of frames, selection
 *   salvage.c finding the intact frames without the index
 *   frame.c   loading and checking one frame
 *   decode.c  from a frame's streams to sm_obs, cycle by cycle
 *   seek.c    positions by cycle, launch and progress
 *   regrid.c  another header for the same frames
 */
#ifndef BALLAST_TRACE_READER_H
#define BALLAST_TRACE_READER_H

#include <stdio.h>
#include <zstd.h>

#include "recording/format.h"

/* The frames of one SM, in order: positions in trace_reader.refs. */
typedef struct sm_frames {
    trace_sm_info info;
    uint32_t *ref;
    uint32_t count;
    size_t cap;
    unsigned launch;             /* of its last frame ...                           */
    uint64_t instructions, ctas; /* ... and the progress in it by the frame's end   */
} sm_frames;

/* Where the decoder stands in the frame. */
typedef struct cursor {
    uint32_t pos;      /* cycles of the frame decoded so far                */
    uint32_t run;      /* unchanged cycles still to come                    */
    uint32_t issued;   /* instructions in the current cycle                 */
    uint32_t end;      /* decode without further thought while pos < end    */
    uint8_t pulses;    /* in so many cycles, pulses have to be cleared      */
    bool pending;      /* the current cycle is yet to be returned (a seek)  */
    uint64_t instructions, ctas; /* of the launch, current cycle included   */
    uint32_t active_after;       /* CTA slots in use after the cycle        */
    const uint8_t *op, *op_end;
    const uint8_t *warp, *warp_end;
    const uint8_t *state;
    const uint8_t *event, *event_end;
} cursor;

/* Position in the class section, which is never behind that in the cycles. */
typedef struct class_cursor {
    bool loaded;
    const uint8_t *p, *end;
    uint64_t covered; /* cycles of the frame up to the end of the current run */
    uint8_t value;
} class_cursor;

struct trace_reader {
    sm_obs obs; /* first: what trace_next works on */
    sm_setup setup;
    cursor at;
    uint64_t warp_limit; /* ones for warps outside the geometry */

    char *path;
    FILE *file;
    uint64_t file_bytes;
    trace_meta meta;
    uint64_t header_bytes;

    frame_ref *refs;
    uint32_t num_refs;
    size_t cap_refs;
    sm_frames *sms;
    unsigned num_sms;
    size_t cap_sms;
    bool has_class;

    sm_frames *selected;
    uint32_t frame;      /* of the selected SM: the loaded one ...                     */
    bool loaded;         /* ... if any; else `frame` is the next to load              */
    frame_header head;
    bytes packed, streams, class_stream;
    class_cursor cls;
    ZSTD_DCtx *zstd;
    trace_err fault; /* why the frame cannot be decoded any further */
};

/* reader.c */
bool reader_at(trace_reader *r, uint64_t offset, void *dst, size_t n); /* false: cannot read */
bool reader_fail(const trace_reader *r, trace_err *err, uint64_t offset, const char *what);
/* Appends a frame to the lists; NULL or why it cannot follow what is there. */
const char *reader_add_frame(trace_reader *r, const frame_ref *ref);
extern const char reader_no_memory[];

/* salvage.c: adds every intact frame from the header on, up to the first damage: why, and
 * where; NULL when frames, index and footer are all intact. */
const char *salvage_frames(trace_reader *r, uint64_t *damage);

/* frame.c */
/* Reads a whole frame into r->packed, checks it and parses its header; NULL or why not. */
const char *frame_fetch(trace_reader *r, uint64_t offset, uint64_t limit, frame_header *h);
/* Loads frame `index` of the selected SM and stands before its first cycle. */
bool frame_load(trace_reader *r, uint32_t index, trace_err *err);
bool frame_load_classes(trace_reader *r, trace_err *err);

/* decode.c */
enum { DECODE_SLACK = 4 }; /* readable bytes that it needs behind the streams */
void decode_begin(trace_reader *r); /* stand before the loaded frame's first cycle */
/* One cycle ahead within the loaded frame; false: r->fault says why. */
bool decode_cycle(trace_reader *r);

static inline const frame_ref *reader_ref(const trace_reader *r, uint32_t index)
{
    return &r->refs[r->selected->ref[index]];
}

#endif
