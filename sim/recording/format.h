/* SPDX-License-Identifier: Apache-2.0
 *
 * The bytes of a trace file and their C form; private to sim/recording. Every number is
 * little-endian. doc/use/trace_format.md is the specification, this is its transcript.
 */
#ifndef BALLAST_TRACE_FORMAT_H
#define BALLAST_TRACE_FORMAT_H

#include "recording/bytes.h"
#include "recording/trace.h"

/* What a reader knows. A file has the lowest version that holds what it says, so that an older reader takes all it can. */
enum { FORMAT_PLAIN = 1, FORMAT_GRIDS = 2 /* launches have grid_x */, FORMAT_NEWEST = FORMAT_GRIDS };

/* As in PNG: a byte with the high bit set, a CR LF and a lone LF, so that a transfer in
 * text mode is noticed at once. */
#define FILE_MAGIC "\x89" "BLT\r\n\x1a\n"
#define FOOTER_MAGIC "BLTEND\r\n"
#define FRAME_MAGIC 0x52464c42u /* "BLFR" */
#define INDEX_MAGIC 0x58494c42u /* "BLIX" */

enum {
    CHECKSUM_BYTES = 8,
    HEADER_FIXED_BYTES = 32,
    HEADER_MAX_BYTES = HEADER_FIXED_BYTES + 3 * TRACE_TEXT +
                       TRACE_MAX_LAUNCHES * (TRACE_TEXT + 28) + CHECKSUM_BYTES,
    DESCRIPTOR_BYTES = 44,
    FRAME_FIXED_BYTES = 136,
    INDEX_FIXED_BYTES = 8,
    INDEX_ENTRY_BYTES = 12 + DESCRIPTOR_BYTES,
    FOOTER_BYTES = 32,
    FRAME_CYCLES = 16384,     /* the writer's frames           */
    FRAME_CYCLES_MAX = 65536, /* what a reader has to cope with */
};

/* ops stream: one byte per cycle or per run of unchanged cycles. */
enum {
    OP_CHANGES_MAX = 0x40,  /* 0x00..0x40: a cycle in which this many warps change state */
    OP_RUN_MAX = 0xfd,      /* 0x41..0xfd: a run of 1..189 cycles without a change       */
    OP_RUN_LONG = 0xfe,     /* two bytes follow: that many cycles without a change       */
    OP_EVENT = 0xff,        /* the next cycle (an op 0x00..0x40) has a record in events  */
};

/* Record in the events stream: a byte with these bits, then what they announce. */
enum {
    EVENT_START = 1,  /* u32 slot mask, then per slot, lowest first, u64 its warps */
    EVENT_DONE = 2,   /* u32 slot mask                                             */
    EVENT_PAUSED = 4, /* u64 paused plane, exclusive-or with the cycle before      */
    EVENT_ALL = 7,
};

/* class stream: value in bits 2:0, run length in bits 7:3; 0 there: u16 length follows. */
enum { CLASS_NONE = 4, CLASS_RUN_SHIFT = 3, CLASS_RUN_MAX = 31 };

enum {
    FRAME_KERNEL_START = 1, /* the first cycle has the kernel start of the launch         */
    FRAME_HAS_CLASS = 2,    /* there is a classes stream                                  */
    FRAME_CUT = 4,          /* the snapshot does not follow from the SM's frame before it */
    FRAME_FLAGS = 7,
};
#define LAUNCH_NONE 0xffffu

/* What identifies a frame: stands in its header and again in the index. */
typedef struct frame_descriptor {
    uint16_t sm;
    uint16_t launch;       /* LAUNCH_NONE before the SM's first kernel start       */
    uint32_t cycles;
    uint32_t flags;
    uint64_t first_cycle;
    uint64_t instructions; /* of this SM in this launch before the frame ...       */
    uint64_t ctas;
    uint32_t frame_instructions; /* ... and in it                                  */
    uint32_t frame_ctas;
} frame_descriptor;

typedef struct frame_ref {
    uint64_t offset;
    uint32_t bytes; /* header, payload and checksum */
    frame_descriptor d;
} frame_ref;

/* Decoder state just before the frame's first cycle, so that it decodes on its own. */
typedef struct frame_snapshot {
    uint64_t ws[BALLAST_STATE_PLANES];
    uint64_t paused;
    uint32_t active;
    uint8_t warp_slot[BALLAST_MAX_WARPS];
} frame_snapshot;

/* The streams of a frame, in the order of the file. */
enum { STREAM_OPS, STREAM_WARPS, STREAM_STATES, STREAM_EVENTS, STREAM_CLASSES, STREAMS };

/* Their lengths. Streams of length 0 have no packed bytes. */
typedef struct frame_sizes {
    uint32_t raw[STREAMS];
    uint32_t packed[STREAMS];
} frame_sizes;

typedef struct frame_header {
    uint32_t bytes;
    frame_descriptor d;
    frame_snapshot before;
    frame_sizes sizes;
} frame_header;

static inline size_t frame_header_bytes(unsigned warps) { return FRAME_FIXED_BYTES + (size_t)warps; }

static inline uint64_t low_bits(unsigned n)
{
    return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

/* Warps whose state code is reserved (11..15). */
static inline uint64_t reserved_states(const uint64_t ws[BALLAST_STATE_PLANES])
{
    return ws[3] & (ws[2] | (ws[1] & ws[0]));
}

/* Slots that hold a CTA after a cycle. A slot that is both started and done was either
 * refilled (it held a CTA before) or held a CTA for this one cycle. */
static inline uint32_t active_after(uint32_t before, uint32_t start, uint32_t done)
{
    return (before & ~done) | (start & (before | ~done));
}

/* Slots whose start or done contradicts what they hold. */
static inline uint32_t slot_conflicts(uint32_t before, uint32_t start, uint32_t done)
{
    return (before & start & ~done) | (~before & ~start & done);
}

/* "" when the geometry, names and launches obey the limits, else what is wrong. */
const char *format_meta_fault(const trace_meta *m);
/* NULL when the snapshot is possible in this geometry, else what is wrong. */
const char *format_snapshot_fault(const frame_snapshot *s, const trace_geometry *g);
/* The same for the sizes of a frame and their sum. */
const char *format_sizes_fault(const frame_header *h, const trace_geometry *g);

void format_put_header(bytes *out, const trace_meta *m);
void format_put_frame_header(bytes *out, const frame_header *h, unsigned warps);
void format_put_index(bytes *out, const frame_ref *refs, size_t count);
void format_put_footer(bytes *out, uint64_t index_offset, uint64_t index_bytes);
void format_put_checksum(bytes *out, size_t from); /* over out[from..end) */

/* Parsers read from a complete section whose checksum has been verified, except for
 * get_frame_header, which also serves to find out how long the section is. */
bool format_get_meta(const uint8_t *p, size_t n, trace_meta *m, size_t *fault_at);
void format_get_frame_header(const uint8_t *p, frame_header *h, unsigned warps);
void format_get_ref(const uint8_t *p, frame_ref *ref);
bool format_checksum_ok(const uint8_t *p, size_t n); /* its last 8 bytes */

/* Fills *err with "path: what (byte offset N); what to do" and returns false. */
bool format_fail(trace_err *err, const char *path, uint64_t offset, const char *todo,
                 const char *what, ...) __attribute__((format(printf, 5, 6)));

#endif
